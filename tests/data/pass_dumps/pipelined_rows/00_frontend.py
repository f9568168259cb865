# pypto.program: PipelinedRows
import pypto.language as pl

@pl.program
class PipelinedRows:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def even(a: pl.Tensor[[512, 64], pl.FP32], out: pl.Out[pl.Tensor[[512, 64], pl.FP32]]) -> pl.Tensor[[512, 64], pl.FP32]:
        for i in pl.pipeline(8, stage=2):
            row: pl.Scalar[pl.INDEX] = i * 64
            rows: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [row, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
            more: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.adds(rows, 1.0)
            out: pl.Tensor[[512, 64], pl.FP32] = pl.tile.store(more, [row, 0], out)
        return out
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def rest(a: pl.Tensor[[448, 64], pl.FP32], out: pl.Out[pl.Tensor[[448, 64], pl.FP32]]) -> pl.Tensor[[448, 64], pl.FP32]:
        for i in pl.pipeline(7, stage=3):
            rows: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [i * 64, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
            out: pl.Tensor[[448, 64], pl.FP32] = pl.tile.store(pl.tile.muls(rows, 2.0), [i * 64, 0], out)
        return out
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def total(a: pl.Tensor[[320, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        sum_: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
        for i in pl.pipeline(1, 5, stage=2):
            rows: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [i * 64, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
            sum_: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.add(sum_, rows)
        out: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(sum_, [0, 0], out)
        return out
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main(self, a: pl.Tensor[[512, 64], pl.FP32], b: pl.Tensor[[448, 64], pl.FP32], c: pl.Tensor[[320, 64], pl.FP32], even: pl.Out[pl.Tensor[[512, 64], pl.FP32]], rest: pl.Out[pl.Tensor[[448, 64], pl.FP32]], total: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        even: pl.Tensor[[512, 64], pl.FP32] = self.even(a, even)
        rest: pl.Tensor[[448, 64], pl.FP32] = self.rest(b, rest)
        total: pl.Tensor[[64, 64], pl.FP32] = self.total(c, total)