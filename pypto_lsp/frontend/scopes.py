"""with-scopes: pl.at, pl.cluster, pl.scope, pl.manual_scope; pl.spmd is in a module of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pypto_lsp.diagnostics import faults_scopes as faults
from pypto_lsp.diagnostics.older_spellings import form, renamed_keyword
from pypto_lsp.diagnostics.spelling import closest
from pypto_lsp.frontend.deps import lower_deps
from pypto_lsp.frontend.enums import enum_literal
from pypto_lsp.frontend.expressions import did_you_mean, report_unknown_name
from pypto_lsp.frontend.flags import bool_literal, name_hint
from pypto_lsp.frontend.lowering import Lowering, statement
from pypto_lsp.frontend.names import first_name, target_names
from pypto_lsp.frontend.optimizations import Optimizations, older_optimizations, read_optimizations
from pypto_lsp.frontend.paths import dotted
from pypto_lsp.frontend.scope_parts import bind_task_id, incore_block, lower_block, unknown_keyword
from pypto_lsp.frontend.spmd import lower_spmd_scope
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import TENSORS, UNDETERMINED, kind_name
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text.stepwise import Steps

ScopeRule = Callable[[Lowering, syntax.With, syntax.Call, syntax.WithItem], Steps[None]]

AT_KEYWORDS = (
    "level", "role", "optimizations", "deps", "no_dep_args", "dumps", "allow_early_resolve", "name_hint", "windowize",
)  # fmt: skip
#: levels from which a sub-worker is a function of its own
HOST_LEVELS = ("HOST", "CLUSTER_0", "CLUSTER_1", "CLUSTER_2", "GLOBAL")


@statement(syntax.With)
def lower_with(low: Lowering, node: syntax.With) -> Steps[None]:
    item = node.items[0]
    call = item.context_expr
    if len(node.items) != 1:
        low.report(faults.SEVERAL_ITEMS, item.span.to(node.items[-1].span), subject=node)
        yield from stand_in(low, node)
        return
    path = dotted(call.func) if isinstance(call, syntax.Call) else ""
    rule = SCOPES.get(path)
    if rule is None or not isinstance(call, syntax.Call):
        yield from _no_scope(low, node, call)
        return
    if item.optional_vars is not None and path not in ("pl.at", "pl.spmd"):
        low.report(faults.AS_ELSEWHERE, item.optional_vars.span, subject=node, callee=path)
        for name in target_names(item.optional_vars):
            low.poison(name, item.optional_vars.span)
    yield from rule(low, node, call, item)


def _older_scope(low: Lowering, node: syntax.With, call: syntax.Call, path: str) -> Steps[None]:
    """A scope of older releases: ``pl.incore`` and ``pl.auto_incore`` open the region that ``pl.at`` opens now."""
    change, suggestion = form(path), None
    region = path != "pl.auto_scope"
    if region:
        suggestion = _at_of_today(call)
    elif not low.context.auto_scope:  # else the compiler owns those scopes now
        suggestion = "pl.scope()"
    low.older(change, faults.CONTEXT_MANAGER, call.span, subject=node, text=call.text, advice="", suggestion=suggestion)
    if not region:
        yield from stand_in(low, node)
        return
    hint = next((name_hint(low, k.value) for k in call.keywords if k.arg == "name_hint"), "")
    mode = _old_split(call)
    split = enum_literal(low, mode, "SplitMode") if mode is not None else None
    for item in node.items:
        for name in target_names(item.optional_vars):
            low.poison(name, item.span)
    body = yield from incore_block(low, node.body, split)
    low.out.append(ir.InCoreScope(body, hint, split, False, {}, node.span))


def _old_split(call: syntax.Call) -> syntax.Expr | None:
    """The split mode of ``pl.incore(mode, name_hint=...)``."""
    given = next((k.value for k in call.keywords if k.arg == "split"), None)
    return call.args[0] if call.args else given


def _at_of_today(call: syntax.Call) -> str:
    """The ``pl.at(...)`` that a ``pl.incore(...)`` is now."""
    parts, mode = ["level=pl.Level.CORE_GROUP"], _old_split(call)
    if mode is not None:
        parts.append(f"optimizations=[pl.split({mode.text})]")
    parts += [keyword.text for keyword in call.keywords if keyword.arg == "name_hint"]
    return f"pl.at({', '.join(parts)})"


OLDER_SCOPES = ("pl.incore", "pl.auto_incore", "pl.auto_scope")


def _no_scope(low: Lowering, node: syntax.With, call: syntax.Expr) -> Steps[None]:
    path = dotted(call.func) if isinstance(call, syntax.Call) else ""
    if isinstance(call, syntax.Call) and path in OLDER_SCOPES:
        yield from _older_scope(low, node, call, path)
        return
    suggestion = None
    if path:
        close = closest(path.rpartition(".")[2], [scope.removeprefix("pl.") for scope in SCOPES])
        suggestion = f"pl.{close}" if close else None
    if suggestion == "pl.at":
        suggestion = "pl.at(level=pl.Level.CORE_GROUP)"
    low.report(
        faults.CONTEXT_MANAGER,
        call.span,
        subject=node,
        text=call.text,
        advice=did_you_mean(suggestion),
        suggestion=suggestion,
    )
    yield from stand_in(low, node)


def stand_in(low: Lowering, node: syntax.With) -> Steps[None]:
    """The scope that stands for one whose header is at fault: it only groups its statements."""
    for item in node.items:
        for name in target_names(item.optional_vars):
            low.poison(name, item.span)
    body = yield from lower_block(low, node.body, "runtime")
    low.out.append(ir.RuntimeScope(body, span=node.span))


# --- pl.at ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class AtArguments:
    """What the call of ``pl.at`` gives. ``level`` is None where it is at fault."""

    level: str | None = None
    role: str | None = None
    optimizations: Optimizations = field(default_factory=Optimizations)
    hint: str = ""
    early: bool = False
    windowize: bool = False
    deps: syntax.Expr | None = None
    lists: dict[str, syntax.Keyword] = field(default_factory=dict)
    role_node: syntax.Node | None = None
    optimizations_node: syntax.Node | None = None


def at_arguments(low: Lowering, call: syntax.Call) -> AtArguments:
    """Read the arguments of ``pl.at``."""
    given = AtArguments()
    seen: set[str] = set()
    if len(call.args) > 2:
        place = call.args[1].span.to(call.args[-1].span)
        low.report(faults.AT_POSITIONAL, place, subject=call)
    if call.args:
        given.level = enum_literal(low, call.args[0], "Level")
        seen.add("level")
    if len(call.args) == 2:
        given.role = enum_literal(low, call.args[1], "Role")
        given.role_node = call.args[1]
        seen.add("role")
    for keyword in call.keywords:
        _at_keyword(low, call, keyword, given, seen)
    if "level" not in seen:
        level, rest = "level=pl.Level.CORE_GROUP", call.text[call.func.end - call.func.start + 1 :].lstrip()
        joint = "" if rest == ")" else ", "
        low.report(faults.AT_NO_LEVEL, call.span, subject=call, suggestion=f"{call.func.text}({level}{joint}{rest}")
    return given


def _at_keyword(low: Lowering, call: syntax.Call, keyword: syntax.Keyword, given: AtArguments, seen: set[str]) -> None:
    name = keyword.arg
    if name is None:
        low.report(faults.STAR_KEYWORDS, keyword.span, subject=call, callee="pl.at")
        seen.add("level")
        return
    change = renamed_keyword("pl.at", name)
    if change is not None:
        older = older_optimizations(low, call, keyword, change)
        given.optimizations.split = given.optimizations.split or older.split
        return
    if name not in AT_KEYWORDS:
        unknown_keyword(low, call, keyword, "pl.at", AT_KEYWORDS)
        return
    if name in seen and name not in ("allow_early_resolve", "windowize", "name_hint"):
        low.report(faults.GIVEN_TWICE, keyword.span, subject=keyword, keyword=name, callee="pl.at")
        return
    seen.add(name)
    _AT_VALUES[name](low, keyword, given)


def _level(low: Lowering, keyword: syntax.Keyword, given: AtArguments) -> None:
    given.level = enum_literal(low, keyword.value, "Level")


def _role(low: Lowering, keyword: syntax.Keyword, given: AtArguments) -> None:
    given.role = enum_literal(low, keyword.value, "Role")
    given.role_node = keyword


def _optimizations(low: Lowering, keyword: syntax.Keyword, given: AtArguments) -> None:
    given.optimizations = read_optimizations(low, keyword.value, "pl.at")
    given.optimizations_node = keyword


def _hint(low: Lowering, keyword: syntax.Keyword, given: AtArguments) -> None:
    given.hint = name_hint(low, keyword.value)


def _early(low: Lowering, keyword: syntax.Keyword, given: AtArguments) -> None:
    given.early = bool_literal(low, keyword, "pl.at")


def _windowize(low: Lowering, keyword: syntax.Keyword, given: AtArguments) -> None:
    given.windowize = bool_literal(low, keyword, "pl.at")


def _deps(low: Lowering, keyword: syntax.Keyword, given: AtArguments) -> None:
    given.deps = keyword.value


def _list(low: Lowering, keyword: syntax.Keyword, given: AtArguments) -> None:
    assert keyword.arg is not None
    given.lists[keyword.arg] = keyword


_AT_VALUES: dict[str, Callable[[Lowering, syntax.Keyword, AtArguments], None]] = {
    "level": _level,
    "role": _role,
    "optimizations": _optimizations,
    "name_hint": _hint,
    "allow_early_resolve": _early,
    "windowize": _windowize,
    "deps": _deps,
    "no_dep_args": _list,
    "dumps": _list,
}


def _at(low: Lowering, node: syntax.With, call: syntax.Call, item: syntax.WithItem) -> Steps[None]:
    given = at_arguments(low, call)
    level = given.level or "CORE_GROUP"
    core_group = level == "CORE_GROUP"
    if given.level is not None:
        _check_level(low, given, level)
    attrs = _at_attrs(low, given)
    tid = _task_id(low, node, item.optional_vars)
    if tid is not None:
        attrs["task_id_var"] = tid
    if given.early:
        attrs["allow_early_resolve"] = True
    if given.optimizations.slots is not None:
        attrs["slot_num"] = given.optimizations.slots
    if given.windowize:
        attrs["windowize"] = True
    if not core_group:
        body = yield from lower_block(low, node.body, "hierarchy")
        low.out.append(ir.HierarchyScope(body, level, given.role, given.hint, attrs, node.span))
        return
    body = yield from incore_block(low, node.body, given.optimizations.split)
    low.out.append(ir.InCoreScope(body, given.hint, given.optimizations.split, False, attrs, node.span))


def _check_level(low: Lowering, given: AtArguments, level: str) -> None:
    core_group = level == "CORE_GROUP"
    if given.optimizations.given and not core_group and given.optimizations_node is not None:
        low.report(faults.OPTIMIZATIONS_LEVEL, given.optimizations_node.span, subject=given.optimizations_node)
    if given.role is not None and given.role_node is not None:
        if core_group:
            low.report(faults.ROLE_ON_CORE_GROUP, given.role_node.span, subject=given.role_node)
        elif level in HOST_LEVELS and given.role == "SubWorker":
            low.report(faults.INLINE_SUB_WORKER, given.role_node.span, subject=given.role_node)


def _at_attrs(low: Lowering, given: AtArguments) -> dict[str, Any]:
    attrs: dict[str, Any] = {}
    if given.deps is not None:
        deps = lower_deps(low, given.deps)
        if deps:
            attrs["deps"] = deps
    no_dep = given.lists.get("no_dep_args")
    if no_dep is not None:
        attrs["no_dep_args"] = tensor_list(low, no_dep, "no_dep_args")
    dumps = given.lists.get("dumps")
    marked = tensor_list(low, dumps, "dumps") if dumps is not None else ()
    marked += tuple(var for var in low.dump_tags if var not in marked)
    if marked:
        attrs["dumps"] = marked
    return attrs


def tensor_list(low: Lowering, keyword: syntax.Keyword, name: str) -> tuple[ir.Var, ...]:
    """The tensors that a scope's keyword lists by name."""
    if not isinstance(keyword.value, (syntax.List, syntax.Tuple)):
        low.report(
            faults.TENSOR_LIST_FORM,
            keyword.value.span,
            subject=keyword,
            keyword=name,
            suggestion=f"[{keyword.value.text}]" if isinstance(keyword.value, syntax.Name) else None,
        )
        return ()
    found: list[ir.Var] = []
    for elt in keyword.value.elts:
        var = _listed_tensor(low, elt, name)
        if var is None:
            continue
        if var in found:
            low.report(faults.TENSOR_LIST_TWICE, elt.span, subject=elt, name=elt.text)
        else:
            found.append(var)
    return tuple(found)


