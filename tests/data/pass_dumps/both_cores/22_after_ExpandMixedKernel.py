# pypto.program: Halves
import pypto.language as pl

@pl.program
class Halves:
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def across_incore_0_aic(a__ssa_v0: pl.Tensor[[64, 64], pl.BF16], b__ssa_v0: pl.Tensor[[64, 64], pl.BF16], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True})
        across_incore_0_v2c_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='across_incore_0_v2c_slot_buffer', size=32768, base=-1)
        across_incore_0_c2v_slot_buffer_import: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='across_incore_0_c2v_slot_buffer', peer_func='across_incore_0_aiv')
        pl.system.aic_initialize_pipe(across_incore_0_c2v_slot_buffer_import, across_incore_0_v2c_slot_buffer, dir_mask=3, slot_size=16384, slot_num=2)
        b__ssa_v0_mat: pl.Tile[[64, 64], pl.BF16, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        e__tile_Left_mat: pl.Tile[[64, 64], pl.BF16, pl.Mem.Mat] = pl.tile.tpop_from_aiv(split=1)
        e__tile_Left: pl.Tile[[64, 64], pl.BF16, pl.Mem.Left] = pl.tile.move(e__tile_Left_mat, target_memory=pl.Mem.Left)
        pl.system.tfree_to_aiv(e__tile_Left_mat)
        b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.BF16, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(e__tile_Left, b__ssa_v0_mat_Right)
        pl.tile.tpush_to_aiv(c__tile, split=1)
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def across_incore_0_aiv(a__ssa_v0: pl.Tensor[[64, 64], pl.BF16], b__ssa_v0: pl.Tensor[[64, 64], pl.BF16], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True})
        subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        across_incore_0_v2c_slot_buffer_import: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='across_incore_0_v2c_slot_buffer', peer_func='across_incore_0_aic')
        across_incore_0_c2v_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='across_incore_0_c2v_slot_buffer', size=32768, base=-1)
        pl.system.aiv_initialize_pipe(across_incore_0_c2v_slot_buffer, across_incore_0_v2c_slot_buffer_import, dir_mask=3, slot_size=16384, slot_num=2)
        a__tile: pl.Tile[[32, 64], pl.BF16, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [0 + subblock_idx * 32, 0], [32, 64], [32, 64], target_memory=pl.Mem.Vec)
        e__tile: pl.Tile[[32, 64], pl.BF16, pl.Mem.Vec] = pl.tile.adds(a__tile, 1.0)
        pl.tile.tpush_to_aic(e__tile, split=1)
        c__tile_Vec: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=1)
        t__tile: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.muls(c__tile_Vec, 2.0)
        pl.system.tfree_to_aic(c__tile_Vec)
        o__tile: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t__tile, [0 + subblock_idx * 32, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def across_incore_0(a__ssa_v0: pl.Tensor[[64, 64], pl.BF16], b__ssa_v0: pl.Tensor[[64, 64], pl.BF16], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True})
        self.across_incore_0_aic(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        self.across_incore_0_aiv(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def across(self, a__ssa_v0: pl.Tensor[[64, 64], pl.BF16], b__ssa_v0: pl.Tensor[[64, 64], pl.BF16], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 64], pl.FP32] = self.across_incore_0(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def broadcast_incore_0_aic(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], s__ssa_v0: pl.Tensor[[1, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True})
        broadcast_incore_0_c2v_slot_buffer_import: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='broadcast_incore_0_c2v_slot_buffer', peer_func='broadcast_incore_0_aiv')
        pl.system.aic_initialize_pipe(broadcast_incore_0_c2v_slot_buffer_import, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
        a__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        b__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        a__ssa_v0_mat_Left: pl.Tile[[64, 64], pl.FP32, pl.Mem.Left] = pl.tile.move(a__ssa_v0_mat, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a__ssa_v0_mat_Left, b__ssa_v0_mat_Right)
        pl.tile.tpush_to_aiv(c__tile, split=1)
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def broadcast_incore_0_aiv(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], s__ssa_v0: pl.Tensor[[1, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True})
        subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        broadcast_incore_0_c2v_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='broadcast_incore_0_c2v_slot_buffer', size=32768, base=-1)
        pl.system.aiv_initialize_pipe(broadcast_incore_0_c2v_slot_buffer, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
        s__tile: pl.Tile[[1, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(s__ssa_v0, [0, 0], [1, 64], [1, 64], target_memory=pl.Mem.Vec)
        c__tile_Vec: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=1)
        t__tile: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.col_expand_mul(c__tile_Vec, s__tile)
        pl.system.tfree_to_aic(c__tile_Vec)
        o__tile: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t__tile, [0 + subblock_idx * 32, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def broadcast_incore_0(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], s__ssa_v0: pl.Tensor[[1, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True})
        self.broadcast_incore_0_aic(a__ssa_v0, b__ssa_v0, s__ssa_v0, o__ssa_v0)
        self.broadcast_incore_0_aiv(a__ssa_v0, b__ssa_v0, s__ssa_v0, o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def broadcast(self, a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], s__ssa_v0: pl.Tensor[[1, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 64], pl.FP32] = self.broadcast_incore_0(a__ssa_v0, b__ssa_v0, s__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def columns_incore_0_aic(a__ssa_v0: pl.Tensor[[64, 128], pl.FP32], b__ssa_v0: pl.Tensor[[128, 128], pl.FP32], s__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):
        pl.func_attr({"split": pl.SplitMode.LEFT_RIGHT, "split_aiv": True})
        columns_incore_0_c2v_slot_buffer_import: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='columns_incore_0_c2v_slot_buffer', peer_func='columns_incore_0_aiv')
        pl.system.aic_initialize_pipe(columns_incore_0_c2v_slot_buffer_import, pl.const(0, pl.INT32), dir_mask=1, slot_size=32768, slot_num=2)
        a__ssa_v0_mat: pl.Tile[[64, 128], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Mat)
        b__ssa_v0_mat: pl.Tile[[128, 128], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [128, 128], [128, 128], target_memory=pl.Mem.Mat)
        a__ssa_v0_mat_Left: pl.Tile[[64, 128], pl.FP32, pl.Mem.Left] = pl.tile.move(a__ssa_v0_mat, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[128, 128], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a__ssa_v0_mat_Left, b__ssa_v0_mat_Right)
        pl.tile.tpush_to_aiv(c__tile, split=2)
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def columns_incore_0_aiv(a__ssa_v0: pl.Tensor[[64, 128], pl.FP32], b__ssa_v0: pl.Tensor[[128, 128], pl.FP32], s__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.LEFT_RIGHT, "split_aiv": True})
        subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        columns_incore_0_c2v_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='columns_incore_0_c2v_slot_buffer', size=65536, base=-1)
        pl.system.aiv_initialize_pipe(columns_incore_0_c2v_slot_buffer, pl.const(0, pl.INT32), dir_mask=1, slot_size=32768, slot_num=2)
        s__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(s__ssa_v0, [0, 0 + subblock_idx * 64], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
        c__tile_Vec: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=2)
        t__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.mul(c__tile_Vec, s__tile)
        pl.system.tfree_to_aic(c__tile_Vec)
        t__tile_1: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.exp(t__tile)
        o__tile: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(t__tile_1, [0, 0 + subblock_idx * 64], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def columns_incore_0(a__ssa_v0: pl.Tensor[[64, 128], pl.FP32], b__ssa_v0: pl.Tensor[[128, 128], pl.FP32], s__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.LEFT_RIGHT, "split_aiv": True})
        self.columns_incore_0_aic(a__ssa_v0, b__ssa_v0, s__ssa_v0, o__ssa_v0)
        self.columns_incore_0_aiv(a__ssa_v0, b__ssa_v0, s__ssa_v0, o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def columns(self, a__ssa_v0: pl.Tensor[[64, 128], pl.FP32], b__ssa_v0: pl.Tensor[[128, 128], pl.FP32], s__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = self.columns_incore_0(a__ssa_v0, b__ssa_v0, s__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def lanes_incore_0_aic(a__ssa_v0: pl.Tensor[[64, 128], pl.FP32], b__ssa_v0: pl.Tensor[[128, 128], pl.FP32], s__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True, "split_aiv_region_validated": True})
        lanes_incore_0_c2v_slot_buffer_import: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='lanes_incore_0_c2v_slot_buffer', peer_func='lanes_incore_0_aiv')
        pl.system.aic_initialize_pipe(lanes_incore_0_c2v_slot_buffer_import, pl.const(0, pl.INT32), dir_mask=1, slot_size=32768, slot_num=2)
        a__ssa_v0_mat: pl.Tile[[64, 128], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Mat)
        b__ssa_v0_mat: pl.Tile[[128, 128], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [128, 128], [128, 128], target_memory=pl.Mem.Mat)
        a__ssa_v0_mat_Left: pl.Tile[[64, 128], pl.FP32, pl.Mem.Left] = pl.tile.move(a__ssa_v0_mat, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[128, 128], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a__ssa_v0_mat_Left, b__ssa_v0_mat_Right)
        pl.tile.tpush_to_aiv(c__tile, split=1)
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def lanes_incore_0_aiv(a__ssa_v0: pl.Tensor[[64, 128], pl.FP32], b__ssa_v0: pl.Tensor[[128, 128], pl.FP32], s__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True, "split_aiv_region_validated": True})
        lane__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        lanes_incore_0_c2v_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='lanes_incore_0_c2v_slot_buffer', size=65536, base=-1)
        pl.system.aiv_initialize_pipe(lanes_incore_0_c2v_slot_buffer, pl.const(0, pl.INT32), dir_mask=1, slot_size=32768, slot_num=2)
        h__tile: pl.Tile[[32, 128], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=1)
        t__tile: pl.Tile[[32, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(s__ssa_v0, [lane__ssa_v0 * 32, 0], [32, 128], [32, 128], target_memory=pl.Mem.Vec)
        t__tile_1: pl.Tile[[32, 128], pl.FP32, pl.Mem.Vec] = pl.tile.add(h__tile, t__tile)
        pl.system.tfree_to_aic(h__tile)
        o__tile: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(t__tile_1, [lane__ssa_v0 * 32, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def lanes_incore_0(a__ssa_v0: pl.Tensor[[64, 128], pl.FP32], b__ssa_v0: pl.Tensor[[128, 128], pl.FP32], s__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True, "split_aiv_region_validated": True})
        self.lanes_incore_0_aic(a__ssa_v0, b__ssa_v0, s__ssa_v0, o__ssa_v0)
        self.lanes_incore_0_aiv(a__ssa_v0, b__ssa_v0, s__ssa_v0, o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def lanes(self, a__ssa_v0: pl.Tensor[[64, 128], pl.FP32], b__ssa_v0: pl.Tensor[[128, 128], pl.FP32], s__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = self.lanes_incore_0(a__ssa_v0, b__ssa_v0, s__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def looped_incore_0_aic(o__ssa_v0: pl.Out[pl.Tensor[[256, 64], pl.FP32]], a__ssa_v0: pl.Tensor[[256, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32]):
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True})
        looped_incore_0_c2v_slot_buffer_import: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='looped_incore_0_c2v_slot_buffer', peer_func='looped_incore_0_aiv')
        pl.system.aic_initialize_pipe(looped_incore_0_c2v_slot_buffer_import, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
        for i__idx_v0 in pl.range(4):
            rows__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [i__idx_v0 * 64, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
            b__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
            rows__tile_Left: pl.Tile[[64, 64], pl.FP32, pl.Mem.Left] = pl.tile.move(rows__tile, target_memory=pl.Mem.Left)
            b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
            c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(rows__tile_Left, b__ssa_v0_mat_Right)
            pl.tile.tpush_to_aiv(c__tile, split=1)
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def looped_incore_0_aiv(o__ssa_v0: pl.Out[pl.Tensor[[256, 64], pl.FP32]], a__ssa_v0: pl.Tensor[[256, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[256, 64], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True})
        subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        looped_incore_0_c2v_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='looped_incore_0_c2v_slot_buffer', size=32768, base=-1)
        pl.system.aiv_initialize_pipe(looped_incore_0_c2v_slot_buffer, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
        for i__idx_v0, (o__iter_v1,) in pl.range(4, init_values=(o__ssa_v0,)):
            c__tile_Vec: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=1)
            t__tile: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.neg(c__tile_Vec)
            pl.system.tfree_to_aic(c__tile_Vec)
            o__tile: pl.Tensor[[256, 64], pl.FP32] = pl.tile.store(t__tile, [i__idx_v0 * 64 + subblock_idx * 32, 0], o__iter_v1)
            o__rv_v2: pl.Tensor[[256, 64], pl.FP32] = pl.yield_(o__tile)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def looped_incore_0(o__ssa_v0: pl.Out[pl.Tensor[[256, 64], pl.FP32]], a__ssa_v0: pl.Tensor[[256, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[256, 64], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True})
        self.looped_incore_0_aic(o__ssa_v0, a__ssa_v0, b__ssa_v0)
        self.looped_incore_0_aiv(o__ssa_v0, a__ssa_v0, b__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def looped(self, a__ssa_v0: pl.Tensor[[256, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[256, 64], pl.FP32]]) -> pl.Tensor[[256, 64], pl.FP32]:
        o__rv_v2: pl.Tensor[[256, 64], pl.FP32] = self.looped_incore_0(o__ssa_v0, a__ssa_v0, b__ssa_v0)
        return o__rv_v2
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def once_incore_0_aic(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[128, 64], pl.FP32]]):
        pl.func_attr({"split_aiv": True, "split_aiv_region_validated": True})
        once_incore_0_c2v_slot_buffer_import: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='once_incore_0_c2v_slot_buffer', peer_func='once_incore_0_aiv')
        pl.system.aic_initialize_pipe(once_incore_0_c2v_slot_buffer_import, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
        a__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        b__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        a__ssa_v0_mat_Left: pl.Tile[[64, 64], pl.FP32, pl.Mem.Left] = pl.tile.move(a__ssa_v0_mat, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a__ssa_v0_mat_Left, b__ssa_v0_mat_Right)
        pl.tile.tpush_to_aiv(c__tile, split=0)
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def once_incore_0_aiv(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[128, 64], pl.FP32]]) -> pl.Tensor[[128, 64], pl.FP32]:
        pl.func_attr({"split_aiv": True, "split_aiv_region_validated": True, "dual_aiv_dispatch": True})
        lane__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        once_incore_0_c2v_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='once_incore_0_c2v_slot_buffer', size=32768, base=-1)
        pl.system.aiv_initialize_pipe(once_incore_0_c2v_slot_buffer, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
        h__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=0)
        t__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.neg(h__tile)
        pl.system.tfree_to_aic(h__tile)
        o__tile: pl.Tensor[[128, 64], pl.FP32] = pl.tile.store(t__tile, [lane__ssa_v0 * 64, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def once_incore_0(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[128, 64], pl.FP32]]) -> pl.Tensor[[128, 64], pl.FP32]:
        pl.func_attr({"split_aiv": True, "split_aiv_region_validated": True})
        self.once_incore_0_aic(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        self.once_incore_0_aiv(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def once(self, a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[128, 64], pl.FP32]]) -> pl.Tensor[[128, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[128, 64], pl.FP32] = self.once_incore_0(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def unsplit_incore_0_aic(a__ssa_v0: pl.Tensor[[64, 64], pl.BF16], b__ssa_v0: pl.Tensor[[64, 64], pl.BF16], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        unsplit_incore_0_v2c_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='unsplit_incore_0_v2c_slot_buffer', size=32768, base=-1)
        unsplit_incore_0_c2v_slot_buffer_import: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='unsplit_incore_0_c2v_slot_buffer', peer_func='unsplit_incore_0_aiv')
        pl.system.aic_initialize_pipe(unsplit_incore_0_c2v_slot_buffer_import, unsplit_incore_0_v2c_slot_buffer, dir_mask=3, slot_size=16384, slot_num=2)
        b__ssa_v0_mat: pl.Tile[[64, 64], pl.BF16, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        e__tile_Left_mat: pl.Tile[[64, 64], pl.BF16, pl.Mem.Mat] = pl.tile.tpop_from_aiv(split=0)
        e__tile_Left: pl.Tile[[64, 64], pl.BF16, pl.Mem.Left] = pl.tile.move(e__tile_Left_mat, target_memory=pl.Mem.Left, blayout=pl.TileLayout.col_major, slayout=pl.TileLayout.row_major)
        pl.system.tfree_to_aiv(e__tile_Left_mat)
        b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.BF16, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(e__tile_Left, b__ssa_v0_mat_Right)
        pl.tile.tpush_to_aiv(c__tile, split=0)
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def unsplit_incore_0_aiv(a__ssa_v0: pl.Tensor[[64, 64], pl.BF16], b__ssa_v0: pl.Tensor[[64, 64], pl.BF16], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        pl.func_attr({"dual_aiv_dispatch": True})
        unsplit_incore_0_v2c_slot_buffer_import: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='unsplit_incore_0_v2c_slot_buffer', peer_func='unsplit_incore_0_aic')
        unsplit_incore_0_c2v_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='unsplit_incore_0_c2v_slot_buffer', size=32768, base=-1)
        pl.system.aiv_initialize_pipe(unsplit_incore_0_c2v_slot_buffer, unsplit_incore_0_v2c_slot_buffer_import, dir_mask=3, slot_size=16384, slot_num=2)
        a__tile: pl.Tile[[64, 64], pl.BF16, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)
        e__tile: pl.Tile[[64, 64], pl.BF16, pl.Mem.Vec] = pl.tile.adds(a__tile, 1.0)
        pl.tile.tpush_to_aic(e__tile, split=0)
        c__tile_Vec: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=0)
        t__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.muls(c__tile_Vec, 2.0)
        pl.system.tfree_to_aic(c__tile_Vec)
        o__tile: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t__tile, [0, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def unsplit_incore_0(a__ssa_v0: pl.Tensor[[64, 64], pl.BF16], b__ssa_v0: pl.Tensor[[64, 64], pl.BF16], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        self.unsplit_incore_0_aic(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        self.unsplit_incore_0_aiv(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def unsplit(self, a__ssa_v0: pl.Tensor[[64, 64], pl.BF16], b__ssa_v0: pl.Tensor[[64, 64], pl.BF16], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 64], pl.FP32] = self.unsplit_incore_0(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def whole_incore_0_aic(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], p__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]], s__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True, "split_aiv_region_validated": True})
        a__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        b__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        a__ssa_v0_mat_Left: pl.Tile[[64, 64], pl.FP32, pl.Mem.Left] = pl.tile.move(a__ssa_v0_mat, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a__ssa_v0_mat_Left, b__ssa_v0_mat_Right)
        p__tile: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(c__tile, [0, 0], p__ssa_v0)
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def whole_incore_0_aiv(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], p__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]], s__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True, "split_aiv_region_validated": True})
        subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        t__tile: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(s__ssa_v0, [0 + subblock_idx * 32, 0], [32, 64], [32, 64], target_memory=pl.Mem.Vec)
        t__tile_1: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.neg(t__tile)
        o__tile: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t__tile_1, [0 + subblock_idx * 32, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def whole_incore_0(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], p__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]], s__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN, "split_aiv": True, "split_aiv_region_validated": True})
        self.whole_incore_0_aic(a__ssa_v0, b__ssa_v0, p__ssa_v0, s__ssa_v0, o__ssa_v0)
        self.whole_incore_0_aiv(a__ssa_v0, b__ssa_v0, p__ssa_v0, s__ssa_v0, o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def whole(self, a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], s__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]], p__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 64], pl.FP32] = self.whole_incore_0(a__ssa_v0, b__ssa_v0, p__ssa_v0, s__ssa_v0, o__ssa_v0)
        return o__ssa_v1
