"""Short forms for declaring tile operators: parameters and operators with their usual defaults."""

from __future__ import annotations

from pypto_lsp.ir.enums import ENUMS, Lane
from pypto_lsp.ops.declare import EXTENTS, SCALAR, needed, optional
from pypto_lsp.ops.registry import Operator, Param, Rule

SPACES = tuple(f"pl.MemorySpace.{name}" for name in ENUMS["MemorySpace"])

_LANES = {"Vec": Lane.VECTOR, "Acc": Lane.CUBE, "Mat": Lane.CUBE}


def tile_param(name: str, *, required: bool = True) -> Param:
    """A Tile operand; an optional one defaults to None."""
    return needed(name, "Tile") if required else optional(name, "Tile | None")


def scalar_param(name: str, type_: str = SCALAR) -> Param:
    """A scalar operand."""
    return needed(name, type_)


def extents_param(name: str, *, required: bool = True, keyword_only: bool = False) -> Param:
    """A list of extents, offsets or indices."""
    if required:
        return needed(name, EXTENTS, keyword_only=keyword_only)
    return optional(name, f"{EXTENTS} | None", keyword_only=keyword_only)


def dtype_param(name: str = "dtype", default: str | None = None, *, keyword_only: bool = False) -> Param:
    """A data type."""
    if default is None:
        return needed(name, "DataType", attribute=True, keyword_only=keyword_only)
    type_ = "DataType | None" if default == "None" else "DataType"
    return optional(name, type_, default, attribute=True, keyword_only=keyword_only)


def space_param(name: str = "target_memory", default: str | None = None, *, keyword_only: bool = False) -> Param:
    """A memory space."""
    kind = "keyword_only" if keyword_only else "positional_or_keyword"
    return Param(
        name,
        "MemorySpace",
        required=default is None,
        default=default or "",
        kind=kind,
        allowed=SPACES,
        attribute=True,
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
