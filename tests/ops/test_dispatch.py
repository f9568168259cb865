"""Binding of arguments, the places of faults, names that are no operators."""

from __future__ import annotations

import pytest
from operator_calls import CALL, N, call, fault, place, result, tensor, tile

from pypto_lsp.diagnostics import FAULTS
from pypto_lsp.ir.dtypes import DTYPES
from pypto_lsp.ir.enums import ENUMS, Lane
from pypto_lsp.ir.nodes import Call, ErrorExpr
from pypto_lsp.ir.tile_views import tile_type
from pypto_lsp.ir.types import UNDETERMINED, ScalarType, TensorType
from pypto_lsp.ops import REGISTRY, dispatch

X = tensor(64, 32)


def test_a_keyword_that_must_go_is_told_from_one_that_is_misspelt():
    assert fault("pl.matmul", X, tensor(32, 8), trans_b=False).facts["suggestion"] == "b_trans"
    assert fault("pl.full", [4], DTYPES["FP32"], fill_value=0.0).facts["suggestion"] == "value"
    assert fault("pl.recip", X, fast=True).facts["suggestion"] == "high_precision"
    assert fault("pl.div", X, X, rounding_mode="floor").facts["suggestion"] is None
    tile = tile_type(DTYPES["FP16"], (16, 16), "Mat")
    assert fault("pl.matmul", tile, tile, output_dtype=DTYPES["FP32"]).facts["suggestion"] is None


def test_a_flag_at_fault_is_the_whole_keyword():
    finding = fault("pl.matmul", tensor(32, 128), tensor(128, 64), a_trans=True)
    assert finding.span.key() == place(2).key()
    assert finding.facts["parameter"] == "a_trans"


def test_a_list_written_without_brackets_is_all_its_entries():
    finding = fault("pl.reshape", X, 1, 2048)
    assert finding.span.key() == place(1).to(place(2)).key()


def test_a_missing_argument_is_the_whole_call():
    finding = fault("pl.add", X)
    assert finding.span.key() == CALL.key()
    assert (finding.rule_name, finding.facts["parameter"]) == ("InvalidOperationError", "rhs")


def test_a_surplus_argument_is_that_argument():
    assert fault("pl.exp", X, X).span.key() == place(1).key()


def test_an_unknown_keyword_is_the_keyword_and_suggests_the_parameter():
    finding = fault("pl.cast", X, DTYPES["BF16"], moed="rint")
    assert finding.span.key() == place(2).key()
    assert finding.facts["suggestion"] == "mode"


def test_an_argument_given_twice_is_the_keyword():
    finding = fault("pl.exp", X, input=X)
    assert (finding.error_code, finding.span.key()) == (2305, place(1).key())


def test_a_wrong_value_is_that_argument_and_an_entry_of_a_list_is_the_entry():
    assert fault("pl.div", tensor(4), tensor(4, dtype="BF16")).span.key() == place(1).key()
    both = fault("pl.div", tensor(4, dtype="BF16"), tensor(4, dtype="BF16"))
    assert both.span.key() == place(0).to(place(1)).key()
    finding = fault("pl.slice", X, [16, 32], [56, 0])
    assert finding.span.end == place(2).end
    assert fault("pl.slice", X, [16, 32], [0, 8]).span.end == place(2).end + 1
    assert fault("pl.slice", X, [16, 64], [0, 0]).span.end == place(1).end + 1


def test_two_operands_that_share_a_wrong_type_are_both_at_fault():
    for half in (tensor(64, 64, dtype="BF16"), tile(64, 64, dtype="BF16")):
        finding = fault("pl.div", half, half)
        assert (finding.span.start, finding.span.end) == (place(0).start, place(1).end)


@pytest.mark.parametrize(
    ("path", "operands", "instead"),
    [
        ("pl.div", (tile(8, 64), tile(8, 1)), "pl.row_expand_div"),
        ("pl.div", (tile(8, 64), tile(1, 64)), "pl.col_expand_div"),
        ("pl.min", (tensor(8, 64), tensor(8, 64)), "pl.minimum"),
        ("pl.max", (tile(8, 64), tile(8, 64)), "pl.maximum"),
    ],
)
def test_where_another_operator_is_meant_it_is_named(path, operands, instead):
    assert instead in fault(path, *operands).message


def test_a_fault_names_operand_and_both_types():
    message = fault("pl.add", tensor(64, 128), tensor(32, 128)).message
    assert "FP32[64, 128] against FP32[32, 128]: dimension 0" in message


