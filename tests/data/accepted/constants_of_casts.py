"""What is not seen to be constant, what never runs, and kernels that give a parameter back."""

import pypto.language as pl


@pl.jit.incore
def halved(x: pl.Tensor[[64, 128], pl.FP32]):
    x = pl.mul(x, 0.5)
    return x


@pl.jit
def near_the_end(x: pl.Tensor[[100, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        k = 48
        row = pl.cast(k, pl.INT64)
        t = pl.load(x, [row, 0], [64, 128])
        o = pl.store(t, [0, 0], o)
    return o


@pl.jit
def added_never(x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        p = pl.mul(x, 0.25)
    for _ in pl.range(0):
        o = pl.assemble(o, p, [0, 0], atomic=pl.AtomicType.Add)
    return o


width = 32


def rebound_for_all():
    global width
    width = 32

    @pl.function(type=pl.FunctionType.InCore)
    def k(a: pl.Tensor[[32, 64], pl.FP32], o: pl.Out[pl.Tensor[[32, 64], pl.FP32]]) -> pl.Tensor[[32, 64], pl.FP32]:
        t = pl.add(pl.load(a, [0, 0], [width, 64]), pl.load(a, [0, 0], [32, 64]))
        o = pl.store(t, [0, 0], o)
        return o

    width = 16
    return k


KERNEL = rebound_for_all()
