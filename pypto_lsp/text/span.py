"""Places in source files that survive edits elsewhere in the file.

A :class:`Source` is one file. An :class:`Anchor` is a moving start offset in it (that of one parsed piece); a
:class:`Span` is a range relative to an anchor. When text is inserted above, the anchor moves and no span has to be made
anew.
"""

from __future__ import annotations

from pypto_lsp.text.content import Content
from pypto_lsp.text.lines import LineIndex


class Source:
    """One file: its absolute path (or URI where it has no path) and its current text."""

    __slots__ = ("__weakref__", "_content", "_lines", "path")

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self._content = Content(text)
        self._lines: LineIndex | None = None

    @property
    def text(self) -> str:
        return self._content.text

    @text.setter
    def text(self, text: str) -> None:
        self._content = Content(text)
        self._lines = None

    @property
    def lines(self) -> LineIndex:
        if self._lines is None:
            self._lines = LineIndex(self._content)
        return self._lines

    def rest(self) -> None:
        """Nobody is expected to read the text for a while."""
        self._content.rest()

    def edit(self, text: str, start: int, old_end: int, new_end: int) -> None:
        """Takes the text after an edit that put the characters ``start:new_end`` in the place of ``start:old_end``; the
        line index, where there is one, follows without a scan of the whole text."""
        lines = self._lines
        self._lines = lines.edited(text, start, old_end, new_end) if lines is not None else None
        self._content = self._lines.content if self._lines is not None else Content(text)

    def __repr__(self) -> str:
        return f"Source({self.path!r})"


class Anchor:
    """The start offset (characters from 0) of a piece of a source; moves with edits above it.

    ``alive`` is false while the piece is not in the text: it was edited away, and may come back when that is undone.
    """

    __slots__ = ("alive", "offset", "source")

    def __init__(self, source: Source, offset: int) -> None:
        self.source = source
        self.offset = offset
        self.alive = True


class Span:
    """A half-open range of characters, relative to an anchor.

    ``begin`` and ``end_offset`` are absolute character offsets; the line and column properties count from 1 in
    characters, the end is exclusive.
    """

    __slots__ = ("anchor", "end", "start")

    def __init__(self, anchor: Anchor, start: int, end: int) -> None:
        self.anchor = anchor
        self.start = start
        self.end = end

    @property
    def source(self) -> Source:
        return self.anchor.source

    @property
    def path(self) -> str:
        return self.anchor.source.path

    @property
    def begin(self) -> int:
        return self.anchor.offset + self.start

    @property
    def end_offset(self) -> int:
        return self.anchor.offset + self.end

    @property
    def text(self) -> str:
        return self.source.text[self.begin : self.end_offset]

    def position(self) -> tuple[int, int, int, int]:
        """(line, column, end line, end column), from 1 in characters, end exclusive."""
        lines = self.source.lines
        return (*lines.position(self.begin), *lines.position(self.end_offset))

    @property
    def line(self) -> int:
        return self.source.lines.position(self.begin)[0]

    @property
    def column(self) -> int:
        return self.source.lines.position(self.begin)[1]

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of another of the same source."""
        return Span(self.anchor, self.start, other.end_offset - self.anchor.offset)

    def is_at(self, other: Span) -> bool:
        """Whether another span is the same place of the text, and moves with this one."""
        return self.anchor is other.anchor and self.start == other.start and self.end == other.end

    def key(self) -> tuple[str, int, int]:
        """Path and absolute offsets: equal for equal places."""
        return (self.path, self.begin, self.end_offset)

    def __repr__(self) -> str:
        line, column, _, _ = self.position()
        return f"{self.path}:{line}:{column}"


def whole_file(source: Source) -> Span:
    """A span at the very start of a file, for findings that have no better place."""
    return Span(Anchor(source, 0), 0, 0)
