"""Programs as text for the tests of fixes: the fragment before, the fragment after, and the program around them."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.diagnostics import Diagnostic, Fix, Severity
from pypto_lsp.fixes.registry import edited_texts

ORCHESTRATION = """import pypto.language as pl
import pypto.language.distributed as pld

N = 64


class CFG:
    rows = 32


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        t = pl.load(a, [0, 0], [64, 64])
        o = pl.store(t, [0, 0], o)
        return o

    @pl.function(type=pl.FunctionType.Orchestration)
    def f(
        self,
        x: pl.Tensor[[64, 64], pl.FP32],
        y: pl.Tensor[[64, 64], pl.FP32],
        idx: pl.Tensor[[64], pl.INT32],
        n: pl.Scalar[pl.INDEX],
        m: pl.Scalar[pl.INT32],
        out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
{body}
        return out
"""
INCORE = """import pypto.language as pl

N = 64


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(
        self, a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]
    ) -> pl.Tensor[[64, 64], pl.FP32]:
{body}
        return o
"""
REGION = ORCHESTRATION.replace("{body}", "        with pl.at(level=pl.Level.CORE_GROUP):\n{body}")
#: word on a body's first line -> its frame and how deep the body stands in it
FRAMES = {"incore": (INCORE, 8), "region": (REGION, 12)}


def program(body: str) -> str:
    """A body in its frame, which its first line may name (``incore:``, ``region:``); ``file:`` stands before a whole file."""
    head, _, rest = body.partition(":\n")
    if head == "file":
        return textwrap.dedent(rest)
    frame, depth = FRAMES[head] if head in FRAMES and rest else (ORCHESTRATION, 8)
    text = rest if head in FRAMES and rest else body
    return frame.replace("{body}", textwrap.indent(textwrap.dedent(text).strip("\n"), " " * depth))


def findings(text: str, *, others: Mapping[str, str] | None = None, **settings: object) -> list[Diagnostic]:
    workspace = Workspace(settings=Settings(**settings), patient=True)  # type: ignore[arg-type]
    for name, other in (others or {}).items():
        workspace.open(name, other)
    workspace.open("kernel.py", text)
    return list(workspace.check("kernel.py").diagnostics)


def key(found: Diagnostic) -> tuple[str, str]:
    return found.rule_name, found.message


def grave(found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings that a fix may not bring about."""
    return [d for d in found if d.severity is Severity.ERROR]


def applied(text: str, finding: Diagnostic, fix: Fix) -> str:
    """The text after a fix. Fails when the finding is still there or the fix brings a new error."""
    before = {key(d) for d in findings(text)}
    after = edited_texts(fix)["kernel.py"]
    now = findings(after)
    assert sum(key(d) == key(finding) for d in now) < sum(key(d) == key(finding) for d in findings(text)), fix.title
    fresh = [d for d in grave(now) if key(d) not in before]
    assert not fresh, f"{fix.title}: {fresh[0].code} {fresh[0].message}\n{after}"
    return after
