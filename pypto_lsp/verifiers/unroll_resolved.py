"""Unrolled loops after the pass that copies their bodies."""

from __future__ import annotations

from pypto_lsp.ir.enums import ForKind
from pypto_lsp.verifiers.loop_kind_left import LoopKindLeft
from pypto_lsp.verifiers.printed_examples import SHAPE, printed

_EXP = f"    t: pl.Tensor[{SHAPE}] = pl.tensor.exp(x)"


class UnrollResolved(LoopKindLeft):
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
