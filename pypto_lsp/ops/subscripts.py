"""Subscripts of values: ``x[i]``, ``x[0:16, j]``, ``t[1]``, ``arr[i]``, and stores ``out[0:16, :] = y``.

An index drops its axis, a slice keeps it, missing trailing axes are taken whole; indices for all axes read one element. Lower
bounds do not count from the end, and there is no step. A tile's window is static: a dynamic upper bound narrows its valid
region only. Each function gives the IR expression or the fault, whose ``index`` is the position of the subscript's part at
fault.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir import arith
from pypto_lsp.ir.arith import Dim, const_value, dim_of, expr_of, is_exact, unknown_extent
from pypto_lsp.ir.nodes import Call, ConstInt, ErrorExpr, Expr, MakeTuple, Read, TupleGetItem
from pypto_lsp.ir.tile_views import tensor_view, tile_type, valid_of
from pypto_lsp.ir.types import (
    TENSORS,
    UNDETERMINED,
    ArrayType,
    DistributedTensorType,
    ScalarType,
    TensorType,
    TileType,
    TupleType,
    Type,
    kind_name,
)
from pypto_lsp.ops import slices
from pypto_lsp.ops.operands import AnyTensor, describe_type, is_open
from pypto_lsp.ops.regions import Dims, Names, check_region_rank, show, smaller, valid_region
from pypto_lsp.ops.registry import OpFault
from pypto_lsp.text.span import Span


@dataclass(frozen=True, slots=True)
class Window:
    """A slice ``lower:upper`` of a subscript; an absent bound is None."""

    lower: Expr | None
    upper: Expr | None
    has_step: bool = False


Item = Expr | Window
_NAMES = Names(offset="offset", shape="shape", valid="valid_shape", source="")


# --- reading -------------------------------------------------------------------------------------------------------


def read(base: Expr, items: tuple[Item, ...], span: Span | None) -> Expr | OpFault:
    """``base[items]`` as an expression."""
    type_ = base.type
    if isinstance(base, ErrorExpr) or is_open(type_):
        return ErrorExpr(span)
    try:
        check_region_rank(None, type_)
        match type_:
            case TupleType():
                return _tuple_item(base, type_, items, span)
            case TensorType() | DistributedTensorType():
                return _read_tensor(base, type_, items, span)
            case TileType():
                return _read_tile(base, type_, items, span)
            case ArrayType():
                return _array_item(base, type_, items, span)
            case _:
                return OpFault(faults.NOT_SUBSCRIPTABLE, got=describe_type(type_))
    except OpFault as fault:
        return _as_subscript_fault(fault, type_)


def _as_subscript_fault(fault: OpFault, type_: Type) -> OpFault:
    """A fault of the underlying operator, told as one of the subscript."""
    if fault.kind.rule_name != "InvalidOperationError":
        return fault
    reason = fault.facts.get("reason") or f"{fault.kind.title}: {fault.facts.get('got', '')}"
    dimension = fault.facts.get("dimension", fault.index if fault.index is not None else "?")
    facts = {k: v for k, v in fault.facts.items() if k not in ("reason", "dimension", "got")}
    index = fault.index if fault.index is not None else fault.facts.get("dimension")
    return OpFault(
        faults.SUBSCRIPT_WINDOW, index=index, got=describe_type(type_), reason=reason, dimension=dimension, **facts
    )


def _tuple_item(base: Expr, type_: TupleType, items: tuple[Item, ...], span: Span | None) -> Expr | OpFault:
    item = items[0]
    if len(items) != 1 or isinstance(item, Window):
        return OpFault(faults.TUPLE_INDEX_DYNAMIC)
    if isinstance(item, ErrorExpr) or (is_open(item.type) and not isinstance(item, Read)):
        return ErrorExpr(span)
    if not isinstance(item, ConstInt):
        dtype = item.type.dtype if isinstance(item.type, ScalarType) else None
        if dtype is not None and dtype.is_float:
            return OpFault(faults.TUPLE_INDEX, index=0, got=describe_type(item.type))
        return OpFault(faults.TUPLE_INDEX_DYNAMIC, index=0)
    if item.value < 0:
        return OpFault(faults.TUPLE_INDEX_DYNAMIC, index=0)
    if item.value >= len(type_.types):
        return OpFault(faults.TUPLE_RANGE, index=0, position=item.value, count=len(type_.types))
    if isinstance(base, MakeTuple):
        return base.elements[item.value]
    return TupleGetItem(base, item.value, type_.types[item.value], span)


def _array_item(base: Expr, type_: ArrayType, items: tuple[Item, ...], span: Span | None) -> Expr | OpFault:
    if len(items) != 1:
        return OpFault(faults.ARRAY_INDICES)
    item = items[0]
    if isinstance(item, Window):
        return OpFault(faults.SLICE_STEP if item.has_step else faults.ARRAY_SLICE, index=0)
    _require_integer(item, 0, type_)
    return Call("array.get_element", (base, item), ("array", "index"), ScalarType(type_.dtype), span)


def _require_integer(item: Expr, position: int, type_: Type) -> None:
    if isinstance(item, ErrorExpr) or is_open(item.type):
        return
    dtype = item.type.dtype if isinstance(item.type, ScalarType) else None
    if isinstance(item.type, ScalarType) and (dtype is None or dtype.is_int):
        return
    got, index = describe_type(type_), describe_type(item.type)
    raise OpFault(faults.SUBSCRIPT_INDEX, index=position, dimension=position, got=got, item=index)


def _check_items(items: tuple[Item, ...], type_: AnyTensor | TileType) -> OpFault | None:
    if type_.shape is not None and len(items) > len(type_.shape):
        return OpFault(
            faults.TOO_MANY_INDICES,
            index=len(type_.shape),
            count=len(items),
            got=describe_type(type_),
            rank=len(type_.shape),
        )
    for position, item in enumerate(items):
        if isinstance(item, Window):
            if item.has_step:
                return OpFault(faults.SLICE_STEP, index=position)
            for bound in (item.lower, item.upper):
                if bound is not None:
                    _require_integer(bound, position, type_)
        else:
            _require_integer(item, position, type_)
    return None


def _is_element(items: tuple[Item, ...], rank: int) -> bool:
    return len(items) == rank and not any(isinstance(item, Window) for item in items)


def _element(op: str, base: Expr, type_: AnyTensor | TileType, items: tuple[Item, ...], span: Span | None) -> Expr:
    indices = _list(tuple(item for item in items if isinstance(item, Expr)), span)
    names = ("tensor", "indices") if op == "tensor.read" else ("tile", "indices")
    return Call(op, (base, indices), names, ScalarType(type_.dtype), span)


def _list(elements: tuple[Expr, ...], span: Span | None) -> MakeTuple:
    return MakeTuple(elements, TupleType(tuple(e.type for e in elements)), span)


def _dims_list(dims: Dims, span: Span | None) -> MakeTuple:
    return _list(tuple(expr_of(d, span) for d in dims), span)


def _read_tensor(base: Expr, type_: AnyTensor, items: tuple[Item, ...], span: Span | None) -> Expr | OpFault:
    if (fault := _check_items(items, type_)) is not None:
        return fault
    if type_.shape is None:
        return ErrorExpr(span, UNDETERMINED)
    if _is_element(items, len(type_.shape)):
        return _element("tensor.read", base, type_, items, span)
    window = window_of(items, type_.shape)
    result = slices.slice_tensor(type_, window, _NAMES)
    return _slice_call("tensor.slice", base, window, result, span)


def window_of(items: tuple[Item, ...], shape: Dims) -> slices.Window:
    """The full-rank window that a subscript of a tensor stands for: an index is a window of extent 1 on a dropped axis."""
    extents: list[Dim] = []
    offsets: list[Dim] = []
    drop: list[int] = []
    for axis, item in enumerate(items):
        if not isinstance(item, Window):
            offsets.append(dim_of(item))
            extents.append(1)
            drop.append(axis)
            continue
        upper = shape[axis] if item.upper is None else dim_of(item.upper)
        lower = 0 if item.lower is None else dim_of(item.lower)
        offsets.append(lower)
        extents.append(upper if item.lower is None else arith.sub(upper, lower))
    rest = shape[len(items) :]
    return slices.Window((*extents, *rest), (*offsets, *(0 for _ in rest)), drop=tuple(drop))


def _slice_call(op: str, base: Expr, window: slices.Window, result: Type, span: Span | None) -> Expr:
    args: list[Expr] = [base, _dims_list(window.shape, span), _dims_list(window.offsets, span)]
    names = ["tensor" if op == "tensor.slice" else "tile", "shape", "offset"]
    if window.valid is not None or window.drop:
        args.append(_dims_list(window.valid or (), span))
        names.append("valid_shape")
    if window.drop:
        args.append(_dims_list(window.drop, span))
        names.append("drop_dims")
    return Call(op, tuple(args), tuple(names), result, span)


# --- tiles ---------------------------------------------------------------------------------------------------------


def _read_tile(base: Expr, type_: TileType, items: tuple[Item, ...], span: Span | None) -> Expr | OpFault:
    if (fault := _check_items(items, type_)) is not None:
        return fault
    region = valid_of(type_)
    if type_.shape is None or region is None:
        return ErrorExpr(span, UNDETERMINED)
    if _is_element(items, len(type_.shape)):
        return _element("tile.read", base, type_, items, span)
    window = tile_window(items, type_, region)
    result = slices.slice_tile(type_, window, _NAMES)
    return _slice_call("tile.slice", base, window, result, span)


def tile_window(items: tuple[Item, ...], type_: TileType, region: Dims) -> slices.Window:
    """The static window that a subscript of a tile stands for, with the valid region it narrows to."""
    shape = type_.shape or ()
    extents: list[Dim] = []
    offsets: list[Dim] = []
    valid: list[Dim] = []
    drop: list[int] = []
    for axis in range(len(shape)):
        item = items[axis] if axis < len(items) else Window(None, None)
        if not isinstance(item, Window):
            offsets.append(dim_of(item))
            extents.append(1)
            valid.append(1)
            drop.append(axis)
            continue
        lower = 0 if item.lower is None else _static_lower(item.lower, axis, type_)
        upper = None if item.upper is None else dim_of(item.upper)
        offsets.append(lower)
        extents.append(_tile_extent(shape[axis], lower, upper, axis, type_))
        end = region[axis] if upper is None else smaller(upper, region[axis])
        valid.append(end if item.lower is None else arith.maximum(arith.sub(end, lower), 0))
    narrowed = any(not arith.same_structure(a, b) for a, b in zip(extents, valid, strict=True))
    return slices.Window(tuple(extents), tuple(offsets), tuple(valid) if narrowed else None, tuple(drop))


def _static_lower(lower: Expr, axis: int, type_: TileType) -> Dim:
    dim = dim_of(lower)
    if const_value(dim) is None and is_exact(dim):
        raise OpFault(
            faults.TILE_WINDOW,
            index=axis,
            dimension=axis,
            got=describe_type(type_),
            reason="the lower bound must be a constant",
        )
    return dim


def _tile_extent(extent: Dim, lower: Dim, upper: Dim | None, axis: int, type_: TileType) -> Dim:
    """The largest static extent that holds the window."""
    start, size = const_value(lower), const_value(extent)
    stop = None if upper is None else const_value(upper)
    if start is None or (upper is not None and stop is None and not is_exact(upper)):
        return unknown_extent()
    room = None if size is None else max(size - start, 0)
    wanted = None if stop is None else max(stop - start, 0)
    choices = [c for c in (room, wanted) if c is not None]
    if not choices:
        return extent
    result = min(choices)
    if result <= 0:
        reason = f"the window {start}:{show(upper if upper is not None else extent)} is empty"
        raise OpFault(faults.TILE_WINDOW, index=axis, dimension=axis, got=describe_type(type_), reason=reason)
    return result


# --- storing -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Store:
    """An accepted store: the target's type afterwards, and the call it stands for (``tensor.assemble`` and its like)."""

    type: Type
    value: Expr


