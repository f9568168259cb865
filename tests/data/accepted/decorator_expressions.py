"""Decorators that are expressions of other forms than a name with a call."""

import pypto.language as pl


@(kept := pl.jit)
def first(x: pl.Tensor[[64, 128], pl.FP32], out: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = pl.exp(x)
    return out


@kept
def second(x: pl.Tensor[[64, 128], pl.FP32], out: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = pl.exp(x)
    return out


@(whole := pl.program)
class Walrus:
    @pl.function(type=pl.FunctionType.InCore)
    def stage(
        self, x: pl.Tensor[[64, 256], pl.FP32], o: pl.Out[pl.Tensor[[64, 256], pl.FP32]]
    ) -> pl.Tensor[[64, 256], pl.FP32]:
        t = pl.load(x, [0, 0], [8, 256])
        o = pl.store(pl.exp(t), [0, 0], o)
        return o

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self, x: pl.Tensor[[64, 256], pl.FP32], o: pl.Out[pl.Tensor[[64, 256], pl.FP32]]
    ) -> pl.Tensor[[64, 256], pl.FP32]:
        o = self.stage(x, o)
        return o


@getattr(pl, "program")
class Found:
    @pl.function(type=pl.FunctionType.InCore)
    def stage(
        self, x: pl.Tensor[[64, 256], pl.FP32], o: pl.Out[pl.Tensor[[64, 256], pl.FP32]]
    ) -> pl.Tensor[[64, 256], pl.FP32]:
        t = pl.load(x, [0, 0], [8, 256])
        o = pl.store(pl.exp(t), [0, 0], o)
        return o

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self, x: pl.Tensor[[64, 256], pl.FP32], o: pl.Out[pl.Tensor[[64, 256], pl.FP32]]
    ) -> pl.Tensor[[64, 256], pl.FP32]:
        o = self.stage(x, o)
        return o
