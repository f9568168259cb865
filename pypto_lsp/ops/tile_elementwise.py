"""Element-wise operators on tiles: unary, binary, with a scalar, selections and comparisons.

A result lies in Vec, keeps the block orders of the first tile and holds data where the first tile does (reference:
project docs, tile operators; the operators' type deduction).
"""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir import arith
from pypto_lsp.ir.arith import Dim, const_value, is_exact
from pypto_lsp.ir.dtypes import DTYPES, FP32, DType, promote
from pypto_lsp.ir.nodes import ConstFloat, ConstInt, Expr
from pypto_lsp.ir.tile_views import valid_of
from pypto_lsp.ir.types import UNDETERMINED, ScalarType, TileType
from pypto_lsp.ops import operands
from pypto_lsp.ops.declare import optional
from pypto_lsp.ops.literals import scalar_operand
from pypto_lsp.ops.regions import Dims, broadcast, same_shape, show_all
from pypto_lsp.ops.registry import CALLEE, MISSING, Arg, OpCall, OpFault, OpResult, Param, Rule
from pypto_lsp.ops.tile_declarations import dtype_param, scalar_param, tile_op, tile_param
from pypto_lsp.ops.tile_operands import (
    inherited,
    one_of,
    optional_tile,
    require_int_dtype,
    truth,
)

#: bits of a packed predicate per byte, and the byte alignment of a row of predicates
PREDICATE_BITS = 8
PREDICATE_ALIGNMENT = 32

DIV_DTYPES = one_of("INT16 INT32 FP16 FP32")
SUBS_DTYPES = one_of("INT8 INT16 INT32 FP16 FP32 BF16")
SELS_DTYPES = one_of("INT8 UINT8 INT16 UINT16 INT32 UINT32 FP16 FP32")
SELS_MASKS = one_of("INT8 UINT8 INT16 UINT16 INT32 UINT32")
HALF_OR_SINGLE = one_of("FP16 FP32")
#: rounding modes of a cast, in the order of their numbers
CAST_MODES = ("none", "rint", "round", "floor", "ceil", "trunc", "odd")


# --- unary ---------------------------------------------------------------------------------------------------------


def unary(ir_op: str, allowed: str = "") -> Rule:
    """``f(tile)``: type and region of the tile, in Vec; ``allowed`` are the only element types, if not all are."""
    dtypes = one_of(allowed)

    def rule(call: OpCall) -> OpResult:
        tile = operands.tile(call, "tile")
        if tile is None:
            return OpResult(UNDETERMINED, ir_op)
        if dtypes:
            operands.require_dtype("tile", tile.dtype, dtypes)
        return OpResult(inherited(tile, dtype=tile.dtype), ir_op)

    return rule


def precise(ir_op: str, always: str = "") -> Rule:
    """A unary function with a ``high_precision`` form, which exists for FP16 and FP32 only."""
    plain = unary(ir_op, always)

    def rule(call: OpCall) -> OpResult:
        result = plain(call)
        if truth(call, "high_precision") and isinstance(result.type, TileType):
            operands.require_dtype("tile", result.type.dtype, HALF_OR_SINGLE)
        return result

    return rule


def rsqrt(call: OpCall) -> OpResult:
    tile, tmp = operands.tile(call, "tile"), optional_tile(call, "tmp")
    if tile is None:
        return OpResult(UNDETERMINED, "tile.rsqrt")
    if tmp is not None:
        operands.require_same_dtype("tmp", tmp.dtype, "tile", tile.dtype)
        same_shape(tmp, tile, "tmp")
    return OpResult(inherited(tile, dtype=tile.dtype), "tile.rsqrt")


def cast(call: OpCall) -> OpResult:
    tile = operands.tile(call, "tile")
    target = operands.dtype_argument(call, "target_type")
    check_cast_mode(call)
    if tile is None:
        return OpResult(UNDETERMINED, "tile.cast")
    if target is not None and tile.dtype is target:
        raise OpFault(faults.SAME_DTYPE, "target_type", got=target.name)
    return OpResult(inherited(tile, dtype=target), "tile.cast")


