"""Structural equality and hash."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pypto_lsp.frontend.printed_ir import read_program
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import INDEX, INT64
from pypto_lsp.ir.enums import ForKind
from pypto_lsp.ir.printer import print_program
from pypto_lsp.ir.structural import structural_equal, structural_hash
from pypto_lsp.ir.types import ScalarType, TensorType

DUMPS = sorted((Path(__file__).parent.parent / "conformance" / "dumps").glob("*/[0-9][0-9]_*.py"))
SCALAR = ScalarType(INDEX)


def var(name: str = "x") -> ir.Var:
    return ir.Var(name, SCALAR)


def plus(a: ir.Var, b: ir.Var) -> ir.Expr:
    return ir.Binary("+", ir.Read(a), ir.Read(b), SCALAR)


def both(left: object, right: object, auto: bool) -> tuple[bool, bool]:
    equal = structural_equal(left, right, auto)
    return equal, structural_hash(left, auto) == structural_hash(right, auto)


@pytest.mark.parametrize("path", DUMPS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_programs_equal_and_hash_as_their_copies(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    program, again = read_program(text), read_program(text)
    assert both(program, again, True) == (True, True)
    for name, function in program.functions.items():
        assert both(function, again.functions[name], False) == (True, True)
    back = read_program(print_program(program))
    assert both(program, back, True) == (True, True)


def test_different_programs_have_different_hashes() -> None:
    programs = [read_program(path.read_text(encoding="utf-8")) for path in DUMPS[:40]]
    functions = [function for program in programs for function in program.functions.values()]
    for left in functions:
        for right in functions:
            if structural_equal(left, right):
                assert structural_hash(left, True) == structural_hash(right, True)
    hashes = {structural_hash(function, True) for function in functions}
    distinct: list[ir.Function] = []
    for function in functions:
        if not any(structural_equal(function, other) for other in distinct):
            distinct.append(function)
    assert len(hashes) == len(distinct)


def test_free_variables_need_auto_mapping() -> None:
    x, y, z = var(), var(), var()
    assert both(plus(x, x), plus(x, x), False) == (True, True)
    assert both(plus(x, x), plus(y, y), False)[0] is False
    assert both(plus(x, x), plus(y, y), True) == (True, True)
    assert both(plus(x, x), plus(y, z), True)[0] is False


def test_definitions_map_by_themselves() -> None:
    x, a, b = var("x"), var("a"), var("b")
    one = ir.Assign(a, plus(x, x))
    assert both(one, ir.Assign(b, plus(x, x)), False) == (True, True)
    assert structural_equal(one, ir.Assign(b, plus(b, b)), False) is False


def test_a_loop_defines_what_it_carries() -> None:
    def loop(n: ir.Var) -> ir.For:
        i, s, r = var("i"), var("s"), var("r")
        zero, one = ir.ConstInt(0, INDEX), ir.ConstInt(1, INDEX)
        body = (ir.Yield((plus(s, i),)),)
        return ir.For(i, zero, ir.Read(n), one, ForKind.SEQUENTIAL, body, (ir.IterArg(s, zero),), (r,))

    n = var("n")
    assert both(loop(n), loop(n), False) == (True, True)
    assert structural_equal(loop(n), loop(var("m")), False) is False


def test_types_and_constants() -> None:
    assert both(TensorType(INT64, (4, 8)), TensorType(INT64, (4, 8)), False) == (True, True)
    assert structural_equal(TensorType(INT64, (4, 8)), TensorType(INT64, (8, 4))) is False
    assert both(ir.ConstInt(1, INDEX), ir.ConstInt(1, INDEX, literal=False), False) == (True, True)
    assert structural_equal(ir.ConstInt(1, INDEX), ir.ConstInt(1, INT64)) is False


def test_names_count_when_asked_for() -> None:
    x = replace(ir.Assign(var("a"), plus(var("b"), var("b"))))
    y = ir.Assign(var("c"), plus(var("d"), var("d")))
    assert structural_equal(x, y)
    assert not structural_equal(x, y, names=True)
