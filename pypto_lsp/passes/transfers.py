"""Transfers between global memory and the cores: the loads and stores of a program's kernels, with their figures and places.

The passes before this one say which loads and stores there are (:mod:`~pypto_lsp.passes.tile_kernels`). This one adds what
later passes do to them: a mixed kernel's vector work is halved over two cores, the stores of a batched matrix product are made
per batch, pipelined loops are copied, and branches that a copy never takes go away. What cannot be told gives no transfer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from pypto_lsp.backends import Backend
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import Dim
from pypto_lsp.ir.dtypes import DType
from pypto_lsp.ir.enums import ForKind, Lane
from pypto_lsp.ir.tile_views import valid_of
from pypto_lsp.ir.types import Extent, TileType, origin_of
from pypto_lsp.ir.visit import bodies
from pypto_lsp.passes.convert_tensor_to_tile_ops import ENTRY, EXIT
from pypto_lsp.passes.infer_tile_memory_space import stored_from
from pypto_lsp.passes.l0_tiles import FRACTAL, chosen_tile
from pypto_lsp.passes.matmul_tiling import Product, matrix_products, product_shape
from pypto_lsp.passes.ranges import Interval, Ranges, loop_interval, pipeline_stages
from pypto_lsp.passes.reuse import Inner
from pypto_lsp.passes.tile_conversions import OPERAND
from pypto_lsp.passes.tile_kernels import TileKernel, handed_over, per_kernel
from pypto_lsp.text import Span

#: split mode -> the axis that is halved
_SPLIT_AXES = {"UP_DOWN": -2, "LEFT_RIGHT": -1}
_MAX_COPIES = 64
#: attribute of the store of a part of a product: where that is reported
PART = "part"


@dataclass(frozen=True, slots=True)
class Transfer:
    """One load or store. ``shape`` is the physical shape of the tile, ``valid`` its valid region; extents that are not constant
    are None in ``valid`` and expressions in ``shape``.

    ``kind`` is ``load`` or ``store`` as written, ``entry`` for a load of a whole tensor at the start of the kernel, ``exit`` for a
    store of a value at its end. ``span`` is the expression it stands for; ``place`` is where the compiler reports it: the
    expression, in jit kernels the statement, for entry and exit the region or the function. ``count`` is how many copies run.
    """

    op: str
    dtype: DType
    shape: tuple[Dim, ...]
    valid: tuple[int | None, ...]
    memory: str
    span: Span
    place: Span
    kind: str
    count: int = 1


@per_kernel
def kernel_transfers(kernel: TileKernel, backend: Backend) -> list[Transfer]:
    """The transfers of one kernel on tiles, without those of variables that are not wholly known."""
    source_kernel = kernel.kernel
    if not source_kernel.known or (source_kernel.uncertain and source_kernel.split):
        return []
    products = {} if kernel.lane is Lane.VECTOR else {p.var: p for p in matrix_products(kernel, backend)}
    bounds = Inner(source_kernel.ranges.bounds)
    ranges = Ranges(bounds, source_kernel.ranges.definitions)
    walker = _Walker(kernel, backend, ranges, bounds, products, _retiled(products.values()))
    walker.body(kernel.kernel.body)
    return walker.found


def _retiled(products: Iterable[Product]) -> frozenset[ir.Var | None]:
    factors = (factor for product in products if product.retiled for factor in product.call.args)
    return frozenset(factor.var for factor in factors if isinstance(factor, ir.Read))


@dataclass
class _Walker:
    kernel: TileKernel
    backend: Backend
    ranges: Ranges
    #: those of ``ranges``, for what is known of loop variables in the copy in work
    bounds: Inner
    products: Mapping[ir.Var, Product]
    #: operands of products in loops that may be run once for each part of the result, with a load of each part
    retiled: frozenset[ir.Var | None] = frozenset()
    found: list[Transfer] = field(default_factory=list)
    copies: int = 1
    place: Span | None = None
    #: tiles that an operator of the other core took before: a store takes its copy then
    moved: set[ir.Var] = field(default_factory=set)

    # --- statements --------------------------------------------------------------------------------------------------

    def body(self, body: ir.Body) -> None:
        moved, self.moved = self.moved, set(self.moved)
        self._statements(body)
        self.moved = moved

    def _statements(self, body: ir.Body) -> None:
        for position, stmt in enumerate(body):
            outer, self.place = self.place, stmt.span or self.place
            if self.kernel.lane is Lane.MIXED:
                self.moved.update(handed_over(stmt, self.kernel.memory))
            match stmt:
                case ir.Assign():
                    self.expr(stmt.value, body[position - 1] if position else None, stmt.var)
                case ir.Eval():
                    self.expr(stmt.expr, body[position - 1] if position else None)
                case ir.For():
                    self._loop(stmt)
                case ir.If():
                    self._branches(stmt)
                case _:
                    for nested in bodies(stmt):
                        self.body(nested)
            self.place = outer

    def _branches(self, stmt: ir.If) -> None:
        decided = self.ranges.decide(stmt.condition)
        if decided is not False:
            self.body(stmt.then)
        if decided is not True:
            self.body(stmt.orelse or ())

    def _loop(self, loop: ir.For) -> None:
        for interval, times in self._passes(loop):
            outer, self.copies = self.copies, self.copies * times
            if interval is not None:
                self.bounds[loop.var] = interval
            self.body(loop.body)
            self.copies = outer

    def _passes(self, loop: ir.For) -> Iterable[tuple[Interval | None, int]]:
        """The copies of a loop's body: the values of the loop variable in each, and how many alike there are."""
        start, stop = self.ranges.interval(loop.start), self.ranges.interval(loop.stop)
        step = self.ranges.constant(loop.step) or 1
        if start[0] is not None and start[0] == start[1] and stop[0] is not None and stop[0] == stop[1]:
            trips = max(0, -(-(stop[0] - start[0]) // step))
            if trips == 0:
                return
            yield from self._static_passes(loop, start[0], trips, step)
            return
        stages = pipeline_stages(loop)
        if stages > 1:
            # a copy per stage, and one branch per remainder with as many copies
            low = start[0]
            yield (low, None), stages + stages * (stages - 1) // 2
            return
        yield None, 1

    def _static_passes(self, loop: ir.For, start: int, trips: int, step: int) -> Iterable[tuple[Interval, int]]:
        stages = min(pipeline_stages(loop), _MAX_COPIES)
        if loop.kind is ForKind.UNROLL:
            yield loop_interval((start, start), (start + trips * step,) * 2, step), trips
            return
        if stages < 2:
            yield loop_interval((start, start), (start + trips * step,) * 2, step), 1
            return
        rounds = trips // stages
        if rounds:
            reach = (rounds - 1) * stages * step
            for stage in range(stages):
                first = start + stage * step
                yield (min(first, first + reach), max(first, first + reach)), 1
        for trip in range(rounds * stages, trips):
            yield (start + trip * step,) * 2, 1

    # --- transfers ---------------------------------------------------------------------------------------------------

    def expr(self, expr: ir.Expr, before: ir.Stmt | None, bound: ir.Var | None = None) -> None:
        if not isinstance(expr, ir.Call) or bound in self.retiled:
            return
        if expr.op == "tile.load":
            memory = expr.type.memory or "Vec" if isinstance(expr.type, TileType) else "Vec"
            self._emit(expr, expr.type, memory)
        elif expr.op == "tile.store" and expr.args:
            self._store(expr, before)

    def _store(self, call: ir.Call, before: ir.Stmt | None) -> None:
        tile = call.args[0]
        if not isinstance(tile.type, TileType):
            return
        memory = stored_from(tile, self.kernel.memory)
        if memory == "Acc" and isinstance(tile, ir.Read) and tile.var in self.moved:
            memory = "Vec"
        product = self.products.get(tile.var) if isinstance(tile, ir.Read) else None
        batch = _batch(tile, before)
        if product is not None and memory == "Acc" and not product.adds:
            self._store_product(call, product, tile.type)
        elif batch is not None:
            self._store_batch(call, tile.type, batch, memory)
        elif memory != "Acc" or self._stays_whole(tile.type):
            self._emit(call, tile.type, memory)

    def _store_product(self, call: ir.Call, product: Product, type_: TileType) -> None:
        """A product is stored whole or in parts, which are made and reported where the product is."""
        if product.parts == ((product.rows, product.columns),):
            self._emit(call, type_, "Acc")
            return
        for rows, columns in product.parts:
            part = TileType(type_.dtype, (rows, columns), "Acc")
            self._emit(replace(call, span=product.span, attrs={PART: product.place}), part, "Acc")

    def _store_batch(self, call: ir.Call, type_: TileType, batch: _Batch, memory: str) -> None:
        """A batched product that is stored at once is stored matrix by matrix."""
        if memory == "Acc" and not batch.whole(self.backend):
            return
        outer, self.copies = self.copies, self.copies * batch.count
        self._emit(call, _matrix(type_), memory)
        self.copies = outer

    def _stays_whole(self, type_: TileType) -> bool:
        """Whether a tile of Acc that is no plain product is stored whole: it fits, and no loop is run once for each part."""
        shape = type_.shape or ()
        retiled = any(p.retiled and [p.rows, p.columns] == list(shape[-2:]) for p in self.products.values())
        return not retiled and self._fits_acc(type_)

    def _fits_acc(self, type_: object) -> bool:
        shape = type_.shape if isinstance(type_, TileType) else None
        if not shape:
            return False
        total = 4
        for extent in shape[-2:]:
            value = self.ranges.constant(extent)
            if value is None:
                return False
            total *= value
        return total <= self.backend.memory["Acc"]

    def _emit(self, call: ir.Call, type_: object, memory: str) -> None:
        if call.span is None or not isinstance(type_, TileType) or type_.dtype is None or not type_.shape:
            return
        operand = call.args[0]
        if isinstance(operand, ir.Read) and operand.var.name in self.kernel.kernel.uncertain:
            return
        halved = self._halved(memory, len(type_.shape))
        shape = tuple(self._extent(d, axis == halved) for axis, d in enumerate(type_.shape))
        valid = tuple(self._valid(d, axis == halved) for axis, d in enumerate(valid_of(type_) or type_.shape))
        shown, place = self._places(call)
        kind = ENTRY if ENTRY in call.attrs else EXIT if EXIT in call.attrs else str(call.op).removeprefix("tile.")
        self.found.append(Transfer(str(call.op), type_.dtype, shape, valid, memory, shown, place, kind, self.copies))

    def _places(self, call: ir.Call) -> tuple[Span, Span]:
        """The expression that a transfer stands for, and where the compiler reports it."""
        span = call.span
        assert span is not None
        kernel = self.kernel.kernel
        in_jit = bool(kernel.function.jit)
        if ENTRY in call.attrs and in_jit and kernel.scope is None:
            return call.attrs[ENTRY], kernel.function.name_span or span
        if PART in call.attrs:
            return span, call.attrs[PART]
        shown = call.attrs.get(ENTRY) or call.attrs.get(EXIT)
        if shown is not None:
            return shown, span
        return call.attrs.get(OPERAND, span), (self.place or span) if in_jit else span

    def _extent(self, dim: Dim, halved: bool) -> Dim:
        value, origin = self.ranges.constant(dim), origin_of(dim)
        if value is None:
            return dim
        if halved and value != 1:
            value = -(-value // 2)
        return value if origin is None else Extent(value, origin)

    def _valid(self, dim: Dim, halved: bool) -> int | None:
        value = self.ranges.constant(dim)
        if value is None or not halved or value == 1:
            return value
        return -(-value // 2)

    def _halved(self, memory: str, rank: int) -> int | None:
        """The axis that a split halves in a transfer of the vector cores."""
        axis = _SPLIT_AXES.get(self.kernel.kernel.split or "")
        if axis is None or memory != "Vec" or self.kernel.lane is not Lane.MIXED or rank < -axis:
            return None
        return rank + axis


@dataclass(frozen=True, slots=True)
class _Batch:
    """A batched product: how many products it stands for, and its operator."""

    count: int
    call: ir.Call

    def whole(self, backend: Backend) -> bool:
        """Whether each result certainly comes in one part."""
        lhs, rhs = self.call.args[-2:]
        shape = product_shape(lhs.type, rhs.type, self.call.type, backend)
        if shape is None:
            return False
        if shape.depth % FRACTAL or min(shape.rows, shape.columns) < FRACTAL:
            return True
        tile = chosen_tile(shape, backend)
        return tile is not None and (tile.rows, tile.columns) == (shape.rows, shape.columns)


def _batch(tile: ir.Expr, before: ir.Stmt | None) -> _Batch | None:
    """The batched product of which a tile is the result, where it is stored at once; None when it is stored as a whole."""
    if not isinstance(tile, ir.Read) or not isinstance(before, ir.Assign) or before.var is not tile.var:
        return None
    value = before.value
    if not isinstance(value, ir.Call) or value.op not in ("tile.batch_matmul", "tile.batch_matmul_acc"):
        return None
    shape = tile.type.shape if isinstance(tile.type, TileType) else None
    total = 1
    for extent in (shape or ())[:-2]:
        if not isinstance(extent, int):
            return None
        total *= extent
    return _Batch(total, value)


def _matrix(tile: TileType) -> TileType:
    """One matrix of a batch."""
    assert tile.shape is not None
    valid = (valid_of(tile) or tile.shape)[-2:]
    view = None if tile.view is None else replace(tile.view, valid_shape=valid)
    return replace(tile, shape=tile.shape[-2:], view=view)


def program_transfers(kernels: Iterable[TileKernel], backend: Backend) -> Iterator[tuple[ir.Function, Transfer]]:
    """All transfers of kernels, with the function each lies in."""
    for kernel in kernels:
        for transfer in kernel_transfers(kernel, backend):
            yield kernel.function, transfer