def check_cast_mode(call: OpCall) -> None:
    """Fault a rounding mode that is neither a name nor the number of one."""
    mode = operands.attribute(call, "mode", "round")
    if mode is MISSING:
        return
    number = isinstance(mode, int) and not isinstance(mode, bool) and 0 <= mode < len(CAST_MODES)
    if not number and mode not in CAST_MODES:
        raise OpFault(faults.WRONG_MEMBER, "mode", expected=", ".join(CAST_MODES), got=repr(mode))


# --- binary --------------------------------------------------------------------------------------------------------


def _two_tiles(call: OpCall, first: str, second: str) -> tuple[TileType, TileType] | None:
    left, right = operands.tile(call, first), operands.tile(call, second)
    return None if left is None or right is None else (left, right)


def binary(ir_op: str, first: str = "lhs", second: str = "rhs", *, integers: bool = False) -> Rule:
    """``f(tile, tile)`` with broadcasting and promotion; ``integers`` for bitwise operators."""

    def rule(call: OpCall) -> OpResult:
        pair = _two_tiles(call, first, second)
        if pair is None:
            return OpResult(UNDETERMINED, ir_op)
        left, right = pair
        if integers:
            require_int_dtype(first, left.dtype)
            require_int_dtype(second, right.dtype)
        return OpResult(joined(left, right, second), ir_op)

    return rule


def joined(left: TileType, right: TileType, second: str) -> TileType:
    """The result of two tiles: their broadcast shape and promoted type, the region and layout of the first."""
    return inherited(left, dtype=promote(left.dtype, right.dtype), shape=broadcast(left, right, second))


def shift(ir_op: str) -> Rule:
    """``lhs << rhs`` and its like: two integer tiles, the element type of the first."""

    def rule(call: OpCall) -> OpResult:
        pair = _two_tiles(call, "lhs", "rhs")
        if pair is None:
            return OpResult(UNDETERMINED, ir_op)
        left, right = pair
        require_int_dtype("lhs", left.dtype)
        require_int_dtype("rhs", right.dtype)
        return OpResult(inherited(left, dtype=left.dtype, shape=broadcast(left, right, "rhs")), ir_op)

    return rule


def _is_tile_operand(arg: Arg | None) -> bool | None:
    """Whether an operand that may be a tile or a scalar is a tile; None when that is open."""
    if arg is None or (arg.python is MISSING and operands.is_open(arg.type)):
        return None
    return arg.python is MISSING and not isinstance(arg.type, ScalarType)


def arithmetic(tiles: Rule, scalars: Rule, ir_op: str) -> Rule:
    """An operator whose right operand is a tile or a scalar."""

    def rule(call: OpCall) -> OpResult:
        is_tile = _is_tile_operand(call.get("rhs"))
        if is_tile is None:
            operands.tile(call, "lhs")
            return OpResult(UNDETERMINED, ir_op)
        return tiles(call) if is_tile else scalars(call)

    return rule


def div_tiles(call: OpCall) -> OpResult:
    pair = _two_tiles(call, "lhs", "rhs")
    high = truth(call, "high_precision")
    if pair is None:
        return OpResult(UNDETERMINED, "tile.div")
    left, right = pair
    operands.require_same_dtype("rhs", right.dtype, "lhs", left.dtype)
    operands.require_dtype("lhs", left.dtype, DIV_DTYPES, until="rhs")
    _check_divisor(left, right)
    same_valid_region(left, right, "rhs")
    if high and left.dtype is not None and not left.dtype.is_float:
        raise OpFault(faults.WRONG_DTYPE, "lhs", expected="FP16 or FP32 (high_precision)", got=left.dtype.name)
    return OpResult(inherited(left, dtype=left.dtype), "tile.div")


def _check_divisor(left: TileType, right: TileType) -> None:
    """Fault a divisor of another shape, or the operator where another one expands such a divisor."""
    try:
        same_shape(left, right, "rhs")
    except OpFault as fault:
        other = _expanding(left.shape, right.shape)
        if other is None:
            raise
        raise OpFault(fault.kind, CALLEE, **fault.facts | {"reason": f"pl.{other} expands the divisor"}) from None


