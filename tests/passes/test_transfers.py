"""Loads and stores of kernels, form by form. What is expected is what the compiler itself makes of these kernels."""

from __future__ import annotations

import pytest
from tile_programs import A5, kernel, region, summary, transfers

TENSOR = "pl.Tensor[[64, 128], pl.FP32]"
XO = f"x: {TENSOR}, o: pl.Out[{TENSOR}]"
SPLIT = "with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(pl.SplitMode.{})]):"

# --- vector kernels ----------------------------------------------------------------------------------------------------

VECTOR = {
    "a tensor that is used whole is loaded once": (
        "y = pl.add(x, x)\no = pl.assemble(o, y, [0, 0])",
        {"load 64x128 fp32 Vec": 1, "store 64x128 fp32 Vec": 1},
    ),
    "a slice is a load of its window": (
        "y = pl.neg(pl.slice(x, [16, 32], [0, 0]))\no = pl.assemble(o, y, [0, 0])",
        {"load 16x32 fp32 Vec": 1, "store 16x32 fp32 Vec": 1},
    ),
    "a subscript is a slice": (
        "y = pl.neg(x[0:16, 64:128])\no[0:16, 0:64] = y",
        {"load 16x64 fp32 Vec": 1, "store 16x64 fp32 Vec": 1},
    ),
    "a slice of a loaded tensor moves nothing": (
        "y = pl.neg(x)\nz = y[0:16, 0:32]\no = pl.assemble(o, z, [0, 0])",
        {"load 64x128 fp32 Vec": 1, "store 16x32 fp32 Vec": 1},
    ),
    "a loop is one copy of its transfers": (
        "for i in pl.range(4):\n    y = pl.neg(x[i * 16 : i * 16 + 16, :])\n    o[i * 16 : i * 16 + 16, :] = y",
        {"load 16x128 fp32 Vec": 1, "store 16x128 fp32 Vec": 1},
    ),
    "an unrolled loop is as many copies as trips": (
        "for i in pl.unroll(4):\n    y = pl.neg(x[i * 16 : i * 16 + 16, :])\n    o[i * 16 : i * 16 + 16, :] = y",
        {"load 16x128 fp32 Vec": 4, "store 16x128 fp32 Vec": 4},
    ),
    "a pipeline is a copy for each stage and for each trip that is left": (
        "for i in pl.pipeline(3, stage=2):\n    y = pl.neg(x[i * 16 : i * 16 + 16, :])\n    o[i * 16 : i * 16 + 16, :] = y",
        {"load 16x128 fp32 Vec": 3, "store 16x128 fp32 Vec": 3},
    ),
    "a branch that is never taken has no transfers": (
        "for i in pl.unroll(2):\n    if i == 0:\n        y = pl.neg(x[0:16, :])\n        o[0:16, :] = y",
        {"load 16x128 fp32 Vec": 1, "store 16x128 fp32 Vec": 1},
    ),
    "a row reduction stores one element a row": (
        "y = pl.row_sum(x)\no = pl.assemble(o, y, [0, 0])",
        {"load 64x128 fp32 Vec": 1, "store 64x1 fp32 Vec": 1},
    ),
    "a conversion changes the element": (
        "y = pl.cast(x[:, 0:32], pl.FP16)\nz = pl.cast(y, pl.FP32)\no = pl.assemble(o, z, [0, 0])",
        {"load 64x32 fp32 Vec": 1, "store 64x32 fp32 Vec": 1},
    ),
}


@pytest.mark.parametrize(("body", "expected"), VECTOR.values(), ids=VECTOR)
def test_vector_regions(body: str, expected: dict[str, int]) -> None:
    assert summary(region(body, XO)) == expected


def test_what_is_used_after_a_region_is_stored_at_its_end() -> None:
    again = "    with pl.at(level=pl.Level.CORE_GROUP):\n        o[:] = pl.neg(y)\n    return o"
    text = region("y = pl.neg(x)", XO).replace("    return o", again)
    assert summary(text) == {"load 64x128 fp32 Vec": 2, "store 64x128 fp32 Vec": 2}
    assert [t.kind for t in transfers(text)] == ["entry", "exit", "entry", "store"]


