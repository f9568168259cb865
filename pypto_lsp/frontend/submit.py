"""``out, tid = pl.submit(self.kernel, ...)`` and ``pl.spmd_submit``: launches with a task id."""

from __future__ import annotations

from typing import Any

from pypto_lsp.diagnostics import faults_scopes
from pypto_lsp.diagnostics import faults_submit as faults
from pypto_lsp.frontend import attrs, binding, calls
from pypto_lsp.frontend.deps import lower_deps
from pypto_lsp.frontend.flags import bool_literal, core_count
from pypto_lsp.frontend.lowering import Lowering
from pypto_lsp.frontend.model import Signature
from pypto_lsp.frontend.names import target_names
from pypto_lsp.frontend.paths import dotted
from pypto_lsp.frontend.predicates import check_dependency, lower_predicate
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import TASK_ID
from pypto_lsp.ir.enums import Direction
from pypto_lsp.ir.types import NONE, UNDETERMINED, UNKNOWN, ScalarType, TupleType, Type
from pypto_lsp.syntax import nodes as syntax

FORMS = calls.SUBMITS
TASK = ScalarType(TASK_ID)
KEYWORDS = ("attrs", "deps", "dumps", "allow_early_resolve", "predicate")
SPMD_KEYWORDS = ("core_num", "sync_start")


# --- assignments ---------------------------------------------------------------------------------------------------


def assign_whole(low: Lowering, node: syntax.Assign, target: syntax.Name, call: syntax.Call) -> None:
    """``result = pl.submit(...)``: the name holds the tuple."""
    binding.assign(low, target, whole(low, call), node.span)


def assign_parts(low: Lowering, node: syntax.Assign, target: syntax.Tuple, call: syntax.Call) -> None:
    """``out, tid = pl.submit(...)`` or ``(a, b), tid = pl.submit(...)``."""
    names = _result_names(low, target, call)
    submit = whole(low, call)
    if names is None:
        for unbound in target_names(target):
            low.poison(unbound, target.span)
        low.out.append(ir.ErrorStmt((), low.read_vars(call), node.span))
        return
    results, task = names
    types = _result_types(low, target, call, submit, len(results))
    hidden = low.var("_submit_tmp", submit.type, node.span)
    low.out.append(ir.Assign(hidden, submit, node.span))
    produced: list[ir.Var] = []
    for i, name in enumerate(results):
        part = ir.TupleGetItem(ir.Read(hidden, node.span), i, types[i], node.span)
        var = binding.assign(low, name, part, node.span, renamed=False)
        if var is not None:
            produced.append(var)
    part = ir.TupleGetItem(ir.Read(hidden, node.span), len(results), TASK, node.span)
    tid = binding.assign(low, task, part, node.span, renamed=False)
    if tid is not None:
        record_producer(low, tid, produced)


def record_producer(low: Lowering, tid: ir.Var, produced: list[ir.Var]) -> None:
    """Remember which task wrote which variables, for the predicates of later launches."""
    generation = low.generations.get(tid, 0) + 1
    low.generations[tid] = generation
    for var in produced:
        low.producers[var] = (tid, generation)


def _result_names(
    low: Lowering, target: syntax.Tuple, call: syntax.Call
) -> tuple[list[syntax.Name], syntax.Name] | None:
    """The names of the results and of the task id; reports targets of another form."""
    callee = dotted(call.func)
    if len(target.elts) != 2:
        low.report(
            faults.TARGETS,
            target.span,
            subject=target,
            callee=callee,
            what=f", not {len(target.elts)} targets",
            suggestion=", ".join(elt.text for elt in target.elts[:2]) if len(target.elts) > 2 else None,
        )
        return None
    result, task = target.elts
    if not isinstance(task, syntax.Name):
        low.report(faults.TARGETS, task.span, subject=target, callee=callee, what=", which is a plain name")
        return None
    parts = list(result.elts) if isinstance(result, syntax.Tuple) else [result]
    names = [part for part in parts if isinstance(part, syntax.Name)]
    if len(names) != len(parts):
        wrong = next(part for part in parts if not isinstance(part, syntax.Name))
        low.report(faults.TARGETS, wrong.span, subject=target, callee=callee, what=": the result is a name or names")
        return None
    return names, task


