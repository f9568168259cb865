"""Matrix products of tiles: plain, accumulated, with a bias, of a vector, of batches, and of micro-scaled operands.

A product lies in Acc; its valid region is the rows of the left operand that hold data by the columns of the right one
(reference: project docs, tile operators; ISA tmatmul).
"""

from __future__ import annotations

from dataclasses import dataclass

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.arith import Dim, const_value, differ, is_exact, prove_equal, prove_le
from pypto_lsp.ir.dtypes import DTYPES, FP32, INT32, DType
from pypto_lsp.ir.tile_views import TileLayout, implicit_layout, settled, tile_type, valid_of
from pypto_lsp.ir.types import TileType
from pypto_lsp.ops import operands
from pypto_lsp.ops.declare import optional
from pypto_lsp.ops.operands import describe_type
from pypto_lsp.ops.regions import Dims, all_exact, broadcast, provably_equal, show, show_all
from pypto_lsp.ops.registry import OpCall, OpFault, OpResult, Param
from pypto_lsp.ops.tensor_matmul import check_predicate
from pypto_lsp.ops.tile_declarations import tile_op, tile_param
from pypto_lsp.ops.tile_operands import compact_of, one_of, unlike, word

GEMV_DTYPES = one_of("INT8 FP16 BF16 FP32")
GEMV_PHASES = ("unspecified", "partial", "final")
#: rows of the accumulator of a vector's product
GEMV_ROWS = 16
MX_DTYPE = DTYPES["FP8E4M3FN"]
MX_SCALE = DTYPES["FP8E8M0"]
#: elements that share a scale
MX_GROUP = 32
_ACC = implicit_layout(None, "Acc")


def _open(dtype: DType | None = None) -> TileType:
    """A product of which only the element type can be told."""
    return TileType(dtype, None, "Acc")


def _mismatch(param: str, left: TileType, right: TileType, reason: str) -> OpFault:
    words, other = describe_type(left), describe_type(right)
    return OpFault(faults.SHAPE_MISMATCH, param, left=words, right=other, reason=reason)


def _check_inner(lhs: TileType, rhs: TileType) -> None:
    """The columns of the left operand are the rows of the right one."""
    if lhs.shape is not None and rhs.shape is not None and differ(lhs.shape[-1], rhs.shape[-2]):
        reason = f"the inner extents differ ({show(lhs.shape[-1])} columns, {show(rhs.shape[-2])} rows)"
        raise _mismatch("lhs", lhs, rhs, reason)


# --- plain products ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Product:
    """Extents, valid region and accumulator type of a product; shape and region are None where a rank is not known."""

    shape: Dims | None
    valid: Dims | None
    dtype: DType | None

    def type(self) -> TileType:
        if self.shape is None or self.valid is None:
            return _open(self.dtype)
        full = provably_equal(self.valid[0], self.shape[0]) or not is_exact(self.valid[0])
        compact = "null" if full else "normal"
        return tile_type(self.dtype, self.shape, "Acc", valid=self.valid, layout=_ACC, compact=compact)


def _accumulator(lhs: TileType | None, rhs: TileType | None) -> DType | None:
    """Element type in which a product is summed up."""
    dtype = next((t.dtype for t in (lhs, rhs) if t is not None and t.dtype is not None), None)
    if dtype is None:
        return None
    return FP32 if dtype.is_float else INT32


def _product(call: OpCall) -> Product:
    lhs, rhs = operands.tile(call, "lhs"), operands.tile(call, "rhs")
    operands.require_rank("lhs", lhs, 2)
    operands.require_rank("rhs", rhs, 2)
    if lhs is None or rhs is None:
        return Product(None, None, _accumulator(lhs, rhs))
    _check_inner(lhs, rhs)
    operands.require_same_dtype("lhs", lhs.dtype, "rhs", rhs.dtype)
    left, right = valid_of(lhs), valid_of(rhs)
    if lhs.shape is None or rhs.shape is None or left is None or right is None:
        return Product(None, None, _accumulator(lhs, rhs))
    if prove_le(left[1], right[0]) is False:
        reason = f"'lhs' holds {show(left[1])} valid columns, more than the {show(right[0])} valid rows of 'rhs'"
        raise OpFault(faults.VALID_REGION, "lhs", reason=reason)
    return Product((lhs.shape[0], rhs.shape[1]), (left[0], right[1]), _accumulator(lhs, rhs))


def matmul(call: OpCall) -> OpResult:
    return OpResult(_product(call).type(), "tile.matmul")


