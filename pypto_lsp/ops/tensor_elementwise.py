"""Tensor operators that work element by element: arithmetic, comparison, bits, functions of one operand, cast."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.dtypes import BF16, FP16, FP32, INT8, INT16, INT32, UINT16, DType, promote
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.nodes import Expr, OpaqueInt
from pypto_lsp.ir.tile_views import tensor_view
from pypto_lsp.ir.types import TENSORS, TensorType
from pypto_lsp.ops import regions
from pypto_lsp.ops.declare import SCALAR, flag_param, needed, optional
from pypto_lsp.ops.literals import scalar_operand
from pypto_lsp.ops.operands import (
    AnyTensor,
    attribute,
    describe,
    dtype_argument,
    flag,
    integer,
    is_unknown,
    loose_flag,
    require_dtype,
    tensor,
)
from pypto_lsp.ops.registry import MISSING, OpCall, Operator, OpFault, OpResult, Param, Rule

DIVISIBLE = (INT16, INT32, FP16, FP32)
SUBTRACTABLE = (INT8, INT16, INT32, FP16, FP32, BF16)


def fresh(shape: regions.Dims | None, dtype: DType | None, valid: regions.Dims | None = None) -> TensorType:
    """A new tensor: of the operand's view only the valid region lives on."""
    return TensorType(dtype, shape, tensor_view(shape, valid=valid))


# --- two operands --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Binary:
    """How an operator of two tensors, or of a tensor and a scalar, deduces its result.

    ``pair`` and ``single`` are the IR operators of the two forms (empty: the form does not exist). ``keep_dtype`` keeps the
    element type of the left operand; ``same_shape`` allows no broadcasting; ``integers`` asks for integer operands;
    ``pair_dtypes`` and ``scalar_dtypes`` restrict both operands of a form; ``region`` tells for each form whether the valid
    region lives on; ``count`` refuses a negative constant (a shift).
    """

    pair: str
    single: str
    keep_dtype: bool = False
    keep_scalar_dtype: bool = False
    same_shape: bool = False
    integers: bool = False
    pair_dtypes: tuple[DType, ...] = ()
    scalar_dtypes: tuple[DType, ...] = ()
    region: tuple[bool, bool] = (True, True)
    count: bool = False
    precise: bool = False

    def __call__(self, call: OpCall) -> OpResult:
        left = tensor(call, "lhs")
        arg = call.args["rhs"]
        if arg.python is MISSING and isinstance(arg.type, TENSORS) and self.pair:
            return self._pair(call, left, arg.type, arg.expr)
        if self.pair and not isinstance(arg.expr, OpaqueInt) and is_unknown(arg):
            return OpResult(TensorType(None, None), self.pair)
        if not self.single:
            raise OpFault(faults.WRONG_KIND, "rhs", expected="a Tensor", got=describe(arg))
        return self._scalar(call, left)

    def _pair(self, call: OpCall, left: AnyTensor | None, right: AnyTensor, expr: Expr) -> OpResult:
        if left is None:
            return OpResult(TensorType(None, None), self.pair)
        self._check_pair(left, right)
        if self.same_shape:
            regions.same_shape(left, right, "rhs", why="bit operators do not broadcast")
            shape = left.shape
        else:
            shape = regions.broadcast(left, right, "rhs")
        dtype = left.dtype if self.keep_dtype else promote(left.dtype, right.dtype)
        self._check_precision(call, dtype)
        plain = isinstance(left, TensorType) and isinstance(right, TensorType)
        valid = regions.matching_region(left, right) if self.region[0] and plain else None
        return OpResult(fresh(shape, dtype, valid), self.pair, args=(("lhs", call.args["lhs"].expr), ("rhs", expr)))

    def _scalar(self, call: OpCall, left: AnyTensor | None) -> OpResult:
        if self.precise and loose_flag(call, "high_precision"):
            raise OpFault(
                faults.CONFLICTING_ARGUMENTS, "high_precision", reason="high_precision needs a Tensor divisor"
            )
        dtype, expr = scalar_operand(call, "rhs", left.dtype if left else None, integer_fallback=FP32)
        self._check("rhs", dtype, self.scalar_dtypes)
        args = (("lhs", call.args["lhs"].expr), ("rhs", expr or call.args["rhs"].expr))
        if left is None:
            return OpResult(TensorType(None, None), self.single, args=args)
        self._check("lhs", left.dtype, self.scalar_dtypes)
        self._check_count(call)
        keep = self.keep_dtype or self.keep_scalar_dtype
        valid = regions.valid_region(left) if self.region[1] and isinstance(left, TensorType) else None
        result = left.dtype if keep else promote(left.dtype, dtype)
        return OpResult(fresh(left.shape, result, valid), self.single, args=args)

    def _check_pair(self, left: AnyTensor, right: AnyTensor) -> None:
        """Fault the operand of a wrong element type, or both."""
        try:
            self._check("lhs", left.dtype, self.pair_dtypes)
        except OpFault as fault:
            fault.until = "rhs" if right.dtype is left.dtype else None
            raise
        self._check("rhs", right.dtype, self.pair_dtypes)

    def _check(self, name: str, dtype: DType | None, allowed: Collection[DType]) -> None:
        if allowed:
            require_dtype(name, dtype, allowed)
        if self.integers and dtype is not None and not dtype.is_int:
            raise OpFault(faults.WRONG_DTYPE, name, expected="an integer type", got=dtype.name)

    def _check_precision(self, call: OpCall, dtype: DType | None) -> None:
        if self.precise and loose_flag(call, "high_precision") and dtype is not None and not dtype.is_float:
            raise OpFault(faults.WRONG_DTYPE, "high_precision", expected="FP16 or FP32 operands", got=dtype.name)

    def _check_count(self, call: OpCall) -> None:
        value = call.args["rhs"].static
        if self.count and isinstance(value, int) and value < 0:
            raise OpFault(faults.WRONG_VALUE, "rhs", reason="must not be negative (a shift)", got=str(value))


