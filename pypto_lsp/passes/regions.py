"""What the passes around core-group regions ask of them: which variables they read and define, and where.

A region is an immutable statement, so that all this is collected once for each; what is known of the regions of one run serves the
next (:class:`Regions`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import ScalarType
from pypto_lsp.ir.visit import bodies
from pypto_lsp.passes.reuse import Table
from pypto_lsp.passes.variables import bound_by, visit_header_reads


class Region:
    """One region. Positions count the statements from it on, itself at 0, nested ones included."""

    def __init__(self, scope: ir.InCoreScope) -> None:
        self.scope = scope
        #: how many statements it is
        self.count = 1
        #: variable -> the last position that refers to it
        self.last: dict[ir.Var, int] = {}
        #: the last position that refers to any variable, -1 where none does
        self.refers = -1
        #: what its body reads and defines, in order
        self.reads: dict[ir.Var, None] = {}
        self.defined: dict[ir.Var, None] = {}
        #: results of branches and plain scalars, which may go where nothing reads them
        self.droppable: dict[ir.Var, None] = {}
        #: it has branches with results
        self.merges = False
        header: list[ir.Var] = list(bound_by(scope))
        visit_header_reads(scope, header.append)
        self._refer(header, 0)
        self._visit(scope.body)

    @property
    def params(self) -> tuple[ir.Var, ...]:
        """What it takes from around it."""
        return tuple([var for var in self.reads if var not in self.defined])

    @cached_property
    def nested(self) -> tuple[ir.InCoreScope, ...]:
        """The regions inside of it, those inside of these left out."""
        return tuple(_outermost(self.scope.body))

    def _visit(self, body: ir.Body) -> None:
        for stmt in body:
            position = self.count
            self.count += 1
            bound = bound_by(stmt)
            found: list[ir.Var] = []
            visit_header_reads(stmt, found.append)
            self.reads.update(dict.fromkeys(found))
            if bound:
                self.defined.update(dict.fromkeys(bound))
                self.droppable.update(dict.fromkeys(droppable(stmt)))
                self.merges = self.merges or isinstance(stmt, ir.If)
                found += bound
            self._refer(found, position)
            for nested in bodies(stmt):
                self._visit(nested)

    def _refer(self, found: list[ir.Var], position: int) -> None:
        if found:
            self.refers = position
            self.last.update(dict.fromkeys(found, position))


def _outermost(body: ir.Body) -> Iterator[ir.InCoreScope]:
    for stmt in body:
        if isinstance(stmt, ir.InCoreScope):
            yield stmt
        else:
            for nested in bodies(stmt):
                yield from _outermost(nested)


def droppable(stmt: ir.Stmt) -> tuple[ir.Var, ...]:
    """The variables that a statement itself defines and that may go where nothing reads them."""
    if isinstance(stmt, ir.If):
        return stmt.return_vars
    if not isinstance(stmt, ir.Assign) or not isinstance(stmt.var.type, ScalarType):
        return ()
    return () if isinstance(stmt.value, (ir.Call, ir.Submit, ir.ErrorExpr)) else (stmt.var,)


class Regions:
    """What is known of regions, by their statements."""

    def __init__(self) -> None:
        self._regions: Table[Region] = Table()
        #: region -> itself, variables that nothing reads, and what it is without them
        self.pruned: Table[tuple[ir.InCoreScope, frozenset[ir.Var], ir.Stmt]] = Table()
        #: region -> what was outlined for it
        self.outlined: Table[Any] = Table()

    @property
    def tables(self) -> tuple[Table[Any], ...]:
        return (self._regions, self.pruned, self.outlined)

    def of(self, scope: ir.InCoreScope) -> Region:
        known = self._regions.find(id(scope))
        if known is None or known.scope is not scope:
            known = Region(scope)
        self._regions.keep(id(scope), known)
        return known

    def steps(self, body: Iterable[ir.Stmt]) -> Iterator[None]:
        """Look at the regions of a body one by one."""
        for stmt in body:
            if isinstance(stmt, ir.InCoreScope):
                if self._regions.find(id(stmt)) is None:
                    self.of(stmt)
                    yield
            else:
                for nested in bodies(stmt):
                    yield from self.steps(nested)

    def read_in(self, body: Iterable[ir.Stmt], found: dict[ir.Var, None]) -> None:
        """Add the variables that a body reads."""
        for stmt in body:
            visit_header_reads(stmt, found.setdefault)
            if isinstance(stmt, ir.InCoreScope):
                found.update(self.of(stmt).reads)
            else:
                for nested in bodies(stmt):
                    self.read_in(nested, found)

    def defined_in(self, body: Iterable[ir.Stmt], found: dict[ir.Var, None]) -> None:
        """Add the variables that a body defines, in order."""
        for stmt in body:
            found.update(dict.fromkeys(bound_by(stmt)))
            if isinstance(stmt, ir.InCoreScope):
                found.update(self.of(stmt).defined)
            else:
                for nested in bodies(stmt):
                    self.defined_in(nested, found)

    def merge_in(self, body: Iterable[ir.Stmt]) -> bool:
        """Whether a body has branches with results."""
        for stmt in body:
            if isinstance(stmt, ir.If) and stmt.return_vars:
                return True
            if isinstance(stmt, ir.InCoreScope):
                if self.of(stmt).merges:
                    return True
            elif any(self.merge_in(nested) for nested in bodies(stmt)):
                return True
        return False


__all__ = ["Region", "Regions", "droppable"]
