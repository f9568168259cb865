"""The outline of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pypto_lsp.analysis.places import dotted, extent
from pypto_lsp.syntax import SyntaxTree
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Anchor, Span


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition. kind: ``kernel``, ``function``, ``method``, ``program``, ``class``, ``constant``. ``detail`` is the
    decorator of a kernel or program."""

    name: str
    kind: str
    detail: str
    span: Span
    name_span: Span
    children: tuple[Symbol, ...] = ()


def outline(tree: SyntaxTree) -> list[Symbol]:
    """The definitions of a file in source order; constants are module-level names in capitals."""
    return list(_of_body(tree.body, in_class=False))


def _of_body(body: Iterable[syntax.Stmt], *, in_class: bool) -> Iterator[Symbol]:
    for stmt in body:
        match stmt:
            case syntax.FunctionDef():
                decorator = _decorator(stmt)
                kind = "kernel" if decorator else "method" if in_class else "function"
                yield _symbol(stmt, kind, decorator, tuple(_definitions(stmt.body)))
            case syntax.ClassDef():
                decorator = _decorator(stmt)
                children = tuple(_of_body(stmt.body, in_class=True))
                yield _symbol(stmt, "program" if decorator else "class", decorator, children)
            case syntax.Assign(targets=(syntax.Name() as name,)) if name.id.isupper() and not in_class:
                yield Symbol(name.id, "constant", stmt.value.text.split("\n")[0][:60], stmt.span, name.span)


def _definitions(body: Iterable[syntax.Stmt]) -> Iterator[Symbol]:
    """Definitions nested in a function (a factory's kernels), its own statements left out."""
    return _of_body((s for s in body if isinstance(s, (syntax.FunctionDef, syntax.ClassDef))), in_class=False)


def _symbol(
    stmt: syntax.FunctionDef | syntax.ClassDef, kind: str, decorator: str, children: tuple[Symbol, ...]
) -> Symbol:
    start, end = extent(stmt)
    return Symbol(stmt.name, kind, decorator, Span(Anchor(stmt.anchor.source, 0), start, end), stmt.name_span, children)


def _decorator(stmt: syntax.FunctionDef | syntax.ClassDef) -> str:
    """The language's decorator on a definition as it is written, empty when there is none."""
    for decorator in stmt.decorators:
        callee = decorator.func if isinstance(decorator, syntax.Call) else decorator
        spelling = dotted(callee) or ""
        if {"jit", "function", "program", "inline"} & set(spelling.split(".")):
            return f"@{spelling}"
    return ""
