"""Units: the content of logical lines with what was parsed from it, kept while the line lives and for a while after.

A unit is a pure function of its text. It has one anchor, which all its nodes share; the unit of a line that is dropped goes
to the memo, from which a line of the same text takes it back, nodes and all. No two lines share a unit.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from pypto_lsp.syntax import nodes
from pypto_lsp.syntax.names import walk
from pypto_lsp.syntax.pieces import Form, PieceError, parse_piece
from pypto_lsp.syntax.scan import Line
from pypto_lsp.text.span import Anchor

Key = tuple[str, str]
T = TypeVar("T")


class Unit:
    """One logical line's content.

    ``plain`` says that it need not be parsed with LibCST.
    """

    __slots__ = ("_built", "_parsed", "anchor", "key", "plain")

    def __init__(self, key: Key, anchor: Anchor, plain: bool = False) -> None:
        self.key = key
        self.anchor = anchor
        self.plain = plain
        #: form, text (None: the unit's own) and what it was parsed to; there are few of each unit and very many units
        self._parsed: tuple[tuple[Form, str | None, Any], ...] = ()
        #: what was last built from it together with other parts: a tag, the parts and the result
        self._built: tuple[tuple[str, tuple[Any, ...], Any], ...] = ()

    @property
    def text(self) -> str:
        return self.key[0]

    @property
    def fault(self) -> str:
        return self.key[1]

    def parsed(self, form: Form, text: str | None = None) -> Any:
        """The nodes of the unit's text taken for ``form`` (for BLOCK of a text that it starts, for HEADER perhaps of one that
        completes it), or a Broken statement."""
        if text == self.text:
            text = None
        for known, source, result in self._parsed:
            if known is form and source == text:
                return result
        result = self._parse(form, self.text if text is None else text)
        self._parsed += ((form, text, result),)
        return result

    def _parse(self, form: Form, text: str) -> Any:
        try:
            result = parse_piece(text, form, self.anchor, self.plain)
        except PieceError as error:
            end = len(self.text) if form is Form.HEADER else len(text.lstrip(" \t\f"))
            lines = text.splitlines() if form is Form.BLOCK else [text]
            names = dict.fromkeys(name for line in lines for name in seemingly_bound(line.strip()))
            return nodes.Broken(self.anchor, 0, end, str(error), tuple(names))
        if form is Form.HEADER and text != self.text:
            _clip(result, len(self.text))
        return result

    def broken(self, reason: str, body: tuple[nodes.Stmt, ...] = ()) -> nodes.Broken:
        """A Broken for the text and statements below it, the same as long as they are."""
        return self.made(
            "broken header" if body else "broken",
            (reason, body),
            lambda: nodes.Broken(self.anchor, 0, len(self.text), reason, seemingly_bound(self.text), body),
        )

    def made(self, tag: str, parts: tuple[Any, ...], make: Callable[[], T]) -> T:
        """What was made under this tag of the same parts last time, else what ``make`` makes now."""
        for known, before, result in self._built:
            if known == tag and len(before) == len(parts) and all(map(_same, before, parts)):
                return result
        result = make()
        self._built = (*(built for built in self._built if built[0] != tag), (tag, parts, result))
        return result


def _same(old: Any, new: Any) -> bool:
    if old is new:
        return True
    if isinstance(old, tuple) and isinstance(new, tuple):
        return len(old) == len(new) and all(map(operator.is_, old, new))
    return isinstance(old, str | int) and old == new


def _clip(statement: nodes.Stmt, end: int) -> None:
    """Ends the ranges of a completed header's nodes where the text that is there ends."""
    for node in walk(statement):
        node.start = min(node.start, end)
        node.end = min(node.end, end)


def key_of(line: Line) -> Key:
    return (line.text, line.fault)


class Memo:
    """Units of dropped lines, up to a total of characters; the oldest go first."""

    __slots__ = ("_by_key", "_order", "_size", "limit")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._size = 0
        self._order: dict[Unit, None] = {}
        self._by_key: dict[Key, list[Unit]] = {}

    def keep(self, units: Iterable[Unit]) -> None:
        for unit in units:
            self._order[unit] = None
            self._by_key.setdefault(unit.key, []).append(unit)
            self._size += len(unit.text)
        while self._size > self.limit:
            self._release(next(iter(self._order)))

    def take(self, key: Key) -> Unit | None:
        """The unit of this content that was dropped last, which is the taker's from now on."""
        units = self._by_key.get(key)
        if not units:
            return None
        unit = units[-1]
        self._release(unit)
        return unit

    def _release(self, unit: Unit) -> None:
        del self._order[unit]
        units = self._by_key[unit.key]
        units.remove(unit)
        if not units:
            del self._by_key[unit.key]
        self._size -= len(unit.text)


# --- broken text -----------------------------------------------------------------------------------------------------

_DEFINED = re.compile(r"(?:async\s+)?(?:def|class)\s+([^\W\d]\w*)")
_LOOP = re.compile(r"(?:async\s+)?for\b(.*?)(?:\bin\b|$)", re.DOTALL)
_IMPORTED = re.compile(r"(?:from\s+[\w.]+\s+)?import\b(.*)", re.DOTALL)
_ASSIGNED = re.compile(r"([^=:(]*(?:\([^=:]*\)[^=:(]*)?)(?::[^=]*)?(?:[-+*/%@&|^]|//|\*\*|<<|>>)?=(?!=)", re.DOTALL)
_AS = re.compile(r"\bas\s+([^\W\d]\w*)")
_WALRUS = re.compile(r"([^\W\d]\w*)\s*:=")
_TARGET = re.compile(r"(?<![\w.])([^\W\d]\w*)(?!\s*[\w.\[(])")


def seemingly_bound(text: str) -> tuple[str, ...]:
    """The names that a text which cannot be parsed seems to bind."""
    defined = _DEFINED.match(text)
    if defined is not None:
        return (defined[1],)
    names: list[str] = []
    for pattern in (_LOOP, _IMPORTED, _ASSIGNED):
        found = pattern.match(text)
        if found is not None:
            names.extend(_TARGET.findall(found[1]))
            break
    names.extend(_AS.findall(text))
    names.extend(_WALRUS.findall(text))
    return tuple(dict.fromkeys(names))
