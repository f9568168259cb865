"""Types of the IR.

Two kinds of "not known" are kept apart. :class:`UnknownType` is the compiler's own ``pl.UnknownType``, a type like any
other. :data:`UNDETERMINED` is ours: the compiler knows the type, we cannot tell it; every rule is silent about it. Inside a
type, a ``None`` dtype, a ``None`` shape (rank not known) and an :class:`~pypto_lsp.ir.nodes.OpaqueInt` extent say the
same of a part.

An extent is a Python int (perhaps an :class:`Extent` that knows where it came from) or a scalar IR expression.
All types are immutable and compare by structure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from pypto_lsp.ir.dtypes import DType

if TYPE_CHECKING:
    from pypto_lsp.ir.nodes import Expr
    from pypto_lsp.text.span import Span

    Dim: TypeAlias = int | Expr


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a static value came from.

    ``span`` is the literal or expression that made it, ``name`` the constant it is bound to, ``literal`` whether the
    span is a numeric literal that an edit may replace, ``inputs`` the origins of the operands of an expression.
    """

    span: Span
    name: str | None = None
    literal: bool = False
    inputs: tuple[Origin, ...] = ()

    def literals(self) -> list[Origin]:
        """All literals that this value was computed from, nearest first."""
        found = [self] if self.literal else []
        for source in self.inputs:
            found.extend(source.literals())
        return found


class Extent(int):
    """An int that knows its :class:`Origin`. Equal to, and hashed as, the plain int; arithmetic gives plain ints."""

    origin: Origin

    def __new__(cls, value: int, origin: Origin) -> Extent:
        self = super().__new__(cls, value)
        self.origin = origin
        return self


def origin_of(value: object) -> Origin | None:
    return value.origin if isinstance(value, Extent) else None


@dataclass(frozen=True, slots=True)
class Type:
    """Base of all types."""


@dataclass(frozen=True, slots=True)
class Undetermined(Type):
    """Not known to us (see the module's docstring)."""


UNDETERMINED = Undetermined()


@dataclass(frozen=True, slots=True)
class UnknownType(Type):
    """The compiler's own unknown type."""


UNKNOWN = UnknownType()


@dataclass(frozen=True, slots=True)
class ScalarType(Type):
    dtype: DType | None


@dataclass(frozen=True, slots=True)
class TensorView:
    """``valid_shape`` and ``stride`` are empty when absent. layout and pad are member names of the DSL enums."""

    valid_shape: tuple[Dim, ...] = ()
    stride: tuple[Dim, ...] = ()
    layout: str = "ND"
    pad: str = "null"


@dataclass(frozen=True, slots=True)
class MemRef:
    """A memory reference annotation: ``base`` its declared name or the name of its variable, the rest when given."""

    base: str | None = None
    byte_offset: Any = None
    size: Any = None
    slots: int | None = None
    slot_index: Any = None


@dataclass(frozen=True, slots=True)
class TensorType(Type):
    """A global-memory tensor. shape in elements; None when the rank is not known."""

    dtype: DType | None
    shape: tuple[Dim, ...] | None
    view: TensorView | None = None
    memref: MemRef | None = None


@dataclass(frozen=True, slots=True)
class DistributedTensorType(Type):
    """A tensor in a communication window; a kind of its own, never equal to a TensorType."""

    dtype: DType | None
    shape: tuple[Dim, ...] | None
    view: TensorView | None = None
    memref: MemRef | None = None
    window_buffer: str | None = None


@dataclass(frozen=True, slots=True)
class TileView:
    """Explicit view of a tile. A field that is None has the implicit value of the tile's memory space.

    ``valid_shape`` is empty when it equals the shape.
    """

    valid_shape: tuple[Dim, ...] = ()
    stride: tuple[Dim, ...] = ()
    start_offset: Any = None
    blayout: str | None = None
    slayout: str | None = None
    fractal: int | None = None
    pad: str = "null"
    compact: str = "null"


@dataclass(frozen=True, slots=True)
class TileType(Type):
    """An on-chip tile. ``memory`` is a member name of MemorySpace, None when it carries none."""

    dtype: DType | None
    shape: tuple[Dim, ...] | None
    memory: str | None = None
    view: TileView | None = None
    memref: MemRef | None = None


@dataclass(frozen=True, slots=True)
class ArrayType(Type):
    dtype: DType | None
    extent: Dim | None


@dataclass(frozen=True, slots=True)
class TupleType(Type):
    types: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class HandleType(Type):
    """An opaque handle, by its DSL spelling: ``pl.Ptr``, ``pl.MemRefType``, ``pld.WindowBufferType``,
    ``pld.CommCtxType``, ``pl.PrefetchAsyncContext``, ``pl.AsyncEvent``, ``pl.AsyncSession``."""

    name: str


@dataclass(frozen=True, slots=True)
class NoneType(Type):
    """The result of a call that gives nothing."""


NONE = NoneType()


def result_type(types: tuple[Type, ...]) -> Type:
    """The type of a call of a function that gives back values of ``types``."""
    return UNKNOWN if not types else types[0] if len(types) == 1 else TupleType(types)


TENSORS = (TensorType, DistributedTensorType)
SHAPED = (TensorType, DistributedTensorType, TileType)


def kind_name(type_: Type) -> str:
    """The word for a type's kind in messages: Tensor, DistributedTensor, Tile, Scalar, Array, Tuple, ..."""
    if isinstance(type_, HandleType):
        return type_.name.split(".")[-1]
    return type(type_).__name__.removesuffix("Type")
