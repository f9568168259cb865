"""What the decorator of a kernel says: its type, level, role, attributes and switches.

``@pl.function`` on a module-level function is evaluated by Python; inside a program class it is *read from the text* besides, so its
values have to be written out there. The keywords of the jit family are checked by Python when the decorator runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pypto_lsp.diagnostics import Diagnostic, FaultKind, faults_python
from pypto_lsp.diagnostics import faults_decorators as faults
from pypto_lsp.diagnostics.older_spellings import dated, renamed_keyword
from pypto_lsp.frontend.annotation_scope import last_name, name_span, spread
from pypto_lsp.frontend.closure import Failure, evaluate
from pypto_lsp.frontend.paths import dotted, meant_value
from pypto_lsp.frontend.static_objects import MISSING
from pypto_lsp.frontend.static_scope import Environment
from pypto_lsp.frontend.values import (
    DynamicExpression,
    DynamicSymbol,
    FunctionValue,
    KernelRef,
    ModuleRef,
    Namespace,
    OpaqueValue,
    ProgramRef,
)
from pypto_lsp.frontend.values import Mapping as DictValue
from pypto_lsp.frontend.values import Sequence as ListValue
from pypto_lsp.ir.enums import LEVEL_ALIASES, EnumMember
from pypto_lsp.ops import REGISTRY
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span

#: function type -> the level and role that it implies
IMPLIED = {
    "Orchestration": ("CHIP", "Orchestrator"),
    "Graph": ("CHIP", "Orchestrator"),
    "InCore": ("CHIP_DIE", "SubWorker"),
    "AIC": ("AIC", "SubWorker"),
    "AIV": ("AIV", "SubWorker"),
    "Group": ("CORE_GROUP", "SubWorker"),
}
#: levels at or above the host, where a SubWorker is plain Python
HOST_LEVELS = ("HOST", "CLUSTER_0", "CLUSTER_1", "CLUSTER_2", "GLOBAL")
#: enums that say where and what a function is, which are no attributes
_PLACES = ("Level", "Role", "FunctionType")
#: values that no attribute can have
NO_ATTRIBUTE = (DynamicSymbol, DynamicExpression, FunctionValue, KernelRef, ModuleRef, ProgramRef)
#: attributes that only the decorator may set
DECORATOR_ATTRS = ("auto_scope", "external_source")


@dataclass(slots=True)
class FunctionOptions:
    """What a decorator says.

    ``level`` and ``role`` are as written (aliases of levels resolved), :attr:`implied` adds what the type implies. ``external``
    is true for a kernel written in C++. ``known`` is false where a value cannot be told. ``type_span`` is the value of
    ``type=``.
    """

    func_type: str = "Opaque"
    level: str | None = None
    role: str | None = None
    attrs: dict[str, Any] = field(default_factory=dict)
    auto_scope: bool = True
    strict_ssa: bool = False
    external: bool = False
    known: bool = True
    type_span: Span | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def implied(self) -> tuple[str | None, str | None]:
        """Level and role with what the function type implies."""
        level, role = IMPLIED.get(self.func_type, (None, None))
        return self.level or level, self.role or role

    def key(self) -> tuple[object, ...]:
        """Equal for options that say the same."""
        return (
            self.func_type, self.level, self.role, repr(self.attrs), self.auto_scope, self.strict_ssa, self.external,
            self.known, tuple(d.key() for d in self.diagnostics),
        )  # fmt: skip

    @property
    def host_worker(self) -> bool:
        """A SubWorker at host level or above: its body is plain Python."""
        return self.level in HOST_LEVELS and self.role == "SubWorker"


@dataclass(slots=True)
class _Reader:
    """One decorator being read. ``literal`` is true inside a program class."""

    options: FunctionOptions
    env: Environment
    literal: bool

    def report(self, kind: FaultKind, span: Span, subject: syntax.Node, /, **facts: Any) -> None:
        self.options.diagnostics.append(kind.at(span, subject=subject, **facts))

    def value(self, expr: syntax.Expr) -> Any:
        """The value Python gives a keyword; an OpaqueValue where it fails (reported) or cannot be told."""
        value = evaluate(expr, self.env)
        if isinstance(value, Failure):
            if value.diagnostic is not None:
                self.options.diagnostics.append(value.diagnostic)
            meant = meant_value(dotted(expr))[0]
            value = OpaqueValue(expr.text) if meant is MISSING else meant
        if isinstance(value, OpaqueValue):
            self.options.known = False
        return value


def function_options(decorator: syntax.Expr, env: Environment, *, literal: bool) -> FunctionOptions:
    """What ``@pl.function(...)`` says. ``literal``: inside a program class, where values are read from the text."""
    options = FunctionOptions()
    if not isinstance(decorator, syntax.Call):
        return options
    reader = _Reader(options, env, literal)
    _check_positional(reader, decorator)
    for keyword in decorator.keywords:
        if keyword.arg is None:
            _unpacked(reader, keyword)
            continue
        rule = _KEYWORDS.get(keyword.arg)
        if rule is None:
            span = keyword.span
            reader.report(faults_python.CALL_KEYWORD, span, keyword, callee="pl.function", name=keyword.arg)
            _older_keyword(reader, keyword)
        else:
            rule(reader, keyword.value)
    if not options.diagnostics and options.known:
        _check_implied(reader, decorator)
    return options


def _older_keyword(reader: _Reader, keyword: syntax.Keyword) -> None:
    """A keyword of older releases, told as such: ``split=`` is one of the attributes now."""
    change = renamed_keyword("pl.function", str(keyword.arg))
    if change is None:
        return
    suggestion = f'attrs={{"{keyword.arg}": {keyword.value.text}}}'
    reader.options.diagnostics[-1] = dated(reader.options.diagnostics[-1], change, suggestion=suggestion)
    _store_attr(reader.options.attrs, str(keyword.arg), reader.value(keyword.value))


def _check_positional(reader: _Reader, decorator: syntax.Call) -> None:
    """A positional argument of a decorator would be the function itself."""
    if decorator.args:
        span = spread(decorator.args)
        reader.report(faults_python.DECORATOR_POSITIONAL, span, decorator, text=decorator.args[0].text)


def _unpacked(reader: _Reader, keyword: syntax.Keyword) -> None:
    if reader.literal:
        reader.report(faults.DECORATOR_UNPACKING, keyword.span, keyword)
        return
    value = reader.value(keyword.value)
    if not isinstance(value, DictValue):
        reader.options.known = False
        return
    for name, item in value.items:
        if name == "type" and isinstance(item, EnumMember):
            reader.options.func_type = item.name
        elif name in ("level", "role") and isinstance(item, EnumMember):
            setattr(reader.options, name, LEVEL_ALIASES.get(item.name, item.name))
        elif name in ("auto_scope", "strict_ssa") and isinstance(item, bool):
            setattr(reader.options, name, item)


# --- keywords ------------------------------------------------------------------------------------------------------


def _member(reader: _Reader, expr: syntax.Expr, of: str, form: FaultKind, **facts: Any) -> str | None:
    """A member of an enum: in a class by its text, elsewhere by its value."""
    value = reader.value(expr)
    if isinstance(value, OpaqueValue):
        return None
    if reader.literal and not _spelled(expr, of):
        reader.report(form, expr.span, expr, text=expr.text, **facts)
        return None
    if isinstance(value, EnumMember) and value.enum == of:
        return value.name
    reader.report(form, expr.span, expr, text=expr.text, **facts)
    return None


def _spelled(expr: syntax.Expr, enum: str) -> bool:
    """``pl.Level.HOST`` or ``Level.HOST``, with exactly that prefix."""
    if not isinstance(expr, syntax.Attribute):
        return False
    owner = expr.value
    if isinstance(owner, syntax.Name):
        return owner.id == enum
    prefix = owner.value if isinstance(owner, syntax.Attribute) and owner.attr == enum else None
    return isinstance(prefix, syntax.Name) and prefix.id == "pl"


def _type(reader: _Reader, expr: syntax.Expr) -> None:
    name = _member(reader, expr, "FunctionType", faults.FUNCTION_TYPE_FORM)
    reader.options.type_span = name_span(expr)
    if name is not None:
        reader.options.func_type = name


def _level(reader: _Reader, expr: syntax.Expr) -> None:
    if not _is_none(expr):
        name = _member(reader, expr, "Level", faults.ENUM_FORM, keyword="level", enum="Level")
        reader.options.level = LEVEL_ALIASES.get(name, name) if name is not None else None


def _role(reader: _Reader, expr: syntax.Expr) -> None:
    if not _is_none(expr):
        reader.options.role = _member(reader, expr, "Role", faults.ENUM_FORM, keyword="role", enum="Role")


def _is_none(expr: syntax.Expr) -> bool:
    return isinstance(expr, syntax.Constant) and expr.value is None


def _auto_scope(reader: _Reader, expr: syntax.Expr) -> None:
    if reader.literal and not (isinstance(expr, syntax.Constant) and isinstance(expr.value, bool)):
        reader.report(faults.AUTO_SCOPE_FORM, expr.span, expr, text=expr.text)
        return
    value = reader.value(expr)
    if isinstance(value, bool):
        reader.options.auto_scope = value


def _strict_ssa(reader: _Reader, expr: syntax.Expr) -> None:
    value = reader.value(expr)
    if isinstance(value, bool):
        reader.options.strict_ssa = value


def _attrs(reader: _Reader, expr: syntax.Expr) -> None:
    """``attrs={...}``: a dict with string keys; values are whatever Python makes of them."""
    if _is_none(expr):
        return
    if isinstance(expr, syntax.Dict):
        _attr_keys(reader, expr)
        return
    value = reader.value(expr)
    if isinstance(value, DictValue):
        reader.options.attrs.update((key, item) for key, item in value.items if isinstance(key, str))
    elif not isinstance(value, OpaqueValue):
        reader.report(faults.ATTRS_FORM, expr.span, expr, text=expr.text)


def _attr_keys(reader: _Reader, expr: syntax.Dict) -> None:
    for key, node in zip(expr.keys, expr.values):
        if key is None:
            reader.options.known = False
            continue
        name = reader.value(key)
        value = reader.value(node)
        if isinstance(name, str):
            if not _may_be_attribute(name, value):
                reader.report(faults.ATTRS_VALUE, node.span, node, text=node.text)
            _store_attr(reader.options.attrs, name, value)
        elif not isinstance(name, OpaqueValue):
            reader.report(faults.ATTRS_KEY, key.span, key, text=key.text)


def _may_be_attribute(name: str, value: Any) -> bool:
    """Whether a function can carry a value as an attribute: a scalar (integers of 32 bits), a string, an element type, a member
    of most enums, an expression without variables; a list of directions, or of integers for the one name that has them."""
    if value is None or value is Ellipsis or isinstance(value, (NO_ATTRIBUTE, DictValue, bytes, complex)):
        return False
    if isinstance(value, EnumMember):
        return value.enum not in _PLACES
    if isinstance(value, int):
        return -(2**31) <= int(value) < 2**31
    if isinstance(value, Namespace):
        return REGISTRY.get(value.path) is None
    if isinstance(value, ListValue):
        wanted = int if name == "arg_direction_overrides" else EnumMember
        return value.kind in ("list", "tuple") and all(isinstance(v, (wanted, OpaqueValue)) for v in value.items)
    return True


def _store_attr(attrs: dict[str, Any], name: str, value: Any) -> None:
    """Keep an attribute; a split is kept by its mode's name, and no split is no attribute."""
    if isinstance(value, EnumMember) and value.enum == "SplitMode":
        if value.name != "NONE":
            attrs[name] = value.name
        return
    attrs[name] = value


