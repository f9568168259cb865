"""Rules that look at functions when the calls of their Inline functions are expanded."""

from __future__ import annotations

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir.nodes import Program
from pypto_lsp.passes.dead_code import without_dead_code
from pypto_lsp.verifiers.rule import Rule, RuleContext


class ExpandedRule(Rule):
    """Base of rules that the compiler runs behind InlineFunctions and Simplify: what never runs is gone by then. A finding in a
    helper is given once, however many functions call it."""

    def verify(self, program: Program, context: RuleContext) -> list[Diagnostic]:
        expanded = context.pipeline.expanded(program)
        found = self._found(expanded, context)
        if context.as_is or not found:
            return found
        return self._found(without_dead_code(expanded), context)

    def _found(self, program: Program, context: RuleContext) -> list[Diagnostic]:
        found: dict[tuple[object, ...], Diagnostic] = {}
        for finding in super().verify(program, context):
            found.setdefault(finding.key(), finding)
        return list(found.values())


__all__ = ["ExpandedRule"]
