"""Shapes and valid regions: broadcasting, windows read from a source, windows written into a target, reshapes.

A valid region is the rectangle, anchored at the origin, that holds real data. Reading a window gives the part of the source's
region that lies under it; writing gives the union, which must again be one rectangle at the origin; a reshape keeps the same
cells. Where the compiler demands a proof and an extent is not exact (see :mod:`pypto_lsp.ir.arith`), nothing is faulted and
the region's extent is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir import arith
from pypto_lsp.ir.arith import Dim, const_value, is_exact, prove_equal, prove_le, same_structure, unknown_extent
from pypto_lsp.ir.printer_types import print_dim, print_dims
from pypto_lsp.ir.tile_views import valid_of
from pypto_lsp.ir.types import TENSORS, TileType, Type
from pypto_lsp.ops.operands import Shaped, describe_type
from pypto_lsp.ops.registry import OpFault

Dims = tuple[Dim, ...]


def show(dim: Dim) -> str:
    """An extent for a message."""
    return print_dim(dim) or "?"


def show_all(dims: Sequence[Dim] | None) -> str:
    """A list of extents for a message."""
    return print_dims(dims) or "[?]"


def valid_region(type_: Shaped) -> Dims | None:
    """The effective valid region; None when the rank is not known."""
    if isinstance(type_, TileType):
        return valid_of(type_)
    return type_.view.valid_shape if type_.view is not None and type_.view.valid_shape else type_.shape


def check_region_rank(param: str | None, type_: Type) -> None:
    """An annotation may give a tensor a valid region of another rank than its shape's; no rule has to expect one."""
    if not isinstance(type_, TENSORS) or type_.shape is None or type_.view is None or not type_.view.valid_shape:
        return
    rank, given = len(type_.shape), len(type_.view.valid_shape)
    if rank != given:
        raise OpFault(faults.WRONG_RANK, param, expected=f"a valid region of {rank} dimensions", got=str(given))


def is_integer_scalar(dim: Dim) -> bool:
    """Whether the compiler can compute with an extent at all."""
    dtype = arith.dtype_of(dim)
    return dtype is not None and dtype.is_int


def provably_equal(left: Dim, right: Dim) -> bool:
    """Equal constants, or extents proven equal."""
    a, b = const_value(left), const_value(right)
    return a == b if a is not None and b is not None else prove_equal(left, right) is True


def provably_empty(dim: Dim) -> bool:
    return provably_equal(dim, 0)


def all_exact(*groups: Sequence[Dim]) -> bool:
    """Whether every extent of every list is exact."""
    return all(is_exact(dim) for group in groups for dim in group)


def _unknown(rank: int) -> Dims:
    return tuple(unknown_extent() for _ in range(rank))


# --- broadcasting --------------------------------------------------------------------------------------------------


def broadcast(left: Shaped, right: Shaped, param: str) -> Dims | None:
    """The shape of an element-wise result, right-aligned as in numpy; None when a rank is not known.

    Extents that differ must be 1 on one side, or the call is at fault (``param`` names the argument).
    """
    if left.shape is None or right.shape is None:
        return None
    rank = max(len(left.shape), len(right.shape))
    first = (None,) * (rank - len(left.shape)) + left.shape
    second = (None,) * (rank - len(right.shape)) + right.shape
    dims: list[Dim] = []
    for axis, (a, b) in enumerate(zip(first, second, strict=True)):
        dims.append(_common_extent(a, b, axis, left, right, param))
    return tuple(dims)


def _common_extent(a: Dim | None, b: Dim | None, axis: int, left: Shaped, right: Shaped, param: str) -> Dim:
    if a is None or b is None:
        present = b if a is None else a
        assert present is not None
        return present
    if arith.prove_equal(a, b) is True or const_value(b) == 1:
        return a
    if const_value(a) == 1:
        return b
    if is_exact(a) and is_exact(b):
        raise OpFault(
            faults.SHAPE_MISMATCH, param, left=describe_type(left), right=describe_type(right),
            reason=f"dimension {axis}", dimension=axis,
        )  # fmt: skip
    return a if is_exact(a) and const_value(a) != 1 else unknown_extent()


