"""Operations of all ranks together: barrier, broadcast, reductions and exchanges over windows.

Each needs a signal, a window of INT32 with one slot per rank. The target is changed in place and is the result.
"""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.arith import Dim, const_value, differ, is_exact, same_structure
from pypto_lsp.ir.dtypes import INT32
from pypto_lsp.ir.enums import ENUMS
from pypto_lsp.ir.nodes import Read
from pypto_lsp.ir.types import UNDETERMINED, DistributedTensorType
from pypto_lsp.ops import operands
from pypto_lsp.ops.declare import needed, optional
from pypto_lsp.ops.distributed import WINDOW, member_param
from pypto_lsp.ops.operands import AnyTensor, describe_type
from pypto_lsp.ops.regions import show
from pypto_lsp.ops.registry import MISSING, OpCall, Operator, OpFault, OpResult
from pypto_lsp.ops.tile_memory import enum_number
from pypto_lsp.ops.tile_operands import given, one_of, strict_integer, strict_text

REDUCED = one_of("FP16 FP32")


def _signal(call: OpCall, name: str = "signal") -> DistributedTensorType | None:
    signal = operands.distributed(call, name)
    operands.require_dtype(name, signal.dtype if signal else None, (INT32,))
    return signal


def _result(target: DistributedTensorType | None, ir_op: str) -> OpResult:
    return OpResult(target or UNDETERMINED, ir_op)


def barrier(call: OpCall) -> OpResult:
    return _result(_signal(call), "pld.tensor.barrier")


def broadcast(call: OpCall) -> OpResult:
    target = operands.distributed(call, "target")
    _signal(call)
    root = strict_integer(call, "root")
    if root is not None and root < 0:
        raise OpFault(faults.WRONG_VALUE, "root", reason="must not be negative", got=root)
    return _result(target, "pld.tensor.broadcast")


def allreduce(call: OpCall) -> OpResult:
    """The signal may be left out in the mesh mode: the host then makes one."""
    cores = operands.integer(call, "core_num", 1)
    if cores is not None and cores <= 0:
        raise OpFault(faults.WRONG_VALUE, "core_num", reason="must be positive", got=cores)
    target = operands.distributed(call, "target")
    operands.require_dtype("target", target.dtype if target else None, REDUCED)
    strict_text(call, "mode")
    if call.get("signal") is not None:
        if not given(call, "signal"):
            raise OpFault(faults.WRONG_KIND, "signal", expected="a DistributedTensor, or left out", got="None")
        _signal(call)
    elif operands.attribute(call, "mode", "mesh") not in ("mesh", MISSING):
        raise OpFault(faults.CONFLICTING_ARGUMENTS, "mode", reason="modes other than mesh need a signal")
    enum_number(call, "op", "ReduceOp", 0)
    return _result(target, "pld.tensor.allreduce")


def reduce_scatter(call: OpCall) -> OpResult:
    target = operands.distributed(call, "target")
    operands.require_rank("target", target, 2)
    _signal(call)
    if enum_number(call, "op", "ReduceOp", 0) not in (None, 0):
        raise OpFault(faults.WRONG_MEMBER, "op", expected="pld.ReduceOp.Sum", got="another reduction")
    return _result(target, "pld.tensor.reduce_scatter")


# --- exchanges -----------------------------------------------------------------------------------------------------


def allgather(call: OpCall) -> OpResult:
    source, target = _exchanged(call, "local_data")
    rows = source.shape[0] if source is not None and source.shape is not None else None
    if rows is not None and differ(rows, 1):
        raise OpFault(faults.WRONG_VALUE, "local_data", reason="must be one chunk [1, SIZE]", got=f"{show(rows)} rows")
    _check_columns("local_data", source, target)
    _check_slots("signal", _signal(call), "target", target)
    return _result(target, "pld.tensor.allgather")


def all_to_all(call: OpCall) -> OpResult:
    source, target = _exchanged(call, "input")
    _check_rows("input", source, target)
    _check_columns("input", source, target)
    _check_slots("signal", _signal(call), "input", source)
    return _result(target, "pld.tensor.all_to_all")


def _exchanged(call: OpCall, name: str, *, apart: bool = True) -> tuple[AnyTensor | None, DistributedTensorType | None]:
    """What a rank sends and where it receives: two matrices of one element type, in different buffers."""
    source, target = operands.tensor(call, name), operands.distributed(call, "target")
    first, second = call.args[name].expr, call.args["target"].expr
    if apart and isinstance(first, Read) and isinstance(second, Read) and first.var is second.var:
        raise OpFault(faults.CONFLICTING_ARGUMENTS, "target", reason=f"target must be another buffer than {name}")
    operands.require_rank(name, source, 2)
    operands.require_rank("target", target, 2)
    if source is not None and target is not None:
        operands.require_same_dtype("target", target.dtype, name, source.dtype)
    return source, target


def _check_rows(name: str, source: AnyTensor | None, target: AnyTensor | None) -> None:
    if source is None or target is None or source.shape is None or target.shape is None:
        return
    if differ(source.shape[0], target.shape[0]):
        raise _mismatch(name, source, target, "the row counts differ")


def _check_columns(name: str, source: AnyTensor | None, target: AnyTensor | None) -> None:
    """The columns must be the same expression."""
    if source is None or target is None or source.shape is None or target.shape is None:
        return
    left, right = source.shape[1], target.shape[1]
    if not same_structure(left, right) and is_exact(left) and is_exact(right):
        raise _mismatch(name, source, target, "the column counts differ")


def _mismatch(name: str, left: AnyTensor, right: AnyTensor, reason: str) -> OpFault:
    words, other = describe_type(left), describe_type(right)
    return OpFault(faults.SHAPE_MISMATCH, name, left=words, right=other, reason=reason)


