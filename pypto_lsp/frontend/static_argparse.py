"""Argument parsers in the static evaluator: what parsing gives when no option is written on the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pypto_lsp.frontend.static_iteration import elements, store
from pypto_lsp.frontend.static_machine import Arguments, Machine
from pypto_lsp.frontend.static_objects import (
    MISSING,
    ArgumentParser,
    DictObject,
    ListObject,
    Object,
)
from pypto_lsp.frontend.static_operators import UNKNOWN, truth

#: default of an action that stores no value of its own
_ACTION_DEFAULTS = {"store_true": False, "store_false": True}


def make_parser(m: Machine, given: Arguments) -> Any:
    return ArgumentParser(DictObject({}))


def _add_argument(m: Machine, owner: ArgumentParser, given: Arguments) -> Any:
    names = [name for name in given.positional if isinstance(name, str)]
    destination = given.keywords.get("dest") or _destination(names)
    if not isinstance(destination, str):
        store(m, owner.defaults, UNKNOWN, UNKNOWN)  # an unknown name may be any
        return UNKNOWN
    store(m, owner.defaults, destination, _default(m, names, given))
    return UNKNOWN


def _destination(names: list[str]) -> str | None:
    long = next((name for name in names if name.startswith("--")), names[0] if names else None)
    return long.lstrip("-").replace("-", "_") if long else None


def _default(m: Machine, names: list[str], given: Arguments) -> Any:
    keywords = given.keywords
    action = keywords.get("action", "store")
    default = keywords.get("default", MISSING)
    required = truth(keywords.get("required", False))
    if not given.complete or not isinstance(action, str) or required is not False:
        return m.opaque()
    if default is MISSING:
        positional = not any(name.startswith("-") for name in names)
        return m.opaque() if positional else _ACTION_DEFAULTS.get(action)
    if isinstance(default, str) and "type" in keywords:
        return m.call(keywords["type"], Arguments([default]))
    return default


def _set_defaults(m: Machine, owner: ArgumentParser, given: Arguments) -> Any:
    for name, value in given.keywords.items():
        store(m, owner.defaults, name, value)
    return None


def _group(m: Machine, owner: ArgumentParser, given: Arguments) -> Any:
    return ArgumentParser(owner.defaults)


def _subparsers(m: Machine, owner: ArgumentParser, given: Arguments) -> Any:
    destination = given.keywords.get("dest")
    if isinstance(destination, str):
        store(m, owner.defaults, destination, m.opaque())
    return UNKNOWN


def _parse(m: Machine, owner: ArgumentParser, given: Arguments) -> Any:
    arguments = given.get(0, "args", None)
    written = elements(m, arguments) if arguments is not None else []
    if arguments is not None and isinstance(arguments, ListObject) and arguments is m.run.argv:
        written = (written or [])[1:]
    if written is None or written or owner.defaults.items is None:
        return Object(None, None)
    return Object(None, dict(owner.defaults.items))


def _parse_known(m: Machine, owner: ArgumentParser, given: Arguments) -> Any:
    return (_parse(m, owner, given), ListObject([]))


PARSER_METHODS: dict[str, Callable[[Machine, Any, Arguments], Any]] = {
    "add_argument": _add_argument,
    "set_defaults": _set_defaults,
    "add_argument_group": _group,
    "add_mutually_exclusive_group": _group,
    "add_subparsers": _subparsers,
    "parse_args": _parse,
    "parse_known_args": _parse_known,
}
