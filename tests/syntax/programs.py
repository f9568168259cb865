"""Random valid Python programs, with all the layout that the grammar allows."""

from __future__ import annotations

import random
from collections.abc import Callable

NAMES = ("a", "b", "pl", "x_1", "größe", "self", "M", "type", "match")


class Programs:
    """A generator of programs; equal seeds give equal programs."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.brackets = 0

    def pick(self, *choices: Callable[[int], str]) -> Callable[[int], str]:
        return self.random.choice(choices)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    # layout

    def gap(self) -> str:
        """Blank space between tokens: inside brackets also line ends and comments."""
        kinds = [" "] * 8 + ["  ", "\t", " \\\n "]
        if self.brackets:
            kinds += ["\n", "\n  ", "  # (note\n   ", "\n\n# [1\n"]
        return self.random.choice(kinds)

    def maybe(self) -> str:
        return self.gap() if self.chance(0.2) else ""

    def within(self, opener: str, content: Callable[[], str], closer: str) -> str:
        self.brackets += 1
        text = opener + self.maybe() + content() + self.maybe() + closer
        self.brackets -= 1
        return text

    def listed(self, count: int, item: Callable[[], str], trailing: bool = True) -> str:
        text = (self.maybe() + "," + self.gap()).join(item() for _ in range(count))
        return text + ("," if trailing and count and self.chance(0.3) else "")

    # expressions

    def name(self) -> str:
        return self.random.choice(NAMES)

    def expression(self, depth: int = 3) -> str:
        if depth == 0:
            return self.atom(0)
        kind = self.pick(
            self.atom,
            self.atom,
            self.binary,
            self.unary,
            self.boolean,
            self.compare,
            self.conditional,
            self.call,
            self.subscript,
            self.attribute,
            self.display,
            self.comprehension,
            self.function,
            self.walrus,
            self.formatted,
        )
        text = kind(depth - 1)
        return self.parenthesised(text) if self.chance(0.15) else text

    def parenthesised(self, text: str) -> str:
        self.brackets += 1
        result = "(" + self.maybe() + text + self.maybe() + ")"
        self.brackets -= 1
        return result

    def operand(self, depth: int) -> str:
        """An expression that any operator can take."""
        return self.within("(", lambda: self.expression(depth), ")") if self.chance(0.7) else self.atom(depth)

    def atom(self, depth: int) -> str:
        return self.random.choice(
            [
                self.name(),
                self.name(),
                self.random.choice(["0", "17", "0x_fF", "1_000", "0b11", "0o17", "00"]),
                self.random.choice(["1.5", "1e-3", ".5", "2.", "1_0.5", "3j", "1e3J"]),
                self.random.choice(["True", "False", "None", "..."]),
                self.string(),
            ]
        )

    def string(self) -> str:
        one = [
            '"text"',
            "'a # b'",
            '"(["',
            r"'it\'s'",
            r'r"\d"',
            'b"bytes"',
            '"""long\n  "quoted" (\n"""',
            "'''\n'''",
            '"é😀"',
            r'"\x41\n"',
            'u"u"',
            '"\\\n"',
        ]
        first = self.random.choice(one)
        if self.chance(0.2):
            more = [text for text in one if text.startswith("b") == first.startswith("b")]
            return first + " " + self.random.choice(more)
        return first

    def formatted(self, depth: int) -> str:
        field = self.random.choice(["{a}", "{a!r}", "{a:>{b}}", "{{}}", "{a.b['k']}", "{a=}", "{a + 1 = }", "{a:.2f}"])
        return self.random.choice(['f"x ' + field + ' y"', 'f"' + field + '" "z"', '"z" rf"\\d' + field + '"', 'f""'])

    def binary(self, depth: int) -> str:
        op = self.random.choice(["+", "-", "*", "/", "//", "%", "**", "<<", ">>", "|", "&", "^", "@"])
        return self.operand(depth) + self.gap() + op + self.gap() + self.operand(depth)

    def unary(self, depth: int) -> str:
        return self.random.choice(["-", "+", "~", "not "]) + self.operand(depth)

    def boolean(self, depth: int) -> str:
        count = self.random.randint(2, 4)
        parts = [self.operand(depth) for _ in range(count)]
        text = parts[0]
        for part in parts[1:]:
            text += self.gap() + self.random.choice(["and", "and", "or"]) + self.gap() + part
        return text

    def compare(self, depth: int) -> str:
        text = self.operand(depth)
        for _ in range(self.random.randint(1, 3)):
            op = self.random.choice(["<", ">", "==", "<=", ">=", "!=", "in", "not in", "is", "is not", "not  in"])
            text += self.gap() + op + self.gap() + self.operand(depth)
        return text

    def conditional(self, depth: int) -> str:
        parts = [self.operand(depth) for _ in range(3)]
        return f"{parts[0]}{self.gap()}if{self.gap()}{parts[1]}{self.gap()}else{self.gap()}{parts[2]}"

    def call(self, depth: int) -> str:
        if self.chance(0.15):
            return self.name() + self.within("(", lambda: self.clauses(self.operand(depth), depth), ")")

        def arguments() -> str:
            items = [self.expression(depth) for _ in range(self.random.randint(0, 2))]
            if self.chance(0.2):
                items.append("*" + self.operand(depth))
            items += [f"k{n}={self.maybe()}{self.expression(depth)}" for n in range(self.random.randint(0, 2))]
            if self.chance(0.2):
                items.append("**" + self.operand(depth))
            text = (self.maybe() + "," + self.gap()).join(items)
            return text + ("," if items and self.chance(0.3) else "")

        return self.random.choice([self.name(), "pl.add", self.operand(depth)]) + self.within("(", arguments, ")")

    def index(self, depth: int) -> str:
        part = lambda: self.operand(depth) if self.chance(0.5) else ""  # noqa: E731
        kind = self.random.randint(0, 4)
        if kind == 0:
            return part() + self.maybe() + ":" + self.maybe() + part()
        if kind == 1:
            return part() + ":" + self.maybe() + part() + self.maybe() + ":" + part()
        return self.expression(depth)

    def subscript(self, depth: int) -> str:
        count = self.random.choice([1, 1, 1, 2, 3])
        return self.name() + self.within("[", lambda: self.listed(count, lambda: self.index(depth)), "]")

    def attribute(self, depth: int) -> str:
        base = self.random.choice([self.name(), self.parenthesised(self.expression(depth)), '"s"', "a.b"])
        return base + self.random.choice([".", ". ", " ."]) + self.name()

    def display(self, depth: int) -> str:
        count = self.random.randint(0, 3)
        item = lambda: ("*" + self.operand(depth)) if self.chance(0.15) else self.expression(depth)  # noqa: E731
        kind = self.random.randint(0, 3)
        if kind == 0:
            return self.within("[", lambda: self.listed(count, item), "]")
        if kind == 1:
            return self.within("(", lambda: item() + "," if count == 1 else self.listed(count, item), ")")
        if kind == 2:
            return self.within("{", lambda: self.listed(count + 1, item), "}")
        return self.within("{", lambda: self.listed(count, lambda: self.entry(depth)), "}")

    def entry(self, depth: int) -> str:
        if self.chance(0.15):
            return "**" + self.operand(depth)
        return self.expression(depth) + self.maybe() + ":" + self.gap() + self.expression(depth)

    def clauses(self, element: str, depth: int) -> str:
        text = element
        for _ in range(self.random.randint(1, 2)):
            text += f"{self.gap()}for{self.gap()}{self.target()}{self.gap()}in{self.gap()}{self.operand(depth)}"
            for _ in range(self.random.randint(0, 1)):
                text += f"{self.gap()}if{self.gap()}{self.operand(depth)}"
        return text

    def comprehension(self, depth: int) -> str:
        opener, closer = self.random.choice(["[]", "()", "{}"])
        return self.within(opener, lambda: self.clauses(self.operand(depth), depth), closer)

    def function(self, depth: int) -> str:
        params = self.random.choice(["", " a", " a, b=1", " *a, k=2, **b", " a, /, b", " *, k"])
        return self.parenthesised("lambda" + params + ":" + self.gap() + self.expression(depth))

    def walrus(self, depth: int) -> str:
        return self.parenthesised(self.random.choice("xyz") + " :=" + self.gap() + self.operand(depth))

    def target(self) -> str:
        return self.random.choice(["a", "b.c", "a[0]", "(a, b)", "a, b", "a, *b", "[a, (b, c)]", "a,"])

    # statements

    def simple(self) -> str:
        e = self.expression
        choices: list[Callable[[], str]] = [
            lambda: e(),
            lambda: f"{self.target()}{self.gap()}={self.gap()}{e()}",
            lambda: f"a = b.c = {e()}",
            lambda: f"a = {e(1)}, {e(1)}",
            lambda: f"a[0] {self.random.choice(['+=', '//=', '**=', '@=', '>>='])} {e()}",
            lambda: f"a: {e()} = {e()}",
            lambda: f"a.b: {e(1)}",
            lambda: self.random.choice(["return", f"return {e()}", f"return a, *{self.operand(1)}"]),
            lambda: self.random.choice(["pass", "raise", f"raise {e(1)} from {e(1)}"]),
            lambda: f"assert {e()}, {e(1)}",
            lambda: self.random.choice(["del a", "del a, b[0]", "del (a, b)"]),
            lambda: self.random.choice(["import a.b", "import a.b as c, d", "from . import a", "from ..a.b import *"]),
            lambda: self.random.choice(["from a import (b, c as d,)", "from a import b as c, d", "from ...a import b"]),
            lambda: f"x = yield {self.operand(1)}",
            lambda: f"await {self.operand(1)}",
        ]
        return self.random.choice(choices)()

    def line(self) -> str:
        text = "; ".join(self.simple() for _ in range(self.random.choice([1, 1, 1, 1, 2, 3])))
        return text + self.random.choice(["", "", "", ";", "  # note: (", " "])

    def block(self, indent: str, depth: int) -> str:
        if self.chance(0.15):
            return " " + self.line() + "\n"
        deeper = indent + self.random.choice(["    ", "  ", "\t", " "])
        text = self.random.choice(["\n", "  # note\n", " \n"])
        return text + self.statements(deeper, depth - 1)

    def statements(self, indent: str, depth: int) -> str:
        text = ""
        for _ in range(self.random.randint(1, 4)):
            text += self.random.choice(["", "", "", "\n", f"{indent}# note\n", "# margin\n", "   \n"])
            text += self.compound(indent, depth) if depth > 0 and self.chance(0.4) else indent + self.line() + "\n"
        return text

    def compound(self, indent: str, depth: int) -> str:
        block = lambda: self.block(indent, depth)  # noqa: E731
        e = self.expression
        kind = self.random.randint(0, 7)
        if kind == 0:
            text = f"{indent}if {e()}:{block()}"
            for _ in range(self.random.randint(0, 2)):
                text += f"{indent}elif {e()} :{block()}"
            return text + (f"{indent}else:{block()}" if self.chance(0.5) else "")
        if kind == 1:
            text = f"{indent}for {self.target()} in {e()}:{block()}"
            return text + (f"{indent}else :{block()}" if self.chance(0.3) else "")
        if kind == 2:
            return f"{indent}while {e()}:{block()}" + (f"{indent}else:{block()}" if self.chance(0.3) else "")
        if kind == 3:
            items = self.random.choice(
                [e(), f"{self.operand(1)} as a", f"a as b, {self.operand(1)} as (c, d)", "(a as b,)"]
            )
            return f"{indent}with {items}:{block()}"
        if kind == 4:
            text = f"{indent}try:{block()}"
            for _ in range(self.random.randint(1, 2)):
                text += f"{indent}except {self.name()}" + self.random.choice(["", " as e"]) + f":{block()}"
            if self.chance(0.3):
                text += f"{indent}else:{block()}"
            return text + (f"{indent}finally:{block()}" if self.chance(0.4) else "")
        if kind == 5:
            return self.decorators(indent) + f"{indent}class A{self.random.choice(['', '()', '(B, k=1)'])}:{block()}"
        if kind == 6:
            return f"{indent}match {self.name()}:\n{indent}  case [a, {{'k': b}}]:{self.block(indent + '  ', depth)}"
        return (
            self.decorators(indent) + f"{indent}{self.random.choice(['def', 'async def'])} f{self.params()}:{block()}"
        )

    def decorators(self, indent: str) -> str:
        text = ""
        for _ in range(self.random.choice([0, 0, 1, 2])):
            text += f"{indent}@{self.random.choice(['pl.jit', 'f(1)', self.operand(1)])}" + self.random.choice(
                ["", "  # note"]
            )
            text += "\n" + self.random.choice(["", "", f"{indent}# between\n"])
        return text

    def params(self) -> str:
        e = self.expression

        def content() -> str:
            items = [f"a: {e(1)}", "b"] if self.chance(0.5) else []
            if items and self.chance(0.3):
                items.append("/")
            items += [f"c: {e(1)} = {e(1)}"] if self.chance(0.5) else []
            items += [self.random.choice(["*d", "*", f"*d: {e(1)}"]), f"k={e(1)}"] if self.chance(0.3) else []
            items += ["**r"] if self.chance(0.3) else []
            return (self.maybe() + "," + self.gap()).join(items)

        return self.within("(", content, ")") + (f" -> {e(1)}" if self.chance(0.3) else "")

    def module(self) -> str:
        text = self.random.choice(["", "# top\n", '"""Doc."""\n']) + self.statements("", 3)
        if self.chance(0.2):
            text = text.replace("\n", "\r\n")
        return text.rstrip("\r\n") if self.chance(0.2) else text
