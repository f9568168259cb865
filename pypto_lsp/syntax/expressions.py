"""LibCST expressions to :mod:`pypto_lsp.syntax.nodes`: one small function per class, in a table."""

from __future__ import annotations

from collections.abc import Callable
from sys import intern
from typing import Any
from unicodedata import normalize

import libcst as cst

from pypto_lsp.syntax import literals, nodes
from pypto_lsp.text.span import Anchor

Range = tuple[int, int]


class Conversion:
    """One conversion of a measured CST: the anchor its nodes get, the ranges relative to it, what was met on the way."""

    __slots__ = ("anchor", "spans", "suites")

    def __init__(self, anchor: Anchor, spans: dict[Any, Range], suites: dict[Any, int]) -> None:
        self.anchor = anchor
        self.spans = spans
        self.suites = suites

    def expr(self, node: Any) -> nodes.Expr:
        return EXPRESSIONS.get(node.__class__, _opaque)(self, node)

    def optional(self, node: Any) -> nodes.Expr | None:
        return None if node is None else EXPRESSIONS.get(node.__class__, _opaque)(self, node)


def _opaque(c: Conversion, node: Any, parts: tuple[nodes.Expr, ...] = ()) -> nodes.Expr:
    return nodes.OpaqueExpr(c.anchor, *c.spans[node], type(node).__name__, parts)


def _await(c: Conversion, node: cst.Await) -> nodes.Expr:
    return _opaque(c, node, (c.expr(node.expression),))


def _yield(c: Conversion, node: cst.Yield) -> nodes.Expr:
    value = node.value.item if isinstance(node.value, cst.From) else node.value
    return _opaque(c, node, () if value is None else (c.expr(value),))


def _template(c: Conversion, node: Any) -> nodes.Expr:
    return _opaque(c, node, _braced(c, node.parts))


def _braced(c: Conversion, parts: Any) -> tuple[nodes.Expr, ...]:
    """The expressions in braces among the parts of an f-string, a template or a format specification."""
    result: list[nodes.Expr] = []
    for part in parts or ():
        if hasattr(part, "expression"):
            result.append(c.expr(part.expression))
            result.extend(_braced(c, part.format_spec))
    return tuple(result)


# --- names and literals ----------------------------------------------------------------------------------------------

_SINGLETONS = {"True": True, "False": False, "None": None}


def identifier(name: str) -> str:
    """A name as Python knows it: in normal form, so that ``ﬁ`` is ``fi``, and the same object wherever it is used."""
    return intern(name if name.isascii() else normalize("NFKC", name))


def _name(c: Conversion, node: cst.Name) -> nodes.Expr:
    start, end = c.spans[node]
    name = node.value
    if name in _SINGLETONS:
        return nodes.Constant(c.anchor, start, end, _SINGLETONS[name])
    return nodes.Name(c.anchor, start, end, identifier(name))


def _number(c: Conversion, node: Any) -> nodes.Expr:
    try:
        value = literals.number(node.value)
    except ValueError:
        return _opaque(c, node)
    return nodes.Constant(c.anchor, *c.spans[node], value)


def _ellipsis(c: Conversion, node: Any) -> nodes.Expr:
    return nodes.Constant(c.anchor, *c.spans[node], ...)


def _string(c: Conversion, node: cst.SimpleString) -> nodes.Expr:
    try:
        value = literals.string(node.value)
    except (ValueError, SyntaxError):
        return _opaque(c, node)
    return nodes.Constant(c.anchor, *c.spans[node], value)


def _formatted(c: Conversion, node: cst.FormattedString) -> nodes.Expr:
    values = _merged(_parts(c, node))
    if values is None:
        return _opaque(c, node)
    return nodes.JoinedStr(c.anchor, *c.spans[node], values)


def _concatenated(c: Conversion, node: cst.ConcatenatedString) -> nodes.Expr:
    parts: list[nodes.Expr | None] = []
    formatted = False
    rest: Any = node
    while True:
        left = rest.left if isinstance(rest, cst.ConcatenatedString) else rest
        formatted = formatted or isinstance(left, cst.FormattedString)
        if isinstance(left, cst.FormattedString):
            parts.extend(_parts(c, left))
        elif isinstance(left, cst.SimpleString):
            part = _string(c, left)
            parts.append(part if isinstance(part, nodes.Constant) else None)
        else:
            parts.append(None)
        if left is rest:
            break
        rest = rest.right
    values = _merged(parts)
    start, end = c.spans[node]
    if values is None:
        return _opaque(c, node)
    if formatted:
        return nodes.JoinedStr(c.anchor, start, end, values)
    first = parts[0]
    value = values[0] if values else first
    return nodes.Constant(c.anchor, start, end, value.value) if isinstance(value, nodes.Constant) else _opaque(c, node)


