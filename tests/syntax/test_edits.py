"""Edits: the tree equals a fresh parse of the text, and what was not touched is the same object as before."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from ast_reference import difference, exact
from programs import Programs

from pypto_lsp.syntax import SyntaxTree, nodes, parse, parse_stepwise
from pypto_lsp.syntax.query import extent, walk
from pypto_lsp.syntax.units import Memo, Unit
from pypto_lsp.text import Anchor, Source

CONFORMANCE = Path(__file__).parents[1] / "conformance"
FILES = sorted(path for path in CONFORMANCE.rglob("*.py") if "dumps" not in path.parts)

FRAGMENTS = [
    *"()[]{}\"'#\\:=,x\n\t\r\f \x00",
    '"""',
    "'''",
    "\n    ",
    "\\\n",
    "\r\n",
    "def f(a):\n",
    "if x:\n",
    "else:\n",
    "    else:\n",
    "elif y:\n",
    "try:\n",
    "except E:\n",
    "@dec\n",
    "return",
    "for i in range(3):\n        pass\n",
    "match x:\n    case 1:\n        y = 2\n",
    'f"{x}"',
    'f"{',
    "class A:\n",
    "pass;",
    "é😀",
    "\ufeff",
    "import a\n",
]


def statements(tree: SyntaxTree) -> list[nodes.Stmt]:
    return [node for node in walk(*tree.body) if isinstance(node, nodes.Stmt)]


def comments(tree: SyntaxTree) -> list[tuple[int, int, str]]:
    return [(span.begin, span.end_offset, text) for span, text in tree.comments()]


def assert_equals_fresh(tree: SyntaxTree) -> None:
    fresh = parse(Source("fresh.py", tree.source.text))
    assert difference(exact(tree.body), exact(fresh.body)) is None
    assert comments(tree) == comments(fresh)
    seen = [id(node) for node in walk(*tree.body)]
    assert len(seen) == len(set(seen))


def random_edit(rng: random.Random, text: str) -> tuple[int, int, str]:
    start = rng.randrange(len(text) + 1)
    if rng.random() < 0.2:
        start = rng.choice([0, *(match.end() for match in re.finditer("\n", text))])
    end = min(len(text), start + rng.choice([0, 0, 0, 0, 1, 1, 2, 5, 30, 200]))
    new = rng.choice(FRAGMENTS) if rng.random() < 0.8 else ""
    if rng.random() < 0.05:
        copied = rng.randrange(len(text) + 1)
        new = text[copied : copied + 300]
    return start, end, new


def run_random_edits(text: str, seed: int, count: int) -> None:
    rng = random.Random(seed)
    tree = parse(Source("case.py", text))
    history = [text]
    for _ in range(count):
        if rng.random() < 0.2:
            text = rng.choice(history[-4:])
            tree = tree.replaced(text)
        else:
            start, end, new = random_edit(rng, text)
            text = text[:start] + new + text[end:]
            tree = tree.edited(text, start, end, start + len(new))
        history.append(text)
        assert_equals_fresh(tree)


@pytest.mark.parametrize("path", FILES[::60], ids=lambda path: path.stem)
def test_random_edits_of_kernels(path: Path) -> None:
    run_random_edits(path.read_bytes().decode(), 1, 25)


@pytest.mark.parametrize("seed", range(8))
def test_random_edits_of_random_programs(seed: int) -> None:
    run_random_edits(Programs(seed + 1000).module()[:4000], seed, 25)


@pytest.mark.parametrize("seed", range(10))
def test_random_edits_of_soup(seed: int) -> None:
    words = [
        "x = f(",
        "a, b",
        ")",
        "[",
        "]",
        "{",
        "}\n",
        "\n",
        "\n",
        "\n    ",
        "\n    return y",
        "\nreturn y",
        "\ndef f(a:\n",
        "\n@d",
    ]
    words += [
        "if x:\n",
        "\nelse:\n",
        "  else:\n",
        '"',
        '"""',
        "# note\n",
        "for i in y:",
        "\\\n",
        "\n\n",
        "f'{",
        "a",
        "    b\n",
    ]
    rng = random.Random(seed)
    text = "".join(rng.choice(words) for _ in range(60))
    tree = parse(Source("case.py", text))
    for _ in range(60):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice([0, 0, 1, 3, 12]))
        new = rng.choice(words) if rng.random() < 0.8 else ""
        text = text[:start] + new + text[end:]
        tree = tree.edited(text, start, end, start + len(new))
        assert_equals_fresh(tree)


@pytest.mark.parametrize("seed", range(4))
def test_statements_outside_an_edit_are_the_same_objects(seed: int) -> None:
    rng = random.Random(seed)
    for path in FILES[seed::80]:
        text = path.read_bytes().decode()
        tree = parse(Source("case.py", text))
        for _ in range(5):
            names = [node for node in walk(*tree.body) if isinstance(node, nodes.Name)]
            place = rng.choice(names).span.begin + 1
            outside = [one for one in statements(tree) if not extent(one)[0] <= place <= extent(one)[1]]
            texts = [(one, one.text) for one in outside]
            around = [one for one in statements(tree) if extent(one)[0] < place <= extent(one)[1]]
            text = text[:place] + "q" + text[place:]
            tree = tree.edited(text, place, place, place + 1)
            now = {id(one) for one in statements(tree)}
            assert all(id(one) in now for one in outside)
            assert all(one.text == before for one, before in texts)
            assert around and not any(id(one) in now for one in around)


