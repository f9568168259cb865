"""Changes of a text, as editors send them and as the syntax tree takes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pypto_lsp.text.lines import LineIndex
from pypto_lsp.text.positions import PositionEncoding, offset_at


@dataclass(frozen=True, slots=True)
class Change:
    """One content change: ``text`` replaces what lies between two positions (line and column from 0, columns in units of
    the negotiated encoding), or everything when they are None."""

    text: str
    start: tuple[int, int] | None = None
    end: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """A change with its place found: ``lines`` is the whole text after it, ``start:old_end`` the characters replaced in the
    text before it, ``start:new_end`` those that stand for them now."""

    lines: LineIndex
    start: int
    old_end: int
    new_end: int

    @property
    def text(self) -> str:
        return self.lines.text


def apply(lines: LineIndex, change: Change, encoding: PositionEncoding) -> Edit:
    """The edit that a change makes to a text. Positions outside the text are clamped; an end before the start is the
    start."""
    if change.start is None or change.end is None:
        return Edit(LineIndex(change.text), 0, len(lines.text), len(change.text))
    start = offset_at(lines, *change.start, encoding)
    old_end = max(start, offset_at(lines, *change.end, encoding))
    new_end = start + len(change.text)
    text = lines.text[:start] + change.text + lines.text[old_end:]
    return Edit(lines.edited(text, start, old_end, new_end), start, old_end, new_end)


def apply_all(lines: LineIndex, changes: Iterable[Change], encoding: PositionEncoding) -> list[Edit]:
    """The edits of one notification, in order; each change speaks of the text that the one before it left."""
    edits: list[Edit] = []
    for change in changes:
        edits.append(apply(lines, change, encoding))
        lines = edits[-1].lines
    return edits


def difference(old: str, new: str) -> tuple[int, int, int]:
    """The smallest single replacement that turns one text into another: start, end in the old one, end in the new one."""
    start = _common_prefix(old, new)
    limit = min(len(old), len(new)) - start
    tail = _common_suffix(old, new, limit)
    return start, len(old) - tail, len(new) - tail


def _common_prefix(old: str, new: str) -> int:
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_suffix(old: str, new: str, limit: int) -> int:
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if old[len(old) - middle : len(old) - low] == new[len(new) - middle : len(new) - low]:
            low = middle
        else:
            high = middle - 1
    return low
