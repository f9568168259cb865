"""ConvertTensorToTileOps: a kernel's tensor operators become tile operators, with the loads and stores that they need.

A tensor that came in and that some operator uses directly is loaded whole at entry, and from then on every use of it works on
the tile. A slice of any other tensor is a load, into Mat when a matrix product consumes it; an operand that a matrix product or
a sorting operator wants on chip is loaded at the call; writing a computed value into a tensor is a store; computed values that
the kernel gives back are stored at its end. Works on kernels in SSA form (:mod:`~pypto_lsp.passes.outline_incore_scopes`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.mutator import with_bodies
from pypto_lsp.ir.types import SHAPED, TensorType, TileType, TupleType, Type, Undetermined
from pypto_lsp.ir.visit import bodies, header_exprs, last_yield, walk, walk_expr, yielded
from pypto_lsp.passes import tile_conversions
from pypto_lsp.passes.core_affinity import family
from pypto_lsp.passes.outline_incore_scopes import Kernel
from pypto_lsp.passes.reuse import same_type
from pypto_lsp.passes.scalar_fills import fills_as_stores
from pypto_lsp.passes.tile_conversions import PASSED_THROUGH, SELF_LOADING, input_space, with_args
from pypto_lsp.passes.tile_types import loaded_whole
from pypto_lsp.text import Span

#: attributes of loads at entry and stores at exit: the expression that they are made for
ENTRY = "entry"
EXIT = "exit"
#: tensor operators whose result lies where their first operand lies: what wants their result wants their operand
_INHERITING = frozenset({"slice", "reshape", "reinterpret_view", "view", "set_validshape"})


def convert_tensor_to_tile_ops(kernel: Kernel, arch: str) -> Kernel:
    """The kernel on tiles; a kernel for one core alone is on tiles already. ``arch`` is the target's alias."""
    if kernel.func_type != "InCore":
        return kernel
    return _Converter(replace(kernel, body=fills_as_stores(kernel.body)), arch).run()


# --- what the kernel does with its tensors ---------------------------------------------------------------------------


def wanted_spaces(body: ir.Body) -> dict[ir.Var, str]:
    """Variables that some consumer wants in a memory space, through operators that pass their operand on."""
    wanted: dict[ir.Var, str] = {}
    edges: list[tuple[ir.Var, ir.Var]] = []
    for stmt in walk(body):
        if not isinstance(stmt, ir.Assign):
            continue
        value = stmt.value
        if isinstance(value, ir.Read) and isinstance(stmt.var.type, SHAPED):
            edges.append((stmt.var, value.var))
        if not isinstance(value, ir.Call) or not isinstance(value.op, str):
            continue
        for position, operand in enumerate(value.args):
            if isinstance(operand, ir.Read) and (space := input_space(value, position)) is not None:
                _want(wanted, operand.var, space)
        if family(value.op)[1] in _INHERITING:
            source = next((a for a in value.args if isinstance(a, ir.Read) and isinstance(a.type, SHAPED)), None)
            if source is not None:
                edges.append((stmt.var, source.var))
    for result, source_var in reversed(edges):
        if result in wanted:
            _want(wanted, source_var, wanted[result])
    return wanted


def _want(wanted: dict[ir.Var, str], var: ir.Var, space: str) -> None:
    if wanted.setdefault(var, space) == "Vec" and space != "Vec":
        wanted[var] = space


def directly_used(body: ir.Body) -> dict[ir.Var, ir.Read | None]:
    """Tensors that a converted operator uses directly, with the first such use, and the first values of loops through which it
    does (with None)."""
    used: dict[ir.Var, ir.Read | None] = {}
    inits: list[tuple[ir.Var, ir.Expr]] = []
    for stmt in walk(body):
        if isinstance(stmt, (ir.For, ir.While)):
            inits.extend((arg.var, arg.init) for arg in stmt.iter_args)
        elif isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call):
            for read in _direct_operands(stmt.value):
                used.setdefault(read.var, read)
    changed = True
    while changed:
        changed = False
        for var, init in inits:
            source = init.var if isinstance(init, ir.Read) and isinstance(init.type, TensorType) else None
            if var in used and source is not None and source not in used:
                used[source] = used[var]
                changed = True
    return used


def _direct_operands(call: ir.Call) -> list[ir.Read]:
    if not isinstance(call.op, str):
        return []
    head, name = family(call.op)
    converted = head == "tensor" or call.op in ("tile.scatter_update", "pld.tensor.remote_store")
    if not converted or name in SELF_LOADING or name in PASSED_THROUGH:
        return []
    return [
        arg
        for position, arg in enumerate(call.args)
        if isinstance(arg, ir.Read) and isinstance(arg.type, TensorType) and input_space(call, position) is None
    ]


