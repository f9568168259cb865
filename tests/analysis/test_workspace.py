"""The engine: one report per file, made again exactly when something it depends on changed."""

from __future__ import annotations

import logging
import random
from pathlib import Path

import pytest

from pypto_lsp.analysis import file_analysis
from pypto_lsp.analysis.files import SIZE_LIMIT, UnreadableFile
from pypto_lsp.analysis.report import FileReport
from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir.printer_types import print_type
from pypto_lsp.text import Change, PositionEncoding
from pypto_lsp.verifiers.registry import dsl_rules

KERNELS = """\
import pypto.language as pl
from sizes import COLS

ROWS = 64


@pl.jit.inline
def soften(x: pl.Tensor[[ROWS, COLS], pl.FP32]):
    y = pl.mul(x, 0.5)
    return y


@pl.jit
def scale(x: pl.Tensor[[ROWS, COLS], pl.FP32], out: pl.Out[pl.Tensor[[ROWS, COLS], pl.FP32]]):
    for i in pl.range(4):
        with pl.at(level=pl.Level.CORE_GROUP):
            t = pl.slice(x, [16, COLS], [i * 16, 0])
            dead = pl.exp(t)
            out[i * 16 : i * 16 + 16, :] = pl.neg(t)
    return out


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        t = pl.load(x, [0, 0], [64, 64])
        o = pl.store(t, [0, 0], o)
        return o

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        self.k(x, o)
        return o
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sizes.py").write_text("COLS = 128\n", encoding="utf-8")
    (tmp_path / "kernels.py").write_text(KERNELS, encoding="utf-8")
    return tmp_path


def told(report: FileReport) -> list[tuple[object, ...]]:
    """Everything that a report says."""
    findings = [
        (
            *d.span.position(), d.code, d.message, sorted(map(str, d.facts.items())), d.kernel,
            [(*r.span.position(), r.message) for r in d.related],
            [(f.title, f.safe, [(*e.span.position(), e.new_text) for e in f.edits]) for f in d.fixes],
        )
        for d in report.diagnostics
    ]  # fmt: skip
    bindings = [(*b.span.position(), b.name, print_type(b.type), str(b.value), b.kernel) for b in report.bindings]
    return [*map(tuple, findings), *bindings]


def fresh(folder: Path, text: str) -> list[tuple[object, ...]]:
    """What a new workspace says of a text that was never edited."""
    workspace = Workspace((str(folder),), Settings())
    path = str(folder / "kernels.py")
    workspace.open(path, text)
    return told(workspace.check(path))


def edit(workspace: Workspace, path: str, start: int, end: int, new: str) -> None:
    document = workspace.sources.document(path)
    assert document is not None
    first, last = document.lines.position(start), document.lines.position(end)
    change = Change(new, (first[0] - 1, first[1] - 1), (last[0] - 1, last[1] - 1))
    document.change([change], PositionEncoding.UTF32)


def stages(workspace: Workspace, path: str) -> list[str]:
    return [step.stage for step in workspace.steps(path) if step is not None]


def test_a_report_comes_in_stages_and_is_kept(folder: Path) -> None:
    workspace, path = Workspace((str(folder),), Settings()), str(folder / "kernels.py")
    assert stages(workspace, path) == ["front_end", "complete"]
    assert stages(workspace, path) == ["complete"]
    report = workspace.check(path)
    assert report is workspace.check(path)
    codes = {d.code for d in report.diagnostics}
    assert {"UnusedVariableCheck/1001", "InOutUseDiscipline/0", "PH001"} <= codes


def test_a_changed_import_makes_it_anew(folder: Path) -> None:
    workspace, path = Workspace((str(folder),), Settings()), str(folder / "kernels.py")
    before = workspace.check(path)
    (folder / "other.py").write_text("X = 1\n", encoding="utf-8")
    workspace.refresh()
    assert workspace.check(path) is before
    sizes = str(folder / "sizes.py")
    workspace.open(sizes, "COLS = 256\n")
    after = workspace.check(path)
    assert after is not before
    assert "256" in str(next(b.type for b in after.bindings if b.name == "t"))
    workspace.close(sizes)
    assert told(workspace.check(path)) == told(before)


def test_an_import_that_appears_or_vanishes_counts(folder: Path) -> None:
    (folder / "sizes.py").unlink()
    workspace, path = Workspace((str(folder),), Settings()), str(folder / "kernels.py")
    unknown = workspace.check(path)
    assert not any(d.code == "ImportError/2509" for d in unknown.diagnostics)
    (folder / "sizes.py").write_text("COLS = 128\n", encoding="utf-8")
    assert workspace.refresh()
    assert told(workspace.check(path)) == fresh(folder, KERNELS)
    (folder / "sizes.py").unlink()
    assert workspace.refresh()
    assert told(workspace.check(path)) == told(unknown)


def test_settings_decide(folder: Path) -> None:
    workspace, path = Workspace((str(folder),), Settings()), str(folder / "kernels.py")
    everything = {d.code for d in workspace.check(path).diagnostics}
    for settings, gone in [
        (Settings(disabled=("PH001",)), {"PH001"}),
        (Settings(verify_level="none"), {"InOutUseDiscipline/0"}),
        (Settings(warning_level="none"), {"UnusedVariableCheck/1001", "PH001"}),
    ]:
        assert workspace.configure(settings)
        assert everything - {d.code for d in workspace.check(path).diagnostics} == gone
    assert not workspace.configure(settings)


def test_a_text_that_cannot_be_read_is_a_fault(folder: Path) -> None:
    workspace = Workspace((str(folder),), Settings())
    (folder / "binary.py").write_bytes(b"\0")
    for name in ("binary.py", "missing.py"):
        with pytest.raises(UnreadableFile):
            workspace.check(str(folder / name))


def test_a_document_that_is_too_long_is_not_looked_at(folder: Path) -> None:
    workspace, path = Workspace((str(folder),), Settings()), str(folder / "long.py")
    workspace.open(path, "x = 1\n" * (SIZE_LIMIT // 4))
    with pytest.raises(UnreadableFile):
        workspace.check(path)
    edit(workspace, path, 0, 0, "y = 2\n")
    assert workspace.sources.find(path) is None
    document = workspace.sources.document(path)
    assert document is not None
    document.change([Change(KERNELS)], PositionEncoding.UTF32)
    assert workspace.check(path).units


def test_a_defect_of_ours_costs_its_own_findings_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rule = next(rule for rule in dsl_rules() if rule.rule_name == "UnusedVariableCheck")

    def fails(*_: object) -> list[Diagnostic]:
        raise RuntimeError("a defect")

    monkeypatch.setattr(type(rule), "verify_function", fails)
    with caplog.at_level(logging.ERROR):
        report = Workspace((str(folder),), Settings()).check(str(folder / "kernels.py"))
    codes = {d.code for d in report.diagnostics}
    assert "UnusedVariableCheck/1001" not in codes
    assert {"InOutUseDiscipline/0", "PH001"} <= codes
    assert any("UnusedVariableCheck" in record.message for record in caplog.records)


def test_a_defect_in_the_front_end_is_silent(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(file_analysis.FrontEnd, "lower", fails)
    with caplog.at_level(logging.ERROR):
        report = Workspace((str(folder),), Settings()).check(str(folder / "kernels.py"))
    assert report.diagnostics == ()
    assert any("internal error" in record.message for record in caplog.records)


def test_late_findings_stay_until_the_new_ones_are_there(folder: Path) -> None:
    workspace, path = Workspace((str(folder),), Settings()), str(folder / "kernels.py")
    workspace.open(path, KERNELS)
    before = [d.span.position() for d in workspace.check(path).diagnostics if d.code == "PH001"]
    assert before
    edit(workspace, path, 0, 0, "# a line above\n")
    first = next(step for step in workspace.steps(path) if step is not None)
    shifted = [(a + 1, b, c + 1, d) for a, b, c, d in before]
    assert [d.span.position() for d in first.diagnostics if d.code == "PH001"] == shifted
    start = KERNELS.index("t = pl.load") + len("# a line above\n")
    edit(workspace, path, start, start + len("t = pl.load(x, [0, 0], [64, 64])"), "t = pl.load(x, [0, 0], [64, 8])")
    first = next(step for step in workspace.steps(path) if step is not None)
    lines = [d.span.line for d in first.diagnostics if d.code == "PH001"]
    assert len(lines) < len(before)


def test_editing_one_kernel_looks_at_no_other_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace, path = Workspace((str(folder),), Settings()), str(folder / "kernels.py")
    workspace.open(path, KERNELS)
    workspace.check(path)
    rule = next(rule for rule in dsl_rules() if rule.rule_name == "UnusedVariableCheck")
    seen: list[str] = []
    original = type(rule).verify_function

    def noted(self: object, function: object, *rest: object) -> object:
        seen.append(function.name)  # type: ignore[attr-defined]
        return original(self, function, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(type(rule), "verify_function", noted)
    start = KERNELS.index("pl.exp(t)")
    edit(workspace, path, start, start + 9, "pl.log(t)")
    workspace.check(path)
    assert seen == ["scale"]


EDITS = (
    "", " ", "\n", "x", "0", "7", "(", ")", "[", "]", '"', "'", ":", ",", "#", "    ", "t", "pl.", "pl.exp(x)", "é", "数",
    "# pypto: ignore\n", "return out\n", "        q = pl.add(x, x)\n", "COLS", "ROWS = 32\n",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_any_history_gives_what_a_fresh_analysis_gives(folder: Path, seed: int) -> None:
    rng = random.Random(seed)
    workspace, path = Workspace((str(folder),), Settings()), str(folder / "kernels.py")
    workspace.open(path, KERNELS)
    workspace.check(path)
    undo: list[str] = [KERNELS]
    for _ in range(12):
        text = undo[-1]
        if len(undo) > 1 and rng.random() < 0.4:
            undo.pop()
            document = workspace.sources.document(path)
            assert document is not None
            document.change([Change(undo[-1])], PositionEncoding.UTF32)
        else:
            start = rng.randrange(len(text) + 1)
            end = min(len(text), start + rng.choice((0, 0, 1, 3)))
            new = rng.choice(EDITS)
            edit(workspace, path, start, end, new)
            undo.append(text[:start] + new + text[end:])
        if rng.random() < 0.6:
            list(zip(range(rng.randrange(5)), workspace.steps(path)))  # an analysis that a newer edit ends
        else:
            assert workspace.check(path).complete
    text = undo[-1]
    assert workspace.text(path) == text
    try:
        compile(text, path, "exec", dont_inherit=True)
    except SyntaxError:
        text = KERNELS  # how a broken text falls into pieces may depend on its history; once it is whole it may not
        document = workspace.sources.document(path)
        assert document is not None
        document.change([Change(text)], PositionEncoding.UTF32)
    assert told(workspace.check(path)) == fresh(folder, text)


INLINED = """\
import pypto.language as pl

