"""Loops: for over pl.range and its kin, while, pl.while_, break and continue."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from pypto_lsp.diagnostics import faults_loops as faults
from pypto_lsp.diagnostics.older_spellings import Change, renamed_keyword, spoken
from pypto_lsp.diagnostics.spelling import closest
from pypto_lsp.frontend import attrs, binding, statements
from pypto_lsp.frontend.expressions import INDEX_SCALAR, did_you_mean
from pypto_lsp.frontend.lowering import Lowering, Yields, statement
from pypto_lsp.frontend.names import first_name, target_names
from pypto_lsp.frontend.paths import attr_span, called_name
from pypto_lsp.frontend.spmd import lower_split_aiv, lower_spmd_loop
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import INDEX, INT64
from pypto_lsp.ir.enums import ForKind
from pypto_lsp.ir.types import UNDETERMINED, ScalarType
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span
from pypto_lsp.text.stepwise import Steps

KINDS = {
    "range": ForKind.SEQUENTIAL,
    "parallel": ForKind.PARALLEL,
    "unroll": ForKind.UNROLL,
    "pipeline": ForKind.PIPELINE,
}
ITERATORS = (*KINDS, "while_", "spmd", "split_aiv")
KEYWORDS = {
    "range": ("init_values", "attrs"),
    "parallel": ("init_values", "attrs"),
    "unroll": ("init_values", "attrs"),
    "pipeline": ("init_values", "stage", "attrs"),
}
BOUND_NAMES = ("start", "stop", "step")


@dataclass(slots=True)
class Header:
    """What a loop's call gives."""

    start: ir.Expr
    stop: ir.Expr
    step: ir.Expr
    bounds: tuple[syntax.Expr, ...] = ()
    init_values: list[ir.Expr] = field(default_factory=list)
    #: init_values was given, perhaps in a wrong form
    carries: bool = False
    stage: int | None = None
    attrs: dict[str, Any] = field(default_factory=dict)


@statement(syntax.For)
def lower_for(low: Lowering, node: syntax.For) -> Steps[None]:
    low.python_loops += 1
    yield from _lower_for(low, node)
    low.python_loops -= 1


def _lower_for(low: Lowering, node: syntax.For) -> Steps[None]:
    call = node.iter
    name = called_name(call)
    if not (isinstance(call, syntax.Call) and isinstance(call.func, syntax.Attribute) and name in ITERATORS):
        yield from _no_iterator(low, node)
        return
    if name == "while_":
        yield from lower_while_form(low, node, call)
    elif name == "spmd":
        yield from lower_spmd_loop(low, node, call)
    elif name == "split_aiv":
        yield from lower_split_aiv(low, node, call)
    else:
        assert name is not None
        yield from _counted(low, node, call, name)


def _no_iterator(low: Lowering, node: syntax.For) -> Steps[None]:
    """A loop over something else: the body is still lowered, with an index of unknown type."""
    iterator = node.iter
    suggestion, place = _progression(iterator), iterator.span
    if isinstance(iterator, syntax.Call):
        name = called_name(iterator)
        if isinstance(iterator.func, syntax.Name) and name in KINDS:
            suggestion, place = f"pl.{name}", iterator.func.span
        elif name in ("enumerate", "reversed", "zip", "tqdm"):
            inner = next((arg for arg in iterator.args if called_name(arg) in KINDS), None)
            suggestion = inner.text if inner is not None else None
        elif isinstance(iterator.func, syntax.Attribute) and name is not None:
            suggestion = closest(name, KINDS)
            place = attr_span(iterator.func) if suggestion else place
    low.report(faults.ITERATOR, place, subject=node, advice=did_you_mean(suggestion), suggestion=suggestion)
    yield from _stand_in(low, node)


