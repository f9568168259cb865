"""Strides of tensor views after the pass that fills them in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import const_value
from pypto_lsp.ir.types import TENSORS, DistributedTensorType, TensorType, Type
from pypto_lsp.text import Span
from pypto_lsp.verifiers.printed_examples import SHAPE, printed
from pypto_lsp.verifiers.rule import Rule, RuleContext
from pypto_lsp.verifiers.typed_values import parts, typed_values

_VIEW = f"t: pl.Tensor[{SHAPE}, pl.TensorView({{}}layout=pl.TensorLayout.ND, valid_shape=[64, 64])] = x"

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(
        self, x: pl.Tensor[[64, 64], pl.FP32, {layout}], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        t = pl.load(x, [0, 0], [64, 64])
        o = pl.store(t, [0, 0], o)
        return o
"""


class TensorViewCanonical(Rule):
    """
    ## What it does
    Checks the explicit view of each tensor: it has strides, as many as dimensions; the innermost is 1 (for DN the one before
    it), and each outer one is at least the size of what lies inside. The layout NZ is for tiles only.

    ## Why is this bad
    Code is generated from the strides as they stand.

    ## Fix
    In a dump: restore the strides. In a source they are the compiler's work, so that only the layout NZ is reported there: give the
    tensor no layout, and load it into a tile that has it.
    """

    rule_name = "TensorViewCanonical"
    ir_property = "TensorViewCanonical"
    codes = {1: "a tensor's view has no canonical strides"}
    stage = "MaterializeTensorStrides"
    VALID = (printed("return o"), printed(_VIEW.format("stride=[128, 1], "), "return o"), _FRAME.format(layout="pl.ND"))
    INVALID = (_FRAME.format(layout="⟦pl.NZ⟧"),)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if not context.as_is:
            yield from self._tile_layouts(function)
            return
        reported: set[tuple[object, ...]] = set()
        for name, type_, span in typed_values(function):
            for part in parts(type_):
                fault = fault_of_view(part) if isinstance(part, TENSORS) else None
                if fault and span is not None and span.key() not in reported:
                    reported.add(span.key())
                    yield from self.finding(1, span, f"the view of {name}: {fault}", function=function, subject=type_)

    def _tile_layouts(self, function: ir.Function) -> Iterator[Diagnostic]:
        """Parameters and results of the tile layout. An inline function is gone before strides are filled in; whether a tensor that
        a function makes becomes a tile before that is not looked into."""
        if function.func_type == "Inline":
            return
        for var, span in _parameters(function):
            if _is_nz(var.type):
                yield from self.finding(
                    1,
                    span,
                    f"'{var.name}' is a tensor, and the layout NZ is for tiles only",
                    function=function,
                    subject=var,
                )
        if any(_is_nz(part) for type_ in function.return_types for part in parts(type_)) and function.returns_span:
            yield from self.finding(
                1, _layout_span(function.returns_span), "the result is a tensor, and the layout NZ is for tiles only",
                function=function, subject=function,
            )  # fmt: skip


def _parameters(function: ir.Function) -> Iterator[tuple[ir.Var, Span]]:
    """The parameters of a function with the place of their layout."""
    for index, var in enumerate(function.params):
        if var.span is not None:
            later = [p.span.start for p in function.params[index + 1 :] if p.span is not None]
            end = min(later, default=function.returns_span.start if function.returns_span else var.span.end)
            place = _layout_span(Span(var.span.anchor, var.span.start, max(end, var.span.end)), var.span)
            if place != var.span or not function.jit:  # else it comes from the call, and is reported there
                yield var, place


def _layout_span(span: Span, otherwise: Span | None = None) -> Span:
    """``pl.NZ`` in the text of a span."""
    found = re.search(r"[\w.]*\bNZ\b", span.text)
    if found is None:
        return otherwise or span
    return Span(span.anchor, span.start + found.start(), span.start + found.end())


def _is_nz(type_: Type) -> bool:
    return isinstance(type_, TENSORS) and type_.view is not None and type_.view.layout == "NZ"


def fault_of_view(type_: TensorType | DistributedTensorType) -> str | None:
    """What is wrong with a tensor's explicit view, in words; None when it is canonical or not known."""
    view, shape = type_.view, type_.shape
    if view is None or shape is None:
        return None
    if view.layout == "NZ":
        return "the layout NZ is for tiles only"
    if not view.stride:
        return "it has no strides" if shape else None
    if len(view.stride) != len(shape):
        return f"it has {len(view.stride)} strides for {len(shape)} dimensions"
    strides, extents = [const_value(s) for s in view.stride], [const_value(s) for s in shape]
    inner = len(shape) - 1
    if view.layout == "DN":
        if len(shape) < 2:
            return "the layout DN needs two dimensions"
        if strides[-2] not in (1, None):
            return f"the stride of dimension {inner - 1} must be 1 in the layout DN"
        if _smaller(strides[-1], extents[-2], 1):
            return f"the stride of dimension {inner} is smaller than the extent before it"
        inner -= 1
    elif strides[-1] not in (1, None):
        return "the innermost stride must be 1"
    for index in range(inner - 1, -1, -1):
        if _smaller(strides[index], strides[index + 1], extents[index + 1]):
            return f"the stride of dimension {index} is smaller than what lies inside"
    return None


def _smaller(stride: int | None, first: int | None, second: int | None) -> bool:
    """Whether a stride is certainly smaller than a product."""
    return stride is not None and first is not None and second is not None and stride < first * second
