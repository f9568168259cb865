"""Stores that the compiler takes and that do not do what they say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import TASK_ID
from pypto_lsp.ir.types import SHAPED, TENSORS, ScalarType
from pypto_lsp.ir.visit import own_exprs
from pypto_lsp.verifiers.rule import Rule, RuleContext

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: pl.Tensor[[64, 256], pl.FP32], o: pl.Out[pl.Tensor[[64, 256], pl.FP32]]) -> pl.Tensor[[64, 256], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
"""

DTYPE, OFFSETS, FLOAT_OFFSET, NO_VALUE, COMPARISON, LOGICAL, PRODUCT = 3041, 3042, 3043, 3044, 3045, 3046, 3047
#: operator -> (the destination or source that is indexed, its list of offsets)
_INDEXED = {
    "tensor.assemble": ("target", "offset"), "tile.store": ("output_tensor", "offsets"), "tile.load": ("tensor", "offsets"),
    "tensor.slice": ("input", "offset"),
}  # fmt: skip
_LOOKED_AT = frozenset({*_INDEXED, "tensor.matmul"})
_COMPARISONS = 6


class OperandsTakenSilently(Rule):
    """
    ## What it does
    Finds operands that the compiler takes without a word although they make no sense: a value of another element type
    assembled into a tensor, a list of offsets shorter than the rank, a float as an offset, `None` as a value, a comparison
    mode outside of its list, `and`, `or` and `not` of tensors, a matrix product of two element types.

    ## Why is this bad
    The bytes of one type are stored as another, the window lies elsewhere, or the kernel fails late and without a place.

    ## Fix
    Cast the value, give an offset for each dimension, compare with an operator.
    """

    rule_name = "OperandsTakenSilently"
    codes = {
        DTYPE: "a value of another element type is assembled",
        OFFSETS: "fewer offsets than dimensions",
        FLOAT_OFFSET: "a float as an offset",
        NO_VALUE: "None as a value",
        COMPARISON: "a comparison mode outside of its list",
        LOGICAL: "a logical operator on tensors",
        PRODUCT: "a matrix product of two element types",
    }
    severity = Severity.WARNING
    VALID = (_FRAME + "            o = pl.assemble(o, pl.exp(x), [0, 0])\n        return o\n",)
    INVALID = (
        _FRAME + "            o = pl.assemble(o, pl.exp(x), ⟦[0]⟧)\n        return o\n",
        _FRAME
        + "            w = pl.cast(x, target_type=pl.BF16)\n            p = pl.matmul(⟦x, w⟧, b_trans=True)\n"
        + "            o = pl.assemble(o, p, [0, 0])\n        return o\n",
    )

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        products: set[ir.Var] | None = None
        for node in context.pipeline.collected(_looked_at, function.body or ()):
            if not isinstance(node, ir.Call):
                yield from self._logical(node, function)
                continue
            if products is None:
                products = set(context.pipeline.collected(_matrix_products, function.body or ()))
            yield from self._call(node, products, function)

    def _call(self, call: ir.Call, products: set[ir.Var], function: ir.Function) -> Iterator[Diagnostic]:
        assert isinstance(call.op, str)
        if call.op == "tensor.assemble":
            yield from self._assembled(call, products, function)
        if call.op == "tensor.matmul":
            yield from self._product(call, function)
        if call.op in _INDEXED:
            yield from self._offsets(call, *_INDEXED[call.op], function)
        if call.op.endswith(".cmp"):
            mode = call.kwargs.get("cmp_type")
            if isinstance(mode, int) and not 0 <= mode < _COMPARISONS:
                yield from self.finding(
                    COMPARISON,
                    call.span,
                    f"there is no comparison {mode}; the modes are 0 to 5",
                    function=function,
                    subject=call,
                )
        if call.op.startswith(("tensor.", "tile.")):
            for arg in call.args:
                if _is_none(arg):
                    yield from self.finding(
                        NO_VALUE, arg.span, "None is no value to compute with", function=function, subject=call
                    )

    def _assembled(self, call: ir.Call, products: set[ir.Var], function: ir.Function) -> Iterator[Diagnostic]:
        target, source = call.get("target"), call.get("source")
        if target is None or source is None or call.path.endswith("]"):
            return
        left, right = target.type, source.type
        if not isinstance(left, TENSORS) or not isinstance(right, SHAPED) or left.dtype is None or right.dtype is None:
            return
        if left.dtype is not right.dtype and isinstance(source, ir.Read) and source.var not in products:
            yield from self.finding(
                DTYPE, source.span, f"{right.dtype.name} is assembled into a {left.dtype.name} tensor; cast it first",
                function=function, subject=call,
            )  # fmt: skip

    def _product(self, call: ir.Call, function: ir.Function) -> Iterator[Diagnostic]:
        """The cube core multiplies one element type; the compiler says so only when it converts the product."""
        left, right = call.get("lhs"), call.get("rhs")
        if left is None or right is None or not isinstance(left.type, TENSORS) or not isinstance(right.type, TENSORS):
            return
        a, b = left.type.dtype, right.type.dtype
        if a is not None and b is not None and a is not b:
            place = left.span.to(right.span) if left.span is not None and right.span is not None else call.span
            yield from self.finding(
                PRODUCT,
                place,
                f"a matrix product of {a.name} and {b.name}: cast one of them",
                function=function,
                subject=call,
            )

    def _offsets(self, call: ir.Call, base: str, name: str, function: ir.Function) -> Iterator[Diagnostic]:
        indexed, offsets = call.get(base), call.get(name)
        if indexed is None or not isinstance(offsets, ir.MakeTuple) or not isinstance(indexed.type, SHAPED):
            return
        if indexed.type.shape is not None and len(offsets.elements) < len(indexed.type.shape):
            yield from self.finding(
                OFFSETS, offsets.span, f"{len(offsets.elements)} offset(s) for {len(indexed.type.shape)} dimensions",
                function=function, subject=call, rank=len(indexed.type.shape),
            )  # fmt: skip
        for element in offsets.elements:
            if isinstance(element.type, ScalarType) and element.type.dtype is not None and element.type.dtype.is_float:
                yield from self.finding(
                    FLOAT_OFFSET, element.span, f"an offset must be an integer, this is {element.type.dtype.name}",
                    function=function, subject=call,
                )  # fmt: skip

    def _logical(self, node: ir.Binary | ir.Unary, function: ir.Function) -> Iterator[Diagnostic]:
        operands = (node.left, node.right) if isinstance(node, ir.Binary) else (node.operand,)
        if any(isinstance(operand.type, SHAPED) for operand in operands):
            yield from self.finding(
                LOGICAL, node.span, f"'{node.op}' takes conditions, not tensors", function=function, subject=node
            )


