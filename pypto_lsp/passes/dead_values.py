"""The end of Simplify: merged values of branches that nothing reads are dropped, and scalars that nothing reads.

Without it a region in a branch would store values that no one wants.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace
from typing import Any

from pypto_lsp.ir import nodes as ir
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
        same = len(out) == len(body) and all(new is old for new, old in zip(out, body))
        return body if same else tuple(out)

    def _statement(self, stmt: ir.Stmt) -> ir.Stmt:
        if isinstance(stmt, ir.If):
            return self._if(stmt)
        if isinstance(stmt, ir.InCoreScope):
            return self._region(stmt)
        outer: Any = stmt
        nested = getattr(outer, "body", None)
        if not isinstance(nested, tuple):
            return stmt
        pruned = self.body(nested)
        return stmt if pruned is nested else replace(outer, body=pruned)

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
        then = self.body(stmt.then)
        orelse = None if stmt.orelse is None else self.body(stmt.orelse)
        kept = [place for place, var in enumerate(stmt.return_vars) if var in self.read]
        if len(kept) == len(stmt.return_vars):
            unchanged = then is stmt.then and orelse is stmt.orelse
            return stmt if unchanged else replace(stmt, then=then, orelse=orelse)
        return replace(
            stmt,
            then=_with_slots(then, kept),
            orelse=None if orelse is None else _with_slots(orelse, kept),
            return_vars=tuple(stmt.return_vars[place] for place in kept),
        )


def _with_slots(branch: ir.Body, kept: Iterable[int]) -> ir.Body:
    """A branch whose last yield gives only some of its values."""
    last = branch[-1] if branch else None
    if not isinstance(last, ir.Yield):
        return branch
    values = tuple(last.values[place] for place in kept if place < len(last.values))
    return (*branch[:-1], replace(last, values=values)) if values else branch[:-1]