def _compare(call: OpCall) -> OpResult:
    integer(call, "cmp_type", 0)
    return Binary("tensor.cmp", "tensor.cmp", region=(False, False))(call)


# --- one operand ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unary:
    """How an operator of one tensor deduces its result: ``floats`` turns integers into FP32, ``dtypes`` restricts the
    operand; ``precision`` is how the ``high_precision`` flag is read (empty: there is none)."""

    ir_op: str
    floats: bool = False
    dtypes: tuple[DType, ...] = ()
    precision: str = ""
    precise_dtypes: tuple[DType, ...] = ()

    def __call__(self, call: OpCall) -> OpResult:
        source = tensor(call, "input")
        precise = self._precise(call)
        if source is None:
            return OpResult(TensorType(None, None), self.ir_op)
        if self.dtypes:
            require_dtype("input", source.dtype, self.dtypes)
        if precise and self.precise_dtypes:
            require_dtype("input", source.dtype, self.precise_dtypes)
        dtype = source.dtype
        if self.floats and dtype is not None and not dtype.is_float:
            dtype = FP32
        return OpResult(fresh(source.shape, dtype, regions.valid_region(source)), self.ir_op)

    def _precise(self, call: OpCall) -> bool | None:
        if not self.precision:
            return False
        precise = loose_flag(call, "high_precision")
        return flag(call, "high_precision") if precise and self.precision == "strict" else precise


CAST_MODES = ("none", "rint", "round", "floor", "ceil", "trunc", "odd")


