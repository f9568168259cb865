# pypto.program: Levels
import pypto.language as pl

@pl.program
class Levels:
    @pl.function(type=pl.FunctionType.Inline)
    def helper(self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> tuple[pl.Tensor[[64, 128], pl.FP32], pl.Tensor[[64, 128], pl.FP32]]:
        s: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.create([64, 128], dtype=pl.FP32, layout=pl.TensorLayout.ND)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="inner"):
            s: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(s, pl.tensor.exp(x), [0, 0])
            o: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o, pl.tensor.abs(x), [0, 0])
        return s, o
    @pl.function
    def main(self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        with pl.at(level=pl.Level.HOST, role=pl.Role.Orchestrator):
            with pl.at(level=pl.Level.CHIP):
                with pl.at(level=pl.Level.CORE_GROUP):
                    o: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o, pl.tensor.exp(x), [0, 0])
        return o
    @pl.function
    def other(self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        _tuple_tmp: pl.Tuple[pl.Tensor[[64, 128], pl.FP32], pl.Tensor[[64, 128], pl.FP32]] = self.helper(x, o)
        a: pl.Tensor[[64, 128], pl.FP32] = _tuple_tmp[0]
        o: pl.Tensor[[64, 128], pl.FP32] = _tuple_tmp[1]
        _tuple_tmp_1: pl.Tuple[pl.Tensor[[64, 128], pl.FP32], pl.Tensor[[64, 128], pl.FP32]] = self.helper(a, o)
        b: pl.Tensor[[64, 128], pl.FP32] = _tuple_tmp_1[0]
        o: pl.Tensor[[64, 128], pl.FP32] = _tuple_tmp_1[1]
        for i in pl.unroll(3):
            with pl.at(level=pl.Level.CORE_GROUP):
                o: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o, pl.tensor.adds(pl.tensor.slice(x, [16, 128], [i * 16, 0]), 1.0), [i * 16, 0])
        for q in pl.range(1):
            with pl.at(level=pl.Level.CORE_GROUP):
                o: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.assemble(o, pl.tensor.slice(b, [16, 128], [q * 16, 0]), [q * 16, 0])
        return o