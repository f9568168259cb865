"""Types and the expressions inside them as the compiler prints them (reference: project docs, printed IR).

A constant inside a composite extent is printed with its dtype (``n * pl.const(2, pl.INDEX)``), a bare extent is a number.
What is not fully known has no printed form: the functions then give None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pypto_lsp.ir.arith import Dim, const_value, same_structure
from pypto_lsp.ir.dtypes import FP32, INDEX, DType
from pypto_lsp.ir.nodes import (
    Binary,
    Call,
    ConstBool,
    ConstFloat,
    ConstInt,
    Expr,
    MakeTuple,
    Read,
    StaticValue,
    TupleGetItem,
    Unary,
    Var,
)
from pypto_lsp.ir.tile_views import implicit_layout
from pypto_lsp.ir.types import (
    ArrayType,
    DistributedTensorType,
    HandleType,
    MemRef,
    ScalarType,
    TensorType,
    TensorView,
    TileType,
    TileView,
    TupleType,
    Type,
    UnknownType,
)


class _NotKnown(Exception):
    """Raised inside this module where a part has no printed form."""


# --- expressions ---------------------------------------------------------------------------------------------------

#: operator -> binding strength; a weaker operand goes into parentheses
_STRENGTH = {
    "or": 1, "and": 3, "not": 4, "==": 5, "!=": 5, "<": 5, "<=": 5, ">": 5, ">=": 5, "|": 6, "^": 7, "&": 8, "<<": 9,
    ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "//": 11, "%": 11, "unary": 12, "**": 13,
}  # fmt: skip
_ATOM = 99


def _strength(expr: Expr) -> int:
    if isinstance(expr, Binary):
        return _STRENGTH.get(expr.op, _ATOM)
    if isinstance(expr, Unary):
        return {"not": _STRENGTH["not"], "-": _STRENGTH["unary"], "~": _STRENGTH["unary"]}.get(expr.op, _ATOM)
    return _ATOM


def _typed_const(value: str, dtype: DType) -> str:
    return f"pl.const({value}, {dtype})"


#: how an operand is written
Render = Callable[[Expr], str]


def _operand(parent: Binary, child: Expr, render: Render, *, left: bool) -> str:
    text, outer, inner = render(child), _strength(parent), _strength(child)
    return f"({text})" if inner < outer or (inner == outer and not left) else text


def binary_text(expr: Binary, render: Render) -> str:
    """A binary operation with as few parentheses as it needs."""
    if expr.op in ("min", "max"):
        return f"pl.{expr.op}({render(expr.left)}, {render(expr.right)})"
    left, right = _operand(expr, expr.left, render, left=True), _operand(expr, expr.right, render, left=False)
    return f"{left} {expr.op} {right}"


def unary_text(expr: Unary, render: Render) -> str:
    """A unary operation or a cast."""
    if expr.op == "cast":
        dtype = expr.type.dtype if isinstance(expr.type, ScalarType) else None
        if dtype is None:
            raise _NotKnown
        return f"pl.cast({render(expr.operand)}, {dtype})"
    if expr.op == "abs":
        return f"abs({render(expr.operand)})"
    inner = render(expr.operand)
    sign = "not " if expr.op == "not" else expr.op
    return f"{sign}({inner})" if _strength(expr.operand) < _strength(expr) else f"{sign}{inner}"


def _call(expr: Call) -> str:
    if not isinstance(expr.op, str) or expr.kwargs:
        raise _NotKnown
    head = expr.op if expr.op.startswith("pld.") else f"pl.{expr.op}"
    return f"{head}({', '.join(_expr(a) for a in expr.args)})"


def _float(value: float) -> str:
    return repr(float(value))


def _expr(expr: Expr) -> str:
    match expr:
        case Var(name=name):
            return name
        case Read(var=var):
            return var.name
        case ConstInt(value=value, dtype=dtype):
            return _typed_const(str(int(value)), dtype)
        case ConstFloat(value=value, dtype=dtype):
            return _float(value) if dtype is FP32 else _typed_const(_float(value), dtype)
        case ConstBool(value=value):
            return str(value)
        case Binary():
            return binary_text(expr, _expr)
        case Unary():
            return unary_text(expr, _expr)
        case Call():
            return _call(expr)
        case TupleGetItem(tuple=source, index=index):
            return f"{_expr(source)}[{index}]"
        case MakeTuple(elements=elements):
            return f"[{', '.join(_expr(e) for e in elements)}]"
        case StaticValue(value=DType() as dtype):
            return str(dtype)
        case _:
            raise _NotKnown


def _dim(dim: Dim) -> str:
    value = const_value(dim)
    if value is not None:
        return str(int(value))
    assert isinstance(dim, Expr)
    return _expr(dim)


def print_dim(dim: Dim) -> str | None:
    """An extent as the compiler prints it inside a type."""
    try:
        return _dim(dim)
    except _NotKnown:
        return None


def print_dims(dims: Sequence[Dim] | None) -> str | None:
    """A shape with its brackets: ``[64, n]``."""
    if dims is None:
        return None
    try:
        return _dims(dims)
    except _NotKnown:
        return None


def _dims(dims: Iterable[Dim]) -> str:
    return f"[{', '.join(_dim(d) for d in dims)}]"


# --- types ---------------------------------------------------------------------------------------------------------


def _head(dtype: DType | None, shape: Sequence[Dim] | None) -> list[str]:
    if dtype is None or shape is None:
        raise _NotKnown
    return [_dims(shape), str(dtype)]


def _plainly_equal(left: Sequence[Dim], right: Sequence[Dim]) -> bool:
    """The printer's own test: only constants and the same variable are equal."""
    same = (a is b or (const_value(a) is not None and const_value(a) == const_value(b)) for a, b in zip(left, right))
    return len(left) == len(right) and all(same)


