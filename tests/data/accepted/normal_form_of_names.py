"""Names that Python takes for the same since it brings them to normal form."""

import pypto.language as pl

ＲＯＷＳ = 64
µ = 128


class Größe:
    ﬁrst = 64


@pl.jit
def norm(
    ﬁ: pl.Tensor[[ROWS, μ], pl.FP32], 𝐱: pl.Tensor[[Größe.first, 128], pl.FP32], out: pl.Out[pl.Tensor[[64, 128], pl.FP32]]
):
    with pl.at(level=pl.Level.CORE_GROUP):
        ｔ = pl.add(fi, x)
        out[:] = pl.mul(t, 2.0)
    return out
