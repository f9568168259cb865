"""Tiles sorted, and elements picked or placed by index, pattern or order.

Reference: project docs, tile operators; ISA tsort32, tmrgsort, tgather, tscatter, mgather, mscatter.
"""

from __future__ import annotations

from dataclasses import replace

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir import arith
from pypto_lsp.ir.arith import Dim, const_value, differ, is_exact
from pypto_lsp.ir.dtypes import FP32, INDEX, INT16, INT32, UINT32, DType
from pypto_lsp.ir.nodes import ConstInt, ErrorExpr, OpaqueInt, Read
from pypto_lsp.ir.tile_views import TileLayout, settled, valid_of
from pypto_lsp.ir.types import UNDETERMINED, TileType, TupleType, Type
from pypto_lsp.ops import operands
from pypto_lsp.ops.declare import flag_param, needed, optional
from pypto_lsp.ops.operands import AnyTensor, describe, describe_type
from pypto_lsp.ops.regions import Dims, element_count, show
from pypto_lsp.ops.registry import MISSING, OpCall, OpFault, OpResult, Param
from pypto_lsp.ops.tensor_index import (
    COMPARISONS,
    check_row_window,
    compare_mode,
    mask_pattern,
    mask_stride,
    masked_columns,
)
from pypto_lsp.ops.tile_declarations import dtype_param, extents_param, scalar_param, space_param, tile_op, tile_param
from pypto_lsp.ops.tile_operands import check_static, given, inherited, one_of, required_member, unlike

SORTED = one_of("FP16 FP32")
GATHERED = one_of("FP16 FP32 INT16 INT32")
BLOCK_GATHERED = one_of("INT8 UINT8 INT16 UINT16 INT32 UINT32 FP16 BF16 FP32")
SCATTERED = one_of("INT8 INT16 INT32 FP16 FP32 BF16")
GLOBAL_GATHERED = one_of("INT8 UINT8 INT16 UINT16 INT32 UINT32 FP16 BF16 FP32 FP8E4M3FN FP8E5M2 HF8")
#: bytes that one offset of ``gatherb`` fetches
BLOCK_BYTES = 32
#: elements that a merge block's length is a multiple of
MERGE_ALIGN = 64
COALESCE = ("row", "elem")
BOUNDS = ("undefined", "clamp", "wrap", "zero")


def _mismatch(param: str, left: Type, right: Type, reason: str) -> OpFault:
    words, other = operands.describe_type(left), operands.describe_type(right)
    return OpFault(faults.SHAPE_MISMATCH, param, left=words, right=other, reason=reason)


# --- sorting -------------------------------------------------------------------------------------------------------


def sort32(call: OpCall) -> OpResult:
    source, _ = operands.tile(call, "src"), operands.tile(call, "idx")
    if source is None:
        return OpResult(UNDETERMINED, "tile.sort32")
    operands.require_dtype("src", source.dtype, SORTED)
    operands.require_min_rank("src", source, 1)
    if source.shape is None:
        return OpResult(TileType(source.dtype, None, "Vec"), "tile.sort32")
    last = const_value(source.shape[-1])
    doubled = last * 2 if last is not None else arith.make("*", source.shape[-1], 2)
    return OpResult(_like(source, (*source.shape[:-1], doubled)), "tile.sort32")


def _like(source: TileType, shape: Dims | None, dtype: DType | None = None) -> TileType:
    """A fully valid result in Vec whose blocks lie as those of ``source``."""
    if shape is None:
        return TileType(dtype or source.dtype, None, "Vec")
    return inherited(source, dtype=dtype or source.dtype, shape=shape, valid=shape)


