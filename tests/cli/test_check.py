"""``pypto-lsp check``: formats, exit codes, selection, fixes, faults."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pypto_lsp.cli.main import main

UNUSED = "UnusedVariableCheck/1001"
KERNEL = """\
import pypto.language as pl


@pl.jit
def scale(x: pl.Tensor[[64, 256], pl.FP32], out: pl.Out[pl.Tensor[[64, 256], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        dead = pl.exp(x)
        out[:] = pl.neg(x)
    return out
"""
CLEAN = KERNEL.replace("        dead = pl.exp(x)\n", "")
#: InOutUseDiscipline with a safe fix
WRONG = """\
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[64, 256], pl.FP32], o: pl.Out[pl.Tensor[[64, 256], pl.FP32]]) -> pl.Tensor[[64, 256], pl.FP32]:
        t = pl.load(x, [0, 0], [64, 256])
        o = pl.store(t, [0, 0], o)
        return o

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[64, 256], pl.FP32], o: pl.Out[pl.Tensor[[64, 256], pl.FP32]]) -> pl.Tensor[[64, 256], pl.FP32]:
        self.k(x, o)
        return o
"""


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("PYPTO_VERIFY_LEVEL", "PYPTO_WARNING_LEVEL", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["check", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    code, out, err = run(capsys, "--format", "json", *arguments)
    assert err == ""
    return code, json.loads(out)


def write(**texts: str) -> None:
    for name, text in texts.items():
        Path(f"{name}.py").write_text(text, encoding="utf-8")


def test_json_has_every_field(capsys: pytest.CaptureFixture[str]) -> None:
    write(kernel=KERNEL)
    code, (item,) = found(capsys, "kernel.py")
    assert code == 0
    assert {name: item[name] for name in item if name not in ("message", "fixes", "facts", "related")} == {
        "file": "kernel.py",
        "line": 7,
        "column": 9,
        "end_line": 7,
        "end_column": 13,
        "severity": "warning",
        "rule_name": "UnusedVariableCheck",
        "error_code": 1001,
        "hint_code": "",
        "kernel": "scale",
    }
    assert "dead" in item["message"]
    for fix in item["fixes"]:
        assert set(fix) == {"title", "safe", "edits"}
        for edit in fix["edits"]:
            assert set(edit) == {"file", "line", "column", "end_line", "end_column", "new_text"}


def test_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    write(clean=CLEAN, warned=KERNEL, wrong=WRONG)
    assert run(capsys, "clean.py")[0] == 0
    assert run(capsys, "warned.py")[0] == 0
    assert run(capsys, "--strict", "warned.py")[0] == 1
    assert run(capsys, "wrong.py")[0] == 1
    assert run(capsys, "clean.py", "--target", "a5")[0] == 0
    assert run(capsys)[0] == 1


def test_unreadable_files_get_a_line_each_after_the_others_were_checked(capsys: pytest.CaptureFixture[str]) -> None:
    write(warned=KERNEL)
    Path("binary.py").write_bytes(b"x\0y")
    Path("latin.py").write_bytes(b"x = '\xe9'")
    code, out, err = run(capsys, "--format", "json", "missing.py", ".", "warned.py")
    assert code == 2
    assert [item["file"] for item in json.loads(out)] == ["warned.py"]
    lines = err.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("pypto-lsp: cannot read ") for line in lines)
    assert "missing.py" in lines[0]


@pytest.mark.parametrize(
    ("text", "code"), [("", 0), ("x = 1\n", 0), ("def f(:\n", 0), ("import pypto.language as pl\n", 0), ("\ufeff", 0)]
)
def test_files_without_kernels_are_clean(capsys: pytest.CaptureFixture[str], text: str, code: int) -> None:
    write(plain=text)
    assert found(capsys, "plain.py") == (code, [])


def test_a_broken_kernel_file_has_one_syntax_error(capsys: pytest.CaptureFixture[str]) -> None:
    write(broken=KERNEL.replace("pl.neg(x)", "pl.neg(x"))
    code, items = found(capsys, "broken.py")
    assert code == 1
    assert [item["rule_name"] for item in items].count("SyntaxError") == 1


def test_selection(capsys: pytest.CaptureFixture[str]) -> None:
    write(warned=KERNEL, wrong=WRONG)
    assert {i["rule_name"] for i in found(capsys, ".")[1]} == {"UnusedVariableCheck", "InOutUseDiscipline"}
    assert {i["rule_name"] for i in found(capsys, ".", "--select", UNUSED)[1]} == {"UnusedVariableCheck"}
    assert {i["rule_name"] for i in found(capsys, ".", "--ignore", f"PH,{UNUSED}")[1]} == {"InOutUseDiscipline"}
    assert found(capsys, ".", "--select", "PH001", "--select", UNUSED)[0] == 0
    code, out, err = run(capsys, ".", "--select", "UnusedVariabel")
    assert (code, out) == (2, "")
    assert "UnusedVariabel" in err


def test_a_wrong_target_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, ".", "--target", "ascend9000")
    assert (code, out) == (2, "")
    assert "ascend9000" in err


def test_the_environment_switches_channels_off(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(warned=KERNEL, wrong=WRONG)
    monkeypatch.setenv("PYPTO_WARNING_LEVEL", "none")
    assert {i["rule_name"] for i in found(capsys, ".")[1]} == {"InOutUseDiscipline"}
    monkeypatch.setenv("PYPTO_VERIFY_LEVEL", "none")
    assert found(capsys, ".") == (0, [])


def test_suppression_comments(capsys: pytest.CaptureFixture[str]) -> None:
    write(
        line=KERNEL.replace("pl.exp(x)", f"pl.exp(x)  # pypto: ignore[{UNUSED}]"), file=f"# pypto: ignore-file\n{WRONG}"
    )
    assert found(capsys, ".") == (0, [])


def test_findings_of_imported_kernels_come_once(capsys: pytest.CaptureFixture[str]) -> None:
    write(helper=KERNEL.replace("@pl.jit\n", "@pl.jit.inline\n"))
    entry = CLEAN.replace("def scale", "def {name}").replace(
        "        out[:] = pl.neg(x)\n", "        out = scale(x, out)\n"
    )
    entry = entry.replace("    with pl.at(level=pl.Level.CORE_GROUP):\n    ", "")
    entry = entry.replace("import pypto.language as pl\n", "import pypto.language as pl\nfrom helper import scale\n")
    write(one=entry.replace("{name}", "one"), two=entry.replace("{name}", "two"))
    _, items = found(capsys, "one.py", "two.py")
    assert [(i["file"], i["line"], i["rule_name"]) for i in items] == [("helper.py", 7, "UnusedVariableCheck")]
    assert {Path(related["file"]).name for related in items[0]["related"]} >= {"one.py", "two.py"}


def test_text_shows_the_line_and_underlines_the_span(capsys: pytest.CaptureFixture[str]) -> None:
    write(kernel=KERNEL.replace("        dead = pl.exp(x)", "        '数'; dead = pl.exp(x)"))
    code, out, _ = run(capsys, "kernel.py")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].startswith(f"kernel.py:7:14: warning[{UNUSED}] ")
    assert lines[2] == " 7 |         '数'; dead = pl.exp(x)"
    # the wide character takes two columns of a terminal
    assert lines[3].rstrip() == "   |               ^^^^"
    assert lines[-1].startswith("Found 1 warning.")
    assert "\033[" not in out


def test_colours_on_demand_only(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    write(kernel=KERNEL)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\033[33m" in run(capsys, "kernel.py")[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\033[" not in run(capsys, "kernel.py")[1]


def test_nothing_found_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    write(clean=CLEAN)
    assert run(capsys, "clean.py")[1] == "No findings.\n"


def test_github_annotations(capsys: pytest.CaptureFixture[str]) -> None:
    write(kernel=KERNEL)
    out = run(capsys, "kernel.py", "--format", "github")[1]
    assert out.startswith(f"::warning file=kernel.py,line=7,endLine=7,col=9,endColumn=12,title=pypto-lsp {UNUSED}::")


def test_sarif(capsys: pytest.CaptureFixture[str]) -> None:
    write(kernel=KERNEL, wrong=WRONG)
    log = json.loads(run(capsys, ".", "--format", "sarif")[1])
    assert log["version"] == "2.1.0"
    (only,) = log["runs"]
    rules = only["tool"]["driver"]["rules"]
    for result in only["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    levels = {result["ruleId"]: result["level"] for result in only["results"]}
    assert levels[UNUSED] == "warning"
    assert levels["InOutUseDiscipline/0"] == "error"
    location = only["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"] == {"uri": "kernel.py", "uriBaseId": "%SRCROOT%"}
    assert location["region"] == {"startLine": 7, "startColumn": 9, "endLine": 7, "endColumn": 13}


def test_fix_applies_safe_fixes_and_reports_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    write(wrong=WRONG, other=WRONG.replace("\n", "\r\n"))
    code, out, _ = run(capsys, ".", "--fix")
    assert code == 0
    assert out == "Applied 2 fixes. No findings.\n"
    assert "        o = self.k(x, o)\n" in Path("wrong.py").read_text(encoding="utf-8")
    assert b"        o = self.k(x, o)\r\n" in Path("other.py").read_bytes()


def test_fix_leaves_what_is_silenced_or_not_selected(capsys: pytest.CaptureFixture[str]) -> None:
    write(wrong=WRONG)
    before = Path("wrong.py").read_bytes()
    run(capsys, ".", "--fix", "--ignore", "InOutUseDiscipline")
    assert Path("wrong.py").read_bytes() == before


def start(*arguments: str, **more: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pypto_lsp", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def test_a_reader_that_leaves_causes_no_traceback() -> None:
    write(**{f"kernel{n}": KERNEL for n in range(3)})
    process = start("rules")
    process.stdout.close()
    error = process.stderr.read()
    assert process.wait(60) == 2
    assert b"Traceback" not in error


def test_no_code_of_the_user_runs(capsys: pytest.CaptureFixture[str]) -> None:
    trap = "import pathlib\npathlib.Path('ran').touch()\nROWS = 64\n"
    write(trap=trap, kernel="from trap import ROWS\n" + trap + KERNEL)
    run(capsys, ".")
    assert not os.path.exists("ran")
