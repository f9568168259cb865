"""Definitions in the static evaluator: functions, kernels, programs and classes."""

from __future__ import annotations

from typing import Any

from pypto_lsp.frontend.static_classes import (
    ENUM_BASES,
    INT_ENUM_BASES,
    PLAIN_BASES,
    ClassBody,
    Field,
)
from pypto_lsp.frontend.static_expr import parameter_defaults
from pypto_lsp.frontend.static_machine import Arguments, Completion, Machine
from pypto_lsp.frontend.static_objects import MISSING, Descriptor, External, Object
from pypto_lsp.frontend.static_operators import number
from pypto_lsp.frontend.static_scope import Environment
from pypto_lsp.frontend.values import (
    ClassValue,
    DslExpression,
    FunctionValue,
    KernelRef,
    Namespace,
    OpaqueValue,
    ProgramRef,
)
from pypto_lsp.syntax import nodes as syntax

#: dotted path of a decorator -> flavour of the kernel
KERNEL_DECORATORS = {
    "pl.jit": "jit",
    "pl.jit.host": "jit.host",
    "pl.jit.incore": "jit.incore",
    "pl.jit.inline": "jit.inline",
    "pl.jit.opaque": "jit.opaque",
    "pl.jit.extern": "jit.extern",
    "pl.function": "function",
    "pl.inline": "inline",
}
PROGRAM_DECORATOR = "pl.program"

_DESCRIPTORS = {
    "builtins.property": "property",
    "functools.cached_property": "property",
    "builtins.classmethod": "classmethod",
    "builtins.staticmethod": "staticmethod",
}
#: decorators that leave what a function or class means to its callers as it is
_TRANSPARENT = frozenset(
    (
        "functools.lru_cache",
        "functools.cache",
        "functools.wraps",
        "functools.total_ordering",
        "typing.final",
        "typing.no_type_check",
        "typing.runtime_checkable",
        "abc.abstractmethod",
        "enum.unique",
        "atexit.register",
    )
)


def hands_on(m: Machine, s: syntax.FunctionDef, scope: Environment) -> bool:
    """Whether a decorator may do more with a function than leave it to those who call it by its name."""
    for decorator in s.decorators:
        callee = m.eval(decorator.func if isinstance(decorator, syntax.Call) else decorator, scope)
        if not isinstance(callee, External) or (callee.path not in _TRANSPARENT and callee.path not in _DESCRIPTORS):
            return True
    return False


def decorator_path(m: Machine, decorator: syntax.Expr, scope: Environment) -> tuple[str, syntax.Expr]:
    """The name of the DSL that a decorator is, with the expression that carries its keywords; an empty path for others."""
    callee = decorator.func if isinstance(decorator, syntax.Call) else decorator
    if isinstance(callee, syntax.Call):
        return "", decorator
    value = m.eval(callee, scope)
    if isinstance(value, Namespace):
        return value.path, decorator
    if isinstance(value, DslExpression):  # ``quiet = pl.jit(auto_scope=False)``, then ``@quiet``
        return value.path, value.node
    return "", decorator


def as_kernel(m: Machine, path: str, function: Any, carrier: syntax.Expr) -> KernelRef | None:
    """``pl.jit(f)`` written as a call; None when that is no kernel."""
    if path not in KERNEL_DECORATORS or not isinstance(function, FunctionValue):
        return None
    if not isinstance(function.node, syntax.FunctionDef):
        return None
    kernel = KernelRef(function.node, KERNEL_DECORATORS[path], carrier, function.env)
    m.found_kernel(function.node, kernel)
    return kernel


# --- functions ---------------------------------------------------------------------------------------------------


def define_function(m: Machine, s: syntax.FunctionDef, scope: Environment) -> Completion:
    for decorator in s.decorators:
        path, carrier = decorator_path(m, decorator, scope)
        if path in KERNEL_DECORATORS:
            kernel = KernelRef(s, KERNEL_DECORATORS[path], carrier, scope)
            m.found_kernel(s, kernel)
            m.bind(scope, s.name, kernel, s)
            return None
    value: Any = FunctionValue(s, scope, parameter_defaults(m, s.params, scope))
    for decorator in reversed(s.decorators):
        value = _decorated(m, decorator, value, scope, s.name)
    m.bind(scope, s.name, value, s)
    return None


def _decorated(m: Machine, decorator: syntax.Expr, value: Any, scope: Environment, name: str) -> Any:
    if isinstance(decorator, syntax.Attribute) and decorator.attr in ("setter", "deleter"):
        return scope.raw_values.get(name, MISSING) or m.opaque()
    callee = m.eval(decorator.func if isinstance(decorator, syntax.Call) else decorator, scope)
    if isinstance(callee, External):
        if callee.path in _TRANSPARENT:
            return value
        if callee.path in _DESCRIPTORS:
            return Descriptor(_DESCRIPTORS[callee.path], value)
        if isinstance(decorator, syntax.Call):
            m.eval(decorator, scope)  # its arguments may make kernels
        return m.opaque()
    if isinstance(decorator, syntax.Call):
        callee = m.eval(decorator, scope)
    return m.call(callee, Arguments([value]))


