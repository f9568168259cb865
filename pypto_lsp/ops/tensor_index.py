"""Tensor operators that pick or place elements by index, pattern or order: gather, scatter, sort."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir import arith
from pypto_lsp.ir.arith import Dim, const_value, differ, is_exact, prove_le
from pypto_lsp.ir.dtypes import BF16, FP16, FP32, INDEX, INT8, INT16, INT32, UINT32, DType
from pypto_lsp.ir.enums import ENUMS, Lane
from pypto_lsp.ir.nodes import ConstFloat, ConstInt
from pypto_lsp.ir.types import ScalarType, TensorType, TupleType
from pypto_lsp.ops import regions
from pypto_lsp.ops.declare import EXTENTS, flag_param, needed, optional
from pypto_lsp.ops.operands import (
    attribute,
    constant_integer,
    describe,
    describe_type,
    dtype_argument,
    extents,
    flag,
    integer,
    is_unknown,
    member,
    plain_tensor,
    require_dtype,
    require_min_rank,
    require_rank,
    require_same_dtype,
)
from pypto_lsp.ops.regions import Dims, show
from pypto_lsp.ops.registry import MISSING, OpCall, Operator, OpFault, OpResult, Param

GATHERABLE = (FP16, FP32, INT16, INT32)
SCATTERABLE = (INT8, INT16, INT32, FP16, FP32, BF16)
SORTABLE = (FP16, FP32)
PAGED = (FP16, BF16, FP32, INT8)
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def is_given(call: OpCall, name: str) -> bool:
    """Whether an optional argument is there and not a plain None."""
    arg = call.get(name)
    return arg is not None and arg.python is not None


def _conflict(reason: str, param: str | None = None) -> OpFault:
    return OpFault(faults.CONFLICTING_ARGUMENTS, param, reason=reason)


def _first_given(call: OpCall, names: Sequence[str]) -> str | None:
    return next((n for n in names if is_given(call, n)), None)


# --- gather --------------------------------------------------------------------------------------------------------

_FORMS = (("dim", "index"), ("mask_pattern",), ("kvalue", "cmp_mode", "out_cols"))


def _gather(call: OpCall) -> OpResult:
    """One of three forms: by index, by mask pattern, by comparison."""
    forms = [names for names in _FORMS if _first_given(call, names)]
    if len(forms) > 1:
        raise _conflict("the index, mask and compare forms do not mix", _first_given(call, forms[1]))
    form = forms[0] if forms else _FORMS[0]
    if form != _FORMS[1] and is_given(call, "output_dtype"):
        raise _conflict("output_dtype belongs to the mask form", "output_dtype")
    for name in form:
        if not is_given(call, name):
            raise _conflict(f"'{name}' is needed" if forms else "dim and index, mask_pattern, or kvalue are needed")
    if form == _FORMS[1]:
        return gather_mask(call)
    if form == _FORMS[2]:
        integer(call, "offset", 0)
        return gather_compare(call)
    return _gather_index(call)


def _gather_index(call: OpCall) -> OpResult:
    source, index = plain_tensor(call, "input"), plain_tensor(call, "index")
    dim = constant_integer(call, "dim")
    if source is not None:
        require_dtype("input", source.dtype, GATHERABLE)
    _check_index_dtype(source, index)
    require_min_rank("input", source, 2)
    if source is not None and source.shape is not None:
        rank = len(source.shape)
        require_rank("index", index, rank)
        if dim is not None and not -rank <= dim < rank:
            raise OpFault(faults.WRONG_VALUE, "dim", reason=f"must be in {-rank}..{rank - 1}", got=str(dim))
        if dim is not None and index is not None and index.shape is not None:
            _check_index_extents(source, index, dim % rank)
    shape = index.shape if index else None
    return OpResult(TensorType(source.dtype if source else None, shape), "tensor.gather")


def _check_index_dtype(source: TensorType | None, index: TensorType | None) -> None:
    if index is None or index.dtype is None or index.dtype is INT32:
        return
    narrow = source is None or source.dtype is None or source.dtype.bits == 16
    if index.dtype is not INT16 or not narrow:
        expected = "INT32, or INT16 for a 16-bit input"
        raise OpFault(faults.WRONG_DTYPE, "index", expected=expected, got=index.dtype.name)


def _check_index_extents(source: TensorType, index: TensorType, dim: int) -> None:
    for axis, (want, have) in enumerate(zip(index.shape or (), source.shape or ())):
        a, b = const_value(want), const_value(have)
        if axis != dim and a is not None and b is not None and a > b:
            left, right = describe_type(index), describe_type(source)
            reason = f"dimension {axis} of the index is larger"
            raise OpFault(faults.SHAPE_MISMATCH, "index", left=left, right=right, reason=reason, dimension=axis)


def mask_pattern(call: OpCall) -> int | None:
    """A mask pattern, 1 to 7; None when it is not known."""
    pattern = integer(call, "mask_pattern")
    if pattern is not None and not 1 <= pattern <= 7:
        raise OpFault(faults.WRONG_VALUE, "mask_pattern", reason="must be in 1..7", got=str(pattern))
    return pattern


def mask_stride(pattern: int) -> int:
    """Of how many columns a mask pattern takes one: 2 for 1 and 2, 4 for 3 to 6, 1 for 7."""
    return 1 if pattern == 7 else 2 if pattern <= 2 else 4


def gather_mask(call: OpCall) -> OpResult:
    """Select columns of each row by a pattern."""
    source = plain_tensor(call, "input")
    if source is not None:
        require_dtype("input", source.dtype, GATHERABLE)
    require_rank("input", source, 2)
    pattern = mask_pattern(call)
    dtype = _output_dtype(call, source)
    if source is None or source.shape is None or pattern is None:
        return OpResult(TensorType(dtype, None), "tensor.gather_mask")
    cols = masked_columns(source.shape[1], pattern, "input")
    return OpResult(TensorType(dtype, (source.shape[0], cols)), "tensor.gather_mask")


def masked_columns(cols: Dim, pattern: int, param: str) -> Dim:
    """The columns that a mask pattern leaves."""
    stride, value = mask_stride(pattern), const_value(cols)
    if stride == 1:
        return cols
    if value is None:
        return arith.make("//", cols, stride)
    if value % stride:
        reason = f"must have a multiple of {stride} columns for mask pattern {pattern}"
        raise OpFault(faults.WRONG_VALUE, param, reason=reason, got=str(value))
    return value // stride


def _output_dtype(call: OpCall, source: TensorType | None) -> DType | None:
    if not is_given(call, "output_dtype"):
        return source.dtype if source else None
    dtype = dtype_argument(call, "output_dtype")
    if dtype is not None and source is not None and source.dtype is not None and dtype.bits != source.dtype.bits:
        expected = f"a type of {source.dtype.bits} bits"
        raise OpFault(faults.WRONG_DTYPE, "output_dtype", expected=expected, got=dtype.name)
    return dtype


def gather_compare(call: OpCall) -> OpResult:
    """The positions in each row that compare with a threshold, and their number per row."""
    source = plain_tensor(call, "input")
    if source is not None:
        require_dtype("input", source.dtype, GATHERABLE)
    require_rank("input", source, 2)
    _check_threshold(call, source.dtype if source else None)
    compare_mode(call)
    cols = integer(call, "out_cols")
    if cols is not None and cols <= 0:
        raise OpFault(faults.WRONG_VALUE, "out_cols", reason="must be positive", got=str(cols))
    count = dtype_argument(call, "count_dtype", INT32) if is_given(call, "count_dtype") else INT32
    if count is not None and count not in (INT32, UINT32):
        raise OpFault(faults.WRONG_DTYPE, "count_dtype", expected="INT32 or UINT32", got=count.name)
    rows = source.shape[0] if source is not None and source.shape is not None else None
    if rows is None or cols is None:
        return OpResult(TupleType((TensorType(INT32, None), TensorType(count, None))), "tensor.gather_compare")
    result = TupleType((TensorType(INT32, (rows, cols)), TensorType(count, (1, rows))))
    return OpResult(result, "tensor.gather_compare")


def _gather_compare(call: OpCall) -> OpResult:
    """The operator of the compare form, which makes no constant of a Python number."""
    threshold = call.args["kvalue"]
    if threshold.python is not MISSING:
        raise OpFault(faults.WRONG_KIND, "kvalue", expected="a Scalar", got=describe(threshold))
    integer(call, "offset", 0)
    return gather_compare(call)


def compare_mode(call: OpCall) -> int | None:
    """A comparison by its name or number; None when it is not known."""
    value = attribute(call, "cmp_mode")
    if value is MISSING:
        return None
    if isinstance(value, str) and value in COMPARISONS:
        return COMPARISONS.index(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(COMPARISONS):
        return int(value)
    raise OpFault(faults.WRONG_MEMBER, "cmp_mode", expected=", ".join(COMPARISONS), got=repr(value))


def _check_threshold(call: OpCall, element: DType | None) -> None:
    """The threshold has the input's element type; an integer literal is INDEX, a float literal FP32."""
    arg = call.args["kvalue"]
    value: Any = arg.python
    if is_unknown(arg):
        return
    if value is not MISSING:
        own = FP32 if isinstance(value, float) else INDEX if isinstance(value, int) else None
    else:
        own = arg.type.dtype if isinstance(arg.type, ScalarType) else None
        if isinstance(arg.type, ScalarType) and own is None:
            return
    if own is None:
        raise OpFault(faults.WRONG_KIND, "kvalue", expected="a scalar", got=describe(arg))
    if element is not None and own is not element:
        raise OpFault(faults.DTYPE_MISMATCH, "kvalue", other="input", got=own.name, wanted=element.name)


