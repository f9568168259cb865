"""Applying fixes to texts."""

from __future__ import annotations

from collections.abc import Iterable

from pypto_lsp.diagnostics import Diagnostic, Edit, Fix


def safe_fixes(diagnostics: Iterable[Diagnostic]) -> list[Fix]:
    """One safe fix per finding, as many as can be applied together: a fix that touches what an earlier one edits waits."""
    chosen: list[Fix] = []
    taken: list[tuple[str, int, int]] = []
    seen: set[tuple[tuple[str, int, int, str], ...]] = set()
    for diagnostic in diagnostics:
        fix = next((fix for fix in diagnostic.fixes if fix.safe and fix.edits), None)
        if fix is None:
            continue
        ranges = [edit.span.key() for edit in fix.edits]
        identity = tuple((*key, edit.new_text) for key, edit in zip(ranges, fix.edits))
        if identity not in seen and not any(_touch(one, other) for one in ranges for other in taken):
            chosen.append(fix)
            taken += ranges
            seen.add(identity)
    return chosen


def _touch(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    return one[0] == other[0] and one[1] <= other[2] and other[1] <= one[2]


def edits_by_file(fixes: Iterable[Fix]) -> dict[str, list[Edit]]:
    """All edits of some fixes, by the file they change."""
    by_file: dict[str, list[Edit]] = {}
    for fix in fixes:
        for edit in fix.edits:
            by_file.setdefault(edit.span.path, []).append(edit)
    return by_file


def edited_text(text: str, edits: Iterable[Edit]) -> str:
    """The text with non-overlapping edits applied."""
    for edit in sorted(edits, key=lambda e: e.span.begin, reverse=True):
        text = text[: edit.span.begin] + edit.new_text + text[edit.span.end_offset :]
    return text
