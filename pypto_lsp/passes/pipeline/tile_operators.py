"""The tile operators that tensor operators become (reference: the compiler's operator conversion registry).

Each conversion gets the call with its operands on tiles and gives the expression in its place; what has to be computed before it
is emitted. An operator without a conversion here raises :class:`NotModelled`: the kernel then stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import Dim, const_value, expr_of
from pypto_lsp.ir.dtypes import DTYPES, DType, promote
from pypto_lsp.ir.enums import EnumMember, memory_space
from pypto_lsp.ir.types import TENSORS, ScalarType, TileType, TupleType
from pypto_lsp.ops.build import UnknownOperator, build_call
from pypto_lsp.ops.regions import WindowRead, read_region, valid_region
from pypto_lsp.ops.registry import OpFault
from pypto_lsp.passes.tile_types import dims_of
from pypto_lsp.text import Span

#: attribute of loads into Mat that the conversion adds
BRIDGE = "__compiler_tensor_to_tile_mat_bridge"
_SCRATCH_ROW = 128
_VEC = memory_space("Vec")


class NotModelled(Exception):
    """Something that a pass does not know how to lower."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a call is converted: ``emit`` adds an assignment before it and gives the variable, ``region`` is the mode of the
    lane region around it."""

    emit: Callable[[str, ir.Expr], ir.Read]
    span: Span | None
    region: str | None = None

    def build(self, op: str, args: Sequence[ir.Expr], kwargs: Mapping[str, Any] | None = None) -> ir.Call:
        """A call whose type the operator deduces."""
        try:
            return build_call(op, args, kwargs, self.span, split_region=self.region)
        except (OpFault, UnknownOperator) as fault:
            raise NotModelled(f"{op}: {fault}") from fault

    def extents(self, dims: Sequence[Dim]) -> ir.MakeTuple:
        """A tuple of extents."""
        elements = tuple(ir.Read(d, self.span) if isinstance(d, ir.Var) else expr_of(d, self.span) for d in dims)
        return ir.MakeTuple(elements, TupleType(tuple(e.type for e in elements)), self.span)

    def zeros(self, rank: int) -> ir.MakeTuple:
        return self.extents((0,) * rank)

    def load(self, source: ir.Expr, offsets: ir.Expr, window: ir.Expr, valid: ir.Expr, space: str) -> ir.Call:
        made = self.build("tile.load", (source, offsets, window, valid), {"target_memory": memory_space(space)})
        return made if space != "Mat" else replace(made, attrs={BRIDGE: True})

    def load_whole(self, source: ir.Expr, space: str = "Vec") -> ir.Call:
        shape = getattr(source.type, "shape", None)
        if shape is None:
            raise NotModelled("a tensor of unknown rank")
        window = self.extents(shape)
        return self.load(source, self.zeros(len(shape)), window, window, space)

    def create(self, name: str, shape: Sequence[Dim], dtype: DType | None) -> ir.Read:
        """A scratch tile in Vec."""
        kwargs = {"dtype": dtype, "target_memory": _VEC}
        return self.emit(name, self.build("tile.create", (self.extents(shape),), kwargs))


def _nothing_before(name: str, value: ir.Expr) -> ir.Read:
    raise NotModelled(name)


def alone(span: Span | None) -> Place:
    """A place before which nothing can be computed."""
    return Place(_nothing_before, span)


def call_of(op: str, args: Sequence[ir.Expr], kwargs: Mapping[str, Any] | None, span: Span | None) -> ir.Call:
    """A call whose type the operator deduces and that needs nothing before it."""
    return alone(span).build(op, args, kwargs)


def tile_of(expr: ir.Expr) -> TileType:
    """The type of an operand that has to be a tile."""
    if not isinstance(expr.type, TileType) or expr.type.shape is None:
        raise NotModelled("an operand that is no tile")
    return expr.type


Conversion = Callable[[ir.Call, Place], ir.Expr]


# --- computing ---------------------------------------------------------------------------------------------------------


def _renamed(call: ir.Call, place: Place) -> ir.Expr:
    return place.build(f"tile.{str(call.op).partition('.')[2]}", call.args, call.kwargs)


def _is_one(dim: Dim) -> bool:
    return const_value(dim) == 1


def _row_broadcast(args: Sequence[ir.Expr]) -> tuple[int, int] | None:
    """The positions of the matrix and of the column that goes along its rows, where one operand is such a column."""
    first, second = tile_of(args[0]).shape, tile_of(args[1]).shape
    assert first is not None and second is not None
    if len(first) != 2 or len(second) != 2 or _is_one(first[1]) == _is_one(second[1]):
        return None
    return (0, 1) if _is_one(second[1]) else (1, 0)


def _arithmetic(call: ir.Call, place: Place) -> ir.Expr:
    name = str(call.op).partition(".")[2]
    args = list(call.args)
    if name == "div":
        args = _of_one_dtype(args, place)
    found = _row_broadcast(args)
    if found is not None:
        return place.build(f"tile.row_expand_{name}", (args[found[0]], args[found[1]]))
    return place.build(f"tile.{name}", args, call.kwargs)


def _of_one_dtype(args: list[ir.Expr], place: Place) -> list[ir.Expr]:
    wide = promote(tile_of(args[0]).dtype, tile_of(args[1]).dtype)
    out = []
    for arg, name in zip(args, ("div_lhs_cast", "div_rhs_cast")):
        if tile_of(arg).dtype is wide:
            out.append(arg)
        else:
            out.append(place.emit(name, place.build("tile.cast", (arg,), {"target_type": wide, "mode": "round"})))
    return out


def _extreme(call: ir.Call, place: Place) -> ir.Expr:
    suffix = "s" if isinstance(call.args[1].type, ScalarType) else ""
    return place.build(f"tile.{str(call.op).partition('.')[2]}{suffix}", call.args, call.kwargs)


def _with_scratch(name: str) -> Conversion:
    """An operator that takes a scratch tile of its first operand's shape."""

    def convert(call: ir.Call, place: Place) -> ir.Expr:
        source = tile_of(call.args[0])
        scratch = place.create(name, source.shape or (), source.dtype)
        return place.build(f"tile.{str(call.op).partition('.')[2]}", (*call.args, scratch))

    return convert


