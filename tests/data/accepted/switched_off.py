"""What never runs, by a switch that is off or a loop without a trip, need not be right."""

import pypto.language as pl

DEBUG = False
BLOCKS = 1


@pl.program
class Stores:
    @pl.function
    def branch(
        self, a: pl.Tensor[[64, 64], pl.INT8], b: pl.Tensor[[64, 64], pl.INT8], o: pl.Out[pl.Tensor[[64, 64], pl.INT16]]
    ) -> pl.Tensor[[64, 64], pl.INT16]:
        with pl.at(level=pl.Level.CORE_GROUP):
            c = pl.matmul(a, b)
            if DEBUG:
                o = pl.assemble(o, c, [0, 0])
        return o

    @pl.function
    def loop(
        self, a: pl.Tensor[[64, 64], pl.INT8], b: pl.Tensor[[64, 64], pl.INT8], o: pl.Out[pl.Tensor[[64, 64], pl.INT16]]
    ) -> pl.Tensor[[64, 64], pl.INT16]:
        with pl.at(level=pl.Level.CORE_GROUP):
            c = pl.matmul(a, b)
            for _ in pl.range(1, BLOCKS):
                o = pl.assemble(o, c, [0, 0])
        return o


@pl.jit
def barrier(x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):
    rounds = 0
    for i in pl.spmd(2, sync_start=True):
        t = pl.load(x, [i * 32, 0], [32, 128])
        for _ in pl.range(rounds):
            pl.system.syncall(core_type="aiv_only")
        o = pl.store(pl.exp(t), [i * 32, 0], o)
    return o


@pl.jit.inline
def softened(x: pl.Tensor[[64, 128], pl.FP32], o: pl.Tensor[[64, 128], pl.FP32], hard: pl.Scalar[pl.INDEX]):
    for i in pl.spmd(2, sync_start=True):
        t = pl.load(x, [i * 32, 0], [32, 128])
        if hard == 1:
            pl.system.syncall(core_type="aiv_only")
        o = pl.store(pl.exp(t), [i * 32, 0], o)
    return o


@pl.jit
def of_a_helper(x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):
    o = softened(x, o, 0)
    return o


@pl.jit
def by_default(
    a: pl.Tensor[[64, 64], pl.INT8],
    b: pl.Tensor[[64, 64], pl.INT8],
    o: pl.Out[pl.Tensor[[64, 64], pl.INT16]],
    mode: pl.Scalar[pl.INDEX] = 0,
):
    with pl.at(level=pl.Level.CORE_GROUP):
        c = pl.matmul(a, b)
        if mode == 1:
            o = pl.assemble(o, c, [0, 0])
    return o
