"""The cube and the vector half of a kernel of both kinds of core, with the tiles that go from one to the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pypto_lsp.backends import Backend
from pypto_lsp.frontend.call_types import substituted
from pypto_lsp.frontend.decorators import IMPLIED
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import const_value
from pypto_lsp.ir.enums import Direction, EnumMember, Lane, memory_space
from pypto_lsp.ir.mutator import Mutator, with_bodies
from pypto_lsp.ir.tile_views import TileLayout, layout_of, tile_type, valid_of
from pypto_lsp.ir.types import SHAPED, TileType, Type
from pypto_lsp.ir.visit import bodies, dynamic_dimensions, header_exprs, walk, yielded
from pypto_lsp.passes.core_affinity import merge
from pypto_lsp.passes.pipeline.crossings import GATHER, SHARD, Crossing, crossing_move, is_operator, tile_spaces
from pypto_lsp.passes.pipeline.loop_state import repaired
from pypto_lsp.passes.pipeline.pipes import AIC, AIV, PIPE_OPERATORS, Core, released, set_up
from pypto_lsp.passes.pipeline.tile_operators import NotModelled, call_of, tile_of
from pypto_lsp.passes.tile_kernels import statement_lane
from pypto_lsp.passes.variables import defined, read_variables
from pypto_lsp.text import Span

_KEPT = {AIC.name: Lane.CUBE, AIV.name: Lane.VECTOR}
_BOXED = ("col_major", "row_major")
_NESTING = (ir.If, ir.For)


@dataclass(frozen=True, slots=True)
class _Boundary:
    """A statement at which a value goes from one core to the other; ``split`` is the mark of how, None for a plain move."""

    way: Crossing
    stmt: ir.Assign
    source: ir.Expr
    split: int | None


@dataclass
class _Kernel:
    """A kernel and what is known of its statements."""

    function: ir.Function
    lanes: dict[ir.Stmt, Lane] = field(default_factory=dict)
    boundaries: dict[ir.Stmt, _Boundary] = field(default_factory=dict)

    def __post_init__(self) -> None:
        body = self.function.body or ()
        spaces = tile_spaces(body)
        arrived = {
            stmt.var for stmt in walk(body) if isinstance(stmt, ir.Assign) and is_operator(stmt.value, SHARD, GATHER)
        }
        for stmt in body:
            self._look(stmt, spaces, arrived)

    def _look(self, stmt: ir.Stmt, spaces: dict[ir.Var, str], arrived: set[ir.Var]) -> Lane:
        nested = [self._look(inner, spaces, arrived) for own in bodies(stmt) for inner in own]
        lane = merge(nested) if bodies(stmt) else statement_lane(stmt, spaces)
        if isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call):
            way = crossing_move(stmt.value, spaces)
            source = stmt.value.args[0] if stmt.value.args else None
            if is_operator(stmt.value, SHARD, GATHER):
                way = Crossing.TO_VECTOR if stmt.value.op == SHARD else Crossing.TO_CUBE
                split = _code(stmt.value, way)
                self.boundaries[stmt] = _Boundary(way, stmt, stmt.value.args[0], split)
            elif way is not None and isinstance(source, ir.Read) and source.var in arrived:
                lane = Lane.VECTOR if way is Crossing.TO_VECTOR else Lane.CUBE
            elif way is not None and source is not None:
                self.boundaries[stmt] = _Boundary(way, stmt, source, None)
        self.lanes[stmt] = lane
        return lane


def _code(call: ir.Call, way: Crossing) -> int:
    """What a pipe is told of how a value is split: the axis, and whether the first core has one element more."""
    mode = call.kwargs.get("split", 0)
    if not mode:
        return 0
    if "lane_stride" in call.kwargs:
        raise NotModelled("a split by stride")
    whole = tile_of(call.args[0] if way is Crossing.TO_VECTOR else call)
    extent, valid = const_value((whole.shape or ())[mode - 1]), const_value((valid_of(whole) or ())[mode - 1])
    if extent is None or valid is None:
        return int(mode)
    half = (extent + 1) // 2
    first, second = min(valid, half), min(max(valid - half, 0), half)
    if first == second or not second:
        return int(mode)
    if way is Crossing.TO_CUBE or first != second + 1:
        raise NotModelled("halves that no pipe takes")
    return int(mode) + 2


# --- one half ------------------------------------------------------------------------------------------------------------


class _Half:
    """The statements of one core."""

    def __init__(self, kernel: _Kernel, core: Core, backend: Backend) -> None:
        self.kernel = kernel
        self.core = core
        self.backend = backend
        #: variable -> the tile that this core takes for it
        self.taken: dict[ir.Var, ir.Var] = {}

    def body(self, body: ir.Body) -> ir.Body:
        out: list[ir.Stmt] = []
        for stmt in body:
            out += self._stmt(stmt)
        return tuple(out)

    def _stmt(self, stmt: ir.Stmt) -> list[ir.Stmt]:
        boundary = self.kernel.boundaries.get(stmt)
        if boundary is not None:
            return self._sent(boundary) if boundary.way is self.core.sends else self._received(boundary)
        lane = self.kernel.lanes[stmt]
        if lane in (_KEPT[self.core.name], Lane.SHARED):
            return [stmt]
        if lane is not Lane.MIXED:
            return []
        if not isinstance(stmt, _NESTING):
            raise NotModelled("a statement of both cores")
        return [with_bodies(stmt, self.body)]

    def _sent(self, boundary: _Boundary) -> list[ir.Stmt]:
        span, source = boundary.stmt.span, boundary.source
        before: list[ir.Stmt] = []
        if self.core is AIV and self.backend.fractal_pipes:
            given = tile_of(source)
            shape = given if boundary.split is not None else tile_of(ir.Read(boundary.stmt.var, span))
            type_ = _in(given, "Vec", valid_source=shape, boxed=True)
            name = source.var.name if isinstance(source, ir.Read) else "tile"
            var = ir.Var(f"{name}_nz", type_, span)
            before.append(ir.Assign(var, _move(source, type_, span), span, span))
            source = ir.Read(var, span)
        push = call_of(self.core.push, (source,), {"split": boundary.split or 0}, span)
        return [*before, ir.Eval(push, span)]

    def _received(self, boundary: _Boundary) -> list[ir.Stmt]:
        stmt, memory = boundary.stmt, self.core.memory
        goal = tile_of(stmt.value) if boundary.split is not None else tile_of(ir.Read(stmt.var, stmt.span))
        if boundary.split is not None:
            type_ = tile_type(goal.dtype, goal.shape, memory, valid=valid_of(goal))
            further = False
        else:
            if goal.memory not in ("Vec", "Mat", "Left", "Right"):
                raise NotModelled("a value that goes where no pipe leads")
            type_ = _in(goal, memory, valid_source=goal, boxed=goal.memory != "Vec")
            further = goal.memory != memory
        name = f"{stmt.var.name}_{memory.lower()}" if further else stmt.var.name
        var = ir.Var(name, type_, stmt.span)
        pop = replace(call_of(self.core.pop, (), {"split": boundary.split or 0}, stmt.span), type=type_)
        out: list[ir.Stmt] = [ir.Assign(var, pop, stmt.span, stmt.span)]
        if further:
            out.append(replace(stmt, value=_move(ir.Read(var, stmt.span), goal, stmt.span)))
        else:
            self.taken[stmt.var] = var
        if boundary.split is None and isinstance(boundary.source, ir.Read):
            self.taken[boundary.source.var] = var
        self.taken[var] = var
        return out

    def finished(self, body: ir.Body) -> ir.Body:
        """The statements of this core, repaired, with the tiles that it takes released."""
        definitions = {stmt.var: stmt for stmt in walk(self.kernel.function.body or ()) if isinstance(stmt, ir.Assign)}
        made = self.body(body)
        fixed = repaired(made, definitions, self.taken)
        if any(self.kernel.boundaries.get(stmt) is not None for stmt in walk(fixed)):
            raise NotModelled("a loop that starts with a value of the other core")
        return released(fixed, self.core, self.taken)


def _in(type_: TileType, memory: str, *, valid_source: TileType, boxed: bool) -> TileType:
    """A tile as it goes through a pipe: in another memory, in boxes or in its own layout."""
    own, view = layout_of(valid_source), valid_source.view
    return tile_type(
        type_.dtype,
        type_.shape,
        memory,
        valid=valid_of(valid_source),
        layout=TileLayout(*_BOXED, own.fractal) if boxed else own,
        pad="null" if view is None else view.pad,
        compact="null" if view is None else view.compact,
    )


def _move(source: ir.Expr, type_: TileType, span: Span | None) -> ir.Call:
    """A move that says in full where to."""
    layout = layout_of(type_)
    kwargs: dict[str, Any] = {
        "target_memory": memory_space(type_.memory or "Vec"),
        "blayout": EnumMember("TileLayout", layout.blayout),
        "slayout": EnumMember("TileLayout", layout.slayout),
    }
    return replace(call_of("tile.move", (source,), kwargs, span), type=type_)


# --- tensors that the other half wrote -----------------------------------------------------------------------------------


def _origins(body: ir.Body, origins: dict[ir.Var, ir.Var]) -> None:
    """Note of each variable which parameter's memory it is."""

    def note(var: ir.Var, value: ir.Expr | None) -> None:
        if isinstance(value, ir.Read) and value.var in origins:
            origins[var] = origins[value.var]

    for stmt in body:
        if isinstance(stmt, ir.Assign):
            stored = is_operator(stmt.value, "tile.store")
            note(stmt.var, stmt.value.args[2] if stored and isinstance(stmt.value, ir.Call) else stmt.value)
        elif isinstance(stmt, (ir.For, ir.While)):
            for arg in stmt.iter_args:
                note(arg.var, arg.init)
            _origins(stmt.body, origins)
            for var, value in zip(stmt.return_vars, yielded(stmt.body)):
                note(var, value)
        elif isinstance(stmt, ir.If):
            for own in bodies(stmt):
                _origins(own, origins)
            for var, *values in zip(stmt.return_vars, yielded(stmt.then), yielded(stmt.orelse or ())):
                found = {origins.get(value.var) for value in values if isinstance(value, ir.Read)}
                if len(found) == 1 and (origin := found.pop()) is not None:
                    origins[var] = origin


