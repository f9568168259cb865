"""LibCST statements to :mod:`pypto_lsp.syntax.nodes`: one small function per class, in a table.

The range of a compound statement is its header, from the first keyword to the colon (included).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import libcst as cst

from pypto_lsp.syntax import nodes
from pypto_lsp.syntax.expressions import Conversion, Range, arguments, identifier, parameters
from pypto_lsp.syntax.names import bound_names, walk, walrus_names

Stmts = tuple[nodes.Stmt, ...]


def statements(c: Conversion, body: Iterable[Any]) -> Stmts:
    """The statements of a module or suite; a line with semicolons gives several."""
    result: list[nodes.Stmt] = []
    for node in body:
        if node.__class__ is cst.SimpleStatementLine:
            result.extend(_simple(c, small) for small in node.body)
        else:
            result.append(_COMPOUND[node.__class__](c, node))
    return tuple(result)


def _simple(c: Conversion, node: Any) -> nodes.Stmt:
    return _SIMPLE[node.__class__](c, node)


def _suite(c: Conversion, suite: Any) -> Stmts:
    if isinstance(suite, cst.SimpleStatementSuite):
        return tuple(_simple(c, small) for small in suite.body)
    return statements(c, suite.body)


def _header(c: Conversion, node: Any) -> Range:
    return c.spans[node][0], c.suites[node.body]


# --- simple statements -----------------------------------------------------------------------------------------------


def _expr(c: Conversion, node: cst.Expr) -> nodes.Stmt:
    return nodes.ExprStmt(c.anchor, *c.spans[node], c.expr(node.value))


def _assign(c: Conversion, node: cst.Assign) -> nodes.Stmt:
    targets = tuple(c.expr(target.target) for target in node.targets)
    return nodes.Assign(c.anchor, *c.spans[node], targets, c.expr(node.value))


def _aug_assign(c: Conversion, node: cst.AugAssign) -> nodes.Stmt:
    op = _AUGMENTED[type(node.operator)]
    return nodes.AugAssign(c.anchor, *c.spans[node], c.expr(node.target), op, c.expr(node.value))


def _ann_assign(c: Conversion, node: cst.AnnAssign) -> nodes.Stmt:
    annotation = c.expr(node.annotation.annotation)
    return nodes.AnnAssign(c.anchor, *c.spans[node], c.expr(node.target), annotation, c.optional(node.value))


def _return(c: Conversion, node: cst.Return) -> nodes.Stmt:
    return nodes.Return(c.anchor, *c.spans[node], c.optional(node.value))


def _pass(c: Conversion, node: cst.Pass) -> nodes.Stmt:
    return nodes.Pass(c.anchor, *c.spans[node])


def _break(c: Conversion, node: cst.Break) -> nodes.Stmt:
    return nodes.Break(c.anchor, *c.spans[node])


def _continue(c: Conversion, node: cst.Continue) -> nodes.Stmt:
    return nodes.Continue(c.anchor, *c.spans[node])


def _raise(c: Conversion, node: cst.Raise) -> nodes.Stmt:
    cause = c.expr(node.cause.item) if node.cause is not None else None
    return nodes.Raise(c.anchor, *c.spans[node], c.optional(node.exc), cause)


def _assert(c: Conversion, node: cst.Assert) -> nodes.Stmt:
    return nodes.Assert(c.anchor, *c.spans[node], c.expr(node.test), c.optional(node.msg))


def _delete(c: Conversion, node: cst.Del) -> nodes.Stmt:
    target = node.target
    if isinstance(target, cst.Tuple) and not target.lpar:
        targets = tuple(c.expr(element.value) for element in target.elements)
    else:
        targets = (c.expr(target),)
    return nodes.Delete(c.anchor, *c.spans[node], targets)


def _global(c: Conversion, node: Any) -> nodes.Stmt:
    kind = "global" if isinstance(node, cst.Global) else "nonlocal"
    return nodes.Global(c.anchor, *c.spans[node], tuple(identifier(item.name.value) for item in node.names), kind)


def _dotted(node: Any) -> str:
    if node is None:
        return ""
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{identifier(node.attr.value)}"
    return identifier(node.value)


def _alias(c: Conversion, node: cst.ImportAlias) -> nodes.Alias:
    return nodes.Alias(c.anchor, *c.spans[node], _dotted(node.name), _as_name(node.asname))


def _import(c: Conversion, node: Any) -> nodes.Stmt:
    return nodes.Import(c.anchor, *c.spans[node], tuple(_alias(c, alias) for alias in node.names))


def _import_from(c: Conversion, node: Any) -> nodes.Stmt:
    start, end = c.spans[node]
    star = isinstance(node.names, cst.ImportStar)
    names = () if star else tuple(_alias(c, alias) for alias in node.names)
    return nodes.ImportFrom(c.anchor, start, end, _dotted(node.module), names, len(node.relative), star)


def _type_alias(c: Conversion, node: cst.TypeAlias) -> nodes.Stmt:
    reads = {part.id for part in walk(c.expr(node.value)) if isinstance(part, nodes.Name)}
    return nodes.Opaque(c.anchor, *c.spans[node], "TypeAlias", (node.name.value,), tuple(sorted(reads)))


_AUGMENTED: dict[type, str] = {
    cst.AddAssign: "+",
    cst.SubtractAssign: "-",
    cst.MultiplyAssign: "*",
    cst.MatrixMultiplyAssign: "@",
    cst.DivideAssign: "/",
    cst.ModuloAssign: "%",
    cst.BitAndAssign: "&",
    cst.BitOrAssign: "|",
    cst.BitXorAssign: "^",
    cst.LeftShiftAssign: "<<",
    cst.RightShiftAssign: ">>",
    cst.PowerAssign: "**",
    cst.FloorDivideAssign: "//",
}

_SIMPLE: dict[type, Callable[[Conversion, Any], nodes.Stmt]] = {
    cst.Expr: _expr,
    cst.Assign: _assign,
    cst.AugAssign: _aug_assign,
    cst.AnnAssign: _ann_assign,
    cst.Return: _return,
    cst.Pass: _pass,
    cst.Break: _break,
    cst.Continue: _continue,
    cst.Raise: _raise,
    cst.Assert: _assert,
    cst.Del: _delete,
    cst.Global: _global,
    cst.Nonlocal: _global,
    cst.Import: _import,
    cst.ImportFrom: _import_from,
    cst.TypeAlias: _type_alias,
}


# --- compound statements ---------------------------------------------------------------------------------------------


def _orelse(c: Conversion, node: cst.Else | None) -> Stmts:
    return () if node is None else _suite(c, node.body)


def _if(c: Conversion, node: cst.If) -> nodes.Stmt:
    test, body = c.expr(node.test), _suite(c, node.body)
    orelse = (_if(c, node.orelse),) if isinstance(node.orelse, cst.If) else _orelse(c, node.orelse)
    return nodes.If(c.anchor, *_header(c, node), test, body, orelse)


def _for(c: Conversion, node: cst.For) -> nodes.Stmt:
    target, iterable = c.expr(node.target), c.expr(node.iter)
    is_async = node.asynchronous is not None
    body, orelse = _suite(c, node.body), _orelse(c, node.orelse)
    return nodes.For(c.anchor, *_header(c, node), target, iterable, body, orelse, is_async)


def _while(c: Conversion, node: cst.While) -> nodes.Stmt:
    test, body, orelse = c.expr(node.test), _suite(c, node.body), _orelse(c, node.orelse)
    return nodes.While(c.anchor, *_header(c, node), test, body, orelse)


def _with_item(c: Conversion, node: cst.WithItem) -> nodes.WithItem:
    name = node.asname.name if node.asname is not None else None
    return nodes.WithItem(c.anchor, *c.spans[node], c.expr(node.item), c.optional(name))


def _with(c: Conversion, node: cst.With) -> nodes.Stmt:
    items = tuple(_with_item(c, item) for item in node.items)
    return nodes.With(c.anchor, *_header(c, node), items, _suite(c, node.body), node.asynchronous is not None)


def _as_name(node: cst.AsName | None) -> str | None:
    return identifier(node.name.value) if node is not None and isinstance(node.name, cst.Name) else None


def _handler(c: Conversion, node: cst.ExceptHandler) -> nodes.ExceptHandler:
    name = _as_name(node.name)
    return nodes.ExceptHandler(c.anchor, *_header(c, node), c.optional(node.type), name, _suite(c, node.body))


def _try(c: Conversion, node: cst.Try) -> nodes.Stmt:
    body = _suite(c, node.body)
    handlers = tuple(_handler(c, handler) for handler in node.handlers)
    final = () if node.finalbody is None else _suite(c, node.finalbody.body)
    return nodes.Try(c.anchor, *_header(c, node), body, handlers, _orelse(c, node.orelse), final)


def _decorators(c: Conversion, node: Any) -> tuple[nodes.Expr, ...]:
    return tuple(c.expr(decorator.decorator) for decorator in node.decorators)


def _function(c: Conversion, node: cst.FunctionDef) -> nodes.Stmt:
    start, end = _header(c, node)
    params = parameters(c, node.params)
    returns = c.expr(node.returns.annotation) if node.returns is not None else None
    return nodes.FunctionDef(
        c.anchor,
        start,
        end,
        identifier(node.name.value),
        *c.spans[node.name],
        params,
        returns,
        _decorators(c, node),
        _suite(c, node.body),
        node.asynchronous is not None,
    )


def _class(c: Conversion, node: cst.ClassDef) -> nodes.Stmt:
    start, end = _header(c, node)
    bases, keywords = arguments(c, (*node.bases, *node.keywords))
    decorators, body = _decorators(c, node), _suite(c, node.body)
    return nodes.ClassDef(
        c.anchor, start, end, identifier(node.name.value), *c.spans[node.name], bases, keywords, decorators, body
    )


def _try_star(c: Conversion, node: cst.TryStar) -> nodes.Stmt:
    suites = [node.body, *(handler.body for handler in node.handlers)]
    suites.extend(part.body for part in (node.orelse, node.finalbody) if part is not None)
    names = [name for handler in node.handlers if (name := _as_name(handler.name)) is not None]
    return _opaque(c, node, names, [handler.type for handler in node.handlers], suites)


def _match(c: Conversion, node: cst.Match) -> nodes.Stmt:
    expressions: list[Any] = [node.subject]
    names: list[str] = []
    for case in node.cases:
        _captures(case.pattern, names, expressions)
        if case.guard is not None:
            expressions.append(case.guard)
    return _opaque(c, node, names, expressions, [case.body for case in node.cases])


def _captures(pattern: Any, names: list[str], expressions: list[Any]) -> None:
    """Adds the names that a pattern of a ``case`` binds, and the classes, keys and values that it mentions."""
    match pattern:
        case cst.MatchAs():
            _captures(pattern.pattern, names, expressions)
            if pattern.name is not None:
                names.append(identifier(pattern.name.value))
        case cst.MatchStar():
            if pattern.name is not None:
                names.append(identifier(pattern.name.value))
        case cst.MatchValue():
            expressions.append(pattern.value)
        case cst.MatchMapping():
            for entry in pattern.elements:
                expressions.append(entry.key)
                _captures(entry.pattern, names, expressions)
            if pattern.rest is not None:
                names.append(pattern.rest.value)
        case cst.MatchClass():
            expressions.append(pattern.cls)
            for element in pattern.patterns:
                _captures(element.value, names, expressions)
            for keyword in pattern.kwds:
                _captures(keyword.pattern, names, expressions)
        case cst.MatchList() | cst.MatchTuple():
            for item in pattern.patterns:
                _captures(item if isinstance(item, cst.MatchStar) else item.value, names, expressions)
        case cst.MatchOr():
            for alternative in pattern.patterns:
                _captures(alternative.pattern, names, expressions)


def _opaque(c: Conversion, node: Any, names: list[str], expressions: list[Any], suites: list[Any]) -> nodes.Stmt:
    parts: list[nodes.Node] = [c.expr(expression) for expression in expressions]
    for part in parts:
        names.extend(walrus_names(part))
    for suite in suites:
        body = _suite(c, suite)
        names.extend(bound_names(body))
        parts.extend(body)
    reads = dict.fromkeys(part.id for part in walk(*parts) if isinstance(part, nodes.Name))
    return nodes.Opaque(c.anchor, *c.spans[node], type(node).__name__, tuple(dict.fromkeys(names)), tuple(reads))


_COMPOUND: dict[type, Callable[[Conversion, Any], nodes.Stmt]] = {
    cst.If: _if,
    cst.For: _for,
    cst.While: _while,
    cst.With: _with,
    cst.Try: _try,
    cst.TryStar: _try_star,
    cst.Match: _match,
    cst.FunctionDef: _function,
    cst.ClassDef: _class,
}

for _lazy, _convert in (("LazyImport", _import), ("LazyImportFrom", _import_from)):
    # statements of Python 3.15 that older releases of LibCST do not know
    if hasattr(cst, _lazy):
        _SIMPLE[getattr(cst, _lazy)] = _convert
