"""FlattenCallExpr: a call inside of another expression becomes an assignment before the statement."""

from __future__ import annotations

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.mutator import Emitter, Statements, changed, mapped, with_bodies
from pypto_lsp.passes.pipeline.names import versioned

_CALLS = (ir.Call, ir.Submit)


class _Flattener(Emitter):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def _named(self, expr: ir.Expr) -> ir.Expr:
        """An expression in a place that takes no call."""
        value = self.expr(expr)
        if not isinstance(value, _CALLS):
            return value
        var = ir.Var(versioned("t", "tmp", self.count), value.type, value.span)
        self.count += 1
        self.before.append(ir.Assign(var, value, value.span, value.span))
        return ir.Read(var, value.span)

    def call(self, expr: ir.Call) -> ir.Expr:
        return changed(expr, args=mapped(expr.args, self._named))

    def submit(self, expr: ir.Submit) -> ir.Expr:
        return changed(expr, args=mapped(expr.args, self._named))

    def binary(self, expr: ir.Binary) -> ir.Expr:
        return changed(expr, left=self._named(expr.left), right=self._named(expr.right))

    def unary(self, expr: ir.Unary) -> ir.Expr:
        return changed(expr, operand=self._named(expr.operand))

    def stmt(self, stmt: ir.Stmt) -> Statements:
        if isinstance(stmt, (ir.Return, ir.Yield)):
            return (changed(stmt, values=mapped(stmt.values, self._named)),)
        return super().stmt(stmt)

    def if_(self, stmt: ir.If) -> Statements:
        condition = self._named(stmt.condition)
        return super().if_(changed(stmt, condition=condition))

    def for_(self, stmt: ir.For) -> Statements:
        start, stop, step = self._named(stmt.start), self._named(stmt.stop), self._named(stmt.step)
        return (changed(stmt, start=start, stop=stop, step=step, body=self.body(stmt.body)),)

    def while_(self, stmt: ir.While) -> Statements:
        condition = self._named(stmt.condition)
        return (changed(stmt, condition=condition, body=self.body(stmt.body)),)

    def scope(self, stmt: ir.Stmt) -> Statements:
        return (with_bodies(stmt, self.body),)


def flatten_call_expr(function: ir.Function) -> ir.Function:
    """The function with every call in a statement of its own."""
    return _Flattener().function(function)


__all__ = ["flatten_call_expr"]
