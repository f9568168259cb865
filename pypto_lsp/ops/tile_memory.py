"""Transfers between global memory and tiles, between memory spaces, and the creation of tiles.

Reference: project docs, tile operators and memory spaces.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir import arith
from pypto_lsp.ir.arith import Dim, const_value, prove_le, same_dims
from pypto_lsp.ir.dtypes import DTYPES, INT32, DType
from pypto_lsp.ir.enums import ENUMS, EnumMember, Lane
from pypto_lsp.ir.nodes import ConstInt, ErrorExpr, OpaqueInt
from pypto_lsp.ir.tile_views import TileLayout, implicit_layout, layout_of, settled, tensor_view, tile_type, valid_of
from pypto_lsp.ir.types import UNDETERMINED, ScalarType, TileType, Type
from pypto_lsp.ops import operands
from pypto_lsp.ops.declare import needed, optional
from pypto_lsp.ops.operands import AnyTensor
from pypto_lsp.ops.regions import (
    Dims,
    Names,
    WindowRead,
    WindowWrite,
    read_region,
    show,
    valid_region,
    written_region,
)
from pypto_lsp.ops.registry import MISSING, OpCall, OpFault, OpResult, Param
from pypto_lsp.ops.slices import MX_LAYOUTS
from pypto_lsp.ops.tile_declarations import dtype_param, extents_param, scalar_param, space_param, tile_op, tile_param
from pypto_lsp.ops.tile_operands import given, one_of, pad_of, required_member, static_shape, truth

ATOMIC_DTYPES = one_of("FP32 BF16 FP16 INT32 INT16 INT8")
MX_DTYPES = one_of("FP8E8M0 UINT8")
RANGE_DTYPES = one_of("INT16 INT32 UINT16 UINT32")
TRIANGLE_DTYPES = one_of("INT8 UINT8 INT16 INT32 UINT16 UINT32 FP16 BF16 FP32")
RANDOM_DTYPES = one_of("INT32 UINT32")
SCALE_SPACES = ("LeftScale", "RightScale")
#: bytes of a block of an MX scale tile
SCALE_FRACTAL = 32


# --- load and store ------------------------------------------------------------------------------------------------


def load(call: OpCall) -> OpResult:
    source = operands.tensor(call, "tensor")
    offsets, window = operands.extents(call, "offsets"), operands.extents(call, "shapes")
    valid = operands.extents(call, "valid_shape") if given(call, "valid_shape") else window
    space = operands.member(call, "target_memory", "MemorySpace", "Vec")
    clamp = truth(call, "clamp")
    _check_load_form(offsets, window, valid, space)
    if source is None or window is None or offsets is None or valid is None or space is None or clamp is None:
        return OpResult(UNDETERMINED, "tile.load")
    layout = _loaded_layout(source, window, space)
    if source.shape is not None and len(source.shape) == len(window):
        valid = read_region(_load_window(source, source.shape, offsets, window, valid, clamp))
    return OpResult(tile_type(source.dtype, window, space, valid=valid, layout=layout), "tile.load")


def _check_load_form(offsets: Dims | None, window: Dims | None, valid: Dims | None, space: str | None) -> None:
    if space not in (None, "Vec", "Mat"):
        raise OpFault(faults.WRONG_MEMORY, "target_memory", expected="Vec or Mat", got=space)
    if window is not None and not window:
        raise OpFault(faults.WRONG_RANK, "shapes", expected="at least one extent", got="none")
    if window is None:
        return
    if offsets is not None and len(offsets) != len(window):
        raise OpFault(
            faults.WRONG_RANK, "shapes", expected=f"as many entries as offsets ({len(offsets)})", got=str(len(window))
        )
    operands.require_length("valid_shape", valid, len(window), "as many as shapes")


def _load_window(source: AnyTensor, shape: Dims, offsets: Dims, window: Dims, valid: Dims, clamp: bool) -> WindowRead:
    region = valid_region(source) or shape
    names = Names("offsets", "shapes", "valid_shape", "tensor")
    return WindowRead(shape, region, offsets, window, valid, clamp=clamp, names=names)


def _loaded_layout(source: AnyTensor, window: Dims, space: str) -> TileLayout:
    stored = source.view.layout if source.view is not None else "ND"
    if stored in MX_LAYOUTS:
        return _scale_layout(source, window, space, stored)
    if space != "Mat":
        return TileLayout("col_major") if const_value(window[-1]) == 1 else TileLayout()
    dn = stored == "DN"
    if len(window) == 2 and const_value(window[1 if dn else 0]) == 1:
        return TileLayout()
    return TileLayout("row_major", "col_major") if dn else TileLayout("col_major", "row_major")


def _scale_layout(source: AnyTensor, window: Dims, space: str, stored: str) -> TileLayout:
    """MX scales: two dimensions, FP8E8M0 or UINT8, into Mat only."""
    operands.require_dtype("tensor", source.dtype, MX_DTYPES)
    operands.require_rank("tensor", source, 2)
    operands.require_length("shapes", window, 2, "a window of MX scales")
    if space != "Mat":
        raise OpFault(faults.WRONG_MEMORY, "target_memory", expected="Mat (MX scales)", got=space)
    order = "col_major" if stored == "MX_B_NN" else "row_major"
    return TileLayout(order, order, SCALE_FRACTAL)


def store(call: OpCall) -> OpResult:
    tile, output = operands.tile(call, "tile"), operands.tensor(call, "output_tensor")
    offsets = operands.extents(call, "offsets")
    shapes = operands.extents(call, "shapes") if given(call, "shapes") else None
    if atomic_mode(call) and tile is not None:
        operands.require_dtype("tile", tile.dtype, ATOMIC_DTYPES)
    if given(call, "shapes"):
        if shapes is not None and offsets is not None:
            if not shapes:
                raise OpFault(faults.WRONG_RANK, "shapes", expected="at least one extent", got="none")
            operands.require_length("shapes", shapes, len(offsets), "as many as offsets")
        return OpResult(output or UNDETERMINED, "tile.store")
    if output is None or tile is None or offsets is None or output.shape is None or tile.shape is None:
        return OpResult(UNDETERMINED if tile is None and output is None else _open_store(output), "tile.store")
    return OpResult(_stored(output, output.shape, tile, tile.shape, offsets), "tile.store")


def _open_store(output: AnyTensor | None) -> Type:
    """The target's type where the stored tile is not known; a partly valid target may have grown."""
    if output is None or (output.view is not None and output.view.valid_shape):
        return UNDETERMINED
    return output


