"""TileExtents: which extents surely are not constant, as the compiler has it."""

from __future__ import annotations

import pytest

from pypto_lsp.analysis.workspace import Workspace

TENSOR = "pl.Tensor[[256, 128], pl.FP32]"
HEAD = 'import pypto.language as pl\n\nM = pl.dynamic("M")\n\n\n'


def found(text: str) -> list[tuple[int, str]]:
    workspace = Workspace()
    workspace.open("kernel.py", text)
    return [
        (d.error_code, d.span.text) for d in workspace.check("kernel.py").diagnostics if d.rule_name == "TileExtents"
    ]


def program(body: str, before: str = "") -> str:
    """A region in an orchestration function that is given the scalar ``n``."""
    lines = "".join(f"            {line}\n" for line in body.splitlines())
    outside = "".join(f"        {line}\n" for line in before.splitlines())
    return (
        f"{HEAD}@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.Orchestration)\n"
        f"    def main(self, x: {TENSOR}, i32: pl.Tensor[[4], pl.INT32], n: pl.Scalar[pl.INDEX], y: pl.Out[{TENSOR}]) -> {TENSOR}:\n"
        f"{outside}        with pl.at(level=pl.Level.CORE_GROUP):\n{lines}        return y\n"
    )


USE = "y[0:m, :] = pl.mul(x[0:m, :], 2.0)"
NOT_CONSTANT = [(3053, "x[0:m, :]")]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"m = n\n{USE}", [(3053, "x[0:m, :]")]),
        (f"m = pl.min(n, 64)\n{USE}", NOT_CONSTANT),
        (f"m = pl.max(pl.min(n, 64), 64)\n{USE}", []),
        (f"m = n + 64 - n\n{USE}", []),
        (f"m = pl.cast(pl.read(i32, [0]), pl.INDEX)\n{USE}", NOT_CONSTANT),
        (f"for i in pl.range(4):\n    m = 64 + i\n    {USE}", NOT_CONSTANT),
        (f"for i in pl.range(1):\n    m = 64 + i\n    {USE}", []),
        (f"for i in pl.range(n):\n    m = 64 + i\n    {USE}", NOT_CONSTANT),
        (f"for i in pl.range(n, n + 1):\n    m = i - n + 64\n    {USE}", []),
        (f"for i in pl.range(n, n):\n    m = n\n    {USE}", []),
        (f"for i in pl.unroll(2):\n    m = 64 * i + 64\n    {USE}", []),
        (f"for i in pl.unroll(2):\n    m = 64 * i\n    {USE}", [(3054, "x[0:m, :]")]),
        (f"m = n\nm = 64\n{USE}", []),
        ("t = pl.load(x, [0, 0], [n, 128])\npl.store(t, [0, 0], y)", [(3053, "pl.load(x, [0, 0], [n, 128])")]),
        ("y[0:n, :] = pl.full([n, 128], dtype=pl.FP32, value=0.0)", [(3053, "pl.full([n, 128], dtype=pl.FP32, value=0.0)")]),
        ("t = pl.slice(x, [64, 128], [0, 0], valid_shape=[n, 128])\ny[0:64, :] = pl.mul(t, 2.0)", []),
        ("y[0:64, :] = pl.mul(x[n : n + 64, :], 2.0)", []),
    ],
)  # fmt: skip
def test_extents_of_a_window(body: str, expected: list[tuple[int, str]]) -> None:
    assert found(program(body)) == expected


def test_an_index_of_a_launch_varies() -> None:
    text = (
        program("").split("        with")[0]
        + f"        for i in pl.spmd(4):\n            m = 64 + i\n            {USE}\n"
    )
    assert found(text + "        return y\n") == NOT_CONSTANT


def test_a_scalar_bound_again_is_what_it_was_bound_to_last() -> None:
    assert found(program(f"for i in pl.unroll(2):\n    m = 64 * i + 64\n    {USE}", "m = n + 0")) == []


def jit(params: str, body: str) -> str:
    return f"{HEAD}@pl.jit\ndef kernel({params}):\n    with pl.at(level=pl.Level.CORE_GROUP):\n        {body}\n    return y\n"


DYNAMIC = "x: pl.Tensor[[M, 128], pl.FP32], y: pl.Out[pl.Tensor[[M, 128], pl.FP32]]"


@pytest.mark.parametrize(
    ("params", "body", "expected"),
    [
        (DYNAMIC, "y[:] = pl.mul(x, 2.0)", [(3053, "pl.mul(x, 2.0)")]),
        (DYNAMIC, "y[0:64, :] = pl.mul(x[M - 64 : M, :], 2.0)", []),
        # a scalar of a jit kernel is a constant where its caller gives a number
        (f"x: {TENSOR}, n: pl.Scalar[pl.INDEX], y: pl.Out[{TENSOR}]", "y[0:n, :] = pl.mul(x[0:n, :], 2.0)", []),
    ],
)
def test_parameters_of_jit_kernels(params: str, body: str, expected: list[tuple[int, str]]) -> None:
    assert found(jit(params, body)) == expected


def test_an_inlined_function_works_on_what_it_is_given() -> None:
    text = f"""{HEAD}@pl.program
class P:
    @pl.function(type=pl.FunctionType.Inline)
    def twice(self, {DYNAMIC}) -> pl.Tensor[[M, 128], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            y[:] = pl.mul(x, 2.0)
        return y

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: {TENSOR}, y: pl.Out[{TENSOR}]) -> {TENSOR}:
        y = self.twice(x, y)
        return y
"""
    assert found(text) == []
