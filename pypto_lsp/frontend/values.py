"""Static values that are not plain Python values.

Plain values stand for themselves: int (as :class:`~pypto_lsp.ir.types.Extent` where the origin is known), float, bool, str,
None, :class:`~pypto_lsp.ir.dtypes.DType`, :class:`~pypto_lsp.ir.enums.EnumMember`. Everything here is immutable and compares
by what it means, so that two evaluations of one text give equal values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pypto_lsp.syntax import nodes as syntax

if TYPE_CHECKING:
    from pypto_lsp.frontend.static_classes import ClassBody
    from pypto_lsp.frontend.static_scope import Environment


@dataclass(frozen=True, slots=True)
class OpaqueValue:
    """A value we cannot compute. ``name`` identifies it (module path and name); equal names are equal values."""

    name: str


@dataclass(frozen=True, slots=True)
class DynamicSymbol:
    """``pl.dynamic("M")``; equal names are one symbol."""

    name: str


@dataclass(frozen=True, slots=True)
class DynamicExpression:
    """Arithmetic over dynamic symbols (``M + 1``): ``op`` is the Python operator, the operands are ints, symbols or
    expressions of this kind; nothing is folded. ``size`` counts operators, ``depth`` those inside of one another."""

    op: str
    left: Any
    right: Any
    size: int = field(init=False, compare=False, repr=False)
    depth: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        parts = [part for part in (self.left, self.right) if isinstance(part, DynamicExpression)]
        object.__setattr__(self, "size", 1 + sum(part.size for part in parts))
        object.__setattr__(self, "depth", 1 + max((part.depth for part in parts), default=0))


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


class _Definition:
    """A function or class with the environment of its definition.

    Equal are two references to one piece of syntax (whose identity outlives edits elsewhere) in environments that are
    alike: of the same file, with equal locals where a factory made them. That says nothing of the module globals that a
    body reads; who keeps results of a body compares the values of the names it used.
    """

    __slots__ = ()
    node: Any
    env: Environment

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, _Definition)
        return self.node is other.node and self.env.alike(other.env)

    def __hash__(self) -> int:
        return hash((id(self.node), self.env.module.path))


@dataclass(frozen=True, slots=True, eq=False)
class FunctionValue(_Definition):
    """A plain Python function (or lambda) of the workspace, with the environment it was defined in."""

    node: syntax.FunctionDef | syntax.Lambda
    env: Environment
    #: values of the parameter defaults by parameter name, from when the function was defined
    defaults: tuple[tuple[str, Any], ...] = ()


#: flavours of kernels that are compiled by themselves
ENTRIES = ("jit", "jit.host")


@dataclass(frozen=True, slots=True, eq=False)
class KernelRef(_Definition):
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
class ProgramRef(_Definition):
    """A class decorated with ``@pl.program``."""

    node: syntax.ClassDef
    decorator: syntax.Expr
    env: Environment


#: classes whose comparison is going on, by identity
_COMPARED: set[tuple[int, int]] = set()


@dataclass(frozen=True, slots=True, eq=False)
class ClassValue(_Definition):
    """A plain class of the workspace. ``body`` is what the evaluator knows of it and compares with the rest."""

    node: syntax.ClassDef
    env: Environment
    body: ClassBody

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ClassValue):
            return NotImplemented
        if self is other:
            return True
        pair = (id(self), id(other))
        if pair in _COMPARED:  # a class that holds an instance of itself: equal if nothing else tells them apart
            return True
        if _Definition.__eq__(self, other) is not True:
            return False
        _COMPARED.add(pair)
        try:
            return self.body.constants() == other.body.constants()
        finally:
            _COMPARED.discard(pair)

    def __hash__(self) -> int:
        return _Definition.__hash__(self)


@dataclass(frozen=True, slots=True)
class DslExpression:
    """A call or subscript of a name of the DSL, kept as it is written (``KV = pl.Tensor[[64, D], pl.BF16]``).

    ``node`` is the expression, ``path`` the called or subscripted name as :class:`Namespace` has it, ``env`` the environment
    that its names are to be looked up in.
    """

    path: str
    node: syntax.Expr
    env: Environment

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DslExpression):
            return NotImplemented
        return self is other or (
            self.path == other.path and self.node.text == other.node.text and self.env.alike(other.env)
        )

    def __hash__(self) -> int:
        return hash((self.path, self.env.module.path))


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of a workspace class with the fields that are known; ``cls`` is None for the result of an argument
    parser."""

    cls: ClassValue | None
    fields: tuple[tuple[str, Any], ...]

    def get(self, name: str) -> Any:
        """The field's value. Raises KeyError when it is not known."""
        for key, value in self.fields:
            if key == name:
                return value
        raise KeyError(name)

    @property
    def number(self) -> int | None:
        """The integer that a member of an IntEnum is; None for any other instance."""
        if self.cls is None or not self.cls.body.is_int_enum:
            return None
        return next((value for key, value in self.fields if key == "value" and isinstance(value, int)), None)


def as_number(value: Any) -> Any:
    """A value, a member of an IntEnum as the integer that it is."""
    number = value.number if isinstance(value, Instance) else None
    return value if number is None else number
