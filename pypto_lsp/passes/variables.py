"""Which variables expressions and bodies read and define, collected without making intermediate objects: the passes ask for
every statement of large programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import attribute_exprs, bodies, header_exprs, scope_attrs

Add = Callable[[ir.Var], object]


def visit_reads(expr: ir.Expr, add: Add) -> None:
    """Call ``add`` with every variable that an expression reads, in order."""
    kind = type(expr)
    if kind is ir.Read:
        add(expr.var)  # type: ignore[attr-defined]
    elif kind is ir.Call:
        assert isinstance(expr, ir.Call)
        for arg in expr.args:
            visit_reads(arg, add)
        if expr.attrs:
            for value in attribute_exprs(expr.attrs):
                visit_reads(value, add)
    elif kind is ir.Binary:
        visit_reads(expr.left, add)  # type: ignore[attr-defined]
        visit_reads(expr.right, add)  # type: ignore[attr-defined]
    elif kind is ir.MakeTuple:
        for element in expr.elements:  # type: ignore[attr-defined]
            visit_reads(element, add)
    elif kind is ir.TupleGetItem:
        visit_reads(expr.tuple, add)  # type: ignore[attr-defined]
    elif kind is ir.Unary:
        visit_reads(expr.operand, add)  # type: ignore[attr-defined]
    elif kind is ir.Var:
        add(expr)  # type: ignore[arg-type]
    elif isinstance(expr, ir.Submit):
        _visit_submit(expr, add)


def _visit_submit(expr: ir.Submit, add: Add) -> None:
    for operand in (*expr.args, *expr.deps):
        visit_reads(operand, add)
    for optional in (expr.core_num, expr.predicate):
        if optional is not None:
            visit_reads(optional, add)
    for value in attribute_exprs(expr.attrs):
        visit_reads(value, add)


def visit_header_reads(stmt: ir.Stmt, add: Add) -> None:
    """Call ``add`` with every variable that a statement itself reads, nested bodies left out."""
    if type(stmt) is ir.Assign:
        visit_reads(stmt.value, add)
        return
    for expr in header_exprs(stmt):
        visit_reads(expr, add)
    for expr in attribute_exprs(scope_attrs(stmt)):
        visit_reads(expr, add)


def read_variables(body: Iterable[ir.Stmt]) -> dict[ir.Var, None]:
    """The variables that a body reads, in order."""
    found: dict[ir.Var, None] = {}
    _visit_body_reads(body, found.setdefault)
    return found


def _visit_body_reads(body: Iterable[ir.Stmt], add: Add) -> None:
    for stmt in body:
        visit_header_reads(stmt, add)
        for nested in bodies(stmt):
            _visit_body_reads(nested, add)


def reached(live: set[ir.Var], uses: Mapping[ir.Var, Iterable[ir.Var]]) -> set[ir.Var]:
    """Variables that are live, with all that go into them; ``uses`` are the variables that each is made of."""
    pending = list(live)
    while pending:
        for var in uses.get(pending.pop(), ()):
            if var not in live:
                live.add(var)
                pending.append(var)
    return live


def bound_by(stmt: ir.Stmt) -> tuple[ir.Var, ...]:
    """The variables that a statement itself defines, loop variables and carries included."""
    match stmt:
        case ir.Assign():
            return (stmt.var,)
        case ir.For():
            return (stmt.var, *(arg.var for arg in stmt.iter_args), *stmt.return_vars)
        case ir.While():
            return (*(arg.var for arg in stmt.iter_args), *stmt.return_vars)
        case ir.If():
            return stmt.return_vars
        case ir.ErrorStmt():
            return stmt.binds
        case ir.SpmdScope() | ir.SplitAivScope() if stmt.index_var is not None:
            return (stmt.index_var,)
        case _:
            return ()


def defined(body: Iterable[ir.Stmt]) -> dict[ir.Var, None]:
    """The variables that a body defines, in order."""
    found: dict[ir.Var, None] = {}
    pending = [iter(body)]
    while pending:
        for stmt in pending[-1]:
            found.update(dict.fromkeys(bound_by(stmt)))
            pending.extend(iter(nested) for nested in reversed(bodies(stmt)))
            break
        else:
            pending.pop()
    return found
