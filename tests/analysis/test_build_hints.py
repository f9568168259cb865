"""Hints from the logs of the compiler's builds: which hold, where they are shown, and which are ours already."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pypto_lsp.analysis.build_hints import PERF_HINTS, REPORT_FOLDER
from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.backends import backend
from pypto_lsp.cli.main import main
from pypto_lsp.diagnostics import Diagnostic, Severity

KERNEL = """\
import pypto.language as pl

COLS = 64


@pl.jit
def kernel(x: pl.Tensor[[64, 512], pl.FP32], o: pl.Out[pl.Tensor[[64, 512], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        o[:, 0:COLS] = pl.neg(x[:, 0:COLS])  # été
    return o
"""
BUILD = Path("build_output", "_jit_kernel_20260101_000000")


def transfer(op: str, size: int, place: str, arch: str = "a2a3") -> str:
    return (
        f"[perf_hint PH001] TileInnermostDimGranularity: {op} has innermost dim = {size}B for backend {arch} at {place}"
    )


def depth(place: str) -> str:
    return f"[perf_hint PH-MR-001] MemoryReuse: two stages share a buffer at {place}"


class Project:
    """A folder with a kernel, and a build's log that is a second newer."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.kernel = self.write("kernel.py", KERNEL)
        self.place = f"{self.kernel}:9"

    def write(self, name: str, text: str, age: int = 0) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        os.utime(path, (1_000_000_000 - age,) * 2)
        return path

    def log(self, *lines: str, build: Path = BUILD, age: int = -1) -> Path:
        return self.write(str(build / REPORT_FOLDER / PERF_HINTS), "\n".join(lines) + "\n", age)

    def workspace(self, target: str = "ascend910b") -> Workspace:
        return Workspace((str(self.root),), Settings(target=backend(target)))

    def hints(self, workspace: Workspace | None = None) -> list[Diagnostic]:
        """What is shown of the build."""
        return built((workspace or self.workspace()), self.kernel)


def built(workspace: Workspace, path: Path) -> list[Diagnostic]:
    return [d for d in workspace.check(str(path)).diagnostics if "log" in d.facts]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_a_hint_is_shown_where_it_points(project: Project) -> None:
    log = project.log(depth(f"{project.place}:24"))
    (hint,) = project.hints()
    assert (hint.severity, hint.code, hint.rule_name) == (Severity.PERF_HINT, "PH-MR-001", "MemoryReuse")
    assert "compiler's build" in hint.message and "two stages share a buffer" in hint.message
    assert hint.span.text == "pl.neg(x[:, 0:COLS])"
    assert hint.facts == {"line": 9, "log": str(log)}


def test_a_place_that_begins_nothing_stands_for_its_line(project: Project) -> None:
    project.log(depth(f"{project.place}:10"))
    assert [hint.span.text for hint in project.hints()] == ["o[:, 0:COLS] = pl.neg(x[:, 0:COLS])  # été"]


@pytest.mark.parametrize("place", ["5:1", "500:1", "0:0"])
def test_a_place_that_holds_nothing_is_passed_over(project: Project, place: str) -> None:
    project.log(depth(f"{project.kernel}:{place}"))
    assert project.hints() == []


def test_what_we_say_ourselves_is_said_once(project: Project) -> None:
    lines = [transfer(op, size, f"{project.place}:9") for op in ("tile.load", "tile.store") for size in (256, 128)]
    project.log(*lines)
    assert sorted((h.facts["op"], h.facts["innermost_bytes"]) for h in project.hints()) == [
        ("tile.load", 128),
        ("tile.store", 128),
    ]


def test_two_builds_that_say_the_same_are_one(project: Project) -> None:
    project.log(depth(f"{project.place}:24"))
    later = project.log(depth(f"{project.place}:24"), build=Path("other"), age=-2)
    assert [hint.facts["log"] for hint in project.hints()] == [str(later)]


@pytest.mark.parametrize("age", [0, 1])
def test_a_log_that_is_not_newer_is_silent(project: Project, age: int) -> None:
    project.log(depth(f"{project.place}:24"), age=age)
    assert project.hints() == []


def test_a_change_that_is_not_saved_is_newer_than_any_log(project: Project) -> None:
    project.log(depth(f"{project.place}:24"))
    workspace = project.workspace()
    workspace.open(str(project.kernel), KERNEL)
    assert project.hints(workspace)
    workspace.open(str(project.kernel), KERNEL.replace("été", "hiver"))
    assert not project.hints(workspace)


def test_a_changed_import_is_newer_than_the_log(project: Project) -> None:
    sizes = project.write("sizes.py", "COLS = 64\n")
    project.write("kernel.py", KERNEL.replace("\nCOLS = 64\n", "\nfrom sizes import COLS\n"))
    project.log(depth(f"{project.place}:24"))
    assert project.hints()
    os.utime(sizes)
    assert not project.hints()


def test_another_file_of_the_build_that_changed_takes_it_back(project: Project) -> None:
    other = project.write("other.py", KERNEL)
    project.log(depth(f"{project.place}:24"), depth(f"{other}:9:24"))
    assert project.hints()
    other.unlink()
    assert not project.hints()


def test_a_helper_in_another_file_has_its_hints_in_the_report_of_its_user(project: Project) -> None:
    project.log(depth(f"{project.place}:24"))
    user = project.write("user.py", "import pypto.language as pl\nfrom kernel import kernel\n")
    assert [hint.span.path for hint in built(project.workspace(), user)] == [str(project.kernel)]


def test_a_build_for_another_target_says_nothing(project: Project) -> None:
    project.log(transfer("tile.load", 64, f"{project.place}:9", "a5"), depth(f"{project.place}:24"))
    assert project.hints() == []
    assert len(project.hints(project.workspace("ascend950"))) == 2


def test_a_relative_name_counts_from_where_the_build_began(project: Project) -> None:
    project.log(depth("kernel.py:9:24"), depth("nowhere.py:9:24"), depth("<string>:9:24"))
    assert len(project.hints()) == 1


def test_comments_silence_them(project: Project) -> None:
    project.write("kernel.py", KERNEL.replace("# été", "# pypto: ignore"))
    project.log(depth(f"{project.place}:24"))
    assert project.hints() == []


def test_a_log_beside_a_file_outside_of_the_roots(project: Project, tmp_path_factory: pytest.TempPathFactory) -> None:
    project.log(depth(f"{project.place}:24"))
    workspace = Workspace((str(tmp_path_factory.mktemp("elsewhere")),))
    assert len(project.hints(workspace)) == 1


def test_new_and_vanished_logs_are_noticed(project: Project) -> None:
    workspace = project.workspace()
    assert not project.hints(workspace)
    log = project.log(depth(f"{project.place}:24"))
    assert not workspace.refresh([str(project.root / "notes.txt")]) or project.hints(workspace) == []
    assert workspace.refresh([str(log)])
    assert project.hints(workspace)
    assert not workspace.refresh()
    log.unlink()
    assert workspace.refresh()
    assert not project.hints(workspace)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"\0" * 9, "cannot be read: a binary file, not text"),
        (b"\xff\xfe", "cannot be read: not UTF-8 text: bad byte at offset 0"),
        (b"x" * (2 * 1024 * 1024 + 1), "cannot be read: larger than 2 MB"),
        (b"[perf_hint PH0", "lines that are no hints of the compiler and are left out: 1"),
    ],
)
def test_a_damaged_log_is_named_and_costs_nothing(
    project: Project, content: bytes, fault: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = project.log("")
    log.write_bytes(content)
    project.log(depth(f"{project.place}:24"), build=Path("other"))
    workspace = project.workspace()
    assert len(project.hints(workspace)) == 1
    assert workspace.build_log_faults() == {str(log): fault}
    monkeypatch.chdir(project.root)
    assert main(["check", "kernel.py"]) == 0
    said = capsys.readouterr()
    assert said.err == f"pypto-lsp: {log.relative_to(project.root)}: {fault}\n"
    assert "two stages share a buffer" in said.out


def test_an_unreadable_line_leaves_the_others(project: Project) -> None:
    project.log("what?", depth(f"{project.place}:24"))
    assert len(project.hints()) == 1
