"""NormalizeReturnOrder: what a kernel gives back is named by the parameter that it is."""

from __future__ import annotations

from dataclasses import replace

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.mutator import changed
from pypto_lsp.ir.types import TENSORS
from pypto_lsp.passes.return_lineage import returned_params

_KINDS = ("InCore", "AIC", "AIV", "Group", "Spmd")


def _named(function: ir.Function, program: ir.Program) -> ir.Function:
    body = function.body or ()
    last = body[-1] if body else None
    if function.func_type not in _KINDS or not isinstance(last, ir.Return):
        return function
    values = tuple(
        ir.Read(function.params[origin], value.span)
        if origin is not None and isinstance(value.type, TENSORS)
        else value
        for value, origin in zip(last.values, returned_params(function, program))
    )
    return changed(function, body=(*body[:-1], replace(last, values=values)))


def normalize_return_order(program: ir.Program) -> ir.Program:
    """The program with the results of its kernels named by parameters."""
    return replace(program, functions={name: _named(f, program) for name, f in program.functions.items()})


__all__ = ["normalize_return_order"]