def mrgsort(call: OpCall) -> OpResult:
    """One list of sorted blocks (``block_len``), or two to four sorted lists with a scratch tile."""
    lists = [name for name in ("src1", "src2", "src3", "tmp") if given(call, name)]
    if given(call, "block_len"):
        if lists:
            raise OpFault(faults.CONFLICTING_ARGUMENTS, lists[0], reason="block_len goes with src0 alone")
        return merge_blocks(call)
    for name in ("src1", "tmp"):
        if name not in lists:
            reason = f"'{name}' is needed: it takes (src0, block_len=...) or (src0, src1, ..., tmp=...)"
            raise OpFault(faults.CONFLICTING_ARGUMENTS, reason=reason)
    if "src3" in lists and "src2" not in lists:
        raise OpFault(faults.CONFLICTING_ARGUMENTS, "src3", reason="src3 goes with src2")
    operands.flag(call, "exhausted")
    return merge_lists(call, ("src0", *lists[:-1]))


def merge_blocks(call: OpCall) -> OpResult:
    source = operands.tile(call, "src0")
    if source is not None:
        operands.require_dtype("src0", source.dtype, SORTED)
    _check_block_length(call)
    if source is None:
        return OpResult(UNDETERMINED, "tile.mrgsort_format1")
    return OpResult(_like(source, source.shape), "tile.mrgsort_format1")


def _check_block_length(call: OpCall) -> None:
    arg = call.args["block_len"]
    length = arg.expr.value if isinstance(arg.expr, ConstInt) else arg.python
    if isinstance(length, int):
        if length <= 0 or length % MERGE_ALIGN:
            reason = f"must be a positive multiple of {MERGE_ALIGN}"
            raise OpFault(faults.WRONG_VALUE, "block_len", reason=reason, got=length)
        return
    if arg.python is not MISSING:
        raise OpFault(faults.WRONG_KIND, "block_len", expected="an integer", got=describe(arg))
    scalar = operands.scalar(call, "block_len")
    if scalar is not None and scalar.dtype is not None and not scalar.dtype.is_int:
        raise OpFault(faults.WRONG_DTYPE, "block_len", expected="an integer type", got=scalar.dtype.name)


def merge_lists(call: OpCall, sources: tuple[str, ...]) -> OpResult:
    """Merge the sorted lists bound to the parameters ``sources``; the result is as large as the tile ``tmp``."""
    tiles = [operands.tile(call, name) for name in sources]
    tmp, first = operands.tile(call, "tmp"), tiles[0]
    if first is not None:
        operands.require_dtype(sources[0], first.dtype, SORTED)
        for name, tile in zip(sources[1:], tiles[1:], strict=True):
            operands.require_same_dtype(name, tile.dtype if tile else None, sources[0], first.dtype)
    if first is None or tmp is None:
        return OpResult(TileType(first.dtype if first else None, None, "Vec"), "tile.mrgsort_format2")
    return OpResult(_like(first, tmp.shape), "tile.mrgsort_format2")


# --- gathering from a tile -----------------------------------------------------------------------------------------


def gather(call: OpCall) -> OpResult:
    source, index = operands.tile(call, "src"), operands.tile(call, "indices")
    operands.tile(call, "tmp")
    if source is not None:
        operands.require_dtype("src", source.dtype, GATHERED)
    dtype = index.dtype if index else None
    narrow = source is None or source.dtype is None or source.dtype.bits == 16
    if dtype is not None and dtype is not INT32 and not (dtype is INT16 and narrow):
        raise OpFault(faults.WRONG_DTYPE, "indices", expected="INT32, or INT16 for a 16-bit source", got=dtype.name)
    if source is None or index is None:
        return OpResult(TileType(source.dtype if source else None, None, "Vec"), "tile.gather")
    return OpResult(_like(source, index.shape), "tile.gather")


