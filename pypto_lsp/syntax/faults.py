"""The one syntax fault of a whole text, in CPython's words."""

from __future__ import annotations
import __future__

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass

from pypto_lsp.syntax import nodes
from pypto_lsp.syntax.compiling import compile_text
from pypto_lsp.syntax.names import walk
from pypto_lsp.syntax.query import statement_at
from pypto_lsp.text.span import Anchor, Source, Span


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """What ``compile()`` says about a text, and where."""

    message: str
    span: Span


class SoundParts:
    """The top-level statements of a text that are known to compile, so that after an edit only what changed is compiled.

    CPython's compiler looks at each of them by itself, but for ``from __future__``, ``global`` and ``nonlocal`` at module level. Where
    those leave a doubt nothing is said, and :func:`find_fault` looks at the whole.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: set[tuple[str, int]] = set()

    def sound(self, parts: list[str]) -> tuple[int, int]:
        """How many parts at the beginning of a text surely have no fault, and the compiler's flags that hold for the others. The
        parts of the text before are forgotten."""
        flags = _future_flags(parts)
        if flags is None or any(map(_declares, parts)):
            return 0, 0
        keys = [(part, flags) for part in parts]
        count = 0
        while count < len(keys) and (keys[count] in self._known or _compiles(*keys[count])):
            count += 1
        self._known = {*keys[:count], *self._known.intersection(keys)}
        return count, flags


_DECLARATION = re.compile(r"(?!(?:async\s+)?def\b|class\b|@)(?s:.)*\b(?:global|nonlocal)\b")
_FUTURE = re.compile(r"from\s+__future__\s+import\b")
_STRING = re.compile(r"[rRuU]?['\"]")


def _declares(part: str) -> bool:
    """Whether a statement at module level, no definition, may declare names global or nonlocal."""
    return ("global" in part or "nonlocal" in part) and _DECLARATION.match(part) is not None


def _future_flags(parts: list[str]) -> int | None:
    """The flag for ``compile`` that the text's imports from ``__future__`` amount to; None where they may be at fault."""
    flags, leading, first = 0, True, True
    for part in parts:
        code = part.lstrip()
        while code.startswith("#"):
            code = code.partition("\n")[2].lstrip()
        if "__future__" in code:
            if not leading or not _FUTURE.match(code) or "barry" in code:
                return None
            if "annotations" in code:
                flags = __future__.annotations.compiler_flag
        elif code and not (first and _STRING.match(code)):  # the docstring
            leading = False
        first = first and not code
    return flags


def _compiles(text: str, flags: int) -> bool:
    try:
        compile_text(text, flags)
    except (SyntaxError, RecursionError, MemoryError, OverflowError, ValueError):
        return False
    return True


def find_fault(source: Source, body: tuple[nodes.Stmt, ...], begin: int = 0, flags: int = 0) -> SyntaxFault | None:
    """The fault that CPython's compiler finds in the text of a source with these statements, or None. Nothing of the text is
    run. Syntax of a later Python than the one at work is no fault.

    Before ``begin``, where a line begins, are whole statements that are known to have none; ``flags`` are those of the compiler that
    they ask for. What comes behind a fault is not left out: CPython looks for brackets and quotes there first."""
    text = source.text
    null = text.find("\0")
    if null >= 0:
        # Pythons differ in how they refuse these, and none says where
        return SyntaxFault("source code cannot contain null characters", Span(Anchor(source, 0), null, null + 1))
    try:
        if begin:
            compile_text("\n" * (source.lines.position(begin)[0] - 1) + text[begin:], flags)
        else:
            compile_text(text.removeprefix("\ufeff"))
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
