"""A core-group scope inside another one."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import walk_scoped
from pypto_lsp.verifiers.rule import Rule, RuleContext, related

_FRAME = """import pypto.language as pl


@pl.jit
def scale(x: pl.Tensor[[64, 256], pl.FP32], out: pl.Out[pl.Tensor[[64, 256], pl.FP32]]):
"""


class NoNestedInCore(Rule):
    """
    ## What it does
    Finds a `pl.at(level=pl.Level.CORE_GROUP)` region inside another one, or inside the body of `for i in pl.spmd(n)`, which
    is a region itself.

    ## Why is this bad
    A region becomes a kernel of its own, and a kernel cannot start another kernel. The compiler takes the program through
    all its passes and fails when it generates code.

    ## Fix
    Remove the inner `with` and dedent its body. Not nested: `with pl.spmd(n):` whose whole body is one `pl.at`.
    """

    rule_name = "NoNestedInCore"
    ir_property = "NoNestedInCore"
    codes = {501: "a core-group region inside another"}
    stage = "on demand"
    VALID = (_FRAME + "    with pl.at(level=pl.Level.CORE_GROUP):\n        out[:] = pl.exp(x)\n    return out\n",)
    INVALID = (
        _FRAME
        + "    with pl.at(level=pl.Level.CORE_GROUP):\n        ⟦with pl.at(level=pl.Level.CORE_GROUP):⟧\n"
        + "            out[:] = pl.exp(x)\n    return out\n",
    )

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        for stmt, outer in walk_scoped(function.body or ()):
            if not isinstance(stmt, ir.InCoreScope) or stmt.implicit:
                continue
            around = next((s for s in reversed(outer) if isinstance(s, ir.InCoreScope)), None)
            if around is not None:
                yield from self.finding(
                    501,
                    stmt.span,
                    "a core-group region lies inside another; a kernel cannot start a kernel, and code generation fails",
                    function=function,
                    related=related(around.span, "the region around it starts here"),
                    subject=stmt,
                )
