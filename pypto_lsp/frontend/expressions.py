"""Names, literals, operators and displays."""

from __future__ import annotations

import re
from typing import Any

from pypto_lsp.diagnostics import FaultKind
from pypto_lsp.diagnostics import faults_expressions as faults
from pypto_lsp.diagnostics.spelling import closest
from pypto_lsp.frontend import values
from pypto_lsp.frontend.annotation_scope import kind_of
from pypto_lsp.frontend.lowering import Lowering, expression
from pypto_lsp.frontend.names import walk
from pypto_lsp.frontend.static_objects import MISSING
from pypto_lsp.frontend.surroundings import BUILTINS, Hidden, literal
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import FP32, INDEX, TASK_ID, DType
from pypto_lsp.ir.enums import ENUMS, EnumMember
from pypto_lsp.ir.types import SHAPED, TENSORS, UNDETERMINED, ScalarType, TupleType
from pypto_lsp.ir.visit import dynamic_dimensions
from pypto_lsp.ops import REGISTRY, scalar_arith
from pypto_lsp.ops.registry import OpFault
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span

TASK = ScalarType(TASK_ID)
INDEX_SCALAR = ScalarType(INDEX)


# --- names ---------------------------------------------------------------------------------------------------------


@expression(syntax.Name)
def lower_name(low: Lowering, node: syntax.Name) -> ir.Expr:
    bound = low.names.lookup(node.id)
    if bound is None:
        return surrounding(low, node)
    if isinstance(bound, ir.Var):
        return ir.Read(bound, node.span)
    if isinstance(bound, ir.ConstInt):
        return ir.ConstInt(bound.value, bound.dtype, node.span, bound.literal)
    return bound


def surrounding(low: Lowering, node: syntax.Name) -> ir.Expr:
    """A name that the body does not bind, as an expression."""
    value = low.around.value(node.id)
    if value is MISSING and node.id in BUILTINS:
        return low.error(faults.CLOSURE_KIND, node, name=node.id, what="a function of Python")
    if value is MISSING or isinstance(value, Hidden):
        return undefined(low, node, value)
    lowered = value_expr(low, value, node)
    if lowered is not None:
        return lowered
    if low.jit and not isinstance(value, values.Namespace):
        return undefined(low, node, Hidden(value, ""))
    return low.error(faults.CLOSURE_KIND, node, name=node.id, what=kind_of(value))


def undefined(low: Lowering, node: syntax.Name, value: Any = MISSING, span: Span | None = None) -> ir.ErrorExpr:
    """Report an undefined name, once in a body."""
    place = span or node.span
    if not low.first_report("undefined", node.id):
        return ir.ErrorExpr(place)
    where, suggestion = meant(low, node, value)
    low.report(faults.UNDEFINED, place, subject=node, name=node.id, where=where, suggestion=suggestion)
    return ir.ErrorExpr(place)


def report_unknown_name(low: Lowering, fault: FaultKind, node: syntax.Name) -> None:
    """Report a name that no statement binds, once per function, with the closest name that is visible."""
    if low.first_report("undefined", node.id):
        suggestion = closest(node.id, low.names.visible())
        low.report(fault, node.span, subject=node, name=node.id, advice=did_you_mean(suggestion), suggestion=suggestion)


def meant(low: Lowering, node: syntax.Name, value: Any) -> tuple[str, str | None]:
    """What to say of an undefined name, and what to write instead: a close name, or the value that the body cannot see."""
    if isinstance(value, Hidden):
        return value.why, written(value.value)
    suggestion = closest(node.id, {*low.names.visible(), *low.around.numbers()})
    return did_you_mean(suggestion), suggestion


def written(value: Any) -> str | None:
    """A surrounding value as it is written in a kernel; None where it cannot be."""
    if isinstance(value, bool) or not isinstance(value, (int, float, DType, EnumMember)):
        return None
    return str(value) if isinstance(value, (DType, EnumMember)) else repr(value)


def did_you_mean(suggestion: str | None) -> str:
    return f"; did you mean {suggestion}?" if suggestion else ""


