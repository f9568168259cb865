"""OutlineIncoreScopes: the kernels of a function, with what they take from and give to the code around them.

A kernel is a declared kernel function or a core-group region. A region takes every variable that it reads and does not
define, and gives what it defines and the code after it reads. A tensor that a region writes in place is given back as the
tensor that came in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import KERNEL_TYPES, EnumMember
from pypto_lsp.ir.mutator import with_bodies
from pypto_lsp.ir.types import TENSORS
from pypto_lsp.ir.visit import bodies, header_exprs, walk
from pypto_lsp.passes.convert_to_ssa import SsaFunction
from pypto_lsp.passes.ranges import Ranges
from pypto_lsp.passes.regions import Region, Regions
from pypto_lsp.passes.reuse import identical
from pypto_lsp.passes.variables import bound_by, visit_header_reads
from pypto_lsp.text import Span

_NAME = re.compile(r"[^\W\d]\w*")
#: stands for any name, where it is not known which ones an uncertain part has
_ANYTHING = "*"
#: operators that write one operand in place and give it back -> the operand's position
WRITTEN_OPERAND = {
    "tensor.assemble": 0, "tensor.set_validshape": 0, "tile.store": 2, "tile.mscatter": 2, "tile.fillpad_inplace": 0,
    "tile.scatter_update": 0, "tile.scatter": 0, "tile.scatter_mask": 0, "tile.matmul_acc": 0, "tile.gemv_acc": 0,
    "tile.batch_matmul_acc": 0, "tile.matmul_mx_acc": 0, "tile.gather_row": 0,
}  # fmt: skip


@dataclass(frozen=True)
class Kernel:
    """``function`` is a declared kernel function itself, else the function it lies in, of which only name and kind stand there;
    ``scope`` is its region (None for a declared kernel function). ``returns`` are the
    values given back, ``return_span`` where their stores are shown."""

    name: str
    function: ir.Function
    func_type: str
    params: tuple[ir.Var, ...]
    body: ir.Body
    returns: tuple[ir.Expr, ...]
    return_span: Span | None
    scope: ir.InCoreScope | None = None
    split: str | None = None
    #: names in parts of it that could not be lowered
    uncertain: frozenset[str] = frozenset()
    ranges: Ranges = field(default_factory=Ranges)

    @property
    def known(self) -> bool:
        """Whether the kernel can be looked at: what is uncertain in it has names."""
        return _ANYTHING not in self.uncertain

    @property
    def span(self) -> Span | None:
        """Where the kernel begins: its region, or its function."""
        return self.scope.span if self.scope is not None else self.function.span


def kernels(source: SsaFunction, regions: Regions | None = None) -> Iterator[Kernel]:
    """The kernels of a function in SSA form; ``regions`` holds what is known of its regions."""
    function = source.function
    if function.body is None:
        return
    if function.func_type in KERNEL_TYPES:
        yield _declared(function, source.ranges)
        return
    yield from _Outliner(function, source.ranges, regions or Regions()).outlined()


def kernel_bodies(function: ir.Function) -> Iterator[ir.Body]:
    """The bodies that become kernels: a declared kernel's, each core-group scope's, each split region outside of those."""
    if function.func_type in KERNEL_TYPES:
        yield function.body or ()
    else:
        yield from _scope_bodies(function.body or ())


def _scope_bodies(body: ir.Body) -> Iterator[ir.Body]:
    for stmt in body:
        if isinstance(stmt, ir.InCoreScope):
            yield stmt.body
        elif isinstance(stmt, ir.SplitAivScope):
            yield (stmt,)
        else:
            for nested in bodies(stmt):
                yield from _scope_bodies(nested)


def _declared(function: ir.Function, ranges: Ranges) -> Kernel:
    body = tuple(_without_regions(function.body or ()))
    last = body[-1] if body else None
    returned = isinstance(last, ir.Return)
    split = function.attrs.get("split")
    return Kernel(
        name=function.name,
        function=function,
        func_type=function.func_type,
        params=function.params,
        body=body[:-1] if returned else body,
        returns=last.values if isinstance(last, ir.Return) else (),
        return_span=last.span if last is not None else None,
        split=split.name if isinstance(split, EnumMember) else split if isinstance(split, str) else None,
        uncertain=_uncertain(body),
        ranges=ranges,
    )


def _without_regions(body: ir.Body) -> Iterator[ir.Stmt]:
    """A body with the statements of core-group regions in their place: in a kernel function a region means nothing."""
    for stmt in body:
        if isinstance(stmt, ir.InCoreScope):
            yield from _without_regions(stmt.body)
        elif not any(isinstance(inner, ir.InCoreScope) for inner in walk((stmt,))):
            yield stmt
        else:
            yield with_bodies(stmt, lambda inner: tuple(_without_regions(inner)))


def _uncertain(body: ir.Body) -> frozenset[str]:
    """The names that stand in parts of a body that could not be lowered."""
    found: set[str] = set()
    for stmt in walk(body):
        if isinstance(stmt, ir.ErrorStmt):
            found.update(var.name for var in (*stmt.binds, *stmt.reads))
        for expr in header_exprs(stmt):
            _note_errors(expr, found)
    return frozenset(found)


def _note_errors(expr: ir.Expr, found: set[str]) -> None:
    match expr:
        case ir.ErrorExpr():
            found.update(_NAME.findall(expr.span.text) if expr.span is not None else (_ANYTHING,))
        case ir.Call() | ir.Submit():
            for arg in expr.args:
                _note_errors(arg, found)
        case ir.Binary():
            _note_errors(expr.left, found)
            _note_errors(expr.right, found)
        case ir.Unary():
            _note_errors(expr.operand, found)
        case ir.MakeTuple():
            for element in expr.elements:
                _note_errors(element, found)
        case ir.TupleGetItem():
            _note_errors(expr.tuple, found)


class Lineage:
    """Which tensor that came in a value is written into."""

    def __init__(self, body: ir.Body) -> None:
        self.values: dict[ir.Var, ir.Expr] = {}
        self.inits: dict[ir.Var, ir.Expr] = {}
        for stmt in walk(body):
            if isinstance(stmt, ir.Assign):
                self.values.setdefault(stmt.var, stmt.value)
            elif isinstance(stmt, (ir.For, ir.While)):
                for arg in stmt.iter_args:
                    self.inits[arg.var] = arg.init
                for var, arg in zip(stmt.return_vars, stmt.iter_args):
                    if isinstance(var.type, TENSORS):
                        self.inits[var] = arg.init

    def origin(self, var: ir.Var, params: set[ir.Var]) -> ir.Var | None:
        """The parameter that a tensor is, after writes in place and through loops; None when it is a value of its own."""
        seen: set[ir.Var] = set()
        while var not in params:
            if var in seen:
                return None
            seen.add(var)
            source = self.inits.get(var) or _written(self.values.get(var))
            if not isinstance(source, ir.Read):
                return None
            var = source.var
        return var


def _written(value: ir.Expr | None) -> ir.Expr | None:
    """What an expression gives back unchanged or written in place."""
    if isinstance(value, ir.Call) and isinstance(value.op, str):
        position = WRITTEN_OPERAND.get(value.op)
        return value.args[position] if position is not None and position < len(value.args) else None
    return value if isinstance(value, ir.Read) else None


class _Positions:
    """Where in a function, counted in statements, its variables are referred to."""

    def __init__(self, body: ir.Body, regions: Regions) -> None:
        self._regions = regions
        #: region -> its position; statement with nested ones -> the position of the last of them
        self.starts: dict[int, int] = {}
        self.ends: dict[int, int] = {}
        #: statement with nested ones -> the last position up to its end that refers to any variable
        self.referring: dict[int, int] = {}
        #: variable -> the last position that refers to it
        self.last: dict[ir.Var, int] = {}
        self.last_referring = -1
        self.count = 0
        self._visit(body)

    def _visit(self, body: ir.Body) -> None:
        for stmt in body:
            if isinstance(stmt, ir.InCoreScope):
                self._region(stmt)
                continue
            position = self.count
            self.count += 1
            found: list[ir.Var] = list(bound_by(stmt))
            visit_header_reads(stmt, found.append)
            if found:
                self.last.update(dict.fromkeys(found, position))
                self.last_referring = position
            nested = bodies(stmt)
            for inner in nested:
                self._visit(inner)
            if nested:
                self._ended(stmt)

    def _region(self, scope: ir.InCoreScope) -> None:
        region, position = self._regions.of(scope), self.count
        self.starts[id(scope)] = position
        self.last.update([(var, position + relative) for var, relative in region.last.items()])
        if region.refers >= 0:
            self.last_referring = position + region.refers
        self.count += region.count
        self._ended(scope)

    def _ended(self, stmt: ir.Stmt) -> None:
        self.ends[id(stmt)] = self.count - 1
        self.referring[id(stmt)] = self.last_referring


@dataclass(frozen=True, slots=True)
class _Around:
    """What is around a body: the last position of the code that can read what the body defines, the last that refers to
    anything, variables that are needed beyond that, and whether another scope encloses the body."""

    end: int
    referring: int
    given: frozenset[ir.Var]
    inside_scope: bool


@dataclass(frozen=True, slots=True)
class _Outlined:
    """The kernel of a region that gives some of its variables, and where the variables in it were bound."""

    kernel: Kernel
    given: tuple[ir.Var, ...]
    places: tuple[Span | None, ...]


@dataclass
class _Outliner:
    function: ir.Function
    ranges: Ranges
    regions: Regions
    positions: _Positions = field(init=False)
    #: the function without its contents, as the kernels know it
    header: ir.Function = field(init=False)

    def outlined(self) -> Iterator[Kernel]:
        function = self.function
        self.header = ir.Function(function.name, function.func_type, (), (), (), None, jit=function.jit)
        self.positions = _Positions(function.body or (), self.regions)
        around = _Around(self.positions.count, self.positions.last_referring, frozenset(), False)
        return self._sequence(function.body or (), around)

    def _sequence(self, body: ir.Body, around: _Around) -> Iterator[Kernel]:
        """Outline the regions of a body."""
        for stmt in body:
            if isinstance(stmt, ir.InCoreScope):
                yield from self._region(stmt, around)
            elif isinstance(stmt, ir.HierarchyScope):
                # a function of its own: what it gives back is read at its end
                end = self.positions.ends[id(stmt)]
                own: dict[ir.Var, None] = {}
                self.regions.defined_in(stmt.body, own)
                given = frozenset(v for v in own if self._used(v, end, around))
                inside = _Around(end, self.positions.referring[id(stmt)], given, False)
                yield from self._sequence(stmt.body, inside)
            else:
                scope = around.inside_scope or not isinstance(stmt, (ir.For, ir.While, ir.If))
                for nested in bodies(stmt):
                    yield from self._sequence(nested, replace(around, inside_scope=scope))

    def _used(self, var: ir.Var, end: int, around: _Around) -> bool:
        """Whether the code after a position needs a variable."""
        return var in around.given or end < self.positions.last.get(var, -1) <= around.end

    def _region(self, scope: ir.InCoreScope, around: _Around) -> Iterator[Kernel]:
        region, end = self.regions.of(scope), self.positions.ends[id(scope)]
        given = self._given(region, end, around)
        yield self._kernel(region, given)
        if region.nested:
            start = self.positions.starts[id(scope)]
            inside = _Around(end, start + region.refers, frozenset(given), True)
            for inner in region.nested:
                position = start + _position(inner, scope)
                self.positions.starts[id(inner)] = position
                self.positions.ends[id(inner)] = position + self.regions.of(inner).count - 1
                yield from self._region(inner, inside)

    def _given(self, region: Region, end: int, around: _Around) -> tuple[ir.Var, ...]:
        """The variables of a region that are needed after it."""
        if around.given or around.referring > end:
            return tuple([v for v in region.defined if self._used(v, end, around)])
        # nothing tells what is needed: everything is, unless another scope hides it
        return () if around.inside_scope or _defers(region.scope.body) else tuple(region.defined)

    def _kernel(self, region: Region, given: tuple[ir.Var, ...]) -> Kernel:
        """The kernel of a region; the one of the last time where that would be the same."""
        scope, header = region.scope, self.header
        known: _Outlined | None = self.regions.outlined.find(id(scope))
        if known is None or not self._holds(known, region, given):
            lineage, params = Lineage(scope.body), region.params
            tensors = [v for v in given if isinstance(v.type, TENSORS)]
            kernel = Kernel(
                name=scope.name_hint or f"{header.name}_incore",
                function=header,
                func_type="InCore",
                params=params,
                body=scope.body,
                returns=tuple(ir.Read(lineage.origin(v, set(params)) or v, scope.span) for v in tensors),
                return_span=scope.span,
                scope=scope,
                split=scope.split,
                uncertain=frozenset((_ANYTHING,)) if region.nested else _uncertain(scope.body),
                ranges=self.ranges.observed(),
            )
            known = _Outlined(kernel, given, _places(region))
        self.regions.outlined.keep(id(scope), known)
        return known.kernel

    def _holds(self, known: _Outlined, region: Region, given: tuple[ir.Var, ...]) -> bool:
        kernel, header = known.kernel, self.header
        return (
            kernel.scope is region.scope
            and identical(known.given, given)
            and identical(known.places, _places(region))
            and (kernel.function.name, kernel.function.func_type, kernel.function.jit)
            == (header.name, header.func_type, header.jit)
            and kernel.ranges.follow(self.ranges)
        )


def _places(region: Region) -> tuple[Span | None, ...]:
    return tuple([var.span for var in region.last])


def _position(inner: ir.Stmt, outer: ir.InCoreScope) -> int:
    """The position of a statement in a region, counted from the region on."""
    return next(place for place, stmt in enumerate(walk((outer,))) if stmt is inner)


def _defers(body: ir.Body) -> bool:
    """Whether a region only registers what a later task waits for."""
    return any(
        isinstance(stmt, ir.Eval) and isinstance(stmt.expr, ir.Call) and stmt.expr.op == "pld.system.defer_wait"
        for stmt in walk(body)
    )
