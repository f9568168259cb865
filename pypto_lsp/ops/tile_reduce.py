"""Reductions over rows and columns of a tile, and operators that spread a row or column vector over a tile.

A row operator works along the last dimension, a column operator along the first (reference: project docs, tile
operators).
"""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir import arith
from pypto_lsp.ir.arith import const_value, is_exact, prove_le
from pypto_lsp.ir.dtypes import INT32, DType, promote
from pypto_lsp.ir.tile_views import TileLayout, layout_of, settled, valid_of
from pypto_lsp.ir.types import UNDETERMINED, TileType
from pypto_lsp.ops import operands
from pypto_lsp.ops.operands import describe_type
from pypto_lsp.ops.regions import Dims, show_all
from pypto_lsp.ops.registry import OpCall, OpFault, OpResult, Rule
from pypto_lsp.ops.tile_declarations import tile_op, tile_param
from pypto_lsp.ops.tile_operands import check_not_empty, inherited, one_of, optional_tile, wrapped

ROW_MIN_DTYPES = one_of("INT16 INT32 FP16 FP32")
ROW_ADD_DTYPES = one_of("INT8 INT16 INT32 FP16 FP32")
#: bytes of a row-major vector's row in ``row_expand_add``
BLOCK_BYTES = 32


# --- reductions ----------------------------------------------------------------------------------------------------


def row_reduction(ir_op: str, dtype: DType | None = None, *, exact_tmp: bool = False) -> Rule:
    """The last dimension becomes 1; the scratch tile is as large as the tile, or exactly so (``exact_tmp``)."""

    def rule(call: OpCall) -> OpResult:
        tile, tmp = operands.tile(call, "tile"), operands.tile(call, "tmp_tile")
        operands.require_min_rank("tile", tile, 2)
        if tile is None:
            return OpResult(UNDETERMINED, ir_op)
        if tmp is not None:
            _check_scratch(tile, tmp, exact_tmp)
        check_not_empty("tile", valid_of(tile))
        return OpResult(_reduced(tile, dtype, rows=True), ir_op)

    return rule


def _check_scratch(tile: TileType, tmp: TileType, exact: bool) -> None:
    operands.require_same_dtype("tmp_tile", tmp.dtype, "tile", tile.dtype)
    if tile.shape is None or tmp.shape is None:
        return
    operands.require_rank("tmp_tile", tmp, len(tile.shape))
    for axis, (needed, held) in enumerate(zip(tile.shape, tmp.shape, strict=True)):
        fits = arith.may_equal(needed, held) if exact else prove_le(needed, held) is not False
        if not fits:
            reason = f"dimension {axis} of the scratch tile {'differs' if exact else 'is too small'}"
            left, right = describe_type(tmp), describe_type(tile)
            raise OpFault(faults.SHAPE_MISMATCH, "tmp_tile", left=left, right=right, reason=reason, axis=axis)


def _reduced(tile: TileType, dtype: DType | None, *, rows: bool) -> TileType:
    def cut(dims: Dims | None) -> Dims | None:
        if dims is None:
            return None
        return (*dims[:-1], 1) if rows else (1, *dims[1:])

    layout = TileLayout("col_major") if rows else TileLayout()
    return settled(dtype or tile.dtype, cut(tile.shape), "Vec", valid=cut(valid_of(tile)), layout=layout)


def row_min(call: OpCall) -> OpResult:
    result = row_reduction("tile.row_min")(call)
    tile = operands.tile(call, "tile")
    if tile is not None:
        operands.require_dtype("tile", tile.dtype, ROW_MIN_DTYPES)
        layout = layout_of(tile)
        known = tile.shape is not None and all(is_exact(d) for d in tile.shape)
        if known and (layout.blayout, layout.slayout) != ("row_major", "none_box"):
            got = f"{layout.blayout}/{layout.slayout}"
            raise OpFault(faults.WRONG_LAYOUT, "tile", expected="row_major/none_box", got=got)
    return result


def col_reduction(ir_op: str, dtype: DType | None = None) -> Rule:
    """The first dimension becomes 1."""

    def rule(call: OpCall) -> OpResult:
        tile = operands.tile(call, "tile")
        operands.require_min_rank("tile", tile, 2)
        if tile is None:
            return OpResult(UNDETERMINED, ir_op)
        check_not_empty("tile", valid_of(tile))
        return OpResult(_reduced(tile, dtype, rows=False), ir_op)

    return rule


