"""A kernel adds into its output; the caller throws the result away and reads the old name, and a shape does not fit."""

import pypto.language as pl


@pl.program
class Accumulate:
    @pl.function(type=pl.FunctionType.InCore)
    def add_into(
        self, x: pl.Tensor[[64, 128], pl.FP32], acc: pl.InOut[pl.Tensor[[64, 128], pl.FP32]]
    ) -> pl.Tensor[[64, 128], pl.FP32]:
        t = pl.load(x, [0, 0], [64, 128])
        a = pl.load(acc, [0, 0], [64, 128])
        acc = pl.store(pl.add(t, a), [0, 0], acc)
        return acc

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self, x: pl.Tensor[[64, 128], pl.FP32], acc: pl.InOut[pl.Tensor[[64, 128], pl.FP32]]
    ) -> pl.Tensor[[64, 128], pl.FP32]:
        self.add_into(x, acc)
        return acc


@pl.jit
def widen(
    x: pl.Tensor[[64, 128], pl.FP32],
    bias: pl.Tensor[[32, 128], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 128], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="widen"):
        out[:] = pl.add(x, bias)
    return out
