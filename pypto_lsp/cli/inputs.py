"""The files that a command line names, and the workspace to analyse them in."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

from pypto_lsp.analysis.catalogue import matching
from pypto_lsp.analysis.files import normal_path, python_files
from pypto_lsp.analysis.report_cache import ReportCache
from pypto_lsp.analysis.settings import BadSetting, dsl_version, environment_settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.backends import BACKENDS, backend


class UsageFault(Exception):
    """A command line that cannot be carried out; the text says why."""


def named_files(paths: Iterable[str]) -> list[str]:
    """The files of a command line, each once, as absolute paths: files as given, folders walked."""
    found: dict[str, None] = {}
    for path in paths:
        for file in python_files(path) if os.path.isdir(path) else (normal_path(path),):
            found[file] = None
    return list(found)


def open_workspace(
    target: str, version: str = "", *, patient: bool = False, cache: ReportCache | None = None
) -> Workspace:
    """A workspace rooted at the working folder; ``version`` is the day of the language, ``patient`` asks for the fixes that take
    long to find, ``cache`` may have findings of earlier runs. Raises :class:`UsageFault` for an unknown target or a version that
    is no date."""
    try:
        settings = replace(environment_settings(), target=backend(target), dsl_version=dsl_version(version))
    except KeyError:
        known = ", ".join(f"{b.name} ({b.alias})" for b in BACKENDS.values())
        raise UsageFault(f"unknown target {target!r}; known are {known}") from None
    except BadSetting as fault:
        raise UsageFault(str(fault).replace("dslVersion", "--dsl-version")) from None
    return Workspace(roots=(os.getcwd(),), settings=settings, patient=patient, cache=cache)


def selectors(options: Iterable[str]) -> tuple[str, ...]:
    """The codes of ``--select`` and ``--ignore`` options. Raises :class:`UsageFault` for one that names nothing."""
    codes = tuple(code.strip() for option in options for code in option.split(",") if code.strip())
    for code in codes:
        if not matching(code):
            raise UsageFault(f"{code!r} names no code or rule; see pypto-lsp rules")
    return codes
