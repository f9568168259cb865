"""What never runs: branches under conditions that never hold, as under a switch that is off, and loops without a trip, as those over
the blocks behind a first one that is the only one. The compiler drops them early, so that what it says late of a program says nothing
of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.mutator import changed, rewritten, with_bodies
from pypto_lsp.ir.visit import bound_vars, walk
from pypto_lsp.passes.ranges import Ranges, trip_count


def without_dead_code(program: ir.Program) -> ir.Program:
    """The program with the bodies emptied that surely never run, itself where there are none."""
    functions = {name: _live_function(function) for name, function in program.functions.items()}
    same = all(function is program.functions[name] for name, function in functions.items())
    return program if same else replace(program, functions=functions)


def _live_function(function: ir.Function) -> ir.Function:
    return function if function.body is None else changed(function, body=_live(function.body, _known(function)))


def _known(function: ir.Function) -> Ranges:
    """The scalars that have one value throughout a function."""
    stmts = list(walk(function.body or ()))
    bindings = Counter((*function.params, *(var for stmt in stmts for var in bound_vars(stmt))))
    values = (*function.defaults, *((s.var, s.value) for s in stmts if isinstance(s, ir.Assign)))
    return Ranges(definitions={var: value for var, value in values if bindings[var] == 1})


def _live(body: ir.Body, ranges: Ranges) -> ir.Body:
    return rewritten(body, [_live_statement(stmt, ranges) for stmt in body])


def _live_statement(stmt: ir.Stmt, ranges: Ranges) -> ir.Stmt:
    match stmt:
        case ir.If() if (holds := ranges.decide(stmt.condition)) is not None:
            then = _live(stmt.then, ranges) if holds else ()
            orelse = None if stmt.orelse is None else () if holds else _live(stmt.orelse, ranges)
            return changed(stmt, then=then, orelse=orelse)
        case ir.For() if trip_count(stmt, ranges) == 0:
            return changed(stmt, body=())
        case ir.While() if ranges.decide(stmt.condition) is False:
            return changed(stmt, body=())
        case _:
            return with_bodies(stmt, lambda body: _live(body, ranges))


__all__ = ["without_dead_code"]
