import pypto.language as pl


@pl.program
class CoreGroups:
    """Kernels of both cores with branches, sums over loops and greatest values of rows, in clusters and launches."""

    @pl.function
    def chosen(self, a: pl.Tensor[[64, 64], pl.FP32], b: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            c = pl.matmul(a, b)
            if n > 2:
                o = pl.assemble(o, pl.neg(c), [0, 0])
            else:
                o = pl.assemble(o, pl.exp(c), [0, 0])
        return o

    @pl.function
    def summed(self, a: pl.Tensor[[64, 256], pl.FP32], b: pl.Tensor[[256, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            acc = pl.full([64, 64], dtype=pl.FP32, value=0.0)
            for k in pl.range(4):
                p = pl.matmul(pl.slice(a, [64, 64], [0, k * 64]), pl.slice(b, [64, 64], [k * 64, 0]))
                acc = pl.add(acc, p)
            o = pl.assemble(o, acc, [0, 0])
        return o

    @pl.function
    def reduced(self, a: pl.Tensor[[64, 64], pl.FP32], b: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN, slot_num=4)]):
            c = pl.matmul(a, b)
            m = pl.row_max(c)
            o = pl.assemble(o, pl.row_expand_sub(c, m), [0, 0])
        return o

    @pl.function
    def grouped(self, a: pl.Tensor[[64, 64], pl.FP32], b: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        with pl.cluster():
            with pl.at(level=pl.Level.CORE_GROUP):
                c = pl.matmul(a, b)
                o = pl.assemble(o, pl.neg(c), [0, 0])
        return o

    @pl.function
    def launched(self, a: pl.Tensor[[256, 64], pl.FP32], b: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[256, 64], pl.FP32]]) -> pl.Tensor[[256, 64], pl.FP32]:
        for i in pl.spmd(4):
            c = pl.matmul(pl.slice(a, [64, 64], [i * 64, 0]), b)
            o = pl.assemble(o, pl.neg(c), [i * 64, 0])
        return o
