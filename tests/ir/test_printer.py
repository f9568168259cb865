"""Printing programs and reading them again; structural equality."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pypto_lsp import verification
from pypto_lsp.ir.printer import print_program
from pypto_lsp.ir.structural import difference, structural_equal

DUMPS = Path(__file__).parent.parent / "conformance" / "dumps"
FILES = sorted(DUMPS.glob("*/[0-9]*.py"))
#: a comment in the compiler's print that stands for no statement
COMMENT = re.compile(r"^ +# pld\.comm_domain: .*\n", re.MULTILINE)

PROGRAM = """# pypto.program: P
import pypto.language as pl

N = pl.dynamic("N")

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)
    def k(x: pl.Tensor[[N, 128], pl.FP32], n: pl.Scalar[pl.INT32], o: pl.InOut[pl.Tensor[[N, 128], pl.FP32]]) -> \
pl.Tensor[[N, 128], pl.FP32]:
        i: pl.Scalar[pl.INDEX] = 0
        for (c,) in pl.while_(init_values=(i,)):
            pl.cond(c < 4)
            t: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [c * 16, 0], [16, 128], [16, 128], \
target_memory=pl.Mem.Vec)
            e: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.tile.muls(t, 0.5)
            o1: pl.Tensor[[N, 128], pl.FP32] = pl.tile.store(e, [(c + 1) * 2 - 2, 0], o)
            r: pl.Scalar[pl.INDEX] = pl.yield_(c + 1)
        if n > pl.const(3, pl.INT32):
            pl.system.fence()
        else:
            pl.system.fence()
        return o
"""


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_compilers_prints_come_back_as_they_are(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    program = verification.parse(text, path.name)
    printed = print_program(program)
    assert printed.strip() == COMMENT.sub("", text).strip()
    assert difference(program, verification.parse(printed, path.name), names=True) is None


@pytest.mark.parametrize("path", sorted(DUMPS.glob("*/kernel.py")), ids=lambda path: path.parent.name)
def test_sources_can_be_printed_and_read(path: Path) -> None:
    program = verification.parse(path.read_text(encoding="utf-8"), path.name)
    printed = print_program(program)
    assert print_program(verification.parse(printed, path.name)) == printed


def test_statements_that_the_dumps_do_not_hold() -> None:
    assert print_program(verification.parse(PROGRAM)) == PROGRAM


def test_variables_of_one_name_are_told_apart() -> None:
    source = """import pypto.language as pl


@pl.jit
def twice(x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        y = pl.exp(x)
        y = pl.cast(y, target_type=pl.BF16)
        o[:] = pl.cast(y, target_type=pl.FP32)
    return o
"""
    printed = print_program(verification.parse(source))
    assert "y: pl.Tensor[[64, 128], pl.FP32] = pl.tensor.exp(x)" in printed
    assert "y_1: pl.Tensor[[64, 128], pl.BF16] = pl.tensor.cast(y" in printed


def _equal(old: str, new: str) -> bool:
    assert PROGRAM.count(old)
    return structural_equal(verification.parse(PROGRAM), verification.parse(PROGRAM.replace(old, new)))


def test_names_of_variables_count_only_when_asked_for() -> None:
    renamed = PROGRAM.replace("            e: ", "            f: ").replace("store(e", "store(f")
    one, other = verification.parse(PROGRAM), verification.parse(renamed)
    assert structural_equal(one, other)
    assert not structural_equal(one, other, names=True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("muls(t, 0.5)", "muls(t, 0.25)"),
        ("pl.tile.muls(t", "pl.tile.adds(t"),
        ("c * 16", "c * 8"),
        ("pl.InOut[", "pl.Out["),
        ("FunctionType.InCore, level=pl.Level.CHIP_DIE", "FunctionType.AIV, level=pl.Level.AIV"),
        ("pl.yield_(c + 1)", "pl.yield_(c + 2)"),
        ("n > pl", "n >= pl"),
        ("def k", "def l"),
    ],
)
def test_differences_are_seen(old: str, new: str) -> None:
    assert not _equal(old, new)


def test_the_first_difference_is_named() -> None:
    found = difference(verification.parse(PROGRAM), verification.parse(PROGRAM.replace("0.5", "0.25")))
    assert found is not None
    assert (found.left, found.right) == (0.5, 0.25)
    assert found.where.startswith(".functions['k'].body[1].body[1].value.args[1]")
