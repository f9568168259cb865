"""Lowering of a function's body to IR."""

from __future__ import annotations

from pypto_lsp.diagnostics import Severity

# the modules register what they lower
from pypto_lsp.frontend import attrs, calls, expressions, loops, scopes, statements, subscripts  # noqa: F401
from pypto_lsp.frontend.lowering import Lowering
from pypto_lsp.frontend.lowering_trace import Trace, Tracer
from pypto_lsp.frontend.model import BodyResult, FunctionContext
from pypto_lsp.text.stepwise import Steps


def lower_body(context: FunctionContext, trace: Trace | None = None, earlier: Trace | None = None) -> Steps[BodyResult]:
    """Lower the body of one function, in steps. Every fault is reported on the fragment to change, and nothing follows from it.

    ``trace`` is filled for the next lowering of the body; what ``earlier`` has of the last one is used again.
    """
    low = Lowering(context)
    if trace is not None:
        low.tracer = Tracer(low, trace, earlier, context.node.body)
    for var in context.params:
        low.names.define(var.name, var)
    with low.block():
        for name, node in context.attr_values:
            attrs.value(low, name, node)
    try:
        yield from low.statements(context.node.body)
    finally:
        low.tracer = None  # each knows the other, and both much else
    return BodyResult(
        body=tuple(low.out),
        returns=low.returns,
        diagnostics=low.diagnostics,
        bindings=low.bindings,
        calls=list(dict.fromkeys(low.calls)),
        complete=low.complete and not any(d.severity is Severity.ERROR for d in low.diagnostics),
    )
