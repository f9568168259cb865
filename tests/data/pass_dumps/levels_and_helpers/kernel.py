"""levels"""
import pypto.language as pl

@pl.program
class Levels:
    @pl.function
    def main(self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        with pl.at(level=pl.Level.HOST, role=pl.Role.Orchestrator):
            with pl.at(level=pl.Level.CHIP):
                with pl.at(level=pl.Level.CORE_GROUP):
                    o = pl.assemble(o, pl.exp(x), [0, 0])
        return o

    @pl.function(type=pl.FunctionType.Inline)
    def helper(self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> tuple[pl.Tensor[[64, 128], pl.FP32], pl.Tensor[[64, 128], pl.FP32]]:
        s = pl.create_tensor([64, 128], dtype=pl.FP32)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="inner"):
            s = pl.assemble(s, pl.exp(x), [0, 0])
            o = pl.assemble(o, pl.abs(x), [0, 0])
        return s, o

    @pl.function
    def other(self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        a, o = self.helper(x, o)
        b, o = self.helper(a, o)
        for i in pl.unroll(3):
            with pl.at(level=pl.Level.CORE_GROUP):
                o = pl.assemble(o, pl.add(x[i * 16 : i * 16 + 16, :], 1.0), [i * 16, 0])
        for q in pl.range(1):
            with pl.at(level=pl.Level.CORE_GROUP):
                o = pl.assemble(o, b[q * 16 : q * 16 + 16, :], [q * 16, 0])
        return o
