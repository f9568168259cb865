"""What the parts of the front end hand to each other: callees, bindings, results of a lowering."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.frontend.annotation_scope import Allocations
from pypto_lsp.frontend.values import KernelRef
from pypto_lsp.ir.enums import Direction
from pypto_lsp.ir.nodes import Body, Function, Program, Var
from pypto_lsp.ir.types import Type
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span

if TYPE_CHECKING:
    from pypto_lsp.frontend.static import Environment


@dataclass(frozen=True, slots=True)
class Binding:
    """A name that a kernel binds: a parameter, local or loop variable. ``type`` UNDETERMINED where not known, ``value`` its
    constant value or None, ``span`` the bound name."""

    name: str
    type: Type
    value: Any
    span: Span
    kernel: str
    kind: str = "local"


@dataclass(slots=True)
class Signature:
    """A callee as its callers see it.

    ``params`` are (name, annotated type or UNDETERMINED, direction, has a default). ``returns`` is the declared or inferred
    result type: a TupleType for several, ``types.NONE`` for none, UNDETERMINED when not known. ``flavour`` as in
    :class:`KernelRef`, plus ``method`` for a function of a program class. ``complete`` is false where parameters or
    directions could not all be told (then nothing is concluded from a call).
    """

    name: str
    params: tuple[tuple[str, Type, Direction, bool], ...]
    returns: Type
    flavour: str
    func_type: str = "Opaque"
    level: str | None = None
    role: str | None = None
    complete: bool = True
    node: syntax.FunctionDef | None = None
    ref: KernelRef | None = None
    #: the span of the callee's name, for related information and go to definition
    span: Span | None = None
    #: a method defined later in the class: the compiler gives its result the type Unknown
    later: bool = False
    #: another module-level kernel of that name was called before, so this one cannot be
    clash: bool = False


@dataclass(slots=True)
class FunctionContext:
    """Everything that lowering one function body needs from its surroundings.

    ``jit`` is the flavour without the ``jit.`` prefix (``jit``, ``host``, ``incore``, ``inline``, ``opaque``) or empty for a
    plain body. ``env`` is the static environment that names fall back to. ``callee`` resolves a bare name or a
    ``self.name`` (``method`` true) to its signature. ``call_types`` gives the result type of a call with argument types and
    records the specialisation. ``program_functions`` are the names that ``self.x`` may use.
    """

    name: str
    node: syntax.FunctionDef
    env: Environment
    func_type: str
    level: str | None
    role: str | None
    jit: str
    auto_scope: bool
    strict_ssa: bool
    params: tuple[Var, ...]
    directions: tuple[Direction, ...]
    declared_return: Type | None
    callee: Callable[[str, bool], Signature | None]
    call_types: Callable[[Signature, tuple[Type, ...], tuple[Any, ...]], Type]
    program_functions: Callable[[], list[str]]
    #: dynamic symbols by name, shared by the parameters and the body of one function
    symbols: dict[str, Var] = field(default_factory=dict)
    #: names of the window buffers that the program has declared so far, shared by its functions
    buffers: set[str] = field(default_factory=set)
    #: the allocations that the function's annotations name, from its parameters on
    allocations: Allocations = field(default_factory=Allocations)
    #: the file is the compiler's own output, where undefined names in types are dynamic dimensions
    printed: bool = False
    #: attributes declared at the top of the body whose values are expressions
    attr_values: tuple[tuple[str, syntax.Expr], ...] = ()


@dataclass(slots=True)
class BodyResult:
    """A lowered body. ``returns`` are the types of the first return statement's values (None: no return statement)."""

    body: Body
    returns: tuple[Type, ...] | None
    diagnostics: list[Diagnostic]
    bindings: list[Binding]
    #: names of the functions called (bare or through self)
    calls: list[str]
    complete: bool = True


@dataclass(slots=True)
class LoweredUnit:
    """One thing that would be compiled. kind: ``program``, ``function`` or ``jit``.

    ``functions`` are all functions of the program with the files they lie in; ``standalone`` is true for a jit helper that is
    analysed by its annotations alone.
    """

    name: str
    kind: str
    program: Program
    span: Span
    diagnostics: list[Diagnostic] = field(default_factory=list)
    bindings: list[Binding] = field(default_factory=list)
    standalone: bool = False
    #: calls that led to a helper's specialisation: function name -> spans of the calls, outermost first
    call_chain: dict[str, tuple[Span, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class ModuleLowering:
    """All units of one file and the findings that belong to none."""

    units: list[LoweredUnit]
    diagnostics: list[Diagnostic]
    #: functions by definition, for hover and outline
    functions: list[Function] = field(default_factory=list)
    #: the text has no fault that its pieces show; whether Python takes the whole has not been asked yet
    unproved: bool = False
