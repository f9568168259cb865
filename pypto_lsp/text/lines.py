"""Line index of a text: offsets to lines and columns and back.

A line ends at ``\\n``, ``\\r\\n`` or a lone ``\\r``, as the Language Server Protocol has it; form feeds and the Unicode
separators end no line.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right

from pypto_lsp.text.content import Content

_LINE_END = re.compile(r"\r\n|\r|\n")


class LineIndex:
    """Start offsets of the lines of one text.

    ``starts[i]`` is the character offset of the first character of line ``i`` (from 0). They are kept as plain machine words, as
    an index outlives much of what is made of its text.
    """

    __slots__ = ("content", "starts")

    def __init__(self, text: str | Content) -> None:
        self.content = text if isinstance(text, Content) else Content(text)
        text = self.text
        self.starts = array("L", (0,))
        self.starts.extend(match.end() for match in _LINE_END.finditer(text))

    @property
    def text(self) -> str:
        return self.content.text

    def edited(self, text: str, start: int, old_end: int, new_end: int) -> LineIndex:
        """The index of ``text``, in which the characters ``start:new_end`` stand for those at ``start:old_end`` here. Only
        the lines touched are looked at."""
        old = self.starts
        # a start depends on the characters on both its sides, which may be the halves of one line end
        head = bisect_right(old, max(start - 1, 0))
        tail = bisect_right(old, old_end)
        delta = new_end - old_end
        stop = old[tail] + delta if tail < len(old) else len(text)
        index = LineIndex.__new__(LineIndex)
        index.content = Content(text)
        index.starts = old[:head]
        index.starts.extend(match.end() for match in _LINE_END.finditer(text, old[head - 1], stop))
        if tail < len(old):
            index.starts.pop()
            index.starts.extend(position + delta for position in old[tail:])
        return index

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1 in characters, of a character offset."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Character offset of a line and column, both from 1; clamped to the text and to the line."""
        if line < 1:
            return 0
        if line > len(self.starts):
            return len(self.text)
        start = self.starts[line - 1]
        return min(start + max(column, 1) - 1, self.line_end(line))

    def line_end(self, line: int) -> int:
        """Offset just behind the last character of a line (from 1), its line end left out."""
        end = self.starts[line] if line < len(self.starts) else len(self.text)
        start = self.starts[line - 1]
        while end > start and self.text[end - 1] in "\r\n":
            end -= 1
        return end

    def line_text(self, line: int) -> str:
        """The text of a line (from 1) without its line end."""
        return self.text[self.starts[line - 1] : self.line_end(line)]

    def __len__(self) -> int:
        return len(self.starts)
