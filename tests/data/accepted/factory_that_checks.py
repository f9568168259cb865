"""Factories that refuse their own defaults: every caller gives others, and the kernels fit those."""

import contextlib

import pypto.language as pl


def check_width(cols):
    if cols % 128:
        raise ValueError("rows of 128 elements, please")


def asserting(cols=100):
    assert cols == 128

    @pl.program
    class Asserted:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.create_tensor([64, cols], dtype=pl.FP32)
                b = pl.add(part, a)
            return b

    return Asserted


def by_helper(cols=100):
    with contextlib.nullcontext():
        for each in (cols,):
            check_width(each)

    @pl.program
    class Helped:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.create_tensor([64, cols], dtype=pl.FP32)
                b = pl.add(part, a)
            return b

    return Helped


def late(cols=100):
    @pl.program
    class Refused:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.create_tensor([64, cols], dtype=pl.FP32)
                b = pl.add(part, a)
            return b

    if cols % 128:
        raise ValueError(cols)
    return Refused


def required(width=None, rows=64):
    if width is None:
        raise ValueError("width")
    cols = width * 2

    @pl.program
    class Required:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.create_tensor([rows, cols], dtype=pl.FP32)
                b = pl.add(part, a)
            return b

    return Required


def tried(cols=100):
    try:
        check_width(cols)
    except ValueError:
        cols = 128

    @pl.program
    class Caught:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                part = pl.create_tensor([64, cols], dtype=pl.FP32)
                b = pl.add(part, a)
            return b

    return Caught
