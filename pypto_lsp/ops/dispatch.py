"""Calling an operator: arguments are bound to parameters, the rule runs, the IR call is built.

A call has at most one finding; its place is what the user has to change: the whole call for a missing argument, the argument
that is too many or wrong, the keyword that is not known. A call at fault gives an ErrorExpr.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.diagnostics.older_spellings import renamed_operator
from pypto_lsp.diagnostics.spelling import closest
from pypto_lsp.ir.dtypes import DType
from pypto_lsp.ir.enums import EnumMember
from pypto_lsp.ir.nodes import Call, ErrorExpr, Expr, StaticValue
from pypto_lsp.ir.types import ScalarType, TileType
from pypto_lsp.ops.regions import check_region_rank
from pypto_lsp.ops.registry import CALLEE, MISSING, Arg, OpCall, OpContext, Operator, OpFault, OpResult, Param, Registry
from pypto_lsp.text.span import Span

Keyword = tuple[str, Arg, Span]


class _Unbound(Exception):
    """An argument that finds no parameter; carries the finding."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


def call(
    operator: Operator,
    path: str,
    args: Sequence[Arg],
    keywords: Sequence[Keyword],
    span: Span,
    context: OpContext,
) -> tuple[Expr, list[Diagnostic]]:
    """A call of ``operator`` spelled ``path``; the span of a keyword covers its name and value.

    Gives the call as an IR expression and its findings (at most one; then the expression is an ErrorExpr).
    """
    try:
        bound = bind(operator, path, args, keywords, span, context)
    except _Unbound as fault:
        return ErrorExpr(span), [_refused(operator, fault.finding)]
    try:
        _check_regions(bound)
        result = operator.rule(bound)
    except OpFault as fault:
        return ErrorExpr(span), [_refused(operator, finding(fault, bound))]
    return built(bound, result), []


def _check_regions(call: OpCall) -> None:
    for name, arg in call.args.items():
        check_region_rank(name, arg.type)


def _refused(operator: Operator, found: Diagnostic) -> Diagnostic:
    """The finding under the operator's own exception; an argument by position where all are keywords keeps its own."""
    keywords_only = all(p.kind == "keyword_only" for p in operator.params)
    if not operator.refusal or (keywords_only and found.error_code == faults.SURPLUS_ARGUMENT.code):
        return found
    return replace(found, rule_name=operator.refusal)


def bind(
    operator: Operator,
    path: str,
    args: Sequence[Arg],
    keywords: Sequence[Keyword],
    span: Span,
    context: OpContext,
) -> OpCall:
    """The call with its arguments by parameter name. Raises where Python itself would refuse the call."""
    bound = OpCall(operator, path, {}, span, context)
    positional = [p for p in operator.params if p.kind in ("positional_or_keyword", "positional_only")]
    variadic = any(p.kind == "var_positional" for p in operator.params)
    for index, arg in enumerate(args[: len(positional)]):
        bound.args[positional[index].name] = arg
    rest = bound.rest = tuple(args[len(positional) :])
    if operator.count_fault is not None and len(args) != len(positional):
        raise _Unbound(operator.count_fault.at(span, operator=path, count=len(args)))
    if rest and not variadic:
        raise _Unbound(_surplus(bound, positional, rest))
    given = {*bound.args, *(name for name, _, _ in keywords)}
    for name, arg, place in keywords:
        if name == "attrs" and operator.takes_attrs and operator.param(name) is None:
            continue
        if operator.ignores_keywords and operator.param(name) is None:
            continue
        _bind_keyword(bound, name, arg, place, given)
    for param in operator.params:
        if param.required and param.kind != "var_positional" and param.name not in bound.args:
            raise _Unbound(faults.MISSING_ARGUMENT.at(span, operator=path, parameter=param.name))
    return bound


def _surplus(bound: OpCall, positional: Sequence[Param], rest: Sequence[Arg]) -> Diagnostic:
    """Too many arguments: the first that is too many, or all entries of a list that was not written as one."""
    place = rest[0].span or bound.span
    facts: dict[str, Any] = {"operator": bound.path, "limit": len(positional), "position": len(positional) + 1}
    last = bound.args[positional[-1].name] if positional else None
    numbers = last is not None and all(isinstance(a.type, ScalarType) for a in (last, *rest))
    if numbers and last is not None and last.span is not None and positional[-1].type.startswith("Sequence"):
        whole = last.span.to(rest[-1].span or place)
        return faults.SURPLUS_ARGUMENT.at(whole, suggestion=f"[{whole.text}]", **facts)
    return faults.SURPLUS_ARGUMENT.at(place, **facts)


