"""Pipeline stages on a loop that is no pipeline."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import ForKind
from pypto_lsp.ir.visit import walk
from pypto_lsp.verifiers.rule import Rule, RuleContext

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[64, 256], pl.FP32], o: pl.Out[pl.Tensor[[64, 256], pl.FP32]]) -> pl.Tensor[[64, 256], pl.FP32]:
"""
_TAIL = """            with pl.at(level=pl.Level.CORE_GROUP):
                o[:] = pl.exp(x)
        return o
"""


class PipelineLoopValid(Rule):
    """
    ## What it does
    Finds the attribute `pipeline_stages` on a loop that is not made by `pl.pipeline`.

    ## Why is this bad
    The attribute has no effect there: the loop runs one iteration after the other.

    ## Fix
    Write `pl.pipeline(..., stage=N)`.
    """

    rule_name = "PipelineLoopValid"
    ir_property = "PipelineLoopValid"
    codes = {0: "a pipeline without stages", 1: "stages on a loop that is no pipeline"}
    severity = Severity.WARNING
    stage = "on demand"
    VALID = (_FRAME + "        for i in pl.range(4):\n" + _TAIL,)
    INVALID = (_FRAME + '        ⟦for i in pl.range(4, attrs={"pipeline_stages": 2}):⟧\n' + _TAIL,)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        for stmt in walk(function.body or ()):
            if isinstance(stmt, ir.For) and stmt.kind is not ForKind.PIPELINE and "pipeline_stages" in stmt.attrs:
                yield from self.finding(
                    1, stmt.span, "pipeline stages have no effect on this loop; use pl.pipeline(..., stage=N)",
                    function=function, subject=stmt,
                )  # fmt: skip
