"""The slim code-generation state finds what LibCST's own position provider finds."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider
from programs import Programs

from pypto_lsp.syntax.spans import measure
from pypto_lsp.text import LineIndex

VALID = sorted((Path(__file__).parents[1] / "conformance" / "valid").rglob("*.py"))


def check(text: str) -> None:
    module = cst.parse_module(text)
    spans = measure(module).spans
    lines = LineIndex(text)
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    assert len(positions) == len(spans)
    for node, place in positions.items():
        start = lines.starts[place.start.line - 1] + place.start.column
        end = lines.starts[place.end.line - 1] + place.end.column
        assert spans[node] == (start, end), node


@pytest.mark.parametrize("path", VALID[::25], ids=lambda path: path.stem)
def test_kernels(path: Path) -> None:
    check(path.read_bytes().decode())


@pytest.mark.parametrize("seed", range(10))
def test_random_programs(seed: int) -> None:
    check(Programs(seed + 500).module().rstrip("\r\n") + "\n")


def test_ranges_count_from_the_start_given() -> None:
    module = cst.parse_module("if 1:\n    x = 2\n")
    state = measure(module, -6)
    conditional = module.body[0]
    assert isinstance(conditional, cst.If)
    line = conditional.body.body[0]
    assert state.spans[line] == (4, 9)
    assert state.suites[conditional.body] == -1
