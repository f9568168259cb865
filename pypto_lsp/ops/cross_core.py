"""Values that cross between the cube and the vector cores: split regions, pipes and their buffers.

Reference: project docs, cross-core communication; ``pl.aiv_shard`` and ``pl.aic_gather`` follow the enclosing
``pl.split_aiv`` region, the other operators are what the compiler itself makes of it.
"""

from __future__ import annotations

from dataclasses import replace

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir import arith
from pypto_lsp.ir.arith import Dim, const_value, is_exact
from pypto_lsp.ir.dtypes import INT32
from pypto_lsp.ir.enums import ENUMS, Lane
from pypto_lsp.ir.nodes import MakeTuple
from pypto_lsp.ir.tile_views import TileLayout, settled, tensor_view, tile_type
from pypto_lsp.ir.types import UNDETERMINED, UNKNOWN, ScalarType, TensorType, TileType, Type
from pypto_lsp.ops import operands
from pypto_lsp.ops.declare import needed, optional
from pypto_lsp.ops.operands import describe
from pypto_lsp.ops.regions import Dims, all_exact, provably_equal, show_all, valid_region
from pypto_lsp.ops.registry import MISSING, Arg, OpCall, Operator, OpFault, OpResult, Param, Rule
from pypto_lsp.ops.tile_declarations import dtype_param, tile_param
from pypto_lsp.ops.tile_operands import given, optional_integer, strict_integer, strict_text, wrapped

#: value of ``split`` -> the mode of a region
MODES = ENUMS["SplitMode"]
_AXES = {"NONE": None, "UP_DOWN": 0, "LEFT_RIGHT": 1}


# --- halves of a value ---------------------------------------------------------------------------------------------


def shard(call: OpCall) -> OpResult:
    """Each vector core gets its half."""
    return _crossed(call, "aiv_shard", "Vec")


def join(call: OpCall) -> OpResult:
    """The halves of the vector cores become one value."""
    return _crossed(call, "aic_gather", "Mat")


def _crossed(call: OpCall, name: str, memory: str) -> OpResult:
    halve = memory == "Vec"
    mode = _mode(call)
    value = _crossing_operand(call)
    if isinstance(value, TensorType):
        _check_region_operand(call)
    ir_op = f"{'tensor' if isinstance(value, TensorType) else 'tile'}.{name}"
    if value is None or value.shape is None:
        return OpResult(UNDETERMINED if value is None else replace(value, shape=None, view=None), ir_op)
    if mode is None:
        return OpResult(UNDETERMINED, ir_op)
    valid, axis = valid_region(value) or value.shape, _AXES[mode]
    if axis is not None and len(value.shape) != 2:
        raise OpFault(faults.WRONG_RANK, "x", expected="rank 2", got=f"rank {len(value.shape)}")
    if halve and len(value.shape) == 2 and not (axis is None and isinstance(value, TensorType)):
        _check_halves(value.shape, valid, axis)
    if axis is None:
        return OpResult(value if isinstance(value, TensorType) else _moved(value, value.shape, valid, memory), ir_op)
    _check_stride(call, value.shape[axis])
    resize = _half if halve else _double
    shape = _at(value.shape, axis, resize(value.shape[axis]))
    region = _at(valid, axis, resize(valid[axis], up=True) if halve else resize(valid[axis]))
    if isinstance(value, TensorType):
        return OpResult(TensorType(value.dtype, shape, tensor_view(shape, valid=region)), ir_op)
    return OpResult(_moved(value, shape, region, memory), ir_op)