def _rsqrt(call: ir.Call, place: Place) -> ir.Expr:
    if call.kwargs.get("high_precision"):
        return _with_scratch("rsqrt_tmp")(call, place)
    return place.build("tile.rsqrt", call.args)


def _row_reduction(call: ir.Call, place: Place) -> ir.Expr:
    source = tile_of(call.args[0])
    shape = list(source.shape or ())
    if len(shape) >= 2 and (const_value(shape[-1]) or 0) < _SCRATCH_ROW:
        shape[-1] = _SCRATCH_ROW
    scratch = place.create("tmp_tile", shape, source.dtype)
    return place.build(f"tile.{str(call.op).partition('.')[2]}", (call.args[0], scratch))


def _transpose(call: ir.Call, place: Place) -> ir.Expr:
    return place.build("tile.transpose", call.args[:3])


def _comparison(call: ir.Call, place: Place) -> ir.Expr:
    left, right = tile_of(call.args[0]), call.args[1].type
    scalar = isinstance(right, ScalarType)
    dtype = promote(left.dtype, getattr(right, "dtype", None))
    mask = place.emit("cmp_mask", place.build("tile.cmps" if scalar else "tile.cmp", call.args, call.kwargs))
    shape = getattr(call.type, "shape", None) or left.shape or ()
    filled = []
    for name, value in (("cmp_one", 1), ("cmp_zero", 0)):
        kwargs = {"dtype": dtype, "value": float(value) if dtype is not None and dtype.is_float else value}
        filled.append(place.emit(name, place.build("tile.full", (place.extents(shape),), kwargs)))
    scratch = place.create("cmp_tmp", (1, 32), DTYPES["UINT8"])
    return place.build("tile.sel", (mask, *filled, scratch))


# --- memory ------------------------------------------------------------------------------------------------------------


def _slice(call: ir.Call, place: Place) -> ir.Expr:
    source = call.args[0]
    if isinstance(source.type, TileType):
        kept = {key: value for key, value in call.kwargs.items() if key == "pad_value"}
        return place.build("tile.slice", call.args, kept)
    return loaded_slice(call, place, "Vec", "slice_load")


def loaded_slice(call: ir.Call, place: Place, space: str, name: str) -> ir.Expr:
    """A slice of a tensor as a load of its window, without the axes that it drops."""
    source, window, offsets = call.args[0], call.args[1], call.args[2]
    shape, start = dims_of(window), dims_of(offsets)
    if not isinstance(source.type, TENSORS) or source.type.shape is None or shape is None or start is None:
        raise NotModelled("a slice whose window is not known")
    requested = dims_of(call.get("valid_shape")) or ()
    region = valid_region(source.type) or source.type.shape
    clamp = bool(call.kwargs.get("clamp", False))
    try:
        valid = read_region(WindowRead(source.type.shape, region, start, shape, requested, clamp=clamp))
    except OpFault as fault:
        raise NotModelled(str(fault)) from fault
    load = place.load(source, offsets, window, place.extents(valid), space)
    reduced = getattr(call.type, "shape", None)
    if reduced is None or len(reduced) == len(shape):
        return load
    return place.build("tile.reshape", (place.emit(name, load), place.extents(reduced)))


