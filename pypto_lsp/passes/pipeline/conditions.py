"""Conditions in the compiler's simplified form: ``a > b`` is ``b < a``, constants stand on one side, a negation is gone.

Reference: the comparison rules of the compiler's rewriting simplifier.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import Dim, add, const_value, dim_of, expr_of, same_structure, sub
from pypto_lsp.ir.types import ScalarType

_SWAPPED = {">": "<", ">=": "<="}
_NEGATED = {"<": "<=", "<=": "<", "==": "!=", "!=": "=="}
_DECIDED: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def simplified(expr: ir.Binary) -> ir.Expr:
    """A comparison of simplified operands, or ``and`` and ``or`` of simplified conditions."""
    if expr.op in ("and", "or"):
        return _joined(expr)
    if expr.op in _SWAPPED:
        expr = replace(expr, op=_SWAPPED[expr.op], left=expr.right, right=expr.left)
    if expr.op not in _DECIDED or not _comparable(expr):
        return expr
    left, right = _settled(expr.op, dim_of(expr.left), dim_of(expr.right))
    a, b = const_value(left), const_value(right)
    if a is not None and b is not None:
        return ir.ConstBool(_DECIDED[expr.op](a, b), expr.span)
    if same_structure(left, right):
        return ir.ConstBool(expr.op in ("<=", "=="), expr.span)
    return replace(expr, left=_operand(left, expr.left), right=_operand(right, expr.right))


def _operand(dim: Dim, own: ir.Expr) -> ir.Expr:
    return own if dim is dim_of(own) else ir.Read(dim, own.span) if isinstance(dim, ir.Var) else expr_of(dim, own.span)


def _comparable(expr: ir.Binary) -> bool:
    """Whether both sides are integers; floats keep their form."""
    types = (expr.left.type, expr.right.type)
    return all(isinstance(t, ScalarType) and t.dtype is not None and t.dtype.is_int for t in types)


def _settled(op: str, left: Dim, right: Dim) -> tuple[Dim, Dim]:
    """Both sides after common summands are gone and constants are gathered on one side."""
    while True:
        a, b = const_value(left), const_value(right)
        if op in ("==", "!=") and a is not None and b is None:
            left, right = right, left
            continue
        moved = _cancelled(left, right) or _gathered(op, left, right, a, b)
        if moved is None:
            return left, right
        left, right = moved


def _summands(dim: Dim) -> tuple[Dim, Dim] | None:
    return (dim_of(dim.left), dim_of(dim.right)) if isinstance(dim, ir.Binary) and dim.op == "+" else None


def _cancelled(left: Dim, right: Dim) -> tuple[Dim, Dim] | None:
    first, second = _summands(left), _summands(right)
    if first is None or second is None:
        return None
    for i in (0, 1):
        for j in (0, 1):
            if same_structure(first[i], second[j]):
                return first[1 - i], second[1 - j]
    return None


def _gathered(op: str, left: Dim, right: Dim, a: int | None, b: int | None) -> tuple[Dim, Dim] | None:
    """A summand beside a variable goes to the constant on the other side."""
    if b is not None and isinstance(left, ir.Binary) and left.op in "+-":
        return _moved(left, b)
    if a is not None and isinstance(right, ir.Binary) and right.op in "+-" and op in ("<", "<="):
        inner = const_value(dim_of(right.right))
        if inner is not None:
            return (sub if right.op == "+" else add)(a, inner), dim_of(right.left)
    return None


def _moved(left: ir.Binary, b: int) -> tuple[Dim, Dim] | None:
    inner = const_value(dim_of(left.right))
    if inner is not None:
        return dim_of(left.left), (sub if left.op == "+" else add)(b, inner)
    return None


def _joined(expr: ir.Binary) -> ir.Expr:
    settled = expr.op == "or"
    for own, other in ((expr.left, expr.right), (expr.right, expr.left)):
        if isinstance(own, ir.ConstBool):
            return own if own.value is settled else other
    return expr.left if same_structure(expr.left, expr.right) else expr


def negated(condition: ir.Expr) -> ir.Expr:
    """The condition that holds where another does not."""
    match condition:
        case ir.ConstBool():
            return replace(condition, value=not condition.value)
        case ir.Unary(op="not"):
            return condition.operand
        case ir.Binary(op="<" | "<="):
            return replace(condition, op=_NEGATED[condition.op], left=condition.right, right=condition.left)
        case ir.Binary(op="==" | "!="):
            return replace(condition, op=_NEGATED[condition.op])
        case ir.Binary(op="and" | "or"):
            op = "or" if condition.op == "and" else "and"
            return replace(condition, op=op, left=negated(condition.left), right=negated(condition.right))
        case _:
            return ir.Unary("not", condition, condition.type, condition.span)


__all__ = ["negated", "simplified"]
