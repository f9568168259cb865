"""On-chip memory of kernels: bytes of tiles, what is alive together, what the target has."""

from __future__ import annotations

import pytest
from tile_programs import A2A3, A5, kernel, kernels, memory, region

from pypto_lsp.backends import backend
from pypto_lsp.ir.dtypes import DTYPES
from pypto_lsp.ir.types import TileType
from pypto_lsp.passes.incremental import Pipeline
from pypto_lsp.passes.memory import shallow_pipelines, tile_bytes

TENSOR = "pl.Tensor[[64, 128], pl.FP32]"
XO = f"x: {TENSOR}, o: pl.Out[{TENSOR}]"
TILE = 64 * 128 * 4


def needed(text: str, target: str = A2A3) -> dict[str, int]:
    """The bytes that the one kernel of a text needs of each space."""
    (known,) = memory(text, target)
    return {use.space: use.needed for use in known.spaces}


@pytest.mark.parametrize(
    ("dtype", "shape", "space", "target", "size"),
    [
        ("FP32", (16, 64), "Vec", A2A3, 4096),
        ("INT4", (16, 64), "Vec", A2A3, 512),
        ("FP32", (3, 5), "Vec", A2A3, 64),
        ("BOOL", (16, 64), "Vec", A2A3, 1024),
        ("FP32", (16, 16), "Acc", A2A3, 1024),
        ("FP32", (17, 16), "Acc", A2A3, 2048),
        ("INT32", (16, 16), "Acc", A2A3, 2048),
        ("INT32", (16, 16), "Acc", A5, 1024),
    ],
)
def test_bytes_of_a_tile(dtype: str, shape: tuple[int, ...], space: str, target: str, size: int) -> None:
    assert tile_bytes(TileType(DTYPES[dtype], shape), space, backend(target)) == size


def test_tiles_that_are_dead_give_their_memory_back() -> None:
    chain = "y = pl.neg(x)\nz = pl.exp(y)\no = pl.assemble(o, z, [0, 0])"
    assert needed(region(chain, XO)) == {"Vec": TILE}
    both = "y = pl.neg(x)\nz = pl.exp(y)\no = pl.assemble(o, pl.add(y, z), [0, 0])"
    assert needed(region(both, XO)) == {"Vec": 2 * TILE}


def test_an_operator_that_reads_its_operand_to_the_end_needs_both() -> None:
    assert needed(region("y = pl.rsqrt(x)\no = pl.assemble(o, y, [0, 0])", XO)) == {"Vec": 2 * TILE}


def test_views_need_nothing() -> None:
    body = "y = pl.neg(x)\nz = pl.reshape(y, [128, 64])\nv = pl.reshape(z, [64, 128])\no = pl.assemble(o, v, [0, 0])"
    assert needed(region(body, XO)) == {"Vec": TILE}


def test_a_slice_that_nothing_reads_keeps_nothing_alive() -> None:
    body = "y = pl.neg(x)\nz = x[0:16, :]\no = pl.assemble(o, y, [0, 0])"
    assert needed(region(body, XO)) == {"Vec": TILE}
    read = body.replace("o = pl", "o = pl.assemble(o, z, [0, 0])\no = pl")
    assert needed(region(read, XO)) == {"Vec": 2 * TILE}


def test_what_a_loop_reads_from_outside_lives_until_its_end() -> None:
    body = """
        y = pl.neg(x)
        for i in pl.range(4):
            o = pl.assemble(o, pl.exp(y), [0, 0])
        """
    assert needed(region(body, XO)) == {"Vec": 2 * TILE}


def test_each_space_has_its_own_sum() -> None:
    text = kernel(
        """
        ta = pl.load(a, [0, 0], [16, 64], target_memory=pl.MemorySpace.Mat)
        tb = pl.load(b, [0, 0], [64, 32], target_memory=pl.MemorySpace.Mat)
        la = pl.move(ta, target_memory=pl.MemorySpace.Left)
        rb = pl.move(tb, target_memory=pl.MemorySpace.Right)
        o = pl.store(pl.matmul(la, rb), [0, 0], o)
        """,
        "a: pl.Tensor[[16, 64], pl.FP16], b: pl.Tensor[[64, 32], pl.FP16], o: pl.Out[pl.Tensor[[16, 32], pl.FP32]]",
        "pl.Tensor[[16, 32], pl.FP32]",
    )
    assert needed(text) == {"Mat": 2048 + 4096, "Left": 2048, "Right": 4096, "Acc": 2048}


def test_a_mixed_kernel_has_a_ring_for_what_its_cores_exchange() -> None:
    params = "a: pl.Tensor[[64, 32], pl.FP16], b: pl.Tensor[[32, 64], pl.FP16], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]"
    body = "m = pl.matmul(a, b, out_dtype=pl.FP32)\no = pl.assemble(o, pl.exp(m), [0, 0])"
    (known,) = memory(region(body, params))
    vec = next(use for use in known.spaces if use.space == "Vec")
    assert (vec.ring, vec.needed) == (2 * 64 * 64 * 4, 3 * 64 * 64 * 4)


def test_a_pipeline_whose_stages_do_not_fit_is_shallow() -> None:
    text = kernel(
        "for i in pl.pipeline(4, stage=2):\n    t = pl.load(x, [i * 64, 0], [{rows}, 512])\n    o = pl.store(t, [i * 64, 0], o)",
        "x: pl.Tensor[[256, 512], pl.FP32], o: pl.Out[pl.Tensor[[256, 512], pl.FP32]]",
        "pl.Tensor[[256, 512], pl.FP32]",
    )

    def depths(rows: int) -> list[tuple[int, int]]:
        (known,) = kernels(text.replace("{rows}", str(rows)))
        return [(found.requested, found.achieved) for found in shallow_pipelines(known, backend(A2A3))]

    assert depths(64) == [(2, 1)]
    assert depths(32) == []


def test_nothing_is_lowered_twice() -> None:
    from tile_programs import units

    (unit,) = units(region("o[:] = pl.neg(x)", XO))
    pipeline = Pipeline()
    first = pipeline.kernels(unit.program, backend(A2A3))
    assert pipeline.kernels(unit.program, backend(A2A3)) is first
    assert pipeline.kernels(unit.program, backend(A5)) is not first
