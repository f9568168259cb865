"""Attributes in the static evaluator: of modules, of the DSL's namespaces, of classes, instances and builtin types."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

from pypto_lsp.frontend.paths import library_value, meant_value
from pypto_lsp.frontend.static_machine import Arguments, Machine
from pypto_lsp.frontend.static_methods import has_method
from pypto_lsp.frontend.static_objects import (
    MISSING,
    ArgumentParser,
    BoundMethod,
    Descriptor,
    DictObject,
    EnvironObject,
    External,
    Iterator,
    ListObject,
    NativeMethod,
    Object,
    Package,
    SetObject,
    SuperProxy,
)
from pypto_lsp.frontend.static_operators import UNKNOWN, Raised
from pypto_lsp.frontend.values import (
    ClassValue,
    DslExpression,
    DynamicSymbol,
    FunctionValue,
    KernelRef,
    ModuleRef,
    Namespace,
    OpaqueValue,
    ProgramRef,
)
from pypto_lsp.ir.dtypes import DTYPES
from pypto_lsp.ir.enums import ENUM_ALIASES, ENUMS, EnumMember
from pypto_lsp.ir.types import Extent

#: names that the DSL gives to members of its layout enum directly
_LAYOUTS = frozenset(ENUMS["TensorLayout"])

_CONSTANTS: dict[str, Any] = {
    "math.pi": math.pi,
    "math.e": math.e,
    "math.tau": math.tau,
    "math.inf": math.inf,
    "sys.maxsize": sys.maxsize,
    "sys.float_info.max": sys.float_info.max,
    "sys.float_info.min": sys.float_info.min,
    "sys.float_info.epsilon": sys.float_info.epsilon,
    "typing.TYPE_CHECKING": False,
    "os.sep": "/",
    # the compiler runs on Linux, wherever the editor does
    "sys.platform": "linux",
    "os.name": "posix",
}
#: modules of the compiler's package -> namespace of the DSL
DSL_MODULES = {
    "pypto.language": "pl",
    "pypto.language.distributed": "pld",
    "pypto.jit.jit": "pl.jit",
}
_SYMBOL_LIMIT = 200


def attribute(m: Machine, value: Any, name: str) -> Any:
    """``value.name``. Raises :class:`Raised` where there surely is none."""
    handler = _ATTRIBUTES.get(type(value))
    found = UNKNOWN if handler is None else handler(m, value, name)
    if found is UNKNOWN:
        m.doubts += 1
    return found


def namespace_member(path: str, name: str) -> Any:
    """A name of the DSL: a dtype, a member of an enum, else a namespace again."""
    if path in ("pl", "pl.DataType") and name in DTYPES:
        return DTYPES[name]
    owner, _, enum = path.rpartition(".")
    enum = ENUM_ALIASES.get(enum, enum)
    if owner in ("pl", "pld") and name in ENUMS.get(enum, ()):
        return EnumMember(enum, name)
    if path == "pl":
        if name in _LAYOUTS:
            return EnumMember("TensorLayout", name)
        if name == "distributed":
            return Namespace("pld")
    known = library_value(f"{path}.{name}")
    if known is not MISSING:
        return known
    meant, change = meant_value(f"{path}.{name}")
    if meant is not MISSING:
        return meant
    return Namespace(change.new if change is not None and change.new else f"{path}.{name}")


def _of_namespace(m: Machine, value: Namespace, name: str) -> Any:
    return namespace_member(value.path, name)


def external_member(m: Machine, path: str) -> Any:
    """A module outside the workspace or something in it."""
    if path in DSL_MODULES:
        return Namespace(DSL_MODULES[path])
    if path == "sys.argv":
        return m.run.argv
    if path == "os.environ":
        return m.run.environ
    return _CONSTANTS.get(path, External(path))


def _of_external(m: Machine, value: External, name: str) -> Any:
    return external_member(m, f"{value.path}.{name}")


def _of_module(m: Machine, value: ModuleRef, name: str) -> Any:
    return m.run.module_member(m, value, name)


def _of_package(m: Machine, value: Package, name: str) -> Any:
    return m.run.package_member(m, value, name)


# --- classes and instances ---------------------------------------------------------------------------------------


def _of_object(m: Machine, value: Object, name: str) -> Any:
    if value.fields is None:
        return UNKNOWN if value.cls is None else _of_lost_object(m, value, name, value.cls)
    if name in value.fields:
        return value.fields[name]
    if value.cls is None:
        return UNKNOWN
    found = value.cls.body.find(name)
    if found is not MISSING:
        return bound(m, found, value, value.cls)
    if name in ("_replace", "_asdict") or name == "__class__":
        return value.cls if name == "__class__" else NativeMethod(value, name)
    if value.cls.body.closed() and not name.startswith("__") and value.cls.body.kind != "enum":
        raise Raised("AttributeError")
    return UNKNOWN


def _of_lost_object(m: Machine, value: Object, name: str, cls: ClassValue) -> Any:
    """An instance of which only the class is known has its methods."""
    found = cls.body.find(name)
    return bound(m, found, value, cls) if isinstance(found, FunctionValue | Descriptor) else UNKNOWN


def bound(m: Machine, found: Any, owner: Any, cls: ClassValue) -> Any:
    """What an attribute found in a class is when it is read from an instance (or with ``owner`` the class, from that)."""
    if isinstance(found, FunctionValue):
        return found if owner is cls else BoundMethod(found, owner)
    if isinstance(found, Descriptor):
        if found.kind == "property":
            return found if owner is cls else m.call(found.function, Arguments([owner]))
        return found.function if found.kind == "staticmethod" else BoundMethod(found.function, cls)
    return found


def _of_class(m: Machine, value: ClassValue, name: str) -> Any:
    found = value.body.find(name)
    if found is not MISSING:
        return bound(m, found, value, value)
    if name in ("__name__", "__qualname__"):
        return value.node.name
    if name == "__members__" and value.body.kind == "enum":
        members = {member.fields["name"]: member for member in value.body.enum_members if member.fields is not None}
        return DictObject(dict(members))
    if value.body.closed() and not name.startswith("__") and value.body.kind == "plain":
        raise Raised("AttributeError")
    return UNKNOWN


def _of_super(m: Machine, value: SuperProxy, name: str) -> Any:
    for base in value.cls.body.bases:
        found = base.body.find(name) if isinstance(base, ClassValue) else MISSING
        if found is not MISSING:
            own = value.owner.cls if isinstance(value.owner, Object) else None
            return bound(m, found, value.owner, own or value.cls)
    if name in ("__init__", "__post_init__") and value.cls.body.closed():
        return External("builtins.super.__init__")
    return UNKNOWN


# --- the rest ----------------------------------------------------------------------------------------------------


def _of_native(m: Machine, value: Any, name: str) -> Any:
    return NativeMethod(value, name) if has_method(value, name) else UNKNOWN


def _of_int(m: Machine, value: Any, name: str) -> Any:
    if name in ("real", "numerator"):
        return value
    return _of_native(m, value, name)


def _of_function(m: Machine, value: Any, name: str) -> Any:
    if name in ("__name__", "__qualname__") and hasattr(value.node, "name"):
        return value.node.name
    return UNKNOWN


def _of_enum_member(m: Machine, value: EnumMember, name: str) -> Any:
    return value.name if name == "name" else UNKNOWN


def _of_symbol(m: Machine, value: DynamicSymbol, name: str) -> Any:
    return value.name if name == "name" else UNKNOWN


def _of_opaque(m: Machine, value: OpaqueValue, name: str) -> Any:
    if "#" in value.name or len(value.name) > _SYMBOL_LIMIT:
        return UNKNOWN
    m.doubts += 1
    return OpaqueValue(f"{value.name}.{name}")


def _of_dsl_expression(m: Machine, value: DslExpression, name: str) -> Any:
    return UNKNOWN


_ATTRIBUTES: dict[type, Callable[[Machine, Any, str], Any]] = {
    Namespace: _of_namespace,
    External: _of_external,
    ModuleRef: _of_module,
    Package: _of_package,
    Object: _of_object,
    ClassValue: _of_class,
    SuperProxy: _of_super,
    FunctionValue: _of_function,
    KernelRef: _of_function,
    ProgramRef: _of_function,
    EnumMember: _of_enum_member,
    DynamicSymbol: _of_symbol,
    OpaqueValue: _of_opaque,
    DslExpression: _of_dsl_expression,
    Extent: _of_int,
    int: _of_int,
    bool: _of_int,
    float: _of_native,
    str: _of_native,
    tuple: _of_native,
    range: _of_native,
    ListObject: _of_native,
    SetObject: _of_native,
    DictObject: _of_native,
    EnvironObject: _of_native,
    ArgumentParser: _of_native,
    Iterator: _of_native,
}
