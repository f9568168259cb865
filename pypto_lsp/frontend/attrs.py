"""``attrs={...}`` dictionaries on calls and loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pypto_lsp.diagnostics import FaultKind, faults_loops
from pypto_lsp.diagnostics import faults_calls as faults
from pypto_lsp.diagnostics.spelling import closest
from pypto_lsp.frontend.expressions import enum_member
from pypto_lsp.frontend.flags import written_constant
from pypto_lsp.frontend.lowering import Lowering
from pypto_lsp.frontend.paths import dotted
from pypto_lsp.frontend.values import OpaqueValue
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import DType
from pypto_lsp.ir.enums import ENUMS, EnumMember
from pypto_lsp.ir.types import TENSORS, UNDETERMINED
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span

#: enums whose members may be attributes of calls and functions
_ENUMS = ("MemorySpace", "TensorLayout", "TileLayout", "PadValue", "adir")
#: attributes that ``pl.system.task_dummy`` has by other means
NOT_WRITABLE = ("manual_dep_edges", "dummy_task")


def unpacking_span(value: syntax.Expr) -> Span:
    """``**value`` in a dict display."""
    before = Span(value.anchor, max(0, value.start - 8), value.start).text
    at = before.rfind("**")
    return value.span if at < 0 else Span(value.anchor, value.start - (len(before) - at), value.end)


def keyword_of(call: syntax.Call, name: str) -> syntax.Keyword | None:
    return next((keyword for keyword in call.keywords if keyword.arg == name), None)


def string_key(key: syntax.Expr | None) -> str | None:
    return key.value if isinstance(key, syntax.Constant) and isinstance(key.value, str) else None


# --- loops ---------------------------------------------------------------------------------------------------------


def loop_attrs(low: Lowering, node: syntax.Expr) -> dict[str, Any]:
    """The attributes of a loop: string keys, literal values."""
    found: dict[str, Any] = {}
    if not isinstance(node, syntax.Dict):
        low.report(faults_loops.ATTRS_FORM, node.span, subject=node)
        return found
    for key, value in zip(node.keys, node.values):
        name = string_key(key)
        if name is None:
            place = key.span if key is not None else unpacking_span(value)
            low.report(faults_loops.ATTRS_KEY, place, subject=node)
        elif isinstance(value, syntax.Constant):
            found[name] = value.value
        elif (number := written_constant(low, value)) is not None:
            found[name] = number
        else:
            low.report(faults_loops.ATTRS_VALUE, value.span, subject=value, key=name)
    return found


# --- operators -----------------------------------------------------------------------------------------------------


def operator_attrs(low: Lowering, call: syntax.Call) -> dict[str, Any]:
    """The compiler's own attributes on an operator call."""
    keyword = keyword_of(call, "attrs")
    if keyword is None:
        return {}
    node = keyword.value
    if not isinstance(node, syntax.Dict):
        low.report(faults.ATTRS_FORM, node.span, subject=node, what="attrs is a dict literal")
        return {}
    found: dict[str, Any] = {}
    for key, item in zip(node.keys, node.values):
        name = string_key(key)
        if name is None:
            place = key.span if key is not None else unpacking_span(item)
            low.report(faults.ATTRS_FORM, place, subject=node, what="the keys of attrs are string literals")
        elif name in NOT_WRITABLE:
            low.report(faults.ATTRS_FORM, item.span, subject=node, what=f"'{name}' is not written in attrs")
        else:
            found[name] = value(low, name, item)
    return found


def value(low: Lowering, key: str, node: syntax.Expr) -> Any:
    """One attribute's value: a literal, a list of one kind, an enum member, an element type, or an expression."""
    if isinstance(node, syntax.Constant):
        if isinstance(node.value, (bool, int, float, str)):
            return node.value
        low.report(faults.CALL_ATTRS_VALUE, node.span, subject=node, key=key)
        return None
    if isinstance(node, (syntax.List, syntax.Tuple)):
        return _list_value(low, key, node)
    if isinstance(node, syntax.Attribute):
        known = enum_member(low, node)
        if isinstance(known, DType) or (isinstance(known, EnumMember) and known.enum in _ENUMS):
            return known
        if isinstance(known, OpaqueValue):
            return low.unknown(node.span)
    return low.expr(node)