def _external_source(reader: _Reader, expr: syntax.Expr) -> None:
    if _is_none(expr):
        return
    reader.options.external = True
    value = reader.value(expr)
    reader.options.attrs["external_source"] = value if isinstance(value, str) else None
    _check_file(reader, expr, value)


def _check_file(reader: _Reader, expr: syntax.Expr, value: Any) -> None:
    """A source file that surely does not exist. Only looked for on the disk beside a file that is there itself."""
    home = Path(reader.env.module.path)
    if isinstance(value, str) and home.is_file() and not (home.parent / value).is_file():
        reader.report(faults.EXTERN_MISSING_FILE, expr.span, expr, path=value)


_KEYWORDS: Mapping[str, Callable[[_Reader, syntax.Expr], None]] = {
    "type": _type,
    "level": _level,
    "role": _role,
    "attrs": _attrs,
    "auto_scope": _auto_scope,
    "strict_ssa": _strict_ssa,
    "external_source": _external_source,
}


def _check_implied(reader: _Reader, decorator: syntax.Call) -> None:
    """A level or role other than the one that the function type implies."""
    options = reader.options
    level, role = IMPLIED.get(options.func_type, (None, None))
    for keyword in decorator.keywords:
        if keyword.arg == "level" and level is not None and options.level not in (None, level):
            reader.report(
                faults.FUNCTION_LEVEL, keyword.value.span, keyword,
                type=options.func_type, expected=level, level=options.level,
            )  # fmt: skip
        elif keyword.arg == "role" and role is not None and options.role not in (None, role):
            reader.report(
                faults.FUNCTION_ROLE, keyword.value.span, keyword,
                type=options.func_type, expected=role, role=options.role,
            )  # fmt: skip