def _outputs(function: ir.Function) -> set[ir.Var]:
    return {var for var, way in zip(function.params, function.directions) if way is not Direction.IN}


def _lost_tensors(function: ir.Function, body: ir.Body, known: Mapping[ir.Var, ir.Var]) -> dict[ir.Var, ir.Var]:
    """Tensors that a half reads and the other half wrote -> the parameter whose memory they are."""
    origins = {param: param for param in function.params}
    _origins(function.body or (), origins)
    own, outputs = defined(body), _outputs(function)
    lost = [var for var in read_variables(body) if var not in own and var not in known and var not in function.params]
    return {var: origins[var] for var in lost if var in origins and origins[var] in outputs}


def _stored_elsewhere(function: ir.Function, body: ir.Body) -> dict[ir.Var, ir.Var]:
    """Results of stores that a half does not do -> the parameter that they are stored to."""
    own, found = defined(body), {}
    for stmt in walk(function.body or ()):
        if isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call) and stmt.value.op == "tile.store":
            target = stmt.value.args[2]
            if stmt.var not in own and isinstance(target, ir.Read) and target.var in function.params:
                found[stmt.var] = target.var
    return found


def _renamed(type_: Type, values: Mapping[ir.Var, ir.Var]) -> Type:
    """A type with other variables in its extents."""
    known = {var: values[var] for var in dynamic_dimensions(type_) if var in values}
    return substituted(type_, dict(known)) if known else type_


