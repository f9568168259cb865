"""Types in which variables are replaced by what stands for them: extents and valid regions are expressions of scalars."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import dim_of, expr_of, simplify
from pypto_lsp.ir.types import (
    DistributedTensorType,
    TensorType,
    TensorView,
    TileType,
    TileView,
    TupleType,
    Type,
)


@dataclass(frozen=True, slots=True)
class TypeSubstitution:
    """``lookup`` gives what stands for a variable, None where it stays."""

    lookup: Callable[[ir.Var], ir.Expr | None]

    def type(self, type_: Type) -> Type:
        """A type with the variables in it replaced."""
        match type_:
            case TensorType() | DistributedTensorType():
                shape, view = self._dims(type_.shape), self._tensor_view(type_.view)
                same = shape is type_.shape and view is type_.view
                return type_ if same else replace(type_, shape=shape, view=view)
            case TileType():
                shape, tile_view = self._dims(type_.shape), self._tile_view(type_.view)
                same = shape is type_.shape and tile_view is type_.view
                return type_ if same else replace(type_, shape=shape, view=tile_view)
            case TupleType():
                types = tuple(self.type(t) for t in type_.types)
                return type_ if all(a is b for a, b in zip(types, type_.types)) else TupleType(types)
            case _:
                return type_

    def _tensor_view(self, view: TensorView | None) -> TensorView | None:
        if view is None or not view.valid_shape:
            return view
        valid = self._dims(view.valid_shape)
        return view if valid is view.valid_shape else replace(view, valid_shape=valid)

    def _tile_view(self, view: TileView | None) -> TileView | None:
        if view is None or not view.valid_shape:
            return view
        valid = self._dims(view.valid_shape)
        return view if valid is view.valid_shape else replace(view, valid_shape=valid)

    def _dims(self, dims: Any) -> Any:
        if not dims or all(isinstance(d, int) for d in dims):
            return dims
        out = tuple(d if isinstance(d, int) else self._dim(d) for d in dims)
        return dims if all(a is b for a, b in zip(out, dims)) else out

    def _dim(self, dim: ir.Expr) -> Any:
        if isinstance(dim, ir.Var):
            known = self.lookup(dim)
            return dim if known is None else dim_of(known)
        value = self.expr(dim)
        return dim if value is dim else simplify(value)

    def expr(self, expr: ir.Expr) -> ir.Expr:
        """An expression inside of a type with its variables replaced; calls in it stay as they are."""
        match expr:
            case ir.Read():
                return self._read(expr)
            case ir.Var():
                known = self.lookup(expr)
                return expr if known is None else expr_of(dim_of(known))
            case ir.Binary():
                left, right = self.expr(expr.left), self.expr(expr.right)
                return expr if left is expr.left and right is expr.right else replace(expr, left=left, right=right)
            case ir.Unary():
                inner = self.expr(expr.operand)
                return expr if inner is expr.operand else replace(expr, operand=inner)
            case _:
                return expr

    def _read(self, expr: ir.Read) -> ir.Expr:
        known = self.lookup(expr.var)
        if known is None:
            return expr
        if isinstance(known, ir.Read):
            return expr if known.var is expr.var else ir.Read(known.var, expr.span)
        return known