def store(base: Expr, items: tuple[Item, ...], value: Expr, span: Span | None) -> Store | OpFault:
    """``base[items] = value``: for a tensor or tile a window's rank and constant extents must fit the stored value."""
    type_ = base.type
    if isinstance(base, ErrorExpr) or is_open(type_):
        return Store(UNDETERMINED, ErrorExpr(span))
    try:
        match type_:
            case ArrayType():
                return _store_array(base, type_, items, value, span)
            case TensorType() | DistributedTensorType() | TileType():
                return _store_window(base, type_, items, value, span)
            case _:
                return OpFault(faults.NOT_SUBSCRIPTABLE, got=describe_type(type_))
    except OpFault as fault:
        return _as_subscript_fault(fault, type_)


def _store_array(
    base: Expr, type_: ArrayType, items: tuple[Item, ...], value: Expr, span: Span | None
) -> Store | OpFault:
    if len(items) != 1:
        return OpFault(faults.ARRAY_INDICES)
    index = items[0]
    if isinstance(index, Window):
        return OpFault(faults.ARRAY_SLICE, index=0)
    _require_integer(index, 0, type_)
    if isinstance(value, ConstInt) and type_.dtype is not None:
        value = ConstInt(value.value, type_.dtype, value.span, literal=False)
    if not isinstance(value, ErrorExpr) and not is_open(value.type) and not _fits(value.type, type_):
        return OpFault(faults.STORE_ELEMENT, got=describe_type(value.type), target=describe_type(type_))
    call = Call("array.update_element", (base, index, value), ("array", "index", "value"), type_, span)
    return Store(type_, call)