def value_expr(low: Lowering, value: Any, node: syntax.Expr) -> ir.Expr | None:
    """A surrounding value as an expression; None when the language has nothing for it."""
    if isinstance(value, bool):
        return ir.ConstBool(value, node.span)
    if isinstance(value, int):
        return ir.ConstInt(value, INDEX, node.span)
    if isinstance(value, float):
        return ir.ConstFloat(value, FP32, node.span)
    if isinstance(value, values.OpaqueValue):
        return ir.OpaqueInt(value.name, UNDETERMINED, node.span)
    if isinstance(value, values.DynamicSymbol):
        return None if _without_extent(low, value.name) else dynamic(low, value.name, node)
    if isinstance(value, values.DynamicExpression):
        return _dynamic_expression(low, value, node)
    if isinstance(value, values.Sequence) and value.kind in ("list", "tuple"):
        parts = [value_expr(low, item, node) for item in value.items]
        known = tuple(part for part in parts if part is not None)
        return make_tuple(known, node.span) if len(known) == len(parts) else None
    if isinstance(value, values.DslExpression) and (value.path == "pl.const" or REGISTRY.get(value.path) is not None):
        return low.unknown(node.span)  # an expression of the language made outside of any kernel
    return None


def _without_extent(low: Lowering, name: str) -> bool:
    """Whether a jit kernel surely has no parameter with a dynamic dimension, so that the compiled text does not define it. The
    dimensions of a dependency are those of its call, and a dependency's may be its caller's too."""
    context = low.context
    if context.jit not in ("jit", "host") or name in context.symbols:
        return False
    types = [param.type for param in context.params]
    if any(isinstance(type_, SHAPED) and type_.shape is None for type_ in types):
        return False
    if any(var.name == name for type_ in types for var in dynamic_dimensions(type_)):
        return False
    called = (part.func for part in walk(context.node) if isinstance(part, syntax.Call))
    return not any(isinstance(func, syntax.Name) and context.callee(func.id, False) is not None for func in called)


def dynamic(low: Lowering, name: str, node: syntax.Expr) -> ir.Expr:
    """A dynamic dimension read in a body.

    In a jit body the name stands for the run-time extent of the parameter that declares it; orchestration code sees the
    dimension itself in that.
    """
    context = low.context
    var = low.symbol(name)
    if low.jit and context.func_type != "Orchestration":
        for param in context.params:
            shape = param.type.shape if isinstance(param.type, TENSORS) else None
            for axis, extent in enumerate(shape or ()):
                if isinstance(extent, ir.Var) and extent is var:
                    return extent_of(param, axis, node.span)
    return ir.Read(var, node.span)


def extent_of(param: ir.Var, axis: int, span: Span) -> ir.Call:
    """The run-time extent of a parameter's dimension."""
    return ir.Call(
        op="tensor.dim",
        args=(ir.Read(param, span), ir.ConstInt(axis, INDEX, span)),
        names=("tensor", "axis"),
        type=INDEX_SCALAR,
        span=span,
        path="pl.tensor.dim",
    )


def _dynamic_expression(low: Lowering, value: values.DynamicExpression, node: syntax.Expr) -> ir.Expr | None:
    left, right = value_expr(low, value.left, node), value_expr(low, value.right, node)
    if left is None or right is None:
        return None
    return ir.Binary(value.op, left, right, INDEX_SCALAR, node.span)


# --- literals and displays -----------------------------------------------------------------------------------------


@expression(syntax.Constant)
def lower_constant(low: Lowering, node: syntax.Constant) -> ir.Expr:
    value = node.value
    if isinstance(value, bool):
        return ir.ConstBool(value, node.span)
    if isinstance(value, int):
        return ir.ConstInt(literal(node), INDEX, node.span)
    if isinstance(value, float):
        return ir.ConstFloat(value, FP32, node.span)
    if value is None:
        return no_task(node.span)
    return low.error(faults.CONSTANT_KIND, node, what=_constant_word(value), suggestion=_number_in(value))


def _number_in(value: object) -> str | None:
    """The number that a string spells."""
    text = value.strip() if isinstance(value, str) else ""
    return text if re.fullmatch(r"-?\d+(\.\d*)?([eE][+-]?\d+)?", text) else None


def _constant_word(value: object) -> str:
    words = {str: "a string", bytes: "a bytes literal", complex: "a complex number"}
    return words.get(type(value), "'...'")


def no_task(span: Span) -> ir.Call:
    """The task id of no task, written None."""
    return ir.Call(op="system.task_invalid", args=(), names=(), type=TASK, span=span)


