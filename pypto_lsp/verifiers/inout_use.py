"""A variable passed as Out or InOut is read again after the call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pypto_lsp.diagnostics import Diagnostic, Related
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Direction
from pypto_lsp.ir.visit import attribute_exprs, operands, own_exprs, scope_attrs, walk_expr
from pypto_lsp.text import Span
from pypto_lsp.verifiers.rule import Rule, RuleContext, related

_FRAME = """import pypto.language as pl

F32 = pl.FP32


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[64, 128], F32], o: pl.Out[pl.Tensor[[64, 128], F32]]) -> pl.Tensor[[64, 128], F32]:
        t = pl.load(x, [0, 0], [64, 128])
        o = pl.store(t, [0, 0], o)
        return o

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[64, 128], F32], o: pl.Out[pl.Tensor[[64, 128], F32]]) -> pl.Tensor[[64, 128], F32]:
"""


@dataclass
class _State:
    """Dead variables with the call that killed each first, and the readings that were found wrong."""

    dead: dict[ir.Var, ir.Call] = field(default_factory=dict)
    wrong: dict[tuple[int, tuple[object, ...]], tuple[ir.Var, ir.Call, Span | None]] = field(default_factory=dict)


class InOutUseDiscipline(Rule):
    """
    ## What it does
    Follows each variable that is passed to a kernel at an `Out` or `InOut` position. After the call the variable stands for
    the memory as it was before; the value after the call is what the call returns. Reading the variable again, before it is
    bound anew, is an error.

    ## Why is this bad
    The compiler orders tasks by the values they read. A reading of the old name is not ordered behind the kernel, so it may
    see the memory before, during or after the write.

    ## Fix
    Bind the result to the same name: `out = self.kernel(x, out)`. A kernel without a return value must first return its
    output parameters.
    """

    rule_name = "InOutUseDiscipline"
    verifier_name = "InOutUseValid"
    ir_property = "InOutUseValid"
    codes = {0: "a variable passed as Out or InOut is read after the call"}
    VALID = (
        _FRAME + "        o = self.k(x, o)\n        return o\n",
        _FRAME + "        r = self.k(x, o)\n        return r\n",
    )
    INVALID = (_FRAME + "        ⟦self.k(x, o)⟧\n        return o\n",)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if function.func_type in ("Group", "Spmd") or function.body is None:
            return
        state = _State()
        _Flow(program, state, context).body(function.body)
        by_call: dict[int, list[tuple[ir.Var, ir.Call, Span | None]]] = {}
        for entry in state.wrong.values():
            by_call.setdefault(id(entry[1]), []).append(entry)
        for entries in by_call.values():
            if context.as_is:
                yield from self._as_it_stands(entries, function)
            else:
                yield from self._report(entries, function, program)

    def _as_it_stands(
        self, entries: list[tuple[ir.Var, ir.Call, Span | None]], function: ir.Function
    ) -> Iterator[Diagnostic]:
        """In IR every binding has a name of its own, so it is the reading that names the wrong one."""
        for var, call, span in entries:
            yield from self.finding(
                0, span or call.span, f"'{var.name}' was passed as output before; read what that call returned",
                function=function, related=related(call.span, f"'{var.name}' is passed as output here"), subject=call,
                variable=var.name,
            )  # fmt: skip

    def _report(
        self, entries: list[tuple[ir.Var, ir.Call, Span | None]], function: ir.Function, program: ir.Program
    ) -> Iterator[Diagnostic]:
        var, call, _ = entries[0]
        assert isinstance(call.op, ir.FunctionRef)
        callee = program.functions[call.op.name]
        names = list(dict.fromkeys(v.name for v, _, _ in entries))
        readings = [Related(span, f"'{v.name}' is read here") for v, _, span in entries if span is not None]
        void = not callee.return_types
        listed = " and ".join(f"'{n}'" for n in names)
        message = f"{listed} {'is' if len(names) == 1 else 'are'} passed as output to '{callee.name}' and read again afterwards; "
        span = call.span
        if void:
            message += f"'{callee.name}' returns nothing: return its outputs and bind the result of the call"
            place = callee.name_span
            if place is not None and span is not None and place.path == span.path:
                readings.insert(0, Related(span, f"{listed} passed as output here"))
                span = place
        else:
            message += "bind the result of the call to the name and read that"
        yield from self.finding(
            0,
            span,
            message,
            function=function,
            related=readings,
            subject=(call, callee, tuple(dict.fromkeys(v for v, _, _ in entries))),
            variable=var.name,
            callee=callee.name,
            returns=not void,
        )


def _kernel_calls(stmt: ir.Stmt) -> tuple[ir.Call, ...]:
    """The calls of kernels in a statement itself, in its attributes too."""
    attrs = scope_attrs(stmt)
    attributes = [node for expr in attribute_exprs(attrs) for node in walk_expr(expr)] if attrs else ()
    return tuple(
        n for n in (*own_exprs(stmt), *attributes) if isinstance(n, ir.Call) and isinstance(n.op, ir.FunctionRef)
    )


class _Flow:
    """Walks a body in execution order and keeps the set of dead variables."""

    def __init__(self, program: ir.Program, state: _State, context: RuleContext) -> None:
        self.program = program
        self.state = state
        self.context = context

    def body(self, body: ir.Body) -> None:
        for stmt in body:
            self.stmt(stmt)

    def stmt(self, stmt: ir.Stmt) -> None:
        if not self.state.dead and not self.context.pipeline.collected(_kernel_calls, (stmt,)):
            return  # nothing is dead, and nothing dies here
        match stmt:
            case ir.If():
                self.branch(stmt)
            case ir.For() | ir.While():
                self.loop(stmt)
            case ir.ErrorStmt():
                for var in (*stmt.binds, *stmt.reads):
                    self.state.dead.pop(var, None)
            case _:
                self.plain(stmt)

    def plain(self, stmt: ir.Stmt) -> None:
        match stmt:
            case ir.Assign():
                self.expr(stmt.value)
                self.state.dead.pop(stmt.var, None)
            case ir.Eval():
                self.expr(stmt.expr)
            case ir.Yield() | ir.Return():
                for value in stmt.values:
                    self.expr(value)
            case ir.SpmdScope():
                self.expr(stmt.core_num)
                self.attrs(stmt)
                self.body(stmt.body)
            case (
                ir.InCoreScope()
                | ir.HierarchyScope()
                | ir.SplitAivScope()
                | ir.ClusterScope()
                | ir.RuntimeScope()
                | ir.CommDomainScope()
            ):
                self.attrs(stmt)
                self.body(stmt.body)

    def attrs(self, stmt: ir.Stmt) -> None:
        task = scope_attrs(stmt).get("task_id_var")
        for expr in attribute_exprs(scope_attrs(stmt)):
            if expr is not task:
                self.expr(expr)

    def branch(self, stmt: ir.If) -> None:
        self.expr(stmt.condition)
        before = dict(self.state.dead)
        self.body(stmt.then)
        after_then = self.state.dead
        self.state.dead = dict(before)
        if stmt.orelse is not None:
            self.body(stmt.orelse)
        self.state.dead = {**after_then, **self.state.dead}
        for var in stmt.return_vars:
            self.state.dead.pop(var, None)

    def loop(self, stmt: ir.For | ir.While) -> None:
        for arg in stmt.iter_args:
            self.expr(arg.init)
        if isinstance(stmt, ir.For):
            for bound in (stmt.start, stmt.stop, stmt.step):
                self.expr(bound)
        carried = {arg.var for arg in stmt.iter_args}
        scout = _Flow(self.program, _State(dict(self.state.dead)), self.context)
        scout.once(stmt)
        for var, call in scout.state.dead.items():
            if var not in carried:
                self.state.dead.setdefault(var, call)
        self.once(stmt)
        for var in (*carried, *stmt.return_vars):
            self.state.dead.pop(var, None)

    def once(self, stmt: ir.For | ir.While) -> None:
        if isinstance(stmt, ir.While):
            self.expr(stmt.condition)
        self.body(stmt.body)

    def expr(self, expr: ir.Expr) -> None:
        match expr:
            case ir.Read():
                self.read(expr.var, expr.span)
            case ir.Var():
                self.read(expr, expr.span)
            case ir.Call(op=ir.FunctionRef()):
                for arg in expr.args:
                    self.expr(arg)
                self.kill(expr)
            case _:
                for operand in operands(expr):
                    self.expr(operand)

    def read(self, var: ir.Var, span: Span | None) -> None:
        call = self.state.dead.get(var)
        if call is not None:
            place = span.key() if span is not None else ()
            self.state.wrong.setdefault((id(var), place), (var, call, span))

    def kill(self, call: ir.Call) -> None:
        assert isinstance(call.op, ir.FunctionRef)
        callee = self.program.functions.get(call.op.name)
        if callee is None or len(callee.params) < len(call.args):
            return
        for arg, direction in zip(call.args, callee.directions):
            if direction is not Direction.IN and isinstance(arg, ir.Read):
                self.state.dead.setdefault(arg.var, call)


__all__ = ["InOutUseDiscipline"]
