"""FlattenTileNdTo2D: tiles of more than two dimensions become two-dimensional, all axes but the last merged into the rows.

A load or store keeps the window that it has in its tensor; a store into a tensor of more than two dimensions says which window
that is. Products of batches, transpositions of more than two dimensions and windows of matrices in L1 are not modelled: a kernel
with one of them stays as it is, and so does one that the compiler refuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import Dim, add, const_value, expr_of, mul
from pypto_lsp.ir.enums import KERNEL_TYPES, memory_space
from pypto_lsp.ir.mutator import Emitter, Statements, changed
from pypto_lsp.ir.tile_views import layout_of, tile_type, valid_of
from pypto_lsp.ir.types import TENSORS, TileType, Type
from pypto_lsp.ir.visit import header_exprs, walk, yielded
from pypto_lsp.passes.pipeline.tile_operators import NotModelled, Place, tile_of
from pypto_lsp.passes.tile_types import dims_of
from pypto_lsp.text import Span

#: operators that take no tile of more than two dimensions
_FLAT_ONLY = frozenset({"tile.read", "tile.write", "tile.slice"})
_BATCHED = frozenset({"tile.batch_matmul", "tile.batch_matmul_acc"})
_SIZED = frozenset({"tile.create", "tile.full"})


def _rank(type_: Type) -> int:
    return len(type_.shape) if isinstance(type_, TileType) and type_.shape is not None else 0


def _merged(shape: Sequence[Dim]) -> tuple[int, int]:
    """Rows and columns of a tile of constant extents."""
    extents = [const_value(dim) for dim in shape]
    if any(extent is None for extent in extents):
        raise NotModelled("a tile of more than two dimensions with an extent that is no constant")
    known = [extent for extent in extents if extent is not None]
    return prod(known[:-1]), known[-1]


def _merged_valid(valid: Sequence[Dim]) -> tuple[Dim, Dim]:
    """The valid region of the rows and columns: constants first, then what is known only when the kernel runs."""
    constant, rest = 1, None
    for dim in valid[:-1]:
        value = const_value(dim)
        if value is not None:
            constant *= value
        else:
            rest = dim if rest is None else mul(rest, dim)
    rows: Dim = constant if rest is None else rest if constant == 1 else mul(constant, rest)
    return rows, valid[-1]


def _flat_tile(type_: TileType) -> TileType:
    """The type of a loaded tile with its axes merged: the same layout and padding, the valid region merged too."""
    shape = _merged(type_.shape or ())
    valid, view = valid_of(type_), type_.view
    return tile_type(
        type_.dtype,
        shape,
        type_.memory,
        valid=None if valid is None else _merged_valid(valid),
        layout=None if view is None else layout_of(type_),
        pad="null" if view is None else view.pad,
        compact="null" if view is None else view.compact,
        memref=type_.memref,
    )


def _row(offsets: Sequence[Dim], shape: Sequence[Dim]) -> Dim:
    """The row at which an element of merged axes lies."""
    row = offsets[0]
    for offset, extent in zip(offsets[1:-1], shape[1:-1]):
        row = add(mul(row, extent), offset)
    return row


def _contiguous(window: Sequence[Dim], shape: Sequence[Dim]) -> bool:
    """Whether a window is one band of the merged rows: below the first axis that is cut, every axis is whole."""
    cut = False
    for part, whole in zip(window[:-1], shape[:-1]):
        if cut and const_value(part) != const_value(whole):
            return False
        cut = cut or const_value(part) != 1
    return True


class _Flattener(Emitter):
    """Flattens one kernel."""

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[ir.Var, ir.Expr] = {}

    # --- values ------------------------------------------------------------------------------------------------------

    def read(self, var: ir.Var) -> ir.Expr | None:
        return self.values.get(var)

    def _retyped(self, var: ir.Var, type_: Type) -> ir.Var:
        """The variable that holds a value of another type than before."""
        if isinstance(var.type, TileType) and isinstance(type_, TileType) and var.type.memref is not None:
            type_ = replace(type_, memref=var.type.memref)
        if type_ is var.type or type_ == var.type or not isinstance(type_, TileType):
            return var
        made = ir.Var(var.name, type_, var.span)
        self.values[var] = ir.Read(made, var.span)
        return made

    def _place(self, span: Span | None, stmt_span: Span | None) -> Place:
        def emit(name: str, value: ir.Expr) -> ir.Read:
            var = ir.Var(name, value.type, span)
            self.before.append(ir.Assign(var, value, stmt_span, span))
            return ir.Read(var, span)

        return Place(emit, span)

    # --- statements --------------------------------------------------------------------------------------------------

    def assign(self, stmt: ir.Assign) -> Statements:
        value = stmt.value
        if not isinstance(value, ir.Call) or not isinstance(value.op, str):
            made = self.expr(value)
            return (changed(stmt, var=self._retyped(stmt.var, made.type), value=made),)
        call = self._operator(value, stmt)
        return (changed(stmt, var=self._retyped(stmt.var, call.type), value=call),)

    def eval(self, stmt: ir.Eval) -> Statements:
        value = self.expr(stmt.expr)
        if value is not stmt.expr and isinstance(value, ir.Call) and str(value.op).startswith("tile."):
            value = self._place(value.span, stmt.span).build(str(value.op), value.args, value.kwargs)
        return (changed(stmt, expr=value),)

    def for_(self, stmt: ir.For) -> Statements:
        loop = changed(stmt, start=self.expr(stmt.start), stop=self.expr(stmt.stop), step=self.expr(stmt.step))
        return (self._loop(loop),)

    def while_(self, stmt: ir.While) -> Statements:
        inner = self._loop(stmt)
        assert isinstance(inner, ir.While)
        return (changed(inner, condition=self.expr(inner.condition)),)

    def _loop(self, stmt: ir.For | ir.While) -> ir.For | ir.While:
        inits = [self.expr(arg.init) for arg in stmt.iter_args]
        args = tuple(ir.IterArg(self._retyped(arg.var, init.type), init) for arg, init in zip(stmt.iter_args, inits))
        body = self.body(stmt.body)
        results = tuple(
            var if arg.var is before.var else self._retyped(var, arg.var.type)
            for var, arg, before in zip(stmt.return_vars, args, stmt.iter_args)
        )
        return replace(stmt, iter_args=args, body=body, return_vars=results)

    def if_(self, stmt: ir.If) -> Statements:
        condition, then = self.expr(stmt.condition), self.body(stmt.then)
        orelse = None if stmt.orelse is None else self.body(stmt.orelse)
        types = [value.type for value in yielded(then)]
        results = tuple(
            self._retyped(var, types[place]) if place < len(types) else var
            for place, var in enumerate(stmt.return_vars)
        )
        return (changed(stmt, condition=condition, then=then, orelse=orelse, return_vars=results),)

    # --- operators ---------------------------------------------------------------------------------------------------

    def _operator(self, call: ir.Call, stmt: ir.Assign) -> ir.Call:
        args = tuple(self.expr(arg) for arg in call.args)
        same = all(a is b for a, b in zip(args, call.args))
        moved = call if same else replace(call, args=args)
        place = self._place(call.span, stmt.span)
        if call.op == "tile.store":
            return _store(call, moved, place)
        if call.op == "tile.load" and _rank(call.type) > 2:
            return _load(moved)
        if call.op in _SIZED and _rank(call.type) > 2:
            return place.build(str(call.op), (place.extents(_merged(_shape(call.type))), *args[1:]), call.kwargs)
        if call.op == "tile.transpose" and len(args) == 3:
            return _transposed(moved, place)
        if call.op == "tile.assemble" and _rank(call.args[0].type) > 2:
            args = (*args[:2], _folded(call, place), *args[3:])
            return place.build("tile.assemble", args, call.kwargs)
        if same or not str(call.op).startswith("tile."):
            return moved
        return place.build(str(call.op), args, call.kwargs)


def _shape(type_: Type) -> tuple[Dim, ...]:
    assert isinstance(type_, TileType)
    return type_.shape or ()


def _load(call: ir.Call) -> ir.Call:
    type_ = call.type
    assert isinstance(type_, TileType)
    if type_.memory == "Mat":
        raise NotModelled("a matrix in L1 of more than two dimensions")
    return replace(call, type=_flat_tile(type_))


def _store(call: ir.Call, moved: ir.Call, place: Place) -> ir.Call:
    """A store that says which window of a tensor of more than two dimensions it writes."""
    tile, target = moved.args[0], moved.args[2]
    if _rank(tile.type) > 2:
        flat = place.build("tile.reshape", (tile, place.extents(_merged(_shape(tile.type)))))
        tile = place.emit("flat_tile", flat)
    written = call.args[0].type
    args, names = (tile, *moved.args[1:]), moved.names
    if isinstance(written, TileType) and isinstance(target.type, TENSORS) and len(target.type.shape or ()) > 2:
        rest = len(target.type.shape or ()) - _rank(written)
        args, names = (*args, place.extents((1,) * rest + _shape(written))), (*names, "shapes")
    return replace(moved, args=args, names=names, type=target.type)


def _transposed(call: ir.Call, place: Place) -> ir.Call:
    """A transposition of a matrix with the scratch tile that it needs, of its operand's shape and in its memory."""
    source = tile_of(call.args[0])
    if _rank(source) > 2:
        raise NotModelled("a transposition of more than two dimensions")
    kwargs = {"dtype": source.dtype, "target_memory": memory_space(source.memory or "Vec")}
    scratch = place.build("tile.create", (place.extents(source.shape or ()),), kwargs)
    return place.build("tile.transpose", (*call.args, place.emit("transpose_tmp", scratch)))


