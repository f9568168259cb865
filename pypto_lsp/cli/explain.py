"""``pypto-lsp explain`` and ``pypto-lsp rules``: what the codes mean."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections.abc import Iterable

from pypto_lsp.analysis.catalogue import Entry, entries, matching
from pypto_lsp.cli.messages import complain


def _heading(group: list[Entry]) -> str:
    lines = []
    for entry in group:
        title = f"{entry.code} - {entry.title} ({entry.severity})"
        if entry.hint_code:
            title += f", rule {entry.rule_name}"
        lines.append(title)
    return "\n".join(lines)


def pages(found: Iterable[Entry]) -> str:
    """The pages of some entries; codes that share a page are listed above it together."""
    by_page: dict[str, list[Entry]] = {}
    for entry in found:
        by_page.setdefault(entry.page, []).append(entry)
    return "\n\n".join(f"{_heading(group)}\n\n{page}\n" for page, group in by_page.items())


def run_explain(arguments: argparse.Namespace) -> int:
    found = matching(arguments.code)
    if not found:
        names = {name for e in entries() for name in (e.code, e.rule_name, str(e.error_code))}
        near = difflib.get_close_matches(arguments.code, names, n=3)
        complain(f"no code {arguments.code!r}" + (f"; did you mean {', '.join(near)}?" if near else ""))
        return 2
    sys.stdout.write(pages(found))
    return 0


def table() -> str:
    """All codes as an aligned table: code, severity, rule, title."""
    rows = [("CODE", "SEVERITY", "RULE", "WHAT")]
    rows += [(e.code, e.severity, e.rule_name, e.title) for e in entries()]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)) + f"  {row[3]}\n" for row in rows)


def run_rules(arguments: argparse.Namespace) -> int:
    if arguments.format == "json":
        listed = [
            {
                "code": e.code,
                "rule_name": e.rule_name,
                "error_code": e.error_code,
                "hint_code": e.hint_code,
                "severity": e.severity,
                "title": e.title,
            }
            for e in entries()
        ]
        sys.stdout.write(json.dumps(listed, ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.write(table())
    return 0
