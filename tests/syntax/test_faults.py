"""The syntax fault of a whole text: CPython's words, our places, and silence about what a later Python allows."""

from __future__ import annotations

import random
import sys
import warnings

import pytest
from programs import Programs

from pypto_lsp.syntax import SyntaxFault, parse
from pypto_lsp.syntax import tree as tree_module
from pypto_lsp.syntax.faults import find_fault
from pypto_lsp.text import Source


def fault_of(text: str) -> SyntaxFault | None:
    return parse(Source("case.py", text)).syntax_fault()


@pytest.mark.parametrize(
    ("text", "words", "marked"),
    [
        ("x = (1,\ny = 2\n", "was never closed", "("),
        ("x = 'abc\n", "unterminated string literal", "'"),
        ("a = 1\nb = = 2\n", "invalid syntax", "="),
        ("if x:\npass\n", "expected an indented block", "pass"),
        ("return 1\n", "'return' outside function", "return 1"),
        ("def f(a, a): pass\n", "duplicate argument 'a'", None),
        ("def f():\n    x = 1\n    global x\n", "assigned to before global declaration", None),
        ("for x in y:\n    pass\ncontinue\n", "not properly in loop", "continue"),
        ("f() = 1\n", "cannot assign to function call", "f()"),
        ("x = 1\n  y = 2\n", "unexpected indent", None),
        ("é = 'ö' + 中 +\n", "invalid syntax", None),
        ("if 1:\n        x\n    y\n", "unindent does not match", None),
        (
            "from __future__ import annotations\n'x'\nfrom __future__ import division\n",
            "must occur at the beginning",
            None,
        ),
    ],
)
def test_faults(text: str, words: str, marked: str | None) -> None:
    fault = fault_of(text)
    assert fault is not None and words in fault.message
    assert 0 <= fault.span.begin < fault.span.end_offset <= len(text)
    if marked is not None:
        assert fault.span.text.startswith(marked)


def test_columns_are_characters() -> None:
    fault = fault_of("é = '😀'; b = = 2\n")
    assert fault is not None and fault.span.position() == (1, 14, 1, 15)


def test_a_byte_order_mark_is_no_fault_and_moves_the_place() -> None:
    assert fault_of("\ufeffx = 1\n") is None
    fault = fault_of("\ufeffx = = 1\n")
    assert fault is not None and fault.span.text == "=" and fault.span.begin == 5


def test_null_character() -> None:
    fault = fault_of("x = 1\ny = '\0'\n")
    assert fault is not None and fault.span.text == "\0"


@pytest.mark.parametrize("text", ["", "\n", "x = 1", "x = '\\d'\n", "x is 1\n", "async def f():\n    await x\n"])
def test_valid_text(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fault_of(text) is None


@pytest.mark.parametrize(
    ("version", "text"),
    [
        ((3, 11), "x = y[*a]\n"),
        ((3, 11), "try:\n    a\nexcept* B:\n    c\n"),
        ((3, 12), "type X = int\n"),
        ((3, 12), "def f[T](x: T) -> T:\n    return x\n"),
        ((3, 12), "class A[T]:\n    pass\n"),
        ((3, 12), 'if x:\n    y = f"{d["a"]}"\n'),
        ((3, 14), "x = t'{y}'\n"),
    ],
)
def test_syntax_of_a_later_python_is_no_fault(version: tuple[int, int], text: str) -> None:
    assert fault_of(text) is None
    if sys.version_info < version:
        with pytest.raises(SyntaxError):
            compile(text, "case.py", "exec")
    real = fault_of("a = = 1\n" + text)
    assert real is not None and real.span.line == 1


def test_nothing_of_the_text_runs() -> None:
    assert fault_of("raise SystemExit\nimport os; os.abort()\n") is None


def test_computed_once_for_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    find = tree_module.find_fault
    monkeypatch.setattr(tree_module, "find_fault", lambda *args: calls.append(1) or find(*args))
    tree = parse(Source("case.py", "x = (\n"))
    assert tree.syntax_fault() is tree.syntax_fault()
    assert len(calls) == 1
    mended = tree.edited("x = ()\n", 5, 5, 6)
    assert mended.syntax_fault() is None
    assert len(calls) == 1  # what changed compiles


BREAKS = [
    "(",
    ")",
    "]",
    "'",
    '"""',
    ":",
    ";",
    "\\",
    "=",
    "return",
    "yield",
    "nonlocal x",
    "global x",
    " ",
    "\t",
    "\r",
    "\0",
    "é",
    "\ufeff",
    "else:",
]


@pytest.mark.parametrize("seed", range(40))
def test_the_fault_is_that_of_the_whole_text(seed: int) -> None:
    """Statements that are known to be sound are not compiled again; what is found is what CPython finds in all of it."""
    rng = random.Random(seed)
    text = Programs(seed).module()[:4000]
    tree = parse(Source("case.py", text))
    for _ in range(60):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((0, 0, 0, 1, 3)))
        new = rng.choice(BREAKS)
        for old, put in ((text[start:end], new), (new, text[start:end])):
            text = text[:start] + put + text[start + len(old) :]
            tree = tree.edited(text, start, start + len(old), start + len(put))
            found, whole = tree.syntax_fault(), find_fault(tree.source, tree.body)
            assert (found is None) == (whole is None)
            if found is not None and whole is not None:
                assert (found.message, found.span.key()) == (whole.message, whole.span.key())
