"""Hand-written dependencies on plain calls."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import calls
from pypto_lsp.verifiers.rule import Rule, RuleContext

_KEY = "manual_dep_edges"


class ManualDepsOnSubmitOnly(Rule):
    """
    ## What it does
    Finds the attribute `manual_dep_edges` on a plain call of a kernel (code 0) and on a submit (code 1), which has its
    dependencies in `deps=`.

    ## Why is this bad
    The edges would be lost: only `deps` of a submit are kept through the passes.

    ## Fix
    Write `pl.submit(self.kernel, ..., deps=[...])`. In a source, the front end says so itself.
    """

    rule_name = "ManualDepsOnSubmitOnly"
    ir_property = "ManualDepsOnSubmitOnly"
    codes = {0: "dependencies on a plain call", 1: "dependency attribute on a submit"}
    on_dsl = False

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        for call, stmt, _ in calls(function.body or ()):
            if isinstance(call.op, ir.FunctionRef) and _KEY in call.attrs:
                yield from self.finding(
                    int(isinstance(call, ir.Submit)), call.span, "dependencies belong into deps= of a submit",
                    function=function, subject=stmt,
                )  # fmt: skip
