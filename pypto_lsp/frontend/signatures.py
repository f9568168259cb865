"""Parameters and declared results of a kernel, from its annotations."""

from __future__ import annotations

from dataclasses import dataclass, field

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.diagnostics import faults_annotations as faults
from pypto_lsp.frontend.annotation_scope import Allocations, AnnotationScope
from pypto_lsp.frontend.annotations import resolve
from pypto_lsp.frontend.model import Binding
from pypto_lsp.frontend.static_scope import Environment, ModuleEnvironment
from pypto_lsp.frontend.values import DynamicSymbol
from pypto_lsp.ir.arith import dim_of
from pypto_lsp.ir.dtypes import INDEX
from pypto_lsp.ir.enums import Direction
from pypto_lsp.ir.nodes import Binary, Expr, Unary, Var
from pypto_lsp.ir.types import SHAPED, UNDETERMINED, ScalarType, TupleType, Type
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span


@dataclass(slots=True)
class Parameters:
    """The parameters of a kernel that the compiler reads (the plain positional ones, without ``self``).

    ``nodes`` runs in parallel with ``vars`` and ``directions``. ``symbols`` are the dynamic dimensions by name, ``bare`` the
    parameters annotated ``pl.Tensor`` alone, ``declared`` the types as annotated where a call's types stand in ``vars``.
    ``complete`` is false where a fault was found.
    """

    nodes: list[syntax.Param] = field(default_factory=list)
    vars: list[Var] = field(default_factory=list)
    directions: list[Direction] = field(default_factory=list)
    symbols: dict[str, Var] = field(default_factory=dict)
    bare: set[str] = field(default_factory=set)
    allocations: Allocations = field(default_factory=Allocations)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    declared: tuple[Type, ...] = ()

    @property
    def complete(self) -> bool:
        return not self.diagnostics

    def bindings(self, kernel: str) -> list[Binding]:
        """A binding for each parameter."""
        return [
            Binding(var.name, var.type, None, name_of(node), kernel, "param")
            for node, var in zip(self.nodes, self.vars)
        ]


def name_of(param: syntax.Param) -> Span:
    """The span of a parameter's name."""
    return Span(param.anchor, param.start, param.name_end)


def lazy_annotations(env: Environment) -> bool:
    """Whether the module has ``from __future__ import annotations``, so that Python does not evaluate annotations."""
    for stmt in env.module.tree.body:
        if isinstance(stmt, syntax.ImportFrom) and stmt.module == "__future__":
            if any(alias.name == "annotations" for alias in stmt.names):
                return True
        elif not isinstance(stmt, syntax.ExprStmt):
            return False
    return False


def definition_env(node: syntax.Node, env: Environment) -> Environment:
    """The names as they are when a definition runs: what Python evaluates annotations and decorators with."""
    return env.at(node) if isinstance(env, ModuleEnvironment) else env


def positional(node: syntax.FunctionDef, *, method: bool) -> list[syntax.Param]:
    """The parameters that the compiler reads."""
    params = [param for param in node.params if param.kind == "positional"]
    if method and params and params[0].name == "self":
        params = params[1:]
    return [param for param in params if param.name != "self" or param.annotation is not None]


def parameters(
    node: syntax.FunctionDef,
    env: Environment,
    *,
    method: bool = False,
    jit: bool = False,
    printed: bool = False,
    python_env: Environment | None = None,
) -> Parameters:
    """Resolve the parameters of a kernel. ``method``: of a program class, so that ``self`` is left out."""
    found = Parameters()
    scope = AnnotationScope(
        definition_env(node, env),
        "parameter",
        evaluated=not printed and not lazy_annotations(env),
        jit=jit,
        printed=printed,
        python_env=python_env,
        symbols=found.symbols,
        allocations=found.allocations,
        lookup=lambda name: _parameter_named(found, name),
    )
    used: set[Var] = set()
    for param in positional(node, method=method):
        _add_parameter(found, param, scope, used)
    return found


def _parameter_named(found: Parameters, name: str) -> Expr | None:
    return next((var for var in found.vars if var.name == name), None)


def _add_parameter(found: Parameters, param: syntax.Param, scope: AnnotationScope, used: set[Var]) -> None:
    type_: Type = UNDETERMINED
    direction = Direction.IN
    if param.annotation is None:
        found.diagnostics.append(faults.MISSING_ANNOTATION.at(name_of(param), subject=param, name=param.name))
    else:
        resolved = resolve(param.annotation, scope)
        type_, direction = resolved.type, resolved.direction
        found.diagnostics += resolved.diagnostics
        if resolved.bare:
            found.bare.add(param.name)
    var = Var(param.name, type_, name_of(param))
    _take_symbol(found, param, var, scope, used)
    used |= variables_of(type_)
    found.nodes.append(param)
    found.vars.append(var)
    found.directions.append(direction)


def _take_symbol(found: Parameters, param: syntax.Param, var: Var, scope: AnnotationScope, used: set[Var]) -> None:
    """A scalar INDEX parameter with the name of a dynamic dimension is that dimension."""
    if scope.jit or var.type != ScalarType(INDEX):
        return
    declared = scope.env.lookup(param.name)
    if not isinstance(declared, DynamicSymbol):
        return
    if scope.symbol(declared.name) in used:
        found.diagnostics.append(faults.SHADOWED_SYMBOL.at(name_of(param), subject=param, name=param.name))
        return
    found.symbols[declared.name] = var


def variables_of(type_: Type) -> set[Var]:
    """The variables in the extents of a type."""
    found: set[Var] = set()
    if isinstance(type_, SHAPED):
        view = type_.view
        extents = (*(type_.shape or ()), *(view.valid_shape if view else ()), *(view.stride if view else ()))
        for extent in extents:
            _collect(extent, found)
    return found


def _collect(extent: object, found: set[Var]) -> None:
    extent = dim_of(extent) if isinstance(extent, Expr) else extent
    if isinstance(extent, Var):
        found.add(extent)
    elif isinstance(extent, Binary):
        _collect(extent.left, found)
        _collect(extent.right, found)
    elif isinstance(extent, Unary):
        _collect(extent.operand, found)


@dataclass(slots=True)
class DeclaredResult:
    """The result annotation: its type (None without one) and its faults."""

    type: Type | None
    diagnostics: list[Diagnostic]


def declared_result(
    node: syntax.FunctionDef,
    env: Environment,
    found: Parameters,
    *,
    printed: bool = False,
    python_env: Environment | None = None,
) -> DeclaredResult:
    """Resolve the result annotation of a plain kernel."""
    if node.returns is None:
        return DeclaredResult(None, [])
    scope = AnnotationScope(
        definition_env(node, env),
        "result",
        evaluated=not printed and not lazy_annotations(env),
        printed=printed,
        python_env=python_env,
        symbols=found.symbols,
        allocations=found.allocations,
        lookup=lambda name: _parameter_named(found, name),
    )
    resolved = resolve(node.returns, scope)
    return DeclaredResult(resolved.type, resolved.diagnostics)


def result_types(type_: Type | None) -> tuple[Type, ...]:
    """The return types of a declared result: ``tuple[...]`` gives several."""
    if type_ is None:
        return ()
    return type_.types if isinstance(type_, TupleType) else (type_,)
