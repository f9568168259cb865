"""ConvertToSSA: every variable is assigned once, values that loops and branches change are carried and merged.

One walk does what UnrollLoops, ConvertToSSA, Simplify and FlattenCallExpr do together as far as later passes can tell:
``pl.unroll`` loops become copies, calls inside calls become assignments of their own, constant scalars outside of loops and
branches stand in place of their names, branches that are always or never taken and loops of one trip are resolved.

A variable that is assigned once stays the same object, so that most of a body is shared with its source.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import simplify
from pypto_lsp.ir.enums import ForKind
from pypto_lsp.ir.mutator import yielding
from pypto_lsp.ir.size import Sizes
from pypto_lsp.ir.types import (
    SHAPED,
    UNDETERMINED,
    ScalarType,
    TupleType,
    Type,
)
from pypto_lsp.ir.visit import bodies, yielded
from pypto_lsp.passes.dead_values import dead_value_steps
from pypto_lsp.passes.ranges import Interval, Ranges, loop_interval, trip_count
from pypto_lsp.passes.regions import Regions
from pypto_lsp.passes.ssa_memo import SsaMemo, Tracing
from pypto_lsp.passes.type_substitution import TypeSubstitution
from pypto_lsp.text import Span
from pypto_lsp.text.stepwise import finished

_T = TypeVar("_T")
Steps = Generator[None, None, _T]
_MAX_UNROLL = 1024
#: a body that grows beyond this is not analysed
_MAX_STATEMENTS = 60_000

#: scopes through which the yield of a loop body is seen
_CONSTANTS = (ir.ConstInt, ir.ConstFloat, ir.ConstBool)


class TooLarge(Exception):
    """A body unrolls into more statements than are worth an analysis, or an expression in it grows beyond that."""


@dataclass
class SsaFunction:
    """A function in SSA form with what is known of its scalars."""

    function: ir.Function
    ranges: Ranges


def convert_to_ssa(function: ir.Function) -> SsaFunction:
    """The function in SSA form. Raises :class:`TooLarge`."""
    return finished(ssa_steps(function))


def ssa_steps(
    function: ir.Function, memo: SsaMemo | None = None, regions: Regions | None = None
) -> Generator[None, None, SsaFunction]:
    """The same in steps, with what the last conversion made of statements that are the same and mean the same. Raises
    :class:`TooLarge`."""
    converter = _Converter(None if memo is None else Tracing(memo))
    for param in function.params:
        converter.current[param] = converter.reading(param)
        converter.versions[param] = 1
    body = yield from converter.body(function.body or ())
    body = yield from dead_value_steps(body, regions or Regions())
    yield
    return SsaFunction(replace(function, body=body), Ranges(dict(converter.bounds), dict(converter.definitions)))


class _Converter:
    def __init__(self, tracing: Tracing | None = None) -> None:
        self.tracing = tracing
        #: the value that a variable of the source has at this point
        self.current: dict[ir.Var, ir.Expr] = {} if tracing is None else tracing.current
        self.bounds: dict[ir.Var, Interval] = {} if tracing is None else tracing.bounds
        self.definitions: dict[ir.Var, ir.Expr] = {} if tracing is None else tracing.definitions
        self.ranges = Ranges(self.bounds, self.definitions)
        #: how often a variable was bound; binding one again makes a new variable
        self.versions: dict[Any, int] = {} if tracing is None else tracing.versions
        self.tuples: dict[ir.Var, ir.MakeTuple] = {} if tracing is None else tracing.tuples
        #: how many loops, branches and launches are around: constants are only propagated at depth 0
        self.depth = 0
        #: a region is converted anew as a whole
        self.inside_region = False
        #: assignments that have to come before the statement in work
        self.prefix: list[ir.Stmt] = []
        self.statement: ir.Stmt | None = None
        self.count = 0
        #: the copies of unrolled loops around
        self.copy: tuple[int, ...] = ()
        self.types = TypeSubstitution(self.current.get)
        self._sizes = Sizes()
        self._assigned: dict[int, frozenset[ir.Var]] = {}

    # --- variables -------------------------------------------------------------------------------------------------

    def bind(self, var: ir.Var, type_: Type) -> ir.Var:
        """The variable that a binding of ``var`` binds: itself the first time, if it is of the type."""
        count = self.versions.get(var, 0)
        self.versions[var] = count + 1
        if count == 0 and (type_ is var.type or type_ == var.type):
            read = self.reading(var)
        else:
            read = self.fresh((var, count), var, type_, symbol=var.symbol)
        self.current[var] = read
        return read.var

    def carry(self, var: ir.Var, type_: Type) -> ir.Read:
        """A variable of its own for what a loop carries of ``var``."""
        count = self.versions.get((var,), 0)
        self.versions[var,] = count + 1
        return self.fresh((var, count, "carried"), var, type_)

    def reading(self, var: ir.Var) -> ir.Read:
        """A read of a variable where it is bound."""
        return ir.Read(var, var.span) if self.tracing is None else self.tracing.reading(var)

    def fresh(self, key: tuple[Any, ...], var: ir.Var, type_: Type, *, symbol: bool = False) -> ir.Read:
        """A read of a new variable: the one that the last conversion made for the same binding, if it is of the same type."""
        known = None if self.tracing is None else self.tracing.binding(key, type_)
        if known is None:
            known = ir.Read(ir.Var(var.name, type_, var.span, symbol=symbol), var.span)
            if self.tracing is not None:
                self.tracing.bound(key, known)
        return known

    def assigned(self, body: Iterable[ir.Stmt]) -> frozenset[ir.Var]:
        """Variables that a body assigns, nested bodies included."""
        found: set[ir.Var] = set()
        for stmt in body:
            found |= self._assigned_in(stmt)
        return frozenset(found)

    def _assigned_in(self, stmt: ir.Stmt) -> frozenset[ir.Var]:
        if isinstance(stmt, ir.Assign):
            return frozenset((stmt.var,))
        if isinstance(stmt, ir.ErrorStmt):
            return frozenset(stmt.binds)
        nested = bodies(stmt)
        if not nested:
            return frozenset()
        known = self._assigned.get(id(stmt))
        if known is None and self.tracing is not None:
            known = self.tracing.assigned(stmt)
        if known is None:
            own = getattr(stmt, "return_vars", ())
            known = frozenset(own).union(*(self.assigned(body) for body in nested))
            if self.tracing is not None:
                self.tracing.assigns(stmt, known)
        self._assigned[id(stmt)] = known
        return known

    # --- expressions -----------------------------------------------------------------------------------------------

    def operand(self, expr: ir.Expr) -> ir.Expr:
        """An expression in operand position: a call in it becomes an assignment before the statement."""
        value = self.value(expr)
        if not isinstance(value, (ir.Call, ir.Submit)):
            return value
        var = ir.Var("t", value.type, expr.span)
        span = self.statement.span if self.statement is not None else expr.span
        self.emit(self.prefix, ir.Assign(var, value, span, expr.span))
        if isinstance(value.type, ScalarType):
            self.definitions[var] = value
        return ir.Read(var, expr.span)

    def value(self, expr: ir.Expr) -> ir.Expr:
        """An expression with the current versions of its variables."""
        match expr:
            case ir.Read():
                return self._read(expr)
            case ir.Var():  # an extent that was computed from slices
                known = self.current.get(expr)
                return expr if known is None or (isinstance(known, ir.Read) and known.var is expr) else known
            case ir.Call():
                return self._call(expr)
            case ir.Submit():
                args = self._operands(expr.args)
                core_num = None if expr.core_num is None else self.operand(expr.core_num)
                return replace(expr, args=args, deps=self._operands(expr.deps), core_num=core_num)
            case ir.Binary():
                left, right = self.operand(expr.left), self.operand(expr.right)
                if left is expr.left and right is expr.right and not isinstance(left, ir.ConstInt):
                    return expr
                return self._folded(replace(expr, left=left, right=right))
            case ir.Unary():
                inner = self.operand(expr.operand)
                if inner is expr.operand:
                    return expr
                return self._folded_unary(replace(expr, operand=inner))
            case ir.MakeTuple():
                elements = self._operands(expr.elements)
                return expr if elements is expr.elements else replace(expr, elements=elements)
            case ir.TupleGetItem():
                return self._item(expr)
            case _:
                return expr

    def _operands(self, exprs: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
        out = tuple(self.operand(e) for e in exprs)
        return exprs if all(a is b for a, b in zip(out, exprs)) else out

    def _read(self, expr: ir.Read) -> ir.Expr:
        known = self.current.get(expr.var)
        if known is None:
            return expr
        if isinstance(known, ir.Read):
            return expr if known.var is expr.var else ir.Read(known.var, expr.span)
        return self._standing(known)

    def _standing(self, expr: ir.Expr) -> ir.Expr:
        """An expression that stands for something that is read, perhaps several times. Raises :class:`TooLarge`."""
        if self._sizes.too_large(expr):
            raise TooLarge
        return expr

    def _call(self, call: ir.Call) -> ir.Expr:
        args = self._operands(call.args)
        type_ = self.types.type(call.type)
        if args is call.args and type_ is call.type:
            return call
        return ir.Call(call.op, args, call.names, type_, call.span, call.kwargs, call.attrs, call.path)

    def _item(self, expr: ir.TupleGetItem) -> ir.Expr:
        source = self.operand(expr.tuple)
        made = self.tuples.get(source.var) if isinstance(source, ir.Read) else source
        if isinstance(made, ir.MakeTuple) and expr.index < len(made.elements):
            return self._standing(made.elements[expr.index])
        return expr if source is expr.tuple else replace(expr, tuple=source)

    @staticmethod
    def _folded(expr: ir.Binary) -> ir.Expr:
        if isinstance(expr.left, ir.ConstInt) and isinstance(expr.right, ir.ConstInt):
            value = simplify(expr)
            if isinstance(value, int):
                return ir.ConstInt(value, expr.left.dtype, expr.span)
            decided = Ranges().decide(expr)
            if decided is not None:
                return ir.ConstBool(decided, expr.span)
        return expr

    @staticmethod
    def _folded_unary(expr: ir.Unary) -> ir.Expr:
        """An expression whose operand has its value; a cast stays, as the compiler leaves it."""
        inner = expr.operand
        return (
            ir.ConstInt(-inner.value, inner.dtype, expr.span)
            if isinstance(inner, ir.ConstInt) and expr.op == "-"
            else expr
        )

    # --- statements ------------------------------------------------------------------------------------------------

    def emit(self, out: list[ir.Stmt], stmt: ir.Stmt) -> None:
        self.count += 1
        if self.count > _MAX_STATEMENTS:
            raise TooLarge
        out.append(stmt)

    def body(self, body: ir.Body) -> Steps[ir.Body]:
        """A body converted statement by statement."""
        saved, self.prefix = self.prefix, []
        out = self.prefix
        for stmt in body:
            yield from self._place(stmt, out)
        self.prefix = saved
        return tuple(out)

    def _place(self, stmt: ir.Stmt, out: list[ir.Stmt]) -> Steps[None]:
        """Add what a statement becomes."""
        tracing = self.tracing
        if tracing is None or self.inside_region:
            yield from self._convert(stmt, out)
            return
        known = tracing.known(stmt, self.copy, self.depth == 0)
        if known is not None:
            self.count += known[1]
            if self.count > _MAX_STATEMENTS:
                raise TooLarge
            out += known[0]
            return
        point, start, count = tracing.begin(), len(out), self.count
        yield from self._convert(stmt, out)
        tracing.end(point, stmt, self.copy, self.depth == 0, (tuple(out[start:]), self.count - count))

    def _convert(self, stmt: ir.Stmt, out: list[ir.Stmt]) -> Steps[None]:
        outer, self.statement = self.statement, stmt
        if bodies(stmt):
            converted = yield from self._compound(stmt)
            yield
        else:
            converted = self._simple(stmt)
        self.statement = outer
        for made in converted:
            self.emit(out, made)

    def _compound(self, stmt: ir.Stmt) -> Steps[Iterable[ir.Stmt]]:
        match stmt:
            case ir.For():
                return (yield from self._for(stmt))
            case ir.While():
                return ((yield from self._while(stmt)),)
            case ir.If():
                return (yield from self._if(stmt))
            case _:
                return ((yield from self._scope(stmt)),)

    def _simple(self, stmt: ir.Stmt) -> Iterable[ir.Stmt]:
        match stmt:
            case ir.Assign():
                return self._assign(stmt)
            case ir.Eval():
                value = self.value(stmt.expr)
                return (stmt if value is stmt.expr else replace(stmt, expr=value),)
            case ir.Return() | ir.Yield():
                values = self._operands(stmt.values)
                return (stmt if values is stmt.values else replace(stmt, values=values),)
            case ir.ErrorStmt():
                for var in stmt.binds:
                    self.current[var] = ir.ErrorExpr(stmt.span)
                return (stmt,)
            case _:
                return (stmt,)

    def _assign(self, stmt: ir.Assign) -> Iterable[ir.Stmt]:
        value = self.value(stmt.value)
        own = self.types.type(stmt.var.type)
        type_ = value.type if isinstance(value.type, (*SHAPED, TupleType)) else own
        if isinstance(value, _CONSTANTS) and self.depth == 0 and isinstance(type_, ScalarType):
            self.current[stmt.var] = value
            return ()
        var = self.bind(stmt.var, type_)
        if isinstance(type_, ScalarType):
            self.definitions[var] = value
        if isinstance(value, ir.MakeTuple):
            self.tuples[var] = value
        if var is stmt.var and value is stmt.value:
            return (stmt,)
        return (ir.Assign(var, value, stmt.span, stmt.name_span),)

    def _scope(self, stmt: Any) -> Steps[ir.Stmt]:
        changes: dict[str, Any] = {}
        if isinstance(stmt, ir.SpmdScope):
            changes["core_num"] = self.operand(stmt.core_num)
        index = getattr(stmt, "index_var", None)
        if index is not None:
            changes["index_var"] = self.bind(index, index.type)
        launched = isinstance(stmt, ir.SpmdScope)
        outer, self.inside_region = self.inside_region, self.inside_region or isinstance(stmt, ir.InCoreScope)
        self.depth += launched
        changes["body"] = yield from self.body(stmt.body)
        self.depth -= launched
        self.inside_region = outer
        return replace(stmt, **changes)

    # --- branches --------------------------------------------------------------------------------------------------

    def _if(self, stmt: ir.If) -> Steps[Iterable[ir.Stmt]]:
        condition = self.operand(stmt.condition)
        decided = self.ranges.decide(condition)
        if decided is not None:
            self.depth += 1
            kept = yield from self.body(stmt.then if decided else stmt.orelse or ())
            self.depth -= 1
            return self._lifted(kept, stmt.return_vars)
        changed = sorted(self.assigned((*stmt.then, *(stmt.orelse or ()))), key=lambda v: v.name)
        before = {var: self.current.get(var) for var in changed}
        then, after_then = yield from self._branch(stmt.then, before, self.ranges.under(condition, True))
        orelse, after_else = yield from self._branch(stmt.orelse or (), before, self.ranges.under(condition, False))
        merged = [v for v in changed if _merges(before[v], after_then[v], after_else[v]) and v not in stmt.return_vars]
        then_values = [value for v in merged if (value := after_then[v]) is not None]
        else_values = [value for v in merged if (value := after_else[v]) is not None]
        results = [self.bind(v, _type_of(a)) for v, a in zip(merged, then_values)]
        results += [self.bind(v, self.types.type(v.type)) for v in stmt.return_vars]
        if merged:
            own_then, own_else = yielded(then), yielded(orelse)
            then = yielding(then, (*then_values, *own_then), stmt.span)
            orelse = yielding(orelse, (*else_values, *own_else), stmt.span)
        has_else = stmt.orelse is not None or bool(merged)
        return (ir.If(condition, then, orelse if has_else else None, tuple(results), stmt.span),)

    def _branch(
        self, body: ir.Body, before: Mapping[ir.Var, ir.Expr | None], assumed: Mapping[Any, Interval]
    ) -> Steps[tuple[ir.Body, dict[ir.Var, ir.Expr | None]]]:
        """A branch, in which the bounds of its condition hold, and the values that variables have at its end; the values and bounds
        at its start hold again."""
        bounds = {key: self.bounds.get(key) for key in assumed}
        for key, interval in assumed.items():
            self.bounds[key] = interval
        self.depth += 1
        converted = yield from self.body(body)
        self.depth -= 1
        for key, known in bounds.items():
            if known is None:
                self.bounds.pop(key, None)
            else:
                self.bounds[key] = known
        after = {var: self.current.get(var) for var in before}
        self._restore(before)
        return converted, after

    def _restore(self, values: Mapping[ir.Var, ir.Expr | None]) -> None:
        for var, value in values.items():
            if value is None:
                self.current.pop(var, None)
            else:
                self.current[var] = value

    def _lifted(self, body: ir.Body, results: tuple[ir.Var, ...]) -> Iterable[ir.Stmt]:
        """A body that stands for its statement: what it yields are the statement's results."""
        values = yielded(body)
        for var, value in zip(results, values):
            self.current[var] = value
        return _without_yield(body)

    # --- loops -----------------------------------------------------------------------------------------------------

    def _for(self, stmt: ir.For) -> Steps[Iterable[ir.Stmt]]:
        start, stop, step = self.operand(stmt.start), self.operand(stmt.stop), self.operand(stmt.step)
        loop = replace(stmt, start=start, stop=stop, step=step)
        trips = trip_count(loop, self.ranges)
        if stmt.kind is ForKind.UNROLL:
            return (yield from self._unrolled(loop, trips))
        if stmt.kind is ForKind.SEQUENTIAL and not stmt.attrs and trips is not None and trips < 2:
            return (yield from self._resolved(loop, trips))
        return ((yield from self._looped(loop)),)

    def _unrolled(self, loop: ir.For, trips: int | None) -> Steps[Iterable[ir.Stmt]]:
        start, step = self.ranges.constant(loop.start), self.ranges.constant(loop.step)
        if trips is None or start is None or step is None or trips > _MAX_UNROLL:
            return ((yield from self._looped(loop)),)
        out: list[ir.Stmt] = []
        around = self.copy
        for trip in range(trips):
            self.copy = (*around, trip)
            self.current[loop.var] = self._trip(loop, trip, start + trip * step)
            out += yield from self.body(loop.body)
        self.copy = around
        return out

    def _trip(self, loop: ir.For, trip: int, value: int) -> ir.ConstInt:
        """The value of the variable of a loop in one of its trips."""
        made = ir.ConstInt(value, _loop_dtype(loop), loop.span)
        return made if self.tracing is None else self.tracing.constant((loop.var, *self.copy, trip), made)

    def _resolved(self, loop: ir.For, trips: int) -> Steps[Iterable[ir.Stmt]]:
        """A sequential loop of no or one trip."""
        inits = [self.operand(arg.init) for arg in loop.iter_args]
        if trips == 0:
            for var, init in zip(loop.return_vars, inits):
                self.current[var] = init
            return ()
        start = self.ranges.constant(loop.start)
        self.current[loop.var] = loop.start if start is None else self._trip(loop, 0, start)
        for arg, init in zip(loop.iter_args, inits):
            self.current[arg.var] = init
        body = yield from self.body(loop.body)
        return self._lifted(body, loop.return_vars)

    def _looped(self, loop: ir.For) -> Steps[ir.For]:
        inits = [self.operand(arg.init) for arg in loop.iter_args]
        changed = self.assigned(loop.body) - {loop.var}
        carried = self._carried(changed, loop.iter_args)
        before = {var: self.current.get(var) for var in changed}
        args = self._iter_args(loop.iter_args, inits, carried)
        var = self.bind(loop.var, loop.var.type)
        start, stop, step = (self.ranges.constant(e) for e in (loop.start, loop.stop, loop.step))
        if start is not None and stop is not None and step:
            self.bounds[var] = loop_interval((start, start), (stop, stop), step)
        body = yield from self._loop_body(loop.body, carried, loop.span)
        results = self._loop_results(loop.return_vars, args, carried, before)
        return replace(loop, var=var, body=body, iter_args=tuple(args), return_vars=results)

    def _while(self, stmt: ir.While) -> Steps[ir.While]:
        inits = [self.operand(arg.init) for arg in stmt.iter_args]
        changed = self.assigned(stmt.body)
        carried = self._carried(changed, stmt.iter_args)
        before = {var: self.current.get(var) for var in changed}
        args = self._iter_args(stmt.iter_args, inits, carried)
        condition = self.types.expr(stmt.condition)
        body = yield from self._loop_body(stmt.body, carried, stmt.span)
        results = self._loop_results(stmt.return_vars, args, carried, before)
        return replace(stmt, condition=condition, body=body, iter_args=tuple(args), return_vars=results)

    def _carried(self, changed: frozenset[ir.Var], own: tuple[ir.IterArg, ...]) -> list[ir.Var]:
        explicit = {arg.var for arg in own}
        return sorted((v for v in changed if v in self.current and v not in explicit), key=lambda v: v.name)

    def _iter_args(self, own: tuple[ir.IterArg, ...], inits: list[ir.Expr], carried: list[ir.Var]) -> list[ir.IterArg]:
        args = [ir.IterArg(self.bind(arg.var, _type_of(init)), init) for arg, init in zip(own, inits)]
        for var in carried:
            init = self.current[var]
            read = self.carry(var, init.type)
            args.append(ir.IterArg(read.var, init))
            self.current[var] = read
        return args

    def _loop_body(self, body: ir.Body, carried: list[ir.Var], span: Span | None) -> Steps[ir.Body]:
        self.depth += 1
        converted = yield from self.body(body)
        self.depth -= 1
        if not carried:
            return converted
        values = (*yielded(converted), *(self.current[var] for var in carried))
        return yielding(converted, values, span)

    def _loop_results(
        self,
        own: tuple[ir.Var, ...],
        args: list[ir.IterArg],
        carried: list[ir.Var],
        before: Mapping[ir.Var, ir.Expr | None],
    ) -> tuple[ir.Var, ...]:
        self._restore(before)
        results = [self.bind(var, arg.var.type) for var, arg in zip(own, args)]
        results += [self.bind(var, arg.var.type) for var, arg in zip(carried, args[len(args) - len(carried) :])]
        return tuple(results)


def _type_of(expr: ir.Expr | None) -> Type:
    return UNDETERMINED if expr is None else expr.type


def _loop_dtype(loop: ir.For) -> Any:
    type_ = loop.var.type
    assert isinstance(type_, ScalarType)
    return type_.dtype


def _merges(before: ir.Expr | None, then: ir.Expr | None, orelse: ir.Expr | None) -> bool:
    """Whether a variable has a merged value after a branch: both sides give it one, and not both that of before."""
    return then is not None and orelse is not None and not (then is before and orelse is before)


def _without_yield(body: ir.Body) -> ir.Body:
    last = body[-1] if body else None
    if isinstance(last, ir.Yield):
        return body[:-1]
    if isinstance(last, ir.TRANSPARENT_SCOPES) and yielded(last.body):
        return (*body[:-1], replace(last, body=_without_yield(last.body)))
    return body
