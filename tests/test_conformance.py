"""The engine against the compiler's verdicts. The floors only rise; what a case may keep wrong is listed with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from conformance_score import BACKENDS, Case, Figures, cases, findings, score, workspace_of

from pypto_lsp.analysis.fixing import edited_text, edits_by_file
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.diagnostics import Diagnostic, Fix, Severity

#: false alarms that stay, by case, with the reason
ACCEPTED = {
    "PH-AT/006_acc_kept_on_chip_bad.py": "the compiler names no place; the mark is the header, ours the product itself",
    "B17.py": "the second of two equal faults; the compiler stops at the first",
}
#: one case in so many has its fixes applied
SAMPLE = {"valid": 4, "errors": 3, "beyond": 1, "reports": 1, "rules": 2}


@dataclass(frozen=True, slots=True)
class Floors:
    """The least shares of faults, and the least recall and precision of PH001, in per cent."""

    located: float = 0.0
    classified: float = 0.0
    hints: float = 0.0


AREAS = [
    ("valid", "ascend910b", Floors(hints=98)),
    ("valid", "ascend950", Floors(hints=98)),
    ("errors", "ascend910b", Floors(98, 98)),
    ("rules", "ascend910b", Floors(95, 95, hints=98)),
    ("rules", "ascend950", Floors(95, 95, hints=98)),
    ("beyond", "ascend910b", Floors(85)),
    ("reports", "ascend910b", Floors(80)),
]


@pytest.mark.parametrize(("area", "target", "floors"), AREAS, ids=[f"{area}-{target}" for area, target, _ in AREAS])
def test_figures(area: str, target: str, floors: Floors) -> None:
    figures = score(area, target, only_marks=area == "beyond")
    assert not [alarm for alarm in figures.false if alarm.partition(":")[0] not in ACCEPTED]
    assert figures.share(figures.located) >= floors.located, figures.missed
    assert figures.share(figures.classified) >= floors.classified, figures.missed + figures.misnamed
    if floors.hints:
        assert figures.recall >= floors.hints, figures.hints_wanted - figures.hints_given
        assert figures.precision >= floors.hints, figures.hints_judged - figures.hints_wanted
    _counted_something(area, figures)


def _counted_something(area: str, figures: Figures) -> None:
    """A scorer that reads no cases would hold every floor."""
    assert figures.hints_wanted
    assert (figures.faults == 0) == (area == "valid")


@pytest.mark.parametrize("target", BACKENDS)
def test_working_code_is_quiet(target: str) -> None:
    """No verdict table between: what the compiler takes without a word gets no error or warning."""
    listed = cases("valid", target)
    assert len(listed) > 100
    assert all(not case.verdicts for case in listed)


@dataclass(frozen=True, slots=True)
class Offer:
    """A fix that was offered, with the texts it leads to and the findings before it."""

    case: Case
    finding: Diagnostic
    fix: Fix
    texts: dict[str, str]
    before: list[Diagnostic]

    def __str__(self) -> str:
        return f"{self.case.name}:{self.finding.span.line} {self.finding.code}: {self.fix.title}"


def offers(workspace: Workspace, case: Case) -> Iterator[Offer]:
    """The fixes that are offered in a case."""
    found = findings(workspace, case)
    for finding in found:
        for fix in finding.fixes:
            texts = {path: edited_text(workspace.text(path), e) for path, e in edits_by_file([fix]).items()}
            yield Offer(case, finding, fix, texts, found)


@pytest.mark.parametrize("area", SAMPLE)
def test_fixes(area: str) -> None:
    """Every fix leaves Python that parses; a safe one takes its finding away and brings no new error."""
    workspace = workspace_of(area, "ascend910b")
    applied = 0
    for case in cases(area, "ascend910b")[:: SAMPLE[area]]:
        for offer in list(offers(workspace, case)):
            applied += 1
            for path, text in offer.texts.items():
                if workspace.is_python(workspace.text(path)):
                    assert workspace.is_python(text), f"{offer}\n{text}"
            if offer.fix.safe:
                _cures(workspace, offer)
        workspace.release(case.path)
    assert applied > 0


def _cures(workspace: Workspace, offer: Offer) -> None:
    for path, text in offer.texts.items():
        workspace.open(path, text)
    after = findings(workspace, offer.case)
    for path in offer.texts:
        workspace.close(path)
    count = Counter(d.code for d in after)[offer.finding.code]
    assert count < Counter(d.code for d in offer.before)[offer.finding.code], f"{offer}: the finding stays"
    known = {(d.code, d.message) for d in offer.before}
    assert not [d for d in after if d.severity is Severity.ERROR and (d.code, d.message) not in known], str(offer)
