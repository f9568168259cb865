"""Atomic addition into a BF16 tensor on a chip that cannot do it."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import BF16
from pypto_lsp.ir.enums import EnumMember
from pypto_lsp.ir.types import TENSORS
from pypto_lsp.ir.visit import calls
from pypto_lsp.verifiers.rule import Rule, RuleContext

#: operator -> index of the operand that is added into
_DESTINATION = {
    "tile.store": 2, "tensor.assemble": 0, "pld.tensor.put": 0, "pld.tile.put": 0, "pld.tensor.remote_store": 1,
    "pld.tile.remote_store": 1,
}  # fmt: skip

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(
        self, x: pl.Tensor[[64, 256], pl.{dtype}], o: pl.Out[pl.Tensor[[64, 256], pl.{dtype}]]
    ) -> pl.Tensor[[64, 256], pl.{dtype}]:
        t = pl.load(x, [0, 0], [64, 256])
        o = {store}
        return o
"""


class AtomicAddDtypeValid(Rule):
    """
    ## What it does
    Finds a store, assemble, put or remote store with `atomic=pl.AtomicType.Add` into a BF16 tensor when the target is
    Ascend950.

    ## Why is this bad
    That chip has no atomic addition for BF16.

    ## Fix
    Accumulate in FP32 and cast afterwards.
    """

    rule_name = "AtomicAddDtypeValid"
    ir_property = "AtomicAddDtypeValid"
    codes = {1: "no atomic addition for this element type"}
    VALID = (_FRAME.format(dtype="FP32", store="pl.store(t, [0, 0], o, atomic=pl.AtomicType.Add)"),)
    INVALID = (_FRAME.format(dtype="BF16", store="⟦pl.store(t, [0, 0], o, atomic=pl.AtomicType.Add)⟧"),)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if context.backend.bf16_atomic_add:
            return
        for call, _, _ in calls(function.body or ()):
            if not isinstance(call, ir.Call) or not isinstance(call.op, str):
                continue
            index = _DESTINATION.get(call.op)
            atomic = call.kwargs.get("atomic")
            adds = (isinstance(atomic, EnumMember) and atomic.name == "Add") or atomic is True or atomic == 1
            if index is None or not adds or index >= len(call.args):
                continue
            type_ = call.args[index].type
            if isinstance(type_, TENSORS) and type_.dtype is BF16:
                yield from self.finding(
                    1, call.span,
                    f"{context.backend.title} cannot add atomically into BF16; accumulate in FP32 and cast afterwards",
                    function=function, subject=call, op=call.op, target=context.backend.name,
                )  # fmt: skip
