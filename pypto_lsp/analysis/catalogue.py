"""All codes that a finding can carry, with what there is to say about each: from the rule classes and the fault registry."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata

import pypto_lsp.diagnostics
from pypto_lsp.diagnostics import FAULTS, Diagnostic, FaultKind
from pypto_lsp.diagnostics.suppression import selects
from pypto_lsp.verifiers.registry import all_rules
from pypto_lsp.verifiers.rule import Rule

OPEN_MARK, CLOSE_MARK = "⟦", "⟧"


@dataclass(frozen=True, slots=True)
class Entry:
    """One code. ``page`` is Markdown: ``explanation`` (what it means and what to do) with examples."""

    rule_name: str
    error_code: int
    hint_code: str
    severity: str
    title: str
    explanation: str
    page: str

    @property
    def code(self) -> str:
        return self.hint_code or f"{self.rule_name}/{self.error_code}"


def underlined(example: str) -> str:
    """An example with a comment of carets below each marked range instead of the marks."""
    lines: list[str] = []
    for line in example.rstrip().split("\n"):
        start = line.find(OPEN_MARK)
        plain = line.replace(OPEN_MARK, "").replace(CLOSE_MARK, "")
        lines.append(plain)
        if start >= 0:
            end = line.find(CLOSE_MARK)
            width = (end - 1 if end >= 0 else len(plain)) - start
            indent = max(0, start - 2)
            lines.append(" " * indent + "# " + " " * (start - indent - 2) + "^" * max(1, width))
    return "\n".join(lines)


def _example(heading: str, code: str) -> str:
    return f"## {heading}\n```python\n{underlined(code)}\n```" if code.strip() else ""


def _joined(*parts: str) -> str:
    return "\n\n".join(part.strip() for part in parts if part.strip())


def _of_rule(rule: Rule) -> Iterator[Entry]:
    severity = rule.severity.value
    for code, title in rule.codes.items():
        explanation = inspect.cleandoc(type(rule).__doc__ or "")
        page = _joined(
            explanation,
            _example("Reported", rule.INVALID[0] if rule.INVALID else ""),
            _example("Accepted", rule.VALID[0] if rule.VALID else ""),
        )
        yield Entry(rule.rule_name, code, rule.hint_code, severity, title, explanation, page)


def _of_fault(kind: FaultKind) -> Entry:
    page = _joined(
        f"## What it means\n{kind.explanation.strip()}",
        _example("Example", kind.example),
        _example("Use instead", kind.instead),
    )
    return Entry(kind.rule_name, kind.code, "", kind.severity.value, kind.title, kind.explanation.strip(), page)


def _load_faults() -> None:
    """Import every module that declares faults."""
    for info in pkgutil.iter_modules(pypto_lsp.diagnostics.__path__):
        if info.name.startswith("faults"):
            importlib.import_module(f"pypto_lsp.diagnostics.{info.name}")


@cache
def entries() -> tuple[Entry, ...]:
    """Every code once, front-end faults first, then rules by name."""
    _load_faults()
    found = [_of_fault(kind) for _, kind in sorted(FAULTS.items())]
    by_identity: dict[tuple[str, int, str], Entry] = {}
    # several rules may share a code; the one that authors meet in their own files explains it
    for rule in sorted(all_rules(), key=lambda rule: not (rule.on_dsl and rule.default_on)):
        for entry in _of_rule(rule):
            by_identity.setdefault((entry.rule_name, entry.error_code, entry.hint_code), entry)
    found += sorted(by_identity.values(), key=lambda entry: (entry.rule_name, entry.error_code, entry.hint_code))
    return tuple(found)


@cache
def _by_identity() -> dict[tuple[str, int, str], Entry]:
    return {(e.rule_name, e.error_code, e.hint_code): e for e in reversed(entries())}


def entry_for(diagnostic: Diagnostic) -> Entry | None:
    """What there is to say about a finding's code."""
    return _by_identity().get((diagnostic.rule_name, diagnostic.error_code, diagnostic.hint_code))


def matching(selector: str) -> list[Entry]:
    """The entries that a selector names; a bare number names the fault or check with that code."""
    if selector.strip().isdigit():
        return [e for e in entries() if e.error_code == int(selector) and e.error_code > 0]
    return [e for e in entries() if selects(selector, e.rule_name, e.error_code, e.hint_code)]


@cache
def _documentation() -> str:
    """The address of the project's documentation, as the installed package states it; empty when it states none."""
    try:
        urls = metadata("pypto-lsp").get_all("Project-URL") or []
    except PackageNotFoundError:  # run from a checkout that was not installed
        return ""
    named = dict(url.split(", ", 1) for url in urls if ", " in url)
    return named.get("Documentation", "").rstrip("/")


def page_url(diagnostic: Diagnostic) -> str:
    """The address of the page on a finding's rule; empty when there is none."""
    entry = entry_for(diagnostic)
    base = _documentation()
    return f"{base}/rules/{entry.rule_name}" if base and entry is not None else ""
