"""Which jit kernels a jit kernel calls, found as the compiler's specialiser finds them.

A dependency is a bare-name call that resolves, in the globals or the closure of the caller, to another kernel of the jit family:
every flavour but entries; a host kernel takes entries as well. Source: the project's reference docs on specialisation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from pypto_lsp.frontend.annotation_scope import last_name
from pypto_lsp.frontend.names import children
from pypto_lsp.frontend.values import KernelRef
from pypto_lsp.syntax import nodes as syntax

#: flavours that any jit kernel may call
HELPERS = ("jit.incore", "jit.inline", "jit.opaque", "jit.extern")


@dataclass(frozen=True, slots=True)
class BodyScan:
    """What the specialiser looks for in a kernel's text, all in discovery order.

    ``calls`` are the calls of plain names, ``first`` the first of each name in source order (it decides the types of the
    kernel's parameters), ``self_names`` the names after ``self.``, ``binds`` the ``bind_dynamic`` calls, ``dynamics`` the
    assignments of ``pl.dynamic``, ``returned`` the value of the first return that has one.
    """

    calls: tuple[syntax.Call, ...]
    first: dict[str, syntax.Call]
    self_names: frozenset[str]
    binds: tuple[syntax.Call, ...]
    dynamics: tuple[syntax.Assign, ...]
    returned: syntax.Expr | None


def _breadth_first(node: syntax.FunctionDef) -> Iterator[syntax.Node]:
    """What :func:`scan` looks for, level by level: the order in which dependencies are found."""
    found = _inside(node)
    found.sort(key=_level)
    return (part for _, part in found)


def _level(found: tuple[int, syntax.Node]) -> int:
    return found[0]


def _inside(node: syntax.Node) -> list[tuple[int, syntax.Node]]:
    """The nodes that :func:`scan` looks for in a node and inside it, in source order, with their levels. A statement whose text
    did not change is looked through once."""
    found: list[tuple[int, syntax.Node]] = [(0, node)] if _is_sought(node) else []
    for child in children(node):
        if isinstance(child, syntax.Stmt):
            inner: Iterable[tuple[int, syntax.Node]] = _inside_statement(child)
        else:
            inner = _inside(child)
        found.extend([(level + 1, part) for level, part in inner])
    return found


def _inside_statement(node: syntax.Stmt) -> Iterable[tuple[int, syntax.Node]]:
    try:
        return node.scanned
    except AttributeError:
        node.scanned = tuple(_inside(node))
        return node.scanned


def _is_sought(node: syntax.Node) -> bool:
    match node:
        case syntax.Call(func=func):
            return isinstance(func, syntax.Name)
        case syntax.Attribute(value=syntax.Name(id="self")) | syntax.Return():
            return True
        case syntax.ExprStmt(value=syntax.Call(func=syntax.Attribute(attr="bind_dynamic"))):
            return True
        case syntax.Assign(value=syntax.Call(func=func)):
            return last_name(func) == "dynamic"
        case _:
            return False


@lru_cache(maxsize=2048)
def scan(node: syntax.FunctionDef) -> BodyScan:
    """Look through a kernel. A definition whose text did not change is the same node, and is looked through once."""
    calls: list[syntax.Call] = []
    binds: list[syntax.Call] = []
    dynamics: list[syntax.Assign] = []
    returned: syntax.Expr | None = None
    self_names: set[str] = set()
    for found in _breadth_first(node):
        match found:
            case syntax.Call(func=syntax.Name()):
                calls.append(found)
            case syntax.Attribute(value=syntax.Name(id="self"), attr=attr):
                self_names.add(attr)
            case syntax.ExprStmt(value=syntax.Call(func=syntax.Attribute(attr="bind_dynamic")) as call):
                binds.append(call)
            case syntax.Assign(value=syntax.Call(func=func)) if last_name(func) == "dynamic":
                dynamics.append(found)
            case syntax.Return(value=value) if value is not None and returned is None:
                returned = value
            case _:
                pass
    first: dict[str, syntax.Call] = {}
    for call in sorted(calls, key=lambda call: call.span.begin):
        first.setdefault(callee_name(call), call)
    return BodyScan(tuple(calls), first, frozenset(self_names), tuple(binds), tuple(dynamics), returned)


def callee_name(call: syntax.Call) -> str:
    return call.func.id if isinstance(call.func, syntax.Name) else ""


def first_call(node: syntax.FunctionDef, name: str) -> syntax.Call | None:
    """The first call of a name in source order."""
    return scan(node).first.get(name)


@dataclass(slots=True)
class Dependencies:
    """The kernels that an entry reaches.

    ``order`` has callees before callers, without the entry. ``callers`` are the kernels that call one, in discovery order; the
    first one's types decide. ``callees`` are the kernels that each kernel calls by their own names, ``called`` by the names that
    it calls them.
    """

    order: list[KernelRef] = field(default_factory=list)
    callers: dict[KernelRef, list[KernelRef]] = field(default_factory=dict)
    callees: dict[KernelRef, dict[str, KernelRef]] = field(default_factory=dict)
    called: dict[KernelRef, dict[str, KernelRef]] = field(default_factory=dict)


def direct_dependencies(ref: KernelRef) -> dict[str, KernelRef]:
    """The jit kernels that one calls itself, by the names that it calls them."""
    allowed = (*HELPERS, "jit") if ref.flavour == "jit.host" else HELPERS
    found: dict[str, KernelRef] = {}
    for call in scan(ref.node).calls:
        name = callee_name(call)
        if name in found:
            continue
        value = ref.env.lookup(name)
        if isinstance(value, KernelRef) and value.flavour in allowed:
            found[name] = value
    return found


def dependencies(entry: KernelRef) -> Dependencies:
    """Everything that an entry reaches; a kernel that calls itself is visited once."""
    graph = Dependencies()
    _add_dependencies(entry, graph, {entry})
    return graph


def _add_dependencies(ref: KernelRef, graph: Dependencies, seen: set[KernelRef]) -> None:
    graph.called[ref] = direct_dependencies(ref)
    direct = graph.called[ref].values()
    graph.callees[ref] = {other.node.name: other for other in direct}
    for other in direct:
        callers = graph.callers.setdefault(other, [])
        if ref not in callers:
            callers.append(ref)
        if other in seen:
            continue
        seen.add(other)
        _add_dependencies(other, graph, seen)
        graph.order.append(other)
