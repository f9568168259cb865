"""Annotations of yields that nobody reads: in a loop that carries values, and the second one of an if."""

import pypto.language as pl


@pl.program
class Carried:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[64, 256], pl.FP32],
        n: pl.Scalar[pl.INDEX],
        o: pl.Out[pl.Tensor[[64, 256], pl.FP32]],
    ) -> pl.Tensor[[64, 256], pl.FP32]:
        for i, (s,) in pl.range(4, init_values=(n,)):
            r: int = pl.yield_(s + 2)
        if n > 0:
            q = pl.yield_(r)
        else:
            q: int = pl.yield_(n)
        for (w,) in pl.while_(init_values=(q,)):
            pl.cond(w < 3)
            v: pl.Tensor = pl.yield_(w + 2)
        for j in pl.range(v):
            t = pl.load(x, [0, 0], [16, 256])
            o = pl.store(t, [0, 0], o)
        return o
