"""Communication windows, ranks and signals between devices: ``pld``.

Reference: project docs, distributed programs.
"""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.arith import Dim, const_value
from pypto_lsp.ir.dtypes import INT32, INT64
from pypto_lsp.ir.enums import ENUMS, EnumMember
from pypto_lsp.ir.nodes import ConstInt, ErrorExpr, MakeTuple
from pypto_lsp.ir.types import UNKNOWN, DistributedTensorType, HandleType, ScalarType
from pypto_lsp.ops import operands
from pypto_lsp.ops.declare import EXTENTS, needed, optional
from pypto_lsp.ops.operands import describe, describe_type
from pypto_lsp.ops.regions import Dims
from pypto_lsp.ops.registry import MISSING, OpCall, Operator, OpFault, OpResult, Param, Rule
from pypto_lsp.ops.tile_memory import enum_number
from pypto_lsp.ops.tile_operands import given

POINTER = HandleType("pl.Ptr")
CONTEXT = HandleType("pld.CommCtxType")
_INT32_MAX = (1 << 31) - 1


# --- operands ------------------------------------------------------------------------------------------------------


def scalar_or_number(call: OpCall, name: str) -> Dim | None:
    """A rank, value or count: a scalar of the kernel or a Python number; as an extent where it is one."""
    arg = call.args[name]
    if isinstance(arg.python, int | float):
        return int(arg.python)
    operands.scalar(call, name)
    return arg.expr.value if isinstance(arg.expr, ConstInt) else None


def list_of(call: OpCall, name: str, rank: int | None, of: str) -> Dims | None:
    """A list with as many entries as a tensor has dimensions; the entries may be anything."""
    dims = operands.extents(call, name)
    operands.require_length(name, dims, rank, of)
    return dims


def rank_of(tensor: operands.Shaped | None) -> int | None:
    """The number of dimensions, None when not known."""
    return len(tensor.shape) if tensor is not None and tensor.shape is not None else None


def _handle(call: OpCall, name: str, handle: HandleType) -> None:
    arg = call.args[name]
    if isinstance(arg.expr, ErrorExpr) or (arg.python is MISSING and _is_open(call, name)):
        return
    if arg.type != handle:
        raise OpFault(faults.WRONG_KIND, name, expected=f"a {handle.name}", got=describe(arg))


def _is_open(call: OpCall, name: str) -> bool:
    arg = call.args[name]
    return operands.is_open(arg.type) and not isinstance(arg.expr, MakeTuple)


# --- windows -------------------------------------------------------------------------------------------------------


def alloc_window_buffer(call: OpCall) -> OpResult:
    """A number of bytes, or extents and an element type. Where it may stand is the parser's business."""
    if call.get("name") is not None:
        raise OpFault(
            faults.CONFLICTING_ARGUMENTS, "name", reason="the buffer is named after the variable it is bound to"
        )
    arg = call.args["size"]
    if not isinstance(arg.expr, MakeTuple) and not isinstance(arg.static, list | tuple):
        if given(call, "dtype"):
            raise OpFault(faults.CONFLICTING_ARGUMENTS, "dtype", reason="dtype goes with extents, not with a byte size")
        if arg.python is not MISSING and not isinstance(arg.python, int):
            raise OpFault(faults.WRONG_KIND, "size", expected="a number of bytes or extents", got=describe(arg))
        return OpResult(POINTER, "pld.tensor.alloc_window_buffer")
    if not given(call, "dtype"):
        raise OpFault(faults.CONFLICTING_ARGUMENTS, "size", reason="extents need dtype=")
    operands.dtype_argument(call, "dtype")
    extents = operands.extents(call, "size")
    if extents == ():
        raise OpFault(faults.WRONG_RANK, "size", expected="at least one extent", got="none")
    for index, dim in enumerate(extents or ()):
        value = const_value(dim)
        if value is not None and value <= 0:
            raise OpFault(faults.WRONG_VALUE, "size", index=index, reason="needs positive extents", got=value)
    return OpResult(POINTER, "pld.tensor.alloc_window_buffer")


def window(call: OpCall) -> OpResult:
    _handle(call, "buf", POINTER)
    shape, dtype = operands.extents(call, "shape"), operands.dtype_argument(call, "dtype")
    return OpResult(DistributedTensorType(dtype, shape), "pld.tensor.window")


# --- ranks ---------------------------------------------------------------------------------------------------------


def world_size(call: OpCall) -> OpResult:
    if call.context.level != "HOST":
        raise OpFault(faults.WRONG_PLACE_SYNTAX, reason="belongs in a HOST function")
    return OpResult(ScalarType(INT64), "pld.system.world_size")


def get_comm_ctx(call: OpCall) -> OpResult:
    operands.distributed(call, "dist_tensor")
    return OpResult(CONTEXT, "pld.system.get_comm_ctx")


def _from_context(ir_op: str) -> Rule:
    def rule(call: OpCall) -> OpResult:
        _handle(call, "ctx", CONTEXT)
        return OpResult(ScalarType(INT32), ir_op)

    return rule


# --- signals -------------------------------------------------------------------------------------------------------


def notify(call: OpCall) -> OpResult:
    target = operands.distributed(call, "target")
    scalar_or_number(call, "peer")
    list_of(call, "offsets", rank_of(target), "the rank of the target")
    scalar_or_number(call, "value")
    enum_number(call, "op", "NotifyOp")
    return OpResult(UNKNOWN, "pld.system.notify")


