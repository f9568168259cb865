"""The end of Simplify: merged values of branches that nothing reads are dropped, and scalars that nothing reads.

Without it a region in a branch would store values that no one wants.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.mutator import rewritten, with_bodies, with_results
from pypto_lsp.passes.regions import Regions, droppable


def dead_value_steps(body: ir.Body, regions: Regions) -> Generator[None, None, ir.Body]:
    """A body in SSA form without the results of branches and the scalars that nothing reads; in steps."""
    yield from regions.steps(body)
    if not regions.merge_in(body):
        return body
    while True:
        yield from regions.steps(body)
        read: dict[ir.Var, None] = {}
        regions.read_in(body, read)
        pruned = _Pruning(read, regions).body(body)
        if pruned is body:
            return body
        body = pruned


@dataclass(frozen=True, slots=True)
class _Pruning:
    """One round: ``read`` is everything that anything reads."""

    read: dict[ir.Var, None]
    regions: Regions

    def body(self, body: ir.Body) -> ir.Body:
        out: list[ir.Stmt] = []
        for stmt in body:
            if not isinstance(stmt, ir.Assign):
                out.append(self._statement(stmt))
            elif stmt.var in self.read or not droppable(stmt):
                out.append(stmt)
        return rewritten(body, out)

    def _statement(self, stmt: ir.Stmt) -> ir.Stmt:
        if isinstance(stmt, ir.If):
            return self._if(stmt)
        if isinstance(stmt, ir.InCoreScope):
            return self._region(stmt)
        return with_bodies(stmt, self.body)

    def _region(self, scope: ir.InCoreScope) -> ir.Stmt:
        """A region is the same again where the same variables of it are dead."""
        dead = frozenset([var for var in self.regions.of(scope).droppable if var not in self.read])
        if not dead:
            return scope
        known = self.regions.pruned.find(id(scope))
        if known is None or known[0] is not scope or known[1] != dead:
            known = (scope, dead, replace(scope, body=self.body(scope.body)))
        self.regions.pruned.keep(id(scope), known)
        return known[2]

    def _if(self, stmt: ir.If) -> ir.If:
        return with_results(with_bodies(stmt, self.body), self.read)
