"""What each tensor operator becomes on tiles: a table of small functions, one per operator that is more than a change of name.

A conversion gets the call with its operands as they are on tiles and a :class:`Site` to add what the operator needs besides:
loads, scratch tiles, stores.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import Dim, const_value, same_structure
from pypto_lsp.ir.dtypes import DTYPES, DType
from pypto_lsp.ir.enums import EnumMember, memory_space
from pypto_lsp.ir.tile_views import tile_type
from pypto_lsp.ir.types import (
    SHAPED,
    TENSORS,
    UNDETERMINED,
    ScalarType,
    TensorType,
    TileType,
    Type,
)
from pypto_lsp.passes.core_affinity import family
from pypto_lsp.passes.tile_types import (
    INHERITING,
    Shape,
    dims_of,
    loaded,
    loaded_whole,
    product_type,
    tile_of,
    transposed,
)
from pypto_lsp.text import Span

#: attribute of a load: the place of the operand that it loads
OPERAND = "operand"
#: operators that read global memory themselves; their use of a tensor is no direct one
SELF_LOADING = frozenset(
    {"slice", "assemble", "read", "write", "expand_clone", "gather", "paged_gather", "create_l1", "gather_row"}
)
#: operators that stay as they are
PASSED_THROUGH = frozenset({"dim", "view"})
_IN_MAT = frozenset({"lhs", "rhs"})
#: operators all of whose tensors are wanted in Vec
_ALL_IN_VEC = frozenset(
    {"tensor.scatter", "tensor.scatter_update", "tile.scatter_update", "tensor.scatter_mask", "tensor.mrgsort_format2"}
)
_FIRST_IN_VEC = frozenset({"tensor.gather_compare", "pld.tensor.remote_store"})
_PRODUCTS = frozenset({"tensor.matmul", "tensor.matmul_acc"})
_BRIDGED = _PRODUCTS | _ALL_IN_VEC | _FIRST_IN_VEC
#: row reductions use a scratch tile whose rows have at least this many elements
_SCRATCH_ROW = 128
_REDUCTIONS = frozenset({"row_max", "row_sum", "row_min", "row_prod"})
_ARGUMENTS = frozenset({"row_argmax", "row_argmin", "col_argmax", "col_argmin"})
_UINT8 = DTYPES["UINT8"]


def input_space(call: ir.Call, position: int) -> str | None:
    """The memory space in which an operator wants an operand and to which it is loaded at the call; None for no demand."""
    if call.op not in _BRIDGED:
        return None
    if call.op in _PRODUCTS:
        return "Mat" if call.names[position] in _IN_MAT else None
    if call.op in _ALL_IN_VEC:
        return "Vec" if isinstance(call.args[position].type, SHAPED) else None
    return "Vec" if call.op in _FIRST_IN_VEC and position == 0 else None


@dataclass(frozen=True, slots=True)
class Site:
    """Where a call is converted: ``source`` the call on tensors, ``bound`` adds an assignment and gives its variable,
    ``wanted`` the memory space that consumers of the result want, ``arch`` the target's alias."""

    source: ir.Call
    bound: Callable[[str, ir.Expr, Span | None], ir.Read]
    wanted: str | None
    arch: str

    def make(self, name: str, expr: ir.Expr) -> ir.Read:
        return self.bound(name, expr, self.source.span)

    def scratch(self, name: str, shape: Shape, dtype: DType | None) -> ir.Read:
        """A scratch tile in Vec."""
        return self.make(name, create_call(tile_type(dtype, shape, "Vec"), self.source.span))


# --- the operators of transfers ----------------------------------------------------------------------------------------


def with_args(call: ir.Call, args: tuple[ir.Expr, ...]) -> ir.Call:
    """The call with other operands."""
    return ir.Call(call.op, args, call.names, call.type, call.span, call.kwargs, call.attrs, call.path)


def retyped(call: ir.Call, op: str, type_: Type) -> ir.Call:
    """The call of another operator with another result."""
    return ir.Call(op, call.args, call.names, type_, call.span, call.kwargs, call.attrs, call.path)


