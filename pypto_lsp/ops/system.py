"""Synchronisation, caches, launch queries and task ids: ``pl.system``."""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.arith import const_value, is_exact
from pypto_lsp.ir.dtypes import INDEX, INT32, INT64, TASK_ID, DType
from pypto_lsp.ir.enums import ENUMS, EnumMember
from pypto_lsp.ir.nodes import ConstInt, ErrorExpr, Expr, OpaqueInt, StaticValue
from pypto_lsp.ir.types import UNKNOWN, ArrayType, ScalarType, Type
from pypto_lsp.ops import operands
from pypto_lsp.ops.declare import EXTENTS, needed, optional
from pypto_lsp.ops.operands import AnyTensor, describe, describe_type
from pypto_lsp.ops.regions import Dims
from pypto_lsp.ops.registry import MISSING, OpCall, Operator, OpFault, OpResult, Param, Rule
from pypto_lsp.ops.tile_memory import enum_number
from pypto_lsp.ops.tile_operands import given, optional_integer, strict_integer, word

CORE_TYPES = ("aiv_only", "aic_only", "mix")
SYNC_CORES = ("aic", "aiv")
#: event ids that kernels may use
LAST_EVENT = 13
FFTS_ELEMENTS = 256
_INT32_MAX = (1 << 31) - 1


def _constant(ir_op: str, type_: Type) -> Rule:
    """An operator without operands."""

    def rule(call: OpCall) -> OpResult:
        return OpResult(type_, ir_op)

    return rule


# --- barriers ------------------------------------------------------------------------------------------------------


def syncall(call: OpCall) -> OpResult:
    """All cores wait for each other: the hard form needs nothing, the soft one a workspace and the number of cores."""
    mode = word(call, "mode", ("hard", "soft"), "hard")
    word(call, "core_type", CORE_TYPES, "mix")
    soft = [name for name in ("gm_workspace", "used_cores") if given(call, name)]
    if mode == "hard" and soft:
        raise OpFault(faults.CONFLICTING_ARGUMENTS, soft[0], reason=f'{soft[0]} belongs to mode="soft"')
    if mode == "soft":
        if len(soft) < 2:
            raise OpFault(faults.CONFLICTING_ARGUMENTS, reason='mode="soft" needs gm_workspace and used_cores')
        operands.tensor(call, "gm_workspace")
        _check_used_cores(call)
    return OpResult(UNKNOWN, "system.syncall")


def _check_used_cores(call: OpCall) -> None:
    arg = call.args["used_cores"]
    value = arg.python
    if value is MISSING:
        if isinstance(arg.expr, ErrorExpr | OpaqueInt):
            return
        scalar = operands.scalar(call, "used_cores")
        operands.require_dtype("used_cores", scalar.dtype if scalar else None, (INT32,))
        value = arg.expr.value if isinstance(arg.expr, ConstInt) else 0
    if not isinstance(value, int):
        raise OpFault(faults.WRONG_KIND, "used_cores", expected="an integer or an INT32 scalar", got=describe(arg))
    if not 0 <= value <= _INT32_MAX:
        raise OpFault(faults.WRONG_VALUE, "used_cores", reason=f"must be in 0..{_INT32_MAX}", got=value)


def _cross_core(ir_op: str) -> Rule:
    """Set or await an event of the other core: a run-time INDEX scalar, or a constant by keyword."""

    def rule(call: OpCall) -> OpResult:
        _check_event(call)
        enum_number(call, "pipe", "PipeType", strict=True)
        mode = optional_integer(call, "ffts_mode")
        if mode is not None and not 0 <= mode <= 2:
            raise OpFault(faults.WRONG_VALUE, "ffts_mode", reason="must be 0, 1 or 2", got=mode)
        if given(call, "core_type"):
            word(call, "core_type", SYNC_CORES)
        return OpResult(UNKNOWN, ir_op)

    return rule


def _check_event(call: OpCall) -> None:
    arg = call.args["event_id"]
    value = arg.python
    if value is MISSING:
        scalar = operands.scalar(call, "event_id")
        operands.require_dtype("event_id", scalar.dtype if scalar else None, (INDEX,))
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise OpFault(faults.WRONG_KIND, "event_id", expected="an integer", got=describe(arg))
    if not 0 <= value <= LAST_EVENT:
        raise OpFault(faults.WRONG_VALUE, "event_id", reason=f"must be in 0..{LAST_EVENT}", got=value)


