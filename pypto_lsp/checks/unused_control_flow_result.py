"""A value yielded by a loop or branch that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.checks.unused_variable import used_vars
from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import walk
from pypto_lsp.verifiers.rule import Rule, RuleContext

_FRAME = """import pypto.language as pl


@pl.function
def f(x: pl.Tensor[[64], pl.FP32], n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
    for i, (c,) in pl.range(4, init_values=(n,)):
        {result} = pl.yield_(c + 1)
    return {returned}
"""


class UnusedControlFlowResult(Rule):
    """
    ## What it does
    Finds results of loops and branches (names bound by `pl.yield_`) that nothing in the function reads. Off by default, as
    in the compiler.

    ## Why is this bad
    A carried value that nobody reads costs a copy an iteration.

    ## Fix
    Drop the yielded value and its initial value.
    """

    rule_name = "UnusedControlFlowResultCheck"
    codes = {1002: "a yielded result is never read"}
    severity = Severity.WARNING
    default_on = False
    VALID = (_FRAME.format(result="last", returned="last"),)
    INVALID = (_FRAME.format(result="⟦last⟧", returned="n"),)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if not function.complete:
            return
        used = used_vars(function)
        for stmt in walk(function.body or ()):
            if isinstance(stmt, (ir.For, ir.While, ir.If)):
                for var in stmt.return_vars:
                    if var not in used:
                        yield from self.finding(
                            1002,
                            var.span or stmt.span,
                            f"the yielded result '{var.name}' is never read",
                            function=function,
                            subject=stmt,
                            variable=var.name,
                        )
