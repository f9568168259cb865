"""CanonicalizeIOOrder: in pipelined loops scalars come first, then loads, then what each stage computes and stores.

The order keeps to what each statement reads. The loops are ordinary ones afterwards.
"""

from __future__ import annotations

import heapq
from dataclasses import replace

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import EnumMember, ForKind
from pypto_lsp.ir.mutator import Mutator, Statements, changed, rewritten
from pypto_lsp.ir.types import ScalarType, TileType
from pypto_lsp.ir.visit import bound_vars, stmt_reads, value_of, variable_of, walk
from pypto_lsp.passes.pipeline.lower_pipeline_loops import MEMBERSHIP

_LOADS = {"tile.load", "tile.read"}
_STORES = {"tile.store", "tile.write"}
_OVERLAP_STORES = "pipeline_overlap_stores"
_MARKS = {"pipeline_stages", _OVERLAP_STORES, "pipeline_double_buffer_c"}
_SCALAR, _LOAD, _REST = range(3)
Key = tuple[int, str, bool, int]


def _fills_operand(call: ir.Call) -> bool:
    """Whether a call moves a part of a tile to where a product reads it."""
    source = call.args[0].type if call.args else None
    target = call.kwargs.get("target_memory")
    into = target.name if isinstance(target, EnumMember) else None
    return isinstance(source, TileType) and source.memory == "Mat" and into in ("Left", "Right")


class _Order:
    """The order of one body's statements."""

    def __init__(self, stmts: ir.Body, overlap_stores: bool) -> None:
        self.stmts, self.overlap_stores = stmts, overlap_stores
        self.stages: dict[ir.Var, str] = {}
        for stmt in stmts:
            value = value_of(stmt)
            if isinstance(stmt, ir.Assign) and isinstance(value, ir.Call) and value.attrs.get(MEMBERSHIP):
                self.stages[stmt.var] = value.attrs[MEMBERSHIP]

    def key(self, index: int) -> Key:
        stmt = self.stmts[index]
        value = value_of(stmt)
        call = value if isinstance(value, ir.Call) else None
        name = "" if call is None else str(call.op)
        stores = name in _STORES
        if not stores and isinstance(stmt, ir.Assign):
            if name in _LOADS or (name == "tile.extract" and call is not None and _fills_operand(call)):
                return _LOAD, "", False, index
            if isinstance(stmt.var.type, ScalarType):
                return _SCALAR, "", False, index
        return _REST, self._stage(stmt, call), stores and self.overlap_stores, index

    def _stage(self, stmt: ir.Stmt, call: ir.Call | None) -> str:
        """The stage of the tile that a statement makes, or of the first tile with one that it reads."""
        own = self.stages.get(stmt.var) if isinstance(stmt, ir.Assign) else None
        if own is not None or call is None:
            return own or ""
        found = (self.stages[var] for var in map(variable_of, call.args) if var is not None and var in self.stages)
        return next(found, "")

    def sorted(self) -> ir.Body:
        """The statements, each behind those that bind what it reads, otherwise by their keys."""
        waiting, readers = self._dependencies()
        ready = [self.key(index) for index, count in enumerate(waiting) if not count]
        heapq.heapify(ready)
        out: list[ir.Stmt] = []
        while ready:
            index = heapq.heappop(ready)[-1]
            out.append(self.stmts[index])
            for reader in readers[index]:
                waiting[reader] -= 1
                if not waiting[reader]:
                    heapq.heappush(ready, self.key(reader))
        return tuple(out)

    def _dependencies(self) -> tuple[list[int], list[list[int]]]:
        """For every statement how many others it waits for, and the statements that wait for it."""
        binders: dict[ir.Var, int] = {}
        waiting = [0] * len(self.stmts)
        readers: list[list[int]] = [[] for _ in self.stmts]
        for index, stmt in enumerate(self.stmts):
            read = {var for inner in walk((stmt,)) for var, _ in stmt_reads(inner)}
            for binder in {binders[var] for var in read if var in binders}:
                readers[binder].append(index)
                waiting[index] += 1
            binders.update(dict.fromkeys(bound_vars(stmt), index))
        return waiting, readers


class _Canonicalizer(Mutator):
    def __init__(self) -> None:
        self.pipelines: list[bool] = []

    def for_(self, stmt: ir.For) -> Statements:
        if stmt.kind is not ForKind.PIPELINE:
            return super().for_(stmt)
        self.pipelines.append(bool(stmt.attrs.get(_OVERLAP_STORES, True)))
        body = self.body(stmt.body)
        self.pipelines.pop()
        attrs = {key: value for key, value in stmt.attrs.items() if key not in _MARKS}
        return (replace(stmt, kind=ForKind.SEQUENTIAL, body=body, attrs=attrs),)

    def body(self, body: ir.Body) -> ir.Body:
        made = super().body(body)
        if not self.pipelines or len(made) < 2:
            return made
        count = len(made) - isinstance(made[-1], (ir.Yield, ir.Return, ir.Break, ir.Continue))
        order = (*_Order(made[:count], self.pipelines[-1]).sorted(), *made[count:])
        return rewritten(made, order)


def canonicalize_io_order(function: ir.Function) -> ir.Function:
    """The function with the bodies of its pipelined loops in order."""
    if function.body is None:
        return function
    return changed(function, body=_Canonicalizer().body(function.body))


__all__ = ["canonicalize_io_order"]
