"""The compact syntax tree that LibCST pieces are turned into.

Class and field names follow Python's own ``ast`` module, so whoever knows that knows this. Differences:

* every node has ``anchor``, ``start`` and ``end``: a character range relative to the anchor of the piece it was parsed
  in; ``node.span`` is the :class:`~pypto_lsp.text.span.Span`;
* a compound statement's range is its *header* (first keyword to colon); its body is a tuple of statements;
* operators are strings (``"+"``, ``"not"``, ``"<="``);
* a statement that cannot be parsed is :class:`Broken`; a kind the project does not look into is :class:`Opaque`.

Nodes are treated as immutable. A statement whose text did not change keeps its identity over edits elsewhere; a compound
statement is a new object exactly when its header or something inside it changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from pypto_lsp.text.span import Anchor, Span


@dataclass(slots=True, eq=False)
class Node:
    anchor: Anchor
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.anchor, self.start, self.end)

    @property
    def text(self) -> str:
        return self.span.text


# --- expressions -------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Expr(Node):
    """Base of all expressions."""


@dataclass(slots=True, eq=False)
class Name(Expr):
    id: str


@dataclass(slots=True, eq=False)
class Constant(Expr):
    """A literal: int, float, complex, str (also implicitly concatenated), bytes, bool, None or Ellipsis."""

    value: Any


@dataclass(slots=True, eq=False)
class Attribute(Expr):
    value: Expr
    attr: str
    #: start of the attribute's name, relative to the anchor (its end is the node's end)
    attr_start: int


@dataclass(slots=True, eq=False)
class Starred(Expr):
    value: Expr


@dataclass(slots=True, eq=False)
class Keyword(Node):
    """``name=value`` or ``**value`` (name None) of a call; the range covers both, ``name_end`` ends the name."""

    arg: str | None
    value: Expr
    name_end: int


@dataclass(slots=True, eq=False)
class Call(Expr):
    func: Expr
    args: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]


@dataclass(slots=True, eq=False)
class Slice(Expr):
    lower: Expr | None
    upper: Expr | None
    step: Expr | None


@dataclass(slots=True, eq=False)
class Subscript(Expr):
    """``value[...]``; ``index`` holds the comma-separated elements (Slice or expression); ``is_tuple`` when more than
    one or a trailing comma."""

    value: Expr
    index: tuple[Expr, ...]
    is_tuple: bool


@dataclass(slots=True, eq=False)
class Tuple(Expr):
    elts: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class List(Expr):
    elts: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Set(Expr):
    elts: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Dict(Expr):
    """``keys[i]`` is None for a ``**`` entry."""

    keys: tuple[Expr | None, ...]
    values: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class BinOp(Expr):
    left: Expr
    op: str
    right: Expr


@dataclass(slots=True, eq=False)
class UnaryOp(Expr):
    """op: ``-``, ``+``, ``~`` or ``not``."""

    op: str
    operand: Expr


@dataclass(slots=True, eq=False)
class BoolOp(Expr):
    """op: ``and`` or ``or``, flattened as Python's ast does."""

    op: str
    values: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Compare(Expr):
    """ops as written: ``<``, ``==``, ``not in``, ``is not``, ..."""

    left: Expr
    ops: tuple[str, ...]
    comparators: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class IfExp(Expr):
    test: Expr
    body: Expr
    orelse: Expr


@dataclass(slots=True, eq=False)
class Lambda(Expr):
    params: tuple[Param, ...]
    body: Expr


@dataclass(slots=True, eq=False)
class NamedExpr(Expr):
    target: Expr
    value: Expr


@dataclass(slots=True, eq=False)
class Comprehension(Node):
    target: Expr
    iter: Expr
    ifs: tuple[Expr, ...]
    is_async: bool


@dataclass(slots=True, eq=False)
class ListComp(Expr):
    """kind: ``list``, ``set`` or ``generator``."""

    elt: Expr
    generators: tuple[Comprehension, ...]
    kind: str


@dataclass(slots=True, eq=False)
class DictComp(Expr):
    key: Expr
    value: Expr
    generators: tuple[Comprehension, ...]


@dataclass(slots=True, eq=False)
class FormattedValue(Expr):
    """``{value!conversion:spec}`` of an f-string; ``spec`` are the expressions in braces inside the format specification."""

    value: Expr
    conversion: str | None
    has_format_spec: bool
    spec: tuple[Expr, ...] = ()


@dataclass(slots=True, eq=False)
class JoinedStr(Expr):
    values: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class OpaqueExpr(Expr):
    """An expression the project does not look into (await, yield, ...); ``kind`` is LibCST's class name, ``parts`` the
    expressions in it."""

    kind: str
    parts: tuple[Expr, ...] = ()


# --- statements --------------------------------------------------------------------------------------------------


class Stmt(Node):
    """Base of all statements. ``scanned`` is what :mod:`pypto_lsp.frontend.jit_graph` has found in it, once it was asked."""

    __slots__ = ("scanned",)
    scanned: tuple[tuple[int, Node], ...]


@dataclass(slots=True, eq=False)
class Param(Node):
    """One parameter; the range covers name and annotation and default. kind: ``positional_only``, ``positional``,
    ``vararg``, ``keyword_only`` or ``kwarg``. ``name_end`` ends the name (which starts at ``start`` plus its stars)."""

    name: str
    annotation: Expr | None
    default: Expr | None
    kind: str
    name_end: int


