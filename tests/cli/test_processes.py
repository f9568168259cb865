"""Checking in several processes gives what checking in one gives."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pypto_lsp.analysis.portable import packed, unpacked
from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.cli import processes
from pypto_lsp.cli.check import Selection, check_files
from pypto_lsp.cli.formats.json import as_object
from pypto_lsp.text import Source

KERNEL = """\
import pypto.language as pl
from sizes import COLS


@pl.jit
def scale(x: pl.Tensor[[64, COLS], pl.FP32], out: pl.Out[pl.Tensor[[64, COLS], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        dead = pl.exp(x)
        out[:] = pl.neg(x)
    return out
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "sizes.py").write_text("COLS = 64\n", encoding="utf-8")
    (tmp_path / "binary.py").write_bytes(b"\0")
    for number in range(6):
        (tmp_path / f"kernel{number}.py").write_text("# 数\n" * number + KERNEL, encoding="utf-8")
    return sorted(str(path) for path in tmp_path.glob("*.py"))


def test_the_outcome_is_the_same(files: list[str]) -> None:
    workspace = Workspace((os.path.dirname(files[0]),), Settings())
    one = check_files(workspace, files, Selection())
    several = check_files(workspace, files, Selection(), processes=2)
    assert [as_object(d) for d in several.diagnostics] == [as_object(d) for d in one.diagnostics]
    assert several.faults == one.faults
    assert len(one.diagnostics) >= 6
    assert list(one.faults) == [files[0]]


def dies(_path: str) -> None:
    os._exit(3)


def test_a_process_that_dies_costs_nothing_but_time(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_answer", dies)
    workspace = Workspace((os.path.dirname(files[0]),), Settings())
    several = check_files(workspace, files, Selection(), processes=2)
    assert len(several.diagnostics) >= 6


def test_a_finding_survives_the_journey(files: list[str]) -> None:
    workspace = Workspace((os.path.dirname(files[0]),), Settings())
    sources: dict[str, Source] = {}

    def source(path: str) -> Source:
        return sources.setdefault(path, Source(path, workspace.text(path)))

    for found in workspace.check(files[2]).diagnostics:
        assert as_object(unpacked(packed(found), source)) == as_object(found)


def test_few_files_stay_in_one_process() -> None:
    assert processes.processes_for(0) == 1
    assert processes.processes_for(3) == 1
