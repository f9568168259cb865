"""Dotted paths: ``pl.tile.load``, and the element types and enum members that are spelled as such."""

from __future__ import annotations

from typing import Any

from pypto_lsp.diagnostics.older_spellings import Change, renamed_value
from pypto_lsp.diagnostics.spelling import foreign_dtype
from pypto_lsp.frontend.dsl_names import PL_ENUMS
from pypto_lsp.frontend.static_objects import MISSING
from pypto_lsp.ir.dtypes import DTYPES
from pypto_lsp.ir.enums import ENUM_ALIASES, ENUMS, EnumMember
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span


def dotted(node: syntax.Expr) -> str:
    """The dotted path of an attribute chain over a name; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, syntax.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, syntax.Name):
        return ""
    parts.append(node.id)
    parts.reverse()
    return ".".join(parts)


def is_call(node: syntax.Node | None, path: str) -> bool:
    """Whether a node is a call spelled exactly so (``pl.submit``)."""
    return isinstance(node, syntax.Call) and dotted(node.func) == path


def called_name(node: syntax.Node | None) -> str | None:
    """The last name of a call's callee: ``yield_`` of ``pl.yield_(x)``."""
    if not isinstance(node, syntax.Call):
        return None
    if isinstance(node.func, syntax.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, syntax.Name) else None


def attr_span(node: syntax.Attribute) -> Span:
    """The name after the last dot."""
    return Span(node.anchor, node.attr_start, node.end)


#: enums that both modules of the library export
_MODULES_OF = {"AtomicType": ("pl", "pld")}
_KNOWN: dict[str, Any] = {}
_KNOWN.update((f"pl.{name}", dtype) for name, dtype in DTYPES.items())
_KNOWN.update((f"pl.DataType.{name}", dtype) for name, dtype in DTYPES.items())
for _enum, _members in ENUMS.items():
    for _name in (_enum, *(alias for alias, meant in ENUM_ALIASES.items() if meant == _enum)):
        for _module in _MODULES_OF.get(_enum, ("pl",) if _enum in PL_ENUMS else ("pld",)):
            _KNOWN.update((f"{_module}.{_name}.{member}", EnumMember(_enum, member)) for member in _members)
#: patterns that select elements of a row; plain integers in the library
_MASK_PATTERNS = ("P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111")
_KNOWN.update((f"pl.tile.MaskPattern.{name}", number) for number, name in enumerate(_MASK_PATTERNS, 1))
#: the base address that leaves the choice to the compiler, a plain integer too
_KNOWN.update({"pl.AUTO": -1, "pl.system.AUTO": -1})


def library_value(path: str) -> Any:
    """The element type, enum member, pattern or number of a path such as ``pl.FP32`` or ``pl.Mem.Vec``; MISSING when it is none."""
    return _KNOWN.get(path, MISSING)


def meant_value(path: str) -> tuple[Any, Change | None]:
    """What a path that names nothing stands for without a doubt: an older spelling (with its change), or an element type by the
    name that another library gives it; MISSING for any other path."""
    change = renamed_value(path)
    if change is not None:
        return library_value(change.new), change
    owner, _, name = path.rpartition(".")
    dtype = foreign_dtype(name, DTYPES) if owner in ("pl", "pl.DataType") else None
    return (MISSING if dtype is None else DTYPES[dtype]), None


def enum_of(path: str) -> str | None:
    """The enum whose member a path would be: ``PadValue`` of ``pl.PadValue.anything``."""
    parts = path.split(".")
    if len(parts) != 3 or parts[0] not in ("pl", "pld"):
        return None
    name = ENUM_ALIASES.get(parts[1], parts[1])
    return name if name in ENUMS else None
