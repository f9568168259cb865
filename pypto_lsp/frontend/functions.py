"""Lowering of one kernel: its decorator, parameters, declared result, attributes and body put together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.diagnostics import faults_decorators as faults
from pypto_lsp.frontend.body import lower_body
from pypto_lsp.frontend.call_types import call_result
from pypto_lsp.frontend.decorators import FunctionOptions
from pypto_lsp.frontend.jit_graph import scan
from pypto_lsp.frontend.lowering_memo import EnvironmentKey, Key, LoweringMemo
from pypto_lsp.frontend.lowering_trace import Trace, Traces, same_types, taken_over
from pypto_lsp.frontend.model import Binding, BodyResult, FunctionContext, Signature
from pypto_lsp.frontend.names import stored_names
from pypto_lsp.frontend.prologue import Prologue, is_docstring, read_prologue
from pypto_lsp.frontend.reserved_names import reserved_names
from pypto_lsp.frontend.signatures import Parameters, result_types
from pypto_lsp.frontend.static import evaluate
from pypto_lsp.frontend.static_scope import Environment
from pypto_lsp.frontend.values import ENTRIES, KernelRef
from pypto_lsp.ir.dtypes import INDEX
from pypto_lsp.ir.enums import Direction
from pypto_lsp.ir.nodes import Body, ConstBool, ConstInt, Expr, Function, Var
from pypto_lsp.ir.types import NONE, UNDETERMINED, UNKNOWN, ScalarType, TupleType, Type, UnknownType
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.syntax.query import extent
from pypto_lsp.text import Span
from pypto_lsp.text.stepwise import Steps

CalleeLookup = Callable[[str, bool], "Signature | None"]


@dataclass(slots=True)
class Surrounds:
    """What the functions of one program share: how callees are found, and the names declared so far."""

    callee: CalleeLookup
    program_functions: Callable[[], list[str]]
    memo: LoweringMemo
    buffers: set[str] = field(default_factory=set)
    printed: bool = False


@dataclass(slots=True)
class Kernel:
    """A kernel ready to be lowered.

    ``env`` is what its body falls back to for names, ``params`` its parameters with their types, ``declared`` the declared
    result (None without one). ``jit`` is the flavour without its prefix, empty for a plain kernel.
    """

    node: syntax.FunctionDef
    env: Environment
    flavour: str
    options: FunctionOptions
    params: Parameters
    declared: Type | None
    jit: str = ""
    ref: KernelRef | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)
    name: str = ""

    def __post_init__(self) -> None:
        self.name = self.name or self.node.name


@dataclass(slots=True)
class Built:
    """A lowered kernel: the function, how its callers see it, its findings and bindings, and the window buffers that it
    declares. ``keys`` are those of itself and of the traces of its body in the memo, ``callees`` keeps alive what the first is
    made of."""

    function: Function
    signature: Signature
    diagnostics: list[Diagnostic]
    bindings: list[Binding]
    buffers: frozenset[str] = frozenset()
    keys: tuple[Key, ...] = ()
    callees: tuple[Signature, ...] = ()


def build(kernel: Kernel, surrounds: Surrounds) -> Steps[Built]:
    """Lower a kernel, or find it lowered; in steps."""
    callees = _callees(kernel, surrounds)
    key = Key((
        "built", kernel.ref or kernel.node, EnvironmentKey(kernel.env), kernel.flavour, kernel.options.key(),
        tuple((var.name, var.type) for var in kernel.params.vars), tuple(kernel.params.directions), kernel.declared,
        tuple(d.key() for d in (*kernel.params.diagnostics, *kernel.diagnostics)), frozenset(surrounds.buffers),
        tuple((name, _identity(signature)) for name, signature in callees.items()),
        _proposed(callees, surrounds),
    ))  # fmt: skip
    shared = surrounds.memo.is_of_this_run(key)
    known = surrounds.memo.find(key, Built)
    trace_key = Key(("traces", kernel.name, EnvironmentKey(kernel.env), kernel.flavour))
    traces = surrounds.memo.find(trace_key, Traces) or Traces()
    # in one run, calls with the same types share a lowering, wherever each has its types from: the first one's places count
    if known is not None and (shared or same_types(_types(known.function.params), _types(kernel.params.vars))):
        surrounds.buffers |= known.buffers
        return known
    before = frozenset(surrounds.buffers)
    earlier = traces.nearest(kernel.params.vars)
    trace = _trace(kernel, surrounds, callees, earlier) if surrounds.memo.traced else None
    try:
        built = yield from _build(kernel, surrounds, trace, earlier)
    except GeneratorExit:
        if trace is not None:
            trace.break_off(earlier)
        raise
    finally:
        if trace is not None:
            surrounds.memo.keep(trace_key, traces).add(trace)
    built.signature = surrounds.memo.signature(built.signature)
    built.buffers = frozenset(surrounds.buffers) - before
    built.keys = (key, trace_key)
    built.callees = tuple(signature for signature in callees.values() if signature is not None)
    return surrounds.memo.keep(key, built)


def _types(variables: Iterable[Var]) -> tuple[Type, ...]:
    return tuple(var.type for var in variables)


def _trace(
    kernel: Kernel, surrounds: Surrounds, callees: dict[str, Signature | None], earlier: Trace | None
) -> Trace | None:
    """What this lowering will leave for the next. Parameters that are as they were stay the same variables."""
    params, options = kernel.params, kernel.options
    if any(var in params.symbols.values() for var in params.vars) or params.allocations.names:
        return None  # their variables or names are known elsewhere too
    if earlier is not None:
        params = kernel.params = replace(params, vars=_as_before(earlier.params, params.vars))
    methods = surrounds.program_functions()
    if kernel.jit and not scan(kernel.node).self_names:  # several entries have it among other kernels
        text = kernel.node.anchor.source.text[slice(*extent(kernel.node))]
        methods = [name for name in methods if name in text]
    return Trace(
        frame=(
            options.func_type, options.level, options.role, options.auto_scope, options.strict_ssa, kernel.jit,
            kernel.declared, tuple(params.directions), tuple(methods), surrounds.printed,
        ),
        bound=frozenset(stored_names(kernel.node.body)).union(var.name for var in params.vars),
        params=tuple(params.vars),
        outside={name: (_identity(signature), signature) for name, signature in callees.items()},
    )  # fmt: skip


def _as_before(before: Iterable[Var], now: list[Var]) -> list[Var]:
    """Parameters, with the variables of before for those of the same name and type."""
    known: dict[str, list[Var]] = {}
    for var in before:
        known.setdefault(var.name, []).append(var)
    found: list[Var] = []
    for var in now:
        earlier = known.get(var.name)
        kept = earlier.pop(0) if earlier else None
        found.append(kept if kept is not None and taken_over(kept, var.type, var.span) else var)
    return found


def _callees(kernel: Kernel, surrounds: Surrounds) -> dict[str, Signature | None]:
    """The kernels that the names called in a body stand for; methods under their dotted names."""
    body = scan(kernel.node)
    found = {name: surrounds.callee(name, False) for name in body.first}
    found.update((f"self.{name}", surrounds.callee(name, True)) for name in sorted(body.self_names))
    return found


def _proposed(callees: dict[str, Signature | None], surrounds: Surrounds) -> tuple[str, ...]:
    """The methods of which one may be proposed where a body calls one that is not there."""
    missing = any(signature is None for name, signature in callees.items() if name.startswith("self."))
    return tuple(surrounds.program_functions()) if missing else ()


def _identity(signature: Signature | None) -> Hashable:
    """What a caller's lowering depends on in a callee. An inline function is its text; of a kernel defined later only the
    number of parameters counts, which goes with its text too."""
    if signature is None:
        return None
    if signature.later or signature.flavour == "inline":
        return (signature.later, signature.node)
    return id(signature)


def _build(kernel: Kernel, surrounds: Surrounds, trace: Trace | None, earlier: Trace | None) -> Steps[Built]:
    options = kernel.options
    diagnostics = [*options.diagnostics, *kernel.params.diagnostics, *kernel.diagnostics]
    prologue = read_prologue(kernel.node.body, options.attrs)
    diagnostics += prologue.diagnostics
    attrs = {**options.attrs, **prologue.attrs}
    if not options.auto_scope:
        attrs["auto_scope"] = False
    result = yield from _body(kernel, surrounds, prologue, diagnostics, trace, earlier)
    level, role = options.implied
    body: Body | None = None
    returns = kernel.declared
    if result is not None:
        diagnostics += result.diagnostics
        body = result.body
        if returns is None:
            returns = derived_result(result)
    function = Function(
        name=kernel.name,
        func_type=options.func_type,
        params=tuple(kernel.params.vars),
        directions=tuple(kernel.params.directions),
        return_types=result_types(kernel.declared),
        body=body,
        span=kernel.node.span,
        level=level,
        role=role,
        attrs=attrs,
        jit=kernel.jit,
        declared_return=kernel.declared is not None,
        complete=not _faulty(diagnostics) and options.known and (result is None or result.complete),
        name_span=kernel.node.name_span,
        declared_params=kernel.params.declared,
        returns_span=kernel.node.returns.span if kernel.node.returns is not None else None,
        ignored_params=_ignored(kernel.node),
        decorator_span=kernel.node.decorators[-1].span if kernel.node.decorators else None,
        defaults=tuple(_defaults(kernel)) if kernel.flavour in ENTRIES else (),
    )
    bindings = [*kernel.params.bindings(kernel.name), *(result.bindings if result is not None else [])]
    if function.complete and function.func_type != "Inline" and not surrounds.printed:
        diagnostics += reserved_names(function, bindings)
    signature = signature_of(kernel, returns if returns is not None else NONE)
    return Built(function, signature, diagnostics, bindings)


def _defaults(kernel: Kernel) -> Iterator[tuple[Var, Expr]]:
    """The scalars that have a constant of whole numbers, or of truth, as default."""
    for node, var in zip(kernel.params.nodes, kernel.params.vars):
        if node.default is None or not isinstance(var.type, ScalarType):
            continue
        value = evaluate(node.default, kernel.env)
        if isinstance(value, bool):
            yield var, ConstBool(value, node.default.span)
        elif isinstance(value, int):
            yield var, ConstInt(int(value), var.type.dtype or INDEX, node.default.span)


def _faulty(diagnostics: list[Diagnostic]) -> bool:
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)


def _ignored(node: syntax.FunctionDef) -> tuple[Span, ...]:
    """The parameters that the language does not read: keyword-only ones, ``*args`` and ``**kwargs``."""
    return tuple(p.span for p in node.params if p.kind in ("keyword_only", "vararg", "kwarg"))


def _body(
    kernel: Kernel,
    surrounds: Surrounds,
    prologue: Prologue,
    diagnostics: list[Diagnostic],
    trace: Trace | None,
    earlier: Trace | None,
) -> Steps[BodyResult | None]:
    """Lower the body; None where the kernel has none of the language's (C++ or plain Python)."""
    options, statements = kernel.options, prologue.rest
    if options.external:
        _check_external(kernel, statements, diagnostics)
        return None
    if options.host_worker:
        return None
    node = kernel.node if len(statements) == len(kernel.node.body) else replace(kernel.node, body=statements)
    context = FunctionContext(
        name=kernel.name,
        node=node,
        env=kernel.env,
        func_type=options.func_type,
        level=options.level,
        role=options.role,
        jit=kernel.jit,
        auto_scope=options.auto_scope,
        strict_ssa=options.strict_ssa,
        params=tuple(kernel.params.vars),
        directions=tuple(kernel.params.directions),
        declared_return=kernel.declared,
        callee=surrounds.callee,
        call_types=call_types,
        program_functions=surrounds.program_functions,
        symbols=kernel.params.symbols,
        buffers=surrounds.buffers,
        allocations=kernel.params.allocations,
        printed=surrounds.printed,
        attr_values=tuple(prologue.expressions),
    )
    return (yield from lower_body(context, trace, earlier))


