"""The program as the compiler's front end hands it to the first pass.

Our own lowering keeps a call as its author wrote it, which is what rules look at. The compiler fills in what was left to
defaults when it builds a call; the passes start from that form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import Dim, dim_of, expr_of, mul
from pypto_lsp.ir.dtypes import INDEX, INT32, INT64, DType
from pypto_lsp.ir.enums import EnumMember, memory_space
from pypto_lsp.ir.mutator import Mutator, each_function

_ND = EnumMember("TensorLayout", "ND")
_VEC = memory_space("Vec")
_PIPE_BUFFERS = ("c2v_consumer_buf", "v2c_consumer_buf")

#: operator -> attributes that its calls always have
_ATTRIBUTES: dict[str, Mapping[str, Any]] = {
    "tensor.create": {"layout": _ND},
    "tensor.matmul": {"a_trans": False, "b_trans": False, "c_matrix_nz": False},
    "tensor.matmul_acc": {"a_trans": False, "b_trans": False},
    "tile.load": {"target_memory": _VEC},
    "system.reserve_buffer": {"base": -1},
    "system.syncall": {"core_type": "mix"},
    "tensor.cast": {"mode": "round"},
    "tile.cast": {"mode": "round"},
}
#: attributes that a built call does not have: its type tells them, or they only chose its form
_TYPED: dict[str, frozenset[str]] = {
    "pld.tensor.alloc_window_buffer": frozenset({"dtype"}),
    "tile.tpop_from_aic": frozenset({"dtype"}),
    "tile.tpop_from_aiv": frozenset({"dtype"}),
}


def _load(call: ir.Call) -> ir.Call:
    """A load names the valid part of its window, the whole window where none is given."""
    if len(call.args) != 3:
        return call
    return replace(call, args=(*call.args, call.args[2]), names=(*call.names, "valid_shape"))


def _pop(call: ir.Call) -> ir.Call:
    """A popped tile's shape is that of its type."""
    return replace(call, args=(), names=()) if call.args else call


def _pipe(call: ir.Call) -> ir.Call:
    """A pipe names both of its buffers; one that is not there is at 0."""
    return _with_operands(call, _PIPE_BUFFERS, INT32, dict.fromkeys(_PIPE_BUFFERS, 0))


def _with_operands(call: ir.Call, names: tuple[str, ...], dtype: DType, default: Mapping[str, int]) -> ir.Call:
    """The call with parameters as operands wherever they were given, or with their defaults."""
    given = dict(zip(call.names, call.args))
    args = []
    for name in names:
        value = given.get(name) or call.kwargs.get(name, default.get(name))
        args.append(value if isinstance(value, ir.Expr) else ir.ConstInt(value or 0, dtype, call.span))
    kwargs = {key: value for key, value in call.kwargs.items() if key not in names}
    return replace(call, args=tuple(args), names=names, kwargs=kwargs)


def _syncall(call: ir.Call) -> ir.Call:
    """A hard barrier is what is meant without a mode."""
    if call.kwargs.get("mode") != "hard":
        return call
    return replace(call, kwargs={key: value for key, value in call.kwargs.items() if key != "mode"})


def _window_bytes(call: ir.Call) -> ir.Call:
    """A window buffer of a shape is one of so many bytes."""
    dtype, shape = call.kwargs.get("dtype"), call.args[0] if call.args else None
    if not isinstance(shape, ir.MakeTuple) or not isinstance(dtype, DType):
        return call
    total: Dim = (dtype.bits + 7) // 8
    for element in reversed(shape.elements):
        total = mul(dim_of(element), total)
    size = ir.ConstInt(total, INT64, call.span) if isinstance(total, int) else expr_of(total, call.span)
    return replace(call, args=(size, *call.args[1:]))


def _transpose(call: ir.Call) -> ir.Call:
    """A transposition names its axes."""
    if not call.args or not {"axis1", "axis2"} & call.kwargs.keys():
        return call
    return _with_operands(call, (call.names[0], "axis1", "axis2"), INDEX, {})


_FORMS: dict[str, Callable[[ir.Call], ir.Call]] = {
    "pld.tensor.alloc_window_buffer": _window_bytes,
    "system.syncall": _syncall,
    "system.aic_initialize_pipe": _pipe,
    "system.aiv_initialize_pipe": _pipe,
    "tensor.transpose": _transpose,
    "tile.transpose": _transpose,
    "tile.load": _load,
    "tile.tpop_from_aic": _pop,
    "tile.tpop_from_aiv": _pop,
}


class _Built(Mutator):
    def call(self, expr: ir.Call) -> ir.Expr:
        call = super().call(expr)
        assert isinstance(call, ir.Call)
        if not isinstance(call.op, str):
            return call
        form = _FORMS.get(call.op)
        return _with_attributes(call if form is None else form(call))


def _with_attributes(call: ir.Call) -> ir.Call:
    """The call with the attributes that it always has, without those that it never has."""
    op = str(call.op)
    missing = {k: v for k, v in _ATTRIBUTES.get(op, {}).items() if k not in call.kwargs}
    told = _TYPED.get(op, frozenset()) & call.kwargs.keys()
    if not missing and not told:
        return call
    kept = {k: v for k, v in call.kwargs.items() if k not in told}
    return replace(call, kwargs={**kept, **missing})


def as_built(program: ir.Program) -> ir.Program:
    """The program with its operator calls in the form in which the compiler builds them."""
    return each_function(program, _Built().function)


__all__ = ["as_built"]
