"""Tensor operators that see the same data in another shape: reshape, transpose, view, concat, set_validshape."""

from __future__ import annotations

from dataclasses import replace

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir import arith
from pypto_lsp.ir.arith import Dim, const_value, differ, is_exact, same_dims, same_structure
from pypto_lsp.ir.enums import ENUMS, Lane
from pypto_lsp.ir.nodes import OpaqueInt
from pypto_lsp.ir.tile_views import tensor_view
from pypto_lsp.ir.types import ScalarType, TensorType, TensorView
from pypto_lsp.ops import slices
from pypto_lsp.ops.declare import EXTENTS, needed, optional
from pypto_lsp.ops.operands import (
    AnyTensor,
    constant_integer,
    describe,
    describe_type,
    dtype_argument,
    is_unknown,
    member,
    plain_tensor,
    require_integers,
    require_length,
    require_min_rank,
    require_rank,
    require_same_dtype,
    tensor,
)
from pypto_lsp.ops.regions import Dims, all_exact, element_count, reshaped_region, show, show_all, valid_region
from pypto_lsp.ops.registry import MISSING, OpCall, Operator, OpFault, OpResult
from pypto_lsp.ops.reinterpretation import reinterpret
from pypto_lsp.ops.slices import MX_LAYOUTS
from pypto_lsp.ops.tensor_memory import checked_shape, given_extents

# --- strides -------------------------------------------------------------------------------------------------------


def _times(left: Dim, right: Dim) -> Dim:
    """A product of extents, folded only where a factor is 1 or both are constants."""
    a, b = const_value(left), const_value(right)
    if a is not None and b is not None:
        return a * b
    if b == 1:
        return left
    return right if a == 1 else arith.make("*", left, right)


def row_major_strides(shape: Dims) -> Dims:
    """The strides of a packed tensor whose last dimension is innermost."""
    strides: list[Dim] = [1] if shape else []
    for extent in reversed(shape[1:]):
        strides.insert(0, _times(strides[0], extent))
    return tuple(strides)


def packed_strides(shape: Dims, layout: str) -> Dims:
    """The strides of a packed tensor of a layout: in DN the second to last dimension is innermost."""
    if layout != "DN":
        return row_major_strides(shape)
    strides: list[Dim] = [1, shape[-2]]
    if len(shape) >= 3:
        strides.insert(0, _times(shape[-2], shape[-1]))
    for extent in reversed(shape[1 : len(shape) - 2]):
        strides.insert(0, _times(strides[0], extent))
    return tuple(strides)


def _check_no_mx(name: str, source: AnyTensor) -> None:
    if source.view is not None and source.view.layout in MX_LAYOUTS:
        raise OpFault(faults.WRONG_LAYOUT, name, expected="of an ND, DN or NZ layout", got=source.view.layout)


def _swapped(dims: Dims, first: int, second: int) -> Dims:
    swapped = list(dims)
    swapped[first], swapped[second] = swapped[second], swapped[first]
    return tuple(swapped)


# --- reshape -------------------------------------------------------------------------------------------------------


def check_element_count(source: Dims | None, shape: Dims | None, what: str) -> None:
    """Fault a new shape with another number of elements, where both are non-negative constants and none is empty."""
    old, new = element_count(source), element_count(shape)
    if old is None or new is None or old <= 0 or new <= 0 or any((const_value(d) or 0) < 0 for d in shape or ()):
        return
    if old != new:
        wide = [index for index, dim in enumerate(shape or ()) if const_value(dim) != 1]
        index = wide[0] if len(wide) == 1 else None
        words = show_all(shape)
        raise OpFault(faults.ELEMENT_COUNT, "shape", index=index, left=what, count=old, right=words, other_count=new)


