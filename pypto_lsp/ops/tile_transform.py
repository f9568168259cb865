"""Tiles seen in another shape, cut, joined, transposed and padded.

Reference: project docs, tile operators; spec ops_corrections.
"""

from __future__ import annotations

from dataclasses import replace

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.arith import Dim, const_value, differ, prove_le, same_dims
from pypto_lsp.ir.tile_views import TileLayout, implicit_layout, layout_of, settled, tile_type, valid_of
from pypto_lsp.ir.types import TileType
from pypto_lsp.ops import operands, slices
from pypto_lsp.ops.declare import needed, optional
from pypto_lsp.ops.operands import describe_type
from pypto_lsp.ops.regions import Dims, Names, WindowRead, WindowWrite, read_region, reshaped_region, written_region
from pypto_lsp.ops.registry import Arg, OpCall, OpFault, OpResult, Param, Rule
from pypto_lsp.ops.reinterpretation import reinterpret
from pypto_lsp.ops.tensor_memory import drop_dims, pad_value
from pypto_lsp.ops.tensor_shape import check_element_count, check_region_extent, joined
from pypto_lsp.ops.tile_declarations import dtype_param, extents_param, scalar_param, space_param, tile_op, tile_param
from pypto_lsp.ops.tile_operands import (
    check_static,
    compact_of,
    given,
    index_like,
    index_scalar,
    one_of,
    optional_tile,
    pad_of,
    require_int_dtype,
    required_member,
    static_shape,
)

NARROWED = one_of("BF16 FP16")
_FLIPPED = {"row_major": "col_major", "col_major": "row_major", "none_box": "none_box"}


def _swapped(dims: Dims, first: int, second: int) -> Dims:
    swapped = list(dims)
    swapped[first], swapped[second] = swapped[second], swapped[first]
    return tuple(swapped)


def _rankless(tile: TileType | None) -> TileType:
    """A result of which only the element type and the memory space can be told."""
    return TileType(tile.dtype if tile else None, None, tile.memory if tile else None)


# --- windows -------------------------------------------------------------------------------------------------------


def slice_(call: OpCall) -> OpResult:
    source = operands.tile(call, "tile")
    shape, offsets = operands.extents(call, "shape"), operands.extents(call, "offset")
    requested = operands.extents(call, "valid_shape") if given(call, "valid_shape") else ()
    drop = drop_dims(call, shape, keep_one=False)
    pad = pad_value(call, None, null=True)
    if source is None or shape is None or offsets is None or requested is None:
        return OpResult(_rankless(source), "tile.slice")
    window = slices.Window(shape, offsets, requested or None, drop, pad)
    return OpResult(slices.slice_tile(source, window, Names(source="tile")), "tile.slice")


def extract(call: OpCall) -> OpResult:
    source = operands.tile(call, "src")
    offsets = (index_scalar(call, "index_row"), index_scalar(call, "index_col"))
    shape = index_like(call, "shape")
    space = required_member(call, "target_memory", "MemorySpace")
    operands.require_rank("src", source, 2)
    operands.require_length("shape", shape, 2, "rows and columns")
    if shape is not None:
        check_static("shape", shape)
    if source is None or source.shape is None or shape is None or space is None or None in offsets:
        return OpResult(TileType(source.dtype if source else None, None, space), "tile.extract")
    places = tuple(o for o in offsets if o is not None)
    valid = _extracted(source, source.shape, places, shape)
    layout = TileLayout("row_major", "row_major") if space == "Left" else implicit_layout(shape, space)
    partial = space in ("Left", "Right") and not same_dims(valid, shape)
    compact = "normal" if partial else "null"
    return OpResult(tile_type(source.dtype, shape, space, valid=valid, layout=layout, compact=compact), "tile.extract")