ONE = 1


@pl.jit.inline
def helper(s: pl.Tensor[[64, 1], pl.FP32], a: pl.Tensor[[64, 256], pl.FP32], o: pl.Tensor[[64, 256], pl.FP32]):
    for r in pl.spmd(4):
        o[r * 16 : r * 16 + 16, :] = pl.row_expand_mul(a[r * 16 : r * 16 + 16, :], s[r * 16 : r * 16 + 16, :])
    return o


@pl.jit
def entry(
    s: pl.Tensor[[64, 1], pl.FP32],
    a: pl.Tensor[[64, 256], pl.FP32],
    o: pl.Out[pl.Tensor[[64, 256], pl.FP32]],
):
    helper(
        s, a, o,
    )
    return o
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    helper(\n", ""),
        ("    s: pl.Tensor[[64, 1]", "    s: pl.Tensor[[64, ONE]"),
        ("    helper(\n        s,", "    helper(\n        z,"),
    ],
)
def test_a_type_tells_where_it_comes_from_now(folder: Path, old: str, new: str) -> None:
    """The types of a helper are the same as before, but come from another place of the text."""
    workspace, path = Workspace((str(folder),), Settings()), str(folder / "kernels.py")
    workspace.open(path, INLINED)
    assert any(d.hint_code == "PH001" for d in workspace.check(path).diagnostics)
    start = INLINED.index(old)
    edit(workspace, path, start, start + len(old), new)
    assert told(workspace.check(path)) == fresh(folder, INLINED.replace(old, new, 1))


