"""ExpandMixedKernel: a kernel whose operators all run on one kind of core becomes a kernel for that core; a kernel of both
becomes two, and a group that runs them.

A kernel of both kinds stays as it is where its halves are not modelled: pipes that are written out, loops with conditions,
tensors that the cube core writes and the vector cores read, communication. Not modelled besides: adapters for hand-written
groups whose members take other arguments than the group, and the layout that hand-written kernels send in on Ascend950.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pypto_lsp.backends import Backend
from pypto_lsp.frontend.decorators import IMPLIED
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.types import UNKNOWN, result_type
from pypto_lsp.ir.visit import value_of, walk
from pypto_lsp.passes.pipeline.core_halves import fresh_params, halves, renamed_results
from pypto_lsp.passes.pipeline.crossings import tile_spaces
from pypto_lsp.passes.pipeline.pipes import TRANSPORT
from pypto_lsp.passes.pipeline.tile_operators import NotModelled
from pypto_lsp.passes.return_lineage import returned_params
from pypto_lsp.passes.tile_kernels import tile_lane

_CORES = {Lane.CUBE: "AIC", Lane.VECTOR: "AIV", Lane.SHARED: "AIV"}


def _for_one_core(function: ir.Function, core: str) -> ir.Function:
    level, role = IMPLIED[core]
    attrs = {key: value for key, value in function.attrs.items() if key not in ("split", "slot_num")}
    return replace(function, func_type=core, level=level, role=role, attrs=attrs)


def _expanded(function: ir.Function, program: ir.Program, backend: Backend) -> list[ir.Function]:
    """The functions that a kernel becomes: one for its core, or the two halves and the group of both."""
    body = function.body or ()
    core = _CORES.get(tile_lane(body, tile_spaces(body)))
    if core is not None:
        return [_for_one_core(function, core)]
    aic, aiv = halves(function, backend)
    if not backend.fractal_pipes and function.attrs.get("split", "NONE") == "NONE":
        aiv = replace(aiv, attrs={**aiv.attrs, "dual_aiv_dispatch": True})
    return [aic, aiv, _group(function, program, aic, aiv)]


def _group(function: ir.Function, program: ir.Program, aic: ir.Function, aiv: ir.Function) -> ir.Function:
    """The function that runs both halves and gives back what the kernel gave back."""
    own = fresh_params(function)
    params, results = tuple(own.values()), renamed_results(function, own)
    span, names = function.span, tuple(param.name for param in params)
    args = tuple(ir.Read(param, span) for param in params)
    first = ir.Call(ir.FunctionRef(aic.name), args, names, UNKNOWN, span)
    second = ir.Call(ir.FunctionRef(aiv.name), args, names, result_type(results), span)
    body: tuple[ir.Stmt, ...] = (ir.Eval(first, span), ir.Eval(second, span))
    if function.return_types:
        origins = returned_params(function, program)
        known = [origin for origin in origins if origin is not None]
        if len(known) == len(function.return_types) == len(origins):
            body = (*body, ir.Return(tuple(ir.Read(params[origin], span) for origin in known), span))
        else:
            result = ir.Var("result", second.type, span)
            given = ir.Return((ir.Read(result, span),), span)
            body = (body[0], ir.Assign(result, second, span, span), given)
    level, role = IMPLIED["Group"]
    return replace(function, func_type="Group", params=params, return_types=results, body=body, level=level, role=role)


# --- callers -----------------------------------------------------------------------------------------------------------


def _called(function: ir.Function) -> Iterator[str]:
    """The functions that a function calls, in no loop or branch."""
    for stmt in function.body or ():
        value = value_of(stmt)
        if isinstance(value, ir.Call) and isinstance(value.op, ir.FunctionRef):
            yield value.op.name


def _runs_halves(function: ir.Function, made: dict[str, list[ir.Function]]) -> ir.Function:
    """A group with calls of both halves in place of calls of the kernels."""
    out: list[ir.Stmt] = []
    for stmt in function.body or ():
        value = value_of(stmt)
        own = made.get(value.op.name) if isinstance(value, ir.Call) and isinstance(value.op, ir.FunctionRef) else None
        if own is None or not isinstance(value, ir.Call):
            out.append(stmt)
            continue
        aic, aiv = (replace(value, op=ir.FunctionRef(half.name), span=stmt.span) for half in own[:2])
        out.append(ir.Eval(replace(aic, type=UNKNOWN), stmt.span))
        out.append(replace(stmt, value=aiv) if isinstance(stmt, ir.Assign) else ir.Eval(aiv, stmt.span))
    return replace(function, body=tuple(out))


def _takes_both_cores(function: ir.Function) -> bool:
    """Whether a vector kernel that somebody wrote sends or takes tiles, each of them whole."""
    if function.func_type != "AIV" or function.attrs.get("split", "NONE") != "NONE":
        return False
    moves = [
        call
        for stmt in walk(function.body or ())
        if isinstance(call := value_of(stmt), ir.Call) and call.op in TRANSPORT
    ]
    return bool(moves) and not any(call.kwargs.get("split") for call in moves)


def _dispatched(functions: dict[str, ir.Function]) -> dict[str, ir.Function]:
    """The functions with the vector members of groups that run on both vector cores marked so."""
    out = dict(functions)
    for group in functions.values():
        members = (
            [functions[name] for name in _called(group) if name in functions] if group.func_type == "Group" else []
        )
        if {"AIC", "AIV"} <= {member.func_type for member in members}:
            for member in members:
                if _takes_both_cores(member):
                    out[member.name] = replace(member, attrs={**member.attrs, "dual_aiv_dispatch": True})
    return out


def expand_mixed_kernel(program: ir.Program, backend: Backend) -> ir.Program:
    """The program with its kernels as kernels for the kinds of core."""
    groups: set[str] = set()
    others: set[str] = set()
    for function in program.functions.values():
        (groups if function.func_type == "Group" else others).update(_called(function))
    functions: dict[str, ir.Function] = {}
    split: dict[str, list[ir.Function]] = {}
    for name, function in program.functions.items():
        made = [function]
        if function.func_type == "InCore" and function.body is not None:
            try:
                made = _expanded(function, program, backend)
            except NotModelled:
                made = [function]
        if len(made) > 1 and name in groups:
            split[name] = made
            made = made if name in others else made[:2]
        functions.update((own.name, own) for own in made)
    for name, function in functions.items():
        if function.func_type == "Group" and any(called in split for called in _called(function)):
            functions[name] = _runs_halves(function, split)
    return replace(program, functions=functions if backend.fractal_pipes else _dispatched(functions))


__all__ = ["expand_mixed_kernel"]
