"""Parsing of one piece of text, a logical line or a block, with LibCST.

A piece starts at its first character, without its indentation, so it parses as if it stood at the margin; continuation
lines and multi-line strings keep their columns. A header gets a body, a clause (``else``, ``except``, ...) gets the
statement that it continues, in front; the ranges of the nodes are relative to the piece all the same.

LibCST is loaded with the first piece that is parsed, and its trees are dropped at once. For text that is parsed as a whole
(``plain``), CPython's own parser reads the pieces that it tells as much of (:mod:`~pypto_lsp.syntax.plain`).
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Any

from pypto_lsp.syntax import nodes
from pypto_lsp.syntax.depth import has_deep_brackets, is_deep, may_be_deep, operators
from pypto_lsp.syntax.plain import NotPlain, plain_statements
from pypto_lsp.text.span import Anchor

if TYPE_CHECKING:
    import libcst as cst

Stmts = tuple[nodes.Stmt, ...]
#: makes the statements of a text that stands at an offset relative to the anchor
Converter = Callable[[str, Anchor, int], Stmts]


class Form(Enum):
    """What a piece is taken for.

    STATEMENT: one line of simple statements, or a compound statement with its body on the same line. BLOCK: a whole compound
    statement, its indentation in front. HEADER: a compound statement up to its colon. CLAUSE: ``elif``, ``else``, ``except``
    or ``finally`` up to its colon. INLINE_CLAUSE: a clause with its body on the same line. DECORATOR: ``@`` and an expression.
    """

    STATEMENT = "statement"
    BLOCK = "block"
    HEADER = "header"
    CLAUSE = "clause"
    INLINE_CLAUSE = "inline clause"
    DECORATOR = "decorator"


class PieceError(Exception):
    """A piece that cannot be parsed; the message says so in a few words."""


def parse_piece(text: str, form: Form, anchor: Anchor, plain: bool = False) -> Any:
    """The nodes of a piece.

    STATEMENT: a tuple of statements. BLOCK: an Opaque. HEADER: a statement with a body that does not count. DECORATOR: an
    expression. A clause: an ``If`` (elif), an ``ExceptHandler`` or, for ``else`` and ``finally``, the statements of the body.
    Raises PieceError.
    """
    bare = _BARE.match(text) if form is Form.HEADER or form is Form.CLAUSE else None
    if bare is not None:
        return _BARE_HEADERS[bare[1]](anchor, len(text))
    return _PARSERS[form](text, anchor, _from_plain if plain else _from_cst)


_BARE = re.compile(r"(try|except|else|finally)[ \t]*:\Z")

#: headers that need no parser
_BARE_HEADERS: dict[str, Callable[[Anchor, int], Any]] = {
    "try": lambda anchor, end: nodes.Try(anchor, 0, end, (), (), (), ()),
    "except": lambda anchor, end: nodes.ExceptHandler(anchor, 0, end, None, None, ()),
    "else": lambda anchor, end: (),
    "finally": lambda anchor, end: (),
}


def _statement(text: str, anchor: Anchor, converted: Converter) -> Stmts:
    suffix = "\nexcept: pass" if _INLINE_TRY.match(text) else ""
    return converted(text + suffix, anchor, 0)


_INLINE_TRY = re.compile(r"try[ \t]*:")


def _block(text: str, anchor: Anchor, converted: Converter) -> nodes.Stmt:
    indent = len(text) - len(text.lstrip(" \t\f"))
    if indent:
        outer = _only(converted(_IF_BLOCK + text, anchor, -len(_IF_BLOCK) - indent))
        assert isinstance(outer, nodes.If)
        statement = _only(outer.body)
    else:
        statement = _only(converted(text, anchor, 0))
    # a semicolon at the end is Python's as well
    statement.end = len(text) - indent
    return statement


_IF_BLOCK = "if 1:\n"


def _header(text: str, anchor: Anchor, converted: Converter) -> nodes.Stmt:
    return _only(converted(text + " pass", anchor, 0))


def _decorator(text: str, anchor: Anchor, converted: Converter) -> nodes.Expr:
    statement = _only(converted(text[1:], anchor, 1))
    if not isinstance(statement, nodes.ExprStmt):
        raise PieceError("this is no decorator")
    return statement.value


def _clause(text: str, anchor: Anchor, converted: Converter) -> Any:
    return _inline_clause(text + " pass", anchor, converted)


def _inline_clause(text: str, anchor: Anchor, converted: Converter) -> Any:
    word = _WORD.match(text)
    assert word is not None
    return _CLAUSES[word[0]](text, anchor, converted)


_WORD = re.compile(r"\w+")


def _elif(text: str, anchor: Anchor, converted: Converter) -> nodes.Stmt:
    # what follows the first two letters is an "if"
    statement = _only(converted(text[2:], anchor, 2))
    statement.start = 0
    return statement


def _else(text: str, anchor: Anchor, converted: Converter) -> Stmts:
    statement = _only(converted(_IF + text, anchor, -len(_IF)))
    assert isinstance(statement, nodes.If)
    return statement.orelse


def _except(text: str, anchor: Anchor, converted: Converter) -> nodes.ExceptHandler:
    statement = _only(converted(_TRY + text, anchor, -len(_TRY)))
    if not isinstance(statement, nodes.Try):
        # "except*" makes the whole statement another kind
        return nodes.ExceptHandler(anchor, 0, len(text), None, None, ())
    return statement.handlers[0]


def _finally(text: str, anchor: Anchor, converted: Converter) -> Stmts:
    statement = _only(converted(_TRY + text, anchor, -len(_TRY)))
    assert isinstance(statement, nodes.Try)
    return statement.finalbody


_IF = "if 1: pass\n"
_TRY = "try: pass\n"

_CLAUSES: dict[str, Callable[[str, Anchor, Converter], Any]] = {
    "elif": _elif,
    "else": _else,
    "except": _except,
    "finally": _finally,
}


def _only(statements: Stmts) -> nodes.Stmt:
    if len(statements) != 1:
        raise PieceError("this is not one statement")
    return statements[0]


# --- the parser ------------------------------------------------------------------------------------------------------


def _from_plain(text: str, anchor: Anchor, start: int) -> Stmts:
    """As :func:`_from_cst`, without LibCST where that is possible."""
    try:
        return plain_statements(text, anchor, start)
    except NotPlain:
        return _from_cst(text, anchor, start)


def _from_cst(text: str, anchor: Anchor, start: int) -> Stmts:
    """The statements of a text that stands at ``start`` relative to the anchor."""
    from pypto_lsp.syntax.expressions import Conversion
    from pypto_lsp.syntax.spans import measure
    from pypto_lsp.syntax.statements import statements

    module = _module(text)
    try:
        state = measure(module, start)
        return statements(Conversion(anchor, state.spans, state.suites), module.body)
    except RecursionError:
        raise PieceError("this is nested too deeply") from None


_PARSERS: dict[Form, Callable[[str, Anchor, Converter], Any]] = {
    Form.STATEMENT: _statement,
    Form.BLOCK: _block,
    Form.HEADER: _header,
    Form.CLAUSE: _clause,
    Form.INLINE_CLAUSE: _inline_clause,
    Form.DECORATOR: _decorator,
}


def _module(text: str) -> cst.Module:
    import libcst

    if may_be_deep(text) and _too_deep(text):
        raise PieceError("this is nested too deeply")
    try:
        return libcst.parse_module(text)
    except Exception as error:
        # besides ParserSyntaxError: TypeError where LibCST's checks fail valid text, UnicodeError for lone surrogates
        raise PieceError("this cannot be parsed") from error
    except BaseException as error:
        # a panic of the native parser is no Exception
        if type(error).__name__ != "PanicException":
            raise
        raise PieceError("this cannot be parsed") from None


#: without a tree, a text of more operators than this may be nested too deeply for the native parser, which has no limit of its own
_MOST_OPERATORS = 2000


def _too_deep(text: str) -> bool:
    """Whether a text nests or chains expressions more deeply than is looked into. LibCST's parser is not to be trusted with
    that: it recurses without a limit and takes quadratic time for long chains of operators."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return is_deep(ast.parse(text))
    except SyntaxError:
        # perhaps the syntax of a later Python; the operators bound its depth
        return operators(text) > _MOST_OPERATORS or has_deep_brackets(text)
    except (ValueError, RecursionError, MemoryError):
        return True
