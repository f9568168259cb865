"""What deduction rules ask of their arguments: kinds, element types, extents, attributes.

Each function takes the bound call and a parameter's name. It gives the argument's value, or None where we cannot tell (and
the rule then concludes nothing from it), or raises :class:`OpFault` naming the parameter.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.arith import Dim, dim_of, dtype_of, is_exact
from pypto_lsp.ir.dtypes import FP32, DType
from pypto_lsp.ir.enums import ENUMS, EnumMember
from pypto_lsp.ir.nodes import ConstBool, ConstFloat, ConstInt, ErrorExpr, Expr, MakeTuple, OpaqueInt, StaticValue
from pypto_lsp.ir.printer_types import print_dims, print_type
from pypto_lsp.ir.types import (
    SHAPED,
    TENSORS,
    UNDETERMINED,
    DistributedTensorType,
    ScalarType,
    TensorType,
    TileType,
    TupleType,
    Type,
    kind_name,
)
from pypto_lsp.ops.registry import MISSING, Arg, OpCall, OpFault

AnyTensor = TensorType | DistributedTensorType
Shaped = TensorType | DistributedTensorType | TileType
#: enumerations whose members the compiler stores as numbers
STORED_AS_NUMBER = ("AtomicType", "CoreType", "NotifyOp", "PipeType", "SplitMode", "WaitCmp")

# --- words for messages --------------------------------------------------------------------------------------------


def describe_type(type_: Type) -> str:
    """A type in few words: ``FP32[64, 128]``, ``an INT32 scalar``, ``a Tile BF16[16, 16]``."""
    if isinstance(type_, SHAPED):
        dtype = type_.dtype.name if type_.dtype else "?"
        return f"{dtype}{print_dims(type_.shape) or '[?]'}"
    if isinstance(type_, ScalarType):
        return f"a scalar of {type_.dtype.name}" if type_.dtype else "a scalar"
    return print_type(type_) or kind_name(type_)


def describe(arg: Arg) -> str:
    """An argument in few words."""
    value = arg.python
    if value is not MISSING:
        return str(value) if isinstance(value, DType | EnumMember) else repr(value)
    if isinstance(arg.expr, MakeTuple):
        return "a list"
    if isinstance(arg.expr, ConstInt | ConstFloat):
        return f"the constant {arg.expr.value}"
    if isinstance(arg.type, SHAPED):
        return f"a {kind_name(arg.type)} {describe_type(arg.type)}"
    return describe_type(arg.type)


def names(dtypes: Collection[DType]) -> str:
    """``FP16, FP32 or INT32``."""
    words = [d.name for d in dtypes]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


# --- kinds ---------------------------------------------------------------------------------------------------------


def is_open(type_: Type) -> bool:
    """Whether nothing at all is known of a type."""
    return type_ is UNDETERMINED or type_ == UNDETERMINED


def _faulty(arg: Arg) -> bool:
    return isinstance(arg.expr, ErrorExpr)


def is_unknown(arg: Arg) -> bool:
    """Whether we cannot tell what an argument is: a fault was reported there, or its value or type is not known to us."""
    if isinstance(arg.expr, ErrorExpr | OpaqueInt):
        return True
    if isinstance(arg.expr, StaticValue):
        return arg.static is MISSING
    return arg.python is MISSING and not isinstance(arg.expr, MakeTuple) and is_open(arg.type)


def _of_kind(call: OpCall, name: str, kinds: tuple[type[Type], ...], expected: str) -> Any:
    arg = call.get(name)
    if arg is None or _faulty(arg):
        return None
    if arg.python is MISSING and not isinstance(arg.expr, MakeTuple):
        if is_open(arg.type):
            return None
        if isinstance(arg.type, kinds):
            return arg.type
    raise OpFault(faults.WRONG_KIND, name, expected=expected, got=describe(arg))


def tensor(call: OpCall, name: str) -> AnyTensor | None:
    """The type of an operand that must be a Tensor or DistributedTensor."""
    return _of_kind(call, name, TENSORS, "a Tensor")


def plain_tensor(call: OpCall, name: str) -> TensorType | None:
    """The type of an operand that must be a Tensor, not a DistributedTensor."""
    return _of_kind(call, name, (TensorType,), "a Tensor")


def distributed(call: OpCall, name: str) -> DistributedTensorType | None:
    """The type of an operand that must be a DistributedTensor."""
    return _of_kind(call, name, (DistributedTensorType,), "a DistributedTensor")


def tile(call: OpCall, name: str) -> TileType | None:
    """The type of an operand that must be a Tile."""
    return _of_kind(call, name, (TileType,), "a Tile")


def is_scalar(arg: Arg) -> bool:
    """Whether an argument is a scalar or a Python number."""
    value = arg.python
    if value is not MISSING:
        return isinstance(value, int | float)
    return isinstance(arg.type, ScalarType)


def scalar(call: OpCall, name: str) -> ScalarType | None:
    """The type of an operand that must be a scalar expression (no Python value)."""
    return _of_kind(call, name, (ScalarType,), "a Scalar")


# --- element types -------------------------------------------------------------------------------------------------


def require_dtype(name: str, dtype: DType | None, allowed: Collection[DType], *, until: str | None = None) -> None:
    """Fault an element type that is not one of ``allowed``; the parameters up to ``until`` share it."""
    if dtype is not None and dtype not in allowed:
        raise OpFault(faults.WRONG_DTYPE, name, until=until, expected=names(allowed), got=dtype.name)


def require_same_dtype(name: str, dtype: DType | None, other: str, wanted: DType | None) -> None:
    """Fault an element type that differs from that of another parameter."""
    if dtype is not None and wanted is not None and dtype is not wanted:
        raise OpFault(faults.DTYPE_MISMATCH, name, other=other, got=dtype.name, wanted=wanted.name)


def dtype_argument(call: OpCall, name: str, default: DType | None = None) -> DType | None:
    """A parameter that takes a DataType."""
    arg = call.get(name)
    if arg is None:
        return default
    if isinstance(arg.static, DType):
        return arg.static
    if is_unknown(arg):
        return None
    raise OpFault(faults.WRONG_KIND, name, expected="a data type such as pl.FP32", got=describe(arg))


# --- lists of extents ----------------------------------------------------------------------------------------------


def extents(call: OpCall, name: str) -> tuple[Dim, ...] | None:
    """The entries of a list or tuple argument as extents; None when its length is not known.

    Raises OpFault when the argument is no list, or a Python list of lists. The entries are not checked otherwise.
    """
    arg = call.get(name)
    if arg is None or _faulty(arg):
        return None
    if isinstance(arg.python, list | tuple) and any(isinstance(entry, list | tuple) for entry in arg.python):
        raise OpFault(faults.WRONG_KIND, name, expected="a list of extents", got="a list of lists")
    elements = arg.elements()
    if elements is not None:
        return tuple(dim_of(e) for e in elements)
    value = arg.static
    if isinstance(value, list | tuple):
        return tuple(_entry(v, arg) for v in value)
    if arg.python is MISSING and isinstance(arg.type, TupleType):
        return None
    if arg.python is MISSING and is_open(arg.type):
        return None
    raise OpFault(faults.WRONG_KIND, name, expected="a list of extents", got=describe(arg))


def _entry(value: Any, arg: Arg) -> Dim:
    """An entry of a Python list as an extent."""
    match value:
        case bool():
            return ConstBool(value, arg.span)
        case int():
            return value
        case float():
            return ConstFloat(value, FP32, arg.span)
        case Expr():
            return dim_of(value)
        case _:
            return StaticValue(value, arg.span)


def require_integers(name: str, dims: Sequence[Dim] | None, allowed: Collection[DType] | None = None) -> None:
    """Fault an entry that is no integer scalar, or not of an allowed dtype. BOOL is no integer."""
    for index, dim in enumerate(dims or ()):
        if not _integer(dim, allowed):
            expected = "an integer" if allowed is None else f"an integer of {names(allowed)}"
            raise OpFault(faults.NOT_AN_EXTENT, name, index=index, expected=expected, got=_describe_dim(dim))


def _integer(dim: Dim, allowed: Collection[DType] | None) -> bool:
    if not isinstance(dim, Expr):
        return True
    if is_open(dim.type):
        return True
    dtype = dtype_of(dim)
    if dtype is None:
        return isinstance(dim.type, ScalarType)
    return dtype.is_int if allowed is None else dtype in allowed


def _describe_dim(dim: Any) -> str:
    return describe_type(dim.type) if isinstance(dim, Expr) else repr(dim)


def require_length(name: str, dims: Sequence[Any] | None, length: int | None, of: str) -> None:
    """Fault a list whose length is not the rank of something (``of`` says of what)."""
    if dims is not None and length is not None and len(dims) != length:
        raise OpFault(faults.WRONG_RANK, name, expected=f"{length} entries ({of})", got=f"{len(dims)}")


def require_rank(name: str, type_: Shaped | None, rank: int) -> None:
    """Fault an operand of another rank."""
    if type_ is not None and type_.shape is not None and len(type_.shape) != rank:
        raise OpFault(faults.WRONG_RANK, name, expected=f"rank {rank}", got=f"rank {len(type_.shape)}")


def require_min_rank(name: str, type_: Shaped | None, rank: int) -> None:
    """Fault an operand of fewer dimensions."""
    if type_ is not None and type_.shape is not None and len(type_.shape) < rank:
        raise OpFault(faults.WRONG_RANK, name, expected=f"at least rank {rank}", got=f"rank {len(type_.shape)}")


# --- attributes ----------------------------------------------------------------------------------------------------


def attribute(call: OpCall, name: str, default: Any = None) -> Any:
    """The Python value of an attribute parameter: ``default`` when not given, MISSING when it cannot be told.

    Raises OpFault for an argument that reaches the wrapper as an IR expression (a literal or name by position, a scalar).
    """
    arg = call.get(name)
    if arg is None:
        return default
    value = arg.python
    if value is not MISSING or is_unknown(arg):
        return value
    if arg.static is not MISSING:
        raise OpFault(faults.POSITIONAL_LITERAL, name)
    raise OpFault(faults.WRONG_KIND, name, expected="a Python value", got=describe(arg))


def flag(call: OpCall, name: str, default: bool = False) -> bool | None:
    """A strict boolean attribute: True and False only."""
    value = attribute(call, name, default)
    if value is MISSING:
        return None
    if not isinstance(value, bool):
        raise OpFault(faults.WRONG_KIND, name, expected="True or False", got=repr(value))
    return value


def loose_flag(call: OpCall, name: str, default: bool = False) -> bool | None:
    """A boolean attribute of which only the truth value counts; any object but a scalar of the kernel will do."""
    arg = call.get(name)
    if arg is None:
        return default
    if arg.python is not MISSING:
        return bool(arg.python)
    if isinstance(arg.expr, ConstInt | ConstFloat):
        return True
    if is_unknown(arg):
        return None
    if isinstance(arg.type, ScalarType):
        raise OpFault(faults.WRONG_KIND, name, expected="True or False as a keyword argument", got=describe(arg))
    return True


def member(call: OpCall, name: str, enum: str, default: str | None = None) -> str | None:
    """The name of an enum member; ``default`` when not given, None when it cannot be told."""
    value = attribute(call, name, default)
    if value is default or value is MISSING:
        return None if value is MISSING else default
    if isinstance(value, EnumMember) and value.enum == enum:
        return value.name
    raise OpFault(faults.WRONG_MEMBER, name, expected=", ".join(ENUMS[enum]), got=str(value))


def integer(call: OpCall, name: str, default: int | None = None) -> int | None:
    """A strict integer attribute (no bool, no None); members of some enumerations are stored as their number."""
    if call.get(name) is None:
        return default
    value = attribute(call, name)
    if value is MISSING:
        return None
    if isinstance(value, EnumMember) and value.enum in STORED_AS_NUMBER:
        return ENUMS[value.enum].index(value.name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise OpFault(faults.WRONG_KIND, name, expected="an integer", got=repr(value))
    return int(value)


def constant_integer(call: OpCall, name: str, default: int | None = None) -> int | None:
    """An integer that may also be a literal by position (``axis``); None when not known or not given."""
    arg = call.get(name)
    if arg is None:
        return default
    if is_unknown(arg):
        return None
    if isinstance(arg.python, int) or (isinstance(arg.static, int) and not isinstance(arg.static, bool)):
        return int(arg.static)
    if isinstance(arg.expr, ConstInt):
        return int(arg.expr.value)
    if arg.python is MISSING and not is_exact(arg.expr):
        return None
    kind = faults.NOT_CONSTANT if isinstance(arg.type, ScalarType) else faults.WRONG_KIND
    raise OpFault(kind, name, expected="an integer", got=describe(arg))