def _bind_keyword(call: OpCall, name: str, arg: Arg, place: Span, given: Collection[str]) -> None:
    operator = call.operator
    param = operator.param(name)
    if param is None or param.kind in ("positional_only", "var_positional"):
        meant = _meant_parameter(call, name, arg, given)
        facts: dict[str, Any] = {
            "operator": call.path,
            "keyword": name,
            "suggestion": meant,
            "hint": _did_you_mean(meant),
            "idle": not _missing(call, given),
        }
        raise _Unbound(faults.UNKNOWN_KEYWORD.at(place if meant else with_comma(call.span, place), **facts))
    if name in call.args:
        raise _Unbound(faults.REPEATED_ARGUMENT.at(place, operator=call.path, parameter=name))
    call.args[name] = arg
    call.keyword_spans[name] = place


def _missing(call: OpCall, given: Collection[str]) -> list[str]:
    """Parameters that get no argument at all, though they need one."""
    return [p.name for p in call.operator.params if p.required and p.kind != "var_positional" and p.name not in given]


def _meant_parameter(call: OpCall, name: str, arg: Arg, given: Collection[str]) -> str | None:
    """The free parameter that an unknown keyword must mean, None when it can only go."""
    free = [
        p for p in call.operator.params if p.kind in ("positional_or_keyword", "keyword_only") and p.name not in given
    ]
    first = call.args.get(call.operator.params[0].name) if call.operator.params else None
    if first is not None and isinstance(first.type, TileType):
        free = [p for p in free if p.name not in call.operator.tensor_only]
    words = set(name.split("_"))
    alike = [p.name for p in free if words <= set(p.name.split("_")) or words >= set(p.name.split("_"))]
    if len(alike) == 1:
        return alike[0]
    near = closest(name, [p.name for p in free])
    if near is not None:
        return near
    needed = [p.name for p in free if p.required] or [
        p.name for p in free if p.type == "bool" and isinstance(arg.static, bool)
    ]
    return needed[0] if len(needed) == 1 else None


# --- places of faults ----------------------------------------------------------------------------------------------


def finding(fault: OpFault, bound: OpCall) -> Diagnostic:
    """The finding of a rule's fault, on what has to be changed."""
    facts: dict[str, Any] = {"operator": bound.path, "parameter": fault.param or ""}
    return fault.kind.at(_place(fault, bound), subject=bound, **(facts | fault.facts))


def _place(fault: OpFault, bound: OpCall) -> Span:
    if fault.param == CALLEE:
        return _callee(bound.span)
    arg = bound.get(fault.param) if fault.param else None
    if arg is None or arg.span is None or fault.param is None:
        return bound.span
    if fault.kind is faults.SAME_DTYPE and fault.param not in bound.keyword_spans:
        return bound.span
    if fault.index is not None and fault.index < len(arg.element_spans):
        return arg.element_spans[fault.index]
    last = bound.get(fault.until) if fault.until else None
    if last is not None and last.span is not None and fault.param not in bound.keyword_spans:
        return arg.span.to(last.span)
    return _keyword_place(fault, bound, fault.param) or _inner(fault, arg, arg.span)


def _callee(span: Span) -> Span:
    """The operator's name in a call, without its namespace."""
    text = span.text
    end = text.find("(")
    if end < 0:
        return span
    start = text.rfind(".", 0, end) + 1
    return Span(span.anchor, span.start + start, span.start + len(text[:end].rstrip()))


def _keyword_place(fault: OpFault, bound: OpCall, name: str) -> Span | None:
    """The whole keyword argument where it should not be there, or is a flag that should be the other way."""
    place = bound.keyword_spans.get(name)
    param = bound.operator.param(name)
    arg = bound.args[name]
    if place is None or param is None:
        return None
    if fault.kind is faults.CONFLICTING_ARGUMENTS:
        return place if param.attribute else with_comma(bound.span, place)
    flag = param.attribute and isinstance(arg.static, bool) and fault.kind is not faults.WRONG_KIND
    return place if flag or fault.kind is faults.SAME_DTYPE else None


