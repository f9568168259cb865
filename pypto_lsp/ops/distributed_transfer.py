"""Transfers between devices: whole windows or parts of them (put, get), and single tiles or tensors (remote_load,
remote_store)."""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir import arith
from pypto_lsp.ir.arith import Dim, const_value, is_exact, prove_le, same_structure
from pypto_lsp.ir.dtypes import INDEX, DType
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.nodes import MakeTuple
from pypto_lsp.ir.tile_views import TileLayout, implicit_layout, tile_type, valid_of
from pypto_lsp.ir.types import UNKNOWN, DistributedTensorType, TileType
from pypto_lsp.ops import operands
from pypto_lsp.ops.declare import EXTENTS, needed, optional
from pypto_lsp.ops.distributed import OFFSETS, PEER, WINDOW, atomic_param, list_of, rank_of, scalar_or_number
from pypto_lsp.ops.operands import AnyTensor, Shaped, describe_type
from pypto_lsp.ops.regions import Dims, Names, WindowRead, read_region, show, valid_region
from pypto_lsp.ops.registry import OpCall, Operator, OpFault, OpResult, Param
from pypto_lsp.ops.slices import MX_LAYOUTS
from pypto_lsp.ops.tile_declarations import tile_param
from pypto_lsp.ops.tile_memory import ATOMIC_DTYPES, atomic_mode
from pypto_lsp.ops.tile_operands import given, unlike

REGION = ("dst_offsets", "src_offsets", "shape")


# --- put and get ---------------------------------------------------------------------------------------------------


def put(call: OpCall) -> OpResult:
    dst, src = operands.distributed(call, "dst"), operands.tensor(call, "src")
    transfer = _transfer(call, dst, src)
    _check_atomic(call, "dst", dst.dtype if dst else None)
    _check_chunks(call, transfer)
    return OpResult(UNKNOWN, "pld.tensor.put")


def get(call: OpCall) -> OpResult:
    dst, src = operands.tensor(call, "dst"), operands.distributed(call, "src")
    _check_chunks(call, _transfer(call, dst, src))
    return OpResult(UNKNOWN, "pld.tensor.get")


def _check_atomic(call: OpCall, name: str, dtype: DType | None) -> None:
    if atomic_mode(call):
        operands.require_dtype(name, dtype, ATOMIC_DTYPES)


def _transfer(call: OpCall, dst: AnyTensor | None, src: AnyTensor | None) -> Dims | None:
    """The extents that are moved: those of a part given by offsets and shape, else the whole of two equal tensors."""
    scalar_or_number(call, "peer")
    part = [name for name in REGION if given(call, name)]
    if part and len(part) < len(REGION):
        missing = next(name for name in REGION if name not in part)
        raise OpFault(faults.CONFLICTING_ARGUMENTS, part[0], reason=f"a part of a window also needs '{missing}'")
    if dst is not None and src is not None:
        operands.require_same_dtype("src", src.dtype, "dst", dst.dtype)
        _check_extents(dst, src, whole=not part)
    if not part:
        return dst.shape if dst is not None else None
    return _part(call, dst, src)


def _check_extents(dst: AnyTensor, src: AnyTensor, whole: bool) -> None:
    operands.require_min_rank("dst", dst, 1)
    if dst.shape is None or src.shape is None:
        return
    operands.require_rank("src", src, len(dst.shape))
    for name, shape, tensor in (("dst", dst.shape, dst), ("src", src.shape, src)):
        if any(_not_positive(dim) for dim in shape):
            raise OpFault(faults.WRONG_VALUE, name, reason="needs positive extents", got=describe_type(tensor))
    for axis, (to, of) in enumerate(zip(dst.shape, src.shape, strict=True)):
        if whole and not _same_extent(to, of):
            left, right = describe_type(dst), describe_type(src)
            reason = f"dimension {axis} differs; give {', '.join(REGION)} to move a part"
            raise OpFault(faults.SHAPE_MISMATCH, "src", left=left, right=right, reason=reason)


def _not_positive(dim: Dim) -> bool:
    value = const_value(dim)
    return value is not None and value <= 0


def _same_extent(left: Dim, right: Dim) -> bool:
    """Equal constants or expressions; what is not exact passes."""
    return same_structure(left, right) or not (is_exact(left) and is_exact(right))