# --- scatter -------------------------------------------------------------------------------------------------------


def _scatter(call: OpCall) -> OpResult:
    by_index, by_mask = ("dim", "index", "src"), ("mask_pattern", "dst")
    index_form, mask_form = _first_given(call, by_index), _first_given(call, by_mask)
    if index_form and mask_form:
        raise _conflict("the index and mask forms do not mix", mask_form)
    for name in by_mask if mask_form else by_index:
        if not is_given(call, name):
            raise _conflict(f"'{name}' is needed")
    return scatter_mask(call) if mask_form else _scatter_index(call)


def _scatter_index(call: OpCall) -> OpResult:
    target, index, source = (plain_tensor(call, name) for name in ("input", "index", "src"))
    dim = integer(call, "dim")
    _check_scatter_dtypes(target, index, source)
    for name, type_ in (("input", target), ("index", index), ("src", source)):
        require_rank(name, type_, 2)
    if dim is not None and dim not in (-1, 1):
        raise OpFault(faults.WRONG_VALUE, "dim", reason="must be -1 (the last axis)", got=str(dim))
    if source is not None and index is not None:
        _check_equal_extents(index, source, "index")
    if source is not None and target is not None:
        _check_within(source, target)
    return OpResult(TensorType(target.dtype, target.shape) if target else TensorType(None, None), "tensor.scatter")


