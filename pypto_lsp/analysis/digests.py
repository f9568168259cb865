"""Digests that stand for texts in what is kept on disk."""

from __future__ import annotations

import hashlib

#: bytes of a digest
SIZE = 20


def digest(data: bytes) -> str:
    """A text of twice :data:`SIZE` hexadecimal digits, equal for equal data and, for all practical purposes, only for these."""
    return hashlib.blake2b(data, digest_size=SIZE).hexdigest()