def _part(call: OpCall, dst: AnyTensor | None, src: AnyTensor | None) -> Dims | None:
    starts = list_of(call, "dst_offsets", rank_of(dst), "the rank of dst")
    sources = list_of(call, "src_offsets", rank_of(src), "the rank of src")
    shape = list_of(call, "shape", rank_of(dst), "the rank of dst")
    for index, dim in enumerate(shape or ()):
        if _not_positive(dim):
            raise OpFault(faults.WRONG_VALUE, "shape", index=index, reason="needs positive extents", got=show(dim))
    for name, offsets, tensor in (("dst_offsets", starts, dst), ("src_offsets", sources, src)):
        if offsets is not None and shape is not None and tensor is not None and tensor.shape is not None:
            _check_bounds(name, offsets, shape, tensor.shape)
    return shape


def _check_bounds(name: str, offsets: Dims, extents: Dims, limits: Dims) -> None:
    """Constants only: what is known at run time is checked there."""
    for axis, (offset, extent, limit) in enumerate(zip(offsets, extents, limits)):
        start, size, bound = const_value(offset), const_value(extent), const_value(limit)
        if start is None:
            continue
        if start < 0:
            raise _outside(name, axis, f"the offset {start} is negative")
        if size is not None and bound is not None and start + size > bound:
            raise _outside(name, axis, f"offset {start} plus extent {size} is beyond {bound}")


def _outside(name: str, axis: int, reason: str) -> OpFault:
    return OpFault(faults.OUT_OF_BOUNDS, name, index=axis, dimension=axis, reason=reason)


def _check_chunks(call: OpCall, transfer: Dims | None) -> None:
    """A run-time extent needs a chunk that bounds the staging tile; double buffering needs both."""
    sizes = {name: _chunk(call, name) for name in ("chunk_rows", "chunk_cols")}
    if operands.loose_flag(call, "pipeline") and 0 in sizes.values():
        raise OpFault(faults.CONFLICTING_ARGUMENTS, "pipeline", reason="pipeline needs chunk_rows and chunk_cols")
    if not transfer:
        return
    for name, dims in (("chunk_rows", transfer[:-1]), ("chunk_cols", transfer[-1:])):
        dynamic = next((d for d in dims if const_value(d) is None and is_exact(d)), None)
        if dynamic is not None and sizes[name] == 0:
            raise OpFault(faults.CONFLICTING_ARGUMENTS, reason=f"the run-time extent {show(dynamic)} needs {name}")


def _chunk(call: OpCall, name: str) -> int | None:
    size = operands.integer(call, name, 0)
    if size is not None and size < 0:
        raise OpFault(faults.WRONG_VALUE, name, reason="must not be negative", got=size)
    return size


# --- put and get with a staging tile -------------------------------------------------------------------------------


def tile_put(call: OpCall) -> OpResult:
    _shift_region(call)
    dst, src = operands.distributed(call, "dst"), operands.tensor(call, "src")
    _check_stages(call, dst, _transfer(call, dst, src))
    _check_atomic(call, "dst", dst.dtype if dst else None)
    return OpResult(UNKNOWN, "pld.tile.put")


def tile_get(call: OpCall) -> OpResult:
    _shift_region(call)
    dst, src = operands.tensor(call, "dst"), operands.distributed(call, "src")
    _check_stages(call, dst, _transfer(call, dst, src))
    return OpResult(UNKNOWN, "pld.tile.get")


def _shift_region(call: OpCall) -> None:
    """A list in the place of the second stage begins the part, as printed IR has it."""
    second = call.get("stage2")
    if second is None or not isinstance(second.expr, MakeTuple):
        return
    names = ("stage2", *REGION)
    shifted = {to: call.args[of] for of, to in zip(names, REGION) if of in call.args}
    for name in names:
        call.args.pop(name, None)
    call.args.update(shifted)