def _check_scatter_dtypes(target: TensorType | None, index: TensorType | None, source: TensorType | None) -> None:
    if target is not None:
        require_dtype("input", target.dtype, SCATTERABLE)
    if index is not None:
        require_dtype("index", index.dtype, (INT16, INT32))
    if source is not None and target is not None:
        require_same_dtype("src", source.dtype, "input", target.dtype)
    if target is not None and index is not None and target.dtype is not None and index.dtype is not None:
        wanted = INT32 if target.dtype.bits == 32 else INT16
        if index.dtype is not wanted:
            expected = f"{wanted.name} for {target.dtype.name} elements"
            raise OpFault(faults.WRONG_DTYPE, "index", expected=expected, got=index.dtype.name)


def _check_equal_extents(left: TensorType, right: TensorType, param: str) -> None:
    for axis, (a, b) in enumerate(zip(left.shape or (), right.shape or ())):
        if differ(a, b):
            words = describe_type(left), describe_type(right)
            raise OpFault(
                faults.SHAPE_MISMATCH, param, left=words[0], right=words[1], reason=f"dimension {axis}", dimension=axis
            )


def _check_within(source: TensorType, target: TensorType) -> None:
    for axis, (a, b) in enumerate(zip(source.shape or (), target.shape or ())):
        small, large = const_value(a), const_value(b)
        if small is not None and large is not None and small > large:
            reason = f"dimension {axis} of the source is larger"
            left, right = describe_type(source), describe_type(target)
            raise OpFault(faults.SHAPE_MISMATCH, "src", left=left, right=right, reason=reason, dimension=axis)


