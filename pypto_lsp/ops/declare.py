"""Short forms for declaring operators: parameters, and operators that differ in name and rule only."""

from __future__ import annotations

from pypto_lsp.ops.registry import Param

SCALAR = "int | float | Scalar"
EXTENTS = "Sequence[int | Scalar]"


def needed(name: str, type_: str = "Tensor", *, attribute: bool = False, keyword_only: bool = False) -> Param:
    """A parameter without default."""
    kind = "keyword_only" if keyword_only else "positional_or_keyword"
    return Param(name, type_, kind=kind, attribute=attribute)


def optional(
    name: str,
    type_: str,
    default: str = "None",
    *,
    keyword_only: bool = False,
    attribute: bool = False,
    allowed: tuple[str, ...] = (),
) -> Param:
    """A parameter with a default (as written in the signature)."""
    kind = "keyword_only" if keyword_only else "positional_or_keyword"
    return Param(name, type_, required=False, default=default, kind=kind, allowed=allowed, attribute=attribute)


def flag_param(name: str, *, keyword_only: bool = False) -> Param:
    """A static boolean, False by default."""
    return optional(name, "bool", "False", attribute=True, keyword_only=keyword_only)