def _fits(value: Type, array: ArrayType) -> bool:
    if not isinstance(value, ScalarType):
        return False
    own, wanted = value.dtype, array.dtype
    if own is None or wanted is None or own is wanted:
        return True
    return (own.name == "INDEX" and wanted.is_int) or (wanted.name == "INDEX" and own.is_int)


def _store_window(
    base: Expr, type_: AnyTensor | TileType, items: tuple[Item, ...], value: Expr, span: Span | None
) -> Store | OpFault:
    if (fault := _check_items(items, type_)) is not None:
        return fault
    if type_.shape is None:
        return Store(type_, ErrorExpr(span))
    if _is_element(items, len(type_.shape)):
        return OpFault(faults.STORE_SCALAR)
    source = value.type
    if isinstance(value, ErrorExpr) or is_open(source):
        return Store(type_, ErrorExpr(span, type_))
    same_kind = isinstance(source, TileType) if isinstance(type_, TileType) else isinstance(source, TENSORS)
    if not same_kind:
        return OpFault(
            faults.STORE_KIND, got=describe_type(source), target=f"a {kind_name(type_)} {describe_type(type_)}"
        )
    assert isinstance(source, TensorType | DistributedTensorType | TileType)
    window = window_of(items, type_.shape)
    if source.shape is None:
        return Store(type_, ErrorExpr(span, type_))
    lifted = _lifted(source, window, isinstance(type_, TileType), type_)
    if isinstance(lifted, OpFault):
        return lifted
    return _stored(base, type_, window, value, lifted, span)