def _expanding(shape: Dims | None, divisor: Dims | None) -> str | None:
    """The operator that divides by one value for each row or column, if the divisor holds these."""
    if shape is None or divisor is None or len(shape) != 2 or len(divisor) != 2:
        return None
    one_column, one_row = (const_value(extent) == 1 for extent in reversed(divisor))
    if one_column and arith.may_equal(shape[0], divisor[0]):
        return "row_expand_div"
    return "col_expand_div" if one_row and arith.may_equal(shape[1], divisor[1]) else None


def same_valid_region(left: TileType, right: TileType, second: str) -> None:
    """Fault two tiles whose valid regions are not provably the same."""
    mine, other = valid_of(left), valid_of(right)
    if mine is None or other is None or len(mine) != len(other):
        return
    for axis, (a, b) in enumerate(zip(mine, other, strict=True)):
        if not arith.may_equal(a, b):
            reason = f"the operands hold data in {show_all(mine)} and {show_all(other)}, different in dimension {axis}"
            raise OpFault(faults.VALID_REGION, second, reason=reason)


def div_scalar(call: OpCall) -> OpResult:
    if truth(call, "high_precision"):
        raise OpFault(
            faults.CONFLICTING_ARGUMENTS, "high_precision", reason="high_precision needs a Tile as the divisor"
        )
    return with_scalar("tile.divs")(call)


# --- with a scalar -------------------------------------------------------------------------------------------------


def stamped(call: OpCall, name: str, expr: Expr | None) -> tuple[tuple[str, Expr], ...]:
    """The operands of a call with one of them replaced: a literal by the constant of the element type it takes."""
    names = [p.name for p in call.operator.params if p.name in call.args and not p.attribute]
    return tuple((n, expr if n == name and expr is not None else call.args[n].expr) for n in names)


def with_scalar(ir_op: str, second: str = "rhs", *, first: str = "lhs", integers: bool = False) -> Rule:
    """``f(tile, scalar)``: the tile's type whatever the scalar's; ``integers`` for bitwise operators."""

    def rule(call: OpCall) -> OpResult:
        tile = operands.tile(call, first)
        scalar, expr = scalar_operand(call, second, tile.dtype if tile else None)
        if integers:
            require_int_dtype(first, tile.dtype if tile else None)
            require_int_dtype(second, scalar)
        result = UNDETERMINED if tile is None else inherited(tile, dtype=tile.dtype)
        return OpResult(result, ir_op, args=stamped(call, second, expr))

    return rule


def subs(call: OpCall) -> OpResult:
    tile = operands.tile(call, "lhs")
    scalar, expr = scalar_operand(call, "rhs", tile.dtype if tile else None)
    operands.require_dtype("lhs", tile.dtype if tile else None, SUBS_DTYPES)
    operands.require_dtype("rhs", scalar, SUBS_DTYPES)
    result = UNDETERMINED if tile is None else inherited(tile, dtype=tile.dtype)
    return OpResult(result, "tile.subs", args=stamped(call, "rhs", expr))


def lrelu(call: OpCall) -> OpResult:
    tile = operands.tile(call, "tile")
    _, expr = scalar_operand(call, "slope", FP32)
    result = UNDETERMINED if tile is None else inherited(tile, dtype=tile.dtype)
    return OpResult(result, "tile.lrelu", args=stamped(call, "slope", expr))


def expands(call: OpCall) -> OpResult:
    target = operands.tile(call, "target")
    scalar, expr = scalar_operand(call, "scalar", target.dtype if target else None)
    result = UNDETERMINED if target is None else inherited(target, dtype=promote(target.dtype, scalar))
    return OpResult(result, "tile.expands", args=stamped(call, "scalar", expr))


# --- three operands ------------------------------------------------------------------------------------------------


def with_scratch(ir_op: str, *, integers: bool = False) -> Rule:
    """``f(tile, tile, tmp)``; the scratch tile may be of any type and shape."""
    pair = binary(ir_op, integers=integers)

    def rule(call: OpCall) -> OpResult:
        operands.tile(call, "tmp")
        return pair(call)

    return rule