TEXT = """\
# top
import a


@first
@second
def f(x):
    \"\"\"Doc.\"\"\"
    y = x
    for i in y:
        print(i)
        if i:
            z(i)
        else:
            w(i)
    return y


g = f(1)
"""


def edit(tree: SyntaxTree, old: str, new: str) -> SyntaxTree:
    text = tree.source.text
    start = text.index(old)
    return tree.edited(text[:start] + new + text[start + len(old) :], start, start + len(old), start + len(new))


def test_a_changed_statement_renews_what_is_around_it_only() -> None:
    tree = parse(Source("case.py", TEXT))
    imported, function, assigned = tree.body
    assert isinstance(function, nodes.FunctionDef)
    changed = edit(tree, "w(i)", "v(i)")
    assert changed.body[0] is imported and changed.body[2] is assigned
    renewed = changed.body[1]
    assert isinstance(renewed, nodes.FunctionDef) and renewed is not function
    assert renewed.params is function.params and renewed.decorators == function.decorators
    assert [a is b for a, b in zip(renewed.body, function.body)] == [True, True, False, True]
    loop, old_loop = renewed.body[2], function.body[2]
    assert isinstance(loop, nodes.For) and isinstance(old_loop, nodes.For)
    assert loop.iter is old_loop.iter and loop.body[0] is old_loop.body[0]
    assert isinstance(loop.body[1], nodes.If) and isinstance(old_loop.body[1], nodes.If)
    assert loop.body[1].body == old_loop.body[1].body


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# top", "# the top"),
        ("    return", "    # back\n\n    return"),
        ("print(i)\n", "print(i)  # note\n"),
        ("import a\n", "import a\n# é\n"),
        ("g = f(1)\n", "g = f(1)"),
        ("        if i", "# margin\n        if i"),
    ],
)
def test_layout_changes_no_statement(old: str, new: str) -> None:
    tree = parse(Source("case.py", TEXT))
    before = statements(tree)
    changed = edit(tree, old, new)
    assert [id(one) for one in statements(changed)] == [id(one) for one in before]
    assert_equals_fresh(changed)


def test_a_changed_header_keeps_its_body() -> None:
    tree = parse(Source("case.py", TEXT))
    changed = edit(tree, "def f(x):", "def f(x, k=1):")
    old, new = tree.body[1], changed.body[1]
    assert isinstance(old, nodes.FunctionDef) and isinstance(new, nodes.FunctionDef)
    assert new is not old and new.body is not old.body
    assert all(a is b for a, b in zip(new.body, old.body, strict=True))


def test_a_changed_decorator_renews_the_definition() -> None:
    tree = parse(Source("case.py", TEXT))
    changed = edit(tree, "@second\n", "")
    function = changed.body[1]
    assert isinstance(function, nodes.FunctionDef) and function is not tree.body[1]
    assert [one.text for one in function.decorators] == ["first"]


def test_indenting_a_line_moves_it_into_the_block_as_the_same_object() -> None:
    tree = parse(Source("case.py", "if a:\n    b\nc\nd\n"))
    c = tree.body[1]
    changed = edit(tree, "\nc", "\n    c")
    condition = changed.body[0]
    assert isinstance(condition, nodes.If) and condition.body[1] is c
    assert c.span.begin == 16


def test_undo_brings_the_same_statements_back() -> None:
    tree = parse(Source("case.py", TEXT))
    before = statements(tree)
    broken = edit(tree, "for i in y:", "for i in (y:")
    assert any(isinstance(node, nodes.Broken) for node in walk(*edit(broken, "    y = x", "    y = x)").body))
    back = tree.replaced(TEXT)
    simple = [one for one in before if not isinstance(one, nodes.FunctionDef | nodes.For | nodes.If)]
    assert {id(one) for one in simple} <= {id(one) for one in statements(back)}
    assert_equals_fresh(back)


def test_a_statement_that_occurs_twice_is_two_objects() -> None:
    tree = parse(Source("case.py", "x = 1\n"))
    doubled = tree.edited("x = 1\nx = 1\n", 6, 6, 12)
    first, second = doubled.body
    assert first is not second
    assert (first.span.begin, second.span.begin) == (0, 6)
    again = doubled.edited("x = 1\n", 0, 6, 0)
    assert again.body == (second,) and second.span.begin == 0


def test_spans_move_with_the_text_above() -> None:
    tree = parse(Source("case.py", TEXT))
    call = tree.body[2]
    assert call.span.position() == (19, 1, 19, 9)
    tree = edit(tree, "import a\n", "import a\nimport b\n")
    assert call.span.position() == (20, 1, 20, 9)
    assert tree.source.lines.starts == Source("", tree.source.text).lines.starts


def test_memo_keeps_up_to_its_limit_of_characters() -> None:
    memo = Memo(10)
    anchor = Anchor(Source("", ""), 0)
    units = [Unit((text, ""), anchor) for text in ("aaaa", "bbbb", "cccc", "aaaa")]
    memo.keep(units[:3])
    assert memo.take(("aaaa", "")) is None
    assert memo.take(("bbbb", "")) is units[1]
    assert memo.take(("bbbb", "")) is None
    memo.keep([units[3], units[0]])
    assert memo.take(("cccc", "")) is None
    assert memo.take(("aaaa", "")) is units[0]
    assert memo.take(("aaaa", "")) is units[3]


def test_parsing_in_steps_gives_the_same_tree() -> None:
    steps = parse_stepwise(Source("case.py", TEXT))
    count = 0
    while True:
        try:
            next(steps)
        except StopIteration as done:
            tree = done.value
            break
        count += 1
    assert count == 14
    assert_equals_fresh(tree)
