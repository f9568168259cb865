"""With which arguments the kernels of a factory are looked at: those of its calls, its defaults, or none that are known."""

from __future__ import annotations

from typing import Any

import pytest
from static_workspace import module

from pypto_lsp.frontend.static import definitions
from pypto_lsp.frontend.values import OpaqueValue

HEAD = "import functools\nimport pypto.language as pl\nimport pytest\nimport torch\nimport other\n"
WIDTH = "\n    def width(self):\n        return {}"
KERNEL = "    @pl.jit\n    def k(x):\n        return x\n    return k\n"


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def seen(text: str, *names: str, kernel: str = "k") -> Any:
    """What the locals of the factory of ``kernel`` are, None where that is not known."""
    env = module(HEAD + text)
    (scope,) = [found.env for found in definitions(env) if found.node.name == kernel]
    values = [scope.lookup(name) for name in names]
    known = tuple("?" if isinstance(value, OpaqueValue) else value for value in values)
    return known if len(known) > 1 else known[0]


def made(params: str, body: str, *names: str, before: str = "", after: str = "") -> Any:
    return seen(f"{before}\ndef make({params}):\n{indented(body)}{KERNEL}{after}\n", *names)


# --- defaults that cannot be meant -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "check",
    [
        "if c % 128:\n    raise ValueError(c)",
        "assert c == 128",
        "if c % 128:\n    n = 3\n    raise ValueError",
        "check(c)",
        "c = aligned(c)",
        "for each in (c, n):\n    assert each % 128 == 0",
        "with torch.no_grad():\n    assert c % 128 == 0",
        "try:\n    check(c)\nexcept KeyError:\n    c = 128",
        "try:\n    check(c)\nfinally:\n    n = n",
        "if torch.ok():\n    check(c)\nelse:\n    raise NotImplementedError",
        "while c % 128:\n    raise ValueError",
        "if c % 128:\n    raise SystemExit(1)",
        "import sys\nif c % 128:\n    sys.exit('no')",
        "c = {128: 1, 256: 2}[c]",
        "@functools.wraps(make)\ndef inner():\n    check(c)\ninner()",
    ],
)
def test_defaults_that_raise_are_not_known(check: str) -> None:
    before = "def check(c):\n    if c % 128:\n        raise ValueError\ndef aligned(c):\n    check(c)\n    return c\n"
    assert made("c=100, n=256", check, "c", before=before) == "?"
    assert made("c=100, n=256", check, "n", before=before) in ("?", 3)


@pytest.mark.parametrize(
    "check",
    [
        "if torch.ok():\n    raise ValueError",
        "try:\n    check(c)\nexcept ValueError:\n    pass",
        "try:\n    check(c)\nexcept (KeyError, ValueError) as fault:\n    print(fault)",
        "for each in torch.ones(c):\n    raise ValueError",
        "while torch.ok():\n    raise ValueError",
        "def inner():\n    raise ValueError",
        "with torch.no_grad():\n    pass",
        "assert torch.ok()",
        "assert c == 100",
        "torch.check(c)",
        "if torch.ok():\n    check(c)",
    ],
)
def test_a_raise_that_may_not_happen_leaves_defaults(check: str) -> None:
    before = "def check(c):\n    if c % 128:\n        raise ValueError\n"
    assert made("c=100", check, "c", before=before) == 100


def test_what_raises_with_any_arguments_is_in_the_making() -> None:
    env = module(f"{HEAD}def make(c=100):\n    raise NotImplementedError\n{KERNEL}")
    assert definitions(env) == []
    assert seen(f"def make(c=100):\n{KERNEL.replace('return k', 'raise SystemExit')}", "c") == 100


def test_a_none_that_raises_is_an_argument_that_everybody_gives() -> None:
    body = "if m is None:\n    raise ValueError\nif bias is None:\n    bias = 0"
    assert made("m=None, n=64, bias=None", body, "m", "n", "bias") == ("?", 64, 0)
    assert made("m=None, n=64", "rows = m * 2", "rows", "n") == ("?", 64)
    assert made("m=None, n=100", "rows = m * 2\nassert n % 64 == 0", "rows", "n") == ("?", "?")


