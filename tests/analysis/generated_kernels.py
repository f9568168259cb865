"""Random kernels that read constants of another file: programs, functions and jit entries with helpers."""

from __future__ import annotations

import random

SIZES = "ROWS = 64\nCOLS = 128\nDEPTH = 32\nCHUNK = 16\n"
NAMES = ("ROWS", "COLS", "DEPTH", "CHUNK", "64", "128", "32")


def generated(seed: int) -> str:
    """A file of kernels; equal seeds give equal files."""
    rng = random.Random(seed)
    parts = [
        "import pypto.language as pl",
        "from sizes import CHUNK, COLS, DEPTH, ROWS",
        "",
        f"HALF = ROWS // {rng.choice((2, 4))}",
    ]
    for number in range(rng.randrange(1, 4)):
        parts += ["", "", rng.choice((_function, _entry, _program))(rng, number)]
    return "\n".join(parts) + "\n"


def _dim(rng: random.Random) -> str:
    return rng.choice(NAMES)


def _function(rng: random.Random, number: int) -> str:
    rows, cols = _dim(rng), _dim(rng)
    body = _statements(rng, "    ", rng.randrange(2, 9))
    kind = f"pl.Tensor[[{rows}, {cols}], pl.FP32]"
    return f"@pl.function\ndef kernel_{number}(x: {kind}) -> {kind}:\n    v0 = pl.neg(x)\n{body}    return v0"


def _entry(rng: random.Random, number: int) -> str:
    rows, cols = _dim(rng), _dim(rng)
    kind = f"pl.Tensor[[{rows}, {cols}], pl.FP32]"
    body = _statements(rng, "        ", rng.randrange(2, 7))
    helper = f"@pl.jit.inline\ndef helper_{number}(v: {kind}):\n    w = pl.mul(v, 2.0)\n    return w\n\n\n"
    return (
        f"{helper}@pl.jit\ndef entry_{number}(x: {kind}, out: pl.Out[{kind}]):\n    with pl.at(level=pl.Level.CORE_GROUP):\n"
        f"        v0 = helper_{number}(x)\n{body}        out[:] = v0\n    return out"
    )


def _program(rng: random.Random, number: int) -> str:
    rows, cols = _dim(rng), _dim(rng)
    kind = f"pl.Tensor[[{rows}, {cols}], pl.{rng.choice(('FP32', 'BF16', 'FP16'))}]"
    return (
        f"@pl.program\nclass Program{number}:\n    @pl.function(type=pl.FunctionType.InCore)\n"
        f"    def move(self, x: {kind}, o: pl.Out[{kind}]) -> {kind}:\n"
        f"        for i in pl.range({rng.choice((2, 4))}):\n            t = pl.load(x, [0, i * CHUNK], [{rows}, CHUNK])\n"
        f"            u = pl.{rng.choice(('exp', 'neg', 'abs'))}(t)\n            o = pl.store(u, [0, i * CHUNK], o)\n        return o"
    )


def _statements(rng: random.Random, margin: str, count: int) -> str:
    """Statements that compute ``v1``, ``v2``, ... of ``x`` and what is before them."""
    lines = []
    for number in range(1, count):
        one, other = (rng.choice(["x", *(f"v{n}" for n in range(number))]) for _ in range(2))
        value = rng.choice(
            (
                f"pl.{rng.choice(('add', 'sub', 'mul'))}({one}, {other})",
                f"pl.{rng.choice(('exp', 'neg', 'abs', 'sqrt'))}({one})",
                f"pl.mul({one}, {rng.choice(('2.0', 'HALF', 'DEPTH', '3'))})",
                f"pl.slice({one}, [CHUNK, CHUNK], [0, 0])",
                f"pl.cast({one}, pl.{rng.choice(('BF16', 'FP16', 'FP32'))})",
            )
        )
        lines.append(f"{margin}v{number} = {value}\n")
        if rng.random() < 0.2:
            lines.append(f"{margin}for i_{number} in pl.range({_dim(rng)}):\n{margin}    w_{number} = pl.exp({one})\n")
    return "".join(lines)
