"""Helpers that would grow without end, or double with every level, when they are expanded."""

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


@pytest.mark.parametrize("text", [TWICE, MUTUAL, METHODS, INLINES], ids=["itself", "each other", "methods", "inlines"])
def test_the_analysis_comes_to_an_end(tmp_path: Path, text: str) -> None:
    path = str(tmp_path / "kernels.py")
    workspace = Workspace([str(tmp_path)])
    document = workspace.open(path, text)
    assert workspace.check(path).complete
    line = text.count("\n", 0, text.index("y = "))
    document.change([Change("  # a note", (line, 500), (line, 500))], PositionEncoding.UTF32)
    assert workspace.check(path).complete