def load_call(source: ir.Expr, type_: Type, span: Span | None, *, operand: bool = False) -> ir.Call:
    """A load that makes a tile of a type; ``operand``: of a tensor that an operator at ``span`` uses whole."""
    memory = type_.memory if isinstance(type_, TileType) and type_.memory else "Vec"
    kwargs = {"target_memory": memory_space(memory)}
    attrs = {OPERAND: source.span} if operand and source.span is not None else {}
    return ir.Call("tile.load", (source,), ("tensor",), type_, span, kwargs, attrs)


def store_call(tile: ir.Expr, target: ir.Expr | None, type_: Type, span: Span | None) -> ir.Call:
    """A store of a tile; without ``target`` into a tensor made for it."""
    args = (tile,) if target is None else (tile, target)
    return ir.Call("tile.store", args, ("tile", "output_tensor")[: len(args)], type_, span)


def create_call(type_: Type, span: Span | None) -> ir.Call:
    """A tile without contents."""
    memory = type_.memory if isinstance(type_, TileType) and type_.memory else "Vec"
    return ir.Call("tile.create", (), (), type_, span, {"target_memory": memory_space(memory)})


def unknown_call(call: ir.Call) -> ir.Call:
    """A call of whose result nothing is known."""
    return retyped(call, f"tile.{family(str(call.op))[1]}", UNDETERMINED)


# --- conversions ---------------------------------------------------------------------------------------------------------


def convert(call: ir.Call, site: Site) -> ir.Expr:
    """A call on tiles."""
    head, name = family(str(call.op))
    if call.op in _BRIDGED:
        call = _bridged(call, site)
    if head == "tensor" and name not in PASSED_THROUGH:
        handler = _HANDLERS.get(name)
        return handler(call, site) if handler is not None else _renamed(call, site)
    if head == "pld.tensor" and name == "remote_store":
        return replace(call, op="pld.tile.remote_store")
    return call


def _bridged(call: ir.Call, site: Site) -> ir.Call:
    """Load the operands that an operator wants on chip and that are still in global memory."""
    args = list(call.args)
    for position, arg in enumerate(args):
        space = input_space(site.source, position)
        if space is None:
            continue
        if isinstance(arg.type, TensorType):
            args[position] = site.make("loaded", load_call(arg, loaded_whole(arg.type, space), call.span, operand=True))
        if space == "Mat" and call.kwargs.get("a_trans" if call.names[position] == "lhs" else "b_trans"):
            args[position] = _transposed_view(args[position], site)
    return replace(call, args=tuple(args))


def _transposed_view(tile: ir.Expr, site: Site) -> ir.Expr:
    if not isinstance(tile.type, TileType):
        return tile
    if tile.type.memory not in (None, "Mat"):
        moved = replace(tile.type, memory="Mat")
        kwargs = {"target_memory": memory_space("Mat")}
        tile = site.make("moved", ir.Call("tile.move", (tile,), ("tile",), moved, site.source.span, kwargs))
    view = ir.Call("tile.transpose_view", (tile,), ("tile",), transposed(tile.type), site.source.span)
    return site.make("transposed", view)


def _on_tensors(call: ir.Call) -> bool:
    """Whether an operand that should be a tile is still a tensor."""
    return any(isinstance(arg.type, TENSORS) for arg in call.args)


def _first_tile(call: ir.Call) -> TileType | None:
    return next((arg.type for arg in call.args if isinstance(arg.type, TileType)), None)


def _result_dtype(call: ir.Call, site: Site) -> DType | None:
    """The result's element type where it differs from the tensor's, because an operand's tile does (a matrix product
    accumulates in FP32 whatever its ``out_dtype`` says)."""
    result = getattr(site.source.type, "dtype", None)
    if family(str(call.op))[1] in ("cast", "reinterpret_view"):
        return None
    for before, after in zip(site.source.args, call.args):
        own = getattr(before.type, "dtype", None)
        if isinstance(after.type, TileType) and own is result and after.type.dtype is not own:
            return after.type.dtype
    return None


