"""Numbers that a jit kernel takes by keyword only: their values stand in the specialised text."""

import pypto.language as pl


@pl.jit
def scaled(
    x: pl.Tensor[[64, 128], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 128], pl.FP32]],
    *,
    rounds: pl.Scalar[pl.INT32] = 3,
    rows: pl.INT32 = 64,
):
    for i in pl.range(rounds):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[:] = pl.mul(pl.slice(x, [rows, 128], [0, 0]), 2.0)
    if rounds > 2:
        with pl.at(level=pl.Level.CORE_GROUP):
            out[:] = pl.mul(x, rounds)
    return out
