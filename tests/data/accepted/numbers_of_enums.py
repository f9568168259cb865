"""Members of integer enums, which are integers wherever Python's own value counts."""

from enum import Enum, IntEnum, IntFlag

import pypto.language as pl


class Size(IntEnum):
    ROWS = 16
    COLUMNS = 128
    NONE = 0


class Bits(IntFlag):
    COLUMNS = 128


class Mixed(int, Enum):
    COLUMNS = 128


COLUMNS = Size.COLUMNS
FLAG = Bits.COLUMNS
MIXED = Mixed.COLUMNS


@pl.program
class Kernels:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        a: pl.Tensor[[16, COLUMNS], pl.FP32],
        b: pl.Tensor[[Size.ROWS, FLAG], pl.FP32],
        o: pl.Out[pl.Tensor[[16, MIXED], pl.FP32]],
    ) -> pl.Tensor[[16, 128], pl.FP32]:
        first = pl.load(a, [0, 0], [16, COLUMNS])
        second = pl.load(b, [0, 0], [16, MIXED])
        for i in pl.range(FLAG):
            first = pl.add(first, second)
        pl.static_assert(MIXED == 128)
        o = pl.store(first, [0, 0], o)
        return o


@pl.jit
def entry(a: pl.Tensor[[16, COLUMNS], pl.FP32], out: pl.Out[pl.Tensor[[Size.ROWS, 128], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = pl.exp(a)
    return out