def _in_core(ir_op: str) -> Rule:
    """An event between two pipes of one core."""

    def rule(call: OpCall) -> OpResult:
        for name in ("set_pipe", "wait_pipe"):
            _check_pipe(call, name)
        strict_integer(call, "event_id")
        return OpResult(UNKNOWN, ir_op)

    return rule


def _check_pipe(call: OpCall, name: str) -> None:
    """A pipe, or any number for one."""
    value = operands.attribute(call, name)
    member = isinstance(value, EnumMember) and value.enum == "PipeType"
    if value is not MISSING and not member and (isinstance(value, bool) or not isinstance(value, int)):
        raise OpFault(faults.WRONG_MEMBER, name, expected=", ".join(ENUMS["PipeType"]), got=str(value))


def set_ffts(call: OpCall) -> OpResult:
    workspace = operands.tensor(call, "workspace")
    operands.require_dtype("workspace", workspace.dtype if workspace else None, (INT64,))
    operands.require_rank("workspace", workspace, 1)
    length = workspace.shape[0] if workspace is not None and workspace.shape is not None else None
    value = const_value(length)
    if length is not None and is_exact(length) and (value is None or value < FFTS_ELEMENTS):
        reason = f"needs a static length of at least {FFTS_ELEMENTS}"
        raise OpFault(faults.WRONG_VALUE, "workspace", reason=reason, got=describe(call.args["workspace"]))
    return OpResult(UNKNOWN, "system.set_ffts")


def cacheinvalid(call: OpCall) -> OpResult:
    """The whole of global memory, or the cache line of a window's start."""
    window = [name for name in ("shapes", "offsets") if given(call, name)]
    if not given(call, "tensor"):
        if window:
            raise OpFault(faults.CONFLICTING_ARGUMENTS, window[0], reason=f"{window[0]} goes with a tensor")
        return OpResult(UNKNOWN, "system.cacheinvalid")
    tensor = operands.tensor(call, "tensor")
    if len(window) < 2:
        raise OpFault(faults.CONFLICTING_ARGUMENTS, reason="a tensor goes with shapes and offsets")
    for name in window:
        _check_window(name, operands.extents(call, name), tensor)
    return OpResult(UNKNOWN, "system.cacheinvalid")


def _check_window(name: str, dims: Dims | None, tensor: AnyTensor | None) -> None:
    rank = len(tensor.shape) if tensor is not None and tensor.shape is not None else None
    operands.require_length(name, dims, rank, "the rank of the tensor")
    for index, dim in enumerate(dims or ()):
        dtype = dim.type.dtype if isinstance(dim, Expr) and isinstance(dim.type, ScalarType) else None
        if isinstance(dim, float) or (dtype is not None and dtype.is_float):
            got = dtype.name if dtype is not None else repr(dim)
            raise OpFault(faults.NOT_AN_EXTENT, name, index=index, expected="an integer", got=got)


# --- tasks ---------------------------------------------------------------------------------------------------------


def task_dummy(call: OpCall) -> OpResult:
    arg = call.args["deps"]
    entries = arg.elements()
    if entries is None and isinstance(arg.static, list | tuple):
        entries = tuple(StaticValue(v) for v in arg.static)
    if entries is None and not isinstance(arg.expr, ErrorExpr):
        raise OpFault(faults.WRONG_KIND, "deps", expected="a list of task ids", got=describe(arg))
    for index, entry in enumerate(entries or ()):
        _check_dependency(entry, index)
    return OpResult(ScalarType(TASK_ID), "system.task_dummy")


def _check_dependency(entry: Expr, index: int) -> None:
    none = isinstance(entry, StaticValue) and entry.value is None
    if none or isinstance(entry, ErrorExpr) or operands.is_open(entry.type):
        return
    dtype: DType | None = None
    if isinstance(entry.type, ScalarType | ArrayType):
        dtype = entry.type.dtype
        if dtype in (TASK_ID, None):
            return
    got = describe_type(entry.type)
    raise OpFault(faults.NOT_AN_EXTENT, "deps", index=index, expected="a task id, an array of them or None", got=got)


# --- declarations --------------------------------------------------------------------------------------------------