def _listed_tensor(low: Lowering, elt: syntax.Expr, keyword: str) -> ir.Var | None:
    if not isinstance(elt, syntax.Name):
        low.report(faults.TENSOR_LIST_ENTRY, elt.span, subject=elt, keyword=keyword)
        return None
    bound = low.names.lookup(elt.id)
    if bound is None:
        report_unknown_name(low, faults.TENSOR_LIST_UNKNOWN, elt)
        return None
    if bound.type is UNDETERMINED or not isinstance(bound, ir.Var):
        return None
    if not isinstance(bound.type, TENSORS):
        low.report(
            faults.TENSOR_LIST_KIND, elt.span, subject=elt, name=elt.id, kind=kind_name(bound.type), keyword=keyword
        )
        return None
    return bound


def _task_id(low: Lowering, node: syntax.With, target: syntax.Expr | None) -> ir.Var | None:
    """The variable of ``as tid``, with the placeholder that defines it before the scope."""
    if target is None:
        return None
    if not isinstance(target, syntax.Name):
        low.report(faults.AS_TARGET, target.span, subject=node, suggestion=first_name(target))
        for name in target_names(target):
            low.poison(name, target.span)
        return None
    return bind_task_id(low, target, node.span)


# --- pl.spmd, pl.cluster, pl.scope, pl.manual_scope ----------------------------------------------------------------


