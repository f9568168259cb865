"""What the client can do, read once from its capabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lsprotocol import types as lsp


def _get(capabilities: Any, path: str) -> Any:
    """A nested capability, None where any part of the way is missing."""
    for name in path.split("."):
        capabilities = getattr(capabilities, name, None)
        if capabilities is None:
            return None
    return capabilities


def _markdown(kinds: Sequence[lsp.MarkupKind] | None) -> bool:
    return bool(kinds) and lsp.MarkupKind.Markdown in kinds  # type: ignore[operator]


@dataclass(frozen=True, slots=True)
class ClientSupport:
    """The client's abilities that decide how the server answers."""

    pull_diagnostics: bool = False
    related_documents: bool = False
    refresh_diagnostics: bool = False
    refresh_inlay_hints: bool = False
    related_information: bool = False
    code_description: bool = False
    document_changes: bool = False
    code_action_literals: bool = False
    resolve_action_edit: bool = False
    is_preferred: bool = False
    disabled_actions: bool = False
    hierarchical_symbols: bool = False
    markdown_hover: bool = False
    markdown_completion: bool = False
    markdown_signature: bool = False
    label_offsets: bool = False
    configuration: bool = False
    watch_files: bool = False
    configuration_registration: bool = False
    work_done_progress: bool = False

    @classmethod
    def of(cls, capabilities: lsp.ClientCapabilities) -> ClientSupport:
        def has(path: str) -> bool:
            return bool(_get(capabilities, path))

        resolvable = _get(capabilities, "text_document.code_action.resolve_support.properties") or ()
        return cls(
            pull_diagnostics=_get(capabilities, "text_document.diagnostic") is not None,
            related_documents=has("text_document.diagnostic.related_document_support"),
            refresh_diagnostics=has("workspace.diagnostics.refresh_support"),
            refresh_inlay_hints=has("workspace.inlay_hint.refresh_support"),
            related_information=has("text_document.publish_diagnostics.related_information"),
            code_description=has("text_document.publish_diagnostics.code_description_support"),
            document_changes=has("workspace.workspace_edit.document_changes"),
            code_action_literals=_get(capabilities, "text_document.code_action.code_action_literal_support")
            is not None,
            resolve_action_edit="edit" in resolvable and has("text_document.code_action.data_support"),
            is_preferred=has("text_document.code_action.is_preferred_support"),
            disabled_actions=has("text_document.code_action.disabled_support"),
            hierarchical_symbols=has("text_document.document_symbol.hierarchical_document_symbol_support"),
            markdown_hover=_markdown(_get(capabilities, "text_document.hover.content_format")),
            markdown_completion=_markdown(
                _get(capabilities, "text_document.completion.completion_item.documentation_format")
            ),
            markdown_signature=_markdown(
                _get(capabilities, "text_document.signature_help.signature_information.documentation_format")
            ),
            label_offsets=has(
                "text_document.signature_help.signature_information.parameter_information.label_offset_support"
            ),
            configuration=has("workspace.configuration"),
            watch_files=has("workspace.did_change_watched_files.dynamic_registration"),
            configuration_registration=has("workspace.did_change_configuration.dynamic_registration"),
            work_done_progress=has("window.work_done_progress"),
        )
