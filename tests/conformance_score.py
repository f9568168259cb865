"""Scores the engine against one area of the conformance suite, in process.

An area is a folder of programs with the compiler's verdict on each beside it (``tests/conformance/README.md``). A fault is
*located* when a finding of its severity lies on the line to change or on the compiler's, and *classified* when that finding
also has the compiler's rule and code. Errors and warnings on other lines are false alarms.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pypto_lsp.analysis.facts import plain
from pypto_lsp.analysis.report import merged
from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.backends import backend
from pypto_lsp.diagnostics import Diagnostic, Severity

ROOT = Path(__file__).parent / "conformance"
#: target -> how the verdicts call it
BACKENDS = {"ascend910b": "910b", "ascend950": "950"}
#: exception classes of the compiler's front end, which are the rule names of its faults
FRONT_END = {
    "InvalidOperationError",
    "ParserError",
    "ParserSyntaxError",
    "ParserTypeError",
    "SSAViolationError",
    "UndefinedVariableError",
    "UnsupportedFeatureError",
}
#: stages at which a unit was taken to the end
DONE = {"captured", "parsed", "post_pipeline"}
SEVERITIES = {"Error": Severity.ERROR, "Warning": Severity.WARNING}
LOUD = set(SEVERITIES.values())


@dataclass(slots=True)
class Case:
    """A program with its verdict: ``row`` is the verdict, ``marks`` the ideal squiggles, ``siblings`` other files to check."""

    area: str
    name: str
    row: dict[str, Any]
    marks: list[dict[str, Any]]
    siblings: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        return os.path.dirname(self.name)

    @property
    def path(self) -> str:
        return str(ROOT / self.area / self.name)

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        """What the compiler reports besides hints."""
        return [d for d in self.row["diagnostics"] if d["severity"] != "PerfHint"]

    @property
    def stopped(self) -> bool:
        """Whether the compiler stopped before its warnings and hints."""
        unfinished = any(unit["stage"] not in DONE for unit in self.row.get("units", ()))
        return unfinished or any(d["severity"] == "Error" for d in self.row["diagnostics"])

    def marked_lines(self) -> set[int]:
        """Lines on which the user has something to change."""
        lines = Path(self.path).read_text(encoding="utf-8").split("\n")
        return {n for n, line in enumerate(lines, 1) if line.rstrip().endswith("# !")} | {
            mark["line"] for mark in self.marks if not mark.get("file")
        }

    def places_elsewhere(self) -> set[tuple[str, int]]:
        """Places at fault in other files of the case."""
        of_compiler = {(d["file"], d["line"]) for d in self.verdicts if d.get("file")}
        return of_compiler | {(os.path.join(self.folder, m["file"]), m["line"]) for m in self.marks if m.get("file")}


@dataclass(slots=True)
class Figures:
    """What was counted in one area for one target; the lists name the cases behind the counts."""

    faults: int = 0
    located: int = 0
    classified: int = 0
    missed: list[str] = field(default_factory=list)
    misnamed: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    hints_wanted: set[tuple[object, ...]] = field(default_factory=set)
    hints_given: set[tuple[object, ...]] = field(default_factory=set)
    #: hints given in programs that the compiler took to the end
    hints_judged: set[tuple[object, ...]] = field(default_factory=set)

    def share(self, count: int) -> float:
        """Per cent of the faults."""
        return 100 * count / self.faults if self.faults else 100.0

    @property
    def recall(self) -> float:
        return _per_cent(self.hints_wanted & self.hints_given, self.hints_wanted)

    @property
    def precision(self) -> float:
        return _per_cent(self.hints_wanted & self.hints_judged, self.hints_judged)


def _per_cent(part: set[tuple[object, ...]], whole: set[tuple[object, ...]]) -> float:
    return 100 * len(part) / len(whole) if whole else 100.0


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a table, none when there is no such table."""
    if path.exists():
        with path.open(encoding="utf-8") as file:
            yield from map(json.loads, file)


def cases(area: str, target: str) -> list[Case]:
    """The cases of an area that have a verdict for a target."""
    verdicts = {r["case"]: r for r in rows(ROOT / f"{area}.jsonl") if r["backend"] == BACKENDS[target]}
    verdicts = {name: row for name, row in verdicts.items() if "diagnostics" in row}
    marks: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for mark in rows(ROOT / f"{area}.marks.jsonl"):
        marks[mark["case"]].append(mark)
    return [
        Case(area, name, row, marks[name], tuple(_siblings(area, name, verdicts)))
        for name, row in sorted(verdicts.items())
        if (ROOT / area / name).exists()
    ]


def _siblings(area: str, name: str, verdicts: dict[str, Any]) -> Iterator[str]:
    folder = (ROOT / area / name).parent
    if (folder / "entry.txt").exists():
        for file in sorted(folder.glob("*.py")):
            other = file.relative_to(ROOT / area).as_posix()
            if other not in verdicts:
                yield other


