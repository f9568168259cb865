"""Hand-written cube and vector kernels that talk through pipes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import const_value
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.types import TileType
from pypto_lsp.ir.visit import bodies, header_exprs, walk, walk_expr
from pypto_lsp.passes.core_affinity import Affinity, merge
from pypto_lsp.verifiers.rule import Rule, RuleContext, related

#: direction bits of a pipe
C2V, V2C = 1, 2
_DIRECTIONS = (C2V, V2C, C2V | V2C)

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIV)
    def drain(self, o: pl.Out[pl.Tensor[[16, 128], pl.FP32]]) -> pl.Tensor[[16, 128], pl.FP32]:
        buf = pl.reserve_buffer(name="ring", size=65536, base=0x1000)
        pl.aiv_initialize_pipe(dir_mask=1, slot_size=8192, c2v_consumer_buf=buf)
"""
_POP = "got: pl.Tile[[16, 128], pl.FP32, pl.MemorySpace.Vec, pl.TileView()] = pl.tpop_from_aic(split=0)"


@dataclass(frozen=True, slots=True)
class _Side:
    """What a core's end of a pipe is made of. ``receives`` is the direction bit in which tiles come in."""

    word: str
    initialize: str
    pop: str
    push: str
    free: str
    memory: str
    receives: int


_AIC = _Side("AIC", "aic_initialize_pipe", "tpop_from_aiv", "tpush_to_aiv", "tfree_to_aiv", "Mat", V2C)
_AIV = _Side("AIV", "aiv_initialize_pipe", "tpop_from_aic", "tpush_to_aic", "tfree_to_aic", "Vec", C2V)


def _name(call: ir.Call) -> str:
    return call.op.rpartition(".")[2] if isinstance(call.op, str) else ""


def _calls_of(stmt: ir.Stmt) -> Iterator[ir.Call]:
    for expr in header_exprs(stmt):
        for node in walk_expr(expr, attrs=False):
            if isinstance(node, ir.Call) and isinstance(node.op, str):
                yield node


def _operand(call: ir.Call, name: str) -> object:
    """An operand's constant value, its expression when it has none, None when it was not given."""
    expr = call.get(name)
    if expr is None:
        return call.kwargs.get(name)
    value = const_value(expr.value if isinstance(expr, ir.ConstInt) else expr)
    return expr if value is None else value


