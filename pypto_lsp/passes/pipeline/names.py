"""Names of variables that passes make, in the scheme of printed IR: ``base__role_vN``."""

from __future__ import annotations

import re
from collections.abc import Container

_ROLES = "ssa|iter|rv|idx|phi|tmp|store|co|yield"
_AUTOMATIC = re.compile(rf"(?P<base>.+?)__(?:(?:{_ROLES})_)?v\d+(?P<rest>\w*)")
_NUMBERED = re.compile(r"(.*?_v?)(\d+)")


def base_name(name: str) -> str:
    """The name without what a pass has put behind it."""
    match = _AUTOMATIC.fullmatch(name)
    return name if match is None or match["rest"] else match["base"]


def versioned(name: str, role: str, number: int) -> str:
    """The name of a version of a variable: ``x__ssa_v0``."""
    return f"{base_name(name)}__{role}_v{number}"


def fresh(name: str, taken: Container[str]) -> str:
    """A name that is not taken: the next number behind it, 1 where it has none."""
    match = _NUMBERED.fullmatch(name)
    stem, number = (match[1], int(match[2])) if match is not None else (f"{name}_", 0)
    while f"{stem}{number + 1}" in taken:
        number += 1
    return f"{stem}{number + 1}"


__all__ = ["base_name", "fresh", "versioned"]
