"""Statements that do nothing."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import walk, walk_expr
from pypto_lsp.verifiers.rule import Rule, RuleContext

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
"""


class StatementWithoutEffect(Rule):
    """
    ## What it does
    Finds statements that only name a value, compare or compute one.

    ## Why is this bad
    `n == 2` was probably meant as `n = 2`; a name alone is a leftover.

    ## Fix
    Remove the statement, or bind its value.
    """

    rule_name = "StatementWithoutEffect"
    codes = {3021: "a statement has no effect"}
    severity = Severity.WARNING
    VALID = (_FRAME + "        m = n + 1\n        return m\n",)
    INVALID = (_FRAME + "        ⟦n == 2⟧\n        return n\n",)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        for stmt in walk(function.body or ()):
            if isinstance(stmt, ir.Eval) and isinstance(stmt.expr, (ir.Read, ir.Binary, ir.Unary)):
                if any(isinstance(e, (ir.Call, ir.Submit, ir.ErrorExpr)) for e in walk_expr(stmt.expr)):
                    continue
                yield from self.finding(
                    3021, stmt.span, "this statement has no effect", function=function, subject=stmt
                )
