"""Queries of communication contexts in code that runs on the device."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import calls
from pypto_lsp.verifiers.rule import Rule, RuleContext

_HOST_LEVELS = frozenset({"HOST", "NODE"})


class DistTensorCtxMaterialized(Rule):
    """
    ## What it does
    Finds a `pld.system.get_comm_ctx` outside of host orchestration.

    ## Why is this bad
    Only the host can ask for a communication context; device code gets it as a parameter, which MaterializeDistTensorCtx
    has added.

    ## Fix
    Take the context as a parameter of type `pld.CommCtxType`.
    """

    rule_name = "DistTensorCtxMaterialized"
    ir_property = "DistTensorCtxMaterialized"
    codes = {0: "device code asks for a communication context"}
    stage = "MaterializeDistTensorCtx"
    on_dsl = False

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if function.level in _HOST_LEVELS and function.role == "Orchestrator":
            return
        for call, stmt, _ in calls(function.body or ()):
            if call.op == "pld.system.get_comm_ctx":
                yield from self.finding(
                    0, call.span, f"'{function.name}' does not run on the host, so it cannot ask for a communication context",
                    function=function, subject=(stmt, call),
                )  # fmt: skip
