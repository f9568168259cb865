"""Regions inside of regions: each is one kernel, however deep it lies."""

from __future__ import annotations

from tile_programs import kernels

DEPTH = 12
HEAD = """import pypto.language as pl


@pl.function
def main(x: pl.Tensor[[64, 128], pl.FP32]) -> pl.Tensor[[64, 128], pl.FP32]:
"""


def test_each_region_is_met_once() -> None:
    lines = [" " * depth + "with pl.at(level=pl.Level.CORE_GROUP):" for depth in range(DEPTH)]
    lines.append(" " * DEPTH + "y = pl.exp(x)")
    text = HEAD + "".join(f"    {line}\n" for line in lines) + "    return x\n"
    found = kernels(text)
    assert len(found) == DEPTH
    assert len({made.kernel.span.begin for made in found if made.kernel.span is not None}) == DEPTH
