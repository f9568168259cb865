"""Between character offsets and positions in the client's encoding.

A client counts the columns of a line in UTF-8 bytes, UTF-16 code units or code points. Lines end at ``\\n``, ``\\r\\n`` or a
lone ``\\r``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lsprotocol import types as lsp

from pypto_lsp.text import LineIndex, Span

_ENCODINGS = ("utf-8", "utf-16", "utf-32")


def _utf8(char: str) -> int:
    code = ord(char)
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4


def _utf16(char: str) -> int:
    return 1 if ord(char) < 0x10000 else 2


def _utf32(char: str) -> int:
    return 1


_UNITS = {"utf-8": _utf8, "utf-16": _utf16, "utf-32": _utf32}


def choose_encoding(offered: Sequence[lsp.PositionEncodingKind | str] | None) -> str:
    """The first encoding of the client's list that we know; UTF-16 when it sends none."""
    for kind in offered or ():
        name = kind.value if isinstance(kind, lsp.PositionEncodingKind) else kind
        if name in _ENCODINGS:
            return name
    return "utf-16"


@dataclass(frozen=True, slots=True)
class Positions:
    """Translates for one client. ``encoding`` is ``utf-8``, ``utf-16`` or ``utf-32``."""

    encoding: str = "utf-16"

    def position(self, lines: LineIndex, offset: int) -> lsp.Position:
        """The client's position of a character offset."""
        line, column = lines.position(offset)
        before = lines.text[lines.starts[line - 1] : offset]
        if not before.isascii():
            units = _UNITS[self.encoding]
            column = sum(map(units, before)) + 1
        return lsp.Position(line - 1, column - 1)

    def offset(self, lines: LineIndex, position: lsp.Position) -> int:
        """The character offset of a client's position.

        A line behind the text's end gives the end of the text, a column behind a line's end the end of that line, a column
        within a character the start of that character.
        """
        line = position.line + 1
        if line > len(lines):
            return len(lines.text)
        start, end = lines.starts[line - 1], lines.line_end(line)
        text = lines.text[start:end]
        if text.isascii() or self.encoding == "utf-32":
            return min(start + position.character, end)
        units, left = _UNITS[self.encoding], position.character
        for index, char in enumerate(text):
            left -= units(char)
            if left < 0:
                return start + index
        return end

    def range(self, span: Span) -> lsp.Range:
        """The client's range of a span."""
        return self.range_of(span.source.lines, span.begin, span.end_offset)

    def range_of(self, lines: LineIndex, start: int, end: int) -> lsp.Range:
        return lsp.Range(self.position(lines, start), self.position(lines, end))