@dataclass(slots=True, eq=False)
class ExprStmt(Stmt):
    value: Expr


@dataclass(slots=True, eq=False)
class Assign(Stmt):
    """``targets`` has one entry per ``=``."""

    targets: tuple[Expr, ...]
    value: Expr


@dataclass(slots=True, eq=False)
class AugAssign(Stmt):
    """op without the equals sign: ``+``."""

    target: Expr
    op: str
    value: Expr


@dataclass(slots=True, eq=False)
class AnnAssign(Stmt):
    target: Expr
    annotation: Expr
    value: Expr | None


@dataclass(slots=True, eq=False)
class Return(Stmt):
    value: Expr | None


@dataclass(slots=True, eq=False)
class Pass(Stmt):
    pass


@dataclass(slots=True, eq=False)
class Break(Stmt):
    pass


@dataclass(slots=True, eq=False)
class Continue(Stmt):
    pass


@dataclass(slots=True, eq=False)
class Raise(Stmt):
    exc: Expr | None
    cause: Expr | None = None


@dataclass(slots=True, eq=False)
class Assert(Stmt):
    test: Expr
    msg: Expr | None


@dataclass(slots=True, eq=False)
class Delete(Stmt):
    targets: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Global(Stmt):
    """kind: ``global`` or ``nonlocal``."""

    names: tuple[str, ...]
    kind: str


@dataclass(slots=True, eq=False)
class Alias(Node):
    name: str
    asname: str | None


@dataclass(slots=True, eq=False)
class Import(Stmt):
    names: tuple[Alias, ...]


@dataclass(slots=True, eq=False)
class ImportFrom(Stmt):
    """``names`` is empty and ``star`` true for ``from m import *``; ``level`` counts leading dots."""

    module: str
    names: tuple[Alias, ...]
    level: int
    star: bool


@dataclass(slots=True, eq=False)
class If(Stmt):
    """``elif`` is an If alone in ``orelse``."""

    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class For(Stmt):
    target: Expr
    iter: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    is_async: bool


@dataclass(slots=True, eq=False)
class While(Stmt):
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class WithItem(Node):
    context_expr: Expr
    optional_vars: Expr | None


@dataclass(slots=True, eq=False)
class With(Stmt):
    items: tuple[WithItem, ...]
    body: tuple[Stmt, ...]
    is_async: bool


@dataclass(slots=True, eq=False)
class ExceptHandler(Node):
    type: Expr | None
    name: str | None
    body: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class Try(Stmt):
    body: tuple[Stmt, ...]
    handlers: tuple[ExceptHandler, ...]
    orelse: tuple[Stmt, ...]
    finalbody: tuple[Stmt, ...]


class Deferred(Protocol):
    """A body that has not been parsed yet; ``last`` is the offset behind its last line's text."""

    last: int

    def statements(self) -> tuple[Stmt, ...]:
        """The statements."""


class _Deferring(Stmt):
    """A statement whose ``body`` may be parsed when somebody asks for it.

    The trees of files that are only imported are made so: of most functions in them nobody wants to know more than the header.
    """

    __slots__ = ("_deferred",)
    _deferred: Deferred
    body: tuple[Stmt, ...]

    def defer(self, deferred: Deferred) -> None:
        """Let go of the body; it comes from ``deferred`` when it is asked for."""
        self._deferred = deferred
        del self.body

    def unparsed_end(self) -> int | None:
        """The offset where a body ends that was not parsed yet, None for any other."""
        try:
            return self._deferred.last
        except AttributeError:
            return None

    def __getattr__(self, name: str) -> Any:
        # only called for slots that are empty
        if name != "body":
            raise AttributeError(name)
        self.body = self._deferred.statements()
        del self._deferred
        return self.body


@dataclass(slots=True, eq=False)
class FunctionDef(_Deferring):
    """The range runs from ``def`` (or ``async``) to the colon, decorators left out; ``name_start``/``name_end`` are
    relative to the anchor."""

    name: str
    name_start: int
    name_end: int
    params: tuple[Param, ...]
    returns: Expr | None
    decorators: tuple[Expr, ...]
    body: tuple[Stmt, ...]
    is_async: bool

    @property
    def name_span(self) -> Span:
        return Span(self.anchor, self.name_start, self.name_end)


@dataclass(slots=True, eq=False)
class ClassDef(Stmt):
    name: str
    name_start: int
    name_end: int
    bases: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]
    decorators: tuple[Expr, ...]
    body: tuple[Stmt, ...]

    @property
    def name_span(self) -> Span:
        return Span(self.anchor, self.name_start, self.name_end)


@dataclass(slots=True, eq=False)
class Opaque(Stmt):
    """A statement the project does not look into (match, type alias, ...); ``kind`` is LibCST's class name, ``binds``
    the names it may bind, ``reads`` those that it mentions."""

    kind: str
    binds: tuple[str, ...]
    reads: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Broken(Stmt):
    """A piece that cannot be parsed, or lines that belong to no block.

    ``body`` are the statements below a broken header, each intact; in which scope they run is unknown. ``binds`` are names
    that the piece seems to bind; it may bind others, so after it nothing can be said about an unknown name.
    """

    reason: str
    binds: tuple[str, ...] = ()
    body: tuple[Stmt, ...] = ()
