"""Inline functions of a program and ``@pl.inline`` functions: circles of calls, names, and which kernels a body knows."""

from __future__ import annotations

import pytest
from kernel_cases import PATH, check, findings

from pypto_lsp.frontend.static import ModuleLoader
from pypto_lsp.frontend.units import lower_module
from pypto_lsp.syntax import parse
from pypto_lsp.text import Source

TENSOR = "pl.Tensor[[64, 64], pl.FP32]"
INLINE = "(type=pl.FunctionType.Inline)"
HEAD = "import pypto.language as pl\n\n\n"


def method(name: str, *body: str, kind: str = INLINE, params: str = "x") -> str:
    heads = ", ".join(f"{param}: {TENSOR}" for param in params.split())
    lines = "".join(f"        {line}\n" for line in body)
    return f"    @pl.function{kind}\n    def {name}(self, {heads}) -> {TENSOR}:\n{lines}\n"


def program(*methods: str) -> str:
    return f"{HEAD}@pl.program\nclass P:\n" + "".join(methods)


def inline(name: str, *body: str) -> str:
    return f"@pl.inline\ndef {name}(x):\n" + "".join(f"    {line}\n" for line in body) + "\n\n"


def kernel(*body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body)
    return f"@pl.function\ndef main(x: {TENSOR}) -> {TENSOR}:\n{lines}    return x\n"


