"""What a condition that holds, or that does not, says of the scalars in it.

A comparison is one of a sum and a number. The sum's key is its parts with their factors; so ``n + 1 > 5`` and ``8 < n`` speak of
the same sum, and ``n < m`` and ``m <= n`` of one and of its opposite.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import key as structure
from pypto_lsp.ir.dtypes import INDEX
from pypto_lsp.ir.types import ScalarType

#: lowest and highest value, both included; None is an open end
Interval = tuple[int | None, int | None]
#: the parts of a sum, each a variable or the structure of an expression, with their factors
Sum = frozenset[tuple[Any, int]]
#: a sum, or a sum and a number that it is not
Subject = Sum | tuple[Sum, int]
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def compared(expr: ir.Binary) -> tuple[Sum, int] | None:
    """The left side less the right one, as a sum and the number added to it; None where these are no integers."""
    if not (_is_int(expr.left) and _is_int(expr.right)):
        return None
    parts: dict[Any, int] = {}
    base = _collect(expr.left, 1, parts) + _collect(expr.right, -1, parts)
    return frozenset(item for item in parts.items() if item[1]), base


def opposite(total: Sum) -> Sum:
    return frozenset((part, -factor) for part, factor in total)


def _is_int(expr: ir.Expr) -> bool:
    type_ = expr.type
    return isinstance(type_, ScalarType) and type_.dtype is not None and type_.dtype.is_int


def _collect(expr: ir.Expr, factor: int, parts: dict[Any, int]) -> int:
    """Add the parts of an expression to a sum; gives the number in it."""
    match expr:
        case ir.ConstInt(value=value):
            return factor * int(value)
        case ir.Binary(op="+" | "-", left=left, right=right):
            other = factor if expr.op == "+" else -factor
            return _collect(left, factor, parts) + _collect(right, other, parts)
        case ir.Binary(op="*", left=left, right=ir.ConstInt(value=value)):
            return _collect(left, factor * int(value), parts)
        case ir.Read(var=var):
            parts[var] = parts.get(var, 0) + factor
        case _:
            part = structure(expr)
            parts[part] = parts.get(part, 0) + factor
    return 0


def said(condition: ir.Expr, truth: bool) -> Iterator[tuple[Subject, Interval]]:
    """The sums that a condition which is ``truth`` bounds, with their bounds; those of a sum that is not a number are open."""
    match condition:
        case ir.Unary(op="not", operand=operand):
            yield from said(operand, not truth)
        case ir.Binary(op="and" | "or"):
            if (condition.op == "and") is truth:
                yield from said(condition.left, truth)
                yield from said(condition.right, truth)
        case ir.Binary(op=op) if op in _NEGATED:
            form = compared(condition)
            if form is not None:
                relation, limit = op if truth else _NEGATED[op], -form[1]
                yield (form[0], limit) if relation == "!=" else form[0], _bounds(relation, limit)


def _bounds(op: str, limit: int) -> Interval:
    match op:
        case "<":
            return (None, limit - 1)
        case "<=":
            return (None, limit)
        case ">":
            return (limit + 1, None)
        case ">=":
            return (limit, None)
        case "==":
            return (limit, limit)
        case _:
            return (None, None)


def both(a: Interval, b: Interval) -> Interval:
    """The values that lie in two intervals."""
    lows = [end for end in (a[0], b[0]) if end is not None]
    highs = [end for end in (a[1], b[1]) if end is not None]
    return (max(lows) if lows else None, min(highs) if highs else None)


def lasting(subject: Subject) -> tuple[Any, bool] | None:
    """Under what the bounds of a sum are kept for the statements below a condition, and whether for the opposite of the sum: the
    variable of a sum of one, the sum itself for a difference of two. The compiler keeps no others, and only those of INDEX."""
    if isinstance(subject, tuple):
        return None if lasting(subject[0]) is None else (subject, False)
    total = subject
    if not all(isinstance(part, ir.Var) and _is_index(part) and factor in (1, -1) for part, factor in total):
        return None
    factors = sorted(factor for _, factor in total)
    if len(factors) == 1:
        return next(iter(total))[0], factors[0] < 0
    return (total, False) if factors == [-1, 1] else None


def _is_index(var: ir.Var) -> bool:
    return isinstance(var.type, ScalarType) and var.type.dtype is INDEX
