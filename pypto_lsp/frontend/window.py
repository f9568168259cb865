"""``buf = pld.alloc_window_buffer(...)``: buffers named after the variable that holds them."""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_statements as faults
from pypto_lsp.frontend import binding, operators
from pypto_lsp.frontend.lowering import Lowering
from pypto_lsp.frontend.names import target_names
from pypto_lsp.frontend.paths import dotted
from pypto_lsp.syntax import nodes as syntax

PATHS = frozenset(
    (
        "pld.alloc_window_buffer",
        "pld.system.alloc_window_buffer",
        "pld.tensor.alloc_window_buffer",
        "pld.tile.alloc_window_buffer",
    )
)
HOST_LEVEL = "HOST"


def is_allocation(node: syntax.Expr | None) -> bool:
    return isinstance(node, syntax.Call) and dotted(node.func) in PATHS


def on_host(low: Lowering) -> bool:
    """Whether a place belongs to a HOST function, outside device scopes."""
    return low.context.level == HOST_LEVEL and not low.inside("incore", "spmd")


def allocate(low: Lowering, node: syntax.Assign | syntax.AnnAssign, target: syntax.Expr) -> None:
    call = node.value
    assert isinstance(call, syntax.Call)
    if not on_host(low):
        low.report(faults.WINDOW_PLACE, call.span, subject=call, operation="alloc_window_buffer")
    if not isinstance(target, syntax.Name):
        low.report(faults.WINDOW_TARGET, node.span, subject=node)
        for name in target_names(target):
            low.poison(name, target.span)
        return
    explicit = next((k for k in call.keywords if k.arg == "name"), None)
    if explicit is not None:
        low.report(faults.WINDOW_NAME, operators.surplus_span(call, explicit.span), subject=call, name=target.id)
        low.poison(target.id, target.span)
        return
    if target.id in low.context.buffers:
        low.report(faults.WINDOW_TWICE, target.span, subject=node, name=target.id)
    low.context.buffers.add(target.id)
    value = operators.plain_call(low, call, dotted(call.func))
    binding.assign(low, target, value, node.span)
