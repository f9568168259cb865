"""The client's progress bar for work that takes long."""

from __future__ import annotations

import itertools
from concurrent.futures import Future
from time import monotonic
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from pypto_lsp.server.server import Server

#: shortest time between two reports (seconds)
_PAUSE = 0.1

_numbers = itertools.count(1)


class Progress:
    """One bar, with a button to stop the work.

    ``token`` is the one that the client gave with its request; without one the server makes its own, where the client can
    show it. Whoever begins it ends it; in between nothing waits for the client.
    """

    def __init__(self, server: Server, token: lsp.ProgressToken | None, title: str) -> None:
        self._server = server
        self._title = title
        self._token = token
        self._begun = self._ended = False
        self._next = 0.0
        if token is not None:
            self._begin()
        elif server.client.work_done_progress:
            self._token = f"pypto-lsp-{next(_numbers)}"
            server.work_done_progress.create(self._token, lambda _: self._begin())

    @property
    def stopped(self) -> bool:
        """Whether the person at the editor wants no more of it."""
        known = self._server.work_done_progress.tokens.get(self._token) if self._token is not None else None
        return known is not None and known.cancelled()

    def report(self, done: int, total: int, what: str) -> None:
        """Tell how far the work is; calls that come too soon after the last one say nothing."""
        if not self._begun or monotonic() < self._next:
            return
        self._next = monotonic() + _PAUSE
        percentage = min(100, 100 * done // max(total, 1))
        self._say(lsp.WorkDoneProgressReport(message=f"{done}/{total} {what}", percentage=percentage, cancellable=True))

    def end(self) -> None:
        """The work is done, or was given up."""
        self._ended = True
        if self._begun:
            self._say(lsp.WorkDoneProgressEnd())
            self._server.work_done_progress.tokens.pop(self._token, None)  # type: ignore[arg-type]

    def _begin(self) -> None:
        if self._ended:
            return
        assert self._token is not None
        self._begun = True
        self._server.work_done_progress.tokens.setdefault(self._token, Future())
        self._say(lsp.WorkDoneProgressBegin(self._title, cancellable=True, percentage=0))

    def _say(self, value: Any) -> None:
        assert self._token is not None
        self._server.progress(lsp.ProgressParams(self._token, self._server.protocol.plain(value)))
