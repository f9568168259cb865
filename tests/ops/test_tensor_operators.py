"""Tensor operators: what they deduce and refuse (the whole table is in the conformance suite)."""

from __future__ import annotations

import math

import pytest
from operator_calls import OPAQUE, D, M, N, call, fault, result, tensor

from pypto_lsp.ir import arith
from pypto_lsp.ir.dtypes import DTYPES
from pypto_lsp.ir.enums import EnumMember
from pypto_lsp.ir.nodes import Call, ConstInt, OpaqueInt, Read, Var
from pypto_lsp.ir.printer_types import print_type
from pypto_lsp.ir.types import UNDETERMINED, DistributedTensorType, ScalarType, TensorType
from pypto_lsp.ops.registry import OpContext

X = tensor(64, 32)
B = tensor(64, 32, dtype="BF16")
HALF_VALID = tensor(16, 32, valid=(8, 32))
F = Var("f", ScalarType(DTYPES["FP32"]))


@pytest.mark.parametrize(
    ("scalar", "dtype"),
    [(2, "BF16"), (2.0, "FP32"), (F, "FP32"), (M, "BF16")],
)
def test_a_literal_takes_the_element_type_a_float_by_position_does_not(scalar, dtype):
    assert result("pl.mul", B, scalar) == f"pl.Tensor[[64, 32], pl.{dtype}]"


def test_a_float_by_keyword_takes_the_element_type():
    assert result("pl.mul", B, rhs=2.0) == "pl.Tensor[[64, 32], pl.BF16]"


def test_subtracting_a_scalar_keeps_the_element_type():
    assert result("pl.sub", tensor(4, dtype="INT32"), 1.0) == "pl.Tensor[[4], pl.INT32]"


def test_an_index_variable_must_be_cast_first():
    finding = fault("pl.mul", X, N)
    assert finding.error_code == 2320
    assert "pl.INT32" in finding.message


def test_a_restamped_literal_stands_in_the_call():
    expr, _ = call("pl.add", B, 3)
    assert isinstance(expr, Call)
    rhs = expr.get("rhs")
    assert expr.op == "tensor.adds"
    assert rhs is not None and rhs.type == ScalarType(DTYPES["BF16"])


def test_symbols_are_equal_only_to_themselves():
    other = Var("E", ScalarType(DTYPES["INDEX"]), symbol=True)
    assert result("pl.add", tensor(D, 32), tensor(D, 32)) == "pl.Tensor[[D, 32], pl.FP32]"
    assert fault("pl.add", tensor(D, 32), tensor(other, 32)).error_code == 2310
    assert result("pl.matmul", tensor(64, D), tensor(other, 48)) == "pl.Tensor[[64, 48], pl.FP32]"


def test_an_opaque_extent_is_never_at_fault():
    for args in ((tensor(OPAQUE, 32), X), (X, tensor(OPAQUE, 32)), (tensor(OPAQUE, 32), tensor(D, 32))):
        assert call("pl.add", *args)[1] == []
    assert call("pl.slice", tensor(OPAQUE, 32), [16, 32], [60, 0])[1] == []
    assert call("pl.slice", X, [arith.make("*", OPAQUE, 2), 32], [0, 0], drop_dims=[0])[1] == []
    assert call("pl.reshape", tensor(OPAQUE, 32), [2048])[1] == []
    assert call("pl.row_expand_mul", X, tensor(64, OPAQUE))[1] == []


def test_the_valid_region_follows_one_operand_and_is_kept_for_two_that_share_it():
    region = "pl.TensorView(valid_shape=[8, 32], stride=[], layout=pl.TensorLayout.ND)"
    assert result("pl.exp", HALF_VALID) == f"pl.Tensor[[16, 32], pl.FP32, {region}]"
    assert result("pl.add", HALF_VALID, HALF_VALID) == f"pl.Tensor[[16, 32], pl.FP32, {region}]"
    assert result("pl.add", HALF_VALID, tensor(16, 32)) == "pl.Tensor[[16, 32], pl.FP32]"


