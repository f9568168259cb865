# pypto.program: PipelinedRows
import pypto.language as pl

@pl.program
class PipelinedRows:
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def even(a__ssa_v0: pl.Tensor[[512, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 131072)], out__ssa_v0: pl.Out[pl.Tensor[[512, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 131072)]]) -> pl.Tensor[[512, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
        for i__idx_v0, (out__iter_v1,) in pl.range(0, 8, 2, init_values=(out__ssa_v0,)):
            row__ssa_v0: pl.Scalar[pl.INDEX] = i__idx_v0 * 64
            row__ssa_v0_1: pl.Scalar[pl.INDEX] = (i__idx_v0 + 1) * 64
            rows__ssa_v0: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [row__ssa_v0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
            rows__ssa_v0_1: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_3, pl.const(16384, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [row__ssa_v0_1, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
            more__ssa_v0: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.adds(rows__ssa_v0, 1.0)
            out__ssa_v3: pl.Tensor[[512, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 131072)] = pl.tile.store(more__ssa_v0, [row__ssa_v0, 0], out__iter_v1)
            more__ssa_v0_1: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_3, pl.const(16384, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.adds(rows__ssa_v0_1, 1.0)
            out__ssa_v3_1: pl.Tensor[[512, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 131072)] = pl.tile.store(more__ssa_v0_1, [row__ssa_v0_1, 0], out__ssa_v3)
            out__rv_v2: pl.Tensor[[512, 64], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 131072)] = pl.yield_(out__ssa_v3_1)
        return out__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def rest(a__ssa_v0: pl.Tensor[[448, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 114688)], out__ssa_v0: pl.Out[pl.Tensor[[448, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 114688)]]) -> pl.Tensor[[448, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
        mem_vec_4: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
        for i__idx_v0, (out__iter_v1,) in pl.range(0, 6, 3, init_values=(out__ssa_v0,)):
            rows__ssa_v0: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [i__idx_v0 * 64, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
            rows__ssa_v0_1: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_3, pl.const(16384, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [(i__idx_v0 + 1) * 64, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
            rows__ssa_v0_2: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_4, pl.const(32768, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [(i__idx_v0 + 2) * 64, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
            t__tmp_v0: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.muls(rows__ssa_v0, 2.0)
            out__ssa_v3: pl.Tensor[[448, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 114688)] = pl.tile.store(t__tmp_v0, [i__idx_v0 * 64, 0], out__iter_v1)
            t__tmp_v0_1: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_3, pl.const(16384, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.muls(rows__ssa_v0_1, 2.0)
            out__ssa_v3_1: pl.Tensor[[448, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 114688)] = pl.tile.store(t__tmp_v0_1, [(i__idx_v0 + 1) * 64, 0], out__ssa_v3)
            t__tmp_v0_2: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_4, pl.const(32768, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.muls(rows__ssa_v0_2, 2.0)
            out__ssa_v3_2: pl.Tensor[[448, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 114688)] = pl.tile.store(t__tmp_v0_2, [(i__idx_v0 + 2) * 64, 0], out__ssa_v3_1)
            out__rv_v2_main: pl.Tensor[[448, 64], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 114688)] = pl.yield_(out__ssa_v3_2)
        rows__ssa_v0_3: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [pl.const(6, pl.INDEX) * pl.const(64, pl.INDEX), 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
        t__tmp_v0_3: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.muls(rows__ssa_v0_3, 2.0)
        out__ssa_v3_3: pl.Tensor[[448, 64], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 114688)] = pl.tile.store(t__tmp_v0_3, [pl.const(6, pl.INDEX) * pl.const(64, pl.INDEX), 0], out__rv_v2_main)
        out__rv_v2: pl.Tensor[[448, 64], pl.FP32, pl.MemRef("mem_ddr_11", pl.const(0, pl.INT64), 114688)] = out__ssa_v3_3
        return out__ssa_v0
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def total(a__ssa_v0: pl.Tensor[[320, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 81920)], out__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 16384)]]) -> pl.Tensor[[64, 64], pl.FP32]:
        mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
        mem_vec_3: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
        mem_vec_4: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 16384)
        sum___ssa_v0: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
        for i__idx_v0, (sum___iter_v1,) in pl.range(1, 5, 2, init_values=(sum___ssa_v0,)):
            rows__ssa_v0: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_3, pl.const(16384, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [i__idx_v0 * 64, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
            rows__ssa_v0_1: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_4, pl.const(32768, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [(i__idx_v0 + 1) * 64, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
            sum___ssa_v3: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_3, pl.const(16384, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.add(sum___iter_v1, rows__ssa_v0)
            sum___ssa_v3_1: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.tile.add(sum___ssa_v3, rows__ssa_v0_1)
            sum___rv_v2: pl.Tile[[64, 64], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 16384), pl.Mem.Vec] = pl.yield_(sum___ssa_v3_1)
        out__ssa_v1: pl.Tensor[[64, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 16384)] = pl.tile.store(sum___rv_v2, [0, 0], out__ssa_v0)
        return out__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main(self, a__ssa_v0: pl.Tensor[[512, 64], pl.FP32, pl.MemRef("mem_ddr_0", pl.const(0, pl.INT64), 131072)], b__ssa_v0: pl.Tensor[[448, 64], pl.FP32, pl.MemRef("mem_ddr_1", pl.const(0, pl.INT64), 114688)], c__ssa_v0: pl.Tensor[[320, 64], pl.FP32, pl.MemRef("mem_ddr_2", pl.const(0, pl.INT64), 81920)], even__ssa_v0: pl.Out[pl.Tensor[[512, 64], pl.FP32, pl.MemRef("mem_ddr_3", pl.const(0, pl.INT64), 131072)]], rest__ssa_v0: pl.Out[pl.Tensor[[448, 64], pl.FP32, pl.MemRef("mem_ddr_4", pl.const(0, pl.INT64), 114688)]], total__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32, pl.MemRef("mem_ddr_5", pl.const(0, pl.INT64), 16384)]]):
        even__ssa_v1: pl.Tensor[[512, 64], pl.FP32, pl.MemRef("mem_ddr_6", pl.const(0, pl.INT64), 131072)] = self.even(a__ssa_v0, even__ssa_v0)
        rest__ssa_v1: pl.Tensor[[448, 64], pl.FP32, pl.MemRef("mem_ddr_7", pl.const(0, pl.INT64), 114688)] = self.rest(b__ssa_v0, rest__ssa_v0)
        total__ssa_v1: pl.Tensor[[64, 64], pl.FP32, pl.MemRef("mem_ddr_8", pl.const(0, pl.INT64), 16384)] = self.total(c__ssa_v0, total__ssa_v0)