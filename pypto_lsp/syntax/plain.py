"""Plain pieces without LibCST: CPython's own parser, several times as fast, for text that is only read.

What this module converts it converts to exactly the nodes, ranges included, that :mod:`~pypto_lsp.syntax.expressions` and
:mod:`~pypto_lsp.syntax.statements` make of LibCST's tree (a test compares the two over many files and programs); whatever
CPython's tree does not tell exactly, and whatever it cannot parse, is left to LibCST.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from pypto_lsp.syntax import nodes
from pypto_lsp.syntax.depth import is_deep, may_be_deep
from pypto_lsp.text.span import Anchor

Stmts = tuple[nodes.Stmt, ...]

#: longer texts are seldom plain to their end
_LONGEST = 20_000
#: escapes and continued lines, other line ends, numbers that run into a word: what CPython may warn of
_SPECIAL = re.compile(r"[\\\r\f]|[0-9](?:and|else|for|if|in|is|not|or)\b")


class NotPlain(Exception):
    """The text is to be parsed by LibCST."""


def plain_statements(text: str, anchor: Anchor, start: int = 0) -> Stmts:
    """The statements of a text that stands at ``start`` relative to the anchor. Raises :class:`NotPlain`."""
    if len(text) > _LONGEST or not text.isascii() or _SPECIAL.search(text):
        raise NotPlain
    try:
        tree = ast.parse(text)
        if may_be_deep(text) and is_deep(tree):
            raise NotPlain
        conversion = _Conversion(text, anchor, start)
        return tuple(conversion.stmt(node) for node in tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NotPlain from None


class _Conversion:
    """One text with the offsets of its lines, relative to the anchor."""

    __slots__ = ("anchor", "lines", "start", "text")

    def __init__(self, text: str, anchor: Anchor, start: int) -> None:
        self.text = text
        self.anchor = anchor
        self.start = start
        self.lines = list(accumulate((len(line) for line in text.splitlines(keepends=True)), initial=start))

    def range(self, node: Any) -> tuple[int, int]:
        lines = self.lines
        return lines[node.lineno - 1] + node.col_offset, lines[node.end_lineno - 1] + node.end_col_offset

    def between(self, start: int, end: int) -> str:
        """The text between two offsets relative to the anchor."""
        return self.text[start - self.start : end - self.start]

    def expr(self, node: Any) -> nodes.Expr:
        convert = _EXPRESSIONS.get(node.__class__)
        if convert is None:
            raise NotPlain
        return convert(self, node)

    def optional(self, node: Any) -> nodes.Expr | None:
        return None if node is None else self.expr(node)

    def all(self, items: Any) -> tuple[nodes.Expr, ...]:
        return tuple(map(self.expr, items))

    def stmt(self, node: Any) -> nodes.Stmt:
        convert = _STATEMENTS.get(node.__class__)
        if convert is None:
            raise NotPlain
        return convert(self, node)

    def header(self, node: Any) -> tuple[int, int]:
        """The range of a header that got ``pass`` for a body, up to its colon."""
        body: list[ast.stmt] = node.body
        clauses: list[ast.stmt] = getattr(node, "orelse", [])
        if len(body) != 1 or not isinstance(body[0], ast.Pass) or clauses:
            raise NotPlain
        behind = self.range(body[0])[0] - 1
        if self.between(behind - 1, behind + 1) != ": ":
            raise NotPlain
        return self.range(node)[0], behind


# --- expressions -----------------------------------------------------------------------------------------------------


def _name(c: _Conversion, n: ast.Name) -> nodes.Expr:
    return nodes.Name(c.anchor, *c.range(n), n.id)


def _constant(c: _Conversion, n: ast.Constant) -> nodes.Expr:
    return nodes.Constant(c.anchor, *c.range(n), n.value)


def _attribute(c: _Conversion, n: ast.Attribute) -> nodes.Expr:
    start, end = c.range(n)
    return nodes.Attribute(c.anchor, start, end, c.expr(n.value), n.attr, end - len(n.attr))


def _starred(c: _Conversion, n: ast.Starred) -> nodes.Expr:
    return nodes.Starred(c.anchor, *c.range(n), c.expr(n.value))


def _keyword(c: _Conversion, n: ast.keyword) -> nodes.Keyword:
    start, end = c.range(n)
    return nodes.Keyword(c.anchor, start, end, n.arg, c.expr(n.value), start + len(n.arg or ""))


def _call(c: _Conversion, n: ast.Call) -> nodes.Expr:
    func, args = c.expr(n.func), c.all(n.args)
    return nodes.Call(c.anchor, *c.range(n), func, args, tuple(_keyword(c, keyword) for keyword in n.keywords))


def _subscript(c: _Conversion, n: ast.Subscript) -> nodes.Expr:
    index = n.slice
    is_tuple = isinstance(index, ast.Tuple)
    elements = index.elts if isinstance(index, ast.Tuple) else [index]
    if is_tuple:
        start = c.range(index)[0]
        if c.between(start, start + 1) == "(":  # the tuple's own parenthesis, or that of its first element
            raise NotPlain
    if any(isinstance(element, ast.Starred) for element in elements):
        raise NotPlain
    return nodes.Subscript(c.anchor, *c.range(n), c.expr(n.value), c.all(elements), is_tuple)


def _slice(c: _Conversion, n: ast.Slice) -> nodes.Expr:
    return nodes.Slice(c.anchor, *c.range(n), c.optional(n.lower), c.optional(n.upper), c.optional(n.step))


def _tuple(c: _Conversion, n: ast.Tuple) -> nodes.Expr:
    return nodes.Tuple(c.anchor, *c.range(n), c.all(n.elts))


def _list(c: _Conversion, n: ast.List) -> nodes.Expr:
    return nodes.List(c.anchor, *c.range(n), c.all(n.elts))


def _set(c: _Conversion, n: ast.Set) -> nodes.Expr:
    return nodes.Set(c.anchor, *c.range(n), c.all(n.elts))


def _dict(c: _Conversion, n: ast.Dict) -> nodes.Expr:
    return nodes.Dict(c.anchor, *c.range(n), tuple(map(c.optional, n.keys)), c.all(n.values))


_OPERATORS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^", ast.MatMult: "@",
    ast.UAdd: "+", ast.USub: "-", ast.Invert: "~", ast.Not: "not", ast.And: "and", ast.Or: "or",
    ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip


def _binary(c: _Conversion, n: ast.BinOp) -> nodes.Expr:
    return nodes.BinOp(c.anchor, *c.range(n), c.expr(n.left), _OPERATORS[type(n.op)], c.expr(n.right))


def _unary(c: _Conversion, n: ast.UnaryOp) -> nodes.Expr:
    return nodes.UnaryOp(c.anchor, *c.range(n), _OPERATORS[type(n.op)], c.expr(n.operand))


def _boolean(c: _Conversion, n: ast.BoolOp) -> nodes.Expr:
    return nodes.BoolOp(c.anchor, *c.range(n), _OPERATORS[type(n.op)], c.all(n.values))


def _comparison(c: _Conversion, n: ast.Compare) -> nodes.Expr:
    ops = tuple(_OPERATORS[type(op)] for op in n.ops)
    return nodes.Compare(c.anchor, *c.range(n), c.expr(n.left), ops, c.all(n.comparators))


def _conditional(c: _Conversion, n: ast.IfExp) -> nodes.Expr:
    return nodes.IfExp(c.anchor, *c.range(n), c.expr(n.test), c.expr(n.body), c.expr(n.orelse))


_EXPRESSIONS: dict[type, Callable[[_Conversion, Any], nodes.Expr]] = {
    ast.Name: _name,
    ast.Constant: _constant,
    ast.Attribute: _attribute,
    ast.Starred: _starred,
    ast.Call: _call,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _comparison,
    ast.IfExp: _conditional,
}


# --- simple statements -----------------------------------------------------------------------------------------------


def _expression(c: _Conversion, n: ast.Expr) -> nodes.Stmt:
    if isinstance(n.value, ast.Starred):
        raise NotPlain
    return nodes.ExprStmt(c.anchor, *c.range(n), c.expr(n.value))


def _assign(c: _Conversion, n: ast.Assign) -> nodes.Stmt:
    return nodes.Assign(c.anchor, *c.range(n), c.all(n.targets), c.expr(n.value))


def _aug_assign(c: _Conversion, n: ast.AugAssign) -> nodes.Stmt:
    return nodes.AugAssign(c.anchor, *c.range(n), c.expr(n.target), _OPERATORS[type(n.op)], c.expr(n.value))


def _ann_assign(c: _Conversion, n: ast.AnnAssign) -> nodes.Stmt:
    target, annotation = c.expr(n.target), c.expr(n.annotation)
    return nodes.AnnAssign(c.anchor, *c.range(n), target, annotation, c.optional(n.value))


def _return(c: _Conversion, n: ast.Return) -> nodes.Stmt:
    return nodes.Return(c.anchor, *c.range(n), c.optional(n.value))


def _raise(c: _Conversion, n: ast.Raise) -> nodes.Stmt:
    return nodes.Raise(c.anchor, *c.range(n), c.optional(n.exc), c.optional(n.cause))


def _assert(c: _Conversion, n: ast.Assert) -> nodes.Stmt:
    return nodes.Assert(c.anchor, *c.range(n), c.expr(n.test), c.optional(n.msg))


def _alias(c: _Conversion, n: ast.alias) -> nodes.Alias:
    return nodes.Alias(c.anchor, *c.range(n), n.name, n.asname)


def _import(c: _Conversion, n: ast.Import) -> nodes.Stmt:
    return nodes.Import(c.anchor, *c.range(n), tuple(_alias(c, alias) for alias in n.names))


def _import_from(c: _Conversion, n: ast.ImportFrom) -> nodes.Stmt:
    star = n.names[0].name == "*"
    names = () if star else tuple(_alias(c, alias) for alias in n.names)
    return nodes.ImportFrom(c.anchor, *c.range(n), n.module or "", names, n.level, star)


# --- headers ---------------------------------------------------------------------------------------------------------


def _body(c: _Conversion, n: Any) -> Stmts:
    return tuple(map(c.stmt, n.body))


def _if(c: _Conversion, n: ast.If) -> nodes.Stmt:
    return nodes.If(c.anchor, *c.header(n), c.expr(n.test), _body(c, n), ())


def _while(c: _Conversion, n: ast.While) -> nodes.Stmt:
    return nodes.While(c.anchor, *c.header(n), c.expr(n.test), _body(c, n), ())


def _for(c: _Conversion, n: ast.For) -> nodes.Stmt:
    return nodes.For(c.anchor, *c.header(n), c.expr(n.target), c.expr(n.iter), _body(c, n), (), False)


def _with(c: _Conversion, n: ast.With) -> nodes.Stmt:
    start, end = c.header(n)
    item = n.items[0]
    first, last = c.range(item.context_expr)[0], c.range(item.optional_vars or item.context_expr)[1]
    # where there are parentheses, commas or comments, their place is not known here
    if len(n.items) != 1 or last != end - 1 or c.between(start, first) != "with ":
        raise NotPlain
    items = (nodes.WithItem(c.anchor, first, last, c.expr(item.context_expr), c.optional(item.optional_vars)),)
    return nodes.With(c.anchor, start, end, items, _body(c, n), False)


def _param(c: _Conversion, n: ast.arg, default: Any) -> nodes.Param:
    start, end = c.range(n)
    value = None
    if default is not None:
        first, last = c.range(default)
        if "(" in c.between(end, first):
            raise NotPlain
        value, end = c.expr(default), last
    return nodes.Param(c.anchor, start, end, n.arg, c.optional(n.annotation), value, "positional", start + len(n.arg))


def _named(c: _Conversion, start: int, word: str, name: str) -> tuple[int, int]:
    """The range of a definition's name, which follows its keyword after one blank."""
    begin = start + len(word) + 1
    if c.between(start, begin + len(name)) != f"{word} {name}":
        raise NotPlain
    return begin, begin + len(name)


