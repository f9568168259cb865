"""InlineFunctions: a call of an Inline function is replaced by the function's body.

Expanded are calls that make up a statement: ``x = helper(...)``, ``helper(...)``, ``return helper(...)``; a call inside of
another expression is left, as in the compiler. An argument stands for its parameter: a parameter that the helper rebinds is
the caller's variable, and an argument that is an expression is evaluated where the parameter is read. Each expansion gets local
variables of its own; spans stay those of the helper's source, so a finding lies where its author can change it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, TypeVar

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.mutator import changed
from pypto_lsp.ir.size import Sizes
from pypto_lsp.ir.types import TupleType, Type
from pypto_lsp.ir.visit import attribute_exprs, bodies, header_exprs, scope_attrs, walk
from pypto_lsp.passes.reuse import Made, Table, Traced, Work, moved, same_type
from pypto_lsp.passes.type_substitution import TypeSubstitution
from pypto_lsp.text.stepwise import finished

_T = TypeVar("_T")
Steps = Generator[None, None, _T]
#: a function that grows by more statements than this is not analysed
_MAX_STATEMENTS = 60_000
#: fields of nodes that hold neither expressions nor bodies
_PLAIN = frozenset({"span", "type", "op", "names", "path", "kwargs", "name_span", "name_hint"})


@cache
def _nested_fields(node_type: type) -> tuple[str, ...]:
    """The fields of a kind of node that may hold expressions, variables or bodies."""
    return tuple(item.name for item in fields(node_type) if item.name not in _PLAIN)


class InlineMemo:
    """What expansions keep: whole functions, and with ``statements`` what the next run needs to expand them again."""

    def __init__(self, *, statements: bool) -> None:
        self.statements = statements
        self.functions: Table[Made[ir.Function]] = Table()
        #: statement, helpers around it -> what it expands to
        self.expanded: Table[Made[tuple[ir.Stmt, ...]]] = Table()
        #: calling statement, statement of the helper -> its copy
        self.copies: Table[Made[ir.Stmt]] = Table()
        #: calling statement, variable of the helper -> the variable of the expansion
        self.bindings: Table[tuple[ir.Stmt, ir.Read]] = Table()
        #: returning statement, place -> the assignment of what it returns
        self.returned: Table[tuple[ir.Stmt, ir.Assign]] = Table()

    def follow(self) -> None:
        """Bring the variables of expansions to where those of the helpers are now."""
        for (_, var), (_, read) in self.bindings.items():
            moved(read, var)

    @property
    def tables(self) -> tuple[Table[Any], ...]:
        return (self.functions, self.expanded, self.copies, self.bindings, self.returned)


@dataclass(frozen=True, slots=True)
class _Memory:
    """The memo for the expansion of one call: ``site`` is the calling statement."""

    memo: InlineMemo
    site: ir.Stmt
    work: Work

    def copy(self, stmt: ir.Stmt) -> ir.Stmt | None:
        """The copy of a statement of the helper, if all that stands for its variables is the same."""
        return self.work.known(self.memo.copies, (id(self.site), id(stmt)), stmt)

    def copied(self, point: Any, stmt: ir.Stmt, copy: ir.Stmt) -> None:
        self.work.end(point, self.memo.copies, (id(self.site), id(stmt)), stmt, copy)

    def binding(self, var: ir.Var, type_: Type) -> ir.Read | None:
        """A read of the variable that stands for one of the helper, if it is of the type."""
        known = self.memo.bindings.find((id(self.site), var))
        if known is None or known[0] is not self.site or not same_type(known[1].var.type, type_):
            return None
        self.bound(var, known[1])
        return known[1]

    def bound(self, var: ir.Var, read: ir.Read) -> None:
        self.work.use(self.memo.bindings, (id(self.site), var), (self.site, read))


class _Substitution:
    """Variables of a helper -> what stands for them in the caller."""

    def __init__(self, params: Iterable[tuple[ir.Var, ir.Expr]], memory: Callable[[Traced], _Memory] | None) -> None:
        traced = Traced()
        self.exprs: dict[ir.Var, ir.Expr] = {} if memory is None else traced
        self._memory = None if memory is None else memory(traced)
        #: a region is copied anew as a whole
        self._inside_region = False
        for param, argument in params:
            self.exprs[param] = argument
        self.types = TypeSubstitution(self.exprs.get)

    def bound(self, var: ir.Var) -> ir.Var:
        """The variable that a binding of the helper binds in this expansion."""
        known = self.exprs.get(var)
        if isinstance(known, ir.Read):
            return known.var
        type_ = self.types.type(var.type)
        read = None if self._memory is None else self._memory.binding(var, type_)
        if read is None:
            read = ir.Read(ir.Var(var.name, type_, var.span, symbol=var.symbol), var.span)
            if self._memory is not None:
                self._memory.bound(var, read)
        self.exprs[var] = read
        return read.var

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
        if isinstance(node, ir.Stmt):
            return self._statement(node)
        if isinstance(node, (ir.Expr, ir.IterArg)):
            return self._copied(node)
        return node

    def _statement(self, stmt: ir.Stmt) -> ir.Stmt:
        memory = self._memory
        if memory is None or self._inside_region:
            return self._copied(stmt)
        known = memory.copy(stmt)
        if known is None:
            point = memory.work.begin()
            self._inside_region = isinstance(stmt, ir.InCoreScope)
            known = self._copied(stmt)
            self._inside_region = False
            memory.copied(point, stmt, known)
        return known

    def _copied(self, node: Any) -> Any:
        if isinstance(node, ir.Assign):
            value = self.value(node.value)
            return ir.Assign(self.bound(node.var), value, node.span, node.name_span)
        if isinstance(node, ir.Call):
            args, attrs = self.value(node.args), self.value(node.attrs)
            type_ = self.types.type(node.type)
            return ir.Call(node.op, args, node.names, type_, node.span, node.kwargs, attrs, node.path)
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
        return replace(node, **changes)


@dataclass
class _Expansion:
    """The statements of an expanded helper and what it returns (None: nothing)."""

    statements: list[ir.Stmt]
    values: tuple[ir.Expr, ...] | None


class _TooLarge(Exception):
    """A function or an expression in it grows beyond reason: helpers that call each other several times, or that read a parameter
    several times, double with every level."""


class _Inliner:
    def __init__(self, program: ir.Program, memo: InlineMemo | None = None) -> None:
        functions = Traced()
        for name, function in program.functions.items():
            functions[name] = function
        self.functions = program.functions if memo is None else functions
        self.memo = memo
        self.work = Work(functions)
        #: the helpers that are being expanded, by name: one that calls itself is left as a call there
        self.open: tuple[str, ...] = ()
        #: statements that the function in work has grown by
        self.count = 0
        #: a region is expanded anew as a whole
        self.inside_region = False
        self.sizes = Sizes()

    def function(self, function: ir.Function) -> Steps[ir.Function]:
        """A function with its calls expanded; the same as the last time where none of the helpers has changed."""
        if self.memo is None or function.body is None:
            return (yield from self._function(function))
        known = self.work.known(self.memo.functions, id(function), function)
        if known is None:
            point = self.work.begin()
            known = yield from self._function(function)
            if function.body is not None and known.body is None:
                self.work.leave(point)  # given up midway, so that what was looked up is not known
            else:
                self.work.end(point, self.memo.functions, id(function), function, known)
        return known

    def _function(self, function: ir.Function) -> Steps[ir.Function]:
        body = function.body
        self.open, self.count, self.inside_region = (), 0, False
        try:
            expanded = body if body is None else (yield from self.body(body))
        except _TooLarge:
            return replace(function, body=None)
        return function if expanded is body else replace(function, body=expanded)

    def callee(self, expr: ir.Expr) -> ir.Function | None:
        if isinstance(expr, ir.Call) and isinstance(expr.op, ir.FunctionRef) and expr.op.name not in self.open:
            function = self.functions.get(expr.op.name)
            if function is not None and function.func_type == "Inline" and function.body is not None:
                return function
        return None

    def body(self, body: ir.Body) -> Steps[ir.Body]:
        out: list[ir.Stmt] = []
        for stmt in body:
            out += yield from self.stmt(stmt)
        return tuple(out) if len(out) != len(body) or any(a is not b for a, b in zip(out, body)) else body

    def stmt(self, stmt: ir.Stmt) -> Steps[tuple[ir.Stmt, ...]]:
        """A statement with its calls expanded; the same as the last time where none of the helpers has changed."""
        if self.memo is None or not self.memo.statements or self.inside_region:
            return (yield from self._stmt(stmt))
        key = (id(stmt), self.open)
        known = self.work.known(self.memo.expanded, key, stmt)
        if known is None:
            point = self.work.begin()
            self.inside_region = isinstance(stmt, ir.InCoreScope)
            known = yield from self._stmt(stmt)
            self.inside_region = False
            if bodies(stmt) or len(known) != 1 or known[0] is not stmt:
                self.work.end(point, self.memo.expanded, key, stmt, known)
            else:
                self.work.leave(point)
        return known

    def _stmt(self, stmt: ir.Stmt) -> Steps[tuple[ir.Stmt, ...]]:
        match stmt:
            case ir.Assign() if (callee := self.callee(stmt.value)) is not None:
                assert isinstance(stmt.value, ir.Call)
                made = yield from self.expanded(stmt.value, callee, stmt)
                return (*made.statements, replace(stmt, value=_result(stmt.value, made)))
            case ir.Eval() if (callee := self.callee(stmt.expr)) is not None:
                assert isinstance(stmt.expr, ir.Call)
                made = yield from self.expanded(stmt.expr, callee, stmt)
                return tuple(made.statements)
            case ir.Return(values=(value,)) if (callee := self.callee(value)) is not None:
                assert isinstance(value, ir.Call)
                made = yield from self.expanded(value, callee, stmt)
                return (*made.statements, replace(stmt, values=made.values or ()))
        changes: dict[str, Any] = {}
        for name in ("body", "then", "orelse"):
            nested = getattr(stmt, name, None)
            if isinstance(nested, tuple) and (expanded := (yield from self.body(nested))) is not nested:
                changes[name] = expanded
        return (changed(stmt, **changes),)

    def expanded(self, call: ir.Call, callee: ir.Function, site: ir.Stmt) -> Steps[_Expansion]:
        """The body of a helper for one call of it."""
        memo = self.memo if self.memo is not None and self.memo.statements else None
        memory = None if memo is None else lambda exprs: _Memory(memo, site, Work(exprs, within=self.work))
        substitution = _Substitution(zip(callee.params, call.args), memory)
        outer, self.open = self.open, (*self.open, callee.name)
        copies: list[ir.Stmt] = []
        grows = any(not isinstance(arg, _LEAVES) for arg in call.args)
        for stmt in callee.body or ():
            copies.append(substitution.value(stmt))
            if grows and any(map(self.sizes.too_large, _expressions(copies[-1]))):
                raise _TooLarge
            self.count += 1 + sum(1 for nested in bodies(stmt) for _ in walk(nested))
            if self.count > _MAX_STATEMENTS:
                raise _TooLarge
            yield
        copied = yield from self.body(tuple(copies))
        self.open = outer
        statements: list[ir.Stmt] = []
        for stmt in copied:
            if isinstance(stmt, ir.Return):
                values = tuple(self._kept(value, place, stmt, statements) for place, value in enumerate(stmt.values))
                return _Expansion(statements, values)
            statements.append(stmt)
        return _Expansion(statements, None)

    def _kept(self, value: ir.Expr, place: int, stmt: ir.Return, statements: list[ir.Stmt]) -> ir.Expr:
        """A returned value, computed in a statement that stands where the return stood."""
        if not isinstance(value, ir.Call):
            return value
        memo = self.memo if self.memo is not None and self.memo.statements else None
        known = None if memo is None else memo.returned.find((id(stmt), place))
        if known is None or known[0] is not stmt:
            var = ir.Var("returned", value.type, value.span)
            known = (stmt, ir.Assign(var, value, stmt.span, value.span))
        if memo is not None:
            self.work.use(memo.returned, (id(stmt), place), known)
        statements.append(known[1])
        return ir.Read(known[1].var, value.span)


#: arguments that are as large as the reads that they stand for
_LEAVES = (ir.Read, ir.ConstInt, ir.ConstFloat, ir.ConstBool, ir.OpaqueInt, ir.StaticValue, ir.ErrorExpr)


def _expressions(stmt: ir.Stmt) -> Iterator[ir.Expr]:
    """The expressions of a statement and of those in it."""
    for each in walk((stmt,)):
        yield from header_exprs(each)
        yield from attribute_exprs(scope_attrs(each))


def _result(call: ir.Call, made: _Expansion) -> ir.Expr:
    if not made.values:
        return ir.ErrorExpr(call.span, call.type)
    if len(made.values) == 1:
        return made.values[0]
    return ir.MakeTuple(made.values, TupleType(tuple(v.type for v in made.values)), call.span)


def inline_functions(program: ir.Program) -> ir.Program:
    """The program with its calls of Inline functions expanded, and without those functions; an Inline function that is the
    program's entry (a helper looked at by itself) stays."""
    return finished(inline_steps(program))


def inline_steps(program: ir.Program, memo: InlineMemo | None = None) -> Steps[ir.Program]:
    """The same in steps, with what the last run made of calls of helpers that have not changed."""
    if not any(f.func_type == "Inline" for f in program.functions.values()):
        return program
    inliner = _Inliner(program, memo)
    functions: dict[str, ir.Function] = {}
    for name, function in program.functions.items():
        if function.func_type != "Inline" or name == program.entry:
            functions[name] = yield from inliner.function(function)
    return replace(program, functions=functions)
