"""Scalar operands of tensor and tile operators.

A literal has no element type of its own: an integer literal (or folded closure integer, or a raw Python number) takes that of
the tensor or tile beside it. A float literal by position is FP32 already and stays so. Whatever else carries a dtype keeps it,
except that a run-time INDEX scalar is refused.
"""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.dtypes import FP32, INDEX, INT32, DType
from pypto_lsp.ir.nodes import ConstBool, ConstFloat, ConstInt, ErrorExpr, Expr, OpaqueInt
from pypto_lsp.ir.types import ScalarType
from pypto_lsp.ops.operands import describe, is_open
from pypto_lsp.ops.registry import MISSING, Arg, OpCall, OpFault


def _placeholder(arg: Arg) -> int | float | None:
    """The number of an argument that has no element type of its own, None when it has one."""
    value = arg.python
    if value is not MISSING:
        return value
    if isinstance(arg.expr, ConstInt) and arg.expr.dtype is INDEX:
        return arg.expr.value
    return None


def const_of(value: int | float, dtype: DType, arg: Arg) -> Expr:
    """A constant that carries exactly this element type."""
    if dtype.is_float:
        return ConstFloat(float(value), dtype, arg.span, literal=False)
    return ConstInt(int(value), dtype, arg.span, literal=False)


def scalar_operand(
    call: OpCall, name: str, element: DType | None, *, integer_fallback: DType = INT32
) -> tuple[DType | None, Expr | None]:
    """The element type with which a scalar operand enters the operator, and its expression.

    ``element`` is that of the tensor or tile beside it. The dtype is None where it cannot be told; the expression is None
    when nothing is known of the argument. Raises OpFault when the argument is no scalar.
    """
    arg = call.get(name)
    if arg is None or isinstance(arg.expr, ErrorExpr):
        return None, None
    value = _placeholder(arg)
    if value is not None:
        if not isinstance(value, int | float):
            raise OpFault(faults.WRONG_KIND, name, expected="a scalar", got=describe(arg))
        return _stamped(arg, value, element, integer_fallback)
    if isinstance(arg.expr, OpaqueInt):
        return _opaque_dtype(arg.expr, element), arg.expr
    if arg.python is None:
        raise OpFault(faults.WRONG_KIND, name, expected="a scalar", got=describe(arg))
    if is_open(arg.type):
        return None, arg.expr
    if not isinstance(arg.type, ScalarType):
        raise OpFault(faults.WRONG_KIND, name, expected="a scalar", got=describe(arg))
    if arg.type.dtype is INDEX:
        wanted = f"pl.{element.name}" if element is not None and element.is_int else "pl.INT32"
        raise OpFault(faults.INDEX_SCALAR, name, wanted=wanted)
    return arg.type.dtype, arg.expr


def _opaque_dtype(expr: OpaqueInt, element: DType | None) -> DType | None:
    """The element type of a constant we cannot compute: an integer takes that of the tensor, a float may be FP32."""
    if isinstance(expr.type, ScalarType) and expr.type.dtype is not None and expr.type.dtype.is_int:
        return element
    return element if element is FP32 else None


def _stamped(arg: Arg, value: int | float, element: DType | None, integer_fallback: DType) -> tuple[DType | None, Expr]:
    if element is None:
        return None, arg.expr
    if isinstance(value, float) and element.is_int:
        return FP32, const_of(value, FP32, arg)
    if element.is_float or element.is_int:
        return element, const_of(value, element, arg)
    if arg.python is MISSING:
        return INDEX, arg.expr
    if isinstance(value, bool):
        return element, ConstBool(value, arg.span)
    dtype = FP32 if isinstance(value, float) else integer_fallback
    return dtype, const_of(value, dtype, arg)
