"""Outlining: a scope becomes a function of its own, and a call of it stands in its place.

One outliner serves OutlineHierarchyScopes, OutlineIncoreScopes and OutlineClusterScopes; they differ in the scopes that they
take out. A scope's function takes what the scope reads and does not define, gives what it defines and the code after it
needs, and gives tensors that it writes as the parameters that they came in by.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from pypto_lsp.frontend.decorators import IMPLIED
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import TASK_ID
from pypto_lsp.ir.mutator import Mutator, Statements, changed, rewritten
from pypto_lsp.ir.types import ScalarType, TupleType, Type, result_type
from pypto_lsp.ir.visit import variable_of, walk
from pypto_lsp.passes.pipeline.captured import (
    Captured,
    carried,
    definitions,
    directions,
    references,
    store_target,
    stored_tensors,
)
from pypto_lsp.passes.pipeline.names import base_name, fresh
from pypto_lsp.passes.return_lineage import returning_params
from pypto_lsp.passes.type_substitution import TypeSubstitution

_TASK = ScalarType(TASK_ID)
_LEVEL_WORDS = {"CLUSTER_0": "cluster0", "CLUSTER_1": "cluster1", "CLUSTER_2": "cluster2"}
_ROLE_WORDS = {"Orchestrator": "_orch", "SubWorker": "_sub_worker"}


@dataclass(frozen=True)
class Kind:
    """What an outlining pass takes out: scopes of a class, which become functions of a type. ``suffix`` makes their names."""

    scope: type[ir.Stmt]
    func_type: str
    suffix: str


class _Renamed(Mutator):
    """A copy of a scope's body with variables of its own."""

    def __init__(self) -> None:
        self.made: dict[ir.Var, ir.Var] = {}
        self.types = TypeSubstitution(self.read)

    def read(self, var: ir.Var) -> ir.Expr | None:
        known = self.made.get(var)
        return None if known is None else ir.Read(known, var.span)

    def type(self, type_: Type) -> Type:
        return self.types.type(type_)

    def binding(self, var: ir.Var) -> ir.Var:
        known = self.made.get(var)
        if known is None:
            known = self.made[var] = ir.Var(var.name, self.type(var.type), var.span, symbol=var.symbol)
        return known


class _StoreResults(Mutator):
    """Gives what ``tile.store`` writes into a tensor from outside a name, where it has none."""

    def __init__(self, targets: set[ir.Var]) -> None:
        self.targets = targets
        self.count: dict[ir.Var, int] = {}

    def _named(self, target: ir.Var) -> ir.Var:
        number = self.count.get(target, -1) + 1
        self.count[target] = number
        name = f"{base_name(target.name)}__store"
        return ir.Var(name if number == 0 else f"{name}_{number}", target.type, target.span)

    def eval(self, stmt: ir.Eval) -> Statements:
        target = store_target(stmt.expr)
        if target is None or target not in self.targets:
            return (stmt,)
        return (ir.Assign(self._named(target), stmt.expr, stmt.span, stmt.span),)

    def assign(self, stmt: ir.Assign) -> Statements:
        target = store_target(stmt.value)
        if target is None or target not in self.targets:
            return (stmt,)
        return (stmt, ir.Assign(self._named(target), ir.Read(stmt.var, stmt.span), stmt.span, stmt.span))


