"""pl.spmd as a with-scope and as a loop, and pl.split_aiv."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pypto_lsp.diagnostics import faults_scopes as faults
from pypto_lsp.frontend import scope_parts, values
from pypto_lsp.frontend.binding import loop_copies
from pypto_lsp.frontend.deps import lower_deps
from pypto_lsp.frontend.enums import enum_literal
from pypto_lsp.frontend.expressions import INDEX_SCALAR
from pypto_lsp.frontend.flags import bool_literal, core_count, name_hint
from pypto_lsp.frontend.lowering import Lowering
from pypto_lsp.frontend.names import first_name, target_names, walk
from pypto_lsp.frontend.optimizations import Optimizations, read_optimizations
from pypto_lsp.frontend.paths import called_name, dotted, is_call
from pypto_lsp.frontend.predicates import check_dependency, lower_predicate
from pypto_lsp.frontend.submit import record_producer
from pypto_lsp.frontend.surroundings import Hidden
from pypto_lsp.ir import nodes as ir
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span
from pypto_lsp.text.stepwise import Steps

KEYWORDS = ("core_num", "sync_start", "name_hint", "optimizations", "allow_early_resolve", "predicate")
LOOP_KEYWORDS = ("init_values", "chunk", "chunk_policy", "attrs", "step", "stage")
SUFFIX = "_spmd"


@dataclass(slots=True)
class SpmdArguments:
    """What the call of ``pl.spmd`` gives."""

    core_num: ir.Expr
    core_num_span: Span | None = None
    sync_start: bool = False
    sync_start_span: Span | None = None
    hint: str = ""
    optimizations: Optimizations = field(default_factory=Optimizations)
    optimizations_node: syntax.Node | None = None
    early: syntax.Keyword | None = None
    deps: tuple[ir.Expr, ...] = ()
    predicate: ir.Expr | None = None
    predicate_node: syntax.Keyword | None = None

    @property
    def attrs(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.deps:
            found["deps"] = self.deps
        if self.early is not None:
            found["allow_early_resolve"] = True
        if self.predicate is not None:
            found["predicate"] = self.predicate
        return found


# --- arguments -----------------------------------------------------------------------------------------------------


def spmd_arguments(low: Lowering, call: syntax.Call, *, captured: bool, loop: bool) -> SpmdArguments:
    """Read the arguments of ``pl.spmd``; ``captured`` tells whether its task id is, so that deps= is possible."""
    given = SpmdArguments(ir.ErrorExpr(call.span))
    counted = False
    if call.args:
        given.core_num = core_count(low, call.args[0])
        given.core_num_span = call.args[0].span
        counted = True
    if len(call.args) > 1:
        low.report(faults.SPMD_POSITIONAL, call.args[1].span.to(call.args[-1].span), subject=call)
    for keyword in call.keywords:
        if keyword.arg == "core_num":
            if counted:
                low.report(faults.GIVEN_TWICE, keyword.span, subject=keyword, keyword="core_num", callee="pl.spmd")
                continue
            given.core_num = core_count(low, keyword.value)
            given.core_num_span = keyword.value.span
            counted = True
        else:
            _keyword(low, call, keyword, given, captured, loop)
    if not counted and not any(keyword.arg is None for keyword in call.keywords):
        low.report(faults.CORE_NUM_MISSING, call.span, subject=call, callee="pl.spmd")
    if given.predicate is not None and given.predicate_node is not None:
        check_dependency(low, given.predicate, given.deps, given.predicate_node.value)
    return given


def _keyword(
    low: Lowering, call: syntax.Call, keyword: syntax.Keyword, given: SpmdArguments, captured: bool, loop: bool
) -> None:
    name = keyword.arg
    if name is None:
        low.report(faults.STAR_KEYWORDS, keyword.span, subject=call, callee="pl.spmd")
    elif name in LOOP_KEYWORDS and loop:
        low.report(faults.SCOPE_LOOP_KEYWORD, keyword.span, subject=call, callee="pl.spmd", keyword=name)
    elif name == "deps":
        if captured:
            given.deps = lower_deps(low, keyword.value)
        else:
            low.report(faults.SPMD_DEPS, keyword.span, subject=call)
    elif name in _VALUES:
        _VALUES[name](low, keyword, given)
    else:
        known = (*KEYWORDS, "deps") if captured else KEYWORDS
        scope_parts.unknown_keyword(low, call, keyword, "pl.spmd", known)


def _sync_start(low: Lowering, keyword: syntax.Keyword, given: SpmdArguments) -> None:
    given.sync_start = bool_literal(low, keyword, "pl.spmd")
    given.sync_start_span = keyword.span


def _hint(low: Lowering, keyword: syntax.Keyword, given: SpmdArguments) -> None:
    given.hint = name_hint(low, keyword.value)


def _optimizations(low: Lowering, keyword: syntax.Keyword, given: SpmdArguments) -> None:
    given.optimizations = read_optimizations(low, keyword.value, "pl.spmd")
    given.optimizations_node = keyword


def _early(low: Lowering, keyword: syntax.Keyword, given: SpmdArguments) -> None:
    if bool_literal(low, keyword, "pl.spmd"):
        given.early = keyword


def _predicate(low: Lowering, keyword: syntax.Keyword, given: SpmdArguments) -> None:
    given.predicate = lower_predicate(low, keyword.value)
    given.predicate_node = keyword


_VALUES: dict[str, Callable[[Lowering, syntax.Keyword, SpmdArguments], None]] = {
    "sync_start": _sync_start,
    "name_hint": _hint,
    "optimizations": _optimizations,
    "allow_early_resolve": _early,
    "predicate": _predicate,
}


def hints(hint: str) -> tuple[str, str]:
    """The names of the launch and of the kernel inside it that one hint gives."""
    if not hint:
        return "", ""
    if hint.endswith(SUFFIX):
        return hint, hint[: -len(SUFFIX)]
    return f"{hint}{SUFFIX}", hint


def _check_cluster(low: Lowering, given: SpmdArguments) -> None:
    """Options of a launch of its own have no effect inside a cluster."""
    if not low.inside("cluster"):
        return
    for keyword in (given.early, given.predicate_node):
        if keyword is not None:
            low.report(faults.CLUSTER_METADATA, keyword.span, subject=keyword, what=f"{keyword.arg} of pl.spmd")
            return


# --- the with form -------------------------------------------------------------------------------------------------


def lower_spmd_scope(low: Lowering, node: syntax.With, call: syntax.Call, item: syntax.WithItem) -> Steps[None]:
    """``with pl.spmd(n):``, perhaps ``as tid``."""
    target = item.optional_vars
    given = spmd_arguments(low, call, captured=target is not None, loop=False)
    attrs = given.attrs
    tid: ir.Var | None = None
    if target is None:
        _check_cluster(low, given)
    elif low.inside("cluster"):
        low.report(faults.CLUSTER_METADATA, target.span, subject=node, what="the task id of pl.spmd")
        for name in target_names(target):
            low.poison(name, target.span)
    elif isinstance(target, syntax.Name):
        tid = scope_parts.bind_task_id(low, target, node.span)
        attrs["task_id_var"] = tid
    else:
        low.report(faults.AS_TARGET, target.span, subject=node, suggestion=first_name(target))
        for name in target_names(target):
            low.poison(name, target.span)
    yield from _emit_scope(low, node, call, given, attrs)
    if tid is not None:
        _record_produced(low, node.body, tid)


def _emit_scope(
    low: Lowering, node: syntax.With, call: syntax.Call, given: SpmdArguments, attrs: dict[str, Any]
) -> Steps[None]:
    wrapped = _needs_region(low, node, call, given)
    if wrapped:
        hint, inner_hint = hints(given.hint)
        with low.block() as out, low.scope("spmd"):
            low.out.append((yield from _region(low, node.body, given, inner_hint, node.span)))
        body: ir.Body = tuple(out)
    else:
        hint = given.hint
        if low.dump_tags:
            attrs["dumps"] = tuple(low.dump_tags)
        body = yield from scope_parts.lower_block(low, node.body, "spmd")
    low.out.append(_scope(given, body, hint, attrs, node.span, call))


def _scope(
    given: SpmdArguments,
    body: ir.Body,
    hint: str,
    attrs: dict[str, Any],
    span: Span,
    call: syntax.Call,
    index: ir.Var | None = None,
) -> ir.SpmdScope:
    return ir.SpmdScope(
        core_num=given.core_num,
        body=body,
        sync_start=given.sync_start,
        index_var=index,
        name_hint=hint,
        attrs=attrs,
        span=span,
        call_span=call.span,
        core_num_span=given.core_num_span,
        sync_start_span=given.sync_start_span,
    )


def _region(
    low: Lowering, body: tuple[syntax.Stmt, ...], given: SpmdArguments, hint: str, span: Span
) -> Steps[ir.InCoreScope]:
    """The region that an inline body becomes."""
    attrs: dict[str, Any] = {}
    if low.dump_tags:
        attrs["dumps"] = tuple(low.dump_tags)
    if given.optimizations.slots is not None:
        attrs["slot_num"] = given.optimizations.slots
    split = given.optimizations.split
    inner = yield from scope_parts.incore_block(low, body, split)
    return ir.InCoreScope(inner, hint, split, True, attrs, span)


def _needs_region(low: Lowering, node: syntax.With, call: syntax.Call, given: SpmdArguments) -> bool:
    """Whether the body has to be wrapped into a region; reports a body that no launch can have."""
    if _carrier(node.body):
        if given.optimizations.given and given.optimizations_node is not None:
            low.report(faults.CARRIER_OPTIMIZATIONS, given.optimizations_node.span, subject=given.optimizations_node)
        return False
    if any(called_name(inner) == "get_block_idx" for inner in _calls(node.body)):
        return True
    dispatches = sum(1 for inner in _calls(node.body) if _is_dispatch(low, inner))
    if dispatches == 0:
        if not _unclear(low, node.body):
            low.report(faults.SPMD_UNIFORM, call.span, subject=node, suggestion="pl.at(level=pl.Level.CORE_GROUP)")
    elif dispatches > 1:
        low.report(faults.SPMD_DISPATCHES, call.span, subject=node, count=dispatches)
    return given.optimizations.given


def _carrier(body: tuple[syntax.Stmt, ...]) -> bool:
    """Whether a body is one ``with pl.at(level=CORE_GROUP)``."""
    if len(body) != 1 or not isinstance(body[0], syntax.With) or len(body[0].items) != 1:
        return False
    call = body[0].items[0].context_expr
    if not (isinstance(call, syntax.Call) and is_call(call, "pl.at")):
        return False
    level = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "level"), None)
    return level is not None and dotted(level).endswith("Level.CORE_GROUP")


def _calls(body: tuple[syntax.Stmt, ...]) -> Iterator[syntax.Call]:
    for stmt in body:
        for inner in walk(stmt):
            if isinstance(inner, syntax.Call):
                yield inner


def _is_dispatch(low: Lowering, call: syntax.Call) -> bool:
    func = call.func
    if isinstance(func, syntax.Attribute):
        return isinstance(func.value, syntax.Name) and func.value.id == "self"
    return isinstance(func, syntax.Name) and low.context.callee(func.id, False) is not None


def _unclear(low: Lowering, body: tuple[syntax.Stmt, ...]) -> bool:
    """Whether a body holds what we cannot read, or calls a name that may be a kernel."""
    for stmt in body:
        for inner in walk(stmt):
            if isinstance(inner, syntax.Broken):
                return True
            if isinstance(inner, syntax.Call) and isinstance(inner.func, syntax.Name):
                value = low.around.value(inner.func.id)
                value = value.value if isinstance(value, Hidden) else value
                if isinstance(value, (values.OpaqueValue, values.KernelRef)):
                    return True
    return False


def _record_produced(low: Lowering, body: tuple[syntax.Stmt, ...], tid: ir.Var) -> None:
    """The names that a launch's body binds are written by its task."""
    names: list[str] = []
    for stmt in body:
        if isinstance(stmt, syntax.Assign):
            names += [name for target in stmt.targets for name in target_names(target)]
        elif isinstance(stmt, syntax.AnnAssign):
            names += target_names(stmt.target)
    bound = [low.names.lookup(name) for name in names]
    produced = [var for var in bound if isinstance(var, ir.Var)]
    if produced:
        record_producer(low, tid, produced)


