"""Views of tiles and tensors: the implicit layout of each memory space and the canonical form of an explicit view.

A canonical view holds only what differs from the implicit one, so that equal types are equal objects: a full valid region is
left out, a layout field equal to that of the memory space is None, and a view that says nothing is no view at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pypto_lsp.ir.arith import Dim, const_value, same_dims
from pypto_lsp.ir.dtypes import DType
from pypto_lsp.ir.types import MemRef, TensorView, TileType, TileView


@dataclass(frozen=True, slots=True)
class TileLayout:
    """How a tile lies in memory: the order of its blocks, the order within a block (``none_box`` without blocks), and the
    size of a block in bytes."""

    blayout: str = "row_major"
    slayout: str = "none_box"
    fractal: int = 512


_BOXED = {
    "Mat": TileLayout("col_major", "row_major"),
    "Left": TileLayout("col_major", "row_major"),
    "Acc": TileLayout("col_major", "row_major", 1024),
    "LeftScale": TileLayout("row_major", "row_major", 32),
    "RightScale": TileLayout("col_major", "col_major", 32),
}


def implicit_layout(shape: Sequence[Dim] | None, memory: str | None) -> TileLayout:
    """The layout that a tile of this shape has in a memory space when nothing else is said.

    A column (constant ``[N, 1]`` with N above 1) lies column by column where the space does not prescribe blocks.
    """
    if memory in _BOXED:
        return _BOXED[memory]
    column = False
    if shape is not None and len(shape) == 2:
        rows, cols = const_value(shape[0]), const_value(shape[1])
        column = cols == 1 and rows is not None and rows > 1
    blocks = "col_major" if column else "row_major"
    return TileLayout(blocks, "col_major" if memory == "Right" else "none_box")


def layout_of(tile: TileType) -> TileLayout:
    """The effective layout of a tile."""
    implicit = implicit_layout(tile.shape, tile.memory)
    view = tile.view
    if view is None:
        return implicit
    return TileLayout(
        view.blayout or implicit.blayout,
        view.slayout or implicit.slayout,
        implicit.fractal if view.fractal is None else view.fractal,
    )


def valid_of(tile: TileType) -> tuple[Dim, ...] | None:
    """The valid region of a tile, its whole shape where it names none; None when the rank is not known."""
    return tile.view.valid_shape if tile.view is not None and tile.view.valid_shape else tile.shape


def tile_type(
    dtype: DType | None,
    shape: Sequence[Dim] | None,
    memory: str | None = None,
    *,
    valid: Sequence[Dim] | None = None,
    layout: TileLayout | None = None,
    stride: Sequence[Dim] = (),
    start_offset: Any = None,
    pad: str = "null",
    compact: str = "null",
    memref: MemRef | None = None,
) -> TileType:
    """A tile type with its view in canonical form. ``layout`` None is the implicit one of the memory space."""
    extents = None if shape is None else tuple(shape)
    region = () if valid is None or (extents is not None and same_dims(valid, extents)) else tuple(valid)
    implicit = implicit_layout(extents, memory)
    own = layout or implicit
    view = TileView(
        valid_shape=region,
        stride=tuple(stride),
        start_offset=start_offset,
        blayout=None if own.blayout == implicit.blayout else own.blayout,
        slayout=None if own.slayout == implicit.slayout else own.slayout,
        fractal=None if own.fractal == implicit.fractal else own.fractal,
        pad=pad,
        compact=compact,
    )
    return TileType(dtype, extents, memory, None if view == TileView() else view, memref)


def settled(
    dtype: DType | None,
    shape: Sequence[Dim] | None,
    memory: str | None,
    *,
    valid: Sequence[Dim] | None = None,
    layout: TileLayout | None = None,
    pad: str = "null",
    compact: str = "null",
) -> TileType:
    """A result whose memory space is filled in after its view was made.

    A view that says nothing where no space is known takes on the layout of the space; any other view keeps its layout.
    """
    flat = tile_type(dtype, shape, None, valid=valid, layout=layout, pad=pad, compact=compact)
    if flat.view is None:
        return tile_type(dtype, shape, memory)
    return tile_type(dtype, shape, memory, valid=valid, layout=layout or layout_of(flat), pad=pad, compact=compact)


def tensor_view(
    shape: Sequence[Dim] | None,
    *,
    valid: Sequence[Dim] | None = None,
    stride: Sequence[Dim] = (),
    layout: str = "ND",
    pad: str = "null",
) -> TensorView | None:
    """A tensor's view in canonical form: None when it says nothing."""
    region = () if valid is None or (shape is not None and same_dims(valid, shape)) else tuple(valid)
    view = TensorView(region, tuple(stride), layout, pad)
    return None if view == TensorView() else view
