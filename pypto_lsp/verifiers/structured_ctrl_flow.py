"""Break and continue in kernels after the pass that replaces them."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import KERNEL_TYPES
from pypto_lsp.ir.visit import walk
from pypto_lsp.verifiers.printed_examples import printed
from pypto_lsp.verifiers.rule import Rule, RuleContext

_BREAKING = ("    c: pl.Scalar[pl.BOOL] = i > 2", "    if c:", "        {}")


class StructuredCtrlFlow(Rule):
    """
    ## What it does
    Finds `break` (code 0) and `continue` (code 1) in InCore, AIC and AIV functions.

    ## Why is this bad
    CtrlFlowTransform has replaced them by conditions; kernels cannot leave a loop. In a source they are right.

    ## Fix
    In a dump: put the rest of the body under a condition.
    """

    rule_name = "StructuredCtrlFlow"
    ir_property = "StructuredCtrlFlow"
    codes = {0: "a break is left", 1: "a continue is left"}
    stage = "CtrlFlowTransform"
    on_dsl = False
    VALID = (printed("for i in pl.range(4):", "    n: pl.Scalar[pl.INDEX] = i + 1", "return o"),)
    INVALID = (printed("for i in pl.range(4):", *_BREAKING, "return o").format("⟦break⟧"),)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if function.func_type not in KERNEL_TYPES:
            return
        for stmt in walk(function.body or ()):
            if isinstance(stmt, (ir.Break, ir.Continue)):
                code = int(isinstance(stmt, ir.Continue))
                yield from self.finding(
                    code, stmt.span, f"{self.codes[code]} in a kernel, which cannot leave a loop at this stage",
                    function=function, subject=stmt,
                )  # fmt: skip
