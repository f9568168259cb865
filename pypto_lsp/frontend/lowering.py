"""The state of lowering one function body.

The parts of the work register themselves for the syntax nodes they lower: :func:`expression` and :func:`statement` fill the two
tables, :meth:`Lowering.expr` and :meth:`Lowering.stmt` look a node's class up. A part reports a fault and gives an
:class:`~pypto_lsp.ir.nodes.ErrorExpr`; whoever gets one concludes nothing from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pypto_lsp.diagnostics import Diagnostic, FaultKind, Related
from pypto_lsp.diagnostics.older_spellings import Change, dated
from pypto_lsp.frontend.annotation_scope import symbol
from pypto_lsp.frontend.lowering_trace import Tracer
from pypto_lsp.frontend.model import Binding, FunctionContext, Signature
from pypto_lsp.frontend.names import Names, Renamer, walk
from pypto_lsp.frontend.surroundings import Surroundings
from pypto_lsp.frontend.values import KernelRef
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.size import Sizes, compound_extents
from pypto_lsp.ir.types import UNDETERMINED, TupleType, Type
from pypto_lsp.ops.registry import OpContext
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span
from pypto_lsp.text.stepwise import Steps

ExprRule = Callable[["Lowering", Any], ir.Expr]
#: lowers a statement, one with bodies in steps
StmtRule = Callable[["Lowering", Any], "Steps[None] | None"]

EXPRESSIONS: dict[type[syntax.Expr], ExprRule] = {}
STATEMENTS: dict[type[syntax.Stmt], StmtRule] = {}

_E = TypeVar("_E", bound=ExprRule)
_S = TypeVar("_S", bound=StmtRule)


def expression(*kinds: type[syntax.Expr]) -> Callable[[_E], _E]:
    """Register the rule that lowers expressions of these classes."""

    def register(rule: _E) -> _E:
        EXPRESSIONS.update((kind, rule) for kind in kinds)
        return rule

    return register


def statement(*kinds: type[syntax.Stmt]) -> Callable[[_S], _S]:
    """Register the rule that lowers statements of these classes."""

    def register(rule: _S) -> _S:
        STATEMENTS.update((kind, rule) for kind in kinds)
        return rule

    return register


@dataclass(slots=True)
class Yields:
    """The yields of one loop body or if: the names they bind, in order, and the types of their values.

    In a loop that carries values (``carries``), a name for which there is no value is not bound at all.
    """

    carries: bool = False
    names: list[str] = field(default_factory=list)
    types: dict[str, Type] = field(default_factory=dict)
    places: dict[str, list[Span]] = field(default_factory=dict)
    #: the yields as they came
    bound: list[tuple[str, Type, Span]] = field(default_factory=list)

    def bind(self, name: str, type_: Type, span: Span) -> None:
        self.bound.append((name, type_, span))
        self.names.append(name)
        self.types.setdefault(name, type_)
        self.places.setdefault(name, []).append(span)

    def result(self, low: Lowering, name: str, fallback: Span) -> ir.Var:
        """The variable that holds what was yielded under a name."""
        places = self.places.get(name)
        return low.var(name, self.types.get(name, UNDETERMINED), places[0] if places else fallback)


@dataclass(slots=True)
class InlineFrame:
    """An inlined function being expanded: what its return statement gives."""

    value: ir.Expr | None = None


#: expressions with types that are made of other types
_TYPED = frozenset({ir.Call, ir.MakeTuple})


def _may_grow(type_: Type) -> bool:
    """Whether a type holds types or computed extents that it may share with others."""
    if isinstance(type_, TupleType):
        return any(isinstance(part, TupleType) or _may_grow(part) for part in type_.types)
    return any(True for _ in compound_extents(type_))


class Lowering:
    """Everything that the parts of the lowering share while they go through one body."""

    def __init__(self, context: FunctionContext) -> None:
        self.context = context
        self.jit = bool(context.jit)
        params = [var.name for var in context.params]
        self.names = Names(Renamer.of(params, context.node.body) if self.jit else None)
        self.around = Surroundings(context, self.names)
        #: keeps what statements become for the next lowering of this body; None where there will be none
        self.tracer: Tracer | None = None
        self.out: list[ir.Stmt] = []
        self.diagnostics: list[Diagnostic] = []
        self.bindings: list[Binding] = []
        self.calls: list[str] = []
        #: false once something was lowered to less than it is
        self.complete = True
        self.returns: tuple[Type, ...] | None = None
        self.reported: set[tuple[str, str]] = set()
        #: kinds of the open loops, innermost last: range, parallel, unroll, pipeline, while, split_aiv
        self.loops: list[str] = []
        #: how many loops of Python enclose the place; a break outside all of them is a fault of Python's own
        self.python_loops = 0
        #: kinds of the open scopes: incore, hierarchy, cluster, spmd, runtime, split_aiv
        self.scopes: list[str] = []
        self.manual_depth = 0
        #: modes of the open pl.split_aiv regions
        self.splits: list[str] = []
        #: the enclosing region's own pl.split entry
        self.user_split: str | None = None
        self.yields: Yields | None = None
        self.inline: InlineFrame | None = None
        #: the inline functions that are being expanded
        self.inlining: list[KernelRef] = []
        #: how many calls of inline functions were expanded
        self.expansions = 0
        self.sizes = Sizes()
        self.dump_tags: list[ir.Var] = []
        #: result variables of submits -> (task id, generation)
        self.producers: dict[ir.Var, tuple[ir.Var, int]] = {}
        self.generations: dict[ir.Var, int] = {}
        #: attributes of pl.reserve_buffer and pl.import_peer_buffer results, by internal name
        self.buffers: dict[str, dict[str, Any]] = {}
        #: jit dependencies that were called before in this body
        self.called: list[str] = []
        #: module-level functions called from a program, by name
        self.externals: dict[str, Signature] = {}

    # --- faults ---

    def report(
        self,
        kind: FaultKind,
        span: Span,
        /,
        *,
        subject: syntax.Node | None = None,
        related: tuple[Related, ...] = (),
        **facts: Any,
    ) -> None:
        """Report a fault."""
        self.diagnostics.append(kind.at(span, subject=subject, related=related, **facts))

    def older(self, change: Change, kind: FaultKind, span: Span, /, **facts: Any) -> None:
        """Report a fault that is an older spelling: the message says since when, and what it is called now."""
        self.report(kind, span, **facts)
        self.diagnostics[-1] = dated(self.diagnostics[-1], change)

    def error(self, kind: FaultKind, node: syntax.Node, span: Span | None = None, /, **facts: Any) -> ir.ErrorExpr:
        """Report a fault of an expression and give what stands for it."""
        place = span or node.span
        self.report(kind, place, subject=node, **facts)
        return ir.ErrorExpr(place)

    def first_report(self, kind: str, name: str) -> bool:
        """Whether this is the first fault of a kind about a name; the others say nothing new."""
        if (kind, name) in self.reported:
            return False
        self.reported.add((kind, name))
        return True

    def unknown(self, span: Span) -> ir.ErrorExpr:
        """What stands for a value that cannot be told and is no fault: rules that conclude from what is absent stay silent."""
        self.complete = False
        return ir.ErrorExpr(span)

    # --- descending ---

    def expr(self, node: syntax.Expr) -> ir.Expr:
        """Lower an expression."""
        made = EXPRESSIONS[type(node)](self, node)
        if self.expansions and self.sizes.too_large(made):  # arguments stand wherever their parameters are read
            return self.unknown(node.span)
        if made.__class__ in _TYPED and _may_grow(made.type) and self.sizes.too_large(made.type):
            return self.unknown(node.span)
        return made

    def stmt(self, node: syntax.Stmt) -> Steps[None]:
        """Lower a statement; what it becomes is appended to the open block."""
        rule = STATEMENTS[type(node)]
        if self.tracer is not None and self.inline is None:
            yield from self.tracer.statement(node, rule)
            return
        steps = rule(self, node)
        if steps is not None:
            yield from steps
            yield

    def statements(self, body: tuple[syntax.Stmt, ...]) -> Steps[None]:
        """Lower statements, a step for each that took work."""
        for node in body:
            yield from self.stmt(node)

    @contextmanager
    def block(self) -> Iterator[list[ir.Stmt]]:
        """Collect the statements lowered inside into a block of their own."""
        outer = self.out
        inner: list[ir.Stmt] = []
        self.out = inner
        try:
            yield inner
        finally:
            self.out = outer

    @contextmanager
    def yielding(self) -> Iterator[Yields]:
        """Collect the yields lowered inside."""
        outer = self.yields
        inner = Yields()
        self.yields = inner
        try:
            yield inner
        finally:
            self.yields = outer

    @contextmanager
    def scope(self, kind: str) -> Iterator[None]:
        """An open with-scope of a kind; its names leak."""
        self.scopes.append(kind)
        self.names.enter()
        try:
            yield
        finally:
            self.names.leave(leak=True)
            self.scopes.pop()

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """One block deeper for the jit renaming."""
        renamer = self.names.renamer
        if renamer is None or self.inline is not None:
            yield
            return
        renamer.depth += 1
        try:
            yield
        finally:
            renamer.depth -= 1

    # --- what surrounds a place ---

    def inside(self, *kinds: str) -> bool:
        return any(kind in kinds for kind in self.scopes)

    def op_context(self) -> OpContext:
        """What an operator's rule may know of the present place."""
        context = self.context
        return OpContext(
            func_type=context.func_type,
            level=context.level,
            role=context.role,
            split_region=self.splits[-1] if self.splits else None,
            in_jit=self.jit,
            in_incore=self.inside("incore"),
        )

    def evaluate(self, node: syntax.Expr) -> Any:
        """The value of an expression as Python computes it around the body; a Failure where that raises."""
        return self.around.evaluate(node)

    def symbol(self, name: str) -> ir.Var:
        """The variable of a dynamic dimension."""
        symbols = self.context.symbols
        if name not in symbols:
            symbols[name] = symbol(name)
        return symbols[name]

    # --- bindings ---

    def var(self, name: str, type_: Type, span: Span | None) -> ir.Var:
        """The variable of a new binding."""
        return ir.Var(name, type_, span) if self.tracer is None else self.tracer.var(name, type_, span)

    def bind(self, name: str, type_: Type, span: Span, *, value: Any = None, kind: str = "local") -> None:
        """Tell of a name that the body binds here."""
        self.bindings.append(Binding(name, type_, value, span, self.context.name, kind))

    def poison(self, name: str, span: Span) -> ir.Var:
        """Bind a name to a variable of which nothing is known: the statement that should have bound it is at fault."""
        existing = self.names.lookup(name)
        if isinstance(existing, ir.Var) and existing.type is UNDETERMINED:
            return existing
        var = self.var(name, UNDETERMINED, span)
        renamer = self.names.renamer
        internal = name if renamer is None else renamer.current.get(name, name)
        if renamer is not None:
            renamer.first(name)
        self.names.define(internal, var)
        self.bind(name, UNDETERMINED, span)
        return var

    def read_vars(self, *nodes: syntax.Node) -> tuple[ir.Var, ...]:
        """The variables that syntax names, whether or not it can be lowered."""
        found: dict[ir.Var, None] = {}
        for root in nodes:
            for node in walk(root):
                if isinstance(node, syntax.Name):
                    value = self.names.lookup(node.id)
                    if isinstance(value, ir.Var):
                        found[value] = None
        return tuple(found)
