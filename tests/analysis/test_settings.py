"""Settings from the environment and from an editor."""

from __future__ import annotations

from typing import Any

import pytest

from pypto_lsp.analysis.settings import Settings, editor_settings, environment_settings
from pypto_lsp.backends import ASCEND910B, ASCEND950


@pytest.mark.parametrize(
    ("environ", "verifies", "warns"),
    [
        ({}, True, True),
        ({"PYPTO_VERIFY_LEVEL": "none"}, False, True),
        ({"PYPTO_VERIFY_LEVEL": "roundtrip"}, True, True),
        ({"PYPTO_VERIFY_LEVEL": "NONE"}, True, True),
        ({"PYPTO_VERIFY_LEVEL": "anything"}, True, True),
        ({"PYPTO_WARNING_LEVEL": "none"}, True, False),
        ({"PYPTO_WARNING_LEVEL": "post_pipeline"}, True, True),
        ({"PYPTO_WARNING_LEVEL": "loud"}, True, True),
    ],
)
def test_the_environment_is_read_as_the_compiler_reads_it(environ: dict[str, str], verifies: bool, warns: bool) -> None:
    settings = environment_settings(environ)
    assert (settings.verifies, settings.warns) == (verifies, warns)
    assert settings.target is ASCEND910B


@pytest.mark.parametrize("wrap", [lambda s: s, lambda s: {"pypto": s}, lambda s: {"settings": s}])
def test_an_editor_may_wrap_its_settings(wrap: Any) -> None:
    given = {
        "target": "a5",
        "disabledDiagnostics": ["PH001"],
        "hintSeverity": "information",
        "unknown": 1,
        "dslVersion": "2026-06-30",
    }
    settings, faults = editor_settings(wrap(given), Settings())
    assert faults == []
    assert settings == Settings(
        target=ASCEND950, disabled=("PH001",), hint_severity="information", dsl_version="2026-06-30"
    )


def test_a_wrong_value_is_named_and_the_rest_taken() -> None:
    given = {"target": "ascend9000", "verifyLevel": "none", "inlayHints": {"types": False}, "hintSeverity": None}
    settings, faults = editor_settings(given, Settings())
    assert len(faults) == 1
    assert "ascend9000" in faults[0]
    assert settings == Settings(verify_level="none", inlay_hints=False)


@pytest.mark.parametrize(
    "given", [None, [], "x", {"pypto": None}, {"disabledDiagnostics": "PH001"}, {"target": 3}, {"dslVersion": "May"}]
)
def test_nonsense_changes_nothing(given: Any) -> None:
    settings, _ = editor_settings(given, Settings())
    assert settings == Settings()
