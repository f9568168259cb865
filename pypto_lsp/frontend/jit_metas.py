"""The tensor types that a jit kernel's locals have when a dependency is called, as the specialiser infers them.

The specialiser does not type the caller's body. It follows a few forms of assignment in source order: creation, slices and windows,
reshapes, subscripts, results of other kernels, and plain copies. What it cannot follow has no type, and a tensor argument
without one is an error. Here a third case is kept apart: a type that *it* knows and we do not (a parameter annotated ``pl.Tensor``
alone, a constant that cannot be computed) is a tensor type without shape or element type.

Source: the project's reference docs on specialisation.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from pypto_lsp.frontend.annotation_scope import last_name
from pypto_lsp.frontend.static_scope import MISSING, Environment
from pypto_lsp.frontend.values import DynamicSymbol, OpaqueValue
from pypto_lsp.ir.arith import dim_of
from pypto_lsp.ir.dtypes import DTYPES, DType
from pypto_lsp.ir.nodes import Expr, Var
from pypto_lsp.ir.types import TensorType, TensorView
from pypto_lsp.syntax import nodes as syntax

Dim = int | Expr


class _Unsure:
    """The type of :data:`UNSURE`."""

    __slots__ = ()


#: an extent that the compiler knows and we do not
UNSURE = _Unsure()
Extent = int | Var | _Unsure | None


@dataclass(frozen=True, slots=True)
class Output:
    """How a kernel's results follow from its arguments: its parameters, and those of them that are outputs."""

    params: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sliced:
    """``base[i]`` as an argument: the base with its first ``drop`` dimensions removed."""

    base: str
    drop: int


Argument = str | Sliced | None


def argument_of(expr: syntax.Expr) -> Argument:
    """What the specialiser sees of an argument: a name, a name indexed by integers, or nothing."""
    if isinstance(expr, syntax.Name):
        return expr.id
    if isinstance(expr, syntax.Subscript) and isinstance(expr.value, syntax.Name):
        drop = sum(1 for index in expr.index if not isinstance(index, syntax.Slice))
        return Sliced(expr.value.id, drop) if drop else None
    return None


def arguments_by_param(call: syntax.Call, params: list[str]) -> dict[str, syntax.Expr]:
    """The arguments of a call by parameter name; a keyword of no parameter and surplus arguments are left out."""
    found = dict(zip(params, call.args))
    for keyword in call.keywords:
        if keyword.arg in params:
            found[keyword.arg] = keyword.value
    return found


