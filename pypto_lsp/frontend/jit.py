"""Jit kernels: an entry with the kernels it reaches, specialised as the compiler specialises them.

The entry's types come from its annotations. Each dependency gets one specialisation per program, with the types of the first call in
the first kernel that calls it; its own annotations decide which parameters are tensors, outputs and scalars. Callees are lowered
before their callers. Source: the project's reference docs on specialisation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pypto_lsp.diagnostics import Diagnostic, faults_annotations
from pypto_lsp.diagnostics import faults_decorators as faults
from pypto_lsp.frontend.annotation_scope import last_name
from pypto_lsp.frontend.decorators import FunctionOptions, jit_options
from pypto_lsp.frontend.functions import Built, Kernel, Surrounds, build, signature_of
from pypto_lsp.frontend.inline_functions import inline_faults
from pypto_lsp.frontend.jit_extern import extern_functions
from pypto_lsp.frontend.jit_graph import Dependencies, dependencies, direct_dependencies, first_call, scan
from pypto_lsp.frontend.jit_metas import Metas, Output, Sliced, argument_of, arguments_by_param, with_layout
from pypto_lsp.frontend.jit_results import specialised_result
from pypto_lsp.frontend.jit_symbols import bound_dimensions, dynamic_dimensions
from pypto_lsp.frontend.lowering_memo import EnvironmentKey, LoweringMemo
from pypto_lsp.frontend.lowering_trace import same_types
from pypto_lsp.frontend.model import Binding, LoweredUnit, Signature
from pypto_lsp.frontend.names import read_names, target_names, walk
from pypto_lsp.frontend.signatures import Parameters, definition_env, parameters
from pypto_lsp.frontend.static_objects import MISSING
from pypto_lsp.frontend.values import KernelRef
from pypto_lsp.ir.arith import unknown_extent
from pypto_lsp.ir.enums import Direction
from pypto_lsp.ir.nodes import Function, OpaqueInt, Program, Var
from pypto_lsp.ir.types import NONE, TENSORS, UNDETERMINED, ScalarType, TensorType, TensorView, Type
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span
from pypto_lsp.text.stepwise import Steps


@dataclass(slots=True)
class JitKernel:
    """A kernel of the jit family as declared: its options and annotated parameters, the same for every specialisation.

    ``dynamic`` are the dimensions that the kernel itself declares dynamic: parameter -> axis -> symbol; ``bound`` those of them that
    its body does.
    """

    flavour: str
    options: FunctionOptions
    params: Parameters
    dynamic: dict[str, dict[int, Var]]
    bound: dict[str, dict[int, Var]]
    outputs: Output


@dataclass(slots=True)
class _UnknownExtents:
    """Extents that are not known: always the same one for a place of the text, however often the kernel is followed."""

    memo: LoweringMemo
    places: list[syntax.Node] = field(default_factory=list)

    def at(self, place: syntax.Node) -> OpaqueInt:
        self.places.append(place)
        key = ("extent", place)
        return self.memo.find(key, OpaqueInt) or self.memo.keep(key, unknown_extent())


@dataclass(frozen=True, slots=True)
class _Followed:
    """The types of a kernel's names at each of its calls, the places of extents that are not known, and what it was followed
    with: the types of its parameters, the results of its callees, and their names."""

    types: Callable[[syntax.Call | None], dict[str, TensorType]]
    places: list[syntax.Node]
    given: tuple[dict[str, Type], dict[str, Output], dict[str, str]]

    def holds(self, given: tuple[dict[str, Type], dict[str, Output], dict[str, str]]) -> bool:
        return self.given[1:] == given[1:] and _same_by_name(self.given[0], given[0])


@dataclass(slots=True)
class _Settled:
    """The parameter types of a kernel and what they follow from: of its caller the types of the names that the call reads."""

    kernel: JitKernel
    call: syntax.Call | None
    dynamic: dict[str, dict[int, Var]]
    followed: _Followed | None
    read: Mapping[str, Type]
    types: dict[str, Type]

    def holds(
        self,
        kernel: JitKernel,
        call: syntax.Call | None,
        dynamic: dict[str, dict[int, Var]],
        followed: _Followed | None,
    ) -> bool:
        if self.kernel is not kernel or self.call is not call or self.dynamic != dynamic:
            return False
        if self.followed is not followed:
            if not _same_by_name(self.read, _read(call, followed)):
                return False
            self.followed = followed
        return True


@dataclass(frozen=True, slots=True)
class _Made:
    """A kernel as an entry's specialisation lowered it last, and what it was lowered from. ``own_types``: the places of the extents
    in its types are those of this very specialisation."""

    kernel: JitKernel
    types: dict[str, Type]
    callees: dict[str, Signature]
    built: Built
    own_types: bool


@dataclass(slots=True)
class JitLowering:
    """The jit kernels of one module's analysis: declarations and dependencies, each found once."""

    memo: LoweringMemo
    graphs: dict[KernelRef, Dependencies] = field(default_factory=dict)
    #: what bodies were followed to in this analysis
    followed: dict[KernelRef, list[_Followed]] = field(default_factory=dict)
    #: by the identity of their references, which they keep alive
    _kernels: dict[int, tuple[KernelRef, JitKernel]] = field(default_factory=dict)

    def kernel(self, ref: KernelRef) -> JitKernel:
        known = self._kernels.get(id(ref))
        if known is None:
            known = self._kernels[id(ref)] = (ref, self._declared(ref))
        return known[1]

    def _declared(self, ref: KernelRef) -> JitKernel:
        """A kernel as declared; it is the same as before when its body alone has changed."""
        key = ("jit", ref.node.params, EnvironmentKey(ref.env), ref.flavour, ref.decorator)
        bound = bound_dimensions(ref.node)
        known = self.memo.find(key, JitKernel)
        return known if known is not None and known.bound == bound else self.memo.keep(key, _declare(ref, bound))

    def scanning(self, entry: KernelRef) -> Steps[None]:
        """Look through the kernels that an entry reaches for the first time, which parses those of other files; in steps."""
        seen, pending = {entry}, [entry]
        while pending and self.memo.is_new:
            found = set(direct_dependencies(pending.pop()).values()) - seen
            seen |= found
            pending += found
            yield

    def graph(self, ref: KernelRef) -> Dependencies:
        if ref not in self.graphs:
            self.graphs[ref] = dependencies(ref)
        return self.graphs[ref]


