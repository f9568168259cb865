"""Environments: the names of a module, or of a function in it, with their static values."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pypto_lsp.frontend.static_names import TextNames, text_names
from pypto_lsp.frontend.static_objects import MISSING, Missing, freeze, thaw
from pypto_lsp.frontend.static_operators import Raised
from pypto_lsp.frontend.values import OpaqueValue
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Source, Span

if TYPE_CHECKING:
    from pypto_lsp.frontend.imports import Run
    from pypto_lsp.syntax import SyntaxTree

_FUNCTION_LIKE = (syntax.FunctionDef, syntax.ClassDef, syntax.Lambda)


#: names that every module has
MODULE_ATTRIBUTES = frozenset(
    ("__name__", "__file__", "__doc__", "__package__", "__spec__", "__loader__", "__builtins__", "__annotations__")
)


#: environments that are being compared
_COMPARED: set[tuple[int, int]] = set()


class Environment:
    """Names and values of one scope, with the scopes around it.

    ``raw_values`` holds the evaluator's own objects; :meth:`lookup` gives the immutable values of
    :mod:`~pypto_lsp.frontend.values`. ``kind`` is ``module``, ``function`` or ``class``; names of a class are not seen from
    the functions in it.
    """

    __slots__ = (
        "_frozen", "_text_names", "body", "bound_at", "kind", "module", "outer_names", "parent", "raw_values", "unsettled",
    )  # fmt: skip

    module: ModuleEnvironment

    def __init__(self, parent: Environment | None, kind: str, body: tuple[syntax.Stmt, ...] = ()) -> None:
        self.parent = parent
        self.kind = kind
        #: the statements that bind names here
        self.body = body
        self._text_names: TextNames | None = None
        self.raw_values: dict[str, Any] = {}
        #: the node that binds a name: its Name, Alias, definition or parameter
        self.bound_at: dict[str, syntax.Node] = {}
        #: names declared ``global`` or ``nonlocal``, with the scope they are bound in
        self.outer_names: dict[str, Environment] = {}
        #: once a kernel was made in a function: the names that had, or may have had, other values then
        self.unsettled: set[str] | None = None
        self._frozen: dict[str, tuple[Any, Any]] = {}
        if parent is not None:
            self.module = parent.module

    # --- for the rest of the project -------------------------------------------------------------------------------

    def lookup(self, name: str) -> Any:
        """The value that a name has when the module has run; locals of a factory come first.

        :data:`MISSING` means that the name is surely not bound. One that the text binds somewhere, though not in what was
        evaluated (under a main guard, after a failure), is an OpaqueValue, and so is any name while part of the text cannot
        be parsed. Where a star import of an unknown module or its like may bind it (``unknown_star``), the caller has to ask.
        """
        scope: Environment | None = self
        while scope is not None:
            if scope is self or scope.kind != "class":
                if name in scope.raw_values:
                    if scope.unsettled and name in scope.unsettled:
                        return OpaqueValue(f"{self.module.path}:{name}")
                    return scope._value(name)
                if scope._may_bind(name):
                    self.module.unfound.add(name)
                    return OpaqueValue(f"{self.module.path}:{name}")
            scope = scope.parent
        self.module.unfound.add(name)
        return OpaqueValue(f"{self.module.path}:{name}") if name in MODULE_ATTRIBUTES else MISSING

    def definition(self, name: str) -> Span | None:
        """The span of the name where it is bound last, in whatever file's scope :meth:`lookup` finds it."""
        scope = self.owner(name)
        node = scope.bound_at.get(name) if scope is not None else None
        return None if node is None else name_span(node)

    def child(self, local_values: Mapping[str, Any]) -> Environment:
        """An environment inside this one, with local values in their immutable form."""
        inner = Environment(self, "function")
        inner.raw_values.update({name: thaw(value) for name, value in local_values.items()})
        return inner

    def names(self) -> list[str]:
        """All names that can be looked up, innermost scope first."""
        found = dict.fromkeys(self.raw_values)
        scope = self.parent
        while scope is not None:
            if scope.kind != "class":
                found.update(dict.fromkeys(scope.raw_values))
            scope = scope.parent
        return list(found)

    def lies_in(self, scope: Environment) -> bool:
        """Whether this is a scope or one inside it."""
        inner: Environment | None = self
        while inner is not None and inner is not scope:
            inner = inner.parent
        return inner is not None

    def alike(self, other: Environment) -> bool:
        """Of the same file, with equal locals and texts that may bind the same names (module globals are not compared, nor what
        lies in local functions)."""
        if self is other:
            return True
        if self.module.path != other.module.path or self.kind != other.kind:
            return False
        if self.kind == "module":
            return True
        assert self.parent is not None and other.parent is not None
        if self.text_names != other.text_names:
            return False
        pair = (id(self), id(other))
        if pair in _COMPARED:  # a local whose value looks up names in this very scope
            return True
        _COMPARED.add(pair)
        try:
            return self._constants() == other._constants() and self.parent.alike(other.parent)
        finally:
            _COMPARED.discard(pair)

    @property
    def text_names(self) -> TextNames:
        """The names that the text of this scope may bind."""
        if self._text_names is None:
            self._text_names = text_names(self.body, module=self.kind == "module")
        return self._text_names

    def _may_bind(self, name: str) -> bool:
        return name in self.text_names.names or (self.text_names.broken and not hasattr(builtins, name))

    # --- for the evaluator -----------------------------------------------------------------------------------------

    def owner(self, name: str) -> Environment | None:
        """The scope in which a name read here is found."""
        scope: Environment | None = self
        while scope is not None:
            if name in scope.raw_values and (scope is self or scope.kind != "class"):
                return scope
            scope = scope.parent
        return None

    def raw(self, name: str) -> Any:
        """The evaluator's own object under a name as it is read in running code, or MISSING.

        Raises :class:`Raised` for a local variable that has no value yet.
        """
        scope: Environment | None = self
        while scope is not None:
            value = scope.raw_values.get(name, MISSING)
            if value is not MISSING:
                if scope is self or scope.kind != "class":
                    return value
            elif scope.kind == "function" and scope.body and name not in scope.outer_names and scope._may_bind(name):
                raise Raised("UnboundLocalError")
            scope = scope.parent
        return MISSING

    def _value(self, name: str) -> Any:
        raw = self.raw_values[name]
        known = self._frozen.get(name)
        if known is not None and known[0] is raw:
            return known[1]
        value = freeze(raw, f"{self.module.path}:{name}")
        self._frozen[name] = (raw, value)
        return value

    def _constants(self) -> dict[str, Any]:
        constants: dict[str, Any] = {}
        for name, raw in self.raw_values.items():
            node = getattr(raw, "node", None)
            constants[name] = id(node) if isinstance(node, _FUNCTION_LIKE) else self._value(name)
        return constants

    def __repr__(self) -> str:
        return f"Environment({self.module.path!r}, {sorted(self.raw_values)})"