def wait(call: OpCall) -> OpResult:
    signal = operands.distributed(call, "signal")
    list_of(call, "offsets", rank_of(signal), "the rank of the signal")
    scalar_or_number(call, "expected")
    enum_number(call, "cmp", "WaitCmp")
    return OpResult(UNKNOWN, "pld.system.wait")


def defer_wait(call: OpCall) -> OpResult:
    """Stricter than ``wait``: an INT32 signal, integers throughout, at least (Ge) only."""
    signal = operands.distributed(call, "signal")
    operands.require_dtype("signal", signal.dtype if signal else None, (INT32,))
    operands.require_min_rank("signal", signal, 1)
    offsets = list_of(call, "offsets", rank_of(signal), "the rank of the signal")
    operands.require_integers("offsets", offsets)
    _check_count(call)
    if enum_number(call, "cmp", "WaitCmp") not in (None, ENUMS["WaitCmp"].index("Ge")):
        raise OpFault(faults.WRONG_MEMBER, "cmp", expected="WaitCmp.Ge", got="WaitCmp.Eq")
    return OpResult(UNKNOWN, "pld.system.defer_wait")


def _check_count(call: OpCall) -> None:
    arg = call.args["expected"]
    value = scalar_or_number(call, "expected")
    dtype = arg.type.dtype if isinstance(arg.type, ScalarType) else None
    if isinstance(arg.python, float) or (dtype is not None and not dtype.is_int):
        raise OpFault(faults.WRONG_KIND, "expected", expected="an integer", got=describe_type(arg.type))
    if isinstance(value, int) and not 0 <= value <= _INT32_MAX:
        raise OpFault(faults.WRONG_VALUE, "expected", reason=f"must be in 0..{_INT32_MAX}", got=value)


# --- declarations --------------------------------------------------------------------------------------------------


def member_param(name: str, enum: str, default: str = "") -> Param:
    """A keyword that takes a member of an enum of ``pld``."""
    allowed = tuple(f"pld.{enum}.{m}" for m in ENUMS[enum])
    return Param(name, enum, not default, default, "keyword_only", allowed, attribute=True)


def atomic_param() -> Param:
    """Whether a transfer adds to what is there."""
    allowed = tuple(str(EnumMember("AtomicType", m)) for m in ENUMS["AtomicType"])
    return optional("atomic", "AtomicType", "pl.AtomicType.None_", keyword_only=True, attribute=True, allowed=allowed)


WINDOW = "DistributedTensor"
PEER = needed("peer", "int | Scalar")
OFFSETS = needed("offsets", EXTENTS)

_WINDOWS = (
    Operator(
        "tensor.alloc_window_buffer", ("pld.tensor.alloc_window_buffer", "pld.alloc_window_buffer"),
        (
            needed("size", "int | Scalar | Sequence[int | Scalar]"),
            optional("dtype", "DataType | None", keyword_only=True, attribute=True),
            optional("name", "str", '""', keyword_only=True, attribute=True),
        ),
        alloc_window_buffer, "Declare a communication buffer on every rank, by bytes or by extents and element type.",
        "Ptr", usage=347, refusal="ParserSyntaxError",
    ),
    Operator(
        "tensor.window", ("pld.tensor.window", "pld.window"),
        (
            needed("buf", "Ptr"), needed("shape", EXTENTS),
            needed("dtype", "DataType", attribute=True, keyword_only=True),
        ),
        window, "View a communication buffer as a tensor.", WINDOW, usage=347,
    ),
)  # fmt: skip

_RANKS = (
    Operator(
        "system.world_size", ("pld.system.world_size", "pld.world_size"), (), world_size,
        "Number of devices that take part (HOST functions only).", "Scalar", usage=49,
    ),
    Operator(
        "system.get_comm_ctx", ("pld.system.get_comm_ctx", "pld.get_comm_ctx"), (needed("dist_tensor", WINDOW),),
        get_comm_ctx, "Get the communication context of a window.", "CommCtx", usage=8,
    ),
    Operator(
        "system.rank", ("pld.system.rank", "pld.rank"), (needed("ctx", "CommCtx"),), _from_context("pld.system.rank"),
        "Rank of this device in its group.", "Scalar", usage=8,
    ),
    Operator(
        "system.nranks", ("pld.system.nranks", "pld.nranks"), (needed("ctx", "CommCtx"),),
        _from_context("pld.system.nranks"), "Number of ranks in the group.", "Scalar", usage=7,
    ),
)  # fmt: skip

_COUNT = needed("expected", "int | Scalar")
_SIGNALS = (
    Operator(
        "system.notify", ("pld.system.notify",),
        (needed("target", WINDOW), PEER, OFFSETS, needed("value", "int | Scalar"), member_param("op", "NotifyOp")),
        notify, "Set or add to a peer's signal.", reads=("target",), writes=("target",), usage=57,
    ),
    Operator(
        "system.wait", ("pld.system.wait",),
        (needed("signal", WINDOW), OFFSETS, _COUNT, member_param("cmp", "WaitCmp")),
        wait, "Block until a local signal has the value expected.", reads=("signal",), usage=37,
    ),
    Operator(
        "system.defer_wait", ("pld.system.defer_wait",),
        (needed("signal", WINDOW), OFFSETS, _COUNT, member_param("cmp", "WaitCmp")), defer_wait,
        "Leave the task incomplete until a local signal is large enough.", reads=("signal",),
    ),
)  # fmt: skip

OPERATORS = (*_WINDOWS, *_RANKS, *_SIGNALS)
