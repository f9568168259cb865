"""A compute operator outside every core-group region."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import calls, walk
from pypto_lsp.verifiers.rule import Rule, RuleContext

#: tensor operators that orchestration code can carry out itself (reference: transform utilities, bookkeeping operators)
BOOKKEEPING = frozenset(
    f"tensor.{name}"
    for name in ("create", "read", "write", "slice", "assemble", "dim", "reshape", "reinterpret_view", "transpose", "view")
)  # fmt: skip

_FRAME = """import pypto.language as pl


@pl.jit
def scale(x: pl.Tensor[[64, 256], pl.FP32], out: pl.Out[pl.Tensor[[64, 256], pl.FP32]]):
"""


def is_compute(op: object) -> bool:
    """Whether an operator computes on tensors, so that it needs a core."""
    return isinstance(op, str) and op.startswith("tensor.") and op not in BOOKKEEPING and op not in _MARKERS


_MARKERS = frozenset({"tensor.dump_tag", "tensor.no_dep", "tensor.alloc"})


class SplitIncoreOrch(Rule):
    """
    ## What it does
    Finds tensor computation in orchestration code: in a function of type Orchestration or Graph, in a jit entry, or in a
    plain `@pl.function` that has `pl.at` regions, outside of all of them.

    ## Why is this bad
    Orchestration runs on the host side processor, which only prepares and launches work. The compiler takes the program
    through all its passes and fails when it generates code.

    ## Fix
    Put the statement into `with pl.at(level=pl.Level.CORE_GROUP):`, or move it into the region beside it.
    """

    rule_name = "SplitIncoreOrch"
    ir_property = "SplitIncoreOrch"
    codes = {0: "computation outside every core-group region"}
    stage = "on demand"
    VALID = (_FRAME + "    with pl.at(level=pl.Level.CORE_GROUP):\n        out[:] = pl.exp(x)\n    return out\n",)
    INVALID = (_FRAME + "    y = ⟦pl.exp(x)⟧\n    out[:] = y\n    return out\n",)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if context.as_is:
            yield from self._as_it_stands(function)
            return
        if not function.complete or not self._orchestrates(function):
            return
        for call, stmt, outer in calls(function.body or ()):
            if not isinstance(call, ir.Call) or not is_compute(call.op):
                continue
            if any(isinstance(s, (ir.InCoreScope, ir.SplitAivScope)) for s in outer):
                continue
            if any(isinstance(s, ir.HierarchyScope) for s in outer):
                continue
            yield from self.finding(
                0,
                call.span,
                f"'{call.path or call.op}' computes, but lies outside every core-group region; orchestration code cannot "
                "carry it out",
                function=function,
                subject=stmt,
                op=call.op,
            )

    def _as_it_stands(self, function: ir.Function) -> Iterator[Diagnostic]:
        """After OutlineIncoreScopes no region is left outside of kernels; computation in orchestration deserves a warning."""
        for stmt in walk(function.body or ()):
            if isinstance(stmt, ir.InCoreScope) and function.func_type != "InCore":
                yield from self.finding(
                    0, stmt.span, "this core-group region should be a kernel of its own at this stage", function=function,
                    subject=stmt,
                )  # fmt: skip
        if function.func_type not in ("Orchestration", "Graph"):
            return
        for call, stmt, _ in calls(function.body or ()):
            if is_compute(call.op):
                yield from self.finding(
                    0, call.span, f"'{call.op}' computes, which orchestration code cannot", function=function, subject=stmt,
                    severity=Severity.WARNING, op=call.op,
                )  # fmt: skip

    @staticmethod
    def _orchestrates(function: ir.Function) -> bool:
        if function.func_type in ("Orchestration", "Graph"):
            return True
        return function.func_type == "Opaque" and any(
            isinstance(stmt, (ir.InCoreScope, ir.SpmdScope)) for stmt in walk(function.body or ())
        )
