"""A text that may be kept compressed while nobody reads it."""

from __future__ import annotations

import zlib


class Content:
    """One text. What findings in a file that is not open hold of it is rarely looked at, and is up to ten times as long as its
    compressed form: a character takes two or four bytes as soon as one of them is not in Latin-1."""

    __slots__ = ("_packed", "_text")

    def __init__(self, text: str) -> None:
        self._text: str | None = text
        self._packed = b""

    @property
    def text(self) -> str:
        text = self._text
        if text is None:
            text = self._text = zlib.decompress(self._packed).decode("utf-8", "surrogatepass")
            self._packed = b""
        return text

    def rest(self) -> None:
        """Compress the text until somebody reads it."""
        if self._text is not None:
            self._packed = zlib.compress(self._text.encode("utf-8", "surrogatepass"))
            self._text = None