def xors(call: OpCall) -> OpResult:
    operands.tile(call, "tmp")
    return with_scalar("tile.xors", integers=True)(call)


def tile_scalar_tile(ir_op: str, third: str) -> Rule:
    """``f(tile, scalar, tile)``: the tiles broadcast, all three types are promoted."""

    def rule(call: OpCall) -> OpResult:
        left, last = operands.tile(call, "lhs"), operands.tile(call, third)
        scalar, expr = scalar_operand(call, "rhs", left.dtype if left else None)
        args = stamped(call, "rhs", expr)
        if left is None or last is None:
            return OpResult(UNDETERMINED, ir_op, args=args)
        dtype = promote(promote(left.dtype, scalar), last.dtype)
        return OpResult(inherited(left, dtype=dtype, shape=broadcast(left, last, third)), ir_op, args=args)

    return rule


def three_tiles(ir_op: str) -> Rule:
    """``f(tile, tile, tile)`` with broadcasting and promotion over all three."""

    def rule(call: OpCall) -> OpResult:
        tiles = [operands.tile(call, name) for name in ("lhs", "rhs", "rhs2")]
        left, right, last = tiles
        if left is None or right is None or last is None:
            return OpResult(UNDETERMINED, ir_op)
        pair = joined(left, right, "rhs")
        dtype = promote(pair.dtype, last.dtype)
        return OpResult(inherited(left, dtype=dtype, shape=broadcast(pair, last, "rhs2")), ir_op)

    return rule


def prelu(call: OpCall) -> OpResult:
    tile, slope, tmp = (operands.tile(call, name) for name in ("tile", "slope", "tmp"))
    if tile is not None:
        operands.require_dtype("tile", tile.dtype, HALF_OR_SINGLE)
    operands.require_rank("tile", tile, 2)
    operands.require_rank("tmp", tmp, 2)
    if tile is None:
        return OpResult(UNDETERMINED, "tile.prelu")
    if slope is not None:
        operands.require_same_dtype("slope", slope.dtype, "tile", tile.dtype)
        same_shape(tile, slope, "slope")
        same_valid_region(tile, slope, "slope")
    return OpResult(inherited(tile, dtype=tile.dtype), "tile.prelu")


# --- selections ----------------------------------------------------------------------------------------------------


def sel(call: OpCall) -> OpResult:
    operands.tile(call, "mask")
    operands.tile(call, "tmp")
    return binary("tile.sel")(call)


def sels(call: OpCall) -> OpResult:
    mask, src, tmp = (operands.tile(call, name) for name in ("mask", "src", "tmp"))
    for name, tile in (("mask", mask), ("src", src), ("tmp", tmp)):
        operands.require_rank(name, tile, 2)
    if mask is not None:
        operands.require_dtype("mask", mask.dtype, SELS_MASKS)
    if src is not None:
        operands.require_dtype("src", src.dtype, SELS_DTYPES)
    _check_selected_scalar(call, src.dtype if src else None)
    if mask is not None and src is not None:
        _check_mask_covers(mask, src)
    return OpResult(UNDETERMINED if src is None else inherited(src, dtype=src.dtype), "tile.sels")


def _check_selected_scalar(call: OpCall, src: DType | None) -> None:
    """The scalar has the source's float type, or the signed integer type of its width; constants are converted."""
    wanted = _selected_dtype(src)
    arg = call.get("scalar")
    value = None if arg is None else arg.python
    if arg is not None and value is MISSING and isinstance(arg.expr, ConstInt | ConstFloat):
        value = arg.expr.value
    if isinstance(value, int | float):
        if src is not None and src.is_int and isinstance(value, float) and not value.is_integer():
            raise OpFault(faults.WRONG_VALUE, "scalar", reason=f"must be a whole number for {src.name}", got=value)
        return
    scalar, _ = scalar_operand(call, "scalar", src)
    if scalar is not None and wanted is not None and scalar is not wanted:
        raise OpFault(faults.WRONG_DTYPE, "scalar", expected=wanted.name, got=scalar.name)


def _selected_dtype(src: DType | None) -> DType | None:
    return src if src is None or not src.name.startswith("UINT") else DTYPES[src.name[1:]]


