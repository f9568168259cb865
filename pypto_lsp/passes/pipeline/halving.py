"""Vector operators on the halves of their tiles: what each of two vector cores computes of a tile that is split on one axis.

A half has the greater part of an odd extent, and says how much of it is valid on the core that runs it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import Dim, const_value, expr_of, make, same_structure
from pypto_lsp.ir.tile_views import layout_of, tile_type, valid_of
from pypto_lsp.ir.types import TileType, TupleType, Type
from pypto_lsp.passes.pipeline.tile_operators import NotModelled, alone, call_of
from pypto_lsp.passes.tile_types import dims_of
from pypto_lsp.text import Span

#: split mode -> the axis that is halved
AXES = {"UP_DOWN": 0, "LEFT_RIGHT": 1}
_REDUCED_AXIS = {
    **{f"tile.row_{name}": 1 for name in ("sum", "max", "min", "prod", "argmax", "argmin")},
    **{f"tile.col_{name}": 0 for name in ("sum", "max", "min", "prod", "argmax", "argmin")},
}
#: operators whose result depends on where in the tile they are
_POSITIONAL = frozenset({"tile.ci", "tile.random"})


def half_of(extent: Dim) -> Dim:
    """The extent of a half."""
    value = const_value(extent)
    return make("//", extent, 2) if value is None else (value + 1) // 2


def lane_valid(valid: Dim, whole: Dim, half: Dim, index: ir.Expr) -> Dim:
    """How much of its half is valid on a core, of what is valid of the whole."""
    if same_structure(valid, whole):
        extent, part = const_value(whole), const_value(half)
        if extent is None or part is None or part * 2 == extent:
            return half
    offset = make("*", _dim(index), half)
    return make("min", make("-", make("max", valid, offset), offset), half)


def _dim(index: ir.Expr) -> Dim:
    return index.var if isinstance(index, ir.Read) else index


def half_type(type_: TileType, axis: int, index: ir.Expr) -> TileType:
    """A tile's half on an axis."""
    shape = list(type_.shape or ())
    shape[axis] = half = half_of(shape[axis])
    valid = list(valid_of(type_) or type_.shape or ())
    valid[axis] = lane_valid(valid[axis], (type_.shape or ())[axis], half, index)
    view = type_.view
    if view is None:
        return tile_type(type_.dtype, shape, type_.memory, valid=valid, memref=type_.memref)
    return tile_type(
        type_.dtype,
        shape,
        type_.memory,
        valid=valid,
        layout=layout_of(type_),
        stride=view.stride,
        start_offset=view.start_offset,
        pad=view.pad,
        compact=view.compact,
        memref=type_.memref,
    )


def _replaced(elements: ir.Expr, axis: int, change: Callable[[Dim], Dim]) -> ir.Expr:
    """A tuple with one element changed; one that has no such element stays."""
    if not isinstance(elements, ir.MakeTuple) or axis >= len(elements.elements):
        return elements
    out = list(elements.elements)
    known = dims_of(elements)
    if known is None:
        raise NotModelled("extents that are not known")
    made = change(known[axis])
    out[axis] = ir.Read(made, elements.span) if isinstance(made, ir.Var) else expr_of(made, out[axis].span)
    return ir.MakeTuple(tuple(out), TupleType(tuple(e.type for e in out)), elements.span)


