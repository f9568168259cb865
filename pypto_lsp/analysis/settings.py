"""Settings of an analysis: from the command line, from the editor, from PyPTO's own environment variables."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pypto_lsp.backends import DEFAULT_BACKEND, Backend, backend

VERIFY_LEVELS = ("none", "basic", "roundtrip")
WARNING_LEVELS = ("none", "pre_pipeline", "post_pass", "post_pipeline")
HINT_SEVERITIES = ("hint", "information")


class BadSetting(ValueError):
    """A setting with a value that it cannot have; the text says which and what it may be."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to analyse.

    ``target`` is the backend; ``verify_level`` and ``warning_level`` mean what PyPTO's ``PYPTO_VERIFY_LEVEL`` and
    ``PYPTO_WARNING_LEVEL`` mean: ``none`` switches the property verifiers, respectively the warnings and hints, off.
    ``disabled`` are selectors of findings to leave out. ``hint_severity`` (``hint`` or ``information``) is how an editor
    shows performance hints, ``inlay_hints`` whether it shows the types of locals. ``dsl_version`` is the day (ISO 8601)
    of the language that the workspace is written in, empty for the newest. ``cache`` says that findings may be kept on disk.
    """

    target: Backend = DEFAULT_BACKEND
    verify_level: str = "basic"
    warning_level: str = "pre_pipeline"
    disabled: tuple[str, ...] = ()
    hint_severity: str = "hint"
    inlay_hints: bool = True
    dsl_version: str = ""
    cache: bool = True

    @property
    def key(self) -> str:
        """Equal for settings under which the same is found."""
        return repr((self.target.name, self.verify_level, self.warning_level, self.disabled, self.dsl_version))

    @property
    def verifies(self) -> bool:
        return self.verify_level != "none"

    @property
    def warns(self) -> bool:
        return self.warning_level != "none"


def environment_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """The defaults, with PyPTO's environment variables read as PyPTO reads them: other texts count as the default."""
    settings = Settings()
    if environ.get("PYPTO_VERIFY_LEVEL") in VERIFY_LEVELS:
        settings = replace(settings, verify_level=environ["PYPTO_VERIFY_LEVEL"])
    if environ.get("PYPTO_WARNING_LEVEL") in WARNING_LEVELS:
        settings = replace(settings, warning_level=environ["PYPTO_WARNING_LEVEL"])
    return settings


def _target(value: Any) -> Backend:
    try:
        return backend(value)
    except (KeyError, AttributeError):
        raise BadSetting(f"target: {value!r} is not ascend910b (a2a3) or ascend950 (a5)") from None


def _one_of(name: str, allowed: tuple[str, ...]) -> Any:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value.lower() not in allowed:
            raise BadSetting(f"{name}: {value!r} is not one of {', '.join(allowed)}")
        return value.lower()

    return read


def _selectors(value: Any) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise BadSetting(f"disabledDiagnostics: {value!r} is not a list of codes")
    return tuple(value)


def _inlay_hints(value: Any) -> bool:
    return _switch("inlayHints.types")(value.get("types", True) if isinstance(value, Mapping) else value)


def _switch(name: str) -> Any:
    def read(value: Any) -> bool:
        if not isinstance(value, bool):
            raise BadSetting(f"{name}: {value!r} is not true or false")
        return value

    return read


def dsl_version(value: Any) -> str:
    """The day of a ``dslVersion``: empty for ``newest``. Raises :class:`BadSetting` for anything else that is no date."""
    if isinstance(value, str) and value.lower() in ("", "newest"):
        return ""
    try:
        return datetime.date.fromisoformat(value).isoformat()
    except (TypeError, ValueError):
        raise BadSetting(f"dslVersion: {value!r} is not newest or a date such as 2026-06-30") from None


#: name in the editor's settings -> (field, reader of its value)
_EDITOR_SETTINGS: dict[str, tuple[str, Any]] = {
    "target": ("target", _target),
    "verifyLevel": ("verify_level", _one_of("verifyLevel", VERIFY_LEVELS)),
    "warningLevel": ("warning_level", _one_of("warningLevel", WARNING_LEVELS)),
    "disabledDiagnostics": ("disabled", _selectors),
    "hintSeverity": ("hint_severity", _one_of("hintSeverity", HINT_SEVERITIES)),
    "inlayHints": ("inlay_hints", _inlay_hints),
    "dslVersion": ("dsl_version", dsl_version),
    "cache": ("cache", _switch("cache")),
}


def editor_settings(given: Any, base: Settings) -> tuple[Settings, list[str]]:
    """The settings an editor sends over a base; a ``settings`` or ``pypto`` object around them is looked through.

    A value that a setting cannot have is left out and named in the list; unknown names and nulls are passed over.
    """
    section = given
    for wrapper in ("settings", "pypto"):
        if isinstance(section, Mapping) and isinstance(section.get(wrapper), Mapping):
            section = section[wrapper]
    settings, faults = base, []
    for name, value in section.items() if isinstance(section, Mapping) else ():
        if name not in _EDITOR_SETTINGS or value is None:
            continue
        field, read = _EDITOR_SETTINGS[name]
        try:
            settings = replace(settings, **{field: read(value)})
        except BadSetting as fault:
            faults.append(str(fault))
    return settings, faults