def _reshape(call: OpCall) -> OpResult:
    source, shape = plain_tensor(call, "tensor"), checked_shape(call)
    if source is not None:
        _check_no_mx("tensor", source)
        check_element_count(source.shape, shape, describe_type(source))
    if shape is not None and not shape:
        raise OpFault(faults.WRONG_RANK, "shape", expected="at least one extent", got="none")
    if source is None or shape is None or source.shape is None:
        return OpResult(
            TensorType(source.dtype if source else None, shape if source is None else None), "tensor.reshape"
        )
    region = valid_region(source) or source.shape
    if not region:
        raise OpFault(faults.WRONG_RANK, "tensor", expected="at least one dimension", got="rank 0")
    valid = reshaped_region(region, source.shape, shape, row_major=_row_major(source))
    pad = source.view.pad if source.view else "null"
    return OpResult(TensorType(source.dtype, shape, tensor_view(shape, valid=valid, pad=pad)), "tensor.reshape")


def _row_major(source: TensorType) -> bool:
    view = source.view
    if view is None or source.shape is None:
        return True
    return view.layout == "ND" and (not view.stride or same_dims(view.stride, row_major_strides(source.shape)))


def _reinterpret_view(call: OpCall) -> OpResult:
    source, dtype = plain_tensor(call, "data"), dtype_argument(call, "dtype")
    requested = given_extents(call, "shape")
    require_integers("shape", requested)
    if source is None or source.shape is None:
        return OpResult(TensorType(dtype, requested), "tensor.reinterpret_view")
    _check_no_mx("data", source)
    require_min_rank("data", source, 1)
    view = source.view
    layout = view.layout if view else "ND"
    if layout == "NZ":
        raise OpFault(faults.WRONG_LAYOUT, "data", expected="of an ND or DN layout", got="NZ")
    if layout == "DN":
        require_min_rank("data", source, 2)
    if view is not None and view.stride and not same_dims(view.stride, packed_strides(source.shape, layout)):
        raise OpFault(faults.WRONG_LAYOUT, "data", expected="packed", got=f"of strides {show_all(view.stride)}")
    axis = len(source.shape) - (2 if layout == "DN" else 1)
    valid = valid_region(source) or source.shape
    shape, region = reinterpret(source.shape, valid, source.dtype, dtype, axis, requested)
    if shape is None or region is None:
        return OpResult(TensorType(dtype, shape), "tensor.reinterpret_view")
    stride = packed_strides(shape, layout) if view is not None and view.stride else ()
    new_view = tensor_view(shape, valid=region, stride=stride, layout=layout)
    return OpResult(TensorType(dtype, shape, new_view, source.memref), "tensor.reinterpret_view")


# --- transpose -----------------------------------------------------------------------------------------------------


def axis_of(call: OpCall, name: str, rank: int | None) -> int | None:
    """An axis, counted from the front; None when it is not known. Raises OpFault when it is out of range."""
    axis = constant_integer(call, name)
    if axis is None or rank is None:
        return None
    if not -rank <= axis < rank:
        reason = f"must be in {-rank}..{rank - 1} for rank {rank}"
        raise OpFault(faults.WRONG_VALUE, name, reason=reason, got=str(axis))
    return axis % rank


def _transpose(call: OpCall) -> OpResult:
    source = plain_tensor(call, "tensor")
    require_min_rank("tensor", source, 2)
    rank = len(source.shape) if source is not None and source.shape is not None else None
    first, second = axis_of(call, "axis1", rank), axis_of(call, "axis2", rank)
    requested = given_extents(call, "valid_shape")
    if source is None or source.shape is None or first is None or second is None:
        return OpResult(TensorType(source.dtype if source else None, None), "tensor.transpose")
    _check_no_mx("tensor", source)
    if first == second:
        raise OpFault(faults.WRONG_VALUE, "axis2", reason="must be another axis than axis1", got=str(second))
    require_length("valid_shape", requested, rank, "the rank of the tensor")
    return OpResult(_transposed(source, first, second, requested), "tensor.transpose")


def _transposed(source: TensorType, first: int, second: int, requested: Dims | None) -> TensorType:
    shape = source.shape or ()
    view = source.view
    layout = view.layout if view else "ND"
    if {first, second} == {len(shape) - 1, len(shape) - 2}:
        layout = "DN" if layout == "ND" else "ND"
    new_shape = _swapped(shape, first, second)
    stride = _swapped(view.stride if view and view.stride else row_major_strides(shape), first, second)
    if layout == "ND" and same_dims(stride, row_major_strides(new_shape)):
        stride = ()
    valid = requested
    if valid is None and view is not None and view.valid_shape:
        valid = _swapped(view.valid_shape, first, second)
    pad = view.pad if view else "null"
    return TensorType(
        source.dtype, new_shape, tensor_view(new_shape, valid=valid, stride=stride, layout=layout, pad=pad)
    )


