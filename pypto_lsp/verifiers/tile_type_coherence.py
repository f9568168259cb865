"""Tile types with a view that says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.tile_views import implicit_layout, layout_of
from pypto_lsp.ir.types import TileType, TileView
from pypto_lsp.verifiers.printed_examples import printed
from pypto_lsp.verifiers.rule import Rule, RuleContext
from pypto_lsp.verifiers.typed_values import parts, typed_values


class TileTypeCoherence(Rule):
    """
    ## What it does
    Finds a tile type with an explicit view that equals the one its memory space has anyway. The reader of printed IR leaves
    such a view out, so this only arises in IR that is built by hand.

    ## Why is this bad
    Two equal types would not be equal as structures.

    ## Fix
    Leave the view out.
    """

    rule_name = "TileTypeCoherence"
    ir_property = "TileTypeCoherence"
    codes = {1: "a tile's view says nothing"}
    stage = "on demand"
    on_dsl = False
    VALID = (printed("return o"),)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        for name, type_, span in typed_values(function):
            if any(isinstance(part, TileType) and says_nothing(part) for part in parts(type_)):
                yield from self.finding(
                    1, span, f"the view of {name} says nothing; leave it out", function=function, subject=type_
                )


def says_nothing(tile: TileType) -> bool:
    """Whether a tile has an explicit view that equals its implicit one."""
    view = tile.view
    if view is None or tile.shape is None:
        return False
    whole = not view.valid_shape or view.valid_shape == tile.shape
    rest = (
        TileView(start_offset=view.start_offset, stride=view.stride, pad=view.pad, compact=view.compact) == TileView()
    )
    return whole and rest and layout_of(tile) == implicit_layout(tile.shape, tile.memory)