def function_decorator(node: syntax.FunctionDef) -> syntax.Expr | None:
    """The ``@pl.function`` decorator of a method, None where it has none."""
    for decorator in node.decorators:
        head = decorator.func if isinstance(decorator, syntax.Call) else decorator
        if last_name(head) == "function":
            return decorator
    return None


# --- the jit family ------------------------------------------------------------------------------------------------

#: flavour -> keywords of its decorator
JIT_KEYWORDS = {
    "jit": ("auto_scope",),
    "jit.host": ("auto_scope",),
    "jit.incore": ("level",),
    "jit.inline": ("auto_scope",),
    "jit.opaque": (),
    "jit.extern": (
        "core_type", "source", "aic_source", "aiv_source", "dual_aiv_dispatch", "include_dirs",
    ),
}  # fmt: skip
#: flavour -> function type, level and role of what it becomes
JIT_FUNCTIONS: dict[str, tuple[str, str | None, str | None]] = {
    "jit": ("Orchestration", None, None),
    "jit.host": ("Opaque", "HOST", "Orchestrator"),
    "jit.incore": ("InCore", None, None),
    "jit.inline": ("Inline", None, None),
    "jit.opaque": ("Opaque", None, None),
}
CORE_TYPES = ("aic", "aiv", "mixed")


