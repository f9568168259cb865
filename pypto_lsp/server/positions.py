"""The protocol's positions and ranges, in the encoding agreed on with the client."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lsprotocol import types as lsp

from pypto_lsp.text import Change, LineIndex, PositionEncoding, Span
from pypto_lsp.text.positions import offset_at, position_at


def choose_encoding(offered: Sequence[lsp.PositionEncodingKind | str] | None) -> PositionEncoding:
    """The first encoding of the client's list that we know; UTF-16 when it sends none."""
    for kind in offered or ():
        try:
            return PositionEncoding(kind.value if isinstance(kind, lsp.PositionEncodingKind) else kind)
        except ValueError:  # an encoding of the client's own; the next in its list may be one of ours
            continue
    return PositionEncoding.UTF16


@dataclass(frozen=True, slots=True)
class Positions:
    """Translates for one client."""

    encoding: PositionEncoding = PositionEncoding.UTF16

    def position(self, lines: LineIndex, offset: int) -> lsp.Position:
        """The client's position of a character offset."""
        return lsp.Position(*position_at(lines, offset, self.encoding))

    def offset(self, lines: LineIndex, position: lsp.Position) -> int:
        """The character offset of a client's position, clamped to the text."""
        return offset_at(lines, position.line, position.character, self.encoding)

    def range(self, span: Span) -> lsp.Range:
        """The client's range of a span."""
        return self.range_of(span.source.lines, span.begin, span.end_offset)

    def range_of(self, lines: LineIndex, start: int, end: int) -> lsp.Range:
        return lsp.Range(self.position(lines, start), self.position(lines, end))


def change_of(event: lsp.TextDocumentContentChangeEvent) -> Change:
    """A content change as the text layer takes it."""
    if isinstance(event, lsp.TextDocumentContentChangePartial):
        start, end = event.range.start, event.range.end
        return Change(event.text, (start.line, start.character), (end.line, end.character))
    return Change(event.text)
