"""What is nested more deeply than anything people write: a limit, no fault of ours, and the rest of the file is analysed."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.frontend.static import ModuleLoader
from pypto_lsp.frontend.units import lower_module
from pypto_lsp.syntax import nodes, parse
from pypto_lsp.syntax.query import walk
from pypto_lsp.text import Source

TENSOR = "pl.Tensor[[64, 128], pl.FP32]"
LATER = f"\n\n@pl.function\ndef later(x: {TENSOR}) -> {TENSOR}:\n    y = pl.nowhere(x)\n    return y\n"


def kernel(*body: str, before: str = "") -> str:
    lines = "".join(f"    {line}\n" for part in body for line in part.splitlines())
    head = f"@pl.function\ndef main(x: {TENSOR}, n: pl.Scalar[pl.INDEX]) -> {TENSOR}:\n"
    return f"import pypto.language as pl\n\n{before}\n\n{head}{lines}    return x\n{LATER}"


def stairs(*lines: str, count: int) -> str:
    """Blocks inside of one another."""
    return "".join(" " * depth + lines[depth % len(lines)].format(depth) + "\n" for depth in range(count))


def elifs(count: int) -> str:
    return "if n == 0:\n    y = pl.exp(x)\n" + "".join(f"elif n == {i}:\n    y = pl.exp(x)\n" for i in range(1, count))


HELPERS = "@pl.inline\ndef h0(a):\n    return pl.exp(a)\n" + "".join(
    f"\n\n@pl.inline\ndef h{i}(a):\n    return h{i - 1}(a)\n" for i in range(1, 300)
)
REGION = "with pl.at(level=pl.Level.CORE_GROUP):"
DEEP = {
    "calls": kernel("y = " + "pl.exp(" * 190 + "x" + ")" * 190),
    "keywords": kernel("y = " + "pl.exp(input=" * 190 + "x" + ")" * 190),
    "brackets": kernel("k = " + "(" * 190 + "n" + ")" * 190),
    "lists": kernel("k = " + "[" * 190 + "n" + "]" * 190),
    "sum": kernel("k = " + " + ".join(["n"] * 500)),
    "long sum": kernel("k = " + " + ".join(["n"] * 9000)),
    "both": kernel("if " + " and ".join(["n > 1"] * 2000) + ":\n    y = pl.exp(x)"),
    "attributes": kernel("k = x" + ".a" * 2000),
    "call chain": kernel("k = x" + ".a()" * 2000),
    "subscripts": kernel("k = x" + "[0]" * 2000),
    "signs": kernel("k = " + "-" * 2000 + "n"),
    "powers": kernel("k = " + " ** ".join(["n"] * 300)),
    "ifs": kernel(stairs("if n > {}:", count=95) + " " * 95 + "y = pl.exp(x)"),
    "regions": kernel(stairs(REGION, count=24) + " " * 24 + "y = pl.exp(x)"),
    "regions in loops": kernel(stairs(REGION, "for i{} in pl.range(4):", count=18) + " " * 18 + "y = pl.exp(x)"),
    "elif": kernel(elifs(300)),
    "many elif": kernel(elifs(2000)),
    "elif outside": kernel("y = pl.exp(x)", before="import os\nn = x = os.environ\n" + elifs(2000).replace("pl.exp(x)", "1")),
    "sum outside": kernel("k = K", before="K = " + " + ".join(["1"] * 3000)),
    "lambdas outside": kernel("y = pl.exp(x)", before="K = " + "lambda: " * 1000 + "2"),
    "conditions outside": kernel("y = pl.exp(x)", before="K = " + "1 if 0 else " * 1000 + "2"),
    "helpers": kernel("y = h299(x)", before=HELPERS),
    "linear": kernel(
        "k0 = n\n" + "".join(f"k{i} = h(k{i - 1})\n" for i in range(1, 400)), before="@pl.inline\ndef h(a):\n    return a * 2\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_a_limit_and_no_fault_of_ours(tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "kernels.py"
    path.write_text(text)
    with caplog.at_level(logging.ERROR):
        report = Workspace([str(tmp_path)]).check(str(path))
    assert report.complete
    assert "pl.nowhere" in [finding.span.text for finding in report.diagnostics] or any(
        "nowhere" in finding.message for finding in report.diagnostics
    )
    assert not caplog.records


@pytest.mark.parametrize("count", [190, 400])
def test_what_a_limit_cuts_off_is_unknown(count: int) -> None:
    """No name that only the rest of a chain binds is told to be unbound."""
    text = kernel(elifs(count) + "else:\n    y = pl.abs(x)", "z = pl.add(y, x)", "w = pl.add(z, x)").replace(
        "    return x", "    return w", 1
    )
    source = Source("/w/kernel.py", text)
    env = ModuleLoader({source.path: parse(source)}.get, ["/w"]).load(source.path)
    assert env is not None
    main = lower_module(env).units[0]
    assert not main.diagnostics
    assert main.program.functions["main"].complete == (count < 250)


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("k = " + " + ".join(["n"] * 240), False),
        ("k = " + " + ".join(["n"] * 260), True),
        ("k = " + " or ".join(["n"] * 260), True),
        ("k = '\u00e9'" + " + n" * 240, False),
        ("k = '\u00e9'" + " + n" * 260, True),
        (elifs(250), False),
        (elifs(260), True),
    ],
    ids=["sum", "long sum", "or", "not ASCII", "long, not ASCII", "elif", "many elif"],
)
def test_where_the_limit_lies(text: str, broken: bool) -> None:
    assert any(isinstance(node, nodes.Broken) for node in walk(*parse(Source("a.py", text)).body)) == broken