def _folded(call: ir.Call, place: Place) -> ir.Expr:
    """The offsets of a part in a tile of merged axes."""
    whole, part = tile_of(call.args[0]), tile_of(call.args[1])
    offsets = dims_of(call.args[2])
    shape, window = whole.shape or (), part.shape or ()
    if offsets is None or not len(offsets) == len(shape) == len(window) or not _contiguous(window, shape):
        raise NotModelled("a part that is no band of rows")
    return place.extents((expr_of(_row(offsets, shape), call.span), offsets[-1]))


def _refused(body: ir.Body) -> bool:
    """Whether a kernel has something that the pass does not take."""
    for stmt in walk(body):
        for expr in header_exprs(stmt):
            if isinstance(expr, ir.Call) and (
                expr.op in _BATCHED or (expr.op in _FLAT_ONLY and expr.args and _rank(expr.args[0].type) > 2)
            ):
                return True
    return False


def flatten_tile_nd_to_2d(function: ir.Function) -> ir.Function:
    """A kernel with its tiles in two dimensions; other functions, and kernels that are not modelled, stay."""
    if function.func_type not in KERNEL_TYPES or function.body is None or _refused(function.body):
        return function
    try:
        return _Flattener().function(function)
    except NotModelled:
        return function


__all__ = ["flatten_tile_nd_to_2d"]
