"""The names of one function body: scopes, leaking, and the renaming that jit bodies get.

A plain body has one variable for each name and scope. In a jit body an assignment at the block depth of the name's first
assignment makes a new variable; one at a deeper block writes the variable that is there. The rules are those of the project's
jit specialiser, quirks included: a tuple target and a loop variable are never renamed, a ``while`` body counts as the depth
around it, a loop body that reads a name before writing it gets a copy of the variable before the loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import TypeVar

from pypto_lsp.ir import nodes as ir
from pypto_lsp.syntax import nodes as syntax

#: what a name stands for: a variable, or in an inlined function the argument's expression
Bound = ir.Expr
#: the bookkeeping of a name: its latest internal name, the next number, the depth it belongs to, all internal names
NameState = tuple[str | None, int | None, int | None, tuple[str, ...]]


class Names:
    """What the names of a body stand for at the present point."""

    __slots__ = ("_defined", "_scopes", "renamer")

    def __init__(self, renamer: Renamer | None = None) -> None:
        self._scopes: list[dict[str, Bound]] = [{}]
        #: what was defined in each scope, in order
        self._defined: list[list[tuple[str, Bound]]] = [[]]
        #: only in jit bodies
        self.renamer = renamer

    def lookup(self, name: str) -> Bound | None:
        """What a read of a name gives, None when the body does not know it."""
        if self.renamer is not None:
            name = self.renamer.current.get(name, name)
        return self.raw(name)

    def raw(self, name: str) -> Bound | None:
        """What an internal name (after renaming) stands for."""
        for scope in reversed(self._scopes):
            found = scope.get(name)
            if found is not None:
                return found
        return None

    def define(self, internal: str, value: Bound) -> None:
        self._scopes[-1][internal] = value
        self._defined[-1].append((internal, value))

    def defined_here(self, internal: str) -> bool:
        """Whether the innermost scope itself defines a name."""
        return internal in self._scopes[-1]

    def enter(self) -> None:
        self._scopes.append({})
        self._defined.append([])

    def leave(self, *, leak: bool) -> None:
        inner = self._scopes.pop()
        self._defined.pop()
        if leak:
            self._scopes[-1].update(inner)
            self._defined[-1].extend(inner.items())

    # --- what a statement changes ---

    def state(self, names: Iterable[str]) -> tuple[object, ...]:
        """What some names stand for here, and under which internal names they may be written."""
        found: list[object] = []
        renamer, inner = self.renamer, self._scopes[-1]
        for name in names:
            found += (self.raw(name), name in inner)
            if renamer is not None:
                found.append(renamer.of_name(name))
                found += [self.raw(internal) for internal in renamer.made.get(name, ())]
        return tuple(found)

    def mark(self) -> int:
        """A point to which :meth:`since` refers."""
        return len(self._defined[-1])

    def since(self, mark: int) -> tuple[tuple[str, Bound], ...]:
        """What the innermost scope got since a point."""
        return tuple(self._defined[-1][mark:])

    def seems_bound(self, internal: str, bound: frozenset[str]) -> bool:
        """Whether an internal name is one of those that the text of the body binds, or stands for one."""
        return internal in bound or (self.renamer is not None and internal in self.renamer.sources)

    def visible(self) -> Iterator[str]:
        """All names that the body knows here, for suggestions."""
        renamed = set(self.renamer.current.values()) if self.renamer is not None else set()
        for scope in self._scopes:
            yield from (name for name in scope if name not in renamed and name.isidentifier())


@dataclass(slots=True)
class Renamer:
    """The bookkeeping of the jit renaming. ``current`` maps a name to its latest internal name."""

    used: set[str]
    current: dict[str, str] = field(default_factory=dict)
    depth: int = 0
    #: name -> the internal names that it was given; the other way round in ``sources``
    made: dict[str, tuple[str, ...]] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    _count: dict[str, int] = field(default_factory=dict)
    _depth: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, params: Iterable[str], body: Iterable[syntax.Stmt]) -> Renamer:
        """The state at the start of a body: parameters count as assigned at depth 0."""
        names = list(params)
        self = cls(used=stored_names(body) | set(names))
        for name in names:
            self._count[name] = 1
            self._depth[name] = 0
        return self

    def first(self, name: str) -> None:
        """Record a binding that is never renamed itself."""
        if name not in self._count:
            self._count[name] = 1
            self._depth[name] = self.depth
        self.used.add(name)

    def assigned(self, name: str, *, annotated: bool) -> str:
        """The internal name that an assignment to a plain name writes."""
        if name not in self._count:
            self.first(name)
            return name
        if self.depth == self._depth[name]:
            return self._rebound(name)
        return name if annotated else self.current.get(name, name)

    def unpacked(self, name: str) -> str:
        """The internal name of a run-time extent unpacked from a shape."""
        if name in self._count:
            return self._rebound(name)
        self.first(name)
        return name

    def _rebound(self, name: str) -> str:
        count = self._count[name]
        while (fresh := f"{name}_v{count}") in self.used:
            count += 1
        self._count[name] = count + 1
        self._take(name, fresh)
        return fresh

    def _take(self, name: str, fresh: str) -> None:
        self.current[name] = fresh
        self.used.add(fresh)
        self.made[name] = (*self.made.get(name, ()), fresh)
        self.sources[fresh] = name

    # --- what a statement changes ---

    def of_name(self, name: str) -> NameState:
        """The bookkeeping of one name."""
        return (self.current.get(name), self._count.get(name), self._depth.get(name), self.made.get(name, ()))

    def restore(self, name: str, state: NameState) -> None:
        """Put the bookkeeping of a name to what it was."""
        current, count, depth, made = state
        _put(self.current, name, current)
        _put(self._count, name, count)
        _put(self._depth, name, depth)
        if count is not None:
            self.used.add(name)
        if made:
            self.made[name] = made
            self.used.update(made)
            self.sources.update(dict.fromkeys(made, name))

    def forget(self, name: str) -> None:
        self._count.pop(name, None)
        self._depth.pop(name, None)
        self.current.pop(name, None)

    def known(self) -> set[str]:
        return set(self._count)

    def enter_loop(self, body: tuple[syntax.Stmt, ...]) -> list[tuple[str, str, str]]:
        """Prepare the body of a for loop; gives the copies to make before it as (name, from, to) in internal names."""
        carried, fresh = self._collisions(body)
        copies = []
        for name in carried:
            source = self.current.get(name, name)
            target = self._rebound(name)
            self._depth[name] = self.depth
            copies.append((name, source, target))
        for name in fresh:
            self.forget(name)
        return copies

    def _collisions(self, body: tuple[syntax.Stmt, ...]) -> tuple[list[str], list[str]]:
        """Names of a loop body that a sibling block bound at the same depth: those it reads first, those it writes first."""
        candidates: list[str] = []
        for stmt in body:
            targets: tuple[syntax.Expr, ...] = ()
            if isinstance(stmt, syntax.Assign):
                targets = stmt.targets
            elif isinstance(stmt, syntax.AnnAssign):
                targets = (stmt.target,)
            for name in (n for target in targets for n in target_names(target)):
                if name not in candidates and name in self._count and self._depth.get(name, -1) == self.depth + 1:
                    candidates.append(name)
        if not candidates:
            return [], []
        exposed: set[str] = set()
        _upward_exposed(body, set(), exposed)
        return [n for n in candidates if n in exposed], [n for n in candidates if n not in exposed]


_V = TypeVar("_V")


def _put(table: dict[str, _V], name: str, value: _V | None) -> None:
    if value is None:
        table.pop(name, None)
    else:
        table[name] = value


# --- names that statements bind and read ---------------------------------------------------------------------------


def _parts(cls: type) -> tuple[str, ...]:
    """The fields of a syntax class that hold nodes."""
    words = ("Expr", "Stmt", "Param", "Keyword", "Comprehension", "Alias", "WithItem", "ExceptHandler")
    return tuple(f.name for f in fields(cls) if any(word in str(f.type) for word in words))


_PARTS: dict[type, tuple[str, ...]] = {}


def children(node: syntax.Node) -> list[syntax.Node]:
    """The syntax nodes directly inside a node."""
    cls = type(node)
    parts = _PARTS.get(cls)
    if parts is None:
        parts = _PARTS.setdefault(cls, _parts(cls))
    found: list[syntax.Node] = []
    for name in parts:
        value = getattr(node, name)
        if value.__class__ is tuple:
            found.extend([item for item in value if item is not None])
        elif value is not None:
            found.append(value)
    return found


def walk(node: syntax.Node) -> Iterator[syntax.Node]:
    """A node and everything inside it."""
    stack = [node]
    while stack:
        found = stack.pop()
        yield found
        stack.extend(children(found))


def target_names(target: syntax.Expr | None) -> list[str]:
    """The names that an assignment target binds: a subscript or attribute binds none."""
    match target:
        case syntax.Name(id=name):
            return [name]
        case syntax.Tuple(elts=elts) | syntax.List(elts=elts):
            return [n for elt in elts for n in target_names(elt)]
        case syntax.Starred(value=value):
            return target_names(value)
        case _:
            return []


def first_name(target: syntax.Expr | None) -> str | None:
    """The first name that a target binds, None when it binds none."""
    return next(iter(target_names(target)), None)


def read_names(*nodes: syntax.Node | None) -> set[str]:
    """The names that expressions read."""
    return {n.id for node in nodes if node is not None for n in walk(node) if isinstance(n, syntax.Name)}


def _target_reads(target: syntax.Expr) -> set[str]:
    """The names that a target reads: what stands in a subscript or before an attribute."""
    match target:
        case syntax.Name():
            return set()
        case syntax.Tuple(elts=elts) | syntax.List(elts=elts):
            return set().union(*(_target_reads(elt) for elt in elts))
        case _:
            return read_names(target)


def stored_names(body: Iterable[syntax.Stmt]) -> set[str]:
    """All names bound anywhere in a body, nested blocks included."""
    found: set[str] = set()
    for stmt in body:
        found.update(bound_by(stmt))
        for block in blocks(stmt):
            found |= stored_names(block)
    return found


def bound_by(stmt: syntax.Stmt) -> list[str]:
    """The names that a statement's own line binds."""
    match stmt:
        case syntax.Assign():
            return [n for target in stmt.targets for n in target_names(target)]
        case syntax.AnnAssign() | syntax.AugAssign() | syntax.For():
            return target_names(stmt.target)
        case syntax.With():
            return [n for item in stmt.items for n in target_names(item.optional_vars)]
        case syntax.FunctionDef() | syntax.ClassDef():
            return [stmt.name]
        case syntax.Import() | syntax.ImportFrom():
            return [alias.asname or alias.name.split(".")[0] for alias in stmt.names]
        case syntax.Opaque():
            return list(stmt.binds)
        case _:
            return []


