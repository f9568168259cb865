# pypto.program: Breaks
import pypto.language as pl

@pl.program
class Breaks:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def c(a: pl.Tensor[[128, 128], pl.FP32], n: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[16, 128], pl.FP32]]) -> pl.Tensor[[16, 128], pl.FP32]:
        z: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.full([16, 128], dtype=pl.FP32, value=0.0)
        j__idx_v1: pl.Scalar[pl.INDEX] = 0
        break__tmp_v0: pl.Scalar[pl.BOOL] = False
        for (s,) in pl.while_(init_values=(z,)):
            pl.cond(j__idx_v1 < 8 and not break__tmp_v0)
            u: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [j__idx_v1 * 16, 0], [16, 128], [16, 128], target_memory=pl.Mem.Vec)
            if j__idx_v1 > n:
                break__tmp_v0: pl.Scalar[pl.BOOL] = True
                s__phi_v2: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.yield_(s)
            else:
                s2: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.add(s, u)
                s__phi_v2: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.yield_(s2)
            if not break__tmp_v0:
                j__idx_v1: pl.Scalar[pl.INDEX] = j__idx_v1 + 1
            r: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.yield_(s__phi_v2)
        o: pl.Tensor[[16, 128], pl.FP32] = pl.tile.store(r, [0, 0], o)
        return o
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def k(a: pl.Tensor[[128, 128], pl.FP32], n: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[128, 128], pl.FP32]]) -> pl.Tensor[[128, 128], pl.FP32]:
        j__idx_v1: pl.Scalar[pl.INDEX] = 0
        break__tmp_v0: pl.Scalar[pl.BOOL] = False
        while j__idx_v1 < 8 and not break__tmp_v0:
            if j__idx_v1 == n:
                break__tmp_v0: pl.Scalar[pl.BOOL] = True
                pl.yield_()
            else:
                u: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [j__idx_v1 * 16, 0], [16, 128], [16, 128], target_memory=pl.Mem.Vec)
                o: pl.Tensor[[128, 128], pl.FP32] = pl.tile.store(pl.tile.exp(u), [j__idx_v1 * 16, 0], o)
                pl.yield_()
            if not break__tmp_v0:
                j__idx_v1: pl.Scalar[pl.INDEX] = j__idx_v1 + 1
        return o
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def m(a: pl.Tensor[[128, 128], pl.FP32], n: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[128, 128], pl.FP32]]) -> pl.Tensor[[128, 128], pl.FP32]:
        i: pl.Scalar[pl.INDEX] = n * 1
        break__tmp_v0: pl.Scalar[pl.BOOL] = False
        while i < 100 and not break__tmp_v0:
            i: pl.Scalar[pl.INDEX] = i + 1
            if i == 3:
                pass
            else:
                if i > 50:
                    if i > 60:
                        break__tmp_v0: pl.Scalar[pl.BOOL] = True
                        pl.yield_()
                    else:
                        i: pl.Scalar[pl.INDEX] = i + 2
                        pl.yield_()
                else:
                    pass
                if not break__tmp_v0:
                    u: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(a, [i, 0], [16, 128], [16, 128], target_memory=pl.Mem.Vec)
                    o: pl.Tensor[[128, 128], pl.FP32] = pl.tile.store(u, [i, 0], o)
                    pl.yield_()
                else:
                    pl.yield_()
        return o