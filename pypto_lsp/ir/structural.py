"""Structural equality of types, expressions, statements, functions and programs.

Two programs are equal when they are the same up to the places they come from and the identity of their variables: variables
have to correspond one to one. Names of variables count only when asked for; names of functions always do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from pypto_lsp.ir import nodes as ir

#: where something comes from or how it was spelled, no part of what it is
_IGNORED = frozenset(
    {"path", "names", "literal", "declared_return", "complete", "jit", "declared_params", "ignored_params"}
)


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place at which two structures differ: the way to it, and both sides."""

    where: str
    left: Any
    right: Any


def structural_equal(left: Any, right: Any, *, names: bool = False) -> bool:
    """Whether two nodes, types or programs are equal as structures."""
    return difference(left, right, names=names) is None


def difference(left: Any, right: Any, *, names: bool = False) -> Difference | None:
    """The first difference of two structures, None when they are equal."""
    return _Comparison(names).compare(left, right, "")


@dataclass
class _Comparison:
    names: bool
    forth: dict[ir.Var, ir.Var] = field(default_factory=dict)
    back: dict[ir.Var, ir.Var] = field(default_factory=dict)

    def compare(self, left: Any, right: Any, where: str) -> Difference | None:
        left, right = _variable(left), _variable(right)
        if isinstance(left, ir.Var) and isinstance(right, ir.Var):
            return self.variables(left, right, where)
        if isinstance(left, int) and isinstance(right, int):
            return None if int(left) == int(right) else Difference(where, left, right)
        if type(left) is not type(right):
            return Difference(where, left, right)
        if isinstance(left, (tuple, list)):
            return self.sequences(left, right, where)
        if isinstance(left, Mapping):
            return self.mappings(left, right, where)
        if _is_structure(left):
            return self.nodes(left, right, where)
        return None if left == right else Difference(where, left, right)

    def variables(self, left: ir.Var, right: ir.Var, where: str) -> Difference | None:
        if left in self.forth or right in self.back:
            return None if self.forth.get(left) is right else Difference(where, left, right)
        if (self.names or left.symbol) and left.name != right.name:
            return Difference(where, left.name, right.name)
        self.forth[left], self.back[right] = right, left
        return self.compare(left.type, right.type, f"{where}.type")

    def sequences(self, left: Any, right: Any, where: str) -> Difference | None:
        if len(left) != len(right):
            return Difference(f"{where}.length", len(left), len(right))
        pairs = enumerate(zip(left, right))
        return next((d for i, (a, b) in pairs if (d := self.compare(a, b, f"{where}[{i}]")) is not None), None)

    def mappings(self, left: Mapping[Any, Any], right: Mapping[Any, Any], where: str) -> Difference | None:
        if left.keys() != right.keys():
            return Difference(f"{where}.keys", sorted(left), sorted(right))
        keys = sorted(left)
        return next((d for k in keys if (d := self.compare(left[k], right[k], f"{where}[{k!r}]")) is not None), None)

    def nodes(self, left: Any, right: Any, where: str) -> Difference | None:
        for part in fields(left):
            if part.name not in _IGNORED and not part.name.endswith("span"):
                a, b = getattr(left, part.name), getattr(right, part.name)
                found = self.compare(a, b, f"{where}.{part.name}")
                if found is not None:
                    return found
        return None


def _variable(value: Any) -> Any:
    """A read of a variable and the variable itself, which stands for it in types and extents, are one thing."""
    return value.var if isinstance(value, ir.Read) else value


def _is_structure(value: Any) -> bool:
    """Nodes, types, views, references, carries and callees: records that hold extents or variables."""
    return is_dataclass(value) and type(value).__module__ in ("pypto_lsp.ir.types", "pypto_lsp.ir.nodes")


__all__ = ["Difference", "difference", "structural_equal"]
