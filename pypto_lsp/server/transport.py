"""Messages over a pair of byte streams.

A thread of its own reads, so that the event loop is never blocked by input and the client never by a full pipe; messages
wait in order until the loop takes them. What the message says is not looked at here.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import threading
from typing import BinaryIO, Protocol

_LOG = logging.getLogger(__name__)

#: a header or body longer than this is no message of an editor's (bytes)
_HEADER_LIMIT = 64 * 1024
_BODY_LIMIT = 512 * 1024 * 1024
#: how long the server may take to end after ``exit`` (seconds)
EXIT_GRACE = 0.5


class Reader(Protocol):
    """What a message is read from."""

    def readline(self, limit: int = -1, /) -> bytes: ...

    def read(self, size: int = -1, /) -> bytes: ...


def read_message(stream: Reader) -> bytes | None:
    """The next message's body; None at the end of the stream.

    Header names are matched without case, line ends may lack the carriage return, unknown headers and lines that are none
    are passed over; a block of headers without a length is passed over too.
    """
    length: int | None = None
    seen = False
    while True:
        line = stream.readline(_HEADER_LIMIT)
        if not line:
            return None
        if line.strip():
            seen = True
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
        elif length is not None:
            if length > _BODY_LIMIT:
                _LOG.error("a message of %d bytes: giving up", length)
                return None
            return _read_exactly(stream, length)
        elif seen:
            _LOG.error("a message without Content-Length was passed over")
            seen = False


def _read_exactly(stream: Reader, length: int) -> bytes | None:
    parts: list[bytes] = []
    while length > 0:
        part = stream.read(length)
        if not part:
            return None
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _method(body: bytes) -> str:
    """``shutdown`` or ``exit`` for the messages that end the conversation, else empty. Nothing is read behind ``exit``: a
    thread that is still reading when the interpreter ends would hold the stream's lock."""
    if b'"exit"' not in body and b'"shutdown"' not in body:
        return ""
    try:
        message = json.loads(body)
    except ValueError:
        return ""
    method = message.get("method") if isinstance(message, dict) else None
    return method if method in ("shutdown", "exit") else ""


def _end_process(code: int) -> None:
    """The loop did not come to ``exit`` in time: a long step of an analysis, whose result nobody wants any more."""
    os._exit(code)


class Inbox:
    """The messages that a reading thread has received and the loop has not yet taken.

    ``grace`` is the time that the loop has to end after ``exit`` (seconds); then the process ends without it.
    """

    def __init__(self, stream: BinaryIO, loop: asyncio.AbstractEventLoop, grace: float = EXIT_GRACE) -> None:
        self._loop = loop
        self._grace = grace
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        threading.Thread(target=self._read, args=(stream,), daemon=True, name="pypto-lsp input").start()

    def _read(self, stream: BinaryIO) -> None:
        body: bytes | None = b""
        method, shut_down = "", False
        while body is not None and method != "exit":
            try:
                body = read_message(stream)
            except (OSError, ValueError):  # the stream was closed under us: the same as its end
                body = None
            method = _method(body or b"")
            shut_down = shut_down or method == "shutdown"
            if method == "exit":
                self._end_in_time(0 if shut_down else 1)
            try:
                self._loop.call_soon_threadsafe(self._queue.put_nowait, body)
            except RuntimeError:  # the loop has ended, and nobody waits for input any more
                return

    def _end_in_time(self, code: int) -> None:
        timer = threading.Timer(self._grace, _end_process, (code,))
        timer.daemon = True
        timer.start()

    async def take(self) -> list[bytes | None]:
        """All messages that are waiting, at least one; None stands for the end of the input."""
        taken = [await self._queue.get()]
        while not self._queue.empty():
            taken.append(self._queue.get_nowait())
        return taken


class Outbox:
    """Writes whole messages; a client that is gone is noticed once and then ignored."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.closed = False

    def write(self, data: bytes) -> None:
        if self.closed:
            return
        try:
            self._stream.write(data)
            self._stream.flush()
        except (OSError, ValueError):
            _LOG.warning("the client no longer reads")
            self.closed = True

    def close(self) -> None:
        self.closed = True
