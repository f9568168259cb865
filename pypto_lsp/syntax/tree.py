"""The syntax tree of one file, kept over edits."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from pypto_lsp.syntax import nodes
from pypto_lsp.syntax.blocks import Placed, build, prepare, top_level
from pypto_lsp.syntax.faults import SoundParts, SyntaxFault, find_fault
from pypto_lsp.syntax.fence import find_fence
from pypto_lsp.syntax.glance import Glance, glance
from pypto_lsp.syntax.scan import Line, Scanner, begin_of, comments_in_lead
from pypto_lsp.syntax.units import Key, Memo, Unit, key_of
from pypto_lsp.text.edits import difference
from pypto_lsp.text.span import Anchor, Source, Span
from pypto_lsp.text.stepwise import finished

#: characters of dropped lines that are kept parsed, for undo and for brackets that are closed again
_MEMO_CHARACTERS = 200_000


class SyntaxTree:
    """The statements of a source as of one moment.

    ``body`` is a tuple of statements. The trees of one source share its pieces: an edit of any of them is an edit of the
    newest, and the anchors of an older one's nodes move on or, where the text is gone, stay where they were. The tree of a text
    that is only read becomes another one, of new statements, when it is edited all the same.
    """

    __slots__ = ("_pieces", "body")

    def __init__(self, pieces: _Pieces | Glance, body: tuple[nodes.Stmt, ...]) -> None:
        self._pieces = pieces
        self.body = body

    @property
    def source(self) -> Source:
        return self._pieces.source

    def edited(self, text: str, start: int, old_end: int, new_end: int) -> SyntaxTree:
        """The tree of ``text``, in which the characters ``start:new_end`` stand for those at ``start:old_end`` of the text so
        far. The source takes the new text. Statements whose text did not change are the same objects as before."""
        pieces = self._pieces
        if pieces.source.text is not text:
            pieces.source.edit(text, start, old_end, new_end)
        if isinstance(pieces, Glance):
            return finished(parse_stepwise(pieces.source))
        pieces.edit(start, old_end, new_end)
        return SyntaxTree(pieces, pieces.body())

    def replaced(self, text: str) -> SyntaxTree:
        """The tree of another text; what both texts begin and end with is not parsed again."""
        return self.edited(text, *difference(self.source.text, text))

    def comments(self) -> list[tuple[Span, str]]:
        """The comments, in order, each with its text (the hash sign included)."""
        return list(self._pieces.comments())

    @property
    def plain(self) -> bool:
        """Whether CPython's own parser has read a part of it."""
        return isinstance(self._pieces, Glance) or self._pieces.plain

    @property
    def broken(self) -> bool:
        """Whether a piece of the text cannot be parsed."""
        return not isinstance(self._pieces, Glance) and any(group.broken for group in self._pieces.groups)

    def syntax_fault(self) -> SyntaxFault | None:
        """What CPython's compiler finds wrong with the text, or None; computed once for a text."""
        return None if isinstance(self._pieces, Glance) else self._pieces.fault(self.body)


def parse_stepwise(source: Source, *, plain: bool = False) -> Generator[None, None, SyntaxTree]:
    """Parses a source, giving way after each logical line; the tree is the generator's return value. ``plain``: a text that is
    only read, as that of an import: bodies of functions are parsed when they are asked for, and CPython's own parser does where it
    tells as much as LibCST."""
    pieces = (glance(source) if plain else None) or _Pieces(source, plain)
    yield from pieces.building()
    return SyntaxTree(pieces, pieces.body())


@dataclass(slots=True)
class _Group:
    """The number of logical lines of one top-level statement (decorators and clauses with it), what they amount to, and whether
    a piece of it cannot be parsed."""

    count: int
    body: tuple[nodes.Stmt, ...]
    broken: bool


def _start(line: Placed) -> int:
    return line.start