class ScopeOutliner(Mutator):
    """Outlines the scopes of one function. ``taken`` are the names of the program's functions, shared by all its outliners;
    ``program`` is where directions and results of callees are looked up, None where they are not looked at."""

    def __init__(self, source: ir.Function, kind: Kind, taken: set[str], program: ir.Program | None = None) -> None:
        self.kind, self.taken, self.program = kind, taken, program
        self.outlined: list[ir.Function] = []
        self.path = source.name
        self.count = 0
        self.needed: frozenset[ir.Var] = frozenset()
        self.nested = False
        #: a tensor that an outlined scope wrote -> the variable that holds it afterwards
        self.renames: dict[ir.Var, ir.Var] = {}
        self.loops = carried(source.body or ())
        self.known = {var.name for var in (*source.params, *references(source.body or ()))}

    def read(self, var: ir.Var) -> ir.Expr | None:
        known = self.renames.get(var)
        return None if known is None else ir.Read(known, var.span)

    # --- walking ---------------------------------------------------------------------------------------------------

    def body(self, body: ir.Body) -> ir.Body:
        placeholders = self._placeholders(body)
        out: list[ir.Stmt] = []
        for place, stmt in enumerate(body):
            if stmt in placeholders:
                continue
            after = references(s for s in body[place + 1 :] if s not in placeholders)
            saved = self.needed
            self.needed = saved | after
            out.extend(self.stmt(stmt))
            self.needed = saved
        return rewritten(body, out)

    def _placeholders(self, body: ir.Body) -> set[ir.Stmt]:
        """Assignments of an invalid task id before the scopes whose task they stand for."""
        found: set[ir.Stmt] = set()
        for before, stmt in pairwise(body):
            task = _attrs(stmt).get("task_id_var") if isinstance(stmt, self.kind.scope) else None
            if task is None or not isinstance(before, ir.Assign) or before.var is not variable_of(task):
                continue
            if isinstance(before.value, ir.Call) and before.value.op == "system.task_invalid":
                found.add(before)
        return found

    def scope(self, stmt: Any) -> Statements:
        if isinstance(stmt, self.kind.scope):
            return self._outline(stmt, self.needed or self._fallback(stmt))
        if isinstance(stmt, ir.SpmdScope) and self.kind.scope is ir.InCoreScope:
            stmt = _with_index_inside(stmt)
        saved, self.nested = self.nested, True
        made = tuple(super().scope(stmt))
        self.nested = saved
        return made

    def _fallback(self, scope: Any) -> frozenset[ir.Var]:
        """What is given back where nothing tells what is needed: everything, unless another scope hides it."""
        calls = (s.expr for s in walk(scope.body) if isinstance(s, ir.Eval))
        if any(isinstance(call, ir.Call) and call.op == "pld.system.defer_wait" for call in calls):
            return frozenset()
        stored = stored_tensors(scope.body)
        return frozenset(stored if self.nested else (*definitions(scope.body), *stored))

    # --- names -----------------------------------------------------------------------------------------------------

    def _name(self, scope: Any) -> str:
        name = scope.name_hint or f"{self.path}{self._suffix(scope)}{self.count}"
        self.count += 1
        if name in self.known:
            name = self._numbered(name)
        elif name in self.taken:
            name = f"{self.path}_{name}"
            name = self._numbered(name) if name in self.known or name in self.taken else name
        self.known.add(name)
        self.taken.add(name)
        return name

    def _numbered(self, name: str) -> str:
        number = 0
        while f"{name}_{number}" in self.known or f"{name}_{number}" in self.taken:
            number += 1
        return f"{name}_{number}"

    def _suffix(self, scope: Any) -> str:
        if not isinstance(scope, ir.HierarchyScope):
            return self.kind.suffix
        level = _LEVEL_WORDS.get(scope.level, scope.level.lower())
        return f"_{level}{_ROLE_WORDS.get(scope.role or '', '')}_"

    # --- outlining -------------------------------------------------------------------------------------------------

    def _outline(self, scope: Any, needed: frozenset[ir.Var]) -> Statements:
        name = self._name(scope)
        inputs = tuple(Captured().visit(scope.body).found)
        stored = [v for v in stored_tensors(scope.body) if v in inputs and v not in self.loops]
        aliases = {
            stmt.var: target
            for stmt in walk(scope.body)
            if isinstance(stmt, ir.Assign) and (target := store_target(stmt.value)) in stored and target is not None
        }
        defined = [v for v in definitions(scope.body) if v in needed]
        given = [v for v in defined if v not in aliases]
        if not isinstance(scope, ir.HierarchyScope):
            given += stored
        body = self._inner(name, scope, frozenset(given))
        if stored and not isinstance(scope, ir.HierarchyScope):
            body = _StoreResults(set(stored)).body(body)
        self.outlined.append(self._function(name, scope, inputs, given, body, set(stored)))
        statements = self._call_site(scope, name, inputs, given, set(stored))
        for alias, target in aliases.items():
            if alias in needed and target in self.renames:
                self.renames[alias] = self.renames[target]
        return statements

    def _inner(self, name: str, scope: Any, needed: frozenset[ir.Var]) -> ir.Body:
        """The scope's body with the scopes in it outlined."""
        saved = (self.path, self.count, self.needed, self.renames)
        self.path, self.count, self.needed, self.renames = name, 0, needed, {}
        body = self.body(scope.body)
        self.path, self.count, self.needed, self.renames = saved
        return body

    def _function(
        self,
        name: str,
        scope: Any,
        inputs: tuple[ir.Var, ...],
        given: list[ir.Var],
        body: ir.Body,
        stored: set[ir.Var],
    ) -> ir.Function:
        found = directions(inputs, scope.body, stored, self.loops, self.program)
        renamed = _Renamed()
        params = tuple(renamed.binding(var) for var in inputs)
        made = renamed.body(body)
        values = tuple(renamed.expr(ir.Read(var, scope.span)) for var in given)
        level, role = IMPLIED.get(self.kind.func_type, (None, None))
        if isinstance(scope, ir.HierarchyScope):
            level, role = scope.level, scope.role
        function = ir.Function(
            name=name,
            func_type=self.kind.func_type,
            params=params,
            directions=found,
            return_types=tuple(value.type for value in values),
            body=(*made, ir.Return(values, scope.span)) if values else made,
            span=scope.span,
            level=level,
            role=role,
            attrs=_function_attrs(scope),
        )
        return returning_params(function, self.program or ir.Program("", {}))

    # --- the call --------------------------------------------------------------------------------------------------

    def _call_site(
        self, scope: Any, name: str, inputs: tuple[ir.Var, ...], given: list[ir.Var], stored: set[ir.Var]
    ) -> Statements:
        args = tuple(self.expr(ir.Read(var, scope.span)) for var in inputs)
        types = tuple(var.type for var in given)
        attrs = _attrs(scope)
        task = variable_of(attrs.get("task_id_var"))
        submitted = any(attrs.get(key) for key in ("deps", "allow_early_resolve", "predicate"))
        if task is None and submitted:
            task = ir.Var(fresh("tid", self.known) if "tid" in self.known else "tid_1", _TASK, scope.span)
        call = _dispatch(scope, name, inputs, args, types, task, self)
        results = [self._result(var, stored, scope) for var in given]
        if task is None and len(results) <= 1:
            if not results:
                return (ir.Eval(call, scope.span),)
            return (ir.Assign(results[0], call, scope.span, scope.span),)
        bundle = ir.Var("ret__tmp_v0", call.type, scope.span)
        out: list[ir.Stmt] = [ir.Assign(bundle, call, scope.span, scope.span)]
        for place, var in enumerate((*results, *(() if task is None else (task,)))):
            item = ir.TupleGetItem(ir.Read(bundle, scope.span), place, var.type, scope.span)
            out.append(ir.Assign(var, item, scope.span, scope.span))
        return out

    def _result(self, var: ir.Var, stored: set[ir.Var], scope: Any) -> ir.Var:
        """The variable that a result is bound to: the scope's own, or a new one for a tensor from outside."""
        if var not in stored:
            return var
        made = ir.Var(fresh(var.name, self.known), var.type, scope.span)
        self.known.add(made.name)
        self.renames[var] = made
        return made


