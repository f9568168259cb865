"""LowerPipelineLoops: the body of a pipelined loop is copied once for each stage, and what is left over comes behind the loop.

Modelled for loops with constant bounds; others stay as they are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import const_value
from pypto_lsp.ir.dtypes import INDEX
from pypto_lsp.ir.enums import KERNEL_TYPES, ForKind
from pypto_lsp.ir.mutator import Mutator, Statements, changed
from pypto_lsp.ir.types import TileType, Type
from pypto_lsp.passes.ranges import pipeline_stages
from pypto_lsp.passes.type_substitution import TypeSubstitution

#: attribute of the tiles of a copy: the region and the stage that they belong to
MEMBERSHIP = "pipeline_membership"
_SEPARATOR = ";"
Values = tuple[ir.Expr, ...]


class _Copy(Mutator):
    """A copy of a loop's body with variables of its own; its tiles are marked with region and stage."""

    def __init__(self, values: dict[ir.Var, ir.Expr], mark: str) -> None:
        self.values, self.mark = values, mark
        self.types = TypeSubstitution(self.values.get)

    def read(self, var: ir.Var) -> ir.Expr | None:
        return self.values.get(var)

    def type(self, type_: Type) -> Type:
        return self.types.type(type_)

    def binding(self, var: ir.Var) -> ir.Var:
        made = ir.Var(var.name, self.type(var.type), var.span, symbol=var.symbol)
        self.values[var] = ir.Read(made, var.span)
        return made

    def assign(self, stmt: ir.Assign) -> Statements:
        (made,) = super().assign(stmt)
        assert isinstance(made, ir.Assign)
        value = made.value
        if not isinstance(made.var.type, TileType) or not isinstance(value, ir.Call) or _accumulates(value):
            return (made,)
        before = value.attrs.get(MEMBERSHIP)
        mark = f"{before}{_SEPARATOR}{self.mark}" if before else self.mark
        return (replace(made, value=replace(value, attrs={**value.attrs, MEMBERSHIP: mark})),)


def _accumulates(call: ir.Call) -> bool:
    """Whether a call computes on the cube core, one after the other whatever the stage."""
    return str(call.op).startswith("tile.matmul") and getattr(call.type, "memory", None) == "Acc"


class _Lowerer(Mutator):
    def __init__(self) -> None:
        self.regions = 0

    def for_(self, stmt: ir.For) -> Statements:
        stages = pipeline_stages(stmt)
        bounds = [const_value(expr) for expr in (stmt.start, stmt.stop, stmt.step)]
        if stmt.kind is not ForKind.PIPELINE or stages < 2 or None in bounds:
            return super().for_(stmt)
        loop = replace(stmt, body=self.body(stmt.body))
        start, stop, step = (bound for bound in bounds if bound is not None)
        return self._lowered(loop, stages, range(start, stop, step))

    def _lowered(self, loop: ir.For, stages: int, trips: range) -> Statements:
        if not trips:
            attrs = {key: value for key, value in loop.attrs.items() if key != "pipeline_stages"}
            return (replace(loop, kind=ForKind.SEQUENTIAL, attrs=attrs),)
        rounds, rest = divmod(len(trips), stages)
        out: list[ir.Stmt] = []
        values: Values = tuple(arg.init for arg in loop.iter_args)
        if rounds:
            results = loop.return_vars
            if rest:
                results = tuple(ir.Var(f"{var.name}_main", var.type, var.span) for var in results)
            out.append(self._main(loop, stages, trips, rounds, results))
            values = tuple(ir.Read(var, loop.span) for var in results)
        if rest:
            base = ir.ConstInt(trips[rounds * stages], INDEX, loop.span)
            copies, values = self._copies(loop, rest, trips.step, base, values)
            out += copies
            out += (ir.Assign(var, value, loop.span) for var, value in zip(loop.return_vars, values))
        return out

    def _main(self, loop: ir.For, stages: int, trips: range, rounds: int, results: tuple[ir.Var, ...]) -> ir.Stmt:
        """The loop over whole rounds of stages."""
        span = loop.span
        var = ir.Var(loop.var.name, loop.var.type, loop.var.span)
        carried = [ir.IterArg(ir.Var(arg.var.name, arg.var.type, arg.var.span), arg.init) for arg in loop.iter_args]
        begin = tuple(ir.Read(arg.var, span) for arg in carried)
        copies, values = self._copies(loop, stages, trips.step, ir.Read(var, span), begin)
        body = (*copies, ir.Yield(values, span)) if carried else tuple(copies)
        attrs: dict[str, Any] = {**loop.attrs, "pipeline_stages": 1}
        return ir.For(
            var,
            loop.start,
            ir.ConstInt(trips.start + rounds * stages * trips.step, INDEX, span),
            ir.ConstInt(stages * trips.step, INDEX, span),
            loop.kind,
            body,
            tuple(carried),
            results,
            attrs,
            span,
        )

    def _copies(
        self, loop: ir.For, count: int, step: int, base: ir.Expr, values: Values
    ) -> tuple[list[ir.Stmt], Values]:
        """Copies of the body, each for the trip after the one before and with what that one yields."""
        region, self.regions = self.regions, self.regions + 1
        out: list[ir.Stmt] = []
        for stage in range(count):
            known: dict[ir.Var, ir.Expr] = {loop.var: _moved(base, stage * step)}
            known.update((arg.var, value) for arg, value in zip(loop.iter_args, values))
            made = _Copy(known, f"{region}:{stage}").body(loop.body)
            last = made[-1] if made else None
            if isinstance(last, ir.Yield):
                made, values = made[:-1], last.values
            out += made
        return out, values


def _moved(base: ir.Expr, offset: int) -> ir.Expr:
    if not offset:
        return base
    if isinstance(base, ir.ConstInt):
        return replace(base, value=int(base.value) + offset)
    return ir.Binary("+", base, ir.ConstInt(offset, INDEX, base.span), base.type, base.span)


def lower_pipeline_loops(function: ir.Function) -> ir.Function:
    """The kernel with its pipelined loops copied out."""
    if function.func_type not in KERNEL_TYPES or function.body is None:
        return function
    return changed(function, body=_Lowerer().body(function.body))


__all__ = ["MEMBERSHIP", "lower_pipeline_loops"]
