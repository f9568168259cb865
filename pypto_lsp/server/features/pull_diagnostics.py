"""Diagnostics on request, of one document or of all files of the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pypto_lsp.server.server import Server
from pypto_lsp.server.uris import to_path

if TYPE_CHECKING:
    from pypto_lsp.server.session import Session


def register(server: Server) -> None:
    options = lsp.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=True, identifier="pypto", work_done_progress=True
    )

    @server.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def document_diagnostic(params: lsp.DocumentDiagnosticParams) -> lsp.DocumentDiagnosticReport:
        session, path = server.session, to_path(params.text_document.uri)
        if session.workspace.sources.document(path) is not None:
            # a client that can be asked to come again gets what is known first, any other one the whole
            again = server.client.refresh_diagnostics
            if not (again and session.take_early(path)):
                await session.scheduler.report(path, complete=not again, findings_alone=True)
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
        answer = _Answer(server, params.partial_result_token)
        while True:
            session.news.clear()
            files = dict.fromkeys(known)
            async for path in session.check_folders(params.work_done_token):
                files[path] = None
                if params.partial_result_token is not None:
                    answer.add(path, known.get(path))
            for path in files:  # a file that imports others may have said something of them after they were looked at
                answer.add(path, known.get(path))
            if answer.has_news or not known:
                return lsp.WorkspaceDiagnosticReport(answer.items)
            # nothing new: a client asks again as soon as it has its answer, so it gets it when there is something to say
            await session.news.wait()
            answer = _Answer(server, params.partial_result_token)


class _Answer:
    """The reports of a workspace request; a client that gave a token gets each one at once."""

    def __init__(self, server: Server, token: lsp.ProgressToken | None) -> None:
        self._server = server
        self._token = token
        #: file -> what was reported of it last
        self._said: dict[str, str] = {}
        self.has_news = False
        self.items: list[lsp.WorkspaceDocumentDiagnosticReport] = []

    def add(self, path: str, known: str | None) -> None:
        """Report on a file, with what the client knows of it already, unless this answer has just that."""
        result_id = self._server.session.findings.of(path).result_id
        if self._said.get(path) == result_id:
            return
        self._said[path] = result_id
        item = _workspace_item(self._server.session, path, known)
        if not isinstance(item, lsp.WorkspaceFullDocumentDiagnosticReport):
            self.items.append(item)
            return
        self.has_news = self.has_news or bool(item.items) or known is not None
        if self._token is None:
            self.items.append(item)
        else:
            partial = lsp.WorkspaceDiagnosticReportPartialResult([item])
            self._server.progress(lsp.ProgressParams(self._token, self._server.protocol.plain(partial)))


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
