"""The end of InlineFunctions: what a helper gives back stands where the caller reads it.

A helper with several results is called for a tuple that the caller takes apart; after the call is gone the parts are read
directly and no tuple is made.
"""

from __future__ import annotations

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.mutator import Mutator, Statements, each_function
from pypto_lsp.ir.visit import attribute_exprs, header_exprs, scope_attrs, walk, walk_expr
from pypto_lsp.passes.inline_functions import inline_functions


def _whole_reads(body: ir.Body) -> set[ir.Var]:
    """Variables that are read otherwise than to take one part of them."""
    found: set[ir.Var] = set()
    for stmt in walk(body):
        for expr in (*header_exprs(stmt), *attribute_exprs(scope_attrs(stmt))):
            nodes = list(walk_expr(expr))
            parts = {id(node.tuple) for node in nodes if isinstance(node, ir.TupleGetItem)}
            found.update(node.var for node in nodes if isinstance(node, ir.Read) and id(node) not in parts)
    return found


class _Parts(Mutator):
    def __init__(self, body: ir.Body) -> None:
        self.whole = _whole_reads(body)
        self.tuples: dict[ir.Var, ir.MakeTuple] = {}

    def assign(self, stmt: ir.Assign) -> Statements:
        if isinstance(stmt.value, ir.MakeTuple) and stmt.var not in self.whole:
            self.tuples[stmt.var] = stmt.value
            return ()
        if isinstance(stmt.value, ir.Read) and stmt.value.var is stmt.var:
            return ()
        return super().assign(stmt)

    def expr(self, expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.TupleGetItem) and isinstance(expr.tuple, ir.Read):
            made = self.tuples.get(expr.tuple.var)
            if made is not None and expr.index < len(made.elements):
                return made.elements[expr.index]
        return super().expr(expr)


def inline_whole_program(program: ir.Program) -> ir.Program:
    """The program with its calls of inline functions expanded and their results read where they were made."""
    made = inline_functions(program)
    if made is program:
        return program
    return each_function(made, lambda own: own if own.body is None else _Parts(own.body).function(own))


__all__ = ["inline_whole_program"]
