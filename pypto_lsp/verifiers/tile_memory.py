"""Memory spaces of tiles after the pass that infers them."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import TileType
from pypto_lsp.ir.visit import bound_vars, value_of, walk
from pypto_lsp.ops.input_memory import INPUT_MEMORY
from pypto_lsp.verifiers.printed_examples import SHAPE, printed
from pypto_lsp.verifiers.rule import Rule, RuleContext, related

_LOAD = "pl.tile.load(x, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.{0})"


class TileMemoryInferred(Rule):
    """
    ## What it does
    Finds a tile in an InCore function without a memory space, and an operand that lies in a space from which its operator
    cannot read.

    ## Why is this bad
    InferTileMemorySpace has given each tile a space and moved operands to where they are needed.

    ## Fix
    Move the tile first: `pl.move(tile, target_memory=...)`.
    """

    rule_name = "TileMemoryInferred"
    ir_property = "TileMemoryInferred"
    codes = {0: "a tile without a memory space, or in one that its reader cannot use"}
    stage = "InferTileMemorySpace"
    on_dsl = False
    VALID = (
        printed(
            f"t: pl.Tile[{SHAPE}, pl.Mem.Vec] = {_LOAD.format('Vec')}",
            f"e: pl.Tile[{SHAPE}, pl.Mem.Vec] = pl.tile.exp(t)",
            "return o",
        ),
    )
    INVALID = (
        printed(
            f"⟦t: pl.Tile[{SHAPE}, pl.Mem.Mat] = {_LOAD.format('Mat')}⟧",
            f"e: pl.Tile[{SHAPE}, pl.Mem.Vec] = pl.tile.exp(t)",
            "return o",
        ),
    )

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if function.func_type != "InCore":
            return
        bound: dict[ir.Var, ir.Stmt] = {}
        misread: dict[ir.Var, tuple[ir.Call, ir.Read, tuple[str, ...]]] = {}
        for stmt in walk(function.body or ()):
            for var in bound_vars(stmt):
                bound.setdefault(var, stmt)
            if isinstance(stmt, ir.Assign) and isinstance(stmt.var.type, TileType) and stmt.var.type.memory is None:
                yield from self.finding(
                    0, stmt.span, f"the tile '{stmt.var.name}' has no memory space", function=function, subject=stmt,
                    variable=stmt.var.name,
                )  # fmt: skip
            call = value_of(stmt)
            if isinstance(call, ir.Call):
                for arg, allowed in _misread(call):
                    misread.setdefault(arg.var, (call, arg, allowed))
        for var, (call, arg, allowed) in misread.items():
            made, space = bound.get(var), getattr(var.type, "memory", None)
            yield from self.finding(
                0, (made.span if made is not None else None) or var.span,
                f"'{var.name}' lies in {space}, but '{call.op}' reads it from {' or '.join(allowed)}",
                function=function, related=related(arg.span or call.span, "it is read here"), subject=(call, arg),
                variable=var.name, op=call.op, memory=space, allowed=list(allowed),
            )  # fmt: skip


def _misread(call: ir.Call) -> Iterator[tuple[ir.Read, tuple[str, ...]]]:
    """The operands of a call that lie where its operator cannot read, with the spaces that it reads from."""
    for arg, allowed in zip(call.args, INPUT_MEMORY.get(str(call.op), ())):
        space = arg.type.memory if isinstance(arg.type, TileType) else None
        if isinstance(arg, ir.Read) and allowed and space is not None and space not in allowed:
            yield arg, allowed
