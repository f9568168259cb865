"""Completion: operators behind ``pl.``, keywords and values of the call at hand, names in scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pypto_lsp.server.server import Server

if TYPE_CHECKING:
    from pypto_lsp.analysis.suggestions import Suggestion

_KINDS = {
    "operator": lsp.CompletionItemKind.Function,
    "function": lsp.CompletionItemKind.Function,
    "module": lsp.CompletionItemKind.Module,
    "dtype": lsp.CompletionItemKind.Constant,
    "enum": lsp.CompletionItemKind.Enum,
    "member": lsp.CompletionItemKind.EnumMember,
    "keyword": lsp.CompletionItemKind.Property,
    "value": lsp.CompletionItemKind.Value,
    "name": lsp.CompletionItemKind.Variable,
}
#: ranks are shifted by this to be positive numbers of fixed width, as clients sort by text
_SHIFT = 10_000_000


def register(server: Server) -> None:
    options = lsp.CompletionOptions(trigger_characters=[".", "(", ",", "="], resolve_provider=True)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, options)
    def completion(params: lsp.CompletionParams) -> lsp.CompletionList | None:
        from pypto_lsp.analysis.suggestions import suggest

        session = server.session
        at = session.at(params.text_document.uri, params.position)
        if at is None or not session.speaks_pypto(at.path):
            return None
        document = session.workspace.sources.document(at.path)
        assert document is not None
        found = suggest(session.queries, at.path, document.text, at.offset, session.findings.report(at.path))
        place = server.positions.range_of(document.lines, found.start, at.offset)
        return lsp.CompletionList(is_incomplete=False, items=[_item(item, place) for item in found.items])

    @server.feature(lsp.COMPLETION_ITEM_RESOLVE)
    def resolve(item: lsp.CompletionItem) -> lsp.CompletionItem:
        from pypto_lsp.ops import REGISTRY
        from pypto_lsp.server import markup

        path = item.data.get("operator") if isinstance(item.data, dict) else None
        operator = REGISTRY.get(path) if isinstance(path, str) else None
        if operator is not None and isinstance(path, str):
            page = markup.operator_page(path, operator)
            item.documentation = markup.content(page, as_markdown=server.client.markdown_completion)
        return item


def _item(suggestion: Suggestion, place: lsp.Range) -> lsp.CompletionItem:
    item = lsp.CompletionItem(
        suggestion.name,
        kind=_KINDS[suggestion.kind],
        detail=suggestion.detail or None,
        sort_text=f"{suggestion.rank + _SHIFT:08d}{suggestion.name}",
        text_edit=lsp.TextEdit(place, suggestion.name),
    )
    if suggestion.path:
        item.data = {"operator": suggestion.path}
    return item
