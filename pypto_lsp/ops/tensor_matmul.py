"""Matrix products of tensors."""

from __future__ import annotations

from dataclasses import dataclass

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.arith import Dim, differ
from pypto_lsp.ir.dtypes import BOOL, FP32, INT32, DType, promote
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.types import ScalarType, TensorType
from pypto_lsp.ops.declare import flag_param, needed, optional
from pypto_lsp.ops.operands import (
    attribute,
    describe,
    describe_type,
    flag,
    is_unknown,
    plain_tensor,
    require_min_rank,
    require_same_dtype,
)
from pypto_lsp.ops.regions import Dims, broadcast
from pypto_lsp.ops.registry import MISSING, OpCall, Operator, OpFault, OpResult


@dataclass(frozen=True, slots=True)
class _Product:
    """The extents of a matrix product: batch, rows, columns and both contracted extents (None for a vector's missing one)."""

    rows: Dim | None
    cols: Dim | None
    left: Dim
    right: Dim


def _sides(shape: Dims, transposed: bool | None) -> tuple[Dim, Dim]:
    return (shape[-1], shape[-2]) if transposed else (shape[-2], shape[-1])


def _product(lhs: Dims, rhs: Dims, a_trans: bool | None, b_trans: bool | None) -> _Product:
    rows, left = (None, lhs[0]) if len(lhs) == 1 else _sides(lhs, a_trans)
    right, cols = (rhs[0], None) if len(rhs) == 1 else _sides(rhs, b_trans)
    return _Product(rows, cols, left, right)


def _check_contraction(product: _Product, lhs: TensorType, rhs: TensorType, flags: tuple[bool, bool]) -> None:
    """Fault inner extents that differ; where taking back a transposition cures it, that flag is at fault."""
    if differ(product.left, product.right):
        param = "rhs"
        for name, other in (("a_trans", (False, flags[1])), ("b_trans", (flags[0], False))):
            cured = _product(lhs.shape or (), rhs.shape or (), *other)
            if other != flags and not differ(cured.left, cured.right):
                param = name
        reason = f"the inner extents differ, {product.left} against {product.right}"
        raise OpFault(
            faults.SHAPE_MISMATCH, param, left=describe_type(lhs), right=describe_type(rhs), reason=reason,
            inner=(product.left, product.right),
        )  # fmt: skip


def _transposed(call: OpCall, name: str, operand: str, type_: TensorType | None) -> bool | None:
    value = flag(call, name)
    if value and type_ is not None and type_.shape is not None and len(type_.shape) < 2:
        raise OpFault(faults.CONFLICTING_ARGUMENTS, name, reason=f"{name} needs '{operand}' to have two dimensions")
    return value


def _out_dtype(call: OpCall) -> object:
    value = attribute(call, "out_dtype")
    if value is None or value is MISSING or isinstance(value, DType):
        return value
    raise OpFault(faults.WRONG_KIND, "out_dtype", expected="a data type such as pl.FP32", got=repr(value))


def _matmul(call: OpCall) -> OpResult:
    lhs, rhs = plain_tensor(call, "lhs"), plain_tensor(call, "rhs")
    for name, type_ in (("lhs", lhs), ("rhs", rhs)):
        require_min_rank(name, type_, 1)
    wanted = _out_dtype(call)
    a_trans, b_trans = _transposed(call, "a_trans", "lhs", lhs), _transposed(call, "b_trans", "rhs", rhs)
    flag(call, "c_matrix_nz")
    dtype = wanted if isinstance(wanted, DType) else None
    if lhs is None or rhs is None or lhs.shape is None or rhs.shape is None or wanted is MISSING:
        return OpResult(TensorType(dtype, None), "tensor.matmul")
    if dtype is None:
        dtype = promote(lhs.dtype, rhs.dtype)
    if max(len(lhs.shape), len(rhs.shape)) > 2:
        require_min_rank("lhs", lhs, 2)
        require_min_rank("rhs", rhs, 2)
    batch = _batch(lhs, rhs)
    if a_trans is None or b_trans is None:
        return OpResult(TensorType(dtype, None), "tensor.matmul")
    product = _product(lhs.shape, rhs.shape, a_trans, b_trans)
    _check_contraction(product, lhs, rhs, (a_trans, b_trans))
    matrix = tuple(d for d in (product.rows, product.cols) if d is not None)
    return OpResult(TensorType(dtype, (*batch, *matrix)), "tensor.matmul")


