"""Runtime scopes of orchestration functions after the pass that writes them out."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.verifiers.printed_examples import printed
from pypto_lsp.verifiers.rule import Rule, RuleContext


class RuntimeScopesMaterialized(Rule):
    """
    ## What it does
    Finds an orchestration function that still asks for automatic scopes.

    ## Why is this bad
    Code has scopes only where a scope statement stands; those that were to be made are missing.

    ## Fix
    In a dump: restore `auto_scope=False` and the scopes. In a source this is the compiler's work.
    """

    rule_name = "RuntimeScopesMaterialized"
    ir_property = "RuntimeScopesMaterialized"
    codes = {0: "an orchestration function still asks for automatic scopes"}
    stage = "MaterializeRuntimeScopes"
    on_dsl = False
    VALID = (printed("return o", func_type="Orchestration", arguments=", auto_scope=False"),)
    INVALID = (printed("return o", func_type="Orchestration").replace("def f", "def ⟦f⟧"),)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if (
            function.func_type == "Orchestration"
            and function.complete
            and function.attrs.get("auto_scope", True) is True
        ):
            yield from self.finding(
                0, function.name_span or function.span, f"the scopes of '{function.name}' should be written out at this stage",
                function=function, subject=function,
            )  # fmt: skip
