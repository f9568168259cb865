"""Nothing runs for long, nothing raises, and no user code runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from static_workspace import ROOT, Files, module, value

from pypto_lsp.frontend.static import ModuleLoader, definitions, evaluate
from pypto_lsp.frontend.static_machine import MODULE_STEPS
from pypto_lsp.frontend.values import OpaqueValue
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.syntax import parse
from pypto_lsp.text import Source

HUGE = [
    "2 ** 10 ** 8",
    "2 ** 100000",
    "1 << 10 ** 9",
    "[0] * 10 ** 9",
    "(0,) * 10 ** 12",
    "'a' * 10 ** 10",
    "10 ** 10 * 'a'",
    "list(range(10 ** 12))",
    "sum(range(10 ** 12))",
    "[i for i in range(10 ** 9)]",
    "max(range(10 ** 12))",
    "sorted(range(10 ** 9))",
    "set(range(10 ** 9))",
    "tuple(range(10 ** 9))",
    "int('9' * 100000)",
    "'%1000000000d' % 5",
    "'%*d' % (10 ** 9, 5)",
    "'{:>1000000000}'.format(5)",
    "'{:{}}'.format(5, 10 ** 9)",
    "'a'.ljust(10 ** 10)",
    "('a' * 1000).replace('a', 'a' * 1000).replace('a', 'a' * 1000)",
    "','.join(['a' * 100000] * 100000)",
    "math.factorial(10 ** 9)",
    "math.comb(10 ** 9, 10 ** 8)",
    "math.prod(range(1, 10 ** 6))",
    "pow(3, 10 ** 9)",
    "itertools.product(range(10 ** 4), range(10 ** 4), range(10 ** 4))",
    "list(itertools.repeat(1))",
    "functools.reduce(lambda a, b: a * a, range(100), 3)",
    "dict.fromkeys(range(10 ** 9))",
    "bytes(10 ** 10)",
    "round(5, -10 ** 9)",
    "recurse(1)",
    "forever()",
    "grow()",
    "all(i >= 0 for i in range(10 ** 9))",
]


@pytest.mark.parametrize("expression", HUGE)
def test_refused(expression: str) -> None:
    text = f"""
import math, itertools, functools
def recurse(n):
    return recurse(n + 1)
def forever():
    while True:
        pass
def grow():
    text = "a"
    while True:
        text = text + text
X = {expression}
Y = 4
"""
    env = module(text)
    found = env.lookup("X")
    assert isinstance(found, OpaqueValue) or found == 0, found
    assert env.lookup("Y") == 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X = len(range(10 ** 12))", 10**12),
        ("X = 5 in range(10 ** 12)", True),
        ("X = range(10 ** 12)[7]", 7),
        ("for i in range(10 ** 12):\n    if i * i > 50:\n        break\nX = i", 8),
        ("X = 10 ** 30", 10**30),
        ("X = sum(range(1000))", 499500),
        ("def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\nX = f(15)", 15),
    ],
)
def test_still_computed(text: str, expected: Any) -> None:
    assert value(text) == expected


def test_infinite_loops() -> None:
    env = module("X = 1\nwhile True:\n    X += 1\nY = 3\nZ = X\n")
    assert isinstance(env.lookup("X"), OpaqueValue)
    assert env.lookup("Y") == 3
    assert isinstance(env.lookup("Z"), OpaqueValue)


def test_a_module_has_one_budget() -> None:
    loops = "".join(f"for i in range(10 ** 6):\n    A{index} = i\n" for index in range(200))
    files = Files({"main.py": f"{loops}X = 4\n"})
    env = files.load("main.py")
    assert env.lookup("X") == 4
    assert isinstance(env.lookup("A0"), OpaqueValue)
    assert isinstance(env.lookup("A199"), OpaqueValue)
    assert MODULE_STEPS <= 200_000


@pytest.mark.parametrize(
    "expression",
    [
        "+".join(["1"] * 3000),
        "(" * 150 + "1" + ")" * 150,
        "-" * 1000 + "1",
        "[" * 80 + "]" * 80,
        "f(" * 60 + ")" * 60,
        "a" + ".b" * 2000,
        " if x else ".join(["1"] * 200),
    ],
)
def test_deep_expressions(expression: str) -> None:
    env = module(f"X = {expression}\nY = 4\n")
    env.lookup("X")
    assert env.lookup("Y") == 4


def test_a_value_that_holds_itself() -> None:
    env = module("X = []\nX.append(X)\nY = {}\nY['a'] = Y\nZ = X == X\nW = [X] == [[X]]\n")
    env.lookup("X")
    env.lookup("Y")
    assert env.lookup("Z") is True
    env.lookup("W")


def test_deep_chains_of_values() -> None:
    env = module(
        "X = ()\nfor i in range(1000):\n    X = (X, i)\nY = X == X\nD = {}\nfor i in range(1000):\n    D = {1: D}\n"
    )
    env.lookup("X")
    env.lookup("D")
    assert env.lookup("Y") is True


def test_many_unknown_branches() -> None:
    text = "import torch\nX = 0\n" + "".join(f"if torch.f({i}):\n    X = {i}\n" for i in range(200)) + "Y = 4\n"
    env = module(text)
    assert isinstance(env.lookup("X"), OpaqueValue)
    assert env.lookup("Y") == 4


def test_nested_unknown_branches() -> None:
    text = "import torch\nX = 0\n"
    for depth in range(18):
        text += "    " * depth + f"if torch.f({depth}):\n"
    text += "    " * 18 + "X = 1\nY = 4\n"
    assert module(text).lookup("Y") == 4


def test_repeated_unknown_calls() -> None:
    text = """
    import torch
    def f(n):
        if n == 0:
            return 0
        if torch.ok():
            return f(n - 1)
        return f(n - 1)
    X = f(30)
    Y = 4
    """
    env = module(text)
    env.lookup("X")
    assert env.lookup("Y") == 4


EVIL = """
import os, sys, builtins
from pathlib import Path
MARK = {mark!r}
open(MARK, "w").write("x")
Path(MARK).write_text("x")
os.system("touch " + MARK)
eval("open(MARK, 'w')")
exec("open(MARK, 'w')")
__import__("os").system("touch " + MARK)
builtins.open(MARK, "w")
sys.modules["marked"] = 1
os.environ["PYPTO_LSP_TEST_MARK"] = "1"
sys.setrecursionlimit(5)
class A:
    def __init__(self):
        open(MARK, "w")
    def __eq__(self, other):
        open(MARK, "w")
    def __hash__(self):
        open(MARK, "w")
