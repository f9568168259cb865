"""Module constants, arithmetic, rebinding and control flow."""

from __future__ import annotations

import math
from typing import Any

import pytest
from static_workspace import module, plain, value

from pypto_lsp.frontend.static import MISSING
from pypto_lsp.frontend.values import DynamicExpression, DynamicSymbol, Namespace, OpaqueValue
from pypto_lsp.ir.dtypes import BF16, FP32
from pypto_lsp.ir.enums import EnumMember


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X = 64", 64),
        ("X = 1_024 * 4 // 3 % 100", 1024 * 4 // 3 % 100),
        ("X = -(7 // 2)", -3),
        ("X = -7 // 2", -4),
        ("X = 1 << 10 | 3", 1027),
        ("X = ~5 & 0xFF", 250),
        ("X = 2 ** 10", 1024),
        ("X = 2 ** -1", 0.5),
        ("X = 7 / 2", 3.5),
        ("X = 10 ** 2 if 3 > 2 else 0", 100),
        ("X = 3 < 4 < 5", True),
        ("X = 3 < 4 > 5", False),
        ("X = not 0 and 5", 5),
        ("X = 0 or 7", 7),
        ("X = None or 3", 3),
        ("X = 4 in (1, 2, 4)", True),
        ("X = 'a' not in {'b': 1}", True),
        ("X = None is None", True),
        ("X = (1, 2, 3)[1]", 2),
        ("X = [1, 2, 3][-1]", 3),
        ("X = [1, 2, 3][1:]", [2, 3]),
        ("X = 'abcdef'[::2]", "ace"),
        ("X = {'a': 1, 'b': 2}['b']", 2),
        ("X = {'a': 1, **{'b': 2}}", {"a": 1, "b": 2}),
        ("X = [*(1, 2), 3]", [1, 2, 3]),
        ("X = [1] * 3 + [2]", [1, 1, 1, 2]),
        ("X = (1,) + (2,)", (1, 2)),
        ("X = {1, 2, 2}", {1, 2}),
        ("X = {1, 2} | {3}", {1, 2, 3}),
        ("X = [n * n for n in range(5) if n % 2]", [1, 9]),
        ("X = {k: v for k, v in zip('ab', (1, 2))}", {"a": 1, "b": 2}),
        ("X = sum(n for n in range(4))", 6),
        ("X = [a + b for a in (1, 2) for b in (10, 20)]", [11, 21, 12, 22]),
        ("X = (y := 5) + y", 10),
        ("X = (lambda a, b=2: a * b)(3)", 6),
        ("X = f'{3}x{\"y\"!r}'", "3x'y'"),
        ("X: int = 5", 5),
        ("A = B = 3\nX = A + B", 6),
        ("A, (B, *C) = 1, (2, 3, 4)\nX = [A, B, C]", [1, 2, [3, 4]]),
        ("X = 5\nX += 3", 8),
        ("X = 5\nX <<= 1", 10),
        ("X = [1]\nY = X\nY += [2]", [1, 2]),
        ("X = [1]\nY = X\nY.append(2)", [1, 2]),
        ("X = {'a': 1}\nX['b'] = 2\ndel X['a']", {"b": 2}),
        ("X = [1, 2, 3]\nX[1] = 5", [1, 5, 3]),
        ("X = (1, 2) == (1, 2)", True),
        ("X = True + 1", 2),
    ],
)
def test_expression(text: str, expected: Any) -> None:
    found = value(text)
    assert found == expected
    assert type(found) is type(expected) or isinstance(found, int)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X = len([1, 2])", 2),
        ("X = len(range(0, 10, 3))", 4),
        ("X = min(3, 1, 2)", 1),
        ("X = max([3, 1])", 3),
        ("X = max([], default=4)", 4),
        ("X = min((3, 'c'), (1, 'a'), key=lambda p: p[0])", (1, "a")),
        ("X = abs(-3)", 3),
        ("X = sum([1, 2], 10)", 13),
        ("X = round(2.5)", 2),
        ("X = round(2.567, 1)", 2.6),
        ("X = divmod(7, 3)", (2, 1)),
        ("X = pow(2, 5)", 32),
        ("X = pow(2, 5, 3)", 2),
        ("X = int('0x10', 16)", 16),
        ("X = int(' 12 ')", 12),
        ("X = int(3.9)", 3),
        ("X = float('1.5')", 1.5),
        ("X = str(12)", "12"),
        ("X = repr('a')", "'a'"),
        ("X = bool([])", False),
        ("X = sorted([3, 1, 2], reverse=True)", [3, 2, 1]),
        ("X = sorted(['bb', 'a'], key=len)", ["a", "bb"]),
        ("X = list(reversed([1, 2]))", [2, 1]),
        ("X = list(enumerate('ab', 1))", [(1, "a"), (2, "b")]),
        ("X = list(map(lambda v: v + 1, [1, 2]))", [2, 3]),
        ("X = list(filter(None, [0, 1]))", [1]),
        ("X = any([0, 1])", True),
        ("X = all([0, 1])", False),
        ("X = next(iter([7, 8]))", 7),
        ("X = next((v for v in (256, 128) if 384 % v == 0), 1)", 128),
        ("X = isinstance(3, int)", True),
        ("X = isinstance('a', (int, float))", False),
        ("X = hex(255)", "0xff"),
        ("X = tuple(range(3))", (0, 1, 2)),
        ("X = dict(a=1)", {"a": 1}),
        ("X = dict([('a', 1)])", {"a": 1}),
        ("X = frozenset([1])", frozenset([1])),
        ("X = 'a,b'.split(',')", ["a", "b"]),
        ("X = '-'.join(['a', 'b'])", "a-b"),
        ("X = ' Pro '.strip().lower()", "pro"),
        ("X = '--ep=4'.startswith('--ep=')", True),
        ("X = '{}x{n}'.format(2, n=3)", "2x3"),
        ("X = '%d-%s' % (3, 'a')", "3-a"),
        ("X = 'aXb'.replace('X', '-')", "a-b"),
        ("X = [3, 1].index(1)", 1),
        ("X = (1, 1, 2).count(1)", 2),
        ("X = {'a': 1}.get('b', 9)", 9),
        ("X = list({'a': 1}.items())", [("a", 1)]),
        ("X = (12).bit_length()", 4),
        ("import math\nX = math.ceil(7 / 2)", 4),
        ("import math\nX = math.gcd(12, 18)", 6),
        ("import math as _m\nX = _m.pi", math.pi),
        ("from math import log2\nX = int(log2(64))", 6),
        ("import math\nX = math.prod([2, 3, 4])", 24),
        ("import functools\nX = functools.reduce(lambda a, b: a * b, [1, 2, 3])", 6),
        ("from functools import partial\nX = partial(max, 3)(5)", 5),
        ("import itertools\nX = list(itertools.product([1, 2], repeat=1)) or 0", OpaqueValue),
        ("import itertools\nX = list(itertools.chain([1], [2]))", [1, 2]),
        ("import operator\nX = operator.mul(3, 4)", 12),
        ("import copy\nA = [1]\nX = copy.deepcopy(A)\nX.append(2)\nX = (A, X)", ([1], [1, 2])),
        ("import os\nX = int(os.environ.get('N', '8'))", 8),
        ("import os\nX = os.getenv('N', 5)", 5),
        ("import os\nX = os.environ.get('HOME', 5)", OpaqueValue),
        ("import os\nos.environ['N'] = '4'\nX = int(os.environ['N'])", 4),
        ("import os\ntry:\n    X = int(os.environ['N'])\nexcept KeyError:\n    X = 3", 3),
    ],
)
def test_library(text: str, expected: Any) -> None:
    found = value(text)
    if expected is OpaqueValue:
        assert isinstance(found, OpaqueValue)
    else:
        assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("N = 64\nX = N\nN = 128", 64),
        ("N = 64\nif N < 100:\n    X = 1\nelif N > 3:\n    X = 2\nelse:\n    X = 3", 1),
        ("X = 1\nfor i in range(3):\n    X = X * 2", 8),
        ("X = 0\nfor i in (4, 5, 6):\n    if i == 5:\n        continue\n    X += i", 10),
        ("for X in (512, 384, 256):\n    if 768 % X == 0:\n        break\nelse:\n    X = 0", 384),
        ("X = 1\nwhile X < 100:\n    X *= 3", 243),
        ("X = 1\nwhile True:\n    X += 1\n    if X > 5:\n        break", 6),
        ("for a, b in [(1, 2), (3, 4)]:\n    X = a * b", 12),
        ("try:\n    X = 1 // 0\nexcept ZeroDivisionError:\n    X = 9", 9),
        ("try:\n    X = {}['a']\nexcept (KeyError, ValueError) as e:\n    X = 2\nfinally:\n    Y = 1", 2),
        ("try:\n    X = 3\nexcept Exception:\n    X = 4\nelse:\n    X = X + 10", 13),
        ("try:\n    import torch\nexcept ImportError:\n    torch = None\nX = 4", 4),
        ("with open('f') as f:\n    X = 4", 4),
        ("X = 4\nassert X == 4", 4),
        ("X = 4\nY = 5\ndel Y", 4),
        ("if __name__ == '__main__':\n    X = 1\nelse:\n    X = 2", 2),
        ("from typing import TYPE_CHECKING\nX = 1\nif TYPE_CHECKING:\n    X = 2", 1),
    ],
)
def test_control_flow(text: str, expected: Any) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "import torch\nX = torch.cuda.device_count()",
        "import torch\nif torch.ok():\n    X = 1\nelse:\n    X = 2",
        "import torch\nX = 1\nif torch.ok():\n    X = 2",
        "import torch\nX = 1\nfor i in torch.things():\n    X = 2",
        "import torch\nX = 1\nwhile torch.ok():\n    X += 1",
        "import torch\nX = 1 if torch.ok() else 2",
        "import torch\nX = []\nif torch.ok():\n    X.append(1)",
        "import torch\nX = []\nfor i in torch.things():\n    X.append(1)",
        "import torch\nX = {}\nX[torch.key()] = 1",
        "import torch\nX = {'a': 1}\nfor k in torch.keys():\n    X[k] = 2",
        "import torch\nX = 0\nfor i in range(3):\n    if torch.ok():\n        break\n    X += 1",
        "import torch\ntry:\n    torch.check()\n    X = 1\nexcept Exception:\n    X = 2",
        "try:\n    from somewhere import X\nexcept ImportError:\n    X = 4",
        "X = 1 // 0",
        "X = [1][5]",
        "X = int('seven')",
        "X = undefined_name + 1",
        "X = 3\nX = undefined_name",
        "import random\nX = [1, 2]\nrandom.shuffle(X)",
        "A = [1, 2]\nimport random\nX = A\nrandom.shuffle(A)",
        "async def f():\n    return 3\nX = f()",
        "def f():\n    yield 3\nX = f()",
        "match 3:\n    case 3:\n        X = 1",
        "from unknown_place import *\nX = len([1])",
        "X = f'{3:>5}'",
    ],
)
def test_unknown(text: str) -> None:
    assert isinstance(value(text), OpaqueValue)