def test_a_caller_that_raises_with_its_defaults() -> None:
    text = f"def make(t):\n{KERNEL}def build(n=100):\n    assert n % 128 == 0\n    return make(n)\n"
    assert seen(text, "t") == "?"
    assert seen(text.replace("n % 128", "n % 50"), "t") == 100


def test_calls_that_raise_make_nothing() -> None:
    text = f"def make(t=64):\n    if t % 64:\n        raise ValueError\n{KERNEL}"
    late = "def make(t=64):\n    @pl.jit\n    def k(x):\n        return x\n    assert t % 64 == 0\n    return k\n"
    use = "def test():\n    with pytest.raises(ValueError):\n        make(100)\n"
    for factory in (text, late):
        assert seen(factory + use, "t") == "?"
        assert seen(factory + use + "    make(128)\n", "t") == 128


# --- None --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "use",
    [
        "print(t)",
        "print(f'rows {t}')",
        "name = f'k_{t}'",
        "name = 'k_' + str(t)",
        "name = 'k_%s' % t",
        "u = t",
        "u = v = t",
        "u = (t, 4)",
        "u = {'t': t}\nw = [u]",
        "show(t)",
        "cfg = Config(t)",
        "cfg = Config(t)\nprint(cfg.t)",
        "torch.log(t)",
        "if t is not None:\n    print(t)",
        "f = functools.partial(show, t)",
        "f = lambda: t",
    ],
)
def test_a_none_that_is_only_shown_or_copied_is_not_known(use: str) -> None:
    before = (
        "import dataclasses\n@dataclasses.dataclass\nclass Config:\n    t: int = 0\n"
        "def show(t):\n    if t is None:\n        print('none')\n"
    )
    assert made("t=None", use, "t", before=before) == "?"


@pytest.mark.parametrize(
    ("use", "name", "known"),
    [
        ("t = t or 8", "t", 8),
        ("if t is None:\n    t = 8", "t", 8),
        ("u = 8 if t is None else t", "u", 8),
        ("u = t is None", "u", True),
        ("u = not t", "u", True),
        ("u = t\nif u is None:\n    u = 8", "u", 8),
        ("u = pick(t)", "u", 8),
        ("u = {None: 8}[t]", "u", 8),
        ("u = {4: 1}.get(t, 8)", "u", 8),
        ("u = pl.Tensor[[4], pl.FP32] if t is None else other.kind(t)", "t", None),
        ("u = torch.half if t is None else t.dtype", "t", None),
        ("mode = 'fast' if t is None else 'slow'", "mode", "fast"),
        ("cfg = Config(t)\nu = cfg.t", "u", 8),
    ],
)
def test_a_none_that_something_is_made_of(use: str, name: str, known: object) -> None:
    before = (
        "class Config:\n    def __init__(self, t):\n        self.t = 8 if t is None else t\n"
        "def pick(t):\n    return 8 if t is None else t\n"
    )
    assert made("t=None", use, name, before=before) == known


def test_each_none_counts_for_itself() -> None:
    assert made("t=None, u=None, n=4", "t = t or 8\nprint(u)", "t", "u", "n") == (8, "?", 4)


def test_a_none_that_decides_what_is_defined() -> None:
    plain = KERNEL.replace("def k", "def plain").replace("return k", "return plain")
    env = module(f"{HEAD}def make(bias=None):\n    if bias is None:\n{indented(plain)}{KERNEL}")
    assert [found.node.name for found in definitions(env)] == ["plain"]


def test_a_none_handed_on_to_a_factory() -> None:
    text = "def build(n=None):\n    return make(n)\n"
    assert seen(f"def make(n):\n{KERNEL}{text}", "n") == "?"
    assert seen(f"def make(n):\n    n = n or 8\n{KERNEL}{text}", "n") == 8


