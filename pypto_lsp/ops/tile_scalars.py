"""Scalars of a kernel's place in its launch, and the smaller and larger of two scalars."""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.dtypes import INDEX
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.nodes import ConstInt, ErrorExpr, Expr, MakeTuple
from pypto_lsp.ir.types import SHAPED, UNDETERMINED, ScalarType
from pypto_lsp.ops import operands, scalar_arith
from pypto_lsp.ops.registry import CALLEE, MISSING, OpCall, OpFault, OpResult, Rule
from pypto_lsp.ops.tile_declarations import scalar_param, tile_op


def _place(ir_op: str) -> Rule:
    def rule(call: OpCall) -> OpResult:
        return OpResult(ScalarType(INDEX), ir_op)

    return rule


def _extreme(op: str) -> Rule:
    def rule(call: OpCall) -> OpResult:
        if all(isinstance(call.args[name].type, SHAPED) for name in ("lhs", "rhs")):
            got, instead = operands.describe(call.args["lhs"]), f"a Scalar (pl.{op}imum takes Tensors and Tiles)"
            raise OpFault(faults.WRONG_KIND, CALLEE, parameter="lhs", expected=instead, got=got)
        left, right = _operand(call, "lhs"), _operand(call, "rhs")
        value = scalar_arith.extreme(op, left, right, call.span)
        if isinstance(value, OpFault):
            raise OpFault(faults.CONFLICTING_ARGUMENTS, reason=value.kind.template.format(**value.facts))
        return OpResult(UNDETERMINED, "", value=value)

    return rule


def _operand(call: OpCall, name: str) -> Expr:
    """A scalar operand; a Python number must be an integer, since it becomes an INDEX constant."""
    arg = call.args[name]
    value = arg.python
    if value is not MISSING:
        if not isinstance(value, int):
            raise OpFault(faults.WRONG_KIND, name, expected="an integer or a Scalar", got=operands.describe(arg))
        return ConstInt(int(value), INDEX, arg.span)
    shaped = not isinstance(arg.type, ScalarType) and not operands.is_open(arg.type)
    if isinstance(arg.expr, MakeTuple) or (shaped and not isinstance(arg.expr, ErrorExpr)):
        raise OpFault(faults.WRONG_KIND, name, expected="a Scalar", got=operands.describe(arg))
    return arg.expr


_PAIR = (scalar_param("lhs", "Scalar | int | Expr"), scalar_param("rhs", "Scalar | int | Expr"))

OPERATORS = (
    tile_op(
        "get_block_idx", (), _place("tile.get_block_idx"), "Index of the block that this kernel runs as.",
        memory="", returns="Scalar", lane=Lane.SHARED, usage=191,
    ),
    tile_op(
        "get_block_num", (), _place("tile.get_block_num"), "Number of blocks of the launch.",
        memory="", returns="Scalar", lane=Lane.SHARED, usage=5,
    ),
    tile_op(
        "get_subblock_idx", (), _place("tile.get_subblock_idx"), "Index of the vector core within its block.",
        memory="", returns="Scalar", lane=Lane.VECTOR,
    ),
    tile_op(
        "min", _PAIR, _extreme("min"), "The smaller of two scalars of one category.",
        also=("pl.min",), memory="", returns="Scalar", usage=218,
    ),
    tile_op(
        "max", _PAIR, _extreme("max"), "The larger of two scalars of one category.",
        also=("pl.max",), memory="", returns="Scalar", usage=48,
    ),
)  # fmt: skip
