"""Arguments of kernel calls that contradict the kernel's own annotation."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import SHAPED, UNDETERMINED, UNKNOWN, ScalarType, Type, kind_name
from pypto_lsp.ir.visit import own_exprs
from pypto_lsp.verifiers.rule import Rule, RuleContext, related

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(
        self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]
    ) -> pl.Tensor[[64, 128], pl.FP32]:
        o = pl.store(pl.load(x, [0, 0], [64, 128]), [0, 0], o)
        return o

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self, x: pl.Tensor[[64, 128], pl.FP32], h: pl.Tensor[[64, 128], pl.BF16], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]
    ) -> pl.Tensor[[64, 128], pl.FP32]:
"""

KIND, DTYPE, RANK, SMALLER = 3001, 3002, 3003, 3004


def contradiction(declared: Type, given: Type) -> tuple[int, str] | None:
    """How an argument's type contradicts a parameter's annotation: the code and a few words. None when it does not, or when
    that cannot be told."""
    if any(t in (UNDETERMINED, UNKNOWN) for t in (declared, given)):
        return None
    if isinstance(declared, SHAPED) and isinstance(given, ScalarType):
        return KIND, f"a scalar where the kernel takes a {kind_name(declared)}"
    if isinstance(declared, ScalarType) and isinstance(given, SHAPED):
        return KIND, f"a {kind_name(given)} where the kernel takes a scalar"
    if not isinstance(declared, SHAPED) or not isinstance(given, SHAPED):
        return None
    if declared.dtype is not None and given.dtype is not None and declared.dtype is not given.dtype:
        return DTYPE, f"{given.dtype.name} where the kernel declares {declared.dtype.name}"
    if declared.shape is None or given.shape is None:
        return None
    if len(declared.shape) != len(given.shape):
        return RANK, f"{len(given.shape)} dimensions where the kernel declares {len(declared.shape)}"
    known = [
        (index, int(wanted), int(extent))
        for index, (wanted, extent) in enumerate(zip(declared.shape, given.shape))
        if isinstance(wanted, int) and isinstance(extent, int)
    ]
    smaller = [(index, wanted, extent) for index, wanted, extent in known if extent < wanted]
    if smaller and not any(extent > wanted for _, wanted, extent in known):
        index, wanted, extent = smaller[0]
        return SMALLER, f"dimension {index} is {extent} where the kernel declares {wanted}"
    return None


def _kernel_calls(stmt: ir.Stmt) -> tuple[ir.Call | ir.Submit, ...]:
    return tuple(
        node
        for node in own_exprs(stmt)
        if isinstance(node, (ir.Call, ir.Submit)) and isinstance(node.op, ir.FunctionRef)
    )


class CallArguments(Rule):
    """
    ## What it does
    Compares the arguments of a kernel call with the annotations of the kernel's parameters: a scalar for a tensor, another
    element type, another number of dimensions, a smaller tensor.

    ## Why is this bad
    The compiler does not compare them. The kernel then reads memory as what it is not, or beyond the end.

    ## Fix
    Pass what the kernel declares, or change its annotation.
    """

    rule_name = "CallArguments"
    codes = {
        KIND: "an argument of another kind",
        DTYPE: "an argument of another element type",
        RANK: "an argument of another rank",
        SMALLER: "an argument smaller than declared",
    }
    severity = Severity.WARNING
    VALID = (_FRAME + "        o = self.k(x, o)\n        return o\n",)
    INVALID = (_FRAME + "        o = self.k(⟦h⟧, o)\n        return o\n",)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        for call in context.pipeline.collected(_kernel_calls, function.body or ()):
            assert isinstance(call.op, ir.FunctionRef)
            callee = program.functions.get(call.op.name)
            if callee is None or (callee.jit and not callee.declared_params):
                continue
            declared = callee.declared_params or tuple(var.type for var in callee.params)
            for var, wanted, arg in zip(callee.params, declared, call.args):
                found = contradiction(wanted, arg.type)
                if found is not None:
                    code, words = found
                    yield from self.finding(
                        code, arg.span, f"'{var.name}' of '{callee.name}' is given {words}", function=function,
                        related=related(var.span, f"'{var.name}' is declared here"), subject=arg, parameter=var.name,
                        callee=callee.name,
                    )  # fmt: skip
