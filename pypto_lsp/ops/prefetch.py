"""Asynchronous prefetch of global memory into the L2 cache: ``pl.prefetch``."""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.arith import const_value, is_exact
from pypto_lsp.ir.dtypes import BOOL
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.nodes import ErrorExpr, Read, Var
from pypto_lsp.ir.types import HandleType, ScalarType
from pypto_lsp.ops import operands
from pypto_lsp.ops.declare import needed
from pypto_lsp.ops.operands import AnyTensor, describe, describe_type
from pypto_lsp.ops.regions import show
from pypto_lsp.ops.registry import MISSING, OpCall, Operator, OpFault, OpResult

CONTEXT = HandleType("pl.PrefetchAsyncContext")
EVENT = HandleType("pl.AsyncEvent")
SESSION = HandleType("pl.AsyncSession")


def _handle(call: OpCall, name: str, handle: HandleType) -> None:
    arg = call.args[name]
    if isinstance(arg.expr, ErrorExpr) or (arg.python is MISSING and operands.is_open(arg.type)):
        return
    if arg.type != handle:
        raise OpFault(faults.WRONG_KIND, name, expected=f"a {handle.name}", got=describe(arg))


def make_context(call: OpCall) -> OpResult:
    return OpResult(CONTEXT, "prefetch.make_context")


def async_prefetch(call: OpCall) -> OpResult:
    source = operands.tensor(call, "src")
    if source is not None:
        if not isinstance(call.args["src"].expr, Read | Var):
            raise OpFault(faults.WRONG_KIND, "src", expected="the name of a tensor", got="an expression")
        _check_flat(source)
    _handle(call, "ctx", CONTEXT)
    return OpResult(EVENT, "prefetch.async_prefetch")


def _check_flat(source: AnyTensor) -> None:
    """One row of static length."""
    operands.require_min_rank("src", source, 1)
    for axis, dim in enumerate(source.shape or ()):
        value = const_value(dim)
        if value is None and is_exact(dim):
            raise OpFault(faults.NOT_CONSTANT, "src", got=f"a tensor whose dimension {axis} is {show(dim)}")
        if axis < len(source.shape or ()) - 1 and value not in (1, None):
            reason = "must be flat: all extents but the last are 1"
            raise OpFault(faults.WRONG_VALUE, "src", reason=reason, got=describe_type(source))


def session(call: OpCall) -> OpResult:
    _handle(call, "ctx", CONTEXT)
    return OpResult(SESSION, "prefetch.session")


def wait(call: OpCall) -> OpResult:
    _handle(call, "event", EVENT)
    _handle(call, "session_handle", SESSION)
    return OpResult(ScalarType(BOOL), "prefetch.wait")


_CTX = needed("ctx", "PrefetchAsyncContext")

OPERATORS = (
    Operator(
        "prefetch.make_context", ("pl.prefetch.make_context",), (), make_context,
        "Make the context of asynchronous prefetches.", "PrefetchAsyncContext", lane=Lane.VECTOR, usage=3,
    ),
    Operator(
        "prefetch.async_prefetch", ("pl.prefetch.async_prefetch",), (needed("src"), _CTX), async_prefetch,
        "Start to load a flat tensor into the L2 cache.", "AsyncEvent", lane=Lane.VECTOR, reads=("src",), usage=19,
    ),
    Operator(
        "prefetch.session", ("pl.prefetch.session",), (_CTX,), session, "Get the session of a prefetch context.",
        "AsyncSession", lane=Lane.VECTOR,
    ),
    Operator(
        "prefetch.wait", ("pl.prefetch.wait",),
        (needed("event", "AsyncEvent"), needed("session_handle", "AsyncSession")),
        wait, "Wait for a prefetch to end.", "Scalar", lane=Lane.VECTOR,
    ),
)  # fmt: skip
