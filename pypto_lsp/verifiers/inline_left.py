"""Inline functions after the pass that puts their bodies where they are called."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import calls
from pypto_lsp.verifiers.printed_examples import printed
from pypto_lsp.verifiers.rule import Rule, RuleContext, related


class InlineFunctionsEliminated(Rule):
    """
    ## What it does
    Finds an inline function that is left (code 0), a call or submit of one (code 1), and a call of a function that does not
    exist (code 2).

    ## Why is this bad
    InlineFunctions has replaced every call of an inline function by its body; a submit cannot be replaced so.

    ## Fix
    Submit a kernel, not an inline function.
    """

    rule_name = "InlineFunctionsEliminated"
    ir_property = "InlineFunctionsEliminated"
    codes = {0: "an inline function is left", 1: "an inline function is called", 2: "an unknown function is called"}
    stage = "InlineFunctions"
    on_dsl = False
    VALID = (printed("return o"),)
    INVALID = (printed("return o", func_type="Inline").replace("def f", "def ⟦f⟧"),)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if function.func_type == "Inline":
            yield from self.finding(
                0, function.name_span or function.span, f"the inline function '{function.name}' should be gone at this stage",
                function=function, subject=function,
            )  # fmt: skip
        for call, stmt, _ in calls(function.body or ()):
            if not isinstance(call.op, ir.FunctionRef):
                continue
            callee = program.functions.get(call.op.name)
            if callee is None:
                yield from self.finding(
                    2, call.span, f"there is no function '{call.op.name}'", function=function, subject=(stmt, call)
                )
            elif callee.func_type == "Inline":
                yield from self.finding(
                    1, call.span, f"'{callee.name}' is an inline function, whose body should stand here at this stage",
                    function=function, related=related(callee.name_span, "the inline function"), subject=(stmt, call),
                )  # fmt: skip
