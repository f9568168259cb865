"""ExpandMixedKernel: a kernel whose operators all run on one kind of core becomes a kernel for that core.

Modelled for kernels of one kind; the cube and the vector half of a mixed one are not made, it stays one kernel.
"""

from __future__ import annotations

from dataclasses import replace

from pypto_lsp.frontend.decorators import IMPLIED
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.types import TileType
from pypto_lsp.ir.visit import walk
from pypto_lsp.passes.tile_kernels import tile_lane
from pypto_lsp.passes.variables import bound_by

_CORES = {Lane.CUBE: "AIC", Lane.VECTOR: "AIV", Lane.SHARED: "AIV"}


def _memory(body: ir.Body) -> dict[ir.Var, str]:
    """The memory space of each tile variable, as its type says."""
    return {
        var: var.type.memory
        for stmt in walk(body)
        for var in bound_by(stmt)
        if isinstance(var.type, TileType) and var.type.memory is not None
    }


def expand_mixed_kernel(function: ir.Function) -> ir.Function:
    """A kernel of one kind of core as a kernel for it."""
    if function.func_type != "InCore" or function.body is None:
        return function
    core = _CORES.get(tile_lane(function.body, _memory(function.body)))
    if core is None:
        return function
    level, role = IMPLIED[core]
    attrs = {key: value for key, value in function.attrs.items() if key not in ("split", "slot_num")}
    return replace(function, func_type=core, level=level, role=role, attrs=attrs)


__all__ = ["expand_mixed_kernel"]
