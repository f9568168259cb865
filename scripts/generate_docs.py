"""Write docs/rules/ from the rule classes and the registry of front-end faults.

``python scripts/generate_docs.py`` writes the pages, ``--check`` exits with 1 when one of them is not up to date.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pypto_lsp.analysis.catalogue import Entry, entries

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "rules"
NOTE = "<!-- made by scripts/generate_docs.py -->\n"
FIRST_FAULT = 2001


def is_fault(entry: Entry) -> bool:
    return entry.error_code >= FIRST_FAULT


def rule_page(group: list[Entry]) -> str:
    """One page for all codes of a rule."""
    rows = "\n".join(f"| `{e.code}` | {e.severity} | {e.title} |" for e in group)
    body = next((e.page for e in group if e.page), "")
    return f"{NOTE}# {group[0].rule_name}\n\n| code | severity | says |\n|---|---|---|\n{rows}\n\n{body}\n"


def fault_page(name: str, group: list[Entry]) -> str:
    """One page for all front-end faults of one exception class."""
    parts = [f"{NOTE}# {name}\n\nFaults of the front end that the compiler raises as `{name}`.\n"]
    for entry in group:
        page = entry.page.replace("\n## ", "\n### ").removeprefix("## ").replace("What it means\n", "", 1)
        parts.append(f"## {entry.error_code}: {entry.title}\n\n{page.strip()}\n")
    return "\n".join(parts)


def index(rules: dict[str, list[Entry]], faults: dict[str, list[Entry]]) -> str:
    """The table of all rules."""
    lines = [NOTE + "# Rules", "", "| code | severity | says |", "|---|---|---|"]
    for name, group in sorted(rules.items()):
        lines += [f"| [`{e.code}`]({name}.md) | {e.severity} | {e.title} |" for e in group]
    lines += ["", "## Faults of the front end", "", "| code | class | says |", "|---|---|---|"]
    listed = sorted((e for group in faults.values() for e in group), key=lambda e: e.error_code)
    lines += [f"| {e.error_code} | [`{e.rule_name}`]({e.rule_name}.md) | {e.title} |" for e in listed]
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """File name -> text of every page."""
    rules: dict[str, list[Entry]] = {}
    faults: dict[str, list[Entry]] = {}
    for entry in entries():
        (faults if is_fault(entry) else rules).setdefault(entry.rule_name, []).append(entry)
    texts = {f"{name}.md": rule_page(group) for name, group in rules.items()}
    texts |= {f"{name}.md": fault_page(name, group) for name, group in faults.items()}
    texts["README.md"] = index(rules, faults)
    return {name: text if text.endswith("\n") else text + "\n" for name, text in texts.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when a page is out of date")
    arguments = parser.parse_args()
    wanted = pages()
    present = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    stale = sorted(name for name in wanted.keys() | present.keys() if wanted.get(name) != present.get(name))
    if arguments.check:
        for name in stale:
            print(f"docs/rules/{name} is out of date", file=sys.stderr)
        return 1 if stale else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in stale:
        if name in wanted:
            (FOLDER / name).write_text(wanted[name], encoding="utf-8")
        else:
            (FOLDER / name).unlink()
    print(f"{len(wanted)} pages, {len(stale)} changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
