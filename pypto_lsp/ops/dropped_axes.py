"""Dropping axes of extent 1 from the result of a slice (``drop_dims``)."""

from __future__ import annotations

from collections.abc import Sequence

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.arith import Dim, const_value, is_exact, prove_equal
from pypto_lsp.ir.nodes import Expr
from pypto_lsp.ops.regions import Dims, show
from pypto_lsp.ops.registry import OpFault


def dropped_axes(drop: Sequence[Dim] | None, window: Sequence[Dim], param: str = "drop_dims") -> tuple[int, ...] | None:
    """The axes named by ``drop_dims``, sorted; None when they cannot be told.

    Raises OpFault for an entry that is no constant, is out of range or repeated, or names an axis that is not 1.
    """
    axes: list[int] = []
    for index, entry in enumerate(drop or ()):
        axis = const_value(entry)
        if axis is None:
            if isinstance(entry, Expr) and not is_exact(entry):
                return None
            raise OpFault(faults.NOT_AN_EXTENT, param, index=index, expected="a constant integer", got=show(entry))
        _check_dropped(axis, axes, window, param, index)
        axes.append(axis)
    return tuple(sorted(axes))


def _check_dropped(axis: int, axes: list[int], window: Sequence[Dim], param: str, index: int) -> None:
    if not 0 <= axis < len(window):
        reason = f"names an axis of the window, 0 to {len(window) - 1}"
        raise OpFault(faults.WRONG_VALUE, param, index=index, reason=reason, got=axis)
    if axis in axes:
        raise OpFault(faults.WRONG_VALUE, param, index=index, reason="names an axis once", got=axis)
    extent = window[axis]
    if const_value(extent) != 1 and is_exact(extent):
        reason = f"can only name axes of extent 1 (axis {axis} is {show(extent)})"
        raise OpFault(faults.WRONG_VALUE, param, index=index, reason=reason, got=axis)


def check_dropped_valid(axes: Sequence[int], valid: Sequence[Dim], param: str = "drop_dims") -> None:
    """Fault a dropped axis whose valid extent is not provably 1."""
    for axis in axes:
        extent = valid[axis]
        if prove_equal(extent, 1) is not True and is_exact(extent):
            reason = f"axis {axis} cannot be dropped, its valid extent is {show(extent)}, not 1"
            raise OpFault(faults.VALID_REGION, param, reason=reason)


def without_axes(dims: Sequence[Dim], axes: Sequence[int]) -> Dims:
    """A list of extents without some axes."""
    return tuple(dim for axis, dim in enumerate(dims) if axis not in axes)