def _mode(call: OpCall) -> str | None:
    """The mode of the region around, or the one given by ``split`` outside of every region; None when not known."""
    region = call.context.split_region
    if region is not None:
        for name in ("split", "lane_stride"):
            if call.get(name) is not None:
                raise OpFault(faults.WRONG_PLACE, name, reason=f"takes no {name} inside pl.split_aiv")
        return region
    if call.get("split") is None:
        raise OpFault(faults.WRONG_PLACE, reason="belongs inside a `for ... in pl.split_aiv(...)` loop")
    split = _literal(call, "split")
    if split is not None and not 0 <= split < len(MODES):
        raise OpFault(faults.WRONG_VALUE, "split", reason="must be 0, 1 or 2", got=split)
    return None if split is None else MODES[split]


def _literal(call: OpCall, name: str) -> int | None:
    """An integer written as a literal; a name is refused even if it is a constant."""
    arg = call.args[name]
    value = arg.python
    if isinstance(value, int) and not arg.from_closure:
        return int(value)
    raise OpFault(faults.WRONG_KIND, name, expected="an integer literal", got=describe(arg))


def _crossing_operand(call: OpCall) -> TileType | TensorType | None:
    arg = call.args["x"]
    if arg.python is MISSING and operands.is_open(arg.type):
        return None
    if isinstance(arg.type, TileType | TensorType):
        return arg.type
    raise OpFault(faults.WRONG_KIND, "x", expected="a Tile or a Tensor", got=describe(arg))


def _check_region_operand(call: OpCall) -> None:
    if call.context.split_region is None:
        raise OpFault(faults.WRONG_KIND, "x", expected="a Tile outside of pl.split_aiv", got=describe(call.args["x"]))


