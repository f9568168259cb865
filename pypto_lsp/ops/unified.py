"""Operators of the ``pl`` namespace that take tensors and tiles alike, and those on scalars.

A unified operator looks at its first operand and hands the call to the operator of that kind, argument by argument in the
order of the parameters. What only one kind accepts is refused for the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pypto_lsp.ops as operators
from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.dtypes import FP32, INDEX, DType
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.nodes import ConstFloat, ConstInt, ErrorExpr, Expr, MakeTuple, OpaqueInt, Unary
from pypto_lsp.ir.types import TENSORS, UNDETERMINED, ScalarType, TileType
from pypto_lsp.ops import scalar_arith
from pypto_lsp.ops.declare import EXTENTS, SCALAR, flag_param, needed, optional
from pypto_lsp.ops.operands import describe, dtype_argument, is_scalar, is_unknown, loose_flag
from pypto_lsp.ops.registry import MISSING, Arg, OpCall, Operator, OpFault, OpResult, Param
from pypto_lsp.ops.tensor_elementwise import CAST_MODES, cast_mode

# --- the kind of an argument ---------------------------------------------------------------------------------------


def kind_of(arg: Arg | None) -> str | None:
    """``tensor``, ``tile``, ``scalar``, ``other``; None when it cannot be told."""
    if arg is None:
        return "other"
    if arg.python is not MISSING:
        return "scalar" if is_scalar(arg) else "other"
    if isinstance(arg.expr, ErrorExpr):
        return None
    if isinstance(arg.expr, MakeTuple):
        return "other"
    if isinstance(arg.expr, OpaqueInt):
        return "scalar" if isinstance(arg.type, ScalarType) else None
    if is_unknown(arg):
        return None
    if isinstance(arg.type, TENSORS):
        return "tensor"
    if isinstance(arg.type, TileType):
        return "tile"
    return "scalar" if isinstance(arg.type, ScalarType) else "other"


def _further_kind(arg: Arg | None) -> str | None:
    """The kind of a further operand, where a constant we cannot compute can only be a number."""
    return "scalar" if arg is not None and isinstance(arg.expr, OpaqueInt) else kind_of(arg)


# --- handing a call on ---------------------------------------------------------------------------------------------


def hand_on(call: OpCall, path: str, *, leave_out: tuple[str, ...] = ()) -> OpResult:
    """Run the rule of another operator on this call; its faults name this operator's parameters.

    Gives an undetermined result where that operator is not known.
    """
    target = operators.REGISTRY.get(path)
    if target is None:
        return OpResult(UNDETERMINED, path.removeprefix("pl."))
    names = _pairs(call.operator, target)
    args = {names[name]: arg for name, arg in call.args.items() if name in names and name not in leave_out}
    bound = OpCall(target, call.path, args, call.span, call.context, call.rest)
    try:
        return target.rule(bound)
    except OpFault as fault:
        back = {theirs: own for own, theirs in names.items()}
        if fault.param is not None:
            fault.param = back.get(fault.param, fault.param)
        raise


def _pairs(own: Operator, target: Operator) -> dict[str, str]:
    """This operator's parameters with those of the target: by name where both have it, else by position."""
    theirs = {p.name for p in target.params}
    pairs: dict[str, str] = {}
    for index, param in enumerate(own.params):
        if param.name in theirs:
            pairs[param.name] = param.name
        elif index < len(target.params) and own.param(target.params[index].name) is None:
            pairs[param.name] = target.params[index].name
    return pairs