def col_sum(call: OpCall) -> OpResult:
    tile, tmp = operands.tile(call, "tile"), optional_tile(call, "tmp_tile")
    if tile is not None and tmp is not None:
        operands.require_same_dtype("tmp_tile", tmp.dtype, "tile", tile.dtype)
    return col_reduction("tile.col_sum")(call)


def col_position(ir_op: str) -> Rule:
    """The index of a column's extremum; the scratch operand must be there but is not looked at."""
    reduce = col_reduction(ir_op, INT32)

    def rule(call: OpCall) -> OpResult:
        wrapped(call, "tmp_tile")
        return reduce(call)

    return rule


# --- vectors spread over a tile ------------------------------------------------------------------------------------


def row_expand(ir_op: str, first: str = "tile") -> Rule:
    """A column of one value per row, spread over the rows of a tile."""

    def rule(call: OpCall) -> OpResult:
        tile, vector = operands.tile(call, first), operands.tile(call, "row_vec")
        operands.require_min_rank(first, tile, 2)
        operands.require_min_rank("row_vec", vector, 2)
        if vector is not None and vector.shape is not None:
            _check_single_column(vector, vector.shape)
        if tile is None:
            return OpResult(UNDETERMINED, ir_op)
        if vector is not None:
            _check_rows(tile, vector)
        dtype = promote(tile.dtype, vector.dtype if vector else None)
        return OpResult(inherited(tile, dtype=dtype), ir_op)

    return rule


def _check_rows(tile: TileType, vector: TileType) -> None:
    if tile.shape is None or vector.shape is None or not arith.differ(tile.shape[-2], vector.shape[-2]):
        return
    left, right = describe_type(tile), describe_type(vector)
    reason = "the vector needs one value for each row"
    raise OpFault(faults.SHAPE_MISMATCH, "row_vec", left=left, right=right, reason=reason)


def _check_single_column(vector: TileType, shape: Dims) -> None:
    if const_value(shape[-1]) != 1 and is_exact(shape[-1]):
        raise OpFault(
            faults.SHAPE_MISMATCH,
            "row_vec",
            left=describe_type(vector),
            right="[rows, 1]",
            reason="the last dimension of the vector must be 1",
        )


def row_expand_add(call: OpCall) -> OpResult:
    tile, vector = operands.tile(call, "tile"), operands.tile(call, "row_vec")
    optional_tile(call, "tmp")
    operands.require_min_rank("tile", tile, 2)
    operands.require_min_rank("row_vec", vector, 2)
    if tile is None:
        return OpResult(UNDETERMINED, "tile.row_expand_add")
    _check_row_major(tile)
    if vector is not None:
        operands.require_same_dtype("row_vec", vector.dtype, "tile", tile.dtype)
        operands.require_dtype("tile", tile.dtype, ROW_ADD_DTYPES)
        _check_vector_region(tile, vector)
    return OpResult(inherited(tile, dtype=tile.dtype), "tile.row_expand_add")


def _check_row_major(tile: TileType) -> None:
    known = tile.shape is not None and all(is_exact(d) for d in tile.shape)
    if known and layout_of(tile).blayout != "row_major":
        raise OpFault(faults.WRONG_LAYOUT, "tile", expected="row_major", got=layout_of(tile).blayout)


def _check_vector_region(tile: TileType, vector: TileType) -> None:
    """The vector has the tile's valid rows, and one valid column, or a block of 32 bytes where it is row-major."""
    rows, own = valid_of(tile), valid_of(vector)
    if rows is None or own is None or vector.shape is None or vector.dtype is None:
        return
    if not arith.may_equal(rows[-2], own[-2]):
        reason = f"the vector holds data in {show_all(own)}, the tile in {show_all(rows)}: the rows must be equal"
        raise OpFault(faults.VALID_REGION, "row_vec", reason=reason)
    if not all(is_exact(d) for d in vector.shape):
        return
    packed = layout_of(vector).blayout == "row_major"
    columns = BLOCK_BYTES * 8 // vector.dtype.bits if packed else 1
    if not arith.may_equal(own[-1], columns):
        form = "row-major" if packed else "column"
        reason = f"a {form} vector must hold data in {columns} column(s), this one in {show_all(own)}"
        raise OpFault(faults.VALID_REGION, "row_vec", reason=reason)


def col_expand(ir_op: str, first: str = "tile") -> Rule:
    """A row of one value per column, spread over the columns of a tile; the vector's shape is not looked at."""

    def rule(call: OpCall) -> OpResult:
        tile, vector = operands.tile(call, first), operands.tile(call, "col_vec")
        if tile is None:
            return OpResult(UNDETERMINED, ir_op)
        return OpResult(inherited(tile, dtype=promote(tile.dtype, vector.dtype if vector else None)), ir_op)

    return rule


