"""On-chip memory of kernels: the bytes of each tile, how long it lives, and the least that a kernel needs of each space.

The planner puts two tiles into one buffer only when the one is dead before the other is made, and never two that are alive
together into the place of a larger one. So the k-th largest buffer is at least as large as the k-th largest of the tiles alive at
any one point, and the sum over all k is a certain lower bound of what the kernel needs. What later passes add (operands moved into
L0, buffers of pipelined stages) is left out. Reference: memory planning in the pass documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from pypto_lsp.backends import Backend
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import const_value
from pypto_lsp.ir.dtypes import INT32
from pypto_lsp.ir.enums import ForKind, Lane
from pypto_lsp.ir.types import TileType, Type
from pypto_lsp.ir.visit import bodies, walk, yielded
from pypto_lsp.passes.convert_tensor_to_tile_ops import ENTRY
from pypto_lsp.passes.core_affinity import family, side
from pypto_lsp.passes.infer_tile_memory_space import space_of
from pypto_lsp.passes.ranges import Ranges, pipeline_stages, trip_count
from pypto_lsp.passes.tile_conversions import OPERAND
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.passes.tile_types import static_shape
from pypto_lsp.passes.variables import visit_header_reads, visit_reads
from pypto_lsp.text import Span

_T = TypeVar("_T")

#: every buffer begins at a multiple of this many bytes
ALIGNMENT = 32
#: rows of Acc are allotted in multiples of this; of 32-bit integers on Ascend910B twice as many
_ACC_ROWS = 16
#: slots of the ring through which the cores of a mixed kernel pass tiles, unless the kernel says otherwise
RING_SLOTS = 2
#: operators whose result is a view of a tile, or is written into it -> the position of that tile
SHARING = {
    "slice": 0, "reshape": 0, "reinterpret_view": 0, "transpose_view": 0, "set_validshape": 0, "assemble": 0,
    "fillpad_inplace": 0, "scatter_update": 0, "scatter": 0, "scatter_mask": 0, "matmul_acc": 0, "gemv_acc": 0,
    "batch_matmul_acc": 0, "matmul_mx_acc": 0, "tget_scale_addr": 0, "gather_row": 0, "write": 0,
}  # fmt: skip
#: operators whose result may not take the place of an operand
_NOT_IN_PLACE = frozenset(
    {"col_argmax", "col_argmin", "concat", "extract", "fillpad_expand", "fmod", "fmods", "gather", "gather_mask",
     "gatherb", "mgather", "move", "mrgsort_format1", "mrgsort_format2", "recip", "row_argmax", "row_argmin", "row_max",
     "row_min", "row_prod", "row_sum", "rsqrt", "sort32", "transpose"}
)  # fmt: skip
_SPLIT_AXES = {"UP_DOWN": -2, "LEFT_RIGHT": -1}


def acc_row_unit(type_: Type, backend: Backend) -> int:
    """Rows of a tile in Acc are allotted in multiples of this."""
    wide = getattr(type_, "dtype", None) is INT32 and backend.alias == "a2a3"
    return 2 * _ACC_ROWS if wide else _ACC_ROWS


def tile_bytes(type_: Type, space: str, backend: Backend) -> int | None:
    """The bytes that a tile takes in a memory space; None where its extents are not constant."""
    shape = static_shape(type_)
    dtype = getattr(type_, "dtype", None)
    if not shape or dtype is None or any(extent <= 0 for extent in shape):
        return None
    if space == "Acc":
        if len(shape) < 2:
            return None
        unit = acc_row_unit(type_, backend)
        shape = (*shape[:-2], -(-shape[-2] // unit) * unit, shape[-1])
    total = 1
    for extent in shape:
        total *= extent
    size = total if dtype.bits == 1 else -(-total * dtype.bits // 8)
    return -(-size // ALIGNMENT) * ALIGNMENT


@dataclass(frozen=True, slots=True)
class Buffer:
    """A tile with memory of its own: ``born`` and ``dies`` are positions in the kernel, ``span`` the expression that makes it.

    ``pipelined`` is true inside of a loop whose body is copied and reordered."""

    name: str
    space: str
    size: int
    span: Span | None
    type: TileType
    born: int
    dies: int
    pipelined: bool = False

    def alive_after(self, position: int) -> bool:
        return self.born == position or self.born < position < self.dies


@dataclass(frozen=True, slots=True)
class SpaceUse:
    """The least that a kernel needs of one space: ``needed`` bytes, ``tiles`` of which each needs a buffer of its own (the largest
    that takes it), ``ring`` bytes of them for the ring between the cores."""

    space: str
    needed: int
    limit: int
    tiles: tuple[Buffer, ...]
    ring: int = 0


@dataclass(frozen=True, slots=True)
class KernelMemory:
    """A kernel's buffers and what it needs of each space that it uses. ``places`` are the statements at its positions."""

    kernel: TileKernel
    buffers: tuple[Buffer, ...]
    spaces: tuple[SpaceUse, ...]
    places: dict[int, Span]