def _attrs(stmt: Any) -> dict[str, Any]:
    return dict(getattr(stmt, "attrs", {}))


def _with_index_inside(scope: ir.SpmdScope) -> ir.SpmdScope:
    """A launch whose loop variable is read from the core inside of its kernel."""
    index = scope.index_var
    if index is None or len(scope.body) != 1 or not isinstance(scope.body[0], ir.InCoreScope):
        return scope
    inner = scope.body[0]
    number = ir.Call("tile.get_block_idx", (), (), index.type, scope.span)
    first = ir.Assign(index, number, scope.span, index.span)
    return replace(scope, index_var=None, body=(replace(inner, body=(first, *inner.body)),))


def _function_attrs(scope: Any) -> dict[str, Any]:
    if not isinstance(scope, ir.InCoreScope):
        return {}
    attrs: dict[str, Any] = {}
    if scope.split is not None and scope.split != "NONE":
        attrs["split"] = scope.split
    for key in ("slot_num", "windowize"):
        if scope.attrs.get(key):
            attrs[key] = scope.attrs[key]
    regions = [stmt for stmt in walk(scope.body) if isinstance(stmt, ir.SplitAivScope)]
    if regions:
        attrs["split_aiv"] = True
        modes = {region.split for region in regions}
        if len(modes) == 1 and modes != {"NONE"}:
            attrs["split"] = modes.pop()
    return attrs