@dataclass(frozen=True, slots=True)
class Unified:
    """Hands a call to ``tensor`` or ``tile`` by the kind of its first ``level`` operands, which must all be of one kind.

    ``tile_scalar`` is the tile operator for a scalar second operand; ``scalars`` computes scalars alone; ``tensor_scalar``
    allows a scalar beside a tensor. ``tensor_only`` and ``tile_only`` name parameters that the other kind refuses unless they
    are left at their default; ``tile_needs`` one that a tile must be given. ``check`` runs before a tile's operator.
    """

    tensor: str
    tile: str
    level: int = 1
    tile_scalar: str = ""
    tensor_scalar: bool = False
    scalars: Callable[[OpCall], OpResult] | None = None
    tensor_only: tuple[str, ...] = ()
    tile_only: tuple[str, ...] = ()
    tile_needs: str = ""
    finish: Callable[[OpCall, OpResult], OpResult] | None = field(default=None)
    #: mixing tensors and tiles is a fault of the whole call (another operator is meant)
    whole: bool = False

    def __call__(self, call: OpCall) -> OpResult:
        names = [p.name for p in call.operator.params[: self.level]]
        kinds = [kind_of(call.get(names[0])), *(_further_kind(call.get(name)) for name in names[1:])]
        if None in kinds and "other" not in kinds:
            return self._partly_known(call, names, kinds)
        if kinds[0] == "tensor" and self.tensor and self._together(kinds, self.tensor_scalar):
            return self._tensor(call)
        if kinds[0] == "tile" and self.tile and self._together(kinds, bool(self.tile_scalar)):
            return self._tile(call, kinds[-1])
        if self.scalars is not None and all(kind == "scalar" for kind in kinds):
            return self.scalars(call)
        raise self._mismatch(call, names, kinds)

    def _together(self, kinds: list[str | None], scalar: bool) -> bool:
        return all(kind == kinds[0] or (scalar and kind == "scalar") for kind in kinds[1:])

    def _partly_known(self, call: OpCall, names: list[str], kinds: list[str | None]) -> OpResult:
        """One operand is not known: its kind decides, or the other's."""
        known = {kind for kind in kinds if kind is not None}
        path = self.tensor if known <= {"tensor", "scalar"} else self.tile
        if kinds[0] == "tensor" and known == {"tensor"} and self.tensor:
            return hand_on(call, self.tensor)
        return OpResult(UNDETERMINED, (path or self.tile or self.tensor).removeprefix("pl."))

    def _mismatch(self, call: OpCall, names: list[str], kinds: list[str | None]) -> OpFault:
        mixed = {"tensor", "tile"} <= set(kinds)
        place = 0 if kinds[0] not in ("tensor", "tile") or len(kinds) == 1 else _odd_one(kinds)
        if mixed:
            return self._mixture(call, names, kinds)
        forms = [word for word, path in (("a Tensor", self.tensor), ("a Tile", self.tile)) if path]
        if place > 0:
            forms = [{"tensor": "a Tensor", "tile": "a Tile"}.get(kinds[0] or "", "of the same kind")]
            if (kinds[0] == "tensor" and self.tensor_scalar) or (kinds[0] == "tile" and self.tile_scalar):
                forms.append("a scalar")
        elif self.scalars is not None:
            forms.append("a scalar")
        name = names[place]
        swapped = names[1] if kinds[0] == "scalar" and len(kinds) == 2 and kinds[1] in ("tensor", "tile") else None
        return OpFault(
            faults.WRONG_KIND, name, until=swapped, expected=" or ".join(forms), got=describe(call.args[name])
        )

    def _mixture(self, call: OpCall, names: list[str], kinds: list[str | None]) -> OpFault:
        """A tensor among tiles: it is the one that has to be loaded; the whole call where another operator is meant."""
        name = names[kinds.index("tensor")]
        got = describe(call.args[name])
        return OpFault(
            faults.WRONG_KIND, None if self.whole else name, parameter=name, expected="a Tile as the others", got=got
        )

    def _tensor(self, call: OpCall) -> OpResult:
        for name in self.tile_only:
            _refuse(call, name, "is for tiles only")
        return hand_on(call, self.tensor, leave_out=self.tile_only)

    def _tile(self, call: OpCall, last: str | None) -> OpResult:
        for name in self.tensor_only:
            _refuse_truthy(call, name)
        if self.tile_needs and _absent(call, self.tile_needs):
            reason = f"a tile needs '{self.tile_needs}', a scratch tile"
            raise OpFault(faults.CONFLICTING_ARGUMENTS, None, reason=reason)
        path = self.tile_scalar if last == "scalar" and self.tile_scalar else self.tile
        result = hand_on(call, path, leave_out=self.tensor_only)
        return self.finish(call, result) if self.finish is not None else result


def _odd_one(kinds: list[str | None]) -> int:
    return next((i for i, kind in enumerate(kinds) if kind != kinds[0]), 0)


def _absent(call: OpCall, name: str) -> bool:
    arg = call.get(name)
    return arg is None or arg.python is None


