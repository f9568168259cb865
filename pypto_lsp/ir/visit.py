"""Walking the IR: the children of nodes, reads of variables, statements with their enclosing scopes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import SHAPED, TupleType, Type


def operands(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    """The direct operands of an expression, attributes left out."""
    match expr:
        case ir.Call():
            return expr.args
        case ir.Submit():
            extra = tuple(e for e in (expr.core_num, expr.predicate) if e is not None)
            return (*expr.args, *expr.deps, *extra)
        case ir.Binary():
            return (expr.left, expr.right)
        case ir.Unary():
            return (expr.operand,)
        case ir.MakeTuple():
            return expr.elements
        case ir.TupleGetItem():
            return (expr.tuple,)
        case _:
            return ()


def attribute_exprs(attrs: Mapping[str, Any]) -> Iterator[ir.Expr]:
    """Expressions and variables held by an attribute dictionary."""
    for value in attrs.values():
        yield from _exprs_of(value)


def _exprs_of(value: Any) -> Iterator[ir.Expr]:
    if isinstance(value, ir.Expr):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _exprs_of(item)


def walk_expr(expr: ir.Expr, *, attrs: bool = True) -> Iterator[ir.Expr]:
    """An expression and everything below it, in evaluation order from the outside in."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        if attrs and isinstance(node, (ir.Call, ir.Submit)) and node.attrs:
            stack.extend(attribute_exprs(node.attrs))
        stack.extend(reversed(operands(node)))


def dynamic_dimensions(type_: Type) -> Iterator[ir.Var]:
    """The variables in the extents and views of a type."""
    if isinstance(type_, TupleType):
        for part in type_.types:
            yield from dynamic_dimensions(part)
    if not isinstance(type_, SHAPED):
        return
    view = type_.view
    for extent in (*(type_.shape or ()), *(view.valid_shape if view else ()), *(view.stride if view else ())):
        for node in walk_expr(extent) if isinstance(extent, ir.Expr) else ():
            if isinstance(node, ir.Read):
                yield node.var
            elif isinstance(node, ir.Var):
                yield node


def reads(expr: ir.Expr, *, attrs: bool = True) -> Iterator[tuple[ir.Var, ir.Expr]]:
    """Every variable that an expression reads, with the node that reads it."""
    for node in walk_expr(expr, attrs=attrs):
        if isinstance(node, ir.Read):
            yield node.var, node
        elif isinstance(node, ir.Var):
            yield node, node


#: statements with one body
_ONE_BODY = frozenset({ir.For, ir.While, *ir.SCOPES})


def bodies(stmt: ir.Stmt) -> tuple[ir.Body, ...]:
    """The nested bodies of a statement."""
    kind = stmt.__class__
    if kind in _ONE_BODY:
        return (stmt.body,)  # type: ignore[attr-defined]
    if isinstance(stmt, ir.If):
        return (stmt.then,) if stmt.orelse is None else (stmt.then, stmt.orelse)
    return ()


def last_yield(body: ir.Body) -> ir.Yield | None:
    """What a body hands on at its end."""
    last = body[-1] if body else None
    return last if isinstance(last, ir.Yield) else None


def yielded(body: ir.Body) -> tuple[ir.Expr, ...]:
    """The values that a body hands on at its end, inside of a transparent scope too; none where it hands nothing on."""
    last = body[-1] if body else None
    if isinstance(last, ir.Yield):
        return last.values
    return yielded(last.body) if isinstance(last, ir.TRANSPARENT_SCOPES) else ()


def variable_of(value: object) -> ir.Var | None:
    """The variable that a value is, or that it reads."""
    return value.var if isinstance(value, ir.Read) else value if isinstance(value, ir.Var) else None


def header_exprs(stmt: ir.Stmt) -> tuple[ir.Expr, ...]:
    """The expressions of a statement itself, nested bodies and attributes left out."""
    match stmt:
        case ir.Assign():
            return (stmt.value,)
        case ir.Eval():
            return (stmt.expr,)
        case ir.If():
            return (stmt.condition,)
        case ir.For():
            return (stmt.start, stmt.stop, stmt.step, *(arg.init for arg in stmt.iter_args))
        case ir.While():
            return (*(arg.init for arg in stmt.iter_args), stmt.condition)
        case ir.Yield() | ir.Return():
            return stmt.values
        case ir.SpmdScope():
            return (stmt.core_num,)
        case _:
            return ()