def same_shape(left: Shaped, right: Shaped, param: str, *, why: str = "the shapes must be equal") -> None:
    """Fault operands whose shapes are not provably equal."""
    if left.shape is None or right.shape is None:
        return
    if len(left.shape) != len(right.shape):
        reason, axis = f"{why}, the ranks differ", None
    else:
        axis = next((i for i, (a, b) in enumerate(zip(left.shape, right.shape)) if not arith.may_equal(a, b)), None)
        if axis is None:
            return
        reason = f"dimension {axis}"
    raise OpFault(
        faults.SHAPE_MISMATCH,
        param,
        left=describe_type(left),
        right=describe_type(right),
        reason=reason,
        dimension=axis,
    )


def matching_region(left: Shaped, right: Shaped) -> Dims | None:
    """The valid region that two operands of one shape share; None when their shapes or regions differ."""
    first, second = valid_region(left), valid_region(right)
    if left.shape is None or right.shape is None or first is None or second is None:
        return None
    if len(left.shape) != len(right.shape):
        return None
    pairs = (*zip(left.shape, right.shape, strict=True), *zip(first, second, strict=True))
    return first if all(prove_equal(a, b) is True for a, b in pairs) else None


# --- reading a window ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Names:
    """The parameters that a window's fault points at."""

    offset: str = "offset"
    shape: str = "shape"
    valid: str = "valid_shape"
    source: str = "source"


@dataclass(frozen=True, slots=True)
class WindowRead:
    """A window read from a source. All lists have one rank.

    ``requested`` is the valid region asked for, empty when none is. ``exact`` demands that the whole window lies in the
    source, else only the part asked for has to. ``clamp`` cuts the window at the source's edge instead of faulting it.
    ``materialize`` keeps a run-time minimum where the order is not decided (remote loads), else the request is trusted.
    """

    source: Dims
    source_valid: Dims
    offsets: Dims
    window: Dims
    requested: Dims = ()
    exact: bool = False
    clamp: bool = False
    materialize: bool = False
    names: Names = Names()


def read_region(read: WindowRead) -> Dims:
    """The valid region of a window. Raises OpFault when the window provably leaves its source."""
    result: list[Dim] = []
    for axis in range(len(read.window)):
        _check_window(read, axis)
        available = _available(read, axis)
        result.append(_granted(read, axis, available) if read.requested else available)
    return tuple(result)


def _check_window(read: WindowRead, axis: int) -> None:
    offset, source, window = read.offsets[axis], read.source[axis], read.window[axis]
    if prove_le(0, offset) is False:
        raise _outside(read.names.offset, axis, f"the offset {show(offset)} is negative")
    if read.requested and prove_le(read.requested[axis], window) is False:
        reason = f"the valid extent {show(read.requested[axis])} exceeds the window's {show(window)}"
        raise _outside(read.names.valid, axis, reason)
    reach = window if read.exact or not read.requested else read.requested[axis]
    if not read.clamp and all(is_integer_scalar(d) for d in (offset, reach, source)):
        end = arith.add(offset, reach)
        if prove_le(end, source) is False:
            reason = f"offset {show(offset)} plus extent {show(reach)} is beyond the source's {show(source)}"
            asked = read.names.shape if read.exact or not read.requested else read.names.valid
            param = asked if const_value(offset) == 0 else read.names.offset
            raise _outside(param, axis, reason, end=end, limit=source)


def _outside(param: str, axis: int, reason: str, **facts: Any) -> OpFault:
    return OpFault(faults.OUT_OF_BOUNDS, param, index=axis, dimension=axis, reason=reason, **facts)


def _available(read: WindowRead, axis: int) -> Dim:
    """The extent that the source holds under the window: its valid extent minus the offset, cut to the window."""
    offset, window, valid = read.offsets[axis], read.window[axis], read.source_valid[axis]
    full = same_structure(valid, read.source[axis])
    if full and not read.clamp and (not read.materialize or const_value(valid) is not None or not is_exact(valid)):
        return window
    if not is_integer_scalar(offset):
        if not is_exact(offset):
            return unknown_extent()
        reason = "the offset must be an integer scalar, since the source is only partly valid"
        raise _outside(read.names.offset, axis, reason)
    remaining = valid if provably_empty(offset) else arith.sub(arith.maximum(valid, offset), offset)
    return smaller(remaining, window)


def _granted(read: WindowRead, axis: int, available: Dim) -> Dim:
    requested, window = read.requested[axis], read.window[axis]
    if read.materialize:
        return smaller(requested, available)
    if same_structure(available, window):
        return requested
    order = prove_le(available, requested)
    if order is True:
        return available
    return requested if order is False or (is_exact(available) and is_exact(requested)) else unknown_extent()


