"""Where a value came from: the literal, the constant and the inputs, with their spans."""

from __future__ import annotations

from static_workspace import Files, module

from pypto_lsp.frontend.static import ModuleEnvironment, evaluate
from pypto_lsp.ir.types import Extent, Origin, origin_of
from pypto_lsp.syntax import nodes as syntax


def origin(env: ModuleEnvironment, name: str) -> Origin:
    value = env.lookup(name)
    assert isinstance(value, Extent), value
    return value.origin


def described(found: Origin) -> tuple[str, str | None, bool]:
    return (found.span.text, found.name, found.literal)


def test_literal() -> None:
    env = module("\nN = 64\n")
    found = origin(env, "N")
    assert described(found) == ("64", "N", True)
    assert found.span.position() == (2, 5, 2, 7)


def test_negative_literal() -> None:
    assert described(origin(module("N = -5"), "N")) == ("-5", "N", True)


def test_arithmetic_keeps_its_inputs() -> None:
    env = module("N = 64\nK = N * 2 + 1\n")
    found = origin(env, "K")
    assert described(found) == ("N * 2 + 1", "K", False)
    assert [described(each) for each in found.literals()] == [("64", "N", True), ("2", None, True), ("1", None, True)]


def test_alias_points_at_the_constant() -> None:
    assert described(origin(module("N = 64\nK = N\n"), "K")) == ("64", "N", True)


def test_across_files() -> None:
    env = module("from config import N as K\nX = K // 2\n", config="\n\nN = 64\n")
    found = origin(env, "K")
    assert described(found) == ("64", "N", True)
    assert found.span.path == "/w/config.py"
    assert found.span.line == 3
    (literal, _) = origin(env, "X").literals()
    assert literal.span.path == "/w/config.py"


CONFIG = """
from dataclasses import dataclass, replace
@dataclass(frozen=True)
class C:
    n: int = 4
    m: int = 8
    @property
    def both(self):
        return self.n * self.m
A = C(n=16)
B = replace(A, m=32)
"""


def test_fields_point_at_default_keyword_and_replacement() -> None:
    env = module(f"{CONFIG}\nN, M, R, P = A.n, A.m, B.m, B.both\n")
    assert described(origin(env, "N")) == ("16", "n", True)
    assert described(origin(env, "M")) == ("8", "m", True)
    assert described(origin(env, "R")) == ("32", "m", True)
    assert [described(each) for each in origin(env, "P").literals()] == [("16", "n", True), ("32", "m", True)]


def test_positional_argument_takes_the_field_name() -> None:
    assert described(origin(module(f"{CONFIG}\nN = C(7).n\n"), "N")) == ("7", "n", True)


def test_function_result() -> None:
    env = module("def up(v, to=16):\n    return (v + to - 1) // to * to\nN = up(5)\n")
    found = origin(env, "N")
    assert described(found)[1:] == ("N", False)
    assert "5" in [each.span.text for each in found.literals()]


def test_builtins_have_the_place_of_the_binding() -> None:
    assert described(origin(module("N = len('abc')\n"), "N")) == ("len('abc')", "N", False)


def test_min_of_literals() -> None:
    assert described(origin(module("N = min(64, 128)\n"), "N")) == ("64", "N", True)


def test_loop_variable_points_into_the_list() -> None:
    env = module("for t in (512, 384, 256):\n    if 768 % t == 0:\n        N = t\n        break\n")
    assert described(origin(env, "N")) == ("384", "N", True)


def test_origins_do_not_double_for_ever() -> None:
    env = module("X = 3\nfor i in range(60):\n    X = X + X\n")
    value = env.lookup("X")
    assert value == 3 * 2**60
    assert len(value.origin.literals()) <= 32


def test_definition_spans() -> None:
    env = module("import os as system\nA, B = 1, 2\ndef f(): pass\nclass C: pass\nfor i in (1,): pass\nA = 3\n")
    spans = {name: env.definition(name) for name in ("system", "A", "B", "f", "C", "i", "nothing")}
    texts = {name: span and (span.text, span.line) for name, span in spans.items()}
    assert texts["A"] == ("A", 6)
    assert texts["B"] == ("B", 2)
    assert texts["f"] == ("f", 3)
    assert texts["C"] == ("C", 4)
    assert texts["i"] == ("i", 5)
    assert texts["system"] is not None
    assert texts["system"][1] == 1
    assert texts["nothing"] is None


def test_spans_move_with_the_text() -> None:
    files = Files({"main.py": "A = 1\nN = 64\n"})
    found = origin(files.load("main.py"), "N")
    files.write("main.py", "A = 1\nB = 2\nN = 64\n")
    assert origin(files.load("main.py"), "N").span.line == 3
    assert found.span.text == "64"


def test_evaluate_gives_literals_their_own_place() -> None:
    env = module("X = [1, 2 + 3]\n")
    statement = env.tree.body[0]
    assert isinstance(statement, syntax.Assign)
    assert isinstance(statement.value, syntax.List)
    one, five = (evaluate(node, env) for node in statement.value.elts)
    assert (one, five) == (1, 5)
    assert described(one.origin) == ("1", None, True)
    assert [each.span.text for each in five.origin.literals()] == ["2", "3"]
    assert origin_of(True) is None


def test_names_as_they_were_at_a_definition() -> None:
    env = module("T = 4\ndef f(): pass\nT = 8\ndef g(): pass\nU = 1\n")
    f, g = env.tree.body[1], env.tree.body[3]
    assert env.lookup("T") == 8
    assert env.at(f).lookup("T") == 4
    assert env.at(g).lookup("T") == 8
    assert env.at(f).lookup("U") == 1
