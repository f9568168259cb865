"""Launch sites: where a kernel is started on several cores, how many blocks it gets, which kernels it starts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import KERNEL_TYPES
from pypto_lsp.ir.visit import bodies, header_exprs, walk, walk_expr
from pypto_lsp.passes.core_affinity import kernel_statements
from pypto_lsp.text import Span

CLUSTER_COUNT = "available_cluster_count"
AIV_COUNT = "available_aiv_count"
#: variable -> everything that is assigned to it
Assigned = dict[ir.Var, list[ir.Expr]]


@dataclass(frozen=True, slots=True)
class Kernel:
    """What a launch starts: a declared function or the body of a region. ``func_type`` is InCore, AIC or AIV."""

    name: str
    func_type: str
    body: ir.Body
    dual_aiv: bool = False


@dataclass(frozen=True, slots=True)
class Launch:
    """``width`` is the block count as written; ``clustered`` when the launch stands in a cluster, where the halves of a
    mixed kernel are started one by one."""

    width: ir.Expr
    sync_start: bool
    kernels: tuple[Kernel, ...]
    node: ir.SpmdScope | ir.Submit
    span: Span | None
    width_span: Span | None
    function: ir.Function
    clustered: bool = False


#: kinds of functions that run on the device
_ON_DEVICE = ("Group", "Spmd", *KERNEL_TYPES)


def launches(function: ir.Function, program: ir.Program) -> Iterator[Launch]:
    """The launch sites of a function; what is already on the device launches nothing."""
    if function.func_type in _ON_DEVICE:
        return
    yield from _in_body(function.body or (), function, program, False)


def _in_body(
    body: ir.Body, function: ir.Function, program: ir.Program, clustered: bool, launched: bool = False
) -> Iterator[Launch]:
    for stmt in body:
        if isinstance(stmt, ir.SpmdScope) and not launched:
            yield Launch(
                stmt.core_num, stmt.sync_start, _kernels(stmt, program), stmt, stmt.call_span or stmt.span,
                stmt.core_num_span, function, clustered,
            )  # fmt: skip
        for expr in header_exprs(stmt):
            for node in walk_expr(expr, attrs=False):
                if isinstance(node, ir.Submit) and node.core_num is not None:
                    callee = program.functions.get(node.op.name)
                    kernels = () if callee is None else _of_function(callee)
                    yield Launch(node.core_num, node.sync_start, kernels, node, node.span, node.core_num.span, function)
        for nested in bodies(stmt):
            yield from _in_body(
                nested, function, program, clustered or isinstance(stmt, ir.ClusterScope),
                launched or isinstance(stmt, ir.SpmdScope),
            )  # fmt: skip


def _of_function(callee: ir.Function) -> tuple[Kernel, ...]:
    if callee.body is None or callee.func_type not in KERNEL_TYPES:
        return ()
    return (Kernel(callee.name, callee.func_type, callee.body, bool(callee.attrs.get("dual_aiv_dispatch"))),)


def _kernels(stmt: ir.SpmdScope, program: ir.Program) -> tuple[Kernel, ...]:
    for inner in stmt.body:
        if isinstance(inner, ir.InCoreScope):
            return (Kernel(inner.name_hint or stmt.name_hint, "InCore", inner.body),)
    found: list[Kernel] = []
    for inner in walk(stmt.body):
        for expr in header_exprs(inner):
            for node in walk_expr(expr, attrs=False):
                if isinstance(node, ir.Call) and isinstance(node.op, ir.FunctionRef):
                    callee = program.functions.get(node.op.name)
                    if callee is not None:
                        found.extend(_of_function(callee))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Width:
    """A launch's width as far as the compiler tells it: a literal, one of the two queries, or unknown."""

    literal: int | None = None
    query: str | None = None


def width_of(expr: ir.Expr, assigned: Assigned) -> Width:
    """Classify a width. A query counts when written in place or bound directly to the name; arithmetic on a query, an alias
    of one, or a parameter is unknown."""
    query = _query(expr)
    if query is not None:
        return Width(query=query)
    if isinstance(expr, ir.Read):
        bound = assigned.get(expr.var, [])
        if len(bound) == 1 and (query := _query(bound[0])) is not None:
            return Width(query=query)
    return Width(literal=constant(expr, assigned))


def _query(expr: ir.Expr) -> str | None:
    if isinstance(expr, ir.Call) and isinstance(expr.op, str):
        name = expr.op.rpartition(".")[2]
        if name in (CLUSTER_COUNT, AIV_COUNT):
            return name
    return None


def assigned_in(program: ir.Program) -> Assigned:
    """Everything that is assigned to each variable of a program."""
    found: Assigned = {}
    for function in program.functions.values():
        for stmt in walk(function.body or ()):
            if isinstance(stmt, ir.Assign):
                found.setdefault(stmt.var, []).append(stmt.value)
    return found


def constant(expr: ir.Expr, assigned: Assigned, depth: int = 0) -> int | None:
    """The value of an integer expression over constants and names that are assigned once; None when not known."""
    if depth > 20:
        return None
    match expr:
        case ir.ConstInt():
            return int(expr.value)
        case ir.Read():
            bound = assigned.get(expr.var, [])
            return constant(bound[0], assigned, depth + 1) if len(bound) == 1 else None
        case ir.Binary():
            left, right = constant(expr.left, assigned, depth + 1), constant(expr.right, assigned, depth + 1)
            return _fold(expr.op, left, right)
        case _:
            return None


def _fold(op: str, left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        return None
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "//" if right:
            return left // right
        case "%" if right:
            return left % right
        case "min":
            return min(left, right)
        case "max":
            return max(left, right)
        case _:
            return None


def hard_barriers(kernel: Kernel, program: ir.Program) -> list[ir.Call]:
    """The hard ``syncall`` barriers of a kernel, in order."""
    return [barrier for stmt in kernel_statements(kernel.body, program) for barrier in barriers_of(stmt)]


def barriers_of(stmt: ir.Stmt) -> tuple[ir.Call, ...]:
    """The hard barriers of a statement itself."""
    return tuple(
        node
        for expr in header_exprs(stmt)
        for node in walk_expr(expr, attrs=False)
        if isinstance(node, ir.Call) and node.op == "system.syncall" and node.kwargs.get("mode", "hard") != "soft"
    )