# --- callers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("use", "known"),
    [
        ("class Test:\n    def test(self):\n        make(8)", 8),
        ("class Test:\n    N = 8\n    K = make(N)", 8),
        ("class Test:\n    def build(self, n):\n        return make(n)\n    def test(self):\n        self.build(8)", 8),
        ("class Test:\n    @staticmethod\n    def build(n):\n        return make(n)\n    def test(self):\n        self.build(8)", 8),
        ("class Test:\n    @classmethod\n    def build(cls, n):\n        return make(n)\n    def test(self):\n        self.build(8)", 8),
        ("class Test:\n    @property\n    def kernel(self):\n        return make(8)", 8),
        ("class Test:\n    def __init__(self):\n        self.kernel = make(8)", 8),
        ("class Test:\n    def build(self, n=4):\n        return make(n)\ndef test():\n    Test().build(8)", 8),
        ("class Test:\n    def test(self, n):\n        make(n)", None),
        ("class Test:\n    def test(self):\n        make(self.n)", None),
        (f"class Base:{WIDTH.format(4)}\n    def test(self):\n        make(self.width())\nclass Wide(Base):{WIDTH.format(8)}", None),
        (f"class Base:{WIDTH.format(8)}\n    def test(self):\n        make(self.width())", 8),
        ("build = lambda: make(8)", 8),
        ("build = lambda n: make(n)\nX = build(8)", 8),
        ("build = lambda n=4: make(n)", None),
        ("other.run(lambda: make(8))", 8),
        ("TABLE = {'a': lambda: make(8)}", 8),
        ("def test():\n    other.run(lambda: make(8))", 8),
        ("build = functools.partial(make, 8)", 8),
        ("build = functools.partial(make, t=8)", 8),
        ("build = functools.partial(make, 8)\nX = build()", 8),
        ("other.run(functools.partial(make, 8))", 8),
        ("build = functools.partial(make)", None),
        ("def test(k=make(8)):\n    pass", 8),
        ("@pytest.mark.parametrize('k', [make(8)])\ndef test(k):\n    pass", 8),
        ("@pytest.mark.parametrize('factory', [make])\ndef test(factory):\n    factory(8)", None),
        ("@pytest.mark.parametrize('n', [8, 16])\ndef test(n):\n    make(n)", None),
        ("@pytest.mark.skip\ndef test(n=8):\n    make(n)", None),
        ("KS = [make(n) for n in (8, 16)]", 8),
        ("KS = tuple(make(n) for n in (8, 16))", 8),
        ("KS = {n: make(n) for n in (8, 16)}", 8),
        ("KS = [make(n) for n in other.sizes]", None),
        ("KS = list(map(make, (8, 16)))", 8),
        ("def test():\n    for n in (8, 16):\n        make(n)", 8),
        ("CFG = {'t': 8}\nX = make(**CFG)", 8),
        ("X = make(*(8,))", 8),
        ("X = make(**other.cfg)", None),
        ("X = make(*other.args)", None),
        ("X = make(*other.args, 8)", None),
        ("X = make(t=8)", 8),
        ("f = make\nX = f(8)", 8),
        ("f = make\ndef test():\n    f(8)", 8),
        ("f = make", None),
        ("def test():\n    f = make\n    f(8)", 8),
        ("other.run(make)", None),
        ("def test():\n    other.run(make)", None),
        ("TABLE = {'a': make}", None),
        ("TABLE = {'a': make}\nX = TABLE['a'](8)", 8),
        ("TABLE = {'a': make}\ndef test(name):\n    TABLE[name](8)", None),
        ("TABLE = {'a': make}\ndef test():\n    for f in TABLE.values():\n        f(8)", 8),
        ("def get():\n    return make", None),
        ("def get():\n    return make\ndef test():\n    get()(8)", 8),
        ("def build(n=4):\n    return make(n)", 4),
        ("def build(n=4):\n    return make(n)\ndef test():\n    build(8)", 8),
        ("def build(n=4):\n    return make(n)\nTABLE = [build]", None),
        ("def build(n=4):\n    return make(n)\ndef test(n):\n    build(n)", None),
        ("def build(n=4):\n    return make(n)\nif __name__ == '__main__':\n    build(8)", 8),
        ("def build(n=4):\n    return make(n) if n else build(8)", 4),
        ("async def build():\n    return make(8)", 8),
        ("async def build():\n    await other.run(make(8))", 8),
        ("@pytest.fixture\ndef build():\n    yield make(8)", 8),
        ("def test():\n    print('make')  # make(4)", 4),
        ("def test(make):\n    make(8)", 4),
        ("def test():\n    make = other.make\n    make(8)", 4),
        ("def test():\n    other.make(8)", 4),
        ("__all__ = ['make']", 4),
        ("@pl.jit\ndef user(x):\n    return make(8)(x)", None),
        ("def test():\n    if torch.ok():\n        make(8)", 8),
        ("def test():\n    for _ in other.rounds:\n        make(8)", 8),
        ("def test():\n    for n in other.rounds:\n        make(n)", None),
        ("def test():\n    n = 4\n    if torch.ok():\n        n = 8\n    make(n)", None),
        ("def test():\n    return make(8) if torch.ok() else make(16)", 8),
        ("def test():\n    return torch.ok() and make(8)", None),
        ("def test():\n    try:\n        make(8)\n    except ValueError:\n        pass", None),
        ("def test():\n    with torch.no_grad():\n        make(8)", 8),
        ("def test():\n    with pytest.raises(pl.Error):\n        make(16)\ndef test_good():\n    make(8)", 8),
        ("def test():\n    with pytest.raises(pl.Error):\n        make(8)", 8),
        ("def test(n=None):\n    assert n is not None\n    make(n)", None),
    ],
)  # fmt: skip
def test_callers(use: str, known: int | None) -> None:
    text = f"def make(t=4):\n{KERNEL}{use}\n"
    assert seen(text, "t") == ("?" if known is None else known)