def _extracted(source: TileType, extents: Dims, offsets: Dims, shape: Dims) -> Dims:
    for axis, (part, whole) in enumerate(zip(shape, extents, strict=True)):
        if prove_le(part, whole) is False:
            left, right = describe_type(replace(source, shape=shape)), describe_type(source)
            raise OpFault(
                faults.SHAPE_MISMATCH, "shape", index=axis, left=left, right=right, reason=f"dimension {axis} is larger"
            )
    names = [Names("index_row", "shape", source="src"), Names("index_col", "shape", source="src")]
    region = valid_of(source) or extents
    parts = (
        read_region(WindowRead((e,), (v,), (o,), (s,), exact=True, names=n))
        for e, v, o, s, n in zip(extents, region, offsets, shape, names, strict=True)
    )
    return tuple(part[0] for part in parts)


def assemble(call: OpCall) -> OpResult:
    target, source = operands.tile(call, "target"), operands.tile(call, "source")
    offsets = index_like(call, "offset")
    if target is not None and source is not None:
        narrowing = source.dtype is not None and source.dtype.name == "FP32" and target.dtype in NARROWED
        if not narrowing:
            operands.require_same_dtype("source", source.dtype, "target", target.dtype)
    if target is None or target.shape is None:
        return OpResult(_rankless(target), "tile.assemble")
    valid: Dims | None = target.shape
    if source is None or source.shape is None or offsets is None:
        if valid_of(target) != target.shape:
            return OpResult(_rankless(target), "tile.assemble")
    elif len(source.shape) == len(target.shape) == len(offsets):
        old, new = valid_of(target) or target.shape, valid_of(source) or source.shape
        valid = written_region(
            WindowWrite(target.shape, old, source.shape, new, offsets, whole=True, names=Names("offset"))
        )
    return OpResult(_same_place(target, target.shape, valid), "tile.assemble")


def _same_place(tile: TileType, shape: Dims, valid: Dims | None) -> TileType:
    """A tile that lies as another does, with another valid region."""
    layout = layout_of(tile)
    return tile_type(
        tile.dtype, shape, tile.memory, valid=valid, layout=layout, pad=pad_of(tile), compact=compact_of(tile)
    )


def concat(call: OpCall) -> OpResult:
    left, right = operands.tile(call, "src0"), operands.tile(call, "src1")
    if left is not None and right is not None:
        operands.require_same_dtype("src1", right.dtype, "src0", left.dtype)
    operands.require_rank("src0", left, 2)
    operands.require_rank("src1", right, 2)
    if left is None or right is None or left.shape is None or right.shape is None:
        return OpResult(TileType(left.dtype if left else None, None, "Vec"), "tile.concat")
    if differ(left.shape[0], right.shape[0]):
        words, other = describe_type(left), describe_type(right)
        raise OpFault(faults.SHAPE_MISMATCH, "src1", left=words, right=other, reason="the row counts differ")
    shape = (left.shape[0], joined(left.shape[1], right.shape[1]))
    return OpResult(settled(left.dtype, shape, "Vec", layout=TileLayout()), "tile.concat")


# --- the same elements in another shape ----------------------------------------------------------------------------


def reshape(call: OpCall) -> OpResult:
    source, shape = operands.tile(call, "tile"), index_like(call, "shape")
    if source is not None:
        check_element_count(source.shape, shape, describe_type(source))
    if source is None or source.shape is None or shape is None:
        return OpResult(_rankless(source), "tile.reshape")
    row_major = layout_of(source).blayout == "row_major"
    valid = reshaped_region(valid_of(source) or source.shape, source.shape, shape, row_major=row_major)
    layout = TileLayout(implicit_layout(shape, None).blayout)
    result = settled(
        source.dtype,
        shape,
        source.memory,
        valid=valid,
        layout=layout,
        pad=pad_of(source),
        compact=compact_of(source),
    )
    return OpResult(result, "tile.reshape")