def smaller(left: Dim, right: Dim) -> Dim:
    """The provably smaller extent, else their minimum."""
    if prove_le(left, right) is True:
        return left
    return right if prove_le(right, left) is True else _extreme(arith.minimum, left, right)


def larger(left: Dim, right: Dim) -> Dim:
    """The provably larger extent, else their maximum."""
    if prove_le(left, right) is True:
        return right
    return left if prove_le(right, left) is True else _extreme(arith.maximum, left, right)


def _extreme(build: Callable[[Dim, Dim], Dim], left: Dim, right: Dim) -> Dim:
    if is_integer_scalar(left) and is_integer_scalar(right):
        return build(left, right)
    return unknown_extent()


# --- writing a window ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WindowWrite:
    """A window written into a target. ``whole`` moves the source's whole shape, else only its valid region."""

    target: Dims
    target_valid: Dims
    source: Dims
    source_valid: Dims
    offsets: Dims
    whole: bool = False
    names: Names = Names()


def written_region(write: WindowWrite) -> Dims:
    """The target's valid region after a write. Raises OpFault when the write provably leaves the target, or when old and new
    region do not make one rectangle."""
    rank = len(write.target)
    for axis in range(rank):
        _check_write(write, axis)
    old, new = write.target_valid, write.source_valid
    if any(provably_empty(d) for d in new):
        return old
    if any(provably_empty(d) for d in old):
        if not _at_origin(write.offsets):
            if not all_exact(write.offsets):
                return _unknown(rank)
            raise _no_rectangle(write, "an empty target must first be written at offset 0", write.names.offset)
        return new
    if all(same_structure(a, b) or prove_equal(a, b) is True for a, b in zip(old, write.target, strict=True)):
        return old
    try:
        return _union(write)
    except OpFault:
        if all_exact(old, new, write.target, write.offsets):
            raise
        return _unknown(rank)


def _check_write(write: WindowWrite, axis: int) -> None:
    offset, target = write.offsets[axis], write.target[axis]
    if prove_le(0, offset) is False:
        raise _outside(write.names.offset, axis, f"the offset {show(offset)} is negative")
    reach = (write.source if write.whole else write.source_valid)[axis]
    if all(is_integer_scalar(d) for d in (offset, reach, target)):
        end = arith.add(offset, reach)
        if prove_le(end, target) is False:
            reason = f"offset {show(offset)} plus extent {show(reach)} is beyond the target's {show(target)}"
            param = write.names.source if const_value(offset) == 0 else write.names.offset
            raise _outside(param, axis, reason, end=end, limit=target)


def _at_origin(offsets: Dims) -> bool:
    return all(provably_empty(d) for d in offsets)


def _no_rectangle(write: WindowWrite, reason: str, param: str | None) -> OpFault:
    regions = f"{show_all(write.source_valid)} at {show_all(write.offsets)} into {show_all(write.target_valid)}"
    return OpFault(faults.VALID_REGION, param, reason=f"{reason} (writing {regions})")


def _far_edge(write: WindowWrite, axis: int) -> Dim:
    offset, extent = write.offsets[axis], write.source_valid[axis]
    if provably_empty(offset):
        return extent
    if not (is_integer_scalar(offset) and is_integer_scalar(extent)):
        raise _outside(
            write.names.offset, axis, "the offset must be an integer scalar, since the target is only partly valid"
        )
    return arith.add(offset, extent)


def _union(write: WindowWrite) -> Dims:
    old, new, rank = write.target_valid, write.source_valid, len(write.target)
    edges = [_far_edge(write, axis) for axis in range(rank)]
    growing = [axis for axis in range(rank) if prove_le(edges[axis], old[axis]) is not True]
    if not growing:
        return old
    if _at_origin(write.offsets) and all(prove_le(a, b) is True for a, b in zip(old, new, strict=True)):
        return new
    if len(growing) > 1:
        raise _no_rectangle(
            write, f"the valid region would grow along dimensions {growing} at once", write.names.offset
        )
    axis = growing[0]
    if prove_le(write.offsets[axis], old[axis]) is not True:
        raise _no_rectangle(write, f"the write leaves a gap in dimension {axis}", write.names.offset)
    for other in range(rank):
        if other == axis:
            continue
        if not provably_empty(write.offsets[other]) or prove_equal(new[other], old[other]) is not True:
            raise _no_rectangle(
                write, f"the write does not span dimension {other} of the valid region", write.names.offset
            )
    grown = smaller(larger(old[axis], edges[axis]), write.target[axis])
    return (*old[:axis], grown, *old[axis + 1 :])


