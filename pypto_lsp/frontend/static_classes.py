"""Classes of the static evaluator: what a class body gave, and making instances of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pypto_lsp.frontend.static_machine import Arguments, Machine
from pypto_lsp.frontend.static_objects import (
    MISSING,
    Descriptor,
    External,
    FieldSpec,
    Object,
    freeze,
    named,
)
from pypto_lsp.frontend.static_operators import UNKNOWN, Raised, equal
from pypto_lsp.frontend.values import ClassValue, FunctionValue, KernelRef

#: bases outside the workspace of which everything that matters here is known
PLAIN_BASES = frozenset(
    ("builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol")
)
ENUM_BASES = frozenset(("enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"))
INT_ENUM_BASES = frozenset(("enum.IntEnum", "enum.IntFlag"))


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a dataclass or named tuple: ``default`` a value, a :class:`FieldSpec` or MISSING."""

    name: str
    default: Any


@dataclass(slots=True, eq=False)
class ClassBody:
    """What a class statement gave.

    ``kind`` is ``plain``, ``dataclass``, ``namedtuple`` or ``enum``; ``unknown`` means that a base, a metaclass or a
    decorator may add anything. ``namespace`` holds the evaluator's own objects.
    """

    kind: str
    bases: tuple[Any, ...]
    namespace: dict[str, Any]
    fields: tuple[Field, ...] = ()
    unknown: bool = False
    is_int_enum: bool = False
    frozen: bool = False
    enum_members: list[Object] = field(default_factory=list)

    def find(self, name: str) -> Any:
        """The attribute that instances and the class have under a name; MISSING when there is none."""
        value = self.namespace.get(name, MISSING)
        for base in self.bases:
            if value is not MISSING:
                break
            if isinstance(base, ClassValue):
                value = base.body.find(name)
        return value

    def closed(self, names: tuple[str, ...] = ()) -> bool:
        """Whether the class surely lacks some special methods, and attributes that are not seen in it."""
        if self.unknown or any(name in self.namespace for name in (*names, "__getattr__", "__getattribute__")):
            return False
        return all(
            base.body.closed(names) if isinstance(base, ClassValue) else isinstance(base, External)
            for base in self.bases
        )

    def all_fields(self) -> tuple[Field, ...]:
        """The fields with those of the bases, in the order of the constructor."""
        found: dict[str, Field] = {}
        for base in reversed(self.bases):
            if isinstance(base, ClassValue):
                found.update({each.name: each for each in base.body.all_fields()})
        found.update({each.name: each for each in self.fields})
        return tuple(found.values())

    def members(self) -> tuple[Object, ...]:
        return tuple(self.enum_members)

    def member_by_name(self, name: Any) -> Any:
        """``Color["RED"]``."""
        if self.kind != "enum" or not isinstance(name, str):
            return UNKNOWN
        for member in self.enum_members:
            if member.fields is not None and member.fields["name"] == name:
                return member
        raise Raised("KeyError")

    def constants(self) -> dict[str, Any]:
        """The attributes as far as they can be compared: values, and the syntax of functions."""
        found: dict[str, Any] = {}
        for name, value in self.namespace.items():
            inner = value.function if isinstance(value, Descriptor) else value
            if isinstance(inner, FunctionValue | ClassValue | KernelRef):
                found[name] = id(inner.node)
            elif not isinstance(value, Object) or value not in self.enum_members:
                found[name] = freeze(value, name)
        return found


# --- instances ---------------------------------------------------------------------------------------------------


def instantiate(m: Machine, cls: ClassValue, arguments: Arguments) -> Any:
    """``cls(...)``."""
    body = cls.body
    if body.kind == "enum":
        return _member_by_value(body, arguments)
    if body.unknown or not body.closed() or body.find("__new__") is not MISSING:
        return UNKNOWN
    made = Object(cls, {})
    constructor = body.find("__init__")
    if constructor is not MISSING:
        m.call(constructor, Arguments([made, *arguments.positional], arguments.keywords, arguments.complete))
    elif body.kind in ("dataclass", "namedtuple"):
        made.fields = _field_values(m, body, arguments)
        after = body.find("__post_init__")
        if after is not MISSING:
            m.call(after, Arguments([made]))
    elif arguments.positional or arguments.keywords:
        raise Raised("TypeError")
    return made


def _member_by_value(body: ClassBody, arguments: Arguments) -> Any:
    wanted = arguments.get(0, "value")
    if wanted is MISSING or not body.enum_members:
        return UNKNOWN
    for member in body.enum_members:
        same = equal(wanted, member) or (member.fields is not None and equal(wanted, member.fields["value"]))
        if same is not False:
            return member if same else UNKNOWN
    raise Raised("ValueError")


def _field_values(m: Machine, body: ClassBody, arguments: Arguments) -> dict[str, Any] | None:
    fields = body.all_fields()
    given = dict(zip((each.name for each in fields if _in_constructor(each)), arguments.positional))
    if len(given) < len(arguments.positional) or not arguments.keywords.keys() <= {each.name for each in fields}:
        raise Raised("TypeError")
    given.update(arguments.keywords)
    result: dict[str, Any] = {}
    for each in fields:
        value = given.get(each.name, MISSING)
        if value is MISSING:
            value = _default(m, each) if arguments.complete else m.opaque()
        result[each.name] = _field_named(value, each.name)
    return result


def _in_constructor(each: Field) -> bool:
    return not isinstance(each.default, FieldSpec) or each.default.init


def _default(m: Machine, each: Field) -> Any:
    default = each.default
    if not isinstance(default, FieldSpec):
        if default is MISSING:
            raise Raised("TypeError")
        return default
    if default.default is not MISSING:
        return default.default
    if default.factory is not MISSING:
        return m.call(default.factory, Arguments([]))
    if default.init:
        raise Raised("TypeError")
    return m.opaque()  # set later, by __post_init__


def _field_named(value: Any, name: str) -> Any:
    origin = getattr(value, "origin", None)
    return value if origin is None else named(value, name, origin.span)


def replaced(m: Machine, value: Any, changes: dict[str, Any], complete: bool) -> Any:
    """``dataclasses.replace(value, ...)`` and ``value._replace(...)``."""
    if not isinstance(value, Object) or value.cls is None or value.fields is None:
        return UNKNOWN
    body = value.cls.body
    if body.kind not in ("dataclass", "namedtuple") or not complete:
        return UNKNOWN
    names = [each.name for each in body.all_fields() if _in_constructor(each)]
    given = {name: value.fields[name] for name in names if name in value.fields}
    return instantiate(m, value.cls, Arguments([], {**given, **changes}))
