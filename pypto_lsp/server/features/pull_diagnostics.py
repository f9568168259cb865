"""Diagnostics on request, of one document or of all files of the workspace."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pypto_lsp.server.server import Server
from pypto_lsp.server.uris import to_path

if TYPE_CHECKING:
    from pypto_lsp.server.session import Session


def register(server: Server) -> None:
    options = lsp.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier="pypto")

    @server.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def document_diagnostic(params: lsp.DocumentDiagnosticParams) -> lsp.DocumentDiagnosticReport:
        session, path = server.session, to_path(params.text_document.uri)
        if session.workspace.sources.document(path) is not None:
            # a client that can be asked to come again gets what is known first, any other one the whole
            await session.scheduler.report(path, complete=not server.client.refresh_diagnostics)
        found = session.findings.of(path)
        if params.previous_result_id == found.result_id:
            return lsp.RelatedUnchangedDocumentDiagnosticReport(found.result_id)
        report = lsp.RelatedFullDocumentDiagnosticReport(found.items, result_id=found.result_id)
        if server.client.related_documents:
            report.related_documents = _related(session, path)
        return report

    @server.feature(lsp.WORKSPACE_DIAGNOSTIC)
    async def workspace_diagnostic(params: lsp.WorkspaceDiagnosticParams) -> lsp.WorkspaceDiagnosticReport:
        session = server.session
        known = {to_path(previous.uri): previous.value for previous in params.previous_result_ids}
        await session.check_folders()
        items: list[lsp.WorkspaceDocumentDiagnosticReport] = []
        for path in sorted(set(session.findings.files()) | set(known)):
            items.append(_workspace_item(session, path, known.get(path)))
            await asyncio.sleep(0)
        return lsp.WorkspaceDiagnosticReport(items)


def _related(
    session: Session, path: str
) -> dict[str, lsp.FullDocumentDiagnosticReport | lsp.UnchangedDocumentDiagnosticReport]:
    """The findings that the document's kernels have in files that are not open."""
    report = session.findings.report(path)
    others: Sequence[str] = sorted({d.span.path for d in report.diagnostics} - {path}) if report else ()
    return {
        session.uri(other): lsp.FullDocumentDiagnosticReport(found.items, result_id=found.result_id)
        for other in others
        if session.workspace.sources.document(other) is None
        for found in (session.findings.of(other),)
    }


def _workspace_item(session: Session, path: str, known: str | None) -> lsp.WorkspaceDocumentDiagnosticReport:
    found = session.findings.of(path)
    document = session.workspace.sources.document(path)
    version = document.version if document else None
    if found.result_id == known:
        return lsp.WorkspaceUnchangedDocumentDiagnosticReport(session.uri(path), found.result_id, version)
    return lsp.WorkspaceFullDocumentDiagnosticReport(session.uri(path), found.items, version, result_id=found.result_id)
