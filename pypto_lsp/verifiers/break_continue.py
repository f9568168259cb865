"""Break and continue in loops that cannot have them."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import ForKind
from pypto_lsp.ir.visit import bodies
from pypto_lsp.verifiers.printed_examples import printed
from pypto_lsp.verifiers.rule import Rule, RuleContext

_CODES = {
    (ir.Break, ForKind.PARALLEL): 301,
    (ir.Break, ForKind.UNROLL): 302,
    (ir.Continue, ForKind.PARALLEL): 303,
    (ir.Continue, ForKind.UNROLL): 304,
}
_OUTSIDE = {ir.Break: 305, ir.Continue: 306}
_BREAKING = ("    c: pl.Scalar[pl.BOOL] = i > 2", "    if c:", "        {}")


class BreakContinueCheck(Rule):
    """
    ## What it does
    Finds `break` and `continue` outside of loops, and those whose innermost loop is `pl.parallel` or `pl.unroll`.

    ## Why is this bad
    Iterations of such a loop have no order, or are no iterations at all any more.

    ## Fix
    Write the loop as `pl.range`. In a source, the front end says so itself.
    """

    rule_name = "BreakContinueCheck"
    ir_property = "BreakContinueValid"
    codes = {
        301: "break in a parallel loop",
        302: "break in an unrolled loop",
        303: "continue in a parallel loop",
        304: "continue in an unrolled loop",
        305: "break outside of loops",
        306: "continue outside of loops",
    }
    on_dsl = False
    VALID = (printed("for i in pl.range(4):", *_BREAKING, "return o", func_type="Opaque").format("break"),)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        yield from self._body(function, function.body or (), None)

    def _body(self, function: ir.Function, body: ir.Body, loop: ForKind | None) -> Iterator[Diagnostic]:
        for stmt in body:
            if isinstance(stmt, (ir.Break, ir.Continue)):
                kind = type(stmt)
                code = _OUTSIDE[kind] if loop is None else _CODES.get((kind, loop))
                if code is not None:
                    yield from self.finding(code, stmt.span, self.codes[code], function=function, subject=stmt)
            inner = (
                stmt.kind if isinstance(stmt, ir.For) else ForKind.SEQUENTIAL if isinstance(stmt, ir.While) else loop
            )
            for nested in bodies(stmt):
                yield from self._body(function, nested, inner)
