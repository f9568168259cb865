"""What one lowering of a body leaves for the next: statement by statement, what it was lowered from and to.

A statement is lowered from its text, from what the names in it stand for, and from the place it is at. When all of these are
as they were, what it became stands: the same IR statements, variables and bindings, so that whatever was concluded from them
stands too. A statement that did change binds the variables of the statement it replaces where their names and types are the
same; what comes after it then reads what it read before. Statements with findings are always lowered again, since
a message may speak of names anywhere in the body.

Nodes of statements whose text did not change are the same objects before and after an edit (:mod:`pypto_lsp.syntax.tree`),
nested ones included; records are kept by node. What is read from outside of the body is named: the statements that mention a
name whose value changed are lowered again.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from sys import intern
from typing import TYPE_CHECKING, Any

from pypto_lsp.frontend.model import Binding
from pypto_lsp.frontend.names import NameState, Renamer, blocks
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import DType
from pypto_lsp.ir.types import Extent, Origin, Type
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span
from pypto_lsp.text.stepwise import Steps

if TYPE_CHECKING:
    from pypto_lsp.frontend.lowering import Lowering, StmtRule

_WORD = re.compile(r"[A-Za-z_]\w*")
_COMPOUND = (syntax.For, syntax.While, syntax.With, syntax.If)
#: most sets of a record are empty, and an empty one is as large as one of four
_NO_VARS: frozenset[ir.Var] = frozenset()
_NO_NAMES: frozenset[str] = frozenset()
#: lowerings of one body that are kept
_MOST_TRACES = 3
_MISSING: tuple[Hashable, object] = ("missing", None)


@dataclass(slots=True)
class Record:
    """One lowered statement. ``words`` are all names in its text, ``read`` those of them that the body binds.

    ``before`` is the state that it was lowered from; the rest is what it did. ``own`` are the variables that it made itself,
    ``made`` those of nested statements as well. ``reusable`` is false where findings lie in it.
    """

    node: syntax.Stmt
    words: frozenset[str]
    read: tuple[str, ...]
    before: tuple[Any, ...]
    reusable: bool = False
    own: list[ir.Var] = field(default_factory=list)
    made: frozenset[ir.Var] = _NO_VARS
    out: tuple[ir.Stmt, ...] = ()
    bindings: tuple[Binding, ...] = ()
    calls: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    defined: tuple[tuple[str, ir.Expr], ...] = ()
    renamed: tuple[tuple[str, NameState], ...] = ()
    yielded: tuple[tuple[str, Type, Span], ...] = ()
    foreign: frozenset[str] = _NO_NAMES
    complete: bool = True
    #: calls of inline functions that were expanded
    expansions: int = 0
    returns: tuple[Type, ...] | None = None
    #: attributes of the lowering that it changed, with their values afterwards
    changed: tuple[tuple[str, Any], ...] = ()


@dataclass(slots=True)
class Trace:
    """A finished lowering of one body.

    ``frame`` is what every statement of it may depend on, ``bound`` the names that the body binds, ``outside`` what the other
    names were that it may call, ``stale`` those whose values have changed since.
    """

    frame: Hashable
    bound: frozenset[str]
    params: tuple[ir.Var, ...]
    outside: Mapping[str, tuple[Hashable, object]]
    records: dict[int, Record] = field(default_factory=dict)
    stale: set[str] = field(default_factory=set)
    #: variables that were another statement's before
    taken: set[ir.Var] = field(default_factory=set)
    #: names that do not stand for what they stood for in the lowering before
    blocked: set[str] = field(default_factory=set)

    def break_off(self, earlier: Trace | None) -> None:
        """End a lowering that was given up: what it did not come to is as an earlier one left it."""
        if earlier is None or earlier.frame != self.frame:
            return
        for key, record in earlier.records.items():
            if key not in self.records and record.made.isdisjoint(self.taken):
                self.records[key] = record
        self.stale |= self.blocked


@dataclass(slots=True)
class Traces:
    """The last lowerings of one body, the newest last: with the parameter types of different calls, or of before an edit."""

    kept: list[Trace] = field(default_factory=list)

    def nearest(self, params: Iterable[ir.Var]) -> Trace | None:
        """The newest with these parameter types, else the newest of all."""
        types = [(var.name, var.type) for var in params]
        alike = (t for t in reversed(self.kept) if [(var.name, var.type) for var in t.params] == types)
        return next(alike, self.kept[-1] if self.kept else None)

    def add(self, trace: Trace) -> None:
        types = [(var.name, var.type) for var in trace.params]
        others = [t for t in self.kept if [(var.name, var.type) for var in t.params] != types]
        for other in others:
            for record in other.records.values():
                if not record.made.isdisjoint(trace.taken):
                    record.reusable = False
        self.kept = [*others[1 - _MOST_TRACES :], trace]

    def outdate(self, names: set[str]) -> None:
        """Names have other values outside of the body."""
        for trace in self.kept:
            trace.stale |= names


class Tracer:
    """Lowers the statements of one body with the help of an earlier lowering's trace."""

    def __init__(self, low: Lowering, trace: Trace, old: Trace | None, body: tuple[syntax.Stmt, ...]) -> None:
        self.low = low
        self.trace = trace
        self._old: dict[int, Record] = {}
        #: names that the body knows but does not seem to bind
        self._foreign: set[str] = set()
        self._claimed: set[ir.Var] = set()
        self._words: dict[int, frozenset[str]] = {}
        #: the place that the statement before was at: the next one is mostly at the same
        self._place: tuple[Any, ...] = ()
        #: variables of statements that are gone, by name, in the order in which they were made
        self._gone: dict[str, list[ir.Var]] = {}
        self._making: list[ir.Var] = []
        self._candidates: list[ir.Var] = []
        #: variables made so far by the statements nested in the one in work
        self._made: set[ir.Var] = set()
        if old is not None and old.frame == trace.frame:
            self._follow(old, body)

    def _follow(self, old: Trace, body: tuple[syntax.Stmt, ...]) -> None:
        self._old = old.records
        blocked = self.trace.blocked
        blocked.update(old.stale, old.bound ^ self.trace.bound)
        outside = self.trace.outside
        blocked.update(
            name.removeprefix("self.")
            for name in outside.keys() | old.outside.keys()
            if outside.get(name, _MISSING)[0] != old.outside.get(name, _MISSING)[0]
        )
        present = _ids(body)
        for key, record in old.records.items():
            if key not in present:
                for var in record.own:
                    self._gone.setdefault(var.name, []).append(var)

    # --- variables ---------------------------------------------------------------------------------------------------

    def var(self, name: str, type_: Type, span: Span | None) -> ir.Var:
        """The variable for a new binding: one that a statement in the same place bound before, where it is as good."""
        var = self._earlier(self._candidates, name, type_, span)
        var = var or self._earlier(self._gone.get(name, []), name, type_, span) or ir.Var(name, type_, span)
        self._claimed.add(var)
        self._making.append(var)
        return var

    def _earlier(self, candidates: list[ir.Var], name: str, type_: Type, span: Span | None) -> ir.Var | None:
        """The first of some variables that nothing binds any more and that is as good as a new one."""
        for var in candidates:
            if var.name == name and var not in self._claimed and taken_over(var, type_, span):
                self.trace.taken.add(var)
                candidates.remove(var)
                return var
        return None

    # --- statements --------------------------------------------------------------------------------------------------

    def statement(self, node: syntax.Stmt, rule: StmtRule) -> Steps[None]:
        """Lower a statement, or take what it became before."""
        old = self._old.get(id(node))
        if old is not None and self._unchanged(old):
            self._apply(old)
        else:
            yield from self._lower(node, rule, old)
            yield

    def _unchanged(self, old: Record) -> bool:
        return (
            old.reusable
            and self.trace.blocked.isdisjoint(old.words)
            and self._foreign.isdisjoint(old.words)
            and self._claimed.isdisjoint(old.made)
            and self._state(old.read, old.words) == old.before
        )

    def _apply(self, old: Record) -> None:
        low = self.low
        low.out.extend(old.out)
        low.bindings.extend(old.bindings)
        low.calls.extend(old.calls)
        for internal, value in old.defined:
            low.names.define(internal, value)
        renamer = low.names.renamer
        for name, state in old.renamed:
            assert renamer is not None
            renamer.restore(name, state)
        for name, type_, span in old.yielded:
            assert low.yields is not None
            low.yields.bind(name, type_, span)
        for name, value in old.changed:
            setattr(low, name, value.copy())
        low.called.extend(old.called)
        low.expansions += old.expansions
        self._foreign |= old.foreign
        low.complete = low.complete and old.complete
        if low.returns is None:
            low.returns = old.returns
        self._claimed |= old.made
        self._keep(old)

    def _keep(self, record: Record) -> None:
        """Keep a record and those of the statements in it."""
        pending = [record.node]
        while pending:
            node = pending.pop()
            known = self._old.get(id(node))
            if known is not None:
                self.trace.records[id(node)] = known
            for block in blocks(node):
                pending.extend(block)

    def _lower(self, node: syntax.Stmt, rule: StmtRule, old: Record | None) -> Steps[None]:
        words = self._words_of(node)
        read = tuple(sorted(words & self.trace.bound))
        record = Record(node, words, read, self._state(read, words))
        self.trace.records[id(node)] = record
        outer = self._making, self._candidates, self._made
        self._making, self._candidates, self._made = record.own, list(old.own) if old is not None else [], set()
        effects = _Effects(self.low, record, self.trace.bound)
        steps = rule(self.low, node)
        if steps is not None:
            yield from steps
        effects.note()
        self._foreign |= record.foreign
        if isinstance(node, syntax.Broken) or not self._foreign.isdisjoint(words):
            record.reusable = False
        record.made = frozenset(self._made.union(record.own)) or _NO_VARS
        self._making, self._candidates, made = outer
        self._made = made | record.made

    # --- the state before a statement --------------------------------------------------------------------------------

    def _state(self, read: tuple[str, ...], words: frozenset[str]) -> tuple[Any, ...]:
        """All that lowering a statement may depend on and that other statements of the body may change."""
        low = self.low
        yields = low.yields
        renamer = low.names.renamer
        place = (
            tuple(low.loops), low.python_loops, tuple(low.scopes), low.manual_depth, tuple(low.splits), low.user_split,
            None if yields is None else yields.carries, renamer.depth if renamer is not None else 0,
        )  # fmt: skip
        if place == self._place:
            place = self._place
        self._place = place
        return (
            low.names.state(read),
            place,
            tuple(low.dump_tags),
            dict(low.producers) if low.producers else None,
            dict(low.generations) if low.generations else None,
            {name: id(meta) for name, meta in low.buffers.items()} if low.buffers else None,
            dict(low.externals) if low.externals else None,
            low.context.buffers & words or _NO_NAMES,
            frozenset(pair for pair in low.reported if pair[1] in words or not pair[1].isidentifier()) or _NO_NAMES,
        )

    # --- words -------------------------------------------------------------------------------------------------------

    def _words_of(self, node: syntax.Stmt) -> frozenset[str]:
        """All names in the text of a statement, nested ones included."""
        known = self._words.get(id(node))
        if known is None:
            old = self._old.get(id(node))
            known = old.words if old is not None else self._words_in(node)
            self._words[id(node)] = known
        return known

    def _words_in(self, node: syntax.Stmt) -> frozenset[str]:
        if not isinstance(node, _COMPOUND) or not node.body:
            return frozenset(map(intern, _WORD.findall(node.text)))
        text = node.anchor.source.text
        found = set(map(intern, _WORD.findall(text[node.span.begin : node.body[0].span.begin])))
        for block in blocks(node):
            for stmt in block:
                found |= self._words_of(stmt)
        return frozenset(found)


