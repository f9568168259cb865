"""How large an expression is when it is walked as a tree.

Nodes are shared: what stands for a parameter is one object wherever the parameter is read, so that ``a + a`` handed on through
40 helpers is an expression of 40 nodes that every walk takes for one of a million million. :class:`Sizes` counts a node once
and its size as often as it is met. An expression beyond :data:`MOST_NODES` is no longer analysed: whoever makes expressions by
putting others in the place of variables asks before it hands one on, so that walks need no limits of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import SHAPED, TupleType, Type
from pypto_lsp.ir.visit import attribute_exprs, operands
from pypto_lsp.text.nesting import DEEPEST

#: nodes of one expression or type, counted as often as they are met from its top
MOST_NODES = 2_000

_Node = ir.Expr | Type
_COMPOUND = (TupleType, *SHAPED)


def compound_extents(type_: Type) -> Iterator[ir.Expr]:
    """The extents of a type itself that are computed, those of its view too."""
    if not isinstance(type_, SHAPED):
        return
    view = type_.view
    for extents in (type_.shape or (), *((view.valid_shape, view.stride) if view is not None else ())):
        for extent in extents:
            if isinstance(extent, ir.Expr) and not isinstance(extent, ir.Var):
                yield extent


def _parts(node: _Node) -> Iterator[_Node]:
    if isinstance(node, TupleType):
        yield from (part for part in node.types if isinstance(part, _COMPOUND))
        return
    if not isinstance(node, ir.Expr):
        yield from compound_extents(node)
        return
    yield from operands(node)
    if isinstance(node, (ir.Call, ir.Submit)) and node.attrs:
        yield from attribute_exprs(node.attrs)
    if isinstance(node, ir.MakeTuple) and isinstance(node.type, TupleType):
        yield node.type


class Sizes:
    """Sizes of expressions and types, each found once."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        #: by identity: the node, which stays alive with this, its size and its depth
        self._known: dict[int, tuple[_Node, int, int]] = {}

    def too_large(self, node: ir.Expr | Type) -> bool:
        """Whether an expression or type is larger or nested deeper than is worth an analysis."""
        if not isinstance(node, (ir.Expr, *_COMPOUND)):
            return False
        known = self._known.get(id(node))
        _, size, depth = known if known is not None else self._measured(node)
        return size > MOST_NODES or depth > DEEPEST

    def _measured(self, top: _Node) -> tuple[_Node, int, int]:
        known = self._known
        pending = [top]
        while pending:
            node = pending[-1]
            parts = [part for part in _parts(node) if id(part) not in known]
            if parts:
                pending += parts
                continue
            sizes = [known[id(part)] for part in _parts(node)]
            size = 1 + sum(size for _, size, _ in sizes)
            known[id(node)] = (node, size, 1 + max((depth for _, _, depth in sizes), default=0))
            pending.pop()
        return known[id(top)]


__all__ = ["MOST_NODES", "Sizes", "compound_extents"]
