# pypto.program: Cubes
import pypto.language as pl

@pl.program
class Cubes:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def low(a: pl.Tensor[[32, 64], pl.FP32], out: pl.Out[pl.Tensor[[2, 32, 64], pl.FP32]]) -> pl.Tensor[[2, 32, 64], pl.FP32]:
        x: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [0, 0], [32, 64], [32, 64], target_memory=pl.Mem.Vec)
        out: pl.Tensor[[2, 32, 64], pl.FP32] = pl.tile.store(x, [1, 0, 0], out)
        return out
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def made(a: pl.Tensor[[4, 16, 64], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[4, 16, 64], pl.FP32]]) -> pl.Tensor[[4, 16, 64], pl.FP32]:
        ones: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.full([2, 16, 64], dtype=pl.FP32, value=1.0)
        x: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [n, 0, 0], [2, 16, 64], [2, 16, 64], target_memory=pl.Mem.Vec)
        if n > 1:
            y: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.add(x, ones)
        else:
            y: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.sub(x, ones)
        flat: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.reshape(y, [32, 64])
        z: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.reshape(pl.tile.neg(flat), [2, 16, 64])
        out: pl.Tensor[[4, 16, 64], pl.FP32] = pl.tile.store(z, [n, 0, 0], out)
        return out
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def placed(a: pl.Tensor[[2, 16, 64], pl.FP32], out: pl.Out[pl.Tensor[[4, 16, 64], pl.FP32]]) -> pl.Tensor[[4, 16, 64], pl.FP32]:
        x: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [0, 0, 0], [2, 16, 64], [2, 16, 64], target_memory=pl.Mem.Vec)
        whole: pl.Tile[[4, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.full([4, 16, 64], dtype=pl.FP32, value=0.0)
        y: pl.Tile[[4, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.assemble(whole, x, [1, 0, 0])
        out: pl.Tensor[[4, 16, 64], pl.FP32] = pl.tile.store(y, [0, 0, 0], out)
        return out
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def reduced(a: pl.Tensor[[2, 16, 64], pl.FP32], out: pl.Out[pl.Tensor[[2, 16, 1], pl.FP32]]) -> pl.Tensor[[2, 16, 1], pl.FP32]:
        x: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [0, 0, 0], [2, 16, 64], [2, 16, 64], target_memory=pl.Mem.Vec)
        tmp: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.create([2, 16, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)
        y: pl.Tile[[2, 16, 1], pl.FP32, pl.Mem.Vec, pl.TileView(blayout=pl.TileLayout.col_major)] = pl.tile.row_sum(x, tmp)
        out: pl.Tensor[[2, 16, 1], pl.FP32] = pl.tile.store(y, [0, 0, 0], out)
        return out
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def rows(a: pl.Tensor[[4, 2, 16, 64], pl.FP32], out: pl.Out[pl.Tensor[[4, 2, 16, 64], pl.FP32]]) -> pl.Tensor[[4, 2, 16, 64], pl.FP32]:
        acc: pl.Tile[[1, 2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [0, 0, 0, 0], [1, 2, 16, 64], [1, 2, 16, 64], target_memory=pl.Mem.Vec)
        for i in pl.range(1, 4):
            more: pl.Tile[[1, 2, 16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[1, 2, 16, 32])] = pl.tile.load(a, [i, 0, 0, 0], [1, 2, 16, 64], [1, 2, 16, 32], target_memory=pl.Mem.Vec)
            acc: pl.Tile[[1, 2, 16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.add(acc, more)
        out: pl.Tensor[[4, 2, 16, 64], pl.FP32] = pl.tile.store(acc, [2, 0, 0, 0], out)
        return out
    @pl.function
    def sums(self, a: pl.Tensor[[2, 16, 64], pl.FP32], b: pl.Tensor[[2, 16, 64], pl.FP32], o: pl.Out[pl.Tensor[[2, 16, 64], pl.FP32]]) -> pl.Tensor[[2, 16, 64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            c: pl.Tensor[[2, 16, 64], pl.FP32] = pl.tensor.add(a, b)
            o: pl.Tensor[[2, 16, 64], pl.FP32] = pl.tensor.assemble(o, pl.tensor.muls(pl.tensor.exp(c), 2.0), [0, 0, 0])
        return o
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def tail(a: pl.Tensor[[4, 16, 64], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[4, 16, 64], pl.FP32]]) -> pl.Tensor[[4, 16, 64], pl.FP32]:
        x: pl.Tile[[1, 16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[1, n, 64])] = pl.tile.load(a, [0, 0, 0], [1, 16, 64], [1, n, 64], target_memory=pl.Mem.Vec)
        m: pl.Tile[[1, 16, 64], pl.FP16, pl.Mem.Vec, pl.TileView(valid_shape=[1, n, 64])] = pl.tile.cast(x, target_type=pl.FP16, mode='round')
        y: pl.Tile[[1, 16, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[1, n, 64])] = pl.tile.cast(m, target_type=pl.FP32, mode='round')
        out: pl.Tensor[[4, 16, 64], pl.FP32] = pl.tile.store(y, [1, 0, 0], out)
        return out
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def turned(a: pl.Tensor[[32, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 32], pl.FP32]]) -> pl.Tensor[[64, 32], pl.FP32]:
        x: pl.Tile[[32, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [0, 0], [32, 64], [32, 64], target_memory=pl.Mem.Vec)
        y: pl.Tile[[64, 32], pl.FP32, pl.Mem.Vec] = pl.tile.transpose(x, 0, 1)
        out: pl.Tensor[[64, 32], pl.FP32] = pl.tile.store(y, [0, 0], out)
        return out