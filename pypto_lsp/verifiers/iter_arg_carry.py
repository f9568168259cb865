"""How loops of orchestration functions carry their values."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import walk
from pypto_lsp.verifiers.printed_examples import SHAPE, printed
from pypto_lsp.verifiers.rule import Rule, RuleContext

_LOOP = "{0}for i, (s,) in pl.range(4, init_values=(x,){1}):{2}"
_YIELD = f"    r: pl.Tensor[{SHAPE}] = pl.yield_(s)"


class IterArgCarryClassified(Rule):
    """
    ## What it does
    Checks that each carried value of an orchestration loop says whether it is bound anew (`iter_arg_rebind_<i>`), and that
    only one that is carries an array of task ids (`iter_arg_array_size_<i>`).

    ## Why is this bad
    Without it every carry would be taken for an alias, and values that change from iteration to iteration would be lost.

    ## Fix
    In a dump: restore the attribute. In a source this is the compiler's work.
    """

    rule_name = "IterArgCarryClassified"
    ir_property = "IterArgCarryClassified"
    codes = {0: "a carried value is not classified"}
    stage = "ClassifyIterArgCarry"
    on_dsl = False
    VALID = (
        printed(
            _LOOP.format("", ', attrs={"iter_arg_rebind_0": False}', ""), _YIELD, "return r", func_type="Orchestration"
        ),
    )
    INVALID = (printed(_LOOP.format("⟦", "", "⟧"), _YIELD, "return r", func_type="Orchestration"),)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if function.func_type != "Orchestration":
            return
        for stmt in walk(function.body or ()):
            if not isinstance(stmt, ir.For):
                continue
            for index, arg in enumerate(stmt.iter_args):
                fault = _fault(stmt, index)
                if fault:
                    yield from self.finding(
                        0, stmt.span, f"the carried '{arg.var.name}' {fault}", function=function, subject=stmt,
                        variable=arg.var.name,
                    )  # fmt: skip


def _fault(loop: ir.For, index: int) -> str | None:
    rebind = loop.attrs.get(f"iter_arg_rebind_{index}")
    if rebind is None:
        return f"has no iter_arg_rebind_{index}"
    size = loop.attrs.get(f"iter_arg_array_size_{index}", 0)
    if isinstance(size, int) and size > 0 and rebind is False:
        return "holds an array of task ids, so it has to be one that is bound anew"
    return None
