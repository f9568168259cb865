"""``@pl.program`` classes and module-level ``@pl.function`` kernels as programs of the IR."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.diagnostics import faults_decorators as faults
from pypto_lsp.frontend.annotation_scope import spread
from pypto_lsp.frontend.closure import Failure, evaluate
from pypto_lsp.frontend.decorators import FunctionOptions, function_decorator, function_options
from pypto_lsp.frontend.functions import Built, Kernel, Surrounds, build, signature_of
from pypto_lsp.frontend.inline_functions import inline_faults
from pypto_lsp.frontend.inlining import inline_signature, kernel_before
from pypto_lsp.frontend.lowering_memo import EnvironmentKey, LoweringMemo
from pypto_lsp.frontend.model import Binding, LoweredUnit, Signature
from pypto_lsp.frontend.signatures import DeclaredResult, Parameters, declared_result, definition_env, parameters
from pypto_lsp.frontend.static import class_scope
from pypto_lsp.frontend.static_scope import Environment
from pypto_lsp.frontend.values import KernelRef, ProgramRef
from pypto_lsp.ir.nodes import Function, Program
from pypto_lsp.ir.types import NONE
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text.stepwise import Steps, finished


def plain_kernel(
    node: syntax.FunctionDef,
    env: Environment,
    options: FunctionOptions,
    memo: LoweringMemo,
    *,
    method: bool,
    flavour: str,
    ref: KernelRef | None = None,
    printed: bool = False,
    python_env: Environment | None = None,
) -> Kernel:
    """A kernel of a program class or a module-level ``@pl.function`` with its annotations resolved.

    ``python_env`` is where Python evaluates annotations where that is not ``env``: the body of the class.
    """
    inside: tuple[object, ...] = ()
    if python_env is not None:
        bound = tuple((name, repr(value)) for name, value in python_env.raw_values.items())
        inside = (python_env.text_names, bound)
    key = ("declared", node, EnvironmentKey(env), method, inside)
    declared = memo.find(key, Declared)
    if declared is None:
        params = parameters(node, env, method=method, printed=printed, python_env=python_env)
        result = declared_result(node, env, params, printed=printed, python_env=python_env)
        declared = memo.keep(key, Declared(params, result))
    params, result = declared.params, declared.result
    return Kernel(
        node,
        definition_env(node, env),
        flavour,
        options,
        params,
        result.type,
        ref=ref,
        diagnostics=list(result.diagnostics),
    )


@dataclass(frozen=True, slots=True)
class Declared:
    """The resolved annotations of a kernel."""

    params: Parameters
    result: DeclaredResult


# --- module-level kernels ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Externals:
    """Lowering of module-level kernels, each once. ``called`` are the kernels that each calls, ``open`` guards against
    kernels that call each other."""

    memo: LoweringMemo
    known: dict[KernelRef, Built] = field(default_factory=dict)
    called: dict[KernelRef, list[KernelRef]] = field(default_factory=dict)
    open: list[KernelRef] = field(default_factory=list)

    def built(self, ref: KernelRef) -> Built | None:
        """A module-level kernel lowered; None while it is being lowered itself."""
        return finished(self.build(ref))

    def build(self, ref: KernelRef) -> Steps[Built | None]:
        """:meth:`built` in steps."""
        if ref in self.known:
            return self.known[ref]
        if ref in self.open:
            return None
        self.open.append(ref)
        try:
            built = yield from self._build(ref)
        finally:
            self.open.pop()
        self.known[ref] = built
        return built

    def _build(self, ref: KernelRef) -> Steps[Built]:
        options = function_options(ref.decorator, definition_env(ref.node, ref.env), literal=False)
        kernel = plain_kernel(ref.node, ref.env, options, self.memo, method=False, flavour="function", ref=ref)
        called = self.called.setdefault(ref, [])
        surrounds = Surrounds(
            lambda name, method: None if method else self.callee(kernel.env, name, ref.node, called), list, self.memo
        )
        return (yield from build(kernel, surrounds))

    def callee(self, env: Environment, name: str, caller: syntax.Node, called: list[KernelRef]) -> Signature | None:
        """The kernel that a bare name in a plain body stands for; notes it in ``called``.

        A body is compiled when its definition runs, so what the file defines further down is not known to it.
        """
        value = kernel_before(name, env, caller)
        if value is None:
            return None
        if value.flavour == "inline":
            return inline_signature(value)
        if value.flavour != "function":
            return None
        clash = any(other != value and other.node.name == value.node.name for other in called)
        if value not in called and not clash:
            called.append(value)
        built = self.built(value)
        if built is None:
            return None
        return replace(built.signature, clash=True) if clash else built.signature


def function_unit(ref: KernelRef, externals: Externals) -> Steps[LoweredUnit | None]:
    """A module-level ``@pl.function`` as a program of its own, with the kernels it calls; in steps."""
    built = yield from externals.build(ref)
    if built is None:
        return None
    functions = {built.function.name: built.function}
    collected = _Collected(functions, [*built.diagnostics], [*built.bindings])
    _add_externals(externals.called[ref], externals, collected)
    program = Program(built.function.name, functions, ref.node.span, built.function.name)
    collected.diagnostics += inline_faults(program, collected.bindings)
    return LoweredUnit(
        built.function.name, "function", program, ref.node.span, collected.diagnostics, collected.bindings
    )


@dataclass(slots=True)
class _Collected:
    functions: dict[str, Function]
    diagnostics: list[Diagnostic]
    bindings: list[Binding]


def _add_externals(called: list[KernelRef], externals: Externals, into: _Collected) -> None:
    """Add the module-level kernels that a kernel calls, and those that they call."""
    for ref in called:
        other = externals.built(ref)
        if other is None or other.function.name in into.functions:
            continue
        into.functions[other.function.name] = other.function
        into.diagnostics += other.diagnostics
        into.bindings += other.bindings
        _add_externals(externals.called[ref], externals, into)


# --- program classes -----------------------------------------------------------------------------------------------


class _ProgramLowering:
    """One program class being lowered: methods in source order, each knowing the ones before it."""

    def __init__(self, ref: ProgramRef, externals: Externals, printed: bool) -> None:
        self.ref = ref
        self.externals = externals
        self.env = definition_env(ref.node, ref.env)
        self.inside = class_scope(ref)
        self.strict_ssa = _strict_ssa(ref.decorator, self.env)
        self.methods = [
            stmt
            for stmt in ref.node.body
            if isinstance(stmt, syntax.FunctionDef) and function_decorator(stmt) is not None
        ]
        self.kernels = [self._kernel(node, printed) for node in self.methods]
        self.built: dict[str, Built] = {}
        self.called: list[KernelRef] = []
        self.diagnostics: list[Diagnostic] = []
        names = [node.name for node in self.methods]
        self.surrounds = Surrounds(self._callee, lambda: names, externals.memo, printed=printed)

    def _kernel(self, node: syntax.FunctionDef, printed: bool) -> Kernel:
        decorator = function_decorator(node)
        assert decorator is not None
        options = function_options(decorator, self.inside, literal=True)
        options.strict_ssa = self.strict_ssa
        kernel = plain_kernel(
            node,
            self.env,
            options,
            self.externals.memo,
            method=not options.host_worker,
            flavour="method",
            printed=printed,
            python_env=self.inside,
        )
        if options.host_worker and node.params and node.params[0].name == "self":
            kernel.diagnostics = [
                *kernel.diagnostics,
                faults.SUBWORKER_SELF.at(spread(node.params), subject=node, name=node.name),
            ]
        return kernel

    def _callee(self, name: str, method: bool) -> Signature | None:
        if method:
            return self._method(name)
        return self.externals.callee(self.env, name, self.ref.node, self.called)

    def _method(self, name: str) -> Signature | None:
        if name in self.built:
            return self.built[name].signature
        later = [kernel for kernel in self.kernels if kernel.name == name]
        return signature_of(later[-1], NONE, later=True) if later else None

    def run(self) -> Steps[_Collected]:
        into = _Collected({}, self.diagnostics, [])
        for kernel in self.kernels:
            built = yield from build(kernel, self.surrounds)
            self.built[kernel.name] = built
            into.functions[kernel.name] = built.function
            into.diagnostics += built.diagnostics
            into.bindings += built.bindings
        _add_externals(self.called, self.externals, into)
        return into


def _strict_ssa(decorator: syntax.Expr, env: Environment) -> bool:
    if not isinstance(decorator, syntax.Call):
        return False
    for keyword in decorator.keywords:
        if keyword.arg == "strict_ssa":
            value = evaluate(keyword.value, env)
            return value is True and not isinstance(value, Failure)
    return False


def program_unit(ref: ProgramRef, externals: Externals, *, printed: bool = False) -> Steps[LoweredUnit]:
    """A ``@pl.program`` class as a program, in steps. Its entry is the only orchestration function, where there is one."""
    lowering = _ProgramLowering(ref, externals, printed)
    node = ref.node
    if not lowering.methods:
        lowering.diagnostics.append(faults.EMPTY_PROGRAM.at(node.name_span, subject=node, name=node.name))
    collected = yield from lowering.run()
    orchestration = [f.name for f in collected.functions.values() if f.func_type == "Orchestration"]
    entry = orchestration[0] if len(orchestration) == 1 else None
    program = Program(node.name, collected.functions, node.span, entry)
    if not printed:
        collected.diagnostics += inline_faults(program, collected.bindings)
    return LoweredUnit(node.name, "program", program, node.span, collected.diagnostics, collected.bindings)