_PIPES = tuple(str(EnumMember("PipeType", name)) for name in ENUMS["PipeType"])


def _op(
    name: str,
    params: tuple[Param, ...],
    rule: Rule,
    doc: str,
    *,
    returns: str = "",
    reads: tuple[str, ...] = (),
    writes: tuple[str, ...] = (),
    usage: int = 0,
    refusal: str = "",
) -> Operator:
    return Operator(
        name=f"system.{name}",
        paths=(f"pl.system.{name}",),
        params=params,
        rule=rule,
        doc=doc,
        returns=returns,
        reads=reads,
        writes=writes,
        usage=usage,
        refusal=refusal,
    )


def _pipe(name: str) -> Param:
    return Param(name, "PipeType", kind="keyword_only", allowed=_PIPES, attribute=True)


def _word(name: str, choices: tuple[str, ...], default: str) -> Param:
    type_ = "str | None" if default == "None" else "str"
    return optional(name, type_, default, keyword_only=True, attribute=True, allowed=tuple(f'"{c}"' for c in choices))


_EVENT = needed("event_id", "int | Scalar")
_SIDE = _word("core_type", SYNC_CORES, "None")
_LOCAL = (_pipe("set_pipe"), _pipe("wait_pipe"), needed("event_id", "int", attribute=True, keyword_only=True))

_BARRIERS = (
    _op(
        "syncall",
        (
            _word("core_type", CORE_TYPES, '"mix"'), _word("mode", ("hard", "soft"), '"hard"'),
            optional("gm_workspace", "Tensor | None", keyword_only=True),
            optional("used_cores", "int | Scalar | None", keyword_only=True),
        ),
        syncall, "Make all cores wait for each other.", reads=("gm_workspace",), writes=("gm_workspace",), usage=7,
    ),
    _op(
        "sync_set",
        (
            _EVENT, _pipe("pipe"), optional("ffts_mode", "int | None", keyword_only=True, attribute=True), _SIDE,
        ),
        _cross_core("system.sync_set"), "Signal an event to the other kind of core.",
    ),
    _op(
        "sync_wait", (_EVENT, _pipe("pipe"), _SIDE), _cross_core("system.sync_wait"),
        "Wait for an event of the other kind of core.",
    ),
    _op("sync_src", _LOCAL, _in_core("system.sync_src"), "Signal an event between two pipes of this core."),
    _op("sync_dst", _LOCAL, _in_core("system.sync_dst"), "Wait for an event between two pipes of this core."),
    _op("bar_v", (), _constant("system.bar_v", UNKNOWN), "Wait for the vector pipe."),
    _op("bar_m", (), _constant("system.bar_m", UNKNOWN), "Wait for the matrix pipe."),
    _op("bar_all", (), _constant("system.bar_all", UNKNOWN), "Wait for all pipes of this core."),
    _op("fence", (), _constant("system.fence", UNKNOWN), "Order the memory accesses before and after."),
    _op(
        "set_ffts", (needed("workspace"),), set_ffts, "Set the workspace of cross-core events.", reads=("workspace",),
    ),
    _op(
        "cacheinvalid",
        (
            optional("tensor", "Tensor | None"), optional("shapes", f"{EXTENTS} | None"),
            optional("offsets", f"{EXTENTS} | None"),
        ),
        cacheinvalid, "Invalidate the cache of global memory, whole or at a window.",
    ),
)  # fmt: skip

_QUERIES = (
    _op(
        "available_cluster_count", (), _constant("system.available_cluster_count", ScalarType(INT32)),
        "Number of clusters that a launch may use.", returns="Scalar",
    ),
    _op(
        "available_aiv_count", (), _constant("system.available_aiv_count", ScalarType(INT32)),
        "Number of vector cores that a launch may use.", returns="Scalar",
    ),
    _op(
        "task_invalid", (), _constant("system.task_invalid", ScalarType(TASK_ID)), "The id of no task, as None is.",
        returns="Scalar",
    ),
    _op(
        "task_dummy", (needed("deps", "Sequence[Scalar | Array | None]", keyword_only=True),), task_dummy,
        "Add a task that only waits for others, and give its id.", returns="Scalar", usage=69,
        refusal="ParserTypeError",
    ),
)  # fmt: skip

OPERATORS = (*_BARRIERS, *_QUERIES)
