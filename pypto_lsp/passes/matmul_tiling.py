"""AutoTileMatmulL0: which matrix products are cut into tiles, in what parts their results come, and which are left whole and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pypto_lsp.backends import Backend
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import ForKind, Lane
from pypto_lsp.ir.types import TileType, Type
from pypto_lsp.ir.visit import bodies, header_exprs
from pypto_lsp.passes.core_affinity import family
from pypto_lsp.passes.infer_tile_memory_space import is_product_type, space_of
from pypto_lsp.passes.l0_tiles import FRACTAL, L0Tile, ProductShape, chosen_tile
from pypto_lsp.passes.memory import acc_row_unit, tile_bytes
from pypto_lsp.passes.tile_kernels import TileKernel, per_kernel
from pypto_lsp.passes.tile_types import static_shape
from pypto_lsp.text import Span

_PRODUCTS = frozenset({"matmul", "matmul_acc"})
#: the target whose products that stay on chip between two products must be of 16 bits
_NARROW_SCRATCH = "a2a3"

# why a product is left whole: the compiler's hint codes
SUB_BYTE = "PH-AT-003"
SMALL = "PH-AT-005"
NO_PLACE = "PH-AT-006"
ODD_DEPTH = "PH-AT-007"
WIDE_CHAIN = "PH-AT-009"
UNFOLDED_CAST = "PH-AT-010"


@dataclass(frozen=True, slots=True)
class Product:
    """A matrix product of M x K by K x N elements. ``place`` is its statement, ``lhs`` and ``rhs`` are its operands' tiles.

    ``reasons`` are the hint codes that say why it is left whole; ``whole`` is true when it certainly is. ``parts`` are the extents
    of the parts that its result is computed in, () where that is not known; ``retiled`` is true in a loop that may be run once for
    each part. ``consumer`` is a use that keeps it on chip; ``fed`` is true when a factor is the uncut result of another.
    """

    var: ir.Var
    call: ir.Call
    span: Span
    place: Span
    rows: int
    depth: int
    columns: int
    lhs: TileType
    rhs: TileType
    result: TileType
    reasons: tuple[str, ...] = ()
    whole: bool = False
    consumer: Span | None = None
    fed: bool = False
    parts: tuple[tuple[int, int], ...] = ()
    #: what is multiplied at a time; None where it is not known
    tile: L0Tile | None = None
    retiled: bool = False

    @property
    def adds(self) -> bool:
        """Whether the product is added to another tile."""
        return family(str(self.call.op))[1] == "matmul_acc"


@dataclass(frozen=True, slots=True)
class UnfoldedCast:
    """A conversion between two products that the cube core cannot do on its way out."""

    call: ir.Call
    span: Span
    rows: int
    columns: int


@dataclass(slots=True)
class _Uses:
    """How a tile is used: ``all`` calls that read it, with the parameter and the body they stand in."""

    all: list[tuple[ir.Call, int, ir.Body]] = field(default_factory=list)
    #: it is read by something else than an operator: a loop, a branch, a tuple
    escapes: bool = False


@dataclass(frozen=True, slots=True)
class _Site:
    """Where a product stands: its statement, the body that holds it, and whether a pipelined loop is around it."""

    stmt: ir.Assign
    call: ir.Call
    body: ir.Body
    pipelined: bool


class _Kernel:
    def __init__(self, kernel: TileKernel) -> None:
        self.kernel = kernel
        self.uses: dict[ir.Var, _Uses] = {}
        self.casts: list[ir.Assign] = []
        self.products: list[_Site] = []
        self._body(kernel.kernel.body, pipelined=False)

    def _body(self, body: ir.Body, *, pipelined: bool) -> None:
        for stmt in body:
            if isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call):
                head, name = family(str(stmt.value.op))
                if head == "tile" and name in _PRODUCTS:
                    self.products.append(_Site(stmt, stmt.value, body, pipelined))
                elif stmt.value.op == "tile.cast":
                    self.casts.append(stmt)
            for expr in header_exprs(stmt):
                self._note(expr, body)
            inside = pipelined or (isinstance(stmt, ir.For) and stmt.kind is ForKind.PIPELINE)
            for nested in bodies(stmt):
                self._body(nested, pipelined=inside)

    def _note(self, expr: ir.Expr, body: ir.Body) -> None:
        if isinstance(expr, ir.Call):
            for position, arg in enumerate(expr.args):
                if isinstance(arg, ir.Read):
                    self.uses.setdefault(arg.var, _Uses()).all.append((expr, position, body))
                else:
                    self._note(arg, body)
        elif isinstance(expr, ir.Read):
            self.uses.setdefault(expr.var, _Uses()).escapes = True
        elif isinstance(expr, ir.MakeTuple):
            for element in expr.elements:
                self._note(element, body)

    def used_as_operand_only(self, var: ir.Var) -> bool:
        """Whether a tile is used, and only as a factor of products."""
        uses = self.uses.get(var)
        return uses is not None and not uses.escapes and all(_is_factor(call, pos) for call, pos, _ in uses.all)

    def stored_at_once(self, site: _Site) -> bool:
        """Whether a product's one use is a store of a matrix in the same body."""
        uses = self.uses.get(site.stmt.var)
        if uses is None or uses.escapes or len(uses.all) != 1:
            return False
        call, position, body = uses.all[0]
        return call.op == "tile.store" and position == 0 and body is site.body and _stores_matrix(call)

    def starts_and_adds(self, site: _Site) -> bool:
        """Whether the same two tiles are multiplied by a product and by one that adds, as in a loop over the depth."""
        ops = {str(other.call.op) for other in self.products if _reads(other.call) == _reads(site.call)}
        return len(ops) == 2


