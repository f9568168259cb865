"""Assignments to names: which variable is written, and whether its type stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pypto_lsp.diagnostics import Related
from pypto_lsp.diagnostics import faults_statements as faults
from pypto_lsp.frontend.lowering import Lowering
from pypto_lsp.frontend.type_match import types_match
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.printer_types import print_type
from pypto_lsp.ir.types import UNDETERMINED, UNKNOWN, ScalarType, TileType, Type, kind_name
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span


def assign(
    low: Lowering,
    target: syntax.Name,
    value: ir.Expr,
    span: Span,
    *,
    type_: Type | None = None,
    annotated: bool = False,
    renamed: bool = True,
) -> ir.Var | None:
    """Bind a name to a value; gives the variable (None where the name became another one's alias).

    ``type_`` is an annotation's type that wins over the value's. ``renamed`` is false for targets that the jit renaming
    leaves alone (those of a tuple).
    """
    name = target.id
    internal = internal_name(low, name, annotated=annotated) if renamed else name
    return write(low, name, internal, target.span, value, span, type_)


def internal_name(low: Lowering, name: str, *, annotated: bool = False) -> str:
    """The name under which an assignment binds, after the jit renaming."""
    renamer = low.names.renamer
    if renamer is None or low.inline is not None:
        return name
    return renamer.assigned(name, annotated=annotated)


def write(
    low: Lowering,
    name: str,
    internal: str,
    name_span: Span,
    value: ir.Expr,
    span: Span,
    type_: Type | None = None,
) -> ir.Var | None:
    """Bind an internal name."""
    existing = low.names.raw(internal)
    if low.context.strict_ssa and low.names.defined_here(internal):
        _second_definition(low, name, name_span, span, existing)
    if _aliases(low, value, existing, type_):
        assert isinstance(value, ir.Read)
        low.names.define(internal, value.var)
        low.bind(name, value.type, name_span)
        return None
    if _writable(low, existing):
        assert isinstance(existing, ir.Var)
        _check_retyping(low, name, existing, type_ or value.type, span)
        var = existing
    else:
        var = low.var(name, type_ or value.type, name_span)
    low.names.define(internal, var)
    low.out.append(ir.Assign(var, value, span, name_span))
    low.bind(name, var.type, name_span, value=constant_of(value))
    return var


def constant_of(value: ir.Expr) -> Any:
    """The constant that an expression is, None for any other."""
    return value.value if isinstance(value, (ir.ConstInt, ir.ConstFloat, ir.ConstBool)) else None


def _aliases(low: Lowering, value: ir.Expr, existing: ir.Expr | None, type_: Type | None) -> bool:
    """Whether a name becomes another name of a dynamic dimension: an orchestration body reading a parameter's extent."""
    if low.context.func_type != "Orchestration" or not isinstance(value, ir.Read) or not value.var.symbol:
        return False
    if existing is not None and not (isinstance(existing, ir.Var) and existing.symbol):
        return False
    return type_ is None or type_ == value.type


def _writable(low: Lowering, existing: ir.Expr | None) -> bool:
    return isinstance(existing, ir.Var) and not existing.symbol and not low.context.strict_ssa


def _second_definition(low: Lowering, name: str, name_span: Span, span: Span, existing: ir.Expr | None) -> None:
    before = existing.span if isinstance(existing, ir.Var) and existing.span is not None else None
    related = (Related(before, "bound here first"),) if before is not None else ()
    low.report(faults.SECOND_DEFINITION, name_span, related=related, name=name)


def _check_retyping(low: Lowering, name: str, var: ir.Var, now: Type, span: Span) -> None:
    if types_match(var.type, now) is not False:
        return
    place = var.span
    related = (Related(place, "bound here first"),) if place is not None else ()
    low.report(
        faults.RETYPED,
        span,
        related=related,
        name=name,
        was=type_text(var.type),
        now=type_text(now),
        kind=kind_name(now),
    )


def type_text(type_: Type) -> str:
    """A type as the language writes it, in words where a part is not known."""
    if type_ in (UNDETERMINED, UNKNOWN):
        return "of unknown type"
    text = print_type(type_)
    if text:
        return text
    return f"a {kind_name(type_)}"


def restamped(value: ir.Expr, type_: Type | None) -> ir.Expr:
    """An expression with the type that only its annotation tells: of an untyped integer literal the element type, of a call
    the tile that it cannot know (what the other core sent) or that has other dimensions than its window."""
    if isinstance(type_, ScalarType) and type_.dtype is not None and isinstance(value, ir.ConstInt):
        return ir.ConstInt(value.value, type_.dtype, value.span, value.literal)
    if isinstance(type_, TileType) and isinstance(value, ir.Call) and _untold(value.type, type_):
        return replace(value, type=type_)
    return value


def _untold(inferred: Type, annotated: TileType) -> bool:
    if not isinstance(inferred, TileType):
        return inferred is UNKNOWN
    return inferred.shape is not None and annotated.shape is not None and len(inferred.shape) != len(annotated.shape)


def loop_copies(low: Lowering, node: syntax.For) -> list[ir.Stmt]:
    """The copies that the jit renaming makes before a loop."""
    renamer = low.names.renamer
    if renamer is None or low.inline is not None:
        return []
    found: list[ir.Stmt] = []
    for name, source, target in renamer.enter_loop(node.body):
        bound = low.names.raw(source)
        if bound is None:
            continue
        var = low.var(name, bound.type, node.span)
        value = ir.Read(bound, node.span) if isinstance(bound, ir.Var) else bound
        found.append(ir.Assign(var, value, node.span))
        low.names.define(target, var)
    return found
