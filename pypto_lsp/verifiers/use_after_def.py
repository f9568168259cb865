"""Variables that are read before they are bound, in IR as it stands."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import bodies, bound_vars, stmt_reads, walk
from pypto_lsp.verifiers.rule import Rule, RuleContext


class UseAfterDefCheck(Rule):
    """
    ## What it does
    Finds a variable that is read where no binding reaches it: before its assignment, or a loop's variable outside of the
    loop. What a branch or loop without results binds counts as bound after it.

    ## Why is this bad
    The variable has no value there. In a source, the front end says so itself.

    ## Fix
    Bind it first.
    """

    rule_name = "UseAfterDefCheck"
    ir_property = "UseAfterDef"
    codes = {401: "a variable is read before it is bound"}
    stage = "on demand"
    on_dsl = False

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if not function.complete:
            return
        for var, reading in _Scopes(function).unbound():
            yield from self.finding(
                401, (reading.span if reading is not None else None) or var.span, f"'{var.name}' is read before it is bound",
                function=function, subject=var, variable=var.name,
            )  # fmt: skip


class _Scopes:
    """Which variables are bound, statement by statement."""

    def __init__(self, function: ir.Function) -> None:
        self.function = function
        self.bound: set[ir.Var] = set(function.params)
        self.local = _local_vars(function)
        self.found: list[tuple[ir.Var, ir.Expr | None]] = []

    def unbound(self) -> list[tuple[ir.Var, ir.Expr | None]]:
        self.body(self.function.body or ())
        return self.found

    def body(self, body: ir.Body) -> None:
        for stmt in body:
            self.stmt(stmt)

    def seen(self, var: ir.Var, reading: ir.Expr | None) -> None:
        if var in self.local and var not in self.bound:
            self.found.append((var, reading))

    def stmt(self, stmt: ir.Stmt) -> None:
        task = getattr(stmt, "attrs", {}).get("task_id_var")
        carried = {arg.var for arg in stmt.iter_args} if isinstance(stmt, (ir.For, ir.While)) else set()
        for var, reading in stmt_reads(stmt):
            if var is not task and var not in carried:
                self.seen(var, reading)
        before = set(self.bound)
        own = {stmt.var, *carried} if isinstance(stmt, ir.For) else carried
        if isinstance(stmt, (ir.SpmdScope, ir.SplitAivScope)) and stmt.index_var is not None:
            before.add(stmt.index_var)
        reached = set(before)
        for nested in bodies(stmt):
            self.bound = before | own
            self.body(nested)
            reached |= self.bound - own
        results = bound_vars(stmt)
        closed = isinstance(stmt, (ir.For, ir.While, ir.If)) and bool(results)
        self.bound = (before if closed else reached) | set(results)


def _local_vars(function: ir.Function) -> set[ir.Var]:
    """The variables that the function's own statements bind; symbols of types are none of them."""
    found: set[ir.Var] = set()
    for stmt in walk(function.body or ()):
        found.update(bound_vars(stmt))
        if isinstance(stmt, (ir.For, ir.While)):
            found.update(arg.var for arg in stmt.iter_args)
        if isinstance(stmt, ir.For):
            found.add(stmt.var)
    return found
