"""Inlay hints: the types of locals, behind the name where it is bound."""

from __future__ import annotations

from lsprotocol import types as lsp

from pypto_lsp.server.server import Server
from pypto_lsp.server.uris import to_path


def register(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hint(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        session, path = server.session, to_path(params.text_document.uri)
        if not session.workspace.settings.inlay_hints or session.workspace.sources.document(path) is None:
            return []
        report = await session.scheduler.report(path, complete=False)
        return session.inlay_hints(report, params.range)