# --- the conversion ----------------------------------------------------------------------------------------------------


@dataclass
class _Converter:
    kernel: Kernel
    arch: str
    #: what stands for a variable of the kernel now
    values: dict[ir.Var, ir.Expr] = field(default_factory=dict)
    wanted: Mapping[ir.Var, str] = field(default_factory=dict)
    out: list[ir.Stmt] = field(default_factory=list)
    place: Span | None = None

    def run(self) -> Kernel:
        kernel = self.kernel
        self.wanted = wanted_spaces(kernel.body)
        used = directly_used(kernel.body)
        for param in kernel.params:
            if param in used and isinstance(param.type, TensorType):
                span = self.place = kernel.scope.span if kernel.scope is not None else param.span
                load = tile_conversions.load_call(ir.Read(param, span), loaded_whole(param.type, "Vec"), span)
                use = used[param]
                shown = use.span if use is not None else span
                self.values[param] = self.bound(param.name, replace(load, attrs={ENTRY: shown or span}), span)
        body = [*self.out, *self.body(kernel.body)]
        for value in kernel.returns:
            self._store_at_exit(value, body)
        return replace(kernel, body=tuple(body))

    def _store_at_exit(self, value: ir.Expr, body: list[ir.Stmt]) -> None:
        """Store a tile that is given back, in the loop that assembles it where there is one, else at the end."""
        tile, span = self.value(value), self.kernel.return_span
        if isinstance(tile.type, TileType) and not store_in_loop(body, tile, value.type):
            made = None if self.kernel.scope is None else _made_at(self.kernel.body, value)
            store = tile_conversions.store_call(tile, None, value.type, span)
            store = replace(store, attrs={EXIT: made or value.span or span})
            body.append(ir.Assign(ir.Var("ret", value.type, span), store, span))

    # --- values ------------------------------------------------------------------------------------------------------

    def value(self, expr: ir.Expr) -> ir.Expr:
        """An operand as it is on tiles."""
        match expr:
            case ir.Read():
                known = self.values.get(expr.var)
                if known is None:
                    return expr
                return ir.Read(known.var, expr.span) if isinstance(known, ir.Read) else known
            case ir.MakeTuple() if any(isinstance(e.type, SHAPED) for e in expr.elements):
                return replace(expr, elements=tuple(self.value(e) for e in expr.elements))
            case ir.TupleGetItem():
                source = self.value(expr.tuple)
                known_type = source.type.types[expr.index] if isinstance(source.type, TupleType) else source.type
                return replace(expr, tuple=source, type=known_type)
            case _:
                return expr

    def bound(self, name: str, value: ir.Expr, span: Span | None = None) -> ir.Read:
        """A new variable with a value."""
        var = ir.Var(name, value.type, span or value.span)
        self.out.append(ir.Assign(var, value, self.place, span))
        return ir.Read(var, span or value.span)

    # --- statements --------------------------------------------------------------------------------------------------

    def body(self, body: ir.Body) -> ir.Body:
        outer, self.out = self.out, []
        for stmt in body:
            place, self.place = self.place, stmt.span or self.place
            self.stmt(stmt)
            self.place = place
        made, self.out = tuple(self.out), outer
        return made

    def stmt(self, stmt: ir.Stmt) -> None:
        match stmt:
            case ir.Assign():
                self._assign(stmt)
            case ir.Eval():
                self.out.append(replace(stmt, expr=self.converted(stmt.expr, None)))
            case ir.For() | ir.While():
                self._loop(stmt)
            case ir.If():
                self._if(stmt)
            case ir.Yield() | ir.Return():
                self.out.append(replace(stmt, values=tuple(self.value(v) for v in stmt.values)))
            case _ if bodies(stmt):
                self.out.append(with_bodies(stmt, self.body))
            case _:
                self.out.append(stmt)

    def converted(self, expr: ir.Expr, result: ir.Var | None) -> ir.Expr:
        if isinstance(expr, ir.Call) and isinstance(expr.op, str):
            args = tuple([self.value(a) for a in expr.args])
            call = expr if all(a is b for a, b in zip(args, expr.args)) else with_args(expr, args)
            space = self.wanted.get(result) if result is not None else None
            site = tile_conversions.Site(expr, self.bound, space, self.arch)
            return tile_conversions.convert(call, site)
        return self.value(expr)

    def _assign(self, stmt: ir.Assign) -> None:
        value = self.converted(stmt.value, stmt.var)
        if isinstance(value, ir.Read) and isinstance(value.type, SHAPED):
            self.values[stmt.var] = value
            return
        var = self._retyped(stmt.var, value.type)
        same = var is stmt.var and value is stmt.value
        self.out.append(stmt if same else ir.Assign(var, value, stmt.span, stmt.name_span))

    def _retyped(self, var: ir.Var, type_: Type) -> ir.Var:
        if same_type(type_, var.type) or not isinstance(type_, (*SHAPED, TupleType, Undetermined)):
            return var
        fresh = ir.Var(var.name, type_, var.span)
        self.values[var] = ir.Read(fresh, var.span)
        return fresh

    def _loop(self, stmt: ir.For | ir.While) -> None:
        args = []
        for arg in stmt.iter_args:
            init = self.value(arg.init)
            args.append(ir.IterArg(self._retyped(arg.var, init.type), init))
        body = self.body(stmt.body)
        results = [self._retyped(var, arg.var.type) for var, arg in zip(stmt.return_vars, args)]
        self.out.append(replace(stmt, iter_args=tuple(args), body=body, return_vars=tuple(results)))

    def _if(self, stmt: ir.If) -> None:
        outside = dict(self.values)
        then = self.body(stmt.then)
        self.values = dict(outside)
        orelse = None if stmt.orelse is None else self.body(stmt.orelse)
        self.values = outside
        types = [value.type for value in yielded(then) or yielded(orelse or ())]
        results = [self._retyped(var, types[i]) if i < len(types) else var for i, var in enumerate(stmt.return_vars)]
        self.out.append(replace(stmt, then=then, orelse=orelse, return_vars=tuple(results)))


