"""What a body sees of the Python code around it, and arithmetic over that alone.

A plain body sees everything that Python's own scoping gives. A jit body is compiled from rewritten text in which only the
numbers of the function's module are left, written in as literals, and only where the body itself never binds the name; lists,
strings, functions and the locals of an enclosing function are gone (reference: project docs, jit specialisation).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pypto_lsp.frontend import closure, values
from pypto_lsp.frontend.annotation_scope import kind_of
from pypto_lsp.frontend.model import FunctionContext
from pypto_lsp.frontend.names import Names
from pypto_lsp.frontend.paths import dotted, library_value
from pypto_lsp.frontend.static_objects import MISSING
from pypto_lsp.frontend.static_scope import Environment
from pypto_lsp.ir.nodes import ConstInt
from pypto_lsp.ir.types import Extent, Origin
from pypto_lsp.syntax import nodes as syntax

#: builtins that the evaluation of surrounding constants knows
BUILTINS = frozenset(
    (
        "len", "max", "min", "abs", "sum", "round", "int", "float", "bool", "list", "tuple", "range", "isinstance",
        "type", "True", "False", "None",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hidden:
    """A name that exists around a body but cannot be read in it; ``why`` completes "'x' is not defined"."""

    value: Any
    why: str


class Surroundings:
    """The names around one body. Values are those of :mod:`~pypto_lsp.frontend.values`, look-ups are kept."""

    __slots__ = ("_known", "_node", "env", "jit", "names")

    def __init__(self, context: FunctionContext, names: Names) -> None:
        self.env: Environment = context.env
        self.jit = bool(context.jit)
        self.names = names
        self._node = context.node
        self._known: dict[str, Any] = self._given_by_name(context) if self.jit else {}

    @staticmethod
    def _given_by_name(context: FunctionContext) -> dict[str, Any]:
        """The keyword-only parameters of a jit kernel, which are numbers when it is specialised."""
        place = f"{context.env.module.path}:{context.name}"
        params = (param for param in context.node.params if param.kind == "keyword_only")
        return {param.name: values.OpaqueValue(f"{place}.{param.name}") for param in params}

    def value(self, name: str) -> Any:
        """The value of a name, a :class:`Hidden`, or MISSING."""
        known = self._known
        if name not in known:
            known[name] = self._jit_value(name) if self.jit else self._plain_value(name)
        return known[name]

    def _plain_value(self, name: str) -> Any:
        value = self.env.lookup(name)
        if value is MISSING and self._any_name_may_exist():
            return values.OpaqueValue(f"{self.env.module.path}:{name}")
        if isinstance(value, values.ProgramRef) and self._is_around(value.node):
            return MISSING
        return values.as_number(value)

    def _is_around(self, program: syntax.ClassDef) -> bool:
        """Whether a body is that of a method of a program, whose name is only bound when all its bodies have been read."""
        place = self._node.span.key()
        return any(method.span.key() == place for method in program.body)

    def _jit_value(self, name: str) -> Any:
        value = self.env.module.lookup(name)
        if value is MISSING:
            if self._any_name_may_exist():
                return values.OpaqueValue(f"{self.env.module.path}:{name}")
            local = self.env.lookup(name)
            if local is not MISSING:
                return Hidden(local, ": a jit kernel does not see the locals of the function around it")
            return MISSING
        renamer = self.names.renamer
        if isinstance(value, (int, float)) and renamer is not None and name in renamer.used:
            return Hidden(value, " here: this kernel binds the name itself, later")
        if isinstance(value, (int, float, values.OpaqueValue, values.DynamicSymbol, values.Namespace)):
            return value
        return Hidden(value, f": a jit kernel sees numbers of its module, and this is {kind_of(value)}")

    def _any_name_may_exist(self) -> bool:
        return self.env.module.unknown_star

    def numbers(self) -> Iterator[str]:
        """The names of surrounding numbers, for suggestions."""
        env = self.env.module if self.jit else self.env
        for name in env.names():
            if isinstance(self.value(name), (int, float, values.DynamicSymbol)):
                yield name

    def evaluate(self, node: syntax.Expr) -> Any:
        """The value of an expression as Python computes it around the body; a Failure where that raises."""
        value = library_value(dotted(node)) if isinstance(node, syntax.Attribute) else MISSING
        return values.as_number(closure.evaluate(node, self.env)) if value is MISSING else value

    # --- arithmetic over the surroundings ---

    def fold(self, node: syntax.Expr) -> Any:
        """The value of arithmetic over literals and surrounding numbers; MISSING for anything else.

        A part that cannot be computed makes the whole an OpaqueValue.
        """
        rule = _FOLDS.get(type(node))
        return MISSING if rule is None else rule(self, node)

    def fold_name(self, node: syntax.Name) -> Any:
        bound = self.names.lookup(node.id)
        if bound is not None:
            return bound.value if self.jit and isinstance(bound, ConstInt) else MISSING
        value = self.value(node.id)
        if isinstance(value, (int, float, values.OpaqueValue)):
            return value
        return MISSING

    def fold_binary(self, node: syntax.BinOp) -> Any:
        left = self.fold(node.left)
        if left is MISSING:
            return MISSING
        right = self.fold(node.right)
        if right is MISSING:
            return MISSING
        return folded(node, node.op, left, right)

    def fold_unary(self, node: syntax.UnaryOp) -> Any:
        operand = self.fold(node.operand)
        if operand is MISSING:
            return MISSING
        if isinstance(operand, values.OpaqueValue):
            return values.OpaqueValue(f"({node.op}{operand.name})")
        try:
            return placed(_UNARY[node.op](operand), node, operand)
        except (TypeError, KeyError):
            return MISSING


def fold_constant(around: Surroundings, node: syntax.Constant) -> Any:
    return literal(node) if isinstance(node.value, (int, float)) else MISSING


def literal(node: syntax.Constant) -> Any:
    """The value of a literal; an int knows where it stands."""
    value = node.value
    return Extent(value, Origin(node.span, literal=True)) if type(value) is int else value


def placed(value: Any, node: syntax.Expr, *inputs: Any) -> Any:
    """A computed value; an int knows the expression and the origins of its operands."""
    if type(value) is not int:
        return value
    origins = tuple(i.origin for i in inputs if isinstance(i, Extent))
    return Extent(value, Origin(node.span, inputs=origins))


def folded(node: syntax.Expr, op: str, left: Any, right: Any) -> Any:
    """What Python makes of two known numbers; MISSING where it raises or the result is out of all bounds."""
    if isinstance(left, values.OpaqueValue) or isinstance(right, values.OpaqueValue):
        return values.OpaqueValue(f"({_text(left)}{op}{_text(right)})")
    rule = _BINARY.get(op)
    if rule is None or (op in ("**", "<<") and not _small(left, right)):
        return MISSING
    try:
        return placed(rule(left, right), node, left, right)
    except (TypeError, ValueError, ArithmeticError):
        return MISSING


def _text(value: Any) -> str:
    return value.name if isinstance(value, values.OpaqueValue) else repr(value)


def _small(left: Any, right: Any) -> bool:
    return abs(left) < 1 << 32 and abs(right) < 128


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
_UNARY: dict[str, Callable[[Any], Any]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": operator.invert,
    "not": operator.not_,
}
_FOLDS: dict[type[syntax.Expr], Callable[[Surroundings, Any], Any]] = {
    syntax.Name: Surroundings.fold_name,
    syntax.Constant: fold_constant,
    syntax.BinOp: Surroundings.fold_binary,
    syntax.UnaryOp: Surroundings.fold_unary,
}