def _stored(output: AnyTensor, shape: Dims, tile: TileType, tile_shape: Dims, offsets: Dims) -> AnyTensor:
    if len(tile_shape) != len(shape) or len(offsets) != len(shape):
        return output
    old, new = valid_region(output) or shape, valid_of(tile) or tile_shape
    region = written_region(WindowWrite(shape, old, tile_shape, new, offsets, names=Names("offsets")))
    if same_dims(region, old):
        return output
    view = output.view
    if view is None:
        return replace(output, view=tensor_view(shape, valid=region))
    grown = tensor_view(shape, valid=region, stride=view.stride, layout=view.layout, pad=view.pad)
    return replace(output, view=grown)


def atomic_mode(call: OpCall, name: str = "atomic") -> bool | None:
    """Whether a transfer adds atomically; None when it cannot be told. Numbers 0 and 1 pass for members."""
    number = enum_number(call, name, "AtomicType", 0)
    return None if number is None else number == 1


def enum_number(call: OpCall, name: str, enum: str, default: int | None = None, *, strict: bool = False) -> int | None:
    """The number of an enum member, which may be given as that number; None when it cannot be told.

    ``strict`` refuses the booleans.
    """
    value = operands.attribute(call, name, default)
    if value is MISSING:
        return None
    if isinstance(value, EnumMember) and value.enum == enum:
        return ENUMS[enum].index(value.name)
    if isinstance(value, int) and 0 <= value < len(ENUMS[enum]) and not (strict and isinstance(value, bool)):
        return int(value)
    members = ", ".join(f"{enum}.{m}" for m in ENUMS[enum])
    raise OpFault(faults.WRONG_MEMBER, name, expected=members, got=str(value))


# --- moves ---------------------------------------------------------------------------------------------------------


def move(call: OpCall) -> OpResult:
    tile = operands.tile(call, "tile")
    space = required_member(call, "target_memory", "MemorySpace")
    orders = [operands.member(call, name, "TileLayout") if given(call, name) else "" for name in ("blayout", "slayout")]
    if tile is None or space is None or None in orders:
        return OpResult(UNDETERMINED, "tile.move")
    if tile.shape is None:
        return OpResult(TileType(tile.dtype, None, space), "tile.move")
    base = _moved_layout(tile, space)
    layout = TileLayout(orders[0] or base.blayout, orders[1] or base.slayout, base.fractal)
    dtype = tile.dtype
    if space in SCALE_SPACES:
        dtype = _check_scale_move(tile, space, layout, base)
    return OpResult(
        tile_type(dtype, tile.shape, space, valid=valid_of(tile), layout=layout, pad=pad_of(tile)), "tile.move"
    )


