"""What would grow without end, or double with every level, when helpers are expanded or values stand for their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.text import Change, PositionEncoding

TENSOR = "pl.Tensor[[64, 128], pl.FP32]"
LEVELS = 24
TWICE = f"""import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.Inline)
    def twice(self, x: {TENSOR}) -> {TENSOR}:
        y = self.twice(x)
        z = self.twice(y)
        return z

    @pl.function
    def main(self, x: {TENSOR}) -> {TENSOR}:
        y = self.twice(x)
        return y
"""
MUTUAL = TWICE.replace("self.twice(y)", "self.other(y)").replace(
    "    @pl.function\n",
    f"""    @pl.function(type=pl.FunctionType.Inline)
    def other(self, x: {TENSOR}) -> {TENSOR}:
        y = self.twice(x)
        z = self.other(y)
        return z

    @pl.function
""",
)


def method(level: int) -> str:
    """A helper that calls the one before it twice."""
    body = f"y = self.h{level - 1}(x)\n        z = self.h{level - 1}(y)" if level else "z = pl.exp(x)"
    head = f"    @pl.function(type=pl.FunctionType.Inline)\n    def h{level}(self, x: {TENSOR}) -> {TENSOR}:\n"
    return f"{head}        {body}\n        return z\n\n"


def inline(level: int) -> str:
    value = f"h{level - 1}(h{level - 1}(x))" if level else "pl.exp(x)"
    return f"@pl.inline\ndef h{level}(x):\n    y = {value}\n    return y\n\n\n"


HEAD = "import pypto.language as pl\n\n\n"
MAIN = f"def main({{self}}x: {TENSOR}) -> {TENSOR}:\n{{indent}}y = {{call}}(x)\n{{indent}}return y\n"
METHODS = f"{HEAD}@pl.program\nclass P:\n{''.join(map(method, range(LEVELS)))}    @pl.function\n    " + MAIN.format(
    self="self, ", indent=" " * 8, call=f"self.h{LEVELS - 1}"
)
INLINES = (
    HEAD
    + "".join(map(inline, range(LEVELS)))
    + "@pl.function\n"
    + MAIN.format(self="", indent="    ", call=f"h{LEVELS - 1}")
)


SCALAR = "pl.Scalar[pl.INDEX]"


def doubling(head: str, body: str) -> str:
    """A module with a function of a scalar ``n``, of which it reads what ``body`` makes of it as ``k``."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{HEAD}{head}@pl.function\ndef main(x: {TENSOR}, n: {SCALAR}):\n{lines}    y = pl.slice(x, [16, 128], [k, 0])\n    return y\n"


def passing_on(level: int) -> str:
    """An Inline function that hands its argument on twice as large."""
    body = f"y = self.h{level - 1}(x, a + a)" if level else "y = pl.slice(x, [64, 128], [a, 0])"
    head = f"    @pl.function(type=pl.FunctionType.Inline)\n    def h{level}(self, x: {TENSOR}, a: {SCALAR}) -> {TENSOR}:\n"
    return f"{head}        {body}\n        return y\n\n"


TWICE_AS_LARGE = "@pl.inline\ndef h(a):\n    return {}\n\n\n"
NESTED = "k = " + "h(" * LEVELS + "n" + ")" * LEVELS
ONE_TRIP = "k = n\n" + "".join(
    f"for i{i}, (c{i},) in pl.range(0, 1, init_values=(k + k,)):\n    k = pl.yield_(c{i} + c{i})\n"
    for i in range(LEVELS)
)
SHARED = {
    "argument": doubling(TWICE_AS_LARGE.format("a + a"), NESTED),
    "minimum": doubling(TWICE_AS_LARGE.format("pl.min(a, a + 1)"), NESTED),
    "tuple": doubling(TWICE_AS_LARGE.format("(a, a)"), NESTED.replace("k =", "k = n\nt =")),
    "tensor": doubling(
        TWICE_AS_LARGE.format("pl.add(a, a)"), NESTED.replace("k =", "k = n\nt =").replace("n)", "x)", 1)
    ),
    "condition": doubling(TWICE_AS_LARGE.format("a + a"), f"k = n\nif {NESTED[4:]} > 3:\n    z = pl.exp(x)"),
    "methods": f"{HEAD}@pl.program\nclass P:\n"
    + "".join(map(passing_on, range(LEVELS)))
    + f"    @pl.function\n    def main(self, x: {TENSOR}, n: {SCALAR}) -> {TENSOR}:\n"
    + f"        y = self.h{LEVELS - 1}(x, n)\n        return y\n",
    "one trip": doubling("", ONE_TRIP),
    "parts": doubling("", "t = (n, n)\n" + "t = (t[0] + t[1], t[1] + t[0])\n" * LEVELS + "k = t[0]"),
    "types": doubling("", "k = n\nt0 = (x, x)\n" + "".join(f"t{i} = (t{i - 1}, t{i - 1})\n" for i in range(1, LEVELS))),
    "extents of calls": f"""import pypto.language as pl

N = pl.dynamic("N")


@pl.program
class P:
    @pl.function
    def longer(self, x: pl.Tensor[[N, 128], pl.FP32]) -> pl.Tensor[[(N + 1) * N, 128], pl.FP32]:
        y = pl.create_tensor([(N + 1) * N, 128], dtype=pl.FP32)
        return y

    @pl.function
    def main(self, x: pl.Tensor[[N, 128], pl.FP32]) -> pl.Tensor[[N, 128], pl.FP32]:
        y0 = x
{"".join(f"        y{i} = self.longer(y{i - 1}){chr(10)}" for i in range(1, LEVELS))}
        return x
""",
    "extents of operators": doubling(
        "",
        "k = n\nx0 = pl.create_tensor([64, n], dtype=pl.FP32)\ny0 = pl.create_tensor([64, n * 2 + 1], dtype=pl.FP32)\n"
        + "".join(
            f"x{i} = pl.concat(x{i - 1}, y{i - 1})\ny{i} = pl.concat(y{i - 1}, x{i - 1})\n" for i in range(1, LEVELS)
        ),
    ),
    "symbols": doubling('k = pl.dynamic("K")\n' + "k = k + k\n" * LEVELS, "z = pl.exp(x)"),
}


@pytest.mark.parametrize(
    "text",
    [TWICE, MUTUAL, METHODS, INLINES, *SHARED.values()],
    ids=["itself", "each other", "methods", "inlines", *(f"shared {name}" for name in SHARED)],
)
def test_the_analysis_comes_to_an_end(tmp_path: Path, text: str) -> None:
    path = str(tmp_path / "kernels.py")
    workspace = Workspace([str(tmp_path)])
    document = workspace.open(path, text)
    assert workspace.check(path).complete
    line = text.count("\n", 0, text.index("y = "))
    document.change([Change("  # a note", (line, 500), (line, 500))], PositionEncoding.UTF32)
    assert workspace.check(path).complete