class ModuleEnvironment(Environment):
    """The names of one file after it has run.

    ``run`` is the program run it belongs to: modules change each other's names, so what a name of ``config.py`` is may
    depend on the file that is the script. ``patches`` are the names that other modules of the run have set here, ``base``
    the environment without them.
    """

    __slots__ = (
        "base",
        "definitions",
        "finished",
        "foreign_names",
        "history",
        "kernels",
        "name",
        "order",
        "patches",
        "path",
        "run",
        "source",
        "tree",
        "unfound",
        "unknown_star",
    )

    run: Run

    def __init__(self, path: str, name: str, tree: SyntaxTree) -> None:
        super().__init__(None, "module", tree.body)
        self.module = self
        self.path = path
        self.name = name
        self.tree = tree
        self.source: Source = tree.source
        self.base: ModuleEnvironment = self
        self.patches: dict[str, Any] = {}
        #: names bound more than once: (index of the top-level statement, value before it), in order
        self.history: dict[str, list[tuple[int, Any]]] = {}
        #: index of the top-level statement that runs
        self.order = 0
        self.finished = False
        #: kernels and programs that the run of the module made, by definition
        self.kernels: dict[syntax.Node, list[Any]] = {}
        #: the kernels and programs of the text, once they have been asked for
        self.definitions: tuple[Any, ...] | None = None
        #: names that were looked up and have no value: whether they may exist all the same depends on the whole text
        self.unfound: set[str] = set()
        #: any name may exist: a star import of a module that is not known, ``exec``, ``globals()``
        self.unknown_star = False
        #: a name of a builtin may be another one's: a star import of a module that is not known
        self.foreign_names = False

    def at(self, node: syntax.Node) -> Environment:
        """The names as they are when a top-level statement runs: the one that ``node`` is, or lies in.

        For annotations and decorators, which Python evaluates at the definition, where a name is rebound later.
        """
        begin = node.anchor.offset + node.start
        index = 0
        for index, statement in enumerate(self.tree.body):
            if statement.anchor.offset + statement.start > begin:
                index -= 1
                break
        earlier = {
            name: before
            for name, changes in self.history.items()
            if (before := next((value for order, value in changes if order > index), MISSING)) is not MISSING
        }
        if not earlier:
            return self
        view = Environment(self, "function")
        view.raw_values = earlier
        view.bound_at = {name: self.bound_at[name] for name in earlier if name in self.bound_at}
        return view

    def __repr__(self) -> str:
        return f"ModuleEnvironment({self.path!r})"


def name_span(node: syntax.Node) -> Span:
    """The span of the name that a binding node binds."""
    if isinstance(node, syntax.FunctionDef | syntax.ClassDef):
        return node.name_span
    if isinstance(node, syntax.Param):
        stars = {"vararg": 1, "kwarg": 2}.get(node.kind, 0)
        return Span(node.anchor, node.start + stars, node.name_end)
    return node.span


__all__ = ["MISSING", "Environment", "Missing", "ModuleEnvironment", "name_span"]
