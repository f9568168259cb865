"""Reports of files from the cache on disk, and their way into it."""

from __future__ import annotations

from collections.abc import Callable

from pypto_lsp.analysis.files import UnreadableFile
from pypto_lsp.analysis.front_end import FrontEnd
from pypto_lsp.analysis.portable import BadForm, Portable, packed, unpacked
from pypto_lsp.analysis.report import FileReport
from pypto_lsp.analysis.report_cache import Entry, ReportCache
from pypto_lsp.analysis.sources import Sources
from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.text import Source


class KeptReports:
    """The cache as one workspace uses it: an entry counts while all texts that it was made from are as they were."""

    def __init__(self, cache: ReportCache, sources: Sources, front_end: FrontEnd) -> None:
        self._cache = cache
        self._sources = sources
        self._front_end = front_end

    def find(self, path: str, settings: str) -> FileReport | None:
        """The findings of a file as some earlier run left them; from now on the file depends on what that run read.

        Raises :class:`~pypto_lsp.analysis.files.UnreadableFile`.
        """
        text = self._sources.text(path)
        key = self._key(path, text, settings)
        entry = self._cache.get(key)
        if entry is None:
            return None
        if any(self._sources.digest(other) != known for other, known in entry.read.items()):
            self._cache.drop(key)
            return None
        try:
            report = FileReport(path, "complete", self._findings(path, entry))
        except BadForm:
            self._cache.drop(key)
            return None
        self._cache.touch(key)
        self._front_end.assume(path, entry.read)
        return report

    def keep(self, report: FileReport, settings: str) -> None:
        """Write a complete report of a file as it is now. Raises :class:`~pypto_lsp.analysis.files.UnreadableFile`."""
        looked_at = self._front_end.looked_at(report.path)
        if looked_at is None:
            return  # a file that has nothing to do with the language is looked through faster than the cache
        key = self._key(report.path, self._sources.text(report.path), settings)
        read = {other: self._sources.digest(other) for other in looked_at}
        self._cache.put(key, read, [packed(diagnostic) for diagnostic in report.diagnostics])

    def _key(self, path: str, text: str, settings: str) -> str:
        return self._cache.key(path, text, self._front_end.roots, settings)

    def _findings(self, path: str, entry: Entry) -> tuple[Diagnostic, ...]:
        sources: dict[str, Source] = {}

        def source(named: str) -> Source:
            if named != path and entry.read.get(named) is None:
                raise BadForm("a file that was not read")
            if named not in sources:
                try:
                    sources[named] = Source(named, self._sources.text(named))
                except UnreadableFile:
                    raise BadForm("a file that cannot be read") from None
            return sources[named]

        return tuple(_placed(finding, source) for finding in entry.findings)


def _placed(finding: Portable, source: Callable[[str], Source]) -> Diagnostic:
    diagnostic = unpacked(finding, source)
    edits = (edit.span for fix in diagnostic.fixes for edit in fix.edits)
    for span in (diagnostic.span, *(related.span for related in diagnostic.related), *edits):
        if span.end_offset > len(span.source.text):
            raise BadForm("a place behind the end")
    return diagnostic
