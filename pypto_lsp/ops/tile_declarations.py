"""Short forms for declaring tile operators: parameters and operators with their usual defaults."""

from __future__ import annotations

from pypto_lsp.ir.enums import ENUMS, Lane
from pypto_lsp.ops.registry import Operator, Param, Rule

SCALAR_TYPE = "int | float | Expr | Scalar"
EXTENTS_TYPE = "Sequence[IntLike]"
SPACES = tuple(f"pl.MemorySpace.{name}" for name in ENUMS["MemorySpace"])

_LANES = {"Vec": Lane.VECTOR, "Acc": Lane.CUBE, "Mat": Lane.CUBE}


def tile_param(name: str, *, required: bool = True) -> Param:
    """A Tile operand; an optional one defaults to None."""
    return Param(name, "Tile") if required else Param(name, "Tile | None", required=False, default="None")


def scalar_param(name: str, type_: str = SCALAR_TYPE) -> Param:
    """A scalar operand."""
    return Param(name, type_)


def extents_param(name: str, *, required: bool = True, keyword: bool = False) -> Param:
    """A list of extents, offsets or indices."""
    kind = "keyword_only" if keyword else "positional_or_keyword"
    if required:
        return Param(name, EXTENTS_TYPE, kind=kind)
    return Param(name, f"{EXTENTS_TYPE} | None", required=False, default="None", kind=kind)


def dtype_param(name: str = "dtype", *, default: str | None = None, keyword: bool = False) -> Param:
    """A data type."""
    kind = "keyword_only" if keyword else "positional_or_keyword"
    return Param(name, "DataType", required=default is None, default=default or "", kind=kind, attribute=True)


def space_param(name: str = "target_memory", *, default: str | None = None, keyword: bool = False) -> Param:
    """A memory space."""
    kind = "keyword_only" if keyword else "positional_or_keyword"
    return Param(
        name, "MemorySpace", required=default is None, default=default or "", kind=kind, allowed=SPACES, attribute=True
    )


def attribute_param(
    name: str,
    type_: str,
    default: str | None = None,
    *,
    keyword: bool = False,
    allowed: tuple[str, ...] = (),
) -> Param:
    """Any other static attribute; without a default it is required."""
    kind = "keyword_only" if keyword else "positional_or_keyword"
    return Param(
        name, type_, required=default is None, default=default or "", kind=kind, allowed=allowed, attribute=True
    )


def shaped_names(params: tuple[Param, ...]) -> tuple[str, ...]:
    """The parameters that take a tensor or tile."""
    return tuple(p.name for p in params if "Tile" in p.type or "Tensor" in p.type)


def tile_op(
    name: str,
    params: tuple[Param, ...],
    rule: Rule,
    doc: str,
    *,
    also: tuple[str, ...] = (),
    memory: str = "Vec",
    returns: str = "Tile",
    reads: tuple[str, ...] | None = None,
    writes: tuple[str, ...] = (),
    usage: int = 0,
    lane: Lane | None = None,
    printed_only: bool = False,
) -> Operator:
    """The operator ``pl.tile.<name>``; ``also`` are further spellings.

    It reads every tensor and tile operand unless ``reads`` says otherwise, and runs on the lane of its output's memory.
    """
    return Operator(
        name=f"tile.{name}",
        paths=(f"pl.tile.{name}", *also),
        params=params,
        rule=rule,
        doc=doc,
        returns=returns,
        lane=lane or _LANES.get(memory),
        output_memory=memory,
        reads=shaped_names(params) if reads is None else reads,
        writes=writes,
        usage=usage,
        printed_only=printed_only,
    )
