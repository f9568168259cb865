"""WindowBounds: windows that leave what they lie in once scalars have their values, as the compiler has it."""

from __future__ import annotations

import pytest

from pypto_lsp.analysis.workspace import Workspace

PARAMS = (
    "x: pl.Tensor[[100, 128], pl.FP32], i32: pl.Tensor[[4], pl.INT32], n: pl.Scalar[pl.INDEX], s: pl.Scalar[pl.INT32], "
    "o: pl.Out[pl.Tensor[[128, 128], pl.FP32]]"
)
OUTSIDE, LAST_TRIP, NARROW = 3056, 3057, 3058


def found(body: str, before: str = "", loop: str = "with pl.at(level=pl.Level.CORE_GROUP):") -> list[tuple[int, str]]:
    lines = "".join(f"            {line}\n" for line in body.splitlines())
    outside = "".join(f"        {line}\n" for line in before.splitlines())
    text = (
        f"import pypto.language as pl\n\n\n@pl.program\nclass P:\n    @pl.function\n    def main(self, {PARAMS}) -> "
        f"pl.Tensor[[128, 128], pl.FP32]:\n{outside}        {loop}\n{lines}        return o\n"
    )
    workspace = Workspace()
    workspace.open("kernel.py", text)
    return [
        (d.error_code, d.span.text) for d in workspace.check("kernel.py").diagnostics if d.rule_name == "WindowBounds"
    ]


LOAD = "t = pl.load(x, [i * 64, 0], [64, 128]{more})\npl.store(t, [0, 0], o)"
LOADED = "pl.load(x, [i * 64, 0], [64, 128])"


def loop(head: str, body: str) -> str:
    return f"for i in {head}:\n" + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (loop("pl.unroll(2)", LOAD.format(more="")), [(OUTSIDE, LOADED)]),
        (loop("pl.unroll(1)", LOAD.format(more="")), []),
        (loop("pl.range(1, 2)", LOAD.format(more="")), [(OUTSIDE, LOADED)]),
        (loop("pl.unroll(2)", LOAD.format(more=", valid_shape=[36, 128]")), []),
        (loop("pl.unroll(2)", LOAD.format(more=", clamp=True")), []),
        (loop("pl.unroll(2)", "if i == 0:\n" + "".join(f"    {line}\n" for line in LOAD.format(more="").splitlines())), []),
        ("k = 64\no[0:64, :] = pl.neg(x[k : k + 64, :])", [(OUTSIDE, "x[k : k + 64, :]")]),
        ("k = 36\no[0:64, :] = pl.neg(x[k : k + 64, :])", []),
        (loop("pl.unroll(2)", "t = x[n + i * 64 : n + i * 64 + 64, :]\no[0:64, :] = pl.neg(t)"),
         [(OUTSIDE, "x[n + i * 64 : n + i * 64 + 64, :]")]),
        ("y = pl.neg(x)\nk = 64\no[0:64, :] = pl.neg(y[k : k + 64, :])", [(OUTSIDE, "y[k : k + 64, :]")]),
        (loop("pl.unroll(2)", "o = pl.assemble(o, pl.neg(x), [i * 64 - 64, 0])"),
         [(OUTSIDE, "pl.assemble(o, pl.neg(x), [i * 64 - 64, 0])")]),
        # in a loop that is not unrolled the compiler notices nothing
        (loop("pl.range(2)", LOAD.format(more="")), [(LAST_TRIP, LOADED)]),
        (loop("pl.range(n)", LOAD.format(more="")), []),
        (loop("pl.range(2)", LOAD.format(more=", valid_shape=[36, 128]")), []),
        (loop("pl.range(2)", "if n > i:\n    o[0:64, :] = pl.neg(x[i * 64 : i * 64 + 64, :])"), []),
        (loop("pl.range(2)", "o[0:32, :] = pl.neg(x[i * 64 % 64 : i * 64 % 64 + 32, :])"), []),
        # the same variable twice: its ends do not meet
        (loop("pl.range(2)", "o[0:64, :] = pl.neg(x[i * 64 - i * 40 : i * 64 - i * 40 + 64, :])"), []),
        # offsets in what is computed on chip
        ("y = pl.neg(x)\no[0:64, :] = pl.neg(y[s : s + 64, :])", [(NARROW, "y[s : s + 64, :]")]),
        ("y = pl.neg(x)\nk = pl.read(i32, [0])\nz = pl.slice(y, [64, 128], [k, 0])\no[0:64, :] = pl.neg(z)",
         [(NARROW, "pl.slice(y, [64, 128], [k, 0])")]),
        ("y = pl.neg(x)\nk = pl.cast(s, pl.INDEX)\no[0:64, :] = pl.neg(y[k : k + 64, :])", []),
        ("y = pl.neg(x)\no[0:64, :] = pl.neg(y[s * 2 : s * 2 + 64, :])", []),
        ("o[0:64, :] = pl.neg(x[s : s + 64, :])", []),
    ],
)  # fmt: skip
def test_windows(body: str, expected: list[tuple[int, str]]) -> None:
    assert found(body) == expected


def test_the_blocks_of_a_launch_have_bounds() -> None:
    body = "o[0:64, :] = pl.neg(x[i * 64 : i * 64 + 64, :])"
    assert found(body, loop="for i in pl.spmd(2):") == [(LAST_TRIP, "x[i * 64 : i * 64 + 64, :]")]
    assert found(body, loop="for i in pl.spmd(1):") == []


def test_constants_from_around_a_region_count() -> None:
    assert found("o[0:64, :] = pl.neg(x[k : k + 64, :])", "k = 64") == [(OUTSIDE, "x[k : k + 64, :]")]


def test_what_is_made_from_such_a_window_is_no_fault_of_its_own() -> None:
    body = loop("pl.range(3)", "t = pl.load(x, [i * 64, 0], [64, 128])\npl.store(pl.mul(t, 2.0), [i * 64, 0], o)")
    assert found(body) == [(LAST_TRIP, LOADED)]
