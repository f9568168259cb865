"""Expressions of the static evaluator: one small function per kind of node, in the table :data:`EXPRESSIONS`."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from functools import partial
from typing import Any

from pypto_lsp.frontend.static_attributes import attribute
from pypto_lsp.frontend.static_calls import call_expression
from pypto_lsp.frontend.static_iteration import elements, iterate, unpack
from pypto_lsp.frontend.static_machine import Machine, Return
from pypto_lsp.frontend.static_objects import (
    MISSING,
    DictObject,
    EnvironObject,
    External,
    Iterator,
    ListObject,
    Object,
    SetObject,
    derived,
)
from pypto_lsp.frontend.static_operators import (
    LENGTH_LIMIT,
    TEXT_LIMIT,
    UNKNOWN,
    binary,
    compare,
    is_key,
    number,
    subscript,
    truth,
    unary,
)
from pypto_lsp.frontend.static_scope import Environment
from pypto_lsp.frontend.values import ClassValue, DslExpression, FunctionValue, Namespace, OpaqueValue
from pypto_lsp.ir.types import Extent, Origin
from pypto_lsp.syntax import nodes as syntax

#: longest text that stands for arithmetic over unknown values
_SYMBOL_LIMIT = 200
BUILTINS = frozenset(name for name in dir(builtins) if not name.startswith("__"))


def _constant(m: Machine, e: syntax.Constant, scope: Environment) -> Any:
    value = e.value
    if type(value) is int:
        return Extent(value, Origin(e.span, None, True))
    return UNKNOWN if isinstance(value, complex) or value is ... else value


def _name(m: Machine, e: syntax.Name, scope: Environment) -> Any:
    value = scope.raw(e.id)
    if value is not MISSING:
        return value
    if e.id in BUILTINS and not scope.module.foreign_names:
        return External(f"builtins.{e.id}")
    if e.id == "__name__":
        return scope.module.name
    if e.id == "__file__":
        return scope.module.path
    m.doubts += 1
    return m.opaque_for(e.id)


def _attribute(m: Machine, e: syntax.Attribute, scope: Environment) -> Any:
    return attribute(m, m.eval(e.value, scope), e.attr)


def _display(m: Machine, nodes: tuple[syntax.Expr, ...], scope: Environment) -> list[Any] | None:
    """The elements of a tuple, list or set display; None when a starred one is not known."""
    items: list[Any] = []
    known = True
    for element in nodes:
        if isinstance(element, syntax.Starred):
            spread = elements(m, m.eval(element.value, scope))
            known = known and spread is not None
            items.extend(spread or ())
        else:
            items.append(m.eval(element, scope))
    return items if known else None


def _tuple(m: Machine, e: syntax.Tuple, scope: Environment) -> Any:
    items = _display(m, e.elts, scope)
    return UNKNOWN if items is None else tuple(items)


def _list(m: Machine, e: syntax.List, scope: Environment) -> Any:
    return ListObject(_display(m, e.elts, scope))


def _set(m: Machine, e: syntax.Set, scope: Environment) -> Any:
    return make_set(_display(m, e.elts, scope))


def make_set(items: list[Any] | None, frozen: bool = False) -> SetObject:
    if items is None or not all(is_key(item) for item in items):
        return SetObject(None, frozen)
    return SetObject(dict.fromkeys(items), frozen)


def _dict(m: Machine, e: syntax.Dict, scope: Environment) -> Any:
    items: dict[Any, Any] | None = {}
    for key_node, value_node in zip(e.keys, e.values):
        if key_node is None:
            spread = m.eval(value_node, scope)
            known = spread.items if isinstance(spread, DictObject) else None
            items = None if items is None or known is None else {**items, **known}
            continue
        key, value = m.eval(key_node, scope), m.eval(value_node, scope)
        if items is not None:
            items = _with_entry(items, key, value)
    return DictObject(items)


def _with_entry(items: dict[Any, Any], key: Any, value: Any) -> dict[Any, Any] | None:
    if not is_key(key):
        return None
    items[key] = value
    return items


def _binary(m: Machine, e: syntax.BinOp, scope: Environment) -> Any:
    left, right = m.eval(e.left, scope), m.eval(e.right, scope)
    return operate(m, e.op, left, right, e)


def operate(m: Machine, operation: str, left: Any, right: Any, node: syntax.Node) -> Any:
    """A binary operator's value, with provenance."""
    value = binary(operation, left, right)
    if type(value) is int:
        return derived(value, node.span, (left, right))
    if value is UNKNOWN:
        m.doubts += 1
        return _symbolic(operation, left, right)
    return value


def _symbolic(operation: str, left: Any, right: Any) -> Any:
    """Arithmetic with a part that is not known: named by its operands, so that equal sums are equal values."""
    names = [_symbol(operand) for operand in (left, right)]
    if "" in names or sum(map(len, names)) > _SYMBOL_LIMIT:
        return UNKNOWN
    return OpaqueValue(f"({names[0]} {operation} {names[1]})")