def scatter_mask(call: OpCall) -> OpResult:
    """Place the columns of each row where a pattern says."""
    source, target = plain_tensor(call, "input"), plain_tensor(call, "dst")
    for name, type_ in (("input", source), ("dst", target)):
        if type_ is not None:
            require_dtype(name, type_.dtype, SCATTERABLE)
    if source is not None and target is not None:
        require_same_dtype("dst", target.dtype, "input", source.dtype)
    require_rank("input", source, 2)
    require_rank("dst", target, 2)
    pattern = mask_pattern(call)
    if source is not None and target is not None and pattern is not None:
        _check_spread(source, target, pattern)
    return OpResult(TensorType(target.dtype, target.shape) if target else TensorType(None, None), "tensor.scatter_mask")


def _check_spread(source: TensorType, target: TensorType, pattern: int) -> None:
    if source.shape is None or target.shape is None:
        return
    own, wide = const_value(source.shape[1]), const_value(target.shape[1])
    if own is not None and wide is not None and wide != own * mask_stride(pattern):
        reason = f"must have {own * mask_stride(pattern)} columns for mask pattern {pattern}"
        raise OpFault(faults.WRONG_VALUE, "dst", reason=reason, got=str(wide))


def _scatter_update(call: OpCall) -> OpResult:
    target = plain_tensor(call, "input")
    operands = _update_operands(call)
    bound = OpCall(call.operator, call.path, {"input": call.args["input"], **operands}, call.span, call.context)
    index, source = plain_tensor(bound, "index"), plain_tensor(bound, "src")
    dim = constant_integer(bound, "dim")
    if dim is not None and dim != -2:
        raise OpFault(faults.WRONG_VALUE, None, parameter="dim", reason="must be -2", got=str(dim))
    if target is not None and target.shape is not None and len(target.shape) not in (2, 4):
        raise OpFault(faults.WRONG_RANK, "input", expected="rank 2 or 4", got=f"rank {len(target.shape)}")
    require_rank("index", index, 2)
    if index is not None and index.dtype is not None and not index.dtype.is_int:
        raise OpFault(faults.WRONG_DTYPE, "index", expected="an integer type", got=index.dtype.name)
    if target is not None and target.shape is not None:
        require_rank("src", source, len(target.shape))
    if source is not None and target is not None:
        require_same_dtype("src", source.dtype, "input", target.dtype)
    args = tuple((name, bound.args[name].expr) for name in ("input", "index", "src"))
    result = TensorType(target.dtype, target.shape) if target else TensorType(None, None)
    return OpResult(result, "tensor.scatter_update", args=args, kwargs={"dim": -2})


def _update_operands(call: OpCall) -> dict[str, Any]:
    """``dim``, ``index`` and ``src`` in any of the call's three forms: all by position, dim by keyword, or dim alone by
    position."""
    named = {name: call.args[name] for name in ("dim", "index", "src") if is_given(call, name)}
    rest = call.rest
    if len(rest) == 3 and not named:
        return dict(zip(("dim", "index", "src"), rest, strict=True))
    if len(rest) == 2 and set(named) == {"dim"}:
        return {**named, "index": rest[0], "src": rest[1]}
    if len(rest) == 1 and set(named) == {"index", "src"}:
        return {**named, "dim": rest[0]}
    if not rest and len(named) == 3:
        return named
    raise _conflict("dim, index and src are needed, as in pl.scatter_update(x, dim, index, src)")


# --- sorting -------------------------------------------------------------------------------------------------------


