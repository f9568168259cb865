"""Faults of the Inline functions of a whole program: those that call each other in a circle, and what they are refused for where
they are expanded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pypto_lsp.diagnostics import Diagnostic, Related
from pypto_lsp.diagnostics import faults_calls as faults
from pypto_lsp.frontend.model import Binding
from pypto_lsp.frontend.reserved_names import reserved_names_expanded, suspected
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import ForKind
from pypto_lsp.ir.visit import bodies, function_calls


def inline_faults(program: ir.Program, bindings: Sequence[Binding]) -> Iterator[Diagnostic]:
    """The faults of a program's Inline functions that no function shows by itself."""
    inline = {name: function for name, function in program.functions.items() if function.func_type == "Inline"}
    if inline:
        yield from _circles(inline)
        suspects = suspected(bindings)
        for function in _expanded(program, inline) if suspects else ():
            yield from reserved_names_expanded(function, suspects)


# --- circles -------------------------------------------------------------------------------------------------------


def _circles(inline: dict[str, ir.Function]) -> Iterator[Diagnostic]:
    """Every call that leads back to an Inline function it is reached from, one for each way to it."""
    done: set[str] = set()
    for name in inline:
        if name not in done:
            yield from _circles_from(name, (), inline, done)


def _circles_from(
    name: str, outer: tuple[str, ...], inline: dict[str, ir.Function], done: set[str]
) -> Iterator[Diagnostic]:
    way = (*outer, name)
    for call, callee in _calls(inline[name], inline):
        if callee in way:
            circle = (*way[way.index(callee) :], callee)
            if call.span is not None:
                place = inline[callee].name_span
                related = (Related(place, f"'{callee}' is defined here"),) if place is not None else ()
                yield faults.INLINE_CYCLE.at(call.span, related=related, callee=callee, chain=" calls ".join(circle))
        elif callee not in done:
            yield from _circles_from(callee, way, inline, done)
    done.add(name)


def _calls(function: ir.Function, inline: dict[str, ir.Function]) -> Iterator[tuple[ir.Call, str]]:
    """The calls of Inline functions in a body; a submit is no call that is expanded."""
    for stmt in function.body or ():
        for call in function_calls(stmt):
            if isinstance(call.op, ir.FunctionRef) and call.op.name in inline:
                yield call, call.op.name


# --- expansions ----------------------------------------------------------------------------------------------------


def _expanded(program: ir.Program, inline: dict[str, ir.Function]) -> list[ir.Function]:
    """The Inline functions that are surely expanded in another function of the program, all that leads there being known."""
    pending = [f for name, f in program.functions.items() if name not in inline and f.complete]
    found: dict[str, ir.Function] = {}
    while pending:
        for name in _expands(pending.pop().body or ()):
            function = inline.get(name)
            if function is not None and name not in found and function.complete:
                found[name] = function
                pending.append(function)
    return list(found.values())


def _expands(body: ir.Body) -> Iterator[str]:
    """The functions that the statements of a body call by themselves. A loop that is unrolled may come to nothing before."""
    for stmt in body:
        if not function_calls(stmt):
            continue
        match stmt:
            case ir.For(kind=ForKind.UNROLL):
                continue
            case (
                ir.Assign(value=ir.Call(op=ir.FunctionRef(name=name)))
                | ir.Eval(expr=ir.Call(op=ir.FunctionRef(name=name)))
                | ir.Return(values=(ir.Call(op=ir.FunctionRef(name=name)),))
            ):
                yield name
        for nested in bodies(stmt):
            yield from _expands(nested)


__all__ = ["inline_faults"]
