# pypto.program: Breaks
import pypto.language as pl

@pl.program
class Breaks:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def c(a__ssa_v0: pl.Tensor[[128, 128], pl.FP32], n__ssa_v0: pl.Scalar[pl.INDEX], o__ssa_v0: pl.Out[pl.Tensor[[16, 128], pl.FP32]]) -> pl.Tensor[[16, 128], pl.FP32]:
        z__ssa_v0: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.full([16, 128], dtype=pl.FP32, value=0.0)
        j__ssa_v0: pl.Scalar[pl.INDEX] = 0
        break__ssa_v0: pl.Scalar[pl.BOOL] = False
        for (s, break__iter_v1, j__iter_v1) in pl.while_(init_values=(z__ssa_v0, break__ssa_v0, j__ssa_v0)):
            pl.cond(j__iter_v1 < 8 and not break__iter_v1)
            u__ssa_v0: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [j__iter_v1 * 16, 0], [16, 128], [16, 128], target_memory=pl.Mem.Vec)
            if j__iter_v1 > n__ssa_v0:
                break__ssa_v3: pl.Scalar[pl.BOOL] = True
                break__phi_v4, s__rv_v0 = pl.yield_(break__ssa_v3)
            else:
                s2__ssa_v0: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.add(s, u__ssa_v0)
                break__phi_v4, s__rv_v0 = pl.yield_(break__iter_v1)
            if not break__phi_v4:
                j__ssa_v3: pl.Scalar[pl.INDEX] = j__iter_v1 + 1
                j__phi_v4: pl.Scalar[pl.INDEX] = pl.yield_(j__ssa_v3)
            else:
                j__phi_v4: pl.Scalar[pl.INDEX] = pl.yield_(j__iter_v1)
            r, break__rv_v2, j__rv_v2 = pl.yield_(s__rv_v0, break__phi_v4, j__phi_v4)
        o__ssa_v1: pl.Tensor[[16, 128], pl.FP32] = pl.tile.store(r, [0, 0], o__ssa_v0)
        return o__ssa_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def k(a__ssa_v0: pl.Tensor[[128, 128], pl.FP32], n__ssa_v0: pl.Scalar[pl.INDEX], o__ssa_v0: pl.Out[pl.Tensor[[128, 128], pl.FP32]]) -> pl.Tensor[[128, 128], pl.FP32]:
        j__ssa_v0: pl.Scalar[pl.INDEX] = 0
        break__ssa_v0: pl.Scalar[pl.BOOL] = False
        for (break__iter_v1, j__iter_v1, o__iter_v1) in pl.while_(init_values=(break__ssa_v0, j__ssa_v0, o__ssa_v0)):
            pl.cond(j__iter_v1 < 8 and not break__iter_v1)
            if j__iter_v1 == n__ssa_v0:
                break__ssa_v3: pl.Scalar[pl.BOOL] = True
                break__phi_v4, o__phi_v4 = pl.yield_(break__ssa_v3, o__iter_v1)
            else:
                u__ssa_v0: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [j__iter_v1 * 16, 0], [16, 128], [16, 128], target_memory=pl.Mem.Vec)
                o__ssa_v3: pl.Tensor[[128, 128], pl.FP32] = pl.tile.store(pl.tile.exp(u__ssa_v0), [j__iter_v1 * 16, 0], o__iter_v1)
                break__phi_v4, o__phi_v4 = pl.yield_(break__iter_v1, o__ssa_v3)
            if not break__phi_v4:
                j__ssa_v3: pl.Scalar[pl.INDEX] = j__iter_v1 + 1
                j__phi_v4: pl.Scalar[pl.INDEX] = pl.yield_(j__ssa_v3)
            else:
                j__phi_v4: pl.Scalar[pl.INDEX] = pl.yield_(j__iter_v1)
            break__rv_v2, j__rv_v2, o__rv_v2 = pl.yield_(break__phi_v4, j__phi_v4, o__phi_v4)
        return o__rv_v2
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def m(a__ssa_v0: pl.Tensor[[128, 128], pl.FP32], n__ssa_v0: pl.Scalar[pl.INDEX], o__ssa_v0: pl.Out[pl.Tensor[[128, 128], pl.FP32]]) -> pl.Tensor[[128, 128], pl.FP32]:
        i__ssa_v0: pl.Scalar[pl.INDEX] = n__ssa_v0 * 1
        break__ssa_v0: pl.Scalar[pl.BOOL] = False
        for (break__iter_v1, i__iter_v1, o__iter_v1) in pl.while_(init_values=(break__ssa_v0, i__ssa_v0, o__ssa_v0)):
            pl.cond(i__iter_v1 < 100 and not break__iter_v1)
            i__ssa_v3: pl.Scalar[pl.INDEX] = i__iter_v1 + 1
            if i__ssa_v3 == 3:
                break__phi_v6, i__phi_v7, o__phi_v5 = pl.yield_(break__iter_v1, i__ssa_v3, o__iter_v1)
            else:
                if i__ssa_v3 > 50:
                    if i__ssa_v3 > 60:
                        break__ssa_v3: pl.Scalar[pl.BOOL] = True
                        break__phi_v4, i__phi_v5 = pl.yield_(break__ssa_v3, i__ssa_v3)
                    else:
                        i__ssa_v4: pl.Scalar[pl.INDEX] = i__ssa_v3 + 2
                        break__phi_v4, i__phi_v5 = pl.yield_(break__iter_v1, i__ssa_v4)
                    break__phi_v5, i__phi_v6 = pl.yield_(break__phi_v4, i__phi_v5)
                else:
                    break__phi_v5, i__phi_v6 = pl.yield_(break__iter_v1, i__ssa_v3)
                if not break__phi_v5:
                    u__ssa_v0: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(a__ssa_v0, [i__phi_v6, 0], [16, 128], [16, 128], target_memory=pl.Mem.Vec)
                    o__ssa_v3: pl.Tensor[[128, 128], pl.FP32] = pl.tile.store(u__ssa_v0, [i__phi_v6, 0], o__iter_v1)
                    o__phi_v4: pl.Tensor[[128, 128], pl.FP32] = pl.yield_(o__ssa_v3)
                else:
                    o__phi_v4: pl.Tensor[[128, 128], pl.FP32] = pl.yield_(o__iter_v1)
                break__phi_v6, i__phi_v7, o__phi_v5 = pl.yield_(break__phi_v5, i__phi_v6, o__phi_v4)
            break__rv_v2, i__rv_v2, o__rv_v2 = pl.yield_(break__phi_v6, i__phi_v7, o__phi_v5)
        return o__rv_v2