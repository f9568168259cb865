"""Functions of Python's library in the static evaluator, by dotted path. What is not here gives an unknown value."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

from pypto_lsp.frontend.static_argparse import make_parser
from pypto_lsp.frontend.static_builtins import Handler
from pypto_lsp.frontend.static_classes import replaced
from pypto_lsp.frontend.static_iteration import elements
from pypto_lsp.frontend.static_machine import Arguments, Machine
from pypto_lsp.frontend.static_methods import call_native, pairs_of, plain_arguments
from pypto_lsp.frontend.static_objects import (
    MISSING,
    DictObject,
    FieldSpec,
    Iterator,
    ListObject,
    NativeMethod,
    Object,
    Partial,
    Room,
    SetObject,
)
from pypto_lsp.frontend.static_operators import (
    BIT_LIMIT,
    LENGTH_LIMIT,
    UNKNOWN,
    Raised,
    binary,
    compare,
    is_key,
    truth,
    unary,
)

# --- math --------------------------------------------------------------------------------------------------------

_MATH = (
    "ceil", "floor", "trunc", "sqrt", "log", "log2", "log10", "exp", "sin", "cos", "tan", "gcd", "lcm", "isqrt", "fabs",
    "copysign", "fmod", "hypot", "isnan", "isinf", "isfinite", "isclose", "degrees", "radians", "atan", "atan2", "tanh",
)  # fmt: skip
#: functions whose results outgrow their arguments -> the largest argument
_GROWING = {"factorial": 300, "comb": 2000, "perm": 500}


def _math(name: str, largest: int | None = None) -> Handler:
    function: Callable[..., Any] = getattr(math, name)

    def run(m: Machine, given: Arguments) -> Any:
        plain = plain_arguments(given)
        if plain is None or any(isinstance(value, str | tuple) for value in plain):
            return UNKNOWN
        if largest is not None and any(abs(value) > largest for value in plain if value is not None):
            return UNKNOWN
        try:
            return function(*plain)
        except (ValueError, OverflowError, TypeError) as fault:
            raise Raised(type(fault).__name__) from None

    return run


def _math_pow(m: Machine, given: Arguments) -> Any:
    plain = plain_arguments(given)
    if plain is None or len(plain) != 2 or any(isinstance(value, str | tuple | None) for value in plain):
        return UNKNOWN
    try:
        return math.pow(*plain)
    except (ValueError, OverflowError) as fault:
        raise Raised(type(fault).__name__) from None


def _math_prod(m: Machine, given: Arguments) -> Any:
    items = elements(m, given.get(0, "iterable"))
    product = given.keywords.get("start", 1)
    for item in items if items is not None else (UNKNOWN,):
        product = binary("*", product, item)
        if product is UNKNOWN or (isinstance(product, int) and product.bit_length() > BIT_LIMIT):
            return UNKNOWN
    return product


# --- os, dataclasses, functools, copy, collections -----------------------------------------------------------------


def _getenv(m: Machine, given: Arguments) -> Any:
    return call_native(m, NativeMethod(m.run.environ, "get"), given)


def _import_module(m: Machine, given: Arguments) -> Any:
    name = given.get(0, "name")
    if not isinstance(name, str) or name.startswith(".") or len(given.positional) > 1:
        return UNKNOWN
    return m.run.import_module(m, name, m.module, whole=True)


def _field(m: Machine, given: Arguments) -> Any:
    keywords = given.keywords
    initialised = truth(keywords.get("init", True))
    return FieldSpec(
        keywords.get("default", MISSING), keywords.get("default_factory", MISSING), initialised is not False
    )


def _replace(m: Machine, given: Arguments) -> Any:
    return replaced(m, given.get(0, "obj"), given.keywords, given.complete)


def _asdict(m: Machine, given: Arguments) -> Any:
    value = given.get(0, "obj")
    if (
        not isinstance(value, Object)
        or value.fields is None
        or any(isinstance(v, Object) for v in value.fields.values())
    ):
        return UNKNOWN
    return DictObject(dict(value.fields))


def _partial(m: Machine, given: Arguments) -> Any:
    if not given.positional:
        return UNKNOWN
    value = Partial(given.positional[0], tuple(given.positional[1:]), tuple(given.keywords.items()))
    m.deferred.append(value)
    return value


def _unchanged(m: Machine, given: Arguments) -> Any:
    return given.get(0, "user_function", UNKNOWN)


def _reduce(m: Machine, given: Arguments) -> Any:
    items = elements(m, given.get(1, "iterable"))
    if items is None:
        return UNKNOWN
    start = given.get(2, "initial")
    pending = items if start is MISSING else [start, *items]
    if not pending:
        raise Raised("TypeError")
    return reduce(lambda left, right: m.call(given.positional[0], Arguments([left, right])), pending)


def _copied(m: Machine, given: Arguments) -> Any:
    return deep_copy(given.get(0, "x"))


#: how deep what is copied may be
_DEEPEST_COPIED = 20


def deep_copy(value: Any) -> Any:
    """A copy that shares nothing that can be changed in place."""
    room = Room(_DEEPEST_COPIED)
    copied = _deeply(value, room)
    return copied if room.left > 0 else UNKNOWN


def _deeply(value: Any, room: Room) -> Any:
    if not isinstance(value, (tuple, ListObject, SetObject, DictObject, Object)):
        return value
    if not room.enter():
        return UNKNOWN
    copied = _deep_contents(value, room)
    room.depth -= 1
    return copied


def _deep_contents(value: Any, room: Room) -> Any:
    if isinstance(value, tuple):
        return tuple(_deeply(item, room) for item in value)
    if isinstance(value, ListObject):
        return ListObject(None if value.items is None else [_deeply(item, room) for item in value.items])
    if isinstance(value, SetObject):
        return SetObject(None if value.items is None else dict(value.items), value.frozen)
    if isinstance(value, DictObject):
        items = None if value.items is None else {key: _deeply(item, room) for key, item in value.items.items()}
        return DictObject(items, value.factory)
    if value.cls is not None and value.cls.body.kind == "enum":
        return value
    fields = None if value.fields is None else {n: _deeply(item, room) for n, item in value.fields.items()}
    return Object(value.cls, fields)


def _ordered(m: Machine, given: Arguments) -> Any:
    source = given.get(0, "", DictObject({}))
    known = source.items if isinstance(source, DictObject) else pairs_of(m, source)
    return DictObject(None if known is None else {**known, **given.keywords})


def _defaultdict(m: Machine, given: Arguments) -> Any:
    rest = Arguments(given.positional[1:], given.keywords, given.complete)
    return DictObject(_ordered(m, rest).items, given.get(0, "default_factory", None))


# --- itertools, operator -----------------------------------------------------------------------------------------


def _columns(m: Machine, given: Arguments) -> list[list[Any]] | None:
    columns = [elements(m, value) for value in given.positional]
    known = [column for column in columns if column is not None]
    return known if len(known) == len(columns) else None


def _chain(m: Machine, given: Arguments) -> Any:
    columns = _columns(m, given)
    return Iterator(None if columns is None else [item for column in columns for item in column])


def _product(m: Machine, given: Arguments) -> Any:
    columns = _columns(m, given)
    if columns is None or given.keywords or math.prod(map(len, columns)) > LENGTH_LIMIT // 8:
        return Iterator(None)
    m.charge(math.prod(map(len, columns)))
    rows: list[tuple[Any, ...]] = [()]
    for column in columns:
        rows = [(*row, item) for row in rows for item in column]
    return Iterator(list(rows))


def _accumulate(m: Machine, given: Arguments) -> Any:
    items = elements(m, given.get(0, "iterable"))
    if items is None or len(given.positional) > 1 or given.keywords:
        return Iterator(None)
    totals: list[Any] = []
    for item in items:
        totals.append(item if not totals else binary("+", totals[-1], item))
    return Iterator(None if UNKNOWN in totals else totals)


def _operator(operation: str) -> Handler:
    def run(m: Machine, given: Arguments) -> Any:
        if len(given.positional) != 2:
            return UNKNOWN
        return binary(operation, *given.positional)

    return run


def _comparison(operation: str) -> Handler:
    def run(m: Machine, given: Arguments) -> Any:
        outcome = compare(operation, *given.positional) if len(given.positional) == 2 else None
        return UNKNOWN if outcome is None else outcome

    return run


def _negated(m: Machine, given: Arguments) -> Any:
    return unary("-", given.get(0, "a"))


def _counter(m: Machine, given: Arguments) -> Any:
    items = elements(m, given.get(0, "iterable", ()))
    if items is None or not all(is_key(item) for item in items):
        return DictObject(None)
    return DictObject({item: items.count(item) for item in dict.fromkeys(items)} if len(items) <= 1000 else None)


def _exit(m: Machine, given: Arguments) -> Any:
    raise Raised("SystemExit")


LIBRARY: dict[str, Handler] = {
    **{f"math.{name}": _math(name) for name in _MATH},
    **{f"math.{name}": _math(name, largest) for name, largest in _GROWING.items()},
    "math.pow": _math_pow,
    "math.prod": _math_prod,
    "os.getenv": _getenv,
    "importlib.import_module": _import_module,
    "dataclasses.field": _field,
    "dataclasses.replace": _replace,
    "dataclasses.asdict": _asdict,
    "copy.copy": _copied,
    "copy.deepcopy": _copied,
    "copy.replace": _replace,
    "functools.partial": _partial,
    "functools.reduce": _reduce,
    "functools.lru_cache": _unchanged,
    "functools.cache": _unchanged,
    "collections.OrderedDict": _ordered,
    "collections.defaultdict": _defaultdict,
    "collections.Counter": _counter,
    "types.SimpleNamespace": lambda m, given: Object(None, dict(given.keywords)),
    "types.MappingProxyType": lambda m, given: given.get(0, "mapping", UNKNOWN),
    "argparse.ArgumentParser": make_parser,
    "argparse.Namespace": lambda m, given: Object(None, dict(given.keywords)),
    "itertools.chain": _chain,
    "itertools.product": _product,
    "itertools.accumulate": _accumulate,
    **{
        f"operator.{name}": _operator(sign)
        for name, sign in (("add", "+"), ("sub", "-"), ("mul", "*"), ("floordiv", "//"), ("truediv", "/"), ("mod", "%"))
    },
    **{f"operator.{name}": _comparison(sign) for name, sign in (("eq", "=="), ("lt", "<"), ("gt", ">"), ("ne", "!="))},
    "operator.neg": _negated,
    **dict.fromkeys(("sys.exit", "builtins.exit", "builtins.quit"), _exit),
}
