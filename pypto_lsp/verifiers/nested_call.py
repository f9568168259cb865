"""Calls inside other expressions, after the pass that gives each a statement of its own."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import header_exprs, walk
from pypto_lsp.verifiers.printed_examples import SHAPE, printed
from pypto_lsp.verifiers.rule import Rule, RuleContext

_IN_CALL, _IN_IF, _IN_RANGE, _IN_BINARY, _IN_UNARY, _IN_WHILE = range(201, 207)


class NoNestedCall(Rule):
    """
    ## What it does
    Finds a call that is an argument of another call, an operand, a condition or a loop bound.

    ## Why is this bad
    After FlattenCallExpr each call has a statement of its own; later passes do not look for calls elsewhere. In a source,
    nested calls are right.

    ## Fix
    Bind the inner call to a name first.
    """

    rule_name = "NoNestedCall"
    ir_property = "NoNestedCalls"
    codes = {
        _IN_CALL: "a call as argument of a call",
        _IN_IF: "a call as condition of an if",
        _IN_RANGE: "a call as loop bound",
        _IN_BINARY: "a call as operand",
        _IN_UNARY: "a call as operand of a unary operation or cast",
        _IN_WHILE: "a call as condition of a while",
    }
    stage = "FlattenCallExpr"
    on_dsl = False
    VALID = (
        printed(
            f"t: pl.Tensor[{SHAPE}] = pl.tensor.exp(x)",
            f"o1: pl.Tensor[{SHAPE}] = pl.tensor.assemble(o, t, [0, 0])",
            "return o1",
        ),
    )
    INVALID = (
        printed(
            f"o1: pl.Tensor[{SHAPE}] = pl.tensor.assemble(o, ⟦pl.tensor.exp(x)⟧, [0, 0])",
            "return o1",
        ),
    )

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        for stmt in walk(function.body or ()):
            for code, call in _headers(stmt):
                yield from self._say(code, call, function)
            for expr in header_exprs(stmt):
                for code, call in _nested(expr):
                    yield from self._say(code, call, function)

    def _say(self, code: int, call: ir.Expr, function: ir.Function) -> Iterator[Diagnostic]:
        yield from self.finding(
            code, call.span, f"{self.codes[code]}; it needs a statement of its own at this stage", function=function,
            subject=call,
        )  # fmt: skip


def _headers(stmt: ir.Stmt) -> Iterator[tuple[int, ir.Expr]]:
    """Calls that are a condition or a bound themselves."""
    match stmt:
        case ir.If(condition=ir.Call() as call):
            yield _IN_IF, call
        case ir.While(condition=ir.Call() as call):
            yield _IN_WHILE, call
        case ir.For():
            for bound in (stmt.start, stmt.stop, stmt.step):
                if isinstance(bound, ir.Call):
                    yield _IN_RANGE, bound


def _nested(expr: ir.Expr) -> Iterator[tuple[int, ir.Expr]]:
    """Calls inside an expression, with the code for what they are an operand of. Attributes are not looked at."""
    match expr:
        case ir.Call():
            code, parts = _IN_CALL, expr.args
        case ir.Submit():
            code, parts = _IN_CALL, (*expr.args, *expr.deps)
        case ir.Binary():
            code, parts = _IN_BINARY, (expr.left, expr.right)
        case ir.Unary():
            code, parts = _IN_UNARY, (expr.operand,)
        case ir.MakeTuple():
            code, parts = 0, expr.elements
        case ir.TupleGetItem():
            code, parts = 0, (expr.tuple,)
        case _:
            return
    for part in parts:
        if code and isinstance(part, ir.Call):
            yield code, part
        yield from _nested(part)