# --- view ----------------------------------------------------------------------------------------------------------


def _view(call: OpCall) -> OpResult:
    source = tensor(call, "tensor")
    shape, valid = given_extents(call, "shape"), given_extents(call, "valid_shape")
    require_integers("shape", shape)
    given_shape = _is_given(call, "shape")
    if not given_shape and not _is_given(call, "layout"):
        raise OpFault(faults.CONFLICTING_ARGUMENTS, None, reason="a shape or a layout is needed")
    if _is_given(call, "valid_shape") and not given_shape:
        raise OpFault(faults.CONFLICTING_ARGUMENTS, "valid_shape", reason="valid_shape needs a shape")
    wanted = member(call, "layout", "TensorLayout")
    if source is None or source.shape is None or (given_shape and shape is None):
        return OpResult(TensorType(source.dtype if source else None, shape), "tensor.view")
    own = source.view.layout if source.view else "ND"
    layout = wanted or own
    _check_view_layout(source, own, layout)
    new_shape = _viewed_shape(source, shape, own, layout)
    view = _new_view(source, shape, new_shape, own, layout, valid)
    return OpResult(replace(source, shape=new_shape, view=view), "tensor.view")


def _is_given(call: OpCall, name: str) -> bool:
    arg = call.get(name)
    return arg is not None and arg.python is not None


def _check_view_layout(source: AnyTensor, own: str, layout: str) -> None:
    for name, value in (("tensor", own), ("layout", layout)):
        if value in (*MX_LAYOUTS, "NZ"):
            raise OpFault(faults.WRONG_LAYOUT, name, expected="ND or DN", got=value)
    stride = source.view.stride if source.view else ()
    inner = -1 if own == "ND" else -2
    if stride and len(stride) >= -inner and const_value(stride[inner]) != 1 and is_exact(stride[inner]):
        raise OpFault(faults.WRONG_LAYOUT, "tensor", expected=f"an {own} view", got=f"of strides {show_all(stride)}")


def _viewed_shape(source: AnyTensor, shape: Dims | None, own: str, layout: str) -> Dims:
    old = source.shape or ()
    if shape is None:
        if own != layout:
            require_min_rank("tensor", source, 2)
            return _swapped(old, len(old) - 2, len(old) - 1)
        return old
    stride = source.view.stride if source.view else ()
    if stride and not same_dims(stride, packed_strides(old, own)):
        raise OpFault(faults.WRONG_LAYOUT, "tensor", expected="packed", got=f"of strides {show_all(stride)}")
    for index, dim in enumerate(shape):
        value = const_value(dim)
        if value is not None and value <= 0:
            raise OpFault(faults.WRONG_VALUE, "shape", index=index, reason="must be positive", got=str(value))
    check_element_count(old, shape, describe_type(source))
    if not shape or (layout == "DN" and len(shape) < 2):
        raise OpFault(faults.WRONG_RANK, "shape", expected="at least two extents for DN, else one", got=str(len(shape)))
    return shape


def _new_view(
    source: AnyTensor, shape: Dims | None, new_shape: Dims, own: str, layout: str, valid: Dims | None
) -> TensorView | None:
    view = source.view
    region = view.valid_shape if view else ()
    stride = packed_strides(new_shape, layout)
    if shape is None and view is not None and view.stride:
        stride = _swapped(view.stride, len(new_shape) - 2, len(new_shape) - 1) if own != layout else view.stride
    result: Dims | None = None
    if shape is None and region:
        result = _swapped(region, len(region) - 2, len(region) - 1) if own != layout else region
    if shape is not None:
        result = _reshaped_view_region(source, region, new_shape, own, layout, valid)
    pad = view.pad if view is not None and (shape is None or valid is not None) else "null"
    return tensor_view(new_shape, valid=result, stride=stride, layout=layout, pad=pad)