def _width(core_num: ir.Expr) -> ir.Expr | int:
    """A launch's width as an attribute: a constant is a plain number."""
    return int(core_num.value) if isinstance(core_num, ir.ConstInt) else core_num


def _dispatch(
    scope: Any,
    name: str,
    inputs: tuple[ir.Var, ...],
    args: tuple[ir.Expr, ...],
    types: tuple[Type, ...],
    task: ir.Var | None,
    outliner: ScopeOutliner,
) -> ir.Call | ir.Submit:
    """The call of an outlined function, a submit where its task has a name or conditions."""
    attrs = _attrs(scope)
    own: dict[str, Any] = {}
    dumped = {variable_of(item) for item in attrs.get("dumps", ())}
    dumps = tuple(arg for var, arg in zip(inputs, args) if var in dumped)
    if dumps:
        own["dump_vars"] = dumps
    free = {variable_of(item) for item in attrs.get("no_dep_args", ())}
    overrides = tuple(place for place, var in enumerate(inputs) if var in free)
    if overrides:
        own["arg_direction_overrides"] = overrides
    launch = scope if isinstance(scope, ir.SpmdScope) else None
    callee = ir.FunctionRef(name)
    if task is not None:
        predicate = attrs.get("predicate")
        return ir.Submit(
            callee,
            args,
            tuple(outliner.expr(dep) for dep in attrs.get("deps", ())),
            TupleType((*types, _TASK)),
            scope.span,
            core_num=None if launch is None else outliner.expr(launch.core_num),
            sync_start=launch is not None and launch.sync_start,
            allow_early_resolve=bool(attrs.get("allow_early_resolve")),
            predicate=None if predicate is None else outliner.expr(predicate),
            attrs=own,
        )
    if launch is not None:
        own["core_num"] = _width(outliner.expr(launch.core_num))
        if launch.sync_start:
            own["sync_start"] = True
    names = tuple(var.name for var in inputs)
    return ir.Call(callee, args, names, result_type(types), scope.span, attrs=own)


# --- the passes ------------------------------------------------------------------------------------------------------


def _sorted(program: ir.Program) -> Iterable[ir.Function]:
    """Functions in the order in which the compiler looks at them."""
    return (program.functions[name] for name in sorted(program.functions))


def _assembled(program: ir.Program, outlined: list[ir.Function], kept: dict[str, ir.Function]) -> ir.Program:
    functions = {function.name: function for function in outlined}
    functions.update((name, kept[name]) for name in program.functions)
    return replace(program, functions=functions)


_ORCHESTRATING = ("Orchestration", "Graph")
_HIERARCHY = Kind(ir.HierarchyScope, "Opaque", "_hierarchy_")
_INCORE = Kind(ir.InCoreScope, "InCore", "_incore_")
_CLUSTER = Kind(ir.ClusterScope, "Group", "_cluster_")
_SPMD = Kind(ir.SpmdScope, "Spmd", "_spmd_")


def outline_hierarchy_scopes(program: ir.Program) -> ir.Program:
    """The program with the levels above a chip in functions of their own."""
    taken, outlined, kept = set(program.functions), [], dict(program.functions)
    for function in _sorted(program):
        if function.func_type == "Opaque" and function.body is not None:
            outliner = ScopeOutliner(function, _HIERARCHY, taken)
            kept[function.name] = changed(function, body=outliner.body(function.body))
            outlined += outliner.outlined
    return _assembled(program, outlined, kept)