def kernel_memory(kernel: TileKernel, backend: Backend) -> KernelMemory:
    """What one kernel needs."""
    lifetimes = _Lifetimes(kernel, backend)
    buffers = lifetimes.buffers()
    spaces = [
        _needed(space, [b for b in buffers if b.space == space], _ring(kernel, space, backend), backend)
        for space in backend.memory
        if any(b.space == space for b in buffers)
    ]
    return KernelMemory(kernel, tuple(buffers), tuple(spaces), lifetimes.places)


def _needed(space: str, buffers: list[Buffer], ring: int, backend: Backend) -> SpaceUse:
    """The buffers that must be there, each as large as its largest tile; a pipelined body counts with its largest tile alone."""
    together: list[list[Buffer]] = []
    for birth in {b.born for b in buffers}:
        alive = [b for b in buffers if b.alive_after(birth)]
        inner = max((b for b in alive if b.pipelined), key=lambda b: b.size, default=None)
        together.append([*(b for b in alive if not b.pipelined), *((inner,) if inner else ())])
    tiles = buffers_needed(together, lambda b: b.size)
    return SpaceUse(space, sum(b.size for b in tiles) + ring, backend.memory[space], tuple(tiles), ring)


def buffers_needed(together: Iterable[Iterable[_T]], size: Callable[[_T], int]) -> list[_T]:
    """The tiles that the buffers must be made for, the largest first, from groups of tiles that are alive together."""
    needed: list[_T] = []
    for group in together:
        ranked = sorted(group, key=size, reverse=True)
        larger = [one if size(one) >= size(other) else other for one, other in zip(needed, ranked)]
        needed = larger + needed[len(ranked) :] + ranked[len(needed) :]
    return needed


# --- lifetimes -------------------------------------------------------------------------------------------------------


