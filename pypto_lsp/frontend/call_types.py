"""The result type of a call of a kernel: its declared type with the dimensions that the arguments give.

A dynamic dimension of a parameter's type stands for the extent that the argument has there. A dimension given twice keeps the
first extent. Source: the project's reference docs on calls between kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pypto_lsp.ir.arith import Dim, dim_of, expr_of, same_structure, unknown_extent
from pypto_lsp.ir.nodes import Binary, Expr, Unary, Var
from pypto_lsp.ir.size import Sizes
from pypto_lsp.ir.tile_views import valid_of
from pypto_lsp.ir.types import (
    SHAPED,
    TENSORS,
    DistributedTensorType,
    TensorType,
    TensorView,
    TileType,
    TileView,
    TupleType,
    Type,
)

Bindings = dict[Var, Dim]


def call_result(params: Sequence[Type], arguments: Sequence[Type], result: Type) -> Type:
    """The result type of a call. ``params`` and ``arguments`` run in parallel; surplus ones are ignored."""
    bound: Bindings = {}
    for pattern, value in zip(params, arguments):
        _match_types(pattern, value, bound)
    return substituted(result, bound) if bound else result


@dataclass(frozen=True, slots=True)
class Conflict:
    """A dynamic dimension that two arguments give different extents: its name, the second argument's position, both extents."""

    name: str
    argument: int
    first: Dim
    second: Dim


def dimension_conflict(params: Sequence[Type], arguments: Sequence[Type]) -> Conflict | None:
    """The first dynamic dimension with two extents that are surely different: constants, or dimensions of other names."""
    bound: Bindings = {}
    for index, (pattern, value) in enumerate(zip(params, arguments)):
        if not (isinstance(pattern, SHAPED) and isinstance(value, SHAPED)):
            continue
        for left, right in zip(pattern.shape or (), value.shape or ()):
            left, right = dim_of(left), dim_of(right)
            if not isinstance(left, Var) or right is left or not _plain(right):
                continue
            known = bound.setdefault(left, right)
            if known is not right and known != right:
                return Conflict(left.name, index, known, right)
    return None


def _plain(extent: Dim) -> bool:
    return isinstance(extent, int) or (isinstance(extent, Var) and extent.symbol)


# --- what the arguments give ---------------------------------------------------------------------------------------


def _match_types(pattern: Type, value: Type, bound: Bindings) -> None:
    if isinstance(pattern, TupleType) and isinstance(value, TupleType):
        for left, right in zip(pattern.types, value.types):
            _match_types(left, right, bound)
    elif isinstance(pattern, TENSORS) and isinstance(value, TENSORS):
        _match_all(pattern.shape, value.shape, bound)
        _match_all(_valid_of_tensor(pattern), _valid_of_tensor(value), bound)
        if pattern.view is not None and value.view is not None:
            _match_all(pattern.view.stride, value.view.stride, bound)
    elif isinstance(pattern, TileType) and isinstance(value, TileType):
        _match_all(pattern.shape, value.shape, bound)
        _match_all(valid_of(pattern), valid_of(value), bound)
        if pattern.view is not None and value.view is not None:
            _match_all(pattern.view.stride, value.view.stride, bound)


def _valid_of_tensor(type_: TensorType | DistributedTensorType) -> tuple[Dim, ...] | None:
    return type_.view.valid_shape if type_.view is not None and type_.view.valid_shape else type_.shape


def _match_all(patterns: Sequence[Dim] | None, values: Sequence[Dim] | None, bound: Bindings) -> None:
    for pattern, value in zip(patterns or (), values or ()):
        _match(pattern, value, bound)


def _match(pattern: Dim, value: Dim, bound: Bindings) -> None:
    pattern, value = dim_of(pattern), dim_of(value)
    if isinstance(pattern, Var):
        if value is not pattern:  # the same name in the caller says nothing; another argument may say more
            bound.setdefault(pattern, value)
    elif not _decomposes(pattern, value):
        return
    elif isinstance(pattern, Binary) and isinstance(value, Binary) and pattern.op == value.op:
        _match(pattern.left, value.left, bound)
        _match(pattern.right, value.right, bound)
    elif isinstance(pattern, Unary) and isinstance(value, Unary) and pattern.op == value.op:
        _match(pattern.operand, value.operand, bound)


def _decomposes(pattern: Dim, value: Dim) -> bool:
    """Whether the parts of a composite extent correspond to those of the argument's."""
    pattern, value = dim_of(pattern), dim_of(value)
    if isinstance(pattern, Var) or same_structure(pattern, value):
        return True
    if isinstance(pattern, Binary) and isinstance(value, Binary) and pattern.op == value.op:
        return _decomposes(pattern.left, value.left) and _decomposes(pattern.right, value.right)
    if isinstance(pattern, Unary) and isinstance(value, Unary) and pattern.op == value.op:
        return _decomposes(pattern.operand, value.operand)
    return False


# --- substitution --------------------------------------------------------------------------------------------------


def substituted(type_: Type, bound: Bindings) -> Type:
    """A type with its variables replaced."""
    if isinstance(type_, TupleType):
        return TupleType(tuple(substituted(element, bound) for element in type_.types))
    if isinstance(type_, TENSORS):
        view = type_.view
        if view is not None:
            view = TensorView(_dims(view.valid_shape, bound), _dims(view.stride, bound), view.layout, view.pad)
        return replace(type_, shape=_shape(type_.shape, bound), view=view)
    if isinstance(type_, TileType):
        return replace(type_, shape=_shape(type_.shape, bound), view=_tile_view(type_.view, bound))
    return type_


def _tile_view(view: TileView | None, bound: Bindings) -> TileView | None:
    if view is None:
        return None
    return replace(view, valid_shape=_dims(view.valid_shape, bound), stride=_dims(view.stride, bound))


def _shape(dims: tuple[Dim, ...] | None, bound: Bindings) -> tuple[Dim, ...] | None:
    return None if dims is None else _dims(dims, bound)


def _dims(dims: tuple[Dim, ...], bound: Bindings) -> tuple[Dim, ...]:
    return tuple(_limited(_dim(extent, bound)) for extent in dims)


def _limited(extent: Dim) -> Dim:
    """An extent, unknown where it has grown beyond what is analysed: calls of calls may double it every time."""
    grown = isinstance(extent, (Binary, Unary)) and Sizes().too_large(extent)
    return unknown_extent() if grown else extent


def _dim(extent: Dim, bound: Bindings) -> Dim:
    extent = dim_of(extent)
    if isinstance(extent, Var):
        return bound.get(extent, extent)
    if isinstance(extent, Binary):
        return replace(extent, left=_operand(extent.left, bound), right=_operand(extent.right, bound))
    if isinstance(extent, Unary):
        return replace(extent, operand=_operand(extent.operand, bound))
    return extent


def _operand(extent: Expr, bound: Bindings) -> Expr:
    return expr_of(_dim(extent, bound))
