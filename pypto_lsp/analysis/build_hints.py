"""Hints that builds of the compiler left behind: the file ``perf_hints.log`` in the ``report`` folder of a build's output.

They hold for the texts that the build saw: those of a log are taken only while every file that it names, and every file that the
file at hand imports, is older than the log and has no unsaved changes. A log that several builds wrote into one after the other
is read as one build. Reference: "Hints from a build" in the settings document.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from pypto_lsp.analysis.facts import plain
from pypto_lsp.analysis.files import SKIPPED_FOLDERS, UnreadableFile, normal_path, read_text
from pypto_lsp.analysis.places import nodes_at
from pypto_lsp.analysis.report import FileReport, merged
from pypto_lsp.analysis.sources import Signature, signature
from pypto_lsp.checks.check_registry import PERF_HINTS
from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.syntax import SyntaxTree
from pypto_lsp.text import Anchor, Span

#: name of the folder in a build's output that holds the log
REPORT_FOLDER = "report"
#: folders of a root that are looked into, the outermost first
_MAX_FOLDERS = 2000
_ENTRY = re.compile(r"\[perf_hint(?: ([\w-]+))?\] (\w+): (.*)")
_PLACE = re.compile(r"(.*) at (.+):(\d+):(-?\d+)")
_TRANSFER = re.compile(r"(tile\.\w+) has innermost dim = (\d+)B")
_ARCH = re.compile(r"\bfor backend (\w+)")
_MARK = "hint of the compiler's build: "


@dataclass(frozen=True, slots=True)
class BuildHint:
    """One hint of a log. ``line`` and ``column`` (in bytes) count from 1; ``path`` is absolute."""

    path: str
    line: int
    column: int
    code: str
    rule_name: str
    message: str
    log: str

    def key(self) -> tuple[object, ...]:
        """Equal for hints that say the same as each other, or as one of ours."""
        transfer = _TRANSFER.match(self.message)
        figures = (transfer[1], int(transfer[2])) if transfer else ()
        return (self.path, self.line, self.code or self.rule_name, *figures)


@dataclass(frozen=True, slots=True)
class _Log:
    """A log as it was read. ``fault`` says what cannot be taken from it, ``target`` which one it was built for, where it tells."""

    path: str
    signature: Signature = None
    hints: tuple[BuildHint, ...] = ()
    fault: str = ""
    target: str = ""

    @property
    def files(self) -> set[str]:
        return {hint.path for hint in self.hints}


class BuildLogs:
    """The logs below some folders and beside the files that are analysed. Each is read once as long as it stays the same."""

    def __init__(self, roots: Iterable[str]) -> None:
        self._roots = tuple(roots)
        self._read: dict[str, _Log] = {}
        #: folder -> the logs found from there; empty before anyone asked
        self._found: dict[str, tuple[str, ...]] = {}

    def set_roots(self, roots: Iterable[str]) -> None:
        self._roots = tuple(roots)
        self._found.clear()

    def refresh(self, paths: Iterable[str] | None = None) -> bool:
        """Look for new, changed and vanished logs (among ``paths``, where given); true when there is one."""
        if not self._found or (paths is not None and not any(os.path.basename(path) == PERF_HINTS for path in paths)):
            return False
        before = self._logs_of(self._found)
        folders = list(self._found)
        self._found.clear()
        return self._logs_of(folders) != before

    def faults(self) -> dict[str, str]:
        """The logs of the roots that cannot be read, wholly or in part, with the reason."""
        return {log.path: log.fault for log in self._logs_of(self._roots) if log.fault}

    def has_logs(self, path: str) -> bool:
        """Whether there is a log that may speak of a file."""
        return bool(self._logs_of((*self._roots, os.path.dirname(path))))

    def hints(
        self, path: str, others: Iterable[str], target: str, is_saved: Callable[[str], bool]
    ) -> tuple[BuildHint, ...]:
        """What builds for a target (its alias) said of a file and of the ``others`` that it imports, each hint once.

        ``is_saved`` tells whether the text that is analysed is the one on disk.
        """
        files = {path, *others}
        found: dict[tuple[object, ...], BuildHint] = {}
        for log in self._logs_of((*self._roots, os.path.dirname(path))):
            if files & log.files and log.target in ("", target) and _holds(log, files, is_saved):
                found |= {hint.key(): hint for hint in log.hints if hint.path in files}
        return tuple(found.values())

    def _logs_of(self, folders: Iterable[str]) -> list[_Log]:
        """The logs found from some folders, the oldest first."""
        paths = {path for folder in folders for path in self._paths(folder)}
        logs = [log for path in sorted(paths) if (log := self._log(path)) is not None]
        return sorted(logs, key=lambda log: log.signature or ())

    def _paths(self, folder: str) -> tuple[str, ...]:
        known = self._found.get(folder)
        if known is None:
            depth = None if folder in self._roots else 2
            known = self._found[folder] = tuple(_logs_below(folder, depth))
            for path in known:
                if (log := self._read.get(path)) is not None and log.signature != signature(path):
                    del self._read[path]
        return known

    def _log(self, path: str) -> _Log | None:
        known = self._read.get(path)
        if known is None:
            seen = signature(path)
            if seen is None:
                return None
            known = self._read[path] = replace(_read_log(path), signature=seen)
        return known


def _holds(log: _Log, files: Iterable[str], is_saved: Callable[[str], bool]) -> bool:
    """Whether no file is newer than a log: neither those that it names nor those of ``files`` that are there."""
    written = log.signature[0] if log.signature else 0
    signatures = {file: signature(file) for file in log.files.union(files)}
    if any(seen is None and file in log.files for file, seen in signatures.items()):
        return False
    return all(seen is None or (seen[0] < written and is_saved(file)) for file, seen in signatures.items())


def _logs_below(root: str, depth: int | None) -> Iterator[str]:
    """The logs below a folder, at most ``depth`` folders deep; hidden folders and environments are skipped."""
    waiting = deque([(normal_path(root), 0)])
    for _ in range(_MAX_FOLDERS):
        if not waiting:
            return
        folder, level = waiting.popleft()
        try:
            with os.scandir(folder) as entries:
                names = sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
        except OSError:  # a folder that vanished or may not be read holds nothing for us
            continue
        for name in names:
            below = os.path.join(folder, name)
            if name == REPORT_FOLDER and os.path.isfile(log := os.path.join(below, PERF_HINTS)):
                yield log
            elif not name.startswith(".") and name not in SKIPPED_FOLDERS and (depth is None or level < depth):
                waiting.append((below, level + 1))


# --- reading a log -----------------------------------------------------------------------------------------------------


def _read_log(path: str) -> _Log:
    """The hints of a log, or why there are none."""
    try:
        text = read_text(path)
    except UnreadableFile as fault:
        return _Log(path, fault=f"cannot be read: {fault.reason}")
    hints, unread, targets = [], 0, set()
    for line in filter(None, map(str.strip, text.splitlines())):
        entry = _ENTRY.fullmatch(line)
        if entry is None:
            unread += 1
            continue
        targets.update(_ARCH.findall(line))
        place = _PLACE.fullmatch(entry[3])
        file = _source_file(place[2], path) if place else None
        if place and file:  # a hint on generated text, or without a place, has no line to stand on
            hints.append(BuildHint(file, int(place[3]), int(place[4]), entry[1] or "", entry[2], place[1], path))
    unfit = f"lines that are no hints of the compiler and are left out: {unread}" if unread else ""
    return _Log(path, None, tuple(hints), unfit, targets.pop() if len(targets) == 1 else "")


def _source_file(name: str, log: str) -> str | None:
    """The file that a log names, None where there is none; a relative name counts from where the build was started, which is a
    folder above its output."""
    if os.path.isabs(name):
        return normal_path(name)
    folder = os.path.dirname(log)
    while (above := os.path.dirname(folder)) != folder:
        folder = above
        if os.path.isfile(path := os.path.join(folder, name)):
            return normal_path(path)
    return None


# --- showing the hints -------------------------------------------------------------------------------------------------


def with_build_hints(
    report: FileReport,
    hints: Iterable[BuildHint],
    tree_of: Callable[[str], SyntaxTree | None],
    shown: Callable[[Diagnostic], bool],
) -> FileReport:
    """The report with those of the hints that it does not have already."""
    known = {_key(diagnostic) for diagnostic in report.diagnostics}
    added = [found for hint in hints if hint.key() not in known and (found := _finding(hint, tree_of(hint.path)))]
    added = [diagnostic for diagnostic in added if shown(diagnostic)]
    return replace(report, diagnostics=tuple(merged((*report.diagnostics, *added)))) if added else report


def _key(diagnostic: Diagnostic) -> tuple[object, ...]:
    """The key that a build's hint of the same would have."""
    facts = diagnostic.facts
    figures = (facts["op"], facts["innermost_bytes"]) if "innermost_bytes" in facts else ()
    line = plain(facts.get("line", diagnostic.span.line))
    return (diagnostic.span.path, line, diagnostic.hint_code or diagnostic.rule_name, *figures)


