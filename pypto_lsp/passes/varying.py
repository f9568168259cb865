"""Extents that surely take several values, so that no pass can make constants of them.

An expression varies when two assignments of its free scalars, all of them possible, give it two values. Free are dynamic
dimensions, scalars that a caller hands over, elements that are read from tensors, and the variables of loops that run more than
once. Every other scalar is held at one value: an expression that depends on those alone is not decided.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import Dim
from pypto_lsp.passes.ranges import Ranges, trip_count

#: what a free scalar may be, whatever it stands for
_VALUES = (1_000_003, 97, 1)
#: operators that read an element which nothing is known of
_READS = frozenset({"tensor.read", "tile.read"})
_MAX_DEPTH = 24
_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "min": min,
    "max": max,
}


@dataclass(frozen=True, slots=True)
class Varying:
    """``given`` are the free scalars and dynamic dimensions, ``made`` what scalars stand for besides those that ``ranges`` knows."""

    ranges: Ranges
    given: Collection[ir.Var]
    made: Mapping[ir.Var, ir.Expr]
    #: start, stop and step of the loops whose variables may be met
    loops: Mapping[ir.Var, Sequence[ir.Expr]]

    def varies(self, dim: Dim) -> bool:
        """Whether an extent surely has several values."""
        atoms: dict[ir.Var, tuple[int, ...]] = {}
        if isinstance(dim, int) or not self._collect(dim, atoms, 0):
            return False
        base = {var: values[0] for var, values in atoms.items()}
        if (first := self._value(dim, base)) is None:
            return False
        return any(
            (other := self._value(dim, {**base, var: value})) is not None and other != first
            for var, values in atoms.items()
            for value in values[1:]
        )

    def _collect(self, expr: ir.Expr, atoms: dict[ir.Var, tuple[int, ...]], depth: int) -> bool:
        """Note the scalars of an expression with the values that each may have. Gives whether all of it is arithmetic."""
        if depth > _MAX_DEPTH:
            return False
        match expr:
            case ir.ConstInt():
                return True
            case ir.Binary() if expr.op in _ARITHMETIC:
                return self._collect(expr.left, atoms, depth + 1) and self._collect(expr.right, atoms, depth + 1)
            case ir.Unary(op="-" | "cast"):
                return self._collect(expr.operand, atoms, depth + 1)
            case ir.Read() | ir.Var():
                var = expr.var if isinstance(expr, ir.Read) else expr
                made = self._definition(var)
                if made is not None:
                    return self._collect(made, atoms, depth + 1)
                atoms[var] = values = self._values(var)
                return bool(values)
            case _:
                return False

    def _definition(self, var: ir.Var) -> ir.Expr | None:
        """The expression that a scalar stands for; None for one that is read from a tensor, or has none."""
        made = self._made(var)
        return None if _reads_element(made) else made

    def _made(self, var: ir.Var) -> ir.Expr | None:
        return self.made.get(var) or self.ranges.definitions.get(var)

    def runs(self, loop: ir.For) -> bool:
        """Whether a loop surely is there for some values: whatever it has of constant bounds, or a bound that varies."""
        if self.ranges.constant(loop.start) is None or not self.ranges.constant(loop.step):
            return False
        return (trip_count(loop, self.ranges) or 0) > 0 or self.varies(loop.stop)

    def _values(self, var: ir.Var) -> tuple[int, ...]:
        """The values that a scalar may have, the first of them together with the first of all others; none where that is open."""
        if var in self.given or _reads_element(self._made(var)):
            return _VALUES
        low, high = self.ranges.bounds.get(var) or (None, None)
        if low is not None and high is not None:
            return (low,) if low == high else (low, high)
        if (loop := self.loops.get(var)) is not None:
            start, step = self.ranges.constant(loop[0]), self.ranges.constant(loop[2])
            if start is None or step is None or step <= 0 or not self.varies(loop[1]):
                return ()
            return start, start + step
        return (1,)

    def _value(self, expr: ir.Expr, values: Mapping[ir.Var, int]) -> int | None:
        match expr:
            case ir.ConstInt():
                return int(expr.value)
            case ir.Binary():
                left, right = self._value(expr.left, values), self._value(expr.right, values)
                if left is None or right is None or (right == 0 and expr.op in ("//", "%")):
                    return None
                return _ARITHMETIC[expr.op](left, right)
            case ir.Unary():
                value = self._value(expr.operand, values)
                return value if value is None or expr.op == "cast" else -value
            case ir.Read() | ir.Var():
                var = expr.var if isinstance(expr, ir.Read) else expr
                made = self._definition(var)
                return values[var] if made is None else self._value(made, values)
            case _:
                return None


def _reads_element(expr: ir.Expr | None) -> bool:
    return isinstance(expr, ir.Call) and expr.op in _READS


__all__ = ["Varying"]
