"""Our tree and Python's ``ast`` in one plain form: nested tuples of kind, absolute character range and fields."""

from __future__ import annotations

import ast
import sys
import warnings
from typing import Any

from pypto_lsp.syntax import nodes
from pypto_lsp.text import LineIndex

OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitAnd: "&",
    ast.BitXor: "^",
    ast.MatMult: "@",
    ast.UAdd: "+",
    ast.USub: "-",
    ast.Invert: "~",
    ast.Not: "not",
    ast.And: "and",
    ast.Or: "or",
    ast.Lt: "<",
    ast.Gt: ">",
    ast.LtE: "<=",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}

#: compound statements whose end is the colon, which ast does not tell
HEADERS = (
    nodes.If,
    nodes.For,
    nodes.While,
    nodes.With,
    nodes.Try,
    nodes.FunctionDef,
    nodes.ClassDef,
    nodes.ExceptHandler,
)


def ours(node: Any, positions: bool = True) -> Any:
    """The plain form of our nodes."""
    if isinstance(node, tuple):
        return tuple(ours(item, positions) for item in node)
    if not isinstance(node, nodes.Node):
        return ("const", repr(node)) if isinstance(node, complex | float) else node
    if isinstance(node, nodes.Opaque):
        return (node.kind, *_ours_range(node, positions))
    if isinstance(node, nodes.OpaqueExpr):
        return (node.kind, *_ours_range(node, positions), ours(node.parts, positions))
    inside = positions and not (isinstance(node, nodes.JoinedStr) and sys.version_info < (3, 12))
    values = [ours(getattr(node, name), inside) for name in _fields(node)]
    return (type(node).__name__, *_ours_range(node, positions), *values)


_SKIPPED = {"anchor", "start", "end", "attr_start", "name_end", "name_start"}


def _fields(node: nodes.Node) -> list[str]:
    return [name for name in node.__dataclass_fields__ if name not in _SKIPPED]


def _ours_range(node: nodes.Node, positions: bool) -> tuple[Any, Any]:
    if not positions or isinstance(node, nodes.Comprehension | nodes.WithItem | nodes.Param | nodes.FormattedValue):
        return (None, None)
    span = node.span
    if isinstance(node, HEADERS):
        return (span.begin, None)
    return (span.begin, span.end_offset)


def exact(node: Any) -> Any:
    """All of our nodes with all their fields, places absolute."""
    if isinstance(node, tuple):
        return tuple(exact(item) for item in node)
    if not isinstance(node, nodes.Node):
        return repr(node) if isinstance(node, complex | float) else node
    base = node.anchor.offset
    fields = []
    for name in node.__dataclass_fields__:
        value = getattr(node, name)
        if name in ("start", "end", "attr_start", "name_end", "name_start"):
            fields.append(base + value)
        elif name != "anchor":
            fields.append(exact(value))
    return (type(node).__name__, *fields)


