"""Values of literals."""

from __future__ import annotations

import ast
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pypto_lsp.syntax import literals, nodes, parse
from pypto_lsp.text import Source


def value_of(text: str) -> object:
    (statement,) = parse(Source("case.py", text)).body
    assert isinstance(statement, nodes.ExprStmt)
    return getattr(statement.value, "value", type(statement.value).__name__)


@pytest.mark.parametrize(
    "text", ["0", "1_000", "0xFf_0", "0b1_1", "0o17", "00", "1.5e-3", "1_0.5", ".5", "2.", "3j", "1e400"]
)
def test_numbers(text: str) -> None:
    assert repr(literals.number(text)) == repr(ast.literal_eval(text))


@given(st.text(), st.sampled_from(["", "r", "b", "u", "Rb", "BR"]), st.sampled_from(['"', "'", '"""', "'''"]))
def test_strings(content: str, prefix: str, quote: str) -> None:
    text = prefix + quote + content + quote
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = ast.literal_eval(text)
    except (SyntaxError, ValueError, UnicodeError):
        return
    if isinstance(ast.parse(text).body[0].value, ast.Constant) and text.endswith(quote):  # type: ignore[attr-defined]
        assert literals.string(text) == expected or content.count(quote[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'a' \"b\" r'\\c'", "ab\\c"),
        ("('a'\n '' # note\n 'b')", "ab"),
        ("b'a' b'b'", b"ab"),
        ("'' ''", ""),
        ("'a\\\nb'", "ab"),
        ("'''a\r\nb\rc'''", "a\nb\nc"),
        ("True", True),
        ("...", ...),
    ],
)
def test_constants(text: str, expected: object) -> None:
    assert value_of(text) == expected


@pytest.mark.parametrize("text", ["'\\N{no such name}'", "'\\x1'", "'a' '\\u12'", "f'\\x1{a}'", "1" * 5000])
def test_literals_without_a_value_are_opaque(text: str) -> None:
    (statement,) = parse(Source("case.py", text)).body
    assert isinstance(statement, nodes.ExprStmt | nodes.Broken)
    if isinstance(statement, nodes.ExprStmt):
        assert isinstance(statement.value, nodes.OpaqueExpr)


def test_no_warning_about_an_escape() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert value_of("'\\d'") == "\\d"
