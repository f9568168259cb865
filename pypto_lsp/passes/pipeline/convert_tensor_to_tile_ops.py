"""ConvertTensorToTileOps: kernels compute on tiles, with the loads and stores that they need; results that a kernel computes
become parameters that it writes, and the callers make the tensors for them.

A kernel with an operator that is not modelled stays on tensors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Direction, EnumMember, memory_space
from pypto_lsp.ir.mutator import Emitter, Mutator, Statements, changed
from pypto_lsp.ir.types import SHAPED, TENSORS, TensorType, TileType, TupleType, Type
from pypto_lsp.ir.visit import own_exprs, walk, yielded
from pypto_lsp.passes.convert_tensor_to_tile_ops import directly_used, wanted_spaces
from pypto_lsp.passes.effective_directions import effective_directions
from pypto_lsp.passes.pipeline.captured import written_position
from pypto_lsp.passes.pipeline.names import base_name
from pypto_lsp.passes.pipeline.tile_operators import CONVERSIONS, KEPT, NotModelled, Place, alone, loaded_slice
from pypto_lsp.passes.scalar_fills import fills_as_stores
from pypto_lsp.passes.tile_conversions import input_space
from pypto_lsp.text import Span


def _tile_name(name: str) -> str:
    return f"{base_name(name)}__tile"


class _Kernel(Emitter):
    """Converts one kernel."""

    def __init__(self, function: ir.Function) -> None:
        super().__init__()
        self.source = function
        self.values: dict[ir.Var, ir.Expr] = {}
        self.wanted: Mapping[ir.Var, str] = {}
        #: the mode of the lane region in work
        self.region: str | None = None

    def converted(self) -> ir.Function:
        body = fills_as_stores(self.source.body or ())
        self.wanted = wanted_spaces(body)
        loads = self._entry_loads(body)
        last = body[-1] if body else None
        given = last if isinstance(last, ir.Return) else None
        inner = self.body(body[:-1] if given is not None else body)
        out = [*loads, *inner]
        params, directions = list(self.source.params), list(self.source.directions)
        values: list[ir.Expr] = []
        for value in given.values if given is not None else ():
            values.append(self._given(self.expr(value), value, out, params, directions))
        span = given.span if given is not None else self.source.span
        out.append(ir.Return(tuple(values), span))
        return replace(
            self.source,
            params=tuple(params),
            directions=_written(tuple(params), tuple(directions), out),
            return_types=tuple(value.type for value in values),
            body=tuple(out),
        )

    def _entry_loads(self, body: ir.Body) -> list[ir.Stmt]:
        used = directly_used(body)
        loads: list[ir.Stmt] = []
        for param in self.source.params:
            if param in used and isinstance(param.type, TensorType):
                load = Place(self._emit, param.span).load_whole(ir.Read(param, param.span))
                tile = ir.Var(_tile_name(param.name), load.type, param.span)
                loads.append(ir.Assign(tile, load, param.span, param.span))
                self.values[param] = ir.Read(tile, param.span)
        return loads

    def _given(
        self, value: ir.Expr, source: ir.Expr, out: list[ir.Stmt], params: list[ir.Var], directions: list[Direction]
    ) -> ir.Expr:
        """What is returned for a value: a tile is stored into a tensor that the caller hands in for it."""
        if not isinstance(value.type, TileType):
            return value
        if not isinstance(source.type, TensorType) or value.type.shape is None:
            raise NotModelled("a tile that is given back")
        number = len(params) - len(self.source.params)
        target = ir.Var(f"ret{number}__out", source.type, source.span)
        params.append(target)
        directions.append(Direction.OUT)
        place = Place(self._emit, source.span)
        read = ir.Read(target, source.span)
        store = place.build("tile.store", (value, place.zeros(len(value.type.shape)), read))
        stored = ir.Var(f"ret{number}__store", store.type, source.span)
        out.append(ir.Assign(stored, store, source.span, source.span))
        return ir.Read(stored, source.span)

    # --- values ------------------------------------------------------------------------------------------------------

    def read(self, var: ir.Var) -> ir.Expr | None:
        return self.values.get(var)

    def _retyped(self, var: ir.Var, type_: Type) -> ir.Var:
        """The variable that holds a value of another type than before."""
        if type_ is var.type or type_ == var.type or not isinstance(type_, (*SHAPED, TupleType)):
            return var
        made = ir.Var(var.name, type_, var.span)
        self.values[var] = ir.Read(made, var.span)
        return made

    def _emit(self, name: str, value: ir.Expr) -> ir.Read:
        var = ir.Var(name, value.type, value.span)
        self.before.append(ir.Assign(var, value, value.span, value.span))
        return ir.Read(var, value.span)

    # --- statements --------------------------------------------------------------------------------------------------

    def assign(self, stmt: ir.Assign) -> Statements:
        value = self.expr(stmt.value)
        if value is stmt.value and not (isinstance(value, ir.Call) and value.op in CONVERSIONS):
            _expect_kept(value)
            return (stmt,)
        if not isinstance(value, ir.Call) or not isinstance(value.op, str):
            return (changed(stmt, var=self._retyped(stmt.var, value.type), value=value),)
        if value.op not in CONVERSIONS:
            _expect_kept(value)
            return (changed(stmt, var=self._retyped(stmt.var, value.type), value=value),)
        made = self._converted(value, stmt)
        var = ir.Var(_tile_name(stmt.var.name), made.type, stmt.var.span)
        self.values[stmt.var] = ir.Read(var, stmt.var.span)
        return (replace(stmt, var=var, value=made),)

    def eval(self, stmt: ir.Eval) -> Statements:
        value = self.expr(stmt.expr)
        if isinstance(value, ir.Call) and isinstance(value.op, str):
            if value.op in CONVERSIONS:
                value = self._converted(value, None)
            else:
                _expect_kept(value)
        return (changed(stmt, expr=value),)

    def _converted(self, call: ir.Call, stmt: ir.Assign | None) -> ir.Expr:
        place = Place(self._emit, call.span, self.region)
        wanted = self.wanted.get(stmt.var) if call.op == "tensor.slice" and stmt is not None else None
        if wanted is not None and stmt is not None and isinstance(call.args[0].type, TENSORS):
            return loaded_slice(call, place, wanted, f"{_tile_name(stmt.var.name)}_full_rank")
        args = tuple(self._bridged(call, position, arg, place) for position, arg in enumerate(call.args))
        return CONVERSIONS[str(call.op)](replace(call, args=args), place)

    def _bridged(self, call: ir.Call, position: int, arg: ir.Expr, place: Place) -> ir.Expr:
        """An operand in the memory space in which the operator wants it."""
        space = input_space(call, position)
        if space is None:
            return arg
        if isinstance(arg.type, TensorType):
            name = arg.var.name if isinstance(arg, ir.Read) else "bridged"
            arg = place.emit(f"{name}_{space.lower()}", place.load_whole(arg, space))
        turned = call.kwargs.get("a_trans" if call.names[position] == "lhs" else "b_trans")
        if space != "Mat" or not turned:
            return arg
        if isinstance(arg.type, TileType) and arg.type.memory not in (None, "Mat"):
            moved = place.build("tile.move", (arg,), {"target_memory": memory_space("Mat")})
            arg = place.emit(f"{_name(arg)}_mat", moved)
        return place.emit(f"{_name(arg)}_t", place.build("tile.transpose_view", (arg,)))

    def scope(self, stmt: Any) -> Statements:
        outer = self.region
        if isinstance(stmt, ir.SplitAivScope):
            self.region = stmt.split
        made = tuple(super().scope(stmt))
        self.region = outer
        return made

    def for_(self, stmt: ir.For) -> Statements:
        loop = changed(stmt, start=self.expr(stmt.start), stop=self.expr(stmt.stop), step=self.expr(stmt.step))
        return (self._loop(loop),)

    def while_(self, stmt: ir.While) -> Statements:
        return (self._loop(stmt),)

    def _loop(self, stmt: Any) -> ir.Stmt:
        inits = [self.expr(arg.init) for arg in stmt.iter_args]
        args = tuple(ir.IterArg(self._retyped(arg.var, init.type), init) for arg, init in zip(stmt.iter_args, inits))
        fields: dict[str, Any] = {}
        if isinstance(stmt, ir.While):
            fields["condition"] = self.expr(stmt.condition)
        body = self.body(stmt.body)
        results = tuple(self._retyped(var, arg.var.type) for var, arg in zip(stmt.return_vars, args))
        return replace(stmt, iter_args=args, body=body, return_vars=results, **fields)

    def if_(self, stmt: ir.If) -> Statements:
        condition = self.expr(stmt.condition)
        then = self.body(stmt.then)
        orelse = None if stmt.orelse is None else self.body(stmt.orelse)
        types = [value.type for value in yielded(then) or yielded(orelse or ())]
        results = tuple(
            self._retyped(var, types[place]) if place < len(types) else var
            for place, var in enumerate(stmt.return_vars)
        )
        return (replace(stmt, condition=condition, then=then, orelse=orelse, return_vars=results),)


def _name(expr: ir.Expr) -> str:
    return expr.var.name if isinstance(expr, ir.Read) else "tile"


def _expect_kept(value: ir.Expr) -> None:
    """Raises :class:`NotModelled` for a tensor operator that a kernel may not keep."""
    if isinstance(value, ir.Call) and str(value.op).startswith("tensor.") and value.op not in KEPT:
        raise NotModelled(str(value.op))


# --- directions --------------------------------------------------------------------------------------------------------

#: operators that write one operand -> its position; those of two kinds of writes that do not read what was there
_WRITES = {
    "tensor.write": 0, "tile.store": 2, "tensor.assemble": 0, "pld.tile.remote_store": 1, "pld.tile.put": 0,
    "pld.tile.get": 0, "pld.system.notify": 0, "pld.tensor.allreduce": 0, "pld.tensor.barrier": 0,
    "pld.tensor.reduce_scatter": 0, "pld.tensor.broadcast": 0, "pld.tensor.allgather": 1, "pld.tensor.all_to_all": 1,
}  # fmt: skip


def _written(params: tuple[ir.Var, ...], directions: tuple[Direction, ...], body: Iterable[ir.Stmt]) -> Any:
    """The directions of parameters after the writes of a body: an In that is written is Out, InOut where it is read too."""
    names = {param: param for param in params if isinstance(param.type, TENSORS)}
    read: set[ir.Var] = set()
    written: set[ir.Var] = set()
    for stmt in walk(body):
        for node in own_exprs(stmt):
            if isinstance(node, ir.Call) and isinstance(node.op, str):
                _note(node, names, read, written)
        _alias(stmt, names)
    return tuple(
        (Direction.INOUT if param in read else Direction.OUT)
        if direction is Direction.IN and param in written
        else direction
        for param, direction in zip(params, directions)
    )


def _note(call: ir.Call, names: dict[ir.Var, ir.Var], read: set[ir.Var], written: set[ir.Var]) -> None:
    position = _WRITES.get(str(call.op))
    for place, arg in enumerate(call.args):
        origin = names.get(arg.var) if isinstance(arg, ir.Read) else None
        if origin is None:
            continue
        if place == position:
            written.add(origin)
        if place != position or (str(call.op) in ("tile.store", "tensor.assemble") and written_position(call) is None):
            read.add(origin)


def _alias(stmt: ir.Stmt, names: dict[ir.Var, ir.Var]) -> None:
    """Note other names for the memory of a parameter."""
    if isinstance(stmt, ir.Assign):
        value = stmt.value
        if isinstance(value, ir.Call) and isinstance(value.op, str):
            position = _WRITES.get(value.op)
            value = value.args[position] if position is not None and position < len(value.args) else value
        if isinstance(value, ir.Read) and value.var in names:
            names.setdefault(stmt.var, names[value.var])
    elif isinstance(stmt, (ir.For, ir.While)):
        for arg in stmt.iter_args:
            if isinstance(arg.init, ir.Read) and arg.init.var in names:
                names.setdefault(arg.var, names[arg.init.var])
        for var, arg in zip(stmt.return_vars, stmt.iter_args):
            if arg.var in names:
                names.setdefault(var, names[arg.var])


# --- callers -----------------------------------------------------------------------------------------------------------


class _Callers(Mutator):
    """Makes the tensors for the results that kernels write now, and hands them in."""

    def __init__(self, kernels: Mapping[str, tuple[ir.Function, int]]) -> None:
        self.kernels = kernels

    def assign(self, stmt: ir.Assign) -> Statements:
        call = stmt.value
        if not isinstance(call, (ir.Call, ir.Submit)) or not isinstance(call.op, ir.FunctionRef):
            return (stmt,)
        kernel, added = self.kernels.get(call.op.name, (None, 0))
        if kernel is None or not added:
            return (stmt,)
        made = [_made(param, stmt.span, call.span) for param in kernel.params[-added:]]
        args = (*call.args, *(ir.Read(assign.var, call.span) for assign in made))
        if isinstance(call, ir.Call):
            return (*made, replace(stmt, value=replace(call, args=args, names=tuple(p.name for p in kernel.params))))
        return (*made, replace(stmt, value=replace(call, args=args)))


def _made(param: ir.Var, span: Span | None, call_span: Span | None) -> ir.Assign:
    """The assignment of a tensor of a parameter's type."""
    type_ = param.type
    assert isinstance(type_, TensorType)
    layout = type_.view.layout if type_.view is not None else "ND"
    place = alone(call_span)
    kwargs = {"dtype": type_.dtype, "layout": EnumMember("TensorLayout", layout)}
    create = place.build("tensor.create", (place.extents(type_.shape or ()),), kwargs)
    return ir.Assign(ir.Var(param.name, create.type, call_span), create, span, span)


