"""Findings in a form that can go to another process or to disk: spans as offsets in named files, no nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from pypto_lsp.analysis.facts import plain
from pypto_lsp.diagnostics import Diagnostic, Edit, Fix, Related, Severity
from pypto_lsp.text import Anchor, Source, Span

#: path, start and end offset (characters)
Place = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Portable:
    """A finding without anything that belongs to a process."""

    severity: str
    rule_name: str
    error_code: int
    hint_code: str
    message: str
    place: Place
    related: tuple[tuple[Place, str], ...]
    fixes: tuple[tuple[str, bool, tuple[tuple[Place, str], ...]], ...]
    facts: dict[str, Any]
    kernel: str


def packed(diagnostic: Diagnostic) -> Portable:
    """A finding made fit to travel."""
    return Portable(
        diagnostic.severity.value,
        diagnostic.rule_name,
        diagnostic.error_code,
        diagnostic.hint_code,
        diagnostic.message,
        diagnostic.span.key(),
        tuple((related.span.key(), related.message) for related in diagnostic.related),
        tuple(
            (fix.title, fix.safe, tuple((edit.span.key(), edit.new_text) for edit in fix.edits))
            for fix in diagnostic.fixes
        ),
        plain(diagnostic.facts),
        diagnostic.kernel,
    )


class BadForm(ValueError):
    """Data that is no finding's; the text says what is wrong with it."""


def to_plain(finding: Portable) -> list[Any]:
    """A finding as JSON can say it: the fields in order."""
    return [getattr(finding, field.name) for field in fields(finding)]


def from_plain(data: Any) -> Portable:
    """The finding of :func:`to_plain`'s data after a way through JSON, every part of which is checked. Raises
    :class:`BadForm`."""
    if not isinstance(data, list) or len(data) != len(fields(Portable)):
        raise BadForm("a finding")
    severity, rule_name, error_code, hint_code, message, place, related, fixes, facts, kernel = data
    if severity not in {each.value for each in Severity} or not isinstance(facts, dict):
        raise BadForm("a severity or facts")
    return Portable(
        severity,
        _a(str, rule_name),
        _a(int, error_code),
        _a(str, hint_code),
        _a(str, message),
        _place(place),
        tuple((_place(where), _a(str, word)) for where, word in _rows(related, 2)),
        tuple(
            (_a(str, title), _a(bool, safe), tuple((_place(where), _a(str, new)) for where, new in _rows(edits, 2)))
            for title, safe, edits in _rows(fixes, 3)
        ),
        facts,
        _a(str, kernel),
    )


_T = TypeVar("_T")


def _a(kind: type[_T], value: Any) -> _T:
    if type(value) is not kind:
        raise BadForm(f"{kind.__name__} wanted")
    return value


def _rows(value: Any, width: int) -> list[list[Any]]:
    """A list of lists of one length."""
    if not isinstance(value, list) or not all(isinstance(row, list) and len(row) == width for row in value):
        raise BadForm("rows")
    return value


def _place(value: Any) -> Place:
    path, start, end = value if isinstance(value, list) and len(value) == 3 else (None, None, None)
    path, start, end = _a(str, path), _a(int, start), _a(int, end)
    if not 0 <= start <= end:
        raise BadForm("a place")
    return path, start, end


def unpacked(finding: Portable, source: Callable[[str], Source]) -> Diagnostic:
    """The finding again; ``source`` gives the text of each file it speaks of."""

    def span(place: Place) -> Span:
        path, start, end = place
        return Span(Anchor(source(path), 0), start, end)

    return Diagnostic(
        Severity(finding.severity),
        finding.rule_name,
        finding.error_code,
        finding.message,
        span(finding.place),
        finding.hint_code,
        tuple(Related(span(place), message) for place, message in finding.related),
        tuple(
            Fix(title, tuple(Edit(span(place), text) for place, text in edits), safe)
            for title, safe, edits in finding.fixes
        ),
        finding.facts,
        finding.kernel,
    )
