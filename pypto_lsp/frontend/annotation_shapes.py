"""Shapes, dimensions and element types in annotations."""

from __future__ import annotations

from typing import Any

from pypto_lsp.diagnostics import faults_annotations as faults
from pypto_lsp.frontend import values
from pypto_lsp.frontend.annotation_scope import Resolution, kind_of, last_name, name_span
from pypto_lsp.frontend.closure import Failure
from pypto_lsp.frontend.paths import dotted, meant_value
from pypto_lsp.ir.arith import dim_of
from pypto_lsp.ir.dtypes import DTYPES, INDEX, DType
from pypto_lsp.ir.nodes import Binary, ConstInt, Expr, OpaqueInt, Var
from pypto_lsp.ir.types import Extent, Origin, ScalarType, Undetermined, kind_name
from pypto_lsp.syntax import nodes as syntax

Dim = int | Expr

#: operators that a dimension over variables may have, and one more that it may have over dynamic dimensions
DIM_OPERATORS = ("+", "-", "*", "//", "%")
QUOTIENT = "/"


# --- shapes --------------------------------------------------------------------------------------------------------


def shape(resolution: Resolution, expr: syntax.Expr) -> tuple[Dim, ...] | None:
    """The extents of a shape; None when the rank is not known. A dimension at fault is an opaque integer."""
    if isinstance(expr, syntax.Tuple | syntax.List):
        return _displayed(resolution, expr)
    value = resolution.evaluate(expr)
    if isinstance(value, Failure):
        if not resolution.undefined(value):
            _report_shape_failure(resolution, expr, value)
        return None
    return _shape_of_value(resolution, expr, value)


def _displayed(resolution: Resolution, expr: syntax.Tuple | syntax.List) -> tuple[Dim, ...] | None:
    """A shape that is written out. In the signature of a jit kernel, which Python evaluates, it may unpack others."""
    unpacks = resolution.by_python
    extents: list[Dim] = []
    for element in expr.elts:
        if not (unpacks and isinstance(element, syntax.Starred)):
            extents.append(dim(resolution, element))
            continue
        value = resolution.evaluate(element.value)
        inner = None if isinstance(value, Failure) else _shape_of_value(resolution, element.value, value)
        if inner is None:
            return None
        extents.extend(inner)
    return tuple(extents)


def _report_shape_failure(resolution: Resolution, expr: syntax.Expr, failure: Failure) -> None:
    if failure.unknown:
        return
    if isinstance(expr, syntax.Name):
        resolution.report(faults.UNKNOWN_SHAPE, expr.span, expr, name=expr.id)
    else:
        resolution.report(faults.SHAPE_FORM, expr.span, expr, text=expr.text)


def _shape_of_value(resolution: Resolution, expr: syntax.Expr, value: Any) -> tuple[Dim, ...] | None:
    if isinstance(value, values.OpaqueValue):
        return None
    if not (isinstance(value, values.Sequence) and value.kind in ("list", "tuple")):
        resolution.report(faults.SHAPE_VALUE, expr.span, expr, text=expr.text, kind=kind_of(value))
        return None
    extents: list[Dim] = []
    for index, element in enumerate(value.items):
        extent = dim_of_value(resolution, element, expr)
        if extent is None:
            resolution.report(faults.SHAPE_ELEMENT, expr.span, expr, index=index, text=expr.text, kind=kind_of(element))
            return None
        extents.append(extent)
    return tuple(extents)


# --- dimensions ----------------------------------------------------------------------------------------------------


