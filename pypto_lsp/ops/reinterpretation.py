"""The bytes of an operand seen as another element type: shape and valid region of ``reinterpret_view``."""

from __future__ import annotations

from collections.abc import Sequence

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir import arith
from pypto_lsp.ir.arith import Dim, const_value, is_exact, same_dims
from pypto_lsp.ir.dtypes import DTYPES, DType
from pypto_lsp.ir.nodes import Binary
from pypto_lsp.ops.operands import names
from pypto_lsp.ops.regions import Dims, all_exact, element_count, show, show_all
from pypto_lsp.ops.registry import OpFault

_BYTE_TYPES = tuple(
    DTYPES[n]
    for n in ("INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64", "FP16", "FP32", "BF16")
)


def reinterpret(
    source: Dims,
    valid: Dims,
    dtype: DType | None,
    target_dtype: DType | None,
    axis: int,
    requested: Dims | None,
    data_param: str = "data",
) -> tuple[Dims | None, Dims | None]:
    """Shape and valid region of the same bytes seen as another element type; None where they cannot be told.

    ``axis`` is the contiguous axis, whose extent scales with the byte ratio. An explicit shape needs equal byte counts.
    """
    for param, kind in ((data_param, dtype), ("dtype", target_dtype)):
        if kind is not None and kind not in _BYTE_TYPES:
            raise OpFault(faults.WRONG_DTYPE, param, expected=names(_BYTE_TYPES), got=kind.name)
    if dtype is None or target_dtype is None:
        return None, None
    if dtype is target_dtype:
        raise OpFault(faults.WRONG_VALUE, "dtype", reason="must be another element type", got=dtype.name)
    _check_positive(source, data_param)
    before, after = dtype.bits // 8, target_dtype.bits // 8
    scaled = _scaled(source, axis, before, after)
    partial = not same_dims(valid, source)
    if requested is None:
        shape = scaled if scaled is not None else _refuse_scaling(source, axis, before, after)
    else:
        _check_positive(requested, "shape")
        shape = requested
        if scaled is None or not same_dims(requested, scaled):
            _check_bytes(source, requested, before, after)
            if partial and all_exact(source, valid, requested):
                reason = "an explicit shape cannot carry a partly valid region; leave shape out"
                raise OpFault(faults.VALID_REGION, "shape", reason=reason)
    if shape is None:
        return None, None
    if not partial:
        return shape, shape
    region = _scaled(valid, axis, before, after)
    return shape, region if region is not None else _refuse_scaling(valid, axis, before, after)


def _check_positive(dims: Sequence[Dim], param: str) -> None:
    for index, dim in enumerate(dims):
        value = const_value(dim)
        if value is not None and value <= 0:
            raise OpFault(faults.WRONG_VALUE, param, index=index, reason="needs positive extents", got=value)


def _scaled(dims: Dims, axis: int, before: int, after: int) -> Dims | None:
    """The extents with one axis scaled by before/after; None when that is not provably whole."""
    extent = dims[axis]
    value = const_value(extent)
    if before == after:
        scaled: Dim | None = extent
    elif before > after:
        factor = before // after
        scaled = value * factor if value is not None else arith.make("*", extent, factor)
    else:
        divisor = after // before
        if value is not None:
            scaled = value // divisor if value % divisor == 0 else None
        else:
            scaled = _undone(extent, divisor)
    return None if scaled is None else (*dims[:axis], scaled, *dims[axis + 1 :])


def _undone(extent: Dim, divisor: int) -> Dim | None:
    """``x`` where the extent is ``x * divisor``."""
    if isinstance(extent, Binary) and extent.op == "*":
        for factor, rest in ((extent.right, extent.left), (extent.left, extent.right)):
            if const_value(arith.dim_of(factor)) == divisor:
                return arith.dim_of(rest)
    return None


def _refuse_scaling(dims: Dims, axis: int, before: int, after: int) -> Dims | None:
    extent = dims[axis]
    if not is_exact(extent):
        return None
    reason = f"the extent {show(extent)} of dimension {axis} is not provably a multiple of {after // before}"
    raise OpFault(faults.VALID_REGION, "dtype", reason=reason)


def _check_bytes(source: Dims, target: Dims, before: int, after: int) -> None:
    count, other = element_count(source), element_count(target)
    if count is None or other is None:
        if all_exact(source, target):
            reason = "an explicit shape needs static extents on both sides; leave shape out"
            raise OpFault(faults.VALID_REGION, "shape", reason=reason)
        return
    if count * before != other * after:
        raise OpFault(
            faults.ELEMENT_COUNT,
            "shape",
            left="the data",
            count=f"{count * before} bytes of",
            right=show_all(target),
            other_count=f"{other * after} bytes of",
        )
