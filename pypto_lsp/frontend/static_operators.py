"""Operators over static values, with guards against results that would take long or fill the memory.

Functions here return a value, or :data:`UNKNOWN`, or raise :class:`Raised` where Python would surely raise.
"""

from __future__ import annotations

import builtins
import math
import operator
import re
from collections.abc import Callable, Iterable
from typing import Any

from pypto_lsp.frontend.static_objects import (
    DictObject,
    External,
    ListObject,
    Object,
    Package,
    Room,
    SetObject,
)
from pypto_lsp.frontend.values import (
    ClassValue,
    DslExpression,
    DynamicExpression,
    DynamicSymbol,
    FunctionValue,
    KernelRef,
    ModuleRef,
    Namespace,
    OpaqueValue,
    ProgramRef,
)
from pypto_lsp.ir.dtypes import DType
from pypto_lsp.ir.enums import EnumMember
from pypto_lsp.ir.size import MOST_NODES
from pypto_lsp.ir.types import Extent
from pypto_lsp.text.nesting import DEEPEST

#: longest int (bits), text (characters) and sequence (elements) that is computed
BIT_LIMIT = 4096
TEXT_LIMIT = 200_000
LENGTH_LIMIT = 100_000
#: how many tuples a key may hold, itself included
_KEY_LIMIT = 1_000