def reinterpret_view(call: OpCall) -> OpResult:
    source, dtype = operands.tile(call, "data"), operands.dtype_argument(call, "dtype")
    requested = index_like(call, "shape") if given(call, "shape") else None
    if given(call, "shape") and requested == ():
        raise OpFault(faults.WRONG_RANK, "shape", expected="at least one extent", got="none")
    if source is None or source.shape is None or (given(call, "shape") and requested is None):
        return OpResult(TileType(dtype, None, source.memory if source else None), "tile.reinterpret_view")
    operands.require_min_rank("data", source, 1)
    layout = layout_of(source)
    if layout.slayout != "none_box":
        raise OpFault(
            faults.WRONG_LAYOUT, "data", expected="flat (without blocks)", got=f"in blocks ({layout.slayout})"
        )
    columns = layout.blayout == "col_major"
    if columns:
        operands.require_min_rank("data", source, 2)
        if requested is not None and len(requested) < 2:
            raise OpFault(faults.WRONG_RANK, "shape", expected="at least 2 entries", got=str(len(requested)))
    axis = len(source.shape) - (2 if columns else 1)
    region = valid_of(source) or source.shape
    shape, valid = reinterpret(source.shape, region, source.dtype, dtype, axis, requested)
    if shape is None:
        return OpResult(TileType(dtype, None, source.memory), "tile.reinterpret_view")
    pad = "zero" if pad_of(source) == "zero" else "null"
    result = tile_type(dtype, shape, source.memory, valid=valid, layout=layout, pad=pad, compact=compact_of(source))
    return OpResult(result, "tile.reinterpret_view")


def transpose(call: OpCall) -> OpResult:
    source, tmp = operands.tile(call, "tile"), optional_tile(call, "tmp_tile")
    operands.require_min_rank("tile", source, 2)
    if source is not None and tmp is not None:
        operands.require_same_dtype("tmp_tile", tmp.dtype, "tile", source.dtype)
        if source.shape is not None:
            operands.require_rank("tmp_tile", tmp, len(source.shape))
    rank = len(source.shape) if source is not None and source.shape is not None else None
    first, second = _axis(call, "axis1", rank), _axis(call, "axis2", rank)
    if first is not None and first == second:
        raise OpFault(faults.WRONG_VALUE, "axis2", reason="must be another axis than axis1", got=second)
    if source is None or source.shape is None or first is None or second is None:
        return OpResult(_rankless(source), "tile.transpose")
    shape = _swapped(source.shape, first, second)
    return OpResult(settled(source.dtype, shape, source.memory, layout=TileLayout()), "tile.transpose")


def _axis(call: OpCall, name: str, rank: int | None) -> int | None:
    """An axis counted from the front; None when it cannot be told."""
    axis = operands.constant_integer(call, name)
    if axis is None or rank is None:
        return None
    if not -rank <= axis < rank:
        raise OpFault(faults.WRONG_VALUE, name, reason=f"must be in {-rank}..{rank - 1} for rank {rank}", got=axis)
    return axis % rank


def transpose_view(call: OpCall) -> OpResult:
    source = operands.tile(call, "tile")
    operands.require_min_rank("tile", source, 2)
    if source is None or source.shape is None:
        return OpResult(_rankless(source), "tile.transpose_view")
    own, region = layout_of(source), valid_of(source) or source.shape
    layout = TileLayout(_FLIPPED[own.blayout], _FLIPPED[own.slayout], own.fractal)
    result = tile_type(
        source.dtype,
        _swapped(source.shape, -2, -1),
        source.memory,
        valid=_swapped(region, -2, -1),
        layout=layout,
        pad=pad_of(source),
        compact=compact_of(source),
    )
    return OpResult(result, "tile.transpose_view")


# --- valid regions and padding -------------------------------------------------------------------------------------


