"""Calls in the static evaluator: of workspace functions and classes, of builtins and of the library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pypto_lsp.frontend.static_builtins import BUILTINS
from pypto_lsp.frontend.static_classes import instantiate
from pypto_lsp.frontend.static_iteration import GlobalsView, elements
from pypto_lsp.frontend.static_library import LIBRARY
from pypto_lsp.frontend.static_machine import Arguments, Frame, Machine, Return
from pypto_lsp.frontend.static_methods import call_native
from pypto_lsp.frontend.static_objects import (
    MISSING,
    BoundMethod,
    Descriptor,
    DictObject,
    External,
    ListObject,
    NativeMethod,
    Object,
    Partial,
    SuperProxy,
)
from pypto_lsp.frontend.static_operators import UNKNOWN, Raised
from pypto_lsp.frontend.static_scope import Environment
from pypto_lsp.frontend.values import ClassValue, DslExpression, DynamicSymbol, FunctionValue, Namespace
from pypto_lsp.syntax import nodes as syntax

_SYMBOL_MAKERS = frozenset(("pl.dynamic", "pl.DynVar"))


def call_expression(m: Machine, e: syntax.Call, scope: Environment) -> Any:
    callee = m.eval(e.func, scope)
    if isinstance(callee, Namespace):
        return _dsl_call(m, callee, e, scope)
    if isinstance(callee, External):
        in_scope = _SCOPE_CALLS.get(callee.path)
        if in_scope is not None and not e.args:
            return in_scope(m, scope)
    return m.call(callee, arguments(m, e, scope))


def arguments(m: Machine, e: syntax.Call, scope: Environment) -> Arguments:
    """The evaluated arguments of a call."""
    found = Arguments([])
    placed = True
    for node in e.args:
        if isinstance(node, syntax.Starred):
            spread = elements(m, m.eval(node.value, scope))
            placed = placed and spread is not None
            found.positional.extend((spread if placed else None) or ())
        else:
            value = m.eval(node, scope)
            if placed:
                found.positional.append(value)
            else:  # which parameter it is for depends on how many came before
                m.escape(value)
    found.complete = placed
    for keyword in e.keywords:
        value = m.eval(keyword.value, scope)
        if keyword.arg is not None:
            found.keywords[keyword.arg] = value
        elif isinstance(value, DictObject) and value.items is not None:
            found.keywords.update({key: each for key, each in value.items.items() if isinstance(key, str)})
        else:
            found.complete = False
    return found


def _dsl_call(m: Machine, callee: Namespace, e: syntax.Call, scope: Environment) -> Any:
    if callee.path in _SYMBOL_MAKERS and e.args:
        name = m.eval(e.args[0], scope)
        return DynamicSymbol(name) if isinstance(name, str) else UNKNOWN
    if callee.path.startswith("pl.jit") and len(e.args) == 1:
        kernel = m.as_kernel(callee.path, m.eval(e.args[0], scope), e)
        if kernel is not None:
            return kernel
    return DslExpression(callee.path, e, scope)


def _call_dsl(m: Machine, callee: DslExpression, given: Arguments) -> Any:
    """``pl.jit(auto_scope=False)(f)``."""
    return m.as_kernel(callee.path, given.get(0, "function"), callee.node) or UNKNOWN


def _super(m: Machine, scope: Environment) -> Any:
    if m.frame.cls is None:
        return UNKNOWN
    return SuperProxy(m.frame.cls, m.frame.owner)


def _globals(m: Machine, scope: Environment) -> Any:
    scope.module.unknown_star = True
    return GlobalsView(scope)


_SCOPE_CALLS: dict[str, Callable[[Machine, Environment], Any]] = {
    "builtins.super": _super,
    "builtins.globals": _globals,
    "builtins.locals": _globals,
    "builtins.vars": _globals,
}


# --- workspace functions -----------------------------------------------------------------------------------------


def call_function(m: Machine, function: FunctionValue, given: Arguments) -> Any:
    """The value that a workspace function or lambda returns."""
    node = function.node
    body = node.body if isinstance(node, syntax.FunctionDef) else ()
    scope = Environment(function.env, "function", body)
    if m.speculation:
        m.begun.append(scope.raw_values)
    _bind_parameters(m, function, given, scope)
    if isinstance(node, syntax.Lambda):
        return m.eval(node.body, scope)
    if node.is_async or _is_generator(node):
        return UNKNOWN
    outer, m.frame = m.frame, Frame(*_method_of(function, given))
    m.frame.variables, m.frame.journal = scope.raw_values, m.journal
    try:
        return _run_body(m, node, scope)
    except Raised as fault:
        if fault.caught_by("Exception"):
            m.discard_kernels(scope)
        raise
    finally:
        m.frame = outer


def _run_body(m: Machine, node: syntax.FunctionDef, scope: Environment) -> Any:
    """The value of a call whose frame is set up; one that may end in several ways has what they agree on."""
    values: list[Any] = []
    try:
        completion = m.execute(node.body, scope)
        values.append(completion.value if isinstance(completion, Return) else None)
    except Raised:
        if not m.frame.maybe:
            raise
        m.doubts += 1
    if not m.frame.maybe:
        return values[0]
    m.blur_call()
    return m.agreed([*values, *m.frame.maybe])


def _method_of(function: FunctionValue, given: Arguments) -> tuple[Any, Any]:
    """The class and the owner that ``super()`` refers to in a method."""
    owner = given.positional[0] if given.positional else None
    cls = owner.cls if isinstance(owner, Object) else owner if isinstance(owner, ClassValue) else None
    pending = [cls] if cls is not None else []
    while pending:
        each = pending.pop()
        if any(getattr(value, "function", value) is function for value in each.body.namespace.values()):
            return each, owner
        pending.extend(base for base in each.body.bases if isinstance(base, ClassValue))
    return None, None


def _bind_parameters(m: Machine, function: FunctionValue, given: Arguments, scope: Environment) -> None:
    positional = list(given.positional)
    keywords = dict(given.keywords)
    defaults = dict(function.defaults)
    for param in function.node.params:
        if param.kind == "vararg":
            value: Any = tuple(positional) if given.complete else m.opaque()
            positional = []
        elif param.kind == "kwarg":
            value = DictObject(dict(keywords) if given.complete else None)
            keywords = {}
        elif positional and param.kind != "keyword_only":
            value = positional.pop(0)
        elif param.name in keywords and param.kind != "positional_only":
            value = keywords.pop(param.name)
        elif not given.complete:
            value = m.opaque()
        else:
            value = defaults.get(param.name, MISSING)
            if value is MISSING:
                raise Raised("TypeError")
        m.bind(scope, param.name, value, param)
    if positional or keywords:
        raise Raised("TypeError")


_YIELDS = frozenset(("Yield", "Await"))


def _is_generator(node: syntax.FunctionDef) -> bool:
    return any(isinstance(expr, syntax.OpaqueExpr) and expr.kind in _YIELDS for expr in _direct_expressions(node.body))


def _direct_expressions(body: tuple[syntax.Stmt, ...]) -> list[syntax.Expr]:
    """The expressions that are, or are assigned by, statements of a body: where ``yield`` is written."""
    found: list[syntax.Expr] = []
    for statement in body:
        if isinstance(statement, syntax.ExprStmt | syntax.Assign | syntax.AugAssign):
            found.append(statement.value)
        elif isinstance(statement, syntax.AnnAssign | syntax.Return):
            if statement.value is not None:
                found.append(statement.value)
        elif isinstance(statement, syntax.If | syntax.For | syntax.While):
            found.extend(_direct_expressions(statement.body + statement.orelse))
        elif isinstance(statement, syntax.With):
            found.extend(_direct_expressions(statement.body))
        elif isinstance(statement, syntax.Try):
            found.extend(_direct_expressions(statement.body + statement.orelse + statement.finalbody))
            for handler in statement.handlers:
                found.extend(_direct_expressions(handler.body))
    return found


# --- everything else that can be called --------------------------------------------------------------------------


def _call_method(m: Machine, method: BoundMethod, given: Arguments) -> Any:
    return m.call(method.function, Arguments([method.owner, *given.positional], given.keywords, given.complete))


def _call_partial(m: Machine, partial: Partial, given: Arguments) -> Any:
    keywords = {**dict(partial.keywords), **given.keywords}
    return m.call(partial.function, Arguments([*partial.args, *given.positional], keywords, given.complete))


def _call_object(m: Machine, value: Object, given: Arguments) -> Any:
    method = MISSING if value.cls is None else value.cls.body.find("__call__")
    if method is MISSING:
        return UNKNOWN
    return m.call(method, Arguments([value, *given.positional], given.keywords, given.complete))


def _call_descriptor(m: Machine, value: Descriptor, given: Arguments) -> Any:
    return m.call(value.function, given) if value.kind == "staticmethod" else UNKNOWN


def _call_external(m: Machine, callee: External, given: Arguments) -> Any:
    handler = BUILTINS.get(callee.path) or LIBRARY.get(callee.path)
    if handler is None or not given.complete:
        _may_reorder(m, callee, given)
        return UNKNOWN
    return handler(m, given)


def _may_reorder(m: Machine, callee: External, given: Arguments) -> None:
    """Library functions leave their arguments alone, but for those whose purpose is to change a list in place."""
    if callee.path.split(".")[0] in ("random", "heapq", "bisect"):
        for value in given.positional:
            if isinstance(value, ListObject) and m.touch(value):
                value.items = None


CALLABLES: dict[type, Callable[[Machine, Any, Arguments], Any]] = {
    FunctionValue: call_function,
    ClassValue: instantiate,
    BoundMethod: _call_method,
    NativeMethod: call_native,
    Partial: _call_partial,
    Object: _call_object,
    Descriptor: _call_descriptor,
    External: _call_external,
    DslExpression: _call_dsl,
}