def gatherb(call: OpCall) -> OpResult:
    source, offset = operands.tile(call, "src"), operands.tile(call, "offset")
    dtype = source.dtype if source is not None else None
    operands.require_dtype("src", dtype, BLOCK_GATHERED)
    if given(call, "output_dtype"):
        dtype = operands.dtype_argument(call, "output_dtype")
        operands.require_dtype("output_dtype", dtype, BLOCK_GATHERED)
    operands.require_dtype("offset", offset.dtype if offset else None, (UINT32,))
    operands.require_rank("src", source, 2)
    operands.require_rank("offset", offset, 2)
    if offset is None or offset.shape is None:
        return OpResult(TileType(dtype, None, "Vec"), "tile.gatherb")
    _check_offset_columns(offset.shape[1])
    if dtype is None:
        return OpResult(TileType(None, None, "Vec"), "tile.gatherb")
    factor = BLOCK_BYTES * 8 // dtype.bits
    region = valid_of(offset) or offset.shape
    shape, valid = (offset.shape[0], _scaled(offset.shape[1], factor)), (region[0], _scaled(region[1], factor))
    return OpResult(settled(dtype, shape, "Vec", valid=valid, layout=TileLayout()), "tile.gatherb")


def _check_offset_columns(columns: Dim) -> None:
    value = const_value(columns)
    if value is None and is_exact(columns):
        raise OpFault(faults.NOT_CONSTANT, "offset", got=f"a tile of {show(columns)} columns")
    if value is not None and (value <= 0 or value % 8):
        raise OpFault(faults.WRONG_VALUE, "offset", reason="needs a multiple of 8 columns", got=value)


def _scaled(dim: Dim, factor: int) -> Dim:
    value = const_value(dim)
    return value * factor if value is not None else arith.make("*", dim, factor)


def gather_mask(call: OpCall) -> OpResult:
    source = operands.tile(call, "src")
    if source is not None:
        operands.require_dtype("src", source.dtype, GATHERED)
    pattern = mask_pattern(call)
    operands.require_rank("src", source, 2)
    dtype = source.dtype if source else None
    if given(call, "output_dtype"):
        dtype = operands.dtype_argument(call, "output_dtype")
        _check_width(dtype, source)
    if source is None or source.shape is None or pattern is None:
        return OpResult(TileType(dtype, None, "Vec"), "tile.gather_mask")
    shape = (source.shape[0], masked_columns(source.shape[1], pattern, "src"))
    return OpResult(_like(source, shape, dtype), "tile.gather_mask")


def _check_width(dtype: DType | None, source: TileType | None) -> None:
    if dtype is not None and source is not None and source.dtype is not None and dtype.bits != source.dtype.bits:
        expected = f"a type of {source.dtype.bits} bits"
        raise OpFault(faults.WRONG_DTYPE, "output_dtype", expected=expected, got=dtype.name)


def gather_compare(call: OpCall) -> OpResult:
    source = operands.tile(call, "src")
    operands.tile(call, "tmp")
    if source is not None:
        operands.require_dtype("src", source.dtype, GATHERED)
    operands.require_rank("src", source, 2)
    _check_threshold(call, source.dtype if source else None)
    if call.get("cmp_mode") is not None:
        compare_mode(call)
    operands.integer(call, "offset", 0)
    cols = operands.integer(call, "out_cols")
    if cols is not None and cols <= 0:
        raise OpFault(faults.WRONG_VALUE, "out_cols", reason="must be positive", got=cols)
    count = operands.dtype_argument(call, "count_dtype") if given(call, "count_dtype") else INT32
    operands.require_dtype("count_dtype", count, (INT32, UINT32))
    if source is None or source.shape is None or cols is None:
        return OpResult(TupleType((TileType(INT32, None, "Vec"), TileType(count, None, "Vec"))), "tile.gather_compare")
    rows = source.shape[0]
    places = _like(source, (rows, cols), INT32)
    counts = settled(count, (1, rows), "Vec", layout=TileLayout())
    return OpResult(TupleType((places, counts)), "tile.gather_compare")


