"""Where the tiles of a kernel lie, and the statements at which a value goes from one kind of core to the other."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import EnumMember, Lane
from pypto_lsp.ir.types import TileType
from pypto_lsp.ir.visit import walk
from pypto_lsp.passes.core_affinity import side
from pypto_lsp.passes.infer_tile_memory_space import space_of
from pypto_lsp.passes.variables import bound_by

SHARD, GATHER = "tile.aiv_shard", "tile.aic_gather"


class Crossing(Enum):
    """The way a value goes."""

    TO_VECTOR = "cube to vector"
    TO_CUBE = "vector to cube"


def tile_spaces(body: ir.Body) -> dict[ir.Var, str]:
    """The memory space of each tile variable, as its type says."""
    return {
        var: var.type.memory
        for stmt in walk(body)
        for var in bound_by(stmt)
        if isinstance(var.type, TileType) and var.type.memory is not None
    }


def crossing_move(call: ir.Expr, spaces: Mapping[ir.Var, str]) -> Crossing | None:
    """The way of a move from one kind of core to the other; None of everything else."""
    if not isinstance(call, ir.Call) or call.op != "tile.move" or not call.args:
        return None
    target = call.kwargs.get("target_memory")
    origin = side(space_of(call.args[0], spaces))
    goal = side(target.name if isinstance(target, EnumMember) else "Vec")
    if origin is None or origin is goal:
        return None
    return Crossing.TO_VECTOR if goal is Lane.VECTOR else Crossing.TO_CUBE


def is_operator(call: object, *names: str) -> bool:
    """Whether an expression is a call of one of some operators."""
    return isinstance(call, ir.Call) and call.op in names


__all__ = ["GATHER", "SHARD", "Crossing", "crossing_move", "is_operator", "tile_spaces"]