def _moved_layout(tile: TileType, space: str) -> TileLayout:
    """The space's own layout; where it prescribes none, the block orders of the source."""
    layout = implicit_layout(tile.shape, space)
    if layout == implicit_layout(tile.shape, None):
        own = layout_of(tile)
        layout = TileLayout(own.blayout, own.slayout, layout.fractal)
    if space == "Right":
        layout = TileLayout("row_major", layout.slayout, layout.fractal)
    return layout


def _check_scale_move(tile: TileType, space: str, layout: TileLayout, base: TileLayout) -> DType | None:
    operands.require_rank("tile", tile, 2)
    if tile.memory != "Mat":
        raise OpFault(faults.WRONG_MEMORY, "tile", expected=f"Mat to move into {space}", got=tile.memory or "no space")
    operands.require_dtype("tile", tile.dtype, MX_DTYPES)
    if layout != base:
        param = "blayout" if layout.blayout != base.blayout else "slayout"
        expected = f"left out, {space} prescribes its layout"
        raise OpFault(faults.WRONG_LAYOUT, param, expected=expected, got=getattr(layout, param))
    order = "row_major" if space == "LeftScale" else "col_major"
    own = layout_of(tile)
    if own != TileLayout(order, order, SCALE_FRACTAL):
        got = f"{own.blayout}/{own.slayout}/{own.fractal}"
        raise OpFault(faults.WRONG_LAYOUT, "tile", expected=f"{order}/{order}/{SCALE_FRACTAL}", got=got)
    return None if tile.dtype is None else DTYPES["FP8E8M0"]


# --- creation ------------------------------------------------------------------------------------------------------


def create(call: OpCall) -> OpResult:
    shape = static_shape(call)
    dtype = operands.dtype_argument(call, "dtype")
    space = operands.member(call, "target_memory", "MemorySpace", "Vec")
    transpose = operands.flag(call, "transpose") if given(call, "transpose") else False
    flat = operands.flag(call, "flat_layout") if given(call, "flat_layout") else False
    if space in SCALE_SPACES:
        reason = f"any space but {space}; load the scales into Mat and move them"
        raise OpFault(faults.WRONG_MEMORY, "target_memory", expected=reason, got=space)
    check_packed(dtype, shape)
    if transpose and (space not in (None, "Mat") or (shape is not None and len(shape) != 2)):
        raise OpFault(faults.CONFLICTING_ARGUMENTS, "transpose", reason="transpose needs a 2-D tile in Mat")
    if flat and (space not in (None, "Mat") or transpose):
        raise OpFault(
            faults.CONFLICTING_ARGUMENTS, "flat_layout", reason="flat_layout needs a tile in Mat, not transposed"
        )
    if shape is None or space is None or transpose is None or flat is None:
        return OpResult(UNDETERMINED, "tile.create")
    layout = TileLayout() if flat else TileLayout("row_major", "col_major") if transpose else None
    return OpResult(tile_type(dtype, shape, space, layout=layout), "tile.create")


def check_packed(dtype: DType | None, shape: Dims | None, name: str = "shape") -> None:
    """Fault an FP4 tile whose last extent is odd: two elements share a byte."""
    last = const_value(shape[-1]) if shape else None
    if dtype is DTYPES["FP4"] and last is not None and last % 2:
        raise OpFault(
            faults.WRONG_VALUE, name, index=len(shape or ()) - 1, reason="needs an even last extent for FP4", got=last
        )


def full(call: OpCall) -> OpResult:
    shape = static_shape(call)
    dtype = operands.dtype_argument(call, "dtype")
    value = operands.attribute(call, "value")
    if value is not MISSING and not isinstance(value, int | float):
        raise OpFault(faults.WRONG_KIND, "value", expected="a number", got=repr(value))
    check_packed(dtype, shape)
    return OpResult(_fresh(dtype, shape), "tile.full")


def _fresh(dtype: DType | None, shape: Dims | None, valid: Dims | None = None) -> Type:
    """A new tile in Vec, its elements row by row."""
    if shape is None:
        return UNDETERMINED
    return settled(dtype, shape, "Vec", valid=valid, layout=TileLayout())


def arange(call: OpCall) -> OpResult:
    shape = static_shape(call)
    dtype = operands.dtype_argument(call, "dtype", INT32)
    operands.flag(call, "descending")
    operands.require_dtype("dtype", dtype, RANGE_DTYPES)
    typed_scalar(call, "start", dtype)
    if shape is not None:
        _check_single_row(shape)
    return OpResult(_fresh(dtype, shape), "tile.ci")


