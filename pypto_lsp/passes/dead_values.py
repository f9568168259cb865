"""The end of Simplify: merged values of branches that nothing reads are dropped, and scalars that nothing reads.

Without it a region in a branch would store values that no one wants.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import ScalarType
from pypto_lsp.ir.visit import walk
from pypto_lsp.passes.variables import read_variables


def without_dead_values(body: ir.Body) -> ir.Body:
    """A body in SSA form without the results of branches and the scalars that nothing reads."""
    if not any(isinstance(stmt, ir.If) and stmt.return_vars for stmt in walk(body)):
        return body
    while True:
        pruned = _pruned(body, read_variables(body))
        if pruned is body:
            return body
        body = pruned


def _pruned(body: ir.Body, read: dict[ir.Var, None]) -> ir.Body:
    out: list[ir.Stmt] = []
    for stmt in body:
        if not _is_dead_scalar(stmt, read):
            out.append(_pruned_statement(stmt, read))
    same = len(out) == len(body) and all(new is old for new, old in zip(out, body))
    return body if same else tuple(out)


def _is_dead_scalar(stmt: ir.Stmt, read: dict[ir.Var, None]) -> bool:
    return (
        isinstance(stmt, ir.Assign)
        and stmt.var not in read
        and isinstance(stmt.var.type, ScalarType)
        and not isinstance(stmt.value, (ir.Call, ir.Submit, ir.ErrorExpr))
    )


def _pruned_statement(stmt: ir.Stmt, read: dict[ir.Var, None]) -> ir.Stmt:
    if isinstance(stmt, ir.If):
        return _pruned_if(stmt, read)
    outer: Any = stmt
    nested = getattr(outer, "body", None)
    if not isinstance(nested, tuple):
        return stmt
    pruned = _pruned(nested, read)
    return stmt if pruned is nested else replace(outer, body=pruned)


def _pruned_if(stmt: ir.If, read: dict[ir.Var, None]) -> ir.If:
    then = _pruned(stmt.then, read)
    orelse = None if stmt.orelse is None else _pruned(stmt.orelse, read)
    kept = [place for place, var in enumerate(stmt.return_vars) if var in read]
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
