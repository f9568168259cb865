"""Cluster and SPMD scopes after the pass that makes functions of them."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import walk
from pypto_lsp.verifiers.printed_examples import SHAPE, printed
from pypto_lsp.verifiers.rule import Rule, RuleContext

_EXP = f"    t: pl.Tensor[{SHAPE}] = pl.tensor.exp(x)"


class ClusterOutlined(Rule):
    """
    ## What it does
    Finds a cluster or SPMD scope in a function that is neither Group nor Spmd.

    ## Why is this bad
    OutlineClusterScopes makes a function of each; later passes do not look into such a scope.

    ## Fix
    In a dump: restore the call of the outlined function.
    """

    rule_name = "ClusterOutlined"
    ir_property = "ClusterOutlined"
    codes = {0: "a cluster or SPMD scope is left"}
    stage = "OutlineClusterScopes"
    on_dsl = False
    VALID = (printed("return o", func_type="Orchestration"),)
    INVALID = (printed("⟦with pl.cluster():⟧", _EXP, "return o", func_type="Orchestration"),)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if function.func_type in ("Group", "Spmd"):
            return
        for stmt in walk(function.body or ()):
            if isinstance(stmt, (ir.ClusterScope, ir.SpmdScope)):
                word = "cluster" if isinstance(stmt, ir.ClusterScope) else "SPMD"
                yield from self.finding(
                    0, stmt.span, f"this {word} scope should be a function of its own at this stage", function=function,
                    subject=stmt,
                )  # fmt: skip