def _check_threshold(call: OpCall, element: DType | None) -> None:
    """The threshold has the source's element type; a Python integer is INDEX, a float FP32."""
    arg = call.args["kvalue"]
    if isinstance(arg.expr, ErrorExpr | OpaqueInt):
        return
    if arg.python is MISSING:
        scalar = operands.scalar(call, "kvalue")
        dtype = scalar.dtype if scalar is not None else None
    elif isinstance(arg.python, int | float):
        dtype = FP32 if isinstance(arg.python, float) else INDEX
    else:
        raise OpFault(faults.WRONG_KIND, "kvalue", expected="a scalar", got=describe(arg))
    operands.require_same_dtype("kvalue", dtype, "src", element)


# --- scattering into a tile ----------------------------------------------------------------------------------------


def _scatter_operands(call: OpCall) -> tuple[TileType | None, TileType | None]:
    target, source = operands.tile(call, "dst"), operands.tile(call, "src")
    for name, tile in (("dst", target), ("src", source)):
        operands.require_dtype(name, tile.dtype if tile else None, SCATTERED)
    if target is not None and source is not None:
        operands.require_same_dtype("src", source.dtype, "dst", target.dtype)
    return target, source


def _written(target: TileType | None) -> Type:
    return UNDETERMINED if target is None else replace(target, memref=None)


def scatter(call: OpCall) -> OpResult:
    target, source = _scatter_operands(call)
    index = operands.tile(call, "indexes")
    dtype = index.dtype if index else None
    operands.require_dtype("indexes", dtype, (INT16, INT32))
    element = next((t.dtype for t in (target, source) if t is not None and t.dtype is not None), None)
    if element is not None and dtype is not None:
        wanted = INT32 if element.bits == 32 else INT16
        operands.require_dtype("indexes", dtype, (wanted,))
    for name, tile in (("src", source), ("dst", target), ("indexes", index)):
        operands.require_rank(name, tile, 2)
    if source is not None and index is not None and unlike(source.shape, index.shape):
        raise _mismatch("indexes", index, source, "each element needs an index")
    return OpResult(_written(target), "tile.scatter")


def scatter_mask(call: OpCall) -> OpResult:
    target, source = _scatter_operands(call)
    for name, tile in (("src", source), ("dst", target)):
        operands.require_rank(name, tile, 2)
    pattern = mask_pattern(call)
    if target is None or source is None or target.shape is None or source.shape is None:
        return OpResult(_written(target), "tile.scatter_mask")
    if differ(source.shape[0], target.shape[0]):
        raise _mismatch("src", source, target, "the row counts differ")
    have, fill = const_value(target.shape[1]), const_value(source.shape[1])
    if have is not None and fill is not None and pattern is not None and have != fill * mask_stride(pattern):
        reason = f"mask pattern {pattern} spreads {fill} columns over {fill * mask_stride(pattern)}"
        raise _mismatch("src", source, target, reason)
    return OpResult(_written(target), "tile.scatter_mask")


# --- global memory -------------------------------------------------------------------------------------------------


def gather_row(call: OpCall) -> OpResult:
    target, source = operands.tile(call, "dst"), operands.plain_tensor(call, "src")
    if target is not None and source is not None:
        operands.require_same_dtype("src", source.dtype, "dst", target.dtype)
    check_row_window(call)
    return OpResult(target or UNDETERMINED, "tile.gather_row")


def mscatter(call: OpCall) -> OpResult:
    source, index = operands.tile(call, "src"), operands.tile(call, "idx")
    output = operands.tensor(call, "output_tensor")
    operands.require_dtype("src", source.dtype if source else None, GATHERED)
    operands.require_dtype("idx", index.dtype if index else None, (INT32,))
    if source is not None and index is not None and source.shape is not None:
        operands.require_rank("idx", index, len(source.shape))
        if unlike(source.shape, index.shape):
            raise _mismatch("idx", index, source, "each element needs an index")
    if output is None:
        return OpResult(UNDETERMINED, "tile.mscatter")
    operands.require_min_rank("output_tensor", output, 1)
    operands.require_same_dtype("output_tensor", output.dtype, "src", source.dtype if source else None)
    return OpResult(output, "tile.mscatter")


