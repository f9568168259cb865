"""Tensor operators that make, read and write global memory: create, full, read, write, slice, assemble, fillpad."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.arith import const_value, dim_of
from pypto_lsp.ir.dtypes import BF16, FP16, FP32, INDEX, INT8, INT16, INT32, UINT16, UINT32, DType
from pypto_lsp.ir.enums import ENUMS, EnumMember, Lane
from pypto_lsp.ir.nodes import ConstBool, ConstFloat, ConstInt, ErrorExpr, Expr, MakeTuple, Read, Var
from pypto_lsp.ir.tile_views import tensor_view
from pypto_lsp.ir.types import HandleType, ScalarType, TensorType, TupleType
from pypto_lsp.ops import slices
from pypto_lsp.ops.declare import EXTENTS, flag_param, needed, optional
from pypto_lsp.ops.operands import (
    AnyTensor,
    attribute,
    constant_integer,
    describe,
    describe_type,
    dtype_argument,
    extents,
    flag,
    is_unknown,
    loose_flag,
    member,
    plain_tensor,
    require_integers,
    require_length,
    tensor,
)
from pypto_lsp.ops.regions import Dims, Names
from pypto_lsp.ops.registry import MISSING, Arg, OpCall, Operator, OpFault, OpResult, Param, Rule

ATOMIC = (INT8, INT16, INT32, FP16, FP32, BF16)
SEQUENCES = (INT16, INT32, UINT16, UINT32)
EXACT_INTEGERS = 2**53

# --- making --------------------------------------------------------------------------------------------------------


def checked_shape(call: OpCall, name: str = "shape") -> Dims | None:
    """A list of integer extents; they may be symbolic, zero or negative."""
    shape = extents(call, name)
    require_integers(name, shape)
    return shape


def _create(call: OpCall) -> OpResult:
    shape, dtype = checked_shape(call), dtype_argument(call, "dtype")
    layout = member(call, "layout", "TensorLayout", "ND")
    loose_flag(call, "manual_dep")
    _check_init_value(attribute(call, "init_value"))
    if layout is None:
        return OpResult(TensorType(dtype, None), "tensor.create")
    return OpResult(TensorType(dtype, shape, tensor_view(shape, layout=layout)), "tensor.create")


def _check_init_value(value: Any) -> None:
    if value is None or value is MISSING:
        return
    if not isinstance(value, int | float):
        raise OpFault(faults.WRONG_KIND, "init_value", expected="a number", got=repr(value))
    if isinstance(value, float) and not math.isfinite(value):
        raise OpFault(faults.WRONG_VALUE, "init_value", reason="must be finite", got=str(value))
    if isinstance(value, int) and abs(value) > EXACT_INTEGERS:
        raise OpFault(faults.WRONG_VALUE, "init_value", reason="must lie within 2**53 of zero", got=str(value))


def _full(call: OpCall) -> OpResult:
    shape, dtype = checked_shape(call), dtype_argument(call, "dtype")
    value = attribute(call, "value")
    if value is not MISSING and not isinstance(value, int | float):
        raise OpFault(faults.WRONG_KIND, "value", expected="a number", got=repr(value))
    return OpResult(TensorType(dtype, shape), "tensor.full")


def _ci(call: OpCall) -> OpResult:
    dtype = dtype_argument(call, "dtype", INT32)
    if dtype is not None and dtype not in SEQUENCES:
        raise OpFault(faults.WRONG_DTYPE, "dtype", expected="INT16, INT32, UINT16 or UINT32", got=dtype.name)
    _check_start(call.args["start"], dtype)
    shape = checked_shape(call)
    flag(call, "descending")
    check_sequence_shape(shape)
    return OpResult(TensorType(dtype, shape), "tensor.ci")


def _check_start(arg: Arg, dtype: DType | None) -> None:
    """A literal takes the element type, any other scalar must have it."""
    value = arg.python
    if value is not MISSING:
        if not isinstance(value, int):
            raise OpFault(faults.WRONG_KIND, "start", expected="an integer", got=describe(arg))
        return
    if isinstance(arg.expr, ConstInt) or is_unknown(arg):
        return
    own = arg.type.dtype if isinstance(arg.type, ScalarType) else None
    if not isinstance(arg.type, ScalarType) or (own is not None and dtype is not None and own is not dtype):
        wanted = f"a scalar of {dtype.name}" if dtype else "an integer scalar"
        raise OpFault(faults.WRONG_KIND, "start", expected=wanted, got=describe(arg))


def check_sequence_shape(shape: Dims | None) -> None:
    """A sequence fills one row: leading extents are 1, the last is not."""
    if shape is None:
        return
    if not shape:
        raise OpFault(faults.WRONG_RANK, "shape", expected="at least one extent", got="none")
    if const_value(shape[-1]) == 1:
        reason = "must end in an extent other than 1"
        raise OpFault(faults.WRONG_VALUE, "shape", index=len(shape) - 1, reason=reason, got="1")
    for index, dim in enumerate(shape[:-1]):
        value = const_value(dim)
        if value is not None and value != 1:
            reason = "must be 1 before the last extent (only one row is filled)"
            raise OpFault(faults.WRONG_VALUE, "shape", index=index, reason=reason, got=str(value))


SEEDS = ("key0", "key1", "counter0", "counter1", "counter2", "counter3")


def _random(call: OpCall) -> OpResult:
    dtype = dtype_argument(call, "dtype", UINT32)
    if dtype is not None and dtype not in (INT32, UINT32):
        raise OpFault(faults.WRONG_DTYPE, "dtype", expected="INT32 or UINT32", got=dtype.name)
    for name in SEEDS:
        check_seed(name, call.args[name])
    rounds = constant_integer(call, "rounds", 10)
    if rounds is not None and rounds not in (7, 10):
        raise OpFault(faults.WRONG_VALUE, "rounds", reason="must be 7 or 10", got=str(rounds))
    shape = checked_shape(call)
    require_length("shape", shape, 2, "rows and columns")
    return OpResult(TensorType(dtype, shape), "tensor.random")


def check_seed(name: str, arg: Arg) -> None:
    """A seed word is an integer literal or an INT32 scalar."""
    value = arg.python
    if value is not MISSING:
        if not isinstance(value, int):
            raise OpFault(faults.WRONG_KIND, name, expected="an integer", got=describe(arg))
        return
    if isinstance(arg.expr, ConstInt) or is_unknown(arg):
        return
    if not isinstance(arg.type, ScalarType) or arg.type.dtype not in (INT32, None):
        raise OpFault(faults.WRONG_KIND, name, expected="a scalar of INT32", got=describe(arg))


def _create_l1(call: OpCall) -> OpResult:
    shape, dtype = checked_shape(call), dtype_argument(call, "dtype")
    flag(call, "transpose")
    if shape is not None:
        if not shape:
            raise OpFault(faults.WRONG_RANK, "shape", expected="at least one extent", got="none")
        slices.require_static_extents("shape", shape)
    return OpResult(TensorType(dtype, shape), "tensor.create_l1")


# --- one element ---------------------------------------------------------------------------------------------------


def indices(call: OpCall, name: str, rank: int | None) -> MakeTuple | None:
    """The indices of one element, as many as the rank; a bare index stands for a list of one. They are not bounded."""
    arg = call.args[name]
    if isinstance(arg.expr, ErrorExpr):
        return None
    if arg.elements() is None and not isinstance(arg.static, list | tuple):
        value = arg.python
        if (value is not MISSING and isinstance(value, int)) or (value is MISSING and isinstance(arg.type, ScalarType)):
            found: Dims | None = (dim_of(arg.expr),)
        else:
            found = extents(call, name)
    else:
        found = extents(call, name)
    if found is None:
        return None
    require_length(name, found, rank, "one index per dimension")
    require_integers(name, found)
    elements = tuple(d if isinstance(d, Expr) else ConstInt(d, INDEX) for d in found)
    return MakeTuple(elements, TupleType(tuple(e.type for e in elements)), arg.span)


def _rank(type_: AnyTensor | None) -> int | None:
    return None if type_ is None or type_.shape is None else len(type_.shape)


def _read(call: OpCall) -> OpResult:
    source = tensor(call, "tensor")
    index = indices(call, "indices", _rank(source))
    args = (("tensor", call.args["tensor"].expr), ("indices", index or call.args["indices"].expr))
    return OpResult(ScalarType(source.dtype if source else None), "tensor.read", args=args)


def _write(call: OpCall) -> OpResult:
    target = tensor(call, "tensor")
    index = indices(call, "indices", _rank(target))
    value = call.args["value"]
    check_written(value, target.dtype if target else None)
    args = (
        ("tensor", call.args["tensor"].expr),
        ("indices", index or call.args["indices"].expr),
        ("value", value.expr),
    )
    return OpResult(target or TensorType(None, None), "tensor.write", args=args)


def check_written(arg: Arg, element: DType | None) -> None:
    """A written value is a scalar of the element type; an integer literal is INDEX, a float literal FP32."""
    if isinstance(arg.expr, ErrorExpr):
        return
    if arg.python is not MISSING:
        raise OpFault(
            faults.WRONG_KIND, "value", expected="a scalar of the kernel such as pl.const(...)", got=describe(arg)
        )
    if is_unknown(arg):
        return
    if not isinstance(arg.type, ScalarType):
        raise OpFault(faults.WRONG_KIND, "value", expected="a Scalar", got=describe(arg))
    if element is not None and arg.type.dtype is not None and arg.type.dtype is not element:
        literal = isinstance(arg.expr, ConstInt | ConstFloat | ConstBool)
        raise OpFault(
            faults.DTYPE_MISMATCH,
            "value",
            other="the element",
            got=arg.type.dtype.name,
            wanted=element.name,
            literal=literal,
        )


# --- windows -------------------------------------------------------------------------------------------------------


def pad_value(call: OpCall, default: str | None, *, null: bool) -> str | None:
    """A padding mode by member or by its literal (0, inf, -inf); None when not given or not known. ``null`` allows none."""
    arg = call.get("pad_value")
    if arg is None or isinstance(arg.expr, ErrorExpr):
        return default
    value = arg.static
    if value is MISSING:
        if is_unknown(arg):
            return default
        raise OpFault(faults.WRONG_KIND, "pad_value", expected="a pl.PadValue", got=describe(arg))
    if isinstance(value, EnumMember) and value.enum == "PadValue" and (null or value.name != "null"):
        return value.name
    if isinstance(value, int | float) and not isinstance(value, bool):
        if value == 0:
            return "zero"
        if isinstance(value, float) and math.isinf(value):
            return "max" if value > 0 else "min"
    if value is None and null:
        return default
    choices = [m for m in ENUMS["PadValue"] if null or m != "null"]
    raise OpFault(faults.WRONG_MEMBER, "pad_value", expected=", ".join((*choices, "0", "inf", "-inf")), got=str(value))


def given_extents(call: OpCall, name: str) -> Dims | None:
    """A list that may be left out or None."""
    arg = call.get(name)
    return None if arg is None or arg.python is None else extents(call, name)


def drop_dims(call: OpCall, shape: Dims | None, *, keep_one: bool) -> tuple[int, ...] | None:
    """The axes that a slice erases; None when they are not known."""
    arg = call.get("drop_dims")
    if arg is None or arg.static is None or (arg.static is not MISSING and not arg.static):
        return ()
    axes = extents(call, "drop_dims")
    if axes is None or shape is None:
        return None if axes is None or axes else ()
    return slices.dropped_axes(axes, shape, keep_one=keep_one)


def _slice(call: OpCall) -> OpResult:
    source = tensor(call, "tensor")
    shape, offsets = checked_shape(call), checked_shape(call, "offset")
    valid = given_extents(call, "valid_shape")
    drop = drop_dims(call, shape, keep_one=True)
    if shape is not None and not shape:
        raise OpFault(faults.WRONG_RANK, "shape", expected="at least one extent", got="none")
    pad = pad_value(call, None, null=True)
    clamp = loose_flag(call, "clamp")
    if source is None or shape is None or offsets is None or clamp is None or _open_list(call, "valid_shape", valid):
        known = shape is not None and drop is not None
        result = slices.without(shape, drop) if known and shape is not None and drop is not None else None
        dtype = source.dtype if source else None
        partial = source is None or clamp is None or offsets is None or _open_list(call, "valid_shape", valid)
        return OpResult(TensorType(dtype, None if partial else result), "tensor.slice")
    window = slices.Window(shape, offsets, valid or None, drop, pad, clamp)
    return OpResult(slices.slice_tensor(source, window, Names(source="tensor")), "tensor.slice")


def _open_list(call: OpCall, name: str, value: Dims | None) -> bool:
    """Whether a list was given whose entries we cannot see."""
    arg = call.get(name)
    return arg is not None and arg.python is not None and value is None


def _assemble(call: OpCall) -> OpResult:
    target, source = tensor(call, "target"), tensor(call, "source")
    offsets = checked_shape(call, "offset")
    atomic = _atomic(call)
    if target is None:
        return OpResult(TensorType(None, None), "tensor.assemble")
    if atomic == "Add" and target.dtype is not None and target.dtype not in ATOMIC:
        raise OpFault(faults.WRONG_DTYPE, "target", expected="a type that adds atomically", got=target.dtype.name)
    if source is None or offsets is None:
        whole = target.view is None or not target.view.valid_shape
        return OpResult(target if whole else replace(target, shape=None, view=None), "tensor.assemble")
    names = Names(offset="offset", source="source")
    return OpResult(slices.assemble_tensor(target, source, offsets, names), "tensor.assemble")


def _atomic(call: OpCall) -> str | None:
    """The combine mode: a member of AtomicType, or its number."""
    value = attribute(call, "atomic", 0)
    if value is MISSING:
        return None
    if isinstance(value, EnumMember) and value.enum == "AtomicType":
        return value.name
    if isinstance(value, int) and value in (0, 1):
        return ENUMS["AtomicType"][int(value)]
    raise OpFault(faults.WRONG_MEMBER, "atomic", expected=", ".join(ENUMS["AtomicType"]), got=str(value))


def _fillpad(call: OpCall) -> OpResult:
    source = plain_tensor(call, "tensor")
    pad_value(call, "zero", null=False)
    if source is None:
        return OpResult(TensorType(None, None), "tensor.fillpad")
    view = source.view
    if view is not None:
        view = tensor_view(source.shape, stride=view.stride, layout=view.layout, pad=view.pad)
    return OpResult(replace(source, view=view), "tensor.fillpad")


def _fillpad_expand(call: OpCall) -> OpResult:
    source = plain_tensor(call, "tensor")
    shape = checked_shape(call)
    pad = pad_value(call, "zero", null=False)
    if shape is not None:
        require_length("shape", shape, _rank(source), "the rank of the source")
        slices.require_static_extents("shape", shape)
        _check_grown(source, shape)
    if source is None or shape is None:
        return OpResult(TensorType(source.dtype if source else None, None), "tensor.fillpad_expand")
    own = source.view
    view = tensor_view(shape, stride=own.stride if own else (), layout=own.layout if own else "ND", pad=pad or "zero")
    return OpResult(TensorType(source.dtype, shape, view), "tensor.fillpad_expand")


def _check_grown(source: AnyTensor | None, shape: Dims) -> None:
    for axis, (new, old) in enumerate(zip(shape, (source.shape if source else None) or ())):
        a, b = const_value(new), const_value(old)
        if a is not None and b is not None and a < b:
            left = describe_type(source) if source else "?"
            right = f"[{', '.join(str(d) for d in shape)}]"
            reason = f"dimension {axis} must not shrink"
            raise OpFault(faults.SHAPE_MISMATCH, "shape", left=left, right=right, reason=reason, dimension=axis)


# --- asking --------------------------------------------------------------------------------------------------------


def _dim(call: OpCall) -> OpResult:
    source = plain_tensor(call, "tensor")
    axis = constant_integer(call, "axis")
    result = ScalarType(INDEX)
    arg = call.args["axis"]
    args = (("tensor", call.args["tensor"].expr), ("axis", arg.expr))
    if source is None or source.shape is None or axis is None:
        return OpResult(result, "tensor.dim", args=args)
    rank = len(source.shape)
    if not -rank <= axis < rank:
        reason = f"must be in {-rank}..{rank - 1} for a tensor of rank {rank}"
        raise OpFault(faults.WRONG_VALUE, "axis", reason=reason, got=str(axis))
    args = (("tensor", call.args["tensor"].expr), ("axis", ConstInt(axis, INDEX, arg.span)))
    extent = source.shape[axis % rank]
    if call.context.func_type == "Orchestration":
        symbol = extent if isinstance(extent, Var) else None
        if symbol is not None and symbol.symbol:
            return OpResult(result, "tensor.dim", value=Read(symbol, call.span))
    return OpResult(result, "tensor.dim", args=args)


def _launch(ir_op: str) -> Rule:
    def rule(call: OpCall) -> OpResult:
        return OpResult(ScalarType(INDEX), ir_op)

    return rule


def _alloc(call: OpCall) -> OpResult:
    return OpResult(HandleType("pl.Ptr"), "tensor.alloc")


def _same(call: OpCall) -> OpResult:
    """Markers for the compiler: the argument itself."""
    arg = call.args["tensor"]
    return OpResult(arg.type, f"tensor.{call.operator.name}", value=arg.expr)


# --- declarations --------------------------------------------------------------------------------------------------

_DTYPE = needed("dtype", "DataType", attribute=True)
_SHAPE = needed("shape", EXTENTS)
_PADS = ("zero", "max", "min")


OPERATORS = (
    Operator(
        "create", ("pl.tensor.create", "pl.tensor.create_tensor", "pl.create_tensor"),
        (
            _SHAPE, _DTYPE,
            optional("layout", "TensorLayout", "TensorLayout.ND", attribute=True, allowed=ENUMS["TensorLayout"]),
            flag_param("manual_dep"), optional("init_value", "int | float | None", attribute=True),
        ),
        _create, "Allocate an uninitialised (or init_value-filled) global-memory tensor.", "Tensor", usage=1763,
    ),
    Operator(
        "full", ("pl.tensor.full", "pl.full"), (_SHAPE, _DTYPE, needed("value", "int | float", attribute=True)), _full,
        "Create a tensor filled with a constant.", "Tensor", Lane.VECTOR, usage=553,
    ),
    Operator(
        "ci", ("pl.tensor.ci", "pl.tensor.arange", "pl.arange"),
        (
            needed("start", "int | Scalar"), _SHAPE, optional("dtype", "DataType", "DataType.INT32", attribute=True),
            flag_param("descending"),
        ),
        _ci, "Create a row of consecutive integers.", "Tensor", Lane.VECTOR, usage=89,
    ),
    Operator(
        "random", ("pl.tensor.random", "pl.random"),
        (
            *(needed(name, "int | Scalar") for name in SEEDS), _SHAPE,
            optional("dtype", "DataType", "DataType.UINT32", attribute=True), optional("rounds", "int", "10", attribute=True),
        ),
        _random, "Create counter-based pseudo-random integers from a key and a counter.", "Tensor", Lane.VECTOR,
    ),
    Operator(
        "create_l1", ("pl.tensor.create_l1", "pl.create_l1"), (_SHAPE, _DTYPE, flag_param("transpose")), _create_l1,
        "Allocate an on-chip (L1) accumulator to gather rows into.", "Tensor", output_memory="Mat", usage=3,
    ),
    Operator(
        "read", ("pl.tensor.read",), (needed("tensor"), needed("indices", EXTENTS)), _read,
        "Read one element of a tensor.", "Scalar", reads=("tensor",), usage=95,
    ),
    Operator(
        "write", ("pl.tensor.write",), (needed("tensor"), needed("indices", EXTENTS), needed("value", "Scalar")), _write,
        "Write one element of a tensor.", "Tensor", writes=("tensor",), usage=14,
    ),
    Operator(
        "slice", ("pl.tensor.slice",),
        (
            needed("tensor"), _SHAPE, needed("offset", EXTENTS), optional("valid_shape", f"{EXTENTS} | None"),
            optional("drop_dims", "Sequence[int] | None"), optional("pad_value", "PadValue | int | float | None", allowed=_PADS),
            flag_param("clamp"),
        ),
        _slice, "Take a window at a possibly dynamic offset (a view).", "Tensor", reads=("tensor",), output_memory="input",
    ),
    Operator(
        "assemble", ("pl.tensor.assemble",),
        (
            needed("target"), needed("source"), needed("offset", EXTENTS),
            optional(
                "atomic", "AtomicType", "AtomicType.None_", attribute=True, keyword_only=True, allowed=ENUMS["AtomicType"],
            ),
        ),
        _assemble, "Write a tensor into a window of another.", "Tensor", reads=("source",), writes=("target",),
    ),
    Operator(
        "fillpad", ("pl.tensor.fillpad",),
        (needed("tensor"), optional("pad_value", "PadValue | int | float", "PadValue.zero", allowed=_PADS)), _fillpad,
        "Fill what lies outside the valid region with a padding value.", "Tensor", Lane.VECTOR, reads=("tensor",),
    ),
    Operator(
        "fillpad_expand", ("pl.tensor.fillpad_expand",),
        (needed("tensor"), _SHAPE, optional("pad_value", "PadValue | int | float", "PadValue.zero", allowed=_PADS)),
        _fillpad_expand, "Copy a tensor into the corner of a larger one and fill the rest.", "Tensor", Lane.VECTOR, reads=("tensor",),
    ),
    Operator(
        "dim", ("pl.tensor.dim", "pl.dim"), (needed("tensor"), needed("axis", "int")), _dim,
        "The extent of one dimension, as a scalar.", "Scalar", usage=251,
    ),
    *(
        Operator(name, (f"pl.tensor.{name}", f"pl.{name}"), (), _launch(f"tensor.{name}"), doc, "Scalar", lane, usage=usage)
        for name, doc, lane, usage in (
            ("get_block_idx", "The index of the running block.", Lane.SHARED, 7),
            ("get_subblock_idx", "The index of the vector core within the block.", Lane.VECTOR, 0),
            ("get_block_num", "The number of blocks of the launch.", Lane.SHARED, 0),
        )
    ),
    Operator(
        "alloc", ("pl.tensor.alloc",),
        (Param("memory_space", "MemorySpace", kind="positional_only"), Param("size", "int", kind="positional_only")), _alloc,
        "An allocation in global memory, as the compiler prints it.", "Ptr",
    ),
    *(
        Operator(name, (f"pl.tensor.{name}",), (needed("tensor"),), _same, doc, "Tensor")
        for name, doc in (
            ("dump_tag", "Mark a tensor to be dumped while debugging."),
            ("no_dep", "Mark an argument that makes no dependency."),
        )
    ),
)  # fmt: skip