@pytest.mark.parametrize(
    ("decorator", "known"),
    [
        ("functools.lru_cache", 4),
        ("functools.lru_cache(maxsize=None)", 4),
        ("other.register", None),
        ("pytest.fixture", None),
        ("register", None),
    ],
)
def test_decorated_factories(decorator: str, known: int | None) -> None:
    text = f"TABLE = []\ndef register(f):\n    TABLE.append(f)\n    return f\n@{decorator}\ndef make(t=4):\n{KERNEL}"
    assert seen(text, "t") == ("?" if known is None else known)


@pytest.mark.parametrize(
    ("use", "known"),
    [
        ("    return make(n * 2)", 128),
        ("    return other.run(make)", None),
        ("    return make", None),
        ("    return lambda: make(8)", None),
        ("    pass", 4),
    ],
)
def test_factories_in_factories(use: str, known: int | None) -> None:
    text = f"def build(n=64):\n    def make(t=4):\n{indented(KERNEL)}{use}\n"
    assert seen(text, "t") == ("?" if known is None else known)


@pytest.mark.parametrize(
    ("use", "known"),
    [
        ("", 4),
        ("    def test(self):\n        self.make(8)", 8),
        ("K = Suite().make(8)", 8),
        ("def test():\n    suite = Suite()\n    suite.make(8)", 8),
        ("def test(suite):\n    suite.make(8)", None),
        ("class Other(Suite):\n    def test(self):\n        self.make(8)", 8),
        ("def test(suite):\n    other.run(suite.make)", None),
        ("def make(n):\n    return make(n)", 4),
    ],
)
def test_factories_in_classes(use: str, known: int | None) -> None:
    text = f"class Suite:\n    def make(self, t=4):\n{indented(KERNEL)}{use}\n"
    assert seen(text, "t") == ("?" if known is None else known)


def test_each_definition_has_the_first_call_that_makes_it() -> None:
    text = (
        "def make(kind, n):\n    if kind == 'a':\n        @pl.jit\n        def a(x):\n            return x\n        return a\n"
        "    @pl.jit\n    def b(x):\n        return x\n    return b\nA = make('a', 8)\nB = make('b', 16)\nC = make('b', 32)\n"
    )
    assert seen(text, "n", kernel="a") == 8
    assert seen(text, "n", kernel="b") == 16