def _batch(lhs: TensorType, rhs: TensorType) -> Dims:
    """The leading extents of a product, broadcast against each other."""
    left = TensorType(lhs.dtype, (lhs.shape or ())[:-2])
    right = TensorType(rhs.dtype, (rhs.shape or ())[:-2])
    return broadcast(left, right, "rhs") or ()


def check_predicate(call: OpCall, name: str = "init_cond") -> None:
    """Fault a condition that is no BOOL scalar."""
    arg = call.get(name)
    if arg is None or arg.python is None or isinstance(arg.python, bool) or is_unknown(arg):
        return
    if arg.python is MISSING and isinstance(arg.type, ScalarType) and arg.type.dtype in (BOOL, None):
        return
    raise OpFault(faults.WRONG_KIND, name, expected="a BOOL scalar such as k == 0", got=describe(arg))


def _matmul_acc(call: OpCall) -> OpResult:
    acc, lhs, rhs = (plain_tensor(call, name) for name in ("acc", "lhs", "rhs"))
    for name, type_ in (("acc", acc), ("lhs", lhs), ("rhs", rhs)):
        require_min_rank(name, type_, 2)
    check_predicate(call)
    a_trans, b_trans = flag(call, "a_trans"), flag(call, "b_trans")
    dtype = _accumulator_dtype(acc, lhs, rhs)
    if acc is not None and lhs is not None and rhs is not None and a_trans is not None and b_trans is not None:
        _check_accumulator(acc, lhs, rhs, a_trans, b_trans)
    return OpResult(TensorType(dtype, acc.shape if acc else None), "tensor.matmul_acc")


def _accumulator_dtype(acc: TensorType | None, lhs: TensorType | None, rhs: TensorType | None) -> DType | None:
    if lhs is None or rhs is None:
        return acc.dtype if acc else None
    require_same_dtype("rhs", rhs.dtype, "lhs", lhs.dtype)
    if lhs.dtype is None or rhs.dtype is None:
        return acc.dtype if acc else None
    wanted = FP32 if lhs.dtype.is_float else INT32
    if acc is not None and acc.dtype is not None and acc.dtype is not wanted:
        raise OpFault(
            faults.WRONG_DTYPE, "acc", expected=f"{wanted.name} for {lhs.dtype.name} operands", got=acc.dtype.name
        )
    return wanted


def _check_accumulator(acc: TensorType, lhs: TensorType, rhs: TensorType, a_trans: bool, b_trans: bool) -> None:
    if acc.shape is None or lhs.shape is None or rhs.shape is None:
        return
    product = _product(lhs.shape, rhs.shape, a_trans, b_trans)
    _check_contraction(product, lhs, rhs, (a_trans, b_trans))
    batch = _batch(lhs, rhs)
    result = (*batch, product.rows, product.cols)
    if len(result) != len(acc.shape):
        raise OpFault(faults.WRONG_RANK, "acc", expected=f"rank {len(result)}", got=f"rank {len(acc.shape)}")
    for axis, (have, want) in enumerate(zip(acc.shape, result)):
        if want is not None and differ(have, want):
            right = describe_type(TensorType(acc.dtype, tuple(d for d in result if d is not None)))
            raise OpFault(
                faults.SHAPE_MISMATCH,
                "acc",
                left=describe_type(acc),
                right=right,
                reason=f"dimension {axis}",
                dimension=axis,
            )


_TRANSPOSES = (flag_param("a_trans"), flag_param("b_trans"))

OPERATORS = (
    Operator(
        "matmul", ("pl.tensor.matmul",),
        (
            needed("lhs"), needed("rhs"), optional("out_dtype", "DataType | None", attribute=True), *_TRANSPOSES,
            flag_param("c_matrix_nz"),
        ),
        _matmul, "Matrix product of two tensors; leading dimensions are a batch and broadcast.", "Tensor",
        Lane.CUBE, reads=("lhs", "rhs"),
    ),
    Operator(
        "matmul_acc", ("pl.tensor.matmul_acc",),
        (needed("acc"), needed("lhs"), needed("rhs"), *_TRANSPOSES, optional("init_cond", "bool | Scalar | None")),
        _matmul_acc, "Add the matrix product of two tensors to an accumulator, or overwrite it where init_cond holds.",
        "Tensor", Lane.CUBE, reads=("acc", "lhs", "rhs"), writes=("acc",),
    ),
)  # fmt: skip
