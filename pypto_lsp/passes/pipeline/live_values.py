"""Which variables of the code around a statement needs, as ConvertToSSA asks for it."""

from __future__ import annotations

from collections.abc import Sequence

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import bodies, header_exprs
from pypto_lsp.passes.variables import visit_reads

Vars = frozenset[ir.Var]


class LiveValues:
    """Answers are kept by statement: nested bodies are asked for again and again."""

    def __init__(self) -> None:
        self._needed: dict[int, Vars] = {}
        self._assigned: dict[int, Vars] = {}

    def assigned(self, stmt: ir.Stmt) -> Vars:
        """The variables that a statement assigns, nested ones included; results of loops and branches are not assigned."""
        known = self._assigned.get(id(stmt))
        if known is None:
            own: set[ir.Var] = set()
            if isinstance(stmt, ir.Assign):
                own.add(stmt.var)
            elif isinstance(stmt, (ir.SpmdScope, ir.SplitAivScope)) and stmt.index_var is not None:
                own.add(stmt.index_var)
            known = frozenset(own).union(*(self.assigned(inner) for body in bodies(stmt) for inner in body))
            self._assigned[id(stmt)] = known
        return known

    def needed(self, stmt: ir.Stmt) -> Vars:
        """The variables whose values a statement takes from the code before it."""
        known = self._needed.get(id(stmt))
        if known is None:
            known = self._needed[id(stmt)] = self._needed_by(stmt)
        return known

    def _needed_by(self, stmt: ir.Stmt) -> Vars:
        found: set[ir.Var] = set()
        for expr in header_exprs(stmt):
            visit_reads(expr, found.add)
        inner = frozenset[ir.Var]().union(*(self.of_body(body)[0] for body in bodies(stmt)))
        if isinstance(stmt, (ir.For, ir.While)):
            inner -= {arg.var for arg in stmt.iter_args}
        if isinstance(stmt, ir.For):
            inner -= {stmt.var}
        index = getattr(stmt, "index_var", None)
        return (inner - {index} if index is not None else inner) | found

    def of_body(self, body: Sequence[ir.Stmt]) -> list[Vars]:
        """For each place in a body, its end included, what the statements from there on need."""
        needs: list[Vars] = [frozenset()]
        for stmt in reversed(body):
            needs.append(self.needed(stmt) | (needs[-1] - self.assigned(stmt)))
        needs.reverse()
        return needs


__all__ = ["LiveValues", "Vars"]
