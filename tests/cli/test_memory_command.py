"""``pypto-lsp memory``: what kernels need, as text and as data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pypto_lsp.cli.main import main

KERNEL = """\
import pypto.language as pl


@pl.jit
def kernel(x: pl.Tensor[[128, 256], pl.FP32], o: pl.Out[pl.Tensor[[128, 256], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        y = pl.exp(x)
        o[:] = pl.add(y, x)
    return o
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kernel.py").write_text(KERNEL, encoding="utf-8")
    return "kernel.py"


def test_json_has_the_bytes_of_each_space(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "--format", "json", file]) == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert (entry["file"], entry["line"], entry["unit"], entry["lane"]) == ("kernel.py", 6, "kernel", "vector")
    assert entry["complete"] is True
    (vec,) = entry["spaces"]
    assert (vec["space"], vec["needed"], vec["limit"]) == ("Vec", 2 * 131072, 188416)
    assert [(tile["line"], tile["bytes"]) for tile in vec["tiles"]] == [(7, 131072), (7, 131072)]
    assert [(tile["line"], tile["last_line"], tile["text"]) for tile in vec["buffers"]] == [
        (7, 8, "x"),
        (7, 8, "pl.exp(x)"),
        (8, 8, "pl.add(y, x)"),
    ]


def test_operands_of_products_are_counted(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = KERNEL.replace("[128, 256]", "[64, 64]").replace(
        "y = pl.exp(x)\n        o[:] = pl.add(y, x)", "o[:] = pl.matmul(x, x)"
    )
    Path(file).write_text(text, encoding="utf-8")
    assert main(["memory", "--format", "json", file]) == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert {use["space"]: use["needed"] for use in entry["spaces"]} == {
        "Mat": 32768, "Acc": 16384, "Left": 16384, "Right": 16384,
    }  # fmt: skip


def test_text_says_what_is_too_much(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", file]) == 0
    out = capsys.readouterr().out
    assert out.startswith("kernel.py:6: ")
    assert "262144 of   188416 bytes  139.1 %  too much" in out
    assert "line 7: pl.exp(x)" in out


def test_the_target_decides(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "--target", "a5", file]) == 0
    assert "of   245760 bytes" in capsys.readouterr().out


def test_a_file_that_cannot_be_read_is_told(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "nowhere.py", file]) == 2
    captured = capsys.readouterr()
    assert "nowhere.py" in captured.err
    assert "kernel.py:6" in captured.out