def _refuse(call: OpCall, name: str, reason: str) -> None:
    if not _absent(call, name):
        raise OpFault(faults.CONFLICTING_ARGUMENTS, name, reason=f"{name} {reason}")


def _refuse_truthy(call: OpCall, name: str) -> None:
    """Fault a flag for tensors only that is not at its default."""
    arg = call.get(name)
    if arg is None:
        return
    if arg.member is not None:
        given = arg.member.name != "None_"
    else:
        given = bool(loose_flag(call, name))
    if given:
        raise OpFault(faults.CONFLICTING_ARGUMENTS, name, reason=f"{name} is for tensors only")


# --- scalars -------------------------------------------------------------------------------------------------------


def scalar_value(arg: Arg) -> Expr | None:
    """A scalar argument as an expression: a raw Python number becomes an INDEX or FP32 constant, True and False none."""
    value = arg.python
    if value is MISSING:
        return arg.expr
    if isinstance(value, bool):
        return None
    return ConstInt(value, INDEX, arg.span) if isinstance(value, int) else ConstFloat(value, FP32, arg.span)


def scalar_operator(op: str) -> Callable[[OpCall], OpResult]:
    """``pl.add`` and its like on two scalars: the Python operator."""

    def rule(call: OpCall) -> OpResult:
        if "high_precision" in call.args:
            _refuse_truthy(call, "high_precision")
        left, right = (_scalar_or_fault(call, p.name) for p in call.operator.params[:2])
        return _scalar_result(scalar_arith.binary(op, left, right, call.span))

    return rule


def _scalar_or_fault(call: OpCall, name: str) -> Expr:
    value = scalar_value(call.args[name])
    if value is None:
        raise OpFault(faults.WRONG_KIND, name, expected="a number", got=describe(call.args[name]))
    return value


def _scalar_result(outcome: Expr | OpFault) -> OpResult:
    if isinstance(outcome, OpFault):
        reason = outcome.kind.template.format(**outcome.facts)
        raise OpFault(faults.CONFLICTING_ARGUMENTS, None, reason=reason, **outcome.facts)
    return OpResult(outcome.type, "", value=outcome)


def _cast_scalar(call: OpCall) -> OpResult:
    mode = cast_mode(call)
    if mode not in (None, CAST_MODES.index("round")):
        raise OpFault(faults.CONFLICTING_ARGUMENTS, "mode", reason="a scalar is cast with the mode 'round' only")
    target = dtype_argument(call, "target_type")
    operand = _scalar_or_fault(call, "input")
    return OpResult(ScalarType(target), "", value=Unary("cast", operand, ScalarType(target), call.span))


# --- declarations --------------------------------------------------------------------------------------------------

_SHAPED = "Tensor | Tile"
_ANY = f"Tensor | Tile | {SCALAR}"


def _operator(
    name: str,
    doc: str,
    params: tuple[Param, ...],
    usage: int = 0,
    *,
    returns: str = _SHAPED,
    lane: Lane | None = Lane.VECTOR,
    writes: tuple[str, ...] = (),
    paths: tuple[str, str] | None = None,
    **how: Any,
) -> Operator:
    tensor, tile = paths or (f"pl.tensor.{name}", f"pl.tile.{name}")
    reads = tuple(p.name for p in params if ("Tensor" in p.type or "Tile" in p.type) and p.name not in writes)
    rule = Unified(tensor, tile, **how)
    only = (*rule.tensor_only, *(p.name for p in params if p.name == "out_dtype"))
    return Operator(
        name,
        (f"pl.{name}",),
        params,
        rule,
        doc,
        returns,
        lane,
        reads=reads,
        writes=writes,
        usage=usage,
        tensor_only=only,
    )


def _two(name: str, doc: str, usage: int, scalar: str = "", *extra: Param, **how: Any) -> Operator:
    """Two operands, the second perhaps a scalar; ``scalar`` is the tile operator for that."""
    params = (needed("lhs", _ANY if "scalars" in how else _SHAPED), needed("rhs", _ANY), *extra)
    return _operator(name, doc, params, usage, level=2, tile_scalar=scalar, tensor_scalar=True, **how)


def _pair(name: str, doc: str, usage: int = 0, *extra: Param, **how: Any) -> Operator:
    """Two operands of one kind."""
    return _operator(name, doc, (needed("lhs", _SHAPED), needed("rhs", _SHAPED), *extra), usage, level=2, **how)