def _renamed(call: ir.Call, site: Site) -> ir.Expr:
    """The tile operator of the same name."""
    name = family(str(call.op))[1]
    if isinstance(call.type, ScalarType):
        return retyped(call, f"tile.{name}", call.type)
    if _on_tensors(call):
        return unknown_call(call)
    source = _first_tile(call)
    memory = source.memory if name in INHERITING and source is not None and source.memory else "Vec"
    type_ = tile_of(site.source.type, memory, _result_dtype(call, site))
    return retyped(call, f"tile.{name}", type_)


def _reduction(call: ir.Call, site: Site) -> ir.Expr:
    source = _first_tile(call)
    if source is None or source.shape is None:
        return _renamed(call, site)
    shape: Shape = source.shape
    if family(str(call.op))[1] in _REDUCTIONS and len(shape) >= 2:
        last = const_value(shape[-1])
        shape = (*shape[:-1], _SCRATCH_ROW if last is None or last < _SCRATCH_ROW else last)
    site.scratch("tmp", shape, source.dtype)
    return _renamed(call, site)


def _comparison(call: ir.Call, site: Site) -> ir.Expr:
    result = _renamed(call, site)
    if isinstance(result.type, TileType) and result.type.shape is not None:
        site.scratch("one", result.type.shape, result.type.dtype)
        site.scratch("zero", result.type.shape, result.type.dtype)
    return result


def _slice(call: ir.Call, site: Site) -> ir.Expr:
    source = call.args[0]
    if isinstance(source.type, TileType):
        return _renamed(call, site)
    window, offsets = dims_of(call.get("shape")), dims_of(call.get("offset"))
    if not isinstance(source.type, TENSORS) or window is None or offsets is None:
        return unknown_call(call)
    clamp = bool(call.kwargs.get("clamp", False))
    valid = dims_of(call.get("valid_shape")) or ()
    memory = site.wanted or "Vec"
    load = load_call(source, loaded(source.type, offsets, window, valid, memory, clamp=clamp), call.span)
    shape = getattr(call.type, "shape", None)
    if shape is None or len(shape) == len(window):
        return load
    whole = site.make("window", load)
    return ir.Call("tile.reshape", (whole,), ("tile",), tile_of(call.type, memory), call.span)


def _assemble(call: ir.Call, site: Site) -> ir.Expr:
    target, source = call.args[0], call.args[1]
    if isinstance(target.type, TENSORS):
        if isinstance(source.type, TileType):
            return store_call(source, target, call.type, call.span)
        return call if isinstance(source.type, TENSORS) else replace(call, type=target.type)
    if isinstance(source.type, TENSORS):
        source = site.make("source", load_call(source, loaded_whole(source.type, "Vec"), call.span, operand=True))
    memory = target.type.memory if isinstance(target.type, TileType) and target.type.memory else "Vec"
    args = (target, source, *call.args[2:])
    dtype = getattr(target.type, "dtype", None)
    return replace(call, op="tile.assemble", args=args, type=tile_of(call.type, memory, dtype))


def _product(call: ir.Call, site: Site) -> ir.Expr:
    name = family(str(call.op))[1]
    lhs, rhs = call.get("lhs"), call.get("rhs")
    assert lhs is not None and rhs is not None
    if _on_tensors(call):
        return unknown_call(call)
    ranks = [len(arg.type.shape) for arg in call.args if isinstance(arg.type, TileType) and arg.type.shape is not None]
    batched = max(ranks, default=2) > 2
    type_ = product_type(site.source.type, lhs.type, rhs.type)
    return replace(call, op=f"tile.{'batch_' if batched else ''}{name}", type=type_)


def _create(call: ir.Call, site: Site) -> ir.Expr:
    memory = "Mat" if family(str(call.op))[1] == "create_l1" else "Vec"
    return replace(create_call(tile_of(call.type, memory), call.span), path=call.path)


def _element(call: ir.Call, site: Site) -> ir.Expr:
    """A read or write of one element: on a tensor it stays what it is."""
    if isinstance(call.args[0].type, TileType):
        type_ = call.args[0].type if family(str(call.op))[1] == "write" else call.type
        return replace(call, op=f"tile.{family(str(call.op))[1]}", type=type_)
    return call


