"""Whether two types are the same for a variable that is assigned again."""

from __future__ import annotations

from collections.abc import Sequence

from pypto_lsp.ir.arith import Dim, const_value, is_exact, prove_equal, same_structure, simplify
from pypto_lsp.ir.nodes import Expr, Var
from pypto_lsp.ir.tile_views import layout_of, valid_of
from pypto_lsp.ir.types import (
    SHAPED,
    UNDETERMINED,
    UNKNOWN,
    ArrayType,
    DistributedTensorType,
    HandleType,
    ScalarType,
    TensorType,
    TensorView,
    TileType,
    TileView,
    TupleType,
    Type,
)


def types_match(left: Type, right: Type) -> bool | None:
    """True for equal types, False where they surely differ, None where that cannot be told.

    Compared are kind, element type, extents (simplified), memory space and views; memory references are not.
    """
    if left is right:
        return True
    if UNDETERMINED in (left, right):
        return None
    if UNKNOWN in (left, right):
        return True
    if type(left) is not type(right):
        return False
    match left, right:
        case ScalarType(), ScalarType():
            return _same(left.dtype, right.dtype)
        case ArrayType(), ArrayType():
            return _all(_same(left.dtype, right.dtype), _same_dim(left.extent, right.extent))
        case TupleType(), TupleType():
            if len(left.types) != len(right.types):
                return False
            return _all(*(types_match(a, b) for a, b in zip(left.types, right.types)))
        case HandleType(), HandleType():
            return left.name == right.name
        case _ if isinstance(left, SHAPED) and isinstance(right, SHAPED):
            return _all(
                _same(left.dtype, right.dtype), _same_shape(left.shape, right.shape), _same_placement(left, right)
            )
        case _:
            return None


def _all(*answers: bool | None) -> bool | None:
    if any(answer is False for answer in answers):
        return False
    return None if any(answer is None for answer in answers) else True


def _same(left: object | None, right: object | None) -> bool | None:
    return None if left is None or right is None else left == right


def _same_shape(left: Sequence[Dim] | None, right: Sequence[Dim] | None) -> bool | None:
    if left is None or right is None:
        return None
    if len(left) != len(right):
        return False
    return _all(*(_same_dim(a, b) for a, b in zip(left, right)))


def _same_dim(left: Dim | None, right: Dim | None) -> bool | None:
    """Equal, surely different (constants, or a constant or variable against another variable), or not decided.

    The compiler compares simplified structure. Between two compound expressions ours may be less simplified, so only a proof
    that they differ counts.
    """
    if left is None or right is None:
        return None
    left, right = simplify(left), simplify(right)
    if same_structure(left, right):
        return True
    a, b = const_value(left), const_value(right)
    if a is not None and b is not None:
        return a == b
    if not (is_exact(left) and is_exact(right)):
        return None
    if _leaf(left) and _leaf(right):
        return False
    return False if prove_equal(left, right) is False else None


def _leaf(dim: Dim) -> bool:
    return not isinstance(dim, Expr) or isinstance(dim, Var)


def _same_placement(left: Type, right: Type) -> bool | None:
    match left, right:
        case TileType(), TileType():
            return _same_tile(left, right)
        case ((TensorType() | DistributedTensorType()), (TensorType() | DistributedTensorType())):
            return _same_view(left, right)
        case _:
            return True


def _same_tile(left: TileType, right: TileType) -> bool | None:
    """Memory space, layout and valid region; nothing is told where a space is not known."""
    if left.memory is None or right.memory is None:
        return None
    if left.memory != right.memory or layout_of(left) != layout_of(right):
        return False
    a, b = left.view or _PLAIN_TILE, right.view or _PLAIN_TILE
    if (a.pad, a.compact) != (b.pad, b.compact):
        return False
    return _same_region(valid_of(left), valid_of(right))


_PLAIN_TILE = TileView()
_PLAIN_TENSOR = TensorView()


def _same_view(left: TensorType | DistributedTensorType, right: TensorType | DistributedTensorType) -> bool | None:
    a, b = left.view or _PLAIN_TENSOR, right.view or _PLAIN_TENSOR
    if (a.layout, a.pad) != (b.layout, b.pad):
        return False
    return _same_region(a.valid_shape or left.shape, b.valid_shape or right.shape)


def _same_region(left: Sequence[Dim] | None, right: Sequence[Dim] | None) -> bool | None:
    """Valid regions are compared as they are written, without arithmetic: a difference counts between plain extents only."""
    if left is None or right is None:
        return None
    if len(left) != len(right):
        return False
    return _all(*(_same_written(a, b) for a, b in zip(left, right)))


def _same_written(left: Dim, right: Dim) -> bool | None:
    if same_structure(left, right):
        return True
    return False if _leaf(left) and _leaf(right) and is_exact(left) and is_exact(right) else None