# --- classes -----------------------------------------------------------------------------------------------------


def define_class(m: Machine, s: syntax.ClassDef, scope: Environment) -> Completion:
    for decorator in s.decorators:
        path, carrier = decorator_path(m, decorator, scope)
        if path == PROGRAM_DECORATOR:
            program = ProgramRef(s, carrier, scope)
            m.found_kernel(s, program)
            m.bind(scope, s.name, program, s)
            return None
    value: Any = class_value(m, s, scope)
    for decorator in reversed(s.decorators):
        value = _decorated_class(m, decorator, value, scope)
    m.bind(scope, s.name, value, s)
    return None


def class_value(m: Machine, s: syntax.ClassDef, scope: Environment) -> ClassValue:
    """The class without its decorators."""
    bases = tuple(m.eval(base, scope) for base in s.bases)
    inner = Environment(scope, "class")
    m.execute(s.body, inner)
    body = ClassBody("plain", bases, inner.raw_values)
    value = ClassValue(s, scope, body)
    _classify(m, s, value)
    return value


def _classify(m: Machine, s: syntax.ClassDef, value: ClassValue) -> None:
    body = value.body
    body.unknown = bool(s.keywords)
    for base in body.bases:
        if isinstance(base, ClassValue):
            if base.body.kind != "plain":
                body.kind = base.body.kind
            body.is_int_enum = body.is_int_enum or base.body.is_int_enum
        elif isinstance(base, External) and base.path in ENUM_BASES:
            body.kind = "enum"
            body.is_int_enum = body.is_int_enum or base.path in INT_ENUM_BASES
        elif isinstance(base, External) and base.path == "typing.NamedTuple":
            body.kind = "namedtuple"
        elif not isinstance(base, External) or (base.path not in PLAIN_BASES and not _generic(base)):
            mixed_in = _mixes_into_enum(body, base)
            body.unknown = body.unknown or not (body.kind == "enum" or mixed_in)
            body.is_int_enum = body.is_int_enum or (mixed_in and base.path == "builtins.int")
    if body.kind in ("dataclass", "namedtuple"):
        body.fields = _declared_fields(s, body)
    if body.kind == "enum":
        _make_members(m, s, value)


def _generic(base: External) -> bool:
    return base.path.startswith("typing.")


def _mixes_into_enum(body: ClassBody, base: Any) -> bool:
    """``class Color(str, Enum)``."""
    return isinstance(base, External) and any(
        isinstance(other, External) and other.path in ENUM_BASES for other in body.bases
    )


def _declared_fields(s: syntax.ClassDef, body: ClassBody) -> tuple[Field, ...]:
    found: dict[str, Field] = {}
    for statement in s.body:
        if isinstance(statement, syntax.AnnAssign) and isinstance(statement.target, syntax.Name):
            name = statement.target.id
            if "ClassVar" in statement.annotation.text or "KW_ONLY" in statement.annotation.text:
                continue
            found[name] = Field(name, body.namespace.get(name, MISSING))
    return tuple(found.values())


def _make_members(m: Machine, s: syntax.ClassDef, value: ClassValue) -> None:
    body = value.body
    last = 0
    for statement in s.body:
        if not isinstance(statement, syntax.Assign) or not isinstance(statement.targets[0], syntax.Name):
            continue
        name = statement.targets[0].id
        raw = body.namespace.get(name, MISSING)
        if name.startswith("_") or raw is MISSING:
            continue
        if isinstance(raw, OpaqueValue | Object) and _is_auto(statement.value):
            raw = last + 1
        plain = number(raw)
        last = plain if isinstance(plain, int) else last
        member = Object(value, {"name": name, "value": raw})
        body.enum_members.append(member)
        body.namespace[name] = member


def _is_auto(node: syntax.Expr) -> bool:
    return isinstance(node, syntax.Call) and node.func.text.split(".")[-1] == "auto"


def _decorated_class(m: Machine, decorator: syntax.Expr, value: Any, scope: Environment) -> Any:
    callee = m.eval(decorator.func if isinstance(decorator, syntax.Call) else decorator, scope)
    if isinstance(callee, External):
        if callee.path == "dataclasses.dataclass" and isinstance(value, ClassValue):
            value.body.kind = "dataclass"
            value.body.frozen = _says_frozen(decorator)
            value.body.fields = _declared_fields(value.node, value.body)
            return value
        return value if callee.path in _TRANSPARENT else m.opaque()
    if isinstance(decorator, syntax.Call):
        callee = m.eval(decorator, scope)
    return m.call(callee, Arguments([value]))


def _says_frozen(decorator: syntax.Expr) -> bool:
    return isinstance(decorator, syntax.Call) and any(
        keyword.arg == "frozen" and isinstance(keyword.value, syntax.Constant) and keyword.value.value is True
        for keyword in decorator.keywords
    )
