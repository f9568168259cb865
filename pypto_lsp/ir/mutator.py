"""Rewriting the IR: a walk that makes a changed copy and shares with its source whatever stays as it is.

A pass derives from :class:`Mutator` and overrides the methods of the nodes that it rewrites; each gets a node and gives what
stands in its place. Statements give any number of statements.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import Type
from pypto_lsp.ir.visit import bodies, last_yield, yielded
from pypto_lsp.text import Span

_T = TypeVar("_T")
_Stmt = TypeVar("_Stmt", bound=ir.Stmt)
Statements = Iterable[ir.Stmt]


def mapped(values: tuple[_T, ...], function: Callable[[_T], _T]) -> tuple[_T, ...]:
    """The values that a function gives for a tuple's; the tuple itself where all stay the same."""
    out = tuple(function(value) for value in values)
    return values if all(a is b for a, b in zip(out, values)) else out


def changed(node: _T, **fields: Any) -> _T:
    """A node with other fields; the node itself where they all are its own already."""
    different = {name: value for name, value in fields.items() if getattr(node, name) is not value}
    return replace(node, **different) if different else node  # type: ignore[type-var]


def rewritten(body: ir.Body, made: Sequence[ir.Stmt]) -> ir.Body:
    """The statements made of a body; the body itself where they all are its own."""
    same = len(made) == len(body) and all(a is b for a, b in zip(made, body))
    return body if same else tuple(made)


def with_bodies(stmt: _Stmt, change: Callable[[ir.Body], ir.Body]) -> _Stmt:
    """A statement with each of the bodies in it changed; one without bodies stays."""
    if isinstance(stmt, ir.If):
        return changed(stmt, then=change(stmt.then), orelse=None if stmt.orelse is None else change(stmt.orelse))
    for body in bodies(stmt):
        return changed(stmt, body=change(body))
    return stmt


def yielding(body: ir.Body, values: tuple[ir.Expr, ...], span: Span | None) -> ir.Body:
    """A body that hands on ``values`` in place of what it handed on, inside of a transparent scope where it did so there."""
    last = body[-1] if body else None
    if isinstance(last, ir.Yield):
        return (*body[:-1], ir.Yield(values, span))
    if isinstance(last, ir.TRANSPARENT_SCOPES) and yielded(last.body):
        return (*body[:-1], replace(last, body=yielding(last.body, values, span)))
    return (*body, ir.Yield(values, span))


def yielding_only(body: ir.Body, places: Sequence[int]) -> ir.Body:
    """A body that hands on only the values at some places, nothing where there are none."""
    last = last_yield(body)
    if last is None or tuple(places) == tuple(range(len(last.values))):
        return body
    values = tuple(last.values[place] for place in places if place < len(last.values))
    return (*body[:-1], replace(last, values=values)) if values else body[:-1]


def with_results(stmt: ir.If, wanted: Container[ir.Var]) -> ir.If:
    """A branch that gives only those of its results that are wanted."""
    kept = [place for place, var in enumerate(stmt.return_vars) if var in wanted]
    if len(kept) == len(stmt.return_vars):
        return stmt
    results = tuple(stmt.return_vars[place] for place in kept)
    return with_bodies(replace(stmt, return_vars=results), lambda branch: yielding_only(branch, kept))


