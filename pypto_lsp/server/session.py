"""The engine of one conversation: workspace, scheduler, and what the client was told."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from pypto_lsp.analysis.files import UnreadableFile, python_files
from pypto_lsp.analysis.queries import Queries
from pypto_lsp.analysis.report import SYNTAX_STAGE, FileReport
from pypto_lsp.analysis.report_cache import default_cache
from pypto_lsp.analysis.settings import editor_settings, environment_settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.ir.printer_types import print_type
from pypto_lsp.server.collecting import Collecting
from pypto_lsp.server.findings import Findings
from pypto_lsp.server.progress import Progress
from pypto_lsp.server.scheduler import Scheduler
from pypto_lsp.server.uris import to_path, to_uri
from pypto_lsp.text import Change

if TYPE_CHECKING:
    from pypto_lsp.server.server import Server

_LOG = logging.getLogger(__name__)

#: files of the workspace that are analysed without being open
MAX_FILES = 5000
#: files that are listed between two looks at messages; so many to analyse are worth a progress bar
_FILES_AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class At:
    """A place in an open document: its path and a character offset."""

    path: str
    offset: int


class Session:
    """Documents in, findings out.

    A client that pulls diagnostics is never sent any; one that does not gets each file's list when it changes.
    """

    def __init__(self, server: Server) -> None:
        self.server = server
        settings, faults = editor_settings(server.initialization_options, environment_settings())
        self.workspace = Workspace(roots=server.folders, settings=settings)
        self._use_cache()
        self.queries = Queries(self.workspace)
        self.findings = Findings(self)
        self.scheduler = Scheduler(self.workspace, self._on_report)
        self._collecting = Collecting(self.scheduler.is_busy)
        #: set when a request for the workspace's diagnostics may get another answer than before
        self.news = asyncio.Event()
        self._uris: dict[str, str] = {}
        #: files whose list was sent
        self._told: set[str] = set()
        #: files that are not open -> what their findings were computed from
        self._unopened: dict[str, tuple[object, ...]] = {}
        self._damaged_logs: dict[str, str] = {}
        #: open documents that are shown what is known of them without an analysis, until there is one -> that
        self._early: dict[str, FileReport] = {}
        #: open documents that an analysis has reported on
        self._analysed: set[str] = set()
        #: documents that are as they were opened, and that no analysis has reported on yet
        self._unseen: set[str] = set()
        #: documents whose early findings the client came for, and that no analysis has reported on since
        self._taken: set[str] = set()
        #: documents whose next complete report goes to the cache
        self._to_keep: set[str] = set()
        #: no more files are analysed unasked: someone stopped that
        self._stopped = False
        self._complain(faults)

    # --- documents ---------------------------------------------------------------------------------------------

    def uri(self, path: str) -> str:
        """The URI of a file, spelt as the client spells it where the document is open."""
        return self._uris.get(path) or to_uri(path)

    async def warm_up(self) -> None:
        """Load what the first analysis needs, between messages; the collector need not look at it ever again."""
        for _ in self.workspace.warming_up():
            await asyncio.sleep(0)
        self._name_damaged_logs()
        gc.freeze()

    def at(self, uri: str, position: lsp.Position) -> At | None:
        """The place of a client's position, None when the document is not open or cannot be analysed."""
        path = to_path(uri)
        document = self.workspace.sources.document(path)
        if document is None or self.workspace.sources.find(path) is None:
            return None
        return At(path, self.server.positions.offset(document.lines, position))

    def speaks_pypto(self, path: str) -> bool:
        """Whether a file has to do with the language; of other Python files nothing is said."""
        return self.workspace.speaks_pypto(path)

    def inlay_hints(self, report: FileReport, place: lsp.Range) -> list[lsp.InlayHint]:
        """The types of the locals that a part of a document binds; parameters have theirs written beside them."""
        document = self.workspace.sources.document(report.path)
        if document is None:
            return []
        lines, positions = document.lines, self.server.positions
        start, end = positions.offset(lines, place.start), positions.offset(lines, place.end)
        hints: dict[int, str] = {}
        for binding in report.bindings:
            at = binding.span.end_offset
            shown = print_type(binding.type) if binding.kind != "param" and start <= at <= end else None
            if shown is not None:
                # a name with several types (one per call) has no one type to show
                hints[at] = shown if hints.get(at, shown) == shown else ""
        return [
            lsp.InlayHint(positions.position(lines, at), f": {shown}", lsp.InlayHintKind.Type)
            for at, shown in sorted(hints.items())
            if shown
        ]

    def set_folders(self, folders: list[str]) -> None:
        self._stopped = False
        self.workspace.set_roots(folders)
        self.scheduler.review()

    def open(self, uri: str, text: str, version: int) -> None:
        path = to_path(uri)
        self._uris[path] = uri
        self.workspace.refresh()
        known = self._known(path, text)
        self.workspace.open(path, text, version)
        self._collecting.opened(path)
        self._to_keep.add(path)
        self._unseen.add(path)
        self._show_early(path, known)
        self.scheduler.add(path)
        self.scheduler.review(except_for=path)

    def change(self, uri: str, version: int, changes: list[Change]) -> None:
        path = to_path(uri)
        document = self.workspace.sources.document(path)
        if document is None:
            _LOG.warning("a change of %s, which is not open", uri)
            return
        document.change(changes, self.server.positions.encoding)
        document.version = version
        self._early.pop(path, None)
        self._unseen.discard(path)
        self._to_keep.discard(path)
        self._collecting.edited()
        self.scheduler.edited(path)

    def save(self, uri: str) -> None:
        """A document was saved: no more waiting, and a look at what else changed on disk."""
        self.files_changed()
        self._keep(to_path(uri))
        self.scheduler.flush(to_path(uri))

    def close(self, uri: str) -> None:
        path = to_path(uri)
        for file in self.workspace.close(path):
            self._unopened.pop(file, None)
        self.scheduler.remove(path)
        self._collecting.closed(path)
        self.publish(self.findings.remove(path))
        self._uris.pop(path, None)
        self._unopened.pop(path, None)
        self._early.pop(path, None)
        self._analysed.discard(path)
        self._forget_early(path)
        self._to_keep.discard(path)
        self.scheduler.review()

    def files_changed(self, paths: list[str] | None = None) -> None:
        """Files changed on disk (None: any may have)."""
        if self.workspace.refresh(paths):
            self.scheduler.review()
        self._name_damaged_logs()
        self.news.set()

    def _name_damaged_logs(self) -> None:
        """Log once what is wrong with the logs that builds of the compiler left in the workspace."""
        faults = self.workspace.build_log_faults()
        for path, fault in faults.items():
            if self._damaged_logs.get(path) != fault:
                _LOG.warning("%s: %s", path, fault)
        self._damaged_logs = faults

    async def check_folders(self, token: lsp.ProgressToken | None = None) -> AsyncIterator[str]:
        """Analyse the files of the workspace's folders that are not open and not known as they are now, in slices, while
        no open document waits; gives each file when its findings are up to date. ``token`` is for the progress bar."""
        self.workspace.refresh()
        files = await self._folder_files()
        progress = (
            Progress(self.server, token, "PyPTO: checking the workspace") if token or self._is_long(files) else None
        )
        begun = False
        try:
            for number, path in enumerate(files):
                if self.workspace.sources.document(path) is None and not self._is_known(path):
                    self._stopped = self._stopped or (progress is not None and progress.stopped)
                    if self._stopped:
                        continue
                    if not begun:
                        self._collecting.checking()
                        begun = True
                    await self._check_file(path)
                if progress is not None:
                    progress.report(number + 1, len(files), os.path.basename(path))
                yield path
                await asyncio.sleep(0)
        finally:
            if begun:
                self._collecting.postpone()
            if progress is not None:
                progress.end()

    async def _folder_files(self) -> list[str]:
        found: dict[str, None] = {}
        for folder in list(self.server.folders):
            for path in python_files(folder):
                if len(found) == MAX_FILES:
                    _LOG.warning("the workspace has more than %d Python files; the others are left out", MAX_FILES)
                    return list(found)
                found[path] = None
                if len(found) % _FILES_AT_ONCE == 0:
                    await asyncio.sleep(0)
        return list(found)

    def _is_long(self, files: list[str]) -> bool:
        """Whether so many files are new that someone may wonder what the server is doing."""
        return not self._stopped and sum(path not in self._unopened for path in files) > _FILES_AT_ONCE

    def _is_known(self, path: str) -> bool:
        known = self._unopened.get(path)
        return known is not None and known == self._inputs(path)

    def _inputs(self, path: str) -> tuple[object, ...]:
        try:
            return self.workspace.inputs(path)
        except UnreadableFile:
            return ()

    async def _check_file(self, path: str) -> None:
        """Analyse one file that is not open; what it is lowered to is dropped again, only its findings stay."""
        report = FileReport(path, "")
        while not report.complete and self.workspace.sources.document(path) is None:
            # begun anew as long as something that it depends on changes meanwhile: there are pauses in the typing
            try:
                async for step in self.scheduler.in_the_background(path, self.workspace.findings(path)):
                    report = step
            except UnreadableFile:
                _LOG.info("%s cannot be read", path)
                report = FileReport(path, "complete")
        if self.workspace.sources.document(path) is None:
            self._unopened[path] = self._inputs(path)
            self.publish(self.findings.update(report.without_units()))
            self._collecting.checked(dropped=self.workspace.release(path))

    # --- settings ----------------------------------------------------------------------------------------------

    def configure(self, given: Any) -> None:
        """Take the editor's settings; what they leave out has its default."""
        settings, faults = editor_settings(given, environment_settings())
        self._complain(faults)
        if self.workspace.configure(settings):
            self._use_cache()
            self._early.clear()
            self._stopped = False
            self.scheduler.review()
            self.news.set()
            if self.server.client.refresh_inlay_hints:
                self.server.workspace_inlay_hint_refresh(None)

    def _complain(self, faults: list[str]) -> None:
        if faults:
            text = "pypto-lsp: " + "; ".join(faults)
            self.server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, text))

    def _use_cache(self) -> None:
        wanted = self.server.with_cache and self.workspace.settings.cache
        self.workspace.cache = (self.workspace.cache or default_cache()) if wanted else None

    # --- what is known without an analysis -----------------------------------------------------------------------

    def _known(self, path: str, text: str) -> FileReport | None:
        """The findings of a file that was analysed while it was not open, if the document that is opened is that file."""
        try:
            same = path in self._unopened and self.workspace.text(path) == text
        except UnreadableFile:
            return None
        return self.findings.report(path) if same and self._is_known(path) else None

    def _show_early(self, path: str, known: FileReport | None) -> None:
        """Show of a document just opened what is known of it at once: its findings from before, else Python's syntax faults."""
        try:
            known = known or self.workspace.kept(path)
            report = known or self.workspace.syntax_report(path)
        except UnreadableFile:
            return
        if known is not None:
            self._early[path] = known
        self._taken.discard(path)
        self._publish_report(report)

    def take_early(self, path: str) -> bool:
        """Whether a document just opened has findings to show already, although none of its analysis yet; it is said once."""
        if path not in self._unseen or path in self._taken:
            return False
        self._taken.add(path)
        return True

    def _forget_early(self, path: str) -> None:
        """An analysis has reported on a document, or it was closed."""
        self._unseen.discard(path)
        self._taken.discard(path)

    def _keep(self, path: str) -> None:
        """Write a document's findings to the cache, now or when they are complete."""
        if self.workspace.is_current(path):
            self._to_keep.discard(path)
            self.workspace.keep(path)
        else:
            self._to_keep.add(path)

    # --- findings ----------------------------------------------------------------------------------------------

    async def first_report(self, uri: str) -> None:
        """Wait until something is known of a document that was just opened, or that was not in work for long."""
        path = to_path(uri)
        if self.workspace.wake(path) or (
            path not in self._analysed and self.workspace.sources.document(path) is not None
        ):
            await self.scheduler.report(path, complete=False)

    async def awake(self, path: str) -> None:
        """Wait for all of a document's report, if only its findings were kept."""
        if self.workspace.wake(path):
            await self.scheduler.report(path, complete=True)

    def _on_report(self, report: FileReport) -> None:
        if self.workspace.sources.document(report.path) is not None:
            self._analysed.add(report.path)
        early = self._early.get(report.path)
        if report.complete:
            self._collecting.analysed(report.path)
            self._early.pop(report.path, None)
            if report.path in self._to_keep and self.workspace.is_current(report.path):
                self._keep(report.path)
        elif early is not None:
            # the same text gave these, and more than a first look can
            report = replace(report, diagnostics=early.diagnostics)
        self._publish_report(report)
        if report.complete and self._is_outdated_elsewhere(report.path):
            self.news.set()
        asleep = self.workspace.slept()
        for slept in asleep:
            self.publish(self.findings.update(slept))
        if asleep:
            self._collecting.fell_asleep()

    def _is_outdated_elsewhere(self, path: str) -> bool:
        """Whether files that are not open were analysed with another text of a document."""
        return any(not self._is_known(file) for file in self.workspace.dependents(path) & self._unopened.keys())

    def _publish_report(self, report: FileReport) -> None:
        changed = self.findings.update(report)
        if changed:
            self.news.set()
        if not self.server.client.pull_diagnostics:
            if report.path not in self._told and report.path not in changed:
                changed.append(report.path)  # an open document's list is sent once even when it is empty
            self.publish(changed)
        elif changed and self.server.client.refresh_diagnostics and (report.complete or report.path in self._taken):
            self.server.workspace_diagnostic_refresh(None)
        if report.stage != SYNTAX_STAGE:
            self._forget_early(report.path)

    def publish(self, paths: list[str]) -> None:
        """Send the findings of files to a client that does not pull them."""
        if self.server.client.pull_diagnostics:
            return
        for path in paths:
            document = self.workspace.sources.document(path)
            self._told.add(path)
            self.server.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(
                    self.uri(path), self.findings.of(path).items, document.version if document else None
                )
            )
