"""Objects of the static evaluator: what values look like while a module is evaluated.

Plain values, tuples, ranges and the immutable classes of :mod:`~pypto_lsp.frontend.values` stand for themselves. What
Python code may change in place has a class here, so that aliases stay aliases. :func:`freeze` turns any of them into the
immutable form that the rest of the project sees, :func:`thaw` does the reverse.

The contents of a list, set, dict or object are None once they are not known any more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pypto_lsp.frontend import values
from pypto_lsp.frontend.values import ClassValue, OpaqueValue
from pypto_lsp.ir.types import Extent, Origin, origin_of
from pypto_lsp.text import Span

#: how deep nested values may be, and how many lists, tuples, dicts and objects one may hold, each counted wherever it is held,
#: before they count as not known: ``x = (x, x)`` doubles with every line
DEPTH_LIMIT = 40
NESTED_LIMIT = 20_000
#: how many elements of a range are spelled out
RANGE_LIMIT = 4096
#: how many origins one value may carry
ORIGIN_LIMIT = 16


class Missing:
    """The type of :data:`MISSING`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


#: there is no such name
MISSING = Missing()


class ListObject:
    """A list. ``sealed``, here and below: held by a module that has run; it must not be changed in place any more."""

    __slots__ = ("items", "sealed")

    def __init__(self, items: list[Any] | None) -> None:
        self.items = items
        self.sealed = False


class SetObject:
    """A set; its elements are the keys of a dict, in the order in which they came."""

    __slots__ = ("frozen", "items", "sealed")

    def __init__(self, items: dict[Any, None] | None, frozen: bool = False) -> None:
        self.items = items
        self.sealed = False
        self.frozen = frozen


class DictObject:
    """A dict; ``factory`` makes missing values (``defaultdict``), None for a plain one."""

    __slots__ = ("factory", "items", "sealed")

    def __init__(self, items: dict[Any, Any] | None, factory: Any = None) -> None:
        self.items = items
        self.sealed = False
        self.factory = factory


class EnvironObject(DictObject):
    """``os.environ``; what a module reads of it is noted by the run (see :mod:`~pypto_lsp.frontend.imports`)."""

    __slots__ = ()


class Object:
    """An instance of a workspace class; with ``cls`` None an ``argparse.Namespace`` or its like."""

    __slots__ = ("cls", "fields", "sealed")

    def __init__(self, cls: ClassValue | None, fields: dict[str, Any] | None) -> None:
        self.cls = cls
        self.sealed = False
        self.fields = fields


@dataclass(frozen=True, slots=True)
class External:
    """A module outside the workspace or something in it, by its dotted path: ``math``, ``torch.bfloat16``; builtins are
    ``builtins.len``."""

    path: str


@dataclass(frozen=True, slots=True)
class Package:
    """A name that no module has but that may be a folder without ``__init__.py``: ``stems`` are the places to look."""

    name: str
    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BoundMethod:
    function: Any
    owner: Any


@dataclass(frozen=True, slots=True, eq=False)
class NativeMethod:
    """A method of a builtin type or of an object of the library: ``"abc".split``."""

    owner: Any
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Partial:
    function: Any
    args: tuple[Any, ...]
    keywords: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Descriptor:
    """A function in a class body under ``property``, ``classmethod`` or ``staticmethod``."""

    kind: str
    function: Any


@dataclass(frozen=True, slots=True, eq=False)
class FieldSpec:
    """``dataclasses.field(...)``: default and factory are MISSING when not given."""

    default: Any
    factory: Any
    init: bool


@dataclass(frozen=True, slots=True, eq=False)
class SuperProxy:
    cls: ClassValue
    owner: Any


class ArgumentParser:
    """``argparse.ArgumentParser`` and its groups, which share one table of defaults by destination."""

    __slots__ = ("defaults",)

    def __init__(self, defaults: DictObject) -> None:
        self.defaults = defaults


class Room:
    """How much of a nested value may still be looked into."""

    __slots__ = ("_deepest", "depth", "left")

    def __init__(self, deepest: int = DEPTH_LIMIT, most: int = NESTED_LIMIT) -> None:
        self._deepest = deepest
        self.depth = 0
        self.left = most

    def enter(self) -> bool:
        """Whether one more list, tuple, dict or object may be looked into; when that is done, :attr:`depth` goes down again."""
        if self.depth >= self._deepest or self.left <= 0:
            return False
        self.depth += 1
        self.left -= 1
        return True


class Iterator:
    """A one-way iterator (a generator expression, ``iter``, ``zip``); holds what is left."""

    __slots__ = ("items", "sealed")

    def __init__(self, items: list[Any] | None) -> None:
        self.items = items
        self.sealed = False


def seal(value: Any) -> None:
    """Mark all that a value holds as not to be changed in place any more."""
    _seal(value, 0, set())


def _seal(value: Any, depth: int, tuples: set[int]) -> None:
    if depth > DEPTH_LIMIT:
        return
    if isinstance(value, tuple):
        if id(value) not in tuples:
            tuples.add(id(value))
            for item in value:
                _seal(item, depth + 1, tuples)
    elif isinstance(value, ListObject | SetObject | DictObject | Object) and not value.sealed:
        value.sealed = True
        contents = value.fields if isinstance(value, Object) else value.items
        for item in contents.values() if isinstance(contents, dict) else contents or ():
            if item.__class__ not in _AS_IS:
                _seal(item, depth + 1, tuples)


