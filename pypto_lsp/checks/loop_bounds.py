"""Loop bounds that no loop can have."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import ScalarType
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


class LoopBounds(Rule):
    """
    ## What it does
    Finds loops over floating point bounds, and loops with a step of zero.

    ## Why is this bad
    The parser takes both. A float bound fails in a pass without a place; a step of zero never ends.

    ## Fix
    Give integers, and a step above zero.
    """

    rule_name = "LoopBounds"
    codes = {3031: "a loop bound is a float", 3032: "a loop steps by zero"}
    severity = Severity.WARNING
    VALID = (_FRAME + "        for i in pl.range(0, 16, 8):\n" + _TAIL,)
    INVALID = (
        _FRAME + "        for i in pl.range(⟦4.0⟧):\n" + _TAIL,
        _FRAME + "        for i in pl.range(0, 16, ⟦0⟧):\n" + _TAIL,
    )

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        for stmt in walk(function.body or ()):
            if not isinstance(stmt, ir.For):
                continue
            for bound in (stmt.start, stmt.stop, stmt.step):
                type_ = bound.type
                if isinstance(type_, ScalarType) and type_.dtype is not None and type_.dtype.is_float:
                    yield from self.finding(
                        3031, bound.span, f"a loop bound must be an integer, this is {type_.dtype.name}", function=function,
                        subject=bound,
                    )  # fmt: skip
            if isinstance(stmt.step, ir.ConstInt) and stmt.step.value == 0:
                yield from self.finding(
                    3032, stmt.step.span, "a loop cannot step by zero", function=function, subject=stmt
                )
