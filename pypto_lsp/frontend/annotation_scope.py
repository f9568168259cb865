"""Where an annotation stands: the names it can see, who evaluates it, and the faults found in it."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pypto_lsp.diagnostics import Diagnostic, FaultKind
from pypto_lsp.diagnostics.older_spellings import dated, renamed_value
from pypto_lsp.frontend import values
from pypto_lsp.frontend.closure import BUILTINS, Failure, evaluate
from pypto_lsp.frontend.static_objects import MISSING
from pypto_lsp.ir.dtypes import INDEX, DType
from pypto_lsp.ir.enums import EnumMember
from pypto_lsp.ir.nodes import Expr, Var
from pypto_lsp.ir.types import ScalarType
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span

if TYPE_CHECKING:
    from pypto_lsp.frontend.static import Environment

#: one variable per dynamic dimension: in a program the functions share them, and a name is all there is to one
_SYMBOLS: dict[str, Var] = {}


def symbol(name: str) -> Var:
    """The variable of a dynamic dimension; equal names are the same object."""
    if name not in _SYMBOLS:
        _SYMBOLS[name] = Var(name, ScalarType(INDEX), symbol=True)
    return _SYMBOLS[name]


def no_variable(name: str) -> Expr | None:
    """The lookup of a place without variables of the language."""
    return None


@dataclass(slots=True)
class Allocations:
    """The allocations that one function's annotations name, to keep names and declarations one to one."""

    names: dict[int, str] = field(default_factory=dict)
    owners: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class AnnotationScope:
    """What an annotation can see.

    ``place`` is ``parameter``, ``result`` or ``local``. ``evaluated`` says that Python itself evaluates it when the file is
    imported (parameters and results, unless ``from __future__ import annotations``), in ``python_env`` where that is
    not ``env`` (the body of a program class). ``lookup`` gives the variable of the
    language of that name, ``symbols`` collects the dynamic dimensions by name (a scalar parameter of such a name takes the
    dimension's place), ``lower`` lowers a part that is a full expression. ``jit`` is true in a jit body, where only
    numbers of the module are visible. ``printed`` allows undefined names as dynamic dimensions, as the compiler does when it
    reads its own output.
    """

    env: Environment
    place: str
    evaluated: bool = False
    jit: bool = False
    printed: bool = False
    python_env: Environment | None = None
    symbols: dict[str, Var] = field(default_factory=dict)
    lookup: Callable[[str], Expr | None] = no_variable
    lower: Callable[[syntax.Expr], Expr] | None = None
    allocations: Allocations = field(default_factory=Allocations)

    def symbol(self, name: str) -> Var:
        if name not in self.symbols:
            self.symbols[name] = symbol(name)
        return self.symbols[name]


