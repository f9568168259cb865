"""A yield that is not the last statement of its body."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import bodies
from pypto_lsp.verifiers.rule import Rule, RuleContext, related

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        for i, (s,) in pl.range(0, 4, 1, init_values=(n,)):
"""


class NoRedundantBlocks(Rule):
    """
    ## What it does
    Finds a `pl.yield_` with statements after it in the same body.

    ## Why is this bad
    A yield ends the iteration or branch. What stands behind it has no place in the loop's structure, and the compiler
    refuses the program before its first pass.

    ## Fix
    Move the yield to the end of the body, or delete what stands behind it.
    """

    rule_name = "NoRedundantBlocks"
    ir_property = "NoRedundantBlocks"
    codes = {0: "statements after a yield"}
    VALID = (_FRAME + "            q = s + 2\n            r = pl.yield_(q)\n        return r\n",)
    INVALID = (
        _FRAME
        + "            r = ⟦pl.yield_(s + 1)⟧\n            q = s + 2\n            m = q + 1\n            k = m + q\n        return r\n",
    )

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        yield from self._body(function, function.body or (), context)

    def _body(self, function: ir.Function, body: ir.Body, context: RuleContext) -> Iterator[Diagnostic]:
        for index, stmt in enumerate(body):
            if isinstance(stmt, ir.Yield) and index < len(body) - 1 and context.as_is:
                after = body[index + 1]
                yield from self.finding(
                    0, after.span, "this statement stands after the yield that ends its body", function=function,
                    related=related(stmt.span, "the yield"), subject=stmt,
                )  # fmt: skip
            elif isinstance(stmt, ir.Yield) and index < len(body) - 1:
                yield from self.finding(
                    0, stmt.span, "a yield ends its body, but statements follow it", function=function, subject=stmt
                )
            for nested in bodies(stmt):
                yield from self._body(function, nested, context)
