"""Calls of the library's operators: how each argument reaches the operator, and the calls with a form of their own.

An argument by position is an expression of the kernel, except element types, enum members and numbers that are spelled as
attributes, which stay Python values. A keyword's literal stays a Python value, its name is looked up in the kernel first and
around it then (reference: project docs, calls).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pypto_lsp.diagnostics import Diagnostic, faults_ops
from pypto_lsp.diagnostics import faults_calls as faults
from pypto_lsp.diagnostics import faults_expressions as expression_faults
from pypto_lsp.diagnostics import faults_statements as statement_faults
from pypto_lsp.diagnostics.older_spellings import dated, renamed_operator
from pypto_lsp.diagnostics.spelling import closest, meant_dtype
from pypto_lsp.frontend import attrs, deps, values
from pypto_lsp.frontend.binding import constant_of
from pypto_lsp.frontend.closure import Failure
from pypto_lsp.frontend.expressions import (
    TASK,
    attribute_fault,
    did_you_mean,
    make_tuple,
    meant,
    root_name,
    shape_attribute,
    value_expr,
    written,
)
from pypto_lsp.frontend.lowering import Lowering
from pypto_lsp.frontend.older_calls import keywords_of_today, lowered_as_now
from pypto_lsp.frontend.paths import attr_span, dotted, enum_of, library_value, meant_value
from pypto_lsp.frontend.static_objects import MISSING
from pypto_lsp.frontend.surroundings import Hidden
from pypto_lsp.frontend.window import on_host
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import DTYPES, INDEX, DType
from pypto_lsp.ir.enums import ENUMS, EnumMember
from pypto_lsp.ir.types import UNDETERMINED
from pypto_lsp.ops import REGISTRY, dispatch
from pypto_lsp.ops.registry import MISSING as NOT_STATIC
from pypto_lsp.ops.registry import Arg, Operator
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span

Special = Callable[[Lowering, syntax.Call, str], ir.Expr]


def call_operator(low: Lowering, call: syntax.Call, path: str) -> ir.Expr:
    """A call spelled ``path(...)`` whose path starts at ``pl`` or ``pld``."""
    special = _SPECIAL.get(path)
    if special is not None:
        return special(low, call, path)
    if path.endswith(".get_byte") and path.count(".") == 2:
        return _get_byte(low, call, path)
    return plain_call(low, call, path)


def plain_call(low: Lowering, call: syntax.Call, path: str) -> ir.Expr:
    operator = REGISTRY.get(path)
    if operator is None:
        return unknown_operator(low, call, path)
    call, gone = _with_keywords_of_today(low, call, path, operator)
    args = [positional(low, arg) for arg in call.args]
    keywords = [
        (keyword.arg or "", keyword_value(low, keyword), keyword.span)
        for keyword in call.keywords
        if _plain_keyword(keyword)
    ]
    extra = attrs.operator_attrs(low, call)
    if _unpacked(low, call):
        return ir.ErrorExpr(call.span)
    result, findings = dispatch.call(operator, path, args, keywords, call.span, low.op_context())
    if not gone:  # what is missing now was perhaps said by a keyword that is gone
        low.diagnostics.extend(_placed(finding, call) for finding in findings)
    if extra and isinstance(result, ir.Call):
        return replace(result, attrs=extra)
    return result


def _with_keywords_of_today(
    low: Lowering, call: syntax.Call, path: str, operator: Operator
) -> tuple[syntax.Call, bool]:
    """The call with the older names of its keywords told and replaced, and whether some of them have no new name."""
    now, older = keywords_of_today(call, path, operator)
    for keyword, change in older:
        low.older(
            change,
            faults_ops.UNKNOWN_KEYWORD,
            keyword.span if change.new else surplus_span(call, keyword.span),
            subject=call,
            operator=path,
            parameter=keyword.arg,
            keyword=keyword.arg,
            suggestion=f"{change.new}={keyword.value.text}" if change.new else None,
            hint="",
            idle=keyword.value.text in change.idle,
        )
    return now, any(not change.new for _, change in older)


def _plain_keyword(keyword: syntax.Keyword) -> bool:
    return keyword.arg is not None and keyword.arg != "attrs"


def _unpacked(low: Lowering, call: syntax.Call) -> bool:
    """Report ``**`` arguments; whether the call has arguments that cannot be told (``*`` ones are reported as expressions)."""
    unpacked = any(isinstance(arg, syntax.Starred) for arg in call.args)
    for keyword in call.keywords:
        if keyword.arg is None:
            unpacked = True
            low.report(
                expression_faults.UNSUPPORTED_EXPRESSION,
                keyword.span,
                subject=keyword,
                what="an unpacked argument",
                suggestion=_keywords_in(keyword.value),
            )
    return unpacked


def _keywords_in(node: syntax.Expr) -> str | None:
    """The keywords that an unpacked dict display stands for."""
    if not isinstance(node, syntax.Dict):
        return None
    names = [attrs.string_key(key) for key in node.keys]
    if not all(name is not None and name.isidentifier() for name in names):
        return None
    return ", ".join(f"{name}={value.text}" for name, value in zip(names, node.values)) or None


def _placed(finding: Diagnostic, call: syntax.Call) -> Diagnostic:
    """A keyword that has to go is marked with the comma before it; one that has to be renamed is not."""
    if finding.error_code != faults_ops.UNKNOWN_KEYWORD.code:
        return finding
    meant = finding.facts.get("suggestion")
    if not meant:
        return replace(finding, span=surplus_span(call, finding.span))
    keyword = attrs.keyword_of(call, finding.facts["keyword"])
    if keyword is None:
        return finding
    return replace(finding, facts={**finding.facts, "suggestion": f"{meant}={keyword.value.text}"})


def surplus_span(call: syntax.Call, span: Span) -> Span:
    """The span of an argument with the comma before it."""
    before = Span(call.anchor, call.start, span.start).text
    kept = before.rstrip()
    if not kept.endswith(","):
        return span
    return Span(span.anchor, span.start - (len(before) - len(kept)) - 1, span.end)


def unknown_operator(low: Lowering, call: syntax.Call, path: str) -> ir.Expr:
    """A path that names no operator: an older spelling is lowered as the operator of today, of any other call the arguments are
    still looked at."""
    finding = _placed_on_path(dispatch.unknown(path, call.span, REGISTRY), call, path)
    lowered = lowered_as_now(low, call, path, finding, call_operator)
    if lowered is not None:
        return lowered
    for arg in call.args:
        if not isinstance(arg, syntax.Dict):
            positional(low, arg)
    for keyword in call.keywords:
        if _plain_keyword(keyword):
            keyword_value(low, keyword)
    if renamed_operator(path) is None:
        low.diagnostics.append(finding)
    return ir.ErrorExpr(call.span)


def _placed_on_path(finding: Diagnostic, call: syntax.Call, path: str) -> Diagnostic:
    """The finding about an unknown operator on its last name, on its whole path where the namespace changes."""
    place, meant = call.span, finding.facts.get("suggestion")
    if isinstance(call.func, syntax.Attribute) and path not in DIRECTIVES:
        place = attr_span(call.func)
        if meant is not None and meant.rpartition(".")[0] == path.rpartition(".")[0]:
            meant = meant.rpartition(".")[2]
        elif meant is not None:
            place = call.func.span
    return replace(finding, span=place, subject=call, facts={**finding.facts, "suggestion": meant})


#: names of the library that are no operators and have a place of their own in a body
DIRECTIVES = ("pl.func_attr", "pl.dump_tag", "pl.no_dep", "pl.cond", "pl.static_print", "pl.static_assert")


# --- arguments -----------------------------------------------------------------------------------------------------


def positional(low: Lowering, node: syntax.Expr) -> Arg:
    """An argument by position."""
    rule = _POSITIONAL.get(type(node))
    arg = rule(low, node) if rule is not None else None
    if arg is None:
        arg = _expression_arg(low, node)
    return arg


def _expression_arg(low: Lowering, node: syntax.Expr) -> Arg:
    expr = low.expr(node)
    value = constant_of(expr)
    constant = value is not None
    return Arg(
        expr,
        static=value if constant else _static_elements(expr),
        span=node.span,
        text=str(value) if low.jit and constant and _is_named(node) else "",
        element_spans=_element_spans(node),
        from_closure=constant and not isinstance(node, syntax.Constant),
    )


def _is_named(node: syntax.Expr) -> bool:
    """``N`` or ``-N``: a jit body has the number itself there."""
    if isinstance(node, syntax.UnaryOp) and node.op == "-":
        node = node.operand
    return isinstance(node, syntax.Name)


def _element_spans(node: syntax.Expr) -> tuple[Span, ...]:
    return tuple([elt.span for elt in node.elts]) if isinstance(node, (syntax.List, syntax.Tuple)) else ()


_CONSTANTS = (ir.ConstInt, ir.ConstFloat, ir.ConstBool)


def _static_elements(expr: ir.Expr) -> Any:
    """The values of a display of constants and of such displays."""
    if not isinstance(expr, ir.MakeTuple):
        return NOT_STATIC
    found = [e.value if isinstance(e, _CONSTANTS) else _static_elements(e) for e in expr.elements]
    return found if all(value is not NOT_STATIC for value in found) else NOT_STATIC


def static_arg(value: Any, node: syntax.Node, *, raw: bool = False, by_keyword: bool = False) -> Arg:
    """A Python value as an argument."""
    return Arg(ir.StaticValue(value, node.span), static=value, span=node.span, raw=raw, by_keyword=by_keyword)


def spelt_value(node: syntax.Attribute) -> Any:
    """The element type or enum member that an attribute spells; MISSING for any other. An element type is known by its
    name alone, whatever stands before the dot."""
    dtype = DTYPES.get(node.attr)
    return library_value(dotted(node)) if dtype is None else dtype


def _attribute_arg(low: Lowering, node: syntax.Attribute) -> Arg | None:
    value = spelt_value(node)
    if value is not MISSING:
        return static_arg(value, node, raw=isinstance(value, int))
    known = _meant_arg(low, node, lambda: attribute_fault(low, node))
    if known is not None:
        return known
    shaped = shape_attribute(low, node)
    if shaped is not None:
        return _shaped_arg(shaped, node)
    if low.jit:
        return None
    value = low.evaluate(node)
    if isinstance(value, (DType, EnumMember)):
        return static_arg(value, node)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return static_arg(value, node, raw=True)
    if isinstance(value, values.OpaqueValue):
        return Arg(ir.OpaqueInt(value.name, UNDETERMINED, node.span), span=node.span)
    return None


def _meant_arg(low: Lowering, node: syntax.Attribute, report: Callable[[], object]) -> Arg | None:
    """An element type or enum member in an older or foreign spelling, told with ``report`` and taken for what it means."""
    if low.jit and root_name(node) not in ("pl", "pld"):
        return None
    value, change = meant_value(dotted(node))
    if value is MISSING:
        return None
    report()
    if change is not None:
        low.diagnostics[-1] = dated(low.diagnostics[-1], change)
    return static_arg(value, node)


def _shaped_arg(expr: ir.Expr, node: syntax.Expr) -> Arg:
    static = expr.value if isinstance(expr, ir.StaticValue) else _static_elements(expr)
    return Arg(expr, static=static, span=node.span)


def _name_arg(low: Lowering, node: syntax.Name) -> Arg | None:
    if low.jit or low.names.lookup(node.id) is not None:
        return None
    value = low.around.value(node.id)
    return static_arg(value, node) if isinstance(value, (DType, EnumMember)) else None


def _negated_arg(low: Lowering, node: syntax.UnaryOp) -> Arg | None:
    if low.jit or node.op != "-" or not isinstance(node.operand, syntax.Attribute):
        return None
    value = low.evaluate(node.operand)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return static_arg(-value, node, raw=True)
    return None


_POSITIONAL: dict[type[syntax.Expr], Callable[[Lowering, Any], Arg | None]] = {
    syntax.Attribute: _attribute_arg,
    syntax.Name: _name_arg,
    syntax.UnaryOp: _negated_arg,
}


def keyword_value(low: Lowering, keyword: syntax.Keyword) -> Arg:
    """An argument by keyword."""
    node = keyword.value
    rule = _dtype_keyword if keyword.arg == "dtype" else _KEYWORD.get(type(node))
    arg = rule(low, node) if rule is not None else None
    if arg is None:
        expr = low.expr(node)
        arg = Arg(expr, static=_static_elements(expr), span=node.span, element_spans=_element_spans(node))
    arg.by_keyword = True
    return arg


def _constant_keyword(low: Lowering, node: syntax.Constant) -> Arg:
    return static_arg(node.value, node)


def _unary_keyword(low: Lowering, node: syntax.UnaryOp) -> Arg | None:
    operand = node.operand
    if node.op == "-" and isinstance(operand, syntax.Constant) and isinstance(operand.value, (int, float)):
        return static_arg(-operand.value, node)
    return None


def _name_keyword(low: Lowering, node: syntax.Name) -> Arg | None:
    if low.names.lookup(node.id) is not None:
        return None
    value = low.around.value(node.id)
    if value is MISSING or isinstance(value, Hidden):
        return undefined_keyword(low, node, value)
    if isinstance(value, (values.OpaqueValue, values.DynamicSymbol, values.DynamicExpression, values.Sequence)):
        lowered = value_expr(low, value, node)
        if lowered is not None:
            return Arg(lowered, static=_static_elements(lowered), span=node.span, from_closure=True)
    arg = static_arg(value, node)
    arg.from_closure = True
    return arg


def undefined_keyword(low: Lowering, node: syntax.Name, value: Any) -> Arg:
    """Report a keyword's value that is defined nowhere."""
    if low.first_report("undefined", node.id):
        where, suggestion = meant(low, node, value)
        low.report(
            expression_faults.UNDEFINED_KEYWORD,
            node.span,
            subject=node,
            name=node.id,
            where=where,
            suggestion=suggestion,
        )
    return Arg(ir.ErrorExpr(node.span), span=node.span)