def _progression(node: syntax.Expr) -> str | None:
    """The pl.range that a list of evenly spaced integers stands for."""
    if not isinstance(node, (syntax.List, syntax.Tuple)) or len(node.elts) < 2:
        return None
    numbers = [elt.value for elt in node.elts if isinstance(elt, syntax.Constant) and type(elt.value) is int]
    step = numbers[1] - numbers[0] if len(numbers) == len(node.elts) else 0
    if step <= 0 or any(b - a != step for a, b in pairwise(numbers)):
        return None
    stop = numbers[-1] + step
    if step == 1:
        return f"pl.range({stop})" if numbers[0] == 0 else f"pl.range({numbers[0]}, {stop})"
    return f"pl.range({numbers[0]}, {stop}, {step})"


def _stand_in(low: Lowering, node: syntax.For) -> Steps[None]:
    """The loop that stands for one whose header is at fault."""
    zero = ir.ConstInt(0, INDEX, node.iter.span)
    header = Header(zero, ir.ErrorExpr(node.iter.span), ir.ConstInt(1, INDEX, node.iter.span))
    names = target_names(node.target)
    var = low.var(names[0] if names else "_", UNDETERMINED, node.target.span)
    yield from _emit(low, node, header, ForKind.SEQUENTIAL, "range", var, names[1:] or None)


def _counted(low: Lowering, node: syntax.For, call: syntax.Call, kind: str) -> Steps[None]:
    target = _target(low, node)
    header = _header(low, call, kind)
    if target is None:
        yield from _stand_in(low, node)
        return
    name, carried = target
    if carried is None and header.init_values:
        low.report(faults.CARRIED_MISSING, name.span, subject=node, values=len(header.init_values))
        header.init_values = []
    if header.init_values:
        check_bare_yield(low, node.body)
    if kind == "unroll":
        _check_unroll(low, call, header)
    var = low.var(name.id, _index_type(header), name.span)
    names = _carried_names(low, carried, header) if carried is not None else None
    yield from _emit(low, node, header, KINDS[kind], kind, var, names)


def _index_type(header: Header) -> ScalarType:
    """INDEX, unless typed constants bound the loop."""
    dtypes = [bound.dtype for bound in (header.start, header.stop, header.step) if isinstance(bound, ir.ConstInt)]
    written = dtypes[-len(header.bounds) :] if header.bounds else []
    for dtype in written:
        if dtype not in (INDEX, INT64):
            return ScalarType(dtype)
    if INT64 in written and INDEX not in written:
        return ScalarType(INT64)
    return INDEX_SCALAR


# --- header --------------------------------------------------------------------------------------------------------


def _target(low: Lowering, node: syntax.For) -> tuple[syntax.Name, syntax.Expr | None] | None:
    """The loop variable and the carried names; None where the target is at fault."""
    target = node.target
    if isinstance(target, syntax.Name):
        return target, None
    if isinstance(target, syntax.Tuple) and len(target.elts) == 2:
        first, second = target.elts
        if isinstance(first, syntax.Name):
            return first, second
        low.report(faults.TARGET, first.span, subject=node)
        return None
    low.report(faults.TARGET, target.span, subject=node, suggestion=first_name(target))
    return None


def _header(low: Lowering, call: syntax.Call, kind: str) -> Header:
    bounds = [low.expr(arg) for arg in call.args[:3]]
    for arg in call.args[3:]:
        low.expr(arg)
    if len(call.args) > 3:
        behind, end = call.args[2].span.end_offset, call.args[-1].span.end_offset
        place = Span(call.anchor, behind - call.anchor.offset, end - call.anchor.offset)
        low.report(faults.SURPLUS_BOUND, place, subject=call, loop=kind)
    header = _bounds(low, call, kind, bounds)
    header.bounds = call.args[:3]
    stage: syntax.Keyword | None = None
    for keyword in call.keywords:
        if keyword.arg == "init_values":
            header.init_values = init_values(low, keyword)
            header.carries = True
        elif keyword.arg == "stage":
            stage = keyword
        elif keyword.arg == "attrs":
            header.attrs = attrs.loop_attrs(low, keyword.value)
        else:
            _unknown_keyword(low, call, keyword, kind)
    _stage(low, call, stage, kind, header)
    return header