def _declare(ref: KernelRef, bound: dict[str, dict[int, Var]]) -> JitKernel:
    env = definition_env(ref.node, ref.env)
    options = jit_options(ref, env)
    params = parameters(ref.node, ref.env, jit=True)
    params.diagnostics = [d for d in params.diagnostics if d.error_code != faults_annotations.DIM_VALUE.code]
    _check_views(params)
    _check_scalars(params)
    names = tuple(var.name for var in params.vars)
    outputs = tuple(
        var.name
        for var, direction in zip(params.vars, params.directions)
        if direction is not Direction.IN and isinstance(var.type, TENSORS)
    )
    return JitKernel(ref.flavour, options, params, dynamic_dimensions(params, bound), bound, Output(names, outputs))


def _check_views(params: Parameters) -> None:
    """A view on a parameter, which specialisation cannot carry over."""
    for node, var in zip(params.nodes, params.vars):
        view = var.type.view if isinstance(var.type, TENSORS) else None
        if view is not None and (view.stride or view.valid_shape or view.pad != "null") and node.annotation is not None:
            params.diagnostics.append(faults_annotations.JIT_VIEW.at(node.annotation.span, subject=node))


def _check_scalars(params: Parameters) -> None:
    """A scalar's element type that is not written ``pl.X``: the compiled text has no other names."""
    for node, var in zip(params.nodes, params.vars):
        annotation = node.annotation
        if not (isinstance(var.type, ScalarType) and isinstance(annotation, syntax.Subscript)):
            continue
        if last_name(annotation.value) == "Scalar" and not _spelled_out(annotation.index[0]) and var.type.dtype:
            part = annotation.index[0]
            params.diagnostics.append(
                faults_annotations.JIT_SCALAR.at(part.span, subject=part, text=part.text, dtype=str(var.type.dtype))
            )


