"""Nodes by place, names read and bound, comments, and what importing the package costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pypto_lsp.syntax import nodes, parse
from pypto_lsp.syntax.query import bound_names, children, extent, names_read, path_at, statement_at, walk
from pypto_lsp.text import Source

TEXT = """\
import a.b as c  # first

@deco(1)
def f(x: pl.Tensor[[M, N], pl.FP32], *, k=2) -> y:  # second
    # third
    for i in pl.range(4, k=5):
        z = x[i:j] + g(w)
    return z
# last"""


def tree():
    return parse(Source("case.py", TEXT))


def kinds(text: str) -> list[str]:
    return [type(node).__name__ for node in path_at(tree().body, TEXT.index(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("M, N", ["FunctionDef", "Param", "Subscript", "List", "Name"]),
        ("deco", ["FunctionDef", "Call", "Name"]),
        ("j]", ["FunctionDef", "For", "Assign", "BinOp", "Subscript", "Slice", "Name"]),
        ("5)", ["FunctionDef", "For", "Call", "Keyword", "Constant"]),
        ("def", ["FunctionDef"]),
        ("# third", ["FunctionDef"]),
        ("a.b", ["Import", "Alias"]),
        ("\n\n", []),
    ],
)
def test_path_to_a_place(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


def test_the_end_of_a_node_counts_where_nothing_follows() -> None:
    body = parse(Source("case.py", "f(x)\n")).body
    assert [type(node).__name__ for node in path_at(body, 3)] == ["ExprStmt", "Call", "Name"]
    assert [type(node).__name__ for node in path_at(body, 4)] == ["ExprStmt", "Call"]
    assert path_at(body, 5) == []


def test_statement_at_a_place() -> None:
    statement = statement_at(tree().body, TEXT.index("g(w)"))
    assert isinstance(statement, nodes.Assign)
    assert statement_at(tree().body, len(TEXT)) is None


def test_extent_covers_decorators_and_body() -> None:
    first, last = extent(tree().body[1])
    assert TEXT[first:last].startswith("deco(1)") and TEXT[first:last].endswith("return z")


def test_children_lie_in_their_parents() -> None:
    for node in walk(*tree().body):
        first, last = extent(node)
        for child in children(node):
            assert first <= extent(child)[0] <= extent(child)[1] <= last


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b.c[d](e, k=f, *g, **h)", "abdefgh"),
        ("[x for x in y if x < z]", "yz"),
        ("{k: v for k, (v, w) in x for u in k}", "x"),
        ("lambda a, b=c: a + b + d", "cd"),
        ("(x := y) + x", "yx"),
        ("f'{a} {b:{c}}'", "abc"),
        ("(yield a), (yield from b)", "ab"),
        ("a if b else not c", "abc"),
        ("[x for x in x]", "x"),
    ],
)
def test_names_that_an_expression_reads(text: str, expected: str) -> None:
    (statement,) = parse(Source("case.py", text)).body
    assert isinstance(statement, nodes.ExprStmt)
    assert sorted(name.id for name in names_read(statement.value)) == sorted(expected)


def test_names_that_statements_bind() -> None:
    text = """\
a, (b, *c) = d.e = f[0] = 1
g: int = 2
h += 1
import i.j, k.l as m
from n import o as p, q
for r, s in t:
    u = 1
else:
    v = 2
with w as x, y as (z, aa): pass
try: ab = 1
except E as ac: ad = 2
finally: ae = 3
def af(ag): ah = 1
class ai: aj = 1
if (ak := 1): al = [am := 2]
"""
    names = set(bound_names(parse(Source("case.py", text)).body))
    assert " ".join(sorted(names)) == "a aa ab ac ad ae af ai ak al am b c g h i m p q r s u v x z"


def test_comments_in_order_with_their_places() -> None:
    comments = tree().comments()
    assert [text for _, text in comments] == ["# first", "# second", "# third", "# last"]
    assert all(span.text == text for span, text in comments)


def test_hash_signs_in_strings_are_no_comments() -> None:
    body = 'x = "# a"  # b\ny = """\n# c\n"""\nz = f(  # d\n    "#",  # e\n)\n'
    assert [text for _, text in parse(Source("case.py", body)).comments()] == ["# b", "# d", "# e"]


def test_spans_of_comments_move() -> None:
    source = Source("case.py", TEXT)
    before = parse(source)
    spans = [span for span, _ in before.comments()]
    before.edited("import q\n" + TEXT, 0, 0, 9)
    assert [span.text for span in spans] == ["# first", "# second", "# third", "# last"][: len(spans)]


def test_importing_the_package_does_not_load_the_parser() -> None:
    code = "import sys, pypto_lsp.syntax as s; assert 'libcst' not in sys.modules; s.warm_up(); assert 'libcst' in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