# --- reshaping -----------------------------------------------------------------------------------------------------


def reshaped_region(valid: Dims, shape: Dims, new_shape: Dims, *, row_major: bool = True) -> Dims:
    """The valid region after a reshape, which keeps the cells that hold data.

    A full region stays full, an empty one empty; adding or dropping full axes of extent 1 keeps any region; else the data
    must fill the buffer from its start (``row_major``: the elements are stored in that order). Raises OpFault else.
    """
    if all(provably_equal(a, b) for a, b in zip(valid, shape, strict=True)):
        return new_shape
    if any(provably_empty(d) for d in valid):
        return (0,) * len(new_shape)
    mapped = _unit_axes(valid, shape, new_shape, 0, 0, set())
    if mapped is not None:
        return mapped
    try:
        return _prefix(valid, shape, new_shape, row_major)
    except OpFault:
        if all_exact(valid, shape, new_shape):
            raise
        return _unknown(len(new_shape))


def _unit_axes(valid: Dims, shape: Dims, new: Dims, i: int, j: int, dead: set[tuple[int, int]]) -> Dims | None:
    """Align old and new axes where they differ only by full axes of extent 1; None when they do not."""
    if (i, j) in dead:
        return None
    if i == len(shape) and j == len(new):
        return ()
    if i < len(shape) and j < len(new) and prove_equal(shape[i], new[j]) is True:
        tail = _unit_axes(valid, shape, new, i + 1, j + 1, dead)
        if tail is not None:
            return (valid[i], *tail)
    if i < len(shape) and const_value(shape[i]) == 1 and provably_equal(valid[i], shape[i]):
        tail = _unit_axes(valid, shape, new, i + 1, j, dead)
        if tail is not None:
            return tail
    if j < len(new) and const_value(new[j]) == 1:
        tail = _unit_axes(valid, shape, new, i, j + 1, dead)
        if tail is not None:
            return (new[j], *tail)
    dead.add((i, j))
    return None


def _no_image(valid: Dims, shape: Dims, new: Dims, reason: str) -> OpFault:
    text = f"{show_all(shape)} holds data in {show_all(valid)} only; as {show_all(new)} {reason}"
    return OpFault(faults.VALID_REGION, "shape", reason=text)


def _prefix(valid: Dims, shape: Dims, new: Dims, row_major: bool) -> Dims:
    """The region where the data fills the buffer from its start, as whole rows of one axis."""
    if not row_major:
        raise _no_image(valid, shape, new, "the elements are not stored in row-major order")
    free = next((i for i in range(len(valid) - 1) if const_value(valid[i]) != 1), len(valid) - 1)
    if not all(provably_equal(a, b) for a, b in zip(valid[free + 1 :], shape[free + 1 :], strict=True)):
        raise _no_image(valid, shape, new, "the data is scattered")
    trailing = _product(shape[free + 1 :])
    target = [const_value(d) for d in new]
    if trailing is None or any(t is None for t in target):
        raise _no_image(valid, shape, new, "the extents must be constants")
    extents = [t for t in target if t is not None]
    steps = [_volume(extents[i + 1 :]) for i in range(len(extents))]
    count = const_value(valid[free])
    if count is not None:
        return _static_prefix(valid, shape, new, count * trailing, extents, steps)
    physical = const_value(shape[free])
    for axis, step in enumerate(steps):
        if physical is not None and step == trailing and physical <= extents[axis]:
            return ((1,) * axis) + (valid[free],) + new[axis + 1 :]
    raise _no_image(valid, shape, new, "no dimension has its row size")


def _static_prefix(valid: Dims, shape: Dims, new: Dims, total: int, extents: list[int], steps: list[int]) -> Dims:
    for axis, step in enumerate(steps):
        if step and total % step == 0 and total // step <= extents[axis]:
            return ((1,) * axis) + (total // step,) + new[axis + 1 :]
    raise _no_image(valid, shape, new, f"its {total} elements are no whole number of rows")


def _volume(extents: Sequence[int]) -> int:
    total = 1
    for extent in extents:
        total *= extent
    return total


def _product(dims: Sequence[Dim]) -> int | None:
    """The number of elements of constant extents, None when one is not constant."""
    values = [const_value(d) for d in dims]
    return None if any(v is None for v in values) else _volume([v for v in values if v is not None])


def element_count(dims: Sequence[Dim] | None) -> int | None:
    """The number of elements of a shape; None when an extent is no constant."""
    return None if dims is None else _product(dims)
