"""The program as the compiler's front end hands it to the first pass.

Our own lowering keeps a call as its author wrote it, which is what rules look at. The compiler fills in what was left to
defaults when it builds a call; the passes start from that form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import EnumMember
from pypto_lsp.ir.mutator import Mutator

_ND = EnumMember("TensorLayout", "ND")
_VEC = EnumMember("MemorySpace", "Vec")

#: operator -> attributes that its calls always have
_ATTRIBUTES: dict[str, Mapping[str, Any]] = {
    "tensor.create": {"layout": _ND},
    "tensor.matmul": {"a_trans": False, "b_trans": False, "c_matrix_nz": False},
    "tensor.matmul_acc": {"a_trans": False, "b_trans": False},
    "tile.load": {"target_memory": _VEC},
    "system.reserve_buffer": {"base": -1},
}
#: attributes that a call's type tells already
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


_FORMS: dict[str, Callable[[ir.Call], ir.Call]] = {
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
        missing = {k: v for k, v in _ATTRIBUTES.get(call.op, {}).items() if k not in call.kwargs}
        told = _TYPED.get(call.op, frozenset()) & call.kwargs.keys()
        if missing or told:
            kept = {k: v for k, v in call.kwargs.items() if k not in told}
            call = replace(call, kwargs={**kept, **missing})
        form = _FORMS.get(str(call.op))
        return call if form is None else form(call)


def as_built(program: ir.Program) -> ir.Program:
    """The program with its operator calls in the form in which the compiler builds them."""
    functions = {name: _Built().function(function) for name, function in program.functions.items()}
    same = all(functions[name] is function for name, function in program.functions.items())
    return program if same else replace(program, functions=functions)
