"""Pieces read with CPython's parser: the same nodes as LibCST's, and the rest left to LibCST."""

from __future__ import annotations

from pathlib import Path

import pytest
from ast_reference import difference, exact
from programs import Programs

from pypto_lsp.syntax import parse
from pypto_lsp.syntax.plain import NotPlain, plain_statements
from pypto_lsp.text import Anchor, Source

CONFORMANCE = Path(__file__).parents[1] / "conformance"
FILES = sorted(path for path in CONFORMANCE.rglob("*.py") if "dumps" not in path.parts)

#: layouts in which a range is easily a character off
LAYOUTS = """\
x = ( a . b ) . c
f ( a , * b , k = 1 , ** c )
x[1:2, ::3, ...], x[:], x[a,], x[(1, 2)], x[(a), b], x[ 1 : ]
((a)).b; ((a))(c)[d]; (a, b), c; (a)
x = y = (1), 2
x: (int) = (3)
x += (1)
y = {**a, 1: 2}, {3}, [4, *b], -(1), not (a), (a) if (b) else (c)
assert (a), (b)
raise (A) from (b)
import a.b as c, d
from .. import (e as f,
    g)
from .h import *
del a
global q
"""
HEADERS = """\
with a: pass
with a as b: pass
with (a): pass
with a as (b): pass
with (a, b): pass
with  a: pass
with a : pass
with a, b: pass
if (a): pass
if a : pass
for a, b in (c): pass
while (a): pass
def f(a, b: int = 1, c: (int) = (2), d=(3)) -> (x): pass
def  f(a): pass
def f(a, /, b, *, c): pass
def f(*a, **b): pass
async def f(): pass
class A: pass
class A(B, metaclass=C): pass
class  A(): pass
"""
LEFT_TO_LIBCST = [
    "f'{x}'", "x = [a for a in b]", "x = lambda: 1", "(x := 1)", "await x", "x = 'é'", "x = '\\d'", "x = 1if y else 2",
    "x = a + \\\n  b", "*a", "f(x for x in y)", "x[(1), 2]", "x = ", "with a, b: pass", "if a: b", "del a", "x\r\ny",
    "x = " + "(" * 300 + ")" * 300, "x = " + "-" * 3000 + "1",
]  # fmt: skip


def assert_same(text: str) -> None:
    plain = parse(Source("case.py", text), plain=True)
    with_libcst = parse(Source("case.py", "")).replaced(text)  # an edit is always LibCST's
    assert difference(exact(plain.body), exact(with_libcst.body)) is None


def test_conformance_files() -> None:
    assert len(FILES) > 400
    for path in FILES[::6]:
        assert_same(path.read_bytes().decode())


def test_the_project_itself() -> None:
    for path in sorted((Path(__file__).parents[2] / "pypto_lsp").rglob("*.py"))[::16]:
        assert_same(path.read_text())


@pytest.mark.parametrize("start", range(500, 560, 20))
def test_random_programs(start: int) -> None:
    for seed in range(start, start + 20):
        assert_same(Programs(seed).module())


@pytest.mark.parametrize("text", LAYOUTS.replace(",\n    ", ",~").splitlines() + HEADERS.splitlines())
def test_layouts(text: str) -> None:
    line = text.replace("~", "\n    ")
    assert_same(line + "\n")
    if line.endswith(": pass"):
        assert_same(f"if 1:\n    {line.removesuffix(' pass')}\n        pass\n")


def test_what_kernels_are_made_of_is_plain() -> None:
    for text in (
        "x = pl.add(a, b)",
        "t: pl.Tile[[64, 64], pl.FP32] = pl.load(x, [0, i * 64], [64, 64])",
        "with a: pass",
    ):
        assert len(plain_statements(text, Anchor(Source("case.py", text), 0))) == 1


@pytest.mark.parametrize("text", LEFT_TO_LIBCST)
def test_what_is_left_to_libcst(text: str) -> None:
    with pytest.raises(NotPlain):
        plain_statements(text, Anchor(Source("case.py", text), 0))
