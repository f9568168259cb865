"""Python operators on scalars, constants with a data type."""

from __future__ import annotations

import pytest
from operator_calls import N, lowered, tensor

from pypto_lsp.ir.dtypes import DTYPES
from pypto_lsp.ir.nodes import Binary, ConstInt, ErrorExpr, Unary, Var
from pypto_lsp.ir.printer_types import print_type
from pypto_lsp.ir.types import UNDETERMINED, ScalarType
from pypto_lsp.ops import constants, scalar_arith
from pypto_lsp.ops.registry import OpFault


def scalar(dtype: str):
    return lowered(Var(dtype.lower(), ScalarType(DTYPES[dtype])))


@pytest.mark.parametrize(
    ("left", "op", "right", "dtype"),
    [
        ("INT32", "+", "INDEX", "INDEX"),
        ("INT32", "+", "UINT32", "INT32"),
        ("UINT32", "*", "INT32", "UINT32"),
        ("INT64", "//", "INDEX", "INT64"),
        ("FP16", "-", "BF16", "FP16"),
        ("FP16", "/", "FP32", "FP32"),
        ("INT8", "<<", "INT32", "INT32"),
    ],
)
def test_the_wider_dtype_wins_the_first_of_equal_width(left, op, right, dtype):
    expr = scalar_arith.binary(op, scalar(left), scalar(right), None)
    assert not isinstance(expr, OpFault)
    assert print_type(expr.type) == f"pl.Scalar[pl.{dtype}]"


def test_the_narrower_operand_is_converted():
    expr = scalar_arith.binary("+", scalar("INT32"), lowered(N), None)
    assert isinstance(expr, Binary) and isinstance(expr.left, Unary) and expr.left.op == "cast"


@pytest.mark.parametrize(
    ("left", "op", "right", "code"),
    [
        ("INT32", "+", "FP32", 2331),
        ("BOOL", "+", "INT32", 2332),
        ("TASK_ID", "==", "TASK_ID", 2332),
        ("FP32", "<<", "FP32", 2332),
        ("INT32", "**", "INT32", 2333),
        ("INT32", "&", "INT32", 2333),
    ],
)
def test_faults(left, op, right, code):
    build = scalar_arith.compare if op == "==" else scalar_arith.binary
    outcome = build(op, scalar(left), scalar(right), None)
    assert isinstance(outcome, OpFault) and outcome.kind.code == code


def test_an_operator_on_a_tensor_says_what_to_write():
    outcome = scalar_arith.binary("*", lowered(tensor(4, 4)), lowered(2.0), None)
    assert isinstance(outcome, OpFault) and outcome.kind.code == 2330
    assert "pl.mul" in outcome.facts["instead"]


def test_what_is_not_known_is_silent():
    unknown = ErrorExpr(None, UNDETERMINED)
    for expr in (
        scalar_arith.binary("+", unknown, lowered(1), None),
        scalar_arith.compare("<", lowered(1), unknown, None),
        scalar_arith.unary("~", unknown, None),
    ):
        assert not isinstance(expr, OpFault)
    assert print_type(scalar_arith.binary("+", unknown, lowered(1), None).type) is None


def test_negating_a_constant_gives_a_constant():
    expr = scalar_arith.unary("-", lowered(3), None)
    assert isinstance(expr, ConstInt) and expr.value == -3


def test_constants_keep_their_dtype():
    expr = constants.typed(1.5, DTYPES["INT8"], None)
    assert not isinstance(expr, OpFault) and print_type(expr.type) == "pl.Scalar[pl.INT8]"
    assert isinstance(constants.typed(2**63, DTYPES["INT64"], None), OpFault)


@pytest.mark.parametrize(("name", "size"), [("FP32", 4), ("BF16", 2), ("INT4", 1), ("BOOL", 1)])
def test_get_byte_rounds_up(name, size):
    expr = constants.get_byte(name, None)
    assert isinstance(expr, ConstInt) and expr.value == size


def test_get_byte_of_a_misspelt_type_suggests_the_right_one():
    outcome = constants.get_byte("BFLOAT16", None)
    assert isinstance(outcome, OpFault) and outcome.kind.rule_name == "ParserTypeError"
    assert isinstance(constants.get_byte("FP322", None), OpFault)
