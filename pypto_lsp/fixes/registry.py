"""Which provider makes fixes for which finding.

A provider is a function ``(diagnostic, context) -> iterable of Fix`` registered with :func:`provides`. It builds edits from
the finding's facts and its ``subject`` node; it may ask ``context.recheck`` whether the edited text is right. One that
does is ``costly``, and gives the same edits whenever it is asked about the same finding.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pypto_lsp.backends import DEFAULT_BACKEND, Backend
from pypto_lsp.diagnostics import Diagnostic, Edit, Fix
from pypto_lsp.ir.nodes import Program
from pypto_lsp.passes.transfers import Transfer


@dataclass(frozen=True, slots=True)
class Rechecked:
    """What the analysis of edited texts gives: all findings, and the transfers of all kernels."""

    diagnostics: list[Diagnostic]
    transfers: list[Transfer]


@dataclass(frozen=True, slots=True)
class NoFix:
    """Why a provider has no fix for a finding: a sentence without a full stop."""

    reason: str


#: texts by path -> the analysis with these texts in place of the files' own, of the finding's file or of another one
Recheck = Callable[..., Rechecked]


@dataclass(frozen=True, slots=True)
class FixContext:
    """What a provider may know. ``program`` is the program the finding lies in, where there is one; ``recheck`` runs the
    analysis on edited texts (None where that is not to be had) and remembers what it gave; ``findings`` is what the analysis
    of the unchanged text gave. ``patient`` asks for the fixes that take analyses of their own, too. ``importers`` names the
    files that may import one, besides the one at hand, and ``checks_importers`` says whether these may be analysed as well."""

    backend: Backend = DEFAULT_BACKEND
    program: Program | None = None
    recheck: Recheck | None = None
    findings: Sequence[Diagnostic] = ()
    patient: bool = False
    importers: Callable[[str], list[str]] = lambda path: []
    checks_importers: bool = False


Provider = Callable[[Diagnostic, FixContext], Iterable["Fix | NoFix"]]

_BY_CODE: dict[tuple[str, int | None], list[Provider]] = {}
#: providers that analyse edited texts: they are asked only by whoever is patient
_COSTLY: set[Provider] = set()


def provides(rule_name: str, *codes: int, costly: bool = False) -> Callable[[Provider], Provider]:
    """Attach a provider to findings of a rule (all its codes when none is named; ``*`` for any rule)."""

    def register(provider: Provider) -> Provider:
        for code in codes or (None,):
            _BY_CODE.setdefault((rule_name, code), []).append(provider)
        if costly:
            _COSTLY.add(provider)
        return provider

    return register


@cache
def _load() -> None:
    package = importlib.import_module("pypto_lsp.fixes")
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda m: m.name):
        importlib.import_module(f"pypto_lsp.fixes.{info.name}")


def registered() -> list[tuple[str, int | None]]:
    """Every provider's name with each code it is registered for; None stands for all codes."""
    _load()
    found = {(provider.__name__, code) for (_, code), providers in _BY_CODE.items() for provider in providers}
    return sorted(found, key=lambda pair: (pair[0], pair[1] or 0))


def makers(diagnostic: Diagnostic, fix: Fix) -> set[str]:
    """The names of the providers that may have made a fix of a finding: those that make it out of the finding alone, else those
    that need the program or an analysis."""
    made = {
        p: [_identity(f) for f in p(diagnostic, FixContext()) if isinstance(f, Fix)] for p in _providers(diagnostic)
    }
    alone = {p.__name__ for p, fixes in made.items() if _identity(fix) in fixes}
    return alone or {p.__name__ for p, fixes in made.items() if not fixes}


def _identity(fix: Fix) -> tuple[object, ...]:
    return (fix.title, *((*edit.span.key(), edit.new_text) for edit in fix.edits))


def _providers(diagnostic: Diagnostic) -> Iterator[Provider]:
    _load()
    keys = (
        (diagnostic.rule_name, diagnostic.error_code),
        (diagnostic.rule_name, None),
        ("*", diagnostic.error_code),
        ("*", None),
    )
    for key in keys:
        yield from _BY_CODE.get(key, ())


def may_have_costly_fixes(diagnostic: Diagnostic) -> bool:
    """Whether a patient caller may get more fixes for a finding."""
    return any(provider in _COSTLY for provider in _providers(diagnostic))


def with_fixes(diagnostic: Diagnostic, context: FixContext) -> Diagnostic:
    """The finding with its fixes; where there is none, ``facts["no_fix"]`` is the reason, if a provider gave one."""
    fixes, reasons = list(diagnostic.fixes), []
    for provider in _providers(diagnostic):
        if context.patient or provider not in _COSTLY:
            for made in provider(diagnostic, context):
                if isinstance(made, NoFix):
                    reasons.append(made.reason)
                elif made.edits and made not in fixes:
                    fixes.append(made)
    if not fixes and reasons:
        return replace(diagnostic, facts={**diagnostic.facts, "no_fix": reasons[0]})
    return diagnostic if tuple(fixes) == diagnostic.fixes else replace(diagnostic, fixes=tuple(fixes))


def edited_texts(fix: Fix) -> dict[str, str]:
    """The text of every file that a fix touches, after its edits."""
    by_path: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        by_path.setdefault(edit.span.path, []).append(edit)
    texts: dict[str, str] = {}
    for path, edits in by_path.items():
        text = edits[0].span.source.text
        for edit in sorted(edits, key=lambda e: e.span.begin, reverse=True):
            text = text[: edit.span.begin] + edit.new_text + text[edit.span.end_offset :]
        texts[path] = text
    return texts