# --- declarations --------------------------------------------------------------------------------------------------

_TILE = (tile_param("tile"),)
_WITH_TMP = (*_TILE, tile_param("tmp_tile"))
_ROW = (*_TILE, tile_param("row_vec"))
_COL = (*_TILE, tile_param("col_vec"))

_REDUCTIONS = (
    tile_op("row_sum", _WITH_TMP, row_reduction("tile.row_sum"), "Sum of each row.", usage=7),
    tile_op("row_max", _WITH_TMP, row_reduction("tile.row_max"), "Maximum of each row.", usage=1),
    tile_op("row_min", _WITH_TMP, row_min, "Minimum of each row."),
    tile_op("row_prod", _WITH_TMP, row_reduction("tile.row_prod"), "Product of each row."),
    tile_op(
        "row_argmax", _WITH_TMP, row_reduction("tile.row_argmax", INT32, exact_tmp=True),
        "Column of the maximum of each row.",
    ),
    tile_op(
        "row_argmin", _WITH_TMP, row_reduction("tile.row_argmin", INT32, exact_tmp=True),
        "Column of the minimum of each row.",
    ),
    tile_op(
        "col_sum", (*_TILE, tile_param("tmp_tile", required=False)), col_sum,
        "Sum of each column; a scratch tile selects the tree form.",
    ),
    tile_op("col_max", _TILE, col_reduction("tile.col_max"), "Maximum of each column."),
    tile_op("col_min", _TILE, col_reduction("tile.col_min"), "Minimum of each column."),
    tile_op("col_prod", _TILE, col_reduction("tile.col_prod"), "Product of each column."),
    tile_op("col_argmax", _WITH_TMP, col_position("tile.col_argmax"), "Row of the maximum of each column."),
    tile_op("col_argmin", _WITH_TMP, col_position("tile.col_argmin"), "Row of the minimum of each column."),
)  # fmt: skip

_EXPANSIONS = (
    tile_op(
        "row_expand", (tile_param("target"), tile_param("row_vec")), row_expand("tile.row_expand", "target"),
        "Fill each row of a tile shaped like the target with the row's value.",
    ),
    tile_op(
        "row_expand_add", (*_ROW, tile_param("tmp", required=False)), row_expand_add,
        "Add to each row its own value.",
    ),
    tile_op("row_expand_sub", _ROW, row_expand("tile.row_expand_sub"), "Subtract from each row its value.", usage=1),
    tile_op("row_expand_mul", _ROW, row_expand("tile.row_expand_mul"), "Multiply each row by its value.", usage=10),
    tile_op("row_expand_div", _ROW, row_expand("tile.row_expand_div"), "Divide each row by its value.", usage=2),
    tile_op("row_expand_max", _ROW, row_expand("tile.row_expand_max"), "The larger of an element and its row value."),
    tile_op("row_expand_min", _ROW, row_expand("tile.row_expand_min"), "The smaller of an element and its row value."),
    tile_op(
        "row_expand_expdif", _ROW, row_expand("tile.row_expand_expdif"),
        "Raise e to each element less its row's value.",
    ),
    tile_op(
        "col_expand", (tile_param("target"), tile_param("col_vec")), col_expand("tile.col_expand", "target"),
        "Fill each column of a tile shaped like the target with the column's value.",
    ),
    tile_op("col_expand_add", _COL, col_expand("tile.col_expand_add"), "Add to each column its value."),
    tile_op("col_expand_sub", _COL, col_expand("tile.col_expand_sub"), "Subtract from each column its value."),
    tile_op("col_expand_mul", _COL, col_expand("tile.col_expand_mul"), "Multiply each column by its value.", usage=14),
    tile_op("col_expand_div", _COL, col_expand("tile.col_expand_div"), "Divide each column by its value."),
    tile_op(
        "col_expand_max", _COL, col_expand("tile.col_expand_max"), "The larger of each element and its column's value."
    ),
    tile_op(
        "col_expand_min", _COL, col_expand("tile.col_expand_min"), "The smaller of each element and its column's value."
    ),
    tile_op(
        "col_expand_expdif", _COL, col_expand("tile.col_expand_expdif"),
        "Raise e to each element less its column's value.",
    ),
)  # fmt: skip

OPERATORS = (*_REDUCTIONS, *_EXPANSIONS)
