"""Work in steps: generators that leave off now and then, so that whoever runs them can do other things in between."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

_T = TypeVar("_T")
#: work in steps, with its result
Steps = Generator[None, None, _T]


def finished(steps: Steps[_T]) -> _T:
    """The result of work in steps, all of them run at once."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


__all__ = ["Steps", "finished"]
