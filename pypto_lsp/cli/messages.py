"""What the command says on standard error."""

from __future__ import annotations

import sys

from pypto_lsp.cli.formats import shown_path


def complain(text: str) -> None:
    """One line on stderr."""
    print(f"pypto-lsp: {text}", file=sys.stderr)


def unreadable(path: str, reason: str) -> None:
    """The line on a file that could not be read."""
    complain(f"cannot read {shown_path(path)}: {reason}")