# --- the loop form -------------------------------------------------------------------------------------------------


def lower_spmd_loop(low: Lowering, node: syntax.For, call: syntax.Call) -> Steps[None]:
    """``for i in pl.spmd(n):``: the variable is the index of the block."""
    given = spmd_arguments(low, call, captured=False, loop=True)
    _check_cluster(low, given)
    low.out.extend(loop_copies(low, node))
    index: ir.Var | None = None
    hint, inner_hint = hints(given.hint)
    with low.block() as out, low.scope("spmd"):
        index = _bind_index(low, node, "pl.spmd")
        low.out.append((yield from _region(low, node.body, given, inner_hint, node.span)))
    low.out.append(_scope(given, tuple(out), hint, given.attrs, node.span, call, index))


def _bind_index(low: Lowering, node: syntax.For, callee: str) -> ir.Var | None:
    """The variable of a launch's loop form."""
    if not isinstance(node.target, syntax.Name):
        first = first_name(node.target)
        low.report(faults.SCOPE_LOOP_TARGET, node.target.span, subject=node, callee=callee, suggestion=first)
        for name in target_names(node.target):
            low.poison(name, node.target.span)
        return None
    index = low.var(node.target.id, INDEX_SCALAR, node.target.span)
    low.names.define(node.target.id, index)
    low.bind(node.target.id, INDEX_SCALAR, node.target.span, kind="loop")
    return index


