"""AutoTileMatmulL0, as far as shapes alone decide it: which matrix products are cut into tiles that fit the cube core's own
memory, and which are left whole and why.

Where a product that fits is cut to run faster is up to a cost model that is not modelled; nothing here says so of one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pypto_lsp.backends import Backend
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import TileType
from pypto_lsp.ir.visit import bodies, header_exprs
from pypto_lsp.passes.core_affinity import family
from pypto_lsp.passes.infer_tile_memory_space import is_product_type, space_of
from pypto_lsp.passes.memory import tile_bytes
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.passes.tile_types import static_shape
from pypto_lsp.text import Span

#: extents of the smallest block that the cube core works on
FRACTAL = 16
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
    """A matrix product of M x K by K x N elements. ``reasons`` are the hint codes that say why it is left whole; ``whole`` is
    true when it certainly is. ``fed``: a factor is the uncut result of another. ``lhs`` and ``rhs`` are its operands' tiles,
    ``consumer`` the use that keeps it on chip."""

    var: ir.Var
    call: ir.Call
    span: Span
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
    """How a tile is used: ``all`` calls that read it with the parameter."""

    all: list[tuple[ir.Call, int]] = field(default_factory=list)
    #: it is read by something else than an operator: a loop, a branch, a tuple
    escapes: bool = False


class _Kernel:
    def __init__(self, kernel: TileKernel) -> None:
        self.kernel = kernel
        self.uses: dict[ir.Var, _Uses] = {}
        self.casts: list[ir.Assign] = []
        self.products: list[tuple[ir.Assign, ir.Call]] = []
        self._body(kernel.kernel.body)

    def _body(self, body: ir.Body) -> None:
        for stmt in body:
            if isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call):
                head, name = family(str(stmt.value.op))
                if head == "tile" and name in _PRODUCTS:
                    self.products.append((stmt, stmt.value))
                elif stmt.value.op == "tile.cast":
                    self.casts.append(stmt)
            for expr in header_exprs(stmt):
                self._note(expr)
            for nested in bodies(stmt):
                self._body(nested)

    def _note(self, expr: ir.Expr) -> None:
        if isinstance(expr, ir.Call):
            for position, arg in enumerate(expr.args):
                if isinstance(arg, ir.Read):
                    self.uses.setdefault(arg.var, _Uses()).all.append((expr, position))
                else:
                    self._note(arg)
        elif isinstance(expr, ir.Read):
            self.uses.setdefault(expr.var, _Uses()).escapes = True
        elif isinstance(expr, ir.MakeTuple):
            for element in expr.elements:
                self._note(element)

    def used_as_operand_only(self, var: ir.Var) -> bool:
        """Whether a tile is used, and only as a factor of products."""
        uses = self.uses.get(var)
        return uses is not None and not uses.escapes and all(_is_factor(call, pos) for call, pos in uses.all)

    def stored_only(self, var: ir.Var) -> bool:
        """Whether a tile's one use is a store."""
        uses = self.uses.get(var)
        return uses is not None and not uses.escapes and [c.op for c, _ in uses.all] == ["tile.store"]


def _is_factor(call: ir.Call, position: int) -> bool:
    head, name = family(str(call.op))
    if head != "tile" or name not in _PRODUCTS:
        return False
    return position > 0 if name == "matmul_acc" else position < 2


def matrix_products(kernel: TileKernel, backend: Backend) -> Iterator[Product]:
    """The matrix products of a kernel whose tiles have constant extents."""
    known = _Kernel(kernel)
    for stmt, call in known.products:
        product = _product(call, stmt, kernel)
        if product is not None:
            yield _judged(product, stmt, known, backend)


def _product(call: ir.Call, stmt: ir.Assign, kernel: TileKernel) -> Product | None:
    factors = call.args[1:3] if family(str(call.op))[1] == "matmul_acc" else call.args[:2]
    span = call.span or stmt.span
    if len(factors) != 2 or span is None or not isinstance(call.type, TileType):
        return None
    lhs, rhs = factors[0].type, factors[1].type
    left, right = static_shape(lhs), static_shape(rhs)
    if not isinstance(lhs, TileType) or not isinstance(rhs, TileType) or not left or not right:
        return None
    if len(left) != 2 or len(right) != 2 or left[1] != right[0]:
        return None
    return Product(stmt.var, call, span, left[0], left[1], right[1], lhs, rhs, call.type)


def _judged(product: Product, stmt: ir.Assign, known: _Kernel, backend: Backend) -> Product:
    factors = product.call.args[1:3] if product.adds else product.call.args[:2]
    spaces = [space_of(arg, known.kernel.memory) for arg in factors]
    if spaces[0] not in ("Mat", "Vec") or spaces[1] != "Mat":
        # one factor is the result of another product, or both were put into the cube core's memory by hand: nothing is
        # cut and nothing is said
        return replace(product, whole="Acc" in spaces or spaces == ["Left", "Right"], fed="Acc" in spaces)
    if (reason := _refused(product)) is not None:
        return replace(product, reasons=(reason,), whole=True)
    size = tile_bytes(product.result, "Acc", backend)
    if size is None or size <= backend.memory["Acc"] or product.adds:
        return product
    if spaces[0] == "Vec":
        return replace(product, reasons=(NO_PLACE,), whole=True)
    return _oversized(product, stmt.var, known, backend)


def _refused(product: Product) -> str | None:
    """Why a product cannot be cut at all."""
    dtypes = (product.lhs.dtype, product.rhs.dtype, product.result.dtype)
    if any(dtype is not None and dtype.bits < 8 for dtype in dtypes):
        return SUB_BYTE
    if product.depth % FRACTAL:
        return ODD_DEPTH
    return SMALL if min(product.rows, product.columns) < FRACTAL else None


def _oversized(product: Product, result: ir.Var, known: _Kernel, backend: Backend) -> Product:
    """A product that does not fit Acc: it can be cut where it is stored at once or only multiplied further."""
    uses = known.uses.get(result)
    if uses is None or uses.escapes or known.stored_only(result):
        return product
    if any(call.op == "tile.cast" for call, _ in uses.all):
        return product  # the conversion may be part of the cut
    first = uses.all[0][0].span
    if known.used_as_operand_only(result):
        if backend.alias == _NARROW_SCRATCH:
            return replace(product, reasons=(WIDE_CHAIN, NO_PLACE), whole=True, consumer=first)
        return product
    return replace(product, reasons=(NO_PLACE,), whole=True, consumer=first)


def unfolded_casts(kernel: TileKernel, backend: Backend) -> Iterator[UnfoldedCast]:
    """Conversions of a product that only further products use and that go through the vector core."""
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
