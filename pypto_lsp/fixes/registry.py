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


#: texts by path -> the analysis with these texts in place of the files' own
Recheck = Callable[[dict[str, str]], Rechecked]


@dataclass(frozen=True, slots=True)
class FixContext:
    """What a provider may know. ``program`` is the program the finding lies in, where there is one; ``recheck`` runs the
    analysis on edited texts (None where that is not to be had) and remembers what it gave; ``findings`` is what the analysis
    of the unchanged text gave. ``patient`` asks for the fixes that take analyses of their own, too."""

    backend: Backend = DEFAULT_BACKEND
    program: Program | None = None
    recheck: Recheck | None = None
    findings: Sequence[Diagnostic] = ()
    patient: bool = False


Provider = Callable[[Diagnostic, FixContext], Iterable[Fix]]

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


def fixes_for(diagnostic: Diagnostic, context: FixContext) -> tuple[Fix, ...]:
    """All fixes for a finding, the best first; those that it already carries come before."""
    found = list(diagnostic.fixes)
    for provider in _providers(diagnostic):
        if context.patient or provider not in _COSTLY:
            found.extend(fix for fix in provider(diagnostic, context) if fix.edits and fix not in found)
    return tuple(found)


def with_fixes(diagnostic: Diagnostic, context: FixContext) -> Diagnostic:
    """The finding with its fixes."""
    fixes = fixes_for(diagnostic, context)
    return diagnostic if fixes == diagnostic.fixes else replace(diagnostic, fixes=fixes)


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
