"""Pipeline loops after the pass that makes plain loops of them."""

from __future__ import annotations

from pypto_lsp.ir.enums import ForKind
from pypto_lsp.verifiers.loop_kind_left import LoopKindLeft
from pypto_lsp.verifiers.printed_examples import SHAPE, printed

_EXP = f"    t: pl.Tensor[{SHAPE}] = pl.tensor.exp(x)"


class PipelineResolved(LoopKindLeft):
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
