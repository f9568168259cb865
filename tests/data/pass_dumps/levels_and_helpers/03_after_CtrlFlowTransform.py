# pypto.program: Levels
import pypto.language as pl

@pl.program
class Levels:
    @pl.function
    def main(self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        with pl.at(level=pl.Level.HOST, role=pl.Role.Orchestrator):
            with pl.at(level=pl.Level.CHIP):
                with pl.at(level=pl.Level.CORE_GROUP):
                    o: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o, pl.tensor.exp(x), [0, 0])
        return o
    @pl.function
    def other(self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        s_inline0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.create([64, 128], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="inner"):
            s_inline0: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(s_inline0, pl.tensor.exp(x), [0, 0])
            o: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o, pl.tensor.abs(x), [0, 0])
        a: pl.Tensor[[64, 128], pl.FP32] = s_inline0
        o: pl.Tensor[[64, 128], pl.FP32] = o
        s_inline1: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.create([64, 128], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="inner"):
            s_inline1: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(s_inline1, pl.tensor.exp(a), [0, 0])
            o: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o, pl.tensor.abs(a), [0, 0])
        b: pl.Tensor[[64, 128], pl.FP32] = s_inline1
        o: pl.Tensor[[64, 128], pl.FP32] = o
        with pl.at(level=pl.Level.CORE_GROUP):
            o: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o, pl.tensor.adds(pl.tensor.slice(x, [16, 128], [pl.const(0, pl.INDEX) * pl.const(16, pl.INDEX), 0]), 1.0), [pl.const(0, pl.INDEX) * pl.const(16, pl.INDEX), 0])
        with pl.at(level=pl.Level.CORE_GROUP):
            o: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o, pl.tensor.adds(pl.tensor.slice(x, [16, 128], [pl.const(1, pl.INDEX) * pl.const(16, pl.INDEX), 0]), 1.0), [pl.const(1, pl.INDEX) * pl.const(16, pl.INDEX), 0])
        with pl.at(level=pl.Level.CORE_GROUP):
            o: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o, pl.tensor.adds(pl.tensor.slice(x, [16, 128], [pl.const(2, pl.INDEX) * pl.const(16, pl.INDEX), 0]), 1.0), [pl.const(2, pl.INDEX) * pl.const(16, pl.INDEX), 0])
        for q in pl.range(1):
            with pl.at(level=pl.Level.CORE_GROUP):
                o: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o, pl.tensor.slice(b, [16, 128], [q * 16, 0]), [q * 16, 0])
        return o