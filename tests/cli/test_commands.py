"""The other subcommands, and the command line as such."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pypto_lsp import __version__
from pypto_lsp.cli.main import main

KERNEL = """\
import pypto.language as pl

COLS = 256


@pl.jit
def scale(x: pl.Tensor[[64, COLS], pl.FP32], out: pl.Out[pl.Tensor[[64, COLS], pl.FP32]]):
    for i in pl.range(4):
        with pl.at(level=pl.Level.CORE_GROUP):
            low = pl.cast(x, target_type=pl.BF16)
            out[:] = pl.cast(low, target_type=pl.FP32)
    return out
"""


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def types(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert main(["types", "--format", "json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def test_types_are_printed_in_source_order(capsys: pytest.CaptureFixture[str]) -> None:
    Path("kernel.py").write_text(KERNEL, encoding="utf-8")
    items = types(capsys, "kernel.py")
    assert [(i["line"], i["name"]) for i in items][:2] == [(7, "x"), (7, "out")]
    assert [(i["line"], i["column"]) for i in items] == sorted((i["line"], i["column"]) for i in items)
    by_name = {i["name"]: i for i in items}
    assert by_name["x"]["type"] == "pl.Tensor[[64, 256], pl.FP32]"
    assert by_name["low"]["type"] == "pl.Tensor[[64, 256], pl.BF16]"
    assert by_name["i"]["type"] == "pl.Scalar[pl.INDEX]"
    assert set(by_name["low"]) == {"file", "line", "column", "kernel", "name", "type", "value"}
    assert by_name["low"]["file"] == "kernel.py"
    assert by_name["low"]["kernel"] == "scale"


def test_types_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    Path("kernel.py").write_text(KERNEL, encoding="utf-8")
    assert main(["types", "kernel.py"]) == 0
    assert "kernel.py:10:13: scale: low: pl.Tensor[[64, 256], pl.BF16]" in capsys.readouterr().out


def test_types_of_an_unreadable_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("kernel.py").write_text(KERNEL, encoding="utf-8")
    Path("binary.py").write_bytes(b"\0")
    assert main(["types", "--format", "json", "binary.py", "kernel.py"]) == 2
    captured = capsys.readouterr()
    assert len(json.loads(captured.out)) >= 3
    assert "binary.py" in captured.err


def test_explain_tells_a_rule_and_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "InOutUseDiscipline/0"]) == 0
    page = capsys.readouterr().out
    assert "InOutUseDiscipline/0" in page
    assert "## What it does" in page
    assert "^^^" in page
    assert "⟦" not in page
    assert main(["explain", "2301"]) == 0
    assert "InvalidOperationError/2301" in capsys.readouterr().out
    assert main(["explain", "PH001"]) == 0
    assert "PH001" in capsys.readouterr().out


def test_explain_suggests_what_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "PH0001"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "PH001" in captured.err


def test_rules_lists_every_code_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    codes = [(e["rule_name"], e["error_code"], e["hint_code"]) for e in listed]
    assert len(codes) == len(set(codes))
    assert {"PH001", "UnusedVariableCheck/1001", "SyntaxError/2501"} <= {e["code"] for e in listed}
    assert all(e["title"] and e["severity"] in ("error", "warning", "hint") for e in listed)
    assert main(["rules"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(listed) + 1


def test_every_page_has_something_to_say() -> None:
    from pypto_lsp.analysis.catalogue import entries

    for entry in entries():
        assert entry.explanation, entry.code
        assert "⟦" not in entry.page, entry.code


def test_the_version_is_told_without_loading_anything() -> None:
    program = (
        "import sys\nfrom pypto_lsp.cli.main import main\n"
        "try:\n    main(['--version'])\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('libcst', 'lsprotocol', 'pygls', 'pypto_lsp.analysis') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines() == [f"pypto-lsp {__version__}", "[]"]


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["check", "--format", "yaml"], ["explain"]])
def test_a_wrong_command_line_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["nonsense", "localhost:", "localhost:99999", "localhost:x"])
def test_a_wrong_address_is_named(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--tcp", address]) == 2
    assert address in capsys.readouterr().err
