"""A program's kernels on tiles: what the passes up to ExpandMixedKernel make of them, as far as rules look at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, TypeVar

from pypto_lsp.backends import Backend
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import EnumMember, Lane
from pypto_lsp.ir.mutator import with_bodies
from pypto_lsp.ir.types import TileType
from pypto_lsp.ir.visit import header_exprs, reads, walk
from pypto_lsp.passes.convert_tensor_to_tile_ops import convert_tensor_to_tile_ops
from pypto_lsp.passes.core_affinity import Affinity, family, merge, side
from pypto_lsp.passes.infer_tile_memory_space import infer_tile_memory_space, space_of
from pypto_lsp.passes.outline_incore_scopes import Kernel
from pypto_lsp.passes.tile_types import INHERITING, RETARGETABLE, is_matrix_product
from pypto_lsp.passes.variables import reached

_T = TypeVar("_T")
_AFFINITY = Affinity({}, {})
#: operators that are kept though nobody reads what they give
_EFFECTS = frozenset({"store", "assemble", "write", "mscatter", "tpush_to_aiv", "tpush_to_aic", "tpop_from_aic",
                      "tpop_from_aiv"})  # fmt: skip


@dataclass(frozen=True)
class TileKernel:
    """``kernel`` on tiles; ``memory`` is where each tile variable lies, ``lane`` the cores it runs on, ``source`` the same kernel before
    its tensors became tiles."""

    kernel: Kernel
    memory: dict[ir.Var, str]
    lane: Lane
    source: Kernel
    #: what was found out about it, by what asked
    facts: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def function(self) -> ir.Function:
        return self.kernel.function


def per_kernel(find: Callable[[TileKernel, Backend], _T]) -> Callable[[TileKernel, Backend], _T]:
    """A function that finds something out about kernels, once for each kernel and target."""

    @wraps(find)
    def found(kernel: TileKernel, backend: Backend) -> _T:
        key = (find, backend.name)
        if key not in kernel.facts:
            kernel.facts[key] = find(kernel, backend)
        return kernel.facts[key]

    return found


def lowered(kernel: Kernel, arch: str) -> TileKernel:
    """One kernel on tiles; ``arch`` is the target's alias."""
    on_tiles = convert_tensor_to_tile_ops(kernel, arch)
    memory = infer_tile_memory_space(on_tiles.body)
    lane = tile_lane(on_tiles.body, memory)
    if lane is Lane.MIXED or on_tiles.uncertain:
        # the halves of a mixed kernel are rid of what they do not use, and what is not known may make it one
        on_tiles = replace(on_tiles, body=without_dead_code(on_tiles.body, memory))
    return TileKernel(on_tiles, memory, lane, kernel)


# --- lanes -----------------------------------------------------------------------------------------------------------


def call_lane(call: ir.Call, memory: dict[ir.Var, str]) -> Lane:
    """The core that a tile operator runs on."""
    head, name = family(str(call.op))
    if head == "tile" and is_matrix_product(name):
        return Lane.CUBE
    if name in RETARGETABLE and name != "create":
        target = call.kwargs.get("target_memory")
        lane = side(target.name if isinstance(target, EnumMember) else "Vec") or Lane.VECTOR
        source = side(space_of(call.args[0], memory)) if name == "move" and call.args else None
        return Lane.MIXED if source is not None and source is not lane else lane
    if name in INHERITING or name == "store":
        spaces = (space_of(arg, memory) for arg in call.args)
        return next((side(space) or Lane.SHARED for space in spaces if space is not None), Lane.SHARED)
    return _AFFINITY.call(call)


def statement_lane(stmt: ir.Stmt, memory: dict[ir.Var, str]) -> Lane:
    """The core that a statement's operator runs on; SHARED when it has none."""
    lanes = [
        call_lane(expr, memory) for expr in header_exprs(stmt) if isinstance(expr, ir.Call) and isinstance(expr.op, str)
    ]
    if isinstance(stmt, ir.Assign) and lanes == [Lane.VECTOR] and memory.get(stmt.var) == "Mat":
        return Lane.CUBE  # a conversion that the cube core does on the way out
    return merge(lanes)


def tile_lane(body: ir.Body, memory: dict[ir.Var, str]) -> Lane:
    """The cores that a kernel on tiles runs on: MIXED becomes a cube and a vector half."""
    return merge(statement_lane(stmt, memory) for stmt in walk(body))


# --- dead code -------------------------------------------------------------------------------------------------------


def _removable(stmt: ir.Stmt) -> bool:
    if not isinstance(stmt, ir.Assign):
        return False
    value = stmt.value
    if isinstance(value, ir.Call):
        return isinstance(value.op, str) and family(value.op)[1] not in _EFFECTS and family(value.op)[0] == "tile"
    return isinstance(stmt.var.type, TileType) and not isinstance(value, ir.Submit)


def handed_over(stmt: ir.Stmt, memory: dict[ir.Var, str]) -> Iterator[ir.Var]:
    """The tiles that a statement takes from the other core, which sends them whether they are used or not."""
    lane = statement_lane(stmt, memory)
    if lane is Lane.SHARED:
        return
    for expr in header_exprs(stmt):
        for var, _ in reads(expr, attrs=False):
            own = side(memory.get(var))
            if own is not None and own is not lane:
                yield var


def without_dead_code(body: ir.Body, memory: dict[ir.Var, str]) -> ir.Body:
    """A kernel without the tiles that nothing uses; what one core sends to the other counts as used."""
    live: set[ir.Var] = set()
    uses: dict[ir.Var, list[ir.Var]] = {}
    for stmt in walk(body):
        read = [var for expr in header_exprs(stmt) for var, _ in reads(expr)]
        if isinstance(stmt, ir.Assign) and _removable(stmt):
            uses.setdefault(stmt.var, []).extend(read)
            live.update(handed_over(stmt, memory))
        else:
            live.update(read)
    return _filtered(body, reached(live, uses))


def _filtered(body: ir.Body, live: set[ir.Var]) -> ir.Body:
    out: list[ir.Stmt] = []
    for stmt in body:
        if isinstance(stmt, ir.Assign):
            if stmt.var in live or not _removable(stmt):
                out.append(stmt)
        else:
            out.append(with_bodies(stmt, lambda inner: _filtered(inner, live)))
    return tuple(out)
