"""What passes made in the run before, found again by what it was made from.

IR nodes are immutable and keep their identity as long as nothing that they were made from changes. So what a pass makes of a node
is known by the node's identity and by the values that it looked up on the way. An entry holds the node that it belongs to, so that
the identity is not given to another.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import SHAPED, TileType, TupleType, Type, origin_of

_T = TypeVar("_T")
#: runs that were given up whose results are kept besides those of the last complete one, at most
MOST_GIVEN_UP = 8
#: looked-up keys and the values that they had, or changed keys and the values that they have
Items = tuple[tuple[Any, ...], tuple[Any, ...]]
#: stands for the value of a key that was written before it was looked up
_OWN: Any = object()
_NO_ITEMS: Items = ((), ())
_NOTHING: tuple[Items, Items] = (_NO_ITEMS, _NO_ITEMS)
_get = dict.get


class Table(Generic[_T]):
    """Entries by key, of earlier runs and of this one. What a run does not ask for is dropped at its end; a run that is given up
    leaves what it found besides what there was, a few such runs long."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, _T] = {}
        self._fresh: dict[Hashable, _T] = {}
        #: what the last complete run left, and how many were given up since that found something
        self._whole = self._kept
        self._given_up = 0

    def find(self, key: Hashable) -> _T | None:
        entry = self._fresh.get(key)
        return self._kept.get(key) if entry is None else entry

    def of_this_run(self, key: Hashable) -> _T | None:
        return self._fresh.get(key)

    def of_before(self, key: Hashable) -> _T | None:
        return self._kept.get(key)

    def keep(self, key: Hashable, entry: _T) -> None:
        """Take an entry that this run made or used."""
        self._fresh[key] = entry

    def begin_run(self) -> None:
        if not self._fresh:
            return
        self._given_up += 1
        if self._kept is self._whole or self._given_up % MOST_GIVEN_UP == 0:
            self._kept = dict(self._whole)  # else who types without a pause would fill the memory
        self._kept.update(self._fresh)
        self._fresh = {}

    def end_run(self, *, whole: bool = True) -> None:
        """``whole`` is false for a run that had no reason to ask for everything; nor had one that asked for nothing."""
        whole = whole and bool(self._fresh)
        self._kept, self._fresh = (self._fresh if whole else self._kept | self._fresh), {}
        self._whole, self._given_up = self._kept, 0

    def clear(self) -> None:
        """Forget everything. Entries hold the tables of those that they were made with, so that it would not go by itself."""
        self._kept, self._fresh = {}, {}
        self._whole = self._kept

    def entries(self) -> Iterable[_T]:
        """What is kept for the next run."""
        return self._kept.values()

    def items(self) -> Iterable[tuple[Any, _T]]:
        """What is kept, with its keys."""
        return self._kept.items()

    def __len__(self) -> int:
        return len(self._kept)


def same_value(one: Any, other: Any) -> bool:
    """Whether two looked-up values are as good as one another: the same object, or numbers that are equal and of one origin."""
    if one is other:
        return True
    if isinstance(one, int) and isinstance(other, int):
        return one == other and origin_of(one) is origin_of(other)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same_value, one, other))
    return False


def same_type(one: Type, other: Type) -> bool:
    """Whether a type says the same as another, down to where its extents come from."""
    if one is other:
        return True
    if one != other:
        return False
    if isinstance(one, TupleType) and isinstance(other, TupleType):
        return all(map(same_type, one.types, other.types))
    if isinstance(one, SHAPED) and isinstance(other, SHAPED):
        return same_value(one.shape, other.shape) and _same_view(one, other)
    return True


def _same_view(one: Any, other: Any) -> bool:
    if one.view is other.view:
        return True
    if one.view is None or other.view is None:
        return False
    offset = getattr(one.view, "start_offset", None), getattr(other.view, "start_offset", None)
    return (
        same_value(one.view.valid_shape, other.view.valid_shape)
        and same_value(one.view.stride, other.view.stride)
        and (not isinstance(one, TileType) or same_value(*offset))
    )


