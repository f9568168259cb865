"""Operators on tiles: the views they deduce and what they refuse (the whole table is in the conformance suite)."""

from __future__ import annotations

import pytest
from operator_calls import OPAQUE, M, N, call, fault, result, scalar, tile
from operator_calls import tensor as global_tensor

from pypto_lsp.ir.dtypes import DTYPES
from pypto_lsp.ir.enums import EnumMember
from pypto_lsp.ir.nodes import Call
from pypto_lsp.ir.tile_views import TileLayout

FP32, BF16, INT32 = DTYPES["FP32"], DTYPES["BF16"], DTYPES["INT32"]
X = tile(16, 32)
B = tile(16, 32, dtype="BF16")
PARTIAL = tile(16, 32, valid=(8, 32))
G = global_tensor(64, 32)


def space(name: str) -> EnumMember:
    return EnumMember("MemorySpace", name)


def pad(name: str) -> EnumMember:
    return EnumMember("PadValue", name)


def printed(shape: str, dtype: str = "FP32", memory: str = "Vec", **view: str) -> str:
    parts = [f"[{shape}]", f"pl.{dtype}", f"pl.Mem.{memory}"]
    if view:
        parts.append(f"pl.TileView({', '.join(f'{k}={v}' for k, v in view.items())})")
    return f"pl.Tile[{', '.join(parts)}]"


# --- element-wise --------------------------------------------------------------------------------------------------


def test_an_element_wise_result_lies_in_vec_as_its_first_tile_does():
    from_cube = result("pl.tile.exp", tile(16, 32, memory="Acc"))
    assert from_cube == printed("16, 32", blayout="pl.TileLayout.col_major", slayout="pl.TileLayout.row_major")


def test_the_valid_region_is_that_of_the_first_tile():
    assert result("pl.tile.add", PARTIAL, X) == printed("16, 32", valid_shape="[8, 32]")
    assert result("pl.tile.add", X, PARTIAL) == printed("16, 32")


def test_extents_that_differ_are_broadcast_from_one_only():
    assert result("pl.tile.add", X, tile(1, 32)) == printed("16, 32")
    assert fault("pl.tile.add", X, tile(8, 32)).error_code == 2310


@pytest.mark.parametrize(
    ("other", "code"), [(tile(16, 32, dtype="FP16"), None), (global_tensor(16, 32), 2306), (None, 2306)]
)
def test_a_tile_operand_is_a_tile(other, code):
    findings = call("pl.tile.mul", X, other)[1]
    assert [f.error_code for f in findings] == ([] if code is None else [code])


def test_a_scalar_operand_is_checked_by_its_element_type():
    assert result("pl.tile.muls", B, 2) == printed("16, 32", "BF16")
    assert fault("pl.tile.muls", X, N).error_code == 2320


# --- memory --------------------------------------------------------------------------------------------------------


def test_load_takes_the_layout_of_its_memory_space():
    assert result("pl.load", G, [0, 0], [16, 32]) == printed("16, 32")
    assert result("pl.load", G, [0, 0], [16, 32], target_memory=space("Mat")) == printed("16, 32", memory="Mat")
    assert result("pl.load", G, [0, 0], [16, 32], valid_shape=[N, 32]) == printed("16, 32", valid_shape="[n, 32]")


def test_load_goes_to_vec_or_mat_only():
    finding = fault("pl.load", G, [0, 0], [16, 32], target_memory=space("Acc"))
    assert (finding.error_code, finding.facts["parameter"]) == (2313, "target_memory")


def test_a_window_beyond_the_source_is_at_the_offset_that_leaves_it():
    finding = fault("pl.load", G, [56, 0], [16, 32])
    assert finding.error_code == 2311
    assert finding.facts["dimension"] == 0


def test_a_store_joins_the_regions_of_target_and_tile():
    target = global_tensor(64, 32, valid=(8, 32))
    grown = result("pl.store", tile(8, 32), [8, 0], target)
    assert grown is not None and "valid_shape=[16, 32]" in grown
    assert fault("pl.store", tile(8, 32), [16, 0], target).error_code == 2316


def test_created_tiles_have_static_positive_extents():
    assert result("pl.create_tile", [16, 32], FP32) == printed("16, 32")
    assert fault("pl.create_tile", [N, 32], FP32).error_code == 2315
    assert fault("pl.create_tile", [16, 0], FP32).error_code == 2314