def _bounds(low: Lowering, call: syntax.Call, kind: str, bounds: list[ir.Expr]) -> Header:
    zero, one = ir.ConstInt(0, INDEX, call.span), ir.ConstInt(1, INDEX, call.span)
    match bounds:
        case []:
            if not any(keyword.arg in BOUND_NAMES for keyword in call.keywords):
                low.report(faults.NO_STOP, call.span, subject=call, loop=kind)
            return Header(zero, ir.ErrorExpr(call.span), one)
        case [stop]:
            return Header(zero, stop, one)
        case [start, stop]:
            return Header(start, stop, one)
        case [start, stop, step, *_]:
            return Header(start, stop, step)
    raise AssertionError(bounds)


def init_values(low: Lowering, keyword: syntax.Keyword) -> list[ir.Expr]:
    """The values that a loop carries."""
    value = keyword.value
    if isinstance(value, (syntax.List, syntax.Tuple)):
        return [low.expr(elt) for elt in value.elts]
    low.report(faults.INIT_VALUES, value.span, subject=value, suggestion=f"({value.text},)")
    low.expr(value)
    return []


def _unknown_keyword(low: Lowering, call: syntax.Call, keyword: syntax.Keyword, kind: str) -> None:
    name = keyword.arg or "**"
    change = renamed_keyword(f"pl.{kind}", name)
    if change is not None:
        _older_keyword(low, call, keyword, kind, change)
        return
    place, advice = keyword.span, f": it takes {', '.join(KEYWORDS[kind])}"
    suggestion = closest(name, KEYWORDS[kind])
    if name in BOUND_NAMES:
        place = (call.args[0] if call.args else keyword).span.to(keyword.span)
        advice = ": bounds are positional"
        suggestion = _positional_bounds(call, keyword)
    elif suggestion is not None:
        advice = did_you_mean(suggestion)
        suggestion = f"{suggestion}={keyword.value.text}"
    low.expr(keyword.value)
    low.report(
        faults.LOOP_KEYWORD,
        place,
        subject=call,
        loop=kind,
        keyword=name,
        advice=advice,
        suggestion=suggestion,
    )


def _older_keyword(low: Lowering, call: syntax.Call, keyword: syntax.Keyword, kind: str, change: Change) -> None:
    """A keyword of older releases: ``chunk=`` went with the chunked loops, ``unroll=`` became a loop of its own."""
    if not isinstance(keyword.value, syntax.Constant):
        low.expr(keyword.value)
    if not change.new:
        if low.first_report("retired", "chunked loops"):
            low.report(
                faults.RETIRED_CHUNKS, keyword.span, subject=call, what=keyword.text, since=change.since,
                day=spoken(change.since),
            )  # fmt: skip
        return
    low.older(
        change, faults.LOOP_KEYWORD, keyword.span, subject=call, loop=kind, keyword=keyword.arg, advice="",
        rewritten=_pipelined(call, keyword),
    )  # fmt: skip


def _pipelined(call: syntax.Call, unroll: syntax.Keyword) -> str:
    """``pl.range(..., unroll=4)`` as a pipeline."""
    own = [arg.text for arg in call.args]
    own += [f"stage={k.value.text}" if k is unroll else k.text for k in call.keywords]
    return f"{call.func.text.rpartition('.')[0]}.pipeline({', '.join(own)})"


def _positional_bounds(call: syntax.Call, keyword: syntax.Keyword) -> str | None:
    """The arguments with a bound by keyword put into its place."""
    given = [arg.text for arg in call.args]
    if keyword.arg == "step" and len(given) in (1, 2):
        return ", ".join([*(["0"] if len(given) == 1 else []), *given, keyword.value.text])
    if keyword.arg == "stop" and len(given) <= 1:
        return ", ".join([*given, keyword.value.text])
    return None


def _stage(low: Lowering, call: syntax.Call, stage: syntax.Keyword | None, kind: str, header: Header) -> None:
    if kind != "pipeline":
        if stage is not None:
            low.expr(stage.value)
            pipeline = f"pl.pipeline{call.text[call.func.end - call.func.start :]}"
            low.report(faults.STAGE_ELSEWHERE, call.span, subject=call, loop=kind, suggestion=pipeline)
        return
    if stage is None:
        low.report(faults.STAGE_MISSING, call.span, subject=call, suggestion=f"{call.text[:-1]}, stage=2)")
        return
    value = low.expr(stage.value)
    if isinstance(value, ir.ConstInt):
        if value.value < 1:
            low.report(faults.STAGE_RANGE, stage.value.span, subject=stage, value=int(value.value))
        else:
            header.stage = int(value.value)
            header.attrs["pipeline_stages"] = value.value
    elif not isinstance(value, (ir.ErrorExpr, ir.OpaqueInt)):
        low.report(faults.STAGE_DYNAMIC, stage.value.span, subject=stage)


