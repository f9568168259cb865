"""The one syntax fault of a whole text, in CPython's words."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

from pypto_lsp.text.span import Anchor, Source, Span


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """What ``compile()`` says about a text, and where."""

    message: str
    span: Span


def find_fault(source: Source) -> SyntaxFault | None:
    """The fault that CPython's compiler finds in the text of a source, or None. Nothing of the text is run."""
    text = source.text
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, source.path, "exec", dont_inherit=True)
    except SyntaxError as error:
        return _located(source, error)
    except ValueError as error:
        start = max(text.find("\0"), 0)
        return SyntaxFault(str(error), Span(Anchor(source, 0), start, min(start + 1, len(text))))
    except (RecursionError, MemoryError):
        # nested too deeply for this interpreter: nothing can be said
        return None
    return None


def _located(source: Source, error: SyntaxError) -> SyntaxFault:
    lines = source.lines
    line = error.lineno or 1
    start = lines.offset(line, error.offset or 1)
    end = lines.offset(error.end_lineno or line, error.end_offset or 0) if error.end_offset else start
    if end <= start:
        end = min(start + 1, max(lines.line_end(min(line, len(lines))), start))
    return SyntaxFault(error.msg or "invalid syntax", Span(Anchor(source, 0), start, end))
