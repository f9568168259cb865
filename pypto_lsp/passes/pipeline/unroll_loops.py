"""UnrollLoops: a loop of ``pl.unroll`` becomes a copy of its body for each trip, the trip's number in place of its variable.

Variables keep their identity in the copies: a later trip assigns them again.
"""

from __future__ import annotations

from dataclasses import replace

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import INDEX
from pypto_lsp.ir.enums import ForKind
from pypto_lsp.ir.mutator import Mutator, Statements
from pypto_lsp.ir.types import Type
from pypto_lsp.passes.type_substitution import TypeSubstitution

#: a loop of more trips is left alone (the compiler refuses it)
_MAX_TRIPS = 1024


def _constant(expr: ir.Expr) -> int | None:
    """The value of a constant or of a negated one."""
    if isinstance(expr, ir.Unary) and expr.op == "-" and isinstance(expr.operand, ir.ConstInt):
        return -int(expr.operand.value)
    return int(expr.value) if isinstance(expr, ir.ConstInt) else None


def _trips(loop: ir.For) -> range | None:
    bounds = [_constant(expr) for expr in (loop.start, loop.stop, loop.step)]
    start, stop, step = bounds
    if start is None or stop is None or not step:
        return None
    trips = range(start, stop, step)
    return trips if len(trips) <= _MAX_TRIPS else None


class _Unroller(Mutator):
    def __init__(self) -> None:
        self.numbers: dict[ir.Var, ir.Expr] = {}
        self.types = TypeSubstitution(self.numbers.get)

    def read(self, var: ir.Var) -> ir.Expr | None:
        return self.numbers.get(var)

    def type(self, type_: Type) -> Type:
        return self.types.type(type_) if self.numbers else type_

    def for_(self, stmt: ir.For) -> Statements:
        loop = replace(stmt, start=self.expr(stmt.start), stop=self.expr(stmt.stop), step=self.expr(stmt.step))
        trips = _trips(loop) if stmt.kind is ForKind.UNROLL and not stmt.iter_args else None
        if trips is None:
            return super().for_(stmt)
        out: list[ir.Stmt] = []
        for number in trips:
            self.numbers[stmt.var] = ir.ConstInt(number, INDEX, stmt.var.span)
            out.extend(self.body(stmt.body))
        self.numbers.pop(stmt.var, None)
        return out


def unroll_loops(function: ir.Function) -> ir.Function:
    """The function without loops of ``pl.unroll`` whose bounds are constants."""
    return _Unroller().function(function)


__all__ = ["unroll_loops"]
