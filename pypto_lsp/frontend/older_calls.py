"""Calls in an older spelling: told once, then lowered as the calls of today that they stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.diagnostics.older_spellings import Change, Renamed, dated, renamed_keyword, renamed_operator
from pypto_lsp.frontend.lowering import Lowering
from pypto_lsp.frontend.paths import dotted
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import SHAPED
from pypto_lsp.ops import REGISTRY
from pypto_lsp.ops.registry import Operator
from pypto_lsp.syntax import nodes as syntax

Lower = Callable[[Lowering, syntax.Call, str], ir.Expr]


def lowered_as_now(low: Lowering, call: syntax.Call, path: str, told: Diagnostic, lower: Lower) -> ir.Expr | None:
    """A call of an operator of an older release: ``told`` is the finding that there is no such operator, ``lower`` lowers the
    call of today. None where the path is no older spelling, or is one that has no call of today.
    """
    renamed = renamed_operator(path)
    if renamed is None:
        return None
    change = renamed.change
    now = _call_of_today(low, call, renamed)
    facts = {} if now is None or change.same_arguments else {"rewritten": _text(renamed.path, now)}
    low.diagnostics.append(dated(told, change, **facts))
    if now is None:
        return None
    before = len(low.diagnostics)
    result = lower(low, now, renamed.path)
    low.diagnostics[before:] = [_since(found, change, call) for found in low.diagnostics[before:]]
    return result


def _since(found: Diagnostic, change: Change, call: syntax.Call) -> Diagnostic:
    """A finding about the whole call says nothing of the operator as it was before the change."""
    return replace(found, facts={**found.facts, "since": change.since}) if found.span == call.span else found


# --- arguments -----------------------------------------------------------------------------------------------------


def _call_of_today(low: Lowering, call: syntax.Call, renamed: Renamed) -> syntax.Call | None:
    """The call with the arguments of today; None where they do not fit the old parameters, or the operator is gone."""
    change, operator = renamed.change, REGISTRY.get(renamed.path)
    if operator is None:
        return None
    if change.same_arguments:
        return call
    known = dict(change.parameters)
    given = [*zip((old for old, _ in change.parameters), call.args), *((k.arg, k.value) for k in call.keywords)]
    if len(given) != len(call.args) + len(call.keywords) or any(old not in known for old, _ in given):
        return None
    if change.flat:
        indices = _indices(low, given, change.flat)
        if indices is None:
            return None
        given = [(old, indices if old == change.flat else value) for old, value in given]
    kept = [(new, value) for old, value in given if old is not None and (new := known[old]) is not None]
    kept += [(name, spelled(path, call)) for name, path in change.added]
    order = [param.name for param in operator.params if param.kind == "positional_or_keyword"]
    first = [value for (name, value), wanted in takewhile(lambda pair: pair[0][0] == pair[1], zip(kept, order))]
    rest = [
        syntax.Keyword(value.anchor, value.start, value.end, name, value, value.start)
        for name, value in kept[len(first) :]
    ]
    return syntax.Call(call.anchor, call.start, call.end, call.func, tuple(first), tuple(rest))


def _indices(low: Lowering, given: list[tuple[str | None, syntax.Expr]], flat: str) -> syntax.List | None:
    """The indices, one per dimension, of a constant offset into the flattened first argument, a name; None where they cannot be
    told."""
    offset = next((value for old, value in given if old == flat), None)
    bound = low.names.lookup(given[0][1].id) if isinstance(given[0][1], syntax.Name) else None
    shape = bound.type.shape if bound is not None and isinstance(bound.type, SHAPED) else None
    if not isinstance(offset, syntax.Constant) or type(offset.value) is not int or not shape:
        return None
    rest, indices = offset.value, []
    for extent in reversed(shape[1:]):
        if not isinstance(extent, int) or extent <= 0:
            return None
        rest, index = divmod(rest, int(extent))
        indices.append(index)
    at = (offset.anchor, offset.start, offset.end)
    return syntax.List(*at, tuple(syntax.Constant(*at, index) for index in (rest, *reversed(indices))))


def spelled(path: str, at: syntax.Node) -> syntax.Expr:
    """The expression of a dotted path that the text does not have, in the place of a node."""
    head, *rest = path.split(".")
    node: syntax.Expr = syntax.Name(at.anchor, at.start, at.end, head)
    for attr in rest:
        node = syntax.Attribute(at.anchor, at.start, at.end, node, attr, at.start)
    return node


def _text(path: str, now: syntax.Call) -> str:
    """The call of today as text."""
    values = [_written(arg, now) for arg in now.args]
    values += [f"{keyword.arg}={_written(keyword.value, now)}" for keyword in now.keywords]
    return f"{path}({', '.join(values)})"


def _written(node: syntax.Expr, call: syntax.Call) -> str:
    if isinstance(node, syntax.List) and node.elts and node.elts[0].start == node.start:
        return f"[{', '.join(str(elt.value) for elt in node.elts if isinstance(elt, syntax.Constant))}]"
    return dotted(node) if (node.start, node.end) == (call.start, call.end) else node.text


# --- keywords ------------------------------------------------------------------------------------------------------


def keywords_of_today(
    call: syntax.Call, path: str, operator: Operator
) -> tuple[syntax.Call, list[tuple[syntax.Keyword, Change]]]:
    """The call with its keywords as they are called now, and the older ones among them with their changes."""
    older = [
        (keyword, change)
        for keyword in call.keywords
        if keyword.arg is not None
        and operator.param(keyword.arg) is None
        and (change := renamed_keyword(path, keyword.arg)) is not None
    ]
    if not older:
        return call, []
    changes = dict(older)
    now = []
    for keyword in call.keywords:
        change = changes.get(keyword)
        if change is None:
            now.append(keyword)
        elif change.new:
            now.append(replace(keyword, arg=change.new))
    return replace(call, keywords=tuple(now)), older
