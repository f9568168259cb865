"""On which core a call runs (reference: core affinity analysis of the pass documents).

Works on the IR as written: a tensor operator has the lane of the tile operator it becomes; a slice of global memory is the
load, an assemble into it the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import EnumMember, Lane
from pypto_lsp.ir.types import TENSORS, TileType
from pypto_lsp.ir.visit import bodies, header_exprs, walk_expr

_CUBE_PREFIXES = ("matmul", "gemv", "batch_matmul")
_CUBE = frozenset({"tpush_to_aiv", "tpop_from_aiv", "tfree_to_aiv", "aic_initialize_pipe"})
_VECTOR = frozenset(
    {"get_subblock_idx", "alloc", "tpush_to_aic", "tpop_from_aic", "tfree_to_aic", "aiv_initialize_pipe", "put", "get"}
)
_SHARED = frozenset(
    {
        "create", "create_tile", "get_block_idx", "get_block_num", "dim", "read", "write", "dump_tag", "no_dep",
        "reserve_buffer", "import_peer_buffer",
    }
)  # fmt: skip
_BOUNDARY = frozenset({"aiv_shard", "aic_gather"})
#: lane of the first tile operand
_INHERIT = frozenset(
    {"slice", "reshape", "transpose", "transpose_view", "assemble", "set_validshape", "store", "mscatter", "view",
     "reinterpret_view", "extract_view"}
)  # fmt: skip
_BY_TARGET = frozenset({"load", "extract", "move", "mgather"})
_CUBE_SPACES = frozenset({"Mat", "Left", "Right", "Acc", "Bias", "LeftScale", "RightScale"})

_SYNCALL_LANES = {"aic_only": Lane.CUBE, "aiv_only": Lane.VECTOR}
_SYNC_LANES = {"aic": Lane.CUBE, "aiv": Lane.VECTOR}


def side(space: str | None) -> Lane | None:
    """The core that a memory space belongs to."""
    if space is None:
        return None
    return Lane.CUBE if space in _CUBE_SPACES else Lane.VECTOR


@cache
def family(op: str) -> tuple[str, str]:
    """``tile.add`` -> (``tile``, ``add``); ``pld.tile.put`` -> (``pld.tile``, ``put``)."""
    head, _, name = op.rpartition(".")
    return head, name


def merge(lanes: Iterable[Lane]) -> Lane:
    """The lane of several calls together."""
    seen = set(lanes)
    if Lane.MIXED in seen or {Lane.CUBE, Lane.VECTOR} <= seen:
        return Lane.MIXED
    if Lane.CUBE in seen:
        return Lane.CUBE
    return Lane.VECTOR if Lane.VECTOR in seen else Lane.SHARED


class Affinity:
    """Lanes of the calls of one kernel body, following values through its assignments."""

    def __init__(self, definitions: Mapping[ir.Var, ir.Expr], consumers: Mapping[ir.Var, set[str]]) -> None:
        self.definitions = definitions
        self.consumers = consumers

    @classmethod
    def of(cls, statements: Iterable[ir.Stmt]) -> Affinity:
        """The affinity of a kernel given by all its statements, nested ones included."""
        definitions: dict[ir.Var, ir.Expr] = {}
        consumers: dict[ir.Var, set[str]] = {}
        for stmt in statements:
            if isinstance(stmt, ir.Assign):
                definitions.setdefault(stmt.var, stmt.value)
            for expr in header_exprs(stmt):
                for node in walk_expr(expr, attrs=False):
                    if isinstance(node, ir.Call) and isinstance(node.op, str):
                        for arg in node.args:
                            if isinstance(arg, ir.Read):
                                consumers.setdefault(arg.var, set()).add(family(node.op)[1])
        return cls(definitions, consumers)

    def call(self, call: ir.Call) -> Lane:
        """The lane of one call."""
        if not isinstance(call.op, str):
            return Lane.SHARED
        head, name = family(call.op)
        if head in ("system", "pl.system"):
            return self._system(call, name)
        if name in _SHARED:
            return Lane.SHARED
        if name in _BOUNDARY:
            return Lane.MIXED
        if name in _CUBE or (head in ("tile", "tensor") and name.startswith(_CUBE_PREFIXES)):
            return Lane.CUBE
        if name in _VECTOR or head == "prefetch":
            return Lane.VECTOR
        if name in _BY_TARGET:
            return self._by_target(call, name)
        if name in _INHERIT:
            return self._inherited(call, name)
        return Lane.VECTOR if head in ("tile", "tensor") else Lane.SHARED

    @staticmethod
    def _system(call: ir.Call, name: str) -> Lane:
        core = call.kwargs.get("core_type", "mix")
        if name == "syncall":
            return _SYNCALL_LANES.get(str(core), Lane.SHARED)
        if name in ("sync_set", "sync_wait"):
            return _SYNC_LANES.get(str(core), Lane.SHARED)
        return Lane.VECTOR if name in _VECTOR else Lane.CUBE if name in _CUBE else Lane.SHARED

    def _by_target(self, call: ir.Call, name: str) -> Lane:
        target = call.kwargs.get("target_memory")
        space = target.name if isinstance(target, EnumMember) else "Vec"
        lane = side(space) or Lane.VECTOR
        if name != "move":
            return lane
        source = call.args[0].type if call.args else None
        origin = side(source.memory) if isinstance(source, TileType) else None
        return Lane.MIXED if origin is not None and origin is not lane else lane

    def _inherited(self, call: ir.Call, name: str) -> Lane:
        operand = call.args[0] if call.args else None
        if name == "assemble" and len(call.args) > 1:
            operand = call.args[1]
        lane = self.value(operand) if operand is not None else Lane.SHARED
        return lane

    def value(self, expr: ir.Expr, depth: int = 0) -> Lane:
        """The side on which a value lies: that of its tile's memory or of the call that made it."""
        if isinstance(expr.type, TileType) and expr.type.memory is not None:
            return side(expr.type.memory) or Lane.SHARED
        if depth > 50:
            return Lane.SHARED
        if isinstance(expr, ir.Read):
            made = self.definitions.get(expr.var)
            return self.value(made, depth + 1) if made is not None else Lane.SHARED
        if isinstance(expr, ir.Call) and isinstance(expr.op, str):
            name = family(expr.op)[1]
            if name in _INHERIT and expr.args:
                return self.value(expr.args[0], depth + 1)
            return self.call(expr)
        return Lane.SHARED

    def global_slice(self, call: ir.Call, bound: ir.Var | None) -> Lane:
        """The lane of the load that a slice of global memory becomes: by what reads it."""
        users = self.consumers.get(bound, set()) if bound is not None else set()
        return Lane.CUBE if any(user.startswith(_CUBE_PREFIXES) for user in users) else Lane.VECTOR