def _list_value(low: Lowering, key: str, node: syntax.List | syntax.Tuple) -> Any:
    elts = node.elts
    if all(isinstance(e, syntax.Constant) and type(e.value) is int for e in elts):
        return tuple(e.value for e in elts if isinstance(e, syntax.Constant))
    if all(dotted(e).startswith("pl.adir.") for e in elts):
        return tuple(direction(low, e) for e in elts)
    if all(isinstance(e, syntax.Name) for e in elts):
        return tuple(low.expr(e) for e in elts)
    low.report(faults.CALL_ATTRS_VALUE, node.span, subject=node, key=key)
    return ()


def direction(low: Lowering, node: syntax.Expr) -> str | None:
    """The name of a ``pl.adir`` direction."""
    members = ENUMS["adir"]
    path = dotted(node)
    name = path.removeprefix("pl.adir.") if path.startswith("pl.adir.") else None
    if name in members:
        return name
    meant = closest(name, members) if name else None
    low.report(
        faults.DIRECTION,
        node.span,
        subject=node,
        text=node.text,
        members=", ".join(members),
        suggestion=f"pl.adir.{meant}" if meant else None,
    )
    return None


# --- kernel calls --------------------------------------------------------------------------------------------------


def call_attrs(low: Lowering, call: syntax.Call, args: tuple[ir.Expr, ...], *, submit: bool) -> dict[str, Any]:
    """The attributes written on a call of a program function."""
    keyword = keyword_of(call, "attrs")
    if keyword is None:
        return {}
    if not isinstance(keyword.value, syntax.Dict):
        low.report(faults.CALL_ATTRS_FORM, keyword.value.span, subject=keyword.value)
        return {}
    found: dict[str, Any] = {}
    for key, item in zip(keyword.value.keys, keyword.value.values):
        name = string_key(key)
        if name is None:
            place = key.span if key is not None else unpacking_span(item)
            low.report(faults.CALL_ATTRS_KEY, place, subject=item)
        elif name == "arg_directions":
            found[name] = _directions(low, item, len(args))
        elif name == "manual_dep_edges":
            assert key is not None
            low.report(faults.MANUAL_EDGES, key.span.to(item.span), subject=item)
        elif name == "dump_vars" and not submit:
            found[name] = _dump_vars(low, item, args)
        else:
            found[name] = value(low, name, item)
    return found


def _directions(low: Lowering, node: syntax.Expr, count: int) -> tuple[str | None, ...]:
    if not isinstance(node, syntax.List):
        low.report(faults.DIRECTIONS_FORM, node.span, subject=node, what="arg_directions is a list literal")
        return ()
    found = tuple(direction(low, elt) for elt in node.elts)
    if found and len(found) != count and None not in found:
        place = node.elts[0].span.to(node.elts[-1].span)
        low.report(
            faults.DIRECTIONS_FORM,
            place,
            subject=node,
            what=f"{len(found)} direction(s) for {count} argument(s)",
        )
    return found


def _dump_vars(low: Lowering, node: syntax.Expr, args: tuple[ir.Expr, ...]) -> tuple[ir.Var, ...]:
    if not isinstance(node, (syntax.List, syntax.Tuple)):
        low.report(faults.DUMP_VARS, node.span, subject=node, what="dump_vars is a list of tensor variables")
        return ()

    def not_passed(elt: syntax.Expr) -> None:
        low.report(faults.DUMP_VARS, elt.span, subject=elt, what=f"'{elt.text}' is no argument of this call")

    return passed_tensors(low, node, args, faults.DUMP_VARS, not_passed)


def passed_tensors(
    low: Lowering,
    node: syntax.List | syntax.Tuple,
    args: tuple[ir.Expr, ...],
    kind: FaultKind,
    not_passed: Callable[[syntax.Expr], None],
) -> tuple[ir.Var, ...]:
    """The tensors that a keyword of a call lists, each once; ``kind`` is told of what is no tensor variable, ``not_passed``
    of what is no argument of the same call."""
    passed = {arg.var for arg in args if isinstance(arg, ir.Read)}
    found: list[ir.Var] = []
    for elt in node.elts:
        expr = low.expr(elt)
        if isinstance(expr, ir.ErrorExpr) or expr.type is UNDETERMINED:
            continue
        if not isinstance(expr, ir.Read) or not isinstance(expr.type, TENSORS):
            low.report(kind, elt.span, subject=elt, what=f"'{elt.text}' is no tensor variable")
        elif expr.var not in passed:
            not_passed(elt)
        elif expr.var not in found:
            found.append(expr.var)
    return tuple(found)


__all__ = ["call_attrs", "direction", "loop_attrs", "operator_attrs", "passed_tensors", "value"]