def _spelled_out(expr: syntax.Expr) -> bool:
    while isinstance(expr, syntax.Attribute):
        expr = expr.value
        if isinstance(expr, syntax.Name):
            return expr.id == "pl"
    return False


# --- one entry -----------------------------------------------------------------------------------------------------


class _Specialisation:
    """One entry being specialised with everything it reaches."""

    def __init__(self, lowering: JitLowering, entry: KernelRef) -> None:
        self.lowering = lowering
        self.entry = entry
        self.graph = lowering.graph(entry)
        self.types: dict[KernelRef, dict[str, Type]] = {}
        self.dynamic: dict[KernelRef, dict[str, dict[int, Var]]] = {}
        self.diagnostics: dict[KernelRef, list[Diagnostic]] = {}
        self.chain: dict[str, tuple[Span, ...]] = {}
        self.done: dict[KernelRef, Built] = {}
        self.seen: dict[KernelRef, _Followed] = {}

    # --- types ---

    def settle_types(self) -> None:
        """The parameter types of every kernel, callers first."""
        self._cascade_dynamic()
        self.types[self.entry] = self._settled(self.entry, None, None, self._annotated_types)
        for ref in reversed(self.graph.order):
            self._settle(ref, self.graph.callers[ref][0])

    def _cascade_dynamic(self) -> None:
        """A dimension that a dependency declares dynamic is dynamic in its callers' arguments too."""
        for ref in (self.entry, *self.graph.order):
            declared = self.lowering.kernel(ref).dynamic
            self.dynamic[ref] = {param: dict(axes) for param, axes in declared.items()}
        for ref in self.graph.order:
            if not self.dynamic[ref]:
                continue
            params = list(self.lowering.kernel(ref).outputs.params)
            for caller in self.graph.callers.get(ref, ()):
                call = first_call(caller.node, ref.node.name)
                if call is None or caller not in self.dynamic:
                    continue
                given = arguments_by_param(call, params)
                for param, axes in self.dynamic[ref].items():
                    argument = given.get(param)
                    if isinstance(argument, syntax.Name):
                        target = self.dynamic[caller].setdefault(argument.id, {})
                        for axis, symbol in axes.items():
                            target.setdefault(axis, symbol)

    def _annotated_types(self) -> dict[str, Type]:
        """The parameter types of the entry."""
        dynamic = self.dynamic[self.entry]
        return {
            var.name: _with_symbols(_plain(var.type), dynamic.get(var.name, {}))
            for var in self.lowering.kernel(self.entry).params.vars
        }

    def _settle(self, ref: KernelRef, caller: KernelRef) -> None:
        call = first_call(caller.node, ref.node.name)
        if caller in self.types and call is not None:
            self.chain[ref.node.name] = (*self.chain.get(caller.node.name, ()), call.span)
        followed = self._followed(caller) if caller in self.types else None
        known = {} if followed is None else followed.types(call)
        self.types[ref] = self._settled(ref, call, followed, lambda: self._argument_types(caller, ref, call, known))

    def _settled(
        self,
        ref: KernelRef,
        call: syntax.Call | None,
        followed: _Followed | None,
        make: Callable[[], dict[str, Type]],
    ) -> dict[str, Type]:
        """The parameter types of a kernel, as they were if all is the same that they follow from."""
        memo, key = self.lowering.memo, ("settled", ref, EnvironmentKey(ref.env), self.entry.node.name)
        kernel, dynamic = self.lowering.kernel(ref), self.dynamic[ref]
        settled = memo.find(key, _Settled)
        if settled is None or not settled.holds(kernel, call, dynamic, followed):
            settled = _Settled(kernel, call, dynamic, followed, _read(call, followed), make())
            if UNDETERMINED not in settled.types.values():  # else there is something to say of the caller
                memo.keep(key, settled)
        return settled.types

    def _argument_types(
        self, caller: KernelRef, ref: KernelRef, call: syntax.Call | None, known: dict[str, TensorType]
    ) -> dict[str, Type]:
        """The parameter types of a kernel for a call where the types of some names are known."""
        kernel = self.lowering.kernel(ref)
        given = {} if call is None else arguments_by_param(call, list(kernel.outputs.params))
        types: dict[str, Type] = {}
        for var in kernel.params.vars:
            if not isinstance(var.type, TENSORS):
                types[var.name] = var.type
                continue
            meta = self._argument_type(known, given.get(var.name), named=var.name if call is None else None)
            if meta is None:
                self._missing(caller, ref, var.name, call, given.get(var.name))
                types[var.name] = UNDETERMINED
                continue
            meta = _with_symbols(meta, self.dynamic[ref].get(var.name, {}))
            types[var.name] = _as_declared(meta, var.type)
        return types

    def _followed(self, caller: KernelRef) -> _Followed:
        """The types of a caller's names at its calls; its body is followed once for all it calls."""
        found = self.seen.get(caller)
        if found is None:
            found = self.seen[caller] = self._follow(caller)
        return found

    def _follow(self, caller: KernelRef) -> _Followed:
        """Follow a caller's body, or find that it was followed with the same types before."""
        types = self.types[caller]
        outputs = {name: self.lowering.kernel(ref).outputs for name, ref in self.graph.callees[caller].items()}
        key = ("followed", caller, EnvironmentKey(caller.env), self.entry.node.name)
        given = (types, outputs, {name: ref.node.name for name, ref in self.graph.callees[caller].items()})
        memo = self.lowering.memo
        found = memo.find(key, _Followed)
        if found is None or not found.holds(given):
            # another entry may have followed it with the same types
            found = next((other for other in self.lowering.followed.get(caller, ()) if other.holds(given)), None)
            if found is None:
                unknown = _UnknownExtents(memo)
                found = _Followed(self._metas(caller, types, outputs, unknown), unknown.places, given)
            memo.keep(key, found)
        self.lowering.followed.setdefault(caller, []).append(found)
        for place in found.places:
            _UnknownExtents(memo).at(place)  # so that it is kept
        return found

    def _metas(
        self, caller: KernelRef, types: dict[str, Type], outputs: dict[str, Output], unknown: _UnknownExtents
    ) -> Callable[[syntax.Call | None], dict[str, TensorType]]:
        kernel = self.lowering.kernel(caller)
        seeds = {name: _meta(type_) for name, type_ in types.items() if isinstance(type_, TENSORS)}
        unsettled = {name: TensorType(None, None) for name, type_ in types.items() if type_ is UNDETERMINED}
        callees = self.graph.callees[caller]
        calls = [first_call(caller.node, ref.node.name) for ref in callees.values()]
        return Metas(
            env=caller.env,
            local={**unsettled, **seeds},
            scalars={var.name for var in kernel.params.vars if not isinstance(var.type, TENSORS)},
            outputs=outputs,
            calls=[call for call in calls if call is not None],
            unknown=unknown.at,
        ).run(caller.node.body)

    def _argument_type(
        self, known: dict[str, TensorType], argument: syntax.Expr | None, *, named: str | None
    ) -> TensorType | None:
        """The tensor type of an argument, None where the specialiser has none. ``named``: matched by name alone, as for a
        kernel that is called under another name."""
        if named is not None:
            return known.get(named, TensorType(None, None))
        seen = argument_of(argument) if argument is not None else None
        if isinstance(seen, str):
            return known.get(seen)
        if isinstance(seen, Sliced):
            base = known.get(seen.base)
            if base is None or base.shape is None:
                return base
            return replace(base, shape=base.shape[seen.drop :]) if seen.drop < len(base.shape) else None
        return None

    def _missing(
        self, caller: KernelRef, ref: KernelRef, param: str, call: syntax.Call | None, argument: syntax.Expr | None
    ) -> None:
        """A tensor argument without a type. One that is not given at all is the call's own fault, reported with it, and what a
        function that does not exist would have given is that call's."""
        if call is None or argument is None or _from_nowhere(caller, argument):
            return
        self.diagnostics.setdefault(caller, []).append(
            faults.DEPENDENCY_SHAPE.at(
                argument.span, subject=argument, text=argument.text, param=param, name=ref.node.name
            )
        )

    # --- bodies ---

    def build_all(self) -> Steps[None]:
        """Lower every kernel, callees first."""
        for ref in (*self.graph.order, self.entry):
            self.done[ref] = yield from self._build(ref)

    def _methods(self) -> list[str]:
        return [ref.node.name for ref in (*self.graph.order, self.entry)]

    def _build(self, ref: KernelRef) -> Steps[Built]:
        memo = self.lowering.memo
        key = ("made", ref, EnvironmentKey(ref.env), self.entry.node.name)
        callees = self._signatures(ref)
        if callees is None:
            return (yield from self._lower(ref))
        made = memo.find(key, _Made)
        if made is None or not self._stands(ref, made, callees):
            built = yield from self._lower(ref)
            types = self.types[ref]
            own = all(var.type is types[var.name] for var in built.function.params)
            made = memo.keep(key, _Made(self.lowering.kernel(ref), types, callees, built, own))
        return made.built

    def _lower(self, ref: KernelRef) -> Steps[Built]:
        memo = self.lowering.memo
        surrounds = Surrounds(lambda name, method: self._callee(ref, name, method), self._methods, memo)
        return (yield from build(self._kernel(ref), surrounds))

    def _signatures(self, ref: KernelRef) -> dict[str, Signature] | None:
        """The kernels that one calls by plain names, as it sees them; None where that is not all it depends on."""
        if ref in self.diagnostics or scan(ref.node).self_names:
            return None
        found: dict[str, Signature] = {}
        for name, callee in self.graph.called[ref].items():
            if callee not in self.done:
                return None
            found[name] = self.done[callee].signature
        return found

    def _stands(self, ref: KernelRef, made: _Made, callees: dict[str, Signature]) -> bool:
        """Whether a kernel is as it was lowered last, and :func:`build` would find it."""
        same = made.kernel is self.lowering.kernel(ref) and made.types is self.types[ref]
        same = same and made.callees.keys() == callees.keys()
        same = same and all(made.callees[name] is signature for name, signature in callees.items())
        return same and self.lowering.memo.holds_built(made.built, shared=not made.own_types)

    def _kernel(self, ref: KernelRef) -> Kernel:
        """A kernel with the types of this specialisation."""
        kernel = self.lowering.kernel(ref)
        params = _specialised(kernel, self.types[ref])
        return Kernel(
            node=ref.node,
            env=ref.env,
            flavour=ref.flavour,
            options=kernel.options,
            params=params,
            declared=specialised_result(ref, params, kernel.outputs.outputs),
            jit=ref.flavour.rpartition(".")[2],
            ref=ref,
            diagnostics=self.diagnostics.get(ref, []),
        )

    def _callee(self, ref: KernelRef, name: str, method: bool) -> Signature | None:
        if not method:
            return self._dependency(ref, name)
        found = (built.signature for other, built in self.done.items() if other.node.name == name)
        return next(found, None)

    def _dependency(self, ref: KernelRef, name: str) -> Signature | None:
        """The kernel that a bare name stands for. One found under another name than its own is given too, for the message;
        one that is not lowered yet calls this one in turn."""
        value = self.graph.callees[ref].get(name, ref.env.lookup(name))
        if not isinstance(value, KernelRef) or value not in self.graph.callees[ref].values():
            return None
        if value in self.done:
            return self.done[value].signature
        return signature_of(self._kernel(value), NONE, later=True)

    def unit(self, *, standalone: bool) -> LoweredUnit:
        functions: dict[str, Function] = {}
        diagnostics: list[Diagnostic] = []
        bindings: list[Binding] = []
        for ref, built in self.done.items():
            for function in extern_functions(built.function, ref.node):
                functions[function.name] = function
            diagnostics += built.diagnostics
            bindings += built.bindings
        node = self.entry.node
        program = Program(node.name, functions, node.span, node.name)
        if not standalone:
            diagnostics += inline_faults(program, bindings)
        return LoweredUnit(node.name, "jit", program, node.span, diagnostics, bindings, standalone, self.chain)