def test_a_move_takes_the_layout_of_its_target():
    assert result("pl.move", tile(16, 32, memory="Mat"), space("Left")) == printed("16, 32", memory="Left")
    assert fault("pl.move", X, None).error_code == 2312


# --- shapes --------------------------------------------------------------------------------------------------------


def test_a_slice_of_a_mat_tile_without_a_view_is_laid_out_anew_when_it_gets_a_region():
    """Asked of the compiler: the view is made before the memory space is known."""
    mat = tile(16, 32, memory="Mat")
    assert result("pl.tile.slice", mat, [8, 32], [0, 0]) == printed("8, 32", memory="Mat")
    cut = result("pl.tile.slice", mat, [8, 32], [0, 0], valid_shape=[4, 32])
    flat = {"blayout": "pl.TileLayout.row_major", "slayout": "pl.TileLayout.none_box"}
    assert cut == printed("8, 32", memory="Mat", valid_shape="[4, 32]", **flat)


def test_reshape_keeps_the_memory_space_and_compares_element_counts():
    assert result("pl.tile.reshape", X, [8, 64]) == printed("8, 64")
    assert fault("pl.tile.reshape", X, [8, 32]).error_code == 2317
    assert fault("pl.tile.reshape", X, [M, 32]).error_code == 2321


def test_a_transposed_view_swaps_extents_region_and_orders():
    swapped = result("pl.tile.transpose_view", PARTIAL)
    assert swapped == printed("32, 16", valid_shape="[32, 8]", blayout="pl.TileLayout.col_major")
    assert result("pl.tile.transpose", PARTIAL, 0, 1) == printed("32, 16")


def test_padding_fills_the_tile_in_its_own_space():
    assert result("pl.tile.fillpad", PARTIAL) == printed("16, 32", pad="pl.PadValue.zero")
    in_acc = result("pl.tile.fillpad", tile(16, 32, memory="Acc"))
    assert in_acc == printed("16, 32", memory="Acc", fractal="512", pad="pl.PadValue.zero")
    for value in (None, 1, True, pad("null")):
        assert fault("pl.tile.fillpad", PARTIAL, pad_value=value).error_code in (2306, 2312)


def test_a_valid_region_may_grow_but_not_beyond_the_tile():
    assert result("pl.tile.set_validshape", PARTIAL, 16, 32) == printed("16, 32")
    finding = fault("pl.tile.set_validshape", PARTIAL, 16, 33)
    assert (finding.error_code, finding.facts["parameter"]) == (2314, "valid_cols")


def test_scatter_update_takes_its_arguments_in_three_forms():
    rows, index = tile(32, 32), tile(2, 8, dtype="INT32")
    for args, keywords in (((-2, index, X), {}), ((index, X), {"dim": -2}), ((-2,), {"index": index, "src": X})):
        assert result("pl.tile.scatter_update", rows, *args, **keywords) == printed("32, 32")
    assert fault("pl.tile.scatter_update", rows, index, X).error_code == 2324
    assert fault("pl.tile.scatter_update", rows, -1, index, X).facts["parameter"] == "dim"


# --- reductions, products ------------------------------------------------------------------------------------------


def test_row_and_column_reductions():
    assert result("pl.tile.row_sum", X, X) == printed("16, 1")
    assert result("pl.tile.col_max", tile(2, 16, 32)) == printed("1, 16, 32")
    finding = fault("pl.tile.row_sum", X, tile(8, 32))
    assert finding.facts["parameter"] == "tmp_tile"


def test_an_empty_region_cannot_be_reduced():
    assert fault("pl.tile.row_sum", tile(16, 32, valid=(0, 32)), X).error_code == 2316


def test_a_product_has_the_region_of_its_operands():
    left, right = tile(16, 32, dtype="BF16", memory="Left"), tile(32, 48, dtype="BF16", memory="Right")
    assert result("pl.tile.matmul", left, right) == printed("16, 48", memory="Acc")
    narrow = tile(16, 32, dtype="BF16", memory="Left", valid=(8, 32))
    compact = {"valid_shape": "[8, 48]", "compact": "pl.CompactMode.normal"}
    assert result("pl.tile.matmul", narrow, right) == printed("16, 48", memory="Acc", **compact)
    assert fault("pl.tile.matmul", left, tile(16, 48, dtype="BF16", memory="Right")).facts["parameter"] == "lhs"


def test_integers_accumulate_in_int32():
    left, right = tile(16, 32, dtype="INT8", memory="Left"), tile(32, 48, dtype="INT8", memory="Right")
    assert result("pl.tile.matmul", left, right) == printed("16, 48", "INT32", "Acc")
    finding = fault("pl.tile.matmul_acc", tile(16, 48, memory="Acc"), left, right)
    assert (finding.error_code, finding.facts["parameter"]) == (2307, "acc")