def _one(name: str, doc: str, usage: int = 0, *extra: Param, **how: Any) -> Operator:
    return _operator(name, doc, (needed("input", _SHAPED), *extra), usage, **how)


def _reduce(name: str, doc: str, usage: int, *, needs_scratch: bool = True) -> Operator:
    scratch = optional("tmp_tile", "Tile | None")
    return _one(name, doc, usage, scratch, tile_only=("tmp_tile",), tile_needs="tmp_tile" if needs_scratch else "")


_ARITHMETIC = (
    _two("add", "Element-wise addition.", 860, "pl.tile.adds", scalars=scalar_operator("+")),
    _two("sub", "Element-wise subtraction.", 331, "pl.tile.subs", scalars=scalar_operator("-")),
    _two("mul", "Element-wise multiplication.", 929, "pl.tile.muls", scalars=scalar_operator("*")),
    _two(
        "div", "Element-wise division.", 105, "pl.tile.divs", flag_param("high_precision"), scalars=scalar_operator("/"),
    ),
    _two("fmod", "Element-wise floating-point remainder.", 0, "pl.tile.fmods"),
    _two("maximum", "Element-wise larger value.", 190, "pl.tile.maximums"),
    _two("minimum", "Element-wise smaller value.", 56, "pl.tile.minimums"),
    _two("and_", "Element-wise bitwise and.", 0, "pl.tile.ands"),
    _two("or_", "Element-wise bitwise or.", 0, "pl.tile.ors"),
    _two("shl", "Element-wise shift to the left.", 0, "pl.tile.shls"),
    _two("shr", "Element-wise shift to the right.", 0, "pl.tile.shrs"),
    _two(
        "xor", "Element-wise bitwise exclusive or; a tile needs a scratch tile.", 0, "pl.tile.xors",
        optional("tmp", "Tile | None"), tile_only=("tmp",), tile_needs="tmp",
    ),
    _two(
        "cmp", "Element-wise comparison (0 equal, 1 unequal, 2 less, 3 less or equal, 4 greater, 5 greater or equal).", 34,
        "pl.tile.cmps", optional("cmp_type", "int", "0", attribute=True),
    ),
    *(
        _operator(f"{op}s", f"{doc} a scalar.", (needed("lhs", _SHAPED), needed("rhs", SCALAR)), usage)
        for op, doc, usage in (
            ("fmod", "Element-wise floating-point remainder by", 1), ("and", "Element-wise bitwise and with", 0),
            ("or", "Element-wise bitwise or with", 0), ("shl", "Element-wise shift to the left by", 0),
            ("shr", "Element-wise shift to the right by", 0),
        )
    ),
    _operator(
        "xors", "Element-wise bitwise exclusive or with a scalar; a tile needs a scratch tile.",
        (needed("lhs", _SHAPED), needed("rhs", SCALAR), optional("tmp", "Tile | None")), tile_only=("tmp",), tile_needs="tmp",
    ),
    *(
        _pair(f"part_{op}", f"Partial element-wise {doc}: where only one operand is valid, it is taken.")
        for op, doc in (("add", "addition"), ("mul", "multiplication"), ("max", "maximum"), ("min", "minimum"))
    ),
)  # fmt: skip

_FUNCTIONS = (
    _one("exp", "Element-wise exponential.", 226),
    _one("log", "Element-wise natural logarithm.", 3, flag_param("high_precision")),
    _one("sin", "Element-wise sine of radians, FP32 only."),
    _one("cos", "Element-wise cosine of radians, FP32 only."),
    _one("neg", "Element-wise negation.", 85),
    _one("abs", "Element-wise absolute value.", 26),
    _one("not_", "Element-wise bitwise complement of 16-bit integers."),
    _one("recip", "Element-wise reciprocal.", 140, flag_param("high_precision")),
    _one("sqrt", "Element-wise square root.", 68),
    _one(
        "rsqrt", "Element-wise reciprocal square root.", 41, flag_param("high_precision"), tensor_only=("high_precision",),
    ),
    _operator(
        "cast", "Convert the element type of a tensor, tile or scalar.",
        (
            needed("input", "Tensor | Tile | Scalar"), needed("target_type", "DataType", attribute=True),
            optional("mode", "str | int", "'round'", attribute=True, allowed=CAST_MODES),
        ),
        2064, returns="Tensor | Tile | Scalar", scalars=_cast_scalar,
    ),
)  # fmt: skip