@expression(syntax.List, syntax.Tuple)
def lower_display(low: Lowering, node: syntax.List | syntax.Tuple) -> ir.Expr:
    elements = tuple([low.expr(elt) for elt in node.elts])
    if any(isinstance(elt, syntax.Starred) for elt in node.elts):
        return ir.ErrorExpr(node.span)  # how many there are was reported as not to be told
    return make_tuple(elements, node.span)


def make_tuple(elements: tuple[ir.Expr, ...], span: Span) -> ir.MakeTuple:
    return ir.MakeTuple(elements, TupleType(tuple([e.type for e in elements])), span)


_WORDS: dict[type[syntax.Expr], str] = {
    syntax.Starred: "a starred expression",
    syntax.Set: "a set",
    syntax.Dict: "a dict",
    syntax.IfExp: "a conditional expression",
    syntax.Lambda: "a lambda",
    syntax.NamedExpr: "an assignment expression",
    syntax.DictComp: "a comprehension",
    syntax.JoinedStr: "an f-string",
    syntax.FormattedValue: "an f-string",
    syntax.Slice: "a slice",
    syntax.OpaqueExpr: "this expression",
}
_COMPREHENSIONS = {"list": "a comprehension", "set": "a comprehension", "generator": "a generator expression"}


@expression(*_WORDS, syntax.ListComp)
def lower_unsupported(low: Lowering, node: syntax.Expr) -> ir.Expr:
    what = _COMPREHENSIONS.get(node.kind, "this") if isinstance(node, syntax.ListComp) else _WORDS[type(node)]
    place = _with_parentheses(node) if isinstance(node, syntax.NamedExpr) else node.span
    return low.error(faults.UNSUPPORTED_EXPRESSION, node, place, what=what, suggestion=_plainer(node))


def _plainer(node: syntax.Expr) -> str | None:
    """What an unsupported expression stands for in the language's own terms, where that is plain."""
    match node:
        case syntax.Starred(value=syntax.Tuple() | syntax.List() as value) if value.elts:
            return value.elts[0].span.to(value.elts[-1].span).text
        case syntax.NamedExpr(value=value):
            return value.text
        case _:
            return None


def _with_parentheses(node: syntax.Expr) -> Span:
    """The expression with the parentheses right around it."""
    text, begin, end = node.span.source.text, node.span.begin, node.span.end_offset
    if begin and text[begin - 1] == "(" and text[end : end + 1] == ")":
        return Span(node.anchor, node.start - 1, node.end + 1)
    return node.span


# --- operators -----------------------------------------------------------------------------------------------------


@expression(syntax.BinOp)
def lower_binary(low: Lowering, node: syntax.BinOp) -> ir.Expr:
    folded = low.around.fold(node)
    if folded is not MISSING:
        lowered = value_expr(low, folded, node)
        if lowered is not None:
            return lowered
    left, right = low.expr(node.left), low.expr(node.right)
    return combined(low, node, scalar_arith.binary(node.op, left, right, node.span))


def combined(low: Lowering, node: syntax.Expr, result: ir.Expr | OpFault) -> ir.Expr:
    """The outcome of a scalar operator: its expression, or the fault reported at the node."""
    if isinstance(result, OpFault):
        low.diagnostics.append(result.kind.at(node.span, subject=node, **result.facts))
        return ir.ErrorExpr(node.span)
    return result


@expression(syntax.Compare)
def lower_compare(low: Lowering, node: syntax.Compare) -> ir.Expr:
    if len(node.ops) != 1:
        return low.error(faults.CHAINED_COMPARISON, node, suggestion=_unchained(node))
    left, right = low.expr(node.left), low.expr(node.comparators[0])
    return combined(low, node, scalar_arith.compare(node.ops[0], left, right, node.span))


_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def _unchained(node: syntax.Compare) -> str | None:
    """``j >= 1 and j < 4`` for ``1 <= j < 4``."""
    if len(node.ops) != 2 or not all(op in _FLIPPED for op in node.ops):
        return None
    middle, right = node.comparators
    return f"{middle.text} {_FLIPPED[node.ops[0]]} {node.left.text} and {middle.text} {node.ops[1]} {right.text}"


