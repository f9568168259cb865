"""What the analysis of one file gives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import reduce
from sys import intern

from pypto_lsp.analysis.again import Again
from pypto_lsp.diagnostics import Diagnostic, Related
from pypto_lsp.frontend.model import Binding, LoweredUnit
from pypto_lsp.ir.nodes import Function
from pypto_lsp.text import Span

#: a finding with the unit it was found in
Found = tuple[Diagnostic, LoweredUnit | None]
#: the stage of a report that knows the faults of Python's syntax alone
SYNTAX_STAGE = "syntax"
#: calls named under one finding of a helper; more say no more
_MAX_CALLS = 4


@dataclass(frozen=True, slots=True)
class FileReport:
    """The findings of one file and of the kernels that it imports, with what the front end learnt on the way.

    ``diagnostics`` are in source order, each once; those of imported kernels lie in other files. ``stage`` is
    ``syntax`` (Python's own faults), ``front_end`` (syntax, front end, rules that need no pass; others as the run before found
    them) or ``complete``.
    """

    path: str
    stage: str
    diagnostics: tuple[Diagnostic, ...] = ()
    units: tuple[LoweredUnit, ...] = ()
    functions: tuple[Function, ...] = ()
    _bindings: list[Binding] = field(default_factory=list, compare=False, repr=False)

    @property
    def bindings(self) -> list[Binding]:
        """The bindings of this file, in source order; sorted when they are asked for first."""
        if not self._bindings:
            found = (b for unit in self.units for b in unit.bindings if b.span.path == self.path)
            self._bindings.extend(sorted(found, key=lambda b: b.span.begin))
        return self._bindings

    @property
    def complete(self) -> bool:
        return self.stage == "complete"

    def without_units(self) -> FileReport:
        """The findings alone: what was lowered is dropped, and the nodes that findings point into."""
        return FileReport(self.path, self.stage, tuple(map(_lasting, self.diagnostics)))

    def in_file(self, path: str) -> tuple[Diagnostic, ...]:
        """The findings that lie in one file."""
        return tuple(d for d in self.diagnostics if d.span.path == path)


def _lasting(diagnostic: Diagnostic) -> Diagnostic:
    """A finding without what it was made from. What many say in the same words is kept once."""
    related = tuple(Related(one.span, intern(one.message)) for one in diagnostic.related)
    return replace(diagnostic, subject=None, message=intern(diagnostic.message), related=related)


def place_order(diagnostic: Diagnostic) -> tuple[object, ...]:
    """Sorts findings by place, then by code."""
    return (*diagnostic.span.key(), diagnostic.rule_name, diagnostic.error_code, diagnostic.message)


def merged(diagnostics: Iterable[Diagnostic], again: Again[Diagnostic] | None = None) -> list[Diagnostic]:
    """Each finding once, in source order; the related places of equal findings are put together."""
    again = Again() if again is None else again
    by_key: dict[tuple[object, ...], list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        by_key.setdefault(diagnostic.key(), []).append(diagnostic)
    return sorted((_joined(equal, again) for equal in by_key.values()), key=place_order)


def _joined(equal: list[Diagnostic], again: Again[Diagnostic]) -> Diagnostic:
    if len(equal) == 1:
        return equal[0]
    return again.find(("joined", *map(id, equal)), equal, lambda: reduce(_of_both, equal))


def _of_both(one: Diagnostic, other: Diagnostic) -> Diagnostic:
    seen = {(related.span.key(), related.message) for related in one.related}
    extra = tuple(r for r in other.related if (r.span.key(), r.message) not in seen)
    if not extra and (one.fixes or not other.fixes):
        return one
    return replace(one, related=one.related + extra, fixes=one.fixes or other.fixes)


def with_calls(diagnostic: Diagnostic, unit: LoweredUnit, again: Again[Diagnostic] | None = None) -> Diagnostic:
    """The finding with the calls that led to its helper's specialisation as related places."""
    calls = unit.call_chain.get(diagnostic.kernel, ())[-_MAX_CALLS:]
    if not calls:
        return diagnostic
    places = tuple((id(span.anchor), span.start, span.end) for span in calls)
    again = Again() if again is None else again
    return again.find(
        ("calls", id(diagnostic), unit.name, places), (diagnostic, calls), lambda: _called(diagnostic, calls, unit.name)
    )


def _called(diagnostic: Diagnostic, calls: tuple[Span, ...], name: str) -> Diagnostic:
    related = tuple(Related(span, f"holds for this call, compiled as '{name}'") for span in calls)
    return replace(diagnostic, related=diagnostic.related + related)
