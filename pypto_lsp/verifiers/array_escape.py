"""An on-core array that crosses a function's border."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import TASK_ID
from pypto_lsp.ir.types import ArrayType, TupleType, Type
from pypto_lsp.verifiers.rule import Rule, RuleContext

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function
"""


def _holds_array(type_: Type) -> bool:
    if isinstance(type_, TupleType):
        return any(_holds_array(part) for part in type_.types)
    return isinstance(type_, ArrayType) and type_.dtype is not TASK_ID and type_.dtype is not None


class ArrayNotEscaped(Rule):
    """
    ## What it does
    Finds a `pl.Array` of numbers as a parameter or a result of a function.

    ## Why is this bad
    An array lives on the stack of the core that made it and cannot be handed to another function. The compiler takes the
    program today without a word, and the generated code reads what is not there.

    ## Fix
    Make the array inside the function, and pass a tensor.
    """

    rule_name = "ArrayNotEscaped"
    ir_property = "ArrayNotEscaped"
    codes = {0: "an array as parameter or result"}
    severity = Severity.WARNING
    stage = "on demand"
    VALID = (_FRAME + "    def main(self, n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:\n        return n\n",)
    INVALID = (
        _FRAME
        + "    def main(self, ⟦a⟧: pl.Array[4, pl.INT32], n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:\n        return n\n",
    )

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if function.func_type == "Inline":
            return
        for var in function.params:
            if _holds_array(var.type):
                yield from self.finding(
                    0, var.span, f"the array '{var.name}' cannot be handed to another function; make it inside",
                    function=function, variable=var.name,
                )  # fmt: skip
        for index, type_ in enumerate(function.return_types):
            if _holds_array(type_):
                yield from self.finding(
                    0, function.name_span or function.span, f"result {index} of '{function.name}' is an array, which cannot leave it",
                    function=function, result=index,
                )  # fmt: skip