@expression(syntax.UnaryOp)
def lower_unary(low: Lowering, node: syntax.UnaryOp) -> ir.Expr:
    if node.op in ("-", "+"):
        folded = low.around.fold(node)
        if folded is not MISSING:
            lowered = value_expr(low, folded, node)
            if lowered is not None:
                return lowered
    return combined(low, node, scalar_arith.unary(node.op, low.expr(node.operand), node.span))


@expression(syntax.BoolOp)
def lower_boolean(low: Lowering, node: syntax.BoolOp) -> ir.Expr:
    parts = [low.expr(value) for value in node.values]
    result = parts[0]
    for part in parts[1:]:
        result = combined(low, node, scalar_arith.boolean(node.op, result, part, node.span))
    return result


# --- attributes ----------------------------------------------------------------------------------------------------


@expression(syntax.Attribute)
def lower_attribute(low: Lowering, node: syntax.Attribute) -> ir.Expr:
    shaped = shape_attribute(low, node)
    if shaped is not None:
        return shaped
    member = enum_member(low, node)
    if isinstance(member, EnumMember) and member.enum == "MemorySpace":
        return ir.ConstInt(ENUMS["MemorySpace"].index(member.name), INDEX, node.span)
    return attribute_fault(low, node)


def attribute_fault(low: Lowering, node: syntax.Attribute, span: Span | None = None) -> ir.ErrorExpr:
    suggestion = _dimensions(low, node) if span is None else None
    suggestion = suggestion or written(low.evaluate(node))
    text = (span or node.span).text
    return low.error(faults.ATTRIBUTE_VALUE, node, span, text=text, suggestion=suggestion)


def _dimensions(low: Lowering, node: syntax.Attribute) -> str | None:
    """The rank of a tensor or tile whose ``ndim`` is asked for."""
    bound = low.names.lookup(node.value.id) if isinstance(node.value, syntax.Name) else None
    shape = bound.type.shape if bound is not None and isinstance(bound.type, SHAPED) else None
    return str(len(shape)) if shape is not None and node.attr == "ndim" else None


def enum_member(low: Lowering, node: syntax.Attribute) -> Any:
    """The enum member or element type that an attribute chain names, MISSING when it names none that the body sees."""
    return low.evaluate(node) if not low.jit or root_name(node) in ("pl", "pld") else MISSING


def root_name(node: syntax.Expr) -> str | None:
    """The name at the start of an attribute chain."""
    while isinstance(node, syntax.Attribute):
        node = node.value
    return node.id if isinstance(node, syntax.Name) else None


def shape_attribute(low: Lowering, node: syntax.Attribute) -> ir.Expr | None:
    """``x.shape`` and ``x.dtype`` of a jit kernel's tensor parameter; None for any other attribute."""
    param = shaped_param(low, node.value) if node.attr in ("shape", "dtype") else None
    if param is None:
        return None
    assert isinstance(param.type, TENSORS)
    if node.attr == "dtype":
        dtype = param.type.dtype
        return low.unknown(node.span) if dtype is None else ir.StaticValue(dtype, node.span)
    if param.type.shape is None:
        return low.unknown(node.span)
    return make_tuple(
        tuple(extent_expr(low, param, axis, node.span) for axis in range(len(param.type.shape))), node.span
    )


def shaped_param(low: Lowering, node: syntax.Expr) -> ir.Var | None:
    """The jit tensor parameter that a name means."""
    if not low.jit or not isinstance(node, syntax.Name):
        return None
    return next((p for p in low.context.params if p.name == node.id and isinstance(p.type, TENSORS)), None)


def extent_expr(low: Lowering, param: ir.Var, axis: int, span: Span) -> ir.Expr:
    """The extent of a jit parameter's dimension as an expression; opaque where the annotation does not tell."""
    assert isinstance(param.type, TENSORS)
    shape = param.type.shape
    if shape is None or not 0 <= axis < len(shape):
        return ir.OpaqueInt(f"{low.context.name}:{param.name}.shape[{axis}]", INDEX_SCALAR, span)
    extent = shape[axis]
    if isinstance(extent, int):
        return ir.ConstInt(extent, INDEX, span)
    if isinstance(extent, ir.Var):
        return ir.Read(extent, span) if low.context.func_type == "Orchestration" else extent_of(param, axis, span)
    return extent
