"""ConvertToSSA: every assignment makes a variable of its own; loops carry and branches merge what they change.

A variable that a loop body is the first to assign and that later code reads is carried too (it *escapes*); its value before
the loop is that of another variable of its type, or none, which the SSA verifier then reports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Direction
from pypto_lsp.ir.mutator import Mutator, Statements, mapped, yielding
from pypto_lsp.ir.types import SHAPED, TupleType, Type, UnknownType
from pypto_lsp.ir.visit import walk, yielded
from pypto_lsp.passes.pipeline.live_values import LiveValues, Vars
from pypto_lsp.passes.pipeline.names import versioned
from pypto_lsp.passes.type_substitution import TypeSubstitution
from pypto_lsp.text import Span

_HOST_LEVELS = frozenset({"HOST", "NODE", "CLUSTER_0", "CLUSTER_1", "CLUSTER_2", "POD", "CLOS1", "CLOS2", "GLOBAL"})
Versions = dict[ir.Var, ir.Var]


class _Converter(Mutator):
    def __init__(self, function: ir.Function) -> None:
        self.source = function
        self.current: Versions = {}
        self.counts: Counter[ir.Var] = Counter()
        self.live = LiveValues()
        #: what the statements after the one in work need
        self.later: Vars = frozenset()
        self.types = TypeSubstitution(self._substitute)

    def _substitute(self, var: ir.Var) -> ir.Expr | None:
        known = self.current.get(var)
        return None if known is None else ir.Read(known, var.span)

    def converted(self) -> ir.Function:
        params = tuple(self.version(param, param.type, "ssa", param.span) for param in self.source.params)
        body = self.body(self.source.body or ())
        return replace(self.source, params=params, body=body, attrs=self.attrs(self.source.attrs))

    # --- versions --------------------------------------------------------------------------------------------------

    def read(self, var: ir.Var) -> ir.Expr | None:
        return self._substitute(var)

    def type(self, type_: Type) -> Type:
        return self.types.type(type_)

    def made(self, var: ir.Var, type_: Type, role: str, span: Span | None) -> ir.Var:
        """A new version of a variable, not yet its current one."""
        number = self.counts[var]
        self.counts[var] += 1
        return ir.Var(versioned(var.name, role, number), type_, span)

    def version(self, var: ir.Var, type_: Type, role: str, span: Span | None) -> ir.Var:
        made = self.made(var, self.type(type_), role, span)
        self.current[var] = made
        return made

    def _kept_name(self, var: ir.Var) -> ir.Var:
        """A variable that the author carries by hand keeps its name."""
        made = ir.Var(var.name, self.type(var.type), var.span)
        self.current[var] = made
        return made

    # --- statements ------------------------------------------------------------------------------------------------

    def body(self, body: ir.Body) -> ir.Body:
        needs = self.live.of_body(body)
        out: list[ir.Stmt] = []
        for place, stmt in enumerate(body, 1):
            self.later = needs[place]
            out.extend(self.stmt(stmt))
        return tuple(out)

    def assign(self, stmt: ir.Assign) -> Statements:
        value = self.expr(stmt.value)
        var = self.version(stmt.var, _assigned_type(stmt.var.type, value), "ssa", stmt.var.span)
        return (replace(stmt, var=var, value=value),)

    def stmt(self, stmt: ir.Stmt) -> Statements:
        if isinstance(stmt, ir.ErrorStmt):
            binds = tuple(self.version(var, var.type, "ssa", var.span) for var in stmt.binds)
            return (replace(stmt, binds=binds, reads=tuple(self.current.get(var, var) for var in stmt.reads)),)
        return super().stmt(stmt)

    def binding(self, var: ir.Var) -> ir.Var:
        """The number of the core, which launches and lane regions bind."""
        return self.version(var, var.type, "ssa", var.span)

    def scope(self, stmt: Any) -> Statements:
        saved = self.later
        if not isinstance(stmt, ir.TRANSPARENT_SCOPES):
            self.later = frozenset(var for var in saved if var in self.current)
        made = super().scope(stmt)
        self.later = saved
        return made

    # --- loops -----------------------------------------------------------------------------------------------------

    def for_(self, stmt: ir.For) -> Statements:
        start, stop, step = self.expr(stmt.start), self.expr(stmt.stop), self.expr(stmt.step)
        carry = _Carry(self, stmt)
        var = self.made(stmt.var, stmt.var.type, "idx", stmt.var.span)
        carry.enter({stmt.var: var})
        body = self.body(stmt.body)
        body, results = carry.leave(body)
        return (
            replace(
                stmt, var=var, start=start, stop=stop, step=step, iter_args=carry.args, body=body, return_vars=results
            ),
        )

    def while_(self, stmt: ir.While) -> Statements:
        carry = _Carry(self, stmt)
        carry.enter({})
        condition = self.expr(stmt.condition)
        body, results = carry.leave(self.body(stmt.body))
        return (replace(stmt, condition=condition, iter_args=carry.args, body=body, return_vars=results),)

    # --- branches --------------------------------------------------------------------------------------------------

    def if_(self, stmt: ir.If) -> Statements:
        condition = self.expr(stmt.condition)
        before = dict(self.current)
        then, after_then = self._branch(stmt.then, before)
        orelse, after_else = (None, before) if stmt.orelse is None else self._branch(stmt.orelse, before)
        self.current = dict(before)
        merged = _merged(before, after_then, after_else)
        results = []
        for var in merged:
            results.append(self.made(var, after_then.get(var, before.get(var)).type, "phi", stmt.span))  # type: ignore[union-attr]
            self.current[var] = results[-1]
        for var in stmt.return_vars:
            if var not in merged:
                results.append(self.version(var, var.type, "rv", var.span))
        if merged:
            then = yielding(then, _reads(merged, after_then, before), stmt.span)
            orelse = yielding(orelse or (), _reads(merged, after_else, before), stmt.span)
        return (replace(stmt, condition=condition, then=then, orelse=orelse, return_vars=tuple(results)),)

    def _branch(self, body: ir.Body, before: Versions) -> tuple[ir.Body, Versions]:
        self.current = dict(before)
        converted = self.body(body)
        return converted, self.current

    def initial(self, type_: Type, before: Versions) -> ir.Var | None:
        """A variable of a type to stand for the value before a loop: an Out parameter of it, else the first of all."""
        for param, direction in zip(self.source.params, self.source.directions):
            known = before.get(param)
            if direction is not Direction.IN and known is not None and known.type is type_:
                return known
        return next((var for var in before.values() if var.type is type_), None)


class _Carry:
    """What one loop carries: what its author carries, what its body changes, and what escapes from it."""

    def __init__(self, converter: _Converter, loop: ir.For | ir.While) -> None:
        self.converter, self.loop = converter, loop
        self.before = dict(converter.current)
        inits = mapped(tuple(arg.init for arg in loop.iter_args), converter.expr)
        self.own = [ir.IterArg(ir.Var(a.var.name, converter.type(a.var.type), a.var.span), i)
                    for a, i in zip(loop.iter_args, inits)]  # fmt: skip
        changes = frozenset[ir.Var]().union(*(converter.live.assigned(stmt) for stmt in loop.body))
        changes -= {arg.var for arg in loop.iter_args} | {getattr(loop, "var", None)}
        carried = _by_name(var for var in changes if var in self.before)
        escaping = _by_name(var for var in changes if var not in self.before and var in converter.later)
        self.added: list[tuple[ir.Var, ir.IterArg]] = []
        self.results: list[ir.Var] = []
        for var in carried:
            known = self.before[var]
            self._add(var, known.type, ir.Read(known, var.span))
        types = {stmt.var: _assigned_type(stmt.var.type, stmt.value)
                 for stmt in walk(loop.body) if isinstance(stmt, ir.Assign)}  # fmt: skip
        for var in escaping:
            type_ = converter.type(types.get(var, var.type))
            init = converter.initial(type_, self.before) or ir.Var(var.name, type_, loop.span)
            self._add(var, type_, ir.Read(init, var.span))

    def _add(self, var: ir.Var, type_: Type, init: ir.Expr) -> None:
        span = self.loop.span
        self.added.append((var, ir.IterArg(self.converter.made(var, type_, "iter", span), init)))
        self.results.append(self.converter.made(var, type_, "rv", span))

    @property
    def args(self) -> tuple[ir.IterArg, ...]:
        return (*self.own, *(arg for _, arg in self.added))

    def enter(self, own: Mapping[ir.Var, ir.Var]) -> None:
        """Let the body read what is carried."""
        current = self.converter.current
        current.update(own)
        for source, arg in zip(self.loop.iter_args, self.own):
            current[source.var] = arg.var
        for var, arg in self.added:
            current[var] = arg.var

    def leave(self, body: ir.Body) -> tuple[ir.Body, tuple[ir.Var, ...]]:
        """The body with its yield, and the loop's results, which the code after it reads."""
        after = self.converter.current
        values = (*yielded(body), *(ir.Read(after[var], self.loop.span) for var, _ in self.added))
        current = dict(self.before)
        self.converter.current = current
        for (var, _), result in zip(self.added, self.results):
            current[var] = result
        own = []
        for source, var in zip(self.loop.iter_args, self.loop.return_vars):
            own.append(self.converter._kept_name(var))
            current[source.var] = own[-1]
        return yielding(body, values, self.loop.span) if values else body, (*own, *self.results)


