"""Document text, line index, position encodings, edits and spans, work in steps; knows nothing of Python."""

from pypto_lsp.text.edits import Change, Edit
from pypto_lsp.text.lines import LineIndex
from pypto_lsp.text.positions import PositionEncoding
from pypto_lsp.text.span import Anchor, Source, Span, whole_file

__all__ = ["Anchor", "Change", "Edit", "LineIndex", "PositionEncoding", "Source", "Span", "whole_file"]