def test_values_of_branches_that_nothing_reads_are_not_stored() -> None:
    body = f"""
import pypto.language as pl


@pl.jit
def kern(x: {TENSOR}, n: pl.Scalar[pl.INT32], o: pl.Out[{TENSOR}]):
    if n > 2:
        with pl.at(level=pl.Level.CORE_GROUP):
            y = pl.neg(x)
            o[:] = y
    else:
        with pl.at(level=pl.Level.CORE_GROUP):
            y = pl.exp(x)
            o[:] = y
    return o
"""
    assert summary(body) == {"load 64x128 fp32 Vec": 2, "store 64x128 fp32 Vec": 2}
    read = body.replace(
        "    return o\n", "    with pl.at(level=pl.Level.CORE_GROUP):\n        o[:] = pl.neg(y)\n    return o\n"
    )
    assert summary(read)["store 64x128 fp32 Vec"] == 5


def test_each_block_of_a_launch_is_one_copy() -> None:
    text = region("o[i * 16 : i * 16 + 16, :] = pl.neg(x[i * 16 : i * 16 + 16, :])", XO, "for i in pl.spmd(4):")
    assert summary(text) == {"load 16x128 fp32 Vec": 1, "store 16x128 fp32 Vec": 1}


def test_a_helper_is_expanded_at_every_call() -> None:
    text = f"""
import pypto.language as pl


@pl.jit.inline
def helper(x: {TENSOR}, o: {TENSOR}):
    with pl.at(level=pl.Level.CORE_GROUP):
        o[:] = pl.neg(x)
    return o


@pl.jit
def kern(x: {TENSOR}, o: pl.Out[{TENSOR}]):
    o = helper(x, o)
    o = helper(x, o)
    return o
"""
    assert summary(text) == {"load 64x128 fp32 Vec": 2, "store 64x128 fp32 Vec": 2}


# --- declared kernels ----------------------------------------------------------------------------------------------------


def test_loads_and_stores_as_written() -> None:
    text = kernel("t = pl.load(x, [0, 0], [16, 32])\no = pl.store(t, [0, 0], o)", XO, TENSOR)
    assert summary(text) == {"load 16x32 fp32 Vec": 1, "store 16x32 fp32 Vec": 1}


def test_the_physical_shape_counts_and_the_valid_one_is_known() -> None:
    text = kernel("t = pl.load(x, [0, 0], [16, 64], valid_shape=[8, 40])\no = pl.store(t, [0, 0], o)", XO, TENSOR)
    load, store = transfers(text)
    assert (load.shape, load.valid) == ((16, 64), (8, 40))
    assert (store.shape, store.valid) == ((16, 64), (8, 40))


def test_an_extent_that_is_not_constant_is_no_number() -> None:
    params = f"x: {TENSOR}, n: pl.Scalar[pl.INDEX], o: pl.Out[{TENSOR}]"
    text = kernel("t = pl.load(x, [0, 0], [16, 64], valid_shape=[16, n])\no = pl.store(t, [0, 0], o)", params, TENSOR)
    assert [t.valid for t in transfers(text)] == [(16, None), (16, None)]


# --- fills ---------------------------------------------------------------------------------------------------------------

FILLS = {
    "[i, 0]": True,
    "[i + 3, 0]": True,
    "[3 + i, 0]": True,
    "[n + i, 0]": True,
    "[i * 2, 0]": False,
    "[i + i, 0]": False,
}


@pytest.mark.parametrize(("indices", "is_fill"), FILLS.items(), ids=FILLS)
def test_a_loop_of_constant_writes_is_one_store(indices: str, is_fill: bool) -> None:
    params = "n: pl.Scalar[pl.INT32], o: pl.Out[pl.Tensor[[64, 1], pl.FP32]]"
    text = region(f"for i in pl.range(8):\n    pl.write(o, {indices}, -1.0)", params)
    assert summary(text) == ({"store 8x1 fp32 Vec": 1} if is_fill else {})


