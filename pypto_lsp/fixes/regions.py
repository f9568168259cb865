"""Fixes that put a statement into a core-group region or take a region away."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Fix
from pypto_lsp.fixes.registry import FixContext, provides
from pypto_lsp.fixes.statements import wrapped
from pypto_lsp.ir import nodes as ir

REGION = "with pl.at(level=pl.Level.CORE_GROUP):"


@provides("SplitIncoreOrch", 0)
def wrap_in_region(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """Put the computing statement below ``with pl.at(level=pl.Level.CORE_GROUP):``."""
    stmt = diagnostic.subject
    if not isinstance(stmt, (ir.Assign, ir.Eval)) or stmt.span is None:
        return
    edit = wrapped(stmt.span, REGION)
    if edit is not None:
        yield Fix("Put the statement into a core-group region", (edit,))