def _tensor_view(view: TensorView, shape: Sequence[Dim]) -> str:
    parts: list[str] = []
    if view.valid_shape and not _plainly_equal(view.valid_shape, shape):
        parts.append(f"valid_shape={_dims(view.valid_shape)}")
    if parts or view.stride or view.layout != "ND" or view.pad != "null":
        parts.append(f"stride={_dims(view.stride)}")
        parts.append(f"layout=pl.TensorLayout.{view.layout}")
        if view.pad != "null":
            parts.append(f"pad=pl.PadValue.{view.pad}")
    return f"pl.TensorView({', '.join(parts)})"


def _tensor(type_: TensorType | DistributedTensorType) -> str:
    parts = _head(type_.dtype, type_.shape)
    if type_.view is not None:
        parts.append(_tensor_view(type_.view, type_.shape or ()))
    if type_.memref is not None:
        parts.append(_memref(type_.memref))
    head = "pld.DistributedTensor" if isinstance(type_, DistributedTensorType) else "pl.Tensor"
    return f"{head}[{', '.join(parts)}]"


def _tile_view(view: TileView, shape: Sequence[Dim], memory: str | None) -> str:
    implicit = implicit_layout(shape, memory)
    parts: list[str] = []
    full = not view.valid_shape or (
        len(view.valid_shape) == len(shape) and all(same_structure(a, b) for a, b in zip(view.valid_shape, shape))
    )
    if not full:
        parts.append(f"valid_shape={_dims(view.valid_shape)}")
    if view.stride:
        parts.append(f"stride={_dims(view.stride)}")
    if view.start_offset is not None:
        parts.append(f"start_offset={_dim(view.start_offset)}")
    for name, value, default in (
        ("blayout", view.blayout, implicit.blayout),
        ("slayout", view.slayout, implicit.slayout),
    ):
        if value is not None and value != default:
            parts.append(f"{name}=pl.TileLayout.{value}")
    if view.fractal is not None and view.fractal != implicit.fractal:
        parts.append(f"fractal={view.fractal}")
    if view.pad != "null":
        parts.append(f"pad=pl.PadValue.{view.pad}")
    if view.compact != "null":
        parts.append(f"compact=pl.CompactMode.{view.compact}")
    return f"pl.TileView({', '.join(parts)})"


def _tile(type_: TileType) -> str:
    parts = _head(type_.dtype, type_.shape)
    if type_.memref is not None:
        parts.append(_memref(type_.memref))
    if type_.memory is not None:
        parts.append(f"pl.Mem.{type_.memory}")
    if type_.view is not None:
        parts.append(_tile_view(type_.view, type_.shape or (), type_.memory))
    return f"pl.Tile[{', '.join(parts)}]"


def _memref(ref: MemRef) -> str:
    """A declared reference carries neither address nor size; an allocated one carries both."""
    parts: list[str] = []
    if ref.base is not None:
        parts.append(f'"{ref.base}"')
    if ref.size is not None:
        offset = ref.byte_offset if isinstance(ref.byte_offset, Expr) else ConstInt(ref.byte_offset or 0, INDEX)
        parts.append(_expr(offset))
        parts.append(str(ref.size))
    if ref.slots is not None and ref.slots > 1:
        parts.append(f"slots={ref.slots}")
    slot = "" if ref.slot_index is None else f"[{_dim(ref.slot_index)}]"
    return f"pl.MemRef({', '.join(parts)}){slot}"


def _scalar(type_: ScalarType) -> str:
    if type_.dtype is None:
        raise _NotKnown
    return f"pl.Scalar[{type_.dtype}]"


def _array(type_: ArrayType) -> str:
    if type_.dtype is None or type_.extent is None:
        raise _NotKnown
    return f"pl.Array[{_dim(type_.extent)}, {type_.dtype}]"


def _tuple(type_: TupleType) -> str:
    return f"pl.Tuple[{', '.join(_type(t) for t in type_.types) or '()'}]"


_PRINTERS: dict[type[Type], Callable] = {
    ScalarType: _scalar,
    TensorType: _tensor,
    DistributedTensorType: _tensor,
    TileType: _tile,
    ArrayType: _array,
    TupleType: _tuple,
    HandleType: lambda type_: type_.name,
    UnknownType: lambda type_: "pl.UnknownType",
}


def _type(type_: Type) -> str:
    printer = _PRINTERS.get(type(type_))
    if printer is None:
        raise _NotKnown
    return printer(type_)


def print_type(type_: Type) -> str | None:
    """A type as the compiler prints it (``pl.Tensor[[64, 32], pl.FP32]``); None when any part is not determined."""
    try:
        return _type(type_)
    except _NotKnown:
        return None
