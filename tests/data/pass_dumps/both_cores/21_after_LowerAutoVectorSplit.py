# pypto.program: Halves
import pypto.language as pl

@pl.program
class Halves:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def across_incore_0(a__ssa_v0: pl.Tensor[[64, 64], pl.BF16], b__ssa_v0: pl.Tensor[[64, 64], pl.BF16], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True})
        subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        a__tile: pl.Tile[[32, 64], pl.BF16, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [0 + subblock_idx * 32, 0], [32, 64], [32, 64], target_memory=pl.Mem.Vec)
        e__tile: pl.Tile[[32, 64], pl.BF16, pl.Mem.Vec] = pl.tile.adds(a__tile, 1.0)
        b__ssa_v0_mat: pl.Tile[[64, 64], pl.BF16, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        e__tile_Left_mat: pl.Tile[[64, 64], pl.BF16, pl.Mem.Mat] = pl.tile.aic_gather(e__tile, split=1)
        e__tile_Left: pl.Tile[[64, 64], pl.BF16, pl.Mem.Left] = pl.tile.move(e__tile_Left_mat, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.BF16, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(e__tile_Left, b__ssa_v0_mat_Right)
        c__tile_Vec: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.aiv_shard(c__tile, split=1)
        t__tile: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.muls(c__tile_Vec, 2.0)
        o__tile: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t__tile, [0 + subblock_idx * 32, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def across(self, a__ssa_v0: pl.Tensor[[64, 64], pl.BF16], b__ssa_v0: pl.Tensor[[64, 64], pl.BF16], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 64], pl.FP32] = self.across_incore_0(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def broadcast_incore_0(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], s__ssa_v0: pl.Tensor[[1, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True})
        subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        s__tile: pl.Tile[[1, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(s__ssa_v0, [0, 0], [1, 64], [1, 64], target_memory=pl.Mem.Vec)
        a__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        b__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        a__ssa_v0_mat_Left: pl.Tile[[64, 64], pl.FP32, pl.Mem.Left] = pl.tile.move(a__ssa_v0_mat, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a__ssa_v0_mat_Left, b__ssa_v0_mat_Right)
        c__tile_Vec: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.aiv_shard(c__tile, split=1)
        t__tile: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.col_expand_mul(c__tile_Vec, s__tile)
        o__tile: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t__tile, [0 + subblock_idx * 32, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def broadcast(self, a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], s__ssa_v0: pl.Tensor[[1, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 64], pl.FP32] = self.broadcast_incore_0(a__ssa_v0, b__ssa_v0, s__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def columns_incore_0(a__ssa_v0: pl.Tensor[[64, 128], pl.FP32], b__ssa_v0: pl.Tensor[[128, 128], pl.FP32], s__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.LEFT_RIGHT, "split_aiv": True})
        subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        s__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(s__ssa_v0, [0, 0 + subblock_idx * 64], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
        a__ssa_v0_mat: pl.Tile[[64, 128], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Mat)
        b__ssa_v0_mat: pl.Tile[[128, 128], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [128, 128], [128, 128], target_memory=pl.Mem.Mat)
        a__ssa_v0_mat_Left: pl.Tile[[64, 128], pl.FP32, pl.Mem.Left] = pl.tile.move(a__ssa_v0_mat, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[128, 128], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a__ssa_v0_mat_Left, b__ssa_v0_mat_Right)
        c__tile_Vec: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.aiv_shard(c__tile, split=2)
        t__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.mul(c__tile_Vec, s__tile)
        t__tile_1: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.exp(t__tile)
        o__tile: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(t__tile_1, [0, 0 + subblock_idx * 64], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def columns(self, a__ssa_v0: pl.Tensor[[64, 128], pl.FP32], b__ssa_v0: pl.Tensor[[128, 128], pl.FP32], s__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = self.columns_incore_0(a__ssa_v0, b__ssa_v0, s__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def lanes_incore_0(a__ssa_v0: pl.Tensor[[64, 128], pl.FP32], b__ssa_v0: pl.Tensor[[128, 128], pl.FP32], s__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True, "split_aiv_region_validated": True})
        a__ssa_v0_mat: pl.Tile[[64, 128], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Mat)
        b__ssa_v0_mat: pl.Tile[[128, 128], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [128, 128], [128, 128], target_memory=pl.Mem.Mat)
        a__ssa_v0_mat_Left: pl.Tile[[64, 128], pl.FP32, pl.Mem.Left] = pl.tile.move(a__ssa_v0_mat, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[128, 128], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a__ssa_v0_mat_Left, b__ssa_v0_mat_Right)
        lane__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        h__tile: pl.Tile[[32, 128], pl.FP32, pl.Mem.Vec] = pl.tile.aiv_shard(c__tile, split=1)
        t__tile: pl.Tile[[32, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(s__ssa_v0, [lane__ssa_v0 * 32, 0], [32, 128], [32, 128], target_memory=pl.Mem.Vec)
        t__tile_1: pl.Tile[[32, 128], pl.FP32, pl.Mem.Vec] = pl.tile.add(h__tile, t__tile)
        o__tile: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(t__tile_1, [lane__ssa_v0 * 32, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def lanes(self, a__ssa_v0: pl.Tensor[[64, 128], pl.FP32], b__ssa_v0: pl.Tensor[[128, 128], pl.FP32], s__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = self.lanes_incore_0(a__ssa_v0, b__ssa_v0, s__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def looped_incore_0(o__ssa_v0: pl.Out[pl.Tensor[[256, 64], pl.FP32]], a__ssa_v0: pl.Tensor[[256, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[256, 64], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True})
        subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        for i__idx_v0, (o__iter_v1,) in pl.range(4, init_values=(o__ssa_v0,)):
            rows__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [i__idx_v0 * 64, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
            b__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
            rows__tile_Left: pl.Tile[[64, 64], pl.FP32, pl.Mem.Left] = pl.tile.move(rows__tile, target_memory=pl.Mem.Left)
            b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
            c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(rows__tile_Left, b__ssa_v0_mat_Right)
            c__tile_Vec: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.aiv_shard(c__tile, split=1)
            t__tile: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.neg(c__tile_Vec)
            o__tile: pl.Tensor[[256, 64], pl.FP32] = pl.tile.store(t__tile, [i__idx_v0 * 64 + subblock_idx * 32, 0], o__iter_v1)
            o__rv_v2: pl.Tensor[[256, 64], pl.FP32] = pl.yield_(o__tile)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def looped(self, a__ssa_v0: pl.Tensor[[256, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[256, 64], pl.FP32]]) -> pl.Tensor[[256, 64], pl.FP32]:
        o__rv_v2: pl.Tensor[[256, 64], pl.FP32] = self.looped_incore_0(o__ssa_v0, a__ssa_v0, b__ssa_v0)
        return o__rv_v2
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def once_incore_0(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[128, 64], pl.FP32]]) -> pl.Tensor[[128, 64], pl.FP32]:
        pl.func_attr({"split_aiv": True, "split_aiv_region_validated": True})
        a__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        b__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        a__ssa_v0_mat_Left: pl.Tile[[64, 64], pl.FP32, pl.Mem.Left] = pl.tile.move(a__ssa_v0_mat, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a__ssa_v0_mat_Left, b__ssa_v0_mat_Right)
        lane__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        h__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.aiv_shard(c__tile, split=0)
        t__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.neg(h__tile)
        o__tile: pl.Tensor[[128, 64], pl.FP32] = pl.tile.store(t__tile, [lane__ssa_v0 * 64, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def once(self, a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[128, 64], pl.FP32]]) -> pl.Tensor[[128, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[128, 64], pl.FP32] = self.once_incore_0(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def unsplit_incore_0(a__ssa_v0: pl.Tensor[[64, 64], pl.BF16], b__ssa_v0: pl.Tensor[[64, 64], pl.BF16], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        a__tile: pl.Tile[[64, 64], pl.BF16, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
        e__tile: pl.Tile[[64, 64], pl.BF16, pl.Mem.Vec] = pl.tile.adds(a__tile, 1.0)
        b__ssa_v0_mat: pl.Tile[[64, 64], pl.BF16, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        e__tile_Left: pl.Tile[[64, 64], pl.BF16, pl.Mem.Left] = pl.tile.move(e__tile, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.BF16, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(e__tile_Left, b__ssa_v0_mat_Right)
        c__tile_Vec: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.move(c__tile, target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)
        t__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.muls(c__tile_Vec, 2.0)
        o__tile: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t__tile, [0, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def unsplit(self, a__ssa_v0: pl.Tensor[[64, 64], pl.BF16], b__ssa_v0: pl.Tensor[[64, 64], pl.BF16], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 64], pl.FP32] = self.unsplit_incore_0(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def whole_incore_0(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], p__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]], s__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True, "split_aiv_region_validated": True})
        a__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        b__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        a__ssa_v0_mat_Left: pl.Tile[[64, 64], pl.FP32, pl.Mem.Left] = pl.tile.move(a__ssa_v0_mat, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a__ssa_v0_mat_Left, b__ssa_v0_mat_Right)
        p__tile: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(c__tile, [0, 0], p__ssa_v0)
        subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        lane__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        t__tile: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(s__ssa_v0, [0 + subblock_idx * 32, 0], [32, 64], [32, 64], target_memory=pl.Mem.Vec)
        t__tile_1: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.neg(t__tile)
        o__tile: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t__tile_1, [0 + subblock_idx * 32, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def whole(self, a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], s__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]], p__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 64], pl.FP32] = self.whole_incore_0(a__ssa_v0, b__ssa_v0, p__ssa_v0, s__ssa_v0, o__ssa_v0)
        return o__ssa_v1
