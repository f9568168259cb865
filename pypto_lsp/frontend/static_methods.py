"""Methods of builtin types, of named tuples and of argument parsers in the static evaluator.

A method is a function of the machine, the object it belongs to and the arguments; the tables below are by type and name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from pypto_lsp.frontend.static_argparse import PARSER_METHODS
from pypto_lsp.frontend.static_classes import replaced
from pypto_lsp.frontend.static_iteration import elements, store
from pypto_lsp.frontend.static_machine import Arguments, Machine
from pypto_lsp.frontend.static_objects import (
    MISSING,
    ArgumentParser,
    DictObject,
    EnvironObject,
    Iterator,
    ListObject,
    NativeMethod,
    Object,
    SetObject,
)
from pypto_lsp.frontend.static_operators import (
    LENGTH_LIMIT,
    TEXT_LIMIT,
    UNKNOWN,
    Raised,
    equal,
    formatted_length,
    is_key,
    number,
    order,
    truth,
)
from pypto_lsp.ir.types import Extent

Method = Callable[[Machine, Any, Arguments], Any]


def plain_arguments(given: Arguments) -> list[Any] | None:
    """The positional arguments as Python's own numbers, texts and None; None when another kind is among them."""
    if given.keywords or not given.complete:
        return None
    found: list[Any] = []
    for value in given.positional:
        if (
            isinstance(value, str)
            or value is None
            or (isinstance(value, tuple) and all(isinstance(item, str) for item in value))
        ):
            found.append(value)
        elif (plain := number(value)) is not None:
            found.append(plain)
        else:
            return None
    return found


# --- texts -------------------------------------------------------------------------------------------------------

#: methods of str that Python itself may run on plain arguments: the result is no longer than text and arguments
_TEXT_METHODS = (
    "strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "swapcase", "casefold", "startswith", "endswith",
    "split", "rsplit", "splitlines", "partition", "rpartition", "removeprefix", "removesuffix", "find", "rfind", "index",
    "count", "isdigit", "isalpha", "isalnum", "isidentifier", "isdecimal", "isnumeric", "isspace", "isupper", "islower",
)  # fmt: skip


