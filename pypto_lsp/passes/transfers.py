"""Transfers between global memory and the cores: the loads and stores that a kernel's tensor code becomes.

A model of what tensor to tile conversion makes (reference: the pass documents): explicit loads and stores; whole tensors
loaded at entry because an operator uses them directly; slices; matmul operands; stores by assemble; values stored when a
region or kernel ends. Works on a program whose inline functions are expanded. What cannot be told gives no transfer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pypto_lsp.backends import Backend
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import DType
from pypto_lsp.ir.enums import EnumMember, ForKind, Lane
from pypto_lsp.ir.types import SHAPED, TENSORS, DistributedTensorType, TensorType, TileType, Type
from pypto_lsp.ir.visit import bodies, header_exprs, stmt_reads, walk, walk_expr
from pypto_lsp.passes.core_affinity import kernel_lane
from pypto_lsp.text import Span

Shape = tuple[object, ...]

#: operators that read global memory themselves; their use of a tensor is no direct one
SELF_LOADING = frozenset(
    {"slice", "assemble", "read", "write", "expand_clone", "gather", "paged_gather", "create_l1", "gather_row", "dim"}
)
_MATMULS = frozenset({"matmul", "matmul_acc", "matmul_bias", "batch_matmul", "batch_matmul_acc"})
_MATMUL_OPERANDS = frozenset({"lhs", "rhs", "a", "b"})
#: operators that pass their first operand on, so that a consumer of theirs is a consumer of it
_PASSING = frozenset({"slice", "reshape", "fillpad", "transpose", "set_validshape", "view"})
#: operators whose operands must be tiles in Vec and are loaded whole at the call
_VEC_INPUTS = frozenset({"mrgsort", "scatter_update", "scatter", "sort32"})


@dataclass(frozen=True, slots=True)
class Transfer:
    """One load or store. ``shape`` is the physical shape of the tile, ``valid`` its valid region (empty: the shape).

    ``span`` is the expression it stands for, ``statement`` the statement's place, ``count`` how many copies of it run.
    """

    op: str
    dtype: DType
    shape: Shape
    valid: Shape
    memory: str
    span: Span
    statement: Span
    count: int = 1


@dataclass(frozen=True, slots=True)
class _Value:
    """Where a value lives: in global memory (``memory`` empty) or on a core."""

    memory: str
    type: Type


_GLOBAL = ""


@dataclass
class Region:
    """A kernel to analyse: its body, where its entry loads are shown, and the function around it."""

    function: ir.Function
    body: ir.Body
    #: the scope statement; None for a declared kernel function
    scope: ir.InCoreScope | None
    place: Span | None
    split: str | None = None
    copies: int = 1
    read_after: set[ir.Var] = field(default_factory=set)


def regions(function: ir.Function) -> Iterator[Region]:
    """The kernels of a function: itself when it is one, else its core-group regions."""
    if function.body is None:
        return
    if function.func_type in ("InCore", "AIC", "AIV"):
        split = function.attrs.get("split")
        name = split.name if isinstance(split, EnumMember) else None
        yield Region(function, function.body, None, None, name)
        return
    if function.func_type == "Inline":
        return
    yield from _scopes(function.body, function, 1)


def _scopes(body: ir.Body, function: ir.Function, copies: int) -> Iterator[Region]:
    for stmt in body:
        if isinstance(stmt, ir.InCoreScope):
            region = Region(function, stmt.body, stmt, stmt.span, stmt.split, copies)
            region.read_after = _read_outside(function, stmt)
            yield region
            continue
        times = copies * _copies(stmt) if isinstance(stmt, ir.For) else copies
        for nested in bodies(stmt):
            yield from _scopes(nested, function, times)


def _read_outside(function: ir.Function, scope: ir.InCoreScope) -> set[ir.Var]:
    """Variables that the function reads outside a scope."""
    found: set[ir.Var] = set()

    def visit(body: ir.Body) -> None:
        for stmt in body:
            if stmt is scope:
                continue
            found.update(var for var, _ in stmt_reads(stmt))
            for nested in bodies(stmt):
                visit(nested)

    visit(function.body or ())
    return found


def _constant(expr: ir.Expr) -> int | None:
    return int(expr.value) if isinstance(expr, ir.ConstInt) else None


def trip_count(loop: ir.For) -> int | None:
    """How often a loop with constant bounds runs."""
    start, stop, step = _constant(loop.start), _constant(loop.stop), _constant(loop.step)
    if start is None or stop is None or not step:
        return None
    return max(0, -(-(stop - start) // step))


def _copies(loop: ir.For) -> int:
    """How many copies of its body a loop becomes."""
    trips = trip_count(loop)
    if loop.kind is ForKind.UNROLL:
        return trips if trips is not None else 1
    if loop.kind is ForKind.PIPELINE:
        stages = loop.attrs.get("pipeline_stages", loop.attrs.get("stage", 1))
        stages = int(stages) if isinstance(stages, int) else 1
        if trips is None or stages < 2:
            return max(stages, 1)
        if trips < stages:
            return trips
        return stages + trips % stages
    return 1


class _Analysis:
    """Follows the values of one region and collects its transfers."""

    def __init__(self, region: Region, program: ir.Program, backend: Backend) -> None:
        self.region = region
        self.program = program
        self.backend = backend
        self.values: dict[ir.Var, _Value] = {}
        self.found: list[Transfer] = []
        self.copies = region.copies
        self.aliases: dict[ir.Var, ir.Var] = {}
        self.inside: set[ir.Var] = set()
        self.consumers: dict[ir.Var, set[str]] = {}
        self.used: set[ir.Var] = set()
        self.statement: Span | None = region.place
        self._scan()
        self.loaded = self._entry_loaded()

    # --- what the body does with its variables -----------------------------------------------------------------

    def _scan(self) -> None:
        passing: dict[ir.Var, ir.Var] = {}
        for stmt in walk(self.region.body):
            self.used.update(var for var, _ in stmt_reads(stmt))
            if isinstance(stmt, ir.Assign):
                self.inside.add(stmt.var)
                source = _passed_on(stmt.value)
                if source is not None and source is not stmt.var:
                    passing.setdefault(stmt.var, source)
                    if isinstance(stmt.value, ir.Read):
                        self.aliases.setdefault(stmt.var, source)
            elif isinstance(stmt, (ir.For, ir.While)):
                self.inside.update(arg.var for arg in stmt.iter_args)
                self.inside.update(stmt.return_vars)
            elif isinstance(stmt, ir.If):
                self.inside.update(stmt.return_vars)
            for expr in header_exprs(stmt):
                self._note_consumers(expr)
        for var, source in passing.items():
            chain: set[ir.Var] = set()
            while source not in chain:
                chain.add(source)
                self.consumers.setdefault(source, set()).update(self.consumers.get(var, ()))
                if source not in passing:
                    break
                source = passing[source]

    def _note_consumers(self, expr: ir.Expr) -> None:
        for node in walk_expr(expr, attrs=False):
            if isinstance(node, ir.Call) and isinstance(node.op, str):
                name = node.op.rpartition(".")[2]
                for param, arg in zip(node.names, node.args):
                    if isinstance(arg, ir.Read) and name in _MATMULS and param in _MATMUL_OPERANDS:
                        self.consumers.setdefault(arg.var, set()).add(name)

    def _root(self, var: ir.Var) -> ir.Var:
        seen: set[ir.Var] = set()
        while var in self.aliases and var not in seen:
            seen.add(var)
            var = self.aliases[var]
        return var

    def _captured(self, var: ir.Var) -> bool:
        params = set(self.region.function.params) if self.region.scope is None else None
        return var in params if params is not None else var not in self.inside or var in self.region.function.params

    def _entry_loaded(self) -> dict[ir.Var, None]:
        """Captured tensors that some operator uses directly, in order of use."""
        found: dict[ir.Var, None] = {}
        for stmt in walk(self.region.body):
            for expr in header_exprs(stmt):
                for node in walk_expr(expr, attrs=False):
                    if isinstance(node, ir.Call) and isinstance(node.op, str):
                        for var in self._direct_uses(node):
                            found.setdefault(var)
        return found

    def _direct_uses(self, call: ir.Call) -> Iterator[ir.Var]:
        assert isinstance(call.op, str)
        head, _, name = call.op.rpartition(".")
        if head != "tensor" or name in SELF_LOADING or name in _VEC_INPUTS:
            return
        for param, arg in zip(call.names, call.args):
            if name in _MATMULS and param in _MATMUL_OPERANDS:
                continue
            if isinstance(arg, ir.Read):
                var = self._root(arg.var)
                if isinstance(var.type, TensorType) and self._is_outer(var):
                    yield var

    def _is_outer(self, var: ir.Var) -> bool:
        """Whether a variable's first value comes from outside the region."""
        if self.region.scope is None:
            return var in self.region.function.params
        if var in self.region.function.params:
            return True
        return var not in self.inside or self._bound_before(var)

    def _bound_before(self, var: ir.Var) -> bool:
        for stmt in walk(self.region.function.body or ()):
            if stmt is self.region.scope:
                return False
            if isinstance(stmt, ir.Assign) and stmt.var is var:
                return True
            if isinstance(stmt, (ir.For, ir.While)) and any(a.var is var for a in stmt.iter_args):
                return True
        return False

    # --- transfers ---------------------------------------------------------------------------------------------

    def run(self) -> list[Transfer]:
        for var in self.loaded:
            place = self.region.place if self.region.scope is not None else var.span
            self._emit("tile.load", var.type, "Vec", place, place)
            self.values[var] = _Value("Vec", var.type)
        self.body(self.region.body)
        if self.region.scope is not None:
            self._exit_stores()
        return self.found

    def _exit_stores(self) -> None:
        for var in dict.fromkeys(self._assigned(self.region.body)):
            value = self.values.get(var)
            if value is not None and value.memory and var in self.region.read_after and isinstance(value.type, TENSORS):
                self._emit("tile.store", value.type, value.memory, self.region.place, self.region.place)

    def _assigned(self, body: ir.Body) -> Iterator[ir.Var]:
        for stmt in walk(body):
            if isinstance(stmt, ir.Assign):
                yield stmt.var
            elif isinstance(stmt, (ir.For, ir.While, ir.If)):
                yield from stmt.return_vars

    def _emit(
        self, op: str, type_: Type, memory: str, span: Span | None, statement: Span | None, shape: Shape = ()
    ) -> None:
        if span is None or not isinstance(type_, SHAPED) or type_.dtype is None or (type_.shape is None and not shape):
            return
        view = type_.view
        valid: Shape = view.valid_shape if view is not None else ()
        whole: Shape = shape or type_.shape or ()
        if len(valid) != len(whole):
            valid = ()
        self.found.append(Transfer(op, type_.dtype, whole, valid, memory, span, statement or span, self.copies))

    def body(self, body: ir.Body) -> None:
        for stmt in body:
            self.stmt(stmt)

    def stmt(self, stmt: ir.Stmt) -> None:
        outer = self.statement
        self.statement = stmt.span or outer
        match stmt:
            case ir.Assign():
                self._assign(stmt)
            case ir.Eval():
                self.expr(stmt.expr, None)
            case ir.For() | ir.While():
                self._loop(stmt)
            case ir.If():
                self._if(stmt)
            case ir.Return():
                self._return(stmt)
            case ir.Yield():
                for value in stmt.values:
                    self.expr(value, None)
            case _:
                for nested in bodies(stmt):
                    self.body(nested)
        self.statement = outer

    def _assign(self, stmt: ir.Assign) -> None:
        dead = stmt.var not in self.used and stmt.var not in self.region.read_after
        if dead and _is_pure_load(stmt.value):
            return
        self.values[stmt.var] = self.expr(stmt.value, stmt.var)

    def _loop(self, stmt: ir.For | ir.While) -> None:
        for arg in stmt.iter_args:
            self.values[arg.var] = self.expr(arg.init, arg.var)
        before = self.copies
        if isinstance(stmt, ir.For):
            self.copies *= _copies(stmt)
        self.body(stmt.body)
        self.copies = before
        for var, arg in zip(stmt.return_vars, stmt.iter_args):
            self.values[var] = self._yielded(stmt.body, stmt.return_vars.index(var)) or self.values[arg.var]

    def _yielded(self, body: ir.Body, index: int) -> _Value | None:
        last = body[-1] if body else None
        if isinstance(last, ir.Yield) and index < len(last.values):
            value = last.values[index]
            if isinstance(value, ir.Read):
                return self.values.get(value.var)
        return None

    def _if(self, stmt: ir.If) -> None:
        self.body(stmt.then)
        self.body(stmt.orelse or ())
        for index, var in enumerate(stmt.return_vars):
            value = self._yielded(stmt.then, index) or self._yielded(stmt.orelse or (), index)
            if value is not None:
                self.values[var] = value

    def _return(self, stmt: ir.Return) -> None:
        for value in stmt.values:
            found = self.expr(value, None)
            if self.region.scope is None and found.memory and isinstance(found.type, TENSORS):
                self._emit("tile.store", found.type, found.memory, stmt.span, stmt.span)

    # --- expressions -------------------------------------------------------------------------------------------

    def expr(self, expr: ir.Expr, bound: ir.Var | None, consumer: str = "") -> _Value:
        match expr:
            case ir.Read():
                known = self.values.get(expr.var)
                if known is None:
                    root = self._root(expr.var)
                    known = self.values.get(root)
                if known is not None:
                    return known
                return _Value(expr.type.memory or "Vec" if isinstance(expr.type, TileType) else _GLOBAL, expr.type)
            case ir.Call() if isinstance(expr.op, str):
                return self._call(expr, bound, consumer)
            case ir.Call():
                for arg in expr.args:
                    self.expr(arg, None)
                return _Value(_GLOBAL, expr.type)
            case ir.MakeTuple():
                for element in expr.elements:
                    self.expr(element, None)
                return _Value(_GLOBAL, expr.type)
            case ir.TupleGetItem():
                source = self.expr(expr.tuple, None)
                return _Value(source.memory or "Vec", expr.type)
            case ir.Binary() | ir.Unary():
                for operand in (expr.left, expr.right) if isinstance(expr, ir.Binary) else (expr.operand,):
                    self.expr(operand, None)
                return _Value(_GLOBAL, expr.type)
            case _:
                return _Value(_GLOBAL, expr.type)

    def _call(self, call: ir.Call, bound: ir.Var | None, consumer: str) -> _Value:
        assert isinstance(call.op, str)
        head, _, name = call.op.rpartition(".")
        if head == "tensor" and name == "slice":
            return self._slice(call, bound, consumer)
        if head == "tensor" and name == "assemble":
            return self._assemble(call)
        if head == "tensor" and name in _MATMULS:
            return self._matmul(call, name)
        values = [self.expr(arg, None, name) for arg in call.args]
        if call.op == "tile.load":
            memory = call.type.memory if isinstance(call.type, TileType) and call.type.memory else "Vec"
            self._emit("tile.load", call.type, memory, call.span, self.statement)
            return _Value(memory, call.type)
        if call.op == "tile.store":
            tile = values[0].type if values else call.type
            memory = tile.memory if isinstance(tile, TileType) and tile.memory else values[0].memory or "Vec"
            self._emit("tile.store", tile, memory, call.span, self.statement)
            return _Value(_GLOBAL, call.type)
        return self._other(call, head, name, values)

    def _other(self, call: ir.Call, head: str, name: str, values: list[_Value]) -> _Value:
        if isinstance(call.type, TileType):
            return _Value(call.type.memory or "Vec", call.type)
        if head != "tensor" or name in ("read", "write", "dim"):
            return _Value(values[0].memory if name == "write" and values else _GLOBAL, call.type)
        if name in _VEC_INPUTS:
            for value in values:
                if not value.memory and isinstance(value.type, TENSORS):
                    self._emit("tile.load", value.type, "Vec", call.span, self.statement)
        if name in _PASSING and values and values[0].memory:
            return _Value("Vec" if name == "fillpad" else values[0].memory, call.type)
        return _Value("Vec", call.type)

    def _slice(self, call: ir.Call, bound: ir.Var | None, consumer: str) -> _Value:
        source = self.expr(call.args[0], None)
        if source.memory:
            return _Value(source.memory, call.type)
        if not isinstance(source.type, TENSORS):
            return _Value(_GLOBAL, call.type)
        mat = consumer in _MATMULS or (bound is not None and bool(self.consumers.get(bound)))
        memory = "Mat" if mat else "Vec"
        self._emit("tile.load", call.type, memory, call.span, self.statement, _window(call))
        return _Value(memory, call.type)

    def _assemble(self, call: ir.Call) -> _Value:
        target = self.expr(call.args[0], None)
        source = self.expr(call.args[1], None) if len(call.args) > 1 else _Value(_GLOBAL, call.type)
        if target.memory:
            return _Value(target.memory, call.type)
        if source.memory and isinstance(source.type, SHAPED):
            self._store(source, call)
        return _Value(_GLOBAL, call.type)

    def _store(self, source: _Value, call: ir.Call) -> None:
        if source.memory == "Acc" and self._too_large_for_acc(source.type):
            return  # split by a cost model that is not modelled
        self._emit("tile.store", source.type, source.memory, call.span, self.statement)

    def _too_large_for_acc(self, type_: Type) -> bool:
        shape = getattr(type_, "shape", None) or ()
        total = 4
        for extent in shape:
            if not isinstance(extent, int):
                return True
            total *= extent
        return total > self.backend.memory["Acc"]

    def _matmul(self, call: ir.Call, name: str) -> _Value:
        for param, arg in zip(call.names, call.args):
            operand = param in _MATMUL_OPERANDS
            value = self.expr(arg, None, name if operand else "")
            if operand and not value.memory and isinstance(value.type, TENSORS):
                if isinstance(value.type, DistributedTensorType):
                    continue
                self._emit("tile.load", value.type, "Mat", call.span, self.statement)
        return _Value("Acc", call.type)