def mgather(call: OpCall) -> OpResult:
    """Whole rows of a tensor by a vector of row numbers, or single elements by a matrix of positions."""
    space = required_member(call, "target_memory", "MemorySpace") if call.get("target_memory") else "Vec"
    if space not in (None, "Vec", "Mat"):
        raise OpFault(faults.WRONG_MEMORY, "target_memory", expected="Vec or Mat", got=space)
    mode = _choice(call, "coalesce", COALESCE)
    _choice(call, "gather_oob", BOUNDS)
    source = operands.tensor(call, "mem")
    if source is not None:
        operands.require_dtype("mem", source.dtype, GLOBAL_GATHERED)
        operands.require_min_rank("mem", source, 2 if mode == "row" else 1)
    if space is None or mode is None:
        return OpResult(TileType(source.dtype if source else None, None, space), "tile.mgather")
    result = _gather_to_vec(call, source, mode) if space == "Vec" else _gather_to_mat(call, source, mode)
    return OpResult(result, "tile.mgather")


def _choice(call: OpCall, name: str, choices: tuple[str, ...]) -> str | None:
    """A choice by its name or number; None when it is not known."""
    value = operands.attribute(call, name, choices[0])
    if value is MISSING:
        return None
    if isinstance(value, str) and value in choices:
        return value
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(choices):
        return choices[value]
    raise OpFault(faults.WRONG_MEMBER, name, expected=", ".join(choices), got=repr(value))


def _gather_to_vec(call: OpCall, source: AnyTensor | None, mode: str) -> TileType:
    for name in ("scratch", "valid_shape"):
        if given(call, name):
            raise OpFault(faults.CONFLICTING_ARGUMENTS, name, reason=f"{name} belongs to a gather into Mat")
    index = operands.tile(call, "idx")
    operands.require_dtype("idx", index.dtype if index else None, (INT32,))
    operands.require_rank("idx", index, 2)
    dtype = source.dtype if source is not None else None
    if index is None or index.shape is None:
        return TileType(dtype, None, "Vec")
    region = valid_of(index) or index.shape
    if mode == "elem":
        return settled(dtype, index.shape, "Vec", valid=region, layout=TileLayout())
    rows = _vector_axis(index.shape)
    if source is None or source.shape is None or rows is None:
        return TileType(dtype, None, "Vec")
    width = source.shape[-1]
    return settled(dtype, (index.shape[rows], width), "Vec", valid=(region[rows], width), layout=TileLayout())


def _vector_axis(shape: Dims) -> int | None:
    """The axis along which a vector of row numbers runs; None when it is not known."""
    values = [const_value(d) for d in shape]
    for index, (dim, value) in enumerate(zip(shape, values, strict=True)):
        if value is None:
            if not is_exact(dim):
                return None
            raise OpFault(faults.NOT_CONSTANT, "idx", got=f"an extent {show(dim)} in dimension {index}")
    if 1 not in values:
        raise OpFault(faults.WRONG_VALUE, "idx", reason="must be a vector [1, R] or [R, 1]", got=str(values))
    return 1 if values[0] == 1 else 0


def _gather_to_mat(call: OpCall, source: AnyTensor | None, mode: str) -> TileType:
    index = operands.tensor(call, "idx")
    for name, tensor in (("mem", source), ("idx", index)):
        if tensor is not None and tensor.view is not None and tensor.view.layout != "ND":
            raise OpFault(faults.WRONG_LAYOUT, name, expected="of the ND layout", got=tensor.view.layout)
    operands.require_dtype("idx", index.dtype if index else None, (INT32,))
    operands.require_rank("idx", index, 2)
    dtype = source.dtype if source is not None else None
    shape = index.shape if index is not None else None
    if mode == "elem":
        _check_scratch(call, dtype, shape)
    else:
        shape = _gathered_rows(call, source, shape)
    if shape is None:
        return TileType(dtype, None, "Mat")
    check_static("idx", shape, positive=False)
    _check_box(shape, dtype)
    valid = _mat_region(call, shape)
    return settled(dtype, shape, "Mat", valid=valid, layout=TileLayout("col_major", "row_major"))