def dim_of_value(resolution: Resolution, value: Any, expr: syntax.Expr) -> Dim | None:
    """A static value as an extent; None when it is none."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return value
    if isinstance(value, values.DynamicSymbol):
        return resolution.scope.symbol(value.name)
    if isinstance(value, values.OpaqueValue):
        return OpaqueInt(value.name, ScalarType(INDEX), expr.span)
    if isinstance(value, values.DynamicExpression):
        return _dim_of_dynamic(resolution, value, expr)
    return None


def _dim_of_dynamic(resolution: Resolution, value: values.DynamicExpression, expr: syntax.Expr) -> Dim | None:
    left = dim_of_value(resolution, value.left, expr)
    right = dim_of_value(resolution, value.right, expr)
    if left is None or right is None:
        return None
    return Binary(value.op, _operand(left), _operand(right), ScalarType(INDEX), expr.span)


def _operand(extent: Dim) -> Expr:
    return extent if isinstance(extent, Expr) else ConstInt(extent, INDEX)


def dim(resolution: Resolution, expr: syntax.Expr) -> Dim:
    """One extent; an opaque integer where it is at fault or cannot be computed."""
    if isinstance(expr, syntax.Constant) and isinstance(expr.value, int):
        return Extent(int(expr.value), Origin(expr.span, literal=True))
    if isinstance(expr, syntax.Name):
        return _name_dim(resolution, expr)
    if isinstance(expr, syntax.Starred):
        resolution.report(faults.DIM_NOT_EVALUABLE, expr.span, expr, text=expr.text)
        return unknown_dim(expr)
    value = resolution.evaluate(expr)
    if isinstance(value, values.OpaqueValue) and isinstance(expr, syntax.BinOp):
        return _quotient(resolution, expr) or _checked(resolution, expr, value)
    if not isinstance(value, Failure):
        return _checked(resolution, expr, value)
    if resolution.undefined(value):
        return unknown_dim(expr)
    rebuilt = _rebuilt(resolution, expr)
    if rebuilt is not None:
        return rebuilt
    if not value.unknown and not resolution.faults:
        resolution.report(faults.DIM_NOT_EVALUABLE, expr.span, expr, text=expr.text)
    return unknown_dim(expr)


def _quotient(resolution: Resolution, expr: syntax.BinOp) -> Dim | None:
    """``M / 2`` over a dynamic dimension, which stays an integer."""
    if expr.op != QUOTIENT:
        return None
    left, right = dim(resolution, expr.left), dim(resolution, expr.right)
    if not (isinstance(left, Var | Binary) or isinstance(right, Var | Binary)):
        return None
    return Binary("/", _operand(left), _operand(right), ScalarType(INDEX), expr.span)


def unknown_dim(expr: syntax.Expr) -> OpaqueInt:
    """An extent that is not known, named after its place."""
    path, begin, end = expr.span.key()
    return OpaqueInt(f"{path}:{begin}-{end}", ScalarType(INDEX), expr.span)


def _name_dim(resolution: Resolution, expr: syntax.Name) -> Dim:
    """A name: the surroundings come first, then the variables of the language."""
    value = resolution.evaluate(expr)
    if not isinstance(value, Failure):
        return _checked(resolution, expr, value)
    if resolution.undefined(value):
        return unknown_dim(expr)
    variable = resolution.scope.lookup(expr.id)
    if variable is not None:
        return dim_of(variable)
    if resolution.scope.printed:
        return resolution.scope.symbol(expr.id)
    if resolution.hides_symbol(expr):
        resolution.report(faults.JIT_LOCAL_SYMBOL, expr.span, expr, name=expr.id)
    elif not value.unknown:
        resolution.report(faults.UNKNOWN_DIM, expr.span, expr, name=expr.id)
    return unknown_dim(expr)


def _checked(resolution: Resolution, expr: syntax.Expr, value: Any) -> Dim:
    extent = dim_of_value(resolution, value, expr)
    if extent is None and isinstance(value, values.DslExpression) and isinstance(expr, syntax.Call):
        return unknown_dim(expr)  # ``pl.min(32, 8)`` may well be a number
    if extent is None:
        resolution.report(faults.DIM_VALUE, expr.span, expr, text=expr.text, kind=kind_of(value))
        return unknown_dim(expr)
    return extent


def _rebuilt(resolution: Resolution, expr: syntax.Expr) -> Dim | None:
    """Arithmetic over variables of the language, which Python cannot compute."""
    if isinstance(expr, syntax.Constant) and isinstance(expr.value, int):
        return ConstInt(expr.value, INDEX, expr.span)
    if isinstance(expr, syntax.Name):
        return _name_dim(resolution, expr)
    if isinstance(expr, syntax.Call):
        return _typed_constant(resolution, expr)
    if not (isinstance(expr, syntax.BinOp) and expr.op in DIM_OPERATORS):
        return None
    left, right = _rebuilt(resolution, expr.left), _rebuilt(resolution, expr.right)
    if left is None or right is None:
        return None
    return Binary(expr.op, _operand(left), _operand(right), ScalarType(INDEX), expr.span)


def _typed_constant(resolution: Resolution, expr: syntax.Call) -> Dim | None:
    """``pl.const(4, pl.INT64)`` as a dimension."""
    if last_name(expr.func) != "const" or len(expr.args) != 2:
        return None
    number = expr.args[0]
    if not (isinstance(number, syntax.Constant) and isinstance(number.value, int)):
        return None
    return ConstInt(number.value, dtype(resolution, expr.args[1]) or INDEX, expr.span, literal=False)


# --- extents of views and offsets ----------------------------------------------------------------------------------


def plain_int(resolution: Resolution, expr: syntax.Expr) -> int | values.OpaqueValue | None:
    """The value of an integer expression; None where it is none, an OpaqueValue where it cannot be told."""
    value = resolution.evaluate(expr)
    if isinstance(value, Failure):
        return values.OpaqueValue("") if value.unknown else None
    return value if isinstance(value, int | values.OpaqueValue) else None


def index_extent(resolution: Resolution, expr: syntax.Expr) -> Dim | None:
    """An extent of a view, an offset or a slot: any index expression; None where it is not known.

    Other than in a shape, a variable of the language wins over the surroundings, and an unknown name is a dynamic dimension.
    """
    if isinstance(expr, syntax.Name):
        return _index_name(resolution, expr)
    value = resolution.evaluate(expr)
    if not isinstance(value, Failure):
        return dim_of_value(resolution, value, expr)
    if resolution.undefined(value) or value.unknown:
        return None
    if isinstance(expr, syntax.Call) and last_name(expr.func) == "yield_":
        resolution.report(faults.VIEW_YIELD, expr.span, expr)
        return None
    if resolution.scope.lower is None:
        return _rebuilt(resolution, expr)
    return _lowered_extent(resolution, expr, resolution.scope.lower(expr))


def _index_name(resolution: Resolution, expr: syntax.Name) -> Dim | None:
    variable = resolution.scope.lookup(expr.id)
    if variable is not None:
        return dim_of(variable)
    value = resolution.evaluate(expr)
    if isinstance(value, Failure):
        return None if resolution.undefined(value) or value.unknown else resolution.scope.symbol(expr.id)
    extent = dim_of_value(resolution, value, expr)
    if extent is None:
        resolution.report(faults.VIEW_NAME, expr.span, expr, name=expr.id, kind=kind_of(value))
    return extent


def _lowered_extent(resolution: Resolution, expr: syntax.Expr, lowered: Expr) -> Dim | None:
    type_ = lowered.type
    if isinstance(type_, Undetermined):
        return None
    if isinstance(type_, ScalarType) and (type_.dtype is None or type_.dtype.is_int):
        return dim_of(lowered)
    resolution.report(faults.VIEW_EXPRESSION, expr.span, expr, text=expr.text, kind=f"a {kind_name(type_)}")
    return None


# --- element types -------------------------------------------------------------------------------------------------


def dtype(resolution: Resolution, expr: syntax.Expr) -> DType | None:
    """An element type; None where it is at fault or not known."""
    if isinstance(expr, syntax.Attribute) and expr.attr in DTYPES:
        return DTYPES[expr.attr]
    if resolution.by_python:
        value = resolution.evaluate(expr)
        if isinstance(value, DType):
            return value
        if isinstance(value, values.OpaqueValue) or (isinstance(value, Failure) and value.unknown):
            return None
    if isinstance(expr, syntax.Attribute):
        _unknown_attribute(resolution, expr)
        meant = meant_value(dotted(expr))[0]
        return meant if isinstance(meant, DType) else None
    if isinstance(expr, syntax.Name):
        return DTYPES[expr.id] if expr.id in DTYPES else _dtype_of_name(resolution, expr)
    value = resolution.evaluate(expr)
    if not (isinstance(value, Failure) and resolution.undefined(value)):
        resolution.report(faults.DTYPE_FORM, expr.span, expr, text=expr.text)
    return None


def _unknown_attribute(resolution: Resolution, expr: syntax.Attribute) -> None:
    """``pl.FLOAT32``: Python's own error where it evaluates the annotation, else the resolver's."""
    value = resolution.evaluate(expr)
    if isinstance(value, Failure) and resolution.undefined(value):
        return
    resolution.report(faults.UNKNOWN_DTYPE, name_span(expr), expr, name=expr.attr)
    resolution.date(dotted(expr))


def _dtype_of_name(resolution: Resolution, expr: syntax.Name) -> DType | None:
    value = resolution.evaluate(expr)
    if isinstance(value, Failure):
        if not resolution.undefined(value) and not value.unknown:
            resolution.report(faults.UNKNOWN_DTYPE, expr.span, expr, name=expr.id)
        return None
    if isinstance(value, DType):
        return value
    if not isinstance(value, values.OpaqueValue):
        resolution.report(faults.DTYPE_VALUE, expr.span, expr, text=expr.id, kind=kind_of(value))
    return None