def _reshaped_view_region(
    source: AnyTensor, region: Dims, shape: Dims, own: str, layout: str, valid: Dims | None
) -> Dims | None:
    if not region:
        if valid:
            reason = "a valid_shape is only allowed when the source is partly valid"
            raise OpFault(faults.VALID_REGION, "valid_shape", reason=reason)
        return None
    if not valid:
        reason = f"the source holds data in {show_all(region)} only; a new shape needs its valid_shape"
        raise OpFault(faults.VALID_REGION, "shape", reason=reason)
    require_length("valid_shape", valid, len(shape), "the rank of the new shape")
    if own != "ND" or layout != "ND":
        raise OpFault(
            faults.WRONG_LAYOUT, "tensor", expected="ND for a valid_shape", got=own if own != "ND" else layout
        )
    for index, (want, extent) in enumerate(zip(valid, shape, strict=True)):
        value, limit = const_value(want), const_value(extent)
        if value is not None and (value <= 0 or (limit is not None and value > limit)):
            raise OpFault(
                faults.VALID_REGION, "valid_shape", index=index, reason=f"{value} is not in 1..{show(extent)}"
            )
    if not _collapses(source.shape or (), region, shape, valid) and all_exact(source.shape or (), region, shape, valid):
        reason = "the new shape must join leading dimensions, or all of them into one row"
        raise OpFault(faults.VALID_REGION, "valid_shape", reason=reason)
    return valid


def _product(dims: Dims) -> Dim:
    total: Dim = 1
    for dim in dims:
        total = _times(total, dim)
    return total


def _collapses(shape: Dims, valid: Dims, new: Dims, new_valid: Dims) -> bool:
    """Whether leading dimensions are joined into two, or all into one row, and the data stays a prefix."""
    if len(new) != 2 or len(new_valid) != 2:
        return False
    leading = (_product(shape[:-1]), shape[-1]), (_product(valid[:-1]), valid[-1])
    linear = (1, _product(shape)), (1, _product(valid))
    is_linear = same_dims(new, linear[0]) and same_dims(new_valid, linear[1])
    if not is_linear and not (same_dims(new, leading[0]) and same_dims(new_valid, leading[1])):
        return False
    beyond = False
    for extent, part in list(zip(shape, valid, strict=True))[: len(shape) if is_linear else len(shape) - 1]:
        if beyond and not same_structure(extent, part):
            return False
        beyond = beyond or const_value(part) != 1
    return True


# --- concat, valid shape -------------------------------------------------------------------------------------------


def _concat(call: OpCall) -> OpResult:
    left, right = plain_tensor(call, "src0"), plain_tensor(call, "src1")
    if left is not None and right is not None:
        require_same_dtype("src1", right.dtype, "src0", left.dtype)
    require_both_ranks("src0", left, "src1", right, 2)
    if left is None or right is None or left.shape is None or right.shape is None:
        return OpResult(TensorType(left.dtype if left else None, None), "tensor.concat")
    if differ(left.shape[0], right.shape[0]):
        first, second = describe_type(left), describe_type(right)
        raise OpFault(faults.SHAPE_MISMATCH, "src1", left=first, right=second, reason="dimension 0", dimension=0)
    return OpResult(TensorType(left.dtype, (left.shape[0], joined(left.shape[1], right.shape[1]))), "tensor.concat")


def require_both_ranks(first: str, left: AnyTensor | None, second: str, right: AnyTensor | None, rank: int) -> None:
    """Fault the operand of another rank, or both."""
    wrong = [t is not None and t.shape is not None and len(t.shape) != rank for t in (left, right)]
    try:
        require_rank(first, left, rank)
    except OpFault as fault:
        fault.until = second if all(wrong) else None
        raise
    require_rank(second, right, rank)


def joined(left: Dim, right: Dim) -> Dim:
    """The sum of two extents; only constants are added up."""
    a, b = const_value(left), const_value(right)
    return a + b if a is not None and b is not None else arith.make("+", left, right)


