"""Faulty text: every text gives a tree, and a fault costs little more than the statement that it is in."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from programs import Programs

from pypto_lsp.syntax import SyntaxTree, nodes, parse
from pypto_lsp.syntax.query import walk
from pypto_lsp.text import Source

VALID = sorted((Path(__file__).parents[1] / "conformance" / "valid").rglob("*.py"))
#: files of some length: in one of the kernels alone, a single statement is a good part of it
KERNELS = ["\n\n".join(path.read_text(encoding="utf-8") for path in VALID[start::16]) for start in range(0, 16, 4)]

Fault = Callable[[random.Random, str, SyntaxTree], tuple[int, int, str]]


def tree_of(text: str) -> SyntaxTree:
    return parse(Source("case.py", text))


def places(tree: SyntaxTree, at: int = 0, delta: int = 0) -> set[tuple[str, int, int]]:
    """Kind and range of all nodes, in the text before an edit that put ``delta`` more characters at a place."""
    result = set()
    for node in walk(*tree.body):
        if not isinstance(node, nodes.Broken):
            start, end = node.span.begin, node.span.end_offset
            start -= delta if start >= at + max(delta, 0) else 0
            end -= delta if end > at else 0
            result.add((type(node).__name__, start, end))
    return result


def new_line(text: str) -> Fault:
    def fault(rng: random.Random, source: str, tree: SyntaxTree) -> tuple[int, int, str]:
        starts = [
            node.span.begin
            for node in walk(*tree.body)
            if isinstance(node, nodes.Stmt)
            and not source[source.rfind("\n", 0, node.span.begin) + 1 : node.span.begin].strip()
        ]
        begin = rng.choice(starts)
        line = source.rfind("\n", 0, begin) + 1
        return line, line, source[line:begin] + text + "\n"

    return fault


def deleted(characters: str) -> Fault:
    def fault(rng: random.Random, source: str, tree: SyntaxTree) -> tuple[int, int, str]:
        strings = [node.span for node in walk(*tree.body) if isinstance(node, nodes.Constant | nodes.JoinedStr)]
        strings += [span for span, _ in tree.comments()]
        inside = {offset for span in strings for offset in range(span.begin, span.end_offset)}
        offset = rng.choice([i for i, char in enumerate(source) if char in characters and i not in inside])
        return offset, offset + 1, ""

    return fault


def without_colon(rng: random.Random, source: str, tree: SyntaxTree) -> tuple[int, int, str]:
    kinds = nodes.For | nodes.If | nodes.With | nodes.FunctionDef | nodes.ClassDef
    end = rng.choice([node.span.end_offset for node in walk(*tree.body) if isinstance(node, kinds)])
    return end - 1, end, ""


def inserted(quote: str) -> Fault:
    def fault(rng: random.Random, source: str, tree: SyntaxTree) -> tuple[int, int, str]:
        offset = rng.choice([node.span.begin for node in walk(*tree.body) if isinstance(node, nodes.Name)])
        return offset, offset, quote

    return fault


def dedented(rng: random.Random, source: str, tree: SyntaxTree) -> tuple[int, int, str]:
    starts = [match.start() for match in re.finditer(r"^    +(?=\w+ = |\w+\.|return)", source, re.MULTILINE)]
    offset = rng.choice(starts)
    return offset, offset + 2, ""


@pytest.mark.parametrize(
    ("fault", "mean", "least"),
    [
        (new_line("x = pl."), 0.99, 0.95),
        (new_line("x = pl.add("), 0.99, 0.95),
        (new_line("for i in pl.range("), 0.99, 0.9),
        (without_colon, 0.97, 0.9),
        (deleted(")]}"), 0.9, 0.5),
        (deleted("([{"), 0.88, 0.5),
        (inserted('"'), 0.9, 0.5),
        (inserted('"""'), 0.88, 0.4),
        (dedented, 0.95, 0.6),
    ],
    ids=["dot", "call", "loop", "colon", "closer", "opener", "quote", "triple", "dedent"],
)
def test_share_of_the_nodes_that_a_fault_leaves(fault: Fault, mean: float, least: float) -> None:
    shares = []
    for number, text in enumerate(KERNELS):
        rng = random.Random(number)
        tree = tree_of(text)
        whole = places(tree)
        for _ in range(5):
            start, end, new = fault(rng, text, tree)
            faulty = tree.edited(text[:start] + new + text[end:], start, end, start + len(new))
            left = places(faulty, start, len(new) - (end - start))
            tree = faulty.edited(text, start, start + len(new), end)
            shares.append(len(left & whole) / len(whole))
    assert sum(shares) / len(shares) >= mean, shares
    assert min(shares) >= least, shares