class _Effects:
    """What a statement does to a lowering, noted in its record: begun before it is lowered. ``bound`` are the names that the body
    binds."""

    def __init__(self, low: Lowering, record: Record, bound: frozenset[str]) -> None:
        self._low = low
        self._record = record
        self._bound = bound
        self._marks = (
            len(low.out), len(low.bindings), len(low.calls), len(low.called), len(low.diagnostics), low.names.mark(),
            len(low.yields.bound) if low.yields is not None else 0,
        )  # fmt: skip
        self._shared = {name: getattr(low, name).copy() for name in _SHARED}
        self._renamed = _renamed(low.names.renamer, record.read)
        self._expansions = low.expansions
        # what these say of the statement alone is seen while it has them for itself
        self._complete, low.complete = low.complete, True
        self._returns, low.returns = low.returns, None

    def note(self) -> None:
        """Note what happened since the beginning."""
        low, record = self._low, self._record
        out, bindings, calls, called, diagnostics, names, yielded = self._marks
        record.out = tuple(low.out[out:])
        record.bindings = tuple(low.bindings[bindings:])
        record.calls = tuple(low.calls[calls:])
        record.called = tuple(low.called[called:])
        record.expansions = low.expansions - self._expansions
        record.defined = low.names.since(names)
        record.yielded = tuple(low.yields.bound[yielded:]) if low.yields is not None else ()
        renamed = _renamed(low.names.renamer, record.read)
        record.renamed = tuple(pair for pair, earlier in zip(renamed, self._renamed) if pair != earlier)
        record.changed = tuple(
            (name, value.copy()) for name in _SHARED if (value := getattr(low, name)) != self._shared[name]
        )
        record.complete, low.complete = low.complete, self._complete and low.complete
        record.returns = low.returns
        low.returns = self._returns if self._returns is not None else low.returns
        record.foreign = (
            frozenset(name for name, _ in record.defined if not low.names.seems_bound(name, self._bound)) or _NO_NAMES
        )
        record.reusable = len(low.diagnostics) == diagnostics and not record.foreign


