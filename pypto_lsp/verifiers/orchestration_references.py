"""Calls of orchestration functions to functions that do not exist."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import calls
from pypto_lsp.verifiers.rule import Rule, RuleContext

_BUILTIN_FAMILIES = ("tile.", "tensor.", "system.", "array.")
_BUILTINS = frozenset({"pld.system.get_comm_ctx"})


class OrchestrationReferencesResolved(Rule):
    """
    ## What it does
    Finds a call in an orchestration function whose callee is neither a function of the program nor an operator that
    orchestration code knows.

    ## Why is this bad
    No code can be generated for it.

    ## Fix
    Name a function of the program. In a source, the front end says so itself.
    """

    rule_name = "OrchestrationReferencesResolved"
    ir_property = "OrchestrationReferencesResolved"
    codes = {0: "a call of something unknown in orchestration code"}
    stage = "OutlineHierarchyScopes"
    on_dsl = False

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if function.func_type != "Orchestration":
            return
        for call, stmt, _ in calls(function.body or ()):
            if not isinstance(call, ir.Call):
                continue
            name = call.op.name if isinstance(call.op, ir.FunctionRef) else call.op
            known = name in program.functions if isinstance(call.op, ir.FunctionRef) else _builtin(name)
            if not known:
                yield from self.finding(
                    0,
                    call.span,
                    f"orchestration code cannot call '{name}'",
                    function=function,
                    subject=(stmt, call),
                    callee=name,
                )


def _builtin(name: str) -> bool:
    return name.startswith(_BUILTIN_FAMILIES) or name in _BUILTINS
