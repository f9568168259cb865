"""Calls of orchestration functions to functions that do not exist."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import calls
from pypto_lsp.verifiers.rule import Rule, RuleContext


class OrchestrationReferencesResolved(Rule):
    """
    ## What it does
    Finds a call in an orchestration function whose callee is no function of the program. Operators are not judged: the reader
    of a program knows them all, and the compiler takes programs whose host code uses more of them than its verifier lists.

    ## Why is this bad
    No code can be generated for it.

    ## Fix
    Name a function of the program. In a source, the front end says so itself.
    """

    rule_name = "OrchestrationReferencesResolved"
    ir_property = "OrchestrationReferencesResolved"
    codes = {0: "a call of an unknown function in orchestration code"}
    stage = "OutlineHierarchyScopes"
    on_dsl = False

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if function.func_type != "Orchestration":
            return
        for call, stmt, _ in calls(function.body or ()):
            if (
                isinstance(call, ir.Call)
                and isinstance(call.op, ir.FunctionRef)
                and call.op.name not in program.functions
            ):
                yield from self.finding(
                    0, call.span, f"there is no function '{call.op.name}'", function=function, subject=(stmt, call),
                    callee=call.op.name,
                )  # fmt: skip
