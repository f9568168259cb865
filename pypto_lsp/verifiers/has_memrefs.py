"""Tiles without a memory reference."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import TileType
from pypto_lsp.ir.visit import walk
from pypto_lsp.verifiers.printed_examples import SHAPE, printed
from pypto_lsp.verifiers.rule import Rule, RuleContext

_LOAD = "pl.tile.load(x, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)"
_ALLOC = "m: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 32768)"
#: tiles popped from the other core, which lie in the slot of a pipe, and what passes such a tile on without a copy
_POPS = frozenset({"tile.tpop_from_aic", "tile.tpop_from_aiv"})
_VIEWS = frozenset(
    {"tile.reshape", "tile.reinterpret_view", "tile.slice", "tile.transpose_view", "tile.set_validshape", "tile.extract_view"}
)  # fmt: skip


class HasMemRefs(Rule):
    """
    ## What it does
    Finds a tile without a memory reference.

    ## Why is this bad
    InitMemRef gives every tile one; a tile without it gets no address. Tiles popped from the other core need none.

    ## Fix
    In a dump: restore the `pl.MemRef` of the tile's type.
    """

    rule_name = "HasMemRefs"
    ir_property = "HasMemRefs"
    codes = {0: "a tile without a memory reference"}
    stage = "InitMemRef"
    on_dsl = False
    VALID = (
        printed(
            _ALLOC, f"t: pl.Tile[{SHAPE}, pl.MemRef(m, pl.const(0, pl.INT64), 32768), pl.Mem.Vec] = {_LOAD}", "return o"
        ),
    )
    INVALID = (printed(f"⟦t: pl.Tile[{SHAPE}, pl.Mem.Vec] = {_LOAD}⟧", "return o"),)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        bufferless: set[ir.Var] = set()
        for stmt in walk(function.body or ()):
            if not isinstance(stmt, ir.Assign):
                continue
            type_ = stmt.var.type
            if not isinstance(type_, TileType) or type_.memref is not None:
                continue
            if _needs_none(stmt.value, bufferless):
                bufferless.add(stmt.var)
            else:
                yield from self.finding(
                    0, stmt.span, f"the tile '{stmt.var.name}' has no memory reference", function=function, subject=stmt,
                    variable=stmt.var.name,
                )  # fmt: skip


def _needs_none(value: ir.Expr, bufferless: set[ir.Var]) -> bool:
    if isinstance(value, ir.Read):
        return value.var in bufferless
    if not isinstance(value, ir.Call) or not isinstance(value.op, str):
        return False
    if value.op in _POPS:
        return True
    source = value.args[0] if value.args else None
    return value.op in _VIEWS and isinstance(source, ir.Read) and source.var in bufferless
