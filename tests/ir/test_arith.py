"""Extents: building them in the compiler's form, and proving relations."""

from __future__ import annotations

import pytest

from pypto_lsp.ir import arith
from pypto_lsp.ir.dtypes import FP32, INDEX, INT32, UINT64
from pypto_lsp.ir.nodes import Binary, ConstFloat, ConstInt, OpaqueInt, Read, Unary, Var
from pypto_lsp.ir.printer_types import print_dim
from pypto_lsp.ir.types import ScalarType

N, K = Var("n", ScalarType(INDEX)), Var("k", ScalarType(INDEX))
M = Var("m", ScalarType(INT32))
U = Var("u", ScalarType(UINT64))
OPAQUE = OpaqueInt("sys.argv", ScalarType(INDEX))
OTHER = OpaqueInt("os.environ", ScalarType(INDEX))


@pytest.mark.parametrize(
    ("dim", "text"),
    [
        (arith.sub(arith.add(N, 16), N), "16"),
        (arith.sub(N, arith.add(N, 1)), "-1"),
        (arith.sub(arith.add(arith.mul(N, 16), 16), arith.mul(N, 16)), "16"),
        (arith.add(4, N), "n + pl.const(4, pl.INDEX)"),
        (arith.sub(arith.add(N, 4), 1), "n + pl.const(3, pl.INDEX)"),
        (arith.mul(2, arith.mul(N, 3)), "n * pl.const(6, pl.INDEX)"),
        (arith.add(N, N), "n * pl.const(2, pl.INDEX)"),
        (arith.add(N, 0), "n"),
        (arith.mul(N, 0), "0"),
        (arith.floordiv(arith.mul(N, 32), 8), "n * pl.const(4, pl.INDEX)"),
        (arith.mod(arith.mul(N, 32), 8), "0"),
        (arith.sub(arith.maximum(N, 64), N), "pl.max(pl.const(64, pl.INDEX) - n, pl.const(0, pl.INDEX))"),
        (arith.minimum(arith.maximum(arith.sub(64, N), 0), 16),
         "pl.min(pl.max(pl.const(64, pl.INDEX) - n, pl.const(0, pl.INDEX)), pl.const(16, pl.INDEX))"),
        (arith.minimum(N, N), "n"),
        (arith.maximum(N, 0), "n"),
        (arith.sub(M, 0), "pl.cast(m, pl.INDEX)"),
        (arith.sub(arith.add(M, 16), M), "16"),
        (arith.make("+", N, N), "n + n"),
        (arith.make("*", arith.make("+", N, 1), 2), "(n + pl.const(1, pl.INDEX)) * pl.const(2, pl.INDEX)"),
        (arith.make("-", N, arith.make("-", K, 1)), "n - (k - pl.const(1, pl.INDEX))"),
    ],
)  # fmt: skip
def test_forms(dim, text):
    assert print_dim(dim) == text


def test_simplify_leaves_what_it_cannot_shorten():
    dim = Binary("//", Read(N), ConstInt(2, INDEX), ScalarType(INDEX))
    assert arith.simplify(dim) is dim
    assert arith.simplify(Binary("-", dim, dim, ScalarType(INDEX))) == 0


@pytest.mark.parametrize(
    ("left", "right", "answer"),
    [
        (16, 16, True),
        (16, 32, False),
        (N, N, True),
        (N, K, None),
        (N, M, None),
        (arith.make("+", N, 1), N, False),
        (arith.make("*", arith.make("+", N, 1), 4), arith.make("+", arith.make("*", N, 4), 4), True),
        (arith.add(arith.mul(arith.floordiv(N, 16), 16), arith.mod(N, 16)), N, True),
        (arith.minimum(N, 16), arith.minimum(16, N), True),
        (N, -1, False),
        (U, 8, None),
        (OPAQUE, OPAQUE, True),
        (OPAQUE, OTHER, None),
        (OPAQUE, 16, None),
        (arith.make("+", OPAQUE, 1), OPAQUE, False),
    ],
)
def test_equality(left, right, answer):
    assert arith.prove_equal(left, right) is answer


@pytest.mark.parametrize(
    ("left", "right", "answer"),
    [
        (0, N, True),
        (-1, N, True),
        (N, -1, False),
        (N, 64, None),
        (0, M, None),
        (arith.minimum(N, 16), 64, True),
        (17, arith.minimum(N, 16), False),
        (arith.mod(N, 16), 15, True),
        (arith.add(N, 65), 64, False),
        (arith.maximum(arith.sub(64, N), 0), 64, True),
        (arith.minimum(N, K), N, True),
        (ConstFloat(0.5, FP32), 1, None),
    ],
)
def test_order(left, right, answer):
    assert arith.prove_le(left, right) is answer


def test_an_opaque_constant_never_counts_as_failed():
    assert arith.may_equal(OPAQUE, 16)
    assert arith.may_equal(arith.make("*", OPAQUE, 2), N)
    assert not arith.may_equal(N, K)
    assert arith.is_static(OPAQUE) is None
    assert arith.is_static(N) is False
    assert arith.is_static(16) is True


def test_unknown_extents_equal_only_themselves():
    one, two = arith.unknown_extent(), arith.unknown_extent()
    assert arith.same_structure(one, one)
    assert not arith.same_structure(one, two)
    assert print_dim(one) is None


def test_bitwise_complement_is_minus_one_minus():
    assert arith.prove_le(0, Unary("~", ConstInt(0, INDEX), ScalarType(INDEX))) is False


def test_a_long_sum_of_minima_has_an_answer():
    """By cases it would be one of millions."""
    names = [Var(f"v{i}", ScalarType(INDEX)) for i in range(24)]
    low, high = (sum_of([arith.make(op, name, i + 3) for i, name in enumerate(names)]) for op in ("min", "max"))
    assert arith.prove_le(high, low) is None
    assert arith.prove_equal(low, low) is True


def sum_of(parts):
    total = parts[0]
    for part in parts[1:]:
        total = arith.make("+", total, part)
    return total


def test_minima_in_one_another_are_looked_at_once_each():
    dim = N
    for i in range(60):
        dim = arith.make("min", dim, arith.make("max", K, i))
    assert arith.prove_le(0, dim) is True
    assert arith.prove_le(dim, K) is None
