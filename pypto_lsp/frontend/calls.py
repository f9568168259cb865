"""Calls in expressions: operators, functions of the program, jit dependencies, inline functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pypto_lsp.diagnostics import faults_calls as faults
from pypto_lsp.diagnostics import faults_decorators, faults_submit
from pypto_lsp.diagnostics import faults_statements as statement_faults
from pypto_lsp.diagnostics.spelling import closest
from pypto_lsp.frontend import attrs, operators, values
from pypto_lsp.frontend.binding import constant_of
from pypto_lsp.frontend.call_types import dimension_conflict
from pypto_lsp.frontend.expressions import did_you_mean, written
from pypto_lsp.frontend.inlining import InlinedSurroundings, expand, inline_signature
from pypto_lsp.frontend.lowering import Lowering, expression
from pypto_lsp.frontend.model import Signature
from pypto_lsp.frontend.paths import attr_span, called_name, dotted
from pypto_lsp.frontend.surroundings import Hidden
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.printer_types import print_dim
from pypto_lsp.ir.types import NONE, SHAPED, UNDETERMINED, UNKNOWN, ScalarType, Type
from pypto_lsp.ops import REGISTRY
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span

SUBMITS = ("pl.submit", "pl.spmd_submit")


@expression(syntax.Call)
def lower_call(low: Lowering, node: syntax.Call) -> ir.Expr:
    func = node.func
    if isinstance(func, syntax.Attribute):
        path = dotted(func)
        if func.attr == "yield_":
            return _yield_value(low, node)
        if path in SUBMITS:
            _look_at_arguments(low, node)
            return low.error(faults_submit.NOT_UNPACKED, node, callee=path)
        root, _, rest = path.partition(".")
        if root == "self" and "." not in rest:
            return _method_call(low, node, func)
        if root in ("pl", "pld"):
            return operators.call_operator(low, node, path)
    elif isinstance(func, syntax.Name):
        return _named_call(low, node, func)
    return unknown_callee(low, node)


def _yield_value(low: Lowering, node: syntax.Call) -> ir.Expr:
    """A yield inside an expression: its value is the first one."""
    yielded = tuple(low.expr(arg) for arg in node.args)
    if len(yielded) > 1:
        return low.error(statement_faults.YIELD_FORM, node, count=len(yielded))
    low.out.append(ir.Yield(yielded, node.span))
    return yielded[0] if yielded else ir.ErrorExpr(node.span)


def _look_at_arguments(low: Lowering, node: syntax.Call) -> None:
    """Lower the arguments of a call at fault for the faults in them."""
    for arg in node.args:
        if not (isinstance(arg, syntax.Attribute) and dotted(arg).startswith("self.")):
            low.expr(arg)


# --- what cannot be called -----------------------------------------------------------------------------------------


def unknown_callee(low: Lowering, node: syntax.Call) -> ir.Expr:
    """A call of something that is neither an operator nor a kernel."""
    name = node.func.text if isinstance(node.func, (syntax.Name, syntax.Attribute)) else "this"
    arguments = node.text[node.func.end - node.func.start :]
    place, suggestion = node.span, written(low.evaluate(node)) or _constant(low, node)
    advice = f": its value is {suggestion}" if suggestion else ""
    if suggestion is None:
        callee = _meant_callee(low, node.func)
        advice = did_you_mean(callee)
        if callee is not None and isinstance(node.func, syntax.Name) and node.func.id not in PYTHON:
            method = callee.startswith("self.")
            place, suggestion = (node.span, f"{callee}{arguments}") if method else (node.func.span, callee)
        elif callee is not None:
            suggestion = f"{callee}{arguments}"
    return low.error(faults.UNKNOWN_CALLEE, node, place, name=name, advice=advice, suggestion=suggestion)


#: functions of Python itself, with the operator that does the same to scalars of a kernel
PYTHON = {"min": "pl.min", "max": "pl.max", "print": "pl.static_print", "abs": None, "len": None, "sum": None,
          "round": None, "int": None, "float": None, "bool": None}  # fmt: skip


def _meant_callee(low: Lowering, func: syntax.Expr) -> str | None:
    """The callee that was probably meant."""
    if isinstance(func, syntax.Attribute):
        return f"pl.{func.attr}" if REGISTRY.get(f"pl.{func.attr}") is not None else None
    if not isinstance(func, syntax.Name):
        return None
    if func.id in PYTHON:
        return PYTHON[func.id]
    if not low.jit and func.id in low.context.program_functions():
        return f"self.{func.id}"
    return f"pl.{func.id}" if REGISTRY.get(f"pl.{func.id}") is not None else None


def _constant(low: Lowering, node: syntax.Call) -> str | None:
    """The value of ``float(2)`` or of ``len(x)`` of a tensor with a constant first extent."""
    if called_name(node) == "len" and len(node.args) == 1 and isinstance(node.args[0], syntax.Name):
        bound = low.names.lookup(node.args[0].id)
        shape = bound.type.shape if bound is not None and isinstance(bound.type, SHAPED) else None
        return str(int(shape[0])) if shape and isinstance(shape[0], int) else None
    return None


# --- functions of the program --------------------------------------------------------------------------------------


def _method_call(low: Lowering, node: syntax.Call, func: syntax.Attribute) -> ir.Expr:
    signature = method(low, func)
    if signature is None:
        _look_at_arguments(low, node)
        return ir.ErrorExpr(node.span)
    return kernel_call(low, node, signature)


def method(low: Lowering, func: syntax.Attribute) -> Signature | None:
    """The function that ``self.name`` names; reports an unknown one."""
    name = func.attr
    signature = low.context.callee(name, True)
    if signature is None:
        known = low.context.program_functions()
        suggestion = closest(name, known)
        place = attr_span(func) if suggestion or not low.jit else func.span
        low.report(
            faults.UNKNOWN_FUNCTION,
            place,
            subject=func,
            name=name,
            advice=did_you_mean(suggestion),
            suggestion=suggestion,
            known=known,
        )
    return signature


def _named_call(low: Lowering, node: syntax.Call, func: syntax.Name) -> ir.Expr:
    name = func.id
    signature = low.context.callee(name, False)
    if signature is not None:
        if low.jit and signature.name != name and signature.flavour.startswith("jit"):
            _look_at_arguments(low, node)
            suggestion = signature.name
            advice = f": a jit kernel is called by its own name, {suggestion}"
            return low.error(faults.UNKNOWN_CALLEE, node, func.span, name=name, advice=advice, suggestion=suggestion)
        if signature.flavour == "inline":
            return _inline_call(low, node, signature)
        if signature.flavour == "function" and (signature.clash or _clashes(low, signature)):
            _look_at_arguments(low, node)
            return low.error(faults.NAME_CLASH, node, name=signature.name)
        return kernel_call(low, node, signature)
    ref = low.around.kernel(name) if isinstance(low.around, InlinedSurroundings) else None
    if ref is not None and ref.flavour == "inline":
        return _inline_call(low, node, inline_signature(ref))
    if ref is not None or _may_be_kernel(low, name):
        _look_at_arguments(low, node)
        for keyword in node.keywords:
            low.expr(keyword.value)
        low.calls.append(name)
        return low.unknown(node.span)
    return unknown_callee(low, node)


def _clashes(low: Lowering, signature: Signature) -> bool:
    """Whether a function that joins the program finds its name taken."""
    known = low.externals.setdefault(signature.name, signature)
    return signature.name in low.context.program_functions() or known.node is not signature.node


def _may_be_kernel(low: Lowering, name: str) -> bool:
    """Whether a name may stand for a kernel that we cannot see; one that is None is bound by somebody else later."""
    value = low.around.value(name)
    if isinstance(value, Hidden):
        value = value.value
    return value is None or isinstance(value, values.OpaqueValue)


@dataclass(slots=True)
class Arguments:
    """The arguments of a kernel call in parameter order, with the positions wrapped in ``pl.no_dep``."""

    nodes: list[syntax.Expr]
    surplus: list[syntax.Node]
    missing: list[str]
    #: a parameter given by position and by keyword, or twice
    twice: tuple[str, Span] | None = None
    no_dep: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


def kernel_call(low: Lowering, node: syntax.Call, signature: Signature) -> ir.Expr:
    """A plain call of a program function or jit dependency."""
    low.calls.append(signature.name)
    dependency = low.jit and isinstance(node.func, syntax.Name)
    given = _arranged(node, signature) if dependency else _positional(node, signature)
    args = tuple([low.expr(arg) for arg in given.nodes])
    sound = _check_keywords(low, node, signature, dependency) and _check_count(low, node, signature, given, dependency)
    low.called.append(signature.name)
    extra: dict[str, Any] = attrs.call_attrs(low, node, args, submit=False)
    device = attrs.keyword_of(node, "device")
    if device is not None and signature.role == "Orchestrator":
        extra["device"] = low.expr(device.value)
    if not sound or _conflicting(low, node, signature, given, args):
        return ir.ErrorExpr(node.span)
    return ir.Call(
        op=ir.FunctionRef(signature.name),
        args=args,
        names=given.names,
        type=result_type(low, signature, args),
        span=node.span,
        attrs=with_markers(low, extra, args, given.no_dep),
        path=dotted(node.func),
    )


def _conflicting(
    low: Lowering, node: syntax.Call, signature: Signature, given: Arguments, args: tuple[ir.Expr, ...]
) -> bool:
    """Report a dynamic dimension of the callee that two arguments give different extents. Only a call with a result has
    its dimensions matched."""
    if signature.later or signature.returns in (NONE, UNKNOWN, UNDETERMINED):
        return False
    conflict = dimension_conflict([type_ for _, type_, _, _ in signature.params], [arg.type for arg in args])
    if conflict is None:
        return False
    place = given.nodes[conflict.argument]
    low.report(
        faults_decorators.DIMENSION_CONFLICT,
        place.span,
        subject=node,
        name=conflict.name,
        callee=signature.name,
        first=print_dim(conflict.first),
        second=print_dim(conflict.second),
    )
    return True


def with_markers(
    low: Lowering, extra: dict[str, Any], args: tuple[ir.Expr, ...], no_dep: tuple[int, ...]
) -> dict[str, Any]:
    """A call's attributes with those that markers in the body give it."""
    if no_dep:
        extra["arg_direction_overrides"] = no_dep
    tagged = tuple(arg.var for arg in args if isinstance(arg, ir.Read) and arg.var in low.dump_tags)
    if tagged:
        extra["dump_vars"] = (*extra.get("dump_vars", ()), *tagged)
    return extra


