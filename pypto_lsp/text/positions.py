"""Positions as editors give them: a line from 0 and a column from 0 in units of the negotiated encoding.

The encodings are those of the Language Server Protocol. A position past the end of a line is the line's end (its line end
left out), one past the last line is the text's end, and one inside a character (between its surrogates or bytes) is the
character's start.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from pypto_lsp.text.lines import LineIndex


class PositionEncoding(Enum):
    """The unit of a column: a byte of UTF-8, a 16-bit unit of UTF-16, or a character (UTF-32)."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def units_before(text: str, encoding: PositionEncoding) -> int:
    """The length of a piece of text in units of an encoding."""
    if encoding is PositionEncoding.UTF32 or text.isascii():
        return len(text)
    width = _WIDTHS[encoding]
    return sum(map(width, text))


def offset_at(lines: LineIndex, line: int, column: int, encoding: PositionEncoding) -> int:
    """The character offset of a position; clamped as the module says."""
    if line < 0:
        return 0
    if line >= len(lines):
        return len(lines.text)
    start, end = lines.starts[line], lines.line_end(line + 1)
    if column <= 0:
        return start
    if encoding is PositionEncoding.UTF32 or lines.text.isascii():
        return min(start + column, end)
    content = lines.text[start:end]
    if content.isascii():
        return min(start + column, end)
    return start + _characters(content, column, _WIDTHS[encoding])


def position_at(lines: LineIndex, offset: int, encoding: PositionEncoding) -> tuple[int, int]:
    """The position (line and column from 0) of a character offset; clamped to the text."""
    offset = min(max(offset, 0), len(lines.text))
    line, column = lines.position(offset)
    if encoding is PositionEncoding.UTF32 or lines.text.isascii():
        return line - 1, column - 1
    start = lines.starts[line - 1]
    return line - 1, units_before(lines.text[start:offset], encoding)


def _characters(content: str, units: int, width: Callable[[str], int]) -> int:
    """How many whole characters fit into a number of units."""
    for index, char in enumerate(content):
        units -= width(char)
        if units < 0:
            return index
        if units == 0:
            return index + 1
    return len(content)


def _utf8_width(char: str) -> int:
    if char <= "\x7f":
        return 1
    if char <= "\u07ff":
        return 2
    return 3 if char <= "\uffff" else 4


def _utf16_width(char: str) -> int:
    return 1 if char <= "\uffff" else 2


_WIDTHS: dict[PositionEncoding, Callable[[str], int]] = {
    PositionEncoding.UTF8: _utf8_width,
    PositionEncoding.UTF16: _utf16_width,
}
