"""Making the fixes of findings, and applying them to texts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable

from pypto_lsp.backends import Backend
from pypto_lsp.diagnostics import Diagnostic, Edit, Fix
from pypto_lsp.fixes.registry import FixContext, Rechecked, with_fixes
from pypto_lsp.frontend.model import LoweredUnit
from pypto_lsp.ir.nodes import Program
from pypto_lsp.text.stepwise import finished

_LOG = logging.getLogger(__name__)

#: texts by path, and the file to analyse ("": the one at hand) -> its analysis with these texts in place of the files' own, in
#: slices
RecheckSteps = Callable[[dict[str, str], str], Generator[None, None, Rechecked]]


#: a file to analyse and texts by path
_Key = tuple[str, tuple[tuple[str, str], ...]]


class Fixer:
    """Makes the fixes of one analysis, each finding's once. ``recheck`` analyses edited texts step by step, each set of them
    once; ``budget`` is how many may be analysed for all findings together. ``findings`` is what the analysis found.
    ``importers`` names the files that may import one, ``checks_importers`` says whether they may be analysed."""

    def __init__(self, backend: Backend, recheck: RecheckSteps, importers: Callable[[str], list[str]]) -> None:
        self.findings: tuple[Diagnostic, ...] = ()
        self.budget = 0
        self.checks_importers = False
        self._importers = importers
        self._backend = backend
        self._recheck = recheck
        self._fixed: dict[tuple[int, bool], tuple[Diagnostic, Diagnostic]] = {}
        self._rechecked: dict[_Key, Rechecked] = {}

    def has_sought(self, diagnostic: Diagnostic) -> bool:
        """Whether the fixes of a finding that take analyses are known already."""
        return (id(diagnostic), True) in self._fixed

    def fix(self, diagnostic: Diagnostic, unit: LoweredUnit | None) -> Diagnostic:
        """The finding with its fixes."""
        return finished(self.steps(diagnostic, unit))

    def steps(self, diagnostic: Diagnostic, unit: LoweredUnit | None) -> Generator[None, None, Diagnostic]:
        """The same in slices: a provider that wants an analysis is left, and asked again when that is done."""
        patient = self.budget > 0
        known = self._fixed.get((id(diagnostic), True)) or self._fixed.get((id(diagnostic), patient))
        if known is not None:
            return known[1]
        key = (id(diagnostic), patient)
        program = unit.program if unit is not None else None
        fixed = diagnostic
        while True:
            try:
                fixed = with_fixes(diagnostic, self._context(program, patient))
            except _Wanted as wanted:
                patient = self.budget > 0
                if patient:
                    self.budget -= 1
                    path, texts = wanted.key
                    self._rechecked[wanted.key] = yield from self._recheck(dict(texts), path)
                continue
            except Exception:  # a defect of ours in a fix costs that fix, never the finding
                _LOG.exception("internal error in the fixes of %s", diagnostic.code)
            self._fixed[key] = (diagnostic, fixed)
            return fixed

    def _context(self, program: Program | None, patient: bool) -> FixContext:
        return FixContext(
            self._backend, program, self._known, self.findings, patient, self._importers, self.checks_importers
        )

    def _known(self, texts: dict[str, str], path: str = "") -> Rechecked:
        key = (path, tuple(sorted(texts.items())))
        known = self._rechecked.get(key)
        if known is None:
            raise _Wanted(key)
        return known


class _Wanted(Exception):
    """An analysis of these texts is wanted first."""

    def __init__(self, key: _Key) -> None:
        super().__init__()
        self.key = key


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