def test_opening_a_file_as_it_is_changes_nothing_for_its_importers(folder: Path) -> None:
    workspace, path = Workspace((str(folder),), Settings()), str(folder / "kernels.py")
    before, sizes = workspace.check(path), str(folder / "sizes.py")
    workspace.open(sizes, "COLS = 128\n")
    assert workspace.check(path) is before
    edit(workspace, sizes, 7, 10, "256")
    assert workspace.check(path) is not before
    edit(workspace, sizes, 7, 10, "128")
    assert told(workspace.check(path)) == told(before)


def test_an_analysis_that_is_given_up_does_not_make_another_one_forget_what_it_looked_at(folder: Path) -> None:
    path, middle, sizes = (str(folder / f"{name}.py") for name in ("kernels", "middle", "sizes"))
    Path(path).write_text(KERNELS.replace("from sizes", "from middle"), encoding="utf-8")
    Path(middle).write_text("from sizes import COLS\n", encoding="utf-8")
    for begun in range(1, 60):
        workspace = Workspace((str(folder),), Settings())
        first, given_up = workspace.steps(path), workspace.steps(path)
        for _ in range(begun):
            next(first, None)
        for imported in (middle, sizes):
            workspace.sources.forget(imported)  # to save memory, so the second one has to parse it
        next(given_up, None)
        list(first)
        assert path in workspace.dependents(sizes), begun
