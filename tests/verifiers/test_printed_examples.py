"""The examples of the rules: VALID ones give nothing, INVALID ones what is marked."""

from __future__ import annotations

import pytest

from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.backends import ASCEND910B, ASCEND950
from pypto_lsp.verifiers.registry import all_rules
from pypto_lsp.verifiers.rule import Rule, RuleContext

OPEN, CLOSE = "⟦", "⟧"
RULES = [rule for rule in all_rules() if not rule.on_dsl]


def spans(rule: Rule, text: str) -> list[tuple[int, int]]:
    """The ranges that a rule reports in a printed program; the front end must have no complaint."""
    workspace = Workspace()
    workspace.open("printed.py", text)
    units = workspace.check("printed.py").units
    assert units
    assert not [d.message for unit in units for d in unit.diagnostics]
    found = [d for unit in units for d in rule.verify(unit.program, RuleContext(as_is=True))]
    assert all(d.rule_name == rule.rule_name and d.error_code in rule.codes for d in found)
    return sorted((d.span.begin, d.span.end_offset) for d in found)


def marked(text: str) -> list[tuple[int, int]]:
    ranges, offset = [], 0
    for part in text.split(OPEN)[:-1]:
        offset += len(part.replace(CLOSE, ""))
        inside = text.split(OPEN)[len(ranges) + 1].split(CLOSE)[0]
        ranges.append((offset, offset + len(inside)))
    return ranges


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.rule_name)
def test_examples(rule: Rule) -> None:
    for text in rule.VALID:
        assert spans(rule, text) == []
    for text in rule.INVALID:
        assert spans(rule, text.replace(OPEN, "").replace(CLOSE, "")) == marked(text)


def shown(rule: Rule, text: str) -> list[tuple[int, int]]:
    """The ranges that a rule's findings have in the report on a source, for one target or the other."""
    found: set[tuple[int, int]] = set()
    for target in (ASCEND910B, ASCEND950):
        workspace = Workspace(settings=Settings(target=target))
        workspace.open("kernel.py", text)
        diagnostics = workspace.check("kernel.py").diagnostics
        found |= {(d.span.begin, d.span.end_offset) for d in diagnostics if d.rule_name == rule.rule_name}
    return sorted(found)


@pytest.mark.parametrize("rule", [r for r in all_rules() if r.on_dsl], ids=lambda rule: rule.rule_name)
def test_examples_of_sources(rule: Rule) -> None:
    for text in rule.VALID:
        assert shown(rule, text) == []
    for text in rule.INVALID if rule.default_on else ():
        assert shown(rule, text.replace(OPEN, "").replace(CLOSE, "")) == marked(text)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.rule_name)
def test_page(rule: Rule) -> None:
    sections = [line.strip() for line in (type(rule).__doc__ or "").splitlines() if line.strip().startswith("## ")]
    assert sections == ["## What it does", "## Why is this bad", "## Fix"]