class Unknown:
    """The type of :data:`UNKNOWN`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"


#: the result cannot be told; the evaluator makes an OpaqueValue of it
UNKNOWN = Unknown()


class Raised(Exception):
    """Python would raise: ``name`` is the builtin exception's name, or that of a workspace class; ``stated`` where the
    text says so (``raise``, ``assert``)."""

    def __init__(self, name: str, stated: bool = False) -> None:
        super().__init__(name)
        self.name = name
        self.stated = stated

    def caught_by(self, handler: str) -> bool:
        """Whether ``except handler`` (a builtin's name or that of a workspace class) catches it, as far as is known."""
        mine, theirs = getattr(builtins, self.name, None), getattr(builtins, handler, None)
        if isinstance(mine, type) and isinstance(theirs, type):
            return issubclass(mine, theirs)
        return self.name == handler or handler in ("Exception", "BaseException")


_DEFINITE = (DType, EnumMember, External, ModuleRef, Namespace, FunctionValue, KernelRef, ProgramRef, ClassValue)
_SYMBOLIC = (DynamicSymbol, DynamicExpression)
_OPAQUE = (OpaqueValue, DslExpression, Package, *_SYMBOLIC)


def is_opaque(value: Any) -> bool:
    """Whether nothing is known of a value but its name. Of what lies outside the workspace only modules and builtins are
    known to be what they are."""
    if isinstance(value, External):
        return "." in value.path and not value.path.startswith("builtins.")
    return isinstance(value, _OPAQUE)


def number(value: Any) -> Any:
    """The plain number behind an int, float, bool or member of an IntEnum; None for anything else."""
    kind = type(value)
    if kind is Extent:
        return int(value)
    if kind in (int, float, bool):
        return value
    if kind is Object and value.cls is not None and value.cls.body.is_int_enum and value.fields is not None:
        return number(value.fields.get("value"))
    return None


def truth(value: Any) -> bool | None:
    """Whether a value counts as true; None when that is not known."""
    if isinstance(value, str | bytes | int | float | tuple | range | type(None)):
        return bool(value)
    if isinstance(value, ListObject | SetObject | DictObject):
        return None if value.items is None else bool(value.items)
    if isinstance(value, Object):
        return _object_truth(value)
    return None if is_opaque(value) else True


def _object_truth(value: Object) -> bool | None:
    plain = number(value)
    if plain is not None:
        return bool(plain)
    return True if value.cls is not None and value.cls.body.closed(("__bool__", "__len__")) else None


# --- comparison --------------------------------------------------------------------------------------------------


#: how deep two values are compared
_DEEPEST_COMPARED = 20


def equal(left: Any, right: Any) -> bool | None:
    """``left == right``; None when that is not known."""
    return _equal(left, right, Room(_DEEPEST_COMPARED))


def _equal(left: Any, right: Any, room: Room) -> bool | None:
    if left is right and not isinstance(left, float):
        return True
    if is_opaque(left) or is_opaque(right):
        return True if isinstance(left, OpaqueValue | DynamicSymbol | External) and left == right else None
    a, b = number(left), number(right)
    if a is not None and b is not None:
        return a == b
    if isinstance(left, tuple) and isinstance(right, tuple):
        return _equal_items(left, right, room)
    if type(left) is type(right):
        return _equal_alike(left, right, room)
    if isinstance(left, Object) or isinstance(right, Object):
        return _object_differs(left, right)
    return False


def _object_differs(left: Any, right: Any) -> bool | None:
    for side in (left, right):
        if isinstance(side, Object) and (side.cls is None or not side.cls.body.closed(("__eq__",))):
            return None
    return False


def _equal_alike(left: Any, right: Any, room: Room) -> bool | None:
    if isinstance(left, ListObject | SetObject | DictObject):
        if left.items is None or right.items is None:
            return None
        if isinstance(left, ListObject):
            return _equal_items(left.items, right.items, room)
        if left.items.keys() != right.items.keys():
            return False
        return True if isinstance(left, SetObject) else _equal_values(left.items, right.items, room)
    if isinstance(left, Object):
        return _equal_objects(left, right, room)
    return bool(left == right)


def _equal_items(left: Any, right: Any, room: Room) -> bool | None:
    if len(left) != len(right):
        return False
    return _all_equal(zip(left, right), room)


def _equal_values(left: dict[Any, Any], right: dict[Any, Any], room: Room) -> bool | None:
    return _all_equal(((item, right[key]) for key, item in left.items()), room)


def _all_equal(pairs: Any, room: Room) -> bool | None:
    if not room.enter():
        return None
    outcome: bool | None = True
    for a, b in pairs:
        same = _equal(a, b, room)
        if same is False:
            outcome = False
            break
        outcome = None if same is None else outcome
    room.depth -= 1
    return outcome


def _equal_objects(left: Object, right: Object, room: Room) -> bool | None:
    if left.cls is None or right.cls is None or left.fields is None or right.fields is None:
        return None
    body = left.cls.body
    if not body.closed(("__eq__",)):
        return None
    if body.kind == "enum" or body.kind == "plain":
        return False
    if left.cls is not right.cls:
        return False
    return _equal_values(left.fields, right.fields, room) if left.fields.keys() == right.fields.keys() else None


def order(operation: str, left: Any, right: Any) -> Any:
    """``<``, ``<=``, ``>``, ``>=`` over numbers, texts, tuples and lists."""
    a, b = _orderable(left, Room()), _orderable(right, Room())
    if a is None or b is None:
        return UNKNOWN
    try:
        return bool(_ORDERS[operation](a, b))
    except TypeError:
        return UNKNOWN


_ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _orderable(value: Any, room: Room) -> Any:
    plain = number(value)
    if plain is not None:
        return plain
    if isinstance(value, str | bytes):
        return value
    items = value.items if isinstance(value, ListObject) else value if isinstance(value, tuple) else None
    if items is None or not room.enter():
        return None
    inner = [_orderable(item, room) for item in items]
    room.depth -= 1
    return None if any(item is None for item in inner) else tuple(inner)


def contains(container: Any, item: Any) -> bool | None:
    """``item in container``; None when that is not known."""
    if isinstance(container, str) and isinstance(item, str):
        return item in container
    if isinstance(container, range):
        plain = number(item)
        return plain in container if plain is not None else None
    if isinstance(container, SetObject | DictObject):
        if container.items is None or not is_key(item):
            return None
        return item in container.items
    items = (
        container.items if isinstance(container, ListObject) else container if isinstance(container, tuple) else None
    )
    if items is None:
        return None
    outcome: bool | None = False
    for candidate in items:
        same = equal(candidate, item)
        if same:
            return True
        outcome = None if same is None else outcome
    return outcome


def compare(operation: str, left: Any, right: Any) -> bool | None:
    """Any comparison operator; None when the outcome is not known."""
    if operation in ("==", "!="):
        same = equal(left, right)
        return same if same is None or operation == "==" else not same
    if operation in ("in", "not in"):
        inside = contains(right, left)
        return inside if inside is None or operation == "in" else not inside
    if operation in ("is", "is not"):
        same = identical(left, right)
        return same if same is None or operation == "is" else not same
    outcome = order(operation, left, right)
    return None if outcome is UNKNOWN else outcome


def identical(left: Any, right: Any) -> bool | None:
    for value, other in ((left, right), (right, left)):
        if value is None or isinstance(value, bool):
            return None if is_opaque(other) else other is value
    if left is right:
        return True
    return equal(left, right) if isinstance(left, _DEFINITE) and isinstance(right, _DEFINITE) else None


def is_key(value: Any) -> bool:
    """Whether a value can be used as a key that is told apart from other keys."""
    return _is_key(value, Room(most=_KEY_LIMIT))


def _is_key(value: Any, room: Room) -> bool:
    if isinstance(value, tuple):
        if not room.enter():
            return False
        known = all(_is_key(item, room) for item in value)
        room.depth -= 1
        return known
    if isinstance(value, str | bytes | int | float | type(None)):
        return value == value
    if is_opaque(value):
        return isinstance(value, DynamicSymbol)
    return isinstance(value, _DEFINITE) or (
        isinstance(value, Object) and value.cls is not None and value.cls.body.kind == "enum"
    )


# --- arithmetic --------------------------------------------------------------------------------------------------


def _guarded(value: Any) -> Any:
    if isinstance(value, int):
        return value if value.bit_length() <= BIT_LIMIT else UNKNOWN
    return value if isinstance(value, float) else UNKNOWN


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(base, int) and isinstance(exponent, int):
        if exponent > 0 and base.bit_length() * exponent > 2 * BIT_LIMIT and base not in (0, 1, -1):
            return UNKNOWN
        if base == 0 and exponent < 0:
            raise Raised("ZeroDivisionError")
    return base**exponent


def _left_shift(value: Any, count: Any) -> Any:
    if isinstance(count, int) and (count > BIT_LIMIT or count < 0):
        return UNKNOWN
    return value << count


_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": _power,
    "<<": _left_shift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}


