"""Simplify: scalar expressions in their simplified form, constants in place of their names, branches and loops resolved whose
course is known, and values dropped that nothing reads.

Constants stand for their names only where they are assigned outside of loops, branches and launches; elsewhere a scalar's
value bounds it, which is enough to decide a branch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import dim_of, dtype_of, expr_of
from pypto_lsp.ir.arith import simplify as simplify_dim
from pypto_lsp.ir.enums import ForKind
from pypto_lsp.ir.mutator import Mutator, Statements, changed, mapped
from pypto_lsp.ir.types import TENSORS, ScalarType, Type
from pypto_lsp.ir.visit import walk
from pypto_lsp.passes.pipeline import conditions
from pypto_lsp.passes.pipeline.dead_scalars import without_dead_scalars
from pypto_lsp.passes.ranges import Ranges, loop_interval
from pypto_lsp.passes.type_substitution import TypeSubstitution

_CONSTANTS = (ir.ConstInt, ir.ConstFloat, ir.ConstBool)
_RELATIONS = frozenset({"<", "<=", ">", ">=", "==", "!=", "and", "or"})


def _layout(type_: Type) -> str | None:
    if not isinstance(type_, TENSORS):
        return None
    return "ND" if type_.view is None else type_.view.layout


class _Simplifier(Mutator):
    def __init__(self, body: ir.Body) -> None:
        counts = Counter(stmt.var for stmt in walk(body) if isinstance(stmt, ir.Assign))
        self.rebound = {var for var, count in counts.items() if count > 1}
        #: variables -> what stands for them
        self.values: dict[ir.Var, ir.Expr] = {}
        self.bounds: dict[ir.Var, Any] = {}
        self.definitions: dict[ir.Var, Any] = {}
        self.ranges = Ranges(self.bounds, self.definitions)
        self.depth = 0
        self.types = TypeSubstitution(self.values.get)

    # --- expressions -----------------------------------------------------------------------------------------------

    def read(self, var: ir.Var) -> ir.Expr | None:
        return self.values.get(var)

    def type(self, type_: Type) -> Type:
        return self.types.type(type_)

    def binary(self, expr: ir.Binary) -> ir.Expr:
        made = super().binary(expr)
        assert isinstance(made, ir.Binary)
        if made.op in _RELATIONS:
            return conditions.simplified(made)
        return _scalar(made)

    def unary(self, expr: ir.Unary) -> ir.Expr:
        made = super().unary(expr)
        assert isinstance(made, ir.Unary)
        if made.op == "not":
            return conditions.negated(made.operand) if isinstance(made.operand, (ir.Binary, ir.ConstBool)) else made
        if made.op == "cast" and isinstance(made.operand, ir.ConstInt) and isinstance(made.type, ScalarType):
            dtype = made.type.dtype
            if dtype is not None and dtype.is_int:
                return replace(made.operand, dtype=dtype)
        return _scalar(made)

    def call(self, expr: ir.Call) -> ir.Expr:
        made = super().call(expr)
        if isinstance(made, ir.Call) and made.op == "tensor.view" and len(made.args) == 1:
            source = made.args[0]
            layout = _layout(source.type)
            if layout is not None and layout == _layout(made.type):
                return source
        return made

    # --- statements ------------------------------------------------------------------------------------------------

    def assign(self, stmt: ir.Assign) -> Statements:
        value = self.expr(stmt.value)
        var = self.binding(stmt.var)
        if isinstance(var.type, ScalarType) and stmt.var not in self.rebound:
            if isinstance(value, _CONSTANTS) and self.depth == 0:
                self.values[stmt.var] = value
            self.definitions[var] = value
        return (changed(stmt, var=var, value=value),)

    def binding(self, var: ir.Var) -> ir.Var:
        """A variable whose type names what is replaced is made anew, once."""
        known = self.values.get(var)
        if isinstance(known, ir.Read):
            return known.var
        type_ = self.type(var.type)
        if type_ is var.type:
            return var
        fresh = ir.Var(var.name, type_, var.span, symbol=var.symbol)
        self.values[var] = ir.Read(fresh, var.span)
        return fresh

    @contextmanager
    def _inside(self) -> Iterator[None]:
        """A loop: what is put in place of variables in it is not known outside."""
        saved = dict(self.values)
        yield
        self.values.clear()
        self.values.update(saved)

    def _nested(self, body: ir.Body) -> ir.Body:
        """A body in which constants do not stand for their names."""
        self.depth += 1
        made = self.body(body)
        self.depth -= 1
        return made

    def scope(self, stmt: Any) -> Statements:
        if not isinstance(stmt, ir.SpmdScope):
            return super().scope(stmt)
        core_num = self.expr(stmt.core_num)
        body = self._nested(stmt.body)
        return (changed(stmt, core_num=core_num, attrs=self.attrs(stmt.attrs), body=body),)

    def while_(self, stmt: ir.While) -> Statements:
        # the compiler leaves what a while loop starts with as it is
        carries = stmt.iter_args
        condition = self.expr(stmt.condition)
        body = self._nested(stmt.body)
        results = mapped(stmt.return_vars, self.binding)
        return (changed(stmt, condition=condition, iter_args=carries, body=body, return_vars=results),)

    def if_(self, stmt: ir.If) -> Statements:
        condition = self.expr(stmt.condition)
        before = dict(self.values)
        then, after_then = self._branch(stmt.then, before)
        orelse, after_else = (None, before) if stmt.orelse is None else self._branch(stmt.orelse, before)
        decided = self.ranges.decide(condition)
        if decided is None:
            self._restore(before)
            return (changed(stmt, condition=condition, then=then, orelse=orelse),)
        self._restore(after_then if decided else after_else)
        return self._lifted(then if decided else orelse or (), stmt.return_vars)

    def _branch(self, body: ir.Body, before: dict[ir.Var, ir.Expr]) -> tuple[ir.Body, dict[ir.Var, ir.Expr]]:
        self._restore(before)
        self.depth += 1
        made = self.body(body)
        self.depth -= 1
        return made, dict(self.values)

    def _restore(self, values: dict[ir.Var, ir.Expr]) -> None:
        kept = dict(values)
        self.values.clear()
        self.values.update(kept)

    def _lifted(self, body: ir.Body, results: tuple[ir.Var, ...]) -> Statements:
        """A body in place of its statement: what it yields stands for the statement's results."""
        if not results or not body or not isinstance(body[-1], ir.Yield):
            return body
        self.values.update(zip(results, body[-1].values))
        return body[:-1]

    # --- loops -----------------------------------------------------------------------------------------------------

    def for_(self, stmt: ir.For) -> Statements:
        start, stop, step = self.expr(stmt.start), self.expr(stmt.stop), self.expr(stmt.step)
        loop = changed(stmt, start=start, stop=stop, step=step)
        trips = self._trips(loop) if stmt.kind is ForKind.SEQUENTIAL and not stmt.attrs else None
        if trips is not None:
            return self._resolved(loop, trips)
        carries = self.carries(stmt.iter_args)
        if isinstance(start, ir.ConstInt) and isinstance(stop, ir.ConstInt) and stop.value > start.value:
            self.bounds[stmt.var] = loop_interval((start.value, start.value), (stop.value, stop.value), 1)
        with self._inside():
            body = self._nested(stmt.body)
        results = mapped(stmt.return_vars, self.binding)
        return (changed(loop, iter_args=carries, body=body, return_vars=results),)

    def _trips(self, loop: ir.For) -> int | None:
        """0 or 1 where a loop provably has so many trips."""
        step = self.ranges.interval(loop.step)[0]
        if step is None or step < 1:
            return None
        if self._holds("<=", loop.stop, loop.start):
            return 0
        following = expr_of(simplify_dim(ir.Binary("+", loop.start, loop.step, loop.start.type)))
        once = self._holds("<", loop.start, loop.stop) and self._holds("<=", loop.stop, following)
        return 1 if once else None

    def _holds(self, op: str, left: ir.Expr, right: ir.Expr) -> bool:
        relation = conditions.simplified(ir.Binary(op, left, right, left.type))
        return self.ranges.decide(relation) is True

    def _resolved(self, loop: ir.For, trips: int) -> Statements:
        inits = [self.expr(arg.init) for arg in loop.iter_args]
        if trips == 0:
            pairs = zip(loop.return_vars, inits)
            return tuple(ir.Assign(self.binding(var), init, loop.span, loop.span) for var, init in pairs)
        self.values[loop.var] = loop.start
        for arg, init in zip(loop.iter_args, inits):
            self.values[arg.var] = init
        return self._lifted(self.body(loop.body), loop.return_vars)


def _scalar(expr: ir.Expr) -> ir.Expr:
    """An integer expression in its simplified form, with its own dtype."""
    dtype = dtype_of(expr)
    made = simplify_dim(expr)
    if made is expr or dtype is None:
        return expr
    if isinstance(made, int):
        return ir.ConstInt(made, dtype, expr.span)
    if isinstance(made, ir.Var):
        return ir.Read(made, expr.span)
    return expr_of(dim_of(made), expr.span)


def simplify(function: ir.Function) -> ir.Function:
    """The function simplified."""
    if function.body is None:
        return function
    made = _Simplifier(function.body).function(function)
    body = without_dead_scalars(made.body or ())
    return changed(made, body=body)


__all__ = ["simplify"]