class _Pieces:
    """What a source's trees share: its lines with their units, and the groups that make the top-level statements."""

    __slots__ = ("_fault", "_sound", "fence", "groups", "lines", "memo", "plain", "source")

    def __init__(self, source: Source, plain: bool) -> None:
        self.source = source
        self.plain = plain
        self.lines: list[Placed] = []
        self.groups: list[_Group] = []
        self.memo = Memo(_MEMO_CHARACTERS)
        #: offset of a triple quote without a partner, if there is one
        self.fence: int | None = None
        self._fault: tuple[str, SyntaxFault | None] | None = None
        self._sound = SoundParts()

    def body(self) -> tuple[nodes.Stmt, ...]:
        return tuple(statement for group in self.groups for statement in group.body)

    def building(self) -> Iterator[None]:
        """Fills an empty store."""
        self.lines = [Placed(line, Unit(key_of(line), Anchor(self.source, 0), self.plain)) for line in self._scan_all()]
        for line in self.lines:
            prepare(line)
            yield
        self.groups = list(self._grouped(self.lines))

    def edit(self, start: int, old_end: int, new_end: int) -> None:
        """Follows an edit that the source has taken already."""
        first, stop, fresh = self._rescanned(start, old_end, new_end)
        delta = new_end - old_end
        if delta:
            for line in self.lines[stop:]:
                line.unit.anchor.offset += delta
        placed = self._placed(fresh, self.lines[first:stop], start, old_end, new_end)
        self.lines[first:stop] = placed
        self._regroup(first, stop, len(placed) - (stop - first))

    # --- scanning ----------------------------------------------------------------------------------------------------

    def _scan_all(self, lone: bool = False) -> list[Line]:
        """All logical lines; ``lone`` when a triple quote without a partner is known to be there."""
        text = self.source.text
        start = begin_of(text)
        self.fence = None
        if not lone:
            scanner = Scanner(text)
            lines = list(scanner.lines(start))
            if not scanner.lone:
                return lines
        self.fence = find_fence(text)
        return list(Scanner(text, self.fence).lines(start))

    def _rescanned(self, start: int, old_end: int, new_end: int) -> tuple[int, int, list[Line]]:
        """Scans what an edit touched: the numbers of the first old line that is replaced and of the first one behind, and the
        lines that replace them."""
        lines, text = self.lines, self.source.text
        if lines and self.fence is None:
            first = self._first_touched(start)
            line = lines[first]
            scanner = Scanner(text, None, line.first + line.strict if line.strict else 0)
            where = line.start if first else begin_of(text)
            behind = bisect_right(lines, old_end, key=_start)
            found = self._scan_until_known(scanner, where, behind, new_end - old_end, new_end)
            if found is not None:
                return first, *found
            return self._trimmed(self._scan_all(lone=True), start, old_end, new_end)
        return self._trimmed(self._scan_all(), start, old_end, new_end)

    def _trimmed(self, fresh: list[Line], start: int, old_end: int, new_end: int) -> tuple[int, int, list[Line]]:
        """All lines of the text without those before and behind the edit that are as they were."""
        lines = self.lines
        head = tail = 0
        shortest = min(len(lines), len(fresh))
        while head < shortest and fresh[head].next <= start and _unmoved(fresh[head], lines[head], 0):
            head += 1
        # one more, as when only a part is scanned: the first line that changed may now continue what is before it
        head = max(head - 1, 0)
        while tail < shortest - head:
            line, old = fresh[-1 - tail], lines[-1 - tail]
            if line.start <= new_end or old.start <= old_end or not _unmoved(line, old, new_end - old_end):
                break
            tail += 1
        return head, len(lines) - tail, fresh[head : len(fresh) - tail]

    def _first_touched(self, start: int) -> int:
        """The line before the one that an edit begins in, or an earlier one whose end was found by looking beyond."""
        lines = self.lines
        before = max(bisect_right(lines, start, key=_start) - 2, 0)
        for number in range(before):
            line = lines[number]
            if line.reach and line.first + line.reach >= start:
                return number
        return before

    def _scan_until_known(
        self, scanner: Scanner, where: int, behind: int, delta: int, new_end: int
    ) -> tuple[int, list[Line]] | None:
        """Scans from ``where`` to the start of an old line behind the edit (``behind`` is the number of the first of these):
        from there on the old lines stand. None when a lone triple quote is met."""
        lines = self.lines
        fresh: list[Line] = []
        while True:
            if where > new_end:
                while behind < len(lines) and lines[behind].start + delta < where:
                    behind += 1
                if behind < len(lines) and lines[behind].start + delta == where:
                    old = lines[behind]
                    first = old.first + delta
                    if (first + old.strict if old.strict else 0) == (scanner.strict if scanner.strict > first else 0):
                        return behind, fresh
            line = scanner.line(where)
            if scanner.lone:
                return None
            if line is None:
                return len(lines), fresh
            fresh.append(line)
            where = line.next

    # --- units -------------------------------------------------------------------------------------------------------

    def _placed(self, fresh: list[Line], old: list[Placed], start: int, old_end: int, new_end: int) -> list[Placed]:
        """The new lines with their units: those of the old lines in the same place before or behind the edit, then those of
        old lines with the same text, then those of the memo, else new ones."""
        places = {line.first: line.unit for line in old}
        units: list[Unit | None] = []
        for line in fresh:
            moved = 0 if line.end <= start else old_end - new_end
            unit = places.get(line.first + moved) if line.end <= start or line.first >= new_end else None
            if unit is not None and unit.key == key_of(line):
                del places[line.first + moved]
                units.append(unit)
            else:
                units.append(None)
        dropped: dict[Key, list[Unit]] = {}
        for unit in reversed(places.values()):
            dropped.setdefault(unit.key, []).append(unit)
        for unit in places.values():
            unit.anchor.alive = False
        placed = [Placed(line, unit or self._unit(key_of(line), dropped)) for line, unit in zip(fresh, units)]
        self.memo.keep(unit for left in dropped.values() for unit in left)
        return placed

    def _unit(self, key: Key, dropped: dict[Key, list[Unit]]) -> Unit:
        unit = dropped[key].pop() if dropped.get(key) else self.memo.take(key)
        if unit is None:
            return Unit(key, Anchor(self.source, 0))
        unit.anchor.alive = True
        return unit

    # --- groups ------------------------------------------------------------------------------------------------------

    def _grouped(self, lines: list[Placed]) -> Iterator[_Group]:
        text = self.source.text
        for group in top_level(lines):
            body = build(group, text)
            yield _Group(len(group), body, _is_broken(body))

    def _regroup(self, first: int, stop: int, grown: int) -> None:
        """Builds anew the groups that held the lines ``first:stop`` of before; there are ``grown`` more lines now."""
        groups, lines = self.groups, self.lines
        low = begin = 0
        while low < len(groups) - 1 and begin + groups[low].count <= first:
            begin += groups[low].count
            low += 1
        high, end = low, begin
        while high < len(groups) and (end < stop or high == low):
            end += groups[high].count
            high += 1
        while high < len(groups) and end + grown > begin and lines[end + grown - 1].word == "@":
            # a decorator reaches over to what was the next statement
            end += groups[high].count
            high += 1
        groups[low:high] = self._grouped(lines[begin : end + grown])

    # --- whole text --------------------------------------------------------------------------------------------------

    def comments(self) -> Iterator[tuple[Span, str]]:
        text = self.source.text
        anchor, first, end = Anchor(self.source, 0), 0, begin_of(text)
        for line in self.lines:
            anchor, first, end = line.unit.anchor, line.first, line.next
            for a, b in comments_in_lead(text, line.start, first):
                yield Span(anchor, a - first, b - first), text[a:b]
            for a, b in line.comments:
                yield Span(anchor, a, b), text[first + a : first + b]
        for a, b in comments_in_lead(text, end, len(text)):
            yield Span(anchor, a - first, b - first), text[a:b]

    def fault(self, body: tuple[nodes.Stmt, ...]) -> SyntaxFault | None:
        text = self.source.text
        if self._fault is None or self._fault[0] != text:
            tops = list(self._top_level_lines())
            begins = [*(line.start for line in tops), len(text)]
            count, flags = self._sound.sound([text[begin:end] for begin, end in pairwise(begins)])
            if count == len(tops) and "\0" not in text:  # which may stand between the statements
                self._fault = (text, None)
            else:
                begin = begins[count] if 0 < count < len(tops) and self._is_apart(tops[count]) else 0
                self._fault = (text, find_fault(self.source, body, begin, flags if begin else 0))
        return self._fault[1]

    def _is_apart(self, line: Placed) -> bool:
        """Whether a line is the first of a statement for CPython, too: not indented, nor continued from above."""
        text, start = self.source.text, line.start
        return not line.indent and text[start - 1] == "\n" and "\\" not in text[start : line.first + 1]

    def _top_level_lines(self) -> Iterator[Placed]:
        """The first line of each top-level statement."""
        at = 0
        for group in self.groups:
            yield self.lines[at]
            at += group.count


#: the fields of compound statements that hold statements or clauses
_NESTED = ("body", "handlers", "orelse", "finalbody")


def _is_broken(body: Iterable[nodes.Node]) -> bool:
    pending = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, nodes.Broken):
            return True
        for name in _NESTED:
            pending.extend(getattr(node, name, ()))
    return False


def _unmoved(line: Line, old: Placed, delta: int) -> bool:
    """Whether a line is an old one, ``delta`` characters further on, in all that is kept of it."""
    first = old.first + delta
    return (
        line.first == first
        and line.start == old.start + delta
        and line.next == old.next + delta
        and line.reach == (first + old.reach if old.reach else 0)
        and line.strict == (first + old.strict if old.strict else 0)
        and key_of(line) == old.unit.key
        and line.indent == old.indent
    )
