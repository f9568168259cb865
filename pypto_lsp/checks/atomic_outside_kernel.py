"""An atomic addition that no kernel does."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import const_value
from pypto_lsp.ir.enums import EnumMember
from pypto_lsp.ir.visit import bodies
from pypto_lsp.verifiers.rule import Rule, RuleContext

_FRAME = """import pypto.language as pl


@pl.jit
def kernel(x: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        p = pl.mul(x, 0.25)
{add}
    return o
"""


class AtomicOutsideKernel(Rule):
    """
    ## What it does
    Finds `pl.assemble(..., atomic=pl.AtomicType.Add)` in an orchestration function, outside of the regions that become kernels.

    ## Why is this bad
    The orchestrator moves no data: nothing would be added. The compiler refuses it when it makes the code of that function.

    ## Fix
    Put it into the region that computes what is added.
    """

    rule_name = "AtomicOutsideKernel"
    codes = {3059: "an atomic addition outside of kernels"}
    stage = "code generation"
    VALID = (_FRAME.format(add="        o = pl.assemble(o, p, [0, 0], atomic=pl.AtomicType.Add)"),)
    INVALID = (_FRAME.format(add="    o = ⟦pl.assemble(o, p, [0, 0], atomic=pl.AtomicType.Add)⟧"),)

    def verify(self, program: ir.Program, context: RuleContext) -> list[Diagnostic]:
        found: list[Diagnostic] = []
        for function in context.pipeline.expanded(program).functions.values():
            if function.func_type == "Orchestration":
                for call in _outside(function.body or ()):
                    found += self.finding(
                        3059,
                        call.span,
                        f"'{function.name}' is run by the orchestrator here, which cannot add atomically",
                        function=function,
                        subject=call,
                    )
        return found


def _outside(body: ir.Body) -> Iterator[ir.Call]:
    """The atomic additions of a body that are in no region, and that surely are still there when code is made: branches and loops may
    come to nothing before."""
    for stmt in body:
        value = stmt.value if isinstance(stmt, ir.Assign) else stmt.expr if isinstance(stmt, ir.Eval) else None
        if isinstance(value, ir.Call) and value.op == "tensor.assemble":
            mode = value.kwargs.get("atomic")
            if mode == 1 or (isinstance(mode, EnumMember) and mode.name == "Add"):
                yield value
        if isinstance(stmt, ir.RuntimeScope) or (isinstance(stmt, ir.For) and _runs(stmt)):
            for nested in bodies(stmt):
                yield from _outside(nested)


def _runs(loop: ir.For) -> bool:
    start, stop, step = map(const_value, (loop.start, loop.stop, loop.step))
    return start is not None and stop is not None and bool(step) and len(range(start, stop, step or 1)) > 0