def _finding(hint: BuildHint, tree: SyntaxTree | None) -> Diagnostic | None:
    span = _span(hint, tree) if tree is not None else None
    if span is None:
        return None
    transfer = _TRANSFER.match(hint.message)
    figures = {"op": transfer[1], "innermost_bytes": int(transfer[2])} if transfer else {}
    return Diagnostic(
        Severity.PERF_HINT,
        hint.rule_name,
        0 if transfer is None else 1,
        _MARK + hint.message,
        span,
        hint.code,
        facts={**figures, "line": hint.line, "log": hint.log},
    )


def _span(hint: BuildHint, tree: SyntaxTree) -> Span | None:
    """What begins at a hint's place, else its line; None where the file has nothing there."""
    source, lines = tree.source, tree.source.lines
    if not 1 <= hint.line <= len(lines) or not (text := lines.line_text(hint.line)).strip():
        return None
    start = lines.offset(hint.line, 1)
    column = len(text.encode()[: max(hint.column - 1, 0)].decode(errors="ignore"))
    begun = next((node.span for node in nodes_at(tree, start + column) if node.span.begin == start + column), None)
    if begun is not None:
        return begun
    indent = len(text) - len(text.lstrip())
    return Span(Anchor(source, 0), start + indent, start + len(text.rstrip()))
