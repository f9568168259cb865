"""Children of syntax nodes, names read by expressions and names bound by statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields

from pypto_lsp.syntax import nodes


def _child_fields(kind: type[nodes.Node]) -> tuple[str, ...]:
    """The fields of a class that may hold nodes, in source order as far as the class declares them so."""
    return tuple(f.name for f in fields(kind) if f.name != "anchor" and _may_hold_nodes(str(f.type)))


_NODE_WORDS = ("Expr", "Stmt", "Keyword", "Param", "Comprehension", "Alias", "WithItem", "ExceptHandler")


def _may_hold_nodes(annotation: str) -> bool:
    return any(word in annotation for word in _NODE_WORDS)


_FIELDS: dict[type[nodes.Node], tuple[str, ...]] = {}


def children(node: nodes.Node) -> Iterator[nodes.Node]:
    """The direct children of a node: expressions, keywords, parameters and, for a compound statement, its statements."""
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = _child_fields(kind)
    for name in names:
        value = getattr(node, name)
        if isinstance(value, nodes.Node):
            yield value
        elif value.__class__ is tuple:
            yield from (item for item in value if isinstance(item, nodes.Node))


def walk(*roots: nodes.Node) -> Iterator[nodes.Node]:
    """The nodes given and all below them, parents before children."""
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(children(node))))


def names_read(expression: nodes.Node) -> Iterator[nodes.Name]:
    """The names that an expression reads: not those it binds itself (parameters of a lambda, variables of a comprehension
    and targets of ``:=``)."""
    yield from _read(expression, frozenset())


def _read(node: nodes.Node, own: frozenset[str]) -> Iterator[nodes.Name]:
    if isinstance(node, nodes.Name):
        if node.id not in own:
            yield node
    elif isinstance(node, nodes.Lambda):
        for param in node.params:
            if param.default is not None:
                yield from _read(param.default, own)
        yield from _read(node.body, own | {param.name for param in node.params})
    elif isinstance(node, nodes.ListComp | nodes.DictComp):
        yield from _read_comprehension(node, own)
    elif isinstance(node, nodes.NamedExpr):
        yield from _read(node.value, own)
    else:
        for child in children(node):
            yield from _read(child, own)


def _read_comprehension(node: nodes.ListComp | nodes.DictComp, own: frozenset[str]) -> Iterator[nodes.Name]:
    for generator in node.generators:
        yield from _read(generator.iter, own)
        own = own | frozenset(target_names(generator.target))
        for condition in generator.ifs:
            yield from _read(condition, own)
    results = (node.elt,) if isinstance(node, nodes.ListComp) else (node.key, node.value)
    for result in results:
        yield from _read(result, own)


def target_names(target: nodes.Node | None) -> Iterator[str]:
    """The names that an assignment target binds (none for an attribute or subscript)."""
    match target:
        case nodes.Name():
            yield target.id
        case nodes.Starred():
            yield from target_names(target.value)
        case nodes.Tuple() | nodes.List():
            for element in target.elts:
                yield from target_names(element)


def bound_names(statements: Iterable[nodes.Stmt]) -> Iterator[str]:
    """The names that statements bind in their own scope, with repetitions; bodies of functions and classes are other
    scopes."""
    for statement in statements:
        binder = _BINDERS.get(type(statement))
        if binder is not None:
            yield from binder(statement)
        for child in children(statement):
            if isinstance(child, nodes.Expr):
                yield from walrus_names(child)
        yield from bound_names(_inner(statement))


def _inner(statement: nodes.Stmt) -> Iterator[nodes.Stmt]:
    if isinstance(statement, nodes.FunctionDef | nodes.ClassDef):
        return
    for child in children(statement):
        if isinstance(child, nodes.Stmt):
            yield child
        elif isinstance(child, nodes.ExceptHandler):
            yield from child.body


def walrus_names(expression: nodes.Node) -> Iterator[str]:
    """The names that ``:=`` binds in an expression."""
    return (
        name for node in walk(expression) if isinstance(node, nodes.NamedExpr) for name in target_names(node.target)
    )


def _alias_names(statement: nodes.Import | nodes.ImportFrom) -> Iterator[str]:
    dotted = isinstance(statement, nodes.Import)
    for alias in statement.names:
        yield alias.asname or (alias.name.split(".")[0] if dotted else alias.name)


_BINDERS: dict[type[nodes.Stmt], Callable[..., Iterator[str]]] = {
    nodes.Assign: lambda s: (name for target in s.targets for name in target_names(target)),
    nodes.AugAssign: lambda s: target_names(s.target),
    nodes.AnnAssign: lambda s: target_names(s.target),
    nodes.For: lambda s: target_names(s.target),
    nodes.With: lambda s: (name for item in s.items for name in target_names(item.optional_vars)),
    nodes.Try: lambda s: (handler.name for handler in s.handlers if handler.name),
    nodes.Import: _alias_names,
    nodes.ImportFrom: _alias_names,
    nodes.FunctionDef: lambda s: iter((s.name,)),
    nodes.ClassDef: lambda s: iter((s.name,)),
    nodes.Opaque: lambda s: iter(s.binds),
}
