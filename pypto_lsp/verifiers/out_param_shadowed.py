"""An output parameter that is bound to a new tensor."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Direction
from pypto_lsp.ir.visit import walk
from pypto_lsp.verifiers.printed_examples import SHAPE, printed
from pypto_lsp.verifiers.rule import Rule, RuleContext

_MAKERS = frozenset({"tensor.create", "tensor.full"})
_CREATE = f"pl.Tensor[{SHAPE}] = pl.tensor.create([64, 128], dtype=pl.FP32, layout=pl.TensorLayout.ND)"


class OutParamNotShadowed(Rule):
    """
    ## What it does
    Finds an Out or InOut parameter that is assigned a new tensor. In a source, the check OutParamWriteDropped says so.

    ## Why is this bad
    What is written into the new tensor never reaches the caller.

    ## Fix
    Delete the assignment, or use another name.
    """

    rule_name = "OutParamNotShadowed"
    ir_property = "OutParamNotShadowed"
    codes = {501: "an output parameter is bound to a new tensor"}
    stage = "on demand"
    on_dsl = False
    VALID = (printed(f"t: {_CREATE}", "return o", func_type="Orchestration"),)
    INVALID = (printed(f"⟦o: {_CREATE}⟧", "return o", func_type="Orchestration"),)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        outputs = {v for v, d in zip(function.params, function.directions) if d is not Direction.IN}
        for stmt in walk(function.body or ()):
            if (
                isinstance(stmt, ir.Assign)
                and stmt.var in outputs
                and isinstance(stmt.value, ir.Call)
                and stmt.value.op in _MAKERS
            ):
                yield from self.finding(
                    501, stmt.span, f"'{stmt.var.name}' is the caller's tensor; a new one under its name never reaches the caller",
                    function=function, subject=stmt, variable=stmt.var.name,
                )  # fmt: skip
