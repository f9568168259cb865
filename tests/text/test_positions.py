"""Positions and edits against the plainest implementation one can think of."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pypto_lsp.text import Change, LineIndex, PositionEncoding
from pypto_lsp.text.edits import apply, apply_all, difference
from pypto_lsp.text.positions import offset_at, position_at, units_before

CODECS = {
    PositionEncoding.UTF8: ("utf-8", 1),
    PositionEncoding.UTF16: ("utf-16-le", 2),
    PositionEncoding.UTF32: ("utf-32-le", 4),
}
TEXTS = st.text(alphabet="ab é中😀\n\r\f\x0b\x85\u2028\ud83d", max_size=60)
ENCODINGS = st.sampled_from(list(PositionEncoding))


def units(text: str, encoding: PositionEncoding) -> int:
    codec, size = CODECS[encoding]
    return len(text.encode(codec, "surrogatepass")) // size


def split_lines(text: str) -> list[tuple[int, str]]:
    """Start and content of each line, by the protocol's three line ends."""
    result, start = [], 0
    for match in re.finditer(r"\r\n|\r|\n", text):
        result.append((start, text[start : match.start()]))
        start = match.end()
    return [*result, (start, text[start:])]


def naive_offset(text: str, line: int, column: int, encoding: PositionEncoding) -> int:
    lines = split_lines(text)
    if line < 0:
        return 0
    if line >= len(lines):
        return len(text)
    start, content = lines[line]
    fitting = [count for count in range(len(content) + 1) if units(content[:count], encoding) <= max(column, 0)]
    return start + fitting[-1]


@given(TEXTS, st.integers(-1, 12), st.integers(-1, 40), ENCODINGS)
def test_offset_of_any_position(text: str, line: int, column: int, encoding: PositionEncoding) -> None:
    assert offset_at(LineIndex(text), line, column, encoding) == naive_offset(text, line, column, encoding)


@given(TEXTS, ENCODINGS)
def test_position_of_every_offset_leads_back(text: str, encoding: PositionEncoding) -> None:
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        line, column = position_at(index, offset, encoding)
        start, content = split_lines(text)[line]
        assert column == units(text[start:offset], encoding)
        if offset <= start + len(content):
            assert offset_at(index, line, column, encoding) == offset


@pytest.mark.parametrize(
    ("encoding", "inside", "behind"),
    [(PositionEncoding.UTF8, (2, 3, 4), 5), (PositionEncoding.UTF16, (2,), 3), (PositionEncoding.UTF32, (), 2)],
)
def test_position_inside_a_character_is_its_start(
    encoding: PositionEncoding, inside: tuple[int, ...], behind: int
) -> None:
    index = LineIndex("a😀b")
    assert [offset_at(index, 0, column, encoding) for column in inside] == [1] * len(inside)
    assert offset_at(index, 0, behind, encoding) == 2
    assert units_before("a😀", encoding) == behind


def test_form_feed_and_unicode_separators_end_no_line() -> None:
    index = LineIndex("a\x0cb\x0bc\x85d\u2028e\u2029f\x1cg\nh")
    assert offset_at(index, 1, 0, PositionEncoding.UTF16) == 14
    assert len(index) == 2


def test_position_past_the_end_of_the_last_line_is_the_end() -> None:
    index = LineIndex("abc")
    assert apply(index, Change("X", (0, 10), (0, 10)), PositionEncoding.UTF16).text == "abcX"
    assert apply(index, Change("X", (7, 0), (9, 1)), PositionEncoding.UTF16).text == "abcX"
    assert apply(LineIndex(""), Change("X", (0, 0), (0, 0)), PositionEncoding.UTF8).text == "X"


def test_end_before_start_is_the_start() -> None:
    edit = apply(LineIndex("abcdef"), Change("-", (0, 4), (0, 1)), PositionEncoding.UTF16)
    assert (edit.text, edit.start, edit.old_end, edit.new_end) == ("abcd-ef", 4, 4, 5)


def test_column_past_a_line_stays_before_its_line_end() -> None:
    assert apply(LineIndex("ab\r\ncd"), Change("!", (0, 9), (0, 9)), PositionEncoding.UTF16).text == "ab!\r\ncd"


POSITION = st.tuples(st.integers(0, 6), st.integers(0, 12))
CHANGES = st.lists(st.one_of(st.builds(Change, TEXTS, POSITION, POSITION), st.builds(Change, TEXTS)), max_size=4)


@given(TEXTS, CHANGES, ENCODINGS)
def test_changes_one_after_the_other(text: str, changes: list[Change], encoding: PositionEncoding) -> None:
    before = text
    for edit, change in zip(apply_all(LineIndex(text), changes, encoding), changes):
        if change.start is None or change.end is None:
            expected = change.text
        else:
            start = naive_offset(before, *change.start, encoding)
            end = max(start, naive_offset(before, *change.end, encoding))
            expected = before[:start] + change.text + before[end:]
        assert edit.text == expected
        assert edit.lines.starts == LineIndex(expected).starts
        assert before[: edit.start] + expected[edit.start : edit.new_end] + before[edit.old_end :] == expected
        before = expected


@given(st.text(alphabet="ab\r\n", max_size=12), st.text(alphabet="ab\r\n", max_size=4), st.data())
def test_line_index_follows_an_edit(text: str, new: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    result = text[:start] + new + text[end:]
    assert LineIndex(text).edited(result, start, end, start + len(new)).starts == LineIndex(result).starts


@given(st.text(alphabet="ab\n", max_size=12), st.text(alphabet="ab\n", max_size=12))
def test_difference_is_one_replacement(old: str, new: str) -> None:
    start, old_end, new_end = difference(old, new)
    assert old[:start] + new[start:new_end] + old[old_end:] == new
    assert 0 <= start <= old_end and start <= new_end
    if start < old_end and start < new_end:
        assert old[start] != new[start] and old[old_end - 1] != new[new_end - 1]
