"""Builtin functions in the static evaluator, by dotted path. None of them calls the user's objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pypto_lsp.frontend.static_attributes import attribute
from pypto_lsp.frontend.static_iteration import assign_attribute, elements, iterate
from pypto_lsp.frontend.static_machine import Arguments, Machine
from pypto_lsp.frontend.static_methods import pairs_of, plain_arguments, sorted_items
from pypto_lsp.frontend.static_objects import (
    MISSING,
    DictObject,
    External,
    Iterator,
    ListObject,
    Object,
    SetObject,
    derived,
)
from pypto_lsp.frontend.static_operators import (
    UNKNOWN,
    Raised,
    arithmetic,
    binary,
    is_key,
    is_opaque,
    number,
    order,
    rounded,
    truth,
)
from pypto_lsp.frontend.values import ClassValue, FunctionValue, KernelRef
from pypto_lsp.ir.types import Extent, origin_of

Handler = Callable[[Machine, Arguments], Any]
#: longest text that is read as a number
_DIGITS_LIMIT = 1000


# --- numbers -----------------------------------------------------------------------------------------------------


def _int(m: Machine, given: Arguments) -> Any:
    value = given.get(0, "x", 0)
    base = given.get(1, "base", MISSING)
    if isinstance(value, str):
        radix = 10 if base is MISSING else number(base)
        return UNKNOWN if not isinstance(radix, int) else _read(lambda: int(value, radix), value)
    plain = number(value)
    if plain is None or base is not MISSING:
        return _not_a_number(value)
    if isinstance(plain, float):
        return _read(lambda: int(plain), "")
    return value if type(value) is Extent else int(plain)


def _read(read: Callable[[], Any], text: str) -> Any:
    if len(text) > _DIGITS_LIMIT:
        return UNKNOWN
    try:
        return read()
    except (ValueError, OverflowError) as fault:
        raise Raised(type(fault).__name__) from None


def _not_a_number(value: Any) -> Any:
    if value is None or isinstance(value, ListObject | DictObject | SetObject | tuple):
        raise Raised("TypeError")
    return UNKNOWN


def _float(m: Machine, given: Arguments) -> Any:
    value = given.get(0, "x", 0)
    if isinstance(value, str):
        return _read(lambda: float(value), value)
    plain = number(value)
    return _not_a_number(value) if plain is None else _read(lambda: float(plain), "")


def _bool(m: Machine, given: Arguments) -> Any:
    outcome = truth(given.get(0, "x", False))
    return UNKNOWN if outcome is None else outcome


def _abs(m: Machine, given: Arguments) -> Any:
    value = given.get(0, "x")
    plain = number(value)
    if plain is None:
        return UNKNOWN
    return value if plain >= 0 and type(value) is Extent else abs(plain)


def _round(m: Machine, given: Arguments) -> Any:
    return rounded(given.get(0, "number"), given.get(1, "ndigits", None))


def _pow(m: Machine, given: Arguments) -> Any:
    base, exponent, modulus = (
        number(given.get(index, name, None)) for index, name in enumerate(("base", "exp", "mod"))
    )
    if base is None or exponent is None:
        return UNKNOWN
    if len(given.positional) < 3 and "mod" not in given.keywords:
        return arithmetic("**", base, exponent)
    if not (isinstance(base, int) and isinstance(exponent, int) and isinstance(modulus, int)):
        return UNKNOWN
    if exponent < 0 or modulus == 0 or exponent.bit_length() > 64:
        return UNKNOWN
    return pow(base, exponent, modulus)


def _divmod(m: Machine, given: Arguments) -> Any:
    left, right = number(given.get(0, "x")), number(given.get(1, "y"))
    if left is None or right is None:
        return UNKNOWN
    return (arithmetic("//", left, right), arithmetic("%", left, right))


def _extreme(operation: str) -> Handler:
    def run(m: Machine, given: Arguments) -> Any:
        single = len(given.positional) == 1
        items = elements(m, given.positional[0]) if single else list(given.positional)
        if items is None:
            return UNKNOWN
        if not items:
            return given.keywords["default"] if "default" in given.keywords else _raise("ValueError")
        key = given.keywords.get("key")
        keys = items if key is None else [m.call(key, Arguments([item])) for item in items]
        best = 0
        for index in range(1, len(items)):
            better = order(operation, keys[index], keys[best])
            if better is UNKNOWN:
                return UNKNOWN
            best = index if better else best
        return _chosen(items, best)

    return run


def _chosen(items: list[Any], best: int) -> Any:
    """The extreme itself; all candidates that are ints stay among its origins."""
    value = items[best]
    origin = origin_of(value)
    if origin is None or origin.name is not None or origin.literal:
        return value
    return derived(int(value), origin.span, tuple(items[:8]))


def _raise(name: str) -> Any:
    raise Raised(name)


def _sum(m: Machine, given: Arguments) -> Any:
    items = elements(m, given.get(0, "iterable"))
    if items is None:
        return UNKNOWN
    m.charge(len(items) // 8)
    total = given.get(1, "start", 0)
    for item in items:
        total = binary("+", total, item)
        if total is UNKNOWN:
            return UNKNOWN
    return total


# --- sequences ---------------------------------------------------------------------------------------------------


def _len(m: Machine, given: Arguments) -> Any:
    value = given.get(0, "obj")
    if isinstance(value, str | bytes | tuple):
        return len(value)
    if isinstance(value, range):
        return max(0, -((value.start - value.stop) // value.step))
    if isinstance(value, ListObject | SetObject | DictObject):
        return UNKNOWN if value.items is None else len(value.items)
    if isinstance(value, ClassValue | Object):
        items = iterate(m, value)
        return UNKNOWN if items is None else len(items)
    return _raise("TypeError") if number(value) is not None or value is None else UNKNOWN


def _range(m: Machine, given: Arguments) -> Any:
    plain = plain_arguments(given)
    if not plain or not all(isinstance(bound, int) for bound in plain):
        return UNKNOWN
    try:
        return range(*plain)
    except (TypeError, ValueError) as fault:
        raise Raised(type(fault).__name__) from None


def _list(m: Machine, given: Arguments) -> Any:
    return ListObject(elements(m, given.get(0, "iterable", ())))


def _tuple(m: Machine, given: Arguments) -> Any:
    items = elements(m, given.get(0, "iterable", ()))
    return UNKNOWN if items is None else tuple(items)


def _set_of(frozen: bool) -> Handler:
    def run(m: Machine, given: Arguments) -> Any:
        items = elements(m, given.get(0, "iterable", ()))
        if items is None or not all(is_key(item) for item in items):
            return SetObject(None, frozen)
        return SetObject(dict.fromkeys(items), frozen)

    return run


def _dict(m: Machine, given: Arguments) -> Any:
    source = given.get(0, "", DictObject({}))
    known = source.items if isinstance(source, DictObject) else pairs_of(m, source)
    return DictObject(None if known is None else {**known, **given.keywords})


def _sorted(m: Machine, given: Arguments) -> Any:
    return ListObject(sorted_items(m, elements(m, given.get(0, "iterable")), given))


def _reversed(m: Machine, given: Arguments) -> Any:
    items = elements(m, given.get(0, "sequence"))
    return Iterator(None if items is None else items[::-1])


def _enumerate(m: Machine, given: Arguments) -> Any:
    items = elements(m, given.get(0, "iterable"))
    start = number(given.get(1, "start", 0))
    if items is None or not isinstance(start, int):
        return Iterator(None)
    return Iterator([(start + index, item) for index, item in enumerate(items)])


def _zip(m: Machine, given: Arguments) -> Any:
    columns = [elements(m, value) for value in given.positional]
    known = [column for column in columns if column is not None]
    return Iterator(list(zip(*known)) if len(known) == len(columns) else None)


def _map(m: Machine, given: Arguments) -> Any:
    columns = [elements(m, value) for value in given.positional[1:]]
    known = [column for column in columns if column is not None]
    if len(known) != len(columns) or not known:
        return Iterator(None)
    return Iterator([m.call(given.positional[0], Arguments(list(row))) for row in zip(*known)])


def _filter(m: Machine, given: Arguments) -> Any:
    keep, items = given.get(0, "function"), elements(m, given.get(1, "iterable"))
    if items is None:
        return Iterator(None)
    kept: list[Any] = []
    for item in items:
        outcome = truth(item if keep is None else m.call(keep, Arguments([item])))
        if outcome is None:
            return Iterator(None)
        if outcome:
            kept.append(item)
    return Iterator(kept)


def _quantified(ends: bool) -> Handler:
    def run(m: Machine, given: Arguments) -> Any:
        items = elements(m, given.get(0, "iterable"))
        if items is None:
            return UNKNOWN
        outcomes = [truth(item) for item in items]
        if ends in outcomes:
            return ends
        return UNKNOWN if None in outcomes else not ends

    return run


def _next(m: Machine, given: Arguments) -> Any:
    source = given.get(0, "iterator")
    if not isinstance(source, Iterator) or source.items is None:
        return UNKNOWN
    if not source.items:
        default = given.get(1, "default")
        return default if default is not MISSING else _raise("StopIteration")
    m.touch(source)
    return source.items.pop(0)


def _iter(m: Machine, given: Arguments) -> Any:
    source = given.get(0, "iterable")
    return source if isinstance(source, Iterator) else Iterator(elements(m, source))


# --- texts, types, attributes ------------------------------------------------------------------------------------


def _text_of(quoted: bool) -> Handler:
    def run(m: Machine, given: Arguments) -> Any:
        from pypto_lsp.frontend.static_expr import shown  # expressions are built on calls

        return shown(given.get(0, "object", ""), quoted)

    return run


def _chr(m: Machine, given: Arguments) -> Any:
    plain = number(given.get(0, "i"))
    return chr(plain) if isinstance(plain, int) and 0 <= plain < 0x110000 else UNKNOWN


def _ord(m: Machine, given: Arguments) -> Any:
    value = given.get(0, "c")
    return ord(value) if isinstance(value, str) and len(value) == 1 else UNKNOWN


def _based(convert: Callable[[int], str]) -> Handler:
    def run(m: Machine, given: Arguments) -> Any:
        plain = number(given.get(0, "number"))
        return convert(plain) if isinstance(plain, int) else UNKNOWN

    return run


_TYPES: dict[str, tuple[type, ...]] = {
    "builtins.int": (int,),
    "builtins.bool": (bool,),
    "builtins.float": (float,),
    "builtins.str": (str,),
    "builtins.list": (ListObject,),
    "builtins.tuple": (tuple,),
    "builtins.dict": (DictObject,),
    "builtins.set": (SetObject,),
    "builtins.range": (range,),
}
_PLAIN = (int, float, str, ListObject, tuple, DictObject, SetObject, range, type(None))


def _isinstance(m: Machine, given: Arguments) -> Any:
    value, wanted = given.get(0, "obj"), given.get(1, "cls")
    outcomes = [_is_a(value, cls) for cls in (wanted if isinstance(wanted, tuple) else (wanted,))]
    if True in outcomes:
        return True
    return UNKNOWN if None in outcomes else False


def _is_a(value: Any, cls: Any) -> bool | None:
    if isinstance(cls, External) and isinstance(value, _PLAIN):
        kinds = _TYPES.get(cls.path)
        return None if kinds is None else isinstance(value, kinds)
    if isinstance(cls, ClassValue) and isinstance(value, Object) and value.cls is not None:
        return _inherits(value.cls, cls)
    return False if isinstance(cls, ClassValue) and isinstance(value, _PLAIN) else None


def _inherits(cls: ClassValue, wanted: ClassValue) -> bool | None:
    if cls == wanted:
        return True
    outcomes = [_inherits(base, wanted) for base in cls.body.bases if isinstance(base, ClassValue)]
    if True in outcomes:
        return True
    return None if cls.body.unknown or None in outcomes else False


def _getattr(m: Machine, given: Arguments) -> Any:
    name, default = given.get(1, "name"), given.get(2, "default")
    if not isinstance(name, str):
        return UNKNOWN
    try:
        return attribute(m, given.get(0, "object"), name)
    except Raised as raised:
        if default is MISSING or raised.name != "AttributeError":
            raise
        return default


def _hasattr(m: Machine, given: Arguments) -> Any:
    name, value = given.get(1, "name"), given.get(0, "obj")
    if not isinstance(name, str) or not isinstance(value, Object):
        return UNKNOWN
    try:
        return UNKNOWN if is_opaque(attribute(m, value, name)) else True
    except Raised as raised:
        return False if raised.name == "AttributeError" else UNKNOWN


def _setattr(m: Machine, given: Arguments) -> Any:
    owner, name, value = given.get(0, "obj"), given.get(1, "name"), given.get(2, "value")
    if isinstance(name, str):
        assign_attribute(m, owner, name, value, m.module.tree.body[m.module.order])
    elif isinstance(owner, Object) and m.touch(owner):
        owner.fields = None
    if is_opaque(owner):  # perhaps a module, this one
        m.module.unknown_star = True
    return None


def _callable(m: Machine, given: Arguments) -> Any:
    value = given.get(0, "obj")
    if isinstance(value, FunctionValue | ClassValue | KernelRef):
        return True
    return False if isinstance(value, _PLAIN) else UNKNOWN


def _type(m: Machine, given: Arguments) -> Any:
    value = given.get(0, "object")
    return value.cls if len(given.positional) == 1 and isinstance(value, Object) and value.cls is not None else UNKNOWN


def _vars(m: Machine, given: Arguments) -> Any:
    value = given.get(0, "object", None)
    return DictObject(None if value.fields is None else dict(value.fields)) if isinstance(value, Object) else UNKNOWN


def _runs_text(m: Machine, given: Arguments) -> Any:
    """``exec`` and ``eval``: what the text does is not followed."""
    m.module.unknown_star = True
    return UNKNOWN


def _nothing(m: Machine, given: Arguments) -> Any:
    return None


BUILTINS: dict[str, Handler] = {
    "builtins.int": _int,
    "builtins.float": _float,
    "builtins.bool": _bool,
    "builtins.abs": _abs,
    "builtins.round": _round,
    "builtins.pow": _pow,
    "builtins.divmod": _divmod,
    "builtins.min": _extreme("<"),
    "builtins.max": _extreme(">"),
    "builtins.sum": _sum,
    "builtins.len": _len,
    "builtins.range": _range,
    "builtins.list": _list,
    "builtins.tuple": _tuple,
    "builtins.set": _set_of(False),
    "builtins.frozenset": _set_of(True),
    "builtins.dict": _dict,
    "builtins.sorted": _sorted,
    "builtins.reversed": _reversed,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "builtins.map": _map,
    "builtins.filter": _filter,
    "builtins.any": _quantified(True),
    "builtins.all": _quantified(False),
    "builtins.next": _next,
    "builtins.iter": _iter,
    "builtins.str": _text_of(False),
    "builtins.repr": _text_of(True),
    "builtins.chr": _chr,
    "builtins.ord": _ord,
    "builtins.hex": _based(hex),
    "builtins.bin": _based(bin),
    "builtins.oct": _based(oct),
    "builtins.isinstance": _isinstance,
    "builtins.getattr": _getattr,
    "builtins.hasattr": _hasattr,
    "builtins.setattr": _setattr,
    "builtins.object.__setattr__": _setattr,
    "builtins.callable": _callable,
    "builtins.type": _type,
    "builtins.vars": _vars,
    "builtins.exec": _runs_text,
    "builtins.eval": _runs_text,
    "builtins.print": _nothing,
    "builtins.super.__init__": _nothing,
}
