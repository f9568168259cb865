"""Random programs: what the evaluator says it knows is what Python computes, whatever the unknown parts give."""

from __future__ import annotations

import random
from typing import Any

import pytest
from static_workspace import module, plain

from pypto_lsp.frontend.values import OpaqueValue, Sequence

NAMES = ("a", "b", "c", "d", "e")
LISTS = ("p", "q")
ROUNDS = 6


class Writer:
    """Writes a random program over a few int variables, two lists, a dict and an object; ``torch`` is the unknown part."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.functions: list[str] = []

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def expression(self, depth: int = 0) -> str:
        r = self.random.random()
        if depth > 2 or r < 0.3:
            return str(self.random.randint(0, 9))
        if r < 0.6:
            return self.random.choice(NAMES)
        if r < 0.65:
            return self.pick("torch.n()", "torch.n()", "torch.r()")
        if r < 0.7:
            return f"len({self.random.choice(LISTS)})"
        if r < 0.74:
            return f"sum({self.random.choice(LISTS)})"
        if r < 0.78:
            return self.pick("o.x", "o.y", "m.get('k', 3)", "o.both")
        if r < 0.82 and self.functions:
            return f"{self.random.choice(self.functions)}({self.expression(depth + 1)})"
        if r < 0.86:
            return f"({self.expression(depth + 1)} if {self.test()} else {self.expression(depth + 1)})"
        return f"({self.expression(depth + 1)} {self.pick('+', '-', '*')} {self.expression(depth + 1)})"

    def test(self) -> str:
        r = self.random.random()
        if r < 0.3:
            return "torch.f()"
        if r < 0.45:
            return f"{self.test()} {self.pick('and', 'or')} {self.test()}"
        if r < 0.5:
            return f"not {self.test()}"
        if r < 0.55:
            return f"{self.expression(2)} in {self.random.choice(LISTS)}"
        return f"{self.expression(2)} {self.pick('<', '==', '!=', '>=')} {self.expression(2)}"

    def body(self, indent: str, depth: int, loop: bool, function: bool) -> str:
        return "".join(self.statement(indent, depth, loop, function) for _ in range(self.random.randint(1, 3)))

    def statement(self, indent: str, depth: int, loop: bool, function: bool) -> str:
        r = self.random.random()
        inner = indent + "    "
        if depth < 3 and r < 0.5:
            return self.compound(indent, inner, depth, loop, function)
        if loop and r < 0.56:
            return f"{indent}if {self.test()}:\n{inner}{self.pick('break', 'continue')}\n"
        if function and r < 0.6:
            return f"{indent}return {self.expression()}\n"
        return indent + self.simple() + "\n"

    def simple(self) -> str:
        name, which = self.random.choice(NAMES), self.random.choice(LISTS)
        return self.pick(
            f"{name} = {self.expression()}",
            f"{name} = {self.expression()}",
            f"{name} += {self.expression()}",
            f"{name}, {self.random.choice(NAMES)} = {self.expression()}, {self.expression()}",
            f"{which}.append({self.expression()})",
            f"{which} = [{self.expression()}, {self.expression()}]",
            f"{which} = [v + {self.expression(2)} for v in {self.random.choice(LISTS)} if {self.pick('v > 3', 'torch.f()')}]",
            f"{which} += [{self.expression()}]",
            "p = q",
            f"m['k'] = {self.expression()}",
            f"o.x = {self.expression()}",
            f"o.y += {self.expression()}",
            "o = copy_of(o)",
            f"del m['{self.pick('k', 'z')}']",
            f"{which}[0] = {self.expression()}",
            f"{name} = {which}[{self.pick('0', '-1', '7')}]",
        )

    def compound(self, indent: str, inner: str, depth: int, loop: bool, function: bool) -> str:
        def block(in_loop: bool) -> str:
            return self.body(inner, depth + 1, in_loop, function)

        r = self.random.random()
        if r < 0.4:
            text = f"{indent}if {self.test()}:\n{block(loop)}"
            return text + (f"{indent}else:\n{block(loop)}" if self.random.random() < 0.5 else "")
        if r < 0.7:
            source = self.pick("range(3)", "(1, 5, 2)", "list(p)", "torch.items()")
            text = f"{indent}for {self.random.choice(NAMES)} in {source}:\n{block(True)}"
            return text + (f"{indent}else:\n{block(loop)}" if self.random.random() < 0.2 else "")
        if r < 0.8:
            return f"{indent}w = 0\n{indent}while w < {self.pick('3', 'torch.n()')}:\n{inner}w += 1\n{block(True)}"
        handler = self.pick("except Exception:", "except IndexError:", "except (KeyError, IndexError, ValueError):")
        text = f"{indent}try:\n{block(loop)}{indent}{handler}\n{block(loop)}"
        return text + (f"{indent}else:\n{block(loop)}" if self.random.random() < 0.3 else "")

    def function(self, name: str) -> str:
        head = f"def {name}(a):\n    b = c = 1\n"
        if self.random.random() < 0.4:
            head += f"    global {self.pick('e', 'p')}\n"
        body = self.body("    ", 1, False, True).replace("o = copy_of(o)", "pass")
        # names of lists and of the dict are global here unless they are assigned: read only what is bound
        body = (
            body.replace("p = q", "pass").replace("q = [", "r = [").replace("p = [", "r = [").replace("q += ", "r = ")
        )
        body = body.replace("p += ", "r = ")
        self.functions.append(name)
        return head + body + f"    return {self.expression(2)}\n"

    def program(self) -> str:
        text = HEAD
        for index in range(8):
            if index in (1, 4):
                text += self.function(f"f{index}")
            text += self.statement("", 0, False, False)
        return text


HEAD = """
a, b, c, d, e = 1, 2, 3, 4, 5
p = [1, 2]
q = [3]
m = {"k": 1, "z": 2}
class O:
    def __init__(self, x):
        self.x = x
        self.y = x + 1
    @property
    def both(self):
        return self.x + self.y
