"""Sizes of expressions: counted as trees, found in as many steps as there are nodes."""

from __future__ import annotations

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import INDEX
from pypto_lsp.ir.size import MOST_NODES, Sizes
from pypto_lsp.ir.types import ScalarType, TupleType, Type
from pypto_lsp.text.nesting import DEEPEST

SCALAR = ScalarType(INDEX)
N = ir.Read(ir.Var("n", SCALAR))


def doubled(levels: int) -> ir.Expr:
    expr: ir.Expr = N
    for _ in range(levels):
        expr = ir.Binary("+", expr, expr, SCALAR)
    return expr


def test_a_shared_node_counts_wherever_it_is_met() -> None:
    levels = MOST_NODES.bit_length() - 2
    assert not Sizes().too_large(doubled(levels))
    assert Sizes().too_large(doubled(levels + 1))
    assert Sizes().too_large(doubled(200))


def test_depth_counts_too() -> None:
    expr: ir.Expr = N
    for _ in range(DEEPEST - 1):
        expr = ir.Unary("-", expr, SCALAR)
    assert not Sizes().too_large(expr)
    assert Sizes().too_large(ir.Unary("-", expr, SCALAR))


def test_attributes_and_elements_count() -> None:
    inner = doubled(40)
    assert Sizes().too_large(ir.Call("tensor.exp", (), (), SCALAR, attrs={"deps": (inner,)}))
    assert Sizes().too_large(ir.MakeTuple((N, inner), TupleType((SCALAR, SCALAR))))


def test_types_are_counted_by_the_tuples_in_them() -> None:
    type_: Type = TupleType((SCALAR,) * (2 * MOST_NODES))
    assert not Sizes().too_large(type_)
    for _ in range(40):
        type_ = TupleType((type_, type_))
    assert Sizes().too_large(type_)
    assert Sizes().too_large(ir.MakeTuple((N,), type_))
