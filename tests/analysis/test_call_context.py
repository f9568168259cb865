"""The call around a cursor, told from broken text; ``|`` is the cursor."""

from __future__ import annotations

import pytest

from pypto_lsp.analysis.call_context import call_at


@pytest.mark.parametrize(
    ("text", "callee", "index", "keyword", "given"),
    [
        ("x = pl.add(|", "pl.add", 0, None, ()),
        ("x = pl.add(a, |)", "pl.add", 1, None, ()),
        ("x = pl.add(a, [1, 2], |", "pl.add", 2, None, ()),
        ("x = pl.cast(a, target_type=|", "pl.cast", 1, "target_type", ("target_type",)),
        ("x = pl.cast(a, mode='x', |", "pl.cast", 2, None, ("mode",)),
        ("x = pl.add(pl.mul(a, b), |", "pl.add", 1, None, ()),
        ("x = pl.add(pl.mul(a, |", "pl.mul", 1, None, ()),
        ("x = pl.load(a, [0, |", "pl.load", 1, None, ()),
        ("x = pl.add(\n    a,  # one, two(\n    |", "pl.add", 1, None, ()),
        ("x = pl.add('(', |", "pl.add", 1, None, ()),
        ("x = pl.load(\n    a,\n    shape=[1],\n    |\n)", "pl.load", 2, None, ("shape",)),
        ("if pl.f(|", "pl.f", 0, None, ()),
        ("with pl.at(level=|", "pl.at", 0, "level", ("level",)),
    ],
)
def test_inside_a_call(text: str, callee: str, index: int, keyword: str | None, given: tuple[str, ...]) -> None:
    offset = text.index("|")
    site = call_at(text.replace("|", ""), offset)
    assert site is not None
    assert (site.callee, site.index, site.keyword, site.given) == (callee, index, keyword, given)


@pytest.mark.parametrize(
    "text",
    [
        "x = |",
        "x = pl.add(a)|",
        "x = pl.add(a)\ny = |",
        "x = pl.add(\ndef f():\n    |",
        "x = pl.add(a, b\ny = c + |",
        "def f(|",
        "class C(|",
        "x = (|",
        "# pl.add(|",
        "x = 'pl.add(|'",
        "if (|",
        "|",
    ],
)
def test_outside_every_call(text: str) -> None:
    assert call_at(text.replace("|", ""), text.index("|")) is None
