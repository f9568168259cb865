"""The outline: kernels, programs and their parameters, other functions and classes, constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pypto_lsp.server.server import Server
from pypto_lsp.server.uris import to_path

if TYPE_CHECKING:
    from pypto_lsp.analysis.outline import Symbol

_KINDS = {
    "kernel": lsp.SymbolKind.Function,
    "function": lsp.SymbolKind.Function,
    "method": lsp.SymbolKind.Method,
    "program": lsp.SymbolKind.Class,
    "class": lsp.SymbolKind.Class,
    "constant": lsp.SymbolKind.Constant,
}


def register(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def document_symbol(
        params: lsp.DocumentSymbolParams,
    ) -> list[lsp.DocumentSymbol] | list[lsp.SymbolInformation]:
        from pypto_lsp.analysis.outline import outline

        session, path = server.session, to_path(params.text_document.uri)
        tree = session.workspace.sources.find(path)
        if tree is None or not session.speaks_pypto(path):
            return []
        symbols = outline(tree)
        if server.client.hierarchical_symbols:
            return [_nested(server, symbol) for symbol in symbols]
        return [info for symbol in symbols for info in _flat(server, params.text_document.uri, symbol, None)]


def _nested(server: Server, symbol: Symbol) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=symbol.name,
        kind=_KINDS[symbol.kind],
        detail=symbol.detail or None,
        range=server.positions.range(symbol.span),
        selection_range=server.positions.range(symbol.name_span),
        children=[_nested(server, child) for child in symbol.children],
    )


def _flat(server: Server, uri: str, symbol: Symbol, container: str | None) -> list[lsp.SymbolInformation]:
    location = lsp.Location(uri, server.positions.range(symbol.span))
    info = lsp.SymbolInformation(location, symbol.name, _KINDS[symbol.kind], container_name=container)
    return [info, *(found for child in symbol.children for found in _flat(server, uri, child, symbol.name))]