def _text_method(name: str) -> Method:
    def run(m: Machine, owner: str, given: Arguments) -> Any:
        plain = plain_arguments(given)
        if plain is None:
            return UNKNOWN
        m.charge(len(owner) // 64)
        try:
            value = getattr(owner, name)(*plain)
        except (TypeError, ValueError) as fault:
            raise Raised(type(fault).__name__) from None
        return ListObject(value) if isinstance(value, list) else value

    return run


def _replace(m: Machine, owner: str, given: Arguments) -> Any:
    plain = plain_arguments(given)
    if plain is None or len(plain) < 2 or not all(isinstance(part, str) for part in plain[:2]):
        return UNKNOWN
    if owner.count(plain[0]) * len(plain[1]) + len(owner) > TEXT_LIMIT:
        return UNKNOWN
    return owner.replace(*plain)


def _join(m: Machine, owner: str, given: Arguments) -> Any:
    parts = elements(m, given.get(0, ""))
    if parts is None or not all(isinstance(part, str) for part in parts):
        return UNKNOWN
    return owner.join(parts) if sum(map(len, parts)) + len(owner) * len(parts) <= TEXT_LIMIT else UNKNOWN


_FORMAT_SAFE = re.compile(r"(?:[^{}]|\{\{|\}\}|\{\w*(?::[0-9<>^.,dxXbofsge+]{0,6})?\})*")
_WIDE = re.compile(r"\d{4,}")


def _format(m: Machine, owner: str, given: Arguments) -> Any:
    if not given.complete or _WIDE.search(owner) or not _FORMAT_SAFE.fullmatch(owner):
        return UNKNOWN
    positional = [_printable(value) for value in given.positional]
    keywords = {name: _printable(value) for name, value in given.keywords.items()}
    if UNKNOWN in positional or UNKNOWN in keywords.values():
        return UNKNOWN
    if formatted_length(owner, (*positional, *keywords.values())) > TEXT_LIMIT:
        return UNKNOWN
    try:
        return owner.format(*positional, **keywords)
    except (TypeError, ValueError, IndexError, KeyError):
        return UNKNOWN


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return value
    plain = None if isinstance(value, Object) else number(value)
    return UNKNOWN if plain is None else plain


def _padded(name: str) -> Method:
    def run(m: Machine, owner: str, given: Arguments) -> Any:
        plain = plain_arguments(given)
        if not plain or not isinstance(plain[0], int) or plain[0] > 1000:
            return UNKNOWN
        try:
            return getattr(owner, name)(*plain)
        except TypeError:
            return UNKNOWN

    return run


_TEXT: dict[str, Method] = {
    **{name: _text_method(name) for name in _TEXT_METHODS},
    **{name: _padded(name) for name in ("ljust", "rjust", "center", "zfill")},
    "replace": _replace,
    "join": _join,
    "format": _format,
}

# --- lists and tuples --------------------------------------------------------------------------------------------


def _append(m: Machine, owner: ListObject, given: Arguments) -> Any:
    if m.touch(owner) and owner.items is not None:
        m.charge(len(owner.items) // 64)
        owner.items.append(given.get(0, "object"))
    return None


def _extend(m: Machine, owner: ListObject, given: Arguments) -> Any:
    more = elements(m, given.get(0, "iterable"))
    if m.touch(owner) and owner.items is not None:
        if more is None or len(owner.items) + len(more) > LENGTH_LIMIT:
            owner.items = None
        else:
            owner.items.extend(more)
    return None


def _insert(m: Machine, owner: ListObject, given: Arguments) -> Any:
    position = number(given.get(0, "index"))
    if m.touch(owner) and owner.items is not None:
        if isinstance(position, int):
            owner.items.insert(position, given.get(1, "object"))
        else:
            owner.items = None
    return None


def _pop(m: Machine, owner: ListObject, given: Arguments) -> Any:
    position = number(given.get(0, "index", -1))
    if not m.touch(owner) or owner.items is None:
        return UNKNOWN
    if not isinstance(position, int):
        owner.items = None
        return UNKNOWN
    try:
        return owner.items.pop(position)
    except IndexError:
        raise Raised("IndexError") from None


def _lose_items(m: Machine, owner: Any, given: Arguments) -> Any:
    """For methods whose effect is not modelled."""
    if m.touch(owner):
        owner.items = None
    return UNKNOWN


def _reverse(m: Machine, owner: ListObject, given: Arguments) -> Any:
    if m.touch(owner) and owner.items is not None:
        owner.items.reverse()
    return None


def _clear(m: Machine, owner: Any, given: Arguments) -> Any:
    if m.touch(owner):
        owner.items = [] if isinstance(owner, ListObject) else {}
    return None


def sorted_items(m: Machine, items: list[Any] | None, given: Arguments) -> list[Any] | None:
    """The items in order, by ``key=`` and ``reverse=``; None when the order is not known."""
    key, backwards = given.keywords.get("key"), truth(given.keywords.get("reverse", False))
    if items is None or backwards is None or not given.complete:
        return None
    keys = items if key is None else [m.call(key, Arguments([item])) for item in items]
    if any(order("<", first, second) is UNKNOWN for first, second in pairwise(keys)):
        return None
    m.charge(len(items))
    try:
        ranked = sorted(range(len(items)), key=lambda index: _Ranked(keys[index]), reverse=backwards)
    except TypeError:
        return None
    return [items[index] for index in ranked]


class _Ranked:
    """A sort key over static values."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: _Ranked) -> bool:
        outcome = order("<", self.value, other.value)
        if outcome is UNKNOWN:
            raise TypeError
        return bool(outcome)


def _sort(m: Machine, owner: ListObject, given: Arguments) -> Any:
    items = sorted_items(m, owner.items, given)
    if m.touch(owner):
        owner.items = items
    return None


def _items_of(owner: Any) -> list[Any] | None:
    items = owner.items if isinstance(owner, ListObject) else owner
    return None if items is None else list(items)


def _count(m: Machine, owner: Any, given: Arguments) -> Any:
    items = None if isinstance(owner, range) else _items_of(owner)
    if items is None:
        return UNKNOWN
    same = [equal(item, given.get(0, "value")) for item in items]
    return UNKNOWN if None in same else sum(map(bool, same))


def _index(m: Machine, owner: Any, given: Arguments) -> Any:
    items = None if isinstance(owner, range) else _items_of(owner)
    if items is None or len(given.positional) != 1:
        return UNKNOWN
    for position, item in enumerate(items):
        same = equal(item, given.positional[0])
        if same is not False:
            return position if same else UNKNOWN
    raise Raised("ValueError")


def _copy(m: Machine, owner: Any, given: Arguments) -> Any:
    copied = None if owner.items is None else owner.items.copy()
    if isinstance(owner, ListObject):
        return ListObject(copied)
    return SetObject(copied, owner.frozen) if isinstance(owner, SetObject) else DictObject(copied, owner.factory)


_LIST: dict[str, Method] = {
    "append": _append,
    "extend": _extend,
    "insert": _insert,
    "pop": _pop,
    "remove": _lose_items,
    "reverse": _reverse,
    "clear": _clear,
    "sort": _sort,
    "count": _count,
    "index": _index,
    "copy": _copy,
}
_TUPLE: dict[str, Method] = {"count": _count, "index": _index}

# --- dicts and sets ----------------------------------------------------------------------------------------------


def _get(m: Machine, owner: DictObject, given: Arguments) -> Any:
    key, default = given.get(0, "key"), given.get(1, "default", None)
    if isinstance(owner, EnvironObject):
        m.run.note_environ(key)
    if owner.items is None or not is_key(key):
        return UNKNOWN
    return owner.items.get(key, default)


def _setdefault(m: Machine, owner: DictObject, given: Arguments) -> Any:
    key = given.get(0, "key")
    found = _get(m, owner, Arguments([key, MISSING]))
    if found is MISSING:
        found = given.get(1, "default", None)
        store(m, owner, key, found)
    elif found is UNKNOWN:
        _lose_items(m, owner, given)
    return found


def _dict_pop(m: Machine, owner: DictObject, given: Arguments) -> Any:
    key, default = given.get(0, "key"), given.get(1, "default")
    if not m.touch(owner) or owner.items is None:
        return UNKNOWN
    if not is_key(key):
        owner.items = None
        return UNKNOWN
    value = owner.items.pop(key, default)
    if value is MISSING:
        raise Raised("KeyError")
    return value


def _update(m: Machine, owner: DictObject, given: Arguments) -> Any:
    more = given.get(0, "", DictObject({}))
    known = more.items if isinstance(more, DictObject) else pairs_of(m, more)
    if known is None or not given.complete:
        _lose_items(m, owner, given)
        return None
    for key, value in {**known, **given.keywords}.items():
        store(m, owner, key, value)
    return None


def pairs_of(m: Machine, value: Any) -> dict[Any, Any] | None:
    """A dict from an iterable of pairs."""
    pairs = elements(m, value)
    if pairs is None or not all(isinstance(pair, tuple) and len(pair) == 2 and is_key(pair[0]) for pair in pairs):
        return None
    return dict(pairs)


def _keys(m: Machine, owner: DictObject, given: Arguments) -> Any:
    return UNKNOWN if owner.items is None else tuple(owner.items)


def _values(m: Machine, owner: DictObject, given: Arguments) -> Any:
    return UNKNOWN if owner.items is None else tuple(owner.items.values())


def _items(m: Machine, owner: DictObject, given: Arguments) -> Any:
    return UNKNOWN if owner.items is None else tuple(owner.items.items())


_DICT: dict[str, Method] = {
    "get": _get,
    "setdefault": _setdefault,
    "pop": _dict_pop,
    "update": _update,
    "keys": _keys,
    "values": _values,
    "items": _items,
    "copy": _copy,
    "clear": _clear,
    "popitem": _lose_items,
}


def _add(m: Machine, owner: SetObject, given: Arguments) -> Any:
    item = given.get(0, "element")
    if m.touch(owner) and owner.items is not None:
        if is_key(item):
            owner.items[item] = None
        else:
            owner.items = None
    return None


def _discard(m: Machine, owner: SetObject, given: Arguments) -> Any:
    item = given.get(0, "element")
    if m.touch(owner) and owner.items is not None:
        if is_key(item):
            owner.items.pop(item, None)
        else:
            owner.items = None
    return None


def _set_algebra(keep_mine: bool, keep_theirs: bool, keep_both: bool) -> Method:
    def run(m: Machine, owner: SetObject, given: Arguments) -> Any:
        theirs = elements(m, given.get(0, "other", ()))
        if owner.items is None or theirs is None or len(given.positional) > 1 or not all(map(is_key, theirs)):
            return UNKNOWN
        other = dict.fromkeys(theirs)
        kept = {key: None for key in owner.items if (keep_both if key in other else keep_mine)}
        if keep_theirs:
            kept.update({key: None for key in other if key not in owner.items})
        return SetObject(kept, owner.frozen)

    return run


def _subset(mine_in_theirs: bool) -> Method:
    def run(m: Machine, owner: SetObject, given: Arguments) -> Any:
        theirs = elements(m, given.get(0, "other"))
        if owner.items is None or theirs is None or not all(map(is_key, theirs)):
            return UNKNOWN
        mine, other = set(owner.items), set(theirs)
        return mine <= other if mine_in_theirs else mine >= other

    return run


_SET: dict[str, Method] = {
    "add": _add,
    "discard": _discard,
    "remove": _lose_items,
    "pop": _lose_items,
    "update": _lose_items,
    "clear": _clear,
    "copy": _copy,
    "union": _set_algebra(True, True, True),
    "intersection": _set_algebra(False, False, True),
    "difference": _set_algebra(True, False, False),
    "symmetric_difference": _set_algebra(True, True, False),
    "issubset": _subset(True),
    "issuperset": _subset(False),
}

# --- numbers, named tuples ---------------------------------------------------------------------------------------


def _bit_length(m: Machine, owner: Any, given: Arguments) -> Any:
    return int(owner).bit_length()


def _is_integer(m: Machine, owner: Any, given: Arguments) -> Any:
    return float(owner).is_integer()


_NUMBER: dict[str, Method] = {"bit_length": _bit_length, "is_integer": _is_integer}


def _replace_fields(m: Machine, owner: Object, given: Arguments) -> Any:
    return replaced(m, owner, given.keywords, given.complete)


def _as_dict(m: Machine, owner: Object, given: Arguments) -> Any:
    return DictObject(None if owner.fields is None else dict(owner.fields))


_OBJECT: dict[str, Method] = {"_replace": _replace_fields, "_asdict": _as_dict}

_METHODS: dict[type, dict[str, Method]] = {
    str: _TEXT,
    ListObject: _LIST,
    tuple: _TUPLE,
    range: _TUPLE,
    DictObject: _DICT,
    EnvironObject: _DICT,
    SetObject: _SET,
    int: _NUMBER,
    Extent: _NUMBER,
    bool: _NUMBER,
    float: _NUMBER,
    Object: _OBJECT,
    ArgumentParser: PARSER_METHODS,
    Iterator: {},
}


def has_method(value: Any, name: str) -> bool:
    return name in _METHODS.get(type(value), ())


def call_native(m: Machine, method: NativeMethod, given: Arguments) -> Any:
    """Call a method of one of the tables above."""
    handler = _METHODS.get(type(method.owner), {}).get(method.name)
    return UNKNOWN if handler is None else handler(m, method.owner, given)