class Reference:
    """Converts the ``ast`` of one text to the plain form."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = LineIndex(text)
        self.positions = True
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.module = ast.parse(text)

    def body(self) -> Any:
        return self.all(self.module.body)

    def offset(self, line: int, column: int) -> int:
        start = self.lines.starts[line - 1]
        prefix = self.lines.line_text(line).encode()[:column]
        return start + len(prefix.decode())

    def range(self, node: Any) -> tuple[Any, Any]:
        if not self.positions:
            return (None, None)
        return (self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset))

    def header(self, node: Any) -> tuple[Any, Any]:
        return (self.range(node)[0], None)

    def all(self, items: Any) -> tuple[Any, ...]:
        return tuple(self(item) for item in items)

    def __call__(self, node: Any) -> Any:
        if node is None:
            return None
        return getattr(self, "on_" + type(node).__name__)(node)

    # expressions

    def on_Name(self, n: ast.Name) -> Any:
        return ("Name", *self.range(n), n.id)

    def on_Constant(self, n: ast.Constant) -> Any:
        value = ("const", repr(n.value)) if isinstance(n.value, complex | float) else n.value
        return ("Constant", *self.range(n), value)

    def on_Attribute(self, n: ast.Attribute) -> Any:
        return ("Attribute", *self.range(n), self(n.value), n.attr)

    def on_Starred(self, n: ast.Starred) -> Any:
        return ("Starred", *self.range(n), self(n.value))

    def on_keyword(self, n: ast.keyword) -> Any:
        return ("Keyword", *self.range(n), n.arg, self(n.value))

    def on_Call(self, n: ast.Call) -> Any:
        return ("Call", *self.range(n), self(n.func), self.all(n.args), self.all(n.keywords))

    def on_Slice(self, n: ast.Slice) -> Any:
        return ("Slice", *self.range(n), self(n.lower), self(n.upper), self(n.step))

    def on_Subscript(self, n: ast.Subscript) -> Any:
        index: Any = n.slice
        is_tuple = isinstance(index, ast.Tuple) and not self._parenthesised(index)
        elements = index.elts if is_tuple else [index]
        return ("Subscript", *self.range(n), self(n.value), self.all(elements), is_tuple)

    def _parenthesised(self, n: ast.Tuple) -> bool:
        positions, self.positions = self.positions, True
        start, end = self.range(n)
        self.positions = positions
        if not n.elts:
            return True
        first = self.offset(n.elts[0].lineno, n.elts[0].col_offset)
        return self.text[start] == "(" and (first > start and self.text[end - 1] == ")") and self._own_parens(n, start)

    def _own_parens(self, n: ast.Tuple, start: int) -> bool:
        # "(a), b" starts with a parenthesis too, but that one closes before the first comma
        depth = 0
        for offset in range(start, len(self.text)):
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(self.text[offset], 0)
            if depth == 0:
                return offset == self.range(n)[1] - 1 if self.positions else True
        return False

    def on_Tuple(self, n: ast.Tuple) -> Any:
        return ("Tuple", *self.range(n), self.all(n.elts))

    def on_List(self, n: ast.List) -> Any:
        return ("List", *self.range(n), self.all(n.elts))

    def on_Set(self, n: ast.Set) -> Any:
        return ("Set", *self.range(n), self.all(n.elts))

    def on_Dict(self, n: ast.Dict) -> Any:
        return ("Dict", *self.range(n), self.all(n.keys), self.all(n.values))

    def on_BinOp(self, n: ast.BinOp) -> Any:
        return ("BinOp", *self.range(n), self(n.left), OPERATORS[type(n.op)], self(n.right))

    def on_UnaryOp(self, n: ast.UnaryOp) -> Any:
        return ("UnaryOp", *self.range(n), OPERATORS[type(n.op)], self(n.operand))

    def on_BoolOp(self, n: ast.BoolOp) -> Any:
        return ("BoolOp", *self.range(n), OPERATORS[type(n.op)], self.all(n.values))

    def on_Compare(self, n: ast.Compare) -> Any:
        ops = tuple(OPERATORS[type(op)] for op in n.ops)
        return ("Compare", *self.range(n), self(n.left), ops, self.all(n.comparators))

    def on_IfExp(self, n: ast.IfExp) -> Any:
        return ("IfExp", *self.range(n), self(n.test), self(n.body), self(n.orelse))

    def on_Lambda(self, n: ast.Lambda) -> Any:
        return ("Lambda", *self.range(n), self.params(n.args), self(n.body))

    def on_NamedExpr(self, n: ast.NamedExpr) -> Any:
        return ("NamedExpr", *self.range(n), self(n.target), self(n.value))

    def on_comprehension(self, n: ast.comprehension) -> Any:
        return ("Comprehension", None, None, self(n.target), self(n.iter), self.all(n.ifs), bool(n.is_async))

    def _comp(self, n: Any, kind: str) -> Any:
        return ("ListComp", *self.range(n), self(n.elt), self.all(n.generators), kind)

    def on_ListComp(self, n: ast.ListComp) -> Any:
        return self._comp(n, "list")

    def on_SetComp(self, n: ast.SetComp) -> Any:
        return self._comp(n, "set")

    def on_GeneratorExp(self, n: ast.GeneratorExp) -> Any:
        return self._comp(n, "generator")

    def on_DictComp(self, n: ast.DictComp) -> Any:
        return ("DictComp", *self.range(n), self(n.key), self(n.value), self.all(n.generators))

    def on_FormattedValue(self, n: ast.FormattedValue) -> Any:
        conversion = None if n.conversion == -1 else chr(n.conversion)
        return (
            "FormattedValue",
            None,
            None,
            self(n.value),
            conversion,
            n.format_spec is not None,
            self.braced(n.format_spec),
        )

    def braced(self, spec: Any) -> Any:
        fields = [part for part in getattr(spec, "values", ()) if isinstance(part, ast.FormattedValue)]
        return tuple(part for field in fields for part in (self(field.value), *self.braced(field.format_spec)))

    def on_JoinedStr(self, n: ast.JoinedStr) -> Any:
        positions = self.positions
        self.positions = positions and sys.version_info >= (3, 12)
        values = self.all(n.values)
        self.positions = positions
        return ("JoinedStr", *self.range(n), values)

    def on_Await(self, n: ast.Await) -> Any:
        return ("Await", *self.range(n), (self(n.value),))

    def on_Yield(self, n: ast.Yield | ast.YieldFrom) -> Any:
        return ("Yield", *self.range(n), () if n.value is None else (self(n.value),))

    on_YieldFrom = on_Yield

    # statements

    def params(self, n: ast.arguments) -> Any:
        positional = [*n.posonlyargs, *n.args]
        defaults: list[Any] = [None] * (len(positional) - len(n.defaults)) + list(n.defaults)
        result = [
            self.param(arg, default, "positional_only" if index < len(n.posonlyargs) else "positional")
            for index, (arg, default) in enumerate(zip(positional, defaults))
        ]
        if n.vararg:
            result.append(self.param(n.vararg, None, "vararg"))
        result.extend(self.param(arg, value, "keyword_only") for arg, value in zip(n.kwonlyargs, n.kw_defaults))
        if n.kwarg:
            result.append(self.param(n.kwarg, None, "kwarg"))
        return tuple(result)

    def param(self, n: ast.arg, default: Any, kind: str) -> Any:
        return ("Param", None, None, n.arg, self(n.annotation), self(default), kind)

    def on_Expr(self, n: ast.Expr) -> Any:
        return ("ExprStmt", *self.range(n), self(n.value))

    def on_Assign(self, n: ast.Assign) -> Any:
        return ("Assign", *self.range(n), self.all(n.targets), self(n.value))

    def on_AugAssign(self, n: ast.AugAssign) -> Any:
        return ("AugAssign", *self.range(n), self(n.target), OPERATORS[type(n.op)], self(n.value))

    def on_AnnAssign(self, n: ast.AnnAssign) -> Any:
        return ("AnnAssign", *self.range(n), self(n.target), self(n.annotation), self(n.value))

    def on_Return(self, n: ast.Return) -> Any:
        return ("Return", *self.range(n), self(n.value))

    def on_Pass(self, n: ast.Pass) -> Any:
        return ("Pass", *self.range(n))

    def on_Break(self, n: ast.Break) -> Any:
        return ("Break", *self.range(n))

    def on_Continue(self, n: ast.Continue) -> Any:
        return ("Continue", *self.range(n))

    def on_Raise(self, n: ast.Raise) -> Any:
        return ("Raise", *self.range(n), self(n.exc), self(n.cause))

    def on_Assert(self, n: ast.Assert) -> Any:
        return ("Assert", *self.range(n), self(n.test), self(n.msg))

    def on_Delete(self, n: ast.Delete) -> Any:
        return ("Delete", *self.range(n), self.all(n.targets))

    def on_Global(self, n: ast.Global) -> Any:
        return ("Global", *self.range(n), tuple(n.names), "global")

    def on_Nonlocal(self, n: ast.Nonlocal) -> Any:
        return ("Global", *self.range(n), tuple(n.names), "nonlocal")

    def on_alias(self, n: ast.alias) -> Any:
        return ("Alias", *self.range(n), n.name, n.asname)

    def on_Import(self, n: ast.Import) -> Any:
        return ("Import", *self.range(n), self.all(n.names))

    def on_ImportFrom(self, n: ast.ImportFrom) -> Any:
        star = n.names[0].name == "*"
        return ("ImportFrom", *self.range(n), n.module or "", () if star else self.all(n.names), n.level, star)

    def on_If(self, n: ast.If) -> Any:
        return ("If", *self.header(n), self(n.test), self.all(n.body), self.all(n.orelse))

    def on_For(self, n: Any) -> Any:
        is_async = isinstance(n, ast.AsyncFor)
        body, orelse = self.all(n.body), self.all(n.orelse)
        return ("For", *self.header(n), self(n.target), self(n.iter), body, orelse, is_async)

    on_AsyncFor = on_For

    def on_While(self, n: ast.While) -> Any:
        return ("While", *self.header(n), self(n.test), self.all(n.body), self.all(n.orelse))

    def on_withitem(self, n: ast.withitem) -> Any:
        return ("WithItem", None, None, self(n.context_expr), self(n.optional_vars))

    def on_With(self, n: Any) -> Any:
        return ("With", *self.header(n), self.all(n.items), self.all(n.body), isinstance(n, ast.AsyncWith))

    on_AsyncWith = on_With

    def on_ExceptHandler(self, n: ast.ExceptHandler) -> Any:
        return ("ExceptHandler", *self.header(n), self(n.type), n.name, self.all(n.body))

    def on_Try(self, n: ast.Try) -> Any:
        parts = (self.all(n.body), self.all(n.handlers), self.all(n.orelse), self.all(n.finalbody))
        return ("Try", *self.header(n), *parts)

    def on_FunctionDef(self, n: Any) -> Any:
        decorators, body = self.all(n.decorator_list), self.all(n.body)
        is_async = isinstance(n, ast.AsyncFunctionDef)
        return (
            "FunctionDef",
            *self.header(n),
            n.name,
            self.params(n.args),
            self(n.returns),
            decorators,
            body,
            is_async,
        )

    on_AsyncFunctionDef = on_FunctionDef

    def on_ClassDef(self, n: ast.ClassDef) -> Any:
        parts = (self.all(n.bases), self.all(n.keywords), self.all(n.decorator_list), self.all(n.body))
        return ("ClassDef", *self.header(n), n.name, *parts)

    def on_Match(self, n: Any) -> Any:
        return ("Match", *self.range(n))

    def on_TryStar(self, n: Any) -> Any:
        return ("TryStar", *self.range(n))


def difference(left: Any, right: Any, path: str = "") -> str | None:
    """Where two plain forms first differ, or None."""
    if isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right):
        for index, (a, b) in enumerate(zip(left, right)):
            label = f"{path}.{left[0]}[{index}]" if left and isinstance(left[0], str) else f"{path}[{index}]"
            found = difference(a, b, label)
            if found:
                return found
        return None
    if type(left) is type(right) and left == right:
        return None
    return f"{path}: {left!r:.300} is not {right!r:.300}"
