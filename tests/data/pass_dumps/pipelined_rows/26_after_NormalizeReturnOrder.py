# pypto.program: PipelinedRows
import pypto.language as pl

@pl.program
class PipelinedRows:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def even(a__ssa_v0: pl.Tensor[[512, 64], pl.FP32], out__ssa_v0: pl.Out[pl.Tensor[[512, 64], pl.FP32]]) -> pl.Tensor[[512, 64], pl.FP32]:
        for i__idx_v0, (out__iter_v1,) in pl.pipeline(8, stage=2, init_values=(out__ssa_v0,)):
            row__ssa_v0: pl.Scalar[pl.INDEX] = i__idx_v0 * 64
            rows__ssa_v0: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [row__ssa_v0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
            more__ssa_v0: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.adds(rows__ssa_v0, 1.0)
            out__ssa_v3: pl.Tensor[[512, 64], pl.FP32] = pl.tile.store(more__ssa_v0, [row__ssa_v0, 0], out__iter_v1)
            out__rv_v2: pl.Tensor[[512, 64], pl.FP32] = pl.yield_(out__ssa_v3)
        return out__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def rest(a__ssa_v0: pl.Tensor[[448, 64], pl.FP32], out__ssa_v0: pl.Out[pl.Tensor[[448, 64], pl.FP32]]) -> pl.Tensor[[448, 64], pl.FP32]:
        for i__idx_v0, (out__iter_v1,) in pl.pipeline(7, stage=3, init_values=(out__ssa_v0,)):
            rows__ssa_v0: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [i__idx_v0 * 64, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
            t__tmp_v0: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.muls(rows__ssa_v0, 2.0)
            out__ssa_v3: pl.Tensor[[448, 64], pl.FP32] = pl.tile.store(t__tmp_v0, [i__idx_v0 * 64, 0], out__iter_v1)
            out__rv_v2: pl.Tensor[[448, 64], pl.FP32] = pl.yield_(out__ssa_v3)
        return out__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def total(a__ssa_v0: pl.Tensor[[320, 64], pl.FP32], out__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        sum___ssa_v0: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
        for i__idx_v0, (sum___iter_v1,) in pl.pipeline(1, 5, stage=2, init_values=(sum___ssa_v0,)):
            rows__ssa_v0: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [i__idx_v0 * 64, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
            sum___ssa_v3: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.add(sum___iter_v1, rows__ssa_v0)
            sum___rv_v2: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.yield_(sum___ssa_v3)
        out__ssa_v1: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(sum___rv_v2, [0, 0], out__ssa_v0)
        return out__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main(self, a__ssa_v0: pl.Tensor[[512, 64], pl.FP32], b__ssa_v0: pl.Tensor[[448, 64], pl.FP32], c__ssa_v0: pl.Tensor[[320, 64], pl.FP32], even__ssa_v0: pl.Out[pl.Tensor[[512, 64], pl.FP32]], rest__ssa_v0: pl.Out[pl.Tensor[[448, 64], pl.FP32]], total__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        even__ssa_v1: pl.Tensor[[512, 64], pl.FP32] = self.even(a__ssa_v0, even__ssa_v0)
        rest__ssa_v1: pl.Tensor[[448, 64], pl.FP32] = self.rest(b__ssa_v0, rest__ssa_v0)
        total__ssa_v1: pl.Tensor[[64, 64], pl.FP32] = self.total(c__ssa_v0, total__ssa_v0)