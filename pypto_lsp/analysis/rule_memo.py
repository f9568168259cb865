"""What rules found in functions that have not changed since.

A lowered function keeps its identity as long as nothing that it was lowered from changes, and findings move with the text.
A rule that looks at functions one by one sees that function, and of others what it looks up in the program; what it found
holds as long as the function is the same object and what was looked at in others is equal. A rule that looks at the whole
program depends on all.

A variable may outlive the statement that bound it (:mod:`pypto_lsp.frontend.lowering_trace`), and with it a finding that
points at where that statement was; such a finding is made again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from pypto_lsp.analysis.again import Again
from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir.nodes import Function, Program
from pypto_lsp.passes.reuse import Table
from pypto_lsp.text import Span
from pypto_lsp.verifiers.rule import Rule, RuleContext


class _Watched:
    """A copy of a node that notes which of its fields were looked at."""

    __slots__ = ()
    fields: ClassVar[frozenset[str]]
    looked_at: set[str]

    def begin(self, original: object) -> None:
        object.__setattr__(self, "looked_at", set())
        for name in self.fields:
            object.__setattr__(self, name, getattr(original, name))

    def __getattribute__(self, name: str) -> Any:
        if name in type(self).fields:
            object.__getattribute__(self, "looked_at").add(name)
        return object.__getattribute__(self, name)


def _names_of(node_type: type) -> frozenset[str]:
    return frozenset(item.name for item in fields(node_type))


class _WatchedFunction(_Watched, Function):
    __slots__ = ("looked_at",)
    fields = _names_of(Function)

    @classmethod
    def of(cls, function: Function) -> _WatchedFunction:
        self = object.__new__(cls)
        self.begin(function)
        return self


class _WatchedProgram(_Watched, Program):
    """Its functions note themselves which of them were looked up."""

    __slots__ = ("looked_at",)
    fields = _names_of(Program) - {"functions"}

    @classmethod
    def of(cls, program: Program, functions: Mapping[str, Function]) -> _WatchedProgram:
        self = object.__new__(cls)
        self.begin(program)
        object.__setattr__(self, "functions", functions)
        return self


class _WatchedFunctions(dict[str, Function]):
    """The functions of a program, noting which of them were looked up."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        super().__init__(functions)
        self.read: dict[str, _WatchedFunction | None] = {}
        self.whole = False

    def get(self, key: Any, default: Any = None) -> Any:
        if key not in self.read:
            function = super().get(key)
            self.read[key] = None if function is None else _WatchedFunction.of(function)
        found = self.read[key]
        return default if found is None else found

    def __getitem__(self, key: str) -> Function:
        found = self.get(key)
        if found is None:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return self.get(key) is not None

    def __iter__(self) -> Iterator[str]:
        self.whole = True
        return super().__iter__()

    def __len__(self) -> int:
        self.whole = True
        return super().__len__()

    def keys(self) -> Any:
        self.whole = True
        return super().keys()

    def values(self) -> Any:
        self.whole = True
        return super().values()

    def items(self) -> Any:
        self.whole = True
        return super().items()


def _unchanged(before: _WatchedFunction | Function | None, now: Function | None) -> bool:
    """Whether a function is as good as the one of before for who looked at that."""
    if before is None or now is None:
        return before is now
    if not isinstance(before, _WatchedFunction):
        return before is now
    values = object.__getattribute__
    return all(values(before, name) == getattr(now, name) for name in before.looked_at)


@dataclass(frozen=True, slots=True)
class _Entry:
    """Findings in a function, and the functions that were looked up for them: all of the program, or only some. ``about`` are the
    other fields of the program that were looked at, with their values."""

    found: tuple[Diagnostic, ...]
    function: Function | None
    read: Mapping[str, Function | None]
    whole: bool
    about: tuple[tuple[str, Any], ...]

    def holds(self, program: Program) -> bool:
        functions = program.functions
        if any(getattr(program, name) != value for name, value in self.about):
            return False
        if self.whole and functions.keys() != self.read.keys():
            return False
        if not all(_unchanged(function, functions.get(name)) for name, function in self.read.items()):
            return False
        return all(span.anchor.alive for diagnostic in self.found for span in _places(diagnostic))


def _places(diagnostic: Diagnostic) -> Iterator[Span]:
    yield diagnostic.span
    for other in diagnostic.related:
        yield other.span
    for fix in diagnostic.fixes:
        for edit in fix.edits:
            yield edit.span
    yield from (fact for fact in diagnostic.facts.values() if isinstance(fact, Span))


@dataclass(slots=True)
class RuleMemo:
    """Findings by rule and function. What a run does not ask for is dropped at its end."""

    _entries: Table[list[_Entry]] = field(default_factory=Table)
    #: findings with what belongs to them in a report
    reported: Again[Diagnostic] = field(default_factory=Again)

    def begin_run(self) -> None:
        self._entries.begin_run()
        self.reported.begin_run()

    def end_run(self) -> None:
        self._entries.end_run()
        self.reported.end_run()

    def verify(self, rule: Rule, function: Function | None, program: Program, context: RuleContext) -> list[Diagnostic]:
        """What a rule finds in a function, or with None in the whole program."""
        key = (rule, context.backend.name, id(function))
        fresh = self._entries.of_this_run(key)
        for entry in fresh or ():
            if entry.holds(program):
                return list(entry.found)
        if fresh is None:
            self._entries.keep(key, fresh := [])
        before = (entry for entry in self._entries.of_before(key) or () if entry.holds(program))
        entry = next(before, None) or self._verified(rule, function, program, context)
        fresh.append(entry)
        return list(entry.found)

    def _verified(self, rule: Rule, function: Function | None, program: Program, context: RuleContext) -> _Entry:
        if function is None:
            about: tuple[tuple[str, Any], ...] = (("entry", program.entry), ("name", program.name))
            return _Entry(tuple(rule.verify(program, context)), None, dict(program.functions), True, about)
        functions = _WatchedFunctions(program.functions)
        watched = _WatchedProgram.of(program, functions)
        found = tuple(rule.verify_function(function, watched, context))
        read = dict(program.functions) if functions.whole else functions.read
        looked_at = tuple((name, getattr(program, name)) for name in watched.looked_at)
        return _Entry(found, function, read, functions.whole, looked_at)
