"""Scopes above the core-group after the pass that makes functions of them."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import walk
from pypto_lsp.verifiers.printed_examples import SHAPE, printed
from pypto_lsp.verifiers.rule import Rule, RuleContext

_EXP = f"    t: pl.Tensor[{SHAPE}] = pl.tensor.exp(x)"


class HierarchyOutlined(Rule):
    """
    ## What it does
    Finds a scope of a level above the core-group in an Opaque function.

    ## Why is this bad
    OutlineHierarchyScopes makes a function of each; later passes do not look into such a scope.

    ## Fix
    In a dump: restore the call of the outlined function.
    """

    rule_name = "HierarchyOutlined"
    ir_property = "HierarchyOutlined"
    codes = {0: "a scope of a higher level is left"}
    stage = "OutlineHierarchyScopes"
    on_dsl = False
    VALID = (printed("return o", func_type="Opaque"),)
    INVALID = (printed("⟦with pl.at(level=pl.Level.CHIP):⟧", _EXP, "return o", func_type="Opaque"),)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if function.func_type != "Opaque":
            return
        for stmt in walk(function.body or ()):
            if isinstance(stmt, ir.HierarchyScope):
                yield from self.finding(
                    0, stmt.span, f"this {stmt.level} scope should be a function of its own at this stage", function=function,
                    subject=stmt,
                )  # fmt: skip