def _check_stages(call: OpCall, dst: AnyTensor | None, transfer: Dims | None) -> None:
    stages = {name: operands.tile(call, name) for name in ("stage", "stage2") if given(call, name)}
    for name, stage in stages.items():
        operands.require_same_dtype(name, stage.dtype if stage else None, "dst", dst.dtype if dst else None)
        operands.require_rank(name, stage, 2)
        if stage is not None and stage.shape is not None and transfer:
            _check_stage_fits(name, stage, stage.shape, transfer)
    first, second = stages.get("stage"), stages.get("stage2")
    if first is not None and second is not None and unlike(first.shape, second.shape):
        left, right = describe_type(second), describe_type(first)
        raise OpFault(faults.SHAPE_MISMATCH, "stage2", left=left, right=right, reason="both stages have one shape")


def _check_stage_fits(name: str, stage: TileType, shape: Dims, transfer: Dims) -> None:
    rows: int | None = 1
    for dim in transfer[:-1]:
        value = const_value(dim)
        rows = None if value is None or rows is None else rows * value
    for axis, limit in enumerate((rows, const_value(transfer[-1]))):
        extent = const_value(shape[axis])
        if limit is not None and extent is not None and extent > limit:
            reason = f"must not exceed the transfer ({limit} in dimension {axis})"
            raise OpFault(faults.WRONG_VALUE, name, reason=reason, got=describe_type(stage))


# --- single tiles and tensors --------------------------------------------------------------------------------------


def remote_load(call: OpCall) -> OpResult:
    source = operands.distributed(call, "target")
    if source is not None and source.view is not None and source.view.layout in MX_LAYOUTS:
        raise OpFault(faults.WRONG_LAYOUT, "target", expected="of an ND, DN or NZ layout", got=source.view.layout)
    operands.scalar(call, "peer")
    rank = rank_of(source)
    offsets = list_of(call, "offsets", rank, "the rank of the target")
    shape = list_of(call, "shape", rank, "the rank of the target")
    requested = _requested(call, rank)
    operands.require_min_rank("target", source, 1)
    if source is None or source.shape is None or offsets is None or shape is None or requested is None:
        return OpResult(TileType(source.dtype if source else None, None), "pld.tile.remote_load")
    valid = read_region(
        WindowRead(
            source.shape,
            valid_region(source) or source.shape,
            offsets,
            shape,
            requested,
            materialize=True,
            names=Names("offsets", "shape", "valid_shape", "target"),
        )
    )
    layout = _loaded_layout(source, shape)
    return OpResult(tile_type(source.dtype, shape, None, valid=valid, layout=layout), "pld.tile.remote_load")


def _requested(call: OpCall, rank: int | None) -> Dims | None:
    """The valid region asked for, as INDEX; empty when none is, None when it cannot be told."""
    if not given(call, "valid_shape"):
        return ()
    valid = list_of(call, "valid_shape", rank, "the rank of the target")
    operands.require_integers("valid_shape", valid)
    for index, dim in enumerate(valid or ()):
        if prove_le(0, dim) is False:
            raise OpFault(faults.WRONG_VALUE, "valid_shape", index=index, reason="must not be negative", got=show(dim))
    return None if valid is None else tuple(arith.cast(dim, INDEX) for dim in valid)


def _loaded_layout(source: DistributedTensorType, shape: Dims) -> TileLayout:
    stored = source.view.layout if source.view is not None else ""
    orders = {"ND": "row_major", "DN": "col_major"}
    return TileLayout(orders.get(stored, implicit_layout(shape, None).blayout))


def remote_store(call: OpCall) -> OpResult:
    """A tile where the value is one, else a tensor."""
    first = call.args["src"].type
    return _store_tile(call, "src") if isinstance(first, TileType) else _store_tensor(call)


def tile_remote_store(call: OpCall) -> OpResult:
    return _store_tile(call, "src_tile")


def tensor_remote_store(call: OpCall) -> OpResult:
    return _store_tensor(call)


def _store_tile(call: OpCall, name: str) -> OpResult:
    tile = operands.tile(call, name)
    _check_push(call, name, tile, valid_of(tile) if tile is not None else None)
    return OpResult(UNKNOWN, "pld.tile.remote_store")


def _store_tensor(call: OpCall) -> OpResult:
    tensor = operands.plain_tensor(call, "src")
    _check_push(call, "src", tensor, tensor.shape if tensor is not None else None)
    return OpResult(UNKNOWN, "pld.tensor.remote_store")