def _check_stride(call: OpCall, extent: Dim) -> None:
    if call.get("lane_stride") is None:
        return
    stride, value = _literal(call, "lane_stride"), const_value(extent)
    if stride is not None and stride <= 0:
        raise OpFault(faults.WRONG_VALUE, "lane_stride", reason="must be positive", got=stride)
    if stride is not None and value is not None and stride > -(-value // 2):
        reason = f"must be at most half of the extent {value}"
        raise OpFault(faults.WRONG_VALUE, "lane_stride", reason=reason, got=stride)


def _check_halves(shape: Dims, valid: Dims, axis: int | None) -> None:
    """A partly valid column extent crosses only if it is static and equal in both halves."""
    if not all_exact(shape, valid) or provably_equal(valid[1], shape[1]):
        return
    held = f"the tile holds data in {show_all(valid)} of {show_all(shape)}"
    if axis == 1:
        reason = f"LEFT_RIGHT needs fully valid columns ({held}); split the rows, or widen with pl.set_validshape"
    elif const_value(valid[1]) is None:
        reason = f"the valid columns must be static or full ({held})"
    elif axis == 0 and not provably_equal(valid[0], shape[0]):
        reason = f"UP_DOWN needs fully valid rows or columns ({held})"
    elif const_value(valid[0]) is None:
        reason = f"partly valid columns need static valid rows ({held})"
    else:
        return
    raise OpFault(faults.VALID_REGION, "x", reason=reason)


def _half(dim: Dim, up: bool = False) -> Dim:
    value = const_value(dim)
    if value is not None:
        return (value + 1) // 2
    if not is_exact(dim):
        return arith.unknown_extent()
    return arith.make("//", arith.make("+", dim, 1) if up else dim, 2)


def _double(dim: Dim, up: bool = False) -> Dim:
    value = const_value(dim)
    return value * 2 if value is not None else arith.make("*", dim, 2)


def _at(dims: Dims, axis: int, dim: Dim) -> Dims:
    return (*dims[:axis], dim, *dims[axis + 1 :])


def _moved(tile: TileType, shape: Dims, valid: Dims, memory: str) -> TileType:
    return settled(tile.dtype, shape, memory, valid=valid, layout=TileLayout())


# --- pipes ---------------------------------------------------------------------------------------------------------


def _pipe(ir_op: str, required: tuple[str, ...] = (), optional_: tuple[str, ...] = ()) -> Rule:
    """An operator for its effect alone on a tile that is not looked at, with integer attributes."""

    def rule(call: OpCall) -> OpResult:
        wrapped(call, "tile")
        _check_integers(call, required, optional_)
        return OpResult(UNKNOWN, ir_op)

    return rule


def _check_integers(call: OpCall, required: tuple[str, ...], optional_: tuple[str, ...]) -> None:
    for name in required:
        strict_integer(call, name)
    for name in optional_:
        optional_integer(call, name)


def _pop(ir_op: str, memory: str) -> Rule:
    """The tile that the other core pushed: its type is that given, else that of the annotation at the assignment."""

    def rule(call: OpCall) -> OpResult:
        _check_integers(call, ("split",), ("lane_stride", "id"))
        return OpResult(_popped(call, memory), ir_op)

    return rule


def _popped(call: OpCall, memory: str) -> Type:
    if given(call, "shape") != given(call, "dtype"):
        lone = "shape" if given(call, "shape") else "dtype"
        raise OpFault(faults.CONFLICTING_ARGUMENTS, lone, reason="shape and dtype are given together")
    if not given(call, "shape"):
        return UNKNOWN
    shape, dtype = operands.extents(call, "shape"), operands.dtype_argument(call, "dtype")
    return tile_type(dtype, shape, memory) if shape is not None else TileType(dtype, None, memory)


def _initialize(ir_op: str) -> Rule:
    def rule(call: OpCall) -> OpResult:
        for name in ("c2v_consumer_buf", "v2c_consumer_buf"):
            arg = call.get(name)
            if arg is not None and not isinstance(arg.python, int | float) and _is_no_value(arg):
                raise OpFault(faults.WRONG_KIND, name, expected="a buffer", got=describe(arg))
        _check_integers(call, ("dir_mask", "slot_size"), ("slot_num", "local_slot_num", "id"))
        return OpResult(UNKNOWN, ir_op)

    return rule


def _is_no_value(arg: Arg) -> bool:
    """Whether an argument is a Python value or a list, not a value of the kernel."""
    return arg.python is not MISSING or isinstance(arg.expr, MakeTuple)


def reserve_buffer(call: OpCall) -> OpResult:
    strict_text(call, "name")
    _check_integers(call, ("size", "base"), ())
    return OpResult(ScalarType(INT32), "system.reserve_buffer")


def import_peer_buffer(call: OpCall) -> OpResult:
    strict_text(call, "name")
    strict_text(call, "peer_func")
    return OpResult(ScalarType(INT32), "system.import_peer_buffer")


# --- declarations --------------------------------------------------------------------------------------------------


def _integer(name: str, *, required: bool = False, default: str = "None") -> Param:
    if required:
        return needed(name, "int", attribute=True, keyword_only=True)
    return optional(name, "int" if default != "None" else "int | None", default, attribute=True, keyword_only=True)


def _split_operator(name: str, rule: Rule, doc: str, memory: str, *extra: Param, usage: int = 0) -> Operator:
    return Operator(
        name=f"tile.{name}",
        paths=(f"pl.{name}", f"pl.tile.{name}", f"pl.tensor.{name}"),
        params=(Param("x", "Tile | Tensor", kind="positional_only"), _integer("split"), *extra),
        rule=rule,
        doc=doc,
        returns="Tile",
        lane=Lane.MIXED,
        output_memory=memory,
        reads=("x",),
        usage=usage,
        takes_attrs=False,
        refusal="ParserSyntaxError",
    )


def _pipe_operator(
    name: str, rule: Rule, params: tuple[Param, ...], lane: Lane, doc: str, *, returns: str = "", memory: str = ""
) -> Operator:
    tiles = tuple(p.name for p in params if p.type == "Tile")
    in_tile = () if name.startswith(("tfree", "aic_", "aiv_")) else (f"pl.tile.{name}",)
    return Operator(
        name=name,
        paths=(f"pl.{name}", f"pl.system.{name}", *in_tile),
        params=params,
        rule=rule,
        doc=doc,
        returns=returns,
        lane=lane,
        output_memory=memory,
        reads=tiles,
    )


_STRIDE, _ID = _integer("lane_stride"), _integer("id")
_POP = (
    optional("shape", "list[int] | None", keyword_only=True),
    dtype_param("dtype", "None", keyword_only=True),
    _integer("split", default="0"),
)
_PIPE = (
    optional("c2v_consumer_buf", "int | Scalar", "0"), optional("v2c_consumer_buf", "int | Scalar", "0"),
    _integer("dir_mask", required=True), _integer("slot_size", required=True),
    _integer("slot_num"), _integer("local_slot_num"), _ID,
)  # fmt: skip
_PUSH = (tile_param("tile"), _integer("split", required=True))
_FREE = (tile_param("tile"), _integer("split"), _ID)

_HALVES = (
    _split_operator(
        "aiv_shard", shard, "Give each vector core its half of a value inside a split region.", "Vec", _STRIDE, usage=3
    ),
    _split_operator("aic_gather", join, "Join the halves of the vector cores inside a split region.", "Mat"),
)

_PIPES = (
    _pipe_operator(
        "tpush_to_aiv", _pipe("tile.tpush_to_aiv", ("split",), ("lane_stride", "id")), (*_PUSH, _STRIDE, _ID),
        Lane.CUBE,
        "Push a tile from the cube core to the vector cores.",
    ),
    _pipe_operator(
        "tpush_to_aic", _pipe("tile.tpush_to_aic", ("split",), ("id",)), (*_PUSH, _ID), Lane.VECTOR,
        "Push a tile from a vector core to the cube core.",
    ),
    _pipe_operator(
        "tpop_from_aic", _pop("tile.tpop_from_aic", "Vec"), (*_POP, _STRIDE, _ID), Lane.VECTOR,
        "Take the tile that the cube core pushed.", returns="Tile", memory="Vec",
    ),
    _pipe_operator(
        "tpop_from_aiv", _pop("tile.tpop_from_aiv", "Mat"), (*_POP, _ID), Lane.CUBE,
        "Take the tile that the vector cores pushed.", returns="Tile", memory="Mat",
    ),
    _pipe_operator(
        "tfree_to_aic", _pipe("system.tfree_to_aic", (), ("split", "id")), _FREE, Lane.VECTOR,
        "Release the slot of a tile that came from the cube core.",
    ),
    _pipe_operator(
        "tfree_to_aiv", _pipe("system.tfree_to_aiv", (), ("split", "id")), _FREE, Lane.CUBE,
        "Release the slot of a tile that came from the vector cores.",
    ),
    _pipe_operator(
        "aic_initialize_pipe", _initialize("system.aic_initialize_pipe"), _PIPE, Lane.CUBE,
        "Set up the cube core's end of a pipe.",
    ),
    _pipe_operator(
        "aiv_initialize_pipe", _initialize("system.aiv_initialize_pipe"), _PIPE, Lane.VECTOR,
        "Set up the vector cores' end of a pipe.",
    ),
)  # fmt: skip

_BUFFERS = (
    Operator(
        "reserve_buffer", ("pl.system.reserve_buffer", "pl.reserve_buffer"),
        (
            needed("name", "str", attribute=True, keyword_only=True), _integer("size", required=True),
            _integer("base", default="AUTO"),
        ),
        reserve_buffer, "Reserve a named buffer for the slots of a pipe.", returns="Scalar",
    ),
    Operator(
        "import_peer_buffer", ("pl.system.import_peer_buffer", "pl.import_peer_buffer"),
        tuple(needed(name, "str", attribute=True, keyword_only=True) for name in ("name", "peer_func")),
        import_peer_buffer, "Get the buffer that the peer's function reserved.", returns="Scalar",
    ),
)  # fmt: skip

OPERATORS = (*_HALVES, *_PIPES, *_BUFFERS)