@dataclass
class Halves:
    """The split of one body: its axis, the number of the core that runs it, and what has been halved so far."""

    axis: int
    index: ir.Expr
    #: halved variable -> the axis it is split on
    tracked: dict[ir.Var, int] = field(default_factory=dict)
    #: variable -> what stands for it
    values: dict[ir.Var, ir.Expr] = field(default_factory=dict)

    def track(self, var: ir.Var, type_: Type, axis: int) -> ir.Var:
        """The variable that holds the half of another's value."""
        made = ir.Var(var.name, type_, var.span)
        self.tracked[var] = self.tracked[made] = axis
        self.values[var] = ir.Read(made, var.span)
        return made

    def axis_of(self, args: Sequence[ir.Expr]) -> int | None:
        """The axis on which the first halved operand is split."""
        return next((self.tracked[a.var] for a in args if isinstance(a, ir.Read) and a.var in self.tracked), None)

    def offset(self, elements: ir.Expr, axis: int, half: Dim) -> ir.Expr:
        """Offsets of the whole as those of a core's half."""
        return _replaced(elements, axis, lambda at: make("+", at, make("*", _dim(self.index), half)))

    def shortened(self, elements: ir.Expr, axis: int) -> ir.Expr:
        return _replaced(elements, axis, half_of)

    def valid(self, elements: ir.Expr, axis: int, whole: Dim, half: Dim) -> ir.Expr:
        return _replaced(elements, axis, lambda valid: lane_valid(valid, whole, half, self.index))


@dataclass(frozen=True, slots=True)
class _Operator:
    """An operator about to be halved: ``call`` as it was, ``args`` with what stands for its operands."""

    halves: Halves
    call: ir.Call
    args: tuple[ir.Expr, ...]
    type: TileType
    axis: int

    @property
    def whole(self) -> Dim:
        return (self.type.shape or ())[self.axis]

    @property
    def half(self) -> Dim:
        return half_of(self.whole)


def stored(call: ir.Call, args: tuple[ir.Expr, ...], halves: Halves) -> ir.Call:
    """A store with the offsets of the half that it writes."""
    tile = call.args[0]
    axis = halves.tracked.get(tile.var) if isinstance(tile, ir.Read) else None
    if axis is not None and isinstance(tile.type, TileType) and tile.type.shape is not None:
        args = (args[0], halves.offset(args[1], axis, half_of(tile.type.shape[axis])), *args[2:])
    return replace(call, args=args)


def halved(stmt: ir.Assign, args: tuple[ir.Expr, ...], halves: Halves) -> list[ir.Stmt]:
    """A vector operator on halves; one whose result has nothing to split stays as it is."""
    call, type_ = stmt.value, stmt.value.type
    assert isinstance(call, ir.Call)
    kept: list[ir.Stmt] = [replace(stmt, value=replace(call, args=args))]
    if call.op == "tile.store":
        return [replace(stmt, value=stored(call, args, halves))]
    source = halves.axis_of(call.args)
    axis = halves.axis if source is None or call.op == "tile.load" else source
    if _REDUCED_AXIS.get(str(call.op)) == axis:
        raise NotModelled("a reduction of the axis that is split")
    if not isinstance(type_, TileType) or type_.shape is None:
        return kept
    if call.op == "tile.reshape" and source is not None:
        axis = _moved_axis(call, source, type_)
    if axis >= len(type_.shape) or const_value(type_.shape[axis]) == 1:
        return kept
    if call.op == "tile.load" and (len(type_.shape) < 2 or len(args) < 4):
        return kept
    if call.op in _POSITIONAL or call.op == "tile.reinterpret_view":
        raise NotModelled(str(call.op))
    operator = _Operator(halves, call, args, type_, axis)
    if call.op == "tile.reshape" and source is None:
        return _sliced(stmt, operator)
    made = _HALVED.get(str(call.op), lambda operator: operator.args)(operator)
    result = half_type(type_, axis, halves.index)
    return [replace(stmt, var=halves.track(stmt.var, result, axis), value=replace(call, args=made, type=result))]


def _load(operator: _Operator) -> tuple[ir.Expr, ...]:
    tensor, offsets, window, valid, *rest = operator.args
    halves, axis, half = operator.halves, operator.axis, operator.half
    return (
        tensor,
        halves.offset(offsets, axis, half),
        halves.shortened(window, axis),
        halves.valid(valid, axis, operator.whole, half),
        *rest,
    )


def _made(operator: _Operator) -> tuple[ir.Expr, ...]:
    shape, *rest = operator.args
    return (operator.halves.shortened(shape, operator.axis), *rest)


