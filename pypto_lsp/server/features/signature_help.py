"""Signature help: the operator's parameters with the one at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pypto_lsp.server.server import Server

if TYPE_CHECKING:
    from pypto_lsp.analysis.call_context import CallSite
    from pypto_lsp.ops.registry import Operator


def register(server: Server) -> None:
    options = lsp.SignatureHelpOptions(trigger_characters=["(", ","], retrigger_characters=[",", "="])

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, options)
    def signature_help(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        from pypto_lsp.analysis.call_context import call_at

        session = server.session
        at = session.at(params.text_document.uri, params.position)
        if at is None:
            return None
        site = call_at(session.workspace.text(at.path), at.offset)
        found = session.queries.operator(at.path, site.callee) if site is not None else None
        if site is None or found is None:
            return None
        return lsp.SignatureHelp([_signature(server, *found, _active(found[1], site))], active_signature=0)


def _active(operator: Operator, site: CallSite) -> int | None:
    """The index of the parameter that the cursor's argument is bound to."""
    if site.keyword is not None:
        return next((n for n, param in enumerate(operator.params) if param.name == site.keyword), None)
    positional = [n for n, param in enumerate(operator.params) if param.kind != "keyword_only"]
    if site.index < len(positional):
        return positional[site.index]
    starred = [n for n in positional if operator.params[n].kind == "var_positional"]
    return starred[0] if starred else None


def _signature(server: Server, path: str, operator: Operator, active: int | None) -> lsp.SignatureInformation:
    from pypto_lsp.server import markup

    label = operator.signature(path)
    parameters = []
    at = label.index("(")
    for param in operator.params:
        shown = param.name if param.required else f"{param.name}={param.default}"
        at = label.find(shown, at)
        mark: str | tuple[int, int] = (at, at + len(shown)) if server.client.label_offsets else shown
        line = markup.content(markup.param_line(param), as_markdown=server.client.markdown_signature)
        parameters.append(lsp.ParameterInformation(mark, line))
        at += len(shown)
    documentation = markup.content(operator.doc, as_markdown=server.client.markdown_signature) if operator.doc else None
    return lsp.SignatureInformation(label, documentation, parameters, active)
