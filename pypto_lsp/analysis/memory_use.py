"""What the kernels of a file need of on-chip memory, with the places of their tiles: for the command and for an editor's view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pypto_lsp.analysis.report import FileReport
from pypto_lsp.backends import Backend
from pypto_lsp.passes.incremental import Pipeline
from pypto_lsp.passes.memory import Buffer, KernelMemory, SpaceUse, kernel_memory
from pypto_lsp.passes.operand_memory import OperandUse, operand_uses
from pypto_lsp.text import Span


@dataclass(frozen=True, slots=True)
class TileUse:
    """A tile with its bytes and the expression that makes it; ``last`` is the last statement that uses it, None where that is not
    known."""

    name: str
    size: int
    span: Span | None
    last: Span | None = None


@dataclass(frozen=True, slots=True)
class SpaceEntry:
    """A memory space: at least ``needed`` of its ``limit`` bytes, ``ring`` of them for the exchange between the cores. ``tiles`` are
    those that need a buffer of their own, the largest first; ``buffers`` all that are known, as the kernel makes them."""

    space: str
    needed: int
    limit: int
    ring: int
    tiles: tuple[TileUse, ...]
    buffers: tuple[TileUse, ...]


@dataclass(frozen=True, slots=True)
class KernelEntry:
    """A kernel and its spaces. ``complete`` is false where tiles of unknown size come on top."""

    unit: str
    name: str
    lane: str
    complete: bool
    span: Span | None
    spaces: tuple[SpaceEntry, ...]


def memory_use(report: FileReport, target: Backend) -> Iterator[KernelEntry]:
    """The kernels of a file's units."""
    for unit in report.units:
        for kernel in Pipeline().kernels(unit.program, target):
            memory = kernel_memory(kernel, target)
            spaces = [_space(use, memory) for use in memory.spaces]
            written = {entry.space for entry in spaces}
            spaces += [_operands(use) for use in operand_uses(kernel, target) if use.space not in written]
            yield KernelEntry(
                unit.name,
                kernel.kernel.name or kernel.function.name,
                kernel.lane.value,
                kernel.kernel.known and not kernel.kernel.uncertain,
                kernel.kernel.span or kernel.function.span,
                tuple(spaces),
            )


def _space(use: SpaceUse, memory: KernelMemory) -> SpaceEntry:
    buffers = sorted((b for b in memory.buffers if b.space == use.space), key=lambda b: b.born)
    tiles = sorted(use.tiles, key=lambda b: -b.size)
    return SpaceEntry(
        use.space,
        use.needed,
        use.limit,
        use.ring,
        tuple(_tile(buffer, memory) for buffer in tiles),
        tuple(_tile(buffer, memory) for buffer in buffers),
    )


def _tile(buffer: Buffer, memory: KernelMemory) -> TileUse:
    return TileUse(buffer.name, buffer.size, buffer.span, memory.places.get(buffer.dies))


def _operands(use: OperandUse) -> SpaceEntry:
    pieces = tuple(TileUse(piece.product.var.name, piece.size, piece.product.span) for piece in use.pieces)
    return SpaceEntry(use.space, use.needed, use.limit, 0, pieces, pieces)
