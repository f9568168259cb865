"""Checking many files in several processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache

from pypto_lsp.analysis.collector import relax_collector
from pypto_lsp.analysis.files import UnreadableFile, read_text
from pypto_lsp.analysis.portable import Portable, packed, unpacked
from pypto_lsp.analysis.report import FileReport
from pypto_lsp.analysis.report_cache import ReportCache
from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.text import Source

#: fewer files are not worth the start of another process
_FILES_PER_PROCESS = 12
#: files that a process takes at a time: neighbours, which mostly import the same
_CHUNK = 4

#: what a check of one file gives: its findings, or why it cannot be read
Checked = list[Diagnostic] | str
_Answer = list[Portable] | str

_workspace: Workspace | None = None


def processes_for(files: int) -> int:
    """How many processes to use for a number of files."""
    return max(1, min(os.cpu_count() or 1, files // _FILES_PER_PROCESS))


def check_one(workspace: Workspace, path: str) -> Checked:
    """The findings of a file, or the reason why it cannot be read; nothing else of it is kept."""
    try:
        *_, report = (step for step in workspace.findings(path) if step is not None)
    except UnreadableFile as fault:
        return fault.reason
    workspace.drop_report(path)
    return list(report.without_units().diagnostics)


def check_all(workspace: Workspace, files: Sequence[str], processes: int) -> Iterator[tuple[str, Checked]]:
    """Each file with what its check gives, in the order of the files, by workspaces like the one given. With more than one
    process the files that the cache has an answer for come first."""
    kept: list[str] = []
    if processes > 1 and workspace.cache is not None:
        for path in files:
            report = _kept(workspace, path)
            if report is not None:
                kept.append(path)
                yield path, list(report.diagnostics)
        known = set(kept)
        files = [path for path in files if path not in known]
        processes = min(processes, processes_for(len(files)))
    done = 0
    if processes > 1:
        try:
            for path, answer in _in_processes(workspace, files, processes):
                yield path, answer
                done += 1
        except (BrokenProcessPool, OSError):  # a process was killed, or none can be had: go on in this one
            pass
    workspace.sources.subjects.update(files)
    for path in files[done:]:
        yield path, check_one(workspace, path)


def _kept(workspace: Workspace, path: str) -> FileReport | None:
    try:
        return workspace.kept(path)
    except UnreadableFile:  # whoever checks it says so
        return None


def _in_processes(workspace: Workspace, files: Sequence[str], processes: int) -> Iterator[tuple[str, Checked]]:
    source = lru_cache(maxsize=None)(_source)
    alike = (workspace.roots, workspace.settings, workspace.patient, workspace.cache, tuple(files))
    pool = ProcessPoolExecutor(processes, initializer=_begin, initargs=alike)
    try:
        for path, answer in zip(files, pool.map(_answer, files, chunksize=_CHUNK)):
            yield path, answer if isinstance(answer, str) else _all_unpacked(answer, source)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _all_unpacked(findings: list[Portable], source: Callable[[str], Source]) -> list[Diagnostic]:
    return [unpacked(finding, source) for finding in findings]


def _source(path: str) -> Source:
    return Source(path, read_text(path))


# --- in the other process --------------------------------------------------------------------------------------------


def _begin(
    roots: tuple[str, ...], settings: Settings, patient: bool, cache: ReportCache | None, files: tuple[str, ...]
) -> None:
    global _workspace
    relax_collector()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that was started by a person answers to it
    _workspace = Workspace(roots, settings, patient=patient, cache=cache)
    _workspace.sources.subjects.update(files)


def _answer(path: str) -> _Answer:
    assert _workspace is not None
    checked = check_one(_workspace, path)
    return checked if isinstance(checked, str) else [packed(diagnostic) for diagnostic in checked]
