import pypto.language as pl


@pl.program
class PipelinedRows:
    """Loops in stages: a whole number of rounds, a rest, a carried sum, and stores that wait."""

    @pl.function(type=pl.FunctionType.InCore)
    def even(self, a: pl.Tensor[[512, 64], pl.FP32], out: pl.Out[pl.Tensor[[512, 64], pl.FP32]]) -> pl.Tensor[[512, 64], pl.FP32]:
        for i in pl.pipeline(0, 8, stage=2):
            row = i * 64
            rows = pl.load(a, [row, 0], [64, 64])
            more = pl.add(rows, 1.0)
            out = pl.store(more, [row, 0], out)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def rest(self, a: pl.Tensor[[448, 64], pl.FP32], out: pl.Out[pl.Tensor[[448, 64], pl.FP32]]) -> pl.Tensor[[448, 64], pl.FP32]:
        for i in pl.pipeline(0, 7, stage=3):
            rows = pl.load(a, [i * 64, 0], [64, 64])
            out = pl.store(pl.mul(rows, 2.0), [i * 64, 0], out)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def total(self, a: pl.Tensor[[320, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        sum_ = pl.load(a, [0, 0], [64, 64])
        for i in pl.pipeline(1, 5, stage=2):
            rows = pl.load(a, [i * 64, 0], [64, 64])
            sum_ = pl.add(sum_, rows)
        out = pl.store(sum_, [0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        a: pl.Tensor[[512, 64], pl.FP32],
        b: pl.Tensor[[448, 64], pl.FP32],
        c: pl.Tensor[[320, 64], pl.FP32],
        even: pl.Out[pl.Tensor[[512, 64], pl.FP32]],
        rest: pl.Out[pl.Tensor[[448, 64], pl.FP32]],
        total: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ):
        even = self.even(a, even)
        rest = self.rest(b, rest)
        total = self.total(c, total)