@pytest.mark.parametrize(
    "text", [KERNELS[0][:2500], KERNELS[1][:2500], Programs(7).module()[:1500], Programs(9).module()[:1500]]
)
def test_any_prefix_gives_a_tree(text: str) -> None:
    tree = tree_of("")
    for end in range(0, len(text) + 1, 3):
        prefix = text[:end]
        tree = tree.edited(prefix, len(tree.source.text), len(tree.source.text), end)
        for node in walk(*tree.body):
            assert 0 <= node.span.begin <= node.span.end_offset <= end
        tree.comments()
    for end in range(0, len(text) + 1, 97):
        tree_of(text[:end])


@pytest.mark.parametrize("seed", range(6))
def test_any_soup_gives_a_tree(seed: int) -> None:
    rng = random.Random(seed)
    words = [
        "def f(",
        "x",
        "=",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        ",",
        "\n",
        "\n    ",
        "\n  ",
        '"',
        "'",
        '"""',
        "'''",
        "#",
    ]
    words += [
        "if",
        "else:",
        "match",
        "case",
        "@",
        "f'{",
        "\\",
        "\r",
        "\t",
        "\0",
        "\ud800",
        "class A:",
        "try:",
        "except*",
        "  ",
    ]
    for _ in range(60):
        text = " ".join(rng.choice(words) for _ in range(rng.randrange(40)))
        tree = tree_of(text)
        tree.syntax_fault()
        tree.comments()
        assert all(0 <= node.span.begin <= node.span.end_offset <= len(text) for node in walk(*tree.body))


def shape(text: str) -> str:
    """The tree in a few words: what stands in which body."""

    def one(node: nodes.Stmt) -> str:
        bodies = [getattr(node, name, ()) for name in ("body", "orelse", "finalbody")]
        inner = " ".join(one(child) for body in bodies for child in body)
        names = ",".join(node.binds) if isinstance(node, nodes.Broken) else ""
        return type(node).__name__ + (f"<{names}>" if names else "") + (f"({inner})" if inner else "")

    return " ".join(map(one, tree_of(text).body))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a line that is being typed
        ("a = 1\nb = pl.\nc = 3\n", "Assign Broken<b> Assign"),
        ("a = 1\nb = pl.add(\nc = 3\n", "Assign Broken<b> Assign"),
        ("b, (c, d) = f[\ne\n", "Broken<b,c,d> ExprStmt"),
        ("x: int = (\ne\n", "Broken<x> ExprStmt"),
        ("import a, b.\ne\n", "Broken<a> ExprStmt"),
        ("f((y := 1)\ne\n", "Broken<y> ExprStmt"),
        # headers keep what is below them
        ("for i in pl.range(4\n    a\nb\n", "Broken<i> ExprStmt"),
        ("for i in pl.range(4:\n    a\nb\n", "For(ExprStmt) ExprStmt"),
        ("if f(g[1:\n    a\nelse:\n    b\n", "If(ExprStmt ExprStmt)"),
        ("for i, j in x y:\n    a\nb\n", "Broken<i,j>(ExprStmt) ExprStmt"),
        ("def f(a, b:\n    return a\nc\n", "FunctionDef(Return) ExprStmt"),
        ("def f(a b):\n    return a\nc\n", "Broken<f>(Return) ExprStmt"),
        ("with pl.at(x) as :\n    a\n", "Broken(ExprStmt)"),
        ("whlie x:\n    a\nb\n", "Broken(ExprStmt) ExprStmt"),
        ("if x:\nb\n", "If ExprStmt"),
        ("if x\n    a\nelse\n    b\nc\n", "If(ExprStmt) Broken(ExprStmt) ExprStmt"),
        # indentation
        ("def f():\n    a\n  b\n    c\nd\n", "FunctionDef(ExprStmt ExprStmt ExprStmt) ExprStmt"),
        ("def f():\n    a\n        b\n        c\n    d\n", "FunctionDef(ExprStmt Broken ExprStmt)"),
        ("  a\nb\n", "Broken ExprStmt"),
        # clauses and decorators that belong to nothing
        ("else:\n    a\nb\n", "Broken(ExprStmt) ExprStmt"),
        ("if x:\n    a\nelse:\n    b\nelif y:\n    c\n", "If(ExprStmt ExprStmt) Broken(ExprStmt)"),
        ("@a\nb\n", "Broken ExprStmt"),
        ("@a(\ndef f():\n    b\n", "FunctionDef(ExprStmt)"),
        # brackets
        ("a = f(1]\nb\n", "Broken<a> ExprStmt"),
        ("a = f[g(1]\nb\n", "Broken<a> ExprStmt"),
        ("a = f(1))\nb\n", "Broken<a> ExprStmt"),
        ("def f():\n    a = [\n        1,\n    return b\n", "FunctionDef(Broken<a> Return)"),
        ("a = [\n    1,\n    2\nb = 3\nc = (4)\n", "Broken<a> Assign Assign"),
        # quotes
        ("a = 'x\nb\n", "Broken<a> ExprStmt"),
        ("a = f('x)\nb = g(1)\n", "Broken<a> Assign"),
        (
            'a = """\nb = 1\nc = 2\ndef f():\n    """Say what f does."""\n    d\n',
            "Broken<a> Assign Assign FunctionDef(ExprStmt ExprStmt)",
        ),
        (
            'def f():\n    """Say what it does.\n    a = 1\n    b(a)\n    return a\n',
            "FunctionDef(Broken Assign ExprStmt Return)",
        ),
        ("a = f'{b\nc\n", "Broken<a> ExprStmt"),
        # blocks that are not looked into are broken as a whole
        ("match x:\n    case 1:\n        a = (\nb\n", "Broken<a> ExprStmt"),
    ],
)
def test_shape_of_faulty_text(text: str, expected: str) -> None:
    assert shape(text) == expected


