"""ExpandMixedKernel: a kernel whose operators all run on one kind of core becomes a kernel for that core.

Modelled for kernels of one kind; the cube and the vector half of a mixed one are not made, it stays one kernel.
"""

from __future__ import annotations

from dataclasses import replace

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Lane
from pypto_lsp.passes.pipeline.crossings import tile_spaces
from pypto_lsp.passes.pipeline.outlining import LEVELS
from pypto_lsp.passes.tile_kernels import tile_lane

_CORES = {Lane.CUBE: "AIC", Lane.VECTOR: "AIV", Lane.SHARED: "AIV"}


def expand_mixed_kernel(function: ir.Function) -> ir.Function:
    """A kernel of one kind of core as a kernel for it."""
    if function.func_type != "InCore" or function.body is None:
        return function
    core = _CORES.get(tile_lane(function.body, tile_spaces(function.body)))
    if core is None:
        return function
    level, role = LEVELS[core]
    attrs = {key: value for key, value in function.attrs.items() if key not in ("split", "slot_num")}
    return replace(function, func_type=core, level=level, role=role, attrs=attrs)


__all__ = ["expand_mixed_kernel"]
