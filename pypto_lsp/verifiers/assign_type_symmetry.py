"""Variables whose type is not that of the value they are assigned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import SHAPED, UNDETERMINED, UNKNOWN, TileType, TupleType, Type
from pypto_lsp.ir.visit import walk
from pypto_lsp.verifiers.printed_examples import SHAPE, printed
from pypto_lsp.verifiers.rule import Rule, RuleContext
from pypto_lsp.verifiers.type_check import mismatch

_LOAD = "pl.tile.load(x, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)"


class AssignTypeSymmetry(Rule):
    """
    ## What it does
    Compares the type of each assigned variable with that of its value: element type, shape, view and memory space. Memory
    references belong to the variable alone.

    ## Why is this bad
    A pass has changed one side and not the other.

    ## Fix
    In a dump: make the annotation agree with the value.
    """

    rule_name = "AssignTypeSymmetry"
    ir_property = "AssignTypeSymmetry"
    codes = {1: "a variable and its value differ in type"}
    stage = "on demand"
    on_dsl = False
    VALID = (printed(f"t: pl.Tile[{SHAPE}, pl.Mem.Vec] = {_LOAD}", "return o"),)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        for stmt in walk(function.body or ()):
            if not isinstance(stmt, ir.Assign):
                continue
            fault = _difference(stmt.var.type, stmt.value.type)
            if fault:
                yield from self.finding(
                    1, stmt.span, f"'{stmt.var.name}' and its value differ: {fault}", function=function, subject=stmt,
                    variable=stmt.var.name,
                )  # fmt: skip


def _difference(left: Type, right: Type) -> str | None:
    if UNDETERMINED in (left, right) or UNKNOWN in (left, right):
        return None
    if isinstance(left, TupleType) and isinstance(right, TupleType) and len(left.types) == len(right.types):
        return next((d for a, b in zip(left.types, right.types) if (d := _difference(a, b))), None)
    found = mismatch(left, right)
    if found is not None:
        return found.reason
    if isinstance(left, TileType) and isinstance(right, TileType) and left.memory != right.memory:
        return f"memory space {left.memory} against {right.memory}"
    if isinstance(left, SHAPED) and isinstance(right, SHAPED):
        views = replace(left, memref=None).view, replace(right, memref=None).view
        if None not in views and views[0] != views[1]:
            return "their views"
    return None
