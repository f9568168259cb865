"""Expansion of ``@pl.inline`` functions: the body is lowered in place, with the arguments for its parameters."""

from __future__ import annotations

from typing import Any

from pypto_lsp.diagnostics import faults_calls as faults
from pypto_lsp.frontend.lowering import InlineFrame, Lowering
from pypto_lsp.frontend.model import Signature
from pypto_lsp.frontend.static_objects import MISSING
from pypto_lsp.frontend.surroundings import Surroundings
from pypto_lsp.ir import nodes as ir
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text.stepwise import finished

#: calls of one body that are expanded; helpers that call each other twice double them with every level
_MAX_EXPANSIONS = 2_000
#: helpers that are expanded inside of one another
_MAX_DEPTH = 40


class InlinedSurroundings(Surroundings):
    """The names around an inlined body: the caller's, then those of its own definition."""

    __slots__ = ("_outer",)

    def __init__(self, outer: Surroundings, inner: Any) -> None:
        self.env = inner
        self.jit = outer.jit
        self.names = outer.names
        self._node = outer._node
        self._known = {}
        self._outer = outer

    def value(self, name: str) -> Any:
        found = self._outer.value(name)
        return super().value(name) if found is MISSING else found


def expand(low: Lowering, node: syntax.Call, signature: Signature, args: tuple[ir.Expr, ...]) -> ir.Expr:
    """Lower the body of an inline function for one call; gives what its return statement gives."""
    ref = signature.ref
    if ref is None or signature.name in low.inlining:
        return low.unknown(node.span)
    if low.expansions >= _MAX_EXPANSIONS or len(low.inlining) >= _MAX_DEPTH:
        return low.unknown(node.span)
    low.expansions += 1
    outer_frame, outer_around = low.inline, low.around
    frame = InlineFrame()
    low.inline = frame
    low.around = InlinedSurroundings(outer_around, ref.env)
    low.inlining.append(signature.name)
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