def _gathered_rows(call: OpCall, source: AnyTensor | None, index: Dims | None) -> Dims | None:
    if given(call, "scratch"):
        raise OpFault(faults.CONFLICTING_ARGUMENTS, "scratch", reason='scratch belongs to coalesce="elem"')
    if index is not None and const_value(index[0]) != 1 and is_exact(index[0]):
        raise OpFault(faults.WRONG_VALUE, "idx", reason="must be a vector [1, R]", got=f"{show(index[0])} rows")
    if index is None or source is None or source.shape is None:
        return None
    return index[1], source.shape[-1]


def _check_scratch(call: OpCall, dtype: DType | None, shape: Dims | None) -> None:
    """Single elements go through a tensor of their own, contiguous and large enough."""
    if not given(call, "scratch"):
        raise OpFault(faults.CONFLICTING_ARGUMENTS, reason='coalesce="elem" into Mat needs scratch')
    expr = call.args["scratch"].expr
    for name in ("mem", "idx"):
        other = call.args[name].expr
        if isinstance(expr, Read) and isinstance(other, Read) and expr.var is other.var:
            raise OpFault(faults.CONFLICTING_ARGUMENTS, "scratch", reason=f"scratch must be another tensor than {name}")
    scratch = operands.tensor(call, "scratch")
    if scratch is None:
        return
    operands.require_same_dtype("scratch", scratch.dtype, "mem", dtype)
    if scratch.view is not None and scratch.view.layout != "ND":
        raise OpFault(faults.WRONG_LAYOUT, "scratch", expected="contiguous (ND)", got=scratch.view.layout)
    check_static("scratch", scratch.shape or (), positive=False)
    have, need = element_count(scratch.shape), element_count(shape)
    if have is not None and need is not None and have < need:
        reason = f"needs at least {need} elements"
        raise OpFault(faults.WRONG_VALUE, "scratch", reason=reason, got=describe_type(scratch))


def _check_box(shape: Dims, dtype: DType | None) -> None:
    rows, cols = const_value(shape[0]), const_value(shape[1])
    if rows is not None and rows % 16:
        raise OpFault(faults.WRONG_VALUE, "idx", reason="must give a multiple of 16 rows in Mat", got=rows)
    box = BLOCK_BYTES * 8 // dtype.bits if dtype is not None else 1
    if cols is not None and cols % box:
        raise OpFault(faults.WRONG_VALUE, "mem", reason=f"must give a multiple of {box} columns in Mat", got=cols)


def _mat_region(call: OpCall, shape: Dims) -> Dims:
    valid = operands.extents(call, "valid_shape") if given(call, "valid_shape") else None
    if valid is None:
        return shape
    operands.require_length("valid_shape", valid, len(shape), "the rank of the result")
    check_static("valid_shape", valid)
    for index, (part, whole) in enumerate(zip(valid, shape, strict=True)):
        value, limit = const_value(part), const_value(whole)
        if value is not None and limit is not None and value > limit:
            raise OpFault(faults.WRONG_VALUE, "valid_shape", index=index, reason=f"must be at most {limit}", got=value)
    return valid


# --- declarations --------------------------------------------------------------------------------------------------

_MASKS = tuple(str(n) for n in range(1, 8))
_MASK = Param("mask_pattern", "int", allowed=_MASKS, attribute=True)


def _tiles(names: str) -> tuple[Param, ...]:
    return tuple(tile_param(name) for name in names.split())


