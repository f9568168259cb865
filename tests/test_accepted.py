"""Programs that the compiler takes without a word though something in them looks wrong: no error and no warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.diagnostics import Severity

PROGRAMS = sorted((Path(__file__).parent / "data" / "accepted").glob("*.py"))


@pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])
def test_quiet(path: Path) -> None:
    report = Workspace([str(path.parent)]).check(str(path))
    assert not [d for d in report.diagnostics if d.severity in (Severity.ERROR, Severity.WARNING)]


def test_there_are_programs() -> None:
    assert PROGRAMS