def _attribute_keyword(low: Lowering, node: syntax.Attribute) -> Arg:
    path = dotted(node)
    value = spelt_value(node)
    if value is not MISSING:
        return static_arg(value, node)
    known = _meant_arg(low, node, lambda: unknown_member(low, node, path))
    if known is not None:
        return known
    shaped = shape_attribute(low, node)
    if shaped is not None:
        return _shaped_arg(shaped, node)
    if isinstance(node.value, syntax.Name) and node.attr in low.buffers.get(node.value.id, ()):
        return static_arg(low.buffers[node.value.id][node.attr], node)
    if not low.jit:
        value = low.evaluate(node)
        if isinstance(value, values.OpaqueValue):
            return Arg(ir.OpaqueInt(value.name, UNDETERMINED, node.span), span=node.span)
        if not isinstance(value, (Failure, values.Namespace)):
            return static_arg(value, node)
        if isinstance(value, values.Namespace) or value.unknown:
            return Arg(low.unknown(node.span), span=node.span)
    return unknown_member(low, node, path)


#: names that the hardware's own documents use for members
SYNONYMS = {
    "MemorySpace": {"L0A": "Left", "L0B": "Right", "L0C": "Acc", "L1": "Mat", "UB": "Vec", "GM": "DDR"},
    "PadValue": {"neg_inf": "min", "inf": "max", "none": "null"},
}