def blocks(stmt: syntax.Stmt) -> tuple[tuple[syntax.Stmt, ...], ...]:
    """The bodies of a compound statement that belong to the same function."""
    match stmt:
        case syntax.If() | syntax.For() | syntax.While():
            return (stmt.body, stmt.orelse)
        case syntax.With():
            return (stmt.body,)
        case syntax.Try():
            return (stmt.body, *(h.body for h in stmt.handlers), stmt.orelse, stmt.finalbody)
        case _:
            return ()


def _upward_exposed(body: Iterable[syntax.Stmt], written: set[str], exposed: set[str]) -> None:
    """Collect into ``exposed`` the names that a body reads before it writes them."""
    for stmt in body:
        match stmt:
            case syntax.Assign(targets=targets, value=value):
                exposed |= read_names(value) - written
                for target in targets:
                    exposed |= _target_reads(target) - written
                    written.update(target_names(target))
            case syntax.AnnAssign(target=target, value=value):
                exposed |= (read_names(value) | _target_reads(target)) - written
                written.update(target_names(target))
            case syntax.AugAssign(target=target, value=value):
                exposed |= (read_names(value) | read_names(target)) - written
                written.update(target_names(target))
            case syntax.For():
                exposed |= read_names(stmt.iter) - written
                written.update(target_names(stmt.target))
                _upward_exposed(stmt.body, written, exposed)
                _upward_exposed(stmt.orelse, written, exposed)
            case syntax.If():
                _exposed_branches(stmt, written, exposed)
            case syntax.With():
                for item in stmt.items:
                    exposed |= read_names(item.context_expr) - written
                    written.update(target_names(item.optional_vars))
                _upward_exposed(stmt.body, written, exposed)
            case _:
                exposed |= read_names(stmt) - written


def _exposed_branches(stmt: syntax.If, written: set[str], exposed: set[str]) -> None:
    exposed |= read_names(stmt.test) - written
    then = set(written)
    _upward_exposed(stmt.body, then, exposed)
    if stmt.orelse:
        other = set(written)
        _upward_exposed(stmt.orelse, other, exposed)
        written |= then & other