class _Fresh(Mutator):
    """A copy of a body with variables of its own; ``aliases`` are read as other variables of the body."""

    def __init__(self, values: dict[ir.Var, ir.Var], aliases: Mapping[ir.Var, ir.Var]) -> None:
        self.values = values
        self.aliases = aliases

    def read(self, var: ir.Var) -> ir.Expr | None:
        var = self.aliases.get(var, var)
        return ir.Read(self.values.get(var, var), var.span)

    def type(self, type_: Type) -> Type:
        return _renamed(type_, self.values)

    def binding(self, var: ir.Var) -> ir.Var:
        var = self.aliases.get(var, var)
        made = self.values.get(var)
        if made is None:
            made = self.values[var] = ir.Var(var.name, _renamed(var.type, self.values), var.span)
        return made


def fresh_params(function: ir.Function) -> dict[ir.Var, ir.Var]:
    """Parameter -> the same parameter of another function, its extents in terms of that one's."""
    own: dict[ir.Var, ir.Var] = {}
    for shaped in (False, True):
        for param in function.params:
            if isinstance(param.type, SHAPED) is shaped:
                own[param] = ir.Var(param.name, _renamed(param.type, own), param.span)
    return {param: own[param] for param in function.params}


def renamed_results(function: ir.Function, own: Mapping[ir.Var, ir.Var]) -> tuple[Type, ...]:
    """What a function gives back, in terms of other parameters."""
    return tuple(_renamed(type_, own) for type_ in function.return_types)