def _reads(product: ir.Call) -> list[ir.Var | None]:
    return [factor.var if isinstance(factor, ir.Read) else None for factor in _factors(product)]


def _stores_matrix(store: ir.Call) -> bool:
    """Whether a store has a plain two-dimensional window."""
    target = store.args[-1].type if store.args else None
    shape = getattr(store.type, "shape", None) or getattr(target, "shape", None)
    return "shapes" not in store.names and (shape is None or len(shape) == 2)


def _is_factor(call: ir.Call, position: int) -> bool:
    head, name = family(str(call.op))
    if head != "tile" or name not in _PRODUCTS:
        return False
    return position > 0 if name == "matmul_acc" else position < 2


@per_kernel
def matrix_products(kernel: TileKernel, backend: Backend) -> tuple[Product, ...]:
    """The matrix products of a kernel whose tiles have constant extents."""
    if kernel.lane is Lane.VECTOR:
        return ()
    known = _Kernel(kernel)
    found = ((_product(site), site) for site in known.products)
    return tuple(_judged(product, site, known, backend) for product, site in found if product is not None)


def _product(site: _Site) -> Product | None:
    call = site.call
    factors = _factors(call)
    span = call.span or site.stmt.span
    if len(factors) != 2 or span is None or not isinstance(call.type, TileType):
        return None
    lhs, rhs = factors[0].type, factors[1].type
    left, right = static_shape(lhs), static_shape(rhs)
    if not isinstance(lhs, TileType) or not isinstance(rhs, TileType) or not left or not right:
        return None
    if len(left) != 2 or len(right) != 2 or left[1] != right[0]:
        return None
    place = site.stmt.span or span
    return Product(site.stmt.var, call, span, place, left[0], left[1], right[1], lhs, rhs, call.type)


def _factors(call: ir.Call) -> tuple[ir.Expr, ...]:
    return call.args[1:3] if family(str(call.op))[1] == "matmul_acc" else call.args[:2]


def _judged(product: Product, site: _Site, known: _Kernel, backend: Backend) -> Product:
    spaces = [space_of(arg, known.kernel.memory) for arg in _factors(product.call)]
    if spaces[0] not in ("Mat", "Vec") or spaces[1] != "Mat":
        # one factor is the result of another product, or both were put into the cube core's memory by hand: nothing is
        # cut and nothing is said
        whole = "Acc" in spaces or spaces == ["Left", "Right"]
        return replace(_left_whole(product) if whole else product, fed="Acc" in spaces)
    if (reason := _refused(product)) is not None:
        return _left_whole(product, reason)
    shape = product_shape(product.lhs, product.rhs, product.result, backend)
    tile = chosen_tile(shape, backend) if shape is not None else None
    if tile is None:
        return product
    if (tile.rows, tile.columns) == (product.rows, product.columns):
        # a left operand from the vector core comes through a ring that later passes lay out
        known_tile = tile if spaces[0] == "Mat" else None
        return replace(product, parts=((product.rows, product.columns),), tile=known_tile)
    return _cut(product, tile, site, spaces[0], known, backend)