def _check_mask_covers(mask: TileType, src: TileType) -> None:
    masked, valid = valid_of(mask), valid_of(src)
    if masked is None or valid is None or len(masked) != 2 or len(valid) != 2:
        return
    rows_fit = arith.prove_le(valid[0], masked[0]) is True
    if not rows_fit and is_exact(valid[0]) and is_exact(masked[0]):
        reason = f"the mask has data in {show_all(masked)} and does not cover the rows of {show_all(valid)}"
        raise OpFault(faults.VALID_REGION, "mask", reason=reason)
    if mask.dtype is None:
        return
    needed, held = predicate_bytes(valid[1]), arith.mul(masked[1], mask.dtype.bits // 8)
    if arith.prove_le(needed, held) is not True and is_exact(needed) and is_exact(held):
        reason = f"a row of the mask {show_all(masked)} is too short for {show_all(valid)}: it packs 8 elements a byte"
        raise OpFault(faults.VALID_REGION, "mask", reason=reason)


# --- comparisons ---------------------------------------------------------------------------------------------------


def predicate_bytes(extent: Dim) -> Dim:
    """Bytes that hold one predicate bit per element: the extent over 8, rounded up."""
    value = const_value(extent)
    if value is not None:
        return -(-value // PREDICATE_BITS)
    return arith.make("//", arith.make("+", extent, PREDICATE_BITS - 1), PREDICATE_BITS)


def _predicate_row(extent: Dim) -> Dim:
    value = const_value(extent)
    packed = predicate_bytes(extent)
    if value is not None:
        return -(-int(const_value(packed) or 0) // PREDICATE_ALIGNMENT) * PREDICATE_ALIGNMENT
    blocks = arith.make("//", arith.make("+", packed, PREDICATE_ALIGNMENT - 1), PREDICATE_ALIGNMENT)
    return arith.make("*", blocks, PREDICATE_ALIGNMENT)


def _predicate(source: TileType, shape: Dims | None) -> TileType:
    """The packed mask of a comparison: one bit per element, rows of whole 32-byte blocks."""
    valid = valid_of(source)
    if shape is None or valid is None or not shape or not valid:
        return inherited(source, dtype=DTYPES["UINT8"], shape=shape)
    mask = (*shape[:-1], _predicate_row(shape[-1]))
    return inherited(source, dtype=DTYPES["UINT8"], shape=mask, valid=(*valid[:-1], predicate_bytes(valid[-1])))


def cmp(call: OpCall) -> OpResult:
    operands.integer(call, "cmp_type", 0)
    pair = _two_tiles(call, "lhs", "rhs")
    if pair is None:
        return OpResult(UNDETERMINED, "tile.cmp")
    return OpResult(_predicate(pair[0], broadcast(*pair, "rhs")), "tile.cmp")


def cmps(call: OpCall) -> OpResult:
    operands.integer(call, "cmp_type", 0)
    tile = operands.tile(call, "lhs")
    _, expr = scalar_operand(call, "rhs", tile.dtype if tile else None)
    result = UNDETERMINED if tile is None else _predicate(tile, tile.shape)
    return OpResult(result, "tile.cmps", args=stamped(call, "rhs", expr))


# --- declarations --------------------------------------------------------------------------------------------------

_TILE = (tile_param("tile"),)
_TILES = (tile_param("lhs"), tile_param("rhs"))
_PARTS = (tile_param("src0"), tile_param("src1"))
_MIXED = (tile_param("lhs"), Param("rhs", "Tile | int | float | Scalar | Expr"))
_SCALAR = (tile_param("lhs"), scalar_param("rhs"))
_INTEGER = (tile_param("lhs"), scalar_param("rhs", "int | Expr | Scalar"))
_HIGH_PRECISION = optional("high_precision", "bool", "False", attribute=True)
_CMP_TYPE = optional("cmp_type", "int", "0", allowed=tuple("012345"), attribute=True)

_UNARY = (
    tile_op("neg", _TILE, unary("tile.neg"), "Negate every element.", usage=1),
    tile_op("exp", _TILE, unary("tile.exp"), "Raise e to every element.", usage=4),
    tile_op("sin", _TILE, unary("tile.sin", "FP32"), "Sine of every element (FP32 only)."),
    tile_op("cos", _TILE, unary("tile.cos", "FP32"), "Cosine of every element (FP32 only)."),
    tile_op("sqrt", _TILE, unary("tile.sqrt"), "Square root of every element.", usage=2),
    tile_op("abs", _TILE, unary("tile.abs"), "Absolute value of every element."),
    tile_op("relu", _TILE, unary("tile.relu"), "Replace negative elements by zero.", also=("pl.relu",), usage=3),
    tile_op("not_", _TILE, unary("tile.not", "INT16 UINT16"), "Complement the bits of every 16-bit integer."),
    tile_op(
        "recip", (*_TILE, _HIGH_PRECISION), precise("tile.recip"), "Reciprocal of every element.", usage=3
    ),
    tile_op("log", (*_TILE, _HIGH_PRECISION), precise("tile.log", "FP16 FP32"), "Natural logarithm of every element."),
    tile_op(
        "rsqrt",
        (*_TILE, tile_param("tmp", required=False)),
        rsqrt,
        "Reciprocal square root of every element; a scratch tile selects the precise form.",
        usage=2,
    ),
    tile_op(
        "cast",
        (
            *_TILE, dtype_param("target_type"),
            optional("mode", "str | int", "'round'", allowed=CAST_MODES, attribute=True),
        ),
        cast,
        "Convert every element to another element type with a rounding mode.",
        usage=17,
    ),
)  # fmt: skip

_BINARY = (
    tile_op(
        "add", _MIXED, arithmetic(binary("tile.add"), with_scalar("tile.adds"), "tile.add"),
        "Add two tiles, or a scalar to every element.", usage=16,
    ),
    tile_op(
        "sub", _MIXED, arithmetic(binary("tile.sub"), subs, "tile.sub"),
        "Subtract a tile or a scalar.", usage=4,
    ),
    tile_op(
        "mul", _MIXED, arithmetic(binary("tile.mul"), with_scalar("tile.muls"), "tile.mul"),
        "Multiply two tiles, or every element by a scalar.", usage=15,
    ),
    tile_op(
        "div", (*_MIXED, _HIGH_PRECISION), arithmetic(div_tiles, div_scalar, "tile.div"),
        "Divide by a tile of equal type, shape and region, or by a scalar.",
    ),
    tile_op("maximum", _TILES, binary("tile.maximum"), "The larger of each two elements.", usage=1),
    tile_op("minimum", _TILES, binary("tile.minimum"), "The smaller of each two elements."),
    tile_op("fmod", _TILES, binary("tile.fmod"), "Floating remainder of each two elements."),
    tile_op("part_add", _PARTS, binary("tile.part_add", "src0", "src1"), "Add where both tiles hold data."),
    tile_op("part_mul", _PARTS, binary("tile.part_mul", "src0", "src1"), "Multiply where both tiles hold data."),
    tile_op("part_max", _PARTS, binary("tile.part_max", "src0", "src1"), "Larger element where both tiles hold data."),
    tile_op("part_min", _PARTS, binary("tile.part_min", "src0", "src1"), "Smaller element where both tiles hold data."),
    tile_op("and_", _TILES, binary("tile.and", integers=True), "Bitwise and of two integer tiles."),
    tile_op("or_", _TILES, binary("tile.or", integers=True), "Bitwise or of two integer tiles."),
    tile_op("shl", _TILES, shift("tile.shl"), "Shift each integer left by the bits in the second tile."),
    tile_op("shr", _TILES, shift("tile.shr"), "Shift each integer right by the bits in the second tile."),
)  # fmt: skip

_WITH_SCALAR = (
    tile_op("adds", _SCALAR, with_scalar("tile.adds"), "Add a scalar to every element."),
    tile_op("subs", _SCALAR, subs, "Subtract a scalar from every element."),
    tile_op("muls", _SCALAR, with_scalar("tile.muls"), "Multiply every element by a scalar."),
    tile_op("divs", _SCALAR, with_scalar("tile.divs"), "Divide every element by a scalar."),
    tile_op("fmods", _SCALAR, with_scalar("tile.fmods"), "Floating remainder of every element by a scalar."),
    tile_op(
        "maximums", _SCALAR, with_scalar("tile.maximums"), "The larger of each element and a scalar.",
        also=("pl.maximums",),
    ),
    tile_op(
        "minimums", _SCALAR, with_scalar("tile.minimums"), "The smaller of each element and a scalar.",
        also=("pl.minimums",),
    ),
    tile_op("ands", _INTEGER, with_scalar("tile.ands", integers=True), "Bitwise and of every integer and a scalar."),
    tile_op("ors", _INTEGER, with_scalar("tile.ors", integers=True), "Bitwise or of every integer and a scalar."),
    tile_op("shls", _INTEGER, with_scalar("tile.shls", integers=True), "Shift every integer left by a scalar."),
    tile_op("shrs", _INTEGER, with_scalar("tile.shrs", integers=True), "Shift every integer right by a scalar."),
    tile_op(
        "lrelu", (tile_param("tile"), scalar_param("slope")), lrelu,
        "Multiply negative elements by a scalar slope.", also=("pl.lrelu",),
    ),
    tile_op(
        "expands", (tile_param("target"), scalar_param("scalar")), expands,
        "Fill a tile shaped like the target with a scalar.",
    ),
)  # fmt: skip

_TMP = tile_param("tmp")
_THIRD = tile_param("rhs2")
_THREE_OPERANDS = (
    tile_op("rem", (*_TILES, _TMP), with_scratch("tile.rem"), "Remainder of each two elements.", also=("pl.rem",)),
    tile_op(
        "rems", (*_SCALAR, _TMP), tile_scalar_tile("tile.rems", "tmp"), "Remainder of every element by a scalar.",
        also=("pl.rems",),
    ),
    tile_op(
        "xor", (*_TILES, _TMP), with_scratch("tile.xor", integers=True), "Bitwise exclusive or of two integer tiles."
    ),
    tile_op("xors", (*_INTEGER, _TMP), xors, "Bitwise exclusive or of every integer and a scalar."),
    tile_op("addc", (*_TILES, _THIRD), three_tiles("tile.addc"), "Add three tiles.", also=("pl.addc",)),
    tile_op(
        "subc", (*_TILES, _THIRD), three_tiles("tile.subc"), "Subtract the second tile and add the third.",
        also=("pl.subc",),
    ),
    tile_op(
        "addsc", (*_SCALAR, _THIRD), tile_scalar_tile("tile.addsc", "rhs2"), "Add a scalar and a second tile.",
        also=("pl.addsc",),
    ),
    tile_op(
        "subsc", (*_SCALAR, _THIRD), tile_scalar_tile("tile.subsc", "rhs2"),
        "Subtract a scalar and add a second tile.", also=("pl.subsc",),
    ),
    tile_op(
        "prelu", (tile_param("tile"), tile_param("slope"), _TMP), prelu,
        "Multiply negative elements by the slope of their place.", also=("pl.prelu",),
    ),
)  # fmt: skip

_SELECTIONS = (
    tile_op(
        "sel", (tile_param("mask"), *_TILES, _TMP), sel,
        "Take each element from the first tile where the mask is set, else from the second.", also=("pl.sel",),
    ),
    tile_op(
        "sels", (tile_param("mask"), tile_param("src"), _TMP, scalar_param("scalar")), sels,
        "Keep each element where the mask is set, else take a scalar.", also=("pl.sels",),
    ),
    tile_op(
        "cmp", (*_TILES, _CMP_TYPE), cmp,
        "Compare two tiles (0 eq, 1 ne, 2 lt, 3 le, 4 gt, 5 ge) into a packed mask.",
    ),
    tile_op(
        "cmps", (*_SCALAR, _CMP_TYPE), cmps,
        "Compare every element with a scalar (0 eq, 1 ne, 2 lt, 3 le, 4 gt, 5 ge) into a packed mask.",
        also=("pl.cmps",),
    ),
)  # fmt: skip

OPERATORS = (*_UNARY, *_BINARY, *_WITH_SCALAR, *_THREE_OPERANDS, *_SELECTIONS)
