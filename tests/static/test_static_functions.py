"""Pure functions, classes, dataclasses, enums and argument parsers."""

from __future__ import annotations

from typing import Any

import pytest
from static_workspace import module, plain, value

from pypto_lsp.frontend.values import Instance, OpaqueValue


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(v, to=16):\n    return (v + to - 1) // to * to\nX = f(5) + f(5, to=8)", 24),
        ("def f(*a, **k):\n    return len(a) + k['b']\nX = f(1, 2, b=3)", 5),
        ("def f(a, /, b, *, c=1):\n    return a * 100 + b * 10 + c\nX = f(1, b=2, c=3)", 123),
        ("def f(n):\n    if n < 2:\n        return 1\n    return n * f(n - 1)\nX = f(6)", 720),
        (
            "def f(t):\n    for s in (512, 256):\n        if t % s == 0:\n            return s\n    return t\nX = f(768)",
            256,
        ),
        ("def f():\n    out = []\n    for i in range(3):\n        out.append(i)\n    return out\nX = f()", [0, 1, 2]),
        ("def f():\n    pass\nX = f()", None),
        ("N = 2\ndef f():\n    return N\nN = 5\nX = f()", 5),
        ("N = 2\ndef f(n=N):\n    return n\nN = 5\nX = f()", 2),
        ("X = 1\ndef f():\n    global X\n    X = 9\nf()", 9),
        ("def f():\n    n = 1\n    def g():\n        nonlocal n\n        n += 1\n    g()\n    return n\nX = f()", 2),
        ("def f(k):\n    return lambda v: v * k\nX = f(3)(4)", 12),
        ("import functools\n@functools.lru_cache(maxsize=None)\ndef f(n):\n    return n + 1\nX = f(1)", 2),
        ("def twice(g):\n    return lambda v: g(g(v))\n@twice\ndef f(n):\n    return n * 3\nX = f(2)", 18),
        ("def f():\n    try:\n        return int('x')\n    except ValueError:\n        return 7\nX = f()", 7),
        ("def f():\n    raise ValueError\ntry:\n    X = f()\nexcept ValueError:\n    X = 1", 1),
        ("args = (3, 4)\ndef f(a, b):\n    return a * b\nX = f(*args) + f(**{'a': 1, 'b': 2})", 14),
        ("def f(a):\n    a.append(1)\nX = []\nf(X)", [1]),
        ("import torch\ndef f():\n    if torch.ok():\n        return 4\n    return 4\nX = f()", 4),
    ],
)
def test_functions(text: str, expected: Any) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "import torch\ndef f():\n    if torch.ok():\n        return 4\n    return 5\nX = f()",
        "import torch\ndef f():\n    for i in torch.x():\n        return 4\n    return 5\nX = f()",
        "import torch\ndef f():\n    for i in torch.x():\n        if i:\n            return 4\n    return 5\nX = f()",
        "def f(a):\n    return a\nX = f()",
        "def f(a):\n    return a\nX = f(1, 2)",
        "import torch\ndef f(a, b=2):\n    return b\nX = f(*torch.args())",
        "import torch\nX = 1\ndef f():\n    global X\n    if torch.ok():\n        X = 2\nf()",
    ],
)
def test_unknown_results(text: str) -> None:
    assert isinstance(value(text), OpaqueValue)


