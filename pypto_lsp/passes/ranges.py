"""Value ranges of integer scalars: what loop bounds and definitions say of an expression.

:class:`Ranges` knows the bounds of loop variables and the definitions of scalars. It evaluates an expression to an interval
whose ends may be open, decides comparisons, and gives the value of an expression that has only one. An INDEX scalar is
never negative, as in the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import INDEX
from pypto_lsp.ir.enums import ForKind
from pypto_lsp.ir.types import ScalarType, Type
from pypto_lsp.passes.assumptions import both, compared, lasting, opposite, said
from pypto_lsp.passes.reuse import Inner, Observed

#: lowest and highest value, both included; None is an open end
Interval = tuple[int | None, int | None]

OPEN: Interval = (None, None)
#: what is known of variables
Facts = dict[ir.Var, Any] | Observed | Inner
_MAX_DEPTH = 16


def _is_index(type_: Type) -> bool:
    return isinstance(type_, ScalarType) and type_.dtype is INDEX


def _plus(a: Interval, b: Interval) -> Interval:
    return (
        None if a[0] is None or b[0] is None else a[0] + b[0],
        None if a[1] is None or b[1] is None else a[1] + b[1],
    )


def _negated(a: Interval) -> Interval:
    return (None if a[1] is None else -a[1], None if a[0] is None else -a[0])


def _times(a: Interval, b: Interval) -> Interval:
    if a[0] == a[1] and a[0] is not None:
        a, b = b, a
    factor = b[0]
    if b[1] == factor and factor is not None:
        if factor == 0:
            return (0, 0)
        ends = (None if a[0] is None else a[0] * factor, None if a[1] is None else a[1] * factor)
        return ends if factor > 0 else (ends[1], ends[0])
    if None not in (*a, *b):
        products = [x * y for x in a for y in b]  # type: ignore[operator]
        return (min(products), max(products))
    if a[0] is not None and b[0] is not None and a[0] >= 0 and b[0] >= 0:
        return (a[0] * b[0], None)
    return OPEN


def _divided(a: Interval, b: Interval) -> Interval:
    if b[0] != b[1] or not b[0] or b[0] < 0:
        return (0, None) if a[0] is not None and a[0] >= 0 and b[0] is not None and b[0] > 0 else OPEN
    return (None if a[0] is None else a[0] // b[0], None if a[1] is None else a[1] // b[0])


def _remainder(a: Interval, b: Interval) -> Interval:
    divisor = b[0]
    if divisor != b[1] or divisor is None or divisor <= 0:
        return OPEN
    if a[0] is not None and a[1] is not None and a[0] // divisor == a[1] // divisor:
        return (a[0] % divisor, a[1] % divisor)
    return (0, divisor - 1)


def _least(a: Interval, b: Interval) -> Interval:
    low = None if a[0] is None or b[0] is None else min(a[0], b[0])
    highs = [end for end in (a[1], b[1]) if end is not None]
    return (low, min(highs) if highs else None)


def _most(a: Interval, b: Interval) -> Interval:
    return _negated(_least(_negated(a), _negated(b)))


_ARITHMETIC: dict[str, Callable[[Interval, Interval], Interval]] = {
    "+": _plus,
    "-": lambda a, b: _plus(a, _negated(b)),
    "*": _times,
    "//": _divided,
    "%": _remainder,
    "min": _least,
    "max": _most,
}


def _below(a: Interval, b: Interval) -> bool | None:
    """``a < b``."""
    if a[1] is not None and b[0] is not None and a[1] < b[0]:
        return True
    if a[0] is not None and b[1] is not None and a[0] >= b[1]:
        return False
    return None


def _same(a: Interval, b: Interval) -> bool | None:
    if a[0] is not None and a == (a[0], a[0]) and a == b:
        return True
    return False if _below(a, b) or _below(b, a) else None


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


_RELATIONS: dict[str, Callable[[Interval, Interval], bool | None]] = {
    "<": _below,
    ">": lambda a, b: _below(b, a),
    "<=": lambda a, b: _not(_below(b, a)),
    ">=": lambda a, b: _not(_below(a, b)),
    "==": _same,
    "!=": lambda a, b: _not(_same(a, b)),
}


@dataclass
class Ranges:
    """``bounds`` of variables that have some, ``definitions`` of scalars that are assigned once."""

    bounds: Facts = field(default_factory=dict)
    definitions: Facts = field(default_factory=dict)

    def observed(self) -> Ranges:
        """The same, noting what is looked up."""
        return Ranges(Observed(self.bounds), Observed(self.definitions))

    def follow(self, other: Ranges) -> bool:
        """For observed ones: look up in others from now on, if these say what was looked up so far. Gives whether they do."""
        assert isinstance(self.bounds, Observed) and isinstance(self.definitions, Observed)
        return self.bounds.follow(other.bounds) and self.definitions.follow(other.definitions)

    def interval(self, expr: ir.Expr | int, depth: int = 0) -> Interval:
        """The values that an integer expression may have."""
        match expr:
            case int():
                return (int(expr), int(expr))
            case ir.ConstInt():
                return (int(expr.value), int(expr.value))
            case ir.Read():
                return self._variable(expr.var, depth)
            case ir.Var():
                return self._variable(expr, depth)
            case ir.Binary() if depth < _MAX_DEPTH and expr.op in _ARITHMETIC:
                left, right = self.interval(expr.left, depth + 1), self.interval(expr.right, depth + 1)
                return _ARITHMETIC[expr.op](left, right)
            case ir.Unary(op="cast") if depth < _MAX_DEPTH:
                return self.interval(expr.operand, depth + 1)
            case ir.Unary(op="-") if depth < _MAX_DEPTH:
                return _negated(self.interval(expr.operand, depth + 1))
            case _:
                return (0, None) if _is_index(expr.type) else OPEN

    def _variable(self, var: ir.Var, depth: int) -> Interval:
        if (known := self.bounds.get(var)) is not None:
            return known
        if depth < _MAX_DEPTH and (made := self.definitions.get(var)) is not None:
            found = self.interval(made, depth + 1)
            if found[0] is not None or not _is_index(var.type):
                return found
            return (0, found[1])
        return (0, None) if _is_index(var.type) else OPEN

    def constant(self, expr: ir.Expr | int) -> int | None:
        """The value of an expression that can have only one; an extent that knows its origin keeps it."""
        if isinstance(expr, int):
            return expr
        if isinstance(expr, ir.ConstInt):
            return expr.value
        low, high = self.interval(expr)
        return low if low is not None and low == high else None

    def decide(self, expr: ir.Expr) -> bool | None:
        """Whether a condition always or never holds; None when it depends."""
        match expr:
            case ir.ConstBool():
                return expr.value
            case ir.Binary() if expr.op in _RELATIONS:
                plain = _RELATIONS[expr.op](self.interval(expr.left), self.interval(expr.right))
                return self._compare(expr, self.bounds) if plain is None else plain
            case ir.Binary(op="and" | "or"):
                left, right = self.decide(expr.left), self.decide(expr.right)
                settled = expr.op == "or"
                if left is settled or right is settled:
                    return settled
                for one, other in ((expr.left, expr.right), (expr.right, expr.left)):
                    if self._decided_under(other, dict(said(one, not settled))) is settled:
                        return settled
                return left if left is right else None
            case ir.Unary(op="not"):
                return _not(self.decide(expr.operand))
            case ir.Read() if (made := self.definitions.get(expr.var)) is not None:
                return self.decide(made)
            case _:
                return None

    def _decided_under(self, condition: ir.Expr, assumed: dict[Any, Interval]) -> bool | None:
        """Whether a condition holds where sums have bounds."""
        match condition:
            case ir.Unary(op="not"):
                return _not(self._decided_under(condition.operand, assumed))
            case ir.Binary() if assumed and condition.op in _RELATIONS:
                return self._compare(condition, assumed)
            case _:
                return None

    @staticmethod
    def _compare(expr: ir.Binary, bounds: Any) -> bool | None:
        """Decide a comparison by the bounds that its sum, or the opposite of that, has."""
        form = compared(expr)
        if form is None:
            return None
        if expr.op in ("==", "!="):
            total, limit = form[0], -form[1]
            if bounds.get((total, limit)) is not None or bounds.get((opposite(total), -limit)) is not None:
                return expr.op == "!="
        known = bounds.get(form[0])
        if known is None and (other := bounds.get(opposite(form[0]))) is not None:
            known = _negated(other)
        return None if known is None else _RELATIONS[expr.op](known, (-form[1], -form[1]))

    def under(self, condition: ir.Expr, truth: bool) -> dict[Any, Interval]:
        """The bounds that hold below a condition, by what :attr:`bounds` has them under."""
        found: dict[Any, Interval] = {}
        for total, bounds in said(condition, truth):
            place = lasting(total)
            if place is None:
                continue
            key, reverse = place
            known = found.get(key) or (self.interval(key) if isinstance(key, ir.Var) else self.bounds.get(key, OPEN))
            narrowed = both(known, _negated(bounds) if reverse else bounds)
            if narrowed[0] is None or narrowed[1] is None or narrowed[0] <= narrowed[1]:
                found[key] = narrowed
        return found


def trip_count(loop: ir.For, ranges: Ranges) -> int | None:
    """How often a loop with constant bounds runs; None when they are not constant."""
    start, stop, step = ranges.constant(loop.start), ranges.constant(loop.stop), ranges.constant(loop.step)
    if start is None or stop is None or not step:
        return None
    return max(0, -(-(stop - start) // step))


def loop_interval(start: Interval, stop: Interval, step: int) -> Interval:
    """The values of a loop variable that runs from ``start`` towards ``stop`` by ``step``."""
    if step > 0:
        low, end = start[0], stop[1]
        if low is None or end is None:
            return (low, None if end is None else end - 1)
        if start[1] == low:
            return (low, low + max(0, -(-(end - low) // step) - 1) * step)
        return (low, end - 1)
    return (None if stop[0] is None else stop[0] + 1, start[1])


def pipeline_stages(loop: ir.For) -> int:
    """How many stages a loop is pipelined over, 1 for a loop that is not."""
    if loop.kind is not ForKind.PIPELINE:
        return 1
    stages = loop.attrs.get("pipeline_stages", loop.attrs.get("stage", 1))
    return stages if isinstance(stages, int) else 1
