"""URIs of documents and the paths under which the analysis knows them."""

from __future__ import annotations

import os
import re
from urllib.parse import quote, unquote, urlsplit

_DRIVE = re.compile(r"/([A-Za-z]):")


def to_path(uri: str) -> str:
    """The absolute, normalised path of a ``file:`` URI, percent-encoded or not; another URI (``untitled:``) stays itself."""
    try:
        parts = urlsplit(uri)
    except ValueError:  # a malformed authority; it names no file
        return uri
    if parts.scheme.lower() != "file":
        return uri
    path = unquote(parts.path)
    if parts.netloc and parts.netloc.lower() != "localhost":
        path = f"//{unquote(parts.netloc)}{path}"
    elif drive := _DRIVE.match(path):
        path = f"{drive[1].lower()}:{path[drive.end() :]}"
    if os.sep == "\\":
        path = path.replace("/", "\\")
    return os.path.normpath(path) if path else uri


def to_uri(path: str) -> str:
    """The URI of a path as :func:`to_path` gives it."""
    if not os.path.isabs(path):
        return path
    shown = path.replace(os.sep, "/")
    if shown.startswith("//"):
        return "file:" + quote(shown)
    if not shown.startswith("/"):
        shown = "/" + shown
    return "file://" + quote(shown, safe="/:" if _DRIVE.match(shown) else "/")
