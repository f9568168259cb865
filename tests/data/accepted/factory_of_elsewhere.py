"""Factories that only other files call: of parameters without a default nothing is known, nor of what is computed from them."""

import pypto.language as pl


def build(blocks: int):
    @pl.program
    class Clamped:
        @pl.function(type=pl.FunctionType.Orchestration)
        def main(
            self, t: pl.Tensor[[64], pl.INT32], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
        ) -> pl.Tensor[[16, 16], pl.FP32]:
            for i in pl.range(2):
                off = i * blocks
                w = pl.slice(t, [8], [off], clamp=True)
                v = pl.read(w, [0])
                if v > 0:
                    pl.write(o, [0, 0], 1.0)
            return o

    return Clamped


def widen(cols=16, rows=None):
    @pl.program
    class Partly:
        @pl.function(type=pl.FunctionType.Orchestration)
        def main(
            self, a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
        ) -> pl.Tensor[[16, 16], pl.FP32]:
            off = rows * 2
            held = pl.slice(a, [16, cols], [0, 0], valid_shape=[8, 8])
            part = pl.slice(a, [8, cols], [0, 0], valid_shape=[4, off])
            whole = pl.assemble(held, part, [off, 0])
            first = pl.read(whole, [0, 0])
            pl.write(o, [0, 0], first)
            return o

    return Partly