@pytest.mark.parametrize("trips", ["4", "1, 9", "0, 16, 2"])
def test_a_fill_is_whole_units_from_zero_by_one(trips: str) -> None:
    params = "n: pl.Scalar[pl.INT32], o: pl.Out[pl.Tensor[[64, 1], pl.FP32]]"
    assert summary(region(f"for i in pl.range({trips}):\n    pl.write(o, [i, 0], -1.0)", params)) == {}


def test_writes_of_one_loop_fill_alike_or_not_at_all() -> None:
    params = "p: pl.Out[pl.Tensor[[64, 1], pl.FP32]], o: pl.Out[pl.Tensor[[64, 1], pl.FP32]]"
    body = "for i in pl.range(8):\n    pl.write(o, [i, 0], 1.0)\n    pl.write(p, [i{}, 0], 2.0)"
    assert summary(region(body.format(""), params)) == {"store 8x1 fp32 Vec": 2}
    assert summary(region(body.format(" + 1"), params)) == {}


# --- matrix products -----------------------------------------------------------------------------------------------------


def product(
    m: int,
    k: int,
    n: int,
    body: str = "o = pl.assemble(o, pl.matmul(a, b, out_dtype=pl.FP32), [0, 0])",
    head: str = "",
    b: str = "",
) -> str:
    params = f"a: pl.Tensor[[{m}, {k}], pl.FP16], b: pl.Tensor[[{b or f'{k}, {n}'}], pl.FP16], o: pl.Out[pl.Tensor[[{m}, {n}], pl.FP32]]"
    return region(body, params, head or "with pl.at(level=pl.Level.CORE_GROUP):")


def test_operands_of_products_are_loaded_into_mat() -> None:
    assert summary(product(64, 32, 128)) == {
        "load 64x32 fp16 Mat": 1, "load 32x128 fp16 Mat": 1, "store 64x128 fp32 Acc": 1,
    }  # fmt: skip


def test_a_transposed_operand_is_loaded_as_it_lies() -> None:
    text = product(
        64, 32, 128, "o = pl.assemble(o, pl.matmul(a, b, b_trans=True, out_dtype=pl.FP32), [0, 0])", b="128, 32"
    )
    assert summary(text)["load 128x32 fp16 Mat"] == 1


def test_a_mixed_kernel_halves_its_vector_work() -> None:
    body = "m = pl.matmul(a, b, out_dtype=pl.FP32)\no = pl.assemble(o, pl.exp(m), [0, 0])"
    assert summary(product(64, 32, 128, body, SPLIT.format("UP_DOWN")))["store 32x128 fp32 Vec"] == 1
    assert summary(product(64, 32, 128, body, SPLIT.format("LEFT_RIGHT")))["store 64x64 fp32 Vec"] == 1
    assert summary(product(64, 32, 128, body))["store 64x128 fp32 Vec"] == 1


def test_a_pure_vector_kernel_is_not_halved() -> None:
    text = region("o = pl.assemble(o, pl.exp(x), [0, 0])", XO, SPLIT.format("UP_DOWN"))
    assert summary(text)["store 64x128 fp32 Vec"] == 1


@pytest.mark.parametrize(
    ("columns", "stored"),
    [(48, {48}), (80, {64, 16}), (96, {96}), (112, {64, 48}), (192, {128, 64}), (224, {128, 96}), (256, {256})],
)
def test_a_product_is_stored_in_the_parts_it_is_computed_in(columns: int, stored: set[int]) -> None:
    stores = [t for t in transfers(product(64, 64, columns)) if t.op == "tile.store"]
    assert {t.shape[-1] for t in stores} == stored


def test_parts_are_reported_where_the_product_is() -> None:
    body = "m = pl.matmul(a, b, out_dtype=pl.FP32)\no = pl.assemble(o, m, [0, 0])"
    cut = [t.place.line for t in transfers(product(64, 64, 80, body)) if t.op == "tile.store"]
    whole = [t.place.line for t in transfers(product(64, 64, 96, body)) if t.op == "tile.store"]
    assert (cut, whole) == ([7, 7], [8])