def matmul_acc(call: OpCall) -> OpResult:
    check_predicate(call)
    acc, product = operands.tile(call, "acc"), _product(call)
    operands.require_rank("acc", acc, 2)
    if acc is None:
        return OpResult(_open(product.dtype), "tile.matmul_acc")
    _check_accumulator(acc, product)
    _check_sum_dtype("acc", acc, product.dtype)
    if acc.shape is None:
        return OpResult(_open(product.dtype), "tile.matmul_acc")
    result = tile_type(
        product.dtype or acc.dtype, acc.shape, "Acc", valid=valid_of(acc), layout=_ACC, compact=compact_of(acc)
    )
    return OpResult(result, "tile.matmul_acc")


def _check_accumulator(acc: TileType, product: Product) -> None:
    held = valid_of(acc)
    if acc.shape is None or product.shape is None or product.valid is None or held is None:
        return
    for axis, name in enumerate(("rows", "columns")):
        if differ(acc.shape[axis], product.shape[axis]):
            reason = f"the product has {show(product.shape[axis])} {name}"
            raise _mismatch("acc", acc, TileType(product.dtype, product.shape, "Acc"), reason)
    for axis, name in enumerate(("rows", "columns")):
        if prove_le(product.valid[axis], held[axis]) is False:
            reason = f"'acc' holds {show(held[axis])} valid {name}, the product {show(product.valid[axis])}"
            raise OpFault(faults.VALID_REGION, "acc", reason=reason)


def _check_sum_dtype(name: str, tile: TileType, dtype: DType | None) -> None:
    if tile.dtype is not None and dtype is not None and tile.dtype is not dtype:
        raise OpFault(
            faults.WRONG_DTYPE, name, expected=f"{dtype.name} (the accumulator of these operands)", got=tile.dtype.name
        )


def matmul_bias(call: OpCall) -> OpResult:
    return OpResult(_biased(call).type(), "tile.matmul_bias")


def _biased(call: OpCall) -> Product:
    product, bias = _product(call), operands.tile(call, "bias")
    operands.require_rank("bias", bias, 2)
    if bias is None:
        return product
    held = valid_of(bias)
    if bias.shape is not None and held is not None:
        if const_value(bias.shape[0]) != 1 and is_exact(bias.shape[0]):
            raise OpFault(faults.WRONG_VALUE, "bias", reason="must be one row [1, N]", got=show_all(bias.shape))
        if prove_le(1, held[0]) is False:
            raise OpFault(faults.VALID_REGION, "bias", reason="'bias' holds no valid row")
        if product.shape is not None and product.valid is not None:
            _check_bias_columns(bias, bias.shape[1], held[1], product.shape[1], product.valid[1])
    _check_sum_dtype("bias", bias, product.dtype)
    return product


def _check_bias_columns(bias: TileType, columns: Dim, held: Dim, wanted: Dim, valid: Dim) -> None:
    if differ(columns, wanted):
        reason = f"must have a value for each of the {show(wanted)} columns"
        raise OpFault(faults.WRONG_VALUE, "bias", reason=reason, got=describe_type(bias))
    if prove_le(valid, held) is False:
        reason = f"'bias' holds {show(held)} valid columns, the product {show(valid)}"
        raise OpFault(faults.VALID_REGION, "bias", reason=reason)


# --- products of one row -------------------------------------------------------------------------------------------


def gemv(call: OpCall) -> OpResult:
    word(call, "acc_phase", GEMV_PHASES, GEMV_PHASES[0])
    product = _product(call)
    return OpResult(_row_product(call, product), "tile.gemv")


def _row_product(call: OpCall, product: Product) -> TileType:
    """The accumulator of a row's product: 16 rows, of which the first holds data."""
    lhs = operands.tile(call, "lhs")
    operands.require_dtype("lhs", lhs.dtype if lhs else None, GEMV_DTYPES)
    if lhs is not None and lhs.shape is not None:
        if const_value(lhs.shape[0]) != 1 and is_exact(lhs.shape[0]):
            raise OpFault(faults.WRONG_VALUE, "lhs", reason="must be one row [1, K]", got=show_all(lhs.shape))
        rows = (valid_of(lhs) or lhs.shape)[0]
        if prove_equal(rows, 1) is not True and is_exact(rows):
            raise OpFault(faults.VALID_REGION, "lhs", reason=f"'lhs' holds {show(rows)} valid rows instead of 1")
    if product.shape is None or product.valid is None:
        return _open(product.dtype)
    shape = (GEMV_ROWS, product.shape[1])
    return settled(product.dtype, shape, "Acc", valid=product.valid, layout=TileLayout("col_major", "row_major", 1024))


