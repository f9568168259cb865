"""A kernel function that gives back what it computes, and has no result type."""

from __future__ import annotations

from collections.abc import Iterable

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import walk
from pypto_lsp.passes.convert_tensor_to_tile_ops import EXIT
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.verifiers.kernel_rule import KernelRule
from pypto_lsp.verifiers.rule import RuleContext

_INCORE = """import pypto.language as pl


@pl.function(type=pl.FunctionType.InCore)
def kernel(x: pl.Tensor[[64, 128], pl.FP32]){result}:
    y = pl.exp(x)
    return {value}
"""
_JIT = """import pypto.language as pl


@pl.jit.incore
def part({params}):
    {body}
    return {value}


@pl.jit
def kernel(x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):
    {call}
    return o
"""


class UntypedResult(KernelRule):
    """
    ## What it does
    Finds a kernel function that returns a tile or tensor which it computes, and of which no result type is known: a function
    without a declared result, a jit kernel without a `pl.Out` parameter that returns none of its parameters by name.

    ## Why is this bad
    The compiler stores such a value into a parameter that it adds, whose type it takes from the function's result. Where
    there is none it dies without a word.

    ## Fix
    Declare the result. A jit kernel cannot: hand a `pl.Out` parameter to it and write into that.
    """

    rule_name = "UntypedResult"
    codes = {3055: "a computed value is returned, and the function has no result type"}
    stage = "ConvertTensorToTileOps"
    VALID = (
        _INCORE.format(result=" -> pl.Tensor[[64, 128], pl.FP32]", value="y"),
        _JIT.format(
            params="x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]",
            body="o[:] = pl.exp(x)",
            value="o",
            call="o = part(x, o)",
        ),
        _JIT.format(params="x: pl.Tensor[[64, 128], pl.FP32]", body="x = pl.exp(x)", value="x", call="part(x)"),
    )
    INVALID = (
        _INCORE.format(result="", value="⟦y⟧"),
        _JIT.format(params="x: pl.Tensor[[64, 128], pl.FP32]", body="y = pl.exp(x)", value="⟦y⟧", call="part(x)"),
    )

    def kernel(self, kernel: TileKernel, context: RuleContext) -> Iterable[Diagnostic]:
        function = kernel.kernel.function
        if kernel.kernel.scope is not None or kernel.kernel.func_type != "InCore":
            return
        # a jit kernel's result has the type of what it names among the parameters, or of what it writes
        if function.declared_return or (function.jit and any(function.directions)):
            return
        for stmt in walk(kernel.kernel.body):
            value = stmt.value if isinstance(stmt, ir.Assign) else None
            if isinstance(value, ir.Call) and value.op == "tile.store" and EXIT in value.attrs:
                advice = "write it into a pl.Out parameter" if function.jit else "declare the function's result"
                yield from self.finding(
                    3055,
                    value.attrs[EXIT],
                    f"'{function.name}' returns what it computes here, and has no result type; {advice}",
                    function=function,
                    subject=value,
                )
                return
