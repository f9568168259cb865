"""Kernels as text for the tests of body lowering.

A case is a body, or a whole file, in which the fragments that must be marked stand between ⟦ and ⟧, each followed by the codes
of its findings: ``x = ⟦y⟧2041``. Without marks the case must be silent.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.frontend.model import Binding, ModuleLowering
from pypto_lsp.frontend.static import ModuleLoader
from pypto_lsp.frontend.units import lower_module
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.printer_types import print_type
from pypto_lsp.syntax import parse
from pypto_lsp.text import Source

PATH = "/w/kernel.py"
PLAIN = """import pypto.language as pl
import pypto.language.distributed as pld
import config
from elsewhere import unknown_number, unknown_kernel

N = 64
HALF = 0.5
FLAG = True
TILES = [16, 32]
NAME = "text"
M = pl.dynamic("M")


def helper(v):
    return v


@pl.inline
def doubled(v):
    w = pl.mul(v, 2.0)
    return w


@pl.inline
def nothing(v):
    u = pl.mul(v, 2.0)


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        t = pl.load(a, [0, 0], [64, 64])
        o = pl.store(t, [0, 0], o)
        return o

    @pl.function(type=pl.FunctionType.InCore)
    def two(
        self, a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]], q: pl.Out[pl.Tensor[[64, 64], pl.FP32]]
    ) -> tuple[pl.Tensor[[64, 64], pl.FP32], pl.Tensor[[64, 64], pl.FP32]]:
        t = pl.load(a, [0, 0], [64, 64])
        o = pl.store(t, [0, 0], o)
        q = pl.store(t, [0, 0], q)
        return o, q

    @pl.function(type=pl.FunctionType.Orchestration)
    def f(
        self,
        x: pl.Tensor[[64, 64], pl.FP32],
        y: pl.Tensor[[64, 64], pl.FP32],
        idx: pl.Tensor[[64], pl.INT32],
        n: pl.Scalar[pl.INDEX],
        m: pl.Scalar[pl.INT32],
        out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
{body}
        return out
"""
JIT = """import pypto.language as pl
import config

N = 64
TILES = [16, 32]
KIND = pl.BF16


@pl.jit.incore
def dep(a: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    t = pl.load(a, [0, 0], [64, 64])
    o = pl.store(t, [0, 0], o)
    return o


@pl.jit
def f(
    x: pl.Tensor[[64, 64], pl.FP32],
    y: pl.Tensor[[64, 64], pl.FP32],
    n: pl.Scalar[pl.INDEX],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
{body}
    return out
"""
CONFIG = """
class Config:
    rows: int = 16
    scale: float = 0.5


CFG = Config()
"""
_MARK = re.compile(r"⟦|⟧(?P<codes>\d{4}(?:,\d{4})*)?")


@dataclass(frozen=True)
class Marked:
    """A text without its marks, and what they say: (begin, end, codes) in character offsets."""

    text: str
    wanted: tuple[tuple[int, int, tuple[int, ...]], ...]


def unmarked(text: str) -> Marked:
    plain: list[str] = []
    wanted: list[tuple[int, int, tuple[int, ...]]] = []
    open_at: list[int] = []
    length = at = 0
    for mark in _MARK.finditer(text):
        piece = text[at : mark.start()]
        plain.append(piece)
        length += len(piece)
        at = mark.end()
        if mark.group() == "⟦":
            open_at.append(length)
        else:
            codes = tuple(int(code) for code in mark["codes"].split(","))
            wanted.append((open_at.pop(), length, codes))
    plain.append(text[at:])
    return Marked("".join(plain), tuple(sorted(wanted)))


def plain(body: str) -> str:
    """A whole file around the body of a plain orchestration function."""
    return PLAIN.format(body=textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8))


def jit(body: str) -> str:
    """A whole file around the body of a jit entry."""
    return JIT.format(body=textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 4))


def lowered(text: str) -> ModuleLowering:
    texts = {PATH: text, "/w/config.py": CONFIG}
    trees = {path: parse(Source(path, content)) for path, content in texts.items()}
    env = ModuleLoader(trees.get, ["/w"]).load(PATH)
    assert env is not None
    return lower_module(env)


def findings(text: str) -> list[Diagnostic]:
    """The findings of a file, each once."""
    module = lowered(text)
    every = [*module.diagnostics, *(d for unit in module.units for d in unit.diagnostics)]
    return list({d.key(): d for d in every}.values())


def found(diagnostics: list[Diagnostic]) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
    """Findings in the form of :attr:`Marked.wanted`."""
    by_place: dict[tuple[int, int], list[int]] = {}
    for diagnostic in diagnostics:
        place = (diagnostic.span.begin, diagnostic.span.end_offset)
        by_place.setdefault(place, []).append(diagnostic.error_code)
    return tuple(sorted((begin, end, tuple(sorted(codes))) for (begin, end), codes in by_place.items()))


def shown(text: str, places: tuple[tuple[int, int, tuple[int, ...]], ...]) -> list[tuple[str, tuple[int, ...]]]:
    """Places as the text they cover, for assertion messages."""
    return [(text[begin:end], codes) for begin, end, codes in places]


def check(text: str) -> None:
    """Assert that a marked file has exactly the findings it marks."""
    case = unmarked(text)
    diagnostics = findings(case.text)
    have = found(diagnostics)
    assert shown(case.text, have) == shown(case.text, case.wanted), [d.message for d in diagnostics]
    assert have == case.wanted


def function(text: str, name: str) -> ir.Function:
    """A lowered function of a file without findings."""
    module = lowered(text)
    for unit in module.units:
        if name in unit.program.functions:
            assert not unit.diagnostics, [d.message for d in unit.diagnostics]
            return unit.program.functions[name]
    raise KeyError(name)


def bindings(text: str, kernel: str = "f") -> list[Binding]:
    module = lowered(text)
    unit = next(u for u in module.units if kernel in u.program.functions)
    return [b for b in unit.bindings if b.kernel == kernel and b.kind != "param"]


def types(text: str, kernel: str = "f") -> list[tuple[str, str | None]]:
    """The locals of a kernel with their printed types, in the order in which they are bound."""
    return [(b.name, print_type(b.type)) for b in bindings(text, kernel)]
