"""What a factory binds anew after a kernel was made, and calls whose refusal is caught."""

import pypto.language as pl


def two_widths():
    width = 32

    @pl.function(type=pl.FunctionType.InCore)
    def narrow(a: pl.Tensor[[32, 64], pl.FP32], o: pl.Out[pl.Tensor[[32, 64], pl.FP32]]) -> pl.Tensor[[32, 64], pl.FP32]:
        t = pl.add(pl.load(a, [0, 0], [32, width]), pl.load(a, [0, 32], [32, 32]))
        o = pl.store(t, [0, 0], o)
        return o

    width = 64

    @pl.function(type=pl.FunctionType.InCore)
    def wide(a: pl.Tensor[[32, 64], pl.FP32], o: pl.Out[pl.Tensor[[32, 64], pl.FP32]]) -> pl.Tensor[[32, 64], pl.FP32]:
        o = pl.store(pl.load(a, [0, 0], [32, width]), [0, 0], o)
        return o

    return narrow, wide


def all_depths():
    made = []
    for depth in (16, 32):

        @pl.program
        class Copy:
            @pl.function(type=pl.FunctionType.InCore)
            def copy(self, a: pl.Tensor[[32, 64], pl.FP32], o: pl.Out[pl.Tensor[[32, 64], pl.FP32]]) -> pl.Tensor[[32, 64], pl.FP32]:
                o = pl.store(pl.load(a, [0, 0], [depth, 64]), [0, 0], o)
                return o

        made.append(Copy)
    depth = 1024
    return made, depth


def cut(step=16):
    @pl.program
    class Sum:
        @pl.function(type=pl.FunctionType.InCore)
        def both(self, a: pl.Tensor[[32, 64], pl.FP32], o: pl.Out[pl.Tensor[[32, 64], pl.FP32]]) -> pl.Tensor[[32, 64], pl.FP32]:
            t = pl.add(pl.load(a, [0, 0], [step, 64]), pl.load(a, [16, 0], [16, 64]))
            o = pl.store(t, [0, 0], o)
            return o

    return Sum


NARROW, WIDE = two_widths()
DEPTHS = all_depths()
try:
    SUM = cut(24)
except Exception:
    SUM = cut()


@pl.function(type=pl.FunctionType.InCore)
def smallest(a: pl.Tensor[[pl.min(32, 8), 64], pl.FP32], o: pl.Out[pl.Tensor[[8, 64], pl.FP32]]) -> pl.Tensor[[8, 64], pl.FP32]:
    o = pl.store(pl.load(a, [0, 0], [8, 64]), [0, 0], o)
    return o
