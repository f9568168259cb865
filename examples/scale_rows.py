"""Scale a wide matrix by a factor, one block of rows and columns at a time.

Two findings: the tile is 64 columns wide, so every row of a transfer is 256 bytes where the bus wants 512 (PH001), and a
value is computed that nothing reads.
"""

import pypto.language as pl

from tiling import COL_TILE, ROW_TILE

ROWS = 1024
COLS = 4096


@pl.jit
def scale_rows(
    x: pl.Tensor[[ROWS, COLS], pl.FP32],
    factor: pl.Scalar[pl.FP32],
    out: pl.Out[pl.Tensor[[ROWS, COLS], pl.FP32]],
):
    for r in pl.parallel(0, ROWS, ROW_TILE):
        for c in pl.range(0, COLS, COL_TILE):
            with pl.at(level=pl.Level.CORE_GROUP, name_hint="scale"):
                tile = x[r : r + ROW_TILE, c : c + COL_TILE]
                largest = pl.row_max(tile)
                out[r : r + ROW_TILE, c : c + COL_TILE] = pl.mul(tile, factor)
    return out
