"""Files and folders that no kernel should be in: a clear answer, a right exit code, and no code of the user's runs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

KERNEL = """\
import pypto.language as pl


@pl.jit
def {name}(x: pl.Tensor[[64, 256], pl.FP32], out: pl.Out[pl.Tensor[[64, 256], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        dead = pl.exp(x)
        out[:] = pl.neg(x)
    return out
"""
SCALE = KERNEL.format(name="scale")
#: generous: only a command that hangs takes that long (seconds)
TIMEOUT = 120


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYPTO_")} | {"PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-m", "pypto_lsp", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=TIMEOUT,
    )  # fmt: skip


def codes(done: subprocess.CompletedProcess[str]) -> list[tuple[str, str]]:
    """File and code of each finding."""
    return [(item["file"], f"{item['rule_name']}/{item['error_code']}") for item in json.loads(done.stdout)]


def test_unreadable_files_cost_a_line_each(tmp_path: Path) -> None:
    (tmp_path / "a_binary.py").write_bytes(bytes(range(256)))
    (tmp_path / "b_big.py").write_text("x = 1\n" * 1_700_000)
    (tmp_path / "c_latin.py").write_bytes(b"x = '\xe9'\n")
    (tmp_path / "d_null.py").write_bytes(SCALE.encode().replace(b"dead", b"\0"))
    (tmp_path / "kernel.py").write_text(SCALE)
    done = run(tmp_path, "check", "--format", "json", ".")
    assert done.returncode == 2
    assert codes(done) == [("kernel.py", "UnusedVariableCheck/1001")]
    lines = done.stderr.splitlines()
    assert [line.split(":")[1].split()[-1] for line in lines] == ["a_binary.py", "b_big.py", "c_latin.py", "d_null.py"]


@pytest.mark.parametrize(
    "data",
    [
        SCALE.encode("utf-8-sig"),
        SCALE.replace("\n", "\r\n").encode(),
        SCALE.replace("\n", "\r").encode(),
        SCALE.replace("\n\n", "\n\f\n").encode(),
    ],
    ids=["byte order mark", "CRLF", "CR", "form feeds"],
)
def test_line_ends_and_marks_change_nothing(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "kernel.py").write_bytes(data)
    done = run(tmp_path, "check", "--format", "json", "kernel.py")
    (item,) = json.loads(done.stdout)
    assert (done.returncode, item["line"], item["column"]) == (0, 7, 9)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x = " + "(" * 5000 + "1" + ")" * 5000 + "\n",
        "x = " + "+".join(["1"] * 5000) + "\n",
        "".join("    " * depth + "if x:\n" for depth in range(150)),
        SCALE.replace("pl.neg(x)", "pl.neg(" * 500 + "x" + ")" * 500),
        SCALE.replace("pl.neg(x)", "x" + " + 1.0" * 1000),
    ],
    ids=["empty", "brackets", "sum", "blocks", "calls", "sum of tensors"],
)
def test_deep_nesting_ends_in_an_answer(tmp_path: Path, text: str) -> None:
    (tmp_path / "deep.py").write_text(text and "import pypto.language as pl\n" + text)
    done = run(tmp_path, "check", "--format", "json", "deep.py")
    assert done.returncode in (0, 1)
    assert done.stderr == ""
    json.loads(done.stdout)


def test_a_broken_kernel_costs_only_itself(tmp_path: Path) -> None:
    broken = KERNEL.format(name="broken").replace("pl.neg(x)", "pl.neg(x")
    (tmp_path / "kernel.py").write_text(SCALE + "\n\n" + broken + "\n\n" + KERNEL.format(name="other"))
    done = run(tmp_path, "check", "--format", "json", "kernel.py")
    assert done.returncode == 1
    found = [code for _, code in codes(done)]
    assert sum(code.startswith("SyntaxError/") for code in found) == 1
    kernels = {item["kernel"] for item in json.loads(done.stdout) if item["rule_name"] == "UnusedVariableCheck"}
    assert {"scale", "other"} <= kernels


def test_imports_that_lead_nowhere_or_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from b import B\nfrom nowhere.at import N\nfrom .c import *\nA = B + N\n" + SCALE)
    (tmp_path / "b.py").write_text("from a import A\nB = A + 1\n" + SCALE)
    done = run(tmp_path, "check", "--format", "json", ".")
    assert done.returncode == 0
    assert sorted(codes(done)) == [("a.py", "UnusedVariableCheck/1001"), ("b.py", "UnusedVariableCheck/1001")]


def test_links_and_names(tmp_path: Path) -> None:
    folder = tmp_path / "sp ace" / "ünï"
    folder.mkdir(parents=True)
    (folder / "数 k.py").write_text(SCALE)
    (folder / "self").symlink_to(".")
    (folder / "nowhere.py").symlink_to("missing")
    (folder / "left.py").symlink_to("right.py")
    (folder / "right.py").symlink_to("left.py")
    os.mkfifo(folder / "pipe.py")
    done = run(tmp_path, "check", "--format", "json", ".")
    assert (done.returncode, done.stderr) == (0, "")
    assert codes(done) == [("sp ace/ünï/数 k.py", "UnusedVariableCheck/1001")]


def test_code_of_the_user_never_runs(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    trap = f"open({str(mark)!r}, 'w')\n"
    (tmp_path / "imported.py").write_text(trap + "N = 64\n")
    (tmp_path / "conftest.py").write_text(trap)
    text = f"from imported import N\n{trap}SIZE = eval({trap!r})\n__import__('os').mkdir({str(mark)!r})\n" + SCALE
    (tmp_path / "kernel.py").write_text(text.replace("[64, 256]", "[N, 256]"))
    for command in ("check", "types"):
        done = run(tmp_path, command, "--format", "json", "kernel.py")
        assert done.returncode == 0
        assert json.loads(done.stdout)
    assert not mark.exists()


@pytest.mark.parametrize(
    "arguments", [(), ("chekc",), ("check", "--bogus"), ("check", "--format", "xml"), ("types",), ("explain", "PH999")]
)
def test_wrong_usage_is_2(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = run(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_gets_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text(SCALE)
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pypto_lsp", "check", "kernel.py"],
            cwd=tmp_path, stdout=writer, stderr=subprocess.PIPE, timeout=TIMEOUT,
        )  # fmt: skip
    finally:
        os.close(writer)
    assert done.returncode == 2
    assert done.stderr == b""


def test_an_interrupt_ends_quietly(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    command = [sys.executable, "-m", "pypto_lsp", "check", "pipe.py"]
    # once this end of the pipe opens, the command is reading; it waits for text that never comes
    with (
        subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process,
        open(tmp_path / "pipe.py", "wb"),
    ):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 130
    assert (out, err) == (b"", b"")
