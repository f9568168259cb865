"""CtrlFlowTransform: ``break`` and ``continue`` of kernels become branches, and loops that break become ``while`` loops.

A branch that leaves the loop yields the values that are known there, the other one holds the rest of the body. A value that the
rest computes is not known where the loop is left: what the loop carried into this trip stands for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import BOOL
from pypto_lsp.ir.enums import KERNEL_TYPES, ForKind
from pypto_lsp.ir.mutator import Mutator, Statements
from pypto_lsp.ir.types import ScalarType
from pypto_lsp.ir.visit import bodies
from pypto_lsp.passes.pipeline.names import base_name, versioned
from pypto_lsp.text import Span

_LOOPS = (ir.For, ir.While)
_BOOL = ScalarType(BOOL)
Values = tuple[ir.Expr, ...]


def leaves(body: ir.Body, kind: type[ir.Stmt]) -> bool:
    """Whether a body breaks or continues the loop that it lies in."""
    return any(
        isinstance(stmt, kind)
        or (not isinstance(stmt, _LOOPS) and any(leaves(nested, kind) for nested in bodies(stmt)))
        for stmt in body
    )


@dataclass
class _Names:
    count: int = 0

    def make(self, base: str, role: str) -> str:
        self.count += 1
        return versioned(base, role, self.count - 1)


@dataclass
class _Result:
    stmts: list[ir.Stmt]
    values: Values


@dataclass
class _Leaving:
    """Rewrites the body of one loop for one way of leaving it; ``flag`` is set where it breaks, None for ``continue``."""

    loop: ir.For | ir.While
    kind: type[ir.Stmt]
    names: _Names
    flag: ir.Var | None = None
    carried: tuple[ir.Var, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.carried = tuple(arg.var for arg in self.loop.iter_args)

    # --- values ------------------------------------------------------------------------------------------------------

    def known(self, values: Values, before: ir.Body | list[ir.Stmt]) -> Values:
        """The values as far as statements before this point give them."""
        made = {stmt.var for stmt in before if isinstance(stmt, ir.Assign)} | set(self.carried)
        return tuple(
            ir.Read(self.carried[place], value.span)
            if isinstance(value, ir.Read) and value.var not in made and place < len(self.carried)
            else value
            for place, value in enumerate(values)
        )

    def at_exit(self, values: Values, before: ir.Body | list[ir.Stmt]) -> Values:
        """The values with which the loop is left: what a next trip would compute is not computed."""
        found = self.known(values, before)
        if self.flag is None:
            return found
        return tuple(
            value if isinstance(value, ir.Read) or place >= len(self.carried) else ir.Read(self.carried[place])
            for place, value in enumerate(found)
        )

    def _marks(self) -> list[ir.Stmt]:
        if self.flag is None:
            return []
        return [ir.Assign(self.flag, ir.ConstBool(True, self.loop.span), self.loop.span)]

    def _merged(self, values: Values) -> tuple[tuple[ir.Var, ...], Values]:
        variables = tuple(
            ir.Var(
                self.names.make(value.var.name if isinstance(value, ir.Read) else "phi", "phi"), value.type, value.span
            )
            for value in values
        )
        return variables, tuple(ir.Read(var, var.span) for var in variables)

    # --- statements --------------------------------------------------------------------------------------------------

    def body(self, stmts: ir.Body, values: Values) -> _Result:
        for place, stmt in enumerate(stmts):
            before, after = stmts[:place], stmts[place + 1 :]
            if isinstance(stmt, self.kind):
                return _Result([*before, *self._marks()], self.at_exit(values, before))
            if isinstance(stmt, ir.If) and leaves((*stmt.then, *(stmt.orelse or ())), self.kind):
                branches = (stmt.then, stmt.orelse or ())
                ends = [bool(branch) and isinstance(branch[-1], self.kind) for branch in branches]
                if any(ends):
                    return self._ending(stmt, before, after, values, ends[0])
                return self._nested(stmt, before, after, values)
        return _Result(list(stmts), values)

    def _ending(self, stmt: ir.If, before: ir.Body, after: ir.Body, values: Values, in_then: bool) -> _Result:
        """A branch that ends by leaving: the rest of the body goes into the other one."""
        rest = (*((stmt.orelse or ()) if in_then else stmt.then), *after)
        inside = self.body(rest, self.known(values, (*before, *rest)))
        leaving = self.at_exit(values, before)
        span = stmt.span
        results: tuple[ir.Var, ...] = ()
        merged: Values = ()
        left: ir.Body = tuple(self._marks())
        stays = tuple(inside.stmts)
        if values or self.flag is not None:
            results, merged = self._merged(leaving)
            left, stays = (*left, ir.Yield(leaving, span)), (*stays, ir.Yield(inside.values, span))
        branches = (left, stays) if in_then else (stays, left)
        made = ir.If(stmt.condition, *branches, results, span)
        return _Result([*before, made], merged)

    def _branch(self, branch: ir.Body, before: ir.Body, values: Values) -> _Result:
        own = branch[-1] if branch else None
        if isinstance(own, ir.Yield):
            branch, values = branch[:-1], own.values
        if not leaves(branch, self.kind):
            return _Result(list(branch), self.known(values, before))
        return self.body(branch, values)

    def _nested(self, stmt: ir.If, before: ir.Body, after: ir.Body, values: Values) -> _Result:
        """A branch that leaves somewhere inside."""
        then, orelse = self._branch(stmt.then, before, values), self._branch(stmt.orelse or (), before, values)
        results, merged = self._merged(then.values or orelse.values)
        span = self.loop.span
        if results:
            then.stmts.append(ir.Yield(then.values, span))
            orelse.stmts.append(ir.Yield(orelse.values, span))
        has_else = stmt.orelse is not None or bool(results) or self.flag is not None
        made = ir.If(stmt.condition, tuple(then.stmts), tuple(orelse.stmts) if has_else else None, results, stmt.span)
        out: list[ir.Stmt] = [*before, made]
        if not after:
            return _Result(out, merged if results else values)
        rest = self.body(after, merged if results else values)
        if self.flag is None:
            return _Result([*out, *rest.stmts], rest.values)
        return self._guarded(out, rest, merged)

    def _guarded(self, out: list[ir.Stmt], rest: _Result, merged: Values) -> _Result:
        """The rest of a body runs only where the loop was not left."""
        span = self.loop.span
        results, reads = self._merged(merged)
        assert self.flag is not None
        body = (*rest.stmts, ir.Yield(rest.values, span))
        out.append(ir.If(_not(self.flag, span), body, (ir.Yield(merged, span),), results, span))
        return _Result(out, reads)


def _not(flag: ir.Var, span: Span | None) -> ir.Expr:
    return ir.Unary("not", ir.Read(flag, span), _BOOL, span)


def _split(body: ir.Body) -> tuple[ir.Body, Values, bool]:
    last = body[-1] if body else None
    return (body[:-1], last.values, True) if isinstance(last, ir.Yield) else (body, (), False)


class _Index(Mutator):
    """Reads of a loop's variable as reads of the counter that takes its place."""

    def __init__(self, old: ir.Var, new: ir.Var) -> None:
        self.old, self.new = old, new

    def read(self, var: ir.Var) -> ir.Expr | None:
        return ir.Read(self.new, var.span) if var is self.old else None