def _sort32(call: OpCall) -> OpResult:
    source, index = plain_tensor(call, "src"), plain_tensor(call, "idx")
    if source is not None:
        require_dtype("src", source.dtype, SORTABLE)
    require_min_rank("src", source, 1)
    if index is not None:
        require_dtype("idx", index.dtype, (UINT32,))
    if source is None or source.shape is None:
        return OpResult(TensorType(source.dtype if source else None, None), "tensor.sort32")
    last = const_value(source.shape[-1])
    if last is not None and (last <= 0 or last % 32):
        raise OpFault(faults.WRONG_VALUE, "src", reason="must end in a positive multiple of 32", got=str(last))
    if index is not None:
        regions.same_shape(source, index, "idx")
    doubled: Dim = last * 2 if last is not None else arith.make("*", source.shape[-1], 2)
    return OpResult(TensorType(source.dtype, (*source.shape[:-1], doubled)), "tensor.sort32")


_SOURCES = ("src0", "src1", "src2", "src3")


def _mrgsort(call: OpCall) -> OpResult:
    """Merge the runs of one list (``block_len``), or two to four sorted lists."""
    extra = _first_given(call, _SOURCES[1:])
    exhausted = attribute(call, "exhausted", False)
    if is_given(call, "block_len"):
        if extra or (exhausted is not MISSING and exhausted):
            raise _conflict("block_len goes with one source only", extra or "exhausted")
        return merge_runs(call)
    if not is_given(call, "src1"):
        raise _conflict("block_len, or a second source, is needed")
    if is_given(call, "src3") and not is_given(call, "src2"):
        raise _conflict("src2 is needed with src3", "src3")
    flag(call, "exhausted")
    return _merge_lists(call, [name for name in _SOURCES if is_given(call, name)])


def merge_runs(call: OpCall) -> OpResult:
    """Format 1: sorted runs of ``block_len`` elements are merged."""
    source = plain_tensor(call, "src0")
    if source is not None:
        require_dtype("src0", source.dtype, SORTABLE)
    check_block_length(call)
    result = TensorType(source.dtype, source.shape) if source else TensorType(None, None)
    return OpResult(result, "tensor.mrgsort_format1")


def check_block_length(call: OpCall) -> None:
    """A run length is an integer scalar; a constant one a positive multiple of 64."""
    arg = call.args["block_len"]
    value = arg.python if arg.python is not MISSING else None
    if arg.python is not MISSING and not isinstance(value, int):
        raise OpFault(faults.WRONG_KIND, "block_len", expected="an integer", got=describe(arg))
    if isinstance(arg.expr, ConstInt):
        value = arg.expr.value
    elif arg.python is MISSING:
        _require_integer_scalar(call, "block_len")
    if isinstance(value, int) and (value <= 0 or value % 64):
        raise OpFault(faults.WRONG_VALUE, "block_len", reason="must be a positive multiple of 64", got=str(value))


def _require_integer_scalar(call: OpCall, name: str) -> None:
    arg = call.args[name]
    if is_unknown(arg):
        return
    dtype = arg.type.dtype if isinstance(arg.type, ScalarType) else None
    scalar = isinstance(arg.type, ScalarType) and not isinstance(arg.expr, ConstFloat)
    if not scalar or (dtype is not None and not dtype.is_int):
        raise OpFault(faults.WRONG_KIND, name, expected="an integer scalar", got=describe(arg))


def _merge_lists(call: OpCall, names: Sequence[str]) -> OpResult:
    types = [plain_tensor(call, name) for name in names]
    if types[0] is not None:
        require_dtype(names[0], types[0].dtype, SORTABLE)
    require_min_rank(names[0], types[0], 1)
    known = [t for t in types if t is not None and t.shape is not None]
    for name, type_ in zip(names[1:], types[1:], strict=True):
        if type_ is not None and types[0] is not None:
            require_same_dtype(name, type_.dtype, names[0], types[0].dtype)
            _check_mergeable(types[0], type_, name)
    if len(known) < len(names):
        return OpResult(TensorType(types[0].dtype if types[0] else None, None), "tensor.mrgsort_format2")
    return OpResult(TensorType(known[0].dtype, merged_shape([t.shape or () for t in known])), "tensor.mrgsort_format2")


