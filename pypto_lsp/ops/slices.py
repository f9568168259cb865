"""Windows of tensors and tiles as types: what ``slice``, ``assemble`` and subscripts deduce.

The functions take types and extents, not calls, so that a call and a subscript share them. Faults name parameters by the
:class:`~pypto_lsp.ops.regions.Names` given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.arith import Dim, const_value, is_exact, prove_equal, unknown_extent
from pypto_lsp.ir.dtypes import INDEX, INT64, UINT64
from pypto_lsp.ir.tile_views import TileLayout, implicit_layout, layout_of, settled, tensor_view, valid_of
from pypto_lsp.ir.types import DistributedTensorType, TensorType, TileType
from pypto_lsp.ops.operands import AnyTensor, describe_type, require_integers, require_length
from pypto_lsp.ops.regions import Dims, Names, WindowRead, WindowWrite, read_region, show, valid_region, written_region
from pypto_lsp.ops.registry import OpFault

#: element types that tile operators accept as extents and offsets
INDEX_LIKE = (INT64, UINT64, INDEX)
MX_LAYOUTS = ("MX_A_ZZ", "MX_B_NN")


@dataclass(frozen=True, slots=True)
class Window:
    """What is cut out of a source: extents, offsets, the valid region asked for (None: not asked), axes to drop, a new padding
    mode (None: the source's), and whether the window may overhang. ``drop`` is None where the axes are not known."""

    shape: Dims
    offsets: Dims
    valid: Dims | None = None
    drop: tuple[int, ...] | None = ()
    pad: str | None = None
    clamp: bool = False


def dropped_axes(axes: Sequence[Dim], shape: Dims, *, keep_one: bool) -> tuple[int, ...] | None:
    """The axes of ``drop_dims`` in order; None when one of them is not known. Raises OpFault for an axis that is no constant,
    out of range, given twice, or of an extent other than 1."""
    found: list[int] = []
    for index, axis in enumerate(axes):
        value = const_value(axis)
        if value is None:
            if not is_exact(axis):
                return None
            raise OpFault(faults.NOT_CONSTANT, "drop_dims", index=index, got="a run-time scalar")
        _check_dropped(value, index, found, shape)
        found.append(value)
    if keep_one and found and len(found) >= len(shape):
        raise OpFault(faults.WRONG_VALUE, "drop_dims", reason="must leave a dimension", got=str(sorted(found)))
    return tuple(sorted(found))


def _check_dropped(axis: int, index: int, found: list[int], shape: Dims) -> None:
    if not 0 <= axis < len(shape):
        raise OpFault(
            faults.WRONG_VALUE, "drop_dims", index=index, reason=f"must be in 0..{len(shape) - 1}", got=str(axis)
        )
    if axis in found:
        raise OpFault(faults.WRONG_VALUE, "drop_dims", index=index, reason="must name each axis once", got=str(axis))
    if const_value(shape[axis]) != 1 and is_exact(shape[axis]):
        got = f"axis {axis} of extent {show(shape[axis])}"
        raise OpFault(faults.WRONG_VALUE, "drop_dims", reason="must name axes of extent 1", got=got)


def without(dims: Dims, axes: Sequence[int]) -> Dims:
    """The extents that are left when axes are dropped."""
    return tuple(d for i, d in enumerate(dims) if i not in axes)


def _check_kept(valid: Dims, axes: Sequence[int], param: str) -> None:
    """A dropped axis must be wholly valid."""
    for axis in axes:
        if prove_equal(valid[axis], 1) is not True and is_exact(valid[axis]):
            reason = f"dimension {axis} cannot be dropped, its valid extent {show(valid[axis])} is not known to be 1"
            raise OpFault(faults.VALID_REGION, param, reason=reason, dimension=axis)


# --- tensors -------------------------------------------------------------------------------------------------------


def slice_tensor(source: AnyTensor, window: Window, names: Names) -> AnyTensor:
    """The type of a window of a tensor. A window of another rank than the source is a reinterpreting view: it is not bounded."""
    if source.view is not None and source.view.layout in MX_LAYOUTS:
        raise OpFault(faults.WRONG_LAYOUT, names.source, expected="of an ND, DN or NZ layout", got=source.view.layout)
    require_integers(names.shape, window.shape)
    require_integers(names.offset, window.offsets)
    if source.shape is None or window.drop is None:
        return replace(source, shape=None, view=None, memref=None)
    valid = _tensor_region(source, window, names)
    _check_kept(valid, window.drop, names.source if names.source else names.shape)
    shape, region = without(window.shape, window.drop), without(valid, window.drop)
    pad = window.pad if window.pad is not None else (source.view.pad if source.view else "null")
    return replace(source, shape=shape, view=tensor_view(shape, valid=region, pad=pad), memref=None)


def _tensor_region(source: AnyTensor, window: Window, names: Names) -> Dims:
    requested = window.valid or ()
    rank = len(window.shape)
    require_length(names.valid, requested or None, rank, "the rank of the window")
    region = valid_region(source)
    if source.shape is not None and region is not None and len(source.shape) == rank == len(window.offsets):
        return read_region(
            WindowRead(source.shape, region, window.offsets, window.shape, requested, clamp=window.clamp, names=names)
        )
    return requested or window.shape


def assemble_tensor(target: AnyTensor, source: AnyTensor, offsets: Dims, names: Names) -> AnyTensor:
    """The target's type after a tensor was written into it. Only windows of the target's rank are bounded."""
    require_integers(names.offset, offsets)
    if target.shape is None:
        return replace(target, view=None, memref=None)
    old, new = valid_region(target), valid_region(source)
    region: Dims = target.shape
    if source.shape is None:
        region = (
            tuple(unknown_extent() for _ in target.shape)
            if target.view is not None and target.view.valid_shape
            else region
        )
    elif old is not None and new is not None and len(source.shape) == len(target.shape) == len(offsets):
        region = written_region(WindowWrite(target.shape, old, source.shape, new, offsets, names=names))
    view = tensor_view(target.shape, valid=region)
    if isinstance(target, DistributedTensorType):
        return DistributedTensorType(target.dtype, target.shape, view, None, target.window_buffer)
    return TensorType(target.dtype, target.shape, view)


# --- tiles ---------------------------------------------------------------------------------------------------------


def require_index_like(name: str, dims: Sequence[Dim] | None) -> None:
    """Fault an entry that is not INT64, UINT64 or INDEX: what tile operators ask of extents and offsets."""
    require_integers(name, dims, INDEX_LIKE)


def require_static_extents(name: str, dims: Sequence[Dim]) -> None:
    """Fault an extent that is no positive constant."""
    for index, dim in enumerate(dims):
        value = const_value(dim)
        if value is None and is_exact(dim):
            raise OpFault(faults.NOT_CONSTANT, name, index=index, got=show(dim))
        if value is not None and value <= 0:
            raise OpFault(faults.WRONG_VALUE, name, index=index, reason="must be positive", got=str(value))


def slice_tile(source: TileType, window: Window, names: Names) -> TileType:
    """The type of a window of a tile, which must lie in it and is of rank 2 at least when axes were dropped."""
    require_index_like(names.shape, window.shape)
    require_index_like(names.offset, window.offsets)
    require_length(names.offset, window.offsets, len(window.shape), "the rank of the window")
    require_static_extents(names.shape, window.shape)
    require_index_like(names.valid, window.valid)
    region = valid_of(source)
    if source.shape is None or region is None or window.drop is None:
        return TileType(source.dtype, None, source.memory)
    require_length(names.shape, window.shape, len(source.shape), f"the rank of {describe_type(source)}")
    require_length(names.valid, window.valid or None, len(window.shape), "the rank of the window")
    valid = read_region(
        WindowRead(source.shape, region, window.offsets, window.shape, window.valid or (), exact=True, names=names)
    )
    _check_kept(valid, window.drop, names.source)
    shape, valid = without(window.shape, window.drop), without(valid, window.drop)
    missing = max(2 - len(shape), 0) if window.drop else 0
    shape, valid = (1,) * missing + shape, (1,) * missing + valid
    view = source.view
    layout = layout_of(source) if view is not None else TileLayout(implicit_layout(shape, None).blayout)
    pad = window.pad if window.pad is not None else (view.pad if view else "null")
    compact = view.compact if view else "null"
    return settled(source.dtype, shape, source.memory, valid=valid, layout=layout, pad=pad, compact=compact)
