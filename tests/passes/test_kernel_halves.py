"""Kernels of both kinds of core: what is not modelled stays as it was, and what is rewritten keeps its place in the source."""

from __future__ import annotations

import pytest

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import walk
from pypto_lsp.passes.pipeline.steps import program_after
from pypto_lsp.verification import parse

_KERNEL = """
import pypto.language as pl

@pl.program
class Both:
    @pl.function
    def main(self, a: pl.Tensor[[64, 64], pl.FP32], b: pl.Tensor[[64, 64], pl.FP32],
             o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN)]):
            c = pl.matmul(a, b)
            {body}
        return o
"""
_PLAIN = _KERNEL.format(body="o = pl.assemble(o, pl.neg(c), [0, 0])")
_REDUCED = _KERNEL.format(body="o = pl.assemble(o, pl.col_expand_mul(c, pl.col_max(c)), [0, 0])")
_SOLID = """
import pypto.language as pl

@pl.program
class Solid:
    @pl.function(type=pl.FunctionType.InCore)
    def main(self, a: pl.Tensor[[2, 16, 64], pl.FP32],
             out: pl.Out[pl.Tensor[[2, {rows}, {columns}], pl.FP32]]) -> pl.Tensor[[2, {rows}, {columns}], pl.FP32]:
        x = pl.load(a, [0, 0, 0], [2, 16, 64])
        out = pl.store({value}, [0, 0, 0], out)
        return out
"""
_TURNED = _SOLID.format(rows=64, columns=16, value="pl.transpose(x, 1, 2)")


def _statements(program: ir.Program, name: str) -> list[ir.Stmt]:
    return list(walk(program.functions[name].body or ()))


def test_a_reduction_of_the_split_axis_leaves_the_kernel_whole() -> None:
    program = program_after("LowerAutoVectorSplit", parse(_REDUCED, "both.py"))
    assert program.functions["main_incore_0"].attrs == {"split": "UP_DOWN"}
    split = program_after("LowerAutoVectorSplit", parse(_PLAIN, "both.py"))
    assert split.functions["main_incore_0"].attrs == {"split": "UP_DOWN", "split_aiv": True}


def test_a_transposition_of_three_dimensions_leaves_the_kernel_solid() -> None:
    before = program_after("FlattenCallExpr", parse(_TURNED, "solid.py"))
    after = program_after("FlattenTileNdTo2D", parse(_TURNED, "solid.py"))
    shapes = {
        getattr(stmt.var.type, "shape", None) for stmt in _statements(after, "main") if isinstance(stmt, ir.Assign)
    }
    assert (2, 16, 64) in shapes
    assert len(_statements(before, "main")) == len(_statements(after, "main"))


@pytest.mark.parametrize("half", ["main_incore_0_aic", "main_incore_0_aiv"])
def test_halves_keep_the_places_of_what_they_are_made_of(half: str) -> None:
    program = program_after("ExpandMixedKernel", parse(_PLAIN, "both.py"))
    lines = {
        str(stmt.value.op): stmt.value.span.line
        for stmt in _statements(program, half)
        if isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call) and stmt.value.span is not None
    }
    expected = {"main_incore_0_aic": {"tile.matmul": 10}, "main_incore_0_aiv": {"tile.neg": 11, "tile.store": 11}}[half]
    assert expected.items() <= lines.items()


def test_the_group_runs_both_halves() -> None:
    group = program_after("ExpandMixedKernel", parse(_PLAIN, "both.py")).functions["main_incore_0"]
    called = [stmt.expr.op.name for stmt in group.body or () if isinstance(stmt, ir.Eval)]  # type: ignore[attr-defined]
    assert (group.func_type, called) == ("Group", ["main_incore_0_aic", "main_incore_0_aiv"])
