"""Reports after any history of edits are those of a file that was never edited, late findings and their figures included."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from pypto_lsp.analysis.report import FileReport
from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.text import Change, PositionEncoding

SHIPPED = Path(__file__).parent.parent / "conformance" / "valid"
TENSOR = "pl.Tensor[[ROWS, 256], pl.FP32]"
HELPERS = f"""import pypto.language as pl

ROWS = 64
COLS = 32
STEP = 16
WIDE = COLS * 2


@pl.jit.inline
def soften(x: {TENSOR}, out: pl.Out[{TENSOR}], row: pl.Scalar[pl.INDEX]):
    half = row + STEP
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.slice(x, [STEP, COLS], [half, 0])
        t = pl.mul(t, 0.5)
        if row > STEP:
            t = pl.exp(t)
        out[half : half + STEP, 0:COLS] = t
    return out


@pl.jit.inline
def blend(a: {TENSOR}, b: {TENSOR}, out: pl.Out[{TENSOR}], wide: pl.Scalar[pl.INDEX]):
    with pl.at(level=pl.Level.CORE_GROUP):
        s = pl.add(pl.slice(a, [STEP, WIDE], [0, 0]), pl.slice(b, [STEP, WIDE], [wide, 0]))
        out[0:STEP, 0:WIDE] = s
    out = soften(a, out, wide)
    for i in pl.unroll(3):
        out = soften(b, out, i * STEP)
    return out


@pl.jit
def main(a: {TENSOR}, b: {TENSOR}, o: pl.Out[{TENSOR}]):
    n = 2
    rows = n * 8
    o = blend(a, b, o, rows)
    for i in pl.range(4):
        if i > n:
            with pl.at(level=pl.Level.CORE_GROUP):
                v = pl.slice(a, [8, 16], [i * rows, 0])
                o[i * 8 : i * 8 + 8, 0:16] = pl.neg(v)
        else:
            o = soften(a, o, i)
    for k in pl.unroll(2):
        with pl.at(level=pl.Level.CORE_GROUP):
            w = pl.slice(b, [8, COLS], [k * 8, 0])
            o[k * 8 : k * 8 + 8, 0:COLS] = pl.exp(w)
    o = blend(b, a, o, 0)
    return o


@pl.jit
def other(a: {TENSOR}, o: pl.Out[{TENSOR}]):
    return soften(a, o, 1)
"""


def told(report: FileReport) -> list[object]:
    """Everything that a report says."""
    return [
        (
            *d.span.position(), d.severity, d.code, d.message, sorted(map(str, d.facts.items())), d.kernel,
            [(r.span.path == d.span.path, *r.span.position(), r.message) for r in d.related],
            [(f.title, f.safe, [(*e.span.position(), e.new_text) for e in f.edits]) for f in d.fixes],
        )
        for d in report.diagnostics
    ]  # fmt: skip


def fresh(folder: Path, text: str) -> list[object]:
    """What is said of a file that is not open and of which nothing is known."""
    (folder / "kernels.py").write_text(text, encoding="utf-8")
    return told(Workspace((str(folder),), Settings()).check(str(folder / "kernels.py")))


def changed(text: str, rng: random.Random) -> str:
    """A text with one line changed."""
    lines = text.split("\n")
    place = rng.choice([i for i, line in enumerate(lines) if re.match(r"\s{4,}\S|[A-Z]+ = ", line)])
    line = lines[place]
    indent = line[: len(line) - len(line.lstrip())]
    name = re.match(r"\s*(\w+) = ", line)
    lines[place : place + 1] = rng.choice(
        (
            lambda: [re.sub(r"\b\d+\b", lambda n: rng.choice((n.group(), "8", "16", "64")), line)],
            lambda: [re.sub(r"^(\s*)(\w+) = ", r"\1\2_ = ", line)],
            list,
            lambda: [line, line],
            lambda: [line + "  # a note"],
            lambda: [
                re.sub(r"pl\.(exp|neg|mul|add|slice)\b", lambda _: rng.choice(("pl.exp", "pl.add", "pl.full")), line)
            ],
            lambda: [line, f"{indent}{name.group(1)} = {name.group(1)}"] if name else ["", line],
            lambda: [line.replace("pl.range", "pl.unroll") if "range" in line else line.replace("unroll", "range")],
        )
    )()
    return "\n".join(lines)


def history(folder: Path, first: str, rng: random.Random, length: int) -> None:
    workspace, path = Workspace((str(folder),), Settings()), str(folder / "kernels.py")
    document = workspace.open(path, first)
    workspace.check(path)
    texts = [first]
    for _ in range(length):
        if len(texts) > 1 and rng.random() < 0.4:
            texts.pop()
        else:
            text = changed(texts[-1], rng)
            try:
                compile(text, path, "exec", dont_inherit=True)
            except SyntaxError:
                continue
            texts.append(text)
        document.change([difference(document.text, texts[-1])], PositionEncoding.UTF32)
        if rng.random() < 0.3:  # given up when the next edit comes
            list(zip(range(rng.randrange(80)), workspace.steps(path)))
        else:
            assert told(workspace.check(path)) == fresh(folder, texts[-1])


def difference(old: str, new: str) -> Change:
    """The change from one text to another in whole lines."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    start = next((i for i, (one, other) in enumerate(zip(before, after)) if one != other), min(len(before), len(after)))
    end = next(
        (i for i, (one, other) in enumerate(zip(before[start:][::-1], after[start:][::-1])) if one != other),
        min(len(before), len(after)) - start,
    )
    return Change("".join(after[start : len(after) - end]), (start, 0), (len(before) - end, 0))


@pytest.mark.parametrize("seed", range(4))
def test_kernels_with_helpers_after_any_history(tmp_path: Path, seed: int) -> None:
    assert any("PH001" in str(finding) for finding in fresh(tmp_path, HELPERS))
    history(tmp_path, HELPERS, random.Random(seed), 10)


@pytest.mark.parametrize("folder", ["ph001", "stmts", "shapes"])
def test_shipped_kernels_after_any_history(tmp_path: Path, folder: str) -> None:
    rng = random.Random(folder)
    for path in rng.sample(sorted((SHIPPED / folder).glob("*.py")), 4):
        history(tmp_path, path.read_text(encoding="utf-8"), rng, 8)