def arithmetic(operation: str, left: Any, right: Any) -> Any:
    """An operator over two plain numbers."""
    function = _ARITHMETIC.get(operation)
    if function is None:
        return UNKNOWN
    try:
        return _guarded(function(left, right))
    except ZeroDivisionError:
        raise Raised("ZeroDivisionError") from None
    except OverflowError:
        raise Raised("OverflowError") from None
    except (TypeError, ValueError):  # a shift of a float, a negative count: Python's own complaint, or none of ours
        return UNKNOWN


def binary(operation: str, left: Any, right: Any) -> Any:
    """``left operation right`` for any two values."""
    a, b = number(left), number(right)
    if a is not None and b is not None:
        return arithmetic(operation, a, b)
    if isinstance(left, _SYMBOLIC) or isinstance(right, _SYMBOLIC):
        return _symbolic(operation, left, right)
    if isinstance(left, str):
        return _text_operation(operation, left, right)
    if isinstance(right, str) and operation == "*":
        return _repeat_text(right, a)
    if isinstance(left, ListObject | tuple) or (isinstance(right, ListObject | tuple) and operation == "*"):
        return _sequence_operation(operation, left, right)
    if isinstance(left, SetObject) and isinstance(right, SetObject):
        return _set_operation(operation, left, right)
    if isinstance(left, DictObject) and isinstance(right, DictObject) and operation == "|":
        return UNKNOWN if left.items is None or right.items is None else DictObject({**left.items, **right.items})
    return UNKNOWN


def _symbolic(operation: str, left: Any, right: Any) -> Any:
    operands = (int, *_SYMBOLIC)
    if operation in ("+", "-", "*", "//", "%") and isinstance(left, operands) and isinstance(right, operands):
        made = DynamicExpression(operation, left, right)
        return made if made.size <= MOST_NODES and made.depth <= DEEPEST else UNKNOWN
    return UNKNOWN


def _repeat_text(text: str, count: Any) -> Any:
    if not isinstance(count, int) or len(text) * count > TEXT_LIMIT:
        return UNKNOWN
    return text * count


_WIDE = re.compile(r"\d{4,}|\*")


def formatted_length(template: str, arguments: Iterable[Any]) -> int:
    """How long a text that is made of a template and arguments can get, numbers and widths left out."""
    longest = max((len(item) for item in arguments if isinstance(item, str)), default=0)
    return len(template) + max(template.count("{"), template.count("%")) * longest


