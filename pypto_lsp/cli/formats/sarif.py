"""Findings as a SARIF 2.1.0 log, for code scanning services."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from pypto_lsp import __version__
from pypto_lsp.analysis.catalogue import Entry, entry_for
from pypto_lsp.analysis.facts import plain
from pypto_lsp.cli.formats import shown_path
from pypto_lsp.diagnostics import Diagnostic, Fix, Severity
from pypto_lsp.text import Span

_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.PERF_HINT: "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def _artifact(path: str) -> dict[str, str]:
    shown = shown_path(path)
    if os.path.isabs(shown) or shown.startswith("../"):
        return {"uri": PurePath(os.path.abspath(path)).as_uri()}
    return {"uri": quote(shown), "uriBaseId": "%SRCROOT%"}


def _region(span: Span) -> dict[str, int]:
    line, column, end_line, end_column = span.position()
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _location(span: Span, message: str = "") -> dict[str, Any]:
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": _artifact(span.path), "region": _region(span)}}
    if message:
        location["message"] = {"text": message}
    return location


def _fix(fix: Fix) -> dict[str, Any]:
    changes: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        replacement = {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.new_text}}
        changes.setdefault(edit.span.path, []).append(replacement)
    return {
        "description": {"text": fix.title},
        "artifactChanges": [{"artifactLocation": _artifact(p), "replacements": r} for p, r in changes.items()],
    }


def _rule(diagnostic: Diagnostic, entry: Entry | None) -> dict[str, Any]:
    rule: dict[str, Any] = {"id": diagnostic.code, "defaultConfiguration": {"level": _LEVEL[diagnostic.severity]}}
    if entry is not None:
        rule |= {"shortDescription": {"text": entry.title}, "fullDescription": {"text": entry.page}}
    return rule


def _result(diagnostic: Diagnostic, rule_index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule_index,
        "level": _LEVEL[diagnostic.severity],
        "message": {"text": diagnostic.message},
        "locations": [_location(diagnostic.span)],
        "properties": {"kernel": diagnostic.kernel, "facts": plain(diagnostic.facts)},
    }
    if diagnostic.related:
        result["relatedLocations"] = [_location(related.span, related.message) for related in diagnostic.related]
    if diagnostic.fixes:
        result["fixes"] = [_fix(fix) for fix in diagnostic.fixes]
    return result


def render(diagnostics: Sequence[Diagnostic]) -> str:
    rules: dict[str, dict[str, Any]] = {}
    for diagnostic in diagnostics:
        if diagnostic.code not in rules:
            rules[diagnostic.code] = _rule(diagnostic, entry_for(diagnostic))
    index = {code: number for number, code in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "pypto-lsp", "version": __version__, "rules": list(rules.values())}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"uri": PurePath(os.getcwd()).as_uri() + "/"}},
        "results": [_result(diagnostic, index[diagnostic.code]) for diagnostic in diagnostics],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"