def value_of(stmt: ir.Stmt) -> ir.Expr | None:
    """What an assignment assigns or an expression statement evaluates."""
    if isinstance(stmt, ir.Assign):
        return stmt.value
    return stmt.expr if isinstance(stmt, ir.Eval) else None


def scope_attrs(stmt: ir.Stmt) -> Mapping[str, Any]:
    """The attributes of a scope whose expressions count as reads (cluster and runtime scopes have none that do)."""
    if isinstance(stmt, (ir.InCoreScope, ir.HierarchyScope, ir.SpmdScope, ir.SplitAivScope)):
        return stmt.attrs
    return {}


def walk(body: Iterable[ir.Stmt]) -> Iterator[ir.Stmt]:
    """All statements of a body in source order, the outer before the inner."""
    stack = list(body)
    stack.reverse()
    while stack:
        stmt = stack.pop()
        yield stmt
        for nested in reversed(bodies(stmt)):
            stack.extend(reversed(nested))


def walk_scoped(
    body: Iterable[ir.Stmt], outer: tuple[ir.Stmt, ...] = ()
) -> Iterator[tuple[ir.Stmt, tuple[ir.Stmt, ...]]]:
    """All statements with the statements that enclose them, outermost first."""
    for stmt in body:
        yield stmt, outer
        for nested in bodies(stmt):
            yield from walk_scoped(nested, (*outer, stmt))


def calls(body: Iterable[ir.Stmt]) -> Iterator[tuple[ir.Call | ir.Submit, ir.Stmt, tuple[ir.Stmt, ...]]]:
    """All calls and submits with their statement and the statements that enclose it."""
    for stmt, outer in walk_scoped(body):
        for node in own_exprs(stmt):
            if isinstance(node, (ir.Call, ir.Submit)):
                yield node, stmt, outer


def own_exprs(stmt: ir.Stmt) -> tuple[ir.Expr, ...]:
    """All expressions of a statement itself, from the outside in, nested bodies and attributes left out; found once for a
    statement."""
    try:
        return stmt.known_exprs
    except AttributeError:
        found = tuple(node for expr in header_exprs(stmt) for node in walk_expr(expr, attrs=False))
        object.__setattr__(stmt, "known_exprs", found)
        return found


def function_calls(stmt: ir.Stmt) -> tuple[ir.Call, ...]:
    """The calls of functions in a statement and in its nested bodies, submits left out; found once for a statement."""
    try:
        return stmt.known_calls
    except AttributeError:
        own = [node for node in own_exprs(stmt) if isinstance(node, ir.Call) and isinstance(node.op, ir.FunctionRef)]
        inner = [call for body in bodies(stmt) for each in body for call in function_calls(each)]
        found = (*own, *inner)
        object.__setattr__(stmt, "known_calls", found)
        return found


def stmt_reads(stmt: ir.Stmt) -> tuple[tuple[ir.Var, ir.Expr | None], ...]:
    """Variables that a statement itself reads (nested bodies left out), with the reading node where there is one; found once
    for a statement."""
    try:
        return stmt.known_reads
    except AttributeError:
        found = tuple(_stmt_reads(stmt))
        object.__setattr__(stmt, "known_reads", found)
        return found


def _stmt_reads(stmt: ir.Stmt) -> Iterator[tuple[ir.Var, ir.Expr | None]]:
    for expr in header_exprs(stmt):
        yield from reads(expr)
    attrs = scope_attrs(stmt)
    for expr in attribute_exprs(attrs):
        yield from reads(expr)
    if isinstance(stmt, ir.ErrorStmt):
        for var in stmt.reads:
            yield var, None


def bound_vars(stmt: ir.Stmt) -> tuple[ir.Var, ...]:
    """Variables that a statement itself binds in its own scope (loop variables and carries left out)."""
    match stmt:
        case ir.Assign():
            return (stmt.var,)
        case ir.For() | ir.While() | ir.If():
            return stmt.return_vars
        case ir.ErrorStmt():
            return stmt.binds
        case _:
            return ()