def _parts(c: Conversion, node: cst.FormattedString) -> list[nodes.Expr | None]:
    """The parts of one f-string; None for a part without a value."""
    raw = "r" in node.prefix
    result: list[nodes.Expr | None] = []
    for part in node.parts:
        if isinstance(part, cst.FormattedStringText):
            result.append(_text_part(c, part, raw))
        elif isinstance(part, cst.FormattedStringExpression):
            result.extend(_expression_part(c, part))
    return result


def _text_part(c: Conversion, part: cst.FormattedStringText, raw: bool) -> nodes.Expr | None:
    try:
        value = literals.fragment(part.value, raw)
    except (ValueError, SyntaxError):
        return None
    return nodes.Constant(c.anchor, *c.spans[part], value)


def _expression_part(c: Conversion, part: cst.FormattedStringExpression) -> list[nodes.Expr | None]:
    start, end = c.spans[part]
    conversion = part.conversion
    result: list[nodes.Expr | None] = []
    if part.equal is not None:
        shown_end = c.spans[part.whitespace_after_expression][1]
        shown = cst.Module([]).code_for_node(part)[1 : shown_end - start]
        result.append(nodes.Constant(c.anchor, start + 1, shown_end, shown))
        conversion = conversion or (None if part.format_spec is not None else "r")
    value = c.expr(part.expression)
    has_spec, spec = part.format_spec is not None, _braced(c, part.format_spec)
    result.append(nodes.FormattedValue(c.anchor, start, end, value, conversion, has_spec, spec))
    return result


def _merged(parts: list[nodes.Expr | None]) -> tuple[nodes.Expr, ...] | None:
    """The parts with neighbouring constants joined and empty ones dropped; None when one has no value or text and bytes
    are mixed."""
    result: list[nodes.Expr] = []
    for part in parts:
        if part is None:
            return None
        last = result[-1] if result else None
        if isinstance(part, nodes.Constant) and isinstance(last, nodes.Constant):
            if type(part.value) is not type(last.value):
                return None
            result[-1] = nodes.Constant(part.anchor, last.start, part.end, last.value + part.value)
        else:
            result.append(part)
    return tuple(part for part in result if not isinstance(part, nodes.Constant) or part.value)


# --- access and calls ------------------------------------------------------------------------------------------------


def _attribute(c: Conversion, node: cst.Attribute) -> nodes.Expr:
    start, end = c.spans[node]
    return nodes.Attribute(c.anchor, start, end, c.expr(node.value), identifier(node.attr.value), c.spans[node.attr][0])


def arguments(c: Conversion, args: Any) -> tuple[tuple[nodes.Expr, ...], tuple[nodes.Keyword, ...]]:
    """Positional (and starred) arguments, and keywords (and ``**`` ones)."""
    positional: list[nodes.Expr] = []
    keywords: list[nodes.Keyword] = []
    for arg in args:
        if arg.keyword is None and not arg.star:
            positional.append(c.expr(arg.value))
            continue
        start, end = c.spans[arg]
        if arg.keyword is not None:
            name_end = c.spans[arg.keyword][1]
            keywords.append(
                nodes.Keyword(c.anchor, start, end, identifier(arg.keyword.value), c.expr(arg.value), name_end)
            )
        elif arg.star == "**":
            keywords.append(nodes.Keyword(c.anchor, start, end, None, c.expr(arg.value), start))
        else:
            positional.append(nodes.Starred(c.anchor, start, end, c.expr(arg.value)))
    return tuple(positional), tuple(keywords)


def _call(c: Conversion, node: cst.Call) -> nodes.Expr:
    start, end = c.spans[node]
    func = c.expr(node.func)
    args, keywords = arguments(c, node.args)
    if len(node.args) == 1 and isinstance(node.args[0].value, cst.GeneratorExp) and not node.args[0].value.lpar:
        # Python's range of a generator that is the only argument includes the parentheses of the call
        args[0].start, args[0].end = _call_parentheses(c, node)
    return nodes.Call(c.anchor, start, end, func, args, keywords)


def _call_parentheses(c: Conversion, node: cst.Call) -> Range:
    return c.spans[node.whitespace_before_args][0] - 1, c.spans[node][1]


def _subscript(c: Conversion, node: cst.Subscript) -> nodes.Expr:
    start, end = c.spans[node]
    index = tuple(_element_of_index(c, element) for element in node.slice)
    is_tuple = len(index) > 1 or isinstance(node.slice[-1].comma, cst.Comma) or isinstance(index[0], nodes.Starred)
    return nodes.Subscript(c.anchor, start, end, c.expr(node.value), index, is_tuple)


def _element_of_index(c: Conversion, element: cst.SubscriptElement) -> nodes.Expr:
    index = element.slice
    if isinstance(index, cst.Slice):
        return _slice(c, index)
    assert isinstance(index, cst.Index)
    value = c.expr(index.value)
    if index.star:
        return nodes.Starred(c.anchor, *c.spans[index], value)
    return value


