"""A lowering that starts from the last one gives what a fresh one gives, and lowers only what changed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pypto_lsp.frontend.lowering_memo import LoweringMemo
from pypto_lsp.frontend.model import ModuleLowering
from pypto_lsp.frontend.static import ModuleEnvironment, ModuleLoader
from pypto_lsp.frontend.units import lower_module, lowering_steps
from pypto_lsp.ir.nodes import Function
from pypto_lsp.ir.printer_types import print_type
from pypto_lsp.ir.types import TensorType, origin_of
from pypto_lsp.syntax import SyntaxTree, parse
from pypto_lsp.text import Source

PATH = "/w/kernel.py"
HELPERS = "SCALE = 2\n\n\ndef half(v):\n    return v // SCALE\n"
TEXT = """import pypto.language as pl
from helpers import half

ROWS = 64
COLS = half(ROWS) * 2


@pl.jit.inline
def part(a: pl.Tensor[[ROWS, COLS], pl.FP32]):
    b = pl.exp(a)
    return b


@pl.jit
def first(x: pl.Tensor[[ROWS, COLS], pl.FP32], o: pl.Out[pl.Tensor[[ROWS, COLS], pl.FP32]]):
    y = part(x)
    with pl.at(level=pl.Level.CORE_GROUP):
        o = pl.assemble(o, y, [0, 0])
    return o