def workspace_of(area: str, target: str) -> Workspace:
    """A workspace rooted at an area, as if the command ran there."""
    return Workspace(roots=(str(ROOT / area),), settings=Settings(target=backend(target)))


def findings(workspace: Workspace, case: Case) -> list[Diagnostic]:
    """All findings of a case's files."""
    found: list[Diagnostic] = []
    for path in (case.path, *(str(ROOT / case.area / name) for name in case.siblings)):
        found += workspace.check(path).diagnostics
    return merged(found)


def score(area: str, target: str, *, only_marks: bool = False) -> Figures:
    """Check every case of an area. ``only_marks``: the compiler is silent or late there, only the marks count."""
    workspace, figures = workspace_of(area, target), Figures()
    for case in cases(area, target):
        found = findings(workspace, case)
        _count_hints(figures, case, found)
        _count_faults(figures, case, found, only_marks)
        for path in {case.path, *(d.span.path for d in found)}:
            workspace.release(path)
    return figures


def _count_hints(figures: Figures, case: Case, found: Iterable[Diagnostic]) -> None:
    for hint in case.row["diagnostics"]:
        facts = hint.get("facts") or {}
        if hint["severity"] == "PerfHint" and "op" in facts and not hint.get("file"):
            figures.hints_wanted.add(_hint_key(case, facts, hint["line"]))
    for finding in found:
        if finding.hint_code == "PH001" and finding.span.path == case.path and "op" in finding.facts:
            facts = plain(finding.facts)
            key = _hint_key(case, facts, facts.get("line") or finding.span.line)
            figures.hints_given.add(key)
            if not case.stopped:
                figures.hints_judged.add(key)


def _hint_key(case: Case, facts: Any, line: int) -> tuple[object, ...]:
    return (case.name, line, facts["op"], facts["innermost_bytes"], facts["dtype"])


def _count_faults(figures: Figures, case: Case, found: Iterable[Diagnostic], only_marks: bool) -> None:
    marked, elsewhere = case.marked_lines(), case.places_elsewhere()
    loud = [d for d in found if d.severity in LOUD]
    here = {d["line"] for d in case.verdicts if not d.get("file")}
    also = set(case.row.get("also_lines", ()))
    lines = marked if only_marks else marked | also | (here - {None})
    if _is_fault(case, marked, only_marks):
        figures.faults += 1
        severities = _severities(case, only_marks)
        located = [d for d in loud if d.severity in severities and _at(case, d, lines, elsewhere)]
        names = set() if only_marks else _names(case)
        figures.located += bool(located)
        classified = any(not names or _named(d, names) for d in located)
        figures.classified += classified
        if not located:
            figures.missed.append(case.name)
        elif not classified:
            figures.misnamed.append(case.name)
    if None in {d["line"] for d in case.verdicts} and not marked:
        return  # the compiler names no place
    allowed = marked | here | also | set(case.row.get("either", ()))
    for finding in loud:
        if case.stopped and finding.severity is Severity.WARNING:
            continue
        if finding.span.path == case.path:
            alarm = finding.span.line not in allowed
        else:
            alarm = (_relative(case, finding), finding.span.line) not in elsewhere
        if alarm:
            figures.false.append(f"{_relative(case, finding)}:{finding.span.line} {finding.code} {finding.message}")


def _relative(case: Case, finding: Diagnostic) -> str:
    return Path(finding.span.path).relative_to(ROOT / case.area).as_posix()


def _is_fault(case: Case, marked: set[int], only_marks: bool) -> bool:
    if only_marks:
        return bool(marked)
    wanted = case.row.get("want", {}).get("severity")
    return bool(case.verdicts) or wanted in ("error", "warning")


def _severities(case: Case, only_marks: bool) -> set[Severity]:
    """The severities with which a fault may be told: either, where compile() itself is silent."""
    asked = any(d["stage"].startswith("registry:") for d in case.verdicts)
    if only_marks or asked or not case.verdicts or case.row.get("want", {}).get("severity"):
        return LOUD
    return {SEVERITIES[d["severity"]] for d in case.verdicts}


def _at(case: Case, finding: Diagnostic, lines: set[int], elsewhere: set[tuple[str, int]]) -> bool:
    if finding.span.path == case.path and (finding.span.line in lines or not (lines or elsewhere)):
        return True
    return (_relative(case, finding), finding.span.line) in elsewhere


def _names(case: Case) -> set[tuple[str, int | None]]:
    """Rule names and codes of the compiler; other exceptions than the front end's own have no name that users know."""
    return {
        (d["rule_name"] or d["exception"], d.get("error_code") or None)
        for d in case.verdicts
        if d["rule_name"] or d["exception"] in FRONT_END
    }


def _named(finding: Diagnostic, names: set[tuple[str, int | None]]) -> bool:
    return any(finding.rule_name == name and code in (None, finding.error_code) for name, code in names)
