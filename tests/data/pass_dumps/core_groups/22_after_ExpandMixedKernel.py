# pypto.program: CoreGroups
import pypto.language as pl

@pl.program
class CoreGroups:
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def chosen_incore_0_aic(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], n__ssa_v0: pl.Scalar[pl.INDEX], o__ssa_v0: pl.InOut[pl.Tensor[[64, 64], pl.FP32]]):
        chosen_incore_0_c2v_slot_buffer_import: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='chosen_incore_0_c2v_slot_buffer', peer_func='chosen_incore_0_aiv')
        pl.system.aic_initialize_pipe(chosen_incore_0_c2v_slot_buffer_import, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
        a__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        b__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        a__ssa_v0_mat_Left: pl.Tile[[64, 64], pl.FP32, pl.Mem.Left] = pl.tile.move(a__ssa_v0_mat, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a__ssa_v0_mat_Left, b__ssa_v0_mat_Right)
        if 2 < n__ssa_v0:
            pl.tile.tpush_to_aiv(c__tile, split=0)
        else:
            pl.tile.tpush_to_aiv(c__tile, split=0)
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def chosen_incore_0_aiv(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], n__ssa_v0: pl.Scalar[pl.INDEX], o__ssa_v0: pl.InOut[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        pl.func_attr({"dual_aiv_dispatch": True})
        chosen_incore_0_c2v_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='chosen_incore_0_c2v_slot_buffer', size=32768, base=-1)
        pl.system.aiv_initialize_pipe(chosen_incore_0_c2v_slot_buffer, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
        if 2 < n__ssa_v0:
            c__tile_Vec: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=0)
            t__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.neg(c__tile_Vec)
            pl.system.tfree_to_aic(c__tile_Vec)
            o__tile: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t__tile, [0, 0], o__ssa_v0)
            o__phi_v3: pl.Tensor[[64, 64], pl.FP32] = pl.yield_(o__tile)
        else:
            c__tile_Vec_1: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=0)
            t__tile_1: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.exp(c__tile_Vec_1)
            pl.system.tfree_to_aic(c__tile_Vec_1)
            o__tile_1: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t__tile_1, [0, 0], o__ssa_v0)
            o__phi_v3: pl.Tensor[[64, 64], pl.FP32] = pl.yield_(o__tile_1)
        return o__phi_v3
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def chosen_incore_0(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], n__ssa_v0: pl.Scalar[pl.INDEX], o__ssa_v0: pl.InOut[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        self.chosen_incore_0_aic(a__ssa_v0, b__ssa_v0, n__ssa_v0, o__ssa_v0)
        result: pl.Tensor[[64, 64], pl.FP32] = self.chosen_incore_0_aiv(a__ssa_v0, b__ssa_v0, n__ssa_v0, o__ssa_v0)
        return result
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def chosen(self, a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], n__ssa_v0: pl.Scalar[pl.INDEX], o__ssa_v0: pl.InOut[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        o__phi_v3: pl.Tensor[[64, 64], pl.FP32] = self.chosen_incore_0(a__ssa_v0, b__ssa_v0, n__ssa_v0, o__ssa_v0)
        return o__phi_v3
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def grouped_incore_0_aic(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        grouped_incore_0_c2v_slot_buffer_import: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='grouped_incore_0_c2v_slot_buffer', peer_func='grouped_incore_0_aiv')
        pl.system.aic_initialize_pipe(grouped_incore_0_c2v_slot_buffer_import, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
        a__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        b__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        a__ssa_v0_mat_Left: pl.Tile[[64, 64], pl.FP32, pl.Mem.Left] = pl.tile.move(a__ssa_v0_mat, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a__ssa_v0_mat_Left, b__ssa_v0_mat_Right)
        pl.tile.tpush_to_aiv(c__tile, split=0)
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def grouped_incore_0_aiv(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        pl.func_attr({"dual_aiv_dispatch": True})
        grouped_incore_0_c2v_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='grouped_incore_0_c2v_slot_buffer', size=32768, base=-1)
        pl.system.aiv_initialize_pipe(grouped_incore_0_c2v_slot_buffer, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
        c__tile_Vec: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=0)
        t__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.neg(c__tile_Vec)
        pl.system.tfree_to_aic(c__tile_Vec)
        o__tile: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t__tile, [0, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def grouped_cluster_0(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        self.grouped_incore_0_aic(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        o__ssa_v1: pl.Tensor[[64, 64], pl.FP32] = self.grouped_incore_0_aiv(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def grouped(self, a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 64], pl.FP32] = self.grouped_cluster_0(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def launched_incore_0_aic(a__ssa_v0: pl.Tensor[[256, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[256, 64], pl.FP32]]):
        launched_incore_0_c2v_slot_buffer_import: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='launched_incore_0_c2v_slot_buffer', peer_func='launched_incore_0_aiv')
        pl.system.aic_initialize_pipe(launched_incore_0_c2v_slot_buffer_import, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
        i__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
        t__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [i__ssa_v0 * 64, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        b__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        t__tile_Left: pl.Tile[[64, 64], pl.FP32, pl.Mem.Left] = pl.tile.move(t__tile, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(t__tile_Left, b__ssa_v0_mat_Right)
        pl.tile.tpush_to_aiv(c__tile, split=0)
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def launched_incore_0_aiv(a__ssa_v0: pl.Tensor[[256, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[256, 64], pl.FP32]]) -> pl.Tensor[[256, 64], pl.FP32]:
        pl.func_attr({"dual_aiv_dispatch": True})
        launched_incore_0_c2v_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='launched_incore_0_c2v_slot_buffer', size=32768, base=-1)
        pl.system.aiv_initialize_pipe(launched_incore_0_c2v_slot_buffer, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
        i__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
        c__tile_Vec: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=0)
        t__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.neg(c__tile_Vec)
        pl.system.tfree_to_aic(c__tile_Vec)
        o__tile: pl.Tensor[[256, 64], pl.FP32] = pl.tile.store(t__tile, [i__ssa_v0 * 64, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def launched_incore_0(a__ssa_v0: pl.Tensor[[256, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[256, 64], pl.FP32]]) -> pl.Tensor[[256, 64], pl.FP32]:
        self.launched_incore_0_aic(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        self.launched_incore_0_aiv(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Spmd)
    def launched_spmd_0(self, a__ssa_v0: pl.Tensor[[256, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[256, 64], pl.FP32]]) -> pl.Tensor[[256, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[256, 64], pl.FP32] = self.launched_incore_0(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def launched(self, a__ssa_v0: pl.Tensor[[256, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[256, 64], pl.FP32]]) -> pl.Tensor[[256, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[256, 64], pl.FP32] = self.launched_spmd_0(a__ssa_v0, b__ssa_v0, o__ssa_v0, attrs={"core_num": 4})
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def reduced_incore_0_aic(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        pl.func_attr({"slot_num": 4, "split": pl.SplitMode.UP_DOWN, "split_aiv": True})
        reduced_incore_0_c2v_slot_buffer_import: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='reduced_incore_0_c2v_slot_buffer', peer_func='reduced_incore_0_aiv')
        pl.system.aic_initialize_pipe(reduced_incore_0_c2v_slot_buffer_import, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=4)
        a__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        b__ssa_v0_mat: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
        a__ssa_v0_mat_Left: pl.Tile[[64, 64], pl.FP32, pl.Mem.Left] = pl.tile.move(a__ssa_v0_mat, target_memory=pl.Mem.Left)
        b__ssa_v0_mat_Right: pl.Tile[[64, 64], pl.FP32, pl.Mem.Right] = pl.tile.move(b__ssa_v0_mat, target_memory=pl.Mem.Right)
        c__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a__ssa_v0_mat_Left, b__ssa_v0_mat_Right)
        pl.tile.tpush_to_aiv(c__tile, split=1)
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def reduced_incore_0_aiv(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        pl.func_attr({"slot_num": 4, "split": pl.SplitMode.UP_DOWN, "split_aiv": True})
        subblock_idx: pl.Scalar[pl.INDEX] = pl.tile.get_subblock_idx()
        reduced_incore_0_c2v_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='reduced_incore_0_c2v_slot_buffer', size=65536, base=-1)
        pl.system.aiv_initialize_pipe(reduced_incore_0_c2v_slot_buffer, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=4)
        tmp_tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.create([64, 128], dtype=pl.FP32, target_memory=pl.Mem.Vec)
        c__tile_Vec: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=1)
        m__tile: pl.Tile[[32, 1], pl.FP32, pl.Mem.Vec] = pl.tile.row_max(c__tile_Vec, tmp_tile)
        t__tile: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.row_expand_sub(c__tile_Vec, m__tile)
        pl.system.tfree_to_aic(c__tile_Vec)
        o__tile: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t__tile, [0 + subblock_idx * 32, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def reduced_incore_0(a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        pl.func_attr({"slot_num": 4, "split": pl.SplitMode.UP_DOWN, "split_aiv": True})
        self.reduced_incore_0_aic(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        self.reduced_incore_0_aiv(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def reduced(self, a__ssa_v0: pl.Tensor[[64, 64], pl.FP32], b__ssa_v0: pl.Tensor[[64, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 64], pl.FP32] = self.reduced_incore_0(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)
    def summed_incore_0_aic(a__ssa_v0: pl.Tensor[[64, 256], pl.FP32], b__ssa_v0: pl.Tensor[[256, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        summed_incore_0_c2v_slot_buffer_import: pl.Scalar[pl.INT32] = pl.system.import_peer_buffer(name='summed_incore_0_c2v_slot_buffer', peer_func='summed_incore_0_aiv')
        pl.system.aic_initialize_pipe(summed_incore_0_c2v_slot_buffer_import, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
        for k__idx_v0 in pl.range(4):
            t__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(a__ssa_v0, [0, k__idx_v0 * 64], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
            t__tile_1: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(b__ssa_v0, [k__idx_v0 * 64, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)
            t__tile_Left: pl.Tile[[64, 64], pl.FP32, pl.Mem.Left] = pl.tile.move(t__tile, target_memory=pl.Mem.Left)
            t__tile_Right: pl.Tile[[64, 64], pl.FP32, pl.Mem.Right] = pl.tile.move(t__tile_1, target_memory=pl.Mem.Right)
            p__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(t__tile_Left, t__tile_Right)
            pl.tile.tpush_to_aiv(p__tile, split=0)
    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)
    def summed_incore_0_aiv(a__ssa_v0: pl.Tensor[[64, 256], pl.FP32], b__ssa_v0: pl.Tensor[[256, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        pl.func_attr({"dual_aiv_dispatch": True})
        summed_incore_0_c2v_slot_buffer: pl.Scalar[pl.INT32] = pl.system.reserve_buffer(name='summed_incore_0_c2v_slot_buffer', size=32768, base=-1)
        pl.system.aiv_initialize_pipe(summed_incore_0_c2v_slot_buffer, pl.const(0, pl.INT32), dir_mask=1, slot_size=16384, slot_num=2)
        acc__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)
        for k__idx_v0, (acc__iter_v1,) in pl.range(4, init_values=(acc__tile,)):
            p__tile_Vec: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.tpop_from_aic(split=0)
            acc__tile_1: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.add(acc__iter_v1, p__tile_Vec)
            pl.system.tfree_to_aic(p__tile_Vec)
            acc__rv_v2: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.yield_(acc__tile_1)
        o__tile: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(acc__rv_v2, [0, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def summed_incore_0(a__ssa_v0: pl.Tensor[[64, 256], pl.FP32], b__ssa_v0: pl.Tensor[[256, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        self.summed_incore_0_aic(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        self.summed_incore_0_aiv(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def summed(self, a__ssa_v0: pl.Tensor[[64, 256], pl.FP32], b__ssa_v0: pl.Tensor[[256, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 64], pl.FP32] = self.summed_incore_0(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v1
