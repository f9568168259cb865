"""Findings for a person: place, code, message, the source line with the span underlined, related places, fixes."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

from pypto_lsp.cli.formats import shown_path
from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.text import Span

_COLOURS = {"error": "31", "warning": "33", "hint": "36", "place": "1", "gutter": "34"}
_TAB = "    "


def colours_wanted(stream: TextIO) -> bool:
    """Whether to colour: on a terminal, unless ``NO_COLOR`` is set or it is a dumb one; ``FORCE_COLOR`` always."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


@dataclass(frozen=True, slots=True)
class Paint:
    """Wraps words in terminal colours, or does not."""

    enabled: bool

    def __call__(self, style: str, text: str) -> str:
        return f"\033[{_COLOURS[style]}m{text}\033[0m" if self.enabled and text else text


def _width(text: str) -> int:
    """Terminal columns of a text: wide characters take two, combining ones none."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _visible(text: str) -> str:
    """The text with tabs as blanks and control characters as replacement signs, so that it cannot act on a terminal."""
    return "".join("\ufffd" if unicodedata.category(c) == "Cc" else c for c in text.replace("\t", _TAB))


def _excerpt(span: Span, style: str, paint: Paint) -> list[str]:
    """The first line of a span with what it covers underlined; a span over several lines is underlined to the end."""
    line, column, end_line, end_column = span.position()
    text = span.source.lines.line_text(line)
    stop = end_column - 1 if end_line == line else len(text.rstrip())
    before, marked = _visible(text[: column - 1]), _visible(text[column - 1 : stop])
    number = str(line)
    gutter = " " * len(number)
    caret = paint(style, "^" * max(1, _width(marked)) + (" ..." if end_line != line else ""))
    bar = paint("gutter", "|")
    return [
        f" {gutter} {bar}",
        f" {paint('gutter', number)} {bar} {_visible(text)}",
        f" {gutter} {bar} {' ' * _width(before)}{caret}",
    ]


def _where(span: Span) -> str:
    line, column, _, _ = span.position()
    return f"{shown_path(span.path)}:{line}:{column}"


def block(diagnostic: Diagnostic, paint: Paint) -> str:
    """One finding with its excerpt."""
    style = diagnostic.severity.value
    kind = paint(style, f"{style}[{diagnostic.code}]")
    lines = [f"{paint('place', _where(diagnostic.span))}: {kind} {_visible(diagnostic.message)}"]
    lines += _excerpt(diagnostic.span, style, paint)
    lines += [f"   = note: {_where(related.span)}: {_visible(related.message)}" for related in diagnostic.related]
    lines += [f"   = fix{' (safe)' if fix.safe else ''}: {_visible(fix.title)}" for fix in diagnostic.fixes]
    return "\n".join(lines) + "\n"


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def summary(diagnostics: Sequence[Diagnostic], fixed: int) -> str:
    """The last line: how many of each severity, how many a ``--fix`` would cure or has cured."""
    counts = [
        _plural(sum(d.severity is severity for d in diagnostics), severity.value)
        for severity in Severity
        if any(d.severity is severity for d in diagnostics)
    ]
    fixable = sum(any(fix.safe for fix in d.fixes) for d in diagnostics)
    line = f"Found {', '.join(counts)}." if counts else "No findings."
    if fixed:
        line = f"Applied {_plural(fixed, 'fix').replace('fixs', 'fixes')}. {line}"
    if fixable:
        line += f" {fixable} can be fixed with --fix."
    return line + "\n"


def render(diagnostics: Sequence[Diagnostic], paint: Paint, fixed: int = 0) -> str:
    return "".join(block(d, paint) + "\n" for d in diagnostics) + summary(diagnostics, fixed)
