"""A variable that is assigned and never read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import SHAPED
from pypto_lsp.ir.visit import bound_vars, stmt_reads, walk
from pypto_lsp.text import Span
from pypto_lsp.verifiers.rule import Rule, RuleContext

_FRAME = """import pypto.language as pl


@pl.jit
def scale(x: pl.Tensor[[64, 256], pl.FP32], out: pl.Out[pl.Tensor[[64, 256], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
"""


def used_vars(function: ir.Function) -> set[ir.Var]:
    """Every variable that some expression of a function reads; a binding is no reading."""
    used: set[ir.Var] = set()
    for stmt in walk(function.body or ()):
        used.update([var for var, _ in stmt_reads(stmt)])
    return used


def _named_as_memory(function: ir.Function) -> set[str]:
    """The allocations that the types of other variables name as their memory."""
    variables = [*function.params, *(var for stmt in walk(function.body or ()) for var in bound_vars(stmt))]
    memory = (var.type.memref for var in variables if isinstance(var.type, SHAPED))
    return {memref.base for memref in memory if memref is not None and memref.base is not None}


class UnusedVariable(Rule):
    """
    ## What it does
    Finds assignments to a local name that nothing in the function reads. The order does not matter: one reading anywhere
    keeps all assignments of that variable silent. Parameters and the loop variables of `pl.range` and its kin are left out;
    the loop variables of `pl.spmd` and `pl.split_aiv` count, and a leading underscore exempts nothing.

    ## Why is this bad
    The value is computed for nothing, or it was meant to be used: a result that is bound to a wrong name is the usual cause.

    ## Fix
    Remove the statement, or the binding of a call that is made for its effect.
    """

    rule_name = "UnusedVariableCheck"
    codes = {1001: "a variable is assigned and never read"}
    severity = Severity.WARNING
    VALID = (
        _FRAME + "        t = pl.exp(x)\n        out[:] = t\n    return out\n",
        _FRAME + "        out[:] = pl.exp(x)\n        x = pl.exp(out)\n    return out\n",
        """import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.AIV)
    def k(
        self, x: pl.Tensor[[16, 128], pl.FP32], o: pl.Out[pl.Tensor[[16, 128], pl.FP32]]
    ) -> pl.Tensor[[16, 128], pl.FP32]:
        place: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 8192)
        t: pl.Tile[[16, 128], pl.FP32, pl.MemRef(place, 0, 8192), pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 128])
        return pl.tile.store(t, [0, 0], o)
""",
    )
    INVALID = (_FRAME + "        ⟦dead⟧ = pl.exp(x)\n        out[:] = pl.neg(x)\n    return out\n",)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if not function.complete:
            return
        used, memory, params = used_vars(function), _named_as_memory(function), set(function.params)
        for stmt in walk(function.body or ()):
            if isinstance(stmt, ir.Assign) and stmt.var not in used and stmt.var not in params:
                if stmt.var.name.startswith("_tuple_tmp") or stmt.var.name in memory:
                    continue
                yield from self._report(stmt.var, stmt.name_span or stmt.span, stmt, function)
            elif isinstance(stmt, (ir.SpmdScope, ir.SplitAivScope)):
                var = stmt.index_var
                if var is not None and var not in used:
                    yield from self._report(var, var.span or stmt.span, stmt, function)

    def _report(self, var: ir.Var, span: Span | None, stmt: ir.Stmt, function: ir.Function) -> Iterable[Diagnostic]:
        return self.finding(
            1001,
            span,
            f"'{var.name}' is assigned and never read",
            function=function,
            subject=stmt,
            variable=var.name,
        )
