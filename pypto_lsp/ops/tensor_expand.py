"""Tensor operators that spread a row or column vector, or a scalar, over a tensor."""

from __future__ import annotations

from dataclasses import dataclass

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.arith import const_value, differ, is_exact, may_equal, prove_equal
from pypto_lsp.ir.dtypes import FP16, FP32, INT8, INT16, INT32, DType, promote
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.types import TensorType
from pypto_lsp.ops.declare import SCALAR, needed
from pypto_lsp.ops.literals import scalar_operand
from pypto_lsp.ops.operands import (
    describe_type,
    plain_tensor,
    require_dtype,
    require_min_rank,
    require_rank,
    require_same_dtype,
)
from pypto_lsp.ops.registry import OpCall, Operator, OpFault, OpResult

ADDABLE = (INT8, INT16, INT32, FP16, FP32)


@dataclass(frozen=True, slots=True)
class Expand:
    """A vector against a tensor. ``along`` is the axis (from the end) on which they must agree, ``unit`` the vector's axis of
    extent 1."""

    ir_op: str
    main: str
    vector: str
    along: int
    unit: int
    dtypes: tuple[DType, ...] = ()

    def __call__(self, call: OpCall) -> OpResult:
        source, vector = plain_tensor(call, self.main), plain_tensor(call, self.vector)
        for name, type_ in ((self.main, source), (self.vector, vector)):
            require_min_rank(name, type_, 2)
        self._check_vector(source, vector)
        if source is None or vector is None:
            return OpResult(TensorType(None, source.shape if source else None), self.ir_op)
        if self.dtypes:
            require_dtype(self.main, source.dtype, self.dtypes)
            require_dtype(self.vector, vector.dtype, self.dtypes)
            require_same_dtype(self.vector, vector.dtype, self.main, source.dtype)
        return OpResult(TensorType(promote(source.dtype, vector.dtype), source.shape), self.ir_op)

    def _check_vector(self, source: TensorType | None, vector: TensorType | None) -> None:
        if vector is None or vector.shape is None:
            return
        unit = vector.shape[self.unit]
        if const_value(unit) != 1 and is_exact(unit):
            axis = len(vector.shape) + self.unit
            expected, got = f"of extent 1 in dimension {axis}", describe_type(vector)
            raise OpFault(faults.WRONG_VALUE, self.vector, reason=f"must be {expected}", got=got)
        if source is None or source.shape is None:
            return
        if differ(source.shape[self.along], vector.shape[self.along]):
            left, right = describe_type(source), describe_type(vector)
            axis = len(source.shape) + self.along
            raise OpFault(
                faults.SHAPE_MISMATCH, self.vector, left=left, right=right, reason=f"dimension {axis}", dimension=axis
            )


def _expands(call: OpCall) -> OpResult:
    target = plain_tensor(call, "target")
    scalar_operand(call, "scalar", target.dtype if target else None)
    return OpResult(TensorType(target.dtype, target.shape) if target else TensorType(None, None), "tensor.expands")


def _expand_clone(call: OpCall) -> OpResult:
    source, target = plain_tensor(call, "src"), plain_tensor(call, "target")
    require_rank("src", source, 3)
    require_rank("target", target, 3)
    if source is None or target is None:
        return OpResult(TensorType(None, target.shape if target else None), "tensor.expand_clone")
    grown = [
        axis for axis, (a, b) in enumerate(zip(source.shape or (), target.shape or ())) if prove_equal(a, b) is not True
    ]
    for axis in grown:
        own = (source.shape or ())[axis]
        if const_value(own) != 1 and not may_equal(own, (target.shape or ())[axis]):
            left, right = describe_type(source), describe_type(target)
            reason = f"dimension {axis} can only grow from extent 1"
            raise OpFault(faults.SHAPE_MISMATCH, "src", left=left, right=right, reason=reason, dimension=axis)
    if len([axis for axis in grown if const_value((source.shape or ())[axis]) == 1]) > 1:
        left, right = describe_type(source), describe_type(target)
        raise OpFault(faults.SHAPE_MISMATCH, "src", left=left, right=right, reason="only one dimension can grow")
    return OpResult(TensorType(promote(source.dtype, target.dtype), target.shape), "tensor.expand_clone")


_OPS = (
    ("", "", ()), ("_mul", " and multiply", ()), ("_div", " and divide", ()), ("_add", " and add", ADDABLE),
    ("_sub", " and subtract", ()), ("_max", " and take the larger", ()), ("_min", " and take the smaller", ()),
    ("_expdif", " and take exp of the difference", ()),
)  # fmt: skip


def _row(suffix: str, doc: str, dtypes: tuple[DType, ...]) -> Operator:
    main = "target" if not suffix else "tensor"
    rule = Expand(f"tensor.row_expand{suffix}", main, "row_vec", -2, -1, dtypes)
    text = f"Spread a [M, 1] vector over the columns of a [M, N] tensor{doc}."
    name = f"row_expand{suffix}"
    params = (needed(main), needed("row_vec"))
    return Operator(name, (f"pl.tensor.{name}",), params, rule, text, "Tensor", Lane.VECTOR, reads=(main, "row_vec"))


def _col(suffix: str, doc: str) -> Operator:
    rule = Expand(f"tensor.col_expand{suffix}", "tensor", "col_vec", -1, -2)
    text = f"Spread a [1, N] vector over the rows of a [M, N] tensor{doc}."
    name = f"col_expand{suffix}"
    params = (needed("tensor"), needed("col_vec"))
    return Operator(
        name, (f"pl.tensor.{name}",), params, rule, text, "Tensor", Lane.VECTOR, reads=("tensor", "col_vec")
    )


OPERATORS = (
    *(_row(*row) for row in _OPS),
    *(_col(suffix, doc) for suffix, doc, _ in _OPS),
    Operator(
        "expands", ("pl.tensor.expands",), (needed("target"), needed("scalar", SCALAR)), _expands,
        "Fill a tensor of the target's shape and element type with a scalar.", "Tensor", Lane.VECTOR, reads=("target",),
    ),
    Operator(
        "expand_clone", ("pl.tensor.expand_clone", "pl.expand_clone"), (needed("src"), needed("target")), _expand_clone,
        "Copy a rank-3 tensor to the target's shape; one dimension may grow from extent 1.", "Tensor", Lane.VECTOR,
        reads=("src", "target"),
    ),
)  # fmt: skip
