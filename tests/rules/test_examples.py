"""The examples of the rules about kernels as they are written: VALID ones give nothing, INVALID ones just what is marked."""

from __future__ import annotations

import pytest

from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.backends import BACKENDS, Backend
from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.verifiers.registry import all_rules
from pypto_lsp.verifiers.rule import Rule, RuleContext

OPEN, CLOSE = "⟦", "⟧"
RULES = [rule for rule in all_rules() if rule.on_dsl]


def plain(example: str) -> str:
    return example.replace(OPEN, "").replace(CLOSE, "")


def marked(example: str) -> list[str]:
    """The marked ranges as ``begin:end text``, in order."""
    text, ranges = plain(example), []
    offset = 0
    for part in example.split(OPEN)[1:]:
        before = example.index(OPEN, offset)
        begin = len(plain(example[:before]))
        end = begin + len(part.split(CLOSE)[0])
        ranges.append(f"{begin}:{end} {text[begin:end]}")
        offset = before + 1
    return sorted(ranges)


def reported(found: list[Diagnostic]) -> list[str]:
    return sorted({f"{d.span.begin}:{d.span.end_offset} {d.span.text}" for d in found})


def findings(rule: Rule, example: str) -> list[Diagnostic]:
    """What a rule finds in an example, on the first target on which it finds anything."""
    return next(filter(None, (findings_on(target, rule, example) for target in BACKENDS.values())), [])


def findings_on(target: Backend, rule: Rule, example: str) -> list[Diagnostic]:
    """What a rule finds in an example that the front end takes without a complaint."""
    workspace = Workspace(settings=Settings(target=target))
    workspace.open("example.py", plain(example))
    report = workspace.check("example.py")
    complaints = [d.message for unit in report.units for d in unit.diagnostics]
    assert report.units and not complaints, complaints
    return [found for unit in report.units for found in rule.verify(unit.program, RuleContext(target, unit.call_chain))]


def cases(kind: str) -> list[object]:
    return [
        pytest.param(rule, example, id=f"{type(rule).__name__}-{number}")
        for rule in RULES
        for number, example in enumerate(getattr(rule, kind))
    ]


@pytest.mark.parametrize(("rule", "example"), cases("VALID"))
def test_nothing_is_found_in_a_valid_example(rule: Rule, example: str) -> None:
    assert reported(findings(rule, example)) == []


@pytest.mark.parametrize(("rule", "example"), cases("INVALID"))
def test_what_is_marked_is_found_in_an_invalid_example(rule: Rule, example: str) -> None:
    expected = marked(example)
    found = findings(rule, example)
    assert expected and reported(found) == expected
    for diagnostic in found:
        assert diagnostic.rule_name == rule.rule_name
        assert diagnostic.error_code in rule.codes
        assert diagnostic.hint_code == rule.hint_code
        assert diagnostic.message and not diagnostic.message.endswith(".")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_a_rule_explains_itself(rule: Rule) -> None:
    sections = [line.strip() for line in (type(rule).__doc__ or "").splitlines() if line.strip().startswith("## ")]
    assert rule.VALID and rule.INVALID and rule.codes
    assert sections == ["## What it does", "## Why is this bad", "## Fix"]
