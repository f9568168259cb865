"""InlineFunctions: a call of an Inline function is replaced by the function's body.

Expanded are calls that make up a statement: ``x = helper(...)``, ``helper(...)``, ``return helper(...)``; a call inside of
another expression is left, as in the compiler. An argument stands for its parameter: a parameter that the helper rebinds is
the caller's variable, and an argument that is an expression is evaluated where the parameter is read. Each expansion gets local
variables of its own; spans stay those of the helper's source, so a finding lies where its author can change it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache, lru_cache
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import TupleType
from pypto_lsp.passes.type_substitution import TypeSubstitution

_MAX_DEPTH = 32
#: fields of nodes that hold neither expressions nor bodies
_PLAIN = frozenset({"span", "type", "op", "names", "path", "kwargs", "name_span", "name_hint"})


@cache
def _nested_fields(node_type: type) -> tuple[str, ...]:
    """The fields of a kind of node that may hold expressions, variables or bodies."""
    return tuple(item.name for item in fields(node_type) if item.name not in _PLAIN)


class _Substitution:
    """Variables of a helper -> what stands for them in the caller."""

    def __init__(self) -> None:
        self.exprs: dict[ir.Var, ir.Expr] = {}
        self.types = TypeSubstitution(self.exprs.get)

    def bound(self, var: ir.Var) -> ir.Var:
        """The variable that a binding of the helper binds in this expansion."""
        known = self.exprs.get(var)
        if isinstance(known, ir.Read):
            return known.var
        fresh = ir.Var(var.name, self.types.type(var.type), var.span, symbol=var.symbol)
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
        if isinstance(node, ir.Assign):
            value = self.value(node.value)
            return replace(node, var=self.bound(node.var), value=value)
        if isinstance(node, (ir.For, ir.While)):
            # the first values of what a loop carries are read before it binds anything
            node = replace(node, iter_args=tuple(ir.IterArg(a.var, self.value(a.init)) for a in node.iter_args))
            args = tuple(ir.IterArg(self.bound(a.var), a.init) for a in node.iter_args)
            return self._rebuilt(node, {"iter_args": args})
        return self._rebuilt(node, {})

    def _rebuilt(self, node: Any, changes: dict[str, Any]) -> Any:
        bound = node.var if isinstance(node, ir.For) else getattr(node, "index_var", None)
        if bound is not None:
            self.bound(bound)
        for var in getattr(node, "return_vars", ()):
            self.bound(var)
        for name in _nested_fields(node.__class__):
            value = getattr(node, name)
            if name not in changes and not isinstance(value, (str, int, bool)):
                changes[name] = self.value(value)
        if isinstance(node, ir.Call):
            changes["type"] = self.types.type(node.type)
        return replace(node, **changes)


@dataclass
class _Expansion:
    """The statements of an expanded helper and what it returns (None: nothing)."""

    statements: list[ir.Stmt]
    values: tuple[ir.Expr, ...] | None


class _Inliner:
    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.depth = 0

    def callee(self, expr: ir.Expr) -> ir.Function | None:
        if isinstance(expr, ir.Call) and isinstance(expr.op, ir.FunctionRef) and self.depth < _MAX_DEPTH:
            function = self.program.functions.get(expr.op.name)
            if function is not None and function.func_type == "Inline" and function.body is not None:
                return function
        return None

    def body(self, body: ir.Body) -> ir.Body:
        out: list[ir.Stmt] = []
        for stmt in body:
            out.extend(self.stmt(stmt))
        return tuple(out) if len(out) != len(body) or any(a is not b for a, b in zip(out, body)) else body

    def stmt(self, stmt: ir.Stmt) -> list[ir.Stmt]:
        match stmt:
            case ir.Assign() if (callee := self.callee(stmt.value)) is not None:
                assert isinstance(stmt.value, ir.Call)
                made = self.expanded(stmt.value, callee)
                return [*made.statements, replace(stmt, value=_result(stmt.value, made))]
            case ir.Eval() if (callee := self.callee(stmt.expr)) is not None:
                assert isinstance(stmt.expr, ir.Call)
                return self.expanded(stmt.expr, callee).statements
            case ir.Return(values=(value,)) if (callee := self.callee(value)) is not None:
                assert isinstance(value, ir.Call)
                made = self.expanded(value, callee)
                return [*made.statements, replace(stmt, values=made.values or ())]
        changes: dict[str, Any] = {}
        for name in ("body", "then", "orelse"):
            nested = getattr(stmt, name, None)
            if isinstance(nested, tuple) and (expanded := self.body(nested)) is not nested:
                changes[name] = expanded
        return [replace(stmt, **changes) if changes else stmt]  # type: ignore[type-var]

    def expanded(self, call: ir.Call, callee: ir.Function) -> _Expansion:
        """The body of a helper for one call of it."""
        substitution = _Substitution()
        substitution.exprs.update(zip(callee.params, call.args))
        self.depth += 1
        copied = self.body(substitution.value(callee.body or ()))
        self.depth -= 1
        statements: list[ir.Stmt] = []
        for stmt in copied:
            if isinstance(stmt, ir.Return):
                values = tuple(_kept(value, stmt, statements) for value in stmt.values)
                return _Expansion(statements, values)
            statements.append(stmt)
        return _Expansion(statements, None)


def _kept(value: ir.Expr, stmt: ir.Return, statements: list[ir.Stmt]) -> ir.Expr:
    """A returned value, computed in a statement that stands where the return stood."""
    if not isinstance(value, ir.Call):
        return value
    var = ir.Var("returned", value.type, value.span)
    statements.append(ir.Assign(var, value, stmt.span, value.span))
    return ir.Read(var, value.span)


def _result(call: ir.Call, made: _Expansion) -> ir.Expr:
    if not made.values:
        return ir.ErrorExpr(call.span, call.type)
    if len(made.values) == 1:
        return made.values[0]
    return ir.MakeTuple(made.values, TupleType(tuple(v.type for v in made.values)), call.span)


@lru_cache(maxsize=4)  # several rules ask for the same program one after the other
def inline_functions(program: ir.Program) -> ir.Program:
    """The program with its calls of Inline functions expanded, and without those functions; an Inline function that is the
    program's entry (a helper looked at by itself) stays."""
    if not any(f.func_type == "Inline" for f in program.functions.values()):
        return program
    inliner = _Inliner(program)
    functions = {
        name: replace(function, body=inliner.body(function.body)) if function.body is not None else function
        for name, function in program.functions.items()
        if function.func_type != "Inline" or name == program.entry
    }
    return replace(program, functions=functions)