def gemv_acc(call: OpCall) -> OpResult:
    word(call, "acc_phase", GEMV_PHASES, GEMV_PHASES[0])
    acc = operands.tile(call, "acc")
    operands.require_rank("acc", acc, 2)
    result = _row_product(call, _product(call))
    if acc is None:
        return OpResult(result, "tile.gemv_acc")
    if unlike(acc.shape, result.shape):
        raise _mismatch("acc", acc, result, "the accumulator of a row's product has 16 rows")
    _check_sum_dtype("acc", acc, result.dtype)
    held, wanted = valid_of(acc), valid_of(result)
    if held is None or wanted is None or not all_exact(held, wanted):
        return OpResult(result, "tile.gemv_acc")
    if any(prove_equal(a, b) is not True for a, b in zip(held, wanted, strict=True)):
        reason = f"'acc' holds data in {show_all(held)}, the product in {show_all(wanted)}"
        raise OpFault(faults.VALID_REGION, "acc", reason=reason)
    return OpResult(result, "tile.gemv_acc")


def gemv_bias(call: OpCall) -> OpResult:
    word(call, "acc_phase", GEMV_PHASES, GEMV_PHASES[0])
    product = _biased(call)
    bias = operands.tile(call, "bias")
    lhs = operands.tile(call, "lhs")
    operands.require_dtype("lhs", lhs.dtype if lhs else None, GEMV_DTYPES)
    held = valid_of(bias) if bias is not None else None
    if held is not None and is_exact(held[0]) and prove_equal(held[0], 1) is not True:
        raise OpFault(faults.VALID_REGION, "bias", reason=f"'bias' holds {show(held[0])} valid rows instead of 1")
    return OpResult(_row_product(call, product), "tile.gemv_bias")


# --- batches -------------------------------------------------------------------------------------------------------


def _batch(call: OpCall) -> tuple[Dims | None, DType | None]:
    """Extents and accumulator type of the products of two batches."""
    lhs, rhs = operands.tile(call, "lhs"), operands.tile(call, "rhs")
    operands.require_min_rank("lhs", lhs, 2)
    operands.require_min_rank("rhs", rhs, 2)
    dtype = _accumulator(lhs, rhs)
    if lhs is None or rhs is None:
        return None, dtype
    shape: Dims | None = None
    _check_inner(lhs, rhs)
    if lhs.shape is not None and rhs.shape is not None:
        outer = TileType(lhs.dtype, lhs.shape[:-2]), TileType(rhs.dtype, rhs.shape[:-2])
        shape = (*(broadcast(*outer, "rhs") or ()), lhs.shape[-2], rhs.shape[-1])
    operands.require_same_dtype("lhs", lhs.dtype, "rhs", rhs.dtype)
    return shape, dtype


def batch_matmul(call: OpCall) -> OpResult:
    shape, dtype = _batch(call)
    result = _open(dtype) if shape is None else tile_type(dtype, shape, "Acc", layout=_ACC)
    return OpResult(result, "tile.batch_matmul")


def batch_matmul_acc(call: OpCall) -> OpResult:
    acc, (shape, dtype) = operands.tile(call, "acc"), _batch(call)
    operands.require_min_rank("acc", acc, 2)
    if acc is None or acc.shape is None:
        return OpResult(_open(dtype), "tile.batch_matmul_acc")
    if shape is not None:
        product = TileType(dtype, shape, "Acc")
        if len(shape) != len(acc.shape):
            raise _mismatch("acc", acc, product, "the ranks differ")
        axis = next((i for i, (a, b) in enumerate(zip(acc.shape, shape, strict=True)) if differ(a, b)), None)
        if axis is not None:
            raise _mismatch("acc", acc, product, f"dimension {axis}")
    _check_sum_dtype("acc", acc, dtype)
    result = tile_type(dtype or acc.dtype, acc.shape, "Acc", layout=_ACC)
    return OpResult(result, "tile.batch_matmul_acc")


# --- micro-scaled operands -----------------------------------------------------------------------------------------


def _multiple(name: str, tile: TileType, axis: int, of: int) -> None:
    value = const_value(tile.shape[axis]) if tile.shape is not None else None
    if value is not None and (value <= 0 or value % of):
        reason = f"needs an extent in dimension {axis} that is a multiple of {of}"
        raise OpFault(faults.WRONG_VALUE, name, reason=reason, got=describe_type(tile))


