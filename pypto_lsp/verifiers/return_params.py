"""A kernel that declares a tensor result and never returns."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import KERNEL_TYPES
from pypto_lsp.ir.types import TENSORS
from pypto_lsp.ir.visit import walk
from pypto_lsp.passes.return_lineage import first_return, returned_params
from pypto_lsp.verifiers.rule import Rule, RuleContext

_RETURNING = (*KERNEL_TYPES, "Group", "Spmd")

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    """


class ReturnParamsExplicit(Rule):
    """
    ## What it does
    Finds an InCore, AIC or AIV function that declares a tensor result and has no `return`.

    ## Why is this bad
    The caller binds a result that nothing defines; the compiler stops with an internal error at the `def`.

    ## Fix
    Return the output parameter.
    """

    rule_name = "ReturnParamsExplicit"
    ir_property = "ReturnParamsExplicit"
    codes = {0: "a declared result is never returned"}
    stage = "NormalizeReturnOrder"
    VALID = (
        _FRAME
        + "def k(self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:\n"
        + "        o = pl.store(pl.load(x, [0, 0], [64, 128]), [0, 0], o)\n        return o\n",
    )
    INVALID = (
        _FRAME
        + "def ⟦k⟧(self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:\n"
        + "        o = pl.store(pl.load(x, [0, 0], [64, 128]), [0, 0], o)\n",
    )

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if context.as_is:
            yield from self._as_it_stands(function, program)
            return
        if function.func_type not in KERNEL_TYPES or not function.declared_return or not function.complete:
            return
        if not any(isinstance(t, TENSORS) for t in function.return_types):
            return
        if not any(isinstance(stmt, (ir.Return, ir.ErrorStmt)) for stmt in walk(function.body or ())):
            yield from self.finding(
                0, function.name_span or function.span, f"'{function.name}' declares a tensor result and never returns one",
                function=function, subject=function,
            )  # fmt: skip

    def _as_it_stands(self, function: ir.Function, program: ir.Program) -> Iterator[Diagnostic]:
        """After NormalizeReturnOrder also wrappers return, and what is written into a parameter is returned as that parameter."""
        wanted = [isinstance(t, TENSORS) for t in function.return_types]
        if function.func_type not in _RETURNING or "external_source" in function.attrs or not any(wanted):
            return
        first = first_return(function)
        if first is None:
            yield from self.finding(
                0, function.name_span or function.span, f"'{function.name}' declares a tensor result and never returns one",
                function=function, subject=function,
            )  # fmt: skip
            return
        for index, (value, origin) in enumerate(zip(first.values, returned_params(function, program))):
            direct = isinstance(value, ir.Read) and value.var in function.params
            if direct or origin is None or (index < len(wanted) and not wanted[index]):
                continue
            name = function.params[origin].name
            yield from self.finding(
                0, first.span, f"result {index} is what was written into '{name}'; at this stage '{name}' itself is returned",
                function=function, subject=first, variable=name,
            )  # fmt: skip
