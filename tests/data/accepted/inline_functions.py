"""Inline functions that call each other without a circle, whose names matter only where they are expanded."""

import pypto.language as pl
from inline_helpers import shown, turned


@pl.program
class Calls:
    @pl.function(type=pl.FunctionType.Inline)
    def top(self, x: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
        y = self.left(x)
        z = self.leaf(y)
        return z

    @pl.function(type=pl.FunctionType.Inline)
    def left(self, x__in: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
        x__in = self.leaf(x__in)
        return x__in

    @pl.function(type=pl.FunctionType.Inline)
    def leaf(self, x: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
        y = turned(x)
        return y

    @pl.function(type=pl.FunctionType.Inline)
    def unused(self, x: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
        my__y = pl.exp(x)
        return my__y

    @pl.function()
    def main(self, x: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
        y = self.top(x)
        z = shown(y)
        return z
