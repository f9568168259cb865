"""LowerAutoVectorSplit: each vector core works on its half of a kernel of both kinds of core.

A value that comes from the cube core becomes a half of it, one that goes there is joined from the halves, and the operators in
between work on halves. Regions of ``pl.split_aiv`` are taken apart in the same way, unless they split their values themselves.

Left as they are: kernels that carry halves through loops or branches, values whose valid part is split unevenly, and regions
with operators of communication.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import Dim, const_value, same_structure
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.mutator import Mutator, Statements, changed
from pypto_lsp.ir.tile_views import layout_of, tile_type, valid_of
from pypto_lsp.ir.types import TileType
from pypto_lsp.ir.visit import calls, walk
from pypto_lsp.passes.pipeline.crossings import GATHER, SHARD, Crossing, crossing_move, is_operator, tile_spaces
from pypto_lsp.passes.pipeline.halving import AXES, Halves, half_type, halved, lane_index, stored
from pypto_lsp.passes.pipeline.names import fresh
from pypto_lsp.passes.pipeline.tile_operators import NotModelled, call_of, tile_of
from pypto_lsp.passes.tile_kernels import call_lane, tile_lane
from pypto_lsp.passes.variables import bound_by
from pypto_lsp.text import Span

#: split mode -> what calls say of it
CODES = {"NONE": 0, "UP_DOWN": 1, "LEFT_RIGHT": 2}


class _Splitter(Mutator):
    """Splits one body on an axis."""

    def __init__(self, mode: str, index: ir.Var, spaces: dict[ir.Var, str]) -> None:
        self.mode = mode
        self.spaces = spaces
        self.halves = Halves(AXES[mode], ir.Read(index, index.span))

    def read(self, var: ir.Var) -> ir.Expr | None:
        return self.halves.values.get(var)

    # --- statements --------------------------------------------------------------------------------------------------

    def assign(self, stmt: ir.Assign) -> Statements:
        call = stmt.value
        way = crossing_move(call, self.spaces)
        if isinstance(call, ir.Call) and way is not None:
            return self._shard(stmt, call) if way is Crossing.TO_VECTOR else self._gather(stmt, call)
        if isinstance(call, ir.Call) and isinstance(call.op, str) and call_lane(call, self.spaces) is Lane.VECTOR:
            return halved(stmt, tuple(self.expr(arg) for arg in call.args), self.halves)
        return super().assign(stmt)

    def eval(self, stmt: ir.Eval) -> Statements:
        call = stmt.expr
        if isinstance(call, ir.Call) and call.op == "tile.store" and call_lane(call, self.spaces) is Lane.VECTOR:
            made = stored(call, tuple(self.expr(arg) for arg in call.args), self.halves)
            return (replace(stmt, expr=made),)
        return super().eval(stmt)

    def if_(self, stmt: ir.If) -> Statements:
        made = tuple(super().if_(stmt))
        self._expect_whole(stmt.then[-1:])
        self._expect_whole((stmt.orelse or ())[-1:])
        return made

    def for_(self, stmt: ir.For) -> Statements:
        return self._loop(stmt, super().for_(stmt))

    def while_(self, stmt: ir.While) -> Statements:
        return self._loop(stmt, super().while_(stmt))

    def _loop(self, stmt: ir.For | ir.While, made: Statements) -> Statements:
        self._expect_whole(stmt.body[-1:])
        if any(isinstance(arg.init, ir.Read) and arg.init.var in self.halves.tracked for arg in stmt.iter_args):
            raise NotModelled("a half that a loop carries")
        return made

    def _expect_whole(self, last: ir.Body) -> None:
        for stmt in last:
            values = stmt.values if isinstance(stmt, ir.Yield) else ()
            if any(isinstance(value, ir.Read) and value.var in self.halves.tracked for value in values):
                raise NotModelled("a half that a loop or branch hands on")

    # --- crossings ---------------------------------------------------------------------------------------------------

    def _shard(self, stmt: ir.Assign, call: ir.Call) -> Statements:
        """The half that a core takes of a value of the cube core, which stays whole."""
        source, axis = tile_of(call.args[0]), self.halves.axis
        _expect_even(source, axis)
        shard = call_of(SHARD, (self.expr(call.args[0]),), {"split": CODES[self.mode]}, call.span)
        type_ = tile_of(shard)
        whole, valid = _extents(source, axis)
        if not (same_structure(whole, valid) and (const_value(whole) or 0) % 2 == 0):
            type_ = _localized(type_, half_type(source, axis, self.halves.index))
        var = self.halves.track(stmt.var, type_, axis)
        return (replace(stmt, var=var, value=replace(shard, type=type_)),)

    def _gather(self, stmt: ir.Assign, call: ir.Call) -> Statements:
        """The whole that the cube core takes of the halves, and then moves to where it was moved before."""
        source = call.args[0]
        axis = self.halves.axis_of((source,))
        if axis is None:
            raise NotModelled("a value that is not split and goes to the cube core")
        code = next(CODES[mode] for mode, own in AXES.items() if own == axis)
        gather = call_of(GATHER, (self.expr(source),), {"split": code}, call.span)
        if not _same_shape(gather, call):
            raise NotModelled("halves that do not make up the whole")
        whole = ir.Var(f"{stmt.var.name}_mat", gather.type, stmt.span)
        moved = replace(call, args=(ir.Read(whole, source.span), *call.args[1:]))
        return (ir.Assign(whole, gather, stmt.span, stmt.span), changed(stmt, value=moved))


def _extents(tile: TileType, axis: int) -> tuple[Dim, Dim]:
    """How many elements a tile has on an axis, and how many of them are valid."""
    return (tile.shape or ())[axis], (valid_of(tile) or ())[axis]


def _expect_even(tile: TileType, axis: int) -> None:
    """Raises :class:`NotModelled` for a tile whose valid part the compiler may share out otherwise than its memory."""
    whole, valid = (const_value(extent) for extent in _extents(tile, axis))
    if whole is not None and valid is not None and 0 < valid < whole and (valid + 1) // 2 != (whole + 1) // 2:
        raise NotModelled("a valid part that is balanced between the cores")


def _localized(shard: TileType, half: TileType) -> TileType:
    """The half of a value with what is valid of it on each core."""
    return tile_type(shard.dtype, shard.shape, shard.memory, valid=valid_of(half), layout=layout_of(shard))


def _same_shape(left: ir.Expr, right: ir.Expr) -> bool:
    first, second = tile_of(left).shape or (), tile_of(right).shape or ()
    return len(first) == len(second) and all(same_structure(a, b) for a, b in zip(first, second))


# --- regions -----------------------------------------------------------------------------------------------------------


class _Explicit(Mutator):
    """Writes into the crossings of a region that splits its values itself how they are split."""

    def __init__(self, mode: str) -> None:
        self.mode = mode

    def call(self, expr: ir.Call) -> ir.Expr:
        if not is_operator(expr, SHARD, GATHER):
            return expr
        axis = AXES.get(self.mode)
        if axis is not None:
            whole, valid = _extents(tile_of(expr.args[0]), axis)
            if not same_structure(whole, valid) or (expr.op == SHARD and (const_value(whole) or 0) % 2):
                raise NotModelled("a crossing that is not valid as a whole")
        return replace(expr, kwargs={**expr.kwargs, "split": CODES[self.mode]})


class _Regions(Mutator):
    """Takes the regions of a kernel apart."""

    def __init__(self, spaces: dict[ir.Var, str], names: set[str]) -> None:
        self.spaces = spaces
        self.names = names

    def scope(self, stmt: Any) -> Statements:
        if not isinstance(stmt, ir.SplitAivScope):
            raise NotModelled("a scope in a kernel with regions")
        if not stmt.body:
            return ()
        _expect_repeatable(stmt.body)
        body = (*_bound_index(stmt), *stmt.body)
        if stmt.split not in AXES or _splits_itself(stmt.body):
            _expect_not_turned(stmt.body, AXES.get(stmt.split))
            return _Explicit(stmt.split).body(body)
        span = body[0].span
        index = _index(self.names, span)
        splitter = _Splitter(stmt.split, index, self.spaces)
        lowered = splitter.body(body)
        _expect_not_turned(lowered, AXES[stmt.split])
        return (ir.Assign(index, lane_index(span), span, span), *lowered)


def _bound_index(scope: ir.SplitAivScope) -> ir.Body:
    """The number of the core, which a region has as its variable."""
    var = scope.index_var
    return () if var is None else (ir.Assign(var, lane_index(scope.span), scope.span, var.span),)


def _index(names: set[str], span: Span | None) -> ir.Var:
    """A variable for the number of the core, whose name is taken from then on."""
    name = fresh("subblock_idx", names) if "subblock_idx" in names else "subblock_idx"
    names.add(name)
    return ir.Var(name, lane_index(span).type, span)


def _splits_itself(body: ir.Body) -> bool:
    return any(is_operator(call, SHARD, GATHER) for call, _, _ in calls(body))


def _expect_repeatable(body: ir.Body) -> None:
    """Raises :class:`NotModelled` for an operator that a region binds to the vector cores."""
    if any(str(call.op).startswith("pld.") for call, _, _ in calls(body)):
        raise NotModelled("communication in a region")


def _expect_not_turned(body: ir.Body, axis: int | None) -> None:
    """Raises :class:`NotModelled` for a transposition of the axis that is split, which the compiler refuses."""
    for call, _, _ in calls(body):
        if axis is not None and call.op == "tile.transpose" and len(call.args) >= 3:
            swapped = {const_value(arg) for arg in call.args[1:3] if isinstance(arg, ir.ConstInt)}
            if (axis in swapped or len(swapped) < 2) and const_value(_extents(tile_of(call.args[0]), axis)[0]) != 1:
                raise NotModelled("a transposition of the axis that is split")


# --- kernels -----------------------------------------------------------------------------------------------------------


def _names(function: ir.Function) -> set[str]:
    bound = (var for stmt in walk(function.body or ()) for var in bound_by(stmt))
    return {var.name for var in (*function.params, *bound)}


def _split_whole(function: ir.Function, mode: str) -> ir.Function:
    body = function.body or ()
    spaces = tile_spaces(body)
    if tile_lane(body, spaces) is not Lane.MIXED:
        return function
    if any(isinstance(stmt, ir.SCOPES) for stmt in walk(body)):
        raise NotModelled("a scope in a kernel that is split")
    span = function.span
    index = _index(_names(function), span)
    made = _Splitter(mode, index, spaces).body(body)
    dropped = ("split", "split_aiv", "dual_aiv_dispatch")
    attrs = {key: value for key, value in function.attrs.items() if key not in dropped}
    return replace(
        function,
        body=(ir.Assign(index, lane_index(span), span, span), *made),
        attrs={**attrs, "split": mode, "split_aiv": True},
    )


def _without_regions(function: ir.Function) -> ir.Function:
    body = function.body or ()
    made = _Regions(tile_spaces(body), _names(function)).body(body)
    kept: Mapping[str, Any] = {key: value for key, value in function.attrs.items() if key != "split_aiv"}
    return replace(function, body=made, attrs={**kept, "split_aiv": True, "split_aiv_region_validated": True})


def lower_auto_vector_split(function: ir.Function) -> ir.Function:
    """A kernel of both kinds of core with its vector part on halves; other functions, and what is not modelled, stay."""
    if function.func_type != "InCore" or function.body is None:
        return function
    mode = function.attrs.get("split")
    try:
        if any(isinstance(stmt, ir.SplitAivScope) for stmt in walk(function.body)):
            return _without_regions(function)
        if mode in AXES and not function.attrs.get("split_aiv"):
            return _split_whole(function, str(mode))
    except NotModelled:
        return function
    return function


__all__ = ["CODES", "lower_auto_vector_split"]
