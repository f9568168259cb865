"""What the project says of itself is generated, and true."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def _generator():  # type: ignore[no-untyped-def]
    spec = importlib.util.spec_from_file_location("generate_docs", ROOT / "scripts" / "generate_docs.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["generate_docs"] = module
    spec.loader.exec_module(module)
    return module


def test_rule_pages_are_up_to_date() -> None:
    wanted = _generator().pages()
    present = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "rules").glob("*.md")}
    stale = sorted(name for name in wanted.keys() | present.keys() if wanted.get(name) != present.get(name))
    assert not stale, "run python scripts/generate_docs.py"


def test_links_in_documents_lead_somewhere() -> None:
    documents = [ROOT / "README.md", ROOT / "editors" / "README.md", *(ROOT / "docs").rglob("*.md")]
    for document in documents:
        for target in re.findall(r"\]\(([^)#\s]+)", document.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (document.parent / target).exists(), f"{document.relative_to(ROOT)}: {target}"


def test_ci_runs_the_test_command_of_the_readme() -> None:
    assert re.search(r"^pytest\b", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    assert ".venv/bin/pytest" in (ROOT / "README.md").read_text(encoding="utf-8")
