"""AutoTileMatmulL0: a matrix product whose factors are too deep for the cube core's memory becomes a loop over the depth.

Modelled for results that are computed in one piece; a product whose result would be cut as well is left whole.
"""

from __future__ import annotations

from dataclasses import dataclass

from pypto_lsp.backends import Backend
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import BOOL, INDEX
from pypto_lsp.ir.enums import ForKind, memory_space
from pypto_lsp.ir.mutator import Mutator, Statements
from pypto_lsp.ir.types import ScalarType, TileType
from pypto_lsp.passes.l0_tiles import FRACTAL, chosen_tile
from pypto_lsp.passes.matmul_tiling import product_shape
from pypto_lsp.passes.pipeline.tile_operators import NotModelled, Place, alone
from pypto_lsp.passes.tile_types import static_shape
from pypto_lsp.text import Span

_STAGES = 2
_INDEX = ScalarType(INDEX)


@dataclass(frozen=True, slots=True)
class _Product:
    """A product ``var = call`` of ``rows`` x ``depth`` by ``depth`` x ``columns`` elements, cut at every ``step`` of the depth;
    ``start`` is the tile that it is added to."""

    var: ir.Var
    call: ir.Call
    lhs: ir.Expr
    rhs: ir.Expr
    start: ir.Expr | None
    rows: int
    columns: int
    depth: int
    step: int


def _product(stmt: ir.Assign, backend: Backend) -> _Product | None:
    """The product that a statement is, where it has to be cut in depth alone."""
    call = stmt.value
    if not isinstance(call, ir.Call) or call.op not in ("tile.matmul", "tile.matmul_acc"):
        return None
    start = call.args[0] if call.op == "tile.matmul_acc" else None
    lhs, rhs = call.args[:2] if start is None else call.args[1:3]
    types = (lhs.type, rhs.type)
    if len(call.args) > (2 if start is None else 3) or not all(_in_mat(type_) for type_ in types):
        return None
    left, right = static_shape(lhs.type), static_shape(rhs.type)
    if not left or not right or len(left) != 2 or len(right) != 2 or left[1] % FRACTAL:
        return None
    shape = product_shape(lhs.type, rhs.type, call.type, backend)
    tile = None if shape is None else chosen_tile(shape, backend)
    if tile is None or (tile.rows, tile.columns) != (left[0], right[1]) or tile.depth >= left[1]:
        return None
    if left[1] % tile.depth:
        return None
    return _Product(stmt.var, call, lhs, rhs, start, left[0], right[1], left[1], tile.depth)


def _in_mat(type_: object) -> bool:
    return isinstance(type_, TileType) and type_.memory == "Mat"


class _Tiler(Mutator):
    def __init__(self, backend: Backend) -> None:
        self.backend = backend

    def assign(self, stmt: ir.Assign) -> Statements:
        product = _product(stmt, self.backend)
        if product is None:
            return (stmt,)
        try:
            return _loop(product, stmt.span)
        except NotModelled:
            return (stmt,)


def _read(var: ir.Var, span: Span | None) -> ir.Read:
    return ir.Read(var, span)


def _constant(value: int, span: Span | None) -> ir.ConstInt:
    return ir.ConstInt(value, INDEX, span)


def _named(product: _Product, suffix: str, value: ir.Expr) -> ir.Assign:
    span = product.call.span
    return ir.Assign(ir.Var(f"{product.var.name}_l0_{suffix}", value.type, span), value, span, span)


def _loop(product: _Product, span: Span | None) -> Statements:
    """The loop over the depth that a product becomes."""
    place = alone(product.call.span)
    before: list[ir.Stmt] = []
    init = product.start
    if init is None:
        kwargs = {"dtype": getattr(product.call.type, "dtype", None), "target_memory": memory_space("Acc")}
        create = place.build("tile.create", (place.extents((product.rows, product.columns)),), kwargs)
        made = _named(product, "init", create)
        before.append(made)
        init = _read(made.var, span)
    index = ir.Var(f"{product.var.name}_l0_ko", _INDEX, span)
    carried = ir.Var(f"{product.var.name}_l0_c", init.type, span)
    body = _body(product, place, index, carried)
    return (
        *before,
        ir.For(
            index,
            _constant(0, span),
            _constant(product.depth, span),
            _constant(product.step, span),
            ForKind.PIPELINE,
            body,
            (ir.IterArg(carried, init),),
            (product.var,),
            {"pipeline_stages": _STAGES},
            span,
        ),
    )


def _body(product: _Product, place: Place, index: ir.Var, carried: ir.Var) -> ir.Body:
    span = product.call.span
    zero, at = _constant(0, span), _read(index, span)
    left = _extract(place, product.lhs, (zero, at), (product.rows, product.step), "Left")
    right = _extract(place, product.rhs, (at, zero), (product.step, product.columns), "Right")
    a, b = _named(product, "a", left), _named(product, "b", right)
    factors = (_read(a.var, span), _read(b.var, span))
    adding = _named(product, "c_acc", place.build("tile.matmul_acc", (_read(carried, span), *factors)))
    if product.start is not None:
        return (a, b, adding, ir.Yield((_read(adding.var, span),), span))
    first = _named(product, "c_first", place.build("tile.matmul", factors))
    merged = ir.Var(f"{product.var.name}_l0_c_phi", first.var.type, span)
    condition = ir.Binary("==", at, zero, ScalarType(BOOL), span)
    branch = ir.If(
        condition,
        (first, ir.Yield((_read(first.var, span),), span)),
        (adding, ir.Yield((_read(adding.var, span),), span)),
        (merged,),
        span,
    )
    return (a, b, branch, ir.Yield((_read(merged, span),), span))


def _extract(place: Place, tile: ir.Expr, at: tuple[ir.Expr, ...], shape: tuple[int, int], space: str) -> ir.Call:
    return place.build("tile.extract", (tile, *at, place.extents(shape)), {"target_memory": memory_space(space)})


def auto_tile_matmul_l0(function: ir.Function, backend: Backend) -> ir.Function:
    """A kernel with its products cut to the size of the cube core's memory; other functions stay as they are."""
    return _Tiler(backend).function(function) if function.func_type in ("InCore", "AIC") else function


__all__ = ["auto_tile_matmul_l0"]