def test_a_unified_operator_names_its_own_parameter():
    finding = fault("pl.reshape", X, [7, 32])
    assert finding.facts["parameter"] == "shape"
    assert fault("pl.row_expand_mul", X, tensor(64, 2)).facts["parameter"] == "rhs"


@pytest.mark.parametrize(
    ("path", "suggestion"),
    [
        ("pl.ad", "pl.add"),
        ("pl.mutmul", "pl.matmul"),
        ("pl.tensor.resha", "pl.tensor.reshape"),
        ("pl.system.nosuchthing", None),
        ("pl.q", None),
    ],
)
def test_an_unknown_operator_suggests_the_one_it_must_mean(path, suggestion):
    finding = dispatch.unknown(path, CALL, REGISTRY)
    assert finding.facts["suggestion"] == suggestion
    assert (suggestion or path) in finding.message


def test_the_result_is_an_ir_call_with_operands_by_name_and_attributes_apart():
    expr, findings = call("pl.cast", X, DTYPES["BF16"], mode="rint")
    assert not findings
    assert isinstance(expr, Call)
    assert (expr.op, expr.names, expr.path) == ("tensor.cast", ("input",), "pl.cast")
    assert expr.kwargs == {"target_type": DTYPES["BF16"], "mode": "rint"}


def test_a_call_at_fault_gives_an_error_expression():
    expr, _ = call("pl.exp", 3)
    assert isinstance(expr, ErrorExpr)


def test_attrs_of_the_compiler_ride_along():
    assert result("pl.exp", X, attrs=None) == "pl.Tensor[[64, 32], pl.FP32]"


# --- nothing is concluded from what is not known -------------------------------------------------------------------

_UNKNOWN_OPERANDS = (UNDETERMINED, TensorType(None, None), TensorType(DTYPES["FP32"], None), TensorType(None, (64, 64)))


@pytest.mark.parametrize("path", sorted(REGISTRY.paths()))
def test_an_unknown_operand_is_silent(path):
    operator = REGISTRY.get(path)
    assert operator is not None
    needed = [p for p in operator.params if p.required and p.kind != "var_positional"]
    if operator.count_fault is not None or any(p.attribute for p in needed):
        pytest.skip("needs static arguments")
    _, findings = call(path, *(UNDETERMINED for _ in needed))
    assert [f.message for f in findings if f.error_code in (2306, 2307, 2308, 2310, 2311)] == []


@pytest.mark.parametrize("operand", _UNKNOWN_OPERANDS)
def test_partly_known_tensors_are_silent(operand):
    for path in ("pl.add", "pl.maximum", "pl.matmul", "pl.row_expand_mul", "pl.concat"):
        other = tensor(64, 1) if "expand" in path else tensor(64, 64)
        assert call(path, operand, other)[1] == [], path
        if path != "pl.row_expand_mul":
            assert call(path, operand, operand)[1] == [], path
    for path in ("pl.exp", "pl.cast", "pl.row_sum", "pl.neg"):
        args = (operand, DTYPES["BF16"]) if path == "pl.cast" else (operand,)
        if path == "pl.row_sum" and operand == UNDETERMINED:
            continue
        assert call(path, *args)[1] == [], path


def test_what_is_known_of_a_result_is_told():
    assert result("pl.cast", tensor(N, 32), DTYPES["BF16"]) == "pl.Tensor[[n, 32], pl.BF16]"
    expr, _ = call("pl.cast", TensorType(None, (64, 32)), DTYPES["BF16"])
    assert expr.type == TensorType(DTYPES["BF16"], (64, 32))
    expr, _ = call("pl.read", TensorType(DTYPES["FP32"], None), [0, 0])
    assert expr.type == ScalarType(DTYPES["FP32"])


# --- declarations --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(REGISTRY.paths()))
def test_every_operator_is_wholly_declared(path):
    operator = REGISTRY.get(path)
    assert operator is not None
    names = {p.name for p in operator.params}
    assert operator.doc.endswith(".") and operator.doc[0].isupper()
    assert set(operator.reads) <= names and set(operator.writes) <= names
    assert operator.output_memory in ("", "target", "input", *ENUMS["MemorySpace"])
    assert operator.lane is None or isinstance(operator.lane, Lane)
    assert operator.signature(path).startswith(f"{path}(")


def test_every_template_can_be_told():
    for code, kind in FAULTS.items():
        if 2300 < code < 2400:
            assert kind.explanation and kind.title
            assert "{" not in kind.title
