"""Tensor operators that reduce one axis: sums, extremes, products and the positions of extremes."""

from __future__ import annotations

from dataclasses import dataclass

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.dtypes import FP16, FP32, INT16, INT32, DType
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.types import TensorType
from pypto_lsp.ops.declare import needed
from pypto_lsp.ops.operands import describe_type, plain_tensor, require_dtype, require_min_rank
from pypto_lsp.ops.regions import provably_empty, show_all, valid_region
from pypto_lsp.ops.registry import OpCall, Operator, OpFault, OpResult
from pypto_lsp.ops.tensor_elementwise import fresh


@dataclass(frozen=True, slots=True)
class Reduction:
    """A reduction over ``axis`` (from the end), which keeps it with extent 1. ``result`` is the element type of positions."""

    ir_op: str
    axis: int
    dtypes: tuple[DType, ...] = ()
    result: DType | None = None

    def __call__(self, call: OpCall) -> OpResult:
        source = plain_tensor(call, "input")
        if source is None:
            return OpResult(TensorType(self.result, None), self.ir_op)
        require_min_rank("input", source, -self.axis)
        if self.dtypes:
            require_dtype("input", source.dtype, self.dtypes)
        valid = valid_region(source)
        if source.shape is None or valid is None:
            return OpResult(TensorType(self.result or source.dtype, None), self.ir_op)
        for axis, extent in enumerate(valid):
            if provably_empty(extent):
                reason = f"{describe_type(source)} holds data in {show_all(valid)} only, dimension {axis} is empty"
                raise OpFault(faults.VALID_REGION, "input", reason=reason)
        axis = len(source.shape) + self.axis
        shape = (*source.shape[:axis], 1, *source.shape[axis + 1 :])
        region = (*valid[:axis], 1, *valid[axis + 1 :])
        return OpResult(fresh(shape, self.result or source.dtype, region), self.ir_op)


#: name, what it computes, element types (empty: all)
_KINDS = (
    ("sum", "sum", (), ()),
    ("max", "maximum", (), ()),
    ("min", "minimum", (INT16, INT32, FP16, FP32), ()),
    ("prod", "product", (), ()),
)


def _operator(name: str, doc: str, rule: Reduction) -> Operator:
    return Operator(
        name, (f"pl.tensor.{name}",), (needed("input"),), rule, doc, "Tensor", Lane.VECTOR, reads=("input",)
    )


OPERATORS = (
    *(
        _operator(
            f"row_{op}",
            f"The {word} of each row: [.., M, N] gives [.., M, 1].",
            Reduction(f"tensor.row_{op}", -1, rows),
        )
        for op, word, rows, _ in _KINDS
    ),
    *(
        _operator(
            f"col_{op}",
            f"The {word} of each column: [.., M, N] gives [.., 1, N].",
            Reduction(f"tensor.col_{op}", -2, cols),
        )
        for op, word, _, cols in _KINDS
    ),
    *(
        _operator(
            f"{side}_{op}",
            f"The position of the {word} of each {line}, as INT32.",
            Reduction(f"tensor.{side}_{op}", axis, result=INT32),
        )
        for side, line, axis in (("row", "row", -1), ("col", "column", -2))
        for op, word in (("argmax", "maximum"), ("argmin", "minimum"))
    ),
)
