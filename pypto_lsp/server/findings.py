"""Findings in the protocol's form, per file, from the reports of all open documents."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from pypto_lsp.analysis.again import Again
from pypto_lsp.analysis.catalogue import page_url
from pypto_lsp.analysis.facts import plain
from pypto_lsp.analysis.report import FileReport, merged
from pypto_lsp.diagnostics import Diagnostic, Related, Severity
from pypto_lsp.server.edits import SOURCE, fix_data
from pypto_lsp.text import LineIndex, Span

if TYPE_CHECKING:
    from pypto_lsp.server.session import Session

_HINT_SEVERITY = {"hint": lsp.DiagnosticSeverity.Hint, "information": lsp.DiagnosticSeverity.Information}


@dataclass(frozen=True, slots=True)
class Translated:
    """A finding in the protocol's form, and the lines of the text that it was found in."""

    found: Diagnostic
    lines: LineIndex
    item: lsp.Diagnostic


class Translator:
    """Turns findings into the protocol's diagnostics for one client."""

    def __init__(self, session: Session) -> None:
        self.session = session
        #: places that were translated in this moment, and in the one before: many findings tell of the same calls
        self._related: dict[tuple[object, ...], lsp.DiagnosticRelatedInformation] = {}
        self._related_before: dict[tuple[object, ...], lsp.DiagnosticRelatedInformation] = {}

    def next_moment(self) -> None:
        """Places may have moved since."""
        self._related, self._related_before = {}, self._related

    def diagnostics(
        self, found: Iterable[Diagnostic], before: Mapping[int, Translated] | None = None
    ) -> dict[int, Translated]:
        """Findings of one moment, in which places do not move, by their identity. ``before`` are those of an earlier moment: where
        a finding and its text are the same, and the places that belong to it have not moved, so is what it was translated to."""
        return {id(one): self._again(one, (before or {}).get(id(one))) for one in found}

    def _again(self, found: Diagnostic, known: Translated | None) -> Translated:
        lines = found.span.source.lines
        closed = self.session.workspace.sources.document(found.span.path) is None and not found.fixes
        if known is not None and closed and known.found is found and known.lines is lines:
            related = [self._place(one) for one in found.related] if known.item.related_information else None
            here = all(v.source.lines is lines for v in found.facts.values() if isinstance(v, Span))
            as_severe = known.item.severity is self._severity(found.severity)  # a setting decides on that of hints
            if here and as_severe and related == (known.item.related_information or None):
                return known
        return Translated(found, lines, self.diagnostic(found))

    def diagnostic(self, found: Diagnostic) -> lsp.Diagnostic:
        """One finding. ``data`` holds the codes and the complete edits, so that a code action needs no new analysis."""
        client = self.session.server.client
        result = lsp.Diagnostic(
            range=self.session.server.positions.range(found.span),
            message=found.message,
            severity=self._severity(found.severity),
            code=found.code,
            source=SOURCE,
            data=self._data(found),
        )
        if client.code_description and (url := page_url(found)):
            result.code_description = lsp.CodeDescription(url)
        if found.rule_name == "UnusedVariableCheck":
            result.tags = [lsp.DiagnosticTag.Unnecessary]
        if client.related_information and found.related:
            result.related_information = [self._place(related) for related in found.related]
        return result

    def _place(self, related: Related) -> lsp.DiagnosticRelatedInformation:
        key = (*related.span.key(), related.message)
        known = self._related.get(key)
        if known is None:
            known = lsp.DiagnosticRelatedInformation(self.location(related.span), related.message)
            before = self._related_before.get(key)
            known = self._related[key] = before if before == known else known  # equal objects are compared more quickly
        return known

    def location(self, span: Span) -> lsp.Location:
        return lsp.Location(self.session.uri(span.path), self.session.server.positions.range(span))

    def _severity(self, severity: Severity) -> lsp.DiagnosticSeverity:
        if severity is Severity.ERROR:
            return lsp.DiagnosticSeverity.Error
        if severity is Severity.WARNING:
            return lsp.DiagnosticSeverity.Warning
        return _HINT_SEVERITY[self.session.workspace.settings.hint_severity]

    def _data(self, found: Diagnostic) -> dict[str, Any]:
        document = self.session.workspace.sources.document(found.span.path)
        return {
            "rule_name": found.rule_name,
            "error_code": found.error_code,
            "hint_code": found.hint_code,
            "facts": plain(found.facts),
            "version": document.version if document else None,
            "fixes": [fix_data(self.session, fix) for fix in found.fixes],
        }


@dataclass(slots=True)
class FileFindings:
    """What is to be shown of one file. ``result_id`` changes exactly when ``items`` change."""

    result_id: str = ""
    items: list[lsp.Diagnostic] = field(default_factory=list)