def _check_unroll(low: Lowering, call: syntax.Call, header: Header) -> None:
    if header.init_values:
        keyword = attrs.keyword_of(call, "init_values")
        low.report(faults.UNROLL_CARRIED, (keyword or call).span, subject=call)
    for node, bound in zip(header.bounds, _written(header)):
        if isinstance(node, syntax.Subscript) and bound.type is not UNDETERMINED:
            low.report(faults.UNROLL_BOUND, node.span, subject=call)  # the compiler folds names and arithmetic only
            return
        if not isinstance(bound, (ir.ConstInt, ir.ErrorExpr, ir.OpaqueInt)) and bound.type is not UNDETERMINED:
            if isinstance(bound.type, ScalarType) and bound.type.dtype is None:
                continue
            low.report(faults.UNROLL_BOUND, node.span, subject=call)
            return
    if isinstance(header.step, ir.ConstInt) and header.step.value == 0:
        low.report(faults.UNROLL_STEP, header.step.span or call.span, subject=call, suggestion="1")


def _written(header: Header) -> tuple[ir.Expr, ...]:
    """The bounds as far as they are written."""
    return {1: (header.stop,), 2: (header.start, header.stop)}.get(
        len(header.bounds), (header.start, header.stop, header.step)
    )


def _carried_names(low: Lowering, node: syntax.Expr, header: Header) -> list[str] | None:
    """The names of the carried values; None where they are at fault."""
    count = len(header.init_values)
    if not isinstance(node, syntax.Tuple):
        if header.carries and not count:
            return target_names(node)
        low.report(faults.CARRIED_NAMES, node.span, subject=node)
        return target_names(node)
    if len(node.elts) != count:
        if count or not header.carries:
            _report_count(low, node, count)
        return target_names(node)
    return carried_list(low, node.elts)


def _report_count(low: Lowering, target: syntax.Tuple, count: int) -> None:
    """Carried names and values differ in number; surplus names can go."""
    kept = [elt.text for elt in target.elts[:count]]
    suggestion = None
    if 0 < count < len(target.elts):
        suggestion = f"({kept[0]},)" if count == 1 else f"({', '.join(kept)})"
    low.report(
        faults.CARRIED_COUNT, target.span, subject=target, names=len(target.elts), values=count, suggestion=suggestion
    )


def carried_list(low: Lowering, nodes: tuple[syntax.Expr, ...]) -> list[str]:
    """Plain names from a tuple; reports anything else among them."""
    wrong = next((elt for elt in nodes if not isinstance(elt, syntax.Name)), None)
    if wrong is not None:
        low.report(faults.CARRIED_NAMES, wrong.span, subject=wrong)
    return [name for elt in nodes for name in (target_names(elt) or ["_"])]


def check_bare_yield(low: Lowering, body: tuple[syntax.Stmt, ...]) -> None:
    """A carrying loop names what it yields."""
    bare = _bare_yield(body)
    if bare is not None:
        low.report(faults.BARE_YIELD, bare.value.span, subject=bare)


def _bare_yield(body: tuple[syntax.Stmt, ...]) -> syntax.ExprStmt | None:
    for stmt in body:
        found = None
        if isinstance(stmt, syntax.ExprStmt) and called_name(stmt.value) == "yield_":
            found = stmt
        elif isinstance(stmt, syntax.If):
            found = _bare_yield(stmt.body) or _bare_yield(stmt.orelse)
        elif isinstance(stmt, syntax.With):
            found = _bare_yield(stmt.body)
        if found is not None:
            return found
    return None


# --- the loop ------------------------------------------------------------------------------------------------------