def _check_push(call: OpCall, name: str, source: Shaped | None, pushed: Dims | None) -> None:
    """The last two extents of the value land at the offsets; leading ones must be 1."""
    target = operands.distributed(call, "target")
    scalar_or_number(call, "peer")
    offsets = list_of(call, "offsets", rank_of(target), "the rank of the target")
    if target is not None and source is not None:
        operands.require_same_dtype(name, source.dtype, "target", target.dtype)
    operands.require_min_rank(name, source, 2)
    for axis, dim in enumerate((pushed or ())[:-2]):
        if const_value(dim) not in (1, None):
            reason = f"needs leading extents of 1 (dimension {axis} is {show(dim)})"
            raise OpFault(faults.WRONG_VALUE, name, reason=reason, got="more")
    operands.require_min_rank("target", target, 2)
    if target is not None and target.shape is not None and pushed is not None and offsets is not None:
        extents = (*((1,) * (len(target.shape) - 2)), *pushed[-2:])
        _check_bounds("offsets", offsets, extents, target.shape)
    _check_atomic(call, "target", target.dtype if target else None)


# --- declarations --------------------------------------------------------------------------------------------------


def _list(name: str) -> Param:
    return optional(name, f"{EXTENTS} | None")


def _number(name: str) -> Param:
    return optional(name, "int", "0", keyword_only=True, attribute=True)


_EITHER = "DistributedTensor | Tensor"
_PART = tuple(_list(name) for name in REGION)
_CHUNKS = (
    _number("chunk_rows"), _number("chunk_cols"),
    optional("pipeline", "bool", "False", keyword_only=True, attribute=True),
)  # fmt: skip
_STAGES = (tile_param("stage"), tile_param("stage2", required=False))

_BULK = (
    Operator(
        "tensor.put", ("pld.tensor.put",),
        (needed("dst", WINDOW), PEER, needed("src", _EITHER), *_PART, atomic_param(), *_CHUNKS), put,
        "Write a tensor, or a part of it, into a peer's window.",
        lane=Lane.VECTOR, reads=("src",), writes=("dst",), usage=33,
    ),
    Operator(
        "tensor.get", ("pld.tensor.get",), (needed("dst", _EITHER), PEER, needed("src", WINDOW), *_PART, *_CHUNKS), get,
        "Read a peer's window, or a part of it, into a tensor.",
        lane=Lane.VECTOR, reads=("src",), writes=("dst",), usage=2,
    ),
    Operator(
        "tile.put", ("pld.tile.put",),
        (needed("dst", WINDOW), PEER, needed("src", _EITHER), *_STAGES, *_PART, atomic_param()), tile_put,
        "Write a tensor into a peer's window through staging tiles.",
        lane=Lane.VECTOR, reads=("src", "stage", "stage2"), writes=("dst",),
    ),
    Operator(
        "tile.get", ("pld.tile.get",), (needed("dst", _EITHER), PEER, needed("src", WINDOW), *_STAGES, *_PART),
        tile_get,
        "Read a peer's window into a tensor through staging tiles.",
        lane=Lane.VECTOR, reads=("src", "stage", "stage2"), writes=("dst",),
    ),
)  # fmt: skip

_PUSH = (needed("target", WINDOW), PEER, OFFSETS, atomic_param())
_SINGLE = (
    Operator(
        "tile.remote_load", ("pld.tile.remote_load", "pld.remote_load"),
        (needed("target", WINDOW), PEER, OFFSETS, needed("shape", EXTENTS), _list("valid_shape")), remote_load,
        "Load a part of a peer's window into a tile.", "Tile", reads=("target",), usage=3,
    ),
    Operator(
        "tile.remote_store", ("pld.tile.remote_store",), (tile_param("src_tile"), *_PUSH), tile_remote_store,
        "Store a tile into a part of a peer's window.", reads=("src_tile",), writes=("target",), usage=10,
    ),
    Operator(
        "tensor.remote_store", ("pld.tensor.remote_store",), (needed("src"), *_PUSH), tensor_remote_store,
        "Store a tensor into a part of a peer's window.", reads=("src",), writes=("target",), usage=3,
    ),
    Operator(
        "remote_store", ("pld.remote_store",), (needed("src", "Tile | Tensor"), *_PUSH), remote_store,
        "Store a tile or tensor into a part of a peer's window.", reads=("src",), writes=("target",),
    ),
)  # fmt: skip

OPERATORS = (*_BULK, *_SINGLE)