def _check_slots(name: str, slots: AnyTensor | None, of: str, rows: AnyTensor | None) -> None:
    """A vector or single column, one slot for each row of another operand."""
    _check_vector(name, slots, (1, 2))
    if slots is None or rows is None or slots.shape is None or rows.shape is None:
        return
    if differ(slots.shape[0], rows.shape[0]):
        raise _mismatch(name, slots, rows, f"there must be one slot for each row of {of}")


def _check_vector(name: str, vector: AnyTensor | None, ranks: tuple[int, ...]) -> None:
    if vector is None or vector.shape is None:
        return
    if len(vector.shape) not in ranks:
        expected = " or ".join(f"rank {r}" for r in ranks)
        raise OpFault(faults.WRONG_RANK, name, expected=expected, got=f"rank {len(vector.shape)}")
    if len(vector.shape) == 2 and const_value(vector.shape[1]) != 1 and is_exact(vector.shape[1]):
        reason = "must have a single column"
        raise OpFault(faults.WRONG_VALUE, name, reason=reason, got=describe_type(vector))


def all_to_all_v(call: OpCall) -> OpResult:
    """Chunks of different length: the target has a block of equal size for every rank."""
    source, target = _exchanged(call, "input", apart=False)
    _check_rows("input", source, target)
    _check_columns("input", source, target)
    signal = _signal(call)
    _check_vector("signal", signal, (2,))
    ranks = _static_rows("signal", signal)
    rows = _static_rows("target", target)
    if ranks is not None and ranks <= 0:
        raise OpFault(faults.WRONG_VALUE, "signal", reason="must have a row for each rank", got=ranks)
    if ranks is not None and rows is not None and rows % ranks:
        raise OpFault(faults.WRONG_VALUE, "target", reason=f"needs a multiple of {ranks} rows", got=rows)
    for name, kinds in (("send_counts", (1, 2)), ("recv_counts", (2,))):
        counts = operands.tensor(call, name) if name == "send_counts" else operands.distributed(call, name)
        operands.require_dtype(name, counts.dtype if counts else None, (INT32,))
        _check_vector(name, counts, kinds)
        length = _static_rows(name, counts)
        if length is not None and ranks is not None and length != ranks:
            raise OpFault(faults.WRONG_VALUE, name, reason=f"needs a row for each of {ranks} ranks", got=length)
    return _result(target, "pld.tensor.all_to_all_v")


def _static_rows(name: str, tensor: AnyTensor | None) -> int | None:
    rows: Dim | None = tensor.shape[0] if tensor is not None and tensor.shape else None
    value = const_value(rows)
    if rows is not None and value is None and is_exact(rows):
        raise OpFault(faults.NOT_CONSTANT, name, got=f"a tensor of {show(rows)} rows")
    return value


# --- declarations --------------------------------------------------------------------------------------------------

_TARGET, _SIGNAL = needed("target", WINDOW), needed("signal", WINDOW)
_EITHER = "Tensor | DistributedTensor"
_REDUCTION = member_param("op", "ReduceOp", f"pld.ReduceOp.{ENUMS['ReduceOp'][0]}")

OPERATORS = (
    Operator(
        "tensor.barrier", ("pld.tensor.barrier",), (_SIGNAL,), barrier, "Make all ranks wait for each other.",
        WINDOW, reads=("signal",), writes=("signal",), usage=3,
    ),
    Operator(
        "tensor.broadcast", ("pld.tensor.broadcast",),
        (_TARGET, _SIGNAL, needed("root", "int", attribute=True, keyword_only=True)), broadcast,
        "Copy one rank's window to all ranks.", WINDOW, reads=("target", "signal"), writes=("target", "signal"),
    ),
    Operator(
        "tensor.allreduce", ("pld.tensor.allreduce",),
        (
            _TARGET, optional("signal", "DistributedTensor", "..."), _REDUCTION,
            optional("mode", "str", '"mesh"', keyword_only=True, attribute=True),
            optional("core_num", "int", "1", keyword_only=True, attribute=True),
        ),
        allreduce, "Reduce a window over all ranks in place.", WINDOW, reads=("target", "signal"),
        writes=("target", "signal"),
    ),
    Operator(
        "tensor.reduce_scatter", ("pld.tensor.reduce_scatter",), (_TARGET, _SIGNAL, _REDUCTION), reduce_scatter,
        "Sum a window over all ranks, each keeping its row.", WINDOW, reads=("target", "signal"),
        writes=("target", "signal"),
    ),
    Operator(
        "tensor.allgather", ("pld.tensor.allgather",), (needed("local_data", _EITHER), _TARGET, _SIGNAL), allgather,
        "Gather every rank's chunk on all ranks.", WINDOW, reads=("local_data", "signal"), writes=("target", "signal"),
    ),
    Operator(
        "tensor.all_to_all", ("pld.tensor.all_to_all",), (needed("input", _EITHER), _TARGET, _SIGNAL), all_to_all,
        "Send one row to every rank and receive one from each.", WINDOW, reads=("input", "signal"),
        writes=("target", "signal"),
    ),
    Operator(
        "tensor.all_to_all_v", ("pld.tensor.all_to_all_v",),
        (needed("input", _EITHER), _TARGET, _SIGNAL, needed("send_counts", _EITHER), needed("recv_counts", WINDOW)),
        all_to_all_v, "Send blocks of varying length to every rank and receive one from each.", WINDOW,
        reads=("input", "signal", "send_counts"), writes=("target", "signal", "recv_counts"),
    ),
)  # fmt: skip
