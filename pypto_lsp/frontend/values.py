"""Static values that are not plain Python values.

Plain values stand for themselves: int (as :class:`~pypto_lsp.ir.types.Extent` where the origin is known), float, bool, str,
None, :class:`~pypto_lsp.ir.dtypes.DType`, :class:`~pypto_lsp.ir.enums.EnumMember`. Everything here is immutable and compares
by what it means, so that two evaluations of one text give equal values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pypto_lsp.syntax import nodes as syntax

if TYPE_CHECKING:
    from pypto_lsp.frontend.static import Environment


@dataclass(frozen=True, slots=True)
class OpaqueValue:
    """A value we cannot compute. ``name`` identifies it (module path and name); equal names are equal values."""

    name: str


@dataclass(frozen=True, slots=True)
class DynamicSymbol:
    """``pl.dynamic("M")``; equal names are one symbol."""

    name: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list or tuple; ``kind`` is ``list``, ``tuple``, ``set``, ``frozenset`` or ``range``."""

    kind: str
    items: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Mapping:
    """A dict, as (key, value) pairs in order."""

    items: tuple[tuple[Any, Any], ...]


@dataclass(frozen=True, slots=True)
class Namespace:
    """The DSL's own modules: ``path`` is ``pl``, ``pl.tile``, ``pl.jit``, ``pld``, ``pld.system``, ... An attribute that is
    no enum member or dtype gives a Namespace again (``pl.add``)."""

    path: str


@dataclass(frozen=True, slots=True)
class ModuleRef:
    """An imported module of the workspace (``path`` its file) or, with an empty path, one that is not part of it."""

    name: str
    path: str


@dataclass(frozen=True, slots=True, eq=False)
class FunctionValue:
    """A plain Python function (or lambda) of the workspace, with the environment it was defined in."""

    node: syntax.FunctionDef | syntax.Lambda
    env: Environment


@dataclass(frozen=True, slots=True, eq=False)
class KernelRef:
    """A function decorated with ``@pl.jit*``, ``@pl.function`` or ``@pl.inline``.

    ``flavour`` is ``jit``, ``jit.host``, ``jit.incore``, ``jit.inline``, ``jit.opaque``, ``jit.extern``, ``function`` or
    ``inline``; ``decorator`` the decorator expression; ``env`` the environment of the definition (a factory's locals
    included). Two references to one definition in one environment are the same object.
    """

    node: syntax.FunctionDef
    flavour: str
    decorator: syntax.Expr
    env: Environment


@dataclass(frozen=True, slots=True, eq=False)
class ProgramRef:
    """A class decorated with ``@pl.program``."""

    node: syntax.ClassDef
    decorator: syntax.Expr
    env: Environment


@dataclass(frozen=True, slots=True, eq=False)
class ClassValue:
    """A plain class of the workspace."""

    node: syntax.ClassDef
    env: Environment


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of a workspace class with the fields that are known."""

    cls: ClassValue
    fields: tuple[tuple[str, Any], ...]

    def get(self, name: str) -> Any:
        """The field's value. Raises KeyError when it is not known."""
        for key, value in self.fields:
            if key == name:
                return value
        raise KeyError(name)
