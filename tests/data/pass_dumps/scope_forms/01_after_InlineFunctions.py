# pypto.program: Scopes
import pypto.language as pl

@pl.program
class Scopes:
    @pl.function
    def main(self, x: pl.Tensor[[256, 128], pl.FP32], y: pl.Tensor[[256, 128], pl.FP32], o: pl.Out[pl.Tensor[[256, 128], pl.FP32]], p: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> tuple[pl.Tensor[[256, 128], pl.FP32], pl.Tensor[[256, 128], pl.FP32]]:
        n: pl.Scalar[pl.FP32] = pl.tensor.read(x, [0, 0])
        for i in pl.parallel(4):
            with pl.at(level=pl.Level.CORE_GROUP, name_hint="twice"):
                t: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.slice(x, [64, 128], [i * 64, 0])
                u: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.add(t, pl.tensor.slice(y, [64, 128], [i * 64, 0]))
                o: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(o, u, [i * 64, 0])
                p: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(p, pl.tensor.muls(u, 2.0), [i * 64, 0])
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="twice"):
            w: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.exp(x)
            o: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(o, w, [0, 0])
        with pl.at(level=pl.Level.CORE_GROUP) as tid:
            p: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(p, pl.tensor.sqrt(x), [0, 0])
        with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.UP_DOWN)], deps=[tid]):
            o: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(o, pl.tensor.neg(p), [0, 0])
        with pl.cluster():
            with pl.spmd(4):
                with pl.at(level=pl.Level.CORE_GROUP):
                    part: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.exp(pl.tensor.slice(x, [64, 128], [0, 0]))
                    b: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
                    o: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(o, pl.tensor.abs(part), [b * 64, 0])
        for k in pl.spmd(4):
            v: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.exp(pl.tensor.slice(p, [64, 128], [k * 64, 0]))
            o: pl.Tensor[[256, 128], pl.FP32] = pl.tensor.assemble(o, v, [k * 64, 0])
        return o, p