def set_validshape(call: OpCall) -> OpResult:
    source = operands.tile(call, "tile")
    operands.require_rank("tile", source, 2)
    rows, cols = index_scalar(call, "valid_rows"), index_scalar(call, "valid_cols")
    extents: tuple[Dim | None, ...] = (None, None)
    if source is not None and source.shape is not None:
        extents = source.shape
    check_region_extent("valid_rows", rows, extents[0])
    check_region_extent("valid_cols", cols, extents[1])
    if source is None or source.shape is None or rows is None or cols is None:
        return OpResult(_rankless(source), "tile.set_validshape")
    result = settled(
        source.dtype,
        source.shape,
        source.memory,
        valid=(rows, cols),
        layout=layout_of(source),
        pad=pad_of(source),
        compact=compact_of(source),
    )
    return OpResult(result, "tile.set_validshape")


def padding(ir_op: str) -> Rule:
    """Everything beyond the valid region is filled: the whole tile becomes valid."""

    def rule(call: OpCall) -> OpResult:
        source = operands.tile(call, "tile")
        pad = pad_value(call, "zero", null=False)
        if source is None or source.shape is None:
            return OpResult(_rankless(source), ir_op)
        return OpResult(_padded(source, source.shape, pad), ir_op)

    return rule


def _padded(source: TileType, shape: Dims, pad: str | None) -> TileType:
    own = layout_of(source)
    build = tile_type if source.memory is not None else settled
    return build(
        source.dtype,
        shape,
        source.memory or "Vec",
        layout=TileLayout(own.blayout, own.slayout),
        pad=pad or "null",
        compact=compact_of(source),
    )


def fillpad_expand(call: OpCall) -> OpResult:
    source, shape = operands.tile(call, "tile"), static_shape(call)
    pad = pad_value(call, "zero", null=False)
    if source is None or source.shape is None or shape is None:
        return OpResult(TileType(source.dtype if source else None, shape, source.memory if source else None), "")
    operands.require_length("shape", shape, len(source.shape), f"the rank of {describe_type(source)}")
    for axis, (new, old) in enumerate(zip(shape, source.shape, strict=True)):
        small, large = const_value(new), const_value(old)
        if small is not None and large is not None and small < large:
            reason = f"must not shrink dimension {axis} ({large})"
            raise OpFault(faults.WRONG_VALUE, "shape", index=axis, reason=reason, got=small)
    return OpResult(_padded(source, shape, pad), "tile.fillpad_expand")


# --- rows written by index -----------------------------------------------------------------------------------------

_ROWS = ("dim", "index", "src")


def scatter_update(call: OpCall) -> OpResult:
    _bind_rows(call)
    target, index, source = (operands.tile(call, name) for name in ("input", "index", "src"))
    dim = operands.constant_integer(call, "dim")
    if target is not None and target.shape is not None and len(target.shape) not in (2, 4):
        raise OpFault(faults.WRONG_RANK, "input", expected="rank 2 or 4", got=f"rank {len(target.shape)}")
    operands.require_rank("index", index, 2)
    require_int_dtype("index", index.dtype if index else None)
    if target is not None and source is not None:
        if target.shape is not None:
            operands.require_rank("src", source, len(target.shape))
        operands.require_same_dtype("src", source.dtype, "input", target.dtype)
    if dim is not None and dim != -2:
        raise OpFault(faults.WRONG_VALUE, "dim", reason="must be -2", got=dim)
    if target is None or target.shape is None:
        return OpResult(_rankless(target), "tile.scatter_update")
    return OpResult(_same_place(target, target.shape, valid_of(target)), "tile.scatter_update")


def _bind_rows(call: OpCall) -> None:
    """Bind dim, index and src: all or none by position, or ``dim`` alone, or the others."""
    named = {name for name in _ROWS if given(call, name)}
    forms: dict[tuple[int, frozenset[str]], tuple[str, ...]] = {
        (3, frozenset()): _ROWS,
        (2, frozenset(("dim",))): ("index", "src"),
        (1, frozenset(("index", "src"))): ("dim",),
        (0, frozenset(_ROWS)): (),
    }
    order = forms.get((len(call.rest), frozenset(named)))
    if order is None:
        reason = "it takes (input, dim, index, src), (input, index, src, dim=...) or (input, dim, index=..., src=...)"
        raise OpFault(faults.CONFLICTING_ARGUMENTS, reason=reason)
    bound: dict[str, Arg] = dict(zip(order, call.rest, strict=True))
    call.args.update(bound)
    call.rest = ()