def typed_scalar(call: OpCall, name: str, dtype: DType | None) -> None:
    """Fault a scalar of another element type; integer constants take the wanted one."""
    arg = call.get(name)
    if arg is None or isinstance(arg.expr, ErrorExpr | OpaqueInt):
        return
    if arg.python is not MISSING:
        if not isinstance(arg.python, int):
            raise OpFault(faults.WRONG_KIND, name, expected="an integer", got=operands.describe(arg))
        return
    if isinstance(arg.expr, ConstInt):
        return
    scalar = operands.scalar(call, name)
    if scalar is not None and scalar.dtype is not None and dtype is not None and scalar.dtype is not dtype:
        raise OpFault(faults.WRONG_DTYPE, name, expected=dtype.name, got=scalar.dtype.name)


def _check_single_row(shape: Dims) -> None:
    if const_value(shape[-1]) == 1:
        raise OpFault(
            faults.WRONG_VALUE, "shape", index=len(shape) - 1, reason="needs a last extent other than 1", got=1
        )
    for index, dim in enumerate(shape[:-1]):
        value = const_value(dim)
        if value is not None and value != 1:
            reason = "needs leading extents of 1 (one row is filled)"
            raise OpFault(faults.WRONG_VALUE, "shape", index=index, reason=reason, got=value)


def tri(call: OpCall) -> OpResult:
    shape = static_shape(call)
    dtype = operands.dtype_argument(call, "dtype", INT32)
    operands.flag(call, "upper")
    operands.require_dtype("dtype", dtype, TRIANGLE_DTYPES)
    typed_scalar(call, "diagonal", INT32)
    operands.require_length("shape", shape, 2, "rows and columns")
    return OpResult(_fresh(dtype, shape, _static_valid(call, shape)), "tile.tri")


def random(call: OpCall) -> OpResult:
    for name in SEEDS:
        typed_scalar(call, name, INT32)
    shape = static_shape(call)
    dtype = operands.dtype_argument(call, "dtype", DTYPES["UINT32"])
    rounds = operands.constant_integer(call, "rounds", 10)
    operands.require_dtype("dtype", dtype, RANDOM_DTYPES)
    if rounds is not None and rounds not in (7, 10):
        raise OpFault(faults.WRONG_VALUE, "rounds", reason="must be 7 or 10", got=rounds)
    operands.require_length("shape", shape, 2, "rows and columns")
    return OpResult(_fresh(dtype, shape, _static_valid(call, shape)), "tile.random")


def _static_valid(call: OpCall, shape: Dims | None) -> Dims | None:
    """The constant valid region of a new tile, each extent from 1 to that of the shape; None without one."""
    if not given(call, "valid_shape"):
        return None
    valid = static_shape(call, "valid_shape")
    if valid is None or shape is None:
        return None
    operands.require_length("valid_shape", valid, len(shape), "the rank of shape")
    for index, (part, whole) in enumerate(zip(valid, shape, strict=True)):
        if prove_le(part, whole) is False:
            reason = f"must not exceed the shape's {show(whole)}"
            raise OpFault(faults.WRONG_VALUE, "valid_shape", index=index, reason=reason, got=show(part))
    return valid


# --- single elements -----------------------------------------------------------------------------------------------


def indices(call: OpCall, name: str = "indices") -> Dims | None:
    """One index or a list of them, all integer scalars; None when they cannot be told."""
    arg = call.get(name)
    if arg is None or isinstance(arg.expr, ErrorExpr):
        return None
    single = isinstance(arg.python, int) or (arg.python is MISSING and isinstance(arg.type, ScalarType))
    if single:
        dims: Dims | None = (arg.python if isinstance(arg.python, int) else arith.dim_of(arg.expr),)
    else:
        dims = operands.extents(call, name)
    operands.require_integers(name, dims)
    return dims


def read(call: OpCall) -> OpResult:
    tile, places = operands.tile(call, "tile"), indices(call)
    if tile is None:
        return OpResult(UNDETERMINED, "tile.read")
    _check_index_count(tile, places)
    return OpResult(ScalarType(tile.dtype), "tile.read")


def _check_index_count(tile: TileType, places: Collection[Dim] | None) -> None:
    if tile.shape is not None and places is not None and len(places) != len(tile.shape):
        expected = f"{len(tile.shape)} entries (the rank of the tile)"
        raise OpFault(faults.WRONG_RANK, "indices", expected=expected, got=str(len(places)))