def _padded(call: ir.Call, site: Site) -> ir.Expr:
    source = call.args[0]
    if isinstance(source.type, TensorType):
        tile = site.make("padded", load_call(source, loaded_whole(source.type, "Vec"), call.span, operand=True))
        call = replace(call, args=(tile, *call.args[1:]))
    return _renamed(call, site)


def _expand_clone(call: ir.Call, site: Site) -> ir.Expr:
    """One axis of extent 1 is repeated: the source is loaded, the target stored, in a loop where the axis is an outer one."""
    source, target = call.args[0].type, call.args[1].type
    if not isinstance(source, TensorType) or not isinstance(target, TensorType):
        return unknown_call(call)
    if source.shape is None or target.shape is None or len(source.shape) != 3 or len(target.shape) != 3:
        return unknown_call(call)
    axis = next((i for i, (a, b) in enumerate(zip(source.shape, target.shape)) if not same_structure(a, b)), None)
    if axis == 1:
        row = loaded(source, (0, 0, 0), (1, 1, source.shape[2]), (), "Vec")
        site.make("source", load_call(call.args[0], row, call.span))
        made: Type = tile_type(source.dtype, (1, *target.shape[1:]), "Vec")
    else:
        tile = site.make("source", load_call(call.args[0], loaded_whole(source, "Vec"), call.span, operand=True))
        made = tile_type(source.dtype, target.shape, "Vec") if axis == 2 else tile.type
    repeated = site.make("repeated", create_call(made, call.span))
    return store_call(repeated, call.args[1], target, call.span)


def _gather(call: ir.Call, site: Site) -> ir.Expr:
    """Rows are gathered one by one; Ascend950 takes whole tiles where the last axis is gathered."""
    source, index = (arg for arg in call.args[:2])
    shape, indices = getattr(source.type, "shape", None), getattr(index.type, "shape", None)
    dim = call.kwargs.get("dim", -1)
    if shape is None or indices is None or len(shape) != len(indices) or not isinstance(dim, int):
        return unknown_call(call)
    axis = dim % len(shape)
    for name, operand, window in zip(("source", "index"), (source, index), _gather_windows(shape, indices, axis, site)):
        if isinstance(operand.type, TENSORS):
            site.make(
                name, load_call(operand, loaded(operand.type, (0,) * len(window), window, window, "Vec"), call.span)
            )
    result = tile_of(site.source.type, "Vec")
    return replace(call, op="tile.gather", args=(), names=(), type=result)


def _gather_windows(shape: Shape, indices: Shape, axis: int, site: Site) -> tuple[Shape, Shape]:
    last = len(shape) - 1
    if axis == last and site.arch == "a5":
        return (*indices[:-1], shape[-1]), indices
    row: Shape = (1,) * last
    if axis == last:
        return (*row, shape[-1]), (*row, indices[-1])
    window: list[Dim] = [1, 1, shape[2]]
    window[axis] = shape[axis]
    return tuple(window), (1, 1, indices[2])


def _paged_gather(call: ir.Call, site: Site) -> ir.Expr:
    space = call.kwargs.get("space")
    memory = space.name if isinstance(space, EnumMember) else "Mat"
    return replace(call, op="tile.paged_gather", type=tile_of(call.type, memory))


def _gather_row(call: ir.Call, site: Site) -> ir.Expr:
    return replace(call, op="tile.gather_row", type=call.args[0].type)


_HANDLERS: dict[str, Callable[[ir.Call, Site], ir.Expr]] = {
    "slice": _slice,
    "assemble": _assemble,
    "matmul": _product,
    "matmul_acc": _product,
    "create": _create,
    "create_l1": _create,
    "read": _element,
    "write": _element,
    "fillpad": _padded,
    "fillpad_expand": _padded,
    "expand_clone": _expand_clone,
    "gather": _gather,
    "paged_gather": _paged_gather,
    "gather_row": _gather_row,
    "cmp": _comparison,
    **dict.fromkeys(_REDUCTIONS | _ARGUMENTS, _reduction),
}