class Traced(dict[Any, Any]):
    """A mapping without None that notes which values are looked up and which are put in. What it notes between :meth:`begin` and
    :meth:`end` tells whether and how the same work can be left out another time."""

    __slots__ = ("_reads", "_writes")

    def __init__(self) -> None:
        super().__init__()
        self._reads: dict[Any, Any] = {}
        self._writes: dict[Any, Any] = {}

    def get(self, key: Any, default: Any = None) -> Any:
        value = _get(self, key)
        self._reads.setdefault(key, value)
        return default if value is None else value

    def __getitem__(self, key: Any) -> Any:
        value = self.get(key)
        if value is None:
            raise KeyError(key)
        return value

    def __contains__(self, key: object) -> bool:
        return self.get(key) is not None

    def __setitem__(self, key: Any, value: Any) -> None:
        self._reads.setdefault(key, _OWN)
        self._writes[key] = value
        super().__setitem__(key, value)

    def pop(self, key: Any, default: Any = None) -> Any:
        self._reads.setdefault(key, _OWN)
        self._writes[key] = None
        return super().pop(key, default)

    def begin(self) -> tuple[dict[Any, Any], dict[Any, Any]]:
        """Note from here on; what was noted before is for :meth:`end`."""
        outer = self._reads, self._writes
        self._reads, self._writes = {}, {}
        return outer

    def end(self, outer: tuple[dict[Any, Any], dict[Any, Any]]) -> tuple[Items, Items]:
        """What was looked up and what was changed since the beginning; it counts as done by the work around it, too."""
        if not self._reads:
            self._reads, self._writes = outer
            return _NOTHING
        looked_up = [item for item in self._reads.items() if item[1] is not _OWN]
        reads = (tuple([key for key, _ in looked_up]), tuple([value for _, value in looked_up]))
        writes = (tuple(self._writes), tuple(self._writes.values())) if self._writes else _NO_ITEMS
        self._reads, self._writes = outer
        self._note(reads, writes)
        return reads, writes

    def agrees(self, reads: Items) -> bool:
        """Whether look-ups would give what they gave then."""
        return all(value is (now := _get(self, key)) or same_value(value, now) for key, value in zip(*reads))

    def replay(self, reads: Items, writes: Items) -> None:
        """Do what the noted work did."""
        self._note(reads, writes)
        for key, value in zip(*writes):
            if value is None:
                super().pop(key, None)
            else:
                super().__setitem__(key, value)

    def _note(self, reads: Items, writes: Items) -> None:
        noted, written = self._reads, self._writes
        for key, value in zip(*reads):
            noted.setdefault(key, value)
        for key, value in zip(*writes):
            noted.setdefault(key, _OWN)
            written[key] = value


_Noted = tuple[dict[Any, Any], dict[Any, Any]]
#: a table, a key and the entry for it
Use = tuple[Table[Any], Hashable, Any]
#: where the work on a subject begins: what was used and noted before
Point = tuple[list[Use], list[_Noted]]


@dataclass(frozen=True, slots=True)
class Made(Generic[_T]):
    """What was made of a subject, the look-ups that it depended on and the changes that it left, mapping by mapping, and the
    entries of tables that were used on the way; those that an entry among them used are its own."""

    subject: object
    result: _T
    traces: tuple[tuple[Items, Items], ...]
    used: tuple[Use, ...]

    def keep(self) -> None:
        """Keep what was used on the way as long as this."""
        for table, key, entry in self.used:
            table.keep(key, entry)
            if isinstance(entry, Made):
                entry.keep()


class _Uses:
    """The entries of tables that the work on one subject uses."""

    __slots__ = ("now",)

    def __init__(self) -> None:
        self.now: list[Use] = []


