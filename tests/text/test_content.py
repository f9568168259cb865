"""Texts that are kept compressed while nobody reads them."""

from __future__ import annotations

import pytest

from pypto_lsp.text import Anchor, Source, Span


@pytest.mark.parametrize("text", ["", "a = 1\r\nb = 2\n", "é = '→ 😀'\n", "s = '\udc80'\n"])
def test_a_text_at_rest_reads_as_before(text: str) -> None:
    source = Source("a.py", text)
    span = Span(Anchor(source, 0), 0, len(text))
    place = span.position()
    for _ in range(2):
        source.rest()
        assert (span.text, span.position(), source.lines.text) == (text, place, text)


def test_at_rest_it_takes_less() -> None:
    source = Source("a.py", "x = '→'\n" * 10_000)
    lines = source.lines
    source.rest()
    assert lines.content._text is None
    assert len(lines.content._packed) < 1000


def test_an_edit_wakes_it() -> None:
    source = Source("a.py", "one\ntwo\n")
    assert source.lines.position(4) == (2, 1)
    source.rest()
    source.edit("one\n\ntwo\n", 4, 4, 5)
    source.rest()
    assert source.text == "one\n\ntwo\n"
    assert source.lines.position(5) == (3, 1)