@dataclass(slots=True)
class Metas:
    """The state of following one kernel's body.

    ``local`` are the tensor types known so far, ``scalars`` the names of scalar parameters (whose value the compiler may know),
    ``outputs`` the kernels that the body calls, ``calls`` the calls before whose statements the types are asked for.
    ``unknown`` gives what stands for an extent, written at some place, that only the compiler knows.
    """

    env: Environment
    local: dict[str, TensorType]
    scalars: set[str]
    outputs: Mapping[str, Output]
    calls: list[syntax.Call]
    unknown: Callable[[syntax.Node], Expr]
    anchors: dict[str, Var] = field(default_factory=dict)
    aliases: dict[str, tuple[str, int]] = field(default_factory=dict)
    _places: list[int] = field(default_factory=list)

    def run(self, body: tuple[syntax.Stmt, ...]) -> Callable[[syntax.Call | None], dict[str, TensorType]]:
        """The types at each of the calls; those at the end of the body for any other."""
        for type_ in self.local.values():
            for extent in map(dim_of, type_.shape or ()):
                if isinstance(extent, Var):
                    self.anchors.setdefault(extent.name, extent)
        places = sorted((call.anchor.offset + call.start, id(call)) for call in self.calls)
        self._places = [place for place, _ in places]
        seen: dict[int, dict[str, TensorType]] = {}
        self._statements(body, dict(places), seen)
        local = self.local  # not this object, which holds what holds the answer
        return lambda call: local if call is None else seen.get(id(call), local)

    # --- statements ---

    def _statements(
        self, body: tuple[syntax.Stmt, ...], waiting: dict[int, int], seen: dict[int, dict[str, TensorType]]
    ) -> None:
        for stmt in body:
            for place in self._held(stmt):
                if place in waiting:
                    seen[waiting.pop(place)] = dict(self.local)
            self._assigned(stmt)
            for name in ("body", "orelse", "finalbody"):
                nested = getattr(stmt, name, ())
                if nested and isinstance(nested, tuple):
                    self._statements(nested, waiting, seen)

    def _held(self, stmt: syntax.Stmt) -> list[int]:
        """The places of the calls that stand on a statement's own line, not in its nested blocks."""
        if not self._places:
            return []
        found: list[int] = []
        for part in _own_parts(stmt):
            start = part.anchor.offset + part.start
            first = bisect_left(self._places, start)
            last = bisect_left(self._places, part.anchor.offset + part.end)
            found.extend(self._places[first:last])
        return found

    def _assigned(self, stmt: syntax.Stmt) -> None:
        if isinstance(stmt, syntax.Assign):
            targets, value = stmt.targets, stmt.value
        elif isinstance(stmt, syntax.AnnAssign) and stmt.value is not None:
            targets, value = (stmt.target,), stmt.value
        else:
            return
        keep = False
        meta: TensorType | None = None
        results: list[dict[str, TensorType]] = [{} for _ in targets]
        if isinstance(value, syntax.Subscript):
            meta = self._subscript(value)
        elif isinstance(value, syntax.Name):
            meta = self.local.get(value.id)
        elif isinstance(value, syntax.Call):
            meta, keep = self._call(value)
            if isinstance(value.func, syntax.Name) and value.func.id in self.outputs:
                results = [self._results(value, self.outputs[value.func.id], target) for target in targets]
                keep = True
        alias = _dim_alias(value)
        for target, result in zip(targets, results):
            self.local.update(result)
            if isinstance(target, syntax.Name):
                self._bind(target.id, meta, keep, alias)

    def _bind(self, name: str, meta: TensorType | None, keep: bool, alias: tuple[str, int] | None) -> None:
        if meta is not None:
            self.local[name] = meta
        elif not keep:
            self.local.pop(name, None)
        self.aliases.pop(name, None)
        if alias is not None:
            self.aliases[name] = alias

    # --- values ---

    def _call(self, call: syntax.Call) -> tuple[TensorType | None, bool]:
        """The type of ``pl.<op>(...)`` and whether the target keeps the type it had."""
        func = call.func
        if not (isinstance(func, syntax.Attribute) and isinstance(func.value, syntax.Name)):
            return None, False
        handler = _HANDLERS.get(func.attr)
        return (None, True) if handler is None else (handler(self, call), False)

    def created(self, call: syntax.Call) -> TensorType | None:
        return self._made(call.args[0] if call.args else None, call)

    def window(self, call: syntax.Call) -> TensorType | None:
        return self._made(call.args[1] if len(call.args) >= 2 else None, call)

    def _made(self, shape: syntax.Expr | None, call: syntax.Call) -> TensorType | None:
        extents, dtype = self._shape(shape), _dtype_keyword(call)
        return None if extents is None or dtype is None else TensorType(dtype, extents)

    def reshaped(self, call: syntax.Call) -> TensorType | None:
        source = call.args[0] if call.args else _keyword(call, "input")
        shape = call.args[1] if len(call.args) >= 2 else _keyword(call, "shape")
        if not isinstance(source, syntax.Name) or source.id not in self.local:
            return None
        meta = self.local[source.id]
        extents = self._shape(shape)
        if extents is None or (meta.view is not None and meta.view.layout != "ND"):
            return None
        return TensorType(meta.dtype, extents)

    def sliced(self, call: syntax.Call) -> TensorType | None:
        source = call.args[0] if call.args else None
        shape = call.args[1] if len(call.args) >= 2 else _keyword(call, "shape")
        if not isinstance(source, syntax.Name) or source.id not in self.local or not isinstance(shape, syntax.List):
            return None
        meta = self.local[source.id]
        if meta.shape is None:
            found = [(element, self._extent(element)) for element in shape.elts]
            return replace(meta, shape=tuple(e if isinstance(e, int) else self.unknown(at) for at, e in found))
        if len(shape.elts) != len(meta.shape):
            return None
        extents = [self._bounded(element, parent) for element, parent in zip(shape.elts, meta.shape)]
        return replace(meta, shape=tuple(extents))

    def _bounded(self, element: syntax.Expr, parent: Dim) -> Dim:
        """An extent of a slice: a constant, else the extent of what is sliced."""
        extent = self._extent(element)
        if isinstance(extent, _Unsure):
            return self.unknown(element)
        return extent if isinstance(extent, int) else parent

    def _subscript(self, value: syntax.Subscript) -> TensorType | None:
        if not isinstance(value.value, syntax.Name) or value.value.id not in self.local:
            return None
        meta = self.local[value.value.id]
        if meta.shape is None:
            return meta
        if len(value.index) > len(meta.shape):
            return None
        extents: list[Dim] = []
        for index, parent in zip(value.index, meta.shape):
            if not isinstance(index, syntax.Slice):
                continue
            if index.step is not None:
                return None
            extents.append(self._slice_extent(index, parent))
        return replace(meta, shape=(*extents, *meta.shape[len(value.index) :]))

    def _slice_extent(self, index: syntax.Slice, parent: Dim) -> Dim:
        start = 0 if index.lower is None else self._extent(index.lower)
        stop = parent if index.upper is None else self._extent(index.upper)
        if isinstance(start, _Unsure) or isinstance(stop, _Unsure):
            return self.unknown(index)
        return stop - start if isinstance(start, int) and isinstance(stop, int) else parent

    def _results(self, call: syntax.Call, output: Output, target: syntax.Expr) -> dict[str, TensorType]:
        """The types of names bound to a kernel's results: those of the arguments for its outputs."""
        names = _names(target)
        if names is None or not output.outputs or len(names) != len(output.outputs):
            return {}
        given = arguments_by_param(call, list(output.params))
        found: dict[str, TensorType] = {}
        for name, param in zip(names, output.outputs):
            argument = given.get(param)
            if isinstance(argument, syntax.Name) and argument.id in self.local:
                found[name] = self.local[argument.id]
        return found

    # --- extents ---

    def _shape(self, expr: syntax.Expr | None) -> tuple[Dim, ...] | None:
        if not isinstance(expr, syntax.List):
            return None
        found: list[Dim] = []
        for element in expr.elts:
            extent = self._extent(element)
            if extent is None:
                return None
            found.append(self.unknown(element) if isinstance(extent, _Unsure) else extent)
        return tuple(found)

    def _extent(self, expr: syntax.Expr) -> Extent:
        if isinstance(expr, syntax.Constant):
            return expr.value if isinstance(expr.value, int) else None
        if isinstance(expr, syntax.Name):
            return self._name(expr.id)
        if isinstance(expr, syntax.BinOp):
            left, right = self._extent(expr.left), self._extent(expr.right)
            if isinstance(left, int) and isinstance(right, int):
                return _folded(expr.op, left, right)
            return UNSURE if isinstance(left, _Unsure) or isinstance(right, _Unsure) else None
        if isinstance(expr, syntax.UnaryOp) and expr.op in ("-", "+"):
            value = self._extent(expr.operand)
            if isinstance(value, int):
                return -value if expr.op == "-" else value
            return UNSURE if isinstance(value, _Unsure) else None
        return None

    def _name(self, name: str) -> Extent:
        alias = self.aliases.get(name)
        if alias is not None:
            meta = self.local.get(alias[0])
            if meta is not None and meta.shape is None:
                return UNSURE
            if meta is not None and meta.shape is not None and alias[1] < len(meta.shape):
                return _known(meta.shape[alias[1]])
        if name in self.anchors:
            return self.anchors[name]
        value = self.env.lookup(name)
        if isinstance(value, bool):
            return None
        if isinstance(value, int):
            return value
        if isinstance(value, OpaqueValue | DynamicSymbol) or (value is MISSING and name in self.scalars):
            return UNSURE
        return UNSURE if name in self.scalars or self.env.module.unknown_star else None