class Work:
    """A run of a pass over nested subjects, with the mappings that it works with. What a subject becomes is found again if it is
    the same and its look-ups would give what they gave."""

    def __init__(self, *mappings: Traced, within: Work | None = None) -> None:
        self._mappings = mappings
        self._uses: _Uses = _Uses() if within is None else within._uses

    def known(self, table: Table[Made[_T]], key: Hashable, subject: object) -> _T | None:
        """What was made of a subject, None where it has to be made; its changes are there then."""
        entry = table.find(key)
        if entry is None or entry.subject is not subject:
            return None
        for mapping, (reads, _) in zip(self._mappings, entry.traces):
            if not mapping.agrees(reads):
                return None
        for mapping, (reads, writes) in zip(self._mappings, entry.traces):
            if reads[0] or writes[0]:
                mapping.replay(reads, writes)
        entry.keep()
        self.use(table, key, entry)
        return entry.result

    def begin(self) -> Point:
        """Where the work on a subject begins."""
        before, self._uses.now = self._uses.now, []
        return before, [mapping.begin() for mapping in self._mappings]

    def end(self, point: Point, table: Table[Made[_T]], key: Hashable, subject: object, result: _T) -> None:
        """Keep what was made of a subject since ``point``."""
        used, self._uses.now = self._uses.now, point[0]
        self.use(table, key, Made(subject, result, self._traces(point), tuple(used)))

    def leave(self, point: Point) -> None:
        """End the work on a subject without keeping it."""
        used, self._uses.now = self._uses.now, point[0]
        self._uses.now += used
        self._traces(point)

    def _traces(self, point: Point) -> tuple[tuple[Items, Items], ...]:
        return tuple([mapping.end(outer) for mapping, outer in zip(self._mappings, point[1])])

    def use(self, table: Table[_T], key: Hashable, entry: _T) -> None:
        """Keep an entry of a table as long as what is in work is kept."""
        table.keep(key, entry)
        self._uses.now.append((table, key, entry))


class Observed:
    """A view of a mapping without None that notes what is looked up; the mapping may be exchanged for another that agrees."""

    __slots__ = ("_noted", "_source")

    def __init__(self, source: Any) -> None:
        self._source = source
        self._noted: dict[Any, Any] = {}

    def get(self, key: Any, default: Any = None) -> Any:
        value = self._source.get(key)
        self._noted[key] = value
        return default if value is None else value

    def follow(self, source: Any) -> bool:
        """Look up in another mapping from now on, if that gives what was looked up so far. Gives whether it does."""
        if not all(same_value(value, source.get(key)) for key, value in self._noted.items()):
            return False
        self._source = source
        return True


class Inner:
    """A mapping without None that adds to another and leaves that one as it is."""

    __slots__ = ("_outer", "_own")

    def __init__(self, outer: Any) -> None:
        self._outer = outer
        self._own: dict[Any, Any] = {}

    def get(self, key: Any, default: Any = None) -> Any:
        value = self._own.get(key)
        return self._outer.get(key, default) if value is None else value

    def __setitem__(self, key: Any, value: Any) -> None:
        self._own[key] = value


def moved(read: ir.Read, var: ir.Var) -> None:
    """Give a read of what was made for a variable the place of that variable, which may have moved since: a statement that
    was edited binds the variable of before."""
    if read.span is not var.span:
        read.var.span = var.span
        object.__setattr__(read, "span", var.span)


def identical(one: Iterable[object], other: Iterable[object]) -> bool:
    """Whether two tuples hold the same objects."""
    one, other = tuple(one), tuple(other)
    return len(one) == len(other) and all(a is b for a, b in zip(one, other))


__all__ = [
    "MOST_GIVEN_UP",
    "Inner",
    "Items",
    "Made",
    "Observed",
    "Table",
    "Traced",
    "Work",
    "identical",
    "moved",
    "same_type",
    "same_value",
]
