"""Structural equality and hash of types, expressions, statements, functions and programs.

Two structures are equal when they are the same up to the places they come from and the identity of the variables that they
define: those have to correspond one to one. Variables that they only read correspond as well with *auto mapping*, else they have
to be the same. Names of variables count only when asked for; names of functions always do. Equal structures have equal hashes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from typing import Any

from pypto_lsp.ir import nodes as ir

#: where something comes from or how it was spelled, no part of what it is
_IGNORED = frozenset(
    {"path", "names", "literal", "declared_return", "complete", "jit", "declared_params", "ignored_params", "entry"}
)
#: kind of node -> the fields that define variables, which are looked at before the others
_DEFINING: dict[type, tuple[str, ...]] = {
    ir.Function: ("params",),
    ir.For: ("iter_args", "var", "return_vars"),
    ir.While: ("iter_args", "return_vars"),
    ir.SpmdScope: ("index_var",),
    ir.SplitAivScope: ("index_var",),
}
#: fields that define variables and come after the others: what they name is not known in those
_DEFINING_LAST: dict[type, tuple[str, ...]] = {ir.Assign: ("var",), ir.If: ("return_vars",), ir.ErrorStmt: ("binds",)}


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place at which two structures differ: the way to it, and both sides."""

    where: str
    left: Any
    right: Any


@cache
def _fields(kind: type) -> tuple[tuple[str, bool], ...]:
    """The fields of a kind of node that make it what it is, each with whether it defines variables, in the order in which they
    are looked at."""
    own = [f.name for f in fields(kind) if f.name not in _IGNORED and not f.name.endswith("span")]
    first, last = _DEFINING.get(kind, ()), _DEFINING_LAST.get(kind, ())
    middle = [name for name in own if name not in first and name not in last]
    return (*((name, True) for name in first), *((name, False) for name in middle), *((name, True) for name in last))


def structural_equal(left: Any, right: Any, enable_auto_mapping: bool = True, *, names: bool = False) -> bool:
    """Whether two nodes, types or programs are equal as structures."""
    return difference(left, right, names=names, enable_auto_mapping=enable_auto_mapping) is None


def difference(left: Any, right: Any, *, names: bool = False, enable_auto_mapping: bool = True) -> Difference | None:
    """The first difference of two structures, None when they are equal."""
    return _Comparison(names, enable_auto_mapping).compare(left, right, "", defining=False)


@dataclass
class _Comparison:
    names: bool
    auto: bool
    forth: dict[ir.Var, ir.Var] = field(default_factory=dict)
    back: dict[ir.Var, ir.Var] = field(default_factory=dict)

    def compare(self, left: Any, right: Any, where: str, *, defining: bool) -> Difference | None:
        left, right = _variable(left), _variable(right)
        if isinstance(left, ir.Var) and isinstance(right, ir.Var):
            return self.variables(left, right, where, defining)
        if isinstance(left, int) and isinstance(right, int):
            return None if int(left) == int(right) else Difference(where, left, right)
        if type(left) is not type(right):
            return Difference(where, left, right)
        if isinstance(left, (tuple, list)):
            return self.sequences(left, right, where, defining)
        if isinstance(left, Mapping):
            return self.mappings(left, right, where)
        if _is_structure(left):
            return self.nodes(left, right, where, defining)
        return None if left == right else Difference(where, left, right)

    def variables(self, left: ir.Var, right: ir.Var, where: str, defining: bool) -> Difference | None:
        if left in self.forth or right in self.back:
            return None if self.forth.get(left) is right else Difference(where, left, right)
        if not self.auto and not defining and not left.symbol and left is not right:
            return Difference(where, left, right)
        if (self.names or left.symbol) and left.name != right.name:
            return Difference(where, left.name, right.name)
        self.forth[left], self.back[right] = right, left
        return self.compare(left.type, right.type, f"{where}.type", defining=False)

    def sequences(self, left: Any, right: Any, where: str, defining: bool) -> Difference | None:
        if len(left) != len(right):
            return Difference(f"{where}.length", len(left), len(right))
        for place, (a, b) in enumerate(zip(left, right)):
            found = self.compare(a, b, f"{where}[{place}]", defining=defining)
            if found is not None:
                return found
        return None

    def mappings(self, left: Mapping[Any, Any], right: Mapping[Any, Any], where: str) -> Difference | None:
        if left.keys() != right.keys():
            return Difference(f"{where}.keys", sorted(left), sorted(right))
        for key in sorted(left):
            found = self.compare(left[key], right[key], f"{where}[{key!r}]", defining=False)
            if found is not None:
                return found
        return None

    def nodes(self, left: Any, right: Any, where: str, defining: bool) -> Difference | None:
        if isinstance(left, ir.IterArg):
            return self.compare(left.init, right.init, f"{where}.init", defining=False) or self.compare(
                left.var, right.var, f"{where}.var", defining=defining
            )
        for name, defines in _fields(left.__class__):
            found = self.compare(getattr(left, name), getattr(right, name), f"{where}.{name}", defining=defines)
            if found is not None:
                return found
        return None


def structural_hash(node: Any, enable_auto_mapping: bool = False) -> int:
    """A hash that equal structures share, for :func:`structural_equal` with the same ``enable_auto_mapping``.

    It holds within one process.
    """
    return hash(tuple(_Hash(enable_auto_mapping).parts(node, defining=False)))


@dataclass
class _Hash:
    auto: bool
    numbers: dict[ir.Var, int] = field(default_factory=dict)

    def parts(self, value: Any, *, defining: bool) -> Iterator[Any]:
        """What a structure is made of, variables by the order in which they come."""
        value = _variable(value)
        if isinstance(value, ir.Var):
            yield from self.variable(value, defining)
        elif isinstance(value, int):
            yield int(value)
        elif isinstance(value, (tuple, list)):
            yield (type(value).__name__, len(value))
            for item in value:
                yield from self.parts(item, defining=defining)
        elif isinstance(value, Mapping):
            yield tuple(sorted(value))
            for key in sorted(value):
                yield from self.parts(value[key], defining=False)
        elif _is_structure(value):
            yield from self.node(value, defining)
        else:
            yield (type(value).__name__, value)

    def variable(self, var: ir.Var, defining: bool) -> Iterator[Any]:
        known = self.numbers.get(var)
        if known is not None:
            yield ("variable", known)
            return
        self.numbers[var] = len(self.numbers)
        if var.symbol:
            yield ("symbol", var.name)
        elif self.auto or defining:
            yield ("variable", self.numbers[var])
        else:
            yield ("free", id(var))
        yield from self.parts(var.type, defining=False)

    def node(self, node: Any, defining: bool) -> Iterator[Any]:
        yield type(node).__name__
        if isinstance(node, ir.IterArg):
            yield from self.parts(node.init, defining=False)
            yield from self.parts(node.var, defining=defining)
            return
        for name, defines in _fields(node.__class__):
            yield from self.parts(getattr(node, name), defining=defines)


def _variable(value: Any) -> Any:
    """A read of a variable and the variable itself, which stands for it in types and extents, are one thing."""
    return value.var if isinstance(value, ir.Read) else value


def _is_structure(value: Any) -> bool:
    """Nodes, types, views, references, carries and callees: records that hold extents or variables."""
    return is_dataclass(value) and type(value).__module__ in ("pypto_lsp.ir.types", "pypto_lsp.ir.nodes")


__all__ = ["Difference", "difference", "structural_equal", "structural_hash"]