def _result_types(low: Lowering, target: syntax.Tuple, call: syntax.Call, submit: ir.Expr, count: int) -> list[Type]:
    type_ = submit.type
    if not isinstance(type_, TupleType):
        return [UNDETERMINED] * count
    returned = len(type_.types) - 1
    if returned == count:
        return list(type_.types[:count])
    if UNDETERMINED not in type_.types:
        kernel = submit.op.name if isinstance(submit, ir.Submit) else call.args[0].text
        result = target.elts[0]
        suggestion = None
        if returned == 1 and isinstance(result, syntax.Tuple):
            suggestion = f"{result.elts[0].text}, {target.elts[1].text}"
        low.report(
            faults.RESULT_COUNT,
            target.span,
            subject=target,
            given=count,
            kernel=kernel,
            returned=returned,
            suggestion=suggestion,
        )
    return [UNDETERMINED] * count


# --- the launch ----------------------------------------------------------------------------------------------------


def whole(low: Lowering, call: syntax.Call) -> ir.Expr:
    """The launch as an expression; its type is the flat tuple of the kernel's results and the task id."""
    callee = dotted(call.func)
    if not call.args:
        return low.error(faults.KERNEL, call, callee=callee)
    kernel = call.args[0]
    if not (isinstance(kernel, syntax.Attribute) and dotted(kernel) == f"self.{kernel.attr}"):
        for arg in call.args[1:]:
            low.expr(arg)
        known = isinstance(kernel, syntax.Name) and kernel.id in low.context.program_functions()
        return low.error(faults.KERNEL, kernel, callee=callee, suggestion=f"self.{kernel.text}" if known else None)
    signature = calls.method(low, kernel)
    if signature is None:
        for arg in call.args[1:]:
            low.expr(arg)
        return ir.ErrorExpr(call.span)
    return _launch(low, call, signature, spmd=callee == "pl.spmd_submit")


def _launch(low: Lowering, call: syntax.Call, signature: Signature, *, spmd: bool) -> ir.Expr:
    low.calls.append(signature.name)
    nodes, no_dep = calls.without_markers(call.args[1:])
    args = tuple([low.expr(arg) for arg in nodes])
    sound = _check_keywords(low, call, signature, spmd)
    sound = _check_count(low, call, signature, len(nodes)) and sound
    extra = attrs.call_attrs(low, call, args, submit=True)
    options = _options(low, call, args, spmd)
    extra.update(options.pop("attrs"))
    _check_cluster(low, call, options)
    if not sound:
        return ir.ErrorExpr(call.span)
    return ir.Submit(
        op=ir.FunctionRef(signature.name),
        args=args,
        type=_submit_type(low, signature, args),
        span=call.span,
        attrs=calls.with_markers(low, extra, args, no_dep),
        **options,
    )


def _submit_type(low: Lowering, signature: Signature, args: tuple[ir.Expr, ...]) -> Type:
    """The flat tuple of the declared results and the task id; undetermined where the results are only derived."""
    result = calls.result_type(low, signature, args)
    if result in (UNDETERMINED, UNKNOWN):
        declared = signature.returns
        if declared is NONE or signature.later:
            return TupleType((TASK,)) if not signature.later else UNDETERMINED
        return UNDETERMINED
    if signature.node is not None and signature.node.returns is None and not signature.flavour.startswith("jit"):
        return TupleType((TASK,)) if False else UNDETERMINED
    parts = result.types if isinstance(result, TupleType) else (result,)
    return TupleType((*parts, TASK))