def _looked_at(stmt: ir.Stmt) -> tuple[ir.Call | ir.Binary | ir.Unary, ...]:
    """The expressions of a statement that may be taken silently."""
    return tuple(node for node in own_exprs(stmt) if _may_be_taken(node))


def _may_be_taken(node: ir.Expr) -> TypeGuard[ir.Call | ir.Binary | ir.Unary]:
    if isinstance(node, ir.Call) and isinstance(node.op, str):
        return node.op in _LOOKED_AT or node.op.endswith(".cmp") or any(map(_is_none, node.args))
    return isinstance(node, (ir.Binary, ir.Unary)) and node.op in ("and", "or", "not")


def _is_none(arg: ir.Expr) -> bool:
    """Whether an operand is the literal None, which the language reads as an invalid task."""
    task = isinstance(arg.type, ScalarType) and arg.type.dtype is TASK_ID
    return task and arg.span is not None and arg.span.text == "None"


def _matrix_products(stmt: ir.Stmt) -> tuple[ir.Var, ...]:
    """The variable that holds a matrix product: it lies in the accumulator and is converted when it is stored."""
    value = stmt.value if isinstance(stmt, ir.Assign) else None
    name = value.op.rpartition(".")[2] if isinstance(value, ir.Call) and isinstance(value.op, str) else ""
    if isinstance(stmt, ir.Assign) and name.startswith(("matmul", "batch_matmul", "gemv")):
        return (stmt.var,)
    return ()
