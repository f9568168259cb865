"""Factories with a default of None that every caller replaces: printing and copying it does not make a kernel of it."""

import dataclasses

import pypto.language as pl


@dataclasses.dataclass
class Config:
    first: int


def show(first):
    if first is not None:
        print(f"first: {first}")


def only_shown(first=None):
    print(first)
    show(first)
    label = f"rows from {first}"
    begin = first
    second = Config(first).first
    print(label)

    @pl.program
    class Shown:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[8, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                b = pl.slice(a, [8, 128], [begin, 0])
                c = pl.slice(a, [8, 128], [second, 0])
                d = pl.add(b, c)
            return d

    return Shown


def replaced(first=None, cols=None):
    print(cols)
    first = 8 if first is None else first

    @pl.program
    class Replaced:
        @pl.function
        def main(self, a: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[8, 128], pl.FP32]:
            with pl.at(level=pl.Level.CORE_GROUP):
                b = pl.slice(a, [8, cols], [first, 0])
                c = pl.slice(a, [8, 128], [0, 0])
                d = pl.add(b, c)
            return d

    return Replaced
