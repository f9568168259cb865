"""Where the parts of a program stand in its source."""

from __future__ import annotations

from pypto_lsp.ir.nodes import Program
from pypto_lsp.text import Span


def in_parameters(place: Span, program: Program) -> bool:
    """Whether a place lies in the parameters of one of a program's kernels."""
    for function in program.functions.values():
        first = next((stmt.span for stmt in function.body or () if stmt.span is not None), None)
        head = function.name_span
        if head is None or first is None or not head.path == place.path == first.path:
            continue
        if head.begin <= place.begin < first.begin:
            return True
    return False