def outline_incore_scopes(program: ir.Program) -> ir.Program:
    """The program with its kernels in functions of their own; a function that had some is orchestration."""
    taken, outlined, kept = set(program.functions), [], dict(program.functions)
    for function in _sorted(program):
        if function.body is None or function.func_type not in ("Opaque", *_ORCHESTRATING):
            continue
        outliner = ScopeOutliner(function, _INCORE, taken)
        made = changed(function, body=outliner.body(function.body))
        if outliner.outlined and made.func_type == "Opaque":
            made = replace(made, func_type="Orchestration")
        if made.func_type in _ORCHESTRATING:
            level, role = IMPLIED[made.func_type]
            made = changed(made, level=level, role=role)
        kept[function.name] = made
        outlined += outliner.outlined
    return _assembled(program, outlined, kept)


def outline_cluster_scopes(program: ir.Program) -> ir.Program:
    """The program with clusters and launches in functions of their own."""
    taken, outlined, kept = set(program.functions), [], dict(program.functions)
    for function in _sorted(program):
        if function.body is None or function.func_type not in ("Opaque", *_ORCHESTRATING):
            continue
        clusters = ScopeOutliner(function, _CLUSTER, taken, program)
        made = changed(function, body=clusters.body(function.body))
        groups, widths = _unwrapped(clusters.outlined)
        if widths:
            made = _LaunchWidths(groups, widths).function(made)
        around = replace(program, functions={**program.functions, **{group.name: group for group in groups}})
        launches = ScopeOutliner(made, _SPMD, taken, around)
        kept[function.name] = changed(made, body=launches.body(made.body or ()))
        outlined += [*groups, *launches.outlined]
    return _assembled(program, outlined, kept)


class _Unwrapper(Mutator):
    """Puts the body of the launch inside of a group in its place."""

    launch: ir.SpmdScope | None = None

    def scope(self, stmt: Any) -> Statements:
        if isinstance(stmt, ir.SpmdScope):
            self.launch = stmt
            return self.body(stmt.body)
        return super().scope(stmt)


def _unwrapped(groups: list[ir.Function]) -> tuple[list[ir.Function], dict[str, ir.SpmdScope]]:
    """Groups without the launches inside of them, and those launches by the group's name."""
    out, launches = [], {}
    for group in groups:
        unwrapper = _Unwrapper()
        made = unwrapper.function(group)
        if unwrapper.launch is not None:
            made = replace(made, attrs={**made.attrs, "spmd_unwrapped": True})
            launches[group.name] = unwrapper.launch
        out.append(made)
    return out, launches


class _Translated(Mutator):
    """An expression of a group's parameters in the terms of a call of it."""

    def __init__(self, group: ir.Function, args: tuple[ir.Expr, ...]) -> None:
        self.args = dict(zip(group.params, args))

    def read(self, var: ir.Var) -> ir.Expr | None:
        return self.args.get(var)


class _LaunchWidths(Mutator):
    """Gives the dispatches of groups the width of the launch that was inside of the group."""

    def __init__(self, groups: list[ir.Function], launches: dict[str, ir.SpmdScope]) -> None:
        self.groups = {group.name: group for group in groups}
        self.launches = launches

    def _width(self, op: str | ir.FunctionRef, args: tuple[ir.Expr, ...]) -> tuple[ir.Expr, bool] | None:
        launch = self.launches.get(op.name) if isinstance(op, ir.FunctionRef) else None
        if launch is None or not isinstance(op, ir.FunctionRef):
            return None
        return _Translated(self.groups[op.name], args).expr(launch.core_num), launch.sync_start

    def call(self, expr: ir.Call) -> ir.Expr:
        found = self._width(expr.op, expr.args)
        if found is None:
            return expr
        own: dict[str, Any] = {"core_num": _width(found[0]), **({"sync_start": True} if found[1] else {})}
        return replace(expr, attrs={**expr.attrs, **own})

    def submit(self, expr: ir.Submit) -> ir.Expr:
        found = self._width(expr.op, expr.args)
        return expr if found is None else replace(expr, core_num=found[0], sync_start=found[1])


__all__ = ["outline_cluster_scopes", "outline_hierarchy_scopes", "outline_incore_scopes"]