X = A() == A()
Y = {{A(): 1}}
Z = f"{{open(MARK, 'w')}}"
"{{0.__class__}}".format(1)
sorted([A()], key=lambda a: open(MARK, "w"))
"""


def test_no_user_code_runs(tmp_path: Path) -> None:
    import os

    mark = tmp_path / "mark"
    limit = sys.getrecursionlimit()
    env = module(EVIL.format(mark=str(mark)))
    for name in list(env.raw_values):
        env.lookup(name)
    definitions(env)
    assert not mark.exists()
    assert "marked" not in sys.modules
    assert "PYPTO_LSP_TEST_MARK" not in os.environ
    assert sys.getrecursionlimit() == limit


def test_evaluation_changes_nothing() -> None:
    env = module(
        """
        L = [1]
        N = 1
        def change():
            global N
            N = 2
            L.append(2)
            return 3
        X = 0
        """,
    )
    call = parse(Source("/w/other.py", "change()\n")).body[0]
    assert isinstance(call, syntax.ExprStmt)
    assert evaluate(call.value, env) == 3
    assert env.lookup("N") == 1
    assert len(env.lookup("L").items) == 1


def test_prefixes_of_a_file() -> None:
    text = "import math\nfrom dataclasses import dataclass\n@dataclass\nclass C:\n    n: int = 4\nX = [C(n=i).n for i in (1, 2)]\n"
    for end in range(len(text)):
        env = ModuleLoader({f"{ROOT}/m.py": parse(Source(f"{ROOT}/m.py", text[:end]))}.get).load(f"{ROOT}/m.py")
        assert env is not None
        for name in list(env.raw_values):
            env.lookup(name)
        definitions(env)


#: what doubles with every line though it takes but a little of Python's memory
SHARED = [
    "x = (x, x)",
    "x = [x, x]",
    "x = {'a': x, 'b': x}",
    "x = dict(a=x, b=x)",
    "x = list(zip(x, x)) if isinstance(x, tuple) else (x, x)",
    "x = Pair(x, x)",
    "x = n = n + n",
    "x = n = n * n + 1",
    "x = t = '{0}{0}'.format(t)",
    "x = t = '%s%s' % (t, t)",
    "x = t = f'{t}{t}'",
    "x = t = t.replace('a', 'aa')",
]


@pytest.mark.parametrize("line", SHARED)
def test_what_doubles_by_sharing_is_not_told(line: str) -> None:
    text = f"""
import copy
from dataclasses import dataclass
import pypto.language as pl
@dataclass(frozen=True)
class Pair:
    left: object
    right: object
def made():
    x = (1, 2)
    t = "a"
    n = pl.dynamic("N")
{f"    {line}" + chr(10)}    return x
x, t, n = (1, 2), "a", pl.dynamic("N")
{(line + chr(10)) * 30}
same = [x == x, x == made(), x in (made(), x), x < x, {{x: 1}}, str(x), sorted([x, x]), copy.deepcopy(x)]
Y = 4
"""
    text = text.replace(f"    {line}\n    return", f"    {line}\n" * 30 + "    return")
    env = module(text)
    assert isinstance(env.lookup("x"), OpaqueValue)
    assert env.lookup("Y") == 4
