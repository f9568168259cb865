"""Small programs with what the compiler made of them: accepted or refused and by which exception class, and result types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.diagnostics import Severity
from pypto_lsp.ir.printer_types import print_type

PROBES: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "probes.json").read_text(encoding="utf-8"))
#: refused only when compiled without arguments; called with tensors and numbers these kernels are right
_BINDING = {"bare tensor lower", "scalar needs value"}
#: exception classes that the compiler wraps around others, and those of Python that have no place
_ANY = {"Error", "RuntimeError"}


def _errors(text: str, folder: Path) -> list[tuple[str, int, str]]:
    path = folder / "probe.py"
    path.write_text(text, encoding="utf-8")
    report = Workspace([str(folder)]).check(str(path))
    return [
        (d.rule_name, d.error_code, d.message)
        for d in report.diagnostics
        if d.severity is Severity.ERROR and (d.error_code >= 2000 or d.rule_name == "SyntaxError")
    ]


def _indented(body: str, width: int) -> str:
    return "\n".join(" " * width + line if line.strip() else line for line in body.split("\n"))


def _body_cases() -> list[Any]:
    part = PROBES["bodies"]
    return [pytest.param(case, id=f"{i}-{case['case']}") for i, case in enumerate(part["cases"])]


@pytest.mark.parametrize("case", _body_cases())
def test_bodies(case: dict[str, Any], tmp_path: Path) -> None:
    part = PROBES["bodies"]
    text = part["prelude"] + part["frame"].replace("BODY", _indented(case["body"], 8))
    found = _errors(text, tmp_path)
    if case["result"] == "ok":
        assert not found
    else:
        assert found
        assert case["result"] in _ANY or case["result"] in {name for name, _, _ in found}


def _jit_cases() -> list[Any]:
    return [pytest.param(case, id=f"{i}-{case['case']}") for i, case in enumerate(PROBES["jit"]["cases"])]


@pytest.mark.parametrize("case", _jit_cases())
def test_jit(case: dict[str, Any], tmp_path: Path) -> None:
    part = PROBES["jit"]
    body = case["body"]
    whole = case.get("whole_file")
    text = part["prelude"] + (body if whole else part["frame"].replace("BODY", _indented(body, 4)))
    found = _errors(text, tmp_path)
    if case["result"] == "ok" or case["case"] in _BINDING:
        assert not found
    else:
        assert found


@pytest.mark.parametrize("part", range(len(PROBES["types"])))
def test_types(part: int, tmp_path: Path) -> None:
    frame, cases = PROBES["types"][part]["frame"], PROBES["types"][part]["cases"]
    wrong = []
    for case in cases:
        path = tmp_path / "probe.py"
        path.write_text(frame.replace("BODY", f"        t = {case['expr']}"), encoding="utf-8")
        report = Workspace([str(tmp_path)]).check(str(path))
        if case.get("error"):
            if not any(d.severity is Severity.ERROR for d in report.diagnostics):
                wrong.append((case["expr"], "an error", "none"))
            continue
        found = next((print_type(b.type) for b in report.bindings if b.name == "t"), None)
        if found is None or found.replace("pl.MemorySpace.", "pl.Mem.") != case["type"].replace(
            "pl.MemorySpace.", "pl.Mem."
        ):
            wrong.append((case["expr"], case["type"], found))
    assert not wrong
