"""Building calls of operators without source text: what passes and the IR builder do.

The operator's own rule checks the call and deduces its type, exactly as for a call that somebody wrote.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pypto_lsp.ir.nodes import Call, ConstBool, ConstFloat, ConstInt, Expr, MakeTuple, StaticValue, Unary
from pypto_lsp.ops import REGISTRY
from pypto_lsp.ops.dispatch import built
from pypto_lsp.ops.registry import MISSING, Arg, OpCall, OpContext, Operator, OpFault
from pypto_lsp.text import Source, Span
from pypto_lsp.text.span import Anchor

_NOWHERE = Anchor(Source("<built>", ""), 0)


class UnknownOperator(LookupError):
    """A name that no operator has."""


def operator_of(op: str) -> Operator:
    """The operator of an IR name such as ``tile.add``. Raises :class:`UnknownOperator`."""
    operator = REGISTRY.get(op if op.startswith("pld.") else f"pl.{op}")
    if operator is None:
        raise UnknownOperator(op)
    return operator


def _static(expr: Expr) -> Any:
    """The Python value of a constant or of a tuple of constants, MISSING of anything else."""
    match expr:
        case StaticValue():
            return expr.value
        case ConstInt() | ConstFloat() | ConstBool():
            return expr.value
        case Unary(op="-", operand=ConstInt() | ConstFloat() as inner):
            return -inner.value
        case MakeTuple():
            values = [_static(element) for element in expr.elements]
            return MISSING if MISSING in values else values
        case _:
            return MISSING


def _bound(
    operator: Operator, args: Sequence[Expr], kwargs: Mapping[str, Any], span: Span, context: OpContext
) -> OpCall:
    operands = [p for p in operator.params if p.kind not in ("keyword_only", "var_positional") and not p.attribute]
    bound = {p.name: Arg(arg, _static(arg), span=arg.span or span) for p, arg in zip(operands, args)}
    rest = tuple(Arg(arg, span=arg.span or span) for arg in args[len(operands) :])
    for name, value in kwargs.items():
        expr = value if isinstance(value, Expr) else StaticValue(value, span)
        bound[name] = Arg(expr, _static(expr), by_keyword=True, span=span)
    return OpCall(operator, operator.paths[0], bound, span, context, rest)


def build_call(
    op: str,
    args: Sequence[Expr],
    kwargs: Mapping[str, Any] | None = None,
    span: Span | None = None,
    *,
    split_region: str | None = None,
) -> Call:
    """A call of an operator by its IR name, with operands in the IR's order and attributes by name; ``split_region`` is the
    mode of the region of ``pl.split_aiv`` that it is for.

    Raises :class:`UnknownOperator`, and :class:`~pypto_lsp.ops.registry.OpFault` for operands that it does not take.
    """
    given = dict(kwargs or {})
    place = span if span is not None else Span(_NOWHERE, 0, 0)
    context = OpContext(in_incore=True, split_region=split_region)
    bound = _bound(operator_of(op), args, given, place, context)
    made = built(bound, bound.operator.rule(bound))
    assert isinstance(made, Call)
    names = made.names if len(made.args) == len(args) else tuple(f"arg{place}" for place in range(len(args)))
    return Call(op, tuple(args), names, made.type, span, given, {}, made.path)


__all__ = ["OpFault", "UnknownOperator", "build_call", "operator_of"]
