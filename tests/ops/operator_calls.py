"""Calls of operators built by hand: what the front end would hand over for a call written in a kernel."""

from __future__ import annotations

from typing import Any

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir.dtypes import DTYPES, FP32, INDEX, DType
from pypto_lsp.ir.enums import EnumMember
from pypto_lsp.ir.nodes import ConstBool, ConstFloat, ConstInt, Expr, MakeTuple, OpaqueInt, Read, StaticValue, Var
from pypto_lsp.ir.printer_types import print_type
from pypto_lsp.ir.tile_views import tensor_view, tile_type
from pypto_lsp.ir.types import DistributedTensorType, ScalarType, TensorType, TileType, TupleType, Type
from pypto_lsp.ops import REGISTRY, dispatch
from pypto_lsp.ops.registry import MISSING, Arg, OpContext
from pypto_lsp.text import Source
from pypto_lsp.text.span import Anchor, Span

_ANCHOR = Anchor(Source("/kernel.py", "x" * 1000), 0)
CALL = Span(_ANCHOR, 0, 500)

N = Var("n", ScalarType(INDEX))
M = Var("m", ScalarType(DTYPES["INT32"]))
D = Var("D", ScalarType(INDEX), symbol=True)
OPAQUE = OpaqueInt("sys.argv", ScalarType(INDEX))


def place(number: int) -> Span:
    """The place of the n-th argument."""
    return Span(_ANCHOR, 10 * number + 10, 10 * number + 15)


def tensor(*shape: Any, dtype: str = "FP32", **view: Any) -> TensorType:
    return TensorType(DTYPES[dtype], tuple(shape), tensor_view(shape, **view))


def tile(*shape: Any, dtype: str = "FP32", memory: str | None = "Vec", **view: Any) -> TileType:
    return tile_type(DTYPES[dtype], shape, memory, **view)


def window(*shape: Any, dtype: str = "FP32") -> DistributedTensorType:
    return DistributedTensorType(DTYPES[dtype], tuple(shape))


def scalar(dtype: str) -> Var:
    return Var("s", ScalarType(DTYPES[dtype]))


def lowered(value: Any, span: Span | None = None) -> Expr:
    """A value as the expression it is read as: a type stands for a variable of that type."""
    match value:
        case Type():
            return Read(Var("v", value), span)
        case Var():
            return Read(value, span)
        case Expr():
            return value
        case bool():
            return ConstBool(value, span)
        case int():
            return ConstInt(value, INDEX, span)
        case float():
            return ConstFloat(value, FP32, span)
        case list() | tuple():
            elements = tuple(lowered(v, span) for v in value)
            return MakeTuple(elements, TupleType(tuple(e.type for e in elements)), span)
        case _:
            return StaticValue(value, span)


def argument(value: Any, span: Span, *, by_keyword: bool = False) -> Arg:
    """An argument: a number has its static value, a list the spans of its elements."""
    raw = by_keyword and isinstance(value, list) and not any(isinstance(entry, Expr | Type) for entry in value)
    static = value if raw or isinstance(value, int | float | str | DType | EnumMember) or value is None else MISSING
    elements = (
        tuple(Span(span.anchor, span.start, span.end + i) for i in range(len(value))) if isinstance(value, list) else ()
    )
    return Arg(lowered(value, span), static, by_keyword=by_keyword, span=span, element_spans=elements)


def call(path: str, *args: Any, context: OpContext | None = None, **keywords: Any) -> tuple[Expr, list[Diagnostic]]:
    """Call an operator of the registry."""
    operator = REGISTRY.get(path)
    assert operator is not None, path
    positional = [argument(value, place(i)) for i, value in enumerate(args)]
    named = [
        (name, argument(value, place(len(args) + i), by_keyword=True), place(len(args) + i))
        for i, (name, value) in enumerate(keywords.items())
    ]
    return dispatch.call(operator, path, positional, named, CALL, context or OpContext())


def result(path: str, *args: Any, **keywords: Any) -> str | None:
    """The printed type of a call that must be accepted."""
    expr, findings = call(path, *args, **keywords)
    assert not findings, findings[0].message
    return print_type(expr.type)


def fault(path: str, *args: Any, **keywords: Any) -> Diagnostic:
    """The one finding of a call that must be refused."""
    _, findings = call(path, *args, **keywords)
    assert len(findings) == 1
    return findings[0]
