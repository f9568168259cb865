"""Hover: the finding under the cursor with its rule; else the operator, the keyword, or the type and value of a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pypto_lsp.server.server import Server

if TYPE_CHECKING:
    from pypto_lsp.server.session import At, Session


def register(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        from pypto_lsp.server import markup

        session = server.session
        await session.first_report(params.text_document.uri)
        at = session.at(params.text_document.uri, params.position)
        if at is None:
            return None
        parts = [part for part in (_code(session, at), *await _findings(session, at)) if part]
        if not parts:
            return None
        return lsp.Hover(markup.content("\n\n---\n\n".join(parts), as_markdown=server.client.markdown_hover))


async def _findings(session: Session, at: At) -> list[str]:
    """The findings at a place; with the fix that takes an analysis, or why there is none, where that is told quickly."""
    from pypto_lsp.analysis.catalogue import entry_for
    from pypto_lsp.server import edits, markup

    pages = []
    for found in session.findings.diagnostics(at.path):
        if found.span.begin <= at.offset <= found.span.end_offset:
            where = session.findings.report_of(found)
            fixed = await edits.sought_fixes(session, at.path, where, found, only_quickly=True)
            entry = entry_for(found)
            pages.append(markup.finding_page(fixed or found, entry.explanation if entry else ""))
    return pages


def _code(session: Session, at: At) -> str:
    """What the code under the cursor is."""
    from pypto_lsp.server import markup

    place = session.queries.place(at.path, at.offset)
    keyword = session.queries.keyword(place)
    if keyword is not None:
        path, _, param = keyword
        return f"{markup.param_line(param)}\n\nparameter of `{path}`"
    spelling = session.queries.named_path(place)
    operator = session.queries.operator(at.path, spelling) if spelling else None
    if operator is not None:
        return markup.operator_page(*operator)
    return _typed(session, at) or _constant(session, at, spelling)


def _typed(session: Session, at: At) -> str:
    from pypto_lsp.ir.printer_types import print_type
    from pypto_lsp.server import markup

    place = session.queries.place(at.path, at.offset)
    known = session.queries.type_at(place, session.findings.report(at.path))
    if known is None:
        return ""
    name, types, value = known
    shown = [text for type_ in types if (text := print_type(type_))]
    name = name if name.isidentifier() else "(expression)"
    lines = [f"{name}: {text}" for text in shown] or [name]
    if value is not None:
        lines = [f"{line} = {value}" for line in lines]
    return markup.code("\n".join(lines)) if shown or value is not None else ""


def _constant(session: Session, at: At, spelling: str | None) -> str:
    from pypto_lsp.server import markup

    text = session.queries.constant(at.path, spelling) if spelling else None
    return markup.code(f"{spelling} = {text}") if text is not None else ""
