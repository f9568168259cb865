"""What rules found in functions that have not changed since.

A lowered function keeps its identity as long as nothing that it was lowered from changes, and findings move with the text.
A rule that looks at functions one by one sees that function, and of the program what it looks up there; what it found holds
as long as these are the same objects. A rule that looks at the whole program depends on all.

A variable may outlive the statement that bound it (:mod:`pypto_lsp.frontend.lowering_trace`), and with it a finding that
points at where that statement was; such a finding is made again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir.nodes import Function, Program
from pypto_lsp.text import Span
from pypto_lsp.verifiers.rule import Rule, RuleContext


class _WatchedFunctions(dict[str, Function]):
    """The functions of a program, noting which of them were looked up."""

    def __init__(self, functions: Iterable[tuple[str, Function]]) -> None:
        super().__init__(functions)
        self.read: dict[str, Function | None] = {}

    def get(self, key: Any, default: Any = None) -> Any:
        found = self.read[key] = super().get(key)
        return default if found is None else found

    def __getitem__(self, key: str) -> Function:
        return self.read.setdefault(key, super().__getitem__(key))  # type: ignore[return-value]

    def __contains__(self, key: object) -> bool:
        return self.get(key) is not None

    def __iter__(self) -> Iterator[str]:
        self.read.update(super().items())
        return super().__iter__()

    def keys(self) -> Any:
        self.read.update(super().items())
        return super().keys()

    def values(self) -> Any:
        self.read.update(super().items())
        return super().values()

    def items(self) -> Any:
        self.read.update(super().items())
        return super().items()


@dataclass(frozen=True, slots=True)
class _Entry:
    """Findings in a function, and the functions that were looked up for them."""

    found: tuple[Diagnostic, ...]
    function: Function | None
    read: dict[str, Function | None]
    count: int

    def holds(self, program: Program) -> bool:
        functions = program.functions
        if len(self.read) >= self.count and len(functions) != self.count:
            return False  # all functions were looked at, and there are others now
        if any(functions.get(name) is not function for name, function in self.read.items()):
            return False
        return all(span.anchor.alive for diagnostic in self.found for span in _places(diagnostic))


def _places(diagnostic: Diagnostic) -> Iterator[Span]:
    yield diagnostic.span
    for other in diagnostic.related:
        yield other.span
    for fix in diagnostic.fixes:
        for edit in fix.edits:
            yield edit.span


@dataclass(slots=True)
class RuleMemo:
    """Findings by rule and function. What a run does not ask for is dropped at its end."""

    _kept: dict[tuple[object, ...], list[_Entry]] = field(default_factory=dict)
    _fresh: dict[tuple[object, ...], list[_Entry]] = field(default_factory=dict)
    #: programs of this run with functions that are watched
    _watched: dict[int, tuple[Program, Program, _WatchedFunctions]] = field(default_factory=dict)

    def end_run(self) -> None:
        self._kept, self._fresh = self._fresh, {}
        self._watched = {}

    def verify(self, rule: Rule, function: Function | None, program: Program, context: RuleContext) -> list[Diagnostic]:
        """What a rule finds in a function, or with None in the whole program."""
        key = (rule, context.backend.name, program.entry, id(function))
        for table in (self._fresh, self._kept):
            for entry in table.get(key, ()):
                if entry.holds(program):
                    if table is self._kept:
                        self._fresh.setdefault(key, []).append(entry)
                    return list(entry.found)
        entry = self._verified(rule, function, program, context)
        self._fresh.setdefault(key, []).append(entry)
        return list(entry.found)

    def _verified(self, rule: Rule, function: Function | None, program: Program, context: RuleContext) -> _Entry:
        count = len(program.functions)
        if function is None:
            return _Entry(tuple(rule.verify(program, context)), None, dict(program.functions), count)
        _, watched, functions = self._watch(program)
        functions.read = {}
        found = tuple(rule.verify_function(function, watched, context))
        return _Entry(found, function, functions.read, count)

    def _watch(self, program: Program) -> tuple[Program, Program, _WatchedFunctions]:
        known = self._watched.get(id(program))
        if known is None:
            functions = _WatchedFunctions(program.functions.items())
            known = self._watched[id(program)] = (program, replace(program, functions=functions), functions)
        return known