def _emit(
    low: Lowering,
    node: syntax.For,
    header: Header,
    kind: ForKind,
    word: str,
    var: ir.Var,
    carried: list[str] | None,
) -> Steps[None]:
    """Lower the body and append the loop. ``carried`` is None for a target without carried names."""
    low.out.extend(binding.loop_copies(low, node))
    before = len(low.diagnostics)
    iter_args: list[ir.IterArg] = []
    with low.block() as out, low.yielding() as yields, low.deeper():
        low.loops.append(word)
        low.names.enter()
        low.names.define(var.name, var)
        if var.span is not None:
            low.bind(var.name, var.type, var.span, kind="loop")
        iter_args = carry(low, carried or [], header.init_values, node.target)
        yields.carries = bool(iter_args)
        yield from low.statements(node.body)
        results = _results(low, yields, iter_args, node, sound=len(low.diagnostics) == before)
        low.names.leave(leak=carried is None and not yields.names)
        low.loops.pop()
    low.out.append(
        ir.For(
            var=var,
            start=header.start,
            stop=header.stop,
            step=header.step,
            kind=kind,
            body=tuple(out),
            iter_args=tuple(iter_args),
            return_vars=results,
            attrs=header.attrs,
            span=node.span,
        )
    )
    publish(low, results, yields)


def carry(low: Lowering, names: list[str], values: list[ir.Expr], target: syntax.Expr) -> list[ir.IterArg]:
    """Bind the carried names inside a loop."""
    spans = _name_spans(target)
    found: list[ir.IterArg] = []
    for i, name in enumerate(names):
        init = values[i] if i < len(values) else ir.ErrorExpr(target.span)
        var = low.var(name, init.type, spans.get(name, target.span))
        low.names.define(name, var)
        low.bind(name, var.type, spans.get(name, target.span), kind="carried")
        if i < len(values):
            found.append(ir.IterArg(var, init))
    return found


def _name_spans(target: syntax.Expr) -> dict[str, Span]:
    if isinstance(target, syntax.Name):
        return {target.id: target.span}
    if isinstance(target, (syntax.Tuple, syntax.List)):
        return {name: span for elt in target.elts for name, span in _name_spans(elt).items()}
    return {}


def _results(
    low: Lowering, yields: Yields, iter_args: list[ir.IterArg], node: syntax.For, *, sound: bool
) -> tuple[ir.Var, ...]:
    """The variables that hold the carried values after the loop: of the carried types, under the names that are yielded.

    ``sound`` tells that nothing in the loop is at fault, so that the number of yielded values can be judged.
    """
    if not iter_args:
        return ()
    if not yields.names:
        return tuple(low.var(f"{arg.var.name}_out", arg.var.type, node.span) for arg in iter_args)
    if len(yields.names) != len(iter_args) and sound:
        places = [place for name in yields.names for place in yields.places[name]]
        low.report(
            faults.YIELD_COUNT,
            places[0].to(places[-1]),
            subject=node,
            names=len(yields.names),
            values=len(iter_args),
        )
    types = [arg.var.type for arg in iter_args] + [UNDETERMINED] * len(yields.names)
    if not low.context.printed:  # printed IR states the type of every result
        yields.types.update(zip(yields.names, types))
    return tuple(yields.result(low, name, node.span) for name in yields.names)


def publish(low: Lowering, results: tuple[ir.Var, ...], yields: Yields) -> None:
    """Make the yielded names visible after the loop."""
    if not yields.names:
        return
    known = {var.name: var for var in results}
    for name in yields.names:
        var = known.get(name) or low.var(name, UNDETERMINED, None)
        statements.define_result(low, var, yields)


# --- while ---------------------------------------------------------------------------------------------------------


@statement(syntax.While)
def lower_while(low: Lowering, node: syntax.While) -> Steps[None]:
    condition = low.expr(node.test)
    statements.check_condition(low, condition, node.test, "while")
    low.python_loops += 1
    with low.block() as out:
        low.loops.append("while")
        low.names.enter()
        yield from low.statements(node.body)
        low.names.leave(leak=True)
        low.loops.pop()
    low.python_loops -= 1
    low.out.append(ir.While(condition, tuple(out), span=node.span))


