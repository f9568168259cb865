"""Iteration and unpacking in the static evaluator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pypto_lsp.frontend.static_machine import Machine
from pypto_lsp.frontend.static_objects import DictObject, EnvironObject, Iterator, ListObject, Object, SetObject
from pypto_lsp.frontend.static_operators import LENGTH_LIMIT, Raised, is_key, is_opaque
from pypto_lsp.frontend.static_scope import Environment
from pypto_lsp.frontend.values import ClassValue, ModuleRef, OpaqueValue
from pypto_lsp.syntax import nodes as syntax


def iterate(m: Machine, value: Any) -> Sequence[Any] | None:
    """What ``for`` goes through, None when not known. A range is not spelled out: who goes on pays for each round."""
    if isinstance(value, tuple | range | str):
        return value
    if isinstance(value, Iterator):
        items = value.items
        m.touch(value)
        value.items = None if items is None else []
        return items
    if isinstance(value, ListObject):
        return None if value.items is None else tuple(value.items)
    if isinstance(value, SetObject | DictObject):
        return None if value.items is None else tuple(value.items)
    if isinstance(value, ClassValue) and value.body.kind == "enum":
        return value.body.members()
    if isinstance(value, Object) and value.cls is not None and value.cls.body.kind == "namedtuple":
        return None if value.fields is None else tuple(value.fields.values())
    return None


def elements(m: Machine, value: Any) -> list[Any] | None:
    """All elements of an iterable, paid for; None when not known or too many."""
    found = iterate(m, value)
    if found is None or len(found[: LENGTH_LIMIT + 1]) > LENGTH_LIMIT:
        return None
    m.charge(len(found) // 8)
    return list(found)


# --- assignment targets ------------------------------------------------------------------------------------------


def unpack(m: Machine, target: syntax.Expr, value: Any, scope: Environment, source: syntax.Expr | None = None) -> None:
    """Assign a value to a target. ``source`` is the expression assigned, whose name an int then takes."""
    if isinstance(target, syntax.Name):
        if source is not None:
            m.bind_named(scope, target.id, value, target, source)
        else:
            m.bind(scope, target.id, value, target)
    elif isinstance(target, syntax.Tuple | syntax.List):
        _unpack_sequence(m, target.elts, value, scope, source)
    elif isinstance(target, syntax.Starred):
        unpack(m, target.value, value, scope)
    elif isinstance(target, syntax.Attribute):
        assign_attribute(m, m.eval(target.value, scope), target.attr, value, target)
    elif isinstance(target, syntax.Subscript):
        assign_item(m, target, value, scope)


def _unpack_sequence(
    m: Machine, targets: tuple[syntax.Expr, ...], value: Any, scope: Environment, source: syntax.Expr | None
) -> None:
    items = elements(m, value)
    if items is None:
        m.doubts += 1
        for target in targets:
            unpack(m, target, m.opaque(), scope)
        return
    star = next((index for index, target in enumerate(targets) if isinstance(target, syntax.Starred)), None)
    if star is None:
        if len(items) != len(targets):
            raise Raised("ValueError")
    else:
        rest = len(targets) - star - 1
        if len(items) < star + rest:
            raise Raised("ValueError")
        cut = len(items) - rest
        items = [*items[:star], ListObject(items[star:cut]), *items[cut:]]
    sources = source.elts if isinstance(source, syntax.Tuple | syntax.List) and len(source.elts) == len(items) else None
    for index, (target, item) in enumerate(zip(targets, items)):
        unpack(m, target, item, scope, sources[index] if sources else None)


def assign_attribute(m: Machine, owner: Any, name: str, value: Any, node: syntax.Node) -> None:
    """``owner.name = value``."""
    if is_opaque(owner):
        m.doubts += 1
        m.opaque_changes()
    elif isinstance(owner, Object):
        if m.touch(owner) and owner.fields is not None:
            owner.fields[name] = value
    elif isinstance(owner, ModuleRef):
        m.run.patch(m, owner, name, value, node)
    elif isinstance(owner, ClassValue) and owner.env.module.run is m.run:
        m.write(owner.body.namespace, name, value)


def assign_item(m: Machine, target: syntax.Subscript, value: Any, scope: Environment) -> None:
    """``container[index] = value``."""
    from pypto_lsp.frontend.static_expr import subscript_index  # expressions are built on iteration

    container = m.eval(target.value, scope)
    index = subscript_index(m, target, scope)
    if is_opaque(container):
        m.doubts += 1
        m.opaque_changes()
    elif isinstance(container, GlobalsView):
        container.assign(m, index, value, target)
    elif isinstance(container, DictObject):
        store(m, container, index, value)
    elif isinstance(container, ListObject) and m.touch(container):
        _assign_list_item(m, container, index, value)


def store(m: Machine, container: DictObject, key: Any, value: Any) -> None:
    """Set an entry of a dict; an unknown key makes the whole dict unknown."""
    if not m.touch(container) or container.items is None:
        return
    if is_key(key):
        container.items[key] = value
        if isinstance(container, EnvironObject):
            m.run.note_export(key, value)
    else:
        container.items = None


def _assign_list_item(m: Machine, container: ListObject, index: Any, value: Any) -> None:
    items = container.items
    if items is None:
        m.doubts += 1
    elif isinstance(index, slice):
        part = elements(m, value)
        if part is None or index.step is not None:
            container.items = None
        else:
            items[index] = part
    elif isinstance(index, int):
        if not -len(items) <= index < len(items):
            raise Raised("IndexError")
        items[index] = value
    else:
        container.items = None


class GlobalsView:
    """What ``globals()`` gives: assignments to it bind names of the module."""

    __slots__ = ("scope",)

    def __init__(self, scope: Environment) -> None:
        self.scope = scope.module

    def assign(self, m: Machine, key: Any, value: Any, node: syntax.Node) -> None:
        if isinstance(key, str):
            m.bind(self.scope, key, value, node)
            return
        for name in list(self.scope.raw_values):  # any name may be meant
            m.write(self.scope.raw_values, name, OpaqueValue(f"{self.scope.path}:{name}"))