@dataclass
class _Lifetimes:
    """Walks a kernel once: births, last uses, and which variables share a buffer because they are one."""

    kernel: TileKernel
    backend: Backend
    position: int = 0
    roots: dict[ir.Var, ir.Var] = field(default_factory=dict)
    births: dict[ir.Var, tuple[int, bool, Span | None]] = field(default_factory=dict)
    deaths: dict[ir.Var, int] = field(default_factory=dict)
    #: loops around the current position: (first position, variables used inside)
    loops: list[tuple[int, set[ir.Var]]] = field(default_factory=list)
    pipelines: int = 0
    #: position -> the statement there; behind a loop the loop
    places: dict[int, Span] = field(default_factory=dict)
    #: slices that nothing reads: the compiler drops them, other operators it keeps
    unread: frozenset[ir.Var] = frozenset()

    def buffers(self) -> list[Buffer]:
        self.unread = _unread_slices(self.kernel.kernel.body)
        self._body(self.kernel.kernel.body)
        found: list[Buffer] = []
        for var, (born, pipelined, span) in self.births.items():
            space = self.kernel.memory.get(var)
            if space is None or not isinstance(var.type, TileType):
                continue
            size = tile_bytes(self._lane_type(var.type, space), space, self.backend)
            if size is not None and space in self.backend.memory:
                dies = max(self.deaths.get(var, born), born)
                found.append(Buffer(var.name, space, size, span, var.type, born, dies, pipelined))
        return found

    def _lane_type(self, type_: TileType, space: str) -> TileType:
        """The part of a tile that one of two vector cores holds when a split halves the work."""
        return halved_tile(type_, self.kernel) if space == "Vec" else type_

    def _root(self, var: ir.Var) -> ir.Var:
        while (parent := self.roots.get(var)) is not None:
            var = parent
        return var

    def _share(self, var: ir.Var, other: ir.Expr) -> None:
        if isinstance(other, ir.Read) and isinstance(other.type, TileType):
            target = self._root(other.var)
            if target is not var:
                self.roots[var] = target

    def _use(self, var: ir.Var) -> None:
        root = self._root(var)
        self.deaths[root] = self.position
        for _, used in self.loops:
            used.add(root)

    def _body(self, body: ir.Body) -> None:
        for stmt in body:
            if isinstance(stmt, ir.Assign) and stmt.var in self.unread:
                continue
            self._advance(stmt)
            visit_header_reads(stmt, self._use)
            match stmt:
                case ir.Assign():
                    self._assign(stmt)
                case ir.For() | ir.While():
                    self._loop(stmt)
                case ir.If():
                    self._branches(stmt)
                case _:
                    for nested in bodies(stmt):
                        self._body(nested)

    def _advance(self, stmt: ir.Stmt) -> None:
        self.position += 1
        if stmt.span is not None:
            self.places[self.position] = stmt.span

    def _assign(self, stmt: ir.Assign) -> None:
        if not isinstance(stmt.var.type, TileType):
            return
        value = stmt.value
        if isinstance(value, ir.Call) and isinstance(value.op, str):
            name = family(value.op)[1]
            if name.startswith("tpop_"):
                return  # it lies in the ring
            aliased = SHARING.get(name)
            if aliased is not None and aliased < len(value.args):
                self._share(stmt.var, value.args[aliased])
            elif name in _NOT_IN_PLACE:
                # its operands stay until the result is there
                self._advance(stmt)
                visit_reads(value, self._use)
                self.position -= 1
        elif isinstance(value, ir.Read):
            self._share(stmt.var, value)
        if stmt.var not in self.roots:
            self.births.setdefault(stmt.var, (self.position, self.pipelines > 0, _shown(value)))

    def _loop(self, stmt: ir.For | ir.While) -> None:
        for arg in stmt.iter_args:
            self._share(arg.var, arg.init)
        start, used = self.position, set[ir.Var]()
        self.loops.append((start, used))
        pipelined = isinstance(stmt, ir.For) and stmt.kind is ForKind.PIPELINE and pipeline_stages(stmt) > 1
        self.pipelines += pipelined
        self._body(stmt.body)
        self.pipelines -= pipelined
        self.loops.pop()
        self._advance(stmt)
        for var in used:
            # what lives outside of a loop and is used inside lives until its end
            if self.births.get(var, (start, False, None))[0] <= start:
                self.deaths[var] = self.position
        for var, arg in zip(stmt.return_vars, stmt.iter_args):
            self._share(var, ir.Read(arg.var))

    def _branches(self, stmt: ir.If) -> None:
        self._body(stmt.then)
        self._body(stmt.orelse or ())
        for var, value in zip(stmt.return_vars, yielded(stmt.then)):
            self._share(var, value)


def _unread_slices(body: ir.Body) -> frozenset[ir.Var]:
    """Slices of tiles that nothing reads, or only such slices."""
    slices = {var: call for var, call in tile_calls(body) if var is not None and call.op == "tile.slice"}
    if not slices:
        return frozenset()
    counts: Counter[ir.Var] = Counter()
    for stmt in walk(body):
        visit_header_reads(stmt, lambda var: counts.update((var,)))
    unread = [var for var in slices if not counts[var]]
    for var in unread:
        read: list[ir.Var] = []
        visit_reads(slices[var], read.append)
        counts.subtract(read)
        unread += [source for source in dict.fromkeys(read) if source in slices and not counts[source]]
    return frozenset(unread)


def _shown(value: ir.Expr) -> Span | None:
    """The expression that a tile is made for."""
    if not isinstance(value, ir.Call):
        return value.span
    return value.attrs.get(ENTRY) or value.attrs.get(OPERAND) or value.span


