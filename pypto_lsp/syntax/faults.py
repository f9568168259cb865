"""The one syntax fault of a whole text, in CPython's words."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass

from pypto_lsp.syntax import nodes
from pypto_lsp.syntax.names import walk
from pypto_lsp.syntax.query import statement_at
from pypto_lsp.text.span import Anchor, Source, Span


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """What ``compile()`` says about a text, and where."""

    message: str
    span: Span


def find_fault(source: Source, body: tuple[nodes.Stmt, ...]) -> SyntaxFault | None:
    """The fault that CPython's compiler finds in the text of a source with these statements, or None. Nothing of the text is
    run. Syntax of a later Python than the one at work is no fault."""
    text = source.text
    null = text.find("\0")
    if null >= 0:
        # Pythons differ in how they refuse these, and none says where
        return SyntaxFault("source code cannot contain null characters", Span(Anchor(source, 0), null, null + 1))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # not only the parser: what is wrong with scopes and jumps is found by the later stages
            compile(text.removeprefix("\ufeff"), source.path or "<text>", "exec", dont_inherit=True)
    except SyntaxError as error:
        fault = _located(source, error)
        return None if _is_later_syntax(fault, body) else fault
    except (RecursionError, MemoryError, OverflowError, ValueError):
        # nested too deeply for this interpreter, or with lone surrogates in it: nothing can be said
        return None
    return None


def _located(source: Source, error: SyntaxError) -> SyntaxFault:
    lines = source.lines
    shift = 1 if source.text.startswith("\ufeff") else 0

    def offset(line: int, column: int) -> int:
        return lines.offset(line, column + shift if line == 1 else column)

    line = min(max(error.lineno or 1, 1), len(lines))
    start = offset(line, error.offset or 1)
    end = offset(error.end_lineno or line, error.end_offset) if error.end_offset and error.end_offset > 0 else start
    if end <= start:
        end = min(start + 1, max(lines.line_end(line), start))
    if end == start and start > lines.starts[line - 1]:
        # at the end of a line: the last character can be marked
        start -= 1
    return SyntaxFault(error.msg or "invalid syntax", Span(Anchor(source, 0), start, end))


# --- syntax of later Pythons -----------------------------------------------------------------------------------------

_TYPE_PARAMETERS = re.compile(r"(?:async\s+)?(?:def|class)\s+\w+\s*\[")


def _has_type_parameters(node: nodes.Node) -> bool:
    return isinstance(node, nodes.FunctionDef | nodes.ClassDef) and _TYPE_PARAMETERS.match(node.text) is not None


def _has_starred_index(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Subscript) and any(isinstance(item, nodes.Starred) for item in node.index)


#: the Python that brought a construct, what of CPython's message goes with it, and how it looks in the tree
_LATER: tuple[tuple[tuple[int, int], str, Callable[[nodes.Node], bool]], ...] = (
    ((3, 11), "", lambda node: isinstance(node, nodes.Opaque) and node.kind == "TryStar"),
    ((3, 11), "", _has_starred_index),
    ((3, 12), "f-string", lambda node: isinstance(node, nodes.JoinedStr)),
    ((3, 12), "", lambda node: isinstance(node, nodes.Opaque) and node.kind == "TypeAlias"),
    ((3, 12), "", _has_type_parameters),
    ((3, 14), "", lambda node: isinstance(node, nodes.OpaqueExpr) and node.kind == "TemplatedString"),
    ((3, 15), "", lambda node: isinstance(node, nodes.Import | nodes.ImportFrom) and node.text.startswith("lazy")),
)


def _is_later_syntax(fault: SyntaxFault, body: tuple[nodes.Stmt, ...]) -> bool:
    statement = statement_at(body, fault.span.begin)
    if statement is None:
        return False
    for version, words, present in _LATER:
        if sys.version_info < version and words in fault.message and any(map(present, walk(statement))):
            return True
    return False