def _check_mergeable(first: TensorType, other: TensorType, name: str) -> None:
    if first.shape is None or other.shape is None:
        return
    require_rank(name, other, len(first.shape))
    head = TensorType(first.dtype, first.shape[:-1]), TensorType(other.dtype, other.shape[:-1])
    regions.same_shape(head[0], head[1], name, why="only the last dimensions may differ")


def merged_shape(shapes: Sequence[Dims]) -> Dims:
    """The shape of merged lists: the last extents added up."""
    lasts = [shape[-1] for shape in shapes]
    values = [const_value(d) for d in lasts]
    total: Dim = lasts[0]
    if all(v is not None for v in values):
        total = sum(v for v in values if v is not None)
    else:
        for last in lasts[1:]:
            total = arith.make("+", total, last)
    return (*shapes[0][:-1], total)


def _mrgsort_format2(call: OpCall) -> OpResult:
    """The printed form: two to four sources by position."""
    if not 2 <= len(call.rest) <= 4:
        raise _conflict("two to four sources are needed")
    flag(call, "exhausted")
    names = _SOURCES[: len(call.rest)]
    bound = OpCall(call.operator, call.path, dict(zip(names, call.rest, strict=True)), call.span, call.context)
    result = _merge_lists(bound, names)
    return OpResult(result.type, result.ir_op, args=tuple((n, bound.args[n].expr) for n in names))


# --- paged gather --------------------------------------------------------------------------------------------------


def _paged_gather(call: OpCall) -> OpResult:
    source = plain_tensor(call, "src")
    if source is not None:
        require_dtype("src", source.dtype, PAGED)
    require_rank("src", source, 2)
    for name in ("indices", "block_table"):
        _check_page_table(call, name)
    sizes = {name: _positive(call, name) for name in ("block_size", "size", "max_indices")}
    offset = integer(call, "col_off", 0)
    if offset is not None and offset < 0:
        raise OpFault(faults.WRONG_VALUE, "col_off", reason="must not be negative", got=str(offset))
    transposed = flag(call, "is_trans")
    flag(call, "is_b_matrix")
    space = member(call, "space", "MemorySpace", "Mat")
    if transposed and space not in (None, "Mat"):
        raise OpFault(faults.WRONG_MEMORY, "space", expected="Mat when is_trans is set", got=str(space))
    size, rows = sizes["size"], sizes["max_indices"]
    _check_columns(source, offset, size)
    dtype = source.dtype if source else None
    if size is None or rows is None or transposed is None:
        return OpResult(TensorType(dtype, None), "tensor.paged_gather")
    return OpResult(TensorType(dtype, (size, rows) if transposed else (rows, size)), "tensor.paged_gather")


def _check_page_table(call: OpCall, name: str) -> None:
    type_ = plain_tensor(call, name)
    if type_ is None:
        return
    require_dtype(name, type_.dtype, (INT32,))
    if type_.shape is None:
        return
    if len(type_.shape) not in (1, 2):
        raise OpFault(faults.WRONG_RANK, name, expected="rank 1 or 2", got=f"rank {len(type_.shape)}")
    if len(type_.shape) == 2 and const_value(type_.shape[0]) != 1 and is_exact(type_.shape[0]):
        raise OpFault(faults.WRONG_VALUE, name, reason="must be a single row", got=describe_type(type_))


def _positive(call: OpCall, name: str) -> int | None:
    value = integer(call, name)
    if value is not None and value <= 0:
        raise OpFault(faults.WRONG_VALUE, name, reason="must be positive", got=str(value))
    return value


def _check_columns(source: TensorType | None, offset: int | None, size: int | None) -> None:
    if source is None or source.shape is None or offset is None or size is None:
        return
    cols = const_value(source.shape[1])
    if cols is not None and offset + size > cols:
        reason = f"columns {offset} to {offset + size} are beyond the source's {cols}"
        raise OpFault(faults.OUT_OF_BOUNDS, "size", dimension=1, reason=reason)


