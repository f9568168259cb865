"""Names that the compiler cannot give numbers to when it tells the values of a variable apart.

A function of its own is refused for them where it stands, an Inline function where it is expanded: there its variables get new
names, in which no ending of the compiler's own is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pypto_lsp.diagnostics import Diagnostic, faults_statements
from pypto_lsp.frontend.model import Binding
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import ForKind
from pypto_lsp.ir.visit import bodies

_SEPARATOR = "__"
#: what may stand at the end of a name that the compiler has made itself
_ROLES = frozenset(("ssa", "iter", "rv", "phi", "tile", "tmp", "out", "store", "idx"))


def reserved_names(function: ir.Function, bindings: Sequence[Binding]) -> Iterator[Diagnostic]:
    """The variables of a function whose names are refused, each where it is first bound."""
    suspects = _first(suspected(bindings))
    if not suspects or function.body is None:
        return
    variables = {var.name for var in (*function.params, *_variables(function.body))}
    for name, binding in suspects.items():
        if name in variables and not _is_numbered(name):
            yield faults_statements.RESERVED_NAME.at(binding.span, name=name)


def reserved_names_expanded(function: ir.Function, suspects: Iterable[Binding]) -> Iterator[Diagnostic]:
    """The variables of an Inline function whose names are refused once it is expanded. Its parameters are then the caller's."""
    own = _first(binding for binding in suspects if binding.kernel == function.name)
    if not own or function.body is None:
        return
    variables = {var.name for var in _variables(function.body)} - {var.name for var in function.params}
    for name, binding in own.items():
        if name in variables:
            yield faults_statements.RESERVED_NAME.at(binding.span, name=name)


def suspected(bindings: Iterable[Binding]) -> list[Binding]:
    """The bindings of names that are perhaps refused."""
    return [binding for binding in bindings if _SEPARATOR in binding.name]


def _first(bindings: Iterable[Binding]) -> dict[str, Binding]:
    """The first binding of each name."""
    found: dict[str, Binding] = {}
    for binding in bindings:
        found.setdefault(binding.name, binding)
    return found


def _variables(body: ir.Body) -> Iterator[ir.Var]:
    """The variables that a body binds, but for those of loops that are unrolled before, perhaps to nothing."""
    for stmt in body:
        if isinstance(stmt, ir.For) and stmt.kind is ForKind.UNROLL:
            continue
        if isinstance(stmt, (ir.Assign, ir.For)):
            yield stmt.var
        elif isinstance(stmt, ir.SpmdScope) and stmt.index_var is not None:
            yield stmt.index_var
        for nested in bodies(stmt):
            yield from _variables(nested)


def _is_numbered(name: str) -> bool:
    """Whether a name ends like one of the compiler's own: in a role, or in a version."""
    last = name.partition(_SEPARATOR)[2].rpartition("_")[2]
    return last in _ROLES or (last[:1] == "v" and last[1:].isdigit())
