"""Scopes of communication domains."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import walk
from pypto_lsp.verifiers.rule import Rule, RuleContext


class CommDomainScopesMaterialized(Rule):
    """
    ## What it does
    Finds a communication domain without window buffers, and a window buffer that belongs to two domains.

    ## Why is this bad
    A domain is set up for its buffers, and each buffer lies in one window.

    ## Fix
    In a dump: correct the scope. In a source this is the compiler's work.
    """

    rule_name = "CommDomainScopesMaterialized"
    ir_property = "CommDomainScopesMaterialized"
    codes = {0: "a communication domain without buffers, or a buffer in two"}
    stage = "MaterializeCommDomainScopes"
    on_dsl = False

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        owned: set[int] = set()
        for stmt in walk(function.body or ()):
            if not isinstance(stmt, ir.CommDomainScope):
                continue
            if not stmt.slots:
                yield from self.finding(
                    0, stmt.span, "this domain has no window buffers", function=function, subject=stmt
                )
            for slot in stmt.slots:
                buffer = slot.var if isinstance(slot, ir.Read) else slot
                if id(buffer) in owned:
                    yield from self.finding(
                        0, slot.span or stmt.span, "this window buffer belongs to another domain already", function=function,
                        subject=stmt,
                    )  # fmt: skip
                owned.add(id(buffer))