def _lifted(source: AnyTensor | TileType, window: slices.Window, tile: bool, target: Type) -> Type | OpFault:
    """The stored value with axes of extent 1 where the subscript drops axes, after its extents were compared."""
    drop = window.drop or ()
    kept = slices.without(window.shape, drop)
    shape, valid = source.shape or (), valid_region(source) or ()
    lead = len(shape) - len(kept)
    if lead != 0 and not (tile and len(shape) == max(2, len(kept))):
        return OpFault(faults.STORE_RANK, rank=len(kept), got=len(shape))
    for axis, wanted in enumerate((1,) * lead + kept):
        want, have, part = const_value(wanted), const_value(shape[axis]), const_value(valid[axis])
        if want is None or have is None or want == have:
            continue
        narrowed = not arith.same_structure(valid[axis], shape[axis]) or _has_region(source)
        if narrowed and (part is None or part == want):
            continue
        left = f"{describe_type(target)} window [{', '.join(show(d) for d in kept)}]"
        return OpFault(faults.STORE_EXTENT, left=left, right=describe_type(source), dimension=axis)
    if lead == 0 and not drop:
        return source
    return _with_units(source, shape[lead:], valid[lead:], drop, len(window.shape))


def _has_region(source: AnyTensor | TileType) -> bool:
    return source.view is not None and bool(source.view.valid_shape)


def _with_units(source: AnyTensor | TileType, shape: Dims, valid: Dims, drop: tuple[int, ...], rank: int) -> Type:
    def spread(dims: Dims) -> Dims:
        rest = iter(dims)
        return tuple(1 if axis in drop else next(rest) for axis in range(rank))

    full, region = spread(shape), spread(valid)
    if isinstance(source, TileType):
        return tile_type(source.dtype, full, source.memory, valid=region)
    return replace(source, shape=full, view=tensor_view(full, valid=region), memref=None)


def _stored(
    base: Expr, type_: AnyTensor | TileType, window: slices.Window, value: Expr, source: Type, span: Span | None
) -> Store:
    offsets = _dims_list(window.offsets, span)
    if isinstance(type_, TileType):
        call = Call("tile.assemble", (base, value, offsets), ("target", "source", "offset"), type_, span)
        return Store(type_, call)
    assert isinstance(source, TensorType | DistributedTensorType)
    result = slices.assemble_tensor(type_, source, window.offsets, Names(offset="offset", source="source"))
    return Store(result, Call("tensor.assemble", (base, value, offsets), ("target", "source", "offset"), result, span))
