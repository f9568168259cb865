"""Tiles of more than two dimensions after the pass that flattens them."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import KERNEL_TYPES
from pypto_lsp.ir.types import TileType, Type
from pypto_lsp.ir.visit import value_of, walk
from pypto_lsp.verifiers.printed_examples import SHAPE, printed
from pypto_lsp.verifiers.rule import Rule, RuleContext

#: operators that may have tiles of any rank
_ANY_RANK = frozenset({"tile.load", "tile.store", "tile.reshape", "tile.reinterpret_view"})
_LOAD = f"t: pl.Tile[{SHAPE}, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)"
_RESHAPED = "q: pl.Tile[[2, 32, 128], pl.FP32, pl.Mem.Vec] = pl.tile.reshape(t, [2, 32, 128])"


class TileOps2D(Rule):
    """
    ## What it does
    Finds a tile operator in a kernel with an operand or result of more than two dimensions, a `transpose` without its
    scratch tile, and an `assemble` whose offset is no row and column.

    ## Why is this bad
    FlattenTileNdTo2D has brought all to two dimensions; code is generated for rows and columns only.

    ## Fix
    In a dump: restore the two-dimensional form. In a source this is the compiler's work.
    """

    rule_name = "TileOps2D"
    ir_property = "TileOps2D"
    codes = {0: "a tile operator that is not in two-dimensional form"}
    stage = "FlattenTileNdTo2D"
    on_dsl = False
    VALID = (printed(_LOAD, _RESHAPED, "return o"),)
    INVALID = (
        printed(_LOAD, _RESHAPED, "⟦r: pl.Tile[[2, 32, 128], pl.FP32, pl.Mem.Vec] = pl.tile.exp(q)⟧", "return o"),
    )

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if function.func_type not in KERNEL_TYPES:
            return
        for stmt in walk(function.body or ()):
            call = value_of(stmt)
            if not isinstance(call, ir.Call) or not isinstance(call.op, str) or not call.op.startswith("tile."):
                continue
            fault = None if call.op in _ANY_RANK else _fault(call)
            if fault:
                yield from self.finding(
                    0, stmt.span, f"'{call.op}' {fault}", function=function, subject=stmt, op=call.op
                )


def _fault(call: ir.Call) -> str | None:
    """What is wrong with a tile operator's dimensions, in words; the first fault only."""
    if _deep(call.type) or any(_deep(arg.type) for arg in call.args):
        return "works on a tile of more than two dimensions at this stage"
    if call.op == "tile.transpose" and len(call.args) != 4:
        return f"has {len(call.args)} operands; with its scratch tile it has four at this stage"
    if call.op == "tile.assemble" and len(call.args) == 3:
        offset = call.args[2]
        if not isinstance(offset, ir.MakeTuple) or len(offset.elements) != 2:
            return "needs a row and a column for its offset at this stage"
    return None


def _deep(type_: Type) -> bool:
    return isinstance(type_, TileType) and type_.shape is not None and len(type_.shape) > 2