def index_like(call: OpCall, name: str) -> Dim | None:
    """An extent given as an argument of its own: an integer, or a scalar of INT64, UINT64 or INDEX."""
    arg = call.args[name]
    value = arg.python
    if value is not MISSING:
        if not isinstance(value, int):
            raise OpFault(faults.WRONG_KIND, name, expected="an integer", got=describe(arg))
        return int(value)
    if isinstance(arg.expr, OpaqueInt):
        return arg.expr
    if is_unknown(arg):
        return None
    if not isinstance(arg.type, ScalarType):
        raise OpFault(faults.WRONG_KIND, name, expected="an integer", got=describe(arg))
    dim = arith.dim_of(arg.expr)
    slices.require_index_like(name, (dim,))
    return dim


def check_region_extent(name: str, valid: Dim | None, extent: Dim | None) -> None:
    """Fault a constant valid extent that is negative or beyond a constant physical extent."""
    value = None if valid is None else const_value(valid)
    limit = None if extent is None else const_value(extent)
    if value is not None and (value < 0 or (limit is not None and value > limit)):
        bound = "" if limit is None else f"..{limit}"
        raise OpFault(faults.WRONG_VALUE, name, reason=f"must lie in 0{bound}", got=str(value))


def _set_validshape(call: OpCall) -> OpResult:
    source = plain_tensor(call, "tensor")
    require_rank("tensor", source, 2)
    rows, cols = index_like(call, "valid_rows"), index_like(call, "valid_cols")
    if source is None or source.shape is None or rows is None or cols is None:
        return OpResult(TensorType(source.dtype if source else None, None), "tensor.set_validshape")
    check_region_extent("valid_rows", rows, source.shape[0])
    check_region_extent("valid_cols", cols, source.shape[1])
    own = source.view
    view = tensor_view(
        source.shape,
        valid=(rows, cols),
        stride=own.stride if own else (),
        layout=own.layout if own else "ND",
        pad=own.pad if own else "null",
    )
    return OpResult(replace(source, view=view), "tensor.set_validshape")


# --- declarations --------------------------------------------------------------------------------------------------

_VALID = optional("valid_shape", f"{EXTENTS} | None")

OPERATORS = (
    Operator(
        "reshape", ("pl.tensor.reshape",), (needed("tensor"), needed("shape", EXTENTS)), _reshape,
        "See the same elements in another shape; no data moves.", "Tensor", reads=("tensor",), output_memory="input",
    ),
    Operator(
        "reinterpret_view", ("pl.tensor.reinterpret_view",),
        (
            needed("data"), needed("dtype", "DataType", attribute=True),
            optional("shape", f"{EXTENTS} | None", keyword_only=True),
        ),
        _reinterpret_view, "See the same bytes as another element type.", "Tensor", reads=("data",), output_memory="input",
    ),
    Operator(
        "transpose", ("pl.tensor.transpose",), (needed("tensor"), needed("axis1", "int"), needed("axis2", "int")), _transpose,
        "Exchange two axes without moving data.", "Tensor", reads=("tensor",), output_memory="input",
    ),
    Operator(
        "view", ("pl.tensor.view",),
        (
            needed("tensor"), optional("shape", f"{EXTENTS} | None"), _VALID,
            optional(
                "layout", "TensorLayout | None", attribute=True, keyword_only=True, allowed=ENUMS["TensorLayout"],
            ),
        ),
        _view, "See the same memory with another shape or layout.", "Tensor", reads=("tensor",), output_memory="input",
    ),
    Operator(
        "concat", ("pl.tensor.concat",), (needed("src0"), needed("src1")), _concat,
        "Join two matrices side by side.", "Tensor", Lane.VECTOR, reads=("src0", "src1"),
    ),
    Operator(
        "set_validshape", ("pl.tensor.set_validshape",),
        (needed("tensor"), needed("valid_rows", "int | Scalar"), needed("valid_cols", "int | Scalar")), _set_validshape,
        "State which part of a matrix holds real data; no data moves.", "Tensor", reads=("tensor",), output_memory="input",
        usage=19,
    ),
)  # fmt: skip
