"""What a jit kernel's signature says is computed by Python, with all that Python has."""

import pypto.language as pl

TYPES = {"wide": pl.FP32}
WIDTH = "128 columns"


class Sizes:
    columns = 128
    dtype = pl.FP32


@pl.jit
def builtins(
    a: pl.Tensor[[16, pow(2, 7)], pl.FP32],
    b: pl.Tensor[[16, divmod(256, 2)[0]], pl.FP32],
    c: pl.Tensor[[16, sorted([128, 256])[0]], pl.FP32],
    d: pl.Tensor[[16, ord("a") + 31], pl.FP32],
    e: pl.Tensor[[16, eval("128")], pl.FP32],
    f: pl.Tensor[[16, getattr(Sizes, "columns")], pl.FP32],
    g: pl.Tensor[[16, dict(n=128)["n"]], pl.FP32],
    h: pl.Tensor[[16, int(WIDTH[:3])], pl.FP32],
    out: pl.Out[pl.Tensor[[16, 128], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.add(a, b)
        t = pl.add(t, c)
        t = pl.add(t, d)
        t = pl.add(t, e)
        t = pl.add(t, f)
        t = pl.add(t, g)
        out[:] = pl.add(t, h)
    return out


@pl.jit
def element_types(
    a: pl.Tensor[[16, 128], TYPES["wide"]],
    b: pl.Tensor[[16, 128], getattr(pl, "FP32")],
    c: pl.Tensor[[16, 128], Sizes.dtype],
    d: pl.Tensor[[16, 128], pl.FP32 if True else pl.FP16],
    e: pl.Tensor[([16, 128], pl.FP32)],
    out: pl.Out[pl.Tensor[[16, 128], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.add(a, b)
        t = pl.add(t, c)
        t = pl.add(t, d)
        out[:] = pl.add(t, e)
    return out
