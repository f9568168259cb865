"""Names that a loop binds and that are read after it: an earlier variable of the very same type gives them their first value."""

import pypto.language as pl


@pl.jit
def last_binding_is_an_alias(
    x: pl.Tensor[[64, 128], pl.FP32],
    n: pl.Scalar[pl.INDEX],
    m: pl.Scalar[pl.INDEX],
    out: pl.Out[pl.Tensor[[64, 128], pl.FP32]],
):
    for i in pl.range(n):
        y = i + 1
        if y > 3:
            y = m
    for j in pl.range(y):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[:] = pl.exp(x)
    return out


@pl.jit
def alias_in_an_earlier_branch(
    x: pl.Tensor[[64, 128], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 128], pl.FP32]]
):
    if n > 0:
        y = n
    for i in pl.range(n):
        if i > 2:
            y = i + 1
    for j in pl.range(y):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[:] = pl.exp(x)
    return out


@pl.jit
def alias_of_an_alias(
    x: pl.Tensor[[64, 128], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 128], pl.FP32]]
):
    for i in pl.range(n):
        z = n
        y = z
    for j in pl.range(y):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[:] = pl.exp(x)
    return out


@pl.jit
def one_of_a_pair(
    x: pl.Tensor[[64, 128], pl.FP32],
    n: pl.Scalar[pl.INDEX],
    m: pl.Scalar[pl.INDEX],
    out: pl.Out[pl.Tensor[[64, 128], pl.FP32]],
):
    for i in pl.range(n):
        y, z = n, m
        for k in pl.range(z):
            with pl.at(level=pl.Level.CORE_GROUP):
                out[:] = pl.exp(x)
    for j in pl.range(y):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[:] = pl.exp(x)
    return out


@pl.program
class Tiles:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        a: pl.Tensor[[64, 128], pl.FP32],
        n: pl.Scalar[pl.INDEX],
        o: pl.Out[pl.Tensor[[64, 128], pl.FP32]],
    ) -> pl.Tensor[[64, 128], pl.FP32]:
        first = pl.load(a, [0, 0], [64, 128])
        for i in pl.range(n):
            t = pl.exp(first)
            t = first
        o = pl.store(t, [0, 0], o)
        return o


@pl.program
class Handed:
    @pl.function(type=pl.FunctionType.Inline)
    def same(self, x: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
        return x

    @pl.function()
    def main(self, x: pl.Tensor[[64, 128], pl.FP32], n: pl.Scalar[pl.INDEX]) -> pl.Tensor[[64, 128], pl.FP32]:
        for i in pl.range(n):
            y = self.same(x)
        return y