def jit_unit(ref: KernelRef, lowering: JitLowering, *, standalone: bool = False) -> Steps[LoweredUnit]:
    """A jit kernel with everything it reaches as a program, in steps. ``standalone``: a helper, by its annotations alone."""
    yield from lowering.scanning(ref)
    specialisation = _Specialisation(lowering, ref)
    specialisation.settle_types()
    yield
    yield from specialisation.build_all()
    return specialisation.unit(standalone=standalone)


def _read(call: syntax.Call | None, followed: _Followed | None) -> Mapping[str, Type]:
    """Of the types of a caller those of the names that a call reads; without a call any may be meant."""
    if followed is None:
        return {}
    known = followed.types(call)
    if call is None:
        return known
    names = read_names(*call.args, *(keyword.value for keyword in call.keywords))
    return {name: known[name] for name in sorted(names) if name in known}


def _same_by_name(old: Mapping[str, Type], new: Mapping[str, Type]) -> bool:
    """Whether names have the same types, places included."""
    if old is new:
        return True
    return old.keys() == new.keys() and same_types(tuple(old[name] for name in new), tuple(new.values()))


# --- types of parameters -------------------------------------------------------------------------------------------


def _layout_only(view: TensorView | None) -> TensorView | None:
    return None if view is None or view.layout == "ND" else TensorView(layout=view.layout)