def _window(call: ir.Call) -> Shape:
    """The extents of a slice's window before unit axes are dropped."""
    shape = call.get("shape")
    if not isinstance(shape, ir.MakeTuple):
        return ()
    return tuple(e.value if isinstance(e, ir.ConstInt) else e for e in shape.elements)


def _passed_on(expr: ir.Expr) -> ir.Var | None:
    """The variable whose value an expression passes on."""
    if isinstance(expr, ir.Read):
        return expr.var
    if isinstance(expr, ir.Call) and isinstance(expr.op, str) and expr.op.rpartition(".")[2] in _PASSING and expr.args:
        first = expr.args[0]
        return first.var if isinstance(first, ir.Read) else None
    return None


def _is_pure_load(expr: ir.Expr) -> bool:
    return all(
        not isinstance(node, (ir.Call, ir.Submit))
        or (
            isinstance(node, ir.Call)
            and isinstance(node.op, str)
            and node.op.rpartition(".")[2] not in ("store", "assemble", "write")
        )
        for node in walk_expr(expr)
    )


def _halved(transfer: Transfer, split: str) -> Transfer:
    """A vector transfer of a mixed kernel whose work is split over the two vector cores."""
    axis = -1 if split == "LEFT_RIGHT" else -2

    def half(shape: Shape) -> Shape:
        if len(shape) < -axis:
            return shape
        extent = shape[axis]
        if not isinstance(extent, int) or extent == 1:
            return shape
        out = list(shape)
        out[axis] = -(-extent // 2)
        return tuple(out)

    return replace(transfer, shape=half(transfer.shape), valid=half(transfer.valid))


def region_transfers(region: Region, program: ir.Program, backend: Backend) -> list[Transfer]:
    """The transfers of one kernel."""
    found = _Analysis(region, program, backend).run()
    if region.split in ("UP_DOWN", "LEFT_RIGHT") and kernel_lane(region.body, program) is Lane.MIXED:
        return [_halved(t, region.split) if t.memory == "Vec" else t for t in found]
    return found


def program_transfers(program: ir.Program, backend: Backend) -> Iterator[tuple[ir.Function, Transfer]]:
    """All transfers of a program whose inline functions are expanded."""
    for function in program.functions.values():
        for region in regions(function):
            for transfer in region_transfers(region, program, backend):
                yield function, transfer


__all__ = ["Region", "Transfer", "program_transfers", "region_transfers", "regions", "trip_count"]
