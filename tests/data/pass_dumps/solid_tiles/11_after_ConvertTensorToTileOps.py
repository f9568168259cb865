# pypto.program: Cubes
import pypto.language as pl

@pl.program
class Cubes:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def low(a__ssa_v0: pl.Tensor[[32, 64], pl.FP32], out__ssa_v0: pl.Out[pl.Tensor[[2, 32, 64], pl.FP32]]) -> pl.Tensor[[2, 32, 64], pl.FP32]:
        x__ssa_v0: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [0, 0], [32, 64], [32, 64], target_memory=pl.Mem.Vec)
        out__ssa_v1: pl.Tensor[[2, 32, 64], pl.FP32] = pl.tile.store(x__ssa_v0, [1, 0, 0], out__ssa_v0)
        return out__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def made(a__ssa_v0: pl.Tensor[[4, 16, 64], pl.FP32], n__ssa_v0: pl.Scalar[pl.INDEX], out__ssa_v0: pl.Out[pl.Tensor[[4, 16, 64], pl.FP32]]) -> pl.Tensor[[4, 16, 64], pl.FP32]:
        ones__ssa_v0: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.full([2, 16, 64], dtype=pl.FP32, value=1.0)
        x__ssa_v0: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [n__ssa_v0, 0, 0], [2, 16, 64], [2, 16, 64], target_memory=pl.Mem.Vec)
        if 1 < n__ssa_v0:
            y__ssa_v0: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.add(x__ssa_v0, ones__ssa_v0)
            y__phi_v2: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.yield_(y__ssa_v0)
        else:
            y__ssa_v1: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.sub(x__ssa_v0, ones__ssa_v0)
            y__phi_v2: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.yield_(y__ssa_v1)
        flat__ssa_v0: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.reshape(y__phi_v2, [32, 64])
        t__tmp_v0: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.neg(flat__ssa_v0)
        z__ssa_v0: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.reshape(t__tmp_v0, [2, 16, 64])
        out__ssa_v1: pl.Tensor[[4, 16, 64], pl.FP32] = pl.tile.store(z__ssa_v0, [n__ssa_v0, 0, 0], out__ssa_v0)
        return out__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def placed(a__ssa_v0: pl.Tensor[[2, 16, 64], pl.FP32], out__ssa_v0: pl.Out[pl.Tensor[[4, 16, 64], pl.FP32]]) -> pl.Tensor[[4, 16, 64], pl.FP32]:
        x__ssa_v0: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [0, 0, 0], [2, 16, 64], [2, 16, 64], target_memory=pl.Mem.Vec)
        whole__ssa_v0: pl.Tile[[4, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.full([4, 16, 64], dtype=pl.FP32, value=0.0)
        y__ssa_v0: pl.Tile[[4, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.assemble(whole__ssa_v0, x__ssa_v0, [1, 0, 0])
        out__ssa_v1: pl.Tensor[[4, 16, 64], pl.FP32] = pl.tile.store(y__ssa_v0, [0, 0, 0], out__ssa_v0)
        return out__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def reduced(a__ssa_v0: pl.Tensor[[2, 16, 64], pl.FP32], out__ssa_v0: pl.Out[pl.Tensor[[2, 16, 1], pl.FP32]]) -> pl.Tensor[[2, 16, 1], pl.FP32]:
        x__ssa_v0: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [0, 0, 0], [2, 16, 64], [2, 16, 64], target_memory=pl.Mem.Vec)
        tmp__ssa_v0: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.create([2, 16, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)
        y__ssa_v0: pl.Tile[[2, 16, 1], pl.FP32, pl.Mem.Vec, pl.TileView(blayout=pl.TileLayout.col_major)] = pl.tile.row_sum(x__ssa_v0, tmp__ssa_v0)
        out__ssa_v1: pl.Tensor[[2, 16, 1], pl.FP32] = pl.tile.store(y__ssa_v0, [0, 0, 0], out__ssa_v0)
        return out__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def rows(a__ssa_v0: pl.Tensor[[4, 2, 16, 64], pl.FP32], out__ssa_v0: pl.Out[pl.Tensor[[4, 2, 16, 64], pl.FP32]]) -> pl.Tensor[[4, 2, 16, 64], pl.FP32]:
        acc__ssa_v0: pl.Tile[[1, 2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [0, 0, 0, 0], [1, 2, 16, 64], [1, 2, 16, 64], target_memory=pl.Mem.Vec)
        for i__idx_v0, (acc__iter_v1,) in pl.range(1, 4, init_values=(acc__ssa_v0,)):
            more__ssa_v0: pl.Tile[[1, 2, 16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[1, 2, 16, 32])] = pl.tile.load(a__ssa_v0, [i__idx_v0, 0, 0, 0], [1, 2, 16, 64], [1, 2, 16, 32], target_memory=pl.Mem.Vec)
            acc__ssa_v3: pl.Tile[[1, 2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.add(acc__iter_v1, more__ssa_v0)
            acc__rv_v2: pl.Tile[[1, 2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.yield_(acc__ssa_v3)
        out__ssa_v1: pl.Tensor[[4, 2, 16, 64], pl.FP32] = pl.tile.store(acc__rv_v2, [2, 0, 0, 0], out__ssa_v0)
        return out__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def sums_incore_0(a__ssa_v0: pl.Tensor[[2, 16, 64], pl.FP32], b__ssa_v0: pl.Tensor[[2, 16, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[2, 16, 64], pl.FP32]]) -> pl.Tensor[[2, 16, 64], pl.FP32]:
        a__tile: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [0, 0, 0], [2, 16, 64], [2, 16, 64], target_memory=pl.Mem.Vec)
        b__tile: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(b__ssa_v0, [0, 0, 0], [2, 16, 64], [2, 16, 64], target_memory=pl.Mem.Vec)
        c__tile: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.add(a__tile, b__tile)
        t__tile: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.exp(c__tile)
        t__tile_1: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.muls(t__tile, 2.0)
        o__tile: pl.Tensor[[2, 16, 64], pl.FP32] = pl.tile.store(t__tile_1, [0, 0, 0], o__ssa_v0)
        return o__ssa_v0
    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)
    def sums(self, a__ssa_v0: pl.Tensor[[2, 16, 64], pl.FP32], b__ssa_v0: pl.Tensor[[2, 16, 64], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[2, 16, 64], pl.FP32]]) -> pl.Tensor[[2, 16, 64], pl.FP32]:
        o__ssa_v1: pl.Tensor[[2, 16, 64], pl.FP32] = self.sums_incore_0(a__ssa_v0, b__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def tail(a__ssa_v0: pl.Tensor[[4, 16, 64], pl.FP32], n__ssa_v0: pl.Scalar[pl.INDEX], out__ssa_v0: pl.Out[pl.Tensor[[4, 16, 64], pl.FP32]]) -> pl.Tensor[[4, 16, 64], pl.FP32]:
        x__ssa_v0: pl.Tile[[1, 16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[1, n__ssa_v0, 64])] = pl.tile.load(a__ssa_v0, [0, 0, 0], [1, 16, 64], [1, n__ssa_v0, 64], target_memory=pl.Mem.Vec)
        m__ssa_v0: pl.Tile[[1, 16, 64], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[1, n__ssa_v0, 64])] = pl.tile.cast(x__ssa_v0, target_type=pl.FP16, mode='round')
        y__ssa_v0: pl.Tile[[1, 16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[1, n__ssa_v0, 64])] = pl.tile.cast(m__ssa_v0, target_type=pl.FP32, mode='round')
        out__ssa_v1: pl.Tensor[[4, 16, 64], pl.FP32] = pl.tile.store(y__ssa_v0, [1, 0, 0], out__ssa_v0)
        return out__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def turned(a__ssa_v0: pl.Tensor[[32, 64], pl.FP32], out__ssa_v0: pl.Out[pl.Tensor[[64, 32], pl.FP32]]) -> pl.Tensor[[64, 32], pl.FP32]:
        x__ssa_v0: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [0, 0], [32, 64], [32, 64], target_memory=pl.Mem.Vec)
        y__ssa_v0: pl.Tile[[64, 32], pl.FP32, pl.Mem.Vec] = pl.tile.transpose(x__ssa_v0, 0, 1)
        out__ssa_v1: pl.Tensor[[64, 32], pl.FP32] = pl.tile.store(y__ssa_v0, [0, 0], out__ssa_v0)
        return out__ssa_v1
