"""Calls that are no operators but speak to the compiler: static_print, static_assert, dump_tag, func_attr, yields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pypto_lsp.diagnostics import faults_statements as faults
from pypto_lsp.frontend.closure import Failure
from pypto_lsp.frontend.expressions import report_unknown_name, shaped_param
from pypto_lsp.frontend.lowering import Lowering
from pypto_lsp.frontend.names import read_names
from pypto_lsp.frontend.paths import dotted
from pypto_lsp.frontend.static_objects import MISSING
from pypto_lsp.frontend.surroundings import BUILTINS, Hidden
from pypto_lsp.frontend.values import OpaqueValue
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import TENSORS, UNDETERMINED, kind_name
from pypto_lsp.syntax import nodes as syntax

Directive = Callable[[Lowering, syntax.ExprStmt, syntax.Call], None]


def lower_directive(low: Lowering, node: syntax.ExprStmt, call: syntax.Call) -> bool:
    """Lower an expression statement that is a directive; False when it is none."""
    path = dotted(call.func)
    name = path.rpartition(".")[2]
    if name in _ANY_PREFIX:
        _ANY_PREFIX[name](low, node, call)
        return True
    if path in _LITERAL:
        _LITERAL[path](low, node, call)
        return True
    return bool(low.jit and name == "bind_dynamic" and _binds_dynamic(low, call))


def _binds_dynamic(low: Lowering, call: syntax.Call) -> bool:
    """``x.bind_dynamic(0, M)`` only informs the specialisation."""
    return isinstance(call.func, syntax.Attribute) and shaped_param(low, call.func.value) is not None


# --- compile-time calls --------------------------------------------------------------------------------------------


def static_print(low: Lowering, node: syntax.ExprStmt, call: syntax.Call) -> None:
    if not call.args:
        low.report(faults.STATIC_ARGUMENTS, call.span, subject=call, what="pl.static_print needs at least one argument")
    for arg in call.args:
        if isinstance(arg, syntax.JoinedStr):
            for part in arg.values:
                if isinstance(part, syntax.FormattedValue):
                    _placeholder(low, part)
        elif not (isinstance(arg, syntax.Constant) and isinstance(arg.value, str)):
            _printed(low, arg)


def _placeholder(low: Lowering, part: syntax.FormattedValue) -> None:
    if part.conversion is not None or part.has_format_spec:
        low.report(faults.STATIC_PRINT_FORMAT, part.span, subject=part)
    else:
        _printed(low, part.value)


def _printed(low: Lowering, arg: syntax.Expr) -> None:
    """An argument that is printed at compile time: it is checked, and leaves nothing in the body."""
    with low.block():
        low.expr(arg)


def static_assert(low: Lowering, node: syntax.ExprStmt, call: syntax.Call) -> None:
    if not 1 <= len(call.args) <= 2:
        low.report(
            faults.STATIC_ARGUMENTS,
            call.span,
            subject=call,
            what="pl.static_assert takes a condition and perhaps a message",
        )
        return
    message = ""
    if len(call.args) == 2:
        text = call.args[1]
        if not (isinstance(text, syntax.Constant) and isinstance(text.value, str)):
            low.report(
                faults.STATIC_ARGUMENTS,
                text.span,
                subject=text,
                what="the message of pl.static_assert is a string literal",
            )
            return
        message = f": {text.value}"
    _check_assertion(low, call.args[0], message)


def _check_assertion(low: Lowering, condition: syntax.Expr, message: str) -> None:
    value = _surrounding_value(low, condition)
    if isinstance(value, OpaqueValue):
        return
    if value is MISSING:
        with low.block():
            lowered = low.expr(condition)
        if not isinstance(lowered, (ir.ConstInt, ir.ConstFloat, ir.ConstBool)):
            if _decided(lowered):
                low.report(faults.STATIC_ASSERT_DYNAMIC, condition.span, subject=condition)
            return
        value = lowered.value
    if not value:
        low.report(faults.STATIC_ASSERT_FALSE, condition.span, subject=condition, value=repr(value), message=message)


def _decided(expr: ir.Expr) -> bool:
    """Whether we see all that the compiler sees of an expression, so that it surely is no constant."""
    match expr:
        case ir.ErrorExpr() | ir.OpaqueInt():
            return False
        case ir.Binary():
            return _decided(expr.left) and _decided(expr.right)
        case ir.Unary():
            return _decided(expr.operand)
        case _:
            return expr.type is not UNDETERMINED


def is_static(low: Lowering, node: syntax.Expr) -> bool:
    """Whether a condition is decided by the surroundings alone."""
    return _surrounding_value(low, node) is not MISSING


def _surrounding_value(low: Lowering, node: syntax.Expr) -> Any:
    """The value of a condition over the surroundings alone; MISSING where Python could not compute it there."""
    if any(low.around.value(name) is MISSING and name not in BUILTINS for name in read_names(node)):
        return MISSING
    if low.jit and any(isinstance(low.around.value(name), Hidden) for name in read_names(node)):
        return MISSING
    value = low.evaluate(node)
    return MISSING if isinstance(value, Failure) else value


# --- dump_tag ------------------------------------------------------------------------------------------------------


def dump_tag(low: Lowering, node: syntax.ExprStmt, call: syntax.Call) -> None:
    if low.context.func_type not in ("Orchestration", "Inline"):
        low.report(faults.DUMP_TAG_PLACE, call.span, subject=call, func_type=low.context.func_type)
        return
    if len(call.args) != 1 or call.keywords:
        low.report(faults.DUMP_TAG_ARGUMENT, call.span, subject=call)
        return
    arg = call.args[0]
    if not isinstance(arg, syntax.Name):
        low.report(faults.DUMP_TAG_ARGUMENT, arg.span, subject=arg)
        return
    bound = low.names.lookup(arg.id)
    if bound is None:
        report_unknown_name(low, faults.DUMP_TAG_UNDEFINED, arg)
    elif bound.type is not UNDETERMINED and not (isinstance(bound, ir.Var) and isinstance(bound.type, TENSORS)):
        low.report(faults.DUMP_TAG_KIND, arg.span, subject=arg, name=arg.id, kind=kind_name(bound.type))
    elif isinstance(bound, ir.Var) and bound not in low.dump_tags:
        low.dump_tags.append(bound)


def bare_yield(low: Lowering, node: syntax.ExprStmt, call: syntax.Call) -> None:
    low.out.append(ir.Yield(tuple(low.expr(arg) for arg in call.args), call.span))


def cond(low: Lowering, node: syntax.ExprStmt, call: syntax.Call) -> None:
    """``pl.cond`` outside the head of a ``pl.while_`` loop; the loop has reported it."""
    for arg in call.args:
        low.expr(arg)


_ANY_PREFIX: dict[str, Directive] = {"static_print": static_print, "static_assert": static_assert}
_LITERAL: dict[str, Directive] = {
    "pl.dump_tag": dump_tag,
    "pl.yield_": bare_yield,
}


# --- buffers with attributes ---------------------------------------------------------------------------------------


def track_buffer(low: Lowering, name: str, call: syntax.Call) -> None:
    """Remember the literal keywords of ``pl.reserve_buffer`` and ``pl.import_peer_buffer``: ``buf.base`` reads them."""
    operation = dotted(call.func).rpartition(".")[2]
    if operation not in ("reserve_buffer", "import_peer_buffer"):
        return
    meta = {
        keyword.arg: keyword.value.value
        for keyword in call.keywords
        if keyword.arg is not None and isinstance(keyword.value, syntax.Constant)
    }
    if operation == "import_peer_buffer":
        meta.setdefault("base", -1)
    low.buffers[name] = meta