def with_comma(call: Span, argument: Span) -> Span:
    """The place of an argument with the comma before it."""
    before = Span(call.anchor, call.start, argument.start).text
    kept = before.rstrip()
    if not kept.endswith(","):
        return argument
    return Span(argument.anchor, argument.start - (len(before) - len(kept)) - 1, argument.end)


def _inner(fault: OpFault, arg: Arg, span: Span) -> Span:
    """What has to be replaced within an argument: a string without its quotes, the member of a dotted name."""
    text = span.text
    if fault.kind is faults.WRONG_MEMBER and isinstance(arg.static, str) and len(text) >= 2 and text[0] == text[-1]:
        return Span(span.anchor, span.start + 1, span.end - 1)
    named = isinstance(arg.static, DType | EnumMember) and fault.kind in (faults.WRONG_DTYPE, faults.WRONG_MEMORY)
    if named and "." in text:
        return Span(span.anchor, span.start + text.rindex(".") + 1, span.end)
    return span


# --- the IR call ---------------------------------------------------------------------------------------------------


def built(bound: OpCall, result: OpResult) -> Expr:
    """The IR expression of a call that was accepted."""
    if result.value is not None:
        return result.value
    names, operands = _operands(bound, result)
    return Call(
        op=result.ir_op,
        args=operands,
        names=names,
        type=result.type,
        span=bound.span,
        kwargs=_attributes(bound) if result.kwargs is None else result.kwargs,
        path=bound.path,
    )


def _is_attribute(param: Param, arg: Arg) -> bool:
    return param.attribute or isinstance(arg.expr, StaticValue)


def _operands(bound: OpCall, result: OpResult) -> tuple[tuple[str, ...], tuple[Expr, ...]]:
    if result.args is not None:
        return tuple(name for name, _ in result.args), tuple(expr for _, expr in result.args)
    given = [(p, bound.args[p.name]) for p in bound.operator.params if p.name in bound.args]
    pairs = [(p.name, arg.expr) for p, arg in given if not _is_attribute(p, arg)]
    pairs.extend((f"{_variadic_name(bound)}{i}", arg.expr) for i, arg in enumerate(bound.rest))
    return tuple(name for name, _ in pairs), tuple(expr for _, expr in pairs)


def _variadic_name(bound: OpCall) -> str:
    return next((p.name for p in bound.operator.params if p.kind == "var_positional"), "arg")


def _attributes(bound: OpCall) -> dict[str, Any]:
    given = ((p, bound.args[p.name]) for p in bound.operator.params if p.name in bound.args)
    return {p.name: arg.static for p, arg in given if _is_attribute(p, arg) and arg.static is not MISSING}


# --- names that are no operators -----------------------------------------------------------------------------------


def _did_you_mean(suggestion: str | None) -> str:
    return f"; did you mean {suggestion}?" if suggestion else ""


def unknown(path: str, span: Span, registry: Registry) -> Diagnostic:
    """The finding for a dotted path that names no operator; ``facts["suggestion"]`` is the path it must mean, or None."""
    return faults.UNKNOWN_OPERATOR.at(span, path=path, **_suggestion(path, registry))


def _suggestion(path: str, registry: Registry) -> dict[str, Any]:
    renamed = renamed_operator(path)
    if renamed is not None:
        return {"suggestion": renamed.path or None, "hint": ""}
    namespace, _, name = path.rpartition(".")
    known = [p for p in registry.paths() if not _printed_only(registry, p)]
    siblings = {p.rpartition(".")[2]: p for p in known if p.rpartition(".")[0] == namespace}
    stems = [own for own in siblings if len(own) >= 3 and name.startswith(own)]
    close = closest(name, siblings) or (stems[0] if len(stems) == 1 else None)
    if close is not None:
        suggestion: str | None = siblings[close]
    else:
        elsewhere = [p for p in known if p.rpartition(".")[2] == name]
        suggestion = elsewhere[0] if len(elsewhere) == 1 else None
    return {"suggestion": suggestion, "hint": _did_you_mean(suggestion)}


def _printed_only(registry: Registry, path: str) -> bool:
    operator = registry.get(path)
    return operator is not None and operator.printed_only
