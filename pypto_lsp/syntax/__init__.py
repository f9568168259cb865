"""Python syntax by pieces: parsing, spans, isolation of faults; knows nothing of PyPTO."""

from __future__ import annotations

import importlib

from pypto_lsp.syntax.faults import SyntaxFault
from pypto_lsp.syntax.tree import SyntaxTree, parse_stepwise
from pypto_lsp.text.span import Source
from pypto_lsp.text.stepwise import finished

__all__ = ["SyntaxFault", "SyntaxTree", "parse", "parse_stepwise", "warm_up"]


def parse(source: Source, *, plain: bool = False) -> SyntaxTree:
    """The syntax tree of a source; never fails. ``plain`` as for :func:`parse_stepwise`."""
    return finished(parse_stepwise(source, plain=plain))


def warm_up() -> None:
    """Loads the parser, which importing this package does not (it takes half a second)."""
    importlib.import_module("libcst")
