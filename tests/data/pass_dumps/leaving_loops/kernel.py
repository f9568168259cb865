"""break forms"""
import pypto.language as pl

@pl.program
class Breaks:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, a: pl.Tensor[[128, 128], pl.FP32], n: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[128, 128], pl.FP32]]) -> pl.Tensor[[128, 128], pl.FP32]:
        for j in pl.range(8):
            if j == n:
                break
            u = pl.load(a, [j * 16, 0], [16, 128])
            o = pl.store(pl.exp(u), [j * 16, 0], o)
        return o

    @pl.function(type=pl.FunctionType.InCore)
    def m(self, a: pl.Tensor[[128, 128], pl.FP32], n: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[128, 128], pl.FP32]]) -> pl.Tensor[[128, 128], pl.FP32]:
        i = n * 1
        while i < 100:
            i = i + 1
            if i == 3:
                continue
            if i > 50:
                if i > 60:
                    break
                i = i + 2
            u = pl.load(a, [i, 0], [16, 128])
            o = pl.store(u, [i, 0], o)
        return o

    @pl.function(type=pl.FunctionType.InCore)
    def c(self, a: pl.Tensor[[128, 128], pl.FP32], n: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[16, 128], pl.FP32]]) -> pl.Tensor[[16, 128], pl.FP32]:
        z = pl.tile.full([16, 128], dtype=pl.FP32, value=0.0)
        for j, (s,) in pl.range(8, init_values=(z,)):
            u = pl.load(a, [j * 16, 0], [16, 128])
            if j > n:
                break
            s2 = pl.add(s, u)
            r = pl.yield_(s2)
        o = pl.store(r, [0, 0], o)
        return o