o = O(4)
def copy_of(v):
    return O(v.x)
"""


class Torch:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def f(self) -> bool:
        return self.random.random() < 0.5

    def n(self) -> int:
        return self.random.randint(0, 3)

    def r(self) -> int:
        if self.random.random() < 0.3:
            raise ValueError
        return 5

    def items(self) -> list[int]:
        return [self.random.randint(0, 4) for _ in range(self.random.randint(0, 3))]


def python_values(text: str, seed: int) -> dict[str, Any] | None:
    """What Python computes, None when the program fails."""
    names: dict[str, Any] = {"torch": Torch(seed)}
    try:
        exec(compile(text, "program", "exec"), names)
    except Exception:
        return None
    names["o"] = {"x": names["o"].x, "y": names["o"].y}
    return names


def differences(text: str) -> list[str]:
    env = module("import torch\n" + text)
    known: dict[str, Any] = {}
    for name in (*NAMES, *LISTS, "m", "o"):
        value = env.lookup(name)
        if name == "o":
            known[name] = None if isinstance(value, OpaqueValue) else dict(value.fields)
        elif not isinstance(value, OpaqueValue):
            known[name] = value.items if isinstance(value, Sequence) else plain(value)
    found: list[str] = []
    for seed in range(ROUNDS):
        actual = python_values(text, seed)
        if actual is None:
            continue
        for name, value in known.items():
            found += [f"{name}: {value!r}, Python {actual[name]!r}"] if not agrees(value, actual[name]) else []
    return found


def agrees(value: Any, actual: Any) -> bool:
    if value is None or isinstance(value, OpaqueValue):
        return True
    if isinstance(value, tuple) and isinstance(actual, list):
        return len(value) == len(actual) and all(map(agrees, value, actual))
    if isinstance(value, dict):
        return set(value) == set(actual) and all(agrees(item, actual[key]) for key, item in value.items())
    return bool(value == actual)


@pytest.mark.parametrize("chunk", range(4))
def test_known_values_are_right(chunk: int) -> None:
    for seed in range(chunk * 30, chunk * 30 + 30):
        text = Writer(seed).program()
        assert differences(text) == [], f"seed {seed}\n{text}"


def test_the_test_can_fail() -> None:
    assert python_values("a = torch.n()\n" + HEAD, 0) is not None
    counted = sum(python_values(Writer(seed).program(), 1) is not None for seed in range(60))
    assert counted > 15
