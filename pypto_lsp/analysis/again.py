"""What was made of some objects in the run before, found again for the same objects."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Again(Generic[_T]):
    """Results by key. A key tells objects by their identity, so an entry holds them; what a run does not ask for is dropped at its
    end. Of runs that were given up the last one counts."""

    __slots__ = ("_fresh", "_kept", "_whole")

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[object, _T]] = {}
        self._fresh: dict[Hashable, tuple[object, _T]] = {}
        #: what the last complete run left
        self._whole = self._kept

    def begin_run(self) -> None:
        if self._fresh:
            self._kept, self._fresh = self._whole | self._fresh, {}

    def find(self, key: Hashable, held: object, make: Callable[[], _T]) -> _T:
        """What was made of ``held``, else what ``make`` makes of it now."""
        entry = self._fresh.get(key) or self._kept.get(key) or (held, make())
        self._fresh[key] = entry
        return entry[1]

    def end_run(self) -> None:
        self._kept, self._fresh = self._fresh, {}
        self._whole = self._kept
