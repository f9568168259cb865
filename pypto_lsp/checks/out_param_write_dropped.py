"""An assignment to an output parameter's name that writes nothing to its memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Direction
from pypto_lsp.ir.types import SHAPED
from pypto_lsp.ir.visit import bodies, reads, walk
from pypto_lsp.verifiers.rule import Rule, RuleContext

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function
    def main(
        self, x: pl.Tensor[[64, 256], pl.FP32], out: pl.Out[pl.Tensor[[64, 256], pl.FP32]]
    ) -> pl.Tensor[[64, 256], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
"""


def _yields(body: ir.Body) -> Iterator[ir.Yield]:
    """The yields of a loop's or branch's own body, nested loops left out."""
    for stmt in body:
        if isinstance(stmt, ir.Yield):
            yield stmt
        elif not isinstance(stmt, (ir.For, ir.While)):
            for nested in bodies(stmt):
                yield from _yields(nested)


def definition_graph(function: ir.Function) -> dict[ir.Var, set[ir.Var]]:
    """variable -> variables that some assignment of it reads."""
    graph: dict[ir.Var, set[ir.Var]] = defaultdict(set)
    for stmt in walk(function.body or ()):
        if isinstance(stmt, ir.Assign):
            graph[stmt.var].update(var for var, _ in reads(stmt.value))
        elif isinstance(stmt, (ir.For, ir.While)):
            sources = {var for arg in stmt.iter_args for var, _ in reads(arg.init)}
            sources.update(var for y in _yields(stmt.body) for value in y.values for var, _ in reads(value))
            for bound in (*(arg.var for arg in stmt.iter_args), *stmt.return_vars):
                graph[bound].update(sources)
        elif isinstance(stmt, ir.If) and stmt.return_vars:
            yields = [*_yields(stmt.then), *_yields(stmt.orelse or ())]
            sources = {var for y in yields for value in y.values for var, _ in reads(value)}
            for bound in stmt.return_vars:
                graph[bound].update(sources)
        elif isinstance(stmt, ir.ErrorStmt):
            for bound in stmt.binds:
                graph[bound].update(stmt.reads)
    return graph


def tainted_by(param: ir.Var, graph: dict[ir.Var, set[ir.Var]]) -> set[ir.Var]:
    """All variables whose value may depend on a parameter, the parameter included."""
    forward: dict[ir.Var, set[ir.Var]] = defaultdict(set)
    for var, sources in graph.items():
        for source in sources:
            forward[source].add(var)
    tainted, queue = {param}, [param]
    while queue:
        for var in forward[queue.pop()]:
            if var not in tainted:
                tainted.add(var)
                queue.append(var)
    return tainted


class OutParamWriteDropped(Rule):
    """
    ## What it does
    Finds `out = <expression>` for an `Out` or `InOut` parameter where the expression does not depend on that parameter.

    ## Why is this bad
    The assignment binds the name to a new value; nothing is written to the caller's memory, which keeps what it held.

    ## Fix
    Write through the name: `out[:] = <expression>`, or into a window of it with `out[a:b, c:d] = ...`.
    """

    rule_name = "OutParamWriteDropped"
    codes = {1003: "an assignment to an output parameter writes nothing"}
    severity = Severity.WARNING
    VALID = (_FRAME + "            out[:] = pl.exp(x)\n        return out\n",)
    INVALID = (_FRAME + "            ⟦out = pl.exp(x)⟧\n        return out\n",)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        outputs = {
            var: direction
            for var, direction in zip(function.params, function.directions)
            if direction is not Direction.IN and isinstance(var.type, SHAPED)
        }
        assigned = [s for s in walk(function.body or ()) if isinstance(s, ir.Assign) and s.var in outputs]
        if not assigned or not function.complete:
            return
        graph = definition_graph(function)
        for stmt in assigned:
            tainted = tainted_by(stmt.var, graph)
            if any(var in tainted for var, _ in reads(stmt.value)):
                continue
            word = "InOut" if outputs[stmt.var] is Direction.INOUT else "Out"
            yield from self.finding(
                1003,
                stmt.span,
                f"this binds the name '{stmt.var.name}' anew and writes nothing to the {word} parameter; "
                f"write '{stmt.var.name}[:] = ...' or into a window of it",
                function=function,
                subject=stmt,
                variable=stmt.var.name,
                direction=word,
            )