def test_a_batch_is_stored_matrix_by_matrix() -> None:
    params = "a: pl.Tensor[[3, 16, 32], pl.FP16], b: pl.Tensor[[3, 32, 64], pl.FP16], o: pl.Out[pl.Tensor[[3, 16, 64], pl.FP32]]"
    text = region("o = pl.assemble(o, pl.matmul(a, b, out_dtype=pl.FP32), [0, 0, 0])", params)
    assert summary(text) == {
        "load 3x16x32 fp16 Mat": 1, "load 3x32x64 fp16 Mat": 1, "store 16x64 fp32 Acc": 3,
    }  # fmt: skip


def test_what_the_vector_core_took_is_stored_from_there() -> None:
    first = "m = pl.matmul(a, b, out_dtype=pl.FP32)\n"
    use, store = "e = pl.exp(m)\no = pl.assemble(o, e, [0, 0])\n", "o = pl.assemble(o, m, [0, 0])\n"
    assert summary(product(64, 32, 64, first + use + store)) == summary(
        product(64, 32, 64, first + use + store.replace("m,", "e,"))
    )
    assert summary(product(64, 32, 64, first + store + use))["store 64x64 fp32 Acc"] == 1


def test_a_tile_that_is_sent_to_the_other_core_is_loaded_though_nothing_uses_it() -> None:
    params = "x: pl.Tensor[[64, 64], pl.FP16], o: pl.Out[pl.Tensor[[64, 64], pl.FP16]]"
    body = "v = pl.exp(x)\nm = pl.matmul(v, v, out_dtype=pl.FP32)\no[0:16, :] = pl.neg(o[16:32, :])"
    assert summary(region(body, params))["load 64x64 fp16 Vec"] == 1


# --- what is not known ---------------------------------------------------------------------------------------------------


def test_a_loop_over_the_depth_that_is_run_once_for_each_part_says_nothing() -> None:
    body = """
        m = pl.create_tensor([64, 192], dtype=pl.FP32)
        for q in pl.pipeline(2, stage=2):
            x = a[:, q * 64 : q * 64 + 64]
            y = b[q * 64 : q * 64 + 64, :]
            if q == 0:
                m = pl.matmul(x, y, out_dtype=pl.FP32)
            else:
                m = pl.matmul_acc(m, x, y)
        o = pl.assemble(o, m, [0, 0])
        """
    assert summary(product(64, 128, 192, body)) == {}
    assert "store 64x128 fp32 Acc" in summary(product(64, 128, 128, body.replace("192", "128")))


def test_short_rows_depend_on_the_target() -> None:
    text = product(64, 64, 192)
    assert {t.shape[-1] for t in transfers(text, A5) if t.op == "tile.store"} <= {64, 128, 192}


@pytest.mark.parametrize("at", ["pl.at(level=pl.Level.CORE_GROUP)", SPLIT.format("LEFT_RIGHT")[5:-1]])
@pytest.mark.parametrize("head", ["", "for i in pl.range(2):\n    ", "if True:\n    "])
def test_a_region_means_nothing_in_a_declared_kernel(head: str, at: str) -> None:
    product = "m = pl.matmul(y[:, 0:64], y[:, 0:64])\no = pl.assemble(o, pl.add(x, m), [0, 0])"
    params = "x: {0}, y: {0}, o: pl.Out[{0}]".format("pl.Tensor[[64, 64], pl.FP32]")
    plain = kernel(product, params, "pl.Tensor[[64, 64], pl.FP32]")
    lines = product.replace("\n", "\n" + " " * (len(head.rpartition("\n")[2]) + 4))
    within = kernel(
        f"{head}with {at}:\n{' ' * len(head.rpartition(chr(10))[2])}    {lines}", params, "pl.Tensor[[64, 64], pl.FP32]"
    )
    assert summary(within) == summary(plain) != {}
