"""Findings in a form that can go to another process: spans as offsets in named files, no nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
