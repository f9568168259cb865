"""Helpers that a module makes of others, in whatever order the text has them."""

import pypto.language as pl


@pl.inline
def grown(x):
    return pl.exp(x)


@pl.inline
def shown(x):
    y = grown(x)
    return y


def after(inner):
    @pl.inline
    def both(x):
        y = inner(x)
        return pl.abs(y)

    return both


@pl.inline
def shrunk(x):
    return pl.neg(x)


turned = after(shrunk)


def kernel_of(helper):
    @pl.function
    def kernel(x: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
        y = helper(x)
        return y

    return kernel


@pl.function
def plain(x: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
    y = turned(x)
    return y


grow = kernel_of(grown)
turn = kernel_of(turned)
same = kernel_of(plain)
