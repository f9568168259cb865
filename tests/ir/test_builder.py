"""Building IR by hand."""

from __future__ import annotations

import pytest

from pypto_lsp.frontend.printed_ir import read_program
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.builder import IRBuilder
from pypto_lsp.ir.dtypes import BOOL, FP32, INDEX
from pypto_lsp.ir.printer import print_program
from pypto_lsp.ir.structural import difference
from pypto_lsp.ir.types import ScalarType
from pypto_lsp.ops.build import build_call

SCALAR = ScalarType(INDEX)


def plus(a: ir.Expr, b: ir.Expr) -> ir.Expr:
    def read(x: ir.Expr) -> ir.Expr:
        return ir.Read(x) if isinstance(x, ir.Var) else x

    return ir.Binary("+", read(a), read(b), SCALAR)


def less(a: ir.Var, b: ir.Var) -> ir.Expr:
    return ir.Binary("<", ir.Read(a), ir.Read(b), ScalarType(BOOL))


def summed() -> ir.Function:
    ib = IRBuilder()
    with ib.function("total", type="Orchestration", level="CHIP", role="Orchestrator") as f:
        n = f.param("n", SCALAR)
        f.return_type(SCALAR)
        i = ib.var("i", SCALAR)
        with ib.for_loop(i, 0, n, 1) as loop:
            total = loop.iter_arg("sum", 0)
            loop.return_var("sum_final")
            ib.emit(ir.Yield((plus(total, i),)))
        ib.return_stmt(loop.output())
    return f.get_result()


def test_a_loop_reads_back_as_it_was_built() -> None:
    ib = IRBuilder()
    with ib.program("Built") as p:
        p.add_function(summed())
    program = p.get_result()
    back = read_program(print_program(program))
    assert difference(program.functions["total"], back.functions["total"]) is None


def test_branches_and_their_results() -> None:
    ib = IRBuilder()
    with ib.function("larger") as f:
        x, y = f.param("x", SCALAR), f.param("y", SCALAR)
        with ib.if_stmt(less(x, y)) as branch:
            branch.return_var("z", SCALAR)
            ib.yield_stmt(y)
            branch.else_()
            ib.yield_stmt(x)
        ib.return_stmt(branch.output())
    made = branch.get_result()
    assert [len(side) for side in (made.then, made.orelse)] == [1, 1]
    assert made.return_vars == tuple(branch.outputs())
    assert f.get_result().body[0] is made


def test_while_scopes_and_tuples() -> None:
    ib = IRBuilder()
    with ib.function("f") as f:
        n = f.param("n", SCALAR)
        with ib.while_loop(True) as loop:
            i = loop.iter_arg("i", 0)
            loop.return_var("last")
            loop.set_condition(less(i, n))
            ib.emit(ir.Yield((plus(i, n),)))
        with ib.scope("Spmd", core_num=4, name_hint="wide"), ib.scope("InCore"):
            ib.eval_stmt(ib.make_tuple([n, 1.0]))
        ib.add_function_attrs({"auto_scope": False})
    function = f.get_result()
    assert isinstance(function.body[0].condition, ir.Binary)
    assert isinstance(function.body[1].body[0], ir.InCoreScope)
    assert function.attrs == {"auto_scope": False}


def test_operators_deduce_their_types() -> None:
    ib = IRBuilder()
    with ib.function("k", type="InCore") as f:
        x = f.param("x", ib.tensor_type([64, 128], FP32))
        window = ib.make_tuple([64, 128])
        tile = ib.let("t", build_call("tile.load", (ir.Read(x), ib.make_tuple([0, 0]), window, window)))
        ib.let("u", build_call("tile.exp", (ir.Read(tile),)))
    assert f.get_result().body[1].var.type == ib.tile_type([64, 128], FP32, memory_space="Vec")


def test_spans_are_the_lines_that_built() -> None:
    function = summed()
    assert function.span is not None and function.span.path == __file__
    assert function.span.text.startswith("with ib.function(")
    assert function.body[1].span.text == "ib.return_stmt(loop.output())"


def test_misuse_names_its_place() -> None:
    ib = IRBuilder()
    with pytest.raises(RuntimeError, match=rf"outside of a function \[{__file__}:\d+:\d+\]"):
        ib.return_stmt()
    with ib.function("outer"):
        with pytest.raises(RuntimeError, match="inside of function outer"), ib.function("inner"):
            pass
        wrong = pytest.raises(RuntimeError, match="1 carried variables and 0 results")
        with wrong, ib.for_loop(ib.var("i", SCALAR), 0, 4, 1) as loop:
            assert (ib.in_function(), ib.in_loop(), ib.in_if()) == (True, True, False)
            loop.iter_arg("s", 0)
    assert not ib.in_function()
