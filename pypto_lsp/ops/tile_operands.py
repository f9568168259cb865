"""What the rules of tile operators share: operands, scalar operands and the views of results."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir import arith
from pypto_lsp.ir.arith import Dim, const_value, is_exact
from pypto_lsp.ir.dtypes import DTYPES, DType
from pypto_lsp.ir.enums import ENUMS
from pypto_lsp.ir.nodes import ConstFloat, ConstInt, ErrorExpr, Expr, MakeTuple, OpaqueInt
from pypto_lsp.ir.tile_views import TileLayout, layout_of, settled, valid_of
from pypto_lsp.ir.types import ScalarType, TileType, TupleType, UnknownType
from pypto_lsp.ops import operands
from pypto_lsp.ops.regions import Dims
from pypto_lsp.ops.registry import MISSING, Arg, OpCall, OpFault
from pypto_lsp.ops.slices import INDEX_LIKE

# --- arguments -----------------------------------------------------------------------------------------------------


def given(call: OpCall, name: str) -> bool:
    """Whether an optional argument is there; a ``None`` that reaches the wrapper as such is none."""
    arg = call.get(name)
    return arg is not None and arg.python is not None


def optional_tile(call: OpCall, name: str) -> TileType | None:
    """The type of an optional Tile operand; None also when it is not given."""
    return operands.tile(call, name) if given(call, name) else None


def required_member(call: OpCall, name: str, enum: str) -> str | None:
    """The name of an enum member that must be given; ``None`` written out is no member. None when it cannot be told."""
    if call.get(name) is not None and not given(call, name):
        raise OpFault(faults.WRONG_MEMBER, name, expected=", ".join(ENUMS[enum]), got="None")
    return operands.member(call, name, enum)


def word(call: OpCall, name: str, choices: Sequence[str], default: str | None = None) -> str | None:
    """A choice among strings; None when it cannot be told, or when it was not given and has no default."""
    value = operands.attribute(call, name, default)
    if value is MISSING or value is default:
        return None if value is MISSING else default
    if isinstance(value, str) and value in choices:
        return value
    raise OpFault(faults.WRONG_MEMBER, name, expected=", ".join(choices), got=repr(value))


def strict_text(call: OpCall, name: str) -> None:
    """Fault an attribute that is no string."""
    value = operands.attribute(call, name, "")
    if value is not MISSING and not isinstance(value, str):
        raise OpFault(faults.WRONG_KIND, name, expected="a string", got=repr(value))


def strict_integer(call: OpCall, name: str) -> int | None:
    """An integer attribute that must not be None; None when it is not given or cannot be told."""
    if call.get(name) is not None and not given(call, name):
        raise OpFault(faults.WRONG_KIND, name, expected="an integer", got="None")
    return operands.integer(call, name)


def optional_integer(call: OpCall, name: str) -> int | None:
    """An integer attribute for which None means that it is not given."""
    return operands.integer(call, name) if given(call, name) else None


def wrapped(call: OpCall, name: str) -> None:
    """Fault what the operator's wrapper cannot take apart: Python values, literals and lists. Any DSL value passes."""
    arg = call.get(name)
    if arg is None or isinstance(arg.expr, ErrorExpr):
        return
    bare = arg.python is not MISSING or isinstance(arg.expr, ConstInt | ConstFloat | MakeTuple)
    if bare or isinstance(arg.type, UnknownType | TupleType):
        raise OpFault(faults.WRONG_KIND, name, expected="a tensor, tile or scalar of the kernel", got=_describe(arg))


def _describe(arg: Arg) -> str:
    return operands.describe(arg)


def truth(call: OpCall, name: str) -> bool | None:
    """A flag of which the wrapper only takes the truth value: any number by position counts as true.

    None when it cannot be told. Raises OpFault for a scalar of the kernel, which has no truth value.
    """
    arg = call.get(name)
    if arg is None:
        return False
    if arg.python is not MISSING:
        return bool(arg.python)
    if isinstance(arg.expr, ErrorExpr | OpaqueInt) or operands.is_open(arg.type):
        return None
    if isinstance(arg.type, ScalarType) and not isinstance(arg.expr, ConstInt | ConstFloat):
        raise OpFault(faults.WRONG_KIND, name, expected="True or False by keyword", got=_describe(arg))
    return True


def index_like(call: OpCall, name: str) -> Dims | None:
    """A list of extents whose entries are INT64, UINT64 or INDEX."""
    dims = operands.extents(call, name)
    arg = call.get(name)
    entries: Sequence[Dim] | None = arg.elements() if arg is not None else None
    check_index_like(name, entries if entries is not None else dims)
    return dims


