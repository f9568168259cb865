"""What the project says of itself is generated, and true."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

from pypto_lsp.passes.pass_properties import DEFAULT_PIPELINE
from pypto_lsp.passes.pipeline.steps import ORDER
from pypto_lsp.passes.pipeline.tile_operators import CONVERSIONS

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


def test_passes_document_names_every_pass_as_modelled_or_not() -> None:
    text = (ROOT / "docs" / "passes.md").read_text(encoding="utf-8")
    section = text.partition("\n## Program to program\n")[2].partition("\n## ")[0]
    table, _, rest = section.partition("| pass | module |")[2].partition("\nNot modelled: ")
    modelled = re.findall(r"^\| (\w+) \|", table, re.MULTILINE)
    listed, _, tail = rest.partition(", and all after ")
    last = tail.split()[0]
    missing = [name for name in DEFAULT_PIPELINE[: DEFAULT_PIPELINE.index(last)] if name not in ORDER]
    assert modelled == list(ORDER)
    assert re.split(r",\s+", listed) == missing
    assert last == ORDER[-1]
    assert f" {len(CONVERSIONS)} operators with" in table