def test_windows_are_bounded_by_what_is_known():
    assert result("pl.slice", X, [16, 32], [N, 0]) == "pl.Tensor[[16, 32], pl.FP32]"
    finding = fault("pl.slice", X, [16, 32], [56, 0])
    assert (finding.error_code, finding.facts["dimension"], finding.facts["end"], finding.facts["limit"]) == (
        2311,
        0,
        72,
        64,
    )
    assert fault("pl.slice", tensor(D, 32), [16, 32], [-1, 0]).error_code == 2311
    clamped = result("pl.slice", X, [16, 32], [56, 0], clamp=True)
    assert clamped is not None and "valid_shape=[8, 32]" in clamped


def test_a_window_of_another_rank_is_not_bounded():
    assert result("pl.slice", tensor(2, 64, 32), [16, 32], [0, 100, 0]) == "pl.Tensor[[16, 32], pl.FP32]"


def test_a_slice_of_a_distributed_tensor_stays_one_but_a_sum_does_not():
    window = DistributedTensorType(DTYPES["FP32"], (64, 32), window_buffer="buf")
    assert result("pl.slice", window, [16, 32], [0, 0]) == "pld.DistributedTensor[[16, 32], pl.FP32]"
    assert result("pl.add", window, window) == "pl.Tensor[[64, 32], pl.FP32]"


@pytest.mark.parametrize(
    ("value", "mode"),
    [(0, "zero"), (0.0, "zero"), (math.inf, "max"), (-math.inf, "min"), (EnumMember("PadValue", "max"), "max")],
)
def test_padding_by_member_or_literal(value, mode):
    printed = result("pl.slice", X, [16, 32], [0, 0], valid_shape=[8, 32], pad_value=value)
    assert printed is not None and f"pl.PadValue.{mode}" in printed


def test_a_write_that_grows_the_region_joins_it():
    grown = result("pl.assemble", tensor(64, 32, valid=(8, 32)), tensor(8, 32), [8, 0])
    assert grown is not None and "valid_shape=[16, 32]" in grown
    assert fault("pl.assemble", tensor(64, 32, valid=(8, 32)), tensor(8, 32), [16, 0]).error_code == 2316


def test_reshape_keeps_the_cells_that_hold_data():
    assert result("pl.reshape", X, [32, 64]) == "pl.Tensor[[32, 64], pl.FP32]"
    joined = result("pl.reshape", HALF_VALID, [1, 512])
    assert joined is not None and "valid_shape=[1, 256]" in joined
    assert fault("pl.reshape", tensor(16, 32, valid=(16, 20)), [512]).error_code == 2316
    finding = fault("pl.reshape", X, [64, 64])
    assert (finding.facts["count"], finding.facts["other_count"]) == (2048, 4096)


def test_an_attribute_is_given_by_keyword():
    assert fault("pl.full", [64, 32], DTYPES["FP32"], 1.0).error_code == 2323
    assert result("pl.full", [64, 32], DTYPES["FP32"], value=1.0) == "pl.Tensor[[64, 32], pl.FP32]"


def test_an_attribute_that_no_form_reads_is_not_looked_at():
    assert result("pl.gather", X, mask_pattern=1, offset=2) == "pl.Tensor[[64, 16], pl.FP32]"
    assert result("pl.div", X, X, high_precision=1) == "pl.Tensor[[64, 32], pl.FP32]"
    assert result("pl.rsqrt", B, high_precision=0) == "pl.Tensor[[64, 32], pl.BF16]"
    assert fault("pl.rsqrt", X, high_precision=1).error_code == 2306


def test_an_integer_attribute_is_no_none_but_may_be_a_stored_member():
    shape = {"size": 32, "block_size": 16, "max_indices": 32}
    pages = tensor(1, 32, dtype="INT32")
    assert fault("pl.paged_gather", B, pages, pages, **shape | {"size": None}).error_code == 2306
    stored = EnumMember("SplitMode", "NONE")
    assert result("pl.paged_gather", B, pages, pages, **shape, col_off=stored) == "pl.Tensor[[32, 32], pl.BF16]"


def test_extents_are_a_flat_list():
    assert fault("pl.slice", X, [16, 32], [0, 0], valid_shape=[[0, 8], [0, 16]]).error_code == 2306


def test_adding_a_row_vector_needs_its_element_type():
    assert fault("pl.row_expand_add", tensor(64, 32, dtype="INT32"), tensor(64, 1)).error_code == 2308
    assert result("pl.row_expand_mul", B, tensor(64, 1)) == "pl.Tensor[[64, 32], pl.FP32]"