def kernel_statements(body: ir.Body, program: ir.Program, seen: frozenset[str] = frozenset()) -> Iterator[ir.Stmt]:
    """All statements that belong to a kernel, those of the inline functions it calls included."""
    for stmt in body:
        yield stmt
        for expr in header_exprs(stmt):
            for node in walk_expr(expr, attrs=False):
                if isinstance(node, ir.Call) and isinstance(node.op, ir.FunctionRef):
                    callee = program.functions.get(node.op.name)
                    if callee is not None and callee.func_type == "Inline" and callee.name not in seen:
                        yield from kernel_statements(callee.body or (), program, seen | {callee.name})
        for nested in bodies(stmt):
            yield from kernel_statements(nested, program, seen)


def kernel_calls(statements: Iterable[ir.Stmt]) -> Iterator[tuple[ir.Call, ir.Var | None]]:
    """The operator calls of statements with the variable each is bound to, where it is bound directly."""
    for stmt in statements:
        bound = stmt.var if isinstance(stmt, ir.Assign) else None
        for expr in header_exprs(stmt):
            for node in walk_expr(expr, attrs=False):
                if isinstance(node, ir.Call):
                    yield node, bound if node is expr else None


def kernel_lane(body: ir.Body, program: ir.Program) -> Lane:
    """The lane of a whole kernel: MIXED becomes a cube and a vector half, SHARED runs on the vector cores."""
    statements = list(kernel_statements(body, program))
    affinity = Affinity.of(statements)
    lanes = []
    for call, bound in kernel_calls(statements):
        if call.op == "tensor.slice" and call.args and isinstance(call.args[0].type, TENSORS):
            lanes.append(affinity.global_slice(call, bound))
        else:
            lanes.append(affinity.call(call))
    for stmt in statements:
        if isinstance(stmt, ir.SplitAivScope):
            lanes.append(Lane.VECTOR)
    return merge(lanes)
