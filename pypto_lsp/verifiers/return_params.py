"""A kernel that declares a tensor result and never returns."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import TENSORS
from pypto_lsp.ir.visit import walk
from pypto_lsp.verifiers.rule import Rule, RuleContext

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
        if function.func_type not in ("InCore", "AIC", "AIV") or not function.declared_return or not function.complete:
            return
        if not any(isinstance(t, TENSORS) for t in function.return_types):
            return
        if not any(isinstance(stmt, (ir.Return, ir.ErrorStmt)) for stmt in walk(function.body or ())):
            yield from self.finding(
                0, function.name_span or function.span, f"'{function.name}' declares a tensor result and never returns one",
                function=function, subject=function,
            )  # fmt: skip