#: attributes of a lowering that statements change for those after them, as a whole
_SHARED = ("dump_tags", "producers", "generations", "buffers", "externals")


def _renamed(renamer: Renamer | None, names: tuple[str, ...]) -> tuple[tuple[str, NameState], ...]:
    return () if renamer is None else tuple((name, renamer.of_name(name)) for name in names)


def _ids(body: Iterable[syntax.Stmt]) -> set[int]:
    found: set[int] = set()
    pending = list(body)
    while pending:
        node = pending.pop()
        found.add(id(node))
        for block in blocks(node):
            pending.extend(block)
    return found


# --- variables that stay ---------------------------------------------------------------------------------------------


def taken_over(var: ir.Var, type_: Type, span: Span | None) -> bool:
    """Make a variable that of a new binding, of the same type: it is then where that binding is, and so are the literals
    in its type. False, and nothing is changed, where the types differ."""
    if var.symbol or not same_types(var.type, type_):
        return False
    var.span = span
    return True


def same_types(old: Any, new: Any) -> bool:
    """Whether types (or tuples of such) are equal and their extents came about in the same way, at the same places. Where a place
    of the old ones is no longer in the text, the new one's is as good: then the old ones are made to tell that."""
    moved: dict[int, tuple[Origin, Origin]] = {}
    if old != new or not _match(old, new, moved):
        return False
    for before, now in moved.values():
        object.__setattr__(before, "span", now.span)
    return True


