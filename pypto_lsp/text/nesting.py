"""How deep what people write may be nested, and the room on the interpreter's stack that this takes.

Whatever is nested deeper than :data:`DEEPEST` is not analysed: a piece of text is a broken one, an expression an unknown one. So
the walks over syntax and IR may call themselves.
"""

from __future__ import annotations

import sys

#: levels of an expression, and clauses of one ``if``
DEEPEST = 250
#: calls under way at once: about eight for each level of an expression, from within nested blocks and helpers
_CALLS = 4_000


def allow_nesting() -> None:
    """Let the interpreter go as deep as texts may be nested; its own limit (1,000 calls) is meant for programs without an end."""
    if sys.getrecursionlimit() < _CALLS:
        sys.setrecursionlimit(_CALLS)


__all__ = ["DEEPEST", "allow_nesting"]
