"""Expressions, statements, functions and programs of the IR.

Conventions. Nodes are flat and final: no concrete node has a subclass, so a ``match`` over them is exhaustive. Nodes are
immutable once built and carry the span of the source they stand for. A :class:`Var` is a variable and compares by
identity: a plain reassignment of a name writes the *same* Var (in jit bodies a rebinding at one depth makes a new one).
A read of a variable is :class:`Read`, which has the read's own span; in types a Var stands for itself.
A body is a tuple of statements. An expression that could not be lowered is :class:`ErrorExpr`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pypto_lsp.ir.dtypes import BOOL, DType
from pypto_lsp.ir.enums import Direction, ForKind
from pypto_lsp.ir.types import UNDETERMINED, ScalarType, Type
from pypto_lsp.text.span import Span

# --- expressions -------------------------------------------------------------------------------------------------


class Expr:
    """Base of all expressions; each has ``type`` and ``span`` (None for what no source stands for)."""

    __slots__ = ()
    type: Type
    span: Span | None


class Var(Expr):
    """A variable. ``span`` is that of its definition (the name's first binding, or the parameter).

    ``symbol`` is true for a dynamic dimension (``pl.dynamic("M")``): equal names are then one Var within a function.
    """

    __slots__ = ("name", "span", "symbol", "type")

    def __init__(self, name: str, type_: Type, span: Span | None = None, *, symbol: bool = False) -> None:
        self.name = name
        self.type = type_
        self.span = span
        self.symbol = symbol

    def __repr__(self) -> str:
        return f"Var({self.name})"


@dataclass(slots=True, frozen=True, eq=False)
class Read(Expr):
    """A read of a variable at a place."""

    var: Var
    span: Span | None = None

    @property
    def type(self) -> Type:  # type: ignore[override]
        return self.var.type


@dataclass(slots=True, frozen=True, eq=False)
class ConstInt(Expr):
    """An integer constant. ``value`` may be an :class:`~pypto_lsp.ir.types.Extent` with its origin. ``literal`` is true
    for an untyped int literal or folded closure int, which operators re-stamp to an operand's element type."""

    value: int
    dtype: DType
    span: Span | None = None
    literal: bool = True

    @property
    def type(self) -> Type:  # type: ignore[override]
        return ScalarType(self.dtype)


@dataclass(slots=True, frozen=True, eq=False)
class ConstFloat(Expr):
    value: float
    dtype: DType
    span: Span | None = None
    literal: bool = True

    @property
    def type(self) -> Type:  # type: ignore[override]
        return ScalarType(self.dtype)


@dataclass(slots=True, frozen=True, eq=False)
class ConstBool(Expr):
    value: bool
    span: Span | None = None

    @property
    def type(self) -> Type:  # type: ignore[override]
        return ScalarType(BOOL)


@dataclass(slots=True, frozen=True, eq=False)
class OpaqueInt(Expr):
    """An integer constant whose value we cannot compute (``sys.argv`` and its like). ``name`` identifies it: the same
    name is the same value; nothing else is known of it, and nothing may be concluded from not being able to prove
    something of it."""

    name: str
    type: Type
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class Binary(Expr):
    """op: ``+ - * // % / min max ** == != < <= > >= and or ^^ & | ^ << >>``."""

    op: str
    left: Expr
    right: Expr
    type: Type
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class Unary(Expr):
    """op: ``abs - not ~ cast``."""

    op: str
    operand: Expr
    type: Type
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class MakeTuple(Expr):
    elements: tuple[Expr, ...]
    type: Type
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class TupleGetItem(Expr):
    tuple: Expr
    index: int
    type: Type
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class StaticValue(Expr):
    """A Python value in an argument place (a dtype, an enum member, a string): no DSL expression."""

    value: Any
    span: Span | None = None
    type: Type = UNDETERMINED


@dataclass(slots=True, frozen=True, eq=False)
class ErrorExpr(Expr):
    """Stands where a fault was reported; its type is undetermined and whatever follows from it is silent."""

    span: Span | None = None
    type: Type = UNDETERMINED


@dataclass(slots=True, frozen=True, eq=False)
class FunctionRef:
    """The callee of a kernel call: a function of the program by name."""

    name: str


@dataclass(slots=True, frozen=True, eq=False)
class Call(Expr):
    """A call of an operator (``op`` is its IR name such as ``tensor.add``) or of a program function (a FunctionRef).

    ``args`` in the order of ``names`` (the operator's or the callee's parameter names); ``kwargs`` holds the static
    attributes by parameter name (dtype, enum member, bool, ...). ``path`` is the spelling used (``pl.add``).
    """

    op: str | FunctionRef
    args: tuple[Expr, ...]
    names: tuple[str, ...]
    type: Type
    span: Span | None = None
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    attrs: Mapping[str, Any] = field(default_factory=dict)
    path: str = ""

    def get(self, name: str) -> Expr | None:
        """The operand bound to a parameter, None when it was not given."""
        try:
            return self.args[self.names.index(name)]
        except ValueError:
            return None


@dataclass(slots=True, frozen=True, eq=False)
class Submit(Expr):
    """``pl.submit`` or ``pl.spmd_submit`` of a program function; the result is (results..., task id)."""

    op: FunctionRef
    args: tuple[Expr, ...]
    deps: tuple[Expr, ...]
    type: Type
    span: Span | None = None
    core_num: Expr | None = None
    sync_start: bool = False
    allow_early_resolve: bool = False
    predicate: Expr | None = None
    attrs: Mapping[str, Any] = field(default_factory=dict)


# --- statements --------------------------------------------------------------------------------------------------


class Stmt:
    """Base of all statements; each has ``span``.

    ``known_reads``, ``known_exprs`` and ``known_calls`` are what :mod:`pypto_lsp.ir.visit` has found in it, once it was asked.
    """

    __slots__ = ("known_calls", "known_exprs", "known_reads")
    span: Span | None
    known_calls: tuple[Call, ...]
    known_reads: tuple[tuple[Var, Expr | None], ...]
    known_exprs: tuple[Expr, ...]


Body = tuple[Stmt, ...]


@dataclass(slots=True, frozen=True, eq=False)
class Assign(Stmt):
    """``span`` is the statement, ``name_span`` the bound name."""

    var: Var
    value: Expr
    span: Span | None = None
    name_span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class Eval(Stmt):
    expr: Expr
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class If(Stmt):
    """``return_vars`` only where the branches yield; ``orelse`` None without an else."""

    condition: Expr
    then: Body
    orelse: Body | None
    return_vars: tuple[Var, ...] = ()
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class IterArg:
    """A carried variable of a loop: ``var`` inside the body, ``init`` its first value."""

    var: Var
    init: Expr


@dataclass(slots=True, frozen=True, eq=False)
class For(Stmt):
    var: Var
    start: Expr
    stop: Expr
    step: Expr
    kind: ForKind
    body: Body
    iter_args: tuple[IterArg, ...] = ()
    return_vars: tuple[Var, ...] = ()
    attrs: Mapping[str, Any] = field(default_factory=dict)
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class While(Stmt):
    condition: Expr
    body: Body
    iter_args: tuple[IterArg, ...] = ()
    return_vars: tuple[Var, ...] = ()
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class Yield(Stmt):
    values: tuple[Expr, ...]
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class Return(Stmt):
    values: tuple[Expr, ...]
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class Break(Stmt):
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class Continue(Stmt):
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class InCoreScope(Stmt):
    """``with pl.at(level=CORE_GROUP)`` or the inline body of ``pl.spmd`` (``implicit``). ``split`` is a SplitMode name.

    attrs of all scopes: ``task_id_var`` (Var), ``deps`` (tuple of expressions), ``no_dep_args`` and ``dumps`` (tuples of
    Var), ``allow_early_resolve``, ``predicate``, ``slot_num``."""

    body: Body
    name_hint: str = ""
    split: str | None = None
    implicit: bool = False
    attrs: Mapping[str, Any] = field(default_factory=dict)
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class ClusterScope(Stmt):
    body: Body
    name_hint: str = ""
    attrs: Mapping[str, Any] = field(default_factory=dict)
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class HierarchyScope(Stmt):
    body: Body
    level: str
    role: str | None = None
    name_hint: str = ""
    attrs: Mapping[str, Any] = field(default_factory=dict)
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class SpmdScope(Stmt):
    """``with pl.spmd(n)`` or ``for i in pl.spmd(n)``: the body is a dispatch (a kernel call) or an :class:`InCoreScope`
    (implicit, or the ``pl.at`` the author wrote as the carrier). ``index_var`` is the loop form's variable.
    ``call_span`` is the ``pl.spmd(...)`` call, ``core_num_span`` its width argument, ``sync_start_span`` the keyword."""

    core_num: Expr
    body: Body
    sync_start: bool = False
    index_var: Var | None = None
    name_hint: str = ""
    attrs: Mapping[str, Any] = field(default_factory=dict)
    span: Span | None = None
    call_span: Span | None = None
    core_num_span: Span | None = None
    sync_start_span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class SplitAivScope(Stmt):
    """``for lane in pl.split_aiv(2, mode=...)``; ``split`` is a SplitMode name."""

    body: Body
    split: str
    index_var: Var | None = None
    attrs: Mapping[str, Any] = field(default_factory=dict)
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class RuntimeScope(Stmt):
    body: Body
    manual: bool = False
    attrs: Mapping[str, Any] = field(default_factory=dict)
    span: Span | None = None


@dataclass(slots=True, frozen=True, eq=False)
class CommDomainScope(Stmt):
    body: Body
    devices: tuple[Expr, ...] = ()
    slots: tuple[Expr, ...] = ()
    span: Span | None = None


#: statements that have one body and are no loops
SCOPES = (InCoreScope, ClusterScope, HierarchyScope, SpmdScope, SplitAivScope, RuntimeScope, CommDomainScope)
#: scopes that never become functions of their own: values pass through them
TRANSPARENT_SCOPES = (RuntimeScope, SplitAivScope)


@dataclass(slots=True, frozen=True, eq=False)
class ErrorStmt(Stmt):
    """Stands where a statement could not be lowered. ``binds`` are the Vars it may have assigned, ``reads`` all Vars
    that its text names, so that flow rules stay silent about them."""

    binds: tuple[Var, ...] = ()
    reads: tuple[Var, ...] = ()
    span: Span | None = None


# --- functions and programs --------------------------------------------------------------------------------------


@dataclass(slots=True, frozen=True, eq=False)
class Function:
    """A kernel. ``func_type``, ``level`` and ``role`` are member names of the DSL enums. ``params`` and ``directions``
    run in parallel. ``body`` is None for external or abstract kernels. ``jit`` is the decorator's flavour (``jit``,
    ``host``, ``incore``, ``inline``, ``opaque``, ``extern``), empty for plain functions. ``declared_params`` are the
    parameters' types as annotated where a call's types stand in ``params``, ``returns_span`` is the result's annotation,
    ``ignored_params`` are parameters that the language does not read. ``complete`` is false when a
    fault in it was reported, so that a rule which concludes from what is *absent* stays silent. ``decorator_span`` is the
    decorator that makes it a kernel, where its type stands. ``defaults`` are the scalars of a jit entry that it is compiled with a
    constant for."""

    name: str
    func_type: str
    params: tuple[Var, ...]
    directions: tuple[Direction, ...]
    return_types: tuple[Type, ...]
    body: Body | None
    span: Span | None = None
    level: str | None = None
    role: str | None = None
    attrs: Mapping[str, Any] = field(default_factory=dict)
    jit: str = ""
    declared_return: bool = False
    complete: bool = True
    name_span: Span | None = None
    declared_params: tuple[Type, ...] = ()
    returns_span: Span | None = None
    ignored_params: tuple[Span, ...] = ()
    decorator_span: Span | None = None
    defaults: tuple[tuple[Var, Expr], ...] = ()


@dataclass(slots=True, frozen=True, eq=False)
class Program:
    """Functions by name. ``entry`` is the name of the entry kernel where there is one."""

    name: str
    functions: Mapping[str, Function]
    span: Span | None = None
    entry: str | None = None
