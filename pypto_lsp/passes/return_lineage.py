"""Which parameter each result of a function is (reference: the return lineage analysis of the pass documents).

A stored-into tensor is a new variable for the parameter's memory; so are loop carries, and results of calls that return what
they were given. A view is no such variable: it has another shape.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import TENSORS
from pypto_lsp.ir.visit import walk

#: operator -> index of the operand whose memory the result is
WRITEBACK = {"tile.store": 2, "tile.mscatter": 2, "tensor.assemble": 0, "tensor.set_validshape": 0}


def first_return(function: ir.Function) -> ir.Return | None:
    """The first return statement of a function."""
    return next((stmt for stmt in walk(function.body or ()) if isinstance(stmt, ir.Return)), None)


def returned_params(
    function: ir.Function, program: ir.Program, outer: frozenset[str] = frozenset()
) -> tuple[int | None, ...]:
    """For each value of the first return the index of the parameter that it is; None where it is none or cannot be told."""
    first = first_return(function)
    if first is None or function.name in outer:
        return ()
    lineage = _Lineage(function, program, outer | {function.name})
    return tuple(lineage.param(value) for value in first.values)


def returning_params(function: ir.Function, program: ir.Program) -> ir.Function:
    """The function with every tensor that it gives back at its end named by the parameter that it is."""
    body = function.body or ()
    last = body[-1] if body else None
    if not isinstance(last, ir.Return):
        return function
    values = tuple(
        ir.Read(function.params[origin], value.span)
        if origin is not None and isinstance(value.type, TENSORS)
        else value
        for value, origin in zip(last.values, returned_params(function, program))
    )
    return replace(function, body=(*body[:-1], replace(last, values=values)))


@dataclass
class _Lineage:
    function: ir.Function
    program: ir.Program
    outer: frozenset[str]
    defined: dict[ir.Var, ir.Expr] = field(default_factory=dict)
    carried: dict[ir.Var, ir.Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for stmt in walk(self.function.body or ()):
            if isinstance(stmt, ir.Assign):
                self.defined.setdefault(stmt.var, stmt.value)
            elif isinstance(stmt, (ir.For, ir.While)):
                for arg, result in zip(stmt.iter_args, stmt.return_vars):
                    self.carried[arg.var] = arg.init
                    if isinstance(result.type, TENSORS):
                        self.carried[result] = arg.init

    def param(self, expr: ir.Expr | None) -> int | None:
        """The parameter that a value is."""
        seen: set[ir.Var] = set()
        while isinstance(expr, ir.Read) and expr.var not in seen:
            var = expr.var
            seen.add(var)
            if var in self.function.params:
                return self.function.params.index(var)
            expr = self.source(self.carried[var] if var in self.carried else self.defined.get(var))
        return None

    def source(self, value: ir.Expr | None) -> ir.Expr | None:
        """The variable whose memory a value is."""
        if isinstance(value, ir.Read):
            return value
        if isinstance(value, ir.TupleGetItem) and isinstance(value.tuple, ir.Read):
            return self.returned(self.defined.get(value.tuple.var), value.index, alone=False)
        if isinstance(value, ir.Call) and isinstance(value.op, str):
            index = WRITEBACK.get(value.op, len(value.args))
            return value.args[index] if index < len(value.args) else None
        return self.returned(value, 0, alone=True)

    def returned(self, call: ir.Expr | None, index: int, *, alone: bool) -> ir.Expr | None:
        """The argument that a call gives back as one of its results."""
        if not isinstance(call, (ir.Call, ir.Submit)) or not isinstance(call.op, ir.FunctionRef):
            return None
        callee = self.program.functions.get(call.op.name)
        origins = returned_params(callee, self.program, self.outer) if callee is not None else ()
        if index >= len(origins) or (alone and len(origins) != 1):
            return None
        origin = origins[index]
        return call.args[origin] if origin is not None and origin < len(call.args) else None


__all__ = ["WRITEBACK", "first_return", "returned_params", "returning_params"]
