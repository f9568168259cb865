"""NormalizeReturnOrder: what a kernel gives back is named by the parameter that it is."""

from __future__ import annotations

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import KERNEL_TYPES
from pypto_lsp.ir.mutator import each_function
from pypto_lsp.passes.return_lineage import returning_params

_KINDS = (*KERNEL_TYPES, "Group", "Spmd")


def normalize_return_order(program: ir.Program) -> ir.Program:
    """The program with the results of its kernels named by parameters."""
    return each_function(program, lambda own: returning_params(own, program) if own.func_type in _KINDS else own)


__all__ = ["normalize_return_order"]
