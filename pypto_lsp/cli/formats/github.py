"""Findings as GitHub workflow commands, which show as annotations on a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from pypto_lsp.cli.formats import shown_path
from pypto_lsp.diagnostics import Diagnostic, Severity

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.PERF_HINT: "notice"}


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _line(diagnostic: Diagnostic) -> str:
    line, column, end_line, end_column = diagnostic.span.position()
    properties = {"file": shown_path(diagnostic.span.path), "line": line, "endLine": end_line}
    if line == end_line:  # columns mean something only within one line; GitHub's end is inclusive
        properties |= {"col": column, "endColumn": max(column, end_column - 1)}
    properties["title"] = f"pypto-lsp {diagnostic.code}"
    shown = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{_COMMAND[diagnostic.severity]} {shown}::{_data(diagnostic.message)}\n"


def render(diagnostics: Sequence[Diagnostic]) -> str:
    return "".join(map(_line, diagnostics))