def test_branches_that_agree() -> None:
    assert value("import torch\nX = 4 if torch.ok() else 4") == 4
    assert value("import torch\nif torch.ok():\n    X = 4\nelse:\n    X = 4") == 4
    assert value("import torch\nif torch.ok():\n    X = 4\nelse:\n    raise ValueError") == 4
    assert value("import torch\nX = 7\nif torch.ok():\n    Y = 2") == 7
    assert value("import torch\nX = 7\nfor i in torch.things():\n    Y = i") == 7


def test_unknown_and_false_is_false() -> None:
    assert value("import torch\nX = 1\nif torch.ok() and 1 > 2:\n    X = 2") == 1
    assert value("import torch\nif torch.ok() or 2 > 1:\n    X = 5") == 5


def test_missing_is_certain() -> None:
    env = module("def f():\n    global G\n    G = 1\nif __name__ == '__main__':\n    M = 1\nX = 1\n")
    assert env.lookup("Y") is MISSING
    assert isinstance(env.lookup("G"), OpaqueValue)
    assert isinstance(env.lookup("M"), OpaqueValue)


@pytest.mark.parametrize(
    "line", ["exec('Y = 1')", "globals()['Y'] = 1", "globals().update(Y=1)", "from elsewhere import *"]
)
def test_names_that_may_be_made_unseen(line: str) -> None:
    env = module(f"{line}\nX = min(3, 4)\n")
    assert env.unknown_star
    assert env.lookup("Z") is MISSING
    assert env.lookup("X") == 3 or "elsewhere" in line


