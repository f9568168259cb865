# pypto.program: Breaks
import pypto.language as pl

@pl.program
class Breaks:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def c(a: pl.Tensor[[128, 128], pl.FP32], n: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[16, 128], pl.FP32]]) -> pl.Tensor[[16, 128], pl.FP32]:
        z: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.full([16, 128], dtype=pl.FP32, value=0.0)
        for j, (s,) in pl.range(8, init_values=(z,)):
            u: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [j * 16, 0], [16, 128], [16, 128], target_memory=pl.Mem.Vec)
            if j > n:
                break
            s2: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.add(s, u)
            r: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.yield_(s2)
        o: pl.Tensor[[16, 128], pl.FP32] = pl.tile.store(r, [0, 0], o)
        return o
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def k(a: pl.Tensor[[128, 128], pl.FP32], n: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[128, 128], pl.FP32]]) -> pl.Tensor[[128, 128], pl.FP32]:
        for j in pl.range(8):
            if j == n:
                break
            u: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [j * 16, 0], [16, 128], [16, 128], target_memory=pl.Mem.Vec)
            o: pl.Tensor[[128, 128], pl.FP32] = pl.tile.store(pl.tile.exp(u), [j * 16, 0], o)
        return o
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def m(a: pl.Tensor[[128, 128], pl.FP32], n: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[128, 128], pl.FP32]]) -> pl.Tensor[[128, 128], pl.FP32]:
        i: pl.Scalar[pl.INDEX] = n * 1
        while i < 100:
            i: pl.Scalar[pl.INDEX] = i + 1
            if i == 3:
                continue
            if i > 50:
                if i > 60:
                    break
                i: pl.Scalar[pl.INDEX] = i + 2
            u: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [i, 0], [16, 128], [16, 128], target_memory=pl.Mem.Vec)
            o: pl.Tensor[[128, 128], pl.FP32] = pl.tile.store(u, [i, 0], o)
        return o