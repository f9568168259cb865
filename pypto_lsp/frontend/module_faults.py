"""What Python raises when it runs the module-level code around kernels, as far as that concerns the language.

Names of the language that do not exist (``pl.FLOAT32``, ``@pl.jitt``), names that nothing binds in decorators and constants, and
names that a module of the workspace does not have. Code under ``try`` or ``if`` is left alone: it may well not run, or be prepared for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, faults_python
from pypto_lsp.frontend.closure import Failure, evaluate, failing
from pypto_lsp.frontend.names import walk
from pypto_lsp.frontend.signatures import definition_env
from pypto_lsp.frontend.static_scope import Environment, ModuleEnvironment
from pypto_lsp.frontend.values import Namespace, OpaqueValue
from pypto_lsp.syntax import nodes as syntax

#: text with which a module may get names that no statement binds
_DYNAMIC = re.compile(
    r"\bglobals\(|\bsetattr\(|\bexec\(|\bimport \*|\b__getattr__\b|\bvars\("
    r"|\bbuiltins\b|\b__dict__\b|\b__globals__\b|\bf_globals\b|\bsys\.modules\b"
)


def module_findings(env: ModuleEnvironment) -> list[Diagnostic]:
    """The faults of the module-level code of a file."""
    found: list[Diagnostic] = []
    for stmt in env.tree.body:
        if isinstance(stmt, syntax.ImportFrom):
            found += _imports(stmt, env)
        elif isinstance(stmt, syntax.FunctionDef | syntax.ClassDef):
            found += _decorators(stmt, definition_env(stmt, env))
        elif isinstance(stmt, syntax.Assign | syntax.AnnAssign) and stmt.value is not None:
            around = definition_env(stmt, env)
            found += _attributes(stmt.value, around)
            found += _unbound(stmt.value, around)
    return found


# --- decorators and constants --------------------------------------------------------------------------------------


def _decorators(node: syntax.FunctionDef | syntax.ClassDef, env: Environment) -> Iterator[Diagnostic]:
    for decorator in node.decorators:
        callee = decorator.func if isinstance(decorator, syntax.Call) else decorator
        failure = failing(callee, env)
        if failure is not None and failure.diagnostic is not None:
            yield failure.diagnostic
        if (
            isinstance(decorator, syntax.Call)
            and not decorator.args
            and evaluate(callee, env) == Namespace("pl.inline")
        ):
            yield faults_python.INLINE_PARENTHESES.at(decorator.span, subject=decorator)
    if isinstance(node, syntax.ClassDef):
        for stmt in node.body:
            if isinstance(stmt, syntax.FunctionDef):
                yield from _method_decorators(stmt, env)


def _method_decorators(node: syntax.FunctionDef, env: Environment) -> Iterator[Diagnostic]:
    """Those of a method, where a bare name may come from the class."""
    for decorator in node.decorators:
        callee = decorator.func if isinstance(decorator, syntax.Call) else decorator
        failure = failing(callee, env)
        if isinstance(failure, Failure) and failure.kind == "attribute" and failure.diagnostic is not None:
            yield failure.diagnostic


def _attributes(expr: syntax.Expr, env: Environment) -> Iterator[Diagnostic]:
    """Names of the language that do not exist, in a constant's expression."""
    for node in walk(expr):
        if isinstance(node, syntax.Lambda | syntax.ListComp | syntax.DictComp):
            return
        if isinstance(node, syntax.Attribute):
            failure = failing(node, env)
            if failure is not None and failure.kind == "attribute" and failure.node is node:
                diagnostic = failure.diagnostic
                if diagnostic is not None:
                    yield diagnostic


def _unbound(expr: syntax.Expr, env: Environment) -> Iterator[Diagnostic]:
    """The first name in a constant's expression that nothing in the file may bind."""
    failure = failing(expr, env)
    if failure is None or failure.kind != "name":
        return
    if any(_DYNAMIC.search(module.source.text) for module in (env.module, *env.module.run.loaded.values())):
        return  # an imported module may bind names for all
    name = re.escape(failure.name)
    bound_inside = re.search(rf"\bglobal\b[^\n]*\b{name}\b|\b{name}\s*:=", env.module.source.text)
    if bound_inside is None and not failure.name.startswith("__"):
        diagnostic = failure.diagnostic
        if diagnostic is not None:
            yield diagnostic


# --- imports -------------------------------------------------------------------------------------------------------


def _imports(stmt: syntax.ImportFrom, env: ModuleEnvironment) -> Iterator[Diagnostic]:
    """Names that a module of the workspace surely does not have: its text does not even mention them."""
    for alias in stmt.names:
        value = env.lookup(alias.asname or alias.name)
        if not isinstance(value, OpaqueValue):
            continue
        path, _, name = value.name.rpartition(":")
        source = env.run.loaded.get(path)
        if name == alias.name and source is not None and not _may_have(source, name):
            yield faults_python.MISSING_IMPORT.at(alias.span, subject=alias, module=stmt.module, name=name)


def _may_have(source: ModuleEnvironment, name: str) -> bool:
    if not source.finished or source.unknown_star or name in source.raw_values or name.startswith("__"):
        return True
    text = source.source.text
    return bool(re.search(rf"\b{re.escape(name)}\b", text) or _DYNAMIC.search(text))