def _names(choices: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f'"{choice}"' for choice in choices)


_SORTS = (
    tile_op("sort32", _tiles("src idx"), sort32, "Sort blocks of 32 elements together with their indices."),
    tile_op(
        "mrgsort",
        (
            tile_param("src0"), *(tile_param(name, required=False) for name in ("src1", "src2", "src3", "tmp")),
            flag_param("exhausted"), optional("block_len", "int | Scalar | None", keyword_only=True),
        ),
        mrgsort, "Merge the sorted blocks of a tile, or two to four sorted tiles.",
    ),
)  # fmt: skip

_GATHERS = (
    tile_op("gather", _tiles("src indices tmp"), gather, "Pick elements of each row by index.", usage=4),
    tile_op(
        "gatherb", (*_tiles("src offset"), dtype_param("output_dtype", "None", keyword_only=True)), gatherb,
        "Fetch blocks of 32 bytes by byte offset.", also=("pl.gatherb",),
    ),
    tile_op(
        "gather_mask", (tile_param("src"), _MASK, dtype_param("output_dtype", "None", keyword_only=True)), gather_mask,
        "Pick columns of each row by a mask pattern.",
    ),
    tile_op(
        "gather_compare",
        (
            tile_param("src"), scalar_param("kvalue"), tile_param("tmp"),
            optional(
                "cmp_mode", "str | int", '"eq"', keyword_only=True, attribute=True, allowed=_names(COMPARISONS),
            ),
            optional("offset", "int", "0", keyword_only=True, attribute=True),
            needed("out_cols", "int", keyword_only=True, attribute=True),
            dtype_param("count_dtype", "None", keyword_only=True),
        ),
        gather_compare, "Find the positions in each row that compare with a threshold, and count them.",
        returns="tuple[Tile, Tile]",
    ),
)  # fmt: skip

_SCATTERS = (
    tile_op(
        "scatter", _tiles("dst src indexes"), scatter, "Place elements at flat positions of a tile.",
        reads=("dst", "src", "indexes"), writes=("dst",),
    ),
    tile_op(
        "scatter_mask", (*_tiles("dst src"), _MASK), scatter_mask, "Spread columns over a tile by a mask pattern.",
        writes=("dst",),
    ),
)  # fmt: skip

_GLOBAL = (
    tile_op(
        "gather_row",
        (
            tile_param("dst"), needed("src"), extents_param("dst_offset"), extents_param("src_offset"),
            extents_param("shapes"), flag_param("transpose"),
            extents_param("valid_shape", required=False, keyword_only=True),
        ),
        gather_row, "Load a row of a global tensor into a window of a tile.", memory="input", writes=("dst",),
    ),
    tile_op(
        "mgather",
        (
            needed("mem"), needed("idx", "Tile | Tensor"),
            optional("coalesce", "str | int", '"row"', attribute=True, allowed=_names(COALESCE)),
            optional(
                "gather_oob", "str | int", '"undefined"', keyword_only=True, attribute=True, allowed=_names(BOUNDS),
            ),
            space_param(default="pl.MemorySpace.Vec", keyword_only=True),
            optional("scratch", "Tensor | None", keyword_only=True),
            extents_param("valid_shape", required=False, keyword_only=True),
        ),
        mgather, "Gather rows or elements of a global tensor into a new tile.",
        also=("pl.mgather",), memory="target", reads=("mem", "idx"), writes=("scratch",),
    ),
    tile_op(
        "mscatter", (*_tiles("src idx"), needed("output_tensor")), mscatter,
        "Write elements of a tile to indexed places of a global tensor.",
        also=("pl.mscatter",), memory="", returns="Tensor", reads=("src", "idx"), writes=("output_tensor",),
    ),
)  # fmt: skip

OPERATORS = (*_SORTS, *_GATHERS, *_SCATTERS, *_GLOBAL)