def _slice(c: Conversion, node: cst.Slice) -> nodes.Expr:
    spans = c.spans
    start, end = spans[node]
    if node.lower is None:
        start = spans[node.first_colon.whitespace_before][1]
    if node.step is None and isinstance(node.second_colon, cst.Colon):
        end = spans[node.second_colon.whitespace_after][0]
    elif node.step is None and node.upper is None:
        end = spans[node.first_colon.whitespace_after][0]
    return nodes.Slice(c.anchor, start, end, c.optional(node.lower), c.optional(node.upper), c.optional(node.step))


# --- displays --------------------------------------------------------------------------------------------------------


def _elements(c: Conversion, node: Any) -> tuple[nodes.Expr, ...]:
    return tuple(
        _starred(c, element) if isinstance(element, cst.StarredElement) else c.expr(element.value)
        for element in node.elements
    )


def _starred(c: Conversion, node: cst.StarredElement) -> nodes.Expr:
    return nodes.Starred(c.anchor, *c.spans[node], c.expr(node.value))


def _in_parentheses(c: Conversion, node: Any) -> Range:
    """The range with the innermost parentheses, which belong to the display itself."""
    if not node.lpar:
        return c.spans[node]
    return c.spans[node.lpar[-1]][0], c.spans[node.rpar[0]][1]


def _tuple(c: Conversion, node: cst.Tuple) -> nodes.Expr:
    return nodes.Tuple(c.anchor, *_in_parentheses(c, node), _elements(c, node))


def _list(c: Conversion, node: cst.List) -> nodes.Expr:
    return nodes.List(c.anchor, *c.spans[node], _elements(c, node))


def _set(c: Conversion, node: cst.Set) -> nodes.Expr:
    return nodes.Set(c.anchor, *c.spans[node], _elements(c, node))


def _dict(c: Conversion, node: cst.Dict) -> nodes.Expr:
    keys = tuple(c.expr(item.key) if isinstance(item, cst.DictElement) else None for item in node.elements)
    values = tuple(c.expr(item.value) for item in node.elements)
    return nodes.Dict(c.anchor, *c.spans[node], keys, values)


def _generators(c: Conversion, node: cst.CompFor) -> tuple[nodes.Comprehension, ...]:
    result: list[nodes.Comprehension] = []
    clause: cst.CompFor | None = node
    while clause is not None:
        start = c.spans[clause.whitespace_before][1]
        last = clause.ifs[-1] if clause.ifs else clause.iter
        end = c.spans[last][1]
        ifs = tuple(c.expr(condition.test) for condition in clause.ifs)
        target, iterable = c.expr(clause.target), c.expr(clause.iter)
        is_async = clause.asynchronous is not None
        result.append(nodes.Comprehension(c.anchor, start, end, target, iterable, ifs, is_async))
        clause = clause.inner_for_in
    return tuple(result)


def _generator(c: Conversion, node: cst.GeneratorExp) -> nodes.Expr:
    span = _in_parentheses(c, node)
    return nodes.ListComp(c.anchor, *span, c.expr(node.elt), _generators(c, node.for_in), "generator")


def _list_comp(c: Conversion, node: cst.ListComp) -> nodes.Expr:
    return nodes.ListComp(c.anchor, *c.spans[node], c.expr(node.elt), _generators(c, node.for_in), "list")


def _set_comp(c: Conversion, node: cst.SetComp) -> nodes.Expr:
    return nodes.ListComp(c.anchor, *c.spans[node], c.expr(node.elt), _generators(c, node.for_in), "set")


def _dict_comp(c: Conversion, node: cst.DictComp) -> nodes.Expr:
    key, value = c.expr(node.key), c.expr(node.value)
    return nodes.DictComp(c.anchor, *c.spans[node], key, value, _generators(c, node.for_in))


# --- operators -------------------------------------------------------------------------------------------------------

_OPERATORS: dict[type, str] = {
    cst.Add: "+",
    cst.Subtract: "-",
    cst.Multiply: "*",
    cst.Divide: "/",
    cst.FloorDivide: "//",
    cst.Modulo: "%",
    cst.Power: "**",
    cst.LeftShift: "<<",
    cst.RightShift: ">>",
    cst.BitOr: "|",
    cst.BitAnd: "&",
    cst.BitXor: "^",
    cst.MatrixMultiply: "@",
    cst.Plus: "+",
    cst.Minus: "-",
    cst.BitInvert: "~",
    cst.Not: "not",
    cst.And: "and",
    cst.Or: "or",
    cst.LessThan: "<",
    cst.GreaterThan: ">",
    cst.Equal: "==",
    cst.LessThanEqual: "<=",
    cst.GreaterThanEqual: ">=",
    cst.NotEqual: "!=",
    cst.In: "in",
    cst.NotIn: "not in",
    cst.Is: "is",
    cst.IsNot: "is not",
}


