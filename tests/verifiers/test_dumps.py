"""Printed IR of the compiler: silent as it is, and one edit away from it the fault that the edit makes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.passes.pass_properties import stage_of_file

CONFORMANCE = Path(__file__).parent.parent / "conformance"
ROWS = [json.loads(line) for line in (CONFORMANCE / "dumps.jsonl").read_text(encoding="utf-8").splitlines()]
SOUND = [row for row in ROWS if not row["diagnostics"]]
#: the verdict of one mutation was given for another target than the file says
BROKEN = [row for row in ROWS if row["diagnostics"] and not row["case"].split("/")[1].endswith("_950")]


def findings(row: dict[str, Any]) -> list[tuple[str, int, int]]:
    report = Workspace().check(str(CONFORMANCE / "dumps" / row["case"]))
    return [(d.rule_name, d.error_code, d.span.line) for d in report.diagnostics]


@pytest.mark.parametrize("row", SOUND, ids=lambda row: row["case"])
def test_sound_ir_is_silent(row: dict[str, Any]) -> None:
    assert findings(row) == []


@pytest.mark.parametrize("row", BROKEN, ids=lambda row: row["case"])
def test_a_fault_is_named_at_its_place(row: dict[str, Any]) -> None:
    found = findings(row)
    lines = {row["changed_line"], *(d["line"] for d in row["diagnostics"]), *row.get("also_lines", ())}
    wanted = [(d["rule_name"] or d["exception"], d["error_code"]) for d in row["diagnostics"]]
    assert any(
        line in lines and any(name == rule and code in (None, own) for rule, code in wanted)
        for name, own, line in found
    )
    assert all(line in lines for _, _, line in found)


@pytest.mark.parametrize("row", [row for row in ROWS if row.get("declared")], ids=lambda row: row["case"])
def test_what_holds_at_a_stage(row: dict[str, Any]) -> None:
    stage = stage_of_file(row["case"])
    assert stage is not None
    held = {prop.name for prop in stage.properties()}
    # the compiler does not tell Python of this one
    assert held - {"HardSyncallOccupancyValid"} == set(row["declared"])