CONFIG = """
from dataclasses import dataclass, field, replace
import dataclasses
from typing import ClassVar

@dataclass(frozen=True)
class Base:
    hidden: int
    heads: int = 4
    KIND: ClassVar[str] = "base"

@dataclass(frozen=True)
class Config(Base):
    layers: tuple = field(default=(1, 2))
    extra: list = field(default_factory=list)
    LIMIT = 7

    @property
    def head_dim(self) -> int:
        return self.hidden // self.heads

    @staticmethod
    def pad(n):
        return n + 1

    @classmethod
    def small(cls):
        return cls(hidden=64)

    def scaled(self, by):
        return self.hidden * by

C = Config(hidden=512, heads=8)
R = replace(C, heads=16)
P = Config(256)
"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("C.hidden", 512),
        ("C.head_dim", 64),
        ("R.head_dim", 32),
        ("R.hidden", 512),
        ("P.heads", 4),
        ("C.layers[1]", 2),
        ("C.extra", []),
        ("C.LIMIT", 7),
        ("Config.LIMIT", 7),
        ("Config.heads", 4),
        ("C.KIND", "base"),
        ("C.pad(1)", 2),
        ("Config.small().head_dim", 16),
        ("C.scaled(2)", 1024),
        ("getattr(C, 'heads')", 8),
        ("getattr(C, 'nothing', 3)", 3),
        ("hasattr(C, 'heads')", True),
        ("{c.heads: c for c in (C, R)}[16].hidden", 512),
        ("C == Config(hidden=512, heads=8)", True),
        ("C == R", False),
        ("isinstance(C, Base)", True),
        ("dataclasses.asdict(P)['hidden']", 256),
        ("dataclasses.replace(C, hidden=C.hidden // 2).hidden", 256),
        ("C.__class__.__name__", "Config"),
    ],
)
def test_dataclass(expression: str, expected: Any) -> None:
    assert value(f"{CONFIG}\nX = {expression}\n") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class A:\n    N = 4\n    M = N * 2\nX = A.M", 8),
        ("class A:\n    def __init__(self, n):\n        self.n = n\n        self.m = n * 2\nX = A(3).m", 6),
        ("class A:\n    def __init__(self):\n        self.n = 1\n"
         "class B(A):\n    def __init__(self):\n        super().__init__()\n        self.m = 2\nb = B()\nX = b.n + b.m", 3),
        ("class A:\n    N = 1\nclass B(A):\n    pass\nX = B.N", 1),
        ("class A:\n    def f(self):\n        return self.g()\n    def g(self):\n        return 1\n"
         "class B(A):\n    def g(self):\n        return 2\nX = B().f()", 2),
        ("class A:\n    def __call__(self, n):\n        return n + 1\nX = A()(1)", 2),
        ("class A:\n    pass\na = A()\na.n = 4\nb = a\nb.n = 5\nX = a.n", 5),
        ("import enum\nclass E(enum.Enum):\n    A = 1\n    B = 2\nX = E.B.value", 2),
        ("import enum\nclass E(enum.Enum):\n    A = 1\nX = E(1).name + E['A'].name", "AA"),
        ("from enum import IntEnum, auto\nclass E(IntEnum):\n    A = 4\n    B = auto()\nX = E.B * 2 + E.A", 14),
        ("from enum import Enum\nclass E(Enum):\n    A = 1\n    B = 2\nX = [m.value for m in E] + [len(E)]", [1, 2, 2]),
        ("from enum import Enum\nclass E(Enum):\n    A = 1\n    B = 2\nX = E.A == E.B", False),
        ("from typing import NamedTuple\nclass P(NamedTuple):\n    a: int\n    b: int = 2\np = P(1)\n"
         "q, r = p\nX = [p.a, p[1], q + r, p._replace(a=5).a]", [1, 2, 3, 5]),
        ("from dataclasses import dataclass\n@dataclass\nclass D:\n    a: int\n    b: int = 0\n"
         "    def __post_init__(self):\n        self.b = self.a * 2\nX = D(4).b", 8),
        ("from dataclasses import dataclass\n@dataclass(frozen=True)\nclass D:\n    a: int\n"
         "    def __post_init__(self):\n        object.__setattr__(self, 'a', 7)\nX = D(4).a", 7),
        ("from types import SimpleNamespace\nX = SimpleNamespace(a=3).a", 3),
        ("from collections import OrderedDict\nX = OrderedDict(a=3)['a']", 3),
    ],
)  # fmt: skip
def test_classes(text: str, expected: Any) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "import torch\nclass A(torch.nn.Module):\n    n = 4\nX = A().n",
        "class A:\n    def __getattr__(self, name):\n        return 3\nX = A().n",
        "class M(type):\n    pass\nclass A(metaclass=M):\n    pass\nX = A()",
        "import torch\n@torch.register\nclass A:\n    n = 4\nX = A.n",
        "from dataclasses import dataclass\n@dataclass\nclass D:\n    a: int\nX = D()",
        "from dataclasses import dataclass\n@dataclass\nclass D:\n    a: int\nX = D(b=3)",
        "class A:\n    pass\nX = A().nothing",
    ],
)
def test_unknown_classes(text: str) -> None:
    assert isinstance(value(text), OpaqueValue)


def test_instances_outside() -> None:
    found = module(f"{CONFIG}\nX = P\n").lookup("X")
    assert isinstance(found, Instance)
    assert [name for name, _ in found.fields] == ["hidden", "heads", "layers", "extra"]
    assert found.get("hidden") == 256
    assert plain(found.get("layers")) == (1, 2)
    with pytest.raises(KeyError):
        found.get("nothing")


ARGPARSE = """
import argparse
p = argparse.ArgumentParser()
p.add_argument("--rows", "-r", type=int, default=5)
p.add_argument("--cols", type=int, default="12")
p.add_argument("--dry-run", action="store_true")
p.add_argument("--no-check", dest="check", action="store_false")
p.add_argument("--must", type=int, required=True)
p.add_argument("--none", type=int)
p.add_argument("where")
g = p.add_argument_group("more")
g.add_argument("--inner", default=3)
"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("p.parse_args().rows", 5),
        ("p.parse_args([]).cols", 12),
        ("p.parse_args().dry_run", False),
        ("p.parse_args().check", True),
        ("p.parse_args().none", None),
        ("p.parse_args().inner", 3),
        ("p.parse_known_args()[0].rows", 5),
        ("vars(p.parse_args())['rows']", 5),
        ("p.parse_args(['--rows', '4']).rows", OpaqueValue),
        ("p.parse_args().must", OpaqueValue),
        ("p.parse_args().where", OpaqueValue),
        ("p.parse_args().absent", OpaqueValue),
    ],
)
def test_argparse(expression: str, expected: Any) -> None:
    found = value(f"{ARGPARSE}\nX = {expression}\n")
    if expected is OpaqueValue:
        assert isinstance(found, OpaqueValue)
    else:
        assert found == expected


ARGV = """
import sys
def option(name, default):
    for i, token in enumerate(sys.argv):
        if token == name and i + 1 < len(sys.argv):
            return int(sys.argv[i + 1])
        if token.startswith(name + "="):
            return int(token.split("=", 1)[1])
    return default
X = option("--ep", 4)
"""


def test_command_line_without_options() -> None:
    assert value(ARGV) == 4


def test_unknown_command_line() -> None:
    from static_workspace import ROOT, Files

    from pypto_lsp.frontend.static import ModuleLoader

    files = Files({"main.py": ARGV})
    env = ModuleLoader(files.read, [ROOT], bare_command_line=False).load(f"{ROOT}/main.py")
    assert env is not None
    assert isinstance(env.lookup("X"), OpaqueValue)