def unknown_member(low: Lowering, node: syntax.Attribute, path: str) -> Arg:
    """Report a keyword's value that is no element type, no enum member and no constant around the kernel."""
    enum = enum_of(path)
    place, suggestion, advice = node.span, None, ""
    if enum is not None:
        member = SYNONYMS.get(enum, {}).get(node.attr) or closest(node.attr, ENUMS[enum])
        suggestion = f"{path.rpartition('.')[0]}.{member}" if member else None
        advice = f": {', '.join(ENUMS[enum])}"
    elif path.count(".") == 1 and path.startswith("pl."):
        place, suggestion = attr_span(node), meant_dtype(node.attr, DTYPES)
        advice = did_you_mean(suggestion)
    elif low.jit:
        suggestion = written(low.evaluate(node))
    low.report(
        faults.UNKNOWN_MEMBER, place, subject=node, text=node.text, advice=advice, suggestion=suggestion, enum=enum
    )
    return Arg(ir.ErrorExpr(node.span), span=node.span)


def _list_keyword(low: Lowering, node: syntax.List) -> Arg | None:
    """A list of surrounding constants may hold what only Python evaluates (``[CFG.rows, 64]``), in a plain body."""
    simple = (syntax.Name, syntax.Constant, syntax.BinOp, syntax.UnaryOp)
    if low.jit or all(isinstance(elt, simple) for elt in node.elts):
        return None
    if any(isinstance(elt, syntax.Name) and low.names.lookup(elt.id) is not None for elt in node.elts):
        return None
    value = low.evaluate(node)
    if not isinstance(value, values.Sequence):
        return None
    parts = [value_expr(low, item, elt) for item, elt in zip(value.items, node.elts)]
    if len(parts) != len(node.elts) or any(part is None for part in parts):
        return None
    expr = make_tuple(tuple(part for part in parts if part is not None), node.span)
    return Arg(expr, static=_static_elements(expr), span=node.span, element_spans=_element_spans(node))


