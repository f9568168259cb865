"""All rules, found by package: a module in ``verifiers`` or ``checks`` that defines a Rule has registered it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.ir.nodes import Assign, Program
from pypto_lsp.passes.pass_properties import IRProperty, IRPropertySet
from pypto_lsp.verifiers.rule import Rule, RuleContext

#: entry-point group under which other packages offer rules of their own
ENTRY_POINT_GROUP = "pypto_lsp.rules"
_PACKAGES = ("pypto_lsp.verifiers", "pypto_lsp.checks")


def _rules_of(package_name: str) -> Iterable[Rule]:
    package = importlib.import_module(package_name)
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda m: m.name):
        module = importlib.import_module(f"{package_name}.{info.name}")
        for value in list(vars(module).values()):
            if (
                isinstance(value, type)
                and issubclass(value, Rule)
                and value.rule_name
                and value.__module__ == module.__name__
            ):
                yield value()


@cache
def all_rules() -> tuple[Rule, ...]:
    """One instance of every rule: the project's own, then those of entry points."""
    rules = [rule for package in _PACKAGES for rule in _rules_of(package)]
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        loaded = entry.load()
        rules.append(loaded() if isinstance(loaded, type) else loaded)
    return tuple(rules)


def dsl_rules() -> tuple[Rule, ...]:
    """The rules that are shown on DSL files."""
    return tuple(rule for rule in all_rules() if rule.on_dsl and rule.default_on)


@cache
def verifying_rules() -> dict[IRProperty, Rule]:
    """The rule that verifies each property on IR as it stands; one made for IR alone comes before one for sources too."""
    rules = sorted(all_rules(), key=lambda rule: rule.on_dsl, reverse=True)
    return {IRProperty[rule.ir_property]: rule for rule in rules if rule.ir_property in IRProperty.__members__}


def rules_for(properties: IRPropertySet) -> tuple[Rule, ...]:
    """The rules that verify a set of properties on IR as it stands."""
    rules = verifying_rules()
    return tuple(rules[prop] for prop in properties if prop in rules)


def as_errors(rule: Rule, found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Findings on IR as it stands: a broken property is an error there, also where a source that may be lowered to it only
    deserves a warning."""
    softened = rule.severity is not Severity.ERROR
    return [replace(d, severity=Severity.ERROR) if softened and d.severity is rule.severity else d for d in found]


def without_consequences(found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings without those that only follow from another: one mistake, one finding.

    A name that is bound to the result of a call whose output is read under its old name has no life of its own: once the
    result is bound to the right name, the other one is gone.
    """
    calls = {id(d.subject[0]) for d in found if d.rule_name == "InOutUseDiscipline" and isinstance(d.subject, tuple)}

    def follows(diagnostic: Diagnostic) -> bool:
        if not calls or diagnostic.rule_name != "SSAVerify" or not isinstance(diagnostic.subject, tuple):
            return False
        binding = diagnostic.subject[-1]
        return isinstance(binding, Assign) and id(binding.value) in calls

    return [d for d in found if not follows(d)]


def run_rules(program: Program, context: RuleContext, rules: Iterable[Rule] | None = None) -> list[Diagnostic]:
    """The findings of rules (default: all that are shown on DSL files) in one program."""
    found: list[Diagnostic] = []
    for rule in dsl_rules() if rules is None else rules:
        found.extend(rule.verify(program, context))
    return without_consequences(found)
