"""Types as the compiler prints them."""

from __future__ import annotations

import pytest

from pypto_lsp.ir.arith import make
from pypto_lsp.ir.dtypes import DTYPES, INDEX
from pypto_lsp.ir.nodes import Call, ConstInt, OpaqueInt, Var
from pypto_lsp.ir.printer_types import print_dims, print_type
from pypto_lsp.ir.tile_views import TileLayout, implicit_layout, layout_of, tensor_view, tile_type
from pypto_lsp.ir.types import (
    UNDETERMINED,
    UNKNOWN,
    ArrayType,
    DistributedTensorType,
    HandleType,
    MemRef,
    ScalarType,
    TensorType,
    TileType,
    TupleType,
)

FP32, BF16 = DTYPES["FP32"], DTYPES["BF16"]
N = Var("n", ScalarType(INDEX))


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        (TensorType(FP32, (64, 32)), "pl.Tensor[[64, 32], pl.FP32]"),
        (TensorType(FP32, ()), "pl.Tensor[[], pl.FP32]"),
        (TensorType(FP32, (make("*", N, 2), 32)), "pl.Tensor[[n * pl.const(2, pl.INDEX), 32], pl.FP32]"),
        (
            TensorType(FP32, (64, 32), tensor_view((64, 32), layout="NZ")),
            "pl.Tensor[[64, 32], pl.FP32, pl.TensorView(stride=[], layout=pl.TensorLayout.NZ)]",
        ),
        (
            TensorType(FP32, (64, 32), tensor_view((64, 32), valid=(N, 32), pad="zero")),
            "pl.Tensor[[64, 32], pl.FP32, "
            "pl.TensorView(valid_shape=[n, 32], stride=[], layout=pl.TensorLayout.ND, pad=pl.PadValue.zero)]",
        ),
        (TensorType(FP32, (64,), None, MemRef("buf")), 'pl.Tensor[[64], pl.FP32, pl.MemRef("buf")]'),
        (
            TensorType(FP32, (64,), None, MemRef("buf", 0, 256, 2, 1)),
            'pl.Tensor[[64], pl.FP32, pl.MemRef("buf", pl.const(0, pl.INDEX), 256, slots=2)[1]]',
        ),
        (DistributedTensorType(BF16, (8,)), "pld.DistributedTensor[[8], pl.BF16]"),
        (tile_type(BF16, (16, 32), "Mat"), "pl.Tile[[16, 32], pl.BF16, pl.Mem.Mat]"),
        (tile_type(BF16, (16, 32)), "pl.Tile[[16, 32], pl.BF16]"),
        (
            tile_type(BF16, (16, 32), "Mat", layout=TileLayout()),
            "pl.Tile[[16, 32], pl.BF16, pl.Mem.Mat, "
            "pl.TileView(blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)]",
        ),
        (
            tile_type(FP32, (16, 48), "Acc", valid=(8, 48), compact="normal"),
            "pl.Tile[[16, 48], pl.FP32, pl.Mem.Acc, pl.TileView(valid_shape=[8, 48], compact=pl.CompactMode.normal)]",
        ),
        (ArrayType(DTYPES["INT32"], 4), "pl.Array[4, pl.INT32]"),
        (TupleType((ScalarType(INDEX), UNKNOWN)), "pl.Tuple[pl.Scalar[pl.INDEX], pl.UnknownType]"),
        (TupleType(()), "pl.Tuple[()]"),
        (HandleType("pld.CommCtxType"), "pld.CommCtxType"),
    ],
)
def test_printed_forms(type_, text):
    assert print_type(type_) == text


@pytest.mark.parametrize(
    "type_",
    [
        UNDETERMINED,
        TensorType(None, (64,)),
        TensorType(FP32, None),
        TensorType(FP32, (OpaqueInt("argv", ScalarType(INDEX)), 32)),
        ScalarType(None),
        ArrayType(DTYPES["INT32"], None),
        TupleType((ScalarType(INDEX), UNDETERMINED)),
    ],
)
def test_what_is_not_fully_known_has_no_printed_form(type_):
    assert print_type(type_) is None


def test_a_call_inside_an_extent_is_printed_by_its_operator():
    extent = Call("tensor.dim", (N, ConstInt(0, INDEX)), ("tensor", "axis"), ScalarType(INDEX))
    assert print_dims((extent, 8)) == "[pl.tensor.dim(n, pl.const(0, pl.INDEX)), 8]"


def test_a_canonical_view_says_only_what_differs():
    assert tensor_view((64, 32), valid=(64, 32)) is None
    assert tile_type(FP32, (16, 32), "Vec", valid=(16, 32), layout=TileLayout()) == TileType(FP32, (16, 32), "Vec")


@pytest.mark.parametrize(
    ("shape", "memory", "layout"),
    [
        ((16, 32), "Vec", TileLayout()),
        ((16, 1), "Vec", TileLayout("col_major")),
        ((1, 1), "Vec", TileLayout()),
        ((16, 1), None, TileLayout("col_major")),
        ((16, 32), "Mat", TileLayout("col_major", "row_major")),
        ((16, 32), "Right", TileLayout("row_major", "col_major")),
        ((16, 1), "Right", TileLayout("col_major", "col_major")),
        ((16, 32), "Acc", TileLayout("col_major", "row_major", 1024)),
        ((16, 2), "LeftScale", TileLayout("row_major", "row_major", 32)),
        ((2, 16), "RightScale", TileLayout("col_major", "col_major", 32)),
    ],
)
def test_implicit_layouts(shape, memory, layout):
    assert implicit_layout(shape, memory) == layout
    assert layout_of(TileType(FP32, shape, memory)) == layout
