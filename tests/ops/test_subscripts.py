"""Reading and storing by subscript."""

from __future__ import annotations

import pytest
from operator_calls import OPAQUE, D, M, N, lowered, tensor

from pypto_lsp.ir.dtypes import DTYPES
from pypto_lsp.ir.nodes import Call
from pypto_lsp.ir.printer_types import print_type
from pypto_lsp.ir.tile_views import tile_type
from pypto_lsp.ir.types import UNDETERMINED, ArrayType, ScalarType, TensorType, TupleType, Type
from pypto_lsp.ops.registry import OpFault
from pypto_lsp.ops.subscripts import Store, Window, read, store

X = tensor(64, 32)
TILE = tile_type(DTYPES["FP32"], (16, 32), "Vec")


def window(lower=None, upper=None, *, step: bool = False) -> Window:
    return Window(*(None if v is None else lowered(v) for v in (lower, upper)), step)


def items(*parts):
    return tuple(part if isinstance(part, Window) else lowered(part) for part in parts)


def printed(base: Type, *parts) -> str | None:
    expr = read(lowered(base), items(*parts), None)
    assert not isinstance(expr, OpFault), expr.kind.template.format(**expr.facts)
    return print_type(expr.type)


def code(base: Type, *parts) -> tuple[int, int | None]:
    outcome = read(lowered(base), items(*parts), None)
    assert isinstance(outcome, OpFault)
    assert outcome.kind.template.format(**outcome.facts)
    return outcome.kind.code, outcome.index


@pytest.mark.parametrize(
    ("parts", "type_"),
    [
        ((0, 0), "pl.Scalar[pl.FP32]"),
        ((100, 100), "pl.Scalar[pl.FP32]"),
        ((N,), "pl.Tensor[[32], pl.FP32]"),
        ((window(0, 16), window()), "pl.Tensor[[16, 32], pl.FP32]"),
        ((window(), 3), "pl.Tensor[[64], pl.FP32]"),
        ((window(0, M),), "pl.Tensor[[pl.cast(m, pl.INDEX), 32], pl.FP32]"),
        ((window(None, M),), "pl.Tensor[[m, 32], pl.FP32]"),
        ((window(5, 3),), "pl.Tensor[[-2, 32], pl.FP32]"),
    ],
)
def test_tensor_windows(parts, type_):
    assert printed(X, *parts) == type_


def test_tile_windows_are_static_and_two_dimensional():
    assert printed(TILE, 0) == "pl.Tile[[1, 32], pl.FP32, pl.Mem.Vec]"
    assert printed(TILE, window(0, 17)) == "pl.Tile[[16, 32], pl.FP32, pl.Mem.Vec]"
    view = "pl.TileView(valid_shape=[pl.min(n, pl.const(16, pl.INDEX)), 32])"
    assert printed(TILE, window(0, N)) == f"pl.Tile[[16, 32], pl.FP32, pl.Mem.Vec, {view}]"


def test_arrays_and_tuples():
    assert printed(ArrayType(DTYPES["INT32"], 8), M) == "pl.Scalar[pl.INT32]"
    assert printed(TupleType((X, ScalarType(DTYPES["BOOL"]))), 1) == "pl.Scalar[pl.BOOL]"


@pytest.mark.parametrize(
    ("base", "parts", "expected"),
    [
        (X, (0, 0, 0), (2351, 2)),
        (X, (window(0, 8, step=True),), (2352, 0)),
        (X, (64,), (2357, 0)),
        (X, (window(), window(16, 40)), (2357, 1)),
        (X, (-1,), (2357, 0)),
        (X, (1.5, 0), (2359, 0)),
        (TILE, (window(N, 8),), (2358, 0)),
        (TILE, (window(5, 5),), (2358, 0)),
        (ArrayType(DTYPES["INT32"], 8), (0, 0), (2356, None)),
        (ArrayType(DTYPES["INT32"], 8), (window(0, 2),), (2364, 0)),
        (TupleType((X,)), (N,), (2354, 0)),
        (TupleType((X,)), (1,), (2355, 0)),
        (ScalarType(DTYPES["INT32"]), (0,), (2350, None)),
        (tensor(16, 32, valid=(8, 32)), (8,), (2357, 0)),
    ],
)
def test_faults_name_the_part(base, parts, expected):
    assert code(base, *parts) == expected


def test_what_is_not_known_is_silent():
    assert printed(UNDETERMINED, 0, 0) is None
    assert printed(TensorType(None, None), 0, 0) is None
    assert printed(tensor(OPAQUE, 32), 70) == "pl.Tensor[[32], pl.FP32]"
    assert printed(TILE, window(OPAQUE, 8)) is None


def stored(base: Type, value: Type | float, *parts) -> Store | OpFault:
    return store(lowered(base), items(*parts), lowered(value), None)


def test_a_store_gives_the_target_and_an_assemble():
    outcome = stored(X, tensor(16, 32), window(0, 16))
    assert isinstance(outcome, Store) and outcome.type == X
    assert isinstance(outcome.value, Call) and outcome.value.op == "tensor.assemble"
    assert isinstance(stored(X, tensor(32), N), Store)
    assert isinstance(stored(TILE, tile_type(DTYPES["FP32"], (1, 32), "Vec"), 0), Store)
    assert isinstance(stored(tensor(D, 32), tensor(16, 32), window(N, D)), Store)


@pytest.mark.parametrize(
    ("base", "value", "parts", "expected"),
    [
        (X, 1.0, (0, 0), 2360),
        (X, TILE, (window(0, 16),), 2361),
        (X, tensor(16, 32), (0,), 2362),
        (X, tensor(16, 32), (window(0, 32),), 2363),
        (X, tensor(16, 32), (window(56, 72),), 2357),
        (ScalarType(DTYPES["INT32"]), 1.0, (0,), 2350),
        (ArrayType(DTYPES["INT32"], 8), 1.0, (0,), 2365),
    ],
)
def test_stores_at_fault(base, value, parts, expected):
    outcome = stored(base, value, *parts)
    assert isinstance(outcome, OpFault) and outcome.kind.code == expected
    assert outcome.kind.template.format(**outcome.facts)


def test_a_padded_source_may_carry_the_window_as_its_valid_region():
    assert isinstance(stored(X, tensor(16, 32, valid=(8, 32)), window(0, 8)), Store)


def test_array_elements_take_index_values_and_literals():
    array = ArrayType(DTYPES["INT32"], 8)
    for value in (lowered(7), lowered(N)):
        assert isinstance(store(lowered(array), items(0), value, None), Store)
