"""The base address that is left to the compiler, by all its spellings."""

import pypto.language as pl
from pypto.language import AUTO

CHOSEN = pl.AUTO


@pl.program
class Rings:
    @pl.function(type=pl.FunctionType.AIC)
    def cube(self):
        buf = pl.reserve_buffer(name="ring", size=4096, base=pl.AUTO)
        pl.aic_initialize_pipe(pl.const(0, pl.INT32), buf, dir_mask=2, slot_size=512)

    @pl.function(type=pl.FunctionType.AIV)
    def vector(self):
        peer = pl.import_peer_buffer(name="ring", peer_func="cube")
        pl.aiv_initialize_pipe(pl.const(0, pl.INT32), peer, dir_mask=2, slot_size=512)

    @pl.function(type=pl.FunctionType.Group)
    def group(self):
        self.cube()
        self.vector()


@pl.program
class Named:
    @pl.function(type=pl.FunctionType.AIC)
    def cube(self):
        buf = pl.reserve_buffer(name="ring", size=4096, base=CHOSEN)
        pl.aic_initialize_pipe(pl.const(0, pl.INT32), buf, dir_mask=2, slot_size=512)


@pl.program
class Imported:
    @pl.function(type=pl.FunctionType.AIC)
    def cube(self):
        buf = pl.reserve_buffer(name="ring", size=4096, base=AUTO)
        pl.aic_initialize_pipe(pl.const(0, pl.INT32), buf, dir_mask=2, slot_size=512)


@pl.program
class OfTheModule:
    @pl.function(type=pl.FunctionType.AIC)
    def cube(self):
        buf = pl.reserve_buffer(name="ring", size=4096, base=pl.system.AUTO)
        pl.aic_initialize_pipe(pl.const(0, pl.INT32), buf, dir_mask=2, slot_size=512)