# --- pl.split_aiv --------------------------------------------------------------------------------------------------


def lower_split_aiv(low: Lowering, node: syntax.For, call: syntax.Call) -> Steps[None]:
    """``for lane in pl.split_aiv(2, mode=...):``."""
    if low.splits:
        low.report(faults.SPLIT_NESTED, call.span, subject=node)
    elif low.user_split is not None:
        low.report(faults.SPLIT_TWICE, call.span, subject=node)
    mode = _split_arguments(low, call)
    low.out.extend(loop_copies(low, node))
    if low.inside("incore") or low.context.func_type == "InCore":
        low.out.append((yield from _split_region(low, node, mode)))
        return
    with low.block() as out, low.scope("incore"):
        low.out.append((yield from _split_region(low, node, mode)))
    attrs = {"dumps": tuple(low.dump_tags)} if low.dump_tags else {}
    low.out.append(ir.InCoreScope(tuple(out), implicit=True, attrs=attrs, span=node.span))


def _split_region(low: Lowering, node: syntax.For, mode: str | None) -> Steps[ir.SplitAivScope]:
    index: ir.Var | None = None
    with low.block() as out, low.scope("split_aiv"), low.deeper():
        index = _bind_index(low, node, "pl.split_aiv")
        low.splits.append(mode or "NONE")
        low.loops.append("split_aiv")
        yield from low.statements(node.body)
        low.loops.pop()
        low.splits.pop()
    return ir.SplitAivScope(tuple(out), mode or "NONE", index, span=node.span)


