"""Our passes beside the compiler's: how many functions are equal after each, and that the document says so."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from pypto_lsp.passes.pass_properties import DEFAULT_PIPELINE
from pypto_lsp.passes.pipeline.steps import ORDER

ROOT = Path(__file__).parent.parent.parent
#: after a pass, how many functions agree at least; passes whose result is the compiler's whole are held to all of them
EXACT = {
    "frontend", "InlineFunctions", "UnrollLoops", "CtrlFlowTransform", "Simplify", "FlattenCallExpr",
    "OutlineHierarchyScopes", "OutlineIncoreScopes", "OutlineClusterScopes", "ConvertTensorToTileOps",
    "FlattenTileNdTo2D", "InferTileMemorySpace", "LowerAutoVectorSplit", "ExpandMixedKernel", "NormalizeReturnOrder",
    "LowerPipelineLoops", "CanonicalizeIOOrder",
}  # fmt: skip
FLOORS = {"ConvertToSSA": 0.95, "InitMemRef": 0.6, "AllocateMemoryAddr": 0.3}


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pass_agreement", ROOT / "scripts" / "pass_agreement.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["pass_agreement"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return _script()


@pytest.fixture(scope="module")
def found(script: ModuleType) -> list[object]:
    return list(script.comparisons())


@pytest.mark.parametrize("stage", sorted(EXACT))
def test_exact_passes_make_what_the_compiler_makes(stage: str, found: list[object]) -> None:
    different = [f"{c.kernel}: {c.function}{c.where}" for c in found if c.stage == stage and c.where is not None]  # type: ignore[attr-defined]
    assert different == []


@pytest.mark.parametrize("stage", sorted(FLOORS))
def test_simplified_passes_keep_their_share(stage: str, script: ModuleType, found: list[object]) -> None:
    same, total = script.figures(found)[stage]
    assert same / total >= FLOORS[stage]


def test_the_document_states_the_figures(script: ModuleType, found: list[object]) -> None:
    text = script.DOCUMENT.read_text(encoding="utf-8")
    assert script.document(text, script.figures(found)) == text, "run python scripts/pass_agreement.py --write"


def test_every_modelled_pass_is_in_the_document() -> None:
    text = (ROOT / "docs" / "passes.md").read_text(encoding="utf-8")
    assert [name for name in ORDER if f"| {name} |" not in text] == []


def test_passes_come_in_the_order_of_the_compiler() -> None:
    positions = [DEFAULT_PIPELINE.index(name) for name in ORDER]
    assert positions == sorted(positions)
