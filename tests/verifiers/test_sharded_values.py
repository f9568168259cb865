"""AivSplitValid: what may be sharded. The verdicts are the compiler's."""

from __future__ import annotations

import textwrap

import pytest

from pypto_lsp.analysis.workspace import Workspace

TENSOR = "pl.Tensor[[64, 64], pl.FP32]"
FRAME = """\
import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(self, x: {tensor}, a: {tensor}, b: {tensor}, o: pl.Out[{tensor}]) -> {tensor}:
{earlier}        with pl.at(level=pl.Level.CORE_GROUP):
            c = pl.matmul(a, b)
{before}            for av in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
                s = pl.aiv_shard({value})
                o = pl.assemble(o, pl.exp(s), [av * 32, 0])
        return o
"""


def refused(value: str, before: str = "", earlier: str = "") -> list[str]:
    """The texts that are refused."""
    text = FRAME.format(
        tensor=TENSOR,
        value=value,
        before=textwrap.indent(before, " " * 12),
        earlier=textwrap.indent(earlier, " " * 8),
    )
    workspace = Workspace()
    workspace.open("kernel.py", text)
    return [d.span.text for d in workspace.check("kernel.py").diagnostics if d.rule_name == "AivSplitValid"]


@pytest.mark.parametrize(
    ("value", "before", "earlier"),
    [
        ("x", "", ""),
        ("x[0:64, 0:64]", "", ""),
        ("w", "w = x[0:64, 0:64]\n", ""),
        ("w", "w = x\n", ""),
        ("w", "w = pl.create_tensor([64, 64], dtype=pl.FP32)\n", ""),
        ("x", "d = pl.matmul(x, b)\n", ""),
        ("y", "", "with pl.at(level=pl.Level.CORE_GROUP):\n    y = pl.exp(x)\n"),
    ],
)
def test_what_lies_in_global_memory_is_refused(value: str, before: str, earlier: str) -> None:
    assert refused(value, before, earlier) == [f"pl.aiv_shard({value})"]


@pytest.mark.parametrize(
    ("value", "before"),
    [
        ("c", ""),
        ("y", "y = x\ny = pl.matmul(a, b)\n"),
        ("x", "x = pl.matmul(a, b)\n"),
        ("w", "y = pl.matmul(a, b)\nw = y\n"),
        ("w", "y = x\ny = pl.matmul(a, b)\nw = y\n"),
        ("acc", "acc = pl.matmul(a, b)\nfor i in pl.range(2):\n    acc = pl.matmul_acc(acc, a, b)\n"),
    ],
)
def test_a_cube_result_is_not(value: str, before: str) -> None:
    assert refused(value, before) == []