def _gather_row(call: OpCall) -> OpResult:
    target, source = plain_tensor(call, "acc"), plain_tensor(call, "src")
    if target is not None and source is not None:
        require_same_dtype("src", source.dtype, "acc", target.dtype)
    check_row_window(call)
    return OpResult(target or TensorType(None, None), "tensor.gather_row")


def check_row_window(call: OpCall) -> None:
    """What gather_row asks of its extents: a constant window, and a valid shape of its rank that lies in it."""
    for name in ("dst_offset", "src_offset"):
        extents(call, name)
    window = extents(call, "shapes")
    transposed = flag(call, "transpose")
    for index, dim in enumerate(window or ()):
        if const_value(dim) is None and is_exact(dim):
            raise OpFault(faults.NOT_CONSTANT, "shapes", index=index, got=show(dim))
    if not is_given(call, "valid_shape"):
        return
    valid = extents(call, "valid_shape")
    if valid is None or window is None:
        return
    if len(valid) != len(window):
        raise OpFault(faults.WRONG_RANK, "valid_shape", expected=f"{len(window)} extents", got=str(len(valid)))
    for index, (part, extent) in enumerate(zip(valid, window, strict=True)):
        _check_row_part(part, extent, index, transposed)


def _check_row_part(part: Dim, extent: Dim, index: int, transposed: bool | None) -> None:
    dtype = arith.dtype_of(part)
    if dtype is not None and dtype.is_float:
        raise OpFault(faults.NOT_AN_EXTENT, "valid_shape", index=index, expected="an integer", got=dtype.name)
    if transposed and const_value(part) is None and is_exact(part):
        raise OpFault(faults.NOT_CONSTANT, "valid_shape", index=index, got=show(part))
    if prove_le(0, part) is False or prove_le(part, extent) is False:
        reason = f"{show(part)} does not lie in 0..{show(extent)}"
        raise OpFault(faults.VALID_REGION, "valid_shape", index=index, reason=reason)


# --- declarations --------------------------------------------------------------------------------------------------

_MASK = optional("mask_pattern", "int | None", keyword_only=True, attribute=True)
_DTYPE_OR_NONE = "DataType | None"
_EXHAUSTED = flag_param("exhausted", keyword_only=True)
_REST = Param("args", "Tensor", required=False, kind="var_positional")