def _by_name(found: Iterable[ir.Var]) -> list[ir.Var]:
    return sorted(found, key=lambda var: var.name)


def _assigned_type(own: Type, value: ir.Expr) -> Type:
    """The type that an assignment gives its variable: the value's, where the value tells it, with the place in memory that
    the author declared."""
    known = isinstance(value, (ir.Read, ir.Var)) or isinstance(value.type, (*SHAPED, TupleType))
    chosen = value.type if known and not isinstance(value.type, UnknownType) else own
    memref = getattr(own, "memref", None)
    if memref is not None and isinstance(chosen, SHAPED) and chosen.memref is None:
        return replace(chosen, memref=memref)
    return chosen


def _merged(before: Versions, then: Versions, orelse: Versions) -> list[ir.Var]:
    """The variables that have another value after a branch, by name: those that a side changes, and those that both make."""
    found = {var for var, version in then.items()
             if (var in orelse if var not in before else version is not before[var])}  # fmt: skip
    found |= {var for var, version in orelse.items() if var in before and version is not before[var]}
    return _by_name(found)


def _reads(variables: list[ir.Var], after: Versions, before: Versions) -> tuple[ir.Expr, ...]:
    return tuple(ir.Read(after.get(var) or before[var], var.span) for var in variables)


def convert_to_ssa(function: ir.Function) -> ir.Function:
    """The function in SSA form; workers of host level, whose bodies are Python, stay as they are."""
    if function.body is None or (function.role == "SubWorker" and function.level in _HOST_LEVELS):
        return function
    return _Converter(function).converted()


__all__ = ["convert_to_ssa"]
