"""InlineFunctions: every call of an Inline function is replaced by the function's body.

Names stay apart: each expansion gets variables of its own. Spans stay those of the inlined function's source, so a finding
in an expanded body lies where its author can change it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import TupleType

_MAX_DEPTH = 32


@dataclass
class _Substitution:
    """Variables of an inlined body -> what stands for them in the caller."""

    exprs: dict[ir.Var, ir.Expr]

    def var(self, var: ir.Var) -> ir.Var:
        """The variable that a binding of the body binds in this expansion."""
        known = self.exprs.get(var)
        if isinstance(known, ir.Read):
            return known.var
        if known is not None:
            fresh = ir.Var(var.name, var.type, var.span)
        else:
            fresh = ir.Var(var.name, var.type, var.span, symbol=var.symbol)
        self.exprs[var] = ir.Read(fresh, var.span)
        return fresh

    def value(self, node: Any) -> Any:
        """A copy of an expression, statement or container with the variables replaced."""
        if isinstance(node, ir.Read):
            known = self.exprs.get(node.var)
            if known is None:
                return node
            return ir.Read(known.var, node.span) if isinstance(known, ir.Read) else known
        if isinstance(node, ir.Var):
            known = self.exprs.get(node)
            return known.var if isinstance(known, ir.Read) else node
        if isinstance(node, tuple):
            return tuple(self.value(item) for item in node)
        if isinstance(node, dict):
            return {key: self.value(item) for key, item in node.items()}
        if isinstance(node, (ir.Expr, ir.Stmt, ir.IterArg)) and is_dataclass(node):
            return self._copied(node)
        return node

    def _copied(self, node: Any) -> Any:
        if isinstance(node, (ir.Assign, ir.For, ir.IterArg, ir.SpmdScope, ir.SplitAivScope)):
            bound = getattr(node, "var", None) or getattr(node, "index_var", None)
            if isinstance(node, ir.Assign):
                value = self.value(node.value)
                return replace(node, var=self.var(node.var), value=value)
            if bound is not None:
                self.var(bound)
        for var in getattr(node, "return_vars", ()):
            self.var(var)
        changes = {
            field.name: self.value(getattr(node, field.name))
            for field in fields(node)
            if field.name not in ("span", "type") and not isinstance(getattr(node, field.name), (str, int, bool))
        }
        return replace(node, **changes)


class _Inliner:
    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.depth = 0

    def callee(self, expr: ir.Expr) -> ir.Function | None:
        if isinstance(expr, ir.Call) and isinstance(expr.op, ir.FunctionRef):
            function = self.program.functions.get(expr.op.name)
            if function is not None and function.func_type == "Inline" and function.body is not None:
                return function
        return None

    def body(self, body: ir.Body) -> ir.Body:
        out: list[ir.Stmt] = []
        for stmt in body:
            out.extend(self.stmt(stmt))
        return tuple(out)

    def stmt(self, stmt: ir.Stmt) -> list[ir.Stmt]:
        prefix: list[ir.Stmt] = []
        if isinstance(stmt, (ir.Assign, ir.Eval)):
            expr = stmt.value if isinstance(stmt, ir.Assign) else stmt.expr
            value = self.expr(expr, prefix)
            if isinstance(stmt, ir.Assign):
                return [*prefix, stmt if value is expr else replace(stmt, value=value)]
            if value is expr:
                return [*prefix, stmt]
            return prefix if self.callee(expr) is not None else [*prefix, replace(stmt, expr=value)]
        if isinstance(stmt, ir.Return):
            values = tuple(self.expr(v, prefix) for v in stmt.values)
            return [*prefix, replace(stmt, values=values)]
        changes: dict[str, Any] = {}
        for name in ("body", "then", "orelse"):
            nested = getattr(stmt, name, None)
            if isinstance(nested, tuple):
                expanded = self.body(nested)
                if expanded != nested:
                    changes[name] = expanded
        return [*prefix, replace(stmt, **changes) if changes else stmt]  # type: ignore[type-var]

    def expr(self, expr: ir.Expr, prefix: list[ir.Stmt]) -> ir.Expr:
        """An expression with the inline calls in it expanded into statements before it."""
        rebuilt = _mapped(expr, lambda e: self.expr(e, prefix))
        callee = self.callee(rebuilt)
        if callee is None or self.depth >= _MAX_DEPTH:
            return rebuilt
        assert isinstance(rebuilt, ir.Call)
        return self.expand(rebuilt, callee, prefix)

    def expand(self, call: ir.Call, callee: ir.Function, prefix: list[ir.Stmt]) -> ir.Expr:
        substitution = _Substitution({})
        for param, arg in zip(callee.params, call.args):
            if isinstance(arg, ir.Read):
                substitution.exprs[param] = arg
            else:
                var = ir.Var(param.name, arg.type, param.span)
                prefix.append(ir.Assign(var, arg, call.span, param.span))
                substitution.exprs[param] = ir.Read(var, param.span)
        self.depth += 1
        copied = self.body(substitution.value(callee.body or ()))
        self.depth -= 1
        result: ir.Expr = ir.ErrorExpr(call.span, call.type)
        for stmt in copied:
            if isinstance(stmt, ir.Return):
                if len(stmt.values) == 1:
                    result = stmt.values[0]
                elif stmt.values:
                    result = ir.MakeTuple(stmt.values, TupleType(tuple(v.type for v in stmt.values)), stmt.span)
                break
            prefix.append(stmt)
        return result


def _mapped(expr: ir.Expr, visit: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """An expression with its operands replaced; the same object when none changes."""
    match expr:
        case ir.Call():
            args = tuple(visit(a) for a in expr.args)
            return expr if all(a is b for a, b in zip(args, expr.args)) else replace(expr, args=args)
        case ir.Binary():
            left, right = visit(expr.left), visit(expr.right)
            return expr if left is expr.left and right is expr.right else replace(expr, left=left, right=right)
        case ir.Unary():
            operand = visit(expr.operand)
            return expr if operand is expr.operand else replace(expr, operand=operand)
        case ir.MakeTuple():
            elements = tuple(visit(e) for e in expr.elements)
            return expr if all(a is b for a, b in zip(elements, expr.elements)) else replace(expr, elements=elements)
        case ir.TupleGetItem():
            source = visit(expr.tuple)
            if source is expr.tuple:
                return expr
            if isinstance(source, ir.MakeTuple) and expr.index < len(source.elements):
                return source.elements[expr.index]
            return replace(expr, tuple=source)
        case _:
            return expr


def inline_functions(program: ir.Program) -> ir.Program:
    """The program with all calls of Inline functions expanded, and without those functions."""
    if not any(f.func_type == "Inline" for f in program.functions.values()):
        return program
    inliner = _Inliner(program)
    functions = {
        name: replace(function, body=inliner.body(function.body)) if function.body is not None else function
        for name, function in program.functions.items()
        if function.func_type != "Inline"
    }
    return replace(program, functions=functions)