OPERATORS = (
    Operator(
        "gather", ("pl.tensor.gather", "pl.gather"),
        (
            needed("input"), optional("dim", "int | None"), optional("index", "Tensor | None"), _MASK,
            optional("output_dtype", _DTYPE_OR_NONE, keyword_only=True, attribute=True),
            optional("kvalue", "int | Scalar | None", keyword_only=True),
            optional("cmp_mode", "str | int | None", keyword_only=True, attribute=True, allowed=COMPARISONS),
            optional("out_cols", "int | None", keyword_only=True, attribute=True),
            optional("offset", "int", "0", keyword_only=True, attribute=True),
            optional("count_dtype", _DTYPE_OR_NONE, keyword_only=True, attribute=True),
        ),
        _gather, "Gather elements by index (dim, index), by mask pattern, or those that compare with a threshold.",
        "Tensor | tuple[Tensor, Tensor]", Lane.VECTOR, reads=("input", "index"), usage=155,
    ),
    Operator(
        "gather_mask", ("pl.tensor.gather_mask",),
        (
            needed("input"), needed("mask_pattern", "int", attribute=True),
            optional("output_dtype", _DTYPE_OR_NONE, attribute=True),
        ),
        gather_mask, "Select columns of each row by a mask pattern.", "Tensor", Lane.VECTOR, reads=("input",), printed_only=True,
    ),
    Operator(
        "gather_compare", ("pl.tensor.gather_compare",),
        (
            needed("input"), needed("kvalue", "Scalar"), needed("cmp_mode", "str | int", attribute=True, keyword_only=True),
            optional("offset", "int", "0", keyword_only=True, attribute=True),
            needed("out_cols", "int", attribute=True, keyword_only=True),
            optional("count_dtype", _DTYPE_OR_NONE, keyword_only=True, attribute=True),
        ),
        _gather_compare, "The positions in each row that compare with a threshold, and their number per row.",
        "tuple[Tensor, Tensor]", Lane.VECTOR, reads=("input",), printed_only=True,
    ),
    Operator(
        "scatter", ("pl.tensor.scatter", "pl.scatter"),
        (
            needed("input"), optional("dim", "int | None", attribute=True), optional("index", "Tensor | None"),
            optional("src", "Tensor | None"), _MASK, optional("dst", "Tensor | None", keyword_only=True),
        ),
        _scatter, "Place elements by index (dim, index, src) or by mask pattern (mask_pattern, dst).", "Tensor", Lane.VECTOR,
        reads=("input", "index", "src"), usage=2,
    ),
    Operator(
        "scatter_mask", ("pl.tensor.scatter_mask",),
        (needed("input"), needed("dst"), needed("mask_pattern", "int", attribute=True)), scatter_mask,
        "Place the columns of each row where a mask pattern says.", "Tensor", Lane.VECTOR, reads=("input", "dst"), printed_only=True,
    ),
    Operator(
        "scatter_update", ("pl.tensor.scatter_update",),
        (
            needed("input"), _REST, optional("dim", "int", keyword_only=True), optional("index", "Tensor", keyword_only=True),
            optional("src", "Tensor", keyword_only=True),
        ),
        _scatter_update, "Replace the rows of a tensor that an index matrix names.", "Tensor", Lane.VECTOR,
        reads=("input", "index", "src"), writes=("input",),
    ),
    Operator(
        "sort32", ("pl.tensor.sort32",), (needed("src"), needed("idx")), _sort32,
        "Sort blocks of 32 values with their indices; values and indices alternate in the result.", "Tensor", Lane.VECTOR,
        reads=("src", "idx"), usage=1,
    ),
    Operator(
        "mrgsort", ("pl.tensor.mrgsort",),
        (
            needed("src0"), *(optional(name, "Tensor | None") for name in _SOURCES[1:]), _EXHAUSTED,
            optional("block_len", "int | Scalar | None", keyword_only=True),
        ),
        _mrgsort, "Merge the sorted runs of one tensor (block_len), or two to four sorted tensors.", "Tensor", Lane.VECTOR,
        reads=_SOURCES, usage=4,
    ),
    Operator(
        "mrgsort_format1", ("pl.tensor.mrgsort_format1",), (needed("src0"), needed("block_len", "int | Scalar")), merge_runs,
        "Merge the sorted runs of one tensor.", "Tensor", Lane.VECTOR, reads=("src0",), printed_only=True,
    ),
    Operator(
        "mrgsort_format2", ("pl.tensor.mrgsort_format2",), (_REST, _EXHAUSTED), _mrgsort_format2,
        "Merge two to four sorted tensors.", "Tensor", Lane.VECTOR, reads=("args",), printed_only=True,
    ),
    Operator(
        "paged_gather", ("pl.tensor.paged_gather", "pl.paged_gather"),
        (
            needed("src"), needed("indices"), needed("block_table"), needed("block_size", "int", attribute=True),
            needed("size", "int", attribute=True), needed("max_indices", "int", attribute=True),
            optional(
                "space", "MemorySpace", "MemorySpace.Mat", keyword_only=True, attribute=True, allowed=ENUMS["MemorySpace"],
            ),
            optional("col_off", "int", "0", keyword_only=True, attribute=True), flag_param("is_trans", keyword_only=True),
            flag_param("is_b_matrix", keyword_only=True),
        ),
        _paged_gather, "Gather rows of a paged pool through a block table into on-chip memory.", "Tensor",
        reads=("src", "indices", "block_table"),
    ),
    Operator(
        "gather_row", ("pl.tensor.gather_row",),
        (
            needed("acc"), needed("src"), needed("dst_offset", EXTENTS), needed("src_offset", EXTENTS),
            needed("shapes", EXTENTS), flag_param("transpose"), optional("valid_shape", f"{EXTENTS} | None", keyword_only=True),
        ),
        _gather_row, "Copy one row of global memory into a place of an on-chip accumulator.", "Tensor",
        reads=("src",), writes=("acc",),
    ),
)  # fmt: skip
