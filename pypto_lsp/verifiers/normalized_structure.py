"""Statement lists in normal form."""

from __future__ import annotations

from pypto_lsp.verifiers.printed_examples import SHAPE, printed
from pypto_lsp.verifiers.redundant_blocks import NoRedundantBlocks

_LOOP = "for i, (s,) in pl.range(0, 4, 1, init_values=(x,)):"
_YIELD = f"r: pl.Tensor[{SHAPE}] = pl.yield_(s)"


class NormalizedStmtStructure(NoRedundantBlocks):
    """
    ## What it does
    Finds a yield with statements after it. Lists of statements inside others, the other thing that the compiler's verifier
    looks for, cannot be written down, neither in a source nor in printed IR.

    ## Why is this bad
    Passes take the last statement of a body for its yield.

    ## Fix
    Move the yield to the end of the body.
    """

    rule_name = "NormalizedStmtStructure"
    ir_property = "NormalizedStmtStructure"
    codes = {0: "statements after a yield"}
    stage = "NormalizeStmtStructure"
    on_dsl = False
    VALID = (printed(_LOOP, f"    {_YIELD}", "return r"),)
    INVALID = (
        printed(
            _LOOP,
            f"    r: pl.Tensor[{SHAPE}] = pl.yield_(s)",
            "    ⟦q: pl.Scalar[pl.INDEX] = 3⟧",
            "return r",
        ),
    )
