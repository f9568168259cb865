# pypto.program: Scopes
import pypto.language as pl

@pl.program
class Scopes:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_4(x__ssa_v0: pl.Tensor[[256, 128], pl.FP32], o__ssa_v5: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> pl.Tensor[[256, 128], pl.FP32]:
        t__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x__ssa_v0, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)
        part__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.exp(t__tile)
        b__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
        t__tile_1: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.abs(part__tile)
        o__tile: pl.Tensor[[256, 128], pl.FP32] = pl.tile.store(t__tile_1, [b__ssa_v0 * 64, 0], o__ssa_v5)
        return o__ssa_v5
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def main_cluster_0(x__ssa_v0: pl.Tensor[[256, 128], pl.FP32], o__ssa_v5: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> pl.Tensor[[256, 128], pl.FP32]:
        pl.func_attr({"spmd_unwrapped": True})
        o__ssa_v6: pl.Tensor[[256, 128], pl.FP32] = self.main_incore_4(x__ssa_v0, o__ssa_v5)
        return o__ssa_v5
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_2(x__ssa_v0: pl.Tensor[[256, 128], pl.FP32], p__rv_v2: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> pl.Tensor[[256, 128], pl.FP32]:
        x__tile: pl.Tile[[256, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x__ssa_v0, [0, 0], [256, 128], [256, 128], target_memory=pl.Mem.Vec)
        t__tile: pl.Tile[[256, 128], pl.FP32, pl.Mem.Vec] = pl.tile.sqrt(x__tile)
        p__tile: pl.Tensor[[256, 128], pl.FP32] = pl.tile.store(t__tile, [0, 0], p__rv_v2)
        return p__rv_v2
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_3(p__ssa_v4: pl.Tensor[[256, 128], pl.FP32], o__ssa_v4: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> pl.Tensor[[256, 128], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN})
        p__tile: pl.Tile[[256, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(p__ssa_v4, [0, 0], [256, 128], [256, 128], target_memory=pl.Mem.Vec)
        t__tile: pl.Tile[[256, 128], pl.FP32, pl.Mem.Vec] = pl.tile.neg(p__tile)
        o__tile: pl.Tensor[[256, 128], pl.FP32] = pl.tile.store(t__tile, [0, 0], o__ssa_v4)
        return o__ssa_v4
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_5(p__ssa_v4: pl.Tensor[[256, 128], pl.FP32], o__ssa_v6: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> pl.Tensor[[256, 128], pl.FP32]:
        k__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
        t__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(p__ssa_v4, [k__ssa_v0 * 64, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)
        v__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.exp(t__tile)
        o__tile: pl.Tensor[[256, 128], pl.FP32] = pl.tile.store(v__tile, [k__ssa_v0 * 64, 0], o__ssa_v6)
        return o__ssa_v6
    @pl.function(type=pl.FunctionType.Spmd)
    def main_spmd_0(self, p__ssa_v4: pl.Tensor[[256, 128], pl.FP32], o__ssa_v6: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> pl.Tensor[[256, 128], pl.FP32]:
        o__ssa_v7: pl.Tensor[[256, 128], pl.FP32] = self.main_incore_5(p__ssa_v4, o__ssa_v6)
        return o__ssa_v6
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def twice(x__ssa_v0: pl.Tensor[[256, 128], pl.FP32], i__idx_v0: pl.Scalar[pl.INDEX], y__ssa_v0: pl.Tensor[[256, 128], pl.FP32], o__iter_v1: pl.Out[pl.Tensor[[256, 128], pl.FP32]], p__iter_v1: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> tuple[pl.Tensor[[256, 128], pl.FP32], pl.Tensor[[256, 128], pl.FP32]]:
        t__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x__ssa_v0, [i__idx_v0 * 64, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)
        t__tile_1: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(y__ssa_v0, [i__idx_v0 * 64, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)
        u__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.add(t__tile, t__tile_1)
        o__tile: pl.Tensor[[256, 128], pl.FP32] = pl.tile.store(u__tile, [i__idx_v0 * 64, 0], o__iter_v1)
        t__tile_2: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.muls(u__tile, 2.0)
        p__tile: pl.Tensor[[256, 128], pl.FP32] = pl.tile.store(t__tile_2, [i__idx_v0 * 64, 0], p__iter_v1)
        return o__iter_v1, p__iter_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def twice_0(x__ssa_v0: pl.Tensor[[256, 128], pl.FP32], o__rv_v2: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> pl.Tensor[[256, 128], pl.FP32]:
        x__tile: pl.Tile[[256, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x__ssa_v0, [0, 0], [256, 128], [256, 128], target_memory=pl.Mem.Vec)
        w__tile: pl.Tile[[256, 128], pl.FP32, pl.Mem.Vec] = pl.tile.exp(x__tile)
        o__tile: pl.Tensor[[256, 128], pl.FP32] = pl.tile.store(w__tile, [0, 0], o__rv_v2)
        return o__rv_v2
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main(self, x__ssa_v0: pl.Tensor[[256, 128], pl.FP32], y__ssa_v0: pl.Tensor[[256, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[256, 128], pl.FP32]], p__ssa_v0: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> tuple[pl.Tensor[[256, 128], pl.FP32], pl.Tensor[[256, 128], pl.FP32]]:
        n__ssa_v0: pl.Scalar[pl.FP32] = pl.tensor.read(x__ssa_v0, [0, 0])
        for i__idx_v0, (o__iter_v1, p__iter_v1) in pl.parallel(4, init_values=(o__ssa_v0, p__ssa_v0)):
            ret__tmp_v0: pl.Tuple[pl.Tensor[[256, 128], pl.FP32], pl.Tensor[[256, 128], pl.FP32]] = self.twice(x__ssa_v0, i__idx_v0, y__ssa_v0, o__iter_v1, p__iter_v1)
            o__ssa_v3: pl.Tensor[[256, 128], pl.FP32] = ret__tmp_v0[0]
            p__ssa_v3: pl.Tensor[[256, 128], pl.FP32] = ret__tmp_v0[1]
            o__rv_v2, p__rv_v2 = pl.yield_(o__ssa_v3, p__ssa_v3)
        o__ssa_v4: pl.Tensor[[256, 128], pl.FP32] = self.twice_0(x__ssa_v0, o__rv_v2)
        ret__tmp_v0_1: pl.Tuple[pl.Tensor[[256, 128], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.main_incore_2, x__ssa_v0, p__rv_v2)
        p__ssa_v4: pl.Tensor[[256, 128], pl.FP32] = ret__tmp_v0_1[0]
        tid__ssa_v0: pl.Scalar[pl.TASK_ID] = ret__tmp_v0_1[1]
        ret__tmp_v0_2: pl.Tuple[pl.Tensor[[256, 128], pl.FP32], pl.Scalar[pl.TASK_ID]] = pl.submit(self.main_incore_3, p__ssa_v4, o__ssa_v4, deps=[tid__ssa_v0])
        o__ssa_v5: pl.Tensor[[256, 128], pl.FP32] = ret__tmp_v0_2[0]
        tid__ssa_v1: pl.Scalar[pl.TASK_ID] = ret__tmp_v0_2[1]
        o__ssa_v6: pl.Tensor[[256, 128], pl.FP32] = self.main_cluster_0(x__ssa_v0, o__ssa_v5, attrs={"core_num": 4})
        o__ssa_v7: pl.Tensor[[256, 128], pl.FP32] = self.main_spmd_0(p__ssa_v4, o__ssa_v6, attrs={"core_num": 4})
        return o__ssa_v7, p__ssa_v4