_KEYWORD: dict[type[syntax.Expr], Callable[[Lowering, Any], Arg | None]] = {
    syntax.Constant: _constant_keyword,
    syntax.UnaryOp: _unary_keyword,
    syntax.Name: _name_keyword,
    syntax.Attribute: _attribute_keyword,
    syntax.List: _list_keyword,
}


def _dtype_keyword(low: Lowering, node: syntax.Expr) -> Arg:
    """``dtype=``: an element type, whatever else the kernel binds to the name."""
    if isinstance(node, syntax.Attribute):
        value = spelt_value(node)
        if value is MISSING:
            known = _meant_arg(low, node, lambda: _unknown_dtype(low, node))
            if known is not None:
                return known
            shaped = shape_attribute(low, node)
            if shaped is not None:
                return _shaped_arg(shaped, node)
            value = Failure("name", node) if low.jit else low.evaluate(node)
    elif isinstance(node, syntax.Name):
        value = DTYPES.get(node.id) or low.around.value(node.id)
        if value is MISSING or isinstance(value, Hidden):
            return undefined_keyword(low, node, value)
    else:
        value = None
    if isinstance(value, values.OpaqueValue) or (isinstance(value, Failure) and value.unknown):
        return Arg(low.unknown(node.span), span=node.span)
    if isinstance(value, DType):
        return static_arg(value, node)
    return _unknown_dtype(low, node)