def _reshape(operator: _Operator) -> tuple[ir.Expr, ...]:
    tile, shape, *rest = operator.args
    return (tile, operator.halves.shortened(shape, operator.axis), *rest)


def _slice(operator: _Operator) -> tuple[ir.Expr, ...]:
    """A window of a half is at the same place; a half of a window of a whole tile is the core's own."""
    halves, axis = operator.halves, operator.axis
    tile, shape, offset, *rest = operator.args
    source = operator.call.args[0]
    if not isinstance(source, ir.Read) or source.var not in halves.tracked:
        offset = halves.offset(offset, axis, operator.half)
    if rest:
        rest[0] = halves.valid(rest[0], axis, operator.whole, operator.half)
    return (tile, halves.shortened(shape, axis), offset, *rest)


def _set_validshape(operator: _Operator) -> tuple[ir.Expr, ...]:
    """An extent that reaches beyond a half is that of the whole; any other is the same on both cores."""
    position = 1 + operator.axis
    args = list(operator.args)
    if position < len(args):
        valid = dims_of(ir.MakeTuple((args[position],), TupleType((args[position].type,)), None))
        if valid is None:
            raise NotModelled("an extent that is not known")
        given, half = const_value(valid[0]), const_value(operator.half)
        beyond = given is not None and half is not None and given > half
        if beyond or same_structure(valid[0], operator.whole):
            made = lane_valid(valid[0], operator.whole, operator.half, operator.halves.index)
            args[position] = expr_of(made, args[position].span)
    return tuple(args)


_HALVED: Mapping[str, Callable[[_Operator], tuple[ir.Expr, ...]]] = {
    "tile.load": _load,
    "tile.full": _made,
    "tile.create": _made,
    "tile.reshape": _reshape,
    "tile.slice": _slice,
    "tile.set_validshape": _set_validshape,
}


def _moved_axis(call: ir.Call, axis: int, result: TileType) -> int:
    """The axis on which a reshaped half is split: that whose first half has the same elements."""
    source = call.args[0].type
    before = [const_value(dim) for dim in getattr(source, "shape", None) or ()]
    after = [const_value(dim) for dim in result.shape or ()]
    if None in before or None in after:
        return axis
    old, new = [value or 0 for value in before], [value or 0 for value in after]
    if old[axis] % 2:
        if axis < len(new) and new[axis] != 1:
            return axis
        raise NotModelled("a reshape of an odd split axis")
    if prod(old[:axis]) != 1:
        return axis
    elements = old[axis] // 2 * prod(old[axis + 1 :])
    for place, extent in enumerate(new):
        if prod(new[:place]) == 1 and extent % 2 == 0 and extent // 2 * prod(new[place + 1 :]) == elements:
            return place
    raise NotModelled("a reshape that the split does not follow")


def _sliced(stmt: ir.Assign, operator: _Operator) -> list[ir.Stmt]:
    """A view of a whole tile stays whole, and each core takes its half out of it."""
    half = const_value(operator.half)
    shape = [const_value(dim) for dim in operator.type.shape or ()]
    if half is None or None in shape:
        raise NotModelled("a reshape with an extent that is no constant")
    whole = ir.Var(stmt.var.name, operator.type, stmt.var.span)
    place = alone(stmt.span)
    window: list[Dim] = [extent or 0 for extent in shape]
    offset: list[Dim] = [0] * len(window)
    window[operator.axis], offset[operator.axis] = half, make("*", _dim(operator.halves.index), half)
    part = place.build("tile.slice", (ir.Read(whole, stmt.span), place.extents(window), place.extents(offset)))
    var = operator.halves.track(stmt.var, part.type, operator.axis)
    kept = replace(stmt, var=whole, value=replace(operator.call, args=operator.args))
    return [kept, replace(stmt, var=var, value=part)]


def lane_index(span: Span | None) -> ir.Call:
    """The number of the vector core that runs."""
    return call_of("tile.get_subblock_idx", (), None, span)


__all__ = ["AXES", "Halves", "half_of", "half_type", "halved", "lane_index", "lane_valid", "stored"]
