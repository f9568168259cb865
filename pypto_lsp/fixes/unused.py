"""Fixes for variables that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Edit, Fix
from pypto_lsp.fixes.registry import FixContext, provides
from pypto_lsp.fixes.statements import removal
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import walk_expr

#: operator families whose calls have effects besides their result
_EFFECTS = ("write", "store", "assemble", "notify", "wait", "put", "get", "barrier", "sync", "task", "alloc", "submit",
            "fence", "scatter", "update", "print", "push", "pop", "free", "prefetch", "all", "reduce_scatter", "broadcast")  # fmt: skip


def pure(expr: ir.Expr) -> bool:
    """Whether evaluating an expression does nothing besides giving its value."""
    for node in walk_expr(expr):
        if isinstance(node, ir.Submit):
            return False
        if isinstance(node, ir.Call):
            if not isinstance(node.op, str):
                return False
            name = node.op.rpartition(".")[2]
            if node.op.startswith(("system.", "pld.")) or name.startswith(_EFFECTS):
                return False
    return True


@provides("UnusedVariableCheck", 1001)
def remove_unused(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """Remove the statement, or keep a kernel call as a statement of its own."""
    stmt = diagnostic.subject
    if not isinstance(stmt, ir.Assign) or stmt.span is None or stmt.name_span is None:
        return
    if isinstance(stmt.value, ir.TupleGetItem):
        return
    if pure(stmt.value):
        yield Fix(f"Remove the unused '{stmt.var.name}'", (removal(stmt.span),))
    elif isinstance(stmt.value, ir.Call) and stmt.value.span is not None and not isinstance(stmt.value.op, str):
        yield Fix(f"Drop the name '{stmt.var.name}'", (Edit(stmt.span, stmt.value.span.text),))
