"""A two-phase kernel: every vector core writes its part, all of them meet, then each reads its neighbour's.

The launch starts 24 blocks. The barrier waits for all 48 vector cores of Ascend910B, so the device hangs.
"""

import pypto.language as pl

ROWS = 768
COLS = 256
PART = 16


@pl.program
class TwoPhase:
    @pl.function(type=pl.FunctionType.InCore)
    def exchange(
        self, x: pl.Tensor[[ROWS, COLS], pl.FP32], out: pl.Out[pl.Tensor[[ROWS, COLS], pl.FP32]]
    ) -> pl.Tensor[[ROWS, COLS], pl.FP32]:
        block = pl.tile.get_block_idx()
        part = pl.load(x, [block * PART, 0], [PART, COLS])
        pl.system.syncall(core_type="aiv_only")
        out = pl.store(pl.exp(part), [block * PART, 0], out)
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self, x: pl.Tensor[[ROWS, COLS], pl.FP32], out: pl.Out[pl.Tensor[[ROWS, COLS], pl.FP32]]
    ) -> pl.Tensor[[ROWS, COLS], pl.FP32]:
        with pl.spmd(24):
            out = self.exchange(x, out)
        return out
