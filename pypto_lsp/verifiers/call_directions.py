"""Directions of arguments after the pass that derives them."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Direction, EnumMember
from pypto_lsp.ir.types import TENSORS, UNDETERMINED, TupleType
from pypto_lsp.ir.visit import calls
from pypto_lsp.passes.effective_directions import effective_directions
from pypto_lsp.verifiers.printed_examples import KERNEL, SHAPE, printed
from pypto_lsp.verifiers.rule import Rule, RuleContext

_KEY = "arg_directions"
_WRAPPERS = ("Group", "Spmd")
_ALLOWED = {
    Direction.IN: frozenset({"input", "no_dep"}),
    Direction.INOUT: frozenset({"inout", "output_existing", "no_dep"}),
    Direction.OUT: frozenset({"output", "output_existing", "inout", "no_dep"}),
}
_CALL = (
    f'o1: pl.Tensor[{SHAPE}] = {{0}}self.k(x, o, attrs={{{{"arg_directions": [pl.adir.input, pl.adir.{{1}}]}}}}){{2}}'
)


class CallDirectionsResolved(Rule):
    """
    ## What it does
    Checks the attribute `arg_directions` of each kernel call and submit: it is there, has an entry for each argument, calls
    scalars and only those `scalar`, and agrees with the callee's parameter directions. A Group or Spmd wrapper declares at least
    what the kernels that it calls do with its parameters.

    ## Why is this bad
    The runtime orders tasks by these directions alone.

    ## Fix
    In a dump: correct the entry. In a source this is the compiler's work.
    """

    rule_name = "CallDirectionsResolved"
    ir_property = "CallDirectionsResolved"
    codes = {0: "directions of a call's arguments are missing or wrong"}
    stage = "DeriveCallDirections"
    on_dsl = False
    VALID = (printed(_CALL.format("", "output_existing", ""), "return o1", func_type="Orchestration", before=KERNEL),)
    INVALID = (printed(_CALL.format("⟦", "input", "⟧"), "return o1", func_type="Orchestration", before=KERNEL),)

    def verify(self, program: ir.Program, context: RuleContext) -> list[Diagnostic]:
        found = super().verify(program, context)
        wrappers = [name for name, function in program.functions.items() if function.func_type in _WRAPPERS]
        for name, effective in effective_directions(program.functions, wrappers).items():
            function = program.functions[name]
            pairs = zip(function.params, function.directions, effective)
            wrong = ", ".join(param.name for param, own, real in pairs if own is not real)
            if wrong and function.complete:
                message = f"wrapper '{name}' declares less than its kernels do with {wrong}"
                found.extend(self.finding(0, function.span, message, function=function, subject=function, callee=name))
        return found

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        for call, stmt, _ in calls(function.body or ()):
            callee = program.functions.get(call.op.name) if isinstance(call.op, ir.FunctionRef) else None
            if callee is None or not call.args:
                continue
            fault = _fault(call, callee)
            if fault:
                yield from self.finding(
                    0,
                    call.span,
                    f"call of '{callee.name}': {fault}",
                    function=function,
                    subject=(stmt, call),
                    callee=callee.name,
                )


def _names(value: object) -> list[str] | None:
    if not isinstance(value, (tuple, list)):
        return None
    return [item.name if isinstance(item, EnumMember) else str(item) for item in value]


def _fault(call: ir.Call | ir.Submit, callee: ir.Function) -> str | None:
    """The first thing that is wrong with a call's directions, in words."""
    given = _names(call.attrs.get(_KEY))
    if not given:
        return "its arguments have no directions"
    if len(given) != len(call.args):
        return f"{len(given)} directions for {len(call.args)} arguments"
    for index, (arg, direction) in enumerate(zip(call.args, given)):
        if arg.type == UNDETERMINED:
            continue
        tensor = isinstance(arg.type, (*TENSORS, TupleType))
        if tensor is (direction == "scalar"):
            return f"argument {index} is {'a tensor' if tensor else 'no tensor'}, its direction is '{direction}'"
        if tensor and index < len(callee.directions) and direction not in _ALLOWED[callee.directions[index]]:
            declared = callee.directions[index].name.lower()
            return f"argument {index} has the direction '{direction}', the parameter is declared '{declared}'"
    return None
