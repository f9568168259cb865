"""AllocatedMemoryAddr: a kernel needs more on-chip memory than the core has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pypto_lsp.backends import Backend
from pypto_lsp.diagnostics import Diagnostic, Related
from pypto_lsp.ir.types import Origin, origin_of
from pypto_lsp.passes.matmul_tiling import Product, matrix_products
from pypto_lsp.passes.memory import Buffer, KernelMemory, SpaceUse, kernel_memory, tile_bytes
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.text import Span
from pypto_lsp.verifiers.kernel_rule import KernelRule
from pypto_lsp.verifiers.rule import RuleContext, related

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(
        self, x: pl.Tensor[[512, 1024], pl.FP16], o: pl.Out[pl.Tensor[[512, 1024], pl.FP16]]
    ) -> pl.Tensor[[512, 1024], pl.FP16]:
        t = {load}
        o = pl.store(t, [0, 0], o)
        return o
"""
#: spaces whose tiles the compiler itself cuts to size
_CUT = frozenset({"Acc"})
_MAX_RELATED = 5


class AllocatedMemoryAddr(KernelRule):
    """
    ## What it does
    Adds up the tiles of a kernel that are alive at one time in each memory space and compares them with the target's memory.
    It reports a tile that alone exceeds it, and a kernel whose tiles together certainly do.

    ## Why is this bad
    The compiler stops when it places the tiles, without saying where.

    ## Fix
    Work on a part of the data at a time: loop over rows and slice them.
    """

    rule_name = "AllocatedMemoryAddr"
    ir_property = "AllocatedMemoryAddr"
    codes = {1: "a kernel needs more on-chip memory than there is"}
    stage = "AllocateMemoryAddr"
    VALID = (_FRAME.format(load="pl.load(x, [0, 0], [92, 1024])"),)
    INVALID = (
        _FRAME.format(load="⟦pl.load(x, [0, 0], [93, 1024])⟧"),
        "ROWS = ⟦93⟧\n" + _FRAME.format(load="pl.load(x, [0, 0], [ROWS, 1024])"),
    )

    def kernel(self, kernel: TileKernel, context: RuleContext) -> Iterable[Diagnostic]:
        """One finding: the first tile that is too large, else a product that is, else a space too small for all together."""
        memory = kernel_memory(kernel, context.backend)
        spaces = [use for use in memory.spaces if use.space not in _CUT]
        for use in spaces:
            alone = next((b for b in memory.buffers if b.space == use.space and b.size > use.limit), None)
            if alone is not None:
                return self._tile(alone, use, kernel)
        for space, product, size in _whole_products(kernel, context.backend):
            return self._product(space, product, size, kernel, context.backend)
        for use in spaces:
            if use.needed > use.limit:
                return self._together(use, memory)
        return ()

    def _tile(self, buffer: Buffer, use: SpaceUse, kernel: TileKernel) -> Iterable[Diagnostic]:
        """A tile that is too large: shown at the constant that alone sets its size, else at the tile."""
        constants = _constants(buffer)
        if len(constants) == 1 and constants[0].literal:
            span: Span | None = constants[0].span
            message = f"'{constants[0].name}' makes a tile of {buffer.size} bytes and {use.space} has {use.limit}"
            places = related(buffer.span, f"this tile of {buffer.size} bytes")
        else:
            span = buffer.span
            message = f"this tile takes {buffer.size} bytes and {use.space} has {use.limit}"
            places = tuple(Related(c.span, f"'{c.name}' sets an extent") for c in constants)
        return self.finding(
            1,
            span,
            message,
            function=kernel.function,
            related=places,
            subject=buffer,
            space=use.space,
            used=buffer.size,
            limit=use.limit,
        )

    def _together(self, use: SpaceUse, memory: KernelMemory) -> Iterable[Diagnostic]:
        """Tiles that do not fit together: shown at the one that is too many, else at the head of the kernel."""
        kernel = memory.kernel.kernel
        ring = f", {use.ring} of them for the tiles that the cores exchange" if use.ring else ""
        last = _first_too_many(use)
        others = sorted((b for b in use.tiles if b is not last and b.span is not None), key=lambda b: -b.size)
        head = kernel.span if kernel.scope is not None else kernel.function.name_span or kernel.span
        return self.finding(
            1,
            last.span if last is not None and last.span is not None else _header(head),
            f"the kernel needs at least {use.needed} bytes of {use.space}{ring} and there are {use.limit}",
            function=kernel.function,
            related=tuple(
                Related(b.span, f"{b.size} bytes alive at the same time") for b in others[:_MAX_RELATED] if b.span
            ),
            subject=use,
            space=use.space,
            used=use.needed,
            limit=use.limit,
        )

    def _product(
        self, space: str, product: Product, size: int, kernel: TileKernel, backend: Backend
    ) -> Iterable[Diagnostic]:
        what = "result" if space == "Acc" else "left operand" if space == "Left" else "right operand"
        return self.finding(
            1,
            product.span,
            f"the {what} of this product takes {size} bytes, {space} has {backend.memory[space]}, and the product cannot be "
            "cut into tiles",
            function=kernel.function,
            related=() if product.consumer is None else (Related(product.consumer, "this use keeps it on chip"),),
            subject=product,
            space=space,
            used=size,
            limit=backend.memory[space],
        )


def _whole_products(kernel: TileKernel, backend: Backend) -> Iterator[tuple[str, Product, int]]:
    """Matrix products that are left whole and do not fit the cube core's memory, with the space that is too small.

    One that is fed the uncut result of another comes first: it is what keeps the other from being cut.
    """
    whole = [product for product in matrix_products(kernel, backend) if product.whole]
    for product in sorted(whole, key=lambda product: not product.fed):
        for space, tile in (("Acc", product.result), ("Left", product.lhs), ("Right", product.rhs)):
            size = tile_bytes(tile, space, backend)
            if size is not None and size > backend.memory[space]:
                yield space, product, size
                break


def _first_too_many(use: SpaceUse) -> Buffer | None:
    """The first tile, as the kernel makes them, with which those alive at once exceed the space."""
    total = use.ring
    for buffer in sorted(use.tiles, key=lambda b: b.born):
        total += buffer.size
        if total > use.limit:
            return buffer
    return None


def _constants(buffer: Buffer) -> list[Origin]:
    """The named constants of the tile's file that set its extents, also those that are computed from others."""
    found: dict[tuple[str, int, int], Origin] = {}
    for extent in buffer.type.shape or ():
        origin = origin_of(extent)
        if origin is not None and origin.name and buffer.span is not None and origin.span.path == buffer.span.path:
            found.setdefault(origin.span.key(), origin)
        elif origin is not None and origin.inputs:
            found.update((place.span.key(), replace(place, literal=False)) for place in _named(origin.inputs))
    return list(found.values())


def _named(origins: Iterable[Origin]) -> Iterator[Origin]:
    """The constants with a name that a value was computed from."""
    for origin in origins:
        if origin.name:
            yield origin
        else:
            yield from _named(origin.inputs)


def _header(span: Span | None) -> Span | None:
    """The first line of a statement that spans several."""
    if span is None:
        return None
    first = span.text.split("\n", 1)[0].rstrip()
    return Span(span.anchor, span.start, span.start + len(first))