def test_a_row_s_product_is_an_accumulator_of_sixteen_rows():
    row, right = tile(1, 32, dtype="BF16", memory="Left"), tile(32, 48, dtype="BF16", memory="Right")
    assert result("pl.gemv", row, right) == printed("16, 48", memory="Acc", valid_shape="[1, 48]")
    assert fault("pl.gemv", row, right, acc_phase="last").error_code == 2312


def test_scales_of_micro_scaled_operands_cover_groups_of_32():
    left = tile(16, 64, dtype="FP8E4M3FN", memory="Left")
    right = tile(64, 32, dtype="FP8E4M3FN", memory="Right")
    scales = tile(16, 2, dtype="FP8E8M0", memory="LeftScale"), tile(2, 32, dtype="FP8E8M0", memory="RightScale")
    assert result("pl.matmul_mx", left, scales[0], right, scales[1]) == printed("16, 32", memory="Acc")
    finding = fault("pl.matmul_mx", left, tile(16, 4, dtype="FP8E8M0"), right, scales[1])
    assert finding.facts["parameter"] == "lhs_scale"


# --- sorting, gathering --------------------------------------------------------------------------------------------


def test_sorting_pairs_each_value_with_its_index():
    assert result("pl.tile.sort32", X, tile(16, 32, dtype="UINT32")) == printed("16, 64")
    assert fault("pl.tile.sort32", tile(16, 32, dtype="INT32"), X).error_code == 2307


def test_the_two_forms_of_mrgsort():
    row = tile(1, 128)
    assert result("pl.tile.mrgsort", row, block_len=64) == printed("1, 128")
    assert result("pl.tile.mrgsort", row, row, tmp=tile(1, 256)) == printed("1, 256")
    assert fault("pl.tile.mrgsort", row, block_len=63).error_code == 2314
    assert fault("pl.tile.mrgsort", row, row).error_code == 2324
    assert fault("pl.tile.mrgsort", row, row, block_len=64).facts["parameter"] == "src1"


def test_a_comparing_gather_gives_places_and_counts():
    places = result("pl.tile.gather_compare", X, 1.0, X, out_cols=8)
    assert places == f"pl.Tuple[{printed('16, 8', 'INT32')}, {printed('1, 16', 'INT32')}]"
    assert fault("pl.tile.gather_compare", tile(16, 32, dtype="INT32"), 1, X, out_cols=8).error_code == 2308


def test_gathering_from_global_memory_into_mat_needs_an_index_in_global_memory():
    index = global_tensor(1, 32, dtype="INT32")
    assert result("pl.mgather", G, index, target_memory=space("Mat")) == printed("32, 32", memory="Mat")
    assert fault("pl.mgather", G, tile(1, 32, dtype="INT32"), target_memory=space("Mat")).error_code == 2306
    assert fault("pl.mgather", G, index).error_code == 2306


# --- what is not known ---------------------------------------------------------------------------------------------


def test_an_opaque_extent_is_never_at_fault():
    opaque = tile(OPAQUE, 32)
    calls = [
        ("pl.tile.add", opaque, X),
        ("pl.tile.row_sum", opaque, X),
        ("pl.tile.reshape", opaque, [512]),
        ("pl.tile.slice", opaque, [8, 32], [60, 0]),
        ("pl.tile.matmul", tile(16, OPAQUE), tile(32, 48)),
        ("pl.gemv", tile(OPAQUE, 32), tile(32, 48)),
        ("pl.tile.assemble", opaque, X, [N, 0]),
        ("pl.create_tile", [OPAQUE, 32], FP32),
        ("pl.tile.set_validshape", opaque, 64, 32),
    ]
    for path, *args in calls:
        assert call(path, *args)[1] == [], path


def test_layouts_are_compared_by_what_is_effective():
    rows = tile(16, 1, layout=TileLayout("row_major"))
    assert result("pl.tile.abs", rows) == printed("16, 1", blayout="pl.TileLayout.row_major")
    assert result("pl.tile.abs", tile(16, 1)) == printed("16, 1")


def test_an_extremum_of_scalars_is_an_expression():
    expr, findings = call("pl.min", N, 16)
    assert not findings and not isinstance(expr, Call)
    assert fault("pl.min", N, scalar("FP32")).error_code == 2324