def cast_mode(call: OpCall) -> int | None:
    """The rounding mode as its number; None when it cannot be told."""
    value = attribute(call, "mode", "round")
    if value is MISSING:
        return None
    if isinstance(value, str) and value in CAST_MODES:
        return CAST_MODES.index(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(CAST_MODES):
        return int(value)
    raise OpFault(faults.WRONG_MEMBER, "mode", expected=", ".join(CAST_MODES), got=repr(value))


def _cast(call: OpCall) -> OpResult:
    source = tensor(call, "input")
    cast_mode(call)
    target = dtype_argument(call, "target_type")
    if source is None:
        return OpResult(TensorType(target, None), "tensor.cast")
    if target is not None and source.dtype is target:
        raise OpFault(faults.SAME_DTYPE, "target_type", got=target.name)
    return OpResult(fresh(source.shape, target, regions.valid_region(source)), "tensor.cast")


# --- declarations --------------------------------------------------------------------------------------------------

_LHS = needed("lhs")
_RHS = needed("rhs", f"Tensor | {SCALAR}")
_INPUT = (needed("input"),)


def _binary(name: str, doc: str, rule: Rule, *extra: Param, rhs: str = f"Tensor | {SCALAR}") -> Operator:
    params = (_LHS, needed("rhs", rhs), *extra)
    return Operator(name, (f"pl.tensor.{name}",), params, rule, doc, "Tensor", Lane.VECTOR, reads=("lhs", "rhs"))


def _unary(name: str, doc: str, rule: Rule, *extra: Param) -> Operator:
    return Operator(name, (f"pl.tensor.{name}",), (*_INPUT, *extra), rule, doc, "Tensor", Lane.VECTOR, reads=("input",))


def _partial(op: str) -> Binary:
    return Binary(f"tensor.part_{op}", "", region=(False, False))


#: name, IR operator, doc, whether it is a shift, whether the valid region lives on
_BITS = (
    ("and_", "and", "bitwise and", False, True),
    ("or_", "or", "bitwise or", False, True),
    ("xor", "xor", "bitwise exclusive or", False, False),
    ("shl", "shl", "shift to the left", True, True),
    ("shr", "shr", "shift to the right", True, True),
)


def _bit_operators(name: str, ir_op: str, doc: str, shift: bool, region: bool) -> tuple[Operator, Operator]:
    """The operator of two integer tensors or a tensor and a scalar, and the one that takes a scalar only."""
    both = Binary(
        f"tensor.{ir_op}", f"tensor.{ir_op}s", keep_dtype=shift, keep_scalar_dtype=True, same_shape=True, integers=True,
        region=(region, region), count=shift,
    )  # fmt: skip
    scalar = replace(both, pair="")
    return (
        _binary(name, f"Element-wise {doc} of integer tensors.", both, rhs="Tensor | int | Scalar"),
        _binary(f"{ir_op}s", f"Element-wise {doc} of an integer tensor and a scalar.", scalar, rhs="int | Scalar"),
    )


OPERATORS = (
    _binary("add", "Element-wise addition of a tensor and a tensor or scalar.", Binary("tensor.add", "tensor.adds")),
    _binary("adds", "Element-wise addition of a scalar.", Binary("", "tensor.adds"), rhs=SCALAR),
    _binary(
        "sub", "Element-wise subtraction of a tensor or scalar from a tensor.",
        Binary("tensor.sub", "tensor.subs", keep_scalar_dtype=True, scalar_dtypes=SUBTRACTABLE),
    ),
    _binary(
        "subs", "Element-wise subtraction of a scalar.",
        Binary("", "tensor.subs", keep_scalar_dtype=True, scalar_dtypes=SUBTRACTABLE), rhs=SCALAR,
    ),
    _binary("mul", "Element-wise multiplication of a tensor by a tensor or scalar.", Binary("tensor.mul", "tensor.muls")),
    _binary("muls", "Element-wise multiplication by a scalar.", Binary("", "tensor.muls"), rhs=SCALAR),
    _binary(
        "div", "Element-wise division of a tensor by a tensor or scalar.",
        Binary("tensor.div", "tensor.divs", pair_dtypes=DIVISIBLE, precise=True), flag_param("high_precision"),
    ),
    _binary("divs", "Element-wise division by a scalar.", Binary("", "tensor.divs"), rhs=SCALAR),
    _binary("fmod", "Element-wise floating-point remainder, with the sign of the dividend.", Binary("tensor.fmod", "tensor.fmods")),
    _binary("fmods", "Element-wise floating-point remainder by a scalar.", Binary("", "tensor.fmods"), rhs=SCALAR),
    _binary("maximum", "Element-wise larger value.", Binary("tensor.maximum", "tensor.maximum")),
    _binary("minimum", "Element-wise smaller value.", Binary("tensor.minimum", "tensor.minimum")),
    _binary(
        "cmp", "Element-wise comparison giving 0 or 1 (0 equal, 1 unequal, 2 less, 3 less or equal, 4 greater, 5 greater or equal).",
        _compare, optional("cmp_type", "int", "0", attribute=True),
    ),
    *(
        _binary(f"part_{op}", f"Partial element-wise {doc} of two tensors.", _partial(op), rhs="Tensor")
        for op, doc in (("add", "addition"), ("mul", "multiplication"), ("max", "maximum"), ("min", "minimum"))
    ),
    *(operator for row in _BITS for operator in _bit_operators(*row)),
    _unary("exp", "Element-wise exponential; integers give FP32.", Unary("tensor.exp", floats=True)),
    _unary(
        "log", "Element-wise natural logarithm.",
        Unary("tensor.log", dtypes=(FP16, FP32), precision="loose"), flag_param("high_precision"),
    ),
    _unary("sin", "Element-wise sine of radians, FP32 only.", Unary("tensor.sin", dtypes=(FP32,))),
    _unary("cos", "Element-wise cosine of radians, FP32 only.", Unary("tensor.cos", dtypes=(FP32,))),
    _unary("neg", "Element-wise negation.", Unary("tensor.neg")),
    _unary("abs", "Element-wise absolute value.", Unary("tensor.abs")),
    _unary("not_", "Element-wise bitwise complement of a 16-bit integer tensor.", Unary("tensor.not", dtypes=(INT16, UINT16))),
    _unary(
        "recip", "Element-wise reciprocal; integers give FP32.",
        Unary("tensor.recip", floats=True, precision="loose", precise_dtypes=(FP16, FP32)), flag_param("high_precision"),
    ),
    _unary("sqrt", "Element-wise square root; integers give FP32.", Unary("tensor.sqrt", floats=True)),
    _unary(
        "rsqrt", "Element-wise reciprocal square root; integers give FP32.",
        Unary("tensor.rsqrt", floats=True, precision="strict"), flag_param("high_precision"),
    ),
    _unary(
        "cast", "Convert the element type with a rounding mode.", _cast, needed("target_type", "DataType", attribute=True),
        optional("mode", "str | int", "'round'", attribute=True, allowed=CAST_MODES),
    ),
)  # fmt: skip
