"""scope forms"""
import pypto.language as pl

@pl.program
class Scopes:
    @pl.function
    def main(self, x: pl.Tensor[[256, 128], pl.FP32], y: pl.Tensor[[256, 128], pl.FP32], o: pl.Out[pl.Tensor[[256, 128], pl.FP32]], p: pl.Out[pl.Tensor[[256, 128], pl.FP32]]) -> tuple[pl.Tensor[[256, 128], pl.FP32], pl.Tensor[[256, 128], pl.FP32]]:
        n = pl.tensor.read(x, [0, 0])
        for i in pl.parallel(0, 4):
            with pl.at(level=pl.Level.CORE_GROUP, name_hint="twice"):
                t = x[i * 64 : i * 64 + 64, :]
                u = pl.add(t, y[i * 64 : i * 64 + 64, :])
                o = pl.assemble(o, u, [i * 64, 0])
                p = pl.assemble(p, pl.mul(u, 2.0), [i * 64, 0])
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="twice"):
            w = pl.exp(x)
            o = pl.assemble(o, w, [0, 0])
        with pl.at(level=pl.Level.CORE_GROUP) as tid:
            p = pl.assemble(p, pl.sqrt(x), [0, 0])
        with pl.at(level=pl.Level.CORE_GROUP, deps=[tid], optimizations=[pl.split(pl.SplitMode.UP_DOWN)]):
            o = pl.assemble(o, pl.neg(p), [0, 0])
        with pl.cluster():
            with pl.spmd(4):
                with pl.at(level=pl.Level.CORE_GROUP):
                    part = pl.exp(x[0:64, :])
                    b = pl.tile.get_block_idx()
                    o = pl.assemble(o, pl.abs(part), [b * 64, 0])
        for k in pl.spmd(4):
            v = pl.exp(p[k * 64 : k * 64 + 64, :])
            o = pl.assemble(o, v, [k * 64, 0])
        return o, p
