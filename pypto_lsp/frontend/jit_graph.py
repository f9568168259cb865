"""Which jit kernels a jit kernel calls, found as the compiler's specialiser finds them.

A dependency is a bare-name call that resolves, in the globals or the closure of the caller, to another kernel of the jit family:
every flavour but entries; a host kernel takes entries as well. Source: the project's reference docs on specialisation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from pypto_lsp.frontend.names import children
from pypto_lsp.frontend.values import KernelRef
from pypto_lsp.syntax import nodes as syntax

#: flavours that any jit kernel may call
HELPERS = ("jit.incore", "jit.inline", "jit.opaque", "jit.extern")


def breadth_first(node: syntax.Node) -> Iterator[syntax.Node]:
    """A node and everything inside it, level by level: the order in which dependencies are found."""
    queue = deque([node])
    while queue:
        found = queue.popleft()
        yield found
        queue.extend(children(found))


def bare_calls(node: syntax.FunctionDef) -> list[syntax.Call]:
    """The calls of plain names in a function, in discovery order."""
    return [
        found for found in breadth_first(node) if isinstance(found, syntax.Call) and isinstance(found.func, syntax.Name)
    ]


def callee_name(call: syntax.Call) -> str:
    return call.func.id if isinstance(call.func, syntax.Name) else ""


def first_call(node: syntax.FunctionDef, name: str) -> syntax.Call | None:
    """The first call of a name in source order: it decides the types of the kernel's parameters."""
    calls = [call for call in bare_calls(node) if callee_name(call) == name]
    return min(calls, key=lambda call: call.span.begin, default=None)


@dataclass(slots=True)
class Dependencies:
    """The kernels that an entry reaches.

    ``order`` has callees before callers, without the entry. ``callers`` are the kernels that call one, in discovery order; the
    first one's types decide. ``callees`` are the names that each kernel may call, by their own names.
    """

    order: list[KernelRef] = field(default_factory=list)
    callers: dict[KernelRef, list[KernelRef]] = field(default_factory=dict)
    callees: dict[KernelRef, dict[str, KernelRef]] = field(default_factory=dict)


def direct_dependencies(ref: KernelRef) -> list[KernelRef]:
    """The jit kernels that one calls itself."""
    allowed = (*HELPERS, "jit") if ref.flavour == "jit.host" else HELPERS
    found: dict[str, KernelRef] = {}
    for call in bare_calls(ref.node):
        name = callee_name(call)
        if name in found:
            continue
        value = ref.env.lookup(name)
        if isinstance(value, KernelRef) and value.flavour in allowed:
            found[name] = value
    return list(found.values())


def dependencies(entry: KernelRef) -> Dependencies:
    """Everything that an entry reaches; a kernel that calls itself is visited once."""
    graph = Dependencies()
    seen: set[KernelRef] = {entry}

    def visit(ref: KernelRef) -> None:
        direct = direct_dependencies(ref)
        graph.callees[ref] = {other.node.name: other for other in direct}
        for other in direct:
            callers = graph.callers.setdefault(other, [])
            if ref not in callers:
                callers.append(ref)
            if other in seen:
                continue
            seen.add(other)
            visit(other)
            graph.order.append(other)

    visit(entry)
    return graph
