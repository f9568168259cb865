"""Small arrays of scalars that a kernel or orchestrator keeps: ``pl.array``."""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir import arith
from pypto_lsp.ir.arith import Dim, const_value, is_exact
from pypto_lsp.ir.dtypes import BOOL, INDEX, TASK_ID, DType
from pypto_lsp.ir.nodes import ErrorExpr, OpaqueInt
from pypto_lsp.ir.types import ArrayType, ScalarType
from pypto_lsp.ops import operands
from pypto_lsp.ops.declare import needed
from pypto_lsp.ops.operands import describe, describe_type
from pypto_lsp.ops.registry import MISSING, OpCall, Operator, OpFault, OpResult


def create(call: OpCall) -> OpResult:
    extent, dtype = _extent(call), operands.dtype_argument(call, "dtype")
    if dtype is not None and not dtype.is_int and dtype not in (BOOL, TASK_ID):
        raise OpFault(faults.WRONG_DTYPE, "dtype", expected="an integer type, BOOL or TASK_ID", got=dtype.name)
    return OpResult(ArrayType(dtype, extent), "array.create")


def _extent(call: OpCall) -> Dim | None:
    arg = call.args["extent"]
    if isinstance(arg.expr, ErrorExpr) or (arg.python is MISSING and operands.is_open(arg.type)):
        return None
    number = isinstance(arg.python, int | float)
    if arg.python is not MISSING and not number:
        raise OpFault(faults.WRONG_KIND, "extent", expected="an integer", got=describe(arg))
    dim = int(arg.python) if number else arith.dim_of(arg.expr)
    value = const_value(dim)
    if value is None and is_exact(dim):
        raise OpFault(faults.NOT_CONSTANT, "extent", got=describe_type(arg.type))
    if value is not None and value <= 0:
        raise OpFault(faults.WRONG_VALUE, "extent", reason="must be positive", got=value)
    return dim


def get_element(call: OpCall) -> OpResult:
    array = _array(call)
    _check_index(call)
    return OpResult(ScalarType(array.dtype if array else None), "array.get_element")


def update_element(call: OpCall) -> OpResult:
    array = _array(call)
    _check_index(call)
    value = _value_dtype(call, array.dtype if array else None)
    if array is None:
        return OpResult(ArrayType(None, None), "array.update_element")
    if value is not None and array.dtype is not None and not _fits(value, array.dtype):
        raise OpFault(faults.DTYPE_MISMATCH, "value", other="array", got=value.name, wanted=array.dtype.name)
    return OpResult(array, "array.update_element")


def _array(call: OpCall) -> ArrayType | None:
    arg = call.args["array"]
    if isinstance(arg.expr, ErrorExpr) or (arg.python is MISSING and operands.is_open(arg.type)):
        return None
    if isinstance(arg.type, ArrayType):
        return arg.type
    raise OpFault(faults.WRONG_KIND, "array", expected="an Array", got=describe(arg))


def _check_index(call: OpCall) -> None:
    """Any integer; bounds are not looked at."""
    arg = call.args["index"]
    if isinstance(arg.python, int) and not isinstance(arg.python, bool):
        return
    scalar = operands.scalar(call, "index")
    if scalar is not None and scalar.dtype is not None and not scalar.dtype.is_int:
        raise OpFault(faults.WRONG_DTYPE, "index", expected="an integer type", got=scalar.dtype.name)


def _value_dtype(call: OpCall, element: DType | None) -> DType | None:
    """A Python integer takes the array's element type."""
    arg = call.args["value"]
    if isinstance(arg.python, int):
        return element
    if isinstance(arg.expr, OpaqueInt):
        return None
    scalar = operands.scalar(call, "value")
    return scalar.dtype if scalar is not None else None


def _fits(value: DType, element: DType) -> bool:
    if value is element:
        return True
    return (value is INDEX and element.is_int) or (element is INDEX and value.is_int)


_ARRAY, _INDEX = needed("array", "Array"), needed("index", "int | Scalar")

OPERATORS = (
    Operator(
        "array.create", ("pl.array.create",), (needed("extent", "int"), needed("dtype", "DataType", attribute=True)),
        create, "Create an array of scalars of constant length.", "Array", usage=73,
    ),
    Operator(
        "array.get_element", ("pl.array.get_element",), (_ARRAY, _INDEX), get_element, "Read one element of an array.",
        "Scalar", reads=("array",),
    ),
    Operator(
        "array.update_element", ("pl.array.update_element",), (_ARRAY, _INDEX, needed("value", "int | Scalar")),
        update_element, "Give the array with one element replaced.", "Array", reads=("array",), writes=("array",),
    ),
)  # fmt: skip
