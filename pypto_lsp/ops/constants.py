"""``pl.const(value, dtype)`` and ``pl.<dtype>.get_byte()``."""

from __future__ import annotations

import re

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.diagnostics.spelling import closest
from pypto_lsp.ir.dtypes import DTYPES, INDEX, DType
from pypto_lsp.ir.nodes import ConstBool, ConstFloat, ConstInt, ErrorExpr, Expr, Read, StaticValue
from pypto_lsp.ir.types import ScalarType
from pypto_lsp.ops.operands import describe
from pypto_lsp.ops.registry import MISSING, OpCall, Operator, OpFault, OpResult, Param
from pypto_lsp.text.span import Span


def typed(value: int | float | bool, dtype: DType, span: Span | None) -> Expr | OpFault:
    """``pl.const(value, dtype)``: a constant that keeps its dtype beside any operand. Every pair passes, also 1.5 as INT32, as
    long as an integer fits 64 bits."""
    if isinstance(value, float):
        return ConstFloat(value, dtype, span, literal=False)
    if not -(2**63) <= value < 2**63:
        return OpFault(faults.CONST_LITERAL, got="a number of more than 64 bits")
    return ConstInt(int(value), dtype, span, literal=False)


def byte_size(dtype: DType) -> int:
    """Bytes per element, a part of a byte counted as a whole one."""
    return (dtype.bits + 7) // 8


def get_byte(name: str, span: Span | None) -> Expr | OpFault:
    """``pl.<name>.get_byte()``: the bytes per element as an INDEX constant."""
    dtype = DTYPES.get(name)
    if dtype is None:
        close = closest(name, DTYPES)
        hint = f"; did you mean pl.{close}?" if close else ""
        return OpFault(faults.UNKNOWN_DTYPE, path=f"pl.{name}", hint=hint, suggestion=close)
    return ConstInt(byte_size(dtype), INDEX, span)


_LITERAL = re.compile(r"-?\s*(True|False|0[xXoObB][0-9a-fA-F_]+|[0-9.][0-9_.]*([eE][+-]?[0-9_]+)?)")


def _const(call: OpCall) -> OpResult:
    dtype = _dtype(call)
    arg = call.args["value"]
    if isinstance(arg.expr, ErrorExpr):
        return OpResult(ScalarType(dtype), "", value=ErrorExpr(call.span, ScalarType(dtype)))
    text = arg.text or (arg.span.text if arg.span is not None else "")
    written = _LITERAL.fullmatch(text) if text else not arg.from_closure
    if not written or not isinstance(arg.expr, ConstInt | ConstFloat | ConstBool):
        variable = isinstance(arg.expr, Read)
        raise OpFault(faults.CONST_LITERAL, None if variable else "value", got=describe(arg))
    if dtype is None:
        return OpResult(ScalarType(None), "", value=ErrorExpr(call.span, ScalarType(None)))
    outcome = typed(arg.expr.value, dtype, call.span)
    if isinstance(outcome, OpFault):
        outcome.param = "value"
        raise outcome
    return OpResult(outcome.type, "", value=outcome)


def _dtype(call: OpCall) -> DType | None:
    arg = call.args["dtype"]
    if isinstance(arg.static, DType):
        return arg.static
    if isinstance(arg.expr, ErrorExpr) or (isinstance(arg.expr, StaticValue) and arg.static is MISSING):
        return None
    raise OpFault(faults.UNKNOWN_DTYPE, "dtype", path=arg.text or describe(arg), hint="", suggestion=None)


OPERATORS = (
    Operator(
        "const",
        ("pl.const",),
        (Param("value", "int | float", kind="positional_only"), Param("dtype", "DataType", kind="positional_only")),
        _const,
        "A numeric literal of a given data type.",
        "Scalar",
        takes_attrs=False,
        ignores_keywords=True,
        count_fault=faults.CONST_ARGUMENTS,
    ),
)