def test_the_printed_compare_form_takes_a_scalar_only():
    form = {"cmp_mode": "gt", "out_cols": 8}
    assert fault("pl.tensor.gather_compare", X, kvalue=1.0, **form).error_code == 2306
    call_, findings = call("pl.tensor.gather_compare", X, kvalue=F, **form)
    assert not findings and isinstance(call_, Call)


def test_cast_to_the_same_type_and_unknown_modes_are_refused():
    assert fault("pl.cast", X, DTYPES["FP32"]).error_code == 2318
    assert fault("pl.cast", X, DTYPES["BF16"], mode="nearest").error_code == 2312
    assert result("pl.cast", F, DTYPES["FP32"]) == "pl.Scalar[pl.FP32]"


def test_writing_needs_the_element_type():
    finding = fault("pl.write", tensor(4, dtype="INT32"), [0], 1)
    assert (finding.facts["got"], finding.facts["wanted"], finding.facts["literal"]) == ("INDEX", "INT32", True)
    assert result("pl.write", X, [0, 0], 1.0) == "pl.Tensor[[64, 32], pl.FP32]"


def test_a_dynamic_extent_is_its_symbol_in_orchestration_code():
    expr, _ = call("pl.dim", tensor(D, 32), 0, context=OpContext(func_type="Orchestration"))
    assert isinstance(expr, Read) and expr.var is D
    expr, _ = call("pl.dim", tensor(D, 32), -1, context=OpContext(func_type="InCore"))
    assert isinstance(expr, Call) and isinstance(expr.args[1], ConstInt)


def test_scatter_update_takes_its_three_forms():
    target, index, rows = tensor(64, 32), tensor(2, 8, dtype="INT32"), tensor(16, 32)
    for args, keywords in (
        ((-2, index, rows), {}),
        ((index, rows), {"dim": -2}),
        ((-2,), {"index": index, "src": rows}),
    ):
        assert result("pl.scatter_update", target, *args, **keywords) == "pl.Tensor[[64, 32], pl.FP32]"
    assert fault("pl.scatter_update", target, index).error_code == 2324


def test_compare_gather_gives_two_tensors():
    expr, _ = call("pl.gather", X, kvalue=1.0, cmp_mode="gt", out_cols=8)
    assert print_type(expr.type) == "pl.Tuple[pl.Tensor[[64, 8], pl.INT32], pl.Tensor[[1, 64], pl.INT32]]"


def test_transposing_twice_gives_the_tensor_back():
    expr, _ = call("pl.transpose", X, 0, 1)
    assert isinstance(expr.type, TensorType)
    assert result("pl.transpose", expr.type, 0, 1) == "pl.Tensor[[64, 32], pl.FP32]"


def test_a_constant_we_cannot_compute_is_a_number_of_unknown_kind():
    unknown = OpaqueInt("argv", UNDETERMINED)
    assert result("pl.add", X, unknown) == "pl.Tensor[[64, 32], pl.FP32]"
    assert call("pl.add", B, unknown)[0].type == TensorType(None, (64, 32))
    assert result("pl.add", B, OPAQUE) == "pl.Tensor[[64, 32], pl.BF16]"
    for path, args in (
        ("pl.cast", (X, unknown)),
        ("pl.create_tensor", ([4, unknown], unknown)),
        ("pl.slice", (X, unknown, unknown)),
        ("pl.transpose", (X, unknown, 1)),
        ("pl.set_validshape", (X, unknown, 32)),
        ("pl.write", (X, [0, 0], unknown)),
        ("pl.fillpad", (X, unknown)),
        ("pl.arange", (unknown, [1, 32])),
    ):
        assert call(path, *args)[1] == [], path


@pytest.mark.parametrize("valid", [(64,), (64, 32, 1)])
@pytest.mark.parametrize("path", ["pl.exp", "pl.transpose", "pl.row_sum", "pl.load"])
def test_a_valid_region_of_another_rank_is_the_operands_fault(path, valid):
    more = {"pl.transpose": (0, 1), "pl.load": ([0, 0], [64, 32])}.get(path, ())
    assert fault(path, tensor(64, 32, valid=valid), *more).error_code == 2309
