# pypto.program: Levels
import pypto.language as pl

@pl.program
class Levels:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def inner(x__ssa_v0: pl.Tensor[[64, 128], pl.FP32], s_inline0__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> tuple[pl.Tensor[[64, 128], pl.FP32], pl.Tensor[[64, 128], pl.FP32]]:
        x__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x__ssa_v0, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)
        t__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.exp(x__tile)
        s_inline0__tile: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(t__tile, [0, 0], s_inline0__ssa_v0)
        t__tile_1: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.abs(x__tile)
        o__tile: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(t__tile_1, [0, 0], o__ssa_v0)
        return s_inline0__ssa_v0, o__ssa_v0
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def inner_0(a__ssa_v0: pl.Tensor[[64, 128], pl.FP32], s_inline1__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]], o__ssa_v2: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> tuple[pl.Tensor[[64, 128], pl.FP32], pl.Tensor[[64, 128], pl.FP32]]:
        a__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)
        t__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.exp(a__tile)
        s_inline1__tile: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(t__tile, [0, 0], s_inline1__ssa_v0)
        t__tile_1: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.abs(a__tile)
        o__tile: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(t__tile_1, [0, 0], o__ssa_v2)
        return s_inline1__ssa_v0, o__ssa_v2
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_host_orch_0_chip_0_incore_0(x__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):
        x__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x__ssa_v0, [0, 0], [64, 128], [64, 128], target_memory=pl.Mem.Vec)
        t__tile: pl.Tile[[64, 128], pl.FP32, pl.Mem.Vec] = pl.tile.exp(x__tile)
        o__tile: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(t__tile, [0, 0], o__ssa_v0)
        return
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def main_host_orch_0_chip_0(self, x__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        self.main_host_orch_0_chip_0_incore_0(x__ssa_v0, o__ssa_v0)
        return o__ssa_v0
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main_host_orch_0(self, x__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = self.main_host_orch_0_chip_0(x__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function
    def main(self, x__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = self.main_host_orch_0(x__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def other_incore_2(x__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v4: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        t__tile: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x__ssa_v0, [0, 0], [16, 128], [16, 128], target_memory=pl.Mem.Vec)
        t__tile_1: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.adds(t__tile, 1.0)
        o__tile: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(t__tile_1, [0, 0], o__ssa_v4)
        return o__ssa_v4
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def other_incore_3(x__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v5: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        t__tile: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x__ssa_v0, [16, 0], [16, 128], [16, 128], target_memory=pl.Mem.Vec)
        t__tile_1: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.adds(t__tile, 1.0)
        o__tile: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(t__tile_1, [16, 0], o__ssa_v5)
        return o__ssa_v5
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def other_incore_4(x__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v6: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        t__tile: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x__ssa_v0, [32, 0], [16, 128], [16, 128], target_memory=pl.Mem.Vec)
        t__tile_1: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.adds(t__tile, 1.0)
        o__tile: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(t__tile_1, [32, 0], o__ssa_v6)
        return o__ssa_v6
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def other_incore_5(b__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v7: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        t__tile: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(b__ssa_v0, [0, 0], [16, 128], [16, 128], target_memory=pl.Mem.Vec)
        o__tile: pl.Tensor[[64, 128], pl.FP32] = pl.tile.store(t__tile, [0, 0], o__ssa_v7)
        return o__ssa_v7
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def other(self, x__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        s_inline0__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.create([64, 128], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        ret__tmp_v0: pl.Tuple[pl.Tensor[[64, 128], pl.FP32], pl.Tensor[[64, 128], pl.FP32]] = self.inner(x__ssa_v0, s_inline0__ssa_v0, o__ssa_v0)
        s_inline0__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = ret__tmp_v0[0]
        o__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = ret__tmp_v0[1]
        a__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = s_inline0__ssa_v1
        o__ssa_v2: pl.Tensor[[64, 128], pl.FP32] = o__ssa_v1
        s_inline1__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.create([64, 128], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        ret__tmp_v0_1: pl.Tuple[pl.Tensor[[64, 128], pl.FP32], pl.Tensor[[64, 128], pl.FP32]] = self.inner_0(a__ssa_v0, s_inline1__ssa_v0, o__ssa_v2)
        s_inline1__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = ret__tmp_v0_1[0]
        o__ssa_v3: pl.Tensor[[64, 128], pl.FP32] = ret__tmp_v0_1[1]
        b__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = s_inline1__ssa_v1
        o__ssa_v4: pl.Tensor[[64, 128], pl.FP32] = o__ssa_v3
        o__ssa_v5: pl.Tensor[[64, 128], pl.FP32] = self.other_incore_2(x__ssa_v0, o__ssa_v4)
        o__ssa_v6: pl.Tensor[[64, 128], pl.FP32] = self.other_incore_3(x__ssa_v0, o__ssa_v5)
        o__ssa_v7: pl.Tensor[[64, 128], pl.FP32] = self.other_incore_4(x__ssa_v0, o__ssa_v6)
        o__ssa_v10: pl.Tensor[[64, 128], pl.FP32] = self.other_incore_5(b__ssa_v0, o__ssa_v7)
        return o__ssa_v10