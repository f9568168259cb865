"""What the rules about loops of one kind share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import ForKind
from pypto_lsp.ir.visit import walk
from pypto_lsp.verifiers.rule import Rule, RuleContext


class LoopKindLeft(Rule):
    """Finds loops of one kind; no rule itself."""

    on_dsl = False
    kind: ClassVar[ForKind]

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        for stmt in walk(function.body or ()):
            if isinstance(stmt, ir.For) and stmt.kind is self.kind:
                yield from self.finding(
                    0,
                    stmt.span,
                    f"no pl.{self.kind.value} loop should be left at this stage",
                    function=function,
                    subject=stmt,
                )


__all__ = ["LoopKindLeft"]
