"""Addresses that were not given or lie beyond the memory there is."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import const_value
from pypto_lsp.ir.types import TileType
from pypto_lsp.ir.visit import bound_vars, walk
from pypto_lsp.verifiers.printed_examples import SHAPE, printed
from pypto_lsp.verifiers.rule import Rule, RuleContext

_LOAD = "pl.tile.load(x, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)"
_ALLOC = "m: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 32768)"


class AllocatedAddresses(Rule):
    """
    ## What it does
    Finds an on-chip memory reference without an address or with a negative one (code 0), and a function whose tiles reach
    beyond the memory of the target (code 1).

    ## Why is this bad
    AllocateMemoryAddr has given every reference its place; what has none or lies beyond the end cannot run.

    ## Fix
    In a dump: correct the offset or size of the `pl.MemRef`. In a source: work on smaller tiles.
    """

    rule_name = "AllocatedMemoryAddr"
    ir_property = "AllocatedMemoryAddr"
    codes = {0: "a memory reference without an address", 1: "a kernel needs more on-chip memory than there is"}
    stage = "AllocateMemoryAddr"
    on_dsl = False
    VALID = (
        printed(
            _ALLOC, f"t: pl.Tile[{SHAPE}, pl.MemRef(m, pl.const(0, pl.INT64), 32768), pl.Mem.Vec] = {_LOAD}", "return o"
        ),
    )
    INVALID = (
        printed(
            _ALLOC,
            f"⟦t: pl.Tile[{SHAPE}, pl.MemRef(m, pl.const(-32, pl.INT64), 32768), pl.Mem.Vec] = {_LOAD}⟧",
            "return o",
        ),
    )

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        ends: dict[str, int] = {}
        seen: set[tuple[str, object, object]] = set()
        for var, stmt in _tiles(function):
            type_ = var.type
            assert isinstance(type_, TileType)
            memref, space = type_.memref, type_.memory
            if memref is None or space is None or space == "DDR":
                continue
            offset = None if memref.byte_offset is None else const_value(memref.byte_offset)
            key = (space, memref.base, offset)
            placed = memref.byte_offset is not None or memref.size is not None
            if (not placed or (offset is not None and offset < 0)) and key not in seen:
                seen.add(key)
                place = "no address" if offset is None else f"the negative address {offset}"
                yield from self.finding(
                    0, stmt.span, f"the memory of '{var.name}' has {place} in {space}", function=function, subject=stmt,
                    variable=var.name, memory=space, offset=offset,
                )  # fmt: skip
            size = None if memref.size is None else const_value(memref.size)
            if offset is not None and offset >= 0 and size is not None:
                ends[space] = max(ends.get(space, 0), offset + size)
        for space, used in ends.items():
            limit = context.backend.memory.get(space)
            if limit and used > limit:
                yield from self.finding(
                    1, function.name_span or function.span,
                    f"'{function.name}' uses {used} bytes of {space}; {context.backend.title} has {limit}",
                    function=function, memory=space, used=used, limit=limit,
                )  # fmt: skip


def _tiles(function: ir.Function) -> Iterator[tuple[ir.Var, ir.Stmt]]:
    """Variables of tile type with the statement that binds them, each once."""
    seen: set[ir.Var] = set()
    for stmt in walk(function.body or ()):
        carried = tuple(arg.var for arg in stmt.iter_args) if isinstance(stmt, (ir.For, ir.While)) else ()
        for var in (*bound_vars(stmt), *carried):
            if var not in seen and isinstance(var.type, TileType):
                seen.add(var)
                yield var, stmt