def write(call: OpCall) -> OpResult:
    tile, places = operands.tile(call, "tile"), indices(call)
    value = operands.scalar(call, "value")
    if tile is None:
        return OpResult(UNDETERMINED, "tile.write")
    _check_index_count(tile, places)
    operands.require_same_dtype("value", value.dtype if value else None, "tile", tile.dtype)
    return OpResult(tile, "tile.write")


# --- declarations --------------------------------------------------------------------------------------------------

_ORDERS = tuple(f"pl.TileLayout.{name}" for name in ENUMS["TileLayout"])
_ATOMIC = optional(
    "atomic", "AtomicType", "pl.AtomicType.None_", keyword_only=True, attribute=True,
    allowed=tuple(f"pl.AtomicType.{name}" for name in ENUMS["AtomicType"]),
)  # fmt: skip
SEEDS = ("key0", "key1", "counter0", "counter1", "counter2", "counter3")


def _order_param(name: str) -> Param:
    return optional(name, "TileLayout | None", attribute=True, allowed=_ORDERS)


_TRANSFERS = (
    tile_op(
        "load",
        (
            needed("tensor"),
            extents_param("offsets"),
            extents_param("shapes"),
            extents_param("valid_shape", required=False),
            space_param(default="pl.MemorySpace.Vec"),
            optional("clamp", "bool", "False", attribute=True),
        ),
        load,
        "Copy a window of a global tensor into a new tile in Vec or Mat.",
        also=("pl.load",), memory="target", usage=397,
    ),
    tile_op(
        "store",
        (
            tile_param("tile"),
            extents_param("offsets"),
            needed("output_tensor"),
            extents_param("shapes", required=False),
            _ATOMIC,
        ),
        store,
        "Write a tile into a window of a global tensor and give the tensor.",
        also=("pl.store",), memory="", returns="Tensor", reads=("tile",), writes=("output_tensor",), usage=275,
    ),
    tile_op(
        "move",
        (tile_param("tile"), space_param(), _order_param("blayout"), _order_param("slayout")),
        move,
        "Copy a tile into another memory space, laid out as that space prescribes.",
        also=("pl.move",), memory="target", usage=55,
    ),
)  # fmt: skip

_CREATIONS = (
    tile_op(
        "create",
        (
            extents_param("shape"),
            dtype_param(),
            space_param(default="pl.MemorySpace.Vec"),
            optional("transpose", "bool | None", attribute=True),
            optional("flat_layout", "bool | None", attribute=True, keyword_only=True),
        ),
        create,
        "Allocate a tile of static shape in a memory space.",
        also=("pl.tile.create_tile", "pl.create_tile"), memory="target", lane=Lane.SHARED, usage=65,
    ),
    tile_op(
        "full", (extents_param("shape"), dtype_param(), needed("value", "int | float", attribute=True)), full,
        "Create a tile filled with a constant.", usage=54,
    ),
    tile_op(
        "ci",
        (
            scalar_param("start", "int | Scalar"),
            extents_param("shape"),
            dtype_param(default="pl.INT32"),
            optional("descending", "bool", "False", attribute=True),
        ),
        arange,
        "Create a row of consecutive integers.", also=("pl.tile.arange",), usage=6,
    ),
    tile_op(
        "tri",
        (
            scalar_param("diagonal", "int | Scalar"),
            extents_param("shape"),
            extents_param("valid_shape", required=False),
            dtype_param(default="pl.INT32"),
            optional("upper", "bool", "False", attribute=True),
        ),
        tri,
        "Create a matrix of ones on one side of a diagonal and zeros on the other.", also=("pl.tri",),
    ),
    tile_op(
        "random",
        (
            *(scalar_param(name, "int | Scalar") for name in SEEDS),
            extents_param("shape"),
            extents_param("valid_shape", required=False),
            dtype_param(default="pl.UINT32"),
            optional("rounds", "int", "10", attribute=True, allowed=("7", "10")),
        ),
        random,
        "Create a tile of random integers from a key and a counter.",
    ),
)  # fmt: skip

_INDICES = needed("indices", "int | Scalar | Sequence[int | Scalar]")
_ELEMENTS = (
    tile_op("read", (tile_param("tile"), _INDICES), read, "Read one element of a tile.", memory="", returns="Scalar"),
    tile_op(
        "write", (tile_param("tile"), _INDICES, scalar_param("value", "Scalar | Expr")), write,
        "Write one element of a tile.", reads=("tile",), writes=("tile",), usage=12,
    ),
)  # fmt: skip

OPERATORS = (*_TRANSFERS, *_CREATIONS, *_ELEMENTS)