# --- declarations --------------------------------------------------------------------------------------------------

_PADS = ("pl.PadValue.zero", "pl.PadValue.max", "pl.PadValue.min")


def _pad_param(name: str = "pad_value") -> Param:
    return optional(name, "PadValue | int | float", "pl.PadValue.zero", attribute=True, allowed=_PADS)


_SHAPES = (
    tile_op(
        "slice",
        (
            tile_param("tile"), extents_param("shape"), extents_param("offset"),
            extents_param("valid_shape", required=False),
            optional("drop_dims", "Sequence[int] | None"),
            optional(
                "pad_value", "PadValue | int | float | None", attribute=True, allowed=("pl.PadValue.null", *_PADS)
            ),
        ),
        slice_, "Cut a window of static extents out of a tile.", memory="input", usage=6,
    ),
    tile_op(
        "reshape", (tile_param("tile"), extents_param("shape")), reshape,
        "See the same elements in another shape.", memory="input", usage=78,
    ),
    tile_op(
        "reinterpret_view",
        (tile_param("data"), dtype_param(), extents_param("shape", required=False, keyword_only=True)),
        reinterpret_view,
        "See the same bytes as another element type.", memory="input",
    ),
    tile_op(
        "transpose",
        (tile_param("tile"), needed("axis1", "int"), needed("axis2", "int"), tile_param("tmp_tile", required=False)),
        transpose, "Exchange two axes of a tile.", memory="input", usage=2,
    ),
    tile_op(
        "transpose_view", (tile_param("tile"),), transpose_view,
        "See a tile transposed without moving data: extents and block orders swap.", memory="input", usage=10,
    ),
    tile_op(
        "extract",
        (
            tile_param("src"), scalar_param("index_row", "int | Scalar"), scalar_param("index_col", "int | Scalar"),
            extents_param("shape"), space_param(keyword_only=True),
        ),
        extract, "Copy a window of a tile into another memory space.", memory="target",
    ),
    tile_op(
        "set_validshape",
        (tile_param("tile"), scalar_param("valid_rows", "int | Scalar"), scalar_param("valid_cols", "int | Scalar")),
        set_validshape, "State which part of a tile holds real data.", memory="input", usage=96,
    ),
)  # fmt: skip

_WRITES = (
    tile_op(
        "assemble", (tile_param("target"), tile_param("source"), extents_param("offset")), assemble,
        "Write a tile into a window of another one.", memory="input", reads=("target", "source"),
        writes=("target",), usage=14,
    ),
    tile_op(
        "concat", (tile_param("src0"), tile_param("src1")), concat, "Join two tiles side by side.",
    ),
    tile_op(
        "fillpad", (tile_param("tile"), _pad_param()), padding("tile.fillpad"),
        "Fill what lies beyond the valid region; the whole tile is valid then.", usage=10,
    ),
    tile_op(
        "fillpad_inplace", (tile_param("tile"), _pad_param()), padding("tile.fillpad_inplace"),
        "Fill what lies beyond the valid region of the tile itself.", writes=("tile",),
    ),
    tile_op(
        "fillpad_expand", (tile_param("tile"), extents_param("shape"), _pad_param()), fillpad_expand,
        "Copy a tile into a larger one and fill the rest.",
    ),
    tile_op(
        "scatter_update",
        (
            tile_param("input"), Param("args", "int | Tile", kind="var_positional"),
            optional("dim", "int | None", keyword_only=True, attribute=True),
            optional("index", "Tile | None", keyword_only=True), optional("src", "Tile | None", keyword_only=True),
        ),
        scatter_update, "Overwrite rows of a tile by index.", reads=("input", "index", "src"), writes=("input",),
    ),
)  # fmt: skip

OPERATORS = (*_SHAPES, *_WRITES)
