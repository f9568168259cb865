"""A part of a tile that is to be narrowed after it was cut out."""

from __future__ import annotations

from collections.abc import Iterable

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import const_value
from pypto_lsp.ir.visit import walk
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.passes.tile_types import dims_of
from pypto_lsp.verifiers.kernel_rule import KernelRule
from pypto_lsp.verifiers.rule import RuleContext, related

_FRAME = """import pypto.language as pl


@pl.jit
def kernel(x: pl.Tensor[[64, 256], pl.FP32], n: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [64, 256])
        {body}
        pl.store(v, [0, 0], o)
    return o
"""


class NarrowedView(KernelRule):
    """
    ## What it does
    Finds `pl.set_validshape` on a slice of a tile.

    ## Why is this bad
    A slice is a view: what of it is valid is part of its type, and cannot be set when the kernel runs. The compiler refuses it when
    it makes the kernel's code.

    ## Fix
    Say with the slice's `valid_shape` how much of it counts.
    """

    rule_name = "NarrowedView"
    codes = {3060: "the valid shape of a slice is set"}
    stage = "code generation"
    VALID = (_FRAME.format(body="v = pl.slice(t, [64, 128], [0, 128], valid_shape=[64, n])"),)
    INVALID = (_FRAME.format(body="s = pl.slice(t, [64, 128], [0, 128])\n        v = ⟦pl.set_validshape(s, 64, n)⟧"),)

    def kernel(self, kernel: TileKernel, context: RuleContext) -> Iterable[Diagnostic]:
        slices: dict[ir.Var, ir.Call] = {}
        for stmt in walk(kernel.source.body):
            value = stmt.value if isinstance(stmt, ir.Assign) else None
            if not isinstance(stmt, ir.Assign) or not isinstance(value, ir.Call) or not value.args:
                continue
            source = value.args[0]
            if value.op == "tile.slice" and _is_fixed(value):
                slices[stmt.var] = value
            elif value.op == "tile.set_validshape" and isinstance(source, ir.Read) and source.var in slices:
                yield from self.finding(
                    3060,
                    value.span,
                    f"'{source.var.name}' is a slice of a tile, whose valid shape cannot be set",
                    function=kernel.function,
                    related=related(slices[source.var].span, "give the valid_shape here"),
                    subject=value,
                )


def _is_fixed(call: ir.Call) -> bool:
    """Whether a slice has constant offsets: others may become copies."""
    offsets = dims_of(call.get("offset"))
    return offsets is not None and all(const_value(offset) is not None for offset in offsets)
