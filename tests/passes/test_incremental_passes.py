"""The passes from run to run: after a change they give what they would give a program never seen before, and the same objects for
all that the change does not reach."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest
from tile_programs import A2A3, units

from pypto_lsp.backends import backend
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import Extent
from pypto_lsp.ir.visit import walk
from pypto_lsp.passes.incremental import Pipeline
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.passes.transfers import kernel_transfers
from pypto_lsp.text import Span

TARGET = backend(A2A3)
TENSOR = "pl.Tensor[[64, 256], pl.FP32]"
HELPERS = f"""import pypto.language as pl


@pl.jit.inline
def soften(x: {TENSOR}, out: pl.Out[{TENSOR}], row: pl.Scalar[pl.INDEX]):
    half = row + 16
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.slice(x, [16, 64], [half, 0])
        t = pl.mul(t, 0.5)
        if row > 16:
            t = pl.exp(t)
        out[half : half + 16, 0:64] = t
    return out


@pl.jit.inline
def blend(a: {TENSOR}, b: {TENSOR}, out: pl.Out[{TENSOR}], wide: pl.Scalar[pl.INDEX]):
    with pl.at(level=pl.Level.CORE_GROUP):
        s = pl.add(pl.slice(a, [16, 32], [0, 0]), pl.slice(b, [16, 32], [wide, 0]))
        out[0:16, 0:32] = s
    out = soften(a, out, wide)
    for i in pl.unroll(3):
        out = soften(b, out, i * 16)
    return out


@pl.jit
def main(a: {TENSOR}, b: {TENSOR}, o: pl.Out[{TENSOR}]):
    n = 2
    rows = n * 8
    o = blend(a, b, o, rows)
    for i in pl.range(4):
        if i > n:
            with pl.at(level=pl.Level.CORE_GROUP):
                v = pl.slice(a, [8, 16], [i * rows, 0])
                o[i * 8 : i * 8 + 8, 0:16] = pl.neg(v)
        else:
            o = soften(a, o, i)
    for k in pl.unroll(2):
        with pl.at(level=pl.Level.CORE_GROUP):
            w = pl.slice(b, [8, 32], [k * 8, 0])
            o[k * 8 : k * 8 + 8, 0:32] = pl.exp(w)
    o = blend(b, a, o, 0)
    return o