def _check_keywords(low: Lowering, call: syntax.Call, signature: Signature, spmd: bool) -> bool:
    allowed = KEYWORDS + (SPMD_KEYWORDS if spmd else ())
    if signature.role == "Orchestrator":
        allowed = (*allowed, "device")
    wrong = [keyword for keyword in call.keywords if keyword.arg not in allowed]
    if not wrong:
        return True
    for keyword in wrong:
        low.expr(keyword.value)
    calls.refuse_keywords(low, call, signature, wrong, False, allowed)
    return False


def _check_count(low: Lowering, call: syntax.Call, signature: Signature, count: int) -> bool:
    if not signature.complete or any(isinstance(arg, syntax.Starred) for arg in call.args):
        return True
    highest = len(signature.params)
    required = [name for name, _, direction, _ in signature.params if direction is Direction.IN]
    lowest = len(required)
    if lowest <= count <= highest:
        return True
    expected = str(highest) if lowest == highest else f"{lowest} to {highest}"
    if count > highest:
        surplus = call.args[1 + highest :]
        place = surplus[0].span.to(surplus[-1].span)
        calls.report_count(low, call, place, signature, expected, count)
    else:
        calls.report_count(low, call, call.span, signature, expected, count, required[count:])
    return False


# --- options -------------------------------------------------------------------------------------------------------


def _options(low: Lowering, call: syntax.Call, args: tuple[ir.Expr, ...], spmd: bool) -> dict[str, Any]:
    """The fields of the launch that keywords give."""
    callee = dotted(call.func)
    given = {keyword.arg: keyword for keyword in call.keywords if keyword.arg is not None}
    deps = lower_deps(low, given["deps"].value) if "deps" in given else ()
    extra: dict[str, Any] = {}
    if "dumps" in given:
        dumps = _dumps(low, given["dumps"].value, args)
        if dumps:
            extra["dump_vars"] = dumps
    if "device" in given:
        extra["device"] = low.expr(given["device"].value)
    core_num: ir.Expr | None = None
    if spmd:
        if "core_num" in given:
            core_num = core_count(low, given["core_num"].value)
        else:
            low.report(faults_scopes.CORE_NUM_MISSING, call.span, subject=call, callee=callee)
    predicate = None
    if "predicate" in given:
        predicate = lower_predicate(low, given["predicate"].value)
        if predicate is not None:
            check_dependency(low, predicate, deps, given["predicate"].value)
    return {
        "deps": deps,
        "core_num": core_num,
        "sync_start": spmd and bool_literal(low, given.get("sync_start"), callee),
        "allow_early_resolve": bool_literal(low, given.get("allow_early_resolve"), callee),
        "predicate": predicate,
        "attrs": extra,
    }


def _dumps(low: Lowering, node: syntax.Expr, args: tuple[ir.Expr, ...]) -> tuple[ir.Var, ...]:
    if not isinstance(node, (syntax.List, syntax.Tuple)):
        low.report(
            faults.DUMPS_FORM,
            node.span,
            subject=node,
            what="dumps is a list of tensor arguments",
            suggestion=f"[{node.text}]" if isinstance(node, syntax.Name) else None,
        )
        return ()

    def not_passed(elt: syntax.Expr) -> None:
        low.report(faults.DUMPS_ARGUMENT, elt.span, subject=elt, name=elt.text)

    return attrs.passed_tensors(low, node, args, faults.DUMPS_FORM, not_passed)


def _check_cluster(low: Lowering, call: syntax.Call, options: dict[str, Any]) -> None:
    """Options of a single launch have no carrier inside a cluster."""
    if not low.inside("cluster"):
        return
    words = [name for name in ("deps", "core_num", "sync_start", "allow_early_resolve", "predicate") if options[name]]
    if words:
        low.report(
            faults_scopes.CLUSTER_METADATA,
            call.span,
            subject=call,
            what=f"{', '.join(words)} of {dotted(call.func)}",
        )