def _spmd(low: Lowering, node: syntax.With, call: syntax.Call, item: syntax.WithItem) -> Steps[None]:
    yield from lower_spmd_scope(low, node, call, item)


def _cluster(low: Lowering, node: syntax.With, call: syntax.Call, item: syntax.WithItem) -> Steps[None]:
    hint = ""
    _no_positional(low, call, "pl.cluster", "name_hint= only")
    for keyword in call.keywords:
        if keyword.arg == "name_hint":
            hint = name_hint(low, keyword.value)
        else:
            unknown_keyword(low, call, keyword, "pl.cluster", ("name_hint",))
    body = yield from lower_block(low, node.body, "cluster")
    attrs = {"dumps": tuple(low.dump_tags)} if low.dump_tags else {}
    low.out.append(ir.ClusterScope(body, hint, attrs, node.span))


def _no_positional(low: Lowering, call: syntax.Call, callee: str, allowed: str) -> None:
    if call.args:
        place = call.args[0].span.to(call.args[-1].span)
        first = call.args[0]
        mode = dotted(first).startswith("pl.ScopeMode.") and len(call.args) == 1
        suggestion = f"mode={first.text}" if callee == "pl.scope" and mode else None
        low.report(faults.SCOPE_POSITIONAL, place, subject=call, callee=callee, allowed=allowed, suggestion=suggestion)