_REDUCTIONS = (
    _reduce("row_sum", "The sum of each row; a tile needs a scratch tile.", 228),
    _reduce("row_max", "The maximum of each row; a tile needs a scratch tile.", 119),
    _reduce("row_min", "The minimum of each row; a tile needs a scratch tile.", 2),
    _reduce("row_prod", "The product of each row; a tile needs a scratch tile.", 0),
    _reduce("row_argmax", "The position of the maximum of each row, as INT32; a tile needs a scratch tile.", 2),
    _reduce("row_argmin", "The position of the minimum of each row, as INT32; a tile needs a scratch tile.", 0),
    _reduce("col_sum", "The sum of each column.", 6, needs_scratch=False),
    _one("col_max", "The maximum of each column.", 5),
    _one("col_min", "The minimum of each column."),
    _one("col_prod", "The product of each column."),
    _reduce("col_argmax", "The position of the maximum of each column, as INT32; a tile needs a scratch tile.", 0),
    _reduce("col_argmin", "The position of the minimum of each column, as INT32; a tile needs a scratch tile.", 0),
)

_SPREADS = (
    ("", "", 3, 58), ("_mul", " and multiply", 355, 386), ("_div", " and divide", 99, 0), ("_sub", " and subtract", 72, 0),
    ("_max", " and take the larger", 0, 0), ("_min", " and take the smaller", 0, 0),
    ("_expdif", " and take exp of the difference", 0, 3),
)  # fmt: skip

_EXPANSIONS = (
    *(
        _pair(f"row_expand{s}", f"Spread a [M, 1] vector over the columns{doc}.", usage)
        for s, doc, usage, _ in _SPREADS
    ),
    *(_pair(f"col_expand{s}", f"Spread a [1, N] vector over the rows{doc}.", usage) for s, doc, _, usage in _SPREADS),
    _pair("col_expand_add", "Spread a [1, N] vector over the rows and add.", 12),
    _pair(
        "row_expand_add",
        "Spread a [M, 1] vector over the columns and add; a tile may be given a scratch tile.",
        2,
        optional("tmp", "Tile | None"),
        tile_only=("tmp",),
    ),
    _operator(
        "expands",
        "Fill a value of the target's shape with a scalar.",
        (needed("target", _SHAPED), needed("scalar", SCALAR)),
    ),
)

_TRANSPOSES = (flag_param("a_trans"), flag_param("b_trans"))


def _check_out_dtype(call: OpCall, result: OpResult) -> OpResult:
    """A tile product has the accumulator's element type; another out_dtype is refused."""
    arg = call.get("out_dtype")
    if arg is None or arg.static is None:
        return result
    own = result.type.dtype if isinstance(result.type, TileType) else None
    if own is not None and arg.static is not own and arg.static is not MISSING:
        got = arg.static.name if isinstance(arg.static, DType) else str(arg.static)
        raise OpFault(faults.WRONG_DTYPE, "out_dtype", expected=f"{own.name} for tiles", got=got)
    return result