def _made_at(body: ir.Body, value: ir.Expr) -> Span | None:
    """The expression that makes a value."""
    if not isinstance(value, ir.Read):
        return value.span
    made = (s.value.span for s in walk(body) if isinstance(s, ir.Assign) and s.var is value.var)
    return next(made, value.var.span)


# --- results that a loop assembles ---------------------------------------------------------------------------------------


def store_in_loop(body: list[ir.Stmt], result: ir.Expr, type_: Type) -> bool:
    """Turn the assembles of a loop whose one result is given back into stores. Gives whether there is such a loop.

    The loop carries nothing else, assembles once into what it carries, yields that, and uses it nowhere besides.
    """
    if not isinstance(result, ir.Read):
        return False
    for position, stmt in enumerate(body):
        if isinstance(stmt, ir.For) and len(stmt.iter_args) == 1 and stmt.return_vars == (result.var,):
            stored = _with_stores(stmt, type_)
            if stored is None:
                return False
            body[position] = stored
            _drop_unused(body, stmt.iter_args[0].init)
            return True
    return False


def _with_stores(loop: ir.For, type_: Type) -> ir.For | None:
    carried = loop.iter_args[0].var
    assembled: ir.Assign | None = None
    for stmt in loop.body:
        if isinstance(stmt, ir.Assign) and _assembles_into(stmt.value, carried):
            if assembled is not None:
                return None
            assembled = stmt
        elif not isinstance(stmt, ir.Yield) and _uses((stmt,), carried):
            return None
    last = last_yield(loop.body)
    if assembled is None or last is None or len(last.values) != 1:
        return None
    value, given = assembled.value, last.values[0]
    assert isinstance(value, ir.Call)
    if not isinstance(given, ir.Read) or given.var is not assembled.var:
        return None
    if any(_reads(arg, carried) for arg in value.args[1:]):
        return None
    store = tile_conversions.store_call(value.args[1], None, type_, value.span)
    made = replace(assembled, var=ir.Var(assembled.var.name, type_, assembled.var.span), value=store)
    body = tuple(made if stmt is assembled else stmt for stmt in loop.body if stmt is not last)
    return replace(loop, body=body, iter_args=(), return_vars=())


def _assembles_into(value: ir.Expr, target: ir.Var) -> bool:
    if not isinstance(value, ir.Call) or value.op != "tile.assemble":
        return False
    first = value.args[0]
    return isinstance(first, ir.Read) and first.var is target


def _reads(expr: ir.Expr, var: ir.Var) -> bool:
    return any(isinstance(node, ir.Read) and node.var is var for node in walk_expr(expr, attrs=False))


def _uses(body: tuple[ir.Stmt, ...] | list[ir.Stmt], var: ir.Var) -> bool:
    return any(_reads(expr, var) for stmt in walk(body) for expr in header_exprs(stmt))


def _drop_unused(body: list[ir.Stmt], init: ir.Expr) -> None:
    """Remove the assignment of a loop's first value when nothing else reads it."""
    if not isinstance(init, ir.Read) or _uses(body, init.var):
        return
    for position, stmt in enumerate(body):
        if isinstance(stmt, ir.Assign) and stmt.var is init.var:
            del body[position]
            return
