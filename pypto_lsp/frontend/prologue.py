"""The attributes that a function declares at the top of its body: ``pl.func_attr({...})``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pypto_lsp.diagnostics import Diagnostic, FaultKind
from pypto_lsp.diagnostics import faults_decorators as faults
from pypto_lsp.frontend.annotation_scope import name_span, spread
from pypto_lsp.frontend.decorators import DECORATOR_ATTRS
from pypto_lsp.frontend.paths import dotted
from pypto_lsp.ir.enums import ENUMS
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span

#: an attribute whose value is no constant (a parameter, an expression)
NOT_CONSTANT = object()


@dataclass(slots=True)
class Prologue:
    """The attributes by name, the statements that remain, and the faults. ``declared`` are those that the decorator gives."""

    declared: frozenset[str] = frozenset()
    attrs: dict[str, Any] = field(default_factory=dict)
    rest: tuple[syntax.Stmt, ...] = ()
    #: values that are expressions, which the body has to look at
    expressions: list[tuple[str, syntax.Expr]] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def report(self, kind: FaultKind, span: Span, subject: syntax.Node, /, **facts: Any) -> None:
        self.diagnostics.append(kind.at(span, subject=subject, **facts))


def is_func_attr(stmt: syntax.Stmt) -> bool:
    """Whether a statement is ``pl.func_attr(...)``."""
    value = stmt.value if isinstance(stmt, syntax.ExprStmt) else None
    if not (isinstance(value, syntax.Call) and isinstance(value.func, syntax.Attribute)):
        return False
    owner = value.func.value
    return value.func.attr == "func_attr" and isinstance(owner, syntax.Name) and owner.id == "pl"


def is_docstring(stmt: syntax.Stmt) -> bool:
    return (
        isinstance(stmt, syntax.ExprStmt)
        and isinstance(stmt.value, syntax.Constant)
        and isinstance(stmt.value.value, str)
    )


def read_prologue(body: tuple[syntax.Stmt, ...], declared: Iterable[str] = ()) -> Prologue:
    """Take the attribute declarations off a body. One that comes after another statement is reported and left out too.

    ``declared`` are the attributes that the decorator gives."""
    prologue = Prologue(frozenset(declared))
    rest: list[syntax.Stmt] = []
    open_ = True
    for index, stmt in enumerate(body):
        if not is_func_attr(stmt):
            open_ = open_ and index == 0 and is_docstring(stmt)
            rest.append(stmt)
        elif open_:
            _read(prologue, stmt)
        else:
            prologue.report(faults.FUNC_ATTR_LATE, stmt.span, stmt)
    prologue.rest = tuple(rest)
    return prologue


def _read(prologue: Prologue, stmt: syntax.Stmt) -> None:
    assert isinstance(stmt, syntax.ExprStmt) and isinstance(stmt.value, syntax.Call)
    call = stmt.value
    given = (*call.args, *call.keywords)
    if len(call.args) != 1 or call.keywords:
        span = spread(given) if given else call.span
        prologue.report(faults.FUNC_ATTR_ARGUMENTS, span, call)
    elif not isinstance(call.args[0], syntax.Dict):
        prologue.report(faults.FUNC_ATTR_DICT, call.args[0].span, call, text=call.args[0].text)
    else:
        for key, value in zip(call.args[0].keys, call.args[0].values):
            _read_entry(prologue, key, value)


def _read_entry(prologue: Prologue, key: syntax.Expr | None, value: syntax.Expr) -> None:
    if key is None:
        span = Span(value.anchor, value.start - 2, value.end)
        prologue.report(faults.FUNC_ATTR_UNPACKING, span, value)
        return
    if not (isinstance(key, syntax.Constant) and isinstance(key.value, str)):
        prologue.report(faults.FUNC_ATTR_KEY, key.span, key, text=key.text)
        return
    name = key.value
    if name in prologue.attrs or name in prologue.declared:
        prologue.report(faults.FUNC_ATTR_DUPLICATE, key.span, key, name=name)
    elif name in DECORATOR_ATTRS:
        prologue.report(faults.FUNC_ATTR_OWNED, key.span, key, name=name)
    elif name == "split":
        _read_split(prologue, value)
    else:
        prologue.attrs[name] = _value(prologue, name, value)


def _value(prologue: Prologue, name: str, value: syntax.Expr) -> Any:
    """The value of an attribute: a literal's own, :data:`NOT_CONSTANT` for an expression."""
    if isinstance(value, syntax.Constant):
        if not isinstance(value.value, bool | int | float | str):
            prologue.report(faults.FUNC_ATTR_VALUE, value.span, value, text=value.text)
        return value.value
    if isinstance(value, (syntax.List, syntax.Tuple)) and not _is_list_of_one_kind(name, value):
        prologue.report(faults.FUNC_ATTR_VALUE, value.span, value, text=value.text)
    else:
        prologue.expressions.append((name, value))
    return NOT_CONSTANT


def _is_list_of_one_kind(name: str, node: syntax.List | syntax.Tuple) -> bool:
    """Whether a list holds names only, directions only, or, for the one attribute that has them, whole numbers."""
    if all(isinstance(e, syntax.Constant) for e in node.elts):
        return not node.elts or name == "arg_direction_overrides"
    return all(isinstance(e, syntax.Name) for e in node.elts) or all(
        dotted(e).startswith("pl.adir.") for e in node.elts
    )


def _read_split(prologue: Prologue, value: syntax.Expr) -> None:
    """A split mode, by its dotted path; no split is no attribute."""
    if not isinstance(value, syntax.Attribute):
        prologue.report(faults.ENUM_FORM, value.span, value, keyword="split", enum="SplitMode", text=value.text)
    elif value.attr not in ENUMS["SplitMode"]:
        prologue.report(faults.ENUM_MEMBER, name_span(value), value, enum="SplitMode", name=value.attr)
    elif value.attr != "NONE":
        prologue.attrs["split"] = value.attr