@dataclass(slots=True)
class Resolution:
    """One annotation being resolved: its scope and the faults found so far."""

    scope: AnnotationScope
    faults: list[Diagnostic] = field(default_factory=list)

    def report(self, kind: FaultKind, span: Span, subject: syntax.Node | None = None, /, **facts: Any) -> None:
        self.faults.append(kind.at(span, subject=subject, **facts))

    def date(self, path: str) -> None:
        """Say of the last fault what a path in an older spelling is called now."""
        change = renamed_value(path)
        if change is not None:
            self.faults[-1] = dated(self.faults[-1], change)

    @property
    def by_python(self) -> bool:
        """Whether the compiler takes what Python makes of the annotation: in the signature of a jit kernel."""
        return self.scope.jit and self.scope.place != "local"

    def evaluate(self, expr: syntax.Expr) -> Any:
        """The value of an expression from the surroundings, or a :class:`~pypto_lsp.frontend.closure.Failure`."""
        hidden = self._hidden_name(expr)
        if hidden is not None:
            return Failure("hidden", hidden, hidden.id)
        value = values.as_number(evaluate(expr, self.scope.env))
        if self.by_python or isinstance(value, Failure) or not self._uses_builtin(expr):
            return value
        return Failure("hidden", expr)

    def _uses_builtin(self, expr: syntax.Expr) -> bool:
        """Whether an expression uses a builtin that the compiler does not leave to it."""
        if isinstance(expr, syntax.Name | syntax.Constant | syntax.Attribute):
            return False
        lookup = self.scope.env.lookup
        return any(
            lookup(name.id) is MISSING and hasattr(builtins, name.id) and name.id not in BUILTINS
            for name in names_in(expr)
        )

    def _hidden_name(self, expr: syntax.Expr) -> syntax.Name | None:
        """In a jit body: a name that the compiled text no longer knows. Only numbers of the module survive there, and the
        language's own modules."""
        if not self.scope.jit or self.scope.place != "local":
            return None
        for name in names_in(expr):
            value = evaluate(name, self.scope.env)
            if isinstance(value, Failure):
                return name
            if isinstance(value, values.OpaqueValue | values.Namespace | int | float):
                continue
            return name
        return None

    def hides_symbol(self, expr: syntax.Name) -> bool:
        """Whether a name is a dynamic dimension that a jit body cannot use in a type."""
        value = evaluate(expr, self.scope.env) if self.scope.jit and self.scope.place == "local" else None
        return isinstance(value, values.DynamicSymbol)

    def undefined(self, failure: Failure) -> bool:
        """Report what Python raises when it evaluates this annotation; False where it does not evaluate it."""
        if not self.scope.evaluated or failure.diagnostic is None:
            return False
        inside = self.scope.python_env
        if inside is not None and not isinstance(evaluate(failure.node, inside), Failure):
            return False
        self.faults.append(failure.diagnostic)
        return True


def names_in(expr: syntax.Expr) -> list[syntax.Name]:
    """The names that an arithmetic, call or subscript expression reads."""
    match expr:
        case syntax.Name():
            return [expr]
        case syntax.Attribute(value=value):
            return names_in(value)
        case syntax.BinOp(left=left, right=right):
            return [*names_in(left), *names_in(right)]
        case syntax.UnaryOp(operand=operand):
            return names_in(operand)
        case syntax.Call(func=func, args=args, keywords=keywords):
            parts = [func, *args, *(k.value for k in keywords)]
            return [name for part in parts for name in names_in(part)]
        case syntax.Subscript(value=value, index=index):
            return [name for part in (value, *index) for name in names_in(part)]
        case syntax.Tuple(elts=elts) | syntax.List(elts=elts):
            return [name for part in elts for name in names_in(part)]
        case syntax.Starred(value=value):
            return names_in(value)
        case _:
            return []


def last_name(expr: syntax.Expr) -> str | None:
    """``Tensor`` of ``pl.Tensor`` or ``Tensor``; None for anything else."""
    match expr:
        case syntax.Attribute(attr=attr):
            return attr
        case syntax.Name(id=name):
            return name
        case _:
            return None


def name_span(expr: syntax.Expr) -> Span:
    """The span of the last name of a dotted path, of the whole expression where it is none."""
    if isinstance(expr, syntax.Attribute):
        return Span(expr.anchor, expr.attr_start, expr.end)
    return expr.span


def spread(nodes: tuple[syntax.Node, ...]) -> Span:
    """The span from the first to the last of several nodes."""
    return nodes[0].span.to(nodes[-1].span)


_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "a truth value"),
    (int, "an integer"),
    (float, "a float"),
    (str, "a string"),
    (DType, "an element type"),
    (EnumMember, "an enum member"),
    (values.Mapping, "a dict"),
    (values.DynamicSymbol, "a dynamic dimension"),
    ((values.FunctionValue, values.KernelRef), "a function"),
    ((values.ClassValue, values.ProgramRef), "a class"),
    ((values.ModuleRef, values.Namespace), "a module or function"),
)


def kind_of(value: Any) -> str:
    """The word for a static value's kind in messages."""
    if value is None:
        return "None"
    if isinstance(value, values.Sequence):
        return f"a {value.kind}"
    if isinstance(value, values.Instance):
        return f"an instance of {value.cls.node.name}" if value.cls is not None else "an object"
    return next((word for kinds, word in _KINDS if isinstance(value, kinds)), "another value")