def _mx_product(call: OpCall) -> Product:
    lhs, rhs = operands.tile(call, "lhs"), operands.tile(call, "rhs")
    left_scale, right_scale = operands.tile(call, "lhs_scale"), operands.tile(call, "rhs_scale")
    for name, tile in (("lhs", lhs), ("rhs", rhs)):
        operands.require_rank(name, tile, 2)
    for name, tile in (("lhs", lhs), ("rhs", rhs)):
        operands.require_dtype(name, tile.dtype if tile else None, (MX_DTYPE,))
    if lhs is not None and rhs is not None:
        _check_mx_extents(lhs, rhs)
    if lhs is not None and lhs.shape is not None:
        check_scale("lhs_scale", left_scale, lhs, contracted=1)
    if rhs is not None and rhs.shape is not None:
        check_scale("rhs_scale", right_scale, rhs, contracted=0)
    left, right = valid_of(lhs) if lhs else None, valid_of(rhs) if rhs else None
    if lhs is None or rhs is None or lhs.shape is None or rhs.shape is None or left is None or right is None:
        return Product(None, None, FP32)
    return Product((lhs.shape[0], rhs.shape[1]), (left[0], right[1]), FP32)


def _check_mx_extents(lhs: TileType, rhs: TileType) -> None:
    left, right = valid_of(lhs), valid_of(rhs)
    if lhs.shape is None or rhs.shape is None or left is None or right is None:
        return
    _multiple("lhs", lhs, 0, 16)
    _multiple("rhs", rhs, 1, 32)
    _check_inner(lhs, rhs)
    _multiple("lhs", lhs, 1, 64)
    _multiple("rhs", rhs, 0, 64)
    if differ(left[1], right[0]):
        reason = f"the valid inner extents differ, {show(left[1])} against {show(right[0])}"
        raise OpFault(faults.VALID_REGION, "lhs", reason=reason)
    for name, whole, part in (("lhs", lhs.shape[1], left[1]), ("rhs", rhs.shape[0], right[0])):
        _check_groups(name, const_value(whole), const_value(part))