def _symbol(value: Any) -> str:
    if isinstance(value, OpaqueValue):
        return "" if "#" in value.name else value.name
    plain = number(value)
    return "" if plain is None else repr(plain)


def _unary(m: Machine, e: syntax.UnaryOp, scope: Environment) -> Any:
    if e.op == "not":
        outcome = test(m, e.operand, scope)
        return UNKNOWN if outcome is None else not outcome
    operand = m.eval(e.operand, scope)
    value = unary(e.op, operand)
    if type(value) is not int:
        return value
    if isinstance(e.operand, syntax.Constant) and e.op == "-":
        return Extent(value, Origin(e.span, None, True))
    return derived(value, e.span, (operand,))


def _bool_op(m: Machine, e: syntax.BoolOp, scope: Environment) -> Any:
    ends = e.op == "or"
    value: Any = None
    for position, node in enumerate(e.values):
        value = m.eval(node, scope)
        outcome = truth(value)
        if outcome is None:
            return _open_bool_op(m, e, position, value, scope)
        if outcome is ends:
            return value
    return value


def _open_bool_op(m: Machine, e: syntax.BoolOp, position: int, value: Any, scope: Environment) -> Any:
    """``unknown and False`` counts as false, ``unknown or True`` as true; where the operands are bools that is the value."""
    ends = e.op == "or"
    if not isinstance(e.values[position], syntax.Compare | syntax.BoolOp | syntax.UnaryOp):
        return UNKNOWN
    for node in e.values[position + 1 :]:
        if m.doubtful(partial(m.eval, node, scope)) is ends:
            return ends
    return UNKNOWN


def test(m: Machine, e: syntax.Expr, scope: Environment) -> bool | None:
    """Whether an expression used as a test counts as true; None when not known."""
    if isinstance(e, syntax.BoolOp):
        return _test_bool_op(m, e, scope)
    if isinstance(e, syntax.UnaryOp) and e.op == "not":
        outcome = test(m, e.operand, scope)
        return None if outcome is None else not outcome
    return truth(m.eval(e, scope))


def _test_bool_op(m: Machine, e: syntax.BoolOp, scope: Environment) -> bool | None:
    ends = e.op == "or"
    outcome: bool | None = not ends
    for node in e.values:
        if outcome is None:
            each: Any = m.doubtful(partial(test, m, node, scope))
        else:
            each = test(m, node, scope)
        if each is ends:
            return ends
        outcome = None if not isinstance(each, bool) else outcome
    return outcome


def _compare(m: Machine, e: syntax.Compare, scope: Environment) -> Any:
    left = m.eval(e.left, scope)
    outcome: bool | None = True
    for operation, node in zip(e.ops, e.comparators):
        right = m.eval(node, scope)
        each = compare(operation, left, right)
        if each is False:
            return False
        outcome = None if each is None else outcome
        left = right
    if outcome is None:
        m.doubts += 1
        return UNKNOWN
    return outcome


def _conditional(m: Machine, e: syntax.IfExp, scope: Environment) -> Any:
    outcome = test(m, e.test, scope)
    if outcome is None:
        ended = m.alternatives(
            (lambda: Return(m.eval(e.body, scope)), lambda: Return(m.eval(e.orelse, scope))),
        )
        assert isinstance(ended, Return)
        return ended.value
    return m.eval(e.body if outcome else e.orelse, scope)


def _subscript(m: Machine, e: syntax.Subscript, scope: Environment) -> Any:
    container = m.eval(e.value, scope)
    if isinstance(container, Namespace):
        return DslExpression(container.path, e, scope)
    if isinstance(container, ClassValue):
        return container.body.member_by_name(m.eval(e.index[0], scope))
    return item(m, container, subscript_index(m, e, scope))


def item(m: Machine, container: Any, index: Any) -> Any:
    """``container[index]``."""
    if index is UNKNOWN:
        value: Any = UNKNOWN
    elif isinstance(container, Object):
        value = subscript(_as_tuple(container), index)
    else:
        if isinstance(container, EnvironObject):
            m.run.note_environ(index)
        value = subscript(container, index)
    if value is UNKNOWN:
        m.doubts += 1
    return value


def _as_tuple(value: Object) -> Any:
    if value.cls is not None and value.cls.body.kind == "namedtuple" and value.fields is not None:
        return tuple(value.fields.values())
    return UNKNOWN


def subscript_index(m: Machine, e: syntax.Subscript, scope: Environment) -> Any:
    """The index as a value, or a Python slice; UNKNOWN for a slice with unknown bounds."""
    if e.is_tuple:
        parts = [UNKNOWN if isinstance(part, syntax.Slice) else m.eval(part, scope) for part in e.index]
        return UNKNOWN if UNKNOWN in parts else tuple(parts)
    only = e.index[0]
    if not isinstance(only, syntax.Slice):
        return m.eval(only, scope)
    bounds: list[Any] = []
    for part in (only.lower, only.upper, only.step):
        bound = None if part is None else number(m.eval(part, scope))
        if part is not None and bound is None:
            return UNKNOWN
        bounds.append(bound)
    return slice(*bounds)


