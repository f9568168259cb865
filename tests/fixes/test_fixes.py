"""Every fix, applied: what it writes, and that its finding is gone and no new error there.

The cases are text: ``tests/fixes/cases/*.txt``. A case begins with ``=== provider/code``, then comes a program (a body, see
``fixed_programs``), then ``--->`` and the lines that the fix writes. ``UPDATE_FIXES=1 pytest tests/fixes`` writes them anew.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from fixed_programs import applied, findings, program

from pypto_lsp.diagnostics import Diagnostic, Fix
from pypto_lsp.fixes.registry import makers, registered

CASES = Path(__file__).parent / "cases"
_HEAD = re.compile(r"^=== (\w+)/(\w+)$", re.MULTILINE)
_ARROW = "\n--->\n"


@dataclass(frozen=True)
class Case:
    path: Path
    provider: str
    code: str
    body: str
    wanted: str

    def __str__(self) -> str:
        return f"{self.provider}/{self.code}"


def read_cases() -> Iterator[Case]:
    for path in sorted(CASES.glob("*.txt")):
        _, *parts = _HEAD.split(path.read_text(encoding="utf-8"))
        for provider, code, text in zip(parts[::3], parts[1::3], parts[2::3]):
            body, _, wanted = text.strip("\n").partition(_ARROW)
            yield Case(path, provider, code, body, wanted.strip("\n"))


def offers(case: Case, text: str) -> Iterator[tuple[Diagnostic, Fix]]:
    """The fixes that the case's provider makes for findings of the case's code."""
    for finding in findings(text):
        if str(finding.error_code) == case.code:
            for fix in finding.fixes:
                if case.provider in makers(finding, fix):
                    yield finding, fix


def written(before: str, after: str) -> str:
    """The lines that a fix writes, a removed line as an empty one."""
    old, new = before.splitlines(), after.splitlines()
    lines: list[str] = []
    for tag, _, _, begin, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            lines += new[begin:end] or ["(removed)"]
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[indent:] if line.strip() != "(removed)" else line for line in lines)


ALL = list(read_cases())


@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_fix_cures(case: Case) -> None:
    text = program(case.body)
    made = list(offers(case, text))
    assert made, "no such fix is offered"
    results = [written(text, applied(text, finding, fix)) for finding, fix in made]
    if os.environ.get("UPDATE_FIXES"):
        update(case, results[0])
    else:
        assert results[0] == case.wanted


def update(case: Case, result: str) -> None:
    content = case.path.read_text(encoding="utf-8")
    old = f"=== {case}\n{case.body}"
    assert content.count(old) == 1, f"{case} is there twice"
    begin = content.index(old) + len(old)
    following = _HEAD.search(content, begin)
    rest = content[following.start() :] if following else ""
    case.path.write_text(f"{content[:begin]}{_ARROW}{result}\n\n{rest}", encoding="utf-8")


def test_every_provider_has_a_case_for_each_of_its_codes() -> None:
    """A provider for all codes of a rule, or of all rules, needs one case."""
    covered = {(case.provider, case.code) for case in ALL} | {(case.provider, None) for case in ALL}
    missing = [
        f"{name}/{code}" for name, code in registered() if (name, None if code is None else str(code)) not in covered
    ]
    assert not missing
