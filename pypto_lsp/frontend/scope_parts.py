"""What with-scopes and launches share: their blocks, the task id they bind, keywords they do not know."""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_scopes as faults
from pypto_lsp.diagnostics.spelling import closest
from pypto_lsp.frontend.expressions import TASK, did_you_mean, no_task
from pypto_lsp.frontend.lowering import Lowering
from pypto_lsp.ir import nodes as ir
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span
from pypto_lsp.text.stepwise import Steps


def lower_block(low: Lowering, body: tuple[syntax.Stmt, ...], kind: str) -> Steps[ir.Body]:
    """The statements of a scope; its names leak."""
    with low.block() as out, low.scope(kind), low.deeper():
        yield from low.statements(body)
    return tuple(out)


def incore_block(low: Lowering, body: tuple[syntax.Stmt, ...], split: str | None) -> Steps[ir.Body]:
    """The statements of an InCore region."""
    outer, low.user_split = low.user_split, split
    try:
        return (yield from lower_block(low, body, "incore"))
    finally:
        low.user_split = outer


def bind_task_id(low: Lowering, target: syntax.Name, span: Span) -> ir.Var:
    tid = low.var(target.id, TASK, target.span)
    low.names.define(target.id, tid)
    low.bind(target.id, TASK, target.span, kind="task")
    low.out.append(ir.Assign(tid, no_task(span), span, target.span))
    return tid


def unknown_keyword(
    low: Lowering, call: syntax.Call, keyword: syntax.Keyword, callee: str, known: tuple[str, ...]
) -> None:
    name = keyword.arg or "**"
    meant = closest(name, known)
    low.report(
        faults.SCOPE_KEYWORD,
        keyword.span,
        subject=call,
        callee=callee,
        keyword=name,
        advice=did_you_mean(meant) or f": it takes {', '.join(known)}",
        suggestion=f"{meant}={keyword.value.text}" if meant else None,
    )
