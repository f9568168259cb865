"""Returned values that contradict the declared result, and parameters that the language does not read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pypto_lsp.checks.call_arguments import DTYPE as DTYPE_CONTRADICTION
from pypto_lsp.checks.call_arguments import contradiction
from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import KERNEL_TYPES
from pypto_lsp.ir.types import SHAPED, Type
from pypto_lsp.ir.visit import walk
from pypto_lsp.text import Span
from pypto_lsp.verifiers.rule import Rule, RuleContext, related

_FRAME = """import pypto.language as pl


@pl.function
def f(x: pl.Tensor[[64, 64], pl.FP32], y: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> """
_BODY = ":\n    with pl.at(level=pl.Level.CORE_GROUP):\n        y = pl.assemble(y, pl.exp(x), [0, 0])\n"

COUNT, DTYPE, SHAPE, MISSING = 3011, 3012, 3013, 3014


class ReturnedValues(Rule):
    """
    ## What it does
    Compares what a function returns with the result it declares: how many values, their element types and shapes, and
    whether it returns at all.

    ## Why is this bad
    Callers get the declared type, whatever the function returns; the compiler does not compare the two.

    ## Fix
    Declare what is returned.
    """

    rule_name = "ReturnedValues"
    codes = {
        COUNT: "another number of values is returned",
        DTYPE: "another element type is returned",
        SHAPE: "another shape is returned",
        MISSING: "nothing is returned",
    }
    severity = Severity.WARNING
    VALID = (
        _FRAME + "pl.Tensor[[64, 64], pl.FP32]" + _BODY + "    return y\n",
        _FRAME.replace("@pl.function", "@pl.jit") + "None" + _BODY,
    )
    INVALID = (
        _FRAME + "pl.Tensor[[64, 64], ⟦pl.BF16⟧]" + _BODY + "    return y\n",
        _FRAME + "⟦pl.Tensor[[64, 64], pl.FP32]⟧" + _BODY,
    )

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if not function.declared_return or function.body is None or not function.complete or not function.return_types:
            return
        returns = [stmt for stmt in walk(function.body) if isinstance(stmt, ir.Return)]
        place = function.returns_span
        promised = place is None or place.text != "None"
        if not returns and promised and function.func_type not in KERNEL_TYPES:
            yield from self.finding(
                MISSING, place, f"'{function.name}' declares a result and returns nothing",
                function=function, subject=function,
            )  # fmt: skip
        for stmt in returns:
            yield from self._compare(stmt, function)

    def _compare(self, stmt: ir.Return, function: ir.Function) -> Iterator[Diagnostic]:
        wanted = function.return_types
        if not stmt.values:
            return
        if len(stmt.values) != len(wanted):
            first, last = stmt.values[0].span, stmt.values[-1].span
            place = first.to(last) if first is not None and last is not None else stmt.span
            yield from self.finding(
                COUNT, place, f"'{function.name}' declares {len(wanted)} value(s) and returns {len(stmt.values)}",
                function=function, related=related(function.returns_span, "declared here"), subject=stmt,
            )  # fmt: skip
            return
        for declared, value in zip(wanted, stmt.values):
            found = contradiction(declared, value.type)
            if found is None:
                found = _larger(declared, value.type)
            if found is None:
                continue
            code, words = found
            words = words.replace("where the kernel declares", "and the result is declared as")
            if code == DTYPE_CONTRADICTION:
                place = _dtype_place(function.returns_span, declared) or function.returns_span
                yield from self.finding(
                    DTYPE, place, f"'{function.name}' returns {words}", function=function,
                    related=related(value.span, "returned here"), subject=stmt,
                )  # fmt: skip
            else:
                yield from self.finding(
                    SHAPE, value.span, f"'{function.name}' returns {words}", function=function,
                    related=related(function.returns_span, "declared here"), subject=stmt,
                )  # fmt: skip
            return


def _larger(declared: Type, given: Type) -> tuple[int, str] | None:
    """A returned tensor that is larger than declared."""
    if (
        not isinstance(declared, SHAPED)
        or not isinstance(given, SHAPED)
        or declared.shape is None
        or given.shape is None
    ):
        return None
    for index, (wanted, extent) in enumerate(zip(declared.shape, given.shape)):
        if isinstance(wanted, int) and isinstance(extent, int) and int(extent) != int(wanted):
            return SHAPE, f"dimension {index} is {int(extent)} where the kernel declares {int(wanted)}"
    return None


def _dtype_place(annotation: Span | None, declared: Type) -> Span | None:
    """The element type within an annotation."""
    if annotation is None or not isinstance(declared, SHAPED) or declared.dtype is None:
        return None
    matches = list(re.finditer(rf"\bpl\.(DataType\.)?{declared.dtype.name}\b", annotation.text))
    if len(matches) != 1:
        return None
    match = matches[0]
    return Span(annotation.anchor, annotation.start + match.start(), annotation.start + match.end())


class IgnoredParameter(Rule):
    """
    ## What it does
    Finds keyword-only parameters, `*args` and `**kwargs` of a kernel.

    ## Why is this bad
    The language reads plain positional parameters only. The others are dropped without a word, and their names are
    undefined in the body.

    ## Fix
    Make it a plain parameter.
    """

    rule_name = "IgnoredParameter"
    codes = {3015: "a parameter is dropped"}
    severity = Severity.WARNING
    VALID = (
        "import pypto.language as pl\n\n\n@pl.function\ndef f(x: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX])"
        " -> pl.Tensor[[64, 64], pl.FP32]:\n    return x\n",
    )
    INVALID = (
        "import pypto.language as pl\n\n\n@pl.function\ndef f(x: pl.Tensor[[64, 64], pl.FP32], ⟦*, n: pl.Scalar[pl.INDEX] = 2⟧)"
        " -> pl.Tensor[[64, 64], pl.FP32]:\n    return x\n",
    )

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if not function.ignored_params or function.jit:
            return
        first, last = function.ignored_params[0], function.ignored_params[-1]
        place = first.to(last)
        before = first.source.text[: first.begin].rstrip()
        if before.endswith("*,"):
            place = Span(first.anchor, len(before) - 2 - first.anchor.offset, place.end)
        yield from self.finding(
            3015, place, "the language does not read this parameter", function=function, subject=function
        )
