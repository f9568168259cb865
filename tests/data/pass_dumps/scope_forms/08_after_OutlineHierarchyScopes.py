# pypto.program: Scopes
import pypto.language as pl

@pl.program
class Scopes:
    @pl.function
    def main(self, x__ssa_v0: pl.Tensor[[256, 128], pl.FP32], y__ssa_v0: pl.Tensor[[256, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[256, 128], pl.FP32]], p__ssa_v0: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> tuple[pl.Tensor[[256, 128], pl.FP32], pl.Tensor[[256, 128], pl.FP32]]:
        n__ssa_v0: pl.Scalar[pl.FP32] = pl.tensor.read(x__ssa_v0, [0, 0])
        for i__idx_v0, (o__iter_v1, p__iter_v1) in pl.parallel(4, init_values=(o__ssa_v0, p__ssa_v0)):
            with pl.at(level=pl.Level.CORE_GROUP, name_hint="twice"):
                t__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.slice(x__ssa_v0, [64, 128], [i__idx_v0 * 64, 0])
                t__tmp_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.slice(y__ssa_v0, [64, 128], [i__idx_v0 * 64, 0])
                u__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.add(t__ssa_v0, t__tmp_v0)
                o__ssa_v3: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(o__iter_v1, u__ssa_v0, [i__idx_v0 * 64, 0])
                t__tmp_v1: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.muls(u__ssa_v0, 2.0)
                p__ssa_v3: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(p__iter_v1, t__tmp_v1, [i__idx_v0 * 64, 0])
            o__rv_v2, p__rv_v2 = pl.yield_(o__ssa_v3, p__ssa_v3)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="twice"):
            w__ssa_v0: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.exp(x__ssa_v0)
            o__ssa_v4: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(o__rv_v2, w__ssa_v0, [0, 0])
        with pl.at(level=pl.Level.CORE_GROUP) as tid__ssa_v0:
            t__tmp_v2: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.sqrt(x__ssa_v0)
            p__ssa_v4: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(p__rv_v2, t__tmp_v2, [0, 0])
        with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN)], deps=[tid__ssa_v0]):
            t__tmp_v3: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.neg(p__ssa_v4)
            o__ssa_v5: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v4, t__tmp_v3, [0, 0])
        with pl.cluster():
            with pl.spmd(4):
                with pl.at(level=pl.Level.CORE_GROUP):
                    t__tmp_v4: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.slice(x__ssa_v0, [64, 128], [0, 0])
                    part__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.exp(t__tmp_v4)
                    b__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
                    t__tmp_v5: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.abs(part__ssa_v0)
                    o__ssa_v6: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v5, t__tmp_v5, [b__ssa_v0 * 64, 0])
        for k__ssa_v0 in pl.spmd(4):
            t__tmp_v6: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.slice(p__ssa_v4, [64, 128], [k__ssa_v0 * 64, 0])
            v__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.exp(t__tmp_v6)
            o__ssa_v7: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v6, v__ssa_v0, [k__ssa_v0 * 64, 0])
        return o__ssa_v7, p__ssa_v4