"""


def program() -> ir.Program:
    (unit,) = [unit for unit in units(HELPERS) if unit.name == "main"]
    return unit.program


# --- what a run gives ----------------------------------------------------------------------------------------------------


def described(kernels: tuple[TileKernel, ...]) -> list[object]:
    """All of some kernels, with variables counted in place of their identities."""
    known: dict[ir.Var, int] = {}
    out: list[object] = []
    for tiled in kernels:
        kernel = tiled.kernel
        out += [kernel.name, kernel.func_type, kernel.split, kernel.function.name, sorted(kernel.uncertain), tiled.lane]
        for part in (kernel.params, kernel.body, kernel.returns, kernel.return_span, kernel_transfers(tiled, TARGET)):
            _describe(part, known, out)
        out += [tiled.memory.get(var) for var in known]
        out += [kernel.ranges.interval(var) for var in known]
    return out


def _describe(node: Any, known: dict[ir.Var, int], out: list[object]) -> None:
    if isinstance(node, ir.Var):
        out += [node.name, known.setdefault(node, len(known))]
    elif isinstance(node, Span):
        out.append(node.key())
    elif isinstance(node, Extent):
        out += [int(node), node.origin.span.key()]
    elif isinstance(node, (tuple, list)):
        for item in node:
            _describe(item, known, out)
    elif isinstance(node, dict):
        for key, item in node.items():
            out.append(key)
            _describe(item, known, out)
    elif is_dataclass(node) and not isinstance(node, type):
        out.append(type(node).__name__)
        for item in fields(node):
            _describe(getattr(node, item.name), known, out)
    else:
        out.append(node)


def fresh(changed: ir.Program) -> list[object]:
    return described(Pipeline().kernels(changed, TARGET))


# --- changes of programs -------------------------------------------------------------------------------------------------


def edited(body: ir.Body, place: int, change: Callable[[ir.Stmt], tuple[ir.Stmt, ...]]) -> ir.Body:
    """A body in which one statement, counted with nested ones, is changed; all others stay the same objects."""
    out: list[ir.Stmt] = []
    for stmt in body:
        size = sum(1 for _ in walk((stmt,)))
        if place == 0:
            out += change(stmt)
        elif 0 < place < size:
            out.append(_inside(stmt, place - 1, change))
        else:
            out.append(stmt)
        place -= size
    return tuple(out)


def _inside(stmt: Any, place: int, change: Callable[[ir.Stmt], tuple[ir.Stmt, ...]]) -> ir.Stmt:
    for name in ("body", "then", "orelse"):
        nested = getattr(stmt, name, None)
        if isinstance(nested, tuple):
            size = sum(1 for _ in walk(nested))
            if place < size:
                return replace(stmt, **{name: edited(nested, place, change)})
            place -= size
    raise AssertionError(place)


def other_numbers(node: Any, rng: random.Random) -> Any:
    """A copy of a statement or expression with some numbers changed."""
    if isinstance(node, ir.ConstInt):
        return replace(node, value=node.value + rng.choice((0, 0, 1, 8))) if rng.random() < 0.7 else node
    if isinstance(node, ir.Read) or not isinstance(node, (tuple, ir.Stmt, ir.Expr)) or isinstance(node, ir.Var):
        return node
    if isinstance(node, tuple):
        return tuple(other_numbers(item, rng) for item in node)
    names = [item.name for item in fields(node) if item.name in ("value", "expr", "args", "left", "right", "elements", "condition", "start", "stop", "values")]  # fmt: skip  # noqa: E501
    return replace(node, **{name: other_numbers(getattr(node, name), rng) for name in names})


def changes(rng: random.Random) -> Iterator[Callable[[ir.Stmt], tuple[ir.Stmt, ...]]]:
    def fresh_result(stmt: ir.Stmt) -> tuple[ir.Stmt, ...]:
        if not isinstance(stmt, ir.Assign):
            return (stmt,)
        var = ir.Var(stmt.var.name, stmt.var.type, stmt.var.span)
        return (replace(stmt, var=var), ir.Assign(stmt.var, ir.Read(var, stmt.span), stmt.span))

    def again(stmt: ir.Stmt) -> tuple[ir.Stmt, ...]:
        return (stmt, replace(stmt)) if isinstance(stmt, ir.Assign) else (stmt,)  # type: ignore[type-var]

    def gone(stmt: ir.Stmt) -> tuple[ir.Stmt, ...]:
        return () if isinstance(stmt, (ir.Assign, ir.InCoreScope, ir.Eval)) else (stmt,)

    choices = (lambda stmt: (other_numbers(stmt, rng),), fresh_result, again, gone)
    while True:
        yield rng.choice(choices)


def changed_program(before: ir.Program, rng: random.Random) -> ir.Program:
    name = rng.choice(list(before.functions))
    function = before.functions[name]
    assert function.body is not None
    place = rng.randrange(sum(1 for _ in walk(function.body)))
    body = edited(function.body, place, next(changes(rng)))
    return replace(before, functions={**before.functions, name: replace(function, body=body)})


# --- tests ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_any_history_of_changes_gives_what_a_fresh_pipeline_gives(seed: int) -> None:
    rng = random.Random(seed)
    pipeline, history = Pipeline(continued=True), [program()]
    for _ in range(16):
        if len(history) > 1 and rng.random() < 0.35:
            history.pop()
        else:
            history.append(changed_program(history[-1], rng))
        pipeline.begin_run()
        if rng.random() < 0.3:  # given up
            list(zip(range(rng.randrange(60)), pipeline.steps(history[-1], TARGET)))
            continue
        assert described(pipeline.kernels(history[-1], TARGET)) == fresh(history[-1])
        pipeline.end_run()


def after(
    change: Callable[[ir.Stmt], tuple[ir.Stmt, ...]], name: str, place: int
) -> tuple[list[TileKernel], list[TileKernel]]:
    """The kernels before and after a change of one statement of a function."""
    first = program()
    function = first.functions[name]
    changed = replace(function, body=edited(function.body or (), place, change))
    second = replace(first, functions={**first.functions, name: changed})
    pipeline = Pipeline(continued=True)
    pipeline.begin_run()
    before = pipeline.kernels(first, TARGET)
    pipeline.end_run()
    pipeline.begin_run()
    now = pipeline.kernels(second, TARGET)
    pipeline.end_run()
    assert described(now) == fresh(second)
    return list(before), list(now)


def place_of(name: str, wanted: str) -> int:
    """The position of the statement whose text begins so."""
    body = program().functions[name].body or ()
    return next(i for i, stmt in enumerate(walk(body)) if stmt.span is not None and stmt.span.text.startswith(wanted))


def doubled(stmt: ir.Stmt) -> tuple[ir.Stmt, ...]:
    assert isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call)
    var = ir.Var("more", stmt.var.type, stmt.var.span)
    return (replace(stmt, var=var), stmt)


def test_kernels_that_a_change_does_not_reach_are_the_same_objects() -> None:
    before, now = after(doubled, "main", place_of("main", "v ="))
    again = {id(kernel) for kernel in before}
    assert [kernel.kernel.name for kernel in now if id(kernel) not in again] == [
        kernel.kernel.name for kernel in before if id(kernel) not in {id(k) for k in now}
    ]
    assert len(again - {id(kernel) for kernel in now}) == 1


def test_a_change_in_a_helper_reaches_its_expansions_only() -> None:
    before, now = after(doubled, "blend", place_of("blend", "s ="))
    assert len(now) == len(before)
    assert sum(one is not other for one, other in zip(before, now)) == 2


def test_a_scalar_of_another_value_reaches_the_kernels_that_ask_for_it() -> None:
    before, now = after(lambda stmt: (replace(stmt, value=ir.ConstInt(3, stmt.value.dtype, stmt.span)),), "main", 0)  # type: ignore[attr-defined, type-var]
    assert [one is other for one, other in zip(before, now)].count(False) < len(before)
    assert any(one is not other for one, other in zip(before, now))


def test_what_is_not_used_any_more_is_forgotten() -> None:
    pipeline, first = Pipeline(continued=True), program()
    body = first.functions["main"].body or ()
    small = replace(first, functions={"main": replace(first.functions["main"], body=body[:2] + body[-1:])})
    sizes = []
    for current in (first, small, first, small):
        pipeline.begin_run()
        pipeline.kernels(current, TARGET)
        pipeline.end_run()
        sizes.append(pipeline.size)
    assert sizes[1] < sizes[0]
    assert sizes[2] <= sizes[0]
    assert sizes[3] <= sizes[1]


def test_a_run_that_lacks_a_program_forgets_nothing() -> None:
    pipeline, first = Pipeline(continued=True), program()
    pipeline.begin_run()
    before = pipeline.kernels(first, TARGET)
    pipeline.end_run()
    pipeline.begin_run()
    pipeline.end_run()
    pipeline.begin_run()
    now = pipeline.kernels(first, TARGET)
    assert all(one is other for one, other in zip(before, now))


def test_what_a_run_that_was_given_up_had_made_is_there_for_the_next() -> None:
    pipeline, first = Pipeline(continued=True), program()
    pipeline.begin_run()
    made = pipeline.kernels(first, TARGET)
    pipeline.begin_run()  # the one before never came to its end
    assert all(one is other for one, other in zip(made, pipeline.kernels(first, TARGET)))


def test_a_resting_pipeline_holds_nothing_and_works_again() -> None:
    pipeline, first = Pipeline(continued=True), program()
    texts = []
    for rests_within in (False, True, False):
        pipeline.begin_run()
        if rests_within:
            pipeline.rest()
        texts.append([str(kernel.kernel.name) for kernel in pipeline.kernels(first, TARGET)])
        pipeline.end_run()
        assert (pipeline.size == 0) is rests_within
        if not rests_within:
            pipeline.rest()
            assert pipeline.size == 0
    assert texts[0] == texts[1] == texts[2]
