"""\"Did you mean\": a misspelt operator, keyword, name or enum member is replaced by the close match in the facts."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Edit, Fix
from pypto_lsp.fixes.registry import FixContext, provides


@provides("*")
def did_you_mean(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """Replace the span (or ``suggestion_span``) by ``facts["suggestion"]``."""
    suggestion = diagnostic.facts.get("suggestion")
    if isinstance(suggestion, str) and suggestion:
        yield Fix(f"Change to {suggestion}", (Edit(diagnostic.span, suggestion),))