def _lambda(m: Machine, e: syntax.Lambda, scope: Environment) -> Any:
    value = FunctionValue(e, scope, parameter_defaults(m, e.params, scope))
    m.deferred.append(value)
    return value


def parameter_defaults(m: Machine, params: tuple[syntax.Param, ...], scope: Environment) -> tuple[tuple[str, Any], ...]:
    """The values of the defaults, evaluated where the function is defined."""
    return tuple((param.name, m.eval(param.default, scope)) for param in params if param.default is not None)


def _named(m: Machine, e: syntax.NamedExpr, scope: Environment) -> Any:
    value = m.eval(e.value, scope)
    if isinstance(e.target, syntax.Name):
        m.bind_named(scope, e.target.id, value, e.target, e.value)
    return value


# --- comprehensions ----------------------------------------------------------------------------------------------


def _comprehend(
    m: Machine, e: syntax.ListComp | syntax.DictComp, scope: Environment, add: Callable[[Environment], None]
) -> bool:
    """Call ``add`` for each round of a comprehension; false when the rounds are not known."""
    inner = Environment(scope, "function")
    return _rounds(m, e.generators, inner, add)


def _rounds(
    m: Machine, generators: tuple[syntax.Comprehension, ...], scope: Environment, add: Callable[[Environment], None]
) -> bool:
    if not generators:
        add(scope)
        return True
    first, rest = generators[0], generators[1:]
    items = None if first.is_async else iterate(m, m.eval(first.iter, scope))
    if items is None:
        return False
    for each in items:
        m.charge(1)
        unpack(m, first.target, each, scope)
        outcomes = [test(m, condition, scope) for condition in first.ifs]
        if False in outcomes:
            continue
        if None in outcomes or not _rounds(m, rest, scope, add):
            return False
    return True


def _list_comp(m: Machine, e: syntax.ListComp, scope: Environment) -> Any:
    items: list[Any] = []

    def add(inner: Environment) -> None:
        if len(items) < LENGTH_LIMIT:
            items.append(m.eval(e.elt, inner))

    known = items if _comprehend(m, e, scope, add) and len(items) < LENGTH_LIMIT else None
    if e.kind == "set":
        return make_set(known)
    return ListObject(known) if e.kind == "list" else Iterator(known)


def _dict_comp(m: Machine, e: syntax.DictComp, scope: Environment) -> Any:
    pairs: list[tuple[Any, Any]] = []
    known = _comprehend(m, e, scope, lambda inner: pairs.append((m.eval(e.key, inner), m.eval(e.value, inner))))
    return DictObject(dict(pairs) if known and all(is_key(key) for key, _ in pairs) else None)


# --- texts -------------------------------------------------------------------------------------------------------


def _joined(m: Machine, e: syntax.JoinedStr, scope: Environment) -> Any:
    parts: list[Any] = [m.eval(value, scope) for value in e.values]
    if not all(isinstance(part, str) for part in parts) or sum(map(len, parts)) > TEXT_LIMIT:
        return UNKNOWN
    return "".join(parts)


def _formatted(m: Machine, e: syntax.FormattedValue, scope: Environment) -> Any:
    value = m.eval(e.value, scope)
    if e.has_format_spec or e.conversion == "a":
        return UNKNOWN
    return shown(value, e.conversion == "r")


def shown(value: Any, quoted: bool) -> Any:
    """``repr(value)`` or ``str(value)`` of a plain value."""
    if isinstance(value, str):
        return repr(value) if quoted else value
    if value is None:
        return "None"
    plain = None if isinstance(value, Object) else number(value)
    return UNKNOWN if plain is None else repr(plain)


def _opaque(m: Machine, e: syntax.OpaqueExpr, scope: Environment) -> Any:
    m.doubts += 1
    if e.kind in ("Yield", "Await"):
        for part in e.parts:
            m.escape(m.eval(part, scope))
    return UNKNOWN


EXPRESSIONS: dict[type, Callable[[Machine, Any, Environment], Any]] = {
    syntax.Constant: _constant,
    syntax.Name: _name,
    syntax.Attribute: _attribute,
    syntax.Call: call_expression,
    syntax.Tuple: _tuple,
    syntax.List: _list,
    syntax.Set: _set,
    syntax.Dict: _dict,
    syntax.BinOp: _binary,
    syntax.UnaryOp: _unary,
    syntax.BoolOp: _bool_op,
    syntax.Compare: _compare,
    syntax.IfExp: _conditional,
    syntax.Subscript: _subscript,
    syntax.Lambda: _lambda,
    syntax.NamedExpr: _named,
    syntax.ListComp: _list_comp,
    syntax.DictComp: _dict_comp,
    syntax.JoinedStr: _joined,
    syntax.FormattedValue: _formatted,
    syntax.OpaqueExpr: _opaque,
}