def _scope(low: Lowering, node: syntax.With, call: syntax.Call, item: syntax.WithItem) -> Steps[None]:
    mode: str | None = "AUTO"
    if call.args:
        _no_positional(low, call, "pl.scope", "mode= only")
        mode = None
    for keyword in call.keywords:
        if keyword.arg == "mode":
            mode = enum_literal(low, keyword.value, "ScopeMode")
        else:
            unknown_keyword(low, call, keyword, "pl.scope", ("mode",))
            mode = None
    yield from _runtime(low, node, call, mode)


def _manual(low: Lowering, node: syntax.With, call: syntax.Call, item: syntax.WithItem) -> Steps[None]:
    given: tuple[syntax.Node, ...] = (*call.args, *call.keywords)
    if given:
        place = given[0].span.to(given[-1].span)
        low.report(faults.SCOPE_POSITIONAL, place, subject=call, callee="pl.manual_scope", allowed="no arguments")
    yield from _runtime(low, node, call, "MANUAL")


def _runtime(low: Lowering, node: syntax.With, call: syntax.Call, mode: str | None) -> Steps[None]:
    """A run-time scope; ``mode`` is None where it is at fault."""
    manual = mode == "MANUAL"
    if manual and low.manual_depth:
        low.report(faults.MANUAL_IN_MANUAL, call.span, subject=node)
    elif mode == "AUTO":
        if low.context.auto_scope:
            suggestion = None if low.manual_depth else "pl.manual_scope()"
            low.report(faults.AUTO_SCOPE_OWNED, call.span, subject=node, suggestion=suggestion)
        elif low.manual_depth:
            low.report(faults.AUTO_IN_MANUAL, call.span, subject=node)
    low.manual_depth += manual
    body = yield from lower_block(low, node.body, "runtime")
    low.manual_depth -= manual
    low.out.append(ir.RuntimeScope(body, manual, span=node.span))


SCOPES: dict[str, ScopeRule] = {
    "pl.at": _at,
    "pl.spmd": _spmd,
    "pl.cluster": _cluster,
    "pl.scope": _scope,
    "pl.manual_scope": _manual,
}
