"""Texts that are only read, as those of imports: trees that hold no more than somebody has asked for.

Such a text is never edited, so nothing of its lines is kept; and the bodies of its functions are parsed when they are asked for.
Only sound text is read so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pypto_lsp.syntax import nodes
from pypto_lsp.syntax.blocks import Placed, build, build_block, top_level
from pypto_lsp.syntax.compiling import compile_text
from pypto_lsp.syntax.scan import Line, Scanner, begin_of, comments_in_lead
from pypto_lsp.syntax.units import Unit, key_of
from pypto_lsp.text.span import Anchor, Source, Span


def glance(source: Source) -> Glance | None:
    """A source to be read so; None where its text is not sound."""
    text = source.text
    try:
        compile_text(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    scanner = Scanner(text)
    lines = list(scanner.lines(begin_of(text)))
    if scanner.lone or any(line.fault or line.strict for line in lines):
        return None
    return Glance(source, lines)


class Glance:
    """A sound text, with the statements at its top level once :meth:`building` is through."""

    __slots__ = ("_built", "_lines", "source")

    def __init__(self, source: Source, lines: list[Line]) -> None:
        self.source = source
        self._lines = lines
        self._built: tuple[nodes.Stmt, ...] = ()

    def body(self) -> tuple[nodes.Stmt, ...]:
        return self._built

    def building(self) -> Iterator[None]:
        """Makes the statements, in steps."""
        built: list[nodes.Stmt] = []
        lines, self._lines = self._lines, []
        for group in top_level(_placed(line, self.source) for line in lines):
            built.extend(build(group, self.source.text, _defer))
            yield
        self._built = tuple(built)

    def comments(self) -> Iterator[tuple[Span, str]]:
        """The comments, in order."""
        text, anchor = self.source.text, Anchor(self.source, 0)
        end = begin_of(text)
        for line in Scanner(text).lines(end):
            end = line.next
            for a, b in (*comments_in_lead(text, line.start, line.first), *line.comments):
                yield Span(anchor, a, b), text[a:b]
        for a, b in comments_in_lead(text, end, len(text)):
            yield Span(anchor, a, b), text[a:b]


class _Body:
    """The block of a function: the lines from ``start`` to ``end`` (offsets of characters), deeper than ``floor`` columns."""

    __slots__ = ("end", "floor", "last", "source", "start")

    def __init__(self, source: Source, lines: Sequence[Placed], floor: int) -> None:
        self.source = source
        self.start = lines[0].start
        self.last = lines[-1].end
        self.end = lines[-1].next
        self.floor = floor

    def statements(self) -> tuple[nodes.Stmt, ...]:
        lines = [_placed(line, self.source) for line in self._lines()]
        return build_block(lines, self.source.text, self.floor, _defer)

    def _lines(self) -> Iterator[Line]:
        scanner, where = Scanner(self.source.text), self.start
        while where < self.end and (line := scanner.line(where)) is not None:
            yield line
            where = line.next


def _defer(function: nodes.FunctionDef, lines: Sequence[Placed], floor: int) -> None:
    function.defer(_Body(function.anchor.source, lines, floor))


def _placed(line: Line, source: Source) -> Placed:
    return Placed(line, Unit(key_of(line), Anchor(source, 0), plain=True))
