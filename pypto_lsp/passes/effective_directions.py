"""Directions of parameters that a function hands on: what a callee writes, its caller writes."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Direction
from pypto_lsp.ir.visit import calls

_ORDER = (Direction.IN, Direction.OUT, Direction.INOUT)


def effective_directions(
    functions: Mapping[str, ir.Function], names: Collection[str]
) -> dict[str, tuple[Direction, ...]]:
    """The directions of the functions named: at least what they declare, raised from In over Out to InOut by what the functions
    declare that they hand a parameter to."""
    found = {name: function.directions for name, function in functions.items()}
    inner = {
        name: [call for call, _, _ in calls(functions[name].body or ()) if isinstance(call, ir.Call)] for name in names
    }
    changed = True
    while changed:
        changed = False
        for name in names:
            raised = _raised(functions[name], found[name], inner[name], found)
            if raised != found[name]:
                found[name], changed = raised, True
    return {name: found[name] for name in names}


def _raised(
    function: ir.Function,
    own: tuple[Direction, ...],
    inner: list[ir.Call],
    found: Mapping[str, tuple[Direction, ...]],
) -> tuple[Direction, ...]:
    directions = dict(zip(function.params, own))
    for call in inner:
        callee = found.get(call.op.name, ()) if isinstance(call.op, ir.FunctionRef) else ()
        for arg, direction in zip(call.args, callee):
            if isinstance(arg, ir.Read) and arg.var in directions:
                directions[arg.var] = max(directions[arg.var], direction, key=_ORDER.index)
    return tuple(directions.values())


__all__ = ["effective_directions"]
