"""Operators of scalar expressions: ``n + 1``, ``n < m``, ``not done``, ``-x``, and the dtypes they give.

Both operands of an arithmetic operator or comparison must be numbers of one category, integer or float; the wider dtype wins,
the first of equal width; a comparison gives BOOL. Literals are INDEX or FP32, and nothing is folded here: whoever reads the
source folds expressions of constants alone. Each function gives the expression, or the fault to report.
"""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.arith import cast
from pypto_lsp.ir.dtypes import BOOL, DType
from pypto_lsp.ir.nodes import Binary, ConstFloat, ConstInt, ErrorExpr, Expr, MakeTuple, OpaqueInt, Unary
from pypto_lsp.ir.types import SHAPED, ScalarType, TileType, Type
from pypto_lsp.ops.operands import describe_type, is_open
from pypto_lsp.ops.registry import OpFault
from pypto_lsp.text.span import Span

ARITHMETIC = ("+", "-", "*", "/", "//", "%")
SHIFTS = ("<<", ">>")
BITWISE = ("&", "|", "^")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")

#: what to write instead of a Python operator on tensors or tiles
_INSTEAD = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "<<": "shl", ">>": "shr", "==": "cmp", "!=": "cmp", "<": "cmp",
    "<=": "cmp", ">": "cmp", ">=": "cmp", "~": "not_", "%": "fmod", "@": "matmul", "&": "and_", "|": "or_", "^": "xor",
}  # fmt: skip


def _open(*operands: Expr) -> bool:
    return any(isinstance(e, ErrorExpr) or is_open(e.type) for e in operands)


def _not_scalar(op: str, operand: Expr) -> OpFault:
    type_ = operand.type
    if isinstance(type_, SHAPED):
        name = _INSTEAD.get(op)
        instead = f"write pl.{name}(...)" if name else "there is no such operator for it"
        kind = "tile" if isinstance(type_, TileType) else "tensor"
        return OpFault(faults.OPERATOR_ON_SHAPED, op=op, got=f"a {kind} {describe_type(type_)}", instead=instead)
    return OpFault(faults.NOT_NUMERIC, op=op, expected="a scalar", got=_word(operand))


def _word(operand: Expr) -> str:
    if isinstance(operand, MakeTuple):
        return "a list"
    return describe_type(operand.type)


def _dtype(type_: Type) -> DType | None:
    return type_.dtype if isinstance(type_, ScalarType) else None


def _numeric(dtype: DType) -> bool:
    return dtype.is_int or dtype.is_float


def _operands(op: str, left: Expr, right: Expr) -> DType | OpFault | None:
    """The common dtype of two operands; None when it cannot be told."""
    for operand in (left, right):
        if not _open(operand) and not isinstance(operand.type, ScalarType):
            return _not_scalar(op, operand)
    first, second = _dtype(left.type), _dtype(right.type)
    for dtype in (first, second):
        if dtype is not None and not _numeric(dtype):
            return OpFault(faults.NOT_NUMERIC, op=op, expected="numbers", got=f"a scalar of {dtype.name}")
    if first is None or second is None:
        return None
    if first.is_float != second.is_float:
        return OpFault(faults.MIXED_CATEGORIES, op=op, left=first.name, right=second.name)
    if op in SHIFTS + BITWISE and first.is_float:
        return OpFault(faults.NOT_NUMERIC, op=op, expected="integers", got=f"a scalar of {first.name}")
    return second if second.bits > first.bits else first


def _promoted(operand: Expr, dtype: DType, span: Span | None) -> Expr:
    if isinstance(operand, OpaqueInt):
        return operand
    converted = cast(operand, dtype, span)
    return converted if isinstance(converted, Expr) else operand


def binary(op: str, left: Expr, right: Expr, span: Span | None) -> Expr | OpFault:
    """``left op right`` for ``+ - * / // % << >>``; any other operator is not supported."""
    if op not in ARITHMETIC + SHIFTS:
        return OpFault(faults.UNSUPPORTED_OPERATOR, op=op)
    dtype = _operands(op, left, right)
    if isinstance(dtype, OpFault):
        return dtype
    if dtype is None:
        return Binary(op, left, right, ScalarType(None), span)
    return Binary(op, _promoted(left, dtype, span), _promoted(right, dtype, span), ScalarType(dtype), span)


def compare(op: str, left: Expr, right: Expr, span: Span | None) -> Expr | OpFault:
    """``left op right`` for the six comparisons; ``is``, ``in`` and their like are not supported."""
    if op not in COMPARISONS:
        return OpFault(faults.UNSUPPORTED_OPERATOR, op=op)
    dtype = _operands(op, left, right)
    if isinstance(dtype, OpFault):
        return dtype
    if dtype is not None:
        left, right = _promoted(left, dtype, span), _promoted(right, dtype, span)
    return Binary(op, left, right, ScalarType(BOOL), span)


def boolean(op: str, left: Expr, right: Expr, span: Span | None) -> Expr | OpFault:
    """``left and right``, ``left or right``: any operands, the result is BOOL."""
    return Binary(op, left, right, ScalarType(BOOL), span)


def unary(op: str, operand: Expr, span: Span | None) -> Expr | OpFault:
    """``-x``, ``not x``, ``~x``; unary plus is not supported."""
    if op == "not":
        return Unary("not", operand, ScalarType(BOOL), span)
    if op not in ("-", "~"):
        return OpFault(faults.UNSUPPORTED_OPERATOR, op=f"unary {op}")
    if _open(operand):
        return Unary(op, operand, operand.type, span)
    if not isinstance(operand.type, ScalarType):
        return _not_scalar(op, operand)
    dtype = operand.type.dtype
    if op == "~" and dtype is not None and not dtype.is_int:
        return OpFault(faults.NOT_NUMERIC, op=op, expected="an integer", got=f"a scalar of {dtype.name}")
    if op == "-" and isinstance(operand, ConstInt | ConstFloat):
        return type(operand)(-operand.value, operand.dtype, span, operand.literal)  # type: ignore[arg-type]
    return Unary(op, operand, operand.type, span)


def extreme(op: str, left: Expr, right: Expr, span: Span | None) -> Expr | OpFault:
    """``pl.min`` and ``pl.max`` of two scalars."""
    dtype = _operands(op, left, right)
    if isinstance(dtype, OpFault):
        return dtype
    if dtype is None:
        return Binary(op, left, right, ScalarType(None), span)
    return Binary(op, _promoted(left, dtype, span), _promoted(right, dtype, span), ScalarType(dtype), span)
