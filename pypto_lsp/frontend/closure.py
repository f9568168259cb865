"""Evaluation of expressions from the surroundings of a kernel, with what Python would raise.

:func:`evaluate` gives a static value, or a :class:`Failure` where Python surely raises. What merely cannot be told is an
:class:`~pypto_lsp.frontend.values.OpaqueValue`.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Any

from pypto_lsp.diagnostics import Diagnostic, faults_python
from pypto_lsp.diagnostics.older_spellings import dated, renamed_value
from pypto_lsp.frontend import values
from pypto_lsp.frontend.dsl_names import has_attribute
from pypto_lsp.frontend.static import evaluate as static_value
from pypto_lsp.frontend.static_machine import EXPRESSION_STEPS, Exhausted, Imprecise, Machine
from pypto_lsp.frontend.static_objects import MISSING
from pypto_lsp.frontend.static_operators import Raised
from pypto_lsp.frontend.static_scope import Environment
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span

#: exception -> the kind of fault for it
RAISED = {
    "TypeError": faults_python.OPERANDS,
    "ValueError": faults_python.VALUE,
    "IndexError": faults_python.INDEX,
    "KeyError": faults_python.KEY,
    "ZeroDivisionError": faults_python.DIVISION,
    "AttributeError": faults_python.NO_ATTRIBUTE,
}
#: builtins that the compiler leaves to the expressions it evaluates itself
BUILTINS = frozenset(
    ("len", "max", "min", "abs", "sum", "round", "int", "float", "bool", "list", "tuple", "range", "isinstance", "type")
)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an expression has no value: ``kind`` is ``name``, ``attribute``, ``hidden`` (Python has a value for it, the
    compiler has not), or the exception that Python raises. ``node`` is the part at fault, ``name`` the missing name.
    ``unknown`` is true where it may well have a value."""

    kind: str
    node: syntax.Expr
    name: str = ""
    owner: str = ""
    unknown: bool = False

    @property
    def diagnostic(self) -> Diagnostic | None:
        """What Python raises; None where that is not certain."""
        if self.unknown:
            return None
        if self.kind == "name":
            return faults_python.UNDEFINED_NAME.at(self.node.span, subject=self.node, name=self.name)
        if self.kind == "attribute" and isinstance(self.node, syntax.Attribute):
            span = Span(self.node.anchor, self.node.attr_start, self.node.end)
            found = faults_python.MISSING_ATTRIBUTE.at(span, subject=self.node, name=self.name, owner=self.owner)
            change = renamed_value(f"{self.owner}.{self.name}")
            return found if change is None else dated(found, change)
        kind = RAISED.get(self.kind)
        return None if kind is None else kind.at(self.node.span, subject=self.node, text=self.node.text)


def evaluate(expr: syntax.Expr, env: Environment) -> Any:
    """The value of an expression, or a :class:`Failure`."""
    failure = failing(expr, env)
    if failure is not None:
        return failure
    value = static_value(expr, env)
    if isinstance(value, values.OpaqueValue) and not isinstance(expr, syntax.Name | syntax.Constant):
        name = _raised(expr, env)
        if name is not None:
            return Failure(name, expr)
    return value


def _raised(expr: syntax.Expr, env: Environment) -> str | None:
    """The exception that evaluating an expression surely raises; None where that cannot be told."""
    machine = Machine(env.module.run, env.module, EXPRESSION_STEPS)
    machine.speculation = 1
    machine.begin(expr.text[:80])
    try:
        machine.eval(expr, Environment(env, "function"))
    except Raised as raised:
        return raised.name if machine.doubts == 0 and raised.name in RAISED else None
    except (Exhausted, Imprecise):
        return None
    finally:
        machine.take_back()
    return None


def failing(expr: syntax.Expr, env: Environment) -> Failure | None:
    """The first name or attribute in an expression that surely does not exist."""
    match expr:
        case syntax.Name(id=name):
            if _exists(name, env):
                return None
            return Failure("name", expr, name)
        case syntax.Attribute(value=value, attr=attr):
            inner = failing(value, env)
            if inner is not None:
                return inner
            return _missing_attribute(expr, value, attr, env)
        case syntax.Lambda() | syntax.ListComp() | syntax.DictComp() | syntax.OpaqueExpr():
            return None
        case _:
            parts = (failing(part, env) for part in _parts(expr))
            return next((failure for failure in parts if failure is not None), None)


#: names that Python gives every module
_MODULE_NAMES = ("__file__", "__name__", "__doc__", "__package__", "__spec__", "__builtins__")


def _exists(name: str, env: Environment) -> bool:
    if name in _MODULE_NAMES:
        return True
    return env.lookup(name) is not MISSING or hasattr(builtins, name) or env.module.unknown_star


def _missing_attribute(node: syntax.Attribute, value: syntax.Expr, attr: str, env: Environment) -> Failure | None:
    owner = static_value(value, env)
    if isinstance(owner, values.Namespace) and has_attribute(owner.path, attr) is False:
        return Failure("attribute", node, attr, value.text)
    return None


def _parts(expr: syntax.Expr) -> tuple[syntax.Expr, ...]:
    match expr:
        case syntax.BinOp(left=left, right=right):
            return (left, right)
        case syntax.UnaryOp(operand=operand):
            return (operand,)
        case syntax.Call(func=func, args=args, keywords=keywords):
            return (func, *args, *(k.value for k in keywords))
        case syntax.Subscript(value=value, index=index):
            return (value, *index)
        case syntax.Slice(lower=lower, upper=upper, step=step):
            return tuple(part for part in (lower, upper, step) if part is not None)
        case syntax.Tuple(elts=elts) | syntax.List(elts=elts) | syntax.Set(elts=elts):
            return elts
        case syntax.Starred(value=value):
            return (value,)
        case syntax.Compare(left=left, comparators=comparators):
            return (left, *comparators[:1])  # the others may not be reached
        case _:
            return ()
