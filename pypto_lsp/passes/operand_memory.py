"""The cube core's memory for operands: what the pieces that matrix products are computed from need of Left and Right.

An operand lies in its buffer as one piece, or, when a product is computed step by step along K, in two buffers in turn. Products
share buffers, but a buffer is never divided: a large operand of one product and the two pieces of another need the large buffer and
one more. Reference: AutoTileMatmulL0 and memory planning in the pass documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pypto_lsp.backends import Backend
from pypto_lsp.ir.types import TileType
from pypto_lsp.passes.matmul_tiling import Product, matrix_products
from pypto_lsp.passes.memory import buffers_needed, tile_bytes
from pypto_lsp.passes.tile_kernels import TileKernel

SPACES = ("Left", "Right")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a product's operand that has a buffer of its own, with its bytes."""

    product: Product
    size: int


@dataclass(frozen=True, slots=True)
class OperandUse:
    """The least that a kernel's products need of ``Left`` or ``Right``: a buffer for each of the ``pieces``, the largest first."""

    space: str
    limit: int
    pieces: tuple[Piece, ...]

    @property
    def needed(self) -> int:
        return sum(piece.size for piece in self.pieces)


def operand_uses(kernel: TileKernel, backend: Backend) -> Iterator[OperandUse]:
    """What the products of a kernel need of each operand space; products whose pieces are not known are left out."""
    products = [product for product in matrix_products(kernel, backend) if product.tile is not None]
    for space in SPACES:
        together = [_pieces(product, space, backend) for product in products]
        pieces = buffers_needed(together, lambda piece: piece.size)
        if pieces:
            yield OperandUse(space, backend.memory[space], tuple(pieces))


def _pieces(product: Product, space: str, backend: Backend) -> list[Piece]:
    """The pieces of one operand that are there at the same time."""
    tile = product.tile
    assert tile is not None
    steps = (tile.depth, min(tile.depth, product.depth - tile.depth))
    shapes = [(tile.rows, step) if space == "Left" else (step, tile.columns) for step in steps if step > 0]
    dtype = (product.lhs if space == "Left" else product.rhs).dtype
    sizes = (tile_bytes(TileType(dtype, shape), space, backend) for shape in shapes)
    return [Piece(product, size) for size in sizes if size is not None]
