"""The engine of one conversation: workspace, scheduler, and what the client was told."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from pypto_lsp.analysis.report import FileReport
from pypto_lsp.analysis.settings import editor_settings, environment_settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.server.findings import Findings
from pypto_lsp.server.scheduler import Scheduler
from pypto_lsp.server.uris import to_path, to_uri

if TYPE_CHECKING:
    from pypto_lsp.server.server import Server

_LOG = logging.getLogger(__name__)


class Session:
    """Documents in, findings out.

    A client that pulls diagnostics is never sent any; one that does not gets each file's list when it changes.
    """

    def __init__(self, server: Server) -> None:
        self.server = server
        settings, faults = editor_settings(server.initialization_options, environment_settings())
        self.workspace = Workspace(roots=server.folders, settings=settings)
        self.findings = Findings(self)
        self.scheduler = Scheduler(self.workspace, self._on_report)
        self._uris: dict[str, str] = {}
        self._complain(faults)

    # --- documents ---------------------------------------------------------------------------------------------

    def uri(self, path: str) -> str:
        """The URI of a file, spelt as the client spells it where the document is open."""
        return self._uris.get(path) or to_uri(path)

    def open(self, uri: str, text: str, version: int) -> None:
        path = to_path(uri)
        self._uris[path] = uri
        self.workspace.open(path, text, version)
        self.scheduler.add(path)
        self.scheduler.review(except_for=path)

    def change(self, uri: str, version: int, changes: list[tuple[lsp.Range | None, str]]) -> None:
        """Apply changes in order; one without a range replaces the whole text."""
        path = to_path(uri)
        document = self.workspace.sources.document(path)
        if document is None:
            _LOG.warning("a change of %s, which is not open", uri)
            return
        for place, text in changes:
            if place is None:
                document.replace(text)
            else:
                lines, positions = document.lines, self.server.positions
                start = positions.offset(lines, place.start)
                document.edit(start, max(start, positions.offset(lines, place.end)), text)
        document.version = version
        self.workspace.sources.touched()
        self.scheduler.edited(path)

    def close(self, uri: str) -> None:
        path = to_path(uri)
        self.workspace.close(path)
        self.scheduler.remove(path)
        self.publish(self.findings.remove(path))
        self._uris.pop(path, None)
        self.scheduler.review()

    def files_changed(self, paths: list[str] | None = None) -> None:
        """Files changed on disk (None: any may have)."""
        if self.workspace.refresh(paths):
            self.scheduler.review()

    # --- settings ----------------------------------------------------------------------------------------------

    def configure(self, given: Any) -> None:
        """Take the editor's settings; what they leave out has its default."""
        settings, faults = editor_settings(given, environment_settings())
        self._complain(faults)
        if self.workspace.configure(settings):
            self.scheduler.review()
            if self.server.client.refresh_inlay_hints:
                self.server.workspace_inlay_hint_refresh(None)

    def _complain(self, faults: list[str]) -> None:
        if faults:
            text = "pypto-lsp: " + "; ".join(faults)
            self.server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, text))

    # --- findings ----------------------------------------------------------------------------------------------

    def _on_report(self, report: FileReport) -> None:
        changed = self.findings.update(report)
        if not self.server.client.pull_diagnostics:
            self.publish(changed)
        elif changed and report.complete and self.server.client.refresh_diagnostics:
            self.server.workspace_diagnostic_refresh(None)

    def publish(self, paths: list[str]) -> None:
        """Send the findings of files to a client that does not pull them."""
        if self.server.client.pull_diagnostics:
            return
        for path in paths:
            document = self.workspace.sources.document(path)
            self.server.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(
                    self.uri(path), self.findings.of(path).items, document.version if document else None
                )
            )
