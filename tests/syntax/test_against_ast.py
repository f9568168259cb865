"""The tree is Python's own: same structure, same ranges, for the conformance kernels and for random programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from ast_reference import HEADERS, Reference, difference, ours
from programs import Programs

from pypto_lsp.syntax import parse
from pypto_lsp.syntax.query import walk
from pypto_lsp.text import Source

CONFORMANCE = Path(__file__).parents[1] / "conformance"
FILES = sorted(CONFORMANCE.rglob("*.py"))
#: the dumps are many and alike
SAMPLE = [path for path in FILES if "dumps" not in path.parts][::4] + [path for path in FILES if "dumps" in path.parts][
    ::40
]


def check(text: str) -> None:
    compare(text, Reference(text))


def compare(text: str, reference: Reference) -> None:
    tree = parse(Source("case.py", text))
    assert difference(ours(tree.body), reference.body()) is None
    for node in walk(*tree.body):
        if isinstance(node, HEADERS):
            assert node.text.endswith(":")


def test_conformance_files() -> None:
    compared = 0
    for path in SAMPLE:
        text = path.read_bytes().decode()
        try:
            reference = Reference(text)
        except SyntaxError:
            continue
        compare(text, reference)
        compared += 1
    assert compared > 200


@pytest.mark.parametrize("start", range(0, 120, 20))
def test_random_programs(start: int) -> None:
    for seed in range(start, start + 20):
        check(Programs(seed).module())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "# only a comment",
        "\f\nx = 1\f\n",
        "if x:\n\ty = 1\n\tif z:\n\t  z = 2\n",
        "x = 1;y = 2 ;\n",
        "x = [\n1,\n# ]\n2]\ny = '''\n)\n'''\n",
        "if a: b = 1; c = 2\nelif d: e\nelse: f\n",
        "try: a\nexcept* B as e: c\nfinally: d\n",
        "try: f(\n  1)\nexcept E: pass\n",
        "class A: x: int = 1\n",
        "@a\n\n# between\n@b  # c\nclass C:\n  pass\n",
        "for x in y: pass\nelse:\n  pass",
        "def f(a, /, b: int = 1, *c, d=2, **e) -> x: return a\n",
        "x = (yield)\nprint((a for a in b), *c, (yield))\n",
        "f(a for a in b)\nf((a for a in b))\nf(x, (a for a in b))\n",
        "f'{x:{w}.{p}}' f'{{' '}}' rf'\\d{y!s}'\n",
        "f'''{\nx}\n'''\n",
        "x[1:2, ::3, ..., *y, (1, 2), : , 1 : ]\nx[:]\nx[a,]\n",
        "((a)).b; ((a))(c)[d]; (a, b), c; (a)\n",
        "not a and (b and c) and d or e\n",
        "x = 'a' \\\n    'b'\n",
        "match x:\n    case 1: pass\nmatch = 1\nmatch[0] = 2\nmatch(x)\ncase = type = 1\n",
        "if 1:\n  match x:\n\n    # note\n    case [*a]:\n      pass;\n  y\n",
        "with (a as b, c as d,): pass\nwith (a): pass\nwith (a), b as (c, d): pass\n",
        "async def f():\n  async with a as b: await c\n  async for d in e: pass\n  return [x async for x in y]\n",
        "x = 0xFF_F, 1_0.0_1e1_0, 0o7, 0b1_0, 1J, 00_0, 1e400\n",
        "x = lambda: (yield)\ny = lambda *, k=1, **r: k\n",
        "if x:\n    a\n\n    # deep\n# margin\n    b\nc\n",
        "while 1:\n  if 2:\n    if 3:\n      x\n  else:\n    y\nelse:\n  z\n",
        "import a as b, c.d\nfrom .. import (e as f,\n g)\nfrom .h import *\n",
        "x = {**a, 1: 2, 'b': {3}}\n",
        "é = 'ö😀' + ü\n",
        "x = 1\r\nif y:\r\n    '''a\r\nb'''\r\n",
        "x = 1\rif y:\r    z\r",
        "lambda x=(1): (2)\ndef f(x=(1), *, y=(((2)))): pass\n",
    ],
)
def test_layouts(text: str) -> None:
    check(text)


def test_byte_order_mark_is_no_part_of_the_tree() -> None:
    (statement,) = parse(Source("case.py", "\ufeffx = 1\n")).body
    assert (statement.span.begin, statement.text) == (1, "x = 1")
