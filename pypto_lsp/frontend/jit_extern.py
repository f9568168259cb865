"""External kernels of the jit family. One for a pair of cores becomes two members and a group that calls both."""

from __future__ import annotations

from dataclasses import replace

from pypto_lsp.ir.nodes import Assign, Call, Eval, Function, FunctionRef, Read, Return, Stmt, Var
from pypto_lsp.ir.types import NONE, TupleType, Type
from pypto_lsp.syntax import nodes as syntax


def extern_functions(function: Function, node: syntax.FunctionDef) -> tuple[Function, ...]:
    """The functions that a kernel becomes: itself, or two members and their group."""
    if function.jit != "extern" or function.func_type != "Group":
        return (function,)
    params = [Var(var.name, var.type, var.span) for var in function.params]
    members = tuple(
        replace(
            function, name=f"{function.name}_{suffix}", func_type=suffix.upper(), level=suffix.upper(), role="SubWorker"
        )
        for suffix in ("aic", "aiv")
    )
    result = _result(function)
    cube = _call(members[0], params, result)
    vector = Eval(_call(members[1], params, result), node.span)
    body: tuple[Stmt, ...]
    if result is NONE:
        body = (Eval(cube, node.span), vector)
    else:
        held = Var("_r", result, node.span)
        body = (Assign(held, cube, node.span), vector, Return((Read(held, node.span),), node.span))
    return (*members, replace(function, params=tuple(params), body=body))


def _result(function: Function) -> Type:
    if not function.return_types:
        return NONE
    return function.return_types[0] if len(function.return_types) == 1 else TupleType(function.return_types)


def _call(member: Function, params: list[Var], result: Type) -> Call:
    args = tuple(Read(var, var.span) for var in params)
    return Call(FunctionRef(member.name), args, tuple(var.name for var in params), result, member.span)
