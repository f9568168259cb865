"""A matmul result stored as an element type that the accumulator's path cannot write."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import SHAPED, TENSORS, TileType
from pypto_lsp.ir.visit import header_exprs, walk_expr
from pypto_lsp.passes.core_affinity import family
from pypto_lsp.passes.outline_incore_scopes import kernel_bodies
from pypto_lsp.verifiers.expanded_rule import ExpandedRule
from pypto_lsp.verifiers.rule import RuleContext

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(
        self,
        a: pl.Tensor[[64, 128], pl.INT8],
        b: pl.Tensor[[128, 256], pl.INT8],
        o: pl.Out[pl.Tensor[[64, 256], pl.INT8]],
    ) -> pl.Tensor[[64, 256], pl.INT8]:
        with pl.at(level=pl.Level.CORE_GROUP):
            c = pl.matmul(a, b, out_dtype=pl.INT32)
"""

_CUBE = ("matmul", "gemv", "batch_matmul")
_PASSING = frozenset({"slice", "reshape", "set_validshape", "view", "transpose"})


class AccToGmStoreValid(ExpandedRule):
    """
    ## What it does
    Follows results of matmul and its kin, through aliases, slices and loops, to the store that writes them to global memory,
    and compares the destination's element type with what the accumulator can be stored as: INT32, FP32, FP16, BF16.

    ## Why is this bad
    The path from the accumulator to memory converts to these types only; the compiler refuses the store late.

    ## Fix
    Cast the value before storing it: `pl.cast(value, target_type=...)`, or accumulate in INT32 or FP32 and convert later.
    """

    rule_name = "AccToGmStoreValid"
    ir_property = "AccToGmStoreValid"
    codes = {1: "the accumulator cannot be stored as this element type"}
    stage = "InferTileMemorySpace"
    VALID = (
        _FRAME
        + "            o = pl.assemble(o, pl.cast(pl.cast(c, target_type=pl.FP16), target_type=pl.INT8), [0, 0])\n        return o\n",
    )
    INVALID = (_FRAME + "            o = ⟦pl.assemble(o, c, [0, 0])⟧\n        return o\n",)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        # outside of kernels a product stays a tensor operation, and nothing is stored
        for body in (function.body or (),) if context.as_is else kernel_bodies(function):
            yield from self._in_kernel(body, function, context)

    def _in_kernel(self, body: ir.Body, function: ir.Function, context: RuleContext) -> Iterator[Diagnostic]:
        accumulators: set[ir.Var] = set()
        found = context.pipeline.collected(_values_and_stores, body)
        for _ in range(2):  # a second round carries values around loops
            for node in found:
                if isinstance(node, ir.Assign) and _is_acc(node.value, accumulators):
                    accumulators.add(node.var)
        for node in found:
            stored = _stored(node) if isinstance(node, ir.Call) else None
            if isinstance(node, ir.Call) and stored is not None and _is_acc(stored[0], accumulators):
                yield from self._report(node, *stored, function, context)

    def _report(
        self, call: ir.Call, value: ir.Expr, destination: ir.Expr, function: ir.Function, context: RuleContext
    ) -> Iterator[Diagnostic]:
        type_ = destination.type
        if not isinstance(type_, TENSORS) or type_.dtype is None or type_.dtype.name in context.backend.acc_to_gm:
            return
        allowed = ", ".join(context.backend.acc_to_gm)
        yield from self.finding(
            1, call.span,
            f"a matmul result is stored into a {type_.dtype.name} tensor; the accumulator can be stored as {allowed} only: "
            "cast it first",
            function=function, subject=(call, value), dtype=type_.dtype.name, allowed=list(context.backend.acc_to_gm),
        )  # fmt: skip


def _values_and_stores(stmt: ir.Stmt) -> tuple[ir.Assign | ir.Call, ...]:
    """What counts of a statement itself: it where it may assign an accumulator, and its stores."""
    found: list[ir.Assign | ir.Call] = [stmt] if isinstance(stmt, ir.Assign) and _may_be_acc(stmt.value) else []
    for expr in header_exprs(stmt):
        found += [n for n in walk_expr(expr, attrs=False) if isinstance(n, ir.Call) and _stored(n) is not None]
    return tuple(found)


def _may_be_acc(expr: ir.Expr) -> bool:
    """Whether a value is one for some accumulators."""
    if isinstance(expr.type, TileType):
        return expr.type.memory == "Acc"
    if isinstance(expr, ir.Call) and isinstance(expr.op, str):
        head, name = family(expr.op)
        return head == "tensor" and (name in _PASSING or name.startswith(_CUBE))
    return isinstance(expr, ir.Read)


def _stored(call: ir.Call) -> tuple[ir.Expr, ir.Expr] | None:
    """The value and the destination of a store into global memory."""
    if call.op == "tile.store" and len(call.args) >= 3:
        return call.args[0], call.args[2]
    if call.op == "tensor.assemble" and len(call.args) >= 2:
        return call.args[1], call.args[0]
    return None


def _is_acc(expr: ir.Expr, accumulators: set[ir.Var]) -> bool:
    """Whether a value certainly lies in the accumulator."""
    if isinstance(expr.type, TileType):
        return expr.type.memory == "Acc"
    if isinstance(expr, ir.Read):
        return expr.var in accumulators and isinstance(expr.type, SHAPED)
    if isinstance(expr, ir.Call) and isinstance(expr.op, str) and expr.op.startswith("tensor."):
        name = expr.op.removeprefix("tensor.")
        if name in _PASSING and expr.args:
            return _is_acc(expr.args[0], accumulators)
        return name.startswith(_CUBE)
    return False
