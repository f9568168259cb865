# pypto.program: Levels
import pypto.language as pl

@pl.program
class Levels:
    @pl.function(level=pl.Level.CHIP)
    def main_host_orch_0_chip_0(self, x__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            t__tmp_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.exp(x__ssa_v0)
            o__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v0, t__tmp_v0, [0, 0])
        return o__ssa_v0
    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def main_host_orch_0(self, x__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = self.main_host_orch_0_chip_0(x__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function
    def main(self, x__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        o__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = self.main_host_orch_0(x__ssa_v0, o__ssa_v0)
        return o__ssa_v1
    @pl.function
    def other(self, x__ssa_v0: pl.Tensor[[64, 128], pl.FP32], o__ssa_v0: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        s_inline0__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.create([64, 128], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="inner"):
            t__tmp_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.exp(x__ssa_v0)
            s_inline0__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(s_inline0__ssa_v0, t__tmp_v0, [0, 0])
            t__tmp_v1: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.abs(x__ssa_v0)
            o__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v0, t__tmp_v1, [0, 0])
        a__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = s_inline0__ssa_v1
        o__ssa_v2: pl.Tensor[[64, 128], pl.FP32] = o__ssa_v1
        s_inline1__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.create([64, 128], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="inner"):
            t__tmp_v2: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.exp(a__ssa_v0)
            s_inline1__ssa_v1: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(s_inline1__ssa_v0, t__tmp_v2, [0, 0])
            t__tmp_v3: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.abs(a__ssa_v0)
            o__ssa_v3: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v2, t__tmp_v3, [0, 0])
        b__ssa_v0: pl.Tensor[[64, 128], pl.FP32] = s_inline1__ssa_v1
        o__ssa_v4: pl.Tensor[[64, 128], pl.FP32] = o__ssa_v3
        with pl.at(level=pl.Level.CORE_GROUP):
            t__tmp_v4: pl.Tensor[[16, 128], pl.FP32] = pl.tensor.slice(x__ssa_v0, [16, 128], [0, 0])
            t__tmp_v5: pl.Tensor[[16, 128], pl.FP32] = pl.tensor.adds(t__tmp_v4, 1.0)
            o__ssa_v5: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v4, t__tmp_v5, [0, 0])
        with pl.at(level=pl.Level.CORE_GROUP):
            t__tmp_v6: pl.Tensor[[16, 128], pl.FP32] = pl.tensor.slice(x__ssa_v0, [16, 128], [16, 0])
            t__tmp_v7: pl.Tensor[[16, 128], pl.FP32] = pl.tensor.adds(t__tmp_v6, 1.0)
            o__ssa_v6: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v5, t__tmp_v7, [16, 0])
        with pl.at(level=pl.Level.CORE_GROUP):
            t__tmp_v8: pl.Tensor[[16, 128], pl.FP32] = pl.tensor.slice(x__ssa_v0, [16, 128], [32, 0])
            t__tmp_v9: pl.Tensor[[16, 128], pl.FP32] = pl.tensor.adds(t__tmp_v8, 1.0)
            o__ssa_v7: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v6, t__tmp_v9, [32, 0])
        with pl.at(level=pl.Level.CORE_GROUP):
            t__tmp_v10: pl.Tensor[[16, 128], pl.FP32] = pl.tensor.slice(b__ssa_v0, [16, 128], [0, 0])
            o__ssa_v10: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o__ssa_v7, t__tmp_v10, [0, 0])
        return o__ssa_v10