def halved_tile(type_: TileType, kernel: TileKernel) -> TileType:
    """A tile of a split kernel as each of its two vector cores has it."""
    axis = _SPLIT_AXES.get(kernel.kernel.split or "")
    if axis is None or kernel.lane is not Lane.MIXED or type_.shape is None or len(type_.shape) < -axis:
        return type_
    extent = const_value(type_.shape[axis])
    if extent is None or extent == 1:
        return type_
    shape = list(type_.shape)
    shape[axis] = -(-extent // 2)
    return TileType(type_.dtype, tuple(shape), type_.memory)


# --- the ring between the cores ----------------------------------------------------------------------------------------


def _ring(kernel: TileKernel, space: str, backend: Backend) -> int:
    """The bytes that a mixed kernel reserves in a space to take over tiles from the other core: whole ones, also in a split."""
    if kernel.lane is not Lane.MIXED or space not in ("Vec", "Mat") or kernel.kernel.scope is None:
        return 0
    tiles = _crossing(kernel, to_vector=space == "Vec")
    sizes = [size for tile in tiles if (size := tile_bytes(tile, space, backend)) is not None]
    slots = kernel.kernel.scope.attrs.get("slot_num", RING_SLOTS)
    return max(sizes, default=0) * (slots if isinstance(slots, int) and slots > 0 else RING_SLOTS)


def _crossing(kernel: TileKernel, *, to_vector: bool) -> Iterator[TileType]:
    """Tiles that an operator of one core takes from the other."""
    for var, call in tile_calls(kernel.kernel.body):
        head, name = family(str(call.op))
        if head != "tile" or name in SHARING or name in ("store", "load", "create", "move", "read"):
            continue
        result = kernel.memory.get(var) if var is not None else None
        for arg in call.args:
            space = space_of(arg, kernel.memory)
            crosses = side(space) is (Lane.CUBE if to_vector else Lane.VECTOR)
            if isinstance(arg.type, TileType) and crosses and side(result) is (Lane.VECTOR if to_vector else Lane.CUBE):
                yield arg.type


def tile_calls(body: ir.Body) -> Iterator[tuple[ir.Var | None, ir.Call]]:
    """The operator calls of a kernel on tiles that are the whole value of their statement, with the variable they are bound to."""
    for stmt in body:
        value = stmt.value if isinstance(stmt, ir.Assign) else stmt.expr if isinstance(stmt, ir.Eval) else None
        if isinstance(value, ir.Call) and isinstance(value.op, str):
            yield stmt.var if isinstance(stmt, ir.Assign) else None, value
        for nested in bodies(stmt):
            yield from tile_calls(nested)


# --- depth of pipelines ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShallowPipeline:
    """A pipelined loop whose stages cannot all have a buffer of their own for one tile."""

    loop: ir.For
    buffer: Buffer
    requested: int
    achieved: int


def shallow_pipelines(kernel: TileKernel, backend: Backend) -> Iterator[ShallowPipeline]:
    """Pipelined loops of a kernel with a tile that does not fit as often as the loop has stages."""
    by_name = {id(b.span): b for b in _Lifetimes(kernel, backend).buffers() if b.pipelined}
    yield from _shallow(kernel.kernel.body, by_name, kernel.kernel.ranges, backend)


def _shallow(body: ir.Body, buffers: dict[int, Buffer], ranges: Ranges, backend: Backend) -> Iterator[ShallowPipeline]:
    for stmt in body:
        if isinstance(stmt, ir.For) and (stages := _copies(stmt, ranges)) > 1:
            spans = {id(call.span) for _, call in tile_calls(stmt.body)}
            for span, buffer in buffers.items():
                limit = backend.memory[buffer.space]
                if span in spans and buffer.size <= limit < buffer.size * stages:
                    yield ShallowPipeline(stmt, buffer, stages, limit // buffer.size)
        for nested in bodies(stmt):
            yield from _shallow(nested, buffers, ranges, backend)


def _copies(loop: ir.For, ranges: Ranges) -> int:
    stages = pipeline_stages(loop)
    trips = trip_count(loop, ranges)
    return stages if trips is None else min(stages, trips)
