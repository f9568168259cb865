"""Fixes for results that are thrown away and writes that go nowhere."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Edit, Fix
from pypto_lsp.fixes.registry import FixContext, provides
from pypto_lsp.fixes.statements import absolute, removal
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Direction
from pypto_lsp.ir.types import SHAPED
from pypto_lsp.ir.visit import bound_vars, stmt_reads, walk


def _statement_of(call: ir.Call, program: ir.Program | None) -> ir.Stmt | None:
    if program is None:
        return None
    for function in program.functions.values():
        for stmt in walk(function.body or ()):
            if (isinstance(stmt, ir.Eval) and stmt.expr is call) or (
                isinstance(stmt, ir.Assign) and stmt.value is call
            ):
                return stmt
    return None


@provides("InOutUseDiscipline")
def bind_result(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``self.k(x, out)`` -> ``out = self.k(x, out)``: bind what the call returns to the names it was passed."""
    call, callee, _ = diagnostic.subject
    stmt = _statement_of(call, context.program)
    if stmt is None or stmt.span is None or not diagnostic.facts.get("returns"):
        return
    outputs = [arg for arg, direction in zip(call.args, callee.directions) if direction is not Direction.IN]
    results = len(callee.return_types) or 1
    if len(outputs) != results or not all(isinstance(arg, ir.Read) for arg in outputs):
        return
    names = [arg.var.name for arg in outputs if isinstance(arg, ir.Read)]
    if len(set(names)) != len(names):
        return
    target = ", ".join(names)
    if isinstance(stmt, ir.Eval):
        yield Fix(
            f"Bind the result to {target}", (Edit(stmt.span.to(stmt.span), f"{target} = {stmt.span.text}"),), safe=True
        )
    elif isinstance(stmt, ir.Assign) and stmt.name_span is not None and len(names) == 1:
        renamed = _renamed(stmt.var, target, context.program)
        if renamed is not None:
            yield Fix(f"Bind the result to {target}", (Edit(stmt.name_span, target), *renamed))


def _renamed(var: ir.Var, name: str, program: ir.Program | None) -> list[Edit] | None:
    """The edits that read another name in the place of a variable's; None where it is bound twice or a place is not known."""
    statements = [s for f in program.functions.values() for s in walk(f.body or ())] if program is not None else []
    if sum(var in bound_vars(stmt) for stmt in statements) != 1:
        return None
    places = [node.span for stmt in statements for read, node in stmt_reads(stmt) if read is var and node is not None]
    if any(place is None or place.text != var.name for place in places):
        return None
    return [Edit(place, name) for place in places if place is not None]


@provides("OutParamWriteDropped", 1003)
def write_through(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``out = e`` -> ``out[:] = e``; a fresh tensor bound to the name is removed."""
    stmt = diagnostic.subject
    if not isinstance(stmt, ir.Assign) or stmt.span is None or stmt.name_span is None:
        return
    name = stmt.var.name
    value = stmt.value
    if isinstance(value, ir.Call) and value.op in ("tensor.create", "tensor.full"):
        yield Fix(f"Remove the assignment and use '{name}' itself", (removal(stmt.span),))
        if value.op == "tensor.create":
            return
    if not isinstance(value.type, SHAPED):
        return
    end = stmt.name_span.end_offset
    yield Fix(f"Write into it: {name}[:] = ...", (Edit(absolute(stmt.span.source, end, end), "[:]"),), safe=True)