class Findings:
    """The findings of every file that an open document's report speaks of."""

    def __init__(self, session: Session) -> None:
        self._translator = Translator(session)
        self._reports: dict[str, FileReport] = {}
        #: file -> document -> the findings that the document's report has in the file
        self._by_file: dict[str, dict[str, list[Diagnostic]]] = {}
        #: document -> the files that its report has findings in
        self._touched: dict[str, frozenset[str]] = {}
        #: file -> findings of several reports, put together
        self._joined: dict[str, Again[Diagnostic]] = {}
        self._shown: dict[str, FileFindings] = {}
        self._translated: dict[str, dict[int, Translated]] = {}
        self._ids = itertools.count(1)

    def report(self, path: str) -> FileReport | None:
        """The newest report of an open document, perhaps of an older text."""
        return self._reports.get(path)

    def files(self) -> list[str]:
        """All files that something is, or was, to be said of."""
        return sorted(self._shown)

    def update(self, report: FileReport) -> list[str]:
        """Take a report; gives the files whose findings changed."""
        report = report if report.units else replace(report, diagnostics=tuple(self._sharing(report)))
        self._reports[report.path] = report
        return self._renew(self._sort(report.path, report.diagnostics) | {report.path})

    def remove(self, path: str) -> list[str]:
        """A document was closed; gives the files whose findings changed."""
        known = self._reports.pop(path, None)
        return self._renew(self._sort(path, ()) | {path} if known is not None else ())

    def _sharing(self, report: FileReport) -> Iterator[Diagnostic]:
        """The findings of a report that is kept for long; those that others have, too, share their facts with them."""
        facts: dict[str, dict[tuple[object, ...], Mapping[str, Any]]] = {}
        for diagnostic in report.diagnostics:
            file = diagnostic.span.path
            if file not in facts:
                shown = self._translated.get(file, {}).values()
                facts[file] = {one.found.key(): one.found.facts for one in shown}
            known = facts[file].get(diagnostic.key())
            yield replace(diagnostic, facts=known) if known and known == diagnostic.facts else diagnostic

    def _sort(self, path: str, diagnostics: Iterable[Diagnostic]) -> set[str]:
        """Put the findings of a document's report under their files in place of those before; gives the files of both."""
        found: dict[str, list[Diagnostic]] = {}
        for diagnostic in diagnostics:
            found.setdefault(diagnostic.span.path, []).append(diagnostic)
        before = self._touched.get(path, frozenset())
        for file in before - found.keys():
            del self._by_file[file][path]
        for file, inside in found.items():
            self._by_file.setdefault(file, {})[path] = inside
        self._touched[path] = frozenset(found)
        return {*before, *found}

    def diagnostics(self, path: str, again: Again[Diagnostic] | None = None) -> list[Diagnostic]:
        """The findings of a file from all reports, each once; ``again`` has what was put together before. What was found in the text
        on disk is nothing to say of a document with another text."""
        document = self._translator.session.workspace.sources.document(path)
        return merged(
            (
                found
                for inside in self._by_file.get(path, {}).values()
                for found in inside
                if document is None or document.speaks_of(found.span.source)
            ),
            again,
        )

    def find(self, path: str, shown: lsp.Diagnostic) -> tuple[str, Diagnostic] | None:
        """The finding of a file that a client was shown, with the document whose report has it."""
        for of_report, inside in self._by_file.get(path, {}).items():
            for found in inside:
                if found.code == shown.code:
                    (same,) = self.translate((found,))
                    if same.range == shown.range and same.message == shown.message:
                        return of_report, found
        return None

    def report_of(self, found: Diagnostic) -> str:
        """The document whose report has a finding."""
        key, path = found.key(), found.span.path
        reports = self._by_file.get(path, {}).items()
        return next((of_report for of_report, inside in reports if any(each.key() == key for each in inside)), path)

    def of(self, path: str) -> FileFindings:
        """What is shown of a file."""
        return self._shown.setdefault(path, FileFindings(self._next_id()))

    def translate(self, diagnostics: Iterable[Diagnostic]) -> list[lsp.Diagnostic]:
        self._translator.next_moment()
        return [one.item for one in self._translator.diagnostics(diagnostics).values()]

    def location(self, span: Span) -> lsp.Location:
        return self._translator.location(span)

    def _renew(self, paths: Iterable[str]) -> list[str]:
        changed = []
        self._translator.next_moment()
        for path in sorted(paths):
            known, again = self.of(path), self._joined.setdefault(path, Again())
            found = self.diagnostics(path, again)
            again.end_run()
            self._translated[path] = self._translator.diagnostics(found, self._translated.get(path))
            items = [one.item for one in self._translated[path].values()]
            if _without_versions(items) == _without_versions(known.items):
                known.items = items  # what a client sends back is looked up here, so that its edits fit the text
            else:
                self._shown[path] = FileFindings(self._next_id(), items)
                changed.append(path)
        return changed

    def _next_id(self) -> str:
        return str(next(self._ids))


def _without_versions(items: list[lsp.Diagnostic]) -> list[tuple[object, ...]]:
    """What a client is shown of diagnostics: all but the version of the document that their edits are made for."""
    return [
        (
            item.range, item.message, item.severity, item.code, item.tags, item.related_information,
            [
                (fix["title"], [(edit["uri"], edit["range"], edit["newText"]) for edit in fix["edits"]])
                for fix in (item.data or {}).get("fixes", ())
            ],
        )
        for item in items
    ]  # fmt: skip
