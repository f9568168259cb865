"""The pipes between the halves of a kernel: sending, taking and releasing tiles, and what both sides set up for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import const_value
from pypto_lsp.ir.dtypes import INT32
from pypto_lsp.ir.mutator import with_bodies
from pypto_lsp.ir.types import TileType, Type
from pypto_lsp.ir.visit import bodies, walk, yielded
from pypto_lsp.passes.pipeline.crossings import Crossing
from pypto_lsp.passes.pipeline.tile_operators import NotModelled, call_of
from pypto_lsp.passes.tile_types import INHERITING
from pypto_lsp.passes.variables import read_variables

#: how many tiles a pipe holds where nothing is said
_SLOTS = 2
#: operators whose result is another view of their first operand's memory
_VIEWS = frozenset(f"tile.{name}" for name in INHERITING - {"transpose"})
Aliases = dict[ir.Var, ir.Var]


@dataclass(frozen=True, slots=True)
class Core:
    """One side of a pipe: ``memory`` is where it takes tiles, ``sends`` the way that they go from it, ``bit`` the mark of the
    direction in which it takes them."""

    name: str
    peer: str
    memory: str
    sends: Crossing
    way: str
    bit: int

    @property
    def push(self) -> str:
        return f"tile.tpush_to_{self.peer}"

    @property
    def pop(self) -> str:
        return f"tile.tpop_from_{self.peer}"

    @property
    def free(self) -> str:
        return f"system.tfree_to_{self.peer}"


AIC = Core("aic", "aiv", "Mat", Crossing.TO_VECTOR, "v2c", 2)
AIV = Core("aiv", "aic", "Vec", Crossing.TO_CUBE, "c2v", 1)
#: operators that send, take and release tiles
TRANSPORT = frozenset(op for core in (AIC, AIV) for op in (core.push, core.pop, core.free))
#: operators of pipes: these, and what sets them up
PIPE_OPERATORS = TRANSPORT | {
    "system.reserve_buffer", "system.import_peer_buffer", "system.aic_initialize_pipe", "system.aiv_initialize_pipe",
}  # fmt: skip


# --- releasing ---------------------------------------------------------------------------------------------------------


class _Releases:
    """The tiles that one body takes, and the last statement of it that uses each."""

    def __init__(self, core: Core, replaced: Mapping[ir.Var, ir.Var]) -> None:
        self.core = core
        #: variable -> the taken tile that it is
        self.aliases: Aliases = dict(replaced)
        self.taken: dict[ir.Var, int] = {}

    def released(self, body: ir.Body) -> ir.Body:
        body = tuple(_inner(stmt, self.core, self.aliases) for stmt in body)
        at: dict[ir.Var, ir.Stmt] = {}
        for place, stmt in enumerate(body):
            if isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call) and stmt.value.op == self.core.pop:
                self.taken[stmt.var] = place
                at[stmt.var] = stmt
                continue
            for var in read_variables((stmt,)):
                tile = self.aliases.get(var, var)
                if tile in self.taken:
                    self.taken[tile] = place
            self._follow(stmt, self.aliases)
        frees: dict[int, list[ir.Stmt]] = {}
        for var, place in self.taken.items():
            span = at[var].span
            free = call_of(self.core.free, (ir.Read(var, span),), {}, span)
            frees.setdefault(place, []).append(ir.Eval(free, span))
        out: list[ir.Stmt] = []
        for place, stmt in enumerate(body):
            own = frees.get(place, [])
            out += (*own, stmt) if isinstance(stmt, ir.Yield) else (stmt, *own)
        return tuple(out)

    # --- other names for taken tiles ---------------------------------------------------------------------------------

    def _tile(self, expr: ir.Expr, aliases: Aliases) -> ir.Var | None:
        while isinstance(expr, ir.Call) and expr.op in _VIEWS and expr.args:
            expr = expr.args[0]
        if not isinstance(expr, ir.Read):
            return None
        tile = aliases.get(expr.var, expr.var)
        return tile if tile in self.taken else None

    def _note(self, var: ir.Var, expr: ir.Expr, aliases: Aliases) -> None:
        tile = self._tile(expr, aliases)
        if tile is not None:
            aliases[var] = tile

    def _given(self, body: ir.Body, aliases: Aliases) -> list[ir.Var | None]:
        """The taken tile that each value is that a body hands on."""
        inner = dict(aliases)
        for stmt in body:
            self._follow(stmt, inner)
        return [self._tile(value, inner) for value in yielded(body)]

    def _follow(self, stmt: ir.Stmt, aliases: Aliases) -> None:
        if isinstance(stmt, ir.Assign):
            self._note(stmt.var, stmt.value, aliases)
        elif isinstance(stmt, ir.If) and stmt.orelse is not None:
            then, orelse = (self._given(side, aliases) for side in bodies(stmt))
            for var, tile, other in zip(stmt.return_vars, then, orelse):
                if tile is not None and tile is other:
                    aliases[var] = tile
        elif isinstance(stmt, (ir.For, ir.While)):
            inner = dict(aliases)
            for arg in stmt.iter_args:
                self._note(arg.var, arg.init, inner)
            for var, tile in zip(stmt.return_vars, self._given(stmt.body, inner)):
                if tile is not None:
                    aliases[var] = tile


def _inner(stmt: ir.Stmt, core: Core, replaced: Mapping[ir.Var, ir.Var]) -> ir.Stmt:
    nests = isinstance(stmt, (ir.If, ir.For, ir.While))
    return with_bodies(stmt, lambda inner: released(inner, core, replaced)) if nests else stmt


def released(body: ir.Body, core: Core, replaced: Mapping[ir.Var, ir.Var]) -> ir.Body:
    """A body that releases each tile that it takes after the last use of it. ``replaced``: variables that a taken tile stands
    for."""
    return _Releases(core, replaced).released(body)


# --- setting up --------------------------------------------------------------------------------------------------------


def _bytes(type_: Type) -> int:
    shape = [const_value(dim) for dim in getattr(type_, "shape", None) or ()]
    if not isinstance(type_, TileType) or type_.dtype is None or None in shape:
        raise NotModelled("a tile of unknown size in a pipe")
    return (prod(extent or 0 for extent in shape) * type_.dtype.bits + 7) // 8


def _traffic(body: ir.Body) -> Iterable[tuple[int, int]]:
    """The marks of direction and the sizes of the tiles that go through pipes."""
    for stmt in walk(body):
        if isinstance(stmt, ir.Eval) and isinstance(stmt.expr, ir.Call):
            for core, bit in ((AIC, AIV.bit), (AIV, AIC.bit)):
                if stmt.expr.op == core.push:
                    yield bit, _bytes(stmt.expr.args[0].type)
        elif isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call):
            for core in (AIC, AIV):
                if stmt.value.op == core.pop:
                    yield core.bit, _bytes(stmt.var.type)


def set_up(function: ir.Function, aic: ir.Body, aiv: ir.Body) -> tuple[ir.Body, ir.Body]:
    """What the cube and the vector half begin with: the buffers of their pipes."""
    traffic = [*_traffic(aic), *_traffic(aiv)]
    if not traffic:
        return (), ()
    mask, size = 0, max(size for _, size in traffic)
    for bit, _ in traffic:
        mask |= bit
    slots = function.attrs.get("slot_num") or _SLOTS
    if not isinstance(slots, int):
        raise NotModelled("a number of slots that is no constant")
    span = function.span
    sides: dict[str, list[ir.Stmt]] = {"aic": [], "aiv": []}
    buffers: dict[tuple[str, str], ir.Expr] = {}

    def add(core: Core, way: str, name: str, op: str, kwargs: dict[str, Any]) -> None:
        call = call_of(op, (), kwargs, span)
        var = ir.Var(name, call.type, span)
        sides[core.name].append(ir.Assign(var, call, span, span))
        buffers[core.name, way] = ir.Read(var, span)

    for taker, giver in ((AIC, AIV), (AIV, AIC)):
        if mask & taker.bit:
            name = f"{function.name}_{taker.way}_slot_buffer"
            add(taker, taker.way, name, "system.reserve_buffer", {"name": name, "size": size * slots, "base": -1})
            peer = {"name": name, "peer_func": f"{function.name}_{taker.name}"}
            add(giver, taker.way, f"{name}_import", "system.import_peer_buffer", peer)
    for core in (AIC, AIV):
        zero = ir.ConstInt(0, INT32, span)
        args = [buffers.get((core.name, way), zero) for way in ("c2v", "v2c")]
        kwargs = {"dir_mask": mask, "slot_size": size, "slot_num": slots}
        sides[core.name].append(ir.Eval(call_of(f"system.{core.name}_initialize_pipe", args, kwargs, span), span))
    return tuple(sides["aic"]), tuple(sides["aiv"])


__all__ = ["AIC", "AIV", "PIPE_OPERATORS", "TRANSPORT", "Core", "released", "set_up"]
