"""Documents opened, changed, saved and closed."""

from __future__ import annotations

from lsprotocol import types as lsp

from pypto_lsp.server.positions import change_of
from pypto_lsp.server.server import Server


def register(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        server.session.open(document.uri, document.text, document.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        changes = [change_of(event) for event in params.content_changes]
        server.session.change(params.text_document.uri, params.text_document.version, changes)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE, lsp.SaveOptions(include_text=False))
    def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
        server.session.save(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        server.session.close(params.text_document.uri)
