"""PH001: what a hint says, where it stands, and what it points at."""

from __future__ import annotations

import pytest

from pypto_lsp.analysis.facts import plain
from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.backends import backend
from pypto_lsp.diagnostics import Diagnostic

COPY = """\
import pypto.language as pl

COLS = 64


@pl.program
class Copy:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[64, 512], pl.FP32], o: pl.Out[pl.Tensor[[64, 512], pl.FP32]]
    ) -> pl.Tensor[[64, 512], pl.FP32]:
        t = pl.load(x, [0, 0], [16, COLS])
        o = pl.store(
            t, [0, 0], o
        )
        return o
"""
HELPER = """\
import pypto.language as pl


@pl.jit.inline
def helper(x: pl.Tensor[[64, 64], pl.FP32], o: pl.Tensor[[64, 64], pl.FP32]):
    with pl.at(level=pl.Level.CORE_GROUP):
        o[:] = pl.neg(x)
    return o


@pl.jit
def kernel(x: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    o = helper(x, o)
    o = helper(x, o)
    return o
"""


def hints(text: str, target: str = "ascend910b") -> list[Diagnostic]:
    workspace = Workspace(settings=Settings(target=backend(target)))
    workspace.open("kernel.py", text)
    return [d for d in workspace.check("kernel.py").diagnostics if d.code == "PH001"]


def test_a_hint_has_the_figures_of_the_compiler() -> None:
    load, store = hints(COPY)
    assert load.span.text == "pl.load(x, [0, 0], [16, COLS])"
    assert plain(load.facts) == {
        "op": "tile.load", "dtype": "fp32", "innermost_bytes": 256, "innermost_elems": 64, "memory": "Vec",
        "recommended": 512, "arch": "a2a3", "rows": 16, "row_bytes": 256, "transfer_bytes": 4096, "line": 12,
    }  # fmt: skip
    assert store.facts["op"] == "tile.store"
    assert store.kernel == "kernel"


def test_the_line_is_that_of_the_statement() -> None:
    assert [plain(hint.facts)["line"] for hint in hints(COPY)] == [12, 13]


def test_it_points_at_the_number_that_sets_the_extent() -> None:
    for hint in hints(COPY):
        (place,) = hint.related
        assert (place.span.line, place.span.text) == (3, "64")
        assert "'COLS'" in place.message


@pytest.mark.parametrize(
    ("dtype", "columns", "bytes_910b"),
    [("FP32", 127, 508), ("FP16", 255, 510), ("INT8", 511, 511), ("BOOL", 64, 8), ("INT4", 100, 50)],
)
def test_bits_are_packed_and_rounded_up(dtype: str, columns: int, bytes_910b: int) -> None:
    found = hints(COPY.replace("FP32", dtype).replace("64\n", f"{columns}\n"))
    assert {hint.facts["innermost_bytes"] for hint in found} == {bytes_910b}


@pytest.mark.parametrize(("columns", "on_910b", "on_950"), [(16, 2, 2), (32, 2, 0), (127, 2, 0), (128, 0, 0)])
def test_each_target_has_its_own_limit(columns: int, on_910b: int, on_950: int) -> None:
    text = COPY.replace("64\n", f"{columns}\n")
    assert (len(hints(text)), len(hints(text, "ascend950"))) == (on_910b, on_950)


def test_equal_hints_of_one_place_are_one() -> None:
    unrolled = COPY.replace(
        "        t = pl.load(x, [0, 0], [16, COLS])\n",
        "        for i in pl.unroll(3):\n            t = pl.load(x, [i, 0], [16, COLS])\n    ",
    ).replace("            t, [0, 0], o\n        )", "                t, [0, 0], o\n            )")
    load, store = hints(unrolled)
    assert (load.facts["occurrences"], store.facts["occurrences"]) == (3, 3)


def test_a_hint_in_a_helper_names_the_calls_that_expand_it() -> None:
    found = hints(HELPER)
    assert [hint.facts["op"] for hint in found] == ["tile.store", "tile.load"]
    for hint in found:
        assert [place.span.line for place in hint.related if "expanded" in place.message] == [13, 14]


def test_a_tensor_that_is_loaded_whole_is_shown_at_its_use_and_reported_at_the_region() -> None:
    load = hints(HELPER)[1]
    assert load.span.text == "x"
    assert (load.span.line, plain(load.facts)["line"]) == (7, 6)


def test_an_extent_that_is_not_constant_gives_no_hint() -> None:
    assert hints(COPY.replace("[16, COLS]", "[16, 128]")) == []
    dynamic = HELPER.replace("[[64, 64], pl.FP32]", "[[64, N], pl.FP32]").replace(
        "\n\n\n", '\n\nN = pl.dynamic("N")\n\n\n', 1
    )
    assert hints(dynamic) == []