def _binary(c: Conversion, node: cst.BinaryOperation) -> nodes.Expr:
    left, right = c.expr(node.left), c.expr(node.right)
    return nodes.BinOp(c.anchor, *c.spans[node], left, _OPERATORS[type(node.operator)], right)


def _unary(c: Conversion, node: cst.UnaryOperation) -> nodes.Expr:
    return nodes.UnaryOp(c.anchor, *c.spans[node], _OPERATORS[type(node.operator)], c.expr(node.expression))


def _boolean(c: Conversion, node: cst.BooleanOperation) -> nodes.Expr:
    kind = type(node.operator)
    values: list[nodes.Expr] = []
    rest: Any = node
    while isinstance(rest, cst.BooleanOperation) and type(rest.operator) is kind and (rest is node or not rest.lpar):
        values.append(c.expr(rest.right))
        rest = rest.left
    values.append(c.expr(rest))
    return nodes.BoolOp(c.anchor, *c.spans[node], _OPERATORS[kind], tuple(reversed(values)))


def _comparison(c: Conversion, node: cst.Comparison) -> nodes.Expr:
    ops = tuple(_OPERATORS[type(target.operator)] for target in node.comparisons)
    comparators = tuple(c.expr(target.comparator) for target in node.comparisons)
    return nodes.Compare(c.anchor, *c.spans[node], c.expr(node.left), ops, comparators)


def _conditional(c: Conversion, node: cst.IfExp) -> nodes.Expr:
    return nodes.IfExp(c.anchor, *c.spans[node], c.expr(node.test), c.expr(node.body), c.expr(node.orelse))


def _named(c: Conversion, node: cst.NamedExpr) -> nodes.Expr:
    return nodes.NamedExpr(c.anchor, *c.spans[node], c.expr(node.target), c.expr(node.value))


# --- parameters ------------------------------------------------------------------------------------------------------


def _param(c: Conversion, node: cst.Param, kind: str) -> nodes.Param:
    start, _ = c.spans[node]
    name_end = end = c.spans[node.name][1]
    annotation = default = None
    if node.annotation is not None:
        annotation = c.expr(node.annotation.annotation)
        end = c.spans[node.annotation][1]
    if node.default is not None:
        default = c.expr(node.default)
        end = c.spans[node.default][1]
        if getattr(node.default, "rpar", ()):
            end = c.spans[node.default.rpar[-1]][1]
    return nodes.Param(c.anchor, start, end, identifier(node.name.value), annotation, default, kind, name_end)


def parameters(c: Conversion, node: cst.Parameters) -> tuple[nodes.Param, ...]:
    """All parameters in source order."""
    result = [_param(c, param, "positional_only") for param in node.posonly_params]
    result.extend(_param(c, param, "positional") for param in node.params)
    if isinstance(node.star_arg, cst.Param):
        result.append(_param(c, node.star_arg, "vararg"))
    result.extend(_param(c, param, "keyword_only") for param in node.kwonly_params)
    if node.star_kwarg is not None:
        result.append(_param(c, node.star_kwarg, "kwarg"))
    return tuple(result)


def _lambda(c: Conversion, node: cst.Lambda) -> nodes.Expr:
    return nodes.Lambda(c.anchor, *c.spans[node], parameters(c, node.params), c.expr(node.body))


EXPRESSIONS: dict[type, Callable[[Conversion, Any], nodes.Expr]] = {
    cst.Name: _name,
    cst.Integer: _number,
    cst.Float: _number,
    cst.Imaginary: _number,
    cst.Ellipsis: _ellipsis,
    cst.SimpleString: _string,
    cst.FormattedString: _formatted,
    cst.ConcatenatedString: _concatenated,
    cst.Attribute: _attribute,
    cst.Call: _call,
    cst.Subscript: _subscript,
    cst.StarredElement: _starred,
    cst.Tuple: _tuple,
    cst.List: _list,
    cst.Set: _set,
    cst.Dict: _dict,
    cst.GeneratorExp: _generator,
    cst.ListComp: _list_comp,
    cst.SetComp: _set_comp,
    cst.DictComp: _dict_comp,
    cst.BinaryOperation: _binary,
    cst.UnaryOperation: _unary,
    cst.BooleanOperation: _boolean,
    cst.Comparison: _comparison,
    cst.IfExp: _conditional,
    cst.NamedExpr: _named,
    cst.Lambda: _lambda,
    cst.Await: _await,
    cst.Yield: _yield,
}

if hasattr(cst, "TemplatedString"):
    # strings of Python 3.14 that older releases of LibCST do not know
    EXPRESSIONS[cst.TemplatedString] = _template
