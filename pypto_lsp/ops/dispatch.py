"""Calling an operator: arguments are bound to parameters, the rule runs, the IR call is built.

A call has at most one finding; its place is what the user has to change: the whole call for a missing argument, the argument
that is too many or wrong, the keyword that is not known. A call at fault gives an ErrorExpr.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.diagnostics.spelling import closest
from pypto_lsp.ir.nodes import Call, ErrorExpr, Expr, StaticValue
from pypto_lsp.ops.registry import MISSING, Arg, OpCall, OpContext, Operator, OpFault, OpResult, Param, Registry
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
    """A call of ``operator`` spelled ``path``; the span of a keyword covers it, its value and the comma before it.

    Gives the call as an IR expression and its findings (at most one; then the expression is an ErrorExpr).
    """
    try:
        bound = bind(operator, path, args, keywords, span, context)
    except _Unbound as fault:
        return ErrorExpr(span), [_refused(operator, fault.finding)]
    try:
        result = operator.rule(bound)
    except OpFault as fault:
        return ErrorExpr(span), [_refused(operator, finding(fault, bound))]
    return built(bound, result), []


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
    bound: dict[str, Arg] = {}
    positional = [p for p in operator.params if p.kind in ("positional_or_keyword", "positional_only")]
    variadic = any(p.kind == "var_positional" for p in operator.params)
    for index, arg in enumerate(args[: len(positional)]):
        bound[positional[index].name] = arg
    rest = tuple(args[len(positional) :])
    if operator.count_fault is not None and len(args) != len(positional):
        raise _Unbound(operator.count_fault.at(span, operator=path, count=len(args)))
    if rest and not variadic:
        facts: dict[str, Any] = {"operator": path, "limit": len(positional), "position": len(positional) + 1}
        raise _Unbound(faults.SURPLUS_ARGUMENT.at(rest[0].span or span, **facts))
    for name, arg, place in keywords:
        if name == "attrs" and operator.takes_attrs and operator.param(name) is None:
            continue
        if operator.ignores_keywords and operator.param(name) is None:
            continue
        _bind_keyword(operator, path, bound, name, arg, place)
    for param in operator.params:
        if param.required and param.kind != "var_positional" and param.name not in bound:
            raise _Unbound(faults.MISSING_ARGUMENT.at(span, operator=path, parameter=param.name))
    return OpCall(operator, path, bound, span, context, rest)


def _bind_keyword(operator: Operator, path: str, bound: dict[str, Arg], name: str, arg: Arg, place: Span) -> None:
    param = operator.param(name)
    if param is None or param.kind in ("positional_only", "var_positional"):
        close = closest(name, (p.name for p in operator.params if p.kind != "positional_only"))
        facts: dict[str, Any] = {"operator": path, "keyword": name, "suggestion": close, "hint": _did_you_mean(close)}
        raise _Unbound(faults.UNKNOWN_KEYWORD.at(place, **facts))
    if name in bound:
        raise _Unbound(faults.REPEATED_ARGUMENT.at(place, operator=path, parameter=name))
    bound[name] = arg


def finding(fault: OpFault, bound: OpCall) -> Diagnostic:
    """The finding of a rule's fault, on the argument (or the element of it) that it names."""
    place = bound.span
    arg = bound.get(fault.param) if fault.param else None
    if arg is not None:
        place = arg.span or place
        if fault.index is not None and fault.index < len(arg.element_spans):
            place = arg.element_spans[fault.index]
    facts: dict[str, Any] = {"operator": bound.path, "parameter": fault.param or ""}
    return fault.kind.at(place, subject=bound, **(facts | fault.facts))


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
    namespace, _, name = path.rpartition(".")
    known = [p for p in registry.paths() if not _printed_only(registry, p)]
    siblings = {p.rpartition(".")[2]: p for p in known if p.rpartition(".")[0] == namespace}
    close = closest(name, siblings)
    if close is not None:
        suggestion: str | None = siblings[close]
    else:
        elsewhere = [p for p in known if p.rpartition(".")[2] == name]
        suggestion = elsewhere[0] if len(elsewhere) == 1 else None
    return {"suggestion": suggestion, "hint": _did_you_mean(suggestion)}


def _printed_only(registry: Registry, path: str) -> bool:
    operator = registry.get(path)
    return operator is not None and operator.printed_only
