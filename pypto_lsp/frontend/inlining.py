"""Expansion of ``@pl.inline`` functions: the body is lowered in place, with the arguments for its parameters."""

from __future__ import annotations

from typing import Any

from pypto_lsp.diagnostics import faults_calls as faults
from pypto_lsp.frontend.lowering import InlineFrame, Lowering
from pypto_lsp.frontend.model import Signature
from pypto_lsp.frontend.static_objects import MISSING
from pypto_lsp.frontend.static_scope import Environment
from pypto_lsp.frontend.surroundings import Surroundings
from pypto_lsp.frontend.values import KernelRef
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Direction
from pypto_lsp.ir.types import UNDETERMINED
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text.stepwise import finished

#: calls of one body that are expanded; helpers that call each other twice double them with every level
_MAX_EXPANSIONS = 2_000
#: helpers that are expanded inside of one another
_MAX_DEPTH = 40


class InlinedSurroundings(Surroundings):
    """The names around an inlined body: the caller's, then those of its own definition."""

    __slots__ = ("_outer", "_ref")

    def __init__(self, outer: Surroundings, ref: KernelRef) -> None:
        self.env = ref.env
        self.jit = outer.jit
        self.names = outer.names
        self._node = outer._node
        self._known = {}
        self._outer = outer
        self._ref = ref

    def value(self, name: str) -> Any:
        found = self._outer.value(name)
        return super().value(name) if found is MISSING else found

    def kernel(self, name: str) -> KernelRef | None:
        """The kernel that a name stands for in the inlined bodies around a place, where the function that they are expanded in
        does not know the name: one defined before the inlined function itself."""
        outer = self._outer.kernel(name) if isinstance(self._outer, InlinedSurroundings) else None
        if outer is not None:
            return outer
        return kernel_before(name, self.env, self._ref.node)


def kernel_before(name: str, env: Environment, caller: syntax.Node) -> KernelRef | None:
    """The kernel that a name stands for when a definition in an environment runs: what the same scope binds further down is not
    known to it, and a function is called when all names around it are bound."""
    value = env.lookup(name)
    if not isinstance(value, KernelRef):
        return None
    bound: syntax.Node | None = value.node
    if env.kind == "function":
        bound = env.bound_at.get(name) if env.owner(name) is env else None
    if bound is None or bound.anchor.source is not caller.anchor.source:
        return value
    return value if bound.span.begin < caller.span.begin else None


def inline_signature(ref: KernelRef) -> Signature:
    """How callers see a ``@pl.inline`` function, whose body is expanded at each call: only its parameters' names count."""
    params = tuple(
        (param.name, UNDETERMINED, Direction.IN, param.default is not None)
        for param in ref.node.params
        if param.kind == "positional"
    )
    return Signature(
        ref.node.name, params, UNDETERMINED, "inline", "Inline", node=ref.node, ref=ref, span=ref.node.name_span
    )


def expand(low: Lowering, node: syntax.Call, signature: Signature, args: tuple[ir.Expr, ...]) -> ir.Expr:
    """Lower the body of an inline function for one call; gives what its return statement gives."""
    ref = signature.ref
    if ref is None or low.expansions >= _MAX_EXPANSIONS or len(low.inlining) >= _MAX_DEPTH:
        return low.unknown(node.span)
    if ref in low.inlining:
        return low.error(faults.INLINE_RECURSION, node, callee=signature.name)
    low.expansions += 1
    outer_frame, outer_around = low.inline, low.around
    frame = InlineFrame()
    low.inline = frame
    low.around = InlinedSurroundings(outer_around, ref)
    low.inlining.append(ref)
    low.names.enter()
    for (name, *_), arg in zip(signature.params, args):
        low.names.define(name, arg.var if isinstance(arg, ir.Read) else arg)
    try:
        finished(low.statements(ref.node.body))
    finally:
        low.names.leave(leak=True)
        low.inlining.pop()
        low.inline, low.around = outer_frame, outer_around
    if frame.value is None:
        return low.error(faults.INLINE_NO_VALUE, node, callee=signature.name)
    return frame.value