def _plain(type_: Type) -> Type:
    """A parameter's type as specialisation keeps it: shape, element type and layout."""
    return replace(type_, view=_layout_only(type_.view), memref=None) if isinstance(type_, TENSORS) else type_


def _meta(type_: Any) -> TensorType:
    """The tensor type that the specialiser keeps of a parameter; whether it is distributed comes from each annotation."""
    return TensorType(type_.dtype, type_.shape, _layout_only(type_.view))


def _from_nowhere(caller: KernelRef, argument: syntax.Expr) -> bool:
    """Whether an argument is a name that the call of a function which does not exist binds."""
    if not isinstance(argument, syntax.Name):
        return False
    bound = (
        node for node in walk(caller.node) if isinstance(node, syntax.Assign) and isinstance(node.value, syntax.Call)
    )
    return any(
        argument.id in target_names(target)
        and isinstance(node.value.func, syntax.Name)
        and caller.env.lookup(node.value.func.id) is MISSING
        for node in bound
        if isinstance(node.value, syntax.Call)
        for target in node.targets
    )


def _with_symbols(type_: Any, axes: dict[int, Var]) -> Any:
    """A tensor type with the axes that are dynamic; an axis that is a symbol already keeps it."""
    if not axes or not isinstance(type_, TENSORS) or type_.shape is None:
        return type_
    shape = tuple(
        axes[index] if index in axes and isinstance(extent, int | OpaqueInt) else extent
        for index, extent in enumerate(type_.shape)
    )
    return replace(type_, shape=shape)


def _as_declared(meta: TensorType, declared: Type) -> Type:
    """An argument's tensor type as the kernel's parameter: of the declared kind, with the declared layout."""
    assert isinstance(declared, TENSORS)
    meta = with_layout(meta, declared.view)
    return type(declared)(meta.dtype, meta.shape, meta.view)


def _specialised(kernel: JitKernel, types: dict[str, Type]) -> Parameters:
    """The parameters of a specialisation; those of an inline kernel have no direction."""
    source = kernel.params
    inline = kernel.flavour == "jit.inline"
    return Parameters(
        nodes=source.nodes,
        vars=[Var(var.name, types[var.name], var.span) for var in source.vars],
        directions=[Direction.IN] * len(source.vars) if inline else source.directions,
        symbols=dict(source.symbols),
        bare=source.bare,
        allocations=source.allocations,
        diagnostics=source.diagnostics,
        declared=tuple(var.type for var in source.vars),
    )
