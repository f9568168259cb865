"""The fix of PH001: the number, the value, and when there is none. The figures of the suite are the compiler's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.backends import backend
from pypto_lsp.diagnostics import Diagnostic, Fix
from pypto_lsp.fixes.registry import edited_texts

SUITE = Path(__file__).parent.parent / "conformance" / "rules"
TARGETS = {"910b": "ascend910b", "950": "ascend950"}

COPY = """\
import pypto.language as pl

COLS = 64


@pl.program
class Copy:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[64, 512], pl.FP32], o: pl.Out[pl.Tensor[[64, 512], pl.FP32]]
    ) -> pl.Tensor[[64, 512], pl.FP32]:
        t = pl.load(x, [0, 0], [64, COLS])
        o = pl.store(t, [0, 0], o)
        return o
"""


def check(text: str, target: str = "ascend910b", *, patient: bool = True) -> list[Diagnostic]:
    workspace = Workspace(settings=Settings(target=backend(target)), patient=patient)
    workspace.open("kernel.py", text)
    return list(workspace.check("kernel.py").diagnostics)


def fixes(text: str, target: str = "ascend910b") -> list[Fix]:
    """The different fixes of all hints of a text."""
    found = [fix for d in check(text, target) if d.code == "PH001" for fix in d.fixes]
    return list({fix.title: fix for fix in found}.values())


def marks() -> list[object]:
    rows = map(json.loads, (SUITE.parent / "rules.PH001.marks.jsonl").read_text(encoding="utf-8").splitlines())
    return [
        pytest.param(
            row, backend_name, id=f"{row['case'].removeprefix('PH001/').removesuffix('_bad.py')}-{backend_name}"
        )
        for row in rows
        for backend_name, figures in row["backends"].items()
        if figures.get("hints")
    ]


@pytest.mark.parametrize(("mark", "name"), marks())
def test_the_suite(mark: dict[str, Any], name: str) -> None:
    text = (SUITE / mark["case"]).read_text(encoding="utf-8")
    wanted = mark["backends"][name].get("smallest")
    offered = fixes(text, TARGETS[name])
    if wanted is None:
        assert offered == []
        return
    (fix, *same) = offered
    assert all(other.edits == fix.edits for other in same)
    (edit,) = fix.edits
    assert (edit.span.line, edit.span.column, edit.new_text) == (mark["line"], mark["col"], str(wanted))
    after = check(edited_texts(fix)["kernel.py"], TARGETS[name])
    assert not [d for d in after if d.code == "PH001" or d.severity.value == "error"]


def test_the_title_says_what_it_does() -> None:
    (fix,) = fixes(COPY)
    assert fix.title == "COLS 64 -> 128: rows of 512 B"
    assert not fix.safe


def test_it_is_sought_only_by_the_patient() -> None:
    assert not [d for d in check(COPY, patient=False) if d.fixes]


def test_a_window_that_would_leave_its_tensor_is_no_cure() -> None:
    assert fixes(COPY.replace("[64, 512]", "[64, 64]")) == []


def test_a_tile_that_would_not_fit_is_no_cure() -> None:
    assert fixes(COPY.replace("[64, COLS]", "[512, COLS]").replace("[64, 512]", "[512, 512]")) == []


def test_a_number_in_the_parameters_is_the_callers() -> None:
    text = """\
import pypto.language as pl

COLS = 64


