"""The end of Simplify: scalars that nothing reads are dropped, and results of branches that nothing reads.

What a call gives is kept: a call may do more than give a value.
"""

from __future__ import annotations

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.mutator import Mutator, Statements, with_results
from pypto_lsp.ir.types import ScalarType
from pypto_lsp.ir.visit import dynamic_dimensions, walk, walk_expr
from pypto_lsp.passes.variables import reached, visit_header_reads, visit_reads


def _has_call(expr: ir.Expr) -> bool:
    return any(isinstance(node, (ir.Call, ir.Submit, ir.ErrorExpr)) for node in walk_expr(expr))


def _removable(stmt: ir.Stmt) -> bool:
    """Whether a statement only gives a scalar; one that takes a part of a call's results is kept with the call."""
    if not isinstance(stmt, ir.Assign) or not isinstance(stmt.var.type, ScalarType):
        return False
    return not isinstance(stmt.value, ir.TupleGetItem) and not _has_call(stmt.value)


def _live(body: ir.Body) -> set[ir.Var]:
    """The variables that something reads which is not itself removable and unread."""
    live: set[ir.Var] = set()
    uses: dict[ir.Var, set[ir.Var]] = {}
    for stmt in walk(body):
        read: set[ir.Var] = set()
        if isinstance(stmt, ir.Assign):
            visit_reads(stmt.value, read.add)
            read.update(dynamic_dimensions(stmt.var.type))
            if _removable(stmt):
                uses.setdefault(stmt.var, set()).update(read)
                continue
            live.add(stmt.var)
        else:
            visit_header_reads(stmt, read.add)
            for var in (*getattr(stmt, "return_vars", ()), *(a.var for a in getattr(stmt, "iter_args", ()))):
                read.update(dynamic_dimensions(var.type))
        live |= read
    return reached(live, uses)


class _Dropper(Mutator):
    def __init__(self, live: set[ir.Var]) -> None:
        self.live = live

    def assign(self, stmt: ir.Assign) -> Statements:
        return () if _removable(stmt) and stmt.var not in self.live else (stmt,)


class _Pruner(Mutator):
    """Drops results of branches that nothing reads, with what the branches yield for them."""

    def __init__(self, read: set[ir.Var]) -> None:
        self.read_variables = read

    def if_(self, stmt: ir.If) -> Statements:
        (made,) = super().if_(stmt)
        assert isinstance(made, ir.If)
        return (with_results(made, self.read_variables),)


def _read_anywhere(body: ir.Body) -> set[ir.Var]:
    found: set[ir.Var] = set()
    for stmt in walk(body):
        visit_header_reads(stmt, found.add)
        if isinstance(stmt, ir.Assign):
            found.update(dynamic_dimensions(stmt.var.type))
    return found


def without_dead_scalars(body: ir.Body) -> ir.Body:
    """A body without the scalars and the results of branches that nothing reads."""
    body = _Dropper(_live(body)).body(body)
    while True:
        pruned = _Pruner(_read_anywhere(body)).body(body)
        if pruned is body:
            break
        body = pruned
    return _Dropper(_live(body)).body(body)


__all__ = ["without_dead_scalars"]
