"""The operator registry: one declaration per operator serves checking, deduction, hover, completion and signatures.

An :class:`Operator` is data (paths, parameters, lane, memory, effects, doc) and a deduction rule. The rule gets an
:class:`OpCall` with its arguments bound to parameters and returns an :class:`OpResult`; when an argument breaks a
constraint it raises :class:`OpFault`, naming the parameter at fault. A rule concludes only from what is known: an
undetermined type, a ``None`` dtype or shape, or an opaque extent makes every check that needs it silent.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pypto_lsp.diagnostics.faults import FaultKind
from pypto_lsp.ir.enums import EnumMember, Lane
from pypto_lsp.ir.nodes import Expr, MakeTuple, StaticValue
from pypto_lsp.ir.types import UNDETERMINED, Type
from pypto_lsp.text.span import Span


class _Missing(enum.Enum):
    MISSING = enum.auto()

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING = _Missing.MISSING


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of an operator. ``type`` is its documented type; ``allowed`` its closed set of values, if any."""

    name: str
    type: str = ""
    required: bool = True
    default: str = ""
    #: positional_or_keyword, positional_only, keyword_only, var_positional
    kind: str = "positional_or_keyword"
    allowed: tuple[str, ...] = ()
    #: a static attribute: bound into the IR call's ``kwargs``, never an operand
    attribute: bool = False


@dataclass(slots=True)
class Arg:
    """An argument of a call.

    ``expr`` is the lowered DSL expression (a StaticValue when the argument is a Python value such as a dtype or an enum
    member). ``static`` is its Python value where it is one: int, float, bool, str, None, DType, EnumMember, or a
    list/tuple of those; MISSING otherwise. An argument by position that is a literal has both (a ConstInt and its
    value), since the compiler sees an IR constant there; ``by_keyword`` tells the two apart. A keyword value that the
    compiler reads as an expression (``value=1.0 / 3.0``, ``value=-HALF``) has no ``static``.
    """

    expr: Expr
    static: Any = MISSING
    by_keyword: bool = False
    span: Span | None = None
    #: source text of the argument, for messages and fixes
    text: str = ""
    #: spans of the elements where the argument is a list or tuple display
    element_spans: tuple[Span, ...] = ()
    #: the argument was folded from closure values (names, attributes) rather than written as a literal
    from_closure: bool = False
    #: an attribute chain of the closure (``CFG.S``): reaches the wrapper as a raw Python value
    raw: bool = False

    @property
    def type(self) -> Type:
        return self.expr.type

    @property
    def member(self) -> EnumMember | None:
        return self.static if isinstance(self.static, EnumMember) else None

    @property
    def python(self) -> Any:
        """The raw Python value that the operator's wrapper gets; MISSING when it gets an IR expression."""
        return self.static if self.by_keyword or self.raw or isinstance(self.expr, StaticValue) else MISSING

    def elements(self) -> tuple[Expr, ...] | None:
        """The elements of a list or tuple argument, None when it is no display we can look into."""
        return self.expr.elements if isinstance(self.expr, MakeTuple) else None


#: an :class:`OpFault` of the operator's own name: another operator is meant
CALLEE = "()"


class OpFault(Exception):
    """A broken constraint. ``param`` names the argument at fault (None: the whole call, CALLEE: the operator's name),
    ``index`` an element of it, ``until`` the last of several arguments at fault."""

    def __init__(
        self,
        kind: FaultKind,
        param: str | None = None,
        *,
        index: int | None = None,
        until: str | None = None,
        **facts: Any,
    ) -> None:
        super().__init__(kind.title)
        self.kind = kind
        self.param = param
        self.index = index
        self.until = until
        self.facts = facts


@dataclass(slots=True)
class OpContext:
    """What a rule may know of the place of a call."""

    func_type: str = "Opaque"
    level: str | None = None
    role: str | None = None
    #: SplitMode name of the enclosing ``pl.split_aiv`` region
    split_region: str | None = None
    in_jit: bool = False
    in_incore: bool = False