def check_index_like(name: str, entries: Sequence[Dim] | None) -> None:
    """Fault an entry of a list that is no INT64, UINT64 or INDEX."""
    for index, entry in enumerate(entries or ()):
        if not isinstance(entry, Expr) or isinstance(entry, ErrorExpr) or operands.is_open(entry.type):
            continue
        dtype = entry.type.dtype if isinstance(entry.type, ScalarType) else None
        if dtype not in INDEX_LIKE and not (isinstance(entry.type, ScalarType) and dtype is None):
            got = operands.describe_type(entry.type)
            expected = f"an integer of {operands.names(INDEX_LIKE)}"
            raise OpFault(faults.NOT_AN_EXTENT, name, index=index, expected=expected, got=got)


def index_scalar(call: OpCall, name: str) -> Dim | None:
    """A scalar argument that must be INT64, UINT64 or INDEX, as an extent."""
    arg = call.get(name)
    if arg is None or isinstance(arg.expr, ErrorExpr):
        return None
    if arg.python is not MISSING:
        if isinstance(arg.python, int):
            return int(arg.python)
        raise OpFault(faults.WRONG_KIND, name, expected="an integer", got=_describe(arg))
    if operands.is_open(arg.type):
        return None
    if not isinstance(arg.type, ScalarType):
        raise OpFault(faults.WRONG_KIND, name, expected="an integer scalar", got=_describe(arg))
    operands.require_dtype(name, arg.type.dtype, INDEX_LIKE)
    return arith.dim_of(arg.expr)


def static_shape(call: OpCall, name: str = "shape", *, positive: bool = True) -> Dims | None:
    """A list of positive compile-time constants; an opaque constant passes. Raises OpFault for anything else."""
    dims = operands.extents(call, name)
    if dims is None:
        return None
    if not dims:
        raise OpFault(faults.WRONG_RANK, name, expected="at least one extent", got="none")
    check_static(name, dims, positive=positive)
    return dims


def check_static(name: str, dims: Sequence[Dim], *, positive: bool = True) -> None:
    """Fault an entry of a list that is no (positive) constant."""
    for index, dim in enumerate(dims):
        value = const_value(dim)
        if value is None and is_exact(dim):
            got = operands.describe_type(dim.type) if isinstance(dim, Expr) else repr(dim)
            raise OpFault(faults.NOT_CONSTANT, name, index=index, got=got)
        if positive and value is not None and value <= 0:
            raise OpFault(faults.WRONG_VALUE, name, index=index, reason="needs positive extents", got=value)


def unlike(first: Dims | None, second: Dims | None) -> bool:
    """Whether two shapes of one rank differ in a constant extent."""
    if first is None or second is None:
        return False
    return any(arith.differ(a, b) for a, b in zip(first, second, strict=True))


def require_int_dtype(name: str, dtype: DType | None) -> None:
    """Fault an element type that is no integer (BOOL is none)."""
    if dtype is not None and not dtype.is_int:
        raise OpFault(faults.WRONG_DTYPE, name, expected="an integer type", got=dtype.name)


# --- results -------------------------------------------------------------------------------------------------------


def inherited(
    source: TileType,
    *,
    dtype: DType | None,
    shape: Dims | None = None,
    valid: Dims | None = None,
    memory: str | None = "Vec",
) -> TileType:
    """A result that lies as ``source`` does (block orders, padding, compactness) and holds data where it does."""
    own = layout_of(source)
    return settled(
        dtype,
        source.shape if shape is None else shape,
        memory,
        valid=valid_of(source) if valid is None else valid,
        layout=TileLayout(own.blayout, own.slayout),
        pad=pad_of(source),
        compact=compact_of(source),
    )


def pad_of(tile: TileType) -> str:
    """The padding of a tile."""
    return tile.view.pad if tile.view is not None else "null"


def compact_of(tile: TileType) -> str:
    """The compact mode of a tile."""
    return tile.view.compact if tile.view is not None else "null"


def check_not_empty(name: str, valid: Sequence[Dim] | None) -> None:
    """Fault an operand whose valid region is provably empty, where an operator needs data to work on."""
    for axis, extent in enumerate(valid or ()):
        empty = const_value(extent) == 0 or arith.prove_equal(extent, 0) is True
        if empty:
            reason = f"'{name}' holds no data, its valid extent in dimension {axis} is 0"
            raise OpFault(faults.VALID_REGION, name, reason=reason)


def one_of(dtypes: str) -> Collection[DType]:
    """Element types by their names, in order: ``one_of("FP16 FP32")``."""
    return tuple(DTYPES[name] for name in dtypes.split())
