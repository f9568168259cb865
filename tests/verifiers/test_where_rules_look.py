"""Where rules about kernels look: what never becomes a kernel, or is on the device already, is none of theirs. The verdicts are the
compiler's."""

from __future__ import annotations

import pytest

from pypto_lsp.analysis.workspace import Workspace

PRODUCT = """\
import pypto.language as pl


@pl.function
def gemm(
    a: pl.Tensor[[32, 128], pl.INT16], b: pl.Tensor[[128, 128], pl.INT16], o: pl.Tensor[[32, 128], pl.INT16]
) -> pl.Tensor[[32, 128], pl.INT16]:
{body}
    return o
"""
STORED = "acc = pl.matmul(a, b)\no = pl.assemble(o, acc, [0, 0])\n"

LAUNCH = """\
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def stage(
        self, x: pl.Tensor[[576, 256], pl.FP32], o: pl.Out[pl.Tensor[[576, 256], pl.FP32]]
    ) -> pl.Tensor[[576, 256], pl.FP32]:
        blk = pl.tile.get_block_idx()
        t = pl.load(x, [blk * 8, 0], [8, 256])
        pl.system.syncall(core_type="aiv_only")
        o = pl.store(pl.exp(t), [blk * 8, 0], o)
        return o

    @pl.function(type=pl.FunctionType.{kind})
    def main(
        self, x: pl.Tensor[[576, 256], pl.FP32], o: pl.Out[pl.Tensor[[576, 256], pl.FP32]]
    ) -> pl.Tensor[[576, 256], pl.FP32]:
        with pl.spmd(24, sync_start=True):
            o = self.stage(x, o)
        return o
"""


def rules_of(text: str) -> set[str]:
    workspace = Workspace()
    workspace.open("kernel.py", text)
    return {d.rule_name for d in workspace.check("kernel.py").diagnostics}


def indented(text: str, depth: int) -> str:
    return "\n".join(" " * depth + line for line in text.splitlines())


def test_a_product_outside_of_kernels_is_not_stored() -> None:
    assert "AccToGmStoreValid" not in rules_of(PRODUCT.format(body=indented(STORED, 4)))
    region = "    with pl.at(level=pl.Level.CORE_GROUP):\n" + indented(STORED, 8)
    assert "AccToGmStoreValid" in rules_of(PRODUCT.format(body=region))


@pytest.mark.parametrize(("kind", "launches"), [("Orchestration", True), ("Opaque", True), ("Group", False)])
def test_only_the_host_launches(kind: str, launches: bool) -> None:
    assert ("HardSyncallOccupancy" in rules_of(LAUNCH.format(kind=kind))) is launches