def _check_external(kernel: Kernel, statements: tuple[syntax.Stmt, ...], diagnostics: list[Diagnostic]) -> None:
    options, node = kernel.options, kernel.node
    if kernel.flavour != "jit.extern" and options.func_type not in ("AIC", "AIV"):
        span = options.type_span or node.name_span
        diagnostics.append(faults.EXTERNAL_TYPE.at(span, subject=node, type=options.func_type))
    elif not is_empty(statements):
        diagnostics.append(faults.EXTERNAL_BODY.at(node.name_span, subject=node, name=node.name))


def is_empty(statements: tuple[syntax.Stmt, ...]) -> bool:
    """Whether a body is a mere ``...`` or ``pass``, perhaps with a docstring."""
    rest = [stmt for stmt in statements if not is_docstring(stmt)]
    if len(rest) > 1:
        return False
    return not rest or isinstance(rest[0], syntax.Pass) or _is_ellipsis(rest[0])


def _is_ellipsis(stmt: syntax.Stmt) -> bool:
    value = stmt.value if isinstance(stmt, syntax.ExprStmt) else None
    return isinstance(value, syntax.Constant) and value.value is ...


def derived_result(result: BodyResult) -> Type:
    """The result type that callers see of a kernel without a declared one: that of its first return."""
    if not result.returns:
        return NONE if result.complete else UNDETERMINED
    if any(isinstance(type_, UnknownType) for type_ in result.returns):
        return UNKNOWN
    return result.returns[0] if len(result.returns) == 1 else TupleType(result.returns)