_SHAPES = (
    _operator(
        "slice", "Take a window at a possibly dynamic offset.",
        (
            needed("input", _SHAPED), needed("shape", EXTENTS), needed("offset", EXTENTS),
            optional("valid_shape", f"{EXTENTS} | None"), optional("drop_dims", "Sequence[int] | None"),
            optional("pad_value", "PadValue | int | float | None", allowed=("zero", "max", "min")), flag_param("clamp"),
        ),
        1963, lane=None, tensor_only=("clamp",),
    ),
    _one("reshape", "See the same elements in another shape.", 1100, needed("shape", EXTENTS), lane=None),
    _operator(
        "reinterpret_view", "See the same bytes as another element type.",
        (
            needed("data", _SHAPED), needed("dtype", "DataType", attribute=True),
            optional("shape", f"{EXTENTS} | None", keyword_only=True),
        ),
        lane=None,
    ),
    _one("transpose", "Exchange two axes.", 23, needed("axis1", "int"), needed("axis2", "int"), lane=None),
    _operator(
        "concat", "Join two matrices side by side.", (needed("src0", _SHAPED), needed("src1", _SHAPED)), 26, level=2,
    ),
    _one(
        "set_validshape", "State which part holds real data.", 148, needed("valid_rows", "int | Scalar"),
        needed("valid_cols", "int | Scalar"), lane=None,
    ),
    _operator(
        "fillpad", "Fill what lies outside the valid region with a padding value.",
        (
            needed("value", _SHAPED),
            optional("pad_value", "PadValue | int | float", "PadValue.zero", allowed=("zero", "max", "min")),
        ),
        92,
    ),
    _operator(
        "fillpad_expand", "Copy into the corner of a larger value and fill the rest.",
        (
            needed("value", _SHAPED), needed("shape", EXTENTS),
            optional("pad_value", "PadValue | int | float", "PadValue.zero", allowed=("zero", "max", "min")),
        ),
    ),
    _operator(
        "assemble", "Write a value into a window of another.",
        (
            needed("target", _SHAPED), needed("source", _SHAPED), needed("offset", EXTENTS),
            optional("atomic", "AtomicType", "AtomicType.None_", keyword_only=True, attribute=True, allowed=("None_", "Add")),
        ),
        502, level=2, lane=None, writes=("target",), tensor_only=("atomic",), whole=True,
    ),
    _operator(
        "read", "Read one element.", (needed("src", _SHAPED), needed("offset", EXTENTS)), 775, returns="Scalar", lane=None,
    ),
    _operator(
        "write", "Write one element.", (needed("dst", _SHAPED), needed("offset", EXTENTS), needed("value", "Scalar")), 279,
        lane=None, writes=("dst",),
    ),
)  # fmt: skip

_PRODUCTS = (
    _pair(
        "matmul", "Matrix product.", 350, optional("out_dtype", "DataType | None", attribute=True), *_TRANSPOSES,
        flag_param("c_matrix_nz"), tensor_only=("a_trans", "b_trans", "c_matrix_nz"), finish=_check_out_dtype, lane=Lane.CUBE,
    ),
    _operator(
        "matmul_acc", "Add a matrix product to an accumulator, or overwrite it where init_cond holds.",
        (
            needed("acc", _SHAPED), needed("lhs", _SHAPED), needed("rhs", _SHAPED), *_TRANSPOSES,
            optional("init_cond", "bool | Scalar | None"),
        ),
        237, level=3, lane=Lane.CUBE, writes=("acc",), tensor_only=("a_trans", "b_trans"),
    ),
    _pair("batch_matmul", "Batched matrix product of tiles.", 0, paths=("", "pl.tile.batch_matmul"), lane=Lane.CUBE),
)  # fmt: skip

_ORDERS = (
    _operator(
        "gather_row", "Copy one row of global memory into a place of an on-chip accumulator.",
        (
            needed("dst", _SHAPED), needed("src"), needed("dst_offset", EXTENTS), needed("src_offset", EXTENTS),
            needed("shapes", EXTENTS), flag_param("transpose"), optional("valid_shape", f"{EXTENTS} | None", keyword_only=True),
        ),
        15, lane=None, writes=("dst",),
    ),
    _operator(
        "scatter_update", "Replace the rows that an index matrix names.",
        (
            needed("input", _SHAPED), Param("args", _SHAPED, required=False, kind="var_positional"),
            optional("dim", "int", keyword_only=True), optional("index", _SHAPED, keyword_only=True),
            optional("src", _SHAPED, keyword_only=True),
        ),
        writes=("input",),
    ),
    _operator(
        "sort32", "Sort blocks of 32 values with their indices.", (needed("src", _SHAPED), needed("idx", _SHAPED)), 30, level=2,
    ),
    _operator(
        "mrgsort", "Merge sorted runs (block_len) or two to four sorted lists; a tile needs a scratch tile for lists.",
        (
            needed("src0", _SHAPED), *(optional(name, f"{_SHAPED} | None") for name in ("src1", "src2", "src3")),
            optional("tmp", "Tile | None"), flag_param("exhausted", keyword_only=True),
            optional("block_len", "int | Scalar | None", keyword_only=True),
        ),
        62, tile_only=("tmp",),
    ),
)  # fmt: skip

OPERATORS = (
    *_ARITHMETIC, *_FUNCTIONS, *_REDUCTIONS, *_EXPANSIONS, *_SHAPES, *_PRODUCTS, *_ORDERS,
)  # fmt: skip
