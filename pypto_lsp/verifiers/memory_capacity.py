"""AllocatedMemoryAddr: a kernel needs more on-chip memory than the core has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pypto_lsp.backends import Backend
from pypto_lsp.diagnostics import Diagnostic, Related
from pypto_lsp.ir.nodes import Program
from pypto_lsp.ir.places import in_parameters
from pypto_lsp.ir.types import Origin, origin_of
from pypto_lsp.passes.matmul_tiling import Product, matrix_products
from pypto_lsp.passes.memory import Buffer, KernelMemory, SpaceUse, kernel_memory, tile_bytes
from pypto_lsp.passes.operand_memory import OperandUse, operand_uses
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.text import Span
from pypto_lsp.verifiers.rule import Rule, RuleContext, related

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


class AllocatedMemoryAddr(Rule):
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

    def steps(self, program: Program, context: RuleContext) -> Iterator[None]:
        for kernel in context.kernels(program):
            if not kernel.kernel.uncertain:
                self._in_kernel(kernel, program, context)
                yield

    def verify(self, program: Program, context: RuleContext) -> list[Diagnostic]:
        found: list[Diagnostic] = []
        for kernel in context.kernels(program):
            if not kernel.kernel.uncertain:
                found += self._in_kernel(kernel, program, context)
        return found

    def _in_kernel(self, kernel: TileKernel, program: Program, context: RuleContext) -> Iterable[Diagnostic]:
        """The findings in a kernel. Whether it fits is found out once; where to show that it does not depends on the program."""
        key = (self, context.backend.name)
        if kernel.facts.get(key):
            return ()
        found = tuple(self._kernel(kernel, program, context))
        kernel.facts[key] = not found
        return found

    def _kernel(self, kernel: TileKernel, program: Program, context: RuleContext) -> Iterable[Diagnostic]:
        """One finding: the first tile that is too large, else a product that is, else a space too small for all together."""
        memory = kernel_memory(kernel, context.backend)
        spaces = [use for use in memory.spaces if use.space not in _CUT]
        for use in spaces:
            alone = next((b for b in memory.buffers if b.space == use.space and b.size > use.limit), None)
            if alone is not None:
                return self._tile(alone, use, kernel)
        for space, product, size in _whole_products(kernel, context.backend):
            return self._product(space, product, size, kernel, program, context.backend)
        for use in spaces:
            if use.needed > use.limit:
                return self._together(use, memory, program)
        for operands in operand_uses(kernel, context.backend):
            if operands.needed > operands.limit:
                return self._operands(operands, kernel)
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

    def _together(self, use: SpaceUse, memory: KernelMemory, program: Program) -> Iterable[Diagnostic]:
        """Tiles that do not fit together: shown at the extent that all of them have from one constant, else at the tile that is
        one too many, else at the head of the kernel."""
        kernel = memory.kernel.kernel
        ring = f", {use.ring} of them for the tiles that the cores exchange" if use.ring else ""
        shared = _outer_constant([buffer.type.shape or () for buffer in use.tiles], program)
        last = _first_too_many(use)
        head = _header(kernel.span if kernel.scope is not None else kernel.function.name_span or kernel.span)
        place = shared.span if shared is not None else last.span if last is not None and last.span is not None else head
        others = sorted((b for b in use.tiles if b.span not in (None, place)), key=lambda b: -b.size)
        return self.finding(
            1,
            place,
            f"the kernel needs at least {use.needed} bytes of {use.space}{ring} and there are {use.limit}",
            function=kernel.function,
            related=tuple(Related(b.span, f"a buffer of {b.size} bytes") for b in others[:_MAX_RELATED] if b.span),
            subject=use,
            space=use.space,
            used=use.needed,
            limit=use.limit,
        )

    def _product(
        self, space: str, product: Product, size: int, kernel: TileKernel, program: Program, backend: Backend
    ) -> Iterable[Diagnostic]:
        """A product that must be computed as one and does not fit: a result has no extents of its own, so it is shown at the
        constant that sets its rows, where there is one; else at the product."""
        what = "result" if space == "Acc" else "left operand" if space == "Left" else "right operand"
        constant = _outer_constant([(product.rows, product.columns)], program) if space == "Acc" else None
        places = related(product.span, "this product") if constant is not None else ()
        return self.finding(
            1,
            constant.span if constant is not None else product.span,
            f"the {what} of {'a' if constant is not None else 'this'} product takes {size} bytes, {space} has "
            f"{backend.memory[space]}, and the product cannot be cut into tiles",
            function=kernel.function,
            related=(*places, *related(product.consumer, "this use keeps it on chip")),
            subject=product,
            space=space,
            used=size,
            limit=backend.memory[space],
        )

    def _operands(self, use: OperandUse, kernel: TileKernel) -> Iterable[Diagnostic]:
        """Products whose operands cannot share the cube core's memory: shown at the one that needs a buffer too many."""
        last = next(
            piece
            for number, piece in enumerate(use.pieces)
            if sum(p.size for p in use.pieces[: number + 1]) > use.limit
        )
        others = {piece.product.span.key(): piece for piece in use.pieces if piece.product is not last.product}
        return self.finding(
            1,
            last.product.span,
            f"the products of this kernel need at least {use.needed} bytes of {use.space} for their operands and there are {use.limit}",
            function=kernel.function,
            related=tuple(
                Related(p.product.span, f"this product needs a buffer of {p.size} bytes") for p in others.values()
            ),
            subject=use,
            space=use.space,
            used=use.needed,
            limit=use.limit,
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


def _outer_constant(shapes: Iterable[Sequence[object]], program: Program) -> Origin | None:
    """The constant or number in a kernel's parameters that alone sets the outermost extent of all shapes."""
    found: dict[tuple[str, int, int], Origin] = {}
    for shape in shapes:
        outer = next((extent for extent in shape if extent != 1), None)
        origin = origin_of(outer)
        literals = origin.literals() if origin is not None else []
        if len(literals) != 1:
            return None
        found[literals[0].span.key()] = literals[0]
    (constant,) = found.values() if len(found) == 1 else (None,)
    return constant if constant is not None and (constant.name or in_parameters(constant.span, program)) else None


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