@pl.jit
def second(x: pl.Tensor[[ROWS, COLS], pl.FP32], o: pl.Out[pl.Tensor[[ROWS, COLS], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        o = pl.assemble(o, pl.mul(x, 2.0), [0, 0])
    return o


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, a: pl.Tensor[[ROWS, COLS], pl.FP32], o: pl.Out[pl.Tensor[[ROWS, COLS], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        t = pl.load(a, [0, 0], [ROWS, COLS])
        o = pl.store(t, [0, 0], o)
        return o

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, a: pl.Tensor[[ROWS, COLS], pl.FP32], o: pl.Out[pl.Tensor[[ROWS, COLS], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        o = self.k(a, o)
        return o
"""


class Session:
    """A file that is edited, with its memo."""

    def __init__(self, text: str, others: dict[str, str] | None = None) -> None:
        self.trees: dict[str, SyntaxTree] = {p: parse(Source(p, t)) for p, t in (others or {}).items()}
        self.trees[PATH] = parse(Source(PATH, text))
        self.loader = ModuleLoader(lambda path: self.trees.get(path), ["/w"])
        self.memo = LoweringMemo()

    @property
    def text(self) -> str:
        return self.trees[PATH].source.text

    def edit(self, start: int, old_end: int, new: str) -> None:
        text = self.text[:start] + new + self.text[old_end:]
        self.trees[PATH] = self.trees[PATH].edited(text, start, old_end, start + len(new))

    def replace(self, old: str, new: str) -> None:
        at = self.text.index(old)
        self.edit(at, at + len(old), new)

    def environment(self) -> ModuleEnvironment:
        env = self.loader.load(PATH)
        assert env is not None
        return env

    def lower(self) -> ModuleLowering:
        return lower_module(self.environment(), self.memo)

    def function(self, name: str) -> Function:
        found = [unit.program.functions[name] for unit in self.lower().units if name in unit.program.functions]
        return found[0]

    def fresh(self) -> ModuleLowering:
        trees = {path: parse(Source(path, tree.source.text)) for path, tree in self.trees.items()}
        env = ModuleLoader(trees.get, ["/w"]).load(PATH)
        assert env is not None
        return lower_module(env)


def summary(module: ModuleLowering) -> object:
    """Everything of a lowering that a user can see."""
    units = []
    for unit in module.units:
        functions = [
            (f.name, f.func_type, [(v.name, print_type(v.type)) for v in f.params], len(f.body or ()), f.complete)
            for f in unit.program.functions.values()
        ]
        bindings = [(b.name, print_type(b.type), b.span.position(), b.kernel, b.kind) for b in unit.bindings]
        findings = [(d.rule_name, d.error_code, d.message, d.span.position()) for d in unit.diagnostics]
        units.append((unit.name, unit.kind, unit.standalone, unit.span.position(), functions, bindings, findings))
    return units, [(d.rule_name, d.message, d.span.position()) for d in module.diagnostics]


def session() -> Session:
    return Session(TEXT, {"/w/helpers.py": HELPERS})


def test_kernels_that_did_not_change_are_not_lowered_again() -> None:
    edited = session()
    names = ("part", "first", "second", "k", "main")
    before = {name: edited.function(name) for name in names}
    edited.replace("pl.mul(x, 2.0)", "pl.mul(x, 3.0)")
    assert [name for name in names if edited.function(name) is not before[name]] == ["second"]


def test_text_above_moves_results_but_does_not_make_them_anew() -> None:
    edited = session()
    before = edited.function("second")
    edited.replace("ROWS = 64\n", "ROWS = 64\n# a comment\n\n")
    after = edited.function("second")
    assert after is before
    assert after.name_span is not None and after.name_span.line == TEXT[: TEXT.index("def second")].count("\n") + 3


def test_a_broken_head_leaves_the_other_kernels_as_they_were() -> None:
    edited = session()
    before = {name: edited.function(name) for name in ("second", "k", "main")}
    edited.replace("def first(", "def first(;")
    assert all(edited.function(name) is function for name, function in before.items())
    edited.replace("def first(;", "def first(")
    assert all(edited.function(name) is function for name, function in before.items())
    assert summary(edited.lower()) == summary(edited.fresh())


def test_statements_are_known_again_when_a_broken_head_is_whole() -> None:
    edited = session()
    before = edited.function("first").body
    for old, new in (("def first(", "def first(;"), ("(;", "(;;"), ("(;;", "(")):
        edited.replace(old, new)
        edited.lower()
    assert before is not None
    after = edited.function("first").body
    assert after is not None and [id(stmt) for stmt in after] == [id(stmt) for stmt in before]


def test_a_message_proposes_no_name_that_is_gone() -> None:
    text = TEXT.replace("def k(", "def kernel(").replace("self.k(a, o)", "self.kernal(a, o)")
    edited = Session(text.replace("pl.mul(x, 2.0)", "pl.mul(x, ROWZ)"), {"/w/helpers.py": HELPERS})
    told = str(summary(edited.lower()))
    assert "did you mean kernel?" in told and "did you mean ROWS?" in told
    edited.replace("def kernel(", "def other(")
    edited.edit(*(edited.text.index("ROWS = 64") + at for at in (0, 4)), "LINES")
    assert summary(edited.lower()) == summary(edited.fresh())


def test_annotations_of_a_lowering_that_was_given_up_tell_of_their_own_places() -> None:
    edited = session()
    edited.lower()
    edited.replace("def second(x", "def second(#x")
    steps = lowering_steps(edited.environment(), edited.memo)
    for _ in range(5):
        next(steps)
    steps.close()
    edited.replace("def second(#x", "def second(x")
    first = edited.function("second").params[1].type
    assert isinstance(first, TensorType) and first.shape is not None
    origin = origin_of(first.shape[0])
    assert origin is not None and origin.span.anchor.alive


def test_a_caller_is_lowered_again_only_when_the_interface_of_its_callee_changed() -> None:
    edited = session()
    before = edited.function("first")
    edited.replace("b = pl.exp(a)", "b = pl.neg(a)")
    assert edited.function("first") is before
    edited.replace("    return b", "    return b, b")
    assert edited.function("first") is not before
    assert summary(edited.lower()) == summary(edited.fresh())


def test_a_constant_that_changes_makes_everything_anew() -> None:
    edited = session()
    before = edited.function("second")
    edited.replace("ROWS = 64", "ROWS = 32")
    after = edited.function("second")
    assert after is not before and print_type(after.params[0].type) == "pl.Tensor[[32, 32], pl.FP32]"


def test_another_file_that_changes_makes_everything_anew() -> None:
    edited = session()
    edited.lower()
    edited.trees["/w/helpers.py"] = edited.trees["/w/helpers.py"].replaced(HELPERS.replace("SCALE = 2", "SCALE = 4"))
    assert print_type(edited.function("second").params[0].type) == "pl.Tensor[[64, 32], pl.FP32]"


def test_a_constant_of_the_class_counts_for_its_methods() -> None:
    text = TEXT.replace("class P:\n", "class P:\n    auto = True\n\n").replace(
        "pl.FunctionType.InCore)", 'pl.FunctionType.InCore, attrs={"tag": auto})'
    )
    edited = Session(text, {"/w/helpers.py": HELPERS})
    assert edited.function("k").attrs["tag"] is True
    edited.replace("auto = True", "auto = False")
    assert edited.function("k").attrs["tag"] is False


@pytest.mark.parametrize("seed", range(6))
def test_random_edits_equal_a_fresh_lowering(seed: int) -> None:
    chance = random.Random(seed)
    edited = session()
    edited.lower()
    pieces = ["x", "64", ")", "\n", "    ", "pl.exp", "self.k", "ROWS", "# note\n", "return", ":", "part(x)", "[0, 0]"]
    for _ in range(12):
        at = chance.randrange(len(edited.text))
        if chance.random() < 0.5:
            edited.edit(at, min(len(edited.text), at + chance.randrange(1, 12)), "")
        else:
            edited.edit(at, at, chance.choice(pieces))
        assert summary(edited.lower()) == summary(edited.fresh()), edited.text


CASES = Path(__file__).parent.parent / "conformance" / "valid"


@pytest.mark.parametrize(
    "name", ["deco/jit_host_ring.py", "deco/program_levels.py", "deco/host_two_windows.py", "deco/inline_capture.py"]
)
def test_edits_of_real_files_equal_a_fresh_lowering(name: str) -> None:
    edited = Session((CASES / name).read_text(encoding="utf-8"))
    edited.lower()
    chance = random.Random(7)
    lines = edited.text.split("\n")
    for _ in range(8):
        line = chance.choice([text for text in lines if text.strip()])
        edited.replace(line, line + chance.choice(["", "  # why", "\n"]))
        edited.replace(line, line.replace("2", "3"))
        assert summary(edited.lower()) == summary(edited.fresh())
        edited.replace(line.replace("2", "3"), line)