class Mutator:
    """The base of all rewriting walks. Unchanged, it gives back every node itself."""

    # --- variables and types ---------------------------------------------------------------------------------------

    def read(self, var: ir.Var) -> ir.Expr | None:
        """What stands for a variable where it is read; None when it stays."""
        return None

    def binding(self, var: ir.Var) -> ir.Var:
        """The variable that is bound in place of another."""
        return var

    def type(self, type_: Type) -> Type:
        """The type in place of another: results of calls, and what a function gives back."""
        return type_

    # --- expressions -----------------------------------------------------------------------------------------------

    def expr(self, expr: ir.Expr) -> ir.Expr:
        """An expression rewritten, its operands first."""
        match expr:
            case ir.Read():
                return self._read(expr)
            case ir.Var():
                known = self.read(expr)
                return known.var if isinstance(known, ir.Read) else known if known is not None else expr
            case ir.Call():
                return self.call(expr)
            case ir.Submit():
                return self.submit(expr)
            case ir.Binary():
                return self.binary(expr)
            case ir.Unary():
                return self.unary(expr)
            case ir.MakeTuple():
                elements = mapped(expr.elements, self.expr)
                return expr if elements is expr.elements else replace(expr, elements=elements)
            case ir.TupleGetItem():
                return changed(expr, tuple=self.expr(expr.tuple))
            case _:
                return expr

    def _read(self, expr: ir.Read) -> ir.Expr:
        known = self.read(expr.var)
        if known is None:
            return expr
        if isinstance(known, ir.Read):
            return expr if known.var is expr.var else ir.Read(known.var, expr.span)
        return known

    def binary(self, expr: ir.Binary) -> ir.Expr:
        return changed(expr, left=self.expr(expr.left), right=self.expr(expr.right))

    def unary(self, expr: ir.Unary) -> ir.Expr:
        return changed(expr, operand=self.expr(expr.operand))

    def call(self, expr: ir.Call) -> ir.Expr:
        args = mapped(expr.args, self.expr)
        return changed(expr, args=args, attrs=self.attrs(expr.attrs), type=self.type(expr.type))

    def submit(self, expr: ir.Submit) -> ir.Expr:
        return changed(
            expr,
            args=mapped(expr.args, self.expr),
            deps=mapped(expr.deps, self.expr),
            core_num=None if expr.core_num is None else self.expr(expr.core_num),
            predicate=None if expr.predicate is None else self.expr(expr.predicate),
            attrs=self.attrs(expr.attrs),
            type=self.type(expr.type),
        )

    def attrs(self, attrs: Mapping[str, Any]) -> Mapping[str, Any]:
        """Attributes with the expressions and variables in them rewritten."""
        out = {key: self._attribute(value) for key, value in attrs.items()}
        return attrs if all(out[key] is value for key, value in attrs.items()) else out

    def _attribute(self, value: Any) -> Any:
        if isinstance(value, ir.Expr):
            return self.expr(value)
        return mapped(value, self._attribute) if isinstance(value, tuple) else value

    # --- statements ------------------------------------------------------------------------------------------------

    def body(self, body: ir.Body) -> ir.Body:
        """A body rewritten statement by statement."""
        out: list[ir.Stmt] = []
        for stmt in body:
            out.extend(self.stmt(stmt))
        return rewritten(body, out)

    def stmt(self, stmt: ir.Stmt) -> Statements:
        """The statements that stand for one."""
        match stmt:
            case ir.Assign():
                return self.assign(stmt)
            case ir.Eval():
                return self.eval(stmt)
            case ir.If():
                return self.if_(stmt)
            case ir.For():
                return self.for_(stmt)
            case ir.While():
                return self.while_(stmt)
            case ir.Return() | ir.Yield():
                return (changed(stmt, values=mapped(stmt.values, self.expr)),)
            case _ if isinstance(stmt, ir.SCOPES):
                return self.scope(stmt)
            case _:
                return (stmt,)

    def assign(self, stmt: ir.Assign) -> Statements:
        value = self.expr(stmt.value)
        return (changed(stmt, value=value, var=self.binding(stmt.var)),)

    def eval(self, stmt: ir.Eval) -> Statements:
        return (changed(stmt, expr=self.expr(stmt.expr)),)

    def if_(self, stmt: ir.If) -> Statements:
        condition, then = self.expr(stmt.condition), self.body(stmt.then)
        orelse = None if stmt.orelse is None else self.body(stmt.orelse)
        results = mapped(stmt.return_vars, self.binding)
        return (changed(stmt, condition=condition, then=then, orelse=orelse, return_vars=results),)

    def for_(self, stmt: ir.For) -> Statements:
        start, stop, step = self.expr(stmt.start), self.expr(stmt.stop), self.expr(stmt.step)
        carries = self.carries(stmt.iter_args)
        var, attrs = self.binding(stmt.var), self.attrs(stmt.attrs)
        body = self.body(stmt.body)
        results = mapped(stmt.return_vars, self.binding)
        return (
            changed(
                stmt, var=var, start=start, stop=stop, step=step, iter_args=carries, body=body, return_vars=results,
                attrs=attrs,
            ),
        )  # fmt: skip

    def while_(self, stmt: ir.While) -> Statements:
        carries = self.carries(stmt.iter_args)
        condition, body = self.expr(stmt.condition), self.body(stmt.body)
        results = mapped(stmt.return_vars, self.binding)
        return (changed(stmt, condition=condition, iter_args=carries, body=body, return_vars=results),)

    def carries(self, args: tuple[ir.IterArg, ...]) -> tuple[ir.IterArg, ...]:
        """What a loop carries: first all values from outside, then the variables inside."""
        inits = [self.expr(arg.init) for arg in args]
        out = tuple(changed(arg, var=self.binding(arg.var), init=init) for arg, init in zip(args, inits))
        return args if all(a is b for a, b in zip(out, args)) else out

    def scope(self, stmt: Any) -> Statements:
        fields: dict[str, Any] = {}
        if hasattr(stmt, "attrs"):
            fields["attrs"] = self.attrs(stmt.attrs)
        if isinstance(stmt, ir.SpmdScope):
            fields["core_num"] = self.expr(stmt.core_num)
        if getattr(stmt, "index_var", None) is not None:
            fields["index_var"] = self.binding(stmt.index_var)
        return (changed(stmt, **fields, body=self.body(stmt.body)),)

    # --- functions and programs ------------------------------------------------------------------------------------

    def function(self, function: ir.Function) -> ir.Function:
        """A function with its body rewritten; one without a body stays."""
        return function if function.body is None else changed(function, body=self.body(function.body))


class Emitter(Mutator):
    """A walk that can put statements before the one in work: those in ``before`` once it is done."""

    def __init__(self) -> None:
        self.before: list[ir.Stmt] = []

    def body(self, body: ir.Body) -> ir.Body:
        outer = self.before
        out: list[ir.Stmt] = []
        for stmt in body:
            self.before = []
            made = tuple(self.stmt(stmt))
            out += (*self.before, *made)
        self.before = outer
        return rewritten(body, out)


def each_function(program: ir.Program, change: Callable[[ir.Function], ir.Function]) -> ir.Program:
    """A program with each of its functions changed; the program itself where they all stay."""
    functions = {name: change(function) for name, function in program.functions.items()}
    same = all(functions[name] is function for name, function in program.functions.items())
    return program if same else replace(program, functions=functions)


__all__ = [
    "Emitter",
    "Mutator",
    "Statements",
    "changed",
    "each_function",
    "mapped",
    "rewritten",
    "with_bodies",
    "with_results",
    "yielding",
    "yielding_only",
]