def _unknown_dtype(low: Lowering, node: syntax.Expr) -> Arg:
    place, text = node.span, node.text
    if isinstance(node, syntax.Attribute) and dotted(node).count(".") == 1:
        place = attr_span(node)
    dtype = meant_dtype(text.strip("\"'").rpartition(".")[2], DTYPES)
    low.report(
        faults_ops.UNKNOWN_DTYPE,
        place,
        subject=node,
        path=text,
        hint=did_you_mean(dtype and f"pl.{dtype}"),
        suggestion=f"pl.{dtype}" if dtype and place is not None and place.text == text else dtype,
    )
    return Arg(ir.ErrorExpr(node.span), span=node.span)


# --- calls with a form of their own --------------------------------------------------------------------------------


def _get_byte(low: Lowering, call: syntax.Call, path: str) -> ir.Expr:
    """``pl.FP32.get_byte()``: the bytes of an element, a constant."""
    name = path.split(".")[1]
    dtype = DTYPES.get(name)
    if dtype is not None:
        return ir.ConstInt((dtype.bits + 7) // 8, INDEX, call.span)
    func = call.func
    assert isinstance(func, syntax.Attribute) and isinstance(func.value, syntax.Attribute)
    suggestion = meant_dtype(name, DTYPES)
    return low.error(
        faults_ops.UNKNOWN_DTYPE,
        func.value,
        attr_span(func.value),
        path=f"pl.{name}",
        hint=did_you_mean(suggestion and f"pl.{suggestion}"),
        suggestion=suggestion,
    )


def _task_dummy(low: Lowering, call: syntax.Call, path: str) -> ir.Expr:
    """``pl.system.task_dummy(deps=[...])``: a task that only waits."""
    if call.args:
        suggestion = f"deps={call.args[0].text}" if len(call.args) == 1 else None
        return low.error(faults.DUMMY_POSITIONAL, call, call.args[0].span.to(call.args[-1].span), suggestion=suggestion)
    for keyword in call.keywords:
        if keyword.arg not in ("deps", "attrs"):
            return low.error(faults.DUMMY_KEYWORDS, keyword)
    given = next((k for k in call.keywords if k.arg == "deps"), None)
    if given is None:
        return low.error(faults.DUMMY_KEYWORDS, call, suggestion=f"{call.func.text}(deps=[])")
    extra = attrs.operator_attrs(low, call)
    edges = deps.lower_deps(low, given.value)
    return ir.Call(
        op="system.task_dummy",
        args=(),
        names=(),
        type=TASK,
        span=call.span,
        attrs={**extra, "dummy_task": True, "deps": edges},
        path=path,
    )


def _host_only(low: Lowering, call: syntax.Call, path: str) -> ir.Expr:
    if not on_host(low):
        return low.error(statement_faults.WINDOW_PLACE, call, operation=path.rpartition(".")[2])
    return plain_call(low, call, path)


def _unbound_allocation(low: Lowering, call: syntax.Call, path: str) -> ir.Expr:
    for arg in call.args:
        positional(low, arg)
    return low.error(statement_faults.WINDOW_TARGET, call)


_SPECIAL: dict[str, Special] = {
    "pl.system.task_dummy": _task_dummy,
    "pld.world_size": _host_only,
    "pld.system.world_size": _host_only,
    "pld.alloc_window_buffer": _unbound_allocation,
    "pld.tensor.alloc_window_buffer": _unbound_allocation,
}

__all__ = ["attribute_fault", "call_operator", "keyword_value", "positional", "surplus_span", "unknown_operator"]
