"""The output formats of ``pypto-lsp check``, one a module; each renders findings to a string."""

from __future__ import annotations

import os


def shown_path(path: str) -> str:
    """A path relative to the working folder, with forward slashes; absolute where there is no relative one."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        relative = path
    return relative.replace(os.sep, "/")
