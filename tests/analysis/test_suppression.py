"""Suppression comments and selectors."""

from __future__ import annotations

import pytest

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.diagnostics.suppression import parse_directive, read_suppressions, selects
from pypto_lsp.syntax import parse
from pypto_lsp.text import Anchor, Source, Span


def finding(source: Source, start: int, end: int, rule: str, code: int, hint: str = "") -> Diagnostic:
    return Diagnostic(Severity.ERROR, rule, code, "said", Span(Anchor(source, 0), start, end), hint_code=hint)


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("PH001", True),
        ("ph001", True),
        ("PH", True),
        ("TileInnermostDimGranularity", True),
        ("TileInnermostDimGranularity/1", True),
        ("TileInnermostDimGranularity/2", False),
        ("PH-MR", False),
        ("PH00", False),
        ("P", False),
        ("", False),
    ],
)
def test_selectors_of_a_hint(selector: str, expected: bool) -> None:
    assert selects(selector, "TileInnermostDimGranularity", 1, "PH001") is expected


@pytest.mark.parametrize(
    ("selector", "expected"),
    [("PH", True), ("PH-MR", True), ("PH-MR-001", True), ("PH-M", False), ("MemoryReuse", True), ("PH-AT", False)],
)
def test_selectors_of_a_family(selector: str, expected: bool) -> None:
    assert selects(selector, "MemoryReuse", 0, "PH-MR-001") is expected


def test_an_error_is_named_by_rule_or_by_rule_and_code() -> None:
    assert selects("TypeCheck", "TypeCheck", 104, "")
    assert selects("TypeCheck/104", "TypeCheck", 104, "")
    assert not selects("TypeCheck/101", "TypeCheck", 104, "")
    assert not selects("104", "TypeCheck", 104, "")


@pytest.mark.parametrize(
    ("comment", "selectors", "whole_file"),
    [
        ("# pypto: ignore", (), False),
        ("#pypto:ignore", (), False),
        ("# pypto: ignore[PH001]", ("PH001",), False),
        ("# pypto: ignore[PH001, TypeCheck/104] the layout is fixed", ("PH001", "TypeCheck/104"), False),
        ("# a word  # pypto: ignore[PH001]", ("PH001",), False),
        ("# pypto: ignore-file[PH001]", ("PH001",), True),
        ("# pypto: ignore-file", (), True),
    ],
)
def test_directives(comment: str, selectors: tuple[str, ...], whole_file: bool) -> None:
    source = Source("a.py", comment)
    directive = parse_directive(Span(Anchor(source, 0), 0, len(comment)), comment)
    assert directive is not None
    assert (directive.selectors, directive.whole_file) == (selectors, whole_file)


@pytest.mark.parametrize("comment", ["# pypto: ignored", "# pypto: ignore-all", "# ignore", "# pypto: ignore[]"])
def test_other_comments_are_no_directives(comment: str) -> None:
    source = Source("a.py", comment)
    assert parse_directive(Span(Anchor(source, 0), 0, len(comment)), comment) is None


def covered(text: str, mark: str, first_statement: int | None = None, **code: object) -> bool:
    """Whether a finding on the text ``mark`` of a file is silenced."""
    source = Source("a.py", text)
    tree = parse(source)
    start = text.index(mark)
    found = finding(source, start, start + len(mark), "TypeCheck", 104)
    first = tree.body[0].span.begin if first_statement is None else first_statement
    return read_suppressions(tree.comments(), first).cover(found)


def test_a_comment_silences_the_first_and_the_last_line_of_a_finding() -> None:
    assert covered("x = f(1)  # pypto: ignore\n", "f(1)")
    assert covered("x = f(\n    1,\n)  # pypto: ignore[TypeCheck]\n", "f(\n    1,\n)")
    assert covered("x = f(  # pypto: ignore\n    1,\n)\n", "f(  # pypto: ignore\n    1,\n)")
    assert not covered("x = f(\n    1,  # pypto: ignore\n)\n", "f(\n    1,  # pypto: ignore\n)")
    assert not covered("y = 1  # pypto: ignore\nx = f(1)\n", "f(1)")


def test_a_comment_silences_only_what_it_lists() -> None:
    assert covered("x = f(1)  # pypto: ignore[TypeCheck/104]\n", "f(1)")
    assert not covered("x = f(1)  # pypto: ignore[TypeCheck/101]\n", "f(1)")


def test_a_text_that_looks_like_a_comment_silences_nothing() -> None:
    assert not covered('x = f("# pypto: ignore")\n', "f(")


def test_ignore_file_counts_above_the_first_statement_only() -> None:
    assert covered("# pypto: ignore-file[TypeCheck]\nimport a\nx = f(1)\n", "f(1)")
    assert not covered("import a\n# pypto: ignore-file\nx = f(1)\n", "f(1)")
    assert not covered("# pypto: ignore-file[SSAVerify]\nimport a\nx = f(1)\n", "f(1)")
