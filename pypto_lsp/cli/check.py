"""``pypto-lsp check``: the findings of files and folders."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from pypto_lsp.analysis.collector import relax_collector
from pypto_lsp.analysis.fixing import edited_text, edits_by_file, safe_fixes
from pypto_lsp.analysis.report import merged
from pypto_lsp.analysis.report_cache import default_cache
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.cli.formats import github, json, sarif, shown_path, text
from pypto_lsp.cli.inputs import UsageFault, named_files, open_workspace, selectors
from pypto_lsp.cli.messages import complain, unreadable
from pypto_lsp.cli.processes import check_all, processes_for
from pypto_lsp.diagnostics import Diagnostic, Fix, Severity
from pypto_lsp.diagnostics.suppression import selected

#: a fix may uncover another finding; more rounds than this mean that fixes undo each other
_FIX_ROUNDS = 10
#: formats whose reader may apply any fix, so that those that take long to find are wanted, too
_WITH_EDITS = ("json", "sarif")


@dataclass(slots=True)
class Selection:
    """What ``--select`` and ``--ignore`` leave."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def of(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        return [
            d for d in diagnostics if (not self.select or selected(self.select, d)) and not selected(self.ignore, d)
        ]


@dataclass(slots=True)
class Outcome:
    """The findings of one run over the files, and the files that could not be read with the reason."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)


def check_files(workspace: Workspace, files: list[str], selection: Selection, processes: int = 1) -> Outcome:
    """Check files; one that cannot be read does not stop the others."""
    outcome = Outcome()
    found: list[Diagnostic] = []
    for file, checked in check_all(workspace, files, processes):
        if isinstance(checked, str):
            outcome.faults[file] = checked
        else:
            found += selection.of(checked)
    order = {file: number for number, file in enumerate(files)}
    outcome.diagnostics = sorted(merged(found), key=lambda d: order.get(d.span.path, len(order)))
    return outcome


def _applicable(outcome: Outcome, files: list[str]) -> list[Fix]:
    """The safe fixes that change nothing but the files given."""
    given = set(files)
    fixes = safe_fixes(outcome.diagnostics)
    return [fix for fix in fixes if all(edit.span.path in given for edit in fix.edits)]


def fix_files(workspace: Workspace, files: list[str], selection: Selection) -> tuple[Outcome, int]:
    """Apply safe fixes until none is left; gives the last outcome and the number of fixes applied.

    A file is written only when the result still is Python.
    """
    applied = 0
    refused: set[str] = set()
    outcome = check_files(workspace, files, selection)
    for _ in range(_FIX_ROUNDS):
        fixes = [f for f in _applicable(outcome, files) if not any(e.span.path in refused for e in f.edits)]
        if not fixes:
            break
        texts = {path: edited_text(workspace.text(path), edits) for path, edits in edits_by_file(fixes).items()}
        broken = {path for path, new in texts.items() if not workspace.is_python(new)}
        refused |= broken
        for path in broken:
            complain(f"fixes left out: they would break {path}")
        if broken:
            continue
        for path, new in texts.items():
            _write(path, new)
        applied += len(fixes)
        workspace.refresh(texts)
        outcome = check_files(workspace, files, selection)
    return outcome, applied


def _write(path: str, new: str) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(new)


_RENDER: dict[str, Callable[[list[Diagnostic], int], str]] = {
    "json": lambda found, fixed: json.render(found),
    "sarif": lambda found, fixed: sarif.render(found),
    "github": lambda found, fixed: github.render(found),
    "text": lambda found, fixed: text.render(found, text.Paint(text.colours_wanted(sys.stdout)), fixed),
}


def exit_code(outcome: Outcome, strict: bool) -> int:
    """2 when a file could not be read, 1 for errors (with ``strict`` for warnings too), else 0."""
    if outcome.faults:
        return 2
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    return int(any(d.severity in failing for d in outcome.diagnostics))


def run_check(arguments: argparse.Namespace) -> int:
    relax_collector()
    try:
        # what is written to files is never taken from the cache
        cache = None if arguments.fix or not arguments.cache else default_cache()
        patient = arguments.format in _WITH_EDITS
        workspace = open_workspace(arguments.target, arguments.dsl_version, patient=patient, cache=cache)
        selection = Selection(selectors(arguments.select), selectors(arguments.ignore))
    except UsageFault as fault:
        complain(str(fault))
        return 2
    files = named_files(arguments.paths)
    if arguments.fix:
        outcome, fixed = fix_files(workspace, files, selection)
    else:
        outcome, fixed = check_files(workspace, files, selection, processes_for(len(files))), 0
    sys.stdout.write(_RENDER[arguments.format](outcome.diagnostics, fixed))
    sys.stdout.flush()
    for file, reason in outcome.faults.items():
        unreadable(file, reason)
    for log, trouble in workspace.build_log_faults().items():
        complain(f"{shown_path(log)}: {trouble}")
    return exit_code(outcome, arguments.strict)