def _match(old: Any, new: Any, moved: dict[int, tuple[Origin, Origin]]) -> bool:
    """Whether the extents in two equal types came about in the same way; collects the pairs of origins in other places."""
    if old is new:
        return True
    if isinstance(old, Extent) or isinstance(new, Extent):
        return isinstance(old, Extent) and isinstance(new, Extent) and _match_origin(old.origin, new.origin, moved)
    if isinstance(old, tuple):
        return all(_match(a, b, moved) for a, b in zip(old, new))
    return all(_match(getattr(old, name), getattr(new, name), moved) for name in _parts_of(old.__class__))


@cache
def _parts_of(cls: type) -> tuple[str, ...]:
    """The fields of a class of types or views that may hold extents."""
    if not is_dataclass(cls) or issubclass(cls, ir.Expr | DType):
        return ()
    return tuple(f.name for f in fields(cls) if f.name not in ("dtype", "layout", "memory", "pad"))


def _match_origin(old: Origin, new: Origin, moved: dict[int, tuple[Origin, Origin]]) -> bool:
    if old is new:
        return True
    if (old.name, old.literal, len(old.inputs)) != (new.name, new.literal, len(new.inputs)):
        return False
    if not old.span.is_at(new.span):
        if old.span.anchor.alive:
            return False
        known = moved.setdefault(id(old), (old, new))
        if known[1].span.key() != new.span.key():
            return False
    return all(_match_origin(a, b, moved) for a, b in zip(old.inputs, new.inputs))