def _known(extent: Dim) -> Extent:
    return extent if isinstance(extent, int | Var) else UNSURE


def _folded(op: str, left: int, right: int) -> int | None:
    if op in ("//", "%"):
        if right == 0:
            return None
        return left // right if op == "//" else left % right
    if op == "**":
        return left**right if 0 <= right <= 64 else None
    return {"+": left + right, "-": left - right, "*": left * right}.get(op)


def _own_parts(stmt: syntax.Stmt) -> tuple[syntax.Node, ...]:
    """The expressions on a statement's own line."""
    match stmt:
        case syntax.For():
            return (stmt.target, stmt.iter)
        case syntax.If() | syntax.While():
            return (stmt.test,)
        case syntax.With():
            return stmt.items
        case syntax.FunctionDef() | syntax.ClassDef() | syntax.Try():
            return ()
        case _:
            return (stmt,)


def _keyword(call: syntax.Call, name: str) -> syntax.Expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _dtype_keyword(call: syntax.Call) -> DType | None:
    value = _keyword(call, "dtype")
    if isinstance(value, syntax.Attribute) and isinstance(value.value, syntax.Name):
        return DTYPES.get(value.attr)
    return None


def _dim_alias(value: syntax.Expr) -> tuple[str, int] | None:
    """``pl.tensor.dim(x, 0)`` as (name, axis)."""
    if not (isinstance(value, syntax.Call) and len(value.args) >= 2 and last_name(value.func) == "dim"):
        return None
    if not (isinstance(value.func, syntax.Attribute) and last_name(value.func.value) == "tensor"):
        return None
    source, axis = value.args[0], value.args[1]
    if isinstance(source, syntax.Name) and isinstance(axis, syntax.Constant) and isinstance(axis.value, int):
        return source.id, axis.value
    return None


def _names(target: syntax.Expr) -> list[str] | None:
    """The names of a plain or tuple target; None for any other."""
    if isinstance(target, syntax.Name):
        return [target.id]
    if isinstance(target, syntax.Tuple):
        names = [element.id for element in target.elts if isinstance(element, syntax.Name)]
        return names if len(names) == len(target.elts) else None
    return None


_HANDLERS: dict[str, Callable[[Metas, syntax.Call], TensorType | None]] = {
    "create_tensor": Metas.created,
    "slice": Metas.sliced,
    "window": Metas.window,
    "reshape": Metas.reshaped,
}


def with_layout(type_: TensorType, view: TensorView | None) -> TensorType:
    """A tensor type with the layout that a kernel declares, where the argument brings none."""
    if view is None or type_.view is not None or view.layout == "ND":
        return type_
    return replace(type_, view=TensorView(layout=view.layout))