@dataclass(slots=True)
class OpCall:
    """A call with its arguments bound: ``args`` by parameter name, only those given."""

    operator: Operator
    path: str
    args: dict[str, Arg]
    span: Span
    context: OpContext
    #: surplus positional arguments of a var_positional parameter
    rest: tuple[Arg, ...] = ()
    #: by name, the place of each keyword argument with its name
    keyword_spans: dict[str, Span] = field(default_factory=dict)

    def get(self, name: str) -> Arg | None:
        return self.args.get(name)

    def type(self, name: str) -> Type:
        """The type of an argument; UNDETERMINED when it was not given."""
        arg = self.args.get(name)
        return arg.expr.type if arg is not None else UNDETERMINED

    def static(self, name: str, default: Any = MISSING) -> Any:
        """The static value of an argument; ``default`` when not given, MISSING when given but not static."""
        arg = self.args.get(name)
        return default if arg is None else arg.static


@dataclass(slots=True)
class OpResult:
    """What a rule deduced: the result type and the IR operator that the call becomes (``tensor.add``).

    ``args`` and ``kwargs`` default to the bound arguments: every expression argument in parameter order, every static
    one by name.
    """

    type: Type
    ir_op: str
    args: tuple[tuple[str, Expr], ...] | None = None
    kwargs: Mapping[str, Any] | None = None
    #: a scalar operator gives its value as an expression of its own (``pl.min`` -> Binary) instead of a call
    value: Expr | None = None


Rule = Callable[[OpCall], OpResult]


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator.

    ``paths`` are all spellings (``pl.add``, ``pl.tensor.add``); ``lane`` the core its call runs on where it is declared,
    None when it follows from memory spaces; ``output_memory`` a MemorySpace name, ``"target"`` (the target_memory
    attribute), ``"input"`` (that of the first tile) or empty; ``reads`` and ``writes`` name the parameters whose memory
    it reads and writes; ``usage`` counts calls in public kernels (orders completion).
    """

    name: str
    paths: tuple[str, ...]
    params: tuple[Param, ...]
    rule: Rule
    doc: str = ""
    returns: str = ""
    lane: Lane | None = None
    output_memory: str = ""
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    usage: int = 0
    #: parameters that only the Tensor form of a unified operator takes
    tensor_only: tuple[str, ...] = ()
    #: appears only in printed IR
    printed_only: bool = False
    #: the compiler's own ``attrs={...}`` may ride on the call
    takes_attrs: bool = True
    #: keywords that are no parameters are ignored instead of refused
    ignores_keywords: bool = False
    #: reported where arguments are missing or too many, in place of the general faults; its template may use ``count``
    count_fault: FaultKind | None = None
    #: the exception of every fault of a call, where the parser itself takes it apart; empty: that of the fault's kind
    refusal: str = ""

    def param(self, name: str) -> Param | None:
        return next((p for p in self.params if p.name == name), None)

    def signature(self, path: str | None = None) -> str:
        """The call's form: ``pl.cast(input, target_type, mode='round')``."""
        parts: list[str] = []
        starred = False
        for param in self.params:
            if param.kind == "keyword_only" and not starred:
                parts.append("*")
                starred = True
            if param.kind == "var_positional":
                starred = True
                parts.append(f"*{param.name}")
            else:
                parts.append(param.name if param.required else f"{param.name}={param.default}")
        return f"{path or self.paths[0]}({', '.join(parts)})"


@dataclass(slots=True)
class Registry:
    """All operators by spelling."""

    by_path: dict[str, Operator] = field(default_factory=dict)

    def add(self, operators: Iterable[Operator]) -> None:
        """Register operators. Raises ValueError when a spelling is taken."""
        for operator in operators:
            for path in operator.paths:
                if path in self.by_path:
                    raise ValueError(f"operator path {path} is declared twice")
                self.by_path[path] = operator

    def get(self, path: str) -> Operator | None:
        return self.by_path.get(path)

    def paths(self) -> list[str]:
        return sorted(self.by_path)