def signature_of(kernel: Kernel, returns: Type, *, later: bool = False) -> Signature:
    """How callers see a kernel. ``later``: it is defined after the caller, which does not know its result."""
    level, role = kernel.options.implied
    params = tuple(
        (var.name, var.type, direction, node.default is not None)
        for node, var, direction in zip(kernel.params.nodes, kernel.params.vars, kernel.params.directions)
    )
    return Signature(
        name=kernel.name,
        params=params,
        returns=UNKNOWN if later else returns,
        flavour=kernel.flavour,
        func_type=kernel.options.func_type,
        level=level,
        role=role,
        complete=kernel.params.complete and kernel.options.known,
        node=kernel.node,
        ref=kernel.ref,
        span=kernel.node.name_span,
        later=later,
    )


def call_types(signature: Signature, arguments: tuple[Type, ...], values: tuple[Any, ...]) -> Type:
    """The result type of a call with arguments of these types, in parameter order; a submit may leave outputs out."""
    if not signature.complete and signature.returns is not NONE:
        return UNDETERMINED
    params = [type_ for _, type_, _, _ in signature.params]
    if len(arguments) < len(params):
        params = _given(signature, len(arguments))
    return call_result(params, arguments, signature.returns)


def _given(signature: Signature, count: int) -> list[Type]:
    """The parameters that so few arguments of a submit stand for: outputs are left out where too few remain."""
    found: list[Type] = []
    params = signature.params
    for index, (_, type_, direction, _) in enumerate(params):
        if direction is not Direction.IN:
            required = sum(1 for *_, later, _ in params[index + 1 :] if later is Direction.IN)
            if count - len(found) <= required:
                continue
        found.append(type_)
    return found
