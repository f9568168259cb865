"""Go to definition: locals of a kernel, kernels and constants, also those of other files."""

from __future__ import annotations

from lsprotocol import types as lsp

from pypto_lsp.server.server import Server


def register(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        session = server.session
        await session.first_report(params.text_document.uri)
        at = session.at(params.text_document.uri, params.position)
        if at is None or not session.speaks_pypto(at.path):
            return None
        place = session.queries.place(at.path, at.offset)
        span = session.queries.definition(place, session.findings.report(at.path))
        return session.findings.location(span) if span is not None else None