def test_names_of_every_module() -> None:
    env = module("X = __name__\n")
    assert env.lookup("X") == "main"
    assert isinstance(env.lookup("__file__"), OpaqueValue)


def test_names_while_the_text_is_broken() -> None:
    env = module("A = 3\nN = (\nX = 5\n")
    assert env.lookup("A") == 3
    assert isinstance(env.lookup("N"), OpaqueValue)
    assert isinstance(env.lookup("Anything"), OpaqueValue)
    assert env.lookup("len") is MISSING


def test_dsl_names() -> None:
    env = module(
        """
        import pypto.language as pl
        import pypto.language.distributed as pld
        from pypto import language as other
        from pypto.language import FP32 as F, MemorySpace, jit, dynamic
        import pypto
        A = pl.BF16
        B = pl.MemorySpace.Vec
        C = pl.Mem.Mat
        D = pl.NZ
        E = pl.DataType.FP32
        G = MemorySpace.Left
        H = pld.NotifyOp.Set
        I = pl.tile.load
        J = other.FP32
        K = dynamic("K")
        L = pl.dynamic("L")
        M = L * 2 + 1
        N = pypto.language.FP32
        O = pypto.frontend.jit
        """
    )
    assert env.lookup("A") is BF16
    assert env.lookup("B") == EnumMember("MemorySpace", "Vec")
    assert env.lookup("C") == EnumMember("MemorySpace", "Mat")
    assert env.lookup("D") == EnumMember("TensorLayout", "NZ")
    assert env.lookup("E") is env.lookup("F") is env.lookup("J") is env.lookup("N") is FP32
    assert env.lookup("G") == EnumMember("MemorySpace", "Left")
    assert env.lookup("H") == EnumMember("NotifyOp", "Set")
    assert env.lookup("I") == Namespace("pl.tile.load")
    assert env.lookup("jit") == Namespace("pl.jit")
    assert env.lookup("pld") == Namespace("pld")
    assert env.lookup("K") == DynamicSymbol("K")
    assert env.lookup("M") == DynamicExpression("+", DynamicExpression("*", DynamicSymbol("L"), 2), 1)
    assert env.lookup("O") == OpaqueValue("pypto.frontend.jit")


def test_opaque_values_tell_apart() -> None:
    env = module("import torch\nA = torch.f()\nB = torch.f()\nC = A\nA = torch.g()\nD = C * 2\nE = C * 2\n")
    assert env.lookup("A") != env.lookup("C")
    assert env.lookup("B") != env.lookup("C")
    assert env.lookup("D") == env.lookup("E")
    pair = plain(module("import torch\nX = (torch.f(), torch.f())").lookup("X"))
    assert pair[0] != pair[1]
