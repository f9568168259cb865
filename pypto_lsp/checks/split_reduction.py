"""A reduction along the axis that a split kernel halves."""

from __future__ import annotations

from collections.abc import Iterable

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.types import TileType
from pypto_lsp.passes.core_affinity import family
from pypto_lsp.passes.memory import tile_calls
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.verifiers.kernel_rule import KernelRule
from pypto_lsp.verifiers.rule import RuleContext, related

#: split -> the reductions along the halved axis
_REDUCTIONS = {"LEFT_RIGHT": "row_", "UP_DOWN": "col_"}
_NAMES = frozenset({"sum", "max", "min", "prod", "argmax", "argmin"})
#: operators after which the halved axis may be another
_MOVING = frozenset({"reshape", "transpose", "transpose_view", "reinterpret_view"})
_FRAME = """import pypto.language as pl


@pl.jit
def kernel(
    a: pl.Tensor[[64, 32], pl.FP16], b: pl.Tensor[[32, 64], pl.FP16], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]
):
    with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.{split})]):
        c = pl.matmul(a, b, out_dtype=pl.FP32)
        m = {reduction}
        o[:] = pl.row_expand_sub(c, m)
    return o
"""


class SplitReduction(KernelRule):
    """
    ## What it does
    Finds, in a region that is split over two vector cores, a reduction along the axis that is split: of rows where columns are
    halved, of columns where rows are.

    ## Why is this bad
    Each core would reduce its half alone. The compiler refuses it, without saying where.

    ## Fix
    Split along the other axis.
    """

    rule_name = "SplitReduction"
    codes = {3051: "a reduction along the axis that is split"}
    stage = "LowerAutoVectorSplit"
    VALID = (_FRAME.format(split="UP_DOWN", reduction="pl.row_max(c)"),)
    INVALID = (_FRAME.format(split="LEFT_RIGHT", reduction="⟦pl.row_max(c)⟧"),)

    def kernel(self, kernel: TileKernel, context: RuleContext) -> Iterable[Diagnostic]:
        prefix = _REDUCTIONS.get(kernel.kernel.split or "")
        if prefix is None or kernel.lane is not Lane.MIXED:
            return
        calls = [call for _, call in tile_calls(kernel.kernel.body)]
        if any(family(str(call.op))[1] in _MOVING for call in calls):
            return
        for call in calls:
            name = family(str(call.op))[1]
            if name.startswith(prefix) and name.removeprefix(prefix) in _NAMES and _is_matrix(call):
                yield from self.finding(
                    3051,
                    call.span,
                    f"this reduces along the axis that the region splits ({kernel.kernel.split})",
                    function=kernel.function,
                    related=related(kernel.kernel.span, "the region is split here"),
                    subject=call,
                    split=kernel.kernel.split,
                    op=str(call.op),
                )


def _is_matrix(reduction: ir.Call) -> bool:
    """Whether the reduced tile has two axes."""
    type_ = reduction.args[0].type if reduction.args else None
    return isinstance(type_, TileType) and type_.shape is not None and len(type_.shape) == 2