def _check_groups(name: str, whole: int | None, part: int | None) -> None:
    if part is not None and part <= 0:
        raise OpFault(faults.VALID_REGION, name, reason=f"'{name}' holds no data")
    if whole is not None and part is not None and -(-whole // MX_GROUP) != -(-part // MX_GROUP):
        reason = f"the {part} valid of {whole} inner elements of '{name}' leave groups of {MX_GROUP} without data"
        raise OpFault(faults.VALID_REGION, name, reason=reason)


def check_scale(name: str, scale: TileType | None, data: TileType, contracted: int) -> None:
    """The scale tile has the extents of the data, one scale for each 32 elements along the contracted axis."""
    operands.require_dtype(name, scale.dtype if scale else None, (MX_SCALE,))
    operands.require_rank(name, scale, 2)
    if scale is None or scale.shape is None or data.shape is None:
        return
    wanted = _grouped(data.shape, contracted, scale.shape)
    if unlike(scale.shape, wanted):
        reason = f"one scale for {MX_GROUP} elements makes {show_all(wanted)}"
        raise _mismatch(name, scale, data, reason)
    held, region = valid_of(scale), _grouped(valid_of(data) or data.shape, contracted, wanted)
    if unlike(held, region):
        reason = f"'{name}' holds scales in {show_all(held)}, the data needs {show_all(region)}"
        raise OpFault(faults.VALID_REGION, name, reason=reason)


def _grouped(dims: Dims, contracted: int, otherwise: Dims) -> Dims:
    """Extents with that of the contracted axis counted in groups; a run-time one gives that of ``otherwise``."""
    value = const_value(dims[contracted])
    groups = otherwise[contracted] if value is None else -(-value // MX_GROUP)
    return (dims[0], groups) if contracted else (groups, dims[1])


def matmul_mx(call: OpCall) -> OpResult:
    return OpResult(_mx_product(call).type(), "tile.matmul_mx")


def _check_single(name: str, tile: TileType | None) -> None:
    operands.require_rank(name, tile, 2)
    operands.require_dtype(name, tile.dtype if tile else None, (FP32,))


def matmul_mx_acc(call: OpCall) -> OpResult:
    acc = operands.tile(call, "acc")
    _check_single("acc", acc)
    product = _mx_product(call)
    if acc is not None and unlike(acc.shape, product.shape):
        raise _mismatch("acc", acc, TileType(FP32, product.shape), "the extents differ")
    held = valid_of(acc) if acc is not None else None
    if unlike(held, product.valid):
        reason = f"'acc' holds data in {show_all(held)}, the product in {show_all(product.valid)}"
        raise OpFault(faults.VALID_REGION, "acc", reason=reason)
    return OpResult(product.type(), "tile.matmul_mx_acc")


def matmul_mx_bias(call: OpCall) -> OpResult:
    bias = operands.tile(call, "bias")
    _check_single("bias", bias)
    product = _mx_product(call)
    held = valid_of(bias) if bias is not None else None
    if bias is not None and bias.shape is not None and held is not None:
        if differ(bias.shape[0], 1):
            raise OpFault(faults.WRONG_VALUE, "bias", reason="must be one row [1, N]", got=show_all(bias.shape))
        if differ(held[0], 1):
            raise OpFault(faults.VALID_REGION, "bias", reason=f"'bias' holds {show(held[0])} valid rows instead of 1")
        if product.shape is not None and product.valid is not None:
            wanted, valid = product.shape[1], product.valid[1]
            if differ(bias.shape[1], wanted) or differ(held[1], valid):
                reason = f"must have a value for each of the {show(valid)} columns"
                raise OpFault(faults.WRONG_VALUE, "bias", reason=reason, got=describe_type(bias))
    return OpResult(product.type(), "tile.matmul_mx_bias")


# --- declarations --------------------------------------------------------------------------------------------------


def _tiles(names: str) -> tuple[Param, ...]:
    return tuple(tile_param(name) for name in names.split())


_PHASE = optional("acc_phase", "str", '"unspecified"', attribute=True, allowed=tuple(f'"{p}"' for p in GEMV_PHASES))
_INIT = optional("init_cond", "bool | Scalar | None")


_PRODUCTS = (
    tile_op("matmul", _tiles("lhs rhs"), matmul, "Multiply two matrices.", memory="Acc", usage=12),
    tile_op(
        "matmul_acc", (*_tiles("acc lhs rhs"), _INIT), matmul_acc,
        "Add a matrix product to an accumulator, or overwrite it where init_cond holds.",
        memory="Acc", writes=("acc",), usage=10,
    ),
    tile_op(
        "matmul_bias", _tiles("lhs rhs bias"), matmul_bias, "Multiply two matrices and add a row to each row.",
        also=("pl.matmul_bias",), memory="Acc",
    ),
    tile_op("batch_matmul", _tiles("lhs rhs"), batch_matmul, "Multiply matrices batch by batch.", memory="Acc"),
    tile_op(
        "batch_matmul_acc", _tiles("acc lhs rhs"), batch_matmul_acc,
        "Add matrix products to accumulators batch by batch.", memory="Acc", writes=("acc",),
    ),
)  # fmt: skip

_ROWS = (
    tile_op(
        "gemv", (*_tiles("lhs rhs"), _PHASE), gemv, "Multiply a row by a matrix.", also=("pl.gemv",), memory="Acc",
    ),
    tile_op(
        "gemv_acc", (*_tiles("acc lhs rhs"), _PHASE), gemv_acc,
        "Add the product of a row and a matrix to an accumulator.",
        also=("pl.gemv_acc",), memory="Acc", writes=("acc",),
    ),
    tile_op(
        "gemv_bias", (*_tiles("lhs rhs bias"), _PHASE), gemv_bias, "Multiply a row by a matrix and add a row.",
        also=("pl.gemv_bias",), memory="Acc",
    ),
)  # fmt: skip

_SCALED = (
    tile_op(
        "matmul_mx", _tiles("lhs lhs_scale rhs rhs_scale"), matmul_mx, "Multiply two micro-scaled FP8 matrices.",
        also=("pl.matmul_mx",), memory="Acc",
    ),
    tile_op(
        "matmul_mx_acc", _tiles("acc lhs lhs_scale rhs rhs_scale"), matmul_mx_acc,
        "Add the product of two micro-scaled FP8 matrices to an accumulator.",
        also=("pl.matmul_mx_acc",), memory="Acc", writes=("acc",),
    ),
    tile_op(
        "matmul_mx_bias", _tiles("lhs lhs_scale rhs rhs_scale bias"), matmul_mx_bias,
        "Multiply two micro-scaled FP8 matrices and add a row to each row.", also=("pl.matmul_mx_bias",), memory="Acc",
    ),
)  # fmt: skip

OPERATORS = (*_PRODUCTS, *_ROWS, *_SCALED)
