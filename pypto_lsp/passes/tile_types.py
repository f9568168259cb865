"""Types of tiles that tensors become: the same extents and valid region, in a memory space."""

from __future__ import annotations

from collections.abc import Sequence

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import Dim, const_value
from pypto_lsp.ir.dtypes import FP32, INT32, DType
from pypto_lsp.ir.tile_views import tile_type, valid_of
from pypto_lsp.ir.types import TENSORS, UNDETERMINED, TensorType, TileType, Type
from pypto_lsp.ops.regions import WindowRead, read_region, valid_region
from pypto_lsp.ops.registry import OpFault

#: operators whose result lies where their first tile operand lies
INHERITING = frozenset(
    {"slice", "reshape", "reinterpret_view", "transpose", "transpose_view", "assemble", "set_validshape",
     "tget_scale_addr", "gather_row"}
)  # fmt: skip
#: operators that say with ``target_memory`` where their result lies
RETARGETABLE = frozenset({"create", "load", "move", "extract", "mgather"})
_MATRIX_PRODUCTS = ("matmul", "batch_matmul", "gemv")

Shape = tuple[Dim, ...]


def is_matrix_product(name: str) -> bool:
    """Whether an operator computes on the cube core into Acc."""
    return name.startswith(_MATRIX_PRODUCTS)


def loaded(source: Type, offsets: Shape, window: Shape, requested: Shape, memory: str, *, clamp: bool = False) -> Type:
    """The tile that a load of a window makes."""
    if not isinstance(source, TENSORS) or source.dtype is None:
        return UNDETERMINED
    region = valid_region(source)
    valid: Shape = requested or window
    if (
        source.shape is not None
        and region is not None
        and len(source.shape) == len(region) == len(window) == len(offsets)
    ):
        try:
            valid = read_region(WindowRead(source.shape, region, offsets, window, requested, clamp=clamp))
        except OpFault:
            return UNDETERMINED
    return tile_type(source.dtype, window, memory, valid=valid)


def loaded_whole(source: Type, memory: str) -> Type:
    """The tile that a load of a whole tensor makes."""
    if not isinstance(source, TENSORS) or source.shape is None:
        return UNDETERMINED
    return loaded(source, (0,) * len(source.shape), source.shape, (), memory)


def tile_of(type_: Type, memory: str, dtype: DType | None = None) -> Type:
    """The tile that stands for a computed tensor; ``dtype`` where the tile's differs."""
    if not isinstance(type_, TENSORS) or type_.shape is None:
        return UNDETERMINED
    element = dtype or type_.dtype
    if element is None:
        return UNDETERMINED
    valid = type_.view.valid_shape if type_.view is not None else ()
    return tile_type(element, type_.shape, memory, valid=valid or None)


def accumulator_dtype(operand: Type) -> DType | None:
    """The element type in which a matrix product of such operands accumulates."""
    dtype = getattr(operand, "dtype", None)
    return None if dtype is None else FP32 if dtype.is_float else INT32


def transposed(tile: Type) -> Type:
    """A tile with its last two axes swapped, without a move of data."""
    if not isinstance(tile, TileType) or tile.shape is None or len(tile.shape) < 2:
        return UNDETERMINED
    valid = valid_of(tile) or tile.shape
    return tile_type(tile.dtype, _swapped(tile.shape), tile.memory, valid=_swapped(valid))


def _swapped(dims: Sequence[Dim]) -> Shape:
    return (*dims[:-2], dims[-1], dims[-2])


def product_type(result: Type, lhs: Type, rhs: Type) -> Type:
    """The tile of a matrix product: the rows of the left operand that are valid, the columns of the right one."""
    if not isinstance(result, TensorType) or result.shape is None:
        return UNDETERMINED
    dtype = accumulator_dtype(lhs) or accumulator_dtype(rhs)
    if dtype is None:
        return UNDETERMINED
    valid: Shape | None = None
    if isinstance(lhs, TileType) and isinstance(rhs, TileType) and len(result.shape) >= 2:
        rows, cols = valid_of(lhs), valid_of(rhs)
        if rows and cols and len(rows) >= 2 and len(cols) >= 2:
            valid = (*result.shape[:-2], rows[-2], cols[-1])
    return tile_type(dtype, result.shape, "Acc", valid=valid)


def dims_of(expr: ir.Expr | None) -> Shape | None:
    """The extents that a tuple operand lists; None for another operand."""
    if not isinstance(expr, ir.MakeTuple):
        return None
    return tuple(
        e.value if isinstance(e, ir.ConstInt) else e.var if isinstance(e, ir.Read) else e for e in expr.elements
    )


def static_shape(type_: Type) -> tuple[int, ...] | None:
    """The extents of a tile or tensor where all are constant."""
    shape = getattr(type_, "shape", None)
    if shape is None:
        return None
    values = [const_value(dim) for dim in shape]
    return None if any(v is None for v in values) else tuple(values)  # type: ignore[arg-type]
