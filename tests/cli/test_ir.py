"""``pypto-lsp ir``."""

from __future__ import annotations

from pathlib import Path

import pytest

from pypto_lsp.cli.main import main

KERNEL = """\
import pypto.language as pl


@pl.program
class Scale:
    @pl.function
    def main(self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            unread = pl.exp(x)
            o[:] = pl.mul(pl.exp(x), 2.0)
        return o
"""


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kernel.py").write_text(KERNEL, encoding="utf-8")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["ir", "kernel.py", *arguments]) == 0
    return [line.strip() for line in capsys.readouterr().out.splitlines()]


def test_the_program_with_its_findings(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys)
    assert lines[0] == "# pypto.program: Scale"
    place = lines.index("unread: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.exp(x)")
    assert lines[place + 1].startswith("# ^ warning UnusedVariableCheck/1001: ")


def test_one_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "--kernel", "main") == printed(capsys, "--kernel", "Scale")
    assert main(["ir", "kernel.py", "--kernel", "other"]) == 2
    assert "no kernel 'other'; there are Scale, main" in capsys.readouterr().err


def test_after_a_pass(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "--after", "ConvertTensorToTileOps")
    assert any("pl.tile.load(x" in line for line in lines)
    assert any("pl.tile.exp(" in line for line in lines)
    assert not any("pl.tensor.exp" in line for line in lines)
    assert not any(line.startswith("with pl.at") for line in printed(capsys, "--after", "OutlineIncoreScopes"))
    assert main(["ir", "kernel.py", "--after", "MemoryReuse"]) == 2
    assert "ConvertToSSA" in capsys.readouterr().err


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ir", "nowhere.py"]) == 2
    assert "cannot read" in capsys.readouterr().err
