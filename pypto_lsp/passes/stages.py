"""Whole programs after a pass, as far as the passes are modelled.

Functions are lowered as they stand up to ConvertToSSA. From OutlineIncoreScopes on only the kernels are modelled: the program
then holds them alone, without the orchestration around them. Parameters of outlined kernels are shown without directions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from pypto_lsp.backends import DEFAULT_BACKEND, Backend
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Direction
from pypto_lsp.passes.convert_to_ssa import TooLarge, convert_to_ssa
from pypto_lsp.passes.incremental import Pipeline
from pypto_lsp.passes.inline_functions import inline_functions
from pypto_lsp.passes.outline_incore_scopes import Kernel, kernels


def _in_ssa_form(program: ir.Program, backend: Backend) -> ir.Program:
    functions = {}
    for name, function in inline_functions(program).functions.items():
        try:
            functions[name] = function if function.body is None else convert_to_ssa(function).function
        except TooLarge:  # it unrolls into more than is worth an analysis; shown as it is
            functions[name] = function
    return replace(program, functions=functions)


def _outlined(program: ir.Program, backend: Backend) -> ir.Program:
    return _of_kernels(
        program, (kernel for f in inline_functions(program).functions.values() for kernel in _kernels(f))
    )


def _kernels(function: ir.Function) -> Iterator[Kernel]:
    try:
        yield from kernels(convert_to_ssa(function)) if function.body is not None else ()
    except TooLarge:  # such a function has no kernels that are looked at
        return


def _on_tiles(program: ir.Program, backend: Backend) -> ir.Program:
    return _of_kernels(program, (lowered.kernel for lowered in Pipeline().kernels(program, backend)))


def _of_kernels(program: ir.Program, found: Iterator[Kernel]) -> ir.Program:
    functions = {kernel.name: _function(kernel) for kernel in found}
    return replace(program, functions=functions)


def _function(kernel: Kernel) -> ir.Function:
    returned = kernel.body and isinstance(kernel.body[-1], ir.Return)
    tail = (ir.Return(kernel.returns, kernel.return_span),) if kernel.returns and not returned else ()
    declared = kernel.function if kernel.scope is None else None
    return ir.Function(
        name=kernel.name,
        func_type="InCore" if declared is None else declared.func_type,
        params=kernel.params,
        directions=declared.directions if declared is not None else (Direction.IN,) * len(kernel.params),
        return_types=tuple(value.type for value in kernel.returns),
        body=(*kernel.body, *tail),
        span=kernel.span,
        role="SubWorker",
        attrs={"split": kernel.split} if kernel.split else {},
    )


#: pass -> a program as it is after it
PROGRAM_AFTER: dict[str, Callable[[ir.Program, Backend], ir.Program]] = {
    "InlineFunctions": lambda program, backend: inline_functions(program),
    "ConvertToSSA": _in_ssa_form,
    "OutlineIncoreScopes": _outlined,
    "ConvertTensorToTileOps": _on_tiles,
}


def program_after(name: str, program: ir.Program, backend: Backend = DEFAULT_BACKEND) -> ir.Program:
    """A program as it is after a pass. Raises KeyError for a pass that is not modelled."""
    return PROGRAM_AFTER[name](program, backend)


__all__ = ["PROGRAM_AFTER", "program_after"]