def _is_generic(n: Any) -> bool:
    """Whether a definition has type parameters, which Pythons before 3.12 know nothing of."""
    return bool(getattr(n, "type_params", None))


def _function(c: _Conversion, n: ast.FunctionDef) -> nodes.Stmt:
    a = n.args
    if a.posonlyargs or a.vararg or a.kwonlyargs or a.kwarg or _is_generic(n):
        raise NotPlain
    start, end = c.header(n)
    defaults: list[Any] = [None] * (len(a.args) - len(a.defaults)) + list(a.defaults)
    params = tuple(_param(c, arg, default) for arg, default in zip(a.args, defaults))
    name = _named(c, start, "def", n.name)
    return nodes.FunctionDef(
        c.anchor, start, end, n.name, *name, params, c.optional(n.returns), (), _body(c, n), False
    )  # fmt: skip


def _class(c: _Conversion, n: ast.ClassDef) -> nodes.Stmt:
    if _is_generic(n):
        raise NotPlain
    start, end = c.header(n)
    keywords = tuple(_keyword(c, keyword) for keyword in n.keywords)
    name = _named(c, start, "class", n.name)
    return nodes.ClassDef(c.anchor, start, end, n.name, *name, c.all(n.bases), keywords, (), _body(c, n))


_STATEMENTS: dict[type, Callable[[_Conversion, Any], nodes.Stmt]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AugAssign: _aug_assign,
    ast.AnnAssign: _ann_assign,
    ast.Return: _return,
    ast.Pass: lambda c, n: nodes.Pass(c.anchor, *c.range(n)),
    ast.Break: lambda c, n: nodes.Break(c.anchor, *c.range(n)),
    ast.Continue: lambda c, n: nodes.Continue(c.anchor, *c.range(n)),
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.If: _if,
    ast.While: _while,
    ast.For: _for,
    ast.With: _with,
    ast.FunctionDef: _function,
    ast.ClassDef: _class,
}
