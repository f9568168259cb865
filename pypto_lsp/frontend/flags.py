"""Keyword values of launches and scopes that several of them share: flags, core counts, name hints."""

from __future__ import annotations

import keyword as python_keywords
from typing import Any

from pypto_lsp.diagnostics import faults_scopes as faults
from pypto_lsp.frontend.binding import type_text
from pypto_lsp.frontend.lowering import Lowering
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import UNDETERMINED, ScalarType
from pypto_lsp.syntax import nodes as syntax


def bool_literal(low: Lowering, keyword: syntax.Keyword | None, callee: str) -> bool:
    """A flag that must be written as True or False; False when it is not given."""
    if keyword is None:
        return False
    value = keyword.value
    given = written_constant(low, value)
    if isinstance(given, bool):
        return given
    low.report(faults.NOT_A_BOOL, value.span, subject=value, keyword=keyword.arg, callee=callee, suggestion="True")
    return False


def written_constant(low: Lowering, node: syntax.Expr) -> Any:
    """The value of what must be a literal: of a jit kernel's body the compiler sees the numbers of the module as literals. None
    for anything else."""
    if isinstance(node, syntax.Constant):
        return node.value
    if low.jit and isinstance(node, syntax.Name) and low.names.lookup(node.id) is None:
        expr = low.expr(node)
        return expr.value if isinstance(expr, (ir.ConstInt, ir.ConstBool)) else None
    return None


def core_count(low: Lowering, node: syntax.Expr) -> ir.Expr:
    """The number of blocks of a launch: an integer, positive where it is a constant."""
    expr = low.expr(node)
    type_ = expr.type
    if isinstance(expr, ir.ErrorExpr) or type_ is UNDETERMINED:
        return expr
    dtype = type_.dtype if isinstance(type_, ScalarType) else None
    if not isinstance(type_, ScalarType) or (dtype is not None and not dtype.is_int):
        return low.error(faults.CORE_NUM_KIND, node, found=type_text(type_))
    if isinstance(expr, ir.ConstInt) and expr.value <= 0:
        return low.error(faults.CORE_NUM_RANGE, node, value=int(expr.value))
    return expr


def name_hint(low: Lowering, node: syntax.Expr) -> str:
    """The name hint of a scope; empty where it is at fault."""
    if not (isinstance(node, syntax.Constant) and isinstance(node.value, str)):
        low.report(faults.HINT_KIND, node.span, subject=node)
        return ""
    hint = node.value
    if hint and (not hint.isidentifier() or python_keywords.iskeyword(hint)):
        made = _identifier(hint)
        low.report(faults.HINT_NAME, node.span, subject=node, hint=hint, suggestion=f'"{made}"' if made else None)
        return ""
    return hint


def _identifier(hint: str) -> str | None:
    made = "".join(c if c.isalnum() or c == "_" else "_" for c in hint).strip("_")
    return made if made.isidentifier() and not python_keywords.iskeyword(made) else None