def _split_arguments(low: Lowering, call: syntax.Call) -> str | None:
    """The split mode; None where it is at fault."""
    if len(call.args) != 1:
        low.report(faults.SPLIT_COUNT, call.span, subject=call)
    else:
        count = low.expr(call.args[0])
        if isinstance(count, ir.ConstInt):
            wrong = count.value != 2
        else:
            wrong = not isinstance(count, (ir.ErrorExpr, ir.OpaqueInt))
        if wrong:
            low.report(faults.SPLIT_COUNT, call.args[0].span, subject=call, suggestion="2")
    mode: str | None = None
    given = False
    for keyword in call.keywords:
        name = keyword.arg
        if name == "mode":
            given = True
            mode = enum_literal(low, keyword.value, "SplitMode")
        elif name is None:
            given = True
            low.report(faults.STAR_KEYWORDS, keyword.span, subject=call, callee="pl.split_aiv")
        elif name == "optimizations":
            low.report(faults.SPLIT_TWICE, keyword.span, subject=call)
        elif name in LOOP_KEYWORDS:
            low.report(faults.SCOPE_LOOP_KEYWORD, keyword.span, subject=call, callee="pl.split_aiv", keyword=name)
        else:
            scope_parts.unknown_keyword(low, call, keyword, "pl.split_aiv", ("mode",))
    if not given:
        suggestion = f"{call.text[:-1]}, mode=pl.SplitMode.NONE)" if call.args else None
        low.report(faults.SPLIT_NO_MODE, call.span, subject=call, suggestion=suggestion)
    return mode
