# pypto.program: Scopes
import pypto.language as pl

@pl.program
class Scopes:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_4(x__ssa_v0: pl.Tensor[[256, 128], pl.FP32], o__ssa_v5: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> pl.Tensor[[256, 128], pl.FP32]:
        t__tmp_v4: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.slice(x__ssa_v0, [64, 128], [0, 0])
        part__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.exp(t__tmp_v4)
        b__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
        t__tmp_v5: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.abs(part__ssa_v0)
        o__ssa_v6: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v5, t__tmp_v5, [b__ssa_v0 * 64, 0])
        return o__ssa_v5
    @pl.function(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)
    def main_cluster_0(x__ssa_v0: pl.Tensor[[256, 128], pl.FP32], o__ssa_v5: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> pl.Tensor[[256, 128], pl.FP32]:
        pl.func_attr({"spmd_unwrapped": True})
        o__ssa_v6: pl.Tensor[[256, 128], pl.FP32] = self.main_incore_4(x__ssa_v0, o__ssa_v5)
        return o__ssa_v5
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_2(x__ssa_v0: pl.Tensor[[256, 128], pl.FP32], p__rv_v2: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> pl.Tensor[[256, 128], pl.FP32]:
        t__tmp_v2: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.sqrt(x__ssa_v0)
        p__ssa_v4: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(p__rv_v2, t__tmp_v2, [0, 0])
        return p__rv_v2
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_3(p__ssa_v4: pl.Tensor[[256, 128], pl.FP32], o__ssa_v4: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> pl.Tensor[[256, 128], pl.FP32]:
        pl.func_attr({"split": pl.SplitMode.UP_DOWN})
        t__tmp_v3: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.neg(p__ssa_v4)
        o__ssa_v5: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v4, t__tmp_v3, [0, 0])
        return o__ssa_v4
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def main_incore_5(p__ssa_v4: pl.Tensor[[256, 128], pl.FP32], o__ssa_v6: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> pl.Tensor[[256, 128], pl.FP32]:
        k__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
        t__tmp_v6: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.slice(p__ssa_v4, [64, 128], [k__ssa_v0 * 64, 0])
        v__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.exp(t__tmp_v6)
        o__ssa_v7: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v6, v__ssa_v0, [k__ssa_v0 * 64, 0])
        return o__ssa_v6
    @pl.function(type=pl.FunctionType.Spmd)
    def main_spmd_0(self, p__ssa_v4: pl.Tensor[[256, 128], pl.FP32], o__ssa_v6: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> pl.Tensor[[256, 128], pl.FP32]:
        o__ssa_v7: pl.Tensor[[256, 128], pl.FP32] = self.main_incore_5(p__ssa_v4, o__ssa_v6)
        return o__ssa_v6
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def twice(x__ssa_v0: pl.Tensor[[256, 128], pl.FP32], i__idx_v0: pl.Scalar[pl.INDEX], y__ssa_v0: pl.Tensor[[256, 128], pl.FP32], o__iter_v1: pl.Tensor[[256, 128], pl.FP32], p__iter_v1: pl.Tensor[[256, 128], pl.FP32]) -> tuple[pl.Tensor[[256, 128], pl.FP32], pl.Tensor[[256, 128], pl.FP32]]:
        t__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.slice(x__ssa_v0, [64, 128], [i__idx_v0 * 64, 0])
        t__tmp_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.slice(y__ssa_v0, [64, 128], [i__idx_v0 * 64, 0])
        u__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.add(t__ssa_v0, t__tmp_v0)
        o__ssa_v3: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(o__iter_v1, u__ssa_v0, [i__idx_v0 * 64, 0])
        t__tmp_v1: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.muls(u__ssa_v0, 2.0)
        p__ssa_v3: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(p__iter_v1, t__tmp_v1, [i__idx_v0 * 64, 0])
        return o__iter_v1, p__iter_v1
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def twice_0(x__ssa_v0: pl.Tensor[[256, 128], pl.FP32], o__rv_v2: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> pl.Tensor[[256, 128], pl.FP32]:
        w__ssa_v0: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.exp(x__ssa_v0)
        o__ssa_v4: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(o__rv_v2, w__ssa_v0, [0, 0])
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