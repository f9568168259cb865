"""Reports after any history of edits are those of a file that was never edited, late findings and their figures included."""

from __future__ import annotations

import gc
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pypto_lsp.analysis.report import FileReport
from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.frontend import lowering
from pypto_lsp.frontend.lowering_trace import Traces
from pypto_lsp.ir.nodes import Stmt
from pypto_lsp.syntax import SyntaxTree
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


# --- memory and work -------------------------------------------------------------------------------------------------


@pytest.fixture
def garbage() -> Iterator[list[object]]:
    """What only the collector could free."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    yield gc.garbage
    gc.set_debug(0)
    gc.enable()
    gc.garbage.clear()


def test_what_an_edit_replaces_is_free_without_the_collector(tmp_path: Path, garbage: list[object]) -> None:
    workspace, path = Workspace((str(tmp_path),), Settings()), str(tmp_path / "kernels.py")
    document = workspace.open(path, HELPERS)
    workspace.check(path)
    gc.collect()
    garbage.clear()
    for number in ("32", "16", "48"):
        text = re.sub(r"STEP = \d+", f"STEP = {number}", HELPERS)
        document.change([difference(document.text, text)], PositionEncoding.UTF32)
        workspace.check(path)
        for _ in zip(range(40), workspace.steps(path)):
            pass
    gc.collect()
    assert not [one for one in garbage if isinstance(one, (Stmt, Diagnostic))]
    assert len([one for one in garbage if isinstance(one, SyntaxTree)]) <= 3


def test_documents_that_rest_keep_no_notes_of_statements(tmp_path: Path) -> None:
    workspace = Workspace((str(tmp_path),), Settings())
    paths = [str(tmp_path / name) for name in ("kernels.py", "two.py", "three.py")]
    for path in paths:
        workspace.open(path, HELPERS)
        workspace.check(path)

    def noted(path: str) -> int:
        memo = workspace._front_end._memo(path)
        assert memo is not None
        return workspace._pipeline(path).size + sum(isinstance(kept, Traces) for kept in memo._kept.values())

    assert [noted(path) > 0 for path in paths] == [False, False, True]
    text = HELPERS.replace("STEP = 16", "STEP = 32")
    document = workspace.sources.document(paths[0])
    assert document is not None
    document.change([difference(document.text, text)], PositionEncoding.UTF32)
    assert told(workspace.check(paths[0])) == fresh(tmp_path, text)
    assert [noted(path) > 0 for path in paths] == [True, False, False]


def test_a_lowering_that_was_given_up_is_taken_up_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 60
    body = "".join(f"    t{n} = pl.add(x, {n}.0)\n" for n in range(count))
    text = f"import pypto.language as pl\n\n\n@pl.jit.incore\ndef k(x: pl.Tensor[[16, 16], pl.FP32]):\n{body}    return x\n"
    lowered: list[object] = []
    for kind, rule in list(lowering.STATEMENTS.items()):
        monkeypatch.setitem(
            lowering.STATEMENTS, kind, lambda low, node, rule=rule: (lowered.append(node), rule(low, node))[1]
        )
    workspace, path = Workspace((str(tmp_path),), Settings()), str(tmp_path / "kernels.py")
    document = workspace.open(path, text)
    for _ in workspace.steps(path):
        if len(lowered) > count // 2:
            break
    begun = len(lowered)
    document.change([difference(text, text.replace(" 50.0", " 51.0"))], PositionEncoding.UTF32)
    workspace.front_end(path)
    assert count // 2 < begun < count
    assert len(lowered) - begun <= count + 1 - begun + 2