def result_type(low: Lowering, signature: Signature, args: tuple[ir.Expr, ...]) -> Type:
    """The type that a call gives."""
    type_ = low.context.call_types(
        signature, tuple([arg.type for arg in args]), tuple([constant_of(arg) for arg in args])
    )
    return UNKNOWN if type_ is NONE else type_


def _positional(node: syntax.Call, signature: Signature) -> Arguments:
    nodes, no_dep = without_markers(node.args)
    count = len(signature.params)
    return Arguments(
        nodes,
        list(node.args[count:]),
        [name for name, *_ in signature.params[len(nodes) :]],
        no_dep=no_dep,
        names=_names(signature, len(nodes)),
    )


def _names(signature: Signature, count: int) -> tuple[str, ...]:
    known = [name for name, *_ in signature.params[:count]]
    return (*known, *(f"arg{i}" for i in range(len(known), count)))


def _arranged(node: syntax.Call, signature: Signature) -> Arguments:
    """The arguments of a jit dependency, keywords put in the order of its parameters."""
    order = [name for name, *_ in signature.params]
    by_name: dict[str, syntax.Keyword] = {}
    twice: tuple[str, Span] | None = None
    for keyword in node.keywords:
        if keyword.arg in order:
            assert keyword.arg is not None
            if keyword.arg in by_name or order.index(keyword.arg) < len(node.args):
                twice = twice or (keyword.arg, keyword.span)
            by_name[keyword.arg] = keyword
    nodes = list(node.args)
    names = list(order[: len(nodes)])
    missing: list[str] = []
    for name in order[len(node.args) :]:
        if name in by_name:
            nodes.append(by_name[name].value)
            names.append(name)
        else:
            missing.append(name)
    plain, no_dep = without_markers(tuple(nodes))
    return Arguments(plain, list(node.args[len(order) :]), missing, twice, no_dep, tuple(names))


