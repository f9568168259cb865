"""Python syntax by pieces: parsing, spans, isolation of faults; knows nothing of PyPTO."""

from __future__ import annotations

from pypto_lsp.syntax.faults import SyntaxFault
from pypto_lsp.syntax.tree import SyntaxTree
from pypto_lsp.text.span import Source

__all__ = ["SyntaxFault", "SyntaxTree", "parse", "warm_up"]


def parse(source: Source) -> SyntaxTree:
    """The syntax tree of a source; never fails."""
    return SyntaxTree(source)


def warm_up() -> None:
    """Loads the parser, which importing this package does not (it takes half a second)."""
    parse(Source("", "pass\n"))
