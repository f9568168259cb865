# pypto.program: Levels
import pypto.language as pl

@pl.program
class Levels:
    @pl.function
    def main(self, x__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        with pl.at(level=pl.Level.HOST, role=pl.Role.Orchestrator):
            with pl.at(level=pl.Level.CHIP):
                with pl.at(level=pl.Level.CORE_GROUP):
                    o__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v0, pl.tensor.exp(x__ssa_v0), [0, 0])
        return o__ssa_v1
    @pl.function
    def other(self, x__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        s_inline0__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.create([64, 128], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="inner"):
            s_inline0__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(s_inline0__ssa_v0, pl.tensor.exp(x__ssa_v0), [0, 0])
            o__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v0, pl.tensor.abs(x__ssa_v0), [0, 0])
        a__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = s_inline0__ssa_v1
        o__ssa_v2: pl.Tensor[[64, 128], pl.FP32] = o__ssa_v1
        s_inline1__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.create([64, 128], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="inner"):
            s_inline1__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(s_inline1__ssa_v0, pl.tensor.exp(a__ssa_v0), [0, 0])
            o__ssa_v3: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v2, pl.tensor.abs(a__ssa_v0), [0, 0])
        b__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = s_inline1__ssa_v1
        o__ssa_v4: pl.Tensor[[64, 128], pl.FP32] = o__ssa_v3
        with pl.at(level=pl.Level.CORE_GROUP):
            o__ssa_v5: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v4, pl.tensor.adds(pl.tensor.slice(x__ssa_v0, [16, 128], [pl.const(0, pl.INDEX) * pl.const(16, pl.INDEX), 0]), 1.0), [pl.const(0, pl.INDEX) * pl.const(16, pl.INDEX), 0])
        with pl.at(level=pl.Level.CORE_GROUP):
            o__ssa_v6: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v5, pl.tensor.adds(pl.tensor.slice(x__ssa_v0, [16, 128], [pl.const(1, pl.INDEX) * pl.const(16, pl.INDEX), 0]), 1.0), [pl.const(1, pl.INDEX) * pl.const(16, pl.INDEX), 0])
        with pl.at(level=pl.Level.CORE_GROUP):
            o__ssa_v7: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v6, pl.tensor.adds(pl.tensor.slice(x__ssa_v0, [16, 128], [pl.const(2, pl.INDEX) * pl.const(16, pl.INDEX), 0]), 1.0), [pl.const(2, pl.INDEX) * pl.const(16, pl.INDEX), 0])
        for q__idx_v0, (o__iter_v8,) in pl.range(1, init_values=(o__ssa_v7,)):
            with pl.at(level=pl.Level.CORE_GROUP):
                o__ssa_v10: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o__iter_v8, pl.tensor.slice(b__ssa_v0, [16, 128], [q__idx_v0 * 16, 0]), [q__idx_v0 * 16, 0])
            o__rv_v9: pl.Tensor[[64, 128], pl.FP32] = pl.yield_(o__ssa_v10)
        return o__rv_v9