@pl.jit
def kernel(x: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        o[:] = pl.neg(x)
    return o
"""
    assert [d.code for d in check(text)] == ["PH001", "PH001"]
    assert fixes(text) == []
    (fix,) = fixes(text.replace("[64, 64]", "[64, COLS]"))
    assert fix.title == "COLS 64 -> 128: rows of 512 B"


def test_the_value_cures_all_that_stems_from_the_number() -> None:
    half = "        h = pl.load(x, [0, 0], [16, COLS // 2])\n        o = pl.store(h, [32, 0], o)\n        return o\n"
    found = fixes(COPY.replace("        return o\n", half))
    assert {fix.title for fix in found} == {"COLS 64 -> 256: rows of 512 B", "COLS 64 -> 256: rows of 1024 B"}


def test_a_window_given_by_its_ends_has_a_number_too() -> None:
    text = """\
import pypto.language as pl

COLS = 64


@pl.jit
def kernel(x: pl.Tensor[[64, 512], pl.FP32], o: pl.Out[pl.Tensor[[64, 512], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        o[:, 0:COLS] = pl.neg(x[:, 0:COLS])
    return o
"""
    (fix,) = fixes(text)
    assert fix.title == "COLS 64 -> 128: rows of 512 B"


def test_while_the_file_has_errors_nothing_is_proven() -> None:
    assert fixes(COPY.replace("        return o\n", "        u = pl.exp(nowhere)\n        return o\n")) == []


def test_a_number_in_another_file(tmp_path: Path) -> None:
    (tmp_path / "sizes.py").write_text("COLS = 64\n", encoding="utf-8")
    kernel = tmp_path / "kernel.py"
    kernel.write_text(COPY.replace("\nCOLS = 64\n", "\nfrom sizes import COLS\n"), encoding="utf-8")
    workspace = Workspace(patient=True)
    hints = [d for d in workspace.check(str(kernel)).diagnostics if d.hint_code == "PH001"]
    assert hints
    for hint in hints:
        (fix,) = hint.fixes
        assert fix.title == "COLS 64 -> 128 in sizes.py: rows of 512 B"
        assert edited_texts(fix) == {str(tmp_path / "sizes.py"): "COLS = 128\n"}


def refusal(text: str) -> str:
    """Why the first hint of a text has no fix."""
    hint = next(d for d in check(text) if d.code == "PH001")
    assert not hint.fixes
    return str(hint.facts["no_fix"])


def test_the_reason_is_told() -> None:
    window = refusal(COPY.replace("[64, 512]", "[64, 64]"))
    assert window.startswith("with COLS = 128, line 12: ") and "128" in window
    capacity = refusal(COPY.replace("[64, COLS]", "[512, COLS]").replace("[64, 512]", "[512, 512]"))
    assert capacity.startswith("with COLS = 128, line 3: ") and "Vec" in capacity
    assert "errors" in refusal(COPY.replace("        return o\n", "        u = pl.exp(nowhere)\n        return o\n"))
    whole = COPY.replace("pl.load(x, [0, 0], [64, COLS])", "pl.exp(x)").replace("512", "64")
    assert "parameters" in refusal(whole.replace("pl.store(t, [0, 0], o)", "pl.assemble(o, t, [0, 0])"))


class Shared:
    """A constant in a file of its own, the kernel that reads it, and another reader."""

    def __init__(self, folder: Path, other: str) -> None:
        (folder / "sizes.py").write_text("COLS = 64\n", encoding="utf-8")
        self.kernel = folder / "kernel.py"
        text = COPY.replace("\nCOLS = 64\n", "\nfrom sizes import COLS\n")
        self.kernel.write_text(text, encoding="utf-8")
        (folder / "other.py").write_text(text.replace("[64, 512]", other), encoding="utf-8")
        (folder / "stranger.py").write_text("sizes = 64\n", encoding="utf-8")
        self.folder = folder

    def hint(self, *, patient: bool) -> tuple[Workspace, Diagnostic]:
        workspace = Workspace((str(self.folder),), patient=patient)
        report = workspace.check(str(self.kernel))
        return workspace, next(d for d in report.diagnostics if d.code == "PH001")

    def asked_for(self) -> Diagnostic:
        """The hint with the fixes that are sought on request."""
        workspace, hint = self.hint(patient=False)
        steps = workspace.all_fixes(str(self.kernel), hint)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return end.value


def test_another_reader_that_is_not_harmed_does_not_matter(tmp_path: Path) -> None:
    assert [fix.title for fix in Shared(tmp_path, "[64, 512]").asked_for().fixes] == [
        "COLS 64 -> 128 in sizes.py: rows of 512 B"
    ]


def test_another_reader_that_would_be_harmed_is_a_reason(tmp_path: Path) -> None:
    hint = Shared(tmp_path, "[64, 64]").asked_for()
    assert not hint.fixes
    assert hint.facts["no_fix"].startswith("with COLS = 128, other.py:12: ")


def test_readers_that_are_not_looked_into_are_counted(tmp_path: Path) -> None:
    _, hint = Shared(tmp_path, "[64, 64]").hint(patient=True)
    assert [fix.title for fix in hint.fixes] == ["COLS 64 -> 128 in sizes.py: rows of 512 B (1 other file may read it)"]
