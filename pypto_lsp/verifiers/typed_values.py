"""Every typed place of a function, with the span to show a fault of its type at."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import TupleType, Type
from pypto_lsp.ir.visit import bound_vars, header_exprs, walk, walk_expr
from pypto_lsp.text import Span


def typed_values(function: ir.Function) -> Iterator[tuple[str, Type, Span | None]]:
    """What each parameter, result, variable and call of a function is called, its type and its place."""
    for var in function.params:
        yield f"parameter '{var.name}'", var.type, var.span
    for index, type_ in enumerate(function.return_types):
        yield f"result {index}", type_, function.name_span or function.span
    seen: set[ir.Var] = set(function.params)
    for stmt in walk(function.body or ()):
        carried = tuple(arg.var for arg in stmt.iter_args) if isinstance(stmt, (ir.For, ir.While)) else ()
        for var in (*carried, *bound_vars(stmt)):
            if var not in seen:
                seen.add(var)
                yield f"'{var.name}'", var.type, stmt.span
        for expr in header_exprs(stmt):
            for node in walk_expr(expr, attrs=False):
                if isinstance(node, ir.Call):
                    yield f"the result of '{node.path or node.op}'", node.type, node.span


def parts(type_: Type) -> Iterator[Type]:
    """A type, or the elements of a tuple type, recursively."""
    if isinstance(type_, TupleType):
        for element in type_.types:
            yield from parts(element)
    else:
        yield type_


__all__ = ["parts", "typed_values"]