MAIN = method("main", "y = self.a(x)", "return y", kind="")
CIRCLES = [
    program(method("a", "y = ⟦self.a(x)⟧2168", "return y"), MAIN),
    program(method("a", "y = ⟦self.a(x)⟧2168", "return y"), method("main", "return x", kind="")),
    program(method("a", "y = ⟦self.a(x)⟧2168", "return y")),
    program(method("a", "y = self.b(x)", "return y"), method("b", "y = ⟦self.a(x)⟧2168", "return y"), MAIN),
    program(
        method("a", "y = self.b(x)", "return y"),
        method("b", "y = self.c(x)", "return y"),
        method("c", "y = ⟦self.a(x)⟧2168", "z = ⟦self.b(y)⟧2168", "return z"),
    ),
    program(method("a", "if 1 > 2:", "    y = ⟦self.a(x)⟧2168", "return x"), MAIN),
    program(method("a", "for i in pl.unroll(0, 0):", "    y = ⟦self.a(x)⟧2168", "return x"), MAIN),
    HEAD + inline("h", "y = ⟦h(x)⟧2169", "return y") + kernel("y = h(x)", "z = h(y)"),
    HEAD + inline("h", "if 1 > 2:", "    y = ⟦h(x)⟧2169", "return x") + kernel("y = h(x)"),
    HEAD + inline("h", "y = g(x)", "return y") + inline("g", "y = ⟦h(x)⟧2169", "return y") + kernel("y = h(x)"),
]
STRAIGHT = [
    program(
        method("a", "y = self.b(x)", "z = self.c(y)", "return z"),
        method("b", "y = self.c(x)", "return y"),
        method("c", "y = pl.exp(x)", "return y"),
        MAIN,
    ),
    program(
        method("a", "y = self.m(x)", "return y"),
        method("m", "y = self.a(x)", "return y", kind=""),
        method("main", "y = self.m(x)", "return y", kind=""),
    ),
    HEAD + inline("h", "y = h(x)", "return y") + kernel("y = pl.exp(x)"),
    HEAD
    + inline("h", "return pl.exp(x)")
    + "old = h\n\n\n"
    + inline("h", "y = old(x)", "return y")
    + kernel("y = h(x)"),
    HEAD + inline("h", "y = g(x)", "return y") + inline("g", "return pl.exp(x)") + kernel("y = h(x)"),
]
NAMES = [
    program(method("a", "⟦my__y⟧2038 = pl.exp(x)", "my__y = pl.abs(my__y)", "return my__y"), MAIN),
    program(method("a", "⟦y__ssa_v2⟧2038 = pl.exp(x)", "return y__ssa_v2"), MAIN),
    program(method("a", "for ⟦i__k⟧2038 in pl.range(4):", "    y = pl.exp(x)", "return x"), MAIN),
    program(
        method("a", "⟦my__y⟧2038 = pl.exp(x)", "return my__y"),
        method("b", "y = self.a(x)", "return y"),
        method("main", "if 1 > 2:", "    y = self.b(x)", "return x", kind=""),
    ),
    program(method("a", "⟦my__y⟧2038 = pl.exp(x)", "return x"), method("main", "return self.a(x)", kind="")),
    program(method("a", "⟦my__y⟧2038 = pl.exp(x)", "return x"), method("main", "self.a(x)", "return x", kind="")),
]
NAMES_OF_NO_MATTER = [
    program(method("a", "my__y = pl.exp(x)", "return my__y")),
    program(method("a", "my__y = pl.exp(x)", "return my__y"), method("b", "y = self.a(x)", "return y")),
    program(method("a", "my__y = pl.exp(x)", "return my__y"), method("main", "return x", kind="")),
    program(method("a", "x__p = pl.exp(x__p)", "return x__p", params="x__p"), MAIN),
    program(method("a", "for i__k in pl.unroll(0, 4):", "    y = pl.exp(x)", "return x"), MAIN),
    program(
        method("a", "my__y = pl.exp(x)", "return my__y"),
        method("main", "for i in pl.unroll(0, 0):", "    y = self.a(x)", "return x", kind=""),
    ),
]
FACTORY = "def make(inner):\n    @pl.{kind}\n    def h({param}){result}:\n        y = inner(x)\n        return y\n\n    return h\n\n\n"
TYPED = {"kind": "function", "param": f"x: {TENSOR}", "result": f" -> {TENSOR}"}
UNTYPED = {"kind": "inline", "param": "x", "result": ""}
FACTORIES = [
    HEAD + FACTORY.format(**TYPED) + inline("base", "return pl.exp(x)") + "K = make(base)\n",
    HEAD + FACTORY.format(**TYPED) + kernel("y = pl.exp(x)") + "K = make(main)\n",
    HEAD + FACTORY.format(**UNTYPED) + inline("base", "return pl.exp(x)") + "a = make(base)\n\n\n" + kernel("y = a(x)"),
    HEAD
    + FACTORY.format(**UNTYPED).replace("inner(x)", "⟦inner(x)⟧2169")
    + inline("base", "return pl.exp(x)")
    + "a = make(base)\nb = make(a)\n\n\n"
    + kernel("y = b(x)"),
    HEAD
    + "def make():\n    @pl.function\n"
    + f"    def h(x: {TENSOR}) -> {TENSOR}:\n        y = ⟦base(x)⟧2158\n        return y\n\n"
    + "    @pl.inline\n    def base(x):\n        return pl.exp(x)\n\n    return h\n\n\nK = make()\n",
    HEAD + inline("h", "y = ⟦g(x)⟧2158", "return y") + kernel("y = h(x)") + "\n\n" + inline("g", "return pl.exp(x)"),
]


@pytest.mark.parametrize("text", [*CIRCLES, *STRAIGHT, *NAMES, *NAMES_OF_NO_MATTER, *FACTORIES])
def test_findings(text: str) -> None:
    check(text)


def test_a_circle_is_told_from_end_to_end() -> None:
    (finding,) = findings(program(method("a", "y = self.b(x)", "return y"), method("b", "y = self.a(x)", "return y")))
    assert finding.message.endswith("a calls b calls a")
    assert [related.span.text for related in finding.related] == ["a"]


def test_helpers_of_another_module_know_each_other() -> None:
    texts = {
        PATH: f"{HEAD}from helpers import h\n\n\n" + kernel("y = h(x)"),
        "/w/helpers.py": HEAD + inline("g", "return pl.exp(x)") + inline("h", "y = g(x)", "return y"),
    }
    trees = {path: parse(Source(path, text)) for path, text in texts.items()}
    env = ModuleLoader(trees.get, ["/w"]).load(PATH)
    assert env is not None
    (unit,) = lower_module(env).units
    assert not unit.diagnostics
    assert unit.program.functions["main"].complete
