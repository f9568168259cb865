"""Document text, line index and spans; knows nothing of Python."""

from pypto_lsp.text.lines import LineIndex
from pypto_lsp.text.span import Anchor, Source, Span, whole_file

__all__ = ["Anchor", "LineIndex", "Source", "Span", "whole_file"]
