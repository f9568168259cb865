"""Texts that are only read: what is parsed when, and that it makes no difference but for that."""

from __future__ import annotations

from pathlib import Path

import pytest
from ast_reference import difference, exact
from programs import Programs

from pypto_lsp.syntax import nodes, parse
from pypto_lsp.syntax.query import extent
from pypto_lsp.text import Source

CONFORMANCE = Path(__file__).parents[1] / "conformance"
FILES = sorted(path for path in CONFORMANCE.rglob("*.py") if "dumps" not in path.parts)

TEXT = '''\
"""A module."""
import os  # the platform

def outer(a, b=1):
    # a comment
    def inner():
        return a
    return inner()  # the end


class Shape:
    rows = 1

    @property
    def size(self):
        if self.rows:
            return 2
        return 3

if os:
    async def late(): return 1
else:
    def late():
        pass
'''


def read(text: str) -> tuple[nodes.Stmt, ...]:
    return parse(Source("case.py", text), plain=True).body


def functions(body: tuple[nodes.Stmt, ...]) -> list[nodes.FunctionDef]:
    """The functions at the top level and in its classes."""
    found: list[nodes.FunctionDef] = []
    for statement in body:
        if isinstance(statement, nodes.FunctionDef):
            found.append(statement)
        elif isinstance(statement, nodes.ClassDef):
            found += functions(statement.body)
    return found


def test_bodies_are_parsed_when_they_are_asked_for() -> None:
    outer, size = functions(read(TEXT))
    assert outer.unparsed_end() == TEXT.index("  # the end")
    assert [type(statement).__name__ for statement in outer.body] == ["FunctionDef", "Return"]
    assert outer.unparsed_end() is None
    assert outer.body is outer.body
    inner = outer.body[0]
    assert isinstance(inner, nodes.FunctionDef)
    assert inner.unparsed_end() is not None
    assert size.unparsed_end() is not None
    with pytest.raises(AttributeError):
        _ = size.scanned


def test_one_line_functions_have_their_bodies() -> None:
    (function,) = functions(read("def f(): return 1\n"))
    assert function.unparsed_end() is None
    assert isinstance(function.body[0], nodes.Return)


def test_extents_do_not_depend_on_parsing() -> None:
    for path in FILES[::9]:
        text = path.read_bytes().decode()
        for unparsed, parsed in zip(functions(read(text)), functions(parse(Source("case.py", text)).body), strict=True):
            assert extent(unparsed) == extent(parsed)


@pytest.mark.parametrize("start", range(700, 760, 20))
def test_comments_and_statements_of_random_programs(start: int) -> None:
    for seed in range(start, start + 20):
        text = Programs(seed).module()
        plain, whole = (parse(Source("case.py", text), plain=way) for way in (True, False))
        assert difference(exact(plain.body), exact(whole.body)) is None
        comments = [
            [(span.begin, span.end_offset, words) for span, words in tree.comments()] for tree in (plain, whole)
        ]
        assert comments[0] == comments[1]
        assert plain.syntax_fault() is None or whole.syntax_fault() is not None


def test_faulty_text_is_read_with_its_faults() -> None:
    for text in (
        "def f(:\n    return 1\n",
        "x = (1\ndef f():\n    return 2\n",
        "def f():\nreturn 1\n",
        "return 1\n",
        'x = """a\n',
    ):
        plain, whole = (parse(Source("case.py", text), plain=way) for way in (True, False))
        assert difference(exact(plain.body), exact(whole.body)) is None
        assert plain.broken == whole.broken
        assert plain.syntax_fault() is not None


def test_an_edit_makes_an_ordinary_tree_of_it() -> None:
    tree = parse(Source("case.py", TEXT), plain=True)
    edited = tree.replaced(TEXT.replace("rows = 1", "rows = 8"))
    assert tree.plain and not edited.plain
    assert difference(exact(edited.body), exact(parse(Source("case.py", edited.source.text)).body)) is None
    assert edited.replaced(TEXT).body[0] is edited.body[0]