def changeable_contents(value: Any) -> list[Any] | None:
    """The elements of what may be changed in place, or of a tuple; None for anything else, and for sealed objects."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Object):
        frozen = value.cls is not None and (value.cls.body.frozen or value.cls.body.kind in ("enum", "namedtuple"))
        return None if value.sealed or value.fields is None or frozen else list(value.fields.values())
    if isinstance(value, ListObject | SetObject | Iterator):
        return None if value.sealed or value.items is None else list(value.items)
    if isinstance(value, DictObject) and not isinstance(value, EnvironObject):
        return None if value.sealed or value.items is None else list(value.items.values())
    return None


# --- provenance --------------------------------------------------------------------------------------------------


def _weight(origin: Origin, limit: int) -> int:
    weight = 1
    for source in origin.inputs:
        if weight > limit:
            return weight
        weight += _weight(source, limit - weight)
    return weight


def derived(value: int, span: Span, sources: tuple[Any, ...]) -> Extent:
    """A computed int with the origins of what it was computed from.

    Origins form a tree that doubles with every ``x = x + x``; from :data:`ORIGIN_LIMIT` on the inputs are left out.
    """
    inputs = tuple(origin for source in sources if (origin := origin_of(source)) is not None)
    weight = 0
    for origin in inputs:
        weight += _weight(origin, ORIGIN_LIMIT)
        if weight > ORIGIN_LIMIT:
            inputs = ()
            break
    return Extent(value, Origin(span, None, False, inputs))


def named(value: Any, name: str, span: Span) -> Any:
    """An int under the name it is bound to; one that already has a name keeps it. Other values as they are."""
    kind = type(value)
    if kind is int:
        return Extent(value, Origin(span, name))
    if kind is Extent and value.origin.name is None:
        origin = value.origin
        return Extent(int(value), Origin(origin.span, name, origin.literal, origin.inputs))
    return value


# --- to and from the immutable form ------------------------------------------------------------------------------

_AS_IS = (bool, int, float, str, bytes, type(None), Extent)


def freeze(value: Any, label: str) -> Any:
    """The immutable form of a value; ``label`` names it where it is not known."""
    if type(value) in _AS_IS:
        return value
    room = Room()
    frozen = _freeze(value, label, room)
    return frozen if room.left > 0 else OpaqueValue(label)


def _freeze(value: Any, label: str, room: Room) -> Any:
    kind = type(value)
    if kind in _AS_IS:
        return value
    freezer = _FREEZERS.get(kind)
    if freezer is None:
        return value
    if not room.enter():
        return OpaqueValue(label)
    frozen = freezer(value, label, room)
    room.depth -= 1
    return frozen


def _freeze_all(items: Any, label: str, room: Room) -> tuple[Any, ...]:
    return tuple(_freeze(item, f"{label}[{index}]", room) for index, item in enumerate(items))


def _freeze_tuple(value: tuple[Any, ...], label: str, room: Room) -> Any:
    return values.Sequence("tuple", _freeze_all(value, label, room))


def _freeze_range(value: range, label: str, room: Room) -> Any:
    return values.Sequence("range", tuple(value)) if value[: RANGE_LIMIT + 1] == value else OpaqueValue(label)


def _freeze_list(value: ListObject, label: str, room: Room) -> Any:
    if value.items is None:
        return OpaqueValue(label)
    return values.Sequence("list", _freeze_all(value.items, label, room))


def _freeze_set(value: SetObject, label: str, room: Room) -> Any:
    if value.items is None:
        return OpaqueValue(label)
    return values.Sequence("frozenset" if value.frozen else "set", _freeze_all(value.items, label, room))


def _freeze_dict(value: DictObject, label: str, room: Room) -> Any:
    if value.items is None:
        return OpaqueValue(label)
    pairs = ((_freeze(key, label, room), _freeze(item, f"{label}[{key!r}]", room)) for key, item in value.items.items())
    return values.Mapping(tuple(pairs))


def _freeze_object(value: Object, label: str, room: Room) -> Any:
    if value.fields is None:
        return OpaqueValue(label)
    fields = ((name, _freeze(item, f"{label}.{name}", room)) for name, item in value.fields.items())
    return values.Instance(value.cls, tuple(fields))


def _freeze_external(value: External, label: str, room: Room) -> Any:
    return OpaqueValue(value.path)


def _freeze_package(value: Package, label: str, room: Room) -> Any:
    return OpaqueValue(value.name)


def _freeze_unnamed(value: Any, label: str, room: Room) -> Any:
    return OpaqueValue(label)


_FREEZERS: dict[type, Callable[[Any, str, Room], Any]] = {
    tuple: _freeze_tuple,
    range: _freeze_range,
    ListObject: _freeze_list,
    SetObject: _freeze_set,
    DictObject: _freeze_dict,
    EnvironObject: _freeze_unnamed,
    Object: _freeze_object,
    External: _freeze_external,
    Package: _freeze_package,
    BoundMethod: _freeze_unnamed,
    NativeMethod: _freeze_unnamed,
    Partial: _freeze_unnamed,
    Descriptor: _freeze_unnamed,
    FieldSpec: _freeze_unnamed,
    SuperProxy: _freeze_unnamed,
    ArgumentParser: _freeze_unnamed,
    Iterator: _freeze_unnamed,
}


def thaw(value: Any) -> Any:
    """The evaluator's form of an immutable value."""
    if isinstance(value, values.Sequence):
        items = [thaw(item) for item in value.items]
        if value.kind == "list":
            return ListObject(items)
        if value.kind in ("set", "frozenset"):
            return SetObject(dict.fromkeys(items), value.kind == "frozenset")
        return tuple(items)
    if isinstance(value, values.Mapping):
        return DictObject({thaw(key): thaw(item) for key, item in value.items})
    if isinstance(value, values.Instance):
        return Object(value.cls, {name: thaw(item) for name, item in value.fields})
    return value
