"""Findings as one JSON array, for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pypto_lsp.analysis.facts import plain
from pypto_lsp.cli.formats import shown_path
from pypto_lsp.diagnostics import Diagnostic, Edit
from pypto_lsp.text import Span


def place(span: Span) -> dict[str, Any]:
    """file, line, column, end_line and end_column of a span: from 1 in characters, end exclusive."""
    line, column, end_line, end_column = span.position()
    return {
        "file": shown_path(span.path),
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }


def _edit(edit: Edit) -> dict[str, Any]:
    return {**place(edit.span), "new_text": edit.new_text}


def as_object(diagnostic: Diagnostic) -> dict[str, Any]:
    """One finding as a JSON object."""
    return {
        **place(diagnostic.span),
        "severity": diagnostic.severity.value,
        "rule_name": diagnostic.rule_name,
        "error_code": diagnostic.error_code,
        "hint_code": diagnostic.hint_code,
        "message": diagnostic.message,
        "facts": plain(diagnostic.facts),
        "kernel": diagnostic.kernel,
        "related": [{**place(related.span), "message": related.message} for related in diagnostic.related],
        "fixes": [
            {"title": fix.title, "safe": fix.safe, "edits": [_edit(edit) for edit in fix.edits]}
            for fix in diagnostic.fixes
        ],
    }


def render(diagnostics: Sequence[Diagnostic]) -> str:
    return json.dumps([as_object(d) for d in diagnostics], ensure_ascii=False, indent=1) + "\n"
