import pypto.language as pl


@pl.program
class Cubes:
    """Tiles of three and four dimensions: loads, arithmetic, reductions, loops that carry them, offsets and windows."""

    @pl.function
    def sums(self, a: pl.Tensor[[2, 16, 64], pl.FP32], b: pl.Tensor[[2, 16, 64], pl.FP32], o: pl.Out[pl.Tensor[[2, 16, 64], pl.FP32]]) -> pl.Tensor[[2, 16, 64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            c = pl.add(a, b)
            o[:] = pl.mul(pl.exp(c), 2.0)
        return o

    @pl.function(type=pl.FunctionType.InCore)
    def rows(self, a: pl.Tensor[[4, 2, 16, 64], pl.FP32], out: pl.Out[pl.Tensor[[4, 2, 16, 64], pl.FP32]]) -> pl.Tensor[[4, 2, 16, 64], pl.FP32]:
        acc = pl.load(a, [0, 0, 0, 0], [1, 2, 16, 64])
        for i in pl.range(1, 4):
            more = pl.load(a, [i, 0, 0, 0], [1, 2, 16, 64], valid_shape=[1, 2, 16, 32])
            acc = pl.add(acc, more)
        out = pl.store(acc, [2, 0, 0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def made(self, a: pl.Tensor[[4, 16, 64], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[4, 16, 64], pl.FP32]]) -> pl.Tensor[[4, 16, 64], pl.FP32]:
        ones = pl.tile.full([2, 16, 64], dtype=pl.FP32, value=1.0)
        x = pl.load(a, [n, 0, 0], [2, 16, 64])
        if n > 1:
            y = pl.add(x, ones)
        else:
            y = pl.sub(x, ones)
        flat = pl.reshape(y, [32, 64])
        z = pl.reshape(pl.neg(flat), [2, 16, 64])
        out = pl.store(z, [n, 0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def tail(self, a: pl.Tensor[[4, 16, 64], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[4, 16, 64], pl.FP32]]) -> pl.Tensor[[4, 16, 64], pl.FP32]:
        x = pl.load(a, [0, 0, 0], [1, 16, 64], valid_shape=[1, n, 64])
        m = pl.cast(x, pl.FP16)
        y = pl.cast(m, pl.FP32)
        out = pl.store(y, [1, 0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def turned(self, a: pl.Tensor[[32, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 32], pl.FP32]]) -> pl.Tensor[[64, 32], pl.FP32]:
        x = pl.load(a, [0, 0], [32, 64])
        y = pl.transpose(x, 0, 1)
        out = pl.store(y, [0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def placed(self, a: pl.Tensor[[2, 16, 64], pl.FP32], out: pl.Out[pl.Tensor[[4, 16, 64], pl.FP32]]) -> pl.Tensor[[4, 16, 64], pl.FP32]:
        x = pl.load(a, [0, 0, 0], [2, 16, 64])
        whole = pl.tile.full([4, 16, 64], dtype=pl.FP32, value=0.0)
        y = pl.tile.assemble(whole, x, [1, 0, 0])
        out = pl.store(y, [0, 0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def low(self, a: pl.Tensor[[32, 64], pl.FP32], out: pl.Out[pl.Tensor[[2, 32, 64], pl.FP32]]) -> pl.Tensor[[2, 32, 64], pl.FP32]:
        x = pl.load(a, [0, 0], [32, 64])
        out = pl.store(x, [1, 0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def reduced(self, a: pl.Tensor[[2, 16, 64], pl.FP32], out: pl.Out[pl.Tensor[[2, 16, 1], pl.FP32]]) -> pl.Tensor[[2, 16, 1], pl.FP32]:
        x = pl.load(a, [0, 0, 0], [2, 16, 64])
        tmp = pl.tile.create([2, 16, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)
        y = pl.row_sum(x, tmp)
        out = pl.store(y, [0, 0, 0], out)
        return out