class MixedKernelExpanded(Rule):
    """
    ## What it does
    Checks functions declared AIC or AIV that exchange tiles through pipes: the pipe is initialised with a direction, a slot
    size and the buffer its direction needs; there are as many reserved and imported buffers as directions; a popped tile
    lies in Mat on the cube core and in Vec on a vector core, and its slot is freed in the same block.

    ## Why is this bad
    A slot that is never freed fills the ring, and the other core waits for ever.

    ## Fix
    Free the slot after the last use (`pl.system.tfree_to_aic(t)`, `pl.system.tfree_to_aiv(t)`); reserve the buffer on the
    receiving side and import it on the sending one.
    """

    rule_name = "MixedKernelExpanded"
    ir_property = "MixedKernelExpanded"
    codes = {0: "a pipe between cube and vector core is not set up or used in pairs"}
    stage = "ExpandMixedKernel"
    VALID = (
        _FRAME
        + f"        {_POP}\n        o = pl.store(got, [0, 0], o)\n        pl.system.tfree_to_aic(got)\n        return o\n",
        _FRAME
        + '        if 1 > 2:\n            buf = pl.reserve_buffer(name="ring", size=65536, base=0x1000)\n'
        + f"        {_POP}\n        o = pl.store(got, [0, 0], o)\n        pl.system.tfree_to_aic(got)\n        return o\n",
        _FRAME
        + "        if 1 > 2:\n            pl.aiv_initialize_pipe(dir_mask=1, slot_size=8192, c2v_consumer_buf=buf)\n"
        + f"        {_POP}\n        o = pl.store(got, [0, 0], o)\n        pl.system.tfree_to_aic(got)\n        return o\n",
    )
    INVALID = (_FRAME + f"        ⟦{_POP}⟧\n        o = pl.store(got, [0, 0], o)\n        return o\n",)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if context.as_is and function.func_type == "InCore":
            yield from self._left_mixed(function)
        side = {"AIC": _AIC, "AIV": _AIV}.get(function.func_type)
        if side is None or function.body is None or not function.complete:
            return
        statements = list(walk(function.body))
        calls = [(call, stmt) for stmt in statements for call in _calls_of(stmt)]
        pipes = [call for call, _ in calls if _name(call) == side.initialize]
        for call in pipes:
            yield from self._pipe(call, function)
        if context.as_is and not pipes and (uses := [c for c, _ in calls if _name(c) in (side.pop, side.push)]):
            yield from self.finding(
                0, function.name_span or function.span, f"'{function.name}' exchanges tiles, but initialises no pipe",
                function=function, related=related(uses[0].span, "a tile crosses here"), subject=uses[0],
            )  # fmt: skip
        else:
            yield from self._setup(calls, pipes, side, function)
        yield from self._blocks(function.body, side, function)

    def _left_mixed(self, function: ir.Function) -> Iterator[Diagnostic]:
        """A kernel of both cores should have become one of each."""
        statements = list(walk(function.body or ()))
        affinity = Affinity.of(statements)
        lane = merge(affinity.call(call) for stmt in statements for call in _calls_of(stmt))
        if lane is Lane.MIXED:
            yield from self.finding(
                0, function.decorator_span or function.span, f"'{function.name}' works on both cores; it should be two kernels by now",
                function=function, subject=function,
            )  # fmt: skip

    def _pipe(self, call: ir.Call, function: ir.Function) -> Iterable[Diagnostic]:
        mask = _operand(call, "dir_mask")
        if not isinstance(mask, int):
            return ()
        if mask <= 0 or mask & ~(C2V | V2C):
            return self._say(
                call, f"the direction mask {mask} is none of 1 (cube to vector), 2 (vector to cube), 3", function
            )
        for name in ("slot_size", "slot_num", "local_slot_num"):
            value = _operand(call, name)
            if isinstance(value, int) and value <= 0:
                return self._say(call, f"{name} must be positive, this is {value}", function)
        slots = _operand(call, "slot_num")
        effective = slots if isinstance(slots, int) else 4 if mask == C2V | V2C else 8
        local = _operand(call, "local_slot_num")
        if isinstance(local, int) and local > effective:
            return self._say(call, f"local_slot_num {local} exceeds the {effective} slots of the pipe", function)
        for name, bit in (("c2v_consumer_buf", C2V), ("v2c_consumer_buf", V2C)):
            zero = _operand(call, name) in (None, 0)
            if bool(mask & bit) and zero:
                return self._say(call, f"{name} is missing, though the pipe has that direction", function)
            if not mask & bit and not zero:
                return self._say(call, f"{name} is given, though the pipe has not that direction", function)
        return ()

    def _setup(
        self, calls: list[tuple[ir.Call, ir.Stmt]], pipes: list[ir.Call], side: _Side, function: ir.Function
    ) -> Iterator[Diagnostic]:
        uses = [call for call, _ in calls if _name(call) in (side.pop, side.push)]
        if uses and not pipes:
            yield from self._say(uses[0], f"tiles cross here, but '{function.name}' initialises no pipe", function)
            return
        masks = {id(call): mask for call in pipes if isinstance(mask := _operand(call, "dir_mask"), int)}
        if len(masks) != len(pipes) or not all(mask in _DIRECTIONS for mask in masks.values()):
            return
        # a branch may be one that is never taken, which the compiler drops before it counts
        branches = [stmt for stmt in walk(function.body or ()) if isinstance(stmt, ir.If)]
        conditional = {
            id(call)
            for branch in branches
            for stmt in walk((*branch.then, *(branch.orelse or ())))
            for call in _calls_of(stmt)
        }
        for name, bit in (("reserve_buffer", side.receives), ("import_peer_buffer", (C2V | V2C) ^ side.receives)):
            users = [call for call in pipes if masks[id(call)] & bit]
            found = [call for call, _ in calls if _name(call) == name]
            least = sum(id(call) not in conditional for call in users)
            certain = [call for call in found if id(call) not in conditional]
            if len(found) < least:
                yield from self._say(
                    pipes[0],
                    f"the pipes of '{function.name}' need {least} {name} call(s), there are {len(found)}",
                    function,
                )
            elif len(certain) > len(users):
                yield from self._say(
                    certain[-1],
                    f"the pipes of '{function.name}' need {len(users)} {name} call(s), there are {len(certain)}",
                    function,
                )

    def _blocks(self, body: ir.Body, side: _Side, function: ir.Function) -> Iterator[Diagnostic]:
        """Pops and frees of one block, in pairs."""
        open_tiles: dict[ir.Var, ir.Stmt] = {}
        for stmt in body:
            call = self._direct_call(stmt)
            if call is not None and _name(call) in (_AIC.pop, _AIV.pop) and isinstance(stmt, ir.Assign):
                yield from self._popped(call, stmt, side, function)
                open_tiles[stmt.var] = stmt
            elif call is not None and _name(call) in (_AIC.free, _AIV.free):
                tile = call.args[0] if call.args else None
                if isinstance(tile, ir.Read) and tile.var in open_tiles and _name(call) == side.free:
                    del open_tiles[tile.var]
                elif _name(call) != side.free:
                    yield from self._say(call, f"on this core a slot is freed with {side.free}", function)
                else:
                    yield from self._say(call, "no popped tile of this block is freed here", function)
            for nested in bodies(stmt):
                yield from self._blocks(nested, side, function)
        for var, stmt in open_tiles.items():
            yield from self.finding(
                0, stmt.span, f"the slot of '{var.name}' is never freed in this block: add pl.system.{side.free}({var.name})",
                function=function, subject=(stmt, side.free), variable=var.name, free=side.free,
            )  # fmt: skip

    @staticmethod
    def _direct_call(stmt: ir.Stmt) -> ir.Call | None:
        expr = stmt.value if isinstance(stmt, ir.Assign) else stmt.expr if isinstance(stmt, ir.Eval) else None
        return expr if isinstance(expr, ir.Call) and isinstance(expr.op, str) else None

    def _popped(self, call: ir.Call, stmt: ir.Assign, side: _Side, function: ir.Function) -> Iterable[Diagnostic]:
        if _name(call) != side.pop:
            return self._say(call, f"on this core a tile is taken with {side.pop}", function)
        type_ = stmt.var.type
        if isinstance(type_, TileType) and type_.memory is not None and type_.memory != side.memory:
            return self._say(
                call, f"a tile popped on {side.word} lies in {side.memory}, not in {type_.memory}", function
            )
        return ()

    def _say(self, call: ir.Call, message: str, function: ir.Function) -> Iterable[Diagnostic]:
        return self.finding(
            0,
            call.span,
            message,
            function=function,
            related=related(function.name_span, "in this function"),
            subject=call,
        )