def without_markers(args: tuple[syntax.Expr, ...]) -> tuple[list[syntax.Expr], tuple[int, ...]]:
    """The arguments of a kernel call without their ``pl.no_dep`` wrappers, and where those were."""
    plain: list[syntax.Expr] = []
    marked: list[int] = []
    for i, arg in enumerate(args):
        inner = arg
        while called_name(inner) == "no_dep" and isinstance(inner, syntax.Call) and dotted(inner.func) in _NO_DEP:
            if len(inner.args) != 1 or inner.keywords:
                break
            inner = inner.args[0]
        if inner is not arg:
            marked.append(i)
        plain.append(inner)
    return plain, tuple(marked)


_NO_DEP = ("pl.no_dep", "no_dep")


# --- argument checks -----------------------------------------------------------------------------------------------


def _check_keywords(low: Lowering, node: syntax.Call, signature: Signature, dependency: bool) -> bool:
    """Report keywords that a plain call does not take; whether there are none."""
    allowed = {"attrs"}
    if signature.role == "Orchestrator":
        allowed.add("device")
    order = {name for name, *_ in signature.params} if dependency else set()
    wrong = [k for k in node.keywords if k.arg not in allowed and k.arg not in order]
    if not wrong:
        return True
    if not signature.complete:
        return False
    for keyword in wrong:
        low.expr(keyword.value)
    refuse_keywords(low, node, signature, wrong, dependency)
    return False


_MOVED = {
    "deps": "pl.submit",
    "dumps": "pl.submit",
    "predicate": "pl.submit",
    "allow_early_resolve": "pl.submit",
    "core_num": "pl.spmd_submit",
    "sync_start": "pl.spmd_submit",
}


