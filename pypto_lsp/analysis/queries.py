"""Questions about a place in a file: which operator is named there, which type a name or an expression has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pypto_lsp.analysis.places import dotted, enclosing_function, nodes_at
from pypto_lsp.analysis.report import FileReport
from pypto_lsp.analysis.workspace import Workspace
from pypto_lsp.frontend.model import Binding
from pypto_lsp.frontend.static import MISSING
from pypto_lsp.frontend.values import DynamicSymbol, Instance, Namespace
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import DType
from pypto_lsp.ir.enums import EnumMember
from pypto_lsp.ir.types import UNDETERMINED, Type
from pypto_lsp.ir.visit import header_exprs, walk, walk_expr
from pypto_lsp.ops import REGISTRY
from pypto_lsp.ops.registry import Operator, Param
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span

#: what the language's modules are called where the file's own names cannot be looked up
_CUSTOMARY = {"pl": "pl", "pld": "pld"}


@dataclass(frozen=True, slots=True)
class Place:
    """The nodes around an offset of a file, outermost first."""

    path: str
    offset: int
    nodes: tuple[syntax.Node, ...]

    @property
    def node(self) -> syntax.Node | None:
        return self.nodes[-1] if self.nodes else None

    @property
    def function(self) -> syntax.FunctionDef | None:
        return enclosing_function(list(self.nodes))


class Queries:
    """Answers from the newest report of a file; what is not known is None, never an error."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def place(self, path: str, offset: int) -> Place:
        return Place(path, offset, tuple(nodes_at(self._workspace.sources.tree(path), offset)))

    # --- names of the language -----------------------------------------------------------------------------------

    def canonical(self, path: str, spelling: str) -> str | None:
        """The language's own path of a dotted name as a file spells it (``p.add`` under ``import ... as p``: ``pl.add``).

        None when it does not start at a module of the language.
        """
        head, _, rest = spelling.partition(".")
        value = self._workspace.module_value(path, head)
        if value is MISSING:
            base = _CUSTOMARY.get(head)
        else:
            base = value.path if isinstance(value, Namespace) else None
        return None if base is None else f"{base}.{rest}" if rest else base

    def operator(self, path: str, spelling: str) -> tuple[str, Operator] | None:
        """The operator of a dotted name, with its path in the language."""
        canonical = self.canonical(path, spelling)
        found = REGISTRY.get(canonical) if canonical is not None else None
        return (canonical, found) if canonical is not None and found is not None else None

    def named_path(self, place: Place) -> str | None:
        """The dotted name under the cursor up to the part it stands on: ``pl.tile`` with the cursor on ``tile``."""
        node = place.node
        if isinstance(node, syntax.Attribute):
            return dotted(node)
        return node.id if isinstance(node, syntax.Name) else None

    def keyword(self, place: Place) -> tuple[str, Operator, Param] | None:
        """The operator's parameter whose keyword the cursor stands on."""
        if len(place.nodes) < 2:
            return None
        node, call = place.nodes[-1], place.nodes[-2]
        if not isinstance(node, syntax.Keyword) or not isinstance(call, syntax.Call) or node.arg is None:
            return None
        if place.offset > node.anchor.offset + node.name_end:
            return None
        spelling = dotted(call.func)
        found = self.operator(place.path, spelling) if spelling else None
        param = found[1].param(node.arg) if found else None
        return (found[0], found[1], param) if found and param else None

    def constant(self, path: str, spelling: str) -> str | None:
        """The value of a module-level name or of a field of one (``CFG.rows``) as text, None where it has none."""
        head, *fields = spelling.split(".")
        value = self._workspace.module_value(path, head)
        for name in fields:
            value = _field(value, name)
        return _shown(value)

    def module_names(self, path: str) -> list[str]:
        """The names that a file binds or imports at module level."""
        return self._workspace.module_names(path)

    def definition(self, place: Place, report: FileReport | None) -> Span | None:
        """Where the name at a place is bound: the last binding of the kernel before it, else in the module, followed
        through imports. The first part of a dotted name counts, or its function for ``self.kernel``."""
        node = place.node
        if isinstance(node, syntax.Attribute) and isinstance(node.value, syntax.Name) and node.value.id == "self":
            return self._method(place, node.attr)
        if not isinstance(node, syntax.Name):
            return None
        function = place.function
        if report is not None and function is not None:
            earlier = [
                b.span for b in self.bindings(report, function) if b.name == node.id and b.span.begin <= node.span.begin
            ]
            if earlier:
                return max(earlier, key=lambda span: span.begin)
        return self._workspace.module_definition(place.path, node.id)

    def _method(self, place: Place, name: str) -> Span | None:
        cls = next((node for node in reversed(place.nodes) if isinstance(node, syntax.ClassDef)), None)
        for stmt in cls.body if cls is not None else ():
            if isinstance(stmt, syntax.FunctionDef) and stmt.name == name:
                return stmt.name_span
        return None

    # --- types ---------------------------------------------------------------------------------------------------

    def bindings(self, report: FileReport, function: syntax.FunctionDef) -> list[Binding]:
        """What a function binds, in source order."""
        return [b for b in report.bindings if b.kernel == function.name]

    def type_at(self, place: Place, report: FileReport | None) -> tuple[str, list[Type], Any] | None:
        """The text of the name or call at a place with its types (one per specialisation) and constant value.

        A binding's own name gives the type bound there, a read the type it has at that point.
        """
        node = place.node
        if report is None or not isinstance(node, (syntax.Name, syntax.Call, syntax.Param)):
            return None
        begin, end = node.span.begin, node.span.end_offset
        if isinstance(node, syntax.Param):
            end = node.anchor.offset + node.name_end
            begin = end - len(node.name)
            if not begin <= place.offset <= end:
                return None
        text = node.name if isinstance(node, syntax.Param) else node.text
        bound = [b for b in report.bindings if (b.span.begin, b.span.end_offset) == (begin, end)]
        types = _distinct([b.type for b in bound])
        if not types:
            types = _distinct([e.type for e in self._expressions(place, report) if _covers(e.span, begin, end)])
        values = {repr(b.value): b.value for b in bound if b.value is not None}
        value = next(iter(values.values())) if len(values) == 1 else None
        return (text, types, value) if types or value is not None else None

    def _expressions(self, place: Place, report: FileReport) -> Iterator[ir.Expr]:
        """All lowered expressions of the function around a place."""
        function = place.function
        if function is None:
            return
        for unit in report.units:
            lowered = unit.program.functions.get(function.name)
            if lowered is None or lowered.body is None:
                continue
            if lowered.span is not None and lowered.span.path != place.path:
                continue
            for stmt in walk(lowered.body):
                for expr in header_exprs(stmt):
                    yield from walk_expr(expr, attrs=False)


def _covers(span: Span | None, begin: int, end: int) -> bool:
    return span is not None and span.begin == begin and span.end_offset == end


def _distinct(types: list[Type]) -> list[Type]:
    found: list[Type] = []
    for type_ in types:
        if type_ is not UNDETERMINED and type_ not in found:
            found.append(type_)
    return found


def _field(value: Any, name: str) -> Any:
    if isinstance(value, Instance):
        try:
            return value.get(name)
        except KeyError:
            return MISSING
    return MISSING


def _shown(value: Any) -> str | None:
    if isinstance(value, (DType, EnumMember)):
        return str(value)
    if isinstance(value, DynamicSymbol):
        return f'pl.dynamic("{value.name}")'
    if value is None or value is MISSING or not isinstance(value, (int, float, str)):
        return None
    return str(int(value)) if isinstance(value, int) and not isinstance(value, bool) else repr(value)
