"""Edits on whole statements: the lines they stand on, their indentation, their removal."""

from __future__ import annotations

from pypto_lsp.diagnostics import Edit
from pypto_lsp.text import Anchor, Source, Span


def absolute(source: Source, begin: int, end: int) -> Span:
    """A span from absolute character offsets."""
    return Span(Anchor(source, begin), 0, end - begin)


def indentation(span: Span) -> str:
    """The white space before the first character of the span's first line."""
    line = span.source.lines.line_text(span.line)
    return line[: len(line) - len(line.lstrip())]


def alone_on_lines(span: Span) -> bool:
    """Whether nothing but white space and a comment stands beside the span on its lines."""
    lines = span.source.lines
    line, column, end_line, end_column = span.position()
    before = lines.line_text(line)[: column - 1]
    after = lines.line_text(end_line)[end_column - 1 :].strip()
    return not before.strip() and (not after or after.startswith("#"))


def whole_lines(span: Span) -> Span:
    """The lines of a span with their line ends."""
    lines = span.source.lines
    line, _, end_line, _ = span.position()
    begin = lines.starts[line - 1]
    end = lines.starts[end_line] if end_line < len(lines) else len(span.source.text)
    return absolute(span.source, begin, end)


def _block_neighbours(span: Span) -> bool:
    """Whether another statement of the same indentation stands directly around, so that removing this one leaves a body."""
    lines = span.source.lines
    indent = indentation(span)
    line, _, end_line, _ = span.position()

    def sibling(numbers: range) -> bool:
        for number in numbers:
            text = lines.line_text(number)
            stripped = text.strip()
            if not stripped or stripped.startswith("#"):
                continue
            depth = len(text) - len(text.lstrip())
            if depth < len(indent):
                return False
            if depth == len(indent):
                return not stripped.startswith(("elif ", "else:", "else :", "except", "finally"))
        return False

    return sibling(range(end_line + 1, len(lines) + 1)) or sibling(range(line - 1, 0, -1))


def removal(span: Span) -> Edit:
    """Remove a statement: its lines, or `pass` in its place where its block would be left empty."""
    if not alone_on_lines(span):
        return Edit(span, "pass")
    if _block_neighbours(span):
        return Edit(whole_lines(span), "")
    return Edit(span, "pass")


def wrapped(span: Span, header: str, step: str = "    ") -> Edit | None:
    """Put a statement below a header line; None when something else stands on its lines or a string spans lines."""
    if not alone_on_lines(span):
        return None
    text = span.text
    if '"""' in text or "'''" in text:
        return None
    indent = indentation(span)
    body = "\n".join(step + line if line.strip() else line for line in text.split("\n"))
    return Edit(span, f"{header}\n{indent}{body}")
