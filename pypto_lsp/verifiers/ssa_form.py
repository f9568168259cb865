"""Single assignment form of IR as it stands, rule by rule as the compiler verifies it after ConvertToSSA.

A variable is assigned once and read where it is in scope. Loops and branches are scopes; ``with`` scopes are transparent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import bodies, bound_vars, reads, stmt_reads
from pypto_lsp.text import Span


@dataclass(frozen=True, slots=True)
class Break:
    """A place where the form is broken: code, message, and a related place with its words."""

    code: int
    span: Span | None
    message: str
    subject: object
    other: Span | None = None
    other_message: str = ""


def broken(function: ir.Function) -> Iterator[Break]:
    """Everything in a function that is not in single assignment form."""
    check = _Check()
    check.scopes.append(set(function.params))
    check.body(function.body or ())
    yield from check.found


@dataclass
class _Check:
    scopes: list[set[ir.Var]] = field(default_factory=list)
    assigned: dict[ir.Var, ir.Stmt] = field(default_factory=dict)
    reported: set[ir.Var] = field(default_factory=set)
    found: list[Break] = field(default_factory=list)

    def body(self, body: ir.Body) -> None:
        for stmt in body:
            self.stmt(stmt)

    def inner(self, body: ir.Body, *bound: ir.Var) -> None:
        self.scopes.append(set(bound))
        self.body(body)
        self.scopes.pop()

    def stmt(self, stmt: ir.Stmt) -> None:
        match stmt:
            case ir.For():
                self.reads(stmt)
                self.inner(stmt.body, stmt.var, *(arg.var for arg in stmt.iter_args))
            case ir.While():
                for arg in stmt.iter_args:
                    self.read(arg.init)
                self.scopes.append({arg.var for arg in stmt.iter_args})
                self.read(stmt.condition)
                self.body(stmt.body)
                self.scopes.pop()
            case ir.If():
                self.reads(stmt)
                self.inner(stmt.then)
                if stmt.orelse is not None:
                    self.inner(stmt.orelse)
            case _:
                self.reads(stmt)
                if isinstance(stmt, (ir.SpmdScope, ir.SplitAivScope)) and stmt.index_var is not None:
                    self.scopes[-1].add(stmt.index_var)
                for nested in bodies(stmt):
                    self.body(nested)
        for var in bound_vars(stmt):
            self.bind(var, stmt)
        self.yields(stmt)

    def bind(self, var: ir.Var, stmt: ir.Stmt) -> None:
        first = self.assigned.get(var)
        if first is not None and not isinstance(stmt, ir.ErrorStmt):
            message = f"'{var.name}' is assigned a second time"
            self.found.append(Break(1, stmt.span, message, (var, stmt), first.span, "the first assignment"))
        self.assigned.setdefault(var, stmt)
        self.scopes[-1].add(var)

    # --- reads -------------------------------------------------------------------------------------------------

    def reads(self, stmt: ir.Stmt) -> None:
        task = getattr(stmt, "attrs", {}).get("task_id_var")
        for var, reading in stmt_reads(stmt):
            if var is not task:
                self.seen(var, reading)

    def read(self, expr: ir.Expr) -> None:
        for var, reading in reads(expr):
            self.seen(var, reading)

    def seen(self, var: ir.Var, reading: ir.Expr | None) -> None:
        known = var.symbol or any(var in scope for scope in self.scopes)
        made = self.assigned.get(var)
        if known or var in self.reported or made is None:
            return
        self.reported.add(var)
        place = reading.span if reading is not None else None
        message = f"'{var.name}' is bound in an inner scope and read outside of it"
        self.found.append(Break(6, made.span, message, (var, made), place, "it is read here"))

    # --- yields ------------------------------------------------------------------------------------------------

    def yields(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, (ir.For, ir.While)):
            if len(stmt.iter_args) != len(stmt.return_vars):
                counts = f"{len(stmt.iter_args)} carried value(s) and {len(stmt.return_vars)} result(s)"
                self.found.append(Break(4, stmt.span, f"this loop has {counts}", stmt))
            if stmt.iter_args:
                self.tail(stmt, stmt.body, len(stmt.iter_args), "loop")
        elif isinstance(stmt, ir.If) and stmt.return_vars:
            if stmt.orelse is None:
                self.found.append(Break(3, stmt.span, "this branch has results, so it needs an else that yields", stmt))
                return
            for branch in (stmt.then, stmt.orelse):
                self.tail(stmt, branch, len(stmt.return_vars), "branch")

    def tail(self, stmt: ir.Stmt, body: ir.Body, count: int, word: str) -> None:
        last = last_statement(body)
        if isinstance(last, ir.ErrorStmt):
            return
        early = next((s for s in body[:-1] if isinstance(s, ir.Yield)), None)
        if early is not None and not isinstance(last, ir.Yield):
            after = body[body.index(early) + 1]
            message = f"this {word} must end in a yield, and this statement stands after it"
            self.found.append(Break(3, after.span, message, stmt, early.span, "the yield"))
        elif not isinstance(last, ir.Yield):
            self.found.append(Break(3, stmt.span, f"this {word} must end in a yield of {count} value(s)", stmt))
        elif len(last.values) != count:
            message = f"this {word} has {count} result(s), and {len(last.values)} value(s) are yielded"
            self.found.append(Break(5, stmt.span, message, stmt, last.span, "the yield"))
        elif early is not None:
            self.found.append(Break(7, early.span, f"a yield stands in the middle of this {word}", early))


def last_statement(body: ir.Body) -> ir.Stmt | None:
    """The last statement, seen through the scopes that are transparent to yields."""
    last = body[-1] if body else None
    while isinstance(last, (ir.RuntimeScope, ir.SplitAivScope)) and last.body:
        last = last.body[-1]
    return last


__all__ = ["Break", "broken", "last_statement"]
