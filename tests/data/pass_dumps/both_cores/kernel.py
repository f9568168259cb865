import pypto.language as pl


@pl.program
class Halves:
    """Kernels of both cores: halves of rows and columns, both ways across, broadcasts, loops, and regions of lanes."""

    @pl.function
    def columns(self, a: pl.Tensor[[64, 128], pl.FP32], b: pl.Tensor[[128, 128], pl.FP32], s: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.LEFT_RIGHT)]):
            c = pl.matmul(a, b)
            o[:] = pl.exp(pl.mul(c, s))
        return o

    @pl.function
    def broadcast(self, a: pl.Tensor[[64, 64], pl.FP32], b: pl.Tensor[[64, 64], pl.FP32], s: pl.Tensor[[1, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN)]):
            c = pl.matmul(a, b)
            o[:] = pl.col_expand_mul(c, s)
        return o

    @pl.function
    def across(self, a: pl.Tensor[[64, 64], pl.BF16], b: pl.Tensor[[64, 64], pl.BF16], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN)]):
            e = pl.add(a, 1.0)
            c = pl.matmul(e, b, out_dtype=pl.FP32)
            o[:] = pl.mul(c, 2.0)
        return o

    @pl.function
    def unsplit(self, a: pl.Tensor[[64, 64], pl.BF16], b: pl.Tensor[[64, 64], pl.BF16], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            e = pl.add(a, 1.0)
            c = pl.matmul(e, b, out_dtype=pl.FP32)
            o[:] = pl.mul(c, 2.0)
        return o

    @pl.function
    def looped(self, a: pl.Tensor[[256, 64], pl.FP32], b: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[256, 64], pl.FP32]]) -> pl.Tensor[[256, 64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN)]):
            for i in pl.range(4):
                rows = pl.slice(a, [64, 64], [i * 64, 0])
                c = pl.matmul(rows, b)
                o = pl.assemble(o, pl.neg(c), [i * 64, 0])
        return o

    @pl.function
    def lanes(self, a: pl.Tensor[[64, 128], pl.FP32], b: pl.Tensor[[128, 128], pl.FP32], s: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            c = pl.matmul(a, b)
            for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
                h = pl.aiv_shard(c)
                t = pl.slice(s, [32, 128], [lane * 32, 0])
                o = pl.assemble(o, pl.add(h, t), [lane * 32, 0])
        return o

    @pl.function
    def whole(self, a: pl.Tensor[[64, 64], pl.FP32], b: pl.Tensor[[64, 64], pl.FP32], s: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]], p: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            c = pl.matmul(a, b)
            p = pl.assemble(p, c, [0, 0])
            for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
                t = pl.slice(s, [64, 64], [0, 0])
                o = pl.assemble(o, pl.neg(t), [0, 0])
        return o

    @pl.function
    def once(self, a: pl.Tensor[[64, 64], pl.FP32], b: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[128, 64], pl.FP32]]) -> pl.Tensor[[128, 64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            c = pl.matmul(a, b)
            for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
                h = pl.aiv_shard(c)
                o = pl.assemble(o, pl.neg(h), [lane * 64, 0])
        return o
