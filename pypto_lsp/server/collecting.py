"""When Python's garbage collector looks at what lives long.

A full collection looks at every object: 150 to 250 ms when the largest real kernels are open, in the middle of the typing. So what is
there once a newly opened document is analysed is looked through one last time when nothing else is to be done, and then left
alone; what edits make and drop is little. Files that are checked in the background leave much behind, so that is cleared away file
by file.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable

from pypto_lsp.analysis.collector import relax_collector

#: how long nothing has to be going on (seconds)
_QUIET = 2.0
#: characters of parsed files that were dropped, after which the memory is worth a look at all objects
_MUCH = 500_000


class Collecting:
    """``is_busy`` tells whether somebody waits for an analysis."""

    def __init__(self, is_busy: Callable[[], bool]) -> None:
        self._is_busy = is_busy
        self._new: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._dropped = 0
        relax_collector()

    def opened(self, path: str) -> None:
        """A document was opened: much will be made for it."""
        self._new.add(path)

    def analysed(self, path: str) -> None:
        """A document's analysis is complete."""
        if path in self._new:
            self._new.discard(path)
            self.postpone()

    def checking(self) -> None:
        """Files that are not open are about to be checked: what is there now need not be looked through for each of them."""
        gc.freeze()

    def checked(self, dropped: int) -> None:
        """A file that is not open was checked, and what was made for it dropped; with it so many characters of parsed files, whose
        values are circles of objects."""
        self._dropped += dropped
        whole = self._dropped > _MUCH
        if whole:
            self._dropped = 0
        gc.collect(2 if whole else 0)

    def fell_asleep(self) -> None:
        """Only the findings of a document were kept; the rest, in circles of objects, is dropped. Were it left to the next pause, ten
        documents opened one after the other would take up a quarter more at their peak."""
        self._clear()

    def closed(self, path: str) -> None:
        """A document was closed: it is not waited for."""
        self._new.discard(path)

    def postpone(self) -> None:
        """Wait for another pause, if anything is to be done in it."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(_QUIET, self._settle)

    def edited(self) -> None:
        """A key was pressed."""
        if self._timer is not None:
            self.postpone()

    def _settle(self) -> None:
        if self._is_busy() or self._new:
            self.postpone()
            return
        self._timer = None
        self._clear()

    def _clear(self) -> None:
        gc.unfreeze()  # of what was there at the last time, some was dropped since
        gc.collect()
        gc.freeze()
