"""Pipeline and unrolled loops after the passes that lower them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import ForKind
from pypto_lsp.ir.visit import walk
from pypto_lsp.verifiers.printed_examples import SHAPE, printed
from pypto_lsp.verifiers.rule import Rule, RuleContext

_EXP = f"    t: pl.Tensor[{SHAPE}] = pl.tensor.exp(x)"


class _LoopKindLeft(Rule):
    """Finds loops of one kind."""

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


class PipelineResolved(_LoopKindLeft):
    """
    ## What it does
    Finds a `pl.pipeline` loop that is left.

    ## Why is this bad
    CanonicalizeIOOrder has made a plain loop of each; memory planning would take the stages for one.

    ## Fix
    In a dump: write the loop as `pl.range`.
    """

    rule_name = "PipelineResolved"
    ir_property = "PipelineResolved"
    codes = {0: "a pipeline loop is left"}
    stage = "CanonicalizeIOOrder"
    kind = ForKind.PIPELINE
    VALID = (printed("for i in pl.range(4):", _EXP, "return o"),)
    INVALID = (printed("⟦for i in pl.pipeline(4, stage=2):⟧", _EXP, "return o"),)


class UnrollResolved(_LoopKindLeft):
    """
    ## What it does
    Finds a `pl.unroll` loop that is left.

    ## Why is this bad
    UnrollLoops has replaced each by copies of its body; nothing does it later.

    ## Fix
    In a dump: write the loop as `pl.range`, or its body as often as it runs.
    """

    rule_name = "UnrollResolved"
    ir_property = "UnrollResolved"
    codes = {0: "an unrolled loop is left"}
    stage = "UnrollLoops"
    kind = ForKind.UNROLL
    VALID = (printed("for i in pl.range(4):", _EXP, "return o"),)
    INVALID = (printed("⟦for i in pl.unroll(4):⟧", _EXP, "return o"),)
