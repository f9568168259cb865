"""The tile into which AutoTileMatmulL0 cuts a matrix product: the one that a model of the cube core's pipes finds fastest.

All legal tiles are compared. A tile of m x n x k needs m x k elements of the left buffer, k x n of the right one and m x n of
the accumulator; an operand that changes from step to step is buffered twice. Its time is that of the slower of two pipes,
loading operands and multiplying, and then that of draining results. Times are in cycles, widths in bytes per cycle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pypto_lsp.backends import Backend

#: extents of the smallest block that the cube core works on
FRACTAL = 16
#: bytes of a row of a block
_BLOCK_ROW = 32


@dataclass(frozen=True, slots=True)
class _Pipes:
    """``left`` and ``right`` are the widths of the operands' ports, ``drain`` that of the results' port; a drain costs
    ``drain_start``, each row at least ``drain_row``, and ``drain_odd`` more for every pass that an odd number of blocks adds.
    A multiplication costs ``start``; FP32 takes ``fp32_passes`` passes."""

    left: float
    right: float
    drain: float
    drain_start: float
    drain_row: float
    drain_odd: float
    start: int
    fp32_passes: int


_PIPES = {
    "a2a3": _Pipes(129.7, 85.4, 118.0, 164.0, 4.45, 2.6, 21, 2),
    "a5": _Pipes(206.3, 223.8, 30.0, 343.4, 4.59, 0.26, 25, 8),
}


@dataclass(frozen=True, slots=True)
class ProductShape:
    """A product of rows x depth by depth x columns elements, with the bytes of an element of each operand and of the result.
    ``row_unit``: rows of the accumulator are allotted in multiples of this."""

    rows: int
    columns: int
    depth: int
    left_bytes: int
    right_bytes: int
    result_bytes: int
    row_unit: int = FRACTAL


@dataclass(frozen=True, slots=True)
class L0Tile:
    rows: int
    columns: int
    depth: int


def chosen_tile(shape: ProductShape, backend: Backend) -> L0Tile | None:
    """The tile for a product whose extents are at least one block and whose depth is whole blocks; None when no tile fits."""
    sizes = tuple(backend.memory[space] for space in ("Left", "Right", "Acc"))
    return _chosen(shape, backend.alias, sizes)


@lru_cache(maxsize=4096)
def _chosen(shape: ProductShape, alias: str, sizes: tuple[int, ...]) -> L0Tile | None:
    search = _Search(shape, _PIPES[alias], sizes)
    best = search.best(2, 2, None)
    if best is None:
        return None
    if (best.m, best.n, best.k) != (shape.rows, shape.columns, shape.depth):
        for left_copies, right_copies, held in ((1, 2, "left"), (2, 1, "right")):
            other = search.best(left_copies, right_copies, held)
            if other is not None and other.order[0] < best.order[0]:
                best = other
    return L0Tile(best.m, best.n, best.k)


@dataclass(slots=True)
class _Candidate:
    """A tile; ``order`` sorts candidates, the best first, by time and then by what is likely to be better in fact."""

    order: tuple[float, ...]
    m: int
    n: int
    k: int


class _Search:
    """All tiles of one product on one target; ``sizes`` are the bytes of the buffers for operands and results."""

    def __init__(self, shape: ProductShape, pipes: _Pipes, sizes: tuple[int, ...]) -> None:
        self.shape = shape
        self.pipes = pipes
        self.left, self.right, self.results = sizes

    def best(self, left_copies: int, right_copies: int, held: str | None) -> _Candidate | None:
        """The best tile with so many buffers for each operand. An operand that is held is loaded in its whole depth."""
        best: _Candidate | None = None
        for m, n, deepest in self._extents(left_copies, right_copies):
            drain = self._drain(m, n)
            for k in range(FRACTAL, deepest + 1, FRACTAL):
                if held and k != self.shape.depth:
                    continue
                candidate = self._candidate(m, n, k, drain, held)
                if best is None or candidate.order < best.order:
                    best = candidate
        return best

    def _extents(self, left_copies: int, right_copies: int) -> Iterator[tuple[int, int, int]]:
        """Every m and n whose results fit, with the largest k whose operands fit."""
        shape = self.shape
        left = self.left // (shape.left_bytes * left_copies)
        right = self.right // (shape.right_bytes * right_copies)
        results = self.results // shape.result_bytes
        for m in range(FRACTAL, shape.rows + 1, FRACTAL):
            widest = min(shape.columns, results // (-(-m // shape.row_unit) * shape.row_unit))
            for n in range(FRACTAL, widest + 1, FRACTAL):
                deepest = min(left // m, right // n, shape.depth)
                yield m, n, deepest // FRACTAL * FRACTAL

    def _candidate(self, m: int, n: int, k: int, drain: float, held: str | None) -> _Candidate:
        shape = self.shape
        load, work = self._load(m, n, k, held), self._work(m, n, k)
        time = math.floor(max(load, work) + drain + 0.5)
        steps = -(-shape.depth // k)
        padded = -(-shape.rows // m) * m * -(-shape.columns // n) * n * steps * k
        return _Candidate((time, padded, steps, load, -m * n, -k), m, n, k)

    def _load(self, m: int, n: int, k: int, held: str | None) -> float:
        """Loading the operands: one that is not held comes again for every tile of the other axis."""
        shape, pipes = self.shape, self.pipes
        across, down = float(-(-shape.columns // n)), float(-(-shape.rows // m))
        left = float(shape.left_bytes) * shape.rows * shape.depth
        right = float(shape.right_bytes) * shape.depth * shape.columns
        hold_left = left / pipes.left + right * down / pipes.right
        hold_right = left * across / pipes.left + right / pipes.right
        if held == "left":
            return hold_left
        if held == "right":
            return hold_right
        if k >= shape.depth:
            return hold_left if hold_left <= hold_right else hold_right
        return left * across / pipes.left + right * down / pipes.right

    def _work(self, m: int, n: int, k: int) -> float:
        """Multiplying: the last step in depth may be shorter than the others."""
        shape, pipes = self.shape, self.pipes
        width = max(1, _BLOCK_ROW // shape.left_bytes)
        passes = max(1, pipes.fp32_passes) if shape.left_bytes == 4 else max(1, shape.left_bytes // 2)
        whole, rest = divmod(shape.depth, k)
        blocks = whole * -(-k // width) + (-(-rest // width) if rest else 0)
        steps = whole + (1 if rest else 0)
        each = steps * pipes.start + passes * -(-m // FRACTAL) * blocks * -(-n // FRACTAL)
        return float(-(-shape.rows // m) * -(-shape.columns // n) * each)

    def _drain(self, m: int, n: int) -> float:
        """Storing the results, tile by tile and row by row."""
        shape, pipes = self.shape, self.pipes
        tiles = float(-(-shape.rows // m) * -(-shape.columns // n))
        blocks = -(-n // max(1, _BLOCK_ROW // shape.result_bytes))
        row = max(pipes.drain_row, float(shape.result_bytes) * n / pipes.drain)
        row += pipes.drain_odd * (blocks // (blocks & -blocks) - 1)
        return tiles * (pipes.drain_start + m * row)