def jit_options(ref: KernelRef, env: Environment) -> FunctionOptions:
    """What a decorator of the jit family says, above a function or called with one (``kernel = pl.jit(function)``)."""
    decorator, flavour = ref.decorator, ref.flavour
    func_type, level, role = JIT_FUNCTIONS.get(flavour, ("InCore", None, None))
    options = FunctionOptions(func_type, level, role, external=flavour == "jit.extern")
    reader = _Reader(options, env, literal=False)
    if not isinstance(decorator, syntax.Call):
        if flavour == "jit.extern":
            _extern(reader, decorator, {})
        return options
    if decorator in ref.node.decorators:
        _check_positional(reader, decorator)
    given: dict[str, tuple[syntax.Keyword, Any]] = {}
    for keyword in decorator.keywords:
        if keyword.arg is None:
            options.known = False
        elif keyword.arg not in JIT_KEYWORDS[flavour]:
            reader.report(faults.JIT_KEYWORD, keyword.span, keyword, decorator=flavour, name=keyword.arg)
        else:
            given[keyword.arg] = (keyword, reader.value(keyword.value))
    if "auto_scope" in given and given["auto_scope"][1] is False:
        options.auto_scope = False
    if "level" in given:
        _jit_level(reader, given["level"][0], decorator)
    if flavour == "jit.extern":
        _extern(reader, decorator, given)
    return options


def _jit_level(reader: _Reader, keyword: syntax.Keyword, decorator: syntax.Call) -> None:
    _level(reader, keyword.value)
    if reader.options.known:
        _check_implied(reader, decorator)


def _extern(reader: _Reader, decorator: syntax.Expr, given: dict[str, tuple[syntax.Keyword, Any]]) -> None:
    """An external kernel: which core runs it, and the sources that this needs."""
    options = reader.options
    keyword, core = given.get("core_type", (None, "aiv"))
    if isinstance(core, OpaqueValue) or not options.known or options.diagnostics:
        return
    if core not in CORE_TYPES:
        node = keyword.value if keyword is not None else decorator
        reader.report(faults.EXTERN_CORE_TYPE, node.span, node, text=node.text)
        return
    options.attrs["core_type"] = core
    options.func_type = {"aic": "AIC", "aiv": "AIV", "mixed": "Group"}[core]
    dual = given.get("dual_aiv_dispatch")
    if dual is not None and dual[1] is True:
        options.attrs["dual_aiv_dispatch"] = True
        if core != "mixed":
            reader.report(faults.EXTERN_DUAL, dual[0].span, dual[0])
    wanted = ("aic_source", "aiv_source") if core == "mixed" else ("source",)
    present = {name for name, (_, value) in given.items() if value is not None}
    if core != "mixed" and present & {"aic_source", "aiv_source"}:
        present.add("source")
    if not set(wanted) <= present:
        words = " and ".join(f"`{name}`" for name in wanted)
        reader.report(faults.EXTERN_SOURCE, decorator.span, decorator, core_type=core, keywords=words)
    for name in ("source", "aic_source", "aiv_source"):
        if name in given:
            _check_file(reader, given[name][0].value, given[name][1])
    if "include_dirs" in given:
        _check_folders(reader, *given["include_dirs"])


def _check_folders(reader: _Reader, keyword: syntax.Keyword, value: Any) -> None:
    """The folders for the C++ compiler: a list of paths that exist."""
    if isinstance(value, str):
        reader.report(faults.EXTERN_FOLDERS, keyword.value.span, keyword, text=keyword.value.text)
    home = Path(reader.env.module.path)
    if not (isinstance(value, ListValue) and home.is_file()):
        return
    for folder in value.items:
        if isinstance(folder, str) and not (home.parent / folder).is_dir():
            reader.report(faults.EXTERN_MISSING_FOLDER, keyword.value.span, keyword, path=folder)
