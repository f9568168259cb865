"""Which names a text may bind, by its syntax alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.syntax.query import extent

Body = tuple[syntax.Stmt, ...]


def blocks(statement: syntax.Stmt) -> list[Body]:
    """The blocks of a compound statement, those of definitions included."""
    match statement:
        case syntax.FunctionDef() | syntax.ClassDef() | syntax.With():
            return [statement.body]
        case syntax.If() | syntax.For() | syntax.While():
            return [statement.body, statement.orelse]
        case syntax.Try():
            handlers = [handler.body for handler in statement.handlers]
            return [statement.body, *handlers, statement.orelse, statement.finalbody]
    return []


def bound_names(body: Body) -> Iterator[tuple[str, syntax.Node]]:
    """All names that statements may bind in their own scope, with the binding node."""
    for statement in body:
        yield from _bound_by(statement)
        if not isinstance(statement, syntax.FunctionDef | syntax.ClassDef):
            for block in blocks(statement):
                yield from bound_names(block)


def _bound_by(statement: syntax.Stmt) -> Iterator[tuple[str, syntax.Node]]:
    match statement:
        case syntax.Assign() | syntax.Delete():
            for target in statement.targets:
                yield from _targets(target)
        case syntax.AugAssign() | syntax.AnnAssign() | syntax.For():
            yield from _targets(statement.target)
        case syntax.FunctionDef() | syntax.ClassDef():
            yield statement.name, statement
        case syntax.Import() | syntax.ImportFrom():
            for alias in statement.names:
                yield alias.asname or alias.name.split(".")[0], alias
        case syntax.With():
            for entered in statement.items:
                if entered.optional_vars is not None:
                    yield from _targets(entered.optional_vars)
        case syntax.Try():
            for handler in statement.handlers:
                if handler.name is not None:
                    yield handler.name, handler
        case syntax.Opaque():
            yield from ((name, statement) for name in statement.binds)


def _targets(target: syntax.Expr) -> Iterator[tuple[str, syntax.Node]]:
    match target:
        case syntax.Name():
            yield target.id, target
        case syntax.Tuple() | syntax.List():
            for element in target.elts:
                yield from _targets(element)
        case syntax.Starred():
            yield from _targets(target.value)


@dataclass(frozen=True, slots=True)
class TextNames:
    """The names that a scope's text may bind; ``broken`` when part of it cannot be parsed, so that any may be."""

    names: frozenset[str]
    broken: bool


@lru_cache(maxsize=1024)
def text_names(body: Body, *, module: bool) -> TextNames:
    """The names that the text of a function or (with ``module``) of a file may bind in its own scope."""
    names = {name for name, _ in bound_names(body)}
    if module:
        names.update(declared_global(body))
    else:
        names.difference_update(_declared(body))
    return TextNames(frozenset(names), _broken(body))


def _declared(body: Body) -> Iterator[str]:
    """Names declared ``global`` or ``nonlocal`` in a function itself."""
    for statement in body:
        if isinstance(statement, syntax.Global):
            yield from statement.names
        elif not isinstance(statement, syntax.FunctionDef | syntax.ClassDef):
            for block in blocks(statement):
                yield from _declared(block)


def may_mention(definition: syntax.FunctionDef, word: str) -> bool:
    """False if a function surely does not hold a word (a name, a keyword, a sign, or part of one); parses nothing."""
    first, last = extent(definition)
    return definition.anchor.source.text.find(word, first, last) >= 0


def _broken(body: Body) -> bool:
    return any(
        isinstance(statement, syntax.Broken)
        or (not isinstance(statement, syntax.FunctionDef | syntax.ClassDef) and any(map(_broken, blocks(statement))))
        for statement in body
    )


def declared_global(body: Body) -> Iterator[str]:
    """Names that functions anywhere in a text declare ``global``."""
    for statement in body:
        if isinstance(statement, syntax.Global):
            if statement.kind == "global":
                yield from statement.names
        elif not isinstance(statement, syntax.FunctionDef) or may_mention(statement, "global"):
            for block in blocks(statement):
                yield from declared_global(block)