def test_a_broken_decorator_stays_in_its_place() -> None:
    (function,) = tree_of("@pl.jit(\ndef f():\n    pass\n").body
    assert isinstance(function, nodes.FunctionDef)
    (decorator,) = function.decorators
    assert isinstance(decorator, nodes.OpaqueExpr) and decorator.text == "pl.jit("


def test_ranges_of_a_completed_header_end_with_the_text() -> None:
    (loop,) = tree_of("for i in f(g[1:\n    a\n").body
    assert isinstance(loop, nodes.For)
    assert loop.iter.text == "f(g[1:" and loop.span.end_offset == 15


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000,
        "(" * 3000 + "1" + ")" * 3000,
        "x = " + "-" * 5000 + "1",
        "x = " + "not " * 3000 + "y",
        "x = a" + " + a" * 3000,
        "x = a" + ".b" * 3000,
        "x = f" + "()" * 3000,
        "x = " + "lambda: " * 1000 + "1",
        "x = (a +" + "-" * 9000,
        "".join(" " * depth + "if x:\n" for depth in range(300)),
        "if x: pass\n" + "elif y: pass\n" * 500,
        "a(\n" * 2000,
        '"""\n' * 401,
    ],
    ids=lambda text: text[:12],
)
def test_deep_and_long_text_gives_a_tree(text: str) -> None:
    tree = tree_of(text)
    assert tree.body
    tree.syntax_fault()


def test_soft_keywords_are_names() -> None:
    assert shape("match = 1\nmatch(x)\nmatch[x] = 2\ncase = type = 3\n") == "Assign ExprStmt Assign Assign"


def test_names_that_a_match_statement_binds() -> None:
    (opaque,) = tree_of(
        "match x:\n  case [a, *b] | {'k': c, **d} | P(e, f=g) as h:\n    i = 1\n    for j in k: pass\n  case _ if (m := 1):\n    n.o = 2\n"
    ).body
    assert isinstance(opaque, nodes.Opaque)
    assert set(opaque.binds) == set("abcdeghijm")
    assert set(opaque.reads) >= set("xPkn")