class _Transformer(Mutator):
    def __init__(self) -> None:
        self.names = _Names()

    def for_(self, stmt: ir.For) -> Statements:
        loop = replace(stmt, body=self.body(stmt.body))
        if stmt.kind is not ForKind.SEQUENTIAL:
            return (loop,)
        if leaves(loop.body, ir.Break):
            return self._counting(loop)
        return (self._continued(loop),) if leaves(loop.body, ir.Continue) else (loop,)

    def while_(self, stmt: ir.While) -> Statements:
        loop = replace(stmt, body=self.body(stmt.body))
        if not leaves(loop.body, ir.Break):
            return (self._continued(loop),) if leaves(loop.body, ir.Continue) else (loop,)
        flag = self._flag(loop)
        stmts, values, yields = _split(loop.body)
        result = self._left(loop, stmts, values, flag)
        if result.values or yields:
            result.stmts.append(ir.Yield(result.values, loop.span))
        condition = ir.Binary("and", loop.condition, _not(flag, loop.span), _BOOL, loop.span)
        return (self._cleared(flag, loop), replace(loop, condition=condition, body=tuple(result.stmts)))

    def _flag(self, loop: ir.For | ir.While) -> ir.Var:
        return ir.Var(self.names.make("break", "tmp"), _BOOL, loop.span)

    @staticmethod
    def _cleared(flag: ir.Var, loop: ir.For | ir.While) -> ir.Stmt:
        return ir.Assign(flag, ir.ConstBool(False, loop.span), loop.span)

    def _continued(self, loop: ir.For | ir.While) -> ir.Stmt:
        stmts, values, yields = _split(loop.body)
        result = _Leaving(loop, ir.Continue, self.names).body(stmts, values)
        if result.values or yields:
            result.stmts.append(ir.Yield(result.values, loop.span))
        return replace(loop, body=tuple(result.stmts))

    def _left(self, loop: ir.For | ir.While, stmts: ir.Body, values: Values, flag: ir.Var) -> _Result:
        if leaves(stmts, ir.Continue):
            inner = _Leaving(loop, ir.Continue, self.names).body(stmts, values)
            stmts, values = tuple(inner.stmts), inner.values
        return _Leaving(loop, ir.Break, self.names, flag).body(stmts, values)

    def _counting(self, loop: ir.For) -> Statements:
        """A loop that breaks counts by itself, as long as the flag is not set."""
        span, flag = loop.span, self._flag(loop)
        counter = ir.Var(self.names.make(base_name(loop.var.name), "idx"), loop.var.type, span)
        body = _Index(loop.var, counter).body(loop.body)
        stmts, values, yields = _split(body)
        result = self._left(loop, stmts, values, flag)
        yielded = []
        for value in result.values:
            if not isinstance(value, ir.Read):
                held = ir.Var(self.names.make("yield", "tmp"), value.type, span)
                result.stmts.append(ir.Assign(held, value, span))
                value = ir.Read(held, span)
            yielded.append(value)
        read = ir.Read(counter, span)
        step = ir.Assign(counter, ir.Binary("+", read, loop.step, counter.type, span), span)
        result.stmts.append(ir.If(_not(flag, span), (step,), None, (), span))
        if yielded or yields:
            result.stmts.append(ir.Yield(tuple(yielded), span))
        down = isinstance(loop.step, ir.ConstInt) and loop.step.value < 0
        bound = ir.Binary(">" if down else "<", read, loop.stop, _BOOL, span)
        condition = ir.Binary("and", bound, _not(flag, span), _BOOL, span)
        return (
            ir.Assign(counter, loop.start, span),
            self._cleared(flag, loop),
            ir.While(condition, tuple(result.stmts), loop.iter_args, loop.return_vars, span),
        )


def ctrl_flow_transform(function: ir.Function) -> ir.Function:
    """A kernel without ``break`` and ``continue``; other functions stay as they are."""
    return _Transformer().function(function) if function.func_type in KERNEL_TYPES else function


__all__ = ["ctrl_flow_transform", "leaves"]
