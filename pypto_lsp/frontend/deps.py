"""``deps=[...]``: the task ids that a launch waits for."""

from __future__ import annotations

from typing import Any

from pypto_lsp.diagnostics import faults_submit as faults
from pypto_lsp.frontend import values
from pypto_lsp.frontend.closure import Failure
from pypto_lsp.frontend.lowering import Lowering
from pypto_lsp.frontend.names import read_names
from pypto_lsp.frontend.paths import called_name, dotted
from pypto_lsp.frontend.substitution import substituted
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import TASK_ID
from pypto_lsp.ir.types import UNDETERMINED, ArrayType, ScalarType, Type
from pypto_lsp.syntax import nodes as syntax

#: a comprehension longer than this is not written out
UNROLL_LIMIT = 1024
DSL_LOOPS = ("range", "parallel", "pipeline", "unroll")


def lower_deps(low: Lowering, node: syntax.Expr) -> tuple[ir.Expr, ...]:
    """The dependencies of a launch as expressions; ``None`` entries leave nothing."""
    if isinstance(node, syntax.ListComp) and node.kind == "list":
        entries: list[syntax.Expr] = unrolled(low, node)
    elif isinstance(node, (syntax.List, syntax.Tuple)):
        entries = []
        for elt in node.elts:
            if isinstance(elt, syntax.ListComp) and elt.kind == "list":
                entries.extend(unrolled(low, elt))
            else:
                entries.append(elt)
    else:
        low.report(faults.DEPS_FORM, node.span, subject=node, suggestion=_listed(node))
        return ()
    return _entries(low, entries)


def _listed(node: syntax.Expr) -> str | None:
    """The list that was probably meant: ``[t]`` for ``t``, ``[t, u]`` for ``[t] + [u]``."""
    if isinstance(node, (syntax.Name, syntax.Subscript)):
        return f"[{node.text}]"
    parts = _summands(node)
    if len(parts) > 1 and all(isinstance(part, syntax.List) for part in parts):
        return f"[{', '.join(elt.text for part in parts if isinstance(part, syntax.List) for elt in part.elts)}]"
    return None


def _summands(node: syntax.Expr) -> list[syntax.Expr]:
    if isinstance(node, syntax.BinOp) and node.op == "+":
        return [*_summands(node.left), *_summands(node.right)]
    return [node]


def _entries(low: Lowering, entries: list[syntax.Expr]) -> tuple[ir.Expr, ...]:
    found: list[ir.Expr] = []
    arrays = elements = False
    for node in entries:
        if isinstance(node, syntax.Constant) and node.value is None:
            continue
        if isinstance(node, syntax.Constant) and isinstance(node.value, str):
            named = node.value if low.names.lookup(node.value) is not None else None
            low.report(faults.DEPS_ENTRY, node.span, subject=node, text=node.text, suggestion=named)
            continue
        expr = low.expr(node)
        kind = _entry_kind(expr)
        if kind == "fault":
            low.report(faults.DEPS_ENTRY, node.span, subject=node, text=node.text)
            continue
        if (kind == "array" and elements) or (kind == "element" and arrays):
            low.report(faults.DEPS_MIXED, node.span, subject=node, text=node.text)
            continue
        arrays = arrays or kind == "array"
        elements = elements or kind == "element"
        found.append(expr)
    return tuple(found)


def _entry_kind(expr: ir.Expr) -> str:
    """What an entry is: ``task``, ``array``, ``element``, ``unknown`` or ``fault``."""
    type_ = expr.type
    if isinstance(expr, ir.ErrorExpr) or type_ is UNDETERMINED:
        return "unknown"
    if isinstance(expr, ir.Read):
        if isinstance(type_, ScalarType) and type_.dtype in (TASK_ID, None):
            return "task"
        if isinstance(type_, ArrayType) and type_.dtype in (TASK_ID, None):
            return "array"
        return "fault"
    if isinstance(expr, ir.Call) and expr.op == "array.get_element" and _is_task(type_):
        return "element"
    return "fault"


def _is_task(type_: Type) -> bool:
    return isinstance(type_, ScalarType) and type_.dtype in (TASK_ID, None)


# --- comprehensions ------------------------------------------------------------------------------------------------


def unrolled(low: Lowering, node: syntax.ListComp) -> list[syntax.Expr]:
    """The entries that a comprehension stands for: its element with each number for the name."""
    generator = node.generators[0]
    if len(node.generators) != 1:
        place = node.elt.span.to(node.generators[-1].span)
        low.report(faults.DEPS_COMPREHENSION, place, subject=node, what="one `for` only")
        return []
    if generator.is_async:
        low.report(faults.DEPS_COMPREHENSION, generator.span, subject=node, what="no `async for`")
        return []
    if not isinstance(generator.target, syntax.Name):
        low.report(faults.DEPS_COMPREHENSION, generator.target.span, subject=node, what="one plain name")
        return []
    numbers = _numbers(low, generator)
    if numbers is None:
        return []
    name = generator.target.id
    kept = [n for n in numbers if all(_holds(low, condition, name, n) for condition in generator.ifs)]
    return [substituted(node.elt, name, number) for number in kept[:UNROLL_LIMIT]]


def _numbers(low: Lowering, generator: syntax.Comprehension) -> list[int] | None:
    """The integers that a comprehension runs over; reports anything else. None when they are not known."""
    node = generator.iter
    if (
        dotted(node.func).startswith("pl.") and called_name(node) in DSL_LOOPS
        if isinstance(node, syntax.Call)
        else False
    ):
        assert isinstance(node, syntax.Call)
        low.report(
            faults.DEPS_ITERABLE,
            node.func.span,
            subject=node,
            what="a comprehension is written out at compile time: use Python's range",
            suggestion="range",
        )
        return None
    target = generator.target.id if isinstance(generator.target, syntax.Name) else ""
    for part in (node, *generator.ifs):
        names = read_names(part) - ({target} if part is not node else set())
        variable = next((n for n in sorted(names) if isinstance(low.names.lookup(n), ir.Var)), None)
        if variable is not None:
            low.report(faults.DEPS_ITERABLE, part.span, subject=node, what=f"'{variable}' is known at run time only")
            return None
    return _integers(low, node, low.evaluate(node))


def _integers(low: Lowering, node: syntax.Expr, value: Any) -> list[int] | None:
    if isinstance(value, values.OpaqueValue):
        return None
    if isinstance(value, Failure):
        if not value.unknown:
            low.report(faults.DEPS_ITERABLE, node.span, subject=node, what=f"'{node.text}' cannot be computed")
        return None
    if not isinstance(value, values.Sequence):
        low.report(faults.DEPS_ITERABLE, node.span, subject=node, what=f"'{node.text}' is no list of integers")
        return None
    if any(isinstance(item, values.OpaqueValue) for item in value.items):
        return None
    if any(type(item) is bool or not isinstance(item, int) for item in value.items):
        place = node.span
        if isinstance(node, (syntax.List, syntax.Tuple)) and node.elts:
            place = node.elts[0].span.to(node.elts[-1].span)
        low.report(faults.DEPS_ITERABLE, place, subject=node, what="the comprehension runs over integers only")
        return None
    return [int(item) for item in value.items]


def _holds(low: Lowering, condition: syntax.Expr, name: str, number: int) -> bool:
    value = low.evaluate(substituted(condition, name, number))
    return bool(value) if isinstance(value, (bool, int, float)) else True