def lower_while_form(low: Lowering, node: syntax.For, call: syntax.Call) -> Steps[None]:
    """``for (a, b) in pl.while_(init_values=(...)):`` with ``pl.cond(...)`` first."""
    if call.args:
        parts: tuple[syntax.Node, ...] = (*call.args, *call.keywords)
        texts = [keyword.text for keyword in call.keywords] or [
            f"init_values=({', '.join(arg.text for arg in call.args)},)"
        ]
        place = parts[0].span.to(parts[-1].span)
        low.report(faults.WHILE_POSITIONAL, place, subject=call, suggestion=", ".join(texts))
    keyword = attrs.keyword_of(call, "init_values")
    values = init_values(low, keyword) if keyword is not None else []
    if keyword is None and not call.args:
        low.report(faults.WHILE_NO_VALUES, call.span, subject=call)
    names = _while_names(low, node, values, keyword is not None)
    check_bare_yield(low, node.body)
    low.out.extend(binding.loop_copies(low, node))
    before = len(low.diagnostics)
    head, rest = node.body[:1], node.body[1:]
    iter_args: list[ir.IterArg] = []
    with low.block() as out, low.yielding() as yields, low.deeper():
        low.loops.append("while")
        low.names.enter()
        iter_args = carry(low, names, values, node.target)
        yields.carries = bool(iter_args)
        condition: ir.Expr = ir.ErrorExpr(node.span)
        if head and _is_cond(head[0]):
            condition = _condition(low, head[0])
        elif head:
            low.report(faults.NO_COND, head[0].span, subject=head[0])
            rest = node.body
        for stmt in rest:
            if _is_cond(stmt):
                low.report(faults.LATE_COND, stmt.span, subject=stmt)
            else:
                yield from low.stmt(stmt)
        low.names.leave(leak=False)
        low.loops.pop()
    results = _results(low, yields, iter_args, node, sound=len(low.diagnostics) == before)
    low.out.append(ir.While(condition, tuple(out), tuple(iter_args), results, node.span))
    publish(low, results, yields)


def _is_cond(stmt: syntax.Stmt) -> bool:
    return isinstance(stmt, syntax.ExprStmt) and called_name(stmt.value) == "cond"


def _condition(low: Lowering, stmt: syntax.Stmt) -> ir.Expr:
    assert isinstance(stmt, syntax.ExprStmt) and isinstance(stmt.value, syntax.Call)
    call = stmt.value
    if len(call.args) != 1:
        place = call.args[0].span.to(call.args[-1].span) if call.args else call.span
        joined = " and ".join(arg.text for arg in call.args) if len(call.args) > 1 else None
        return low.error(faults.COND_ARGUMENTS, call, place, suggestion=joined)
    condition = low.expr(call.args[0])
    statements.check_condition(low, condition, call.args[0], "while")
    return condition


def _while_names(low: Lowering, node: syntax.For, values: list[ir.Expr], known: bool) -> list[str]:
    target = node.target
    if not isinstance(target, syntax.Tuple):
        low.report(faults.CARRIED_NAMES, target.span, subject=target)
        return target_names(target)
    if known and values and len(target.elts) != len(values):
        _report_count(low, target, len(values))
        return target_names(target)
    return carried_list(low, target.elts)


# --- break and continue --------------------------------------------------------------------------------------------

_WHERE = {
    "parallel": "in a parallel loop",
    "unroll": "in an unrolled loop",
    "split_aiv": "in a pl.split_aiv region",
}


@statement(syntax.Break, syntax.Continue)
def lower_loop_control(low: Lowering, node: syntax.Break | syntax.Continue) -> None:
    word = "break" if isinstance(node, syntax.Break) else "continue"
    where = _WHERE.get(low.loops[-1]) if low.loops else "outside a loop"
    if where is not None and low.python_loops:
        low.report(faults.LOOP_CONTROL, node.span, subject=node, keyword=word, where=where, suggestion="pass")
    low.out.append(ir.Break(node.span) if word == "break" else ir.Continue(node.span))