def _assemble(call: ir.Call, place: Place) -> ir.Expr:
    target, source, offset = call.args[:3]
    atomic = call.kwargs.get("atomic")
    adds = isinstance(atomic, EnumMember) and atomic.name == "Add"
    if isinstance(target.type, TENSORS) and isinstance(source.type, TileType):
        return place.build("tile.store", (source, offset, target), {"atomic": atomic} if adds else {})
    if isinstance(source.type, TENSORS):
        source = place.emit("assemble_src", place.load_whole(source))
    return place.build("tile.assemble", (target, source, offset))


def _create(call: ir.Call, place: Place) -> ir.Expr:
    return place.build("tile.create", call.args, {"dtype": call.kwargs.get("dtype"), "target_memory": _VEC})


def _element(call: ir.Call, place: Place) -> ir.Expr:
    """A read or write of one element: on a tensor it stays what it is."""
    if not isinstance(call.args[0].type, TileType):
        return call
    return place.build(f"tile.{str(call.op).partition('.')[2]}", call.args, call.kwargs)


def _padded(call: ir.Call, place: Place) -> ir.Expr:
    source = call.args[0]
    name = str(call.op).partition(".")[2]
    if isinstance(source.type, TENSORS) and source.type.shape is not None:
        shape = source.type.shape
        valid = place.extents(valid_region(source.type) or shape)
        load = place.load(source, place.zeros(len(shape)), place.extents(shape), valid, "Vec")
        source = place.emit(f"{name}_src", load)
    return place.build(f"tile.{name}", (source, *call.args[1:]), call.kwargs)


def _product(call: ir.Call, place: Place) -> ir.Expr:
    accumulating = call.op == "tensor.matmul_acc"
    count = 3 if accumulating else 2
    batched = any(len(tile_of(arg).shape or ()) > 2 for arg in call.args[:count])
    return place.build(f"tile.{'batch_' if batched else ''}{str(call.op).partition('.')[2]}", call.args)


_SAME = (
    "adds subs muls divs fmod fmods neg abs recip exp log sin cos sqrt cast and ands or ors not shl shls shr shrs "
    "row_expand_mul row_expand_div col_expand_mul col_expand_add row_expand row_expand_add row_expand_sub col_expand "
    "col_expand_sub col_expand_div row_expand_max row_expand_min row_expand_expdif col_expand_max col_expand_min "
    "col_expand_expdif expands reshape reinterpret_view concat set_validshape full ci random part_add part_mul part_max "
    "part_min col_sum col_max col_min col_prod get_block_idx get_subblock_idx get_block_num sort32 mrgsort_format1 "
    "gather_mask aiv_shard aic_gather"
)
#: tensor operator -> its conversion
CONVERSIONS: dict[str, Conversion] = {
    **{f"tensor.{name}": _renamed for name in _SAME.split()},
    **{f"tensor.{name}": _arithmetic for name in ("add", "sub", "mul", "div")},
    **{f"tensor.{name}": _extreme for name in ("maximum", "minimum")},
    **{f"tensor.{name}": _with_scratch("xor_tmp") for name in ("xor", "xors")},
    **{f"tensor.{name}": _row_reduction for name in ("row_max", "row_sum", "row_min", "row_prod")},
    **{
        f"tensor.{name}": _with_scratch("tmp_tile") for name in ("row_argmax", "row_argmin", "col_argmax", "col_argmin")
    },
    "tensor.rsqrt": _rsqrt,
    "tensor.transpose": _transpose,
    "tensor.cmp": _comparison,
    "tensor.slice": _slice,
    "tensor.assemble": _assemble,
    "tensor.create": _create,
    "tensor.read": _element,
    "tensor.write": _element,
    "tensor.fillpad": _padded,
    "tensor.fillpad_expand": _padded,
    "tensor.matmul": _product,
    "tensor.matmul_acc": _product,
}
#: tensor operators that stay in kernels
KEPT = frozenset({"tensor.dim", "tensor.view"})

__all__ = ["BRIDGE", "CONVERSIONS", "KEPT", "NotModelled", "Place", "alone", "call_of", "loaded_slice", "tile_of"]
