"""Looking into the text of a fragment: its parsed form and the source of its parts."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from pypto_lsp.diagnostics import Edit
from pypto_lsp.fixes.statements import absolute
from pypto_lsp.text import Span

_KEYWORD = re.compile(r"\s*,?\s*(?P<name>[A-Za-z_]\w*)\s*=(?!=)\s*")


def parsed(text: str) -> ast.expr | None:
    """The expression that a fragment is, None when it is none."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None


def source(text: str, node: ast.expr) -> str:
    """The source of a part of a fragment."""
    if node.end_lineno is None or node.end_col_offset is None:
        return ast.unparse(node)
    lines = _lines(text)[node.lineno - 1 : node.end_lineno]
    lines = (*lines[:-1], lines[-1][: node.end_col_offset])
    return b"".join((lines[0][node.col_offset :], *lines[1:])).decode()


@lru_cache(maxsize=4)
def _lines(text: str) -> tuple[bytes, ...]:
    """The lines of a fragment, in the encoding that columns of Python's tree count in."""
    return tuple(text.strip().encode().splitlines(keepends=True))


def operand(text: str, node: ast.expr) -> str:
    """The source of a part, in parentheses where it would bind more loosely than a factor."""
    found = source(text, node)
    loose = isinstance(node, (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.UnaryOp, ast.Lambda))
    return f"({found})" if loose and not (found.startswith("(") and found.endswith(")")) else found


def keyword_name(span: Span) -> Span | None:
    """The name of a ``name=value`` fragment (a comma may stand before it)."""
    match = _KEYWORD.match(span.text)
    if match is None:
        return None
    return absolute(span.source, span.begin + match.start("name"), span.begin + match.end("name"))


def keyword_value(text: str) -> str | None:
    """The value of a ``name=value`` fragment."""
    match = _KEYWORD.match(text)
    return text[match.end() :].strip() if match is not None else None


def without_argument(span: Span) -> Edit:
    """Remove an argument with the comma that belongs to it: the one before, or the one behind a first argument."""
    text = span.source.text
    begin, end = span.begin, span.end_offset
    if text[begin:end].lstrip().startswith(","):
        return Edit(span, "")
    before = text[:begin].rstrip()
    if before.endswith(","):
        return Edit(absolute(span.source, len(before) - 1, end), "")
    after = text[end:]
    comma = re.match(r"\s*,\s*", after)
    return Edit(absolute(span.source, begin, end + (comma.end() if comma else 0)), "")


def added_argument(span: Span, argument: str) -> Edit | None:
    """Add an argument at the end of the call that a span ends with."""
    text = span.text
    if not text.endswith(")"):
        return None
    inner = text[:-1].rstrip()
    at = span.begin + len(inner)
    glue = "" if inner.endswith("(") else " " if inner.endswith(",") else ", "
    return Edit(absolute(span.source, at, at), f"{glue}{argument}")


def integer(text: str) -> int | None:
    """The value of a plain integer literal, perhaps negated."""
    return int(text) if re.fullmatch(r"-?\d+", text.strip()) else None
