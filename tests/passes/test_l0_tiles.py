"""The tiles into which products are cut. What is expected is what the compiler chooses."""

from __future__ import annotations

import pytest

from pypto_lsp.backends import backend
from pypto_lsp.passes.l0_tiles import L0Tile, ProductShape, chosen_tile

FP16, FP32, INT8 = (2, 2, 4), (4, 4, 4), (1, 1, 4)


def tile(
    rows: int, columns: int, depth: int, sizes: tuple[int, int, int], target: str, unit: int = 16
) -> L0Tile | None:
    return chosen_tile(ProductShape(rows, columns, depth, *sizes, row_unit=unit), backend(target))


@pytest.mark.parametrize(
    ("columns", "chosen"), [(48, 48), (80, 64), (96, 96), (112, 64), (192, 128), (224, 128), (320, 128)]
)
def test_columns_that_drain_badly_are_cut(columns: int, chosen: int) -> None:
    assert tile(64, columns, 64, FP16, "ascend910b") == L0Tile(64, chosen, 64)


def test_what_is_no_multiple_of_a_block_is_cut() -> None:
    assert tile(72, 16, 128, FP32, "ascend910b") == L0Tile(48, 16, 128)
    assert tile(72, 64, 64, INT8, "ascend910b", unit=32) == L0Tile(48, 64, 64)


def test_a_product_that_fits_is_left_alone() -> None:
    for target in ("ascend910b", "ascend950"):
        assert tile(64, 64, 64, FP16, target) == L0Tile(64, 64, 64)


def test_a_result_never_exceeds_the_accumulator() -> None:
    for target in ("ascend910b", "ascend950"):
        for rows, columns in ((256, 256), (512, 512), (144, 1024)):
            found = tile(rows, columns, 128, FP32, target)
            assert found is not None
            assert found.rows * found.columns * 4 <= backend(target).memory["Acc"]
            assert found.rows * found.depth * 4 <= backend(target).memory["Left"]


def test_a_depth_that_does_not_fit_is_cut_alone() -> None:
    found = tile(64, 384, 64, FP16, "ascend910b")
    assert found == L0Tile(64, 384, 32)
