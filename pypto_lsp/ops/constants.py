"""``pl.const(value, dtype)`` and ``pl.<dtype>.get_byte()``."""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.dtypes import DTYPES, INDEX, DType
from pypto_lsp.ir.nodes import ConstFloat, ConstInt, Expr
from pypto_lsp.ops.dispatch import closest
from pypto_lsp.ops.registry import OpFault
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