def _expect_modelled(kernel: _Kernel) -> None:
    """Raises :class:`NotModelled` for what the halves are not made of: pipes that are written out, other statements than
    branches and counted loops, and tensors that one core writes and the other reads."""
    function = kernel.function
    origins = {param: param for param in function.params}
    _origins(function.body or (), origins)
    written: set[ir.Var] = set()
    for stmt in walk(function.body or ()):
        if bodies(stmt) and not isinstance(stmt, _NESTING) and kernel.lanes[stmt] is Lane.MIXED:
            raise NotModelled("a statement of both cores")
        for expr in header_exprs(stmt):
            name = str(expr.op) if isinstance(expr, ir.Call) else ""
            if name in PIPE_OPERATORS:
                raise NotModelled("a pipe that is written out")
            if name.startswith("pld."):
                raise NotModelled("communication in a kernel of both cores")
            if not isinstance(expr, ir.Call) or name not in ("tile.store", "tile.load"):
                continue
            tensor = expr.args[2 if name == "tile.store" else 0]
            origin = origins.get(tensor.var, tensor.var) if isinstance(tensor, ir.Read) else None
            if name == "tile.store" and kernel.lanes[stmt] is Lane.CUBE and origin is not None:
                written.add(origin)
            elif name == "tile.load" and kernel.lanes[stmt] is Lane.VECTOR and origin in written:
                raise NotModelled("a tensor that goes from core to core")


def halves(function: ir.Function, backend: Backend) -> tuple[ir.Function, ir.Function]:
    """The cube and the vector half of a kernel. Raises :class:`NotModelled`."""
    kernel = _Kernel(function)
    _expect_modelled(kernel)
    whole = function.body or ()
    cube, vector = _Half(kernel, AIC, backend), _Half(kernel, AIV, backend)
    aic = cube.finished(tuple(stmt for stmt in whole if not isinstance(stmt, ir.Return)))
    aiv = vector.finished(whole)
    before_aic, before_aiv = set_up(function, aic, aiv)
    cube_aliases = {**_lost_tensors(function, aic, cube.taken), **cube.taken}
    stored = {**vector.taken, **_stored_elsewhere(function, aiv)}
    vector_aliases = {**_lost_tensors(function, aiv, stored), **stored}
    index = 1 if before_aiv and aiv and _binds_index(aiv[0]) else 0
    aiv = (*aiv[:index], *before_aiv, *aiv[index:])
    return (
        _half(function, AIC, (*before_aic, *aic), cube_aliases),
        _half(function, AIV, aiv, vector_aliases),
    )


def _binds_index(stmt: ir.Stmt) -> bool:
    return isinstance(stmt, ir.Assign) and is_operator(stmt.value, "tile.get_subblock_idx")


def _half(function: ir.Function, core: Core, body: ir.Body, aliases: Mapping[ir.Var, ir.Var]) -> ir.Function:
    own = fresh_params(function)
    copied = _Fresh(dict(own), aliases).body(body)
    kind = core.name.upper()
    level, role = IMPLIED[kind]
    return replace(
        function,
        name=f"{function.name}_{core.name}",
        func_type=kind,
        params=tuple(own.values()),
        return_types=() if core is AIC else renamed_results(function, own),
        body=copied,
        level=level,
        role=role,
    )


__all__ = ["fresh_params", "halves", "renamed_results"]