def refuse_keywords(
    low: Lowering,
    node: syntax.Call,
    signature: Signature,
    wrong: list[syntax.Keyword],
    dependency: bool,
    allowed: tuple[str, ...] = (),
) -> None:
    """Report keywords that a call does not take, as one fault."""
    first = wrong[0]
    name = first.arg or "**"
    params = [param for param, *_ in signature.params]
    suggestion, meant = None, None
    if dependency:
        meant = _missing_parameter(node, params) or closest(name, params)
        suggestion = f"{meant}={first.value.text}" if meant else None
        if meant is not None and params.index(meant) == len(node.args) and node.keywords[0] is first:
            suggestion = first.value.text
    elif name in params or (not allowed and len(node.args) + len(wrong) <= len(params)):
        suggestion = first.value.text
    else:
        meant = closest(name, allowed)
        suggestion = f"{meant}={first.value.text}" if meant else None
    last = node.keywords[-1] if dependency and _given_twice(node, params) else wrong[-1]
    place = first.span.to(last.span)
    if suggestion is None and not allowed and not dependency:
        place = operators.surplus_span(node, place)
    moved = _MOVED.get(name)
    advice = did_you_mean(meant)
    if allowed and not meant:
        advice = f": it takes {', '.join(allowed)}"
    elif moved and not allowed:
        advice = f": that belongs to {moved}"
    elif not dependency and suggestion == first.value.text:
        advice = ": its arguments are positional"
    kind = faults.DEP_KEYWORD if dependency and signature.name not in low.called else faults.CALL_KEYWORD
    low.report(
        kind,
        place,
        subject=node,
        callee=signature.name,
        keyword=name,
        advice=advice,
        suggestion=suggestion,
        positional=not dependency and suggestion == first.value.text,
    )


def _missing_parameter(node: syntax.Call, params: list[str]) -> str | None:
    """The one parameter that a call leaves out, which an unknown keyword must mean."""
    named = {keyword.arg for keyword in node.keywords}
    missing = [param for param in params[len(node.args) :] if param not in named]
    return missing[0] if len(missing) == 1 else None


def _given_twice(node: syntax.Call, params: list[str]) -> bool:
    return any(keyword.arg in params[: len(node.args)] for keyword in node.keywords)


def _check_count(low: Lowering, node: syntax.Call, signature: Signature, given: Arguments, dependency: bool) -> bool:
    """Report a wrong number of arguments; whether the number is right."""
    if not signature.complete or any(isinstance(arg, syntax.Starred) for arg in node.args):
        return not any(isinstance(arg, syntax.Starred) for arg in node.args)
    if dependency and given.twice is not None:
        name, place = given.twice
        low.report(faults.DEP_TWICE, place, subject=node, callee=signature.name, parameter=name)
        return False
    expected = len(signature.params)
    if given.surplus:
        place = given.surplus[0].span.to(given.surplus[-1].span)
        report_count(low, node, place, signature, str(expected), len(node.args))
        return False
    defaults = {name for name, _, _, has_default in signature.params if has_default and dependency}
    missing = [name for name in given.missing if name not in defaults]
    if not missing:
        return True
    tensors = [name for name, type_, *_ in signature.params if name in missing and not isinstance(type_, ScalarType)]
    if dependency and tensors and signature.name not in low.called:
        low.report(faults.DEP_ARGUMENT, node.span, subject=node, callee=signature.name, parameter=tensors[0])
    else:
        report_count(low, node, node.span, signature, str(expected), expected - len(missing), missing)
    return False


def report_count(
    low: Lowering,
    node: syntax.Call,
    place: Span,
    signature: Signature,
    expected: str,
    given: int,
    missing: list[str] | None = None,
) -> None:
    low.report(
        faults.ARGUMENT_COUNT,
        place,
        subject=node,
        callee=signature.name,
        expected=expected,
        given=given,
        missing=f", missing: {', '.join(missing)}" if missing else "",
        parameters=[name for name, *_ in signature.params],
    )


# --- inline functions ----------------------------------------------------------------------------------------------


def _inline_call(low: Lowering, node: syntax.Call, signature: Signature) -> ir.Expr:
    args = tuple(low.expr(arg) for arg in node.args)
    if node.keywords:
        for keyword in node.keywords:
            low.expr(keyword.value)
        refuse_keywords(low, node, signature, list(node.keywords), False)
        return ir.ErrorExpr(node.span)
    expected = len(signature.params)
    if len(args) != expected:
        surplus = node.args[expected:]
        place = surplus[0].span.to(surplus[-1].span) if surplus else node.span
        missing = [name for name, *_ in signature.params[len(args) :]]
        report_count(low, node, place, signature, str(expected), len(args), missing)
        return ir.ErrorExpr(node.span)
    return expand(low, node, signature, args)