class _Forwarded(Mutator):
    """Hands the new parameters of a wrapper on to the kernel that it calls."""

    def __init__(self, kernels: Mapping[str, tuple[ir.Function, int]]) -> None:
        self.kernels = kernels
        self.added: list[ir.Var] = []

    def call(self, expr: ir.Call) -> ir.Expr:
        kernel, added = self.kernels.get(expr.op.name, (None, 0)) if isinstance(expr.op, ir.FunctionRef) else (None, 0)
        if kernel is None or not added or self.added:
            return expr
        self.added = [ir.Var(param.name, param.type, param.span) for param in kernel.params[-added:]]
        args = (*expr.args, *(ir.Read(var, expr.span) for var in self.added))
        return replace(expr, args=args, names=tuple(p.name for p in kernel.params))


def _wrapper(function: ir.Function, kernels: Mapping[str, tuple[ir.Function, int]]) -> tuple[ir.Function, int]:
    forwarded = _Forwarded(kernels)
    made = forwarded.function(function)
    added = tuple(forwarded.added)
    if not added:
        return function, 0
    directions = (*made.directions, *(Direction.OUT for _ in added))
    return replace(made, params=(*made.params, *added), directions=directions), len(added)


def _spread(functions: dict[str, ir.Function]) -> dict[str, ir.Function]:
    """Directions of callees that write a caller's parameter, carried up to the caller."""
    callers = [name for name, function in functions.items() if function.func_type != "InCore"]
    for name, found in effective_directions(functions, callers).items():
        functions[name] = changed(functions[name], directions=found)
    return functions


_WRAPPERS = ("Group", "Spmd")


def convert_tensor_to_tile_ops(program: ir.Program) -> ir.Program:
    """The program with its kernels on tiles."""
    functions = dict(program.functions)
    kernels: dict[str, tuple[ir.Function, int]] = {}
    for name, function in program.functions.items():
        if function.func_type == "InCore" and function.body is not None:
            try:
                made = _Kernel(function).converted()
            except NotModelled:
                continue
            functions[name] = made
            kernels[name] = (made, len(made.params) - len(function.params))
    for name, function in program.functions.items():
        if function.func_type in _WRAPPERS:
            functions[name], added = _wrapper(function, kernels)
            if added:
                kernels[name] = (functions[name], added)
    for name, function in functions.items():
        if function.func_type != "InCore" and function.func_type not in _WRAPPERS:
            functions[name] = _Callers(kernels).function(function)
    return replace(program, functions=_spread(functions))


__all__ = ["convert_tensor_to_tile_ops"]