def _text_operation(operation: str, left: str, right: Any) -> Any:
    if operation == "+" and isinstance(right, str):
        return left + right if len(left) + len(right) <= TEXT_LIMIT else UNKNOWN
    if operation == "*":
        return _repeat_text(left, number(right))
    if operation == "%" and not _WIDE.search(left):
        return _percent_format(left, right)
    return UNKNOWN


def _percent_format(template: str, argument: Any) -> Any:
    arguments = argument if isinstance(argument, tuple) else (argument,)
    plain = tuple(item if isinstance(item, str) else number(item) for item in arguments)
    if any(item is None for item in plain) or formatted_length(template, plain) > TEXT_LIMIT:
        return UNKNOWN
    try:
        return template % plain
    except (TypeError, ValueError):
        return UNKNOWN


def _sequence_operation(operation: str, left: Any, right: Any) -> Any:
    if operation == "*":
        sequence, count = (left, number(right)) if isinstance(left, ListObject | tuple) else (right, number(left))
        return _repeat(sequence, count)
    if operation == "+" and type(left) is type(right):
        if isinstance(left, tuple):
            return left + right if len(left) + len(right) <= LENGTH_LIMIT else UNKNOWN
        if left.items is not None and right.items is not None and len(left.items) + len(right.items) <= LENGTH_LIMIT:
            return ListObject(left.items + right.items)
    return UNKNOWN


def _repeat(sequence: Any, count: Any) -> Any:
    items = sequence.items if isinstance(sequence, ListObject) else sequence
    if items is None or not isinstance(count, int) or len(items) * count > LENGTH_LIMIT:
        return UNKNOWN
    repeated = items * count
    return ListObject(repeated) if isinstance(sequence, ListObject) else repeated


def _set_operation(operation: str, left: SetObject, right: SetObject) -> Any:
    if left.items is None or right.items is None:
        return UNKNOWN
    mine, theirs = left.items, right.items
    if operation == "|":
        keys = {**mine, **theirs}
    elif operation == "&":
        keys = {key: None for key in mine if key in theirs}
    elif operation == "-":
        keys = {key: None for key in mine if key not in theirs}
    elif operation == "^":
        keys = {key: None for key in (*mine, *theirs) if (key in mine) != (key in theirs)}
    else:
        return UNKNOWN
    return SetObject(keys, left.frozen)


def unary(operation: str, value: Any) -> Any:
    """``-``, ``+``, ``~`` over a number."""
    plain = number(value)
    if plain is None:
        return UNKNOWN
    if operation == "-":
        return -plain
    if operation == "+":
        return +plain
    return ~plain if isinstance(plain, int) else UNKNOWN


# --- subscripts --------------------------------------------------------------------------------------------------


def subscript(container: Any, index: Any) -> Any:
    """``container[index]`` for texts, sequences and dicts; ``index`` may be a Python slice of plain ints."""
    if isinstance(container, DictObject):
        return _dict_item(container, index)
    if isinstance(container, ListObject):
        items: Any = container.items
    elif isinstance(container, str | tuple | range):
        items = container
    else:
        return UNKNOWN
    if items is None:
        return UNKNOWN
    if isinstance(index, slice):
        try:
            part = items[index]
        except (TypeError, ValueError):
            return UNKNOWN
        return ListObject(part) if isinstance(container, ListObject) else part
    position = number(index)
    if not isinstance(position, int):
        return UNKNOWN
    try:
        return items[position]
    except (IndexError, OverflowError):
        raise Raised("IndexError") from None


def _dict_item(container: DictObject, key: Any) -> Any:
    if container.items is None or not is_key(key):
        return UNKNOWN
    if key in container.items:
        return container.items[key]
    if container.factory is not None:
        return UNKNOWN
    raise Raised("KeyError")


def rounded(value: Any, digits: Any) -> Any:
    """``round(value, digits)``."""
    plain, places = number(value), None if digits is None else number(digits)
    if plain is None or (digits is not None and not (isinstance(places, int) and abs(places) < 1000)):
        return UNKNOWN
    if isinstance(plain, float) and not math.isfinite(plain):
        return UNKNOWN if digits is not None else _raise("ValueError" if math.isnan(plain) else "OverflowError")
    return round(plain, places) if places is not None else round(plain)


def _raise(name: str) -> Any:
    raise Raised(name)