def product_shape(lhs: Type, rhs: Type, result: Type, backend: Backend) -> ProductShape | None:
    """The figures of a product that decide how it is cut; batch extents are left out."""
    left, right = static_shape(lhs), static_shape(rhs)
    dtypes = [getattr(type_, "dtype", None) for type_ in (lhs, rhs, result)]
    if not left or not right or len(left) < 2 or len(right) < 2 or any(d is None or d.bits < 8 for d in dtypes):
        return None
    first, second, third = (dtype.bits // 8 for dtype in dtypes if dtype is not None)
    return ProductShape(left[-2], right[-1], left[-1], first, second, third, acc_row_unit(result, backend))


def _left_whole(product: Product, *reasons: str, consumer: Span | None = None) -> Product:
    tile = L0Tile(product.rows, product.columns, product.depth)
    parts = ((product.rows, product.columns),)
    return replace(product, reasons=reasons, whole=True, parts=parts, tile=tile, consumer=consumer)


def _refused(product: Product) -> str | None:
    """Why a product cannot be cut at all."""
    dtypes = (product.lhs.dtype, product.rhs.dtype, product.result.dtype)
    if any(dtype is not None and dtype.bits < 8 for dtype in dtypes):
        return SUB_BYTE
    if product.depth % FRACTAL:
        return ODD_DEPTH
    return SMALL if min(product.rows, product.columns) < FRACTAL else None


def _cut(product: Product, tile: L0Tile, site: _Site, left: str | None, known: _Kernel, backend: Backend) -> Product:
    """A product whose result should be computed in parts: that needs a place to put them."""
    uses = known.uses.get(product.var) or _Uses()
    if site.pipelined and known.starts_and_adds(site):
        return replace(product, retiled=True)  # the whole loop may be run once for each part
    consumer = uses.all[0][0].span if uses.all else None
    if left == "Vec" or product.adds:
        return _left_whole(product, NO_PLACE, consumer=consumer)
    if known.used_as_operand_only(product.var):
        return _kept_on_chip(product, consumer, backend)
    if known.stored_at_once(site):
        return replace(product, parts=tuple(_parts(product, tile)), tile=tile)
    if not uses.escapes and [call.op for call, _, _ in uses.all] == ["tile.cast"]:
        converted = next((stmt.var for stmt in known.casts if stmt.value is uses.all[0][0]), None)
        if converted is not None and known.kernel.memory.get(converted) == "Mat":
            return product  # the parts are converted on the way to the next product
    return _left_whole(product, NO_PLACE, consumer=consumer)


def _kept_on_chip(product: Product, consumer: Span | None, backend: Backend) -> Product:
    """A product that only further products use: its parts are put together in Mat where that can hold its element type."""
    if backend.alias == _NARROW_SCRATCH:
        return _left_whole(product, WIDE_CHAIN, NO_PLACE, consumer=consumer)
    size = tile_bytes(product.result, "Mat", backend)
    if size is not None and size > backend.memory["Mat"]:
        return _left_whole(product, NO_PLACE, consumer=consumer)
    return product


def _parts(product: Product, tile: L0Tile) -> Iterator[tuple[int, int]]:
    """The different parts that a result is stored in: whole tiles, and what is left at the end of each axis."""
    for rows in dict.fromkeys((tile.rows, product.rows % tile.rows)):
        for columns in dict.fromkeys((tile.columns, product.columns % tile.columns)):
            if rows and columns:
                yield rows, columns


def unfolded_casts(kernel: TileKernel, backend: Backend) -> Iterator[UnfoldedCast]:
    """Conversions of a product that only further products use and that go through the vector core."""
    if kernel.lane is Lane.VECTOR:
        return
    known = _Kernel(kernel)
    for stmt in known.casts:
        call = stmt.value
        assert isinstance(call, ir.Call)
        source, target = call.args[0] if call.args else None, call.type
        if not isinstance(target, TileType) or source is None or not is_product_type(source.type):
            continue
        shape, size = static_shape(source.type), tile_bytes(source.type, "Acc", backend)
        if not shape or len(shape) != 2 or size is None or size > backend.memory["Acc"] or call.span is None:
            continue
        if known.used_as_operand_only(stmt.var) and kernel.memory.get(stmt.var) != "Mat":
            yield UnfoldedCast(call, call.span, *shape)
