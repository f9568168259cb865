"""What is kept from one lowering of a file for the next.

Editing one kernel must not lower the others again. A lowered kernel depends on its own text, the types of its parameters, the kernels
it calls as they look to a caller, and the values of the names around it. The first three make its key; the last is one state for
the whole file (:class:`Around`): when names of the file have other values, the kernels that mention none of them are kept, and
nothing is kept when more than that changes. A statement whose text did not change is the same node
before and after an edit, and places move with it, so what was made of it stands.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from pypto_lsp.frontend import values
from pypto_lsp.frontend.lowering_trace import Traces, same_types
from pypto_lsp.frontend.model import Signature
from pypto_lsp.frontend.static_names import TextNames
from pypto_lsp.frontend.static_scope import Environment, ModuleEnvironment
from pypto_lsp.ir.types import Extent, Origin
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.syntax.query import extent

_T = TypeVar("_T")


# --- the state around the kernels ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Around:
    """Everything around the kernels of a file that their lowering may read: the file's own names with their values, kernels left
    out, and the modules it was run with."""

    names: dict[str, Any]
    kernels: frozenset[str]
    history: dict[str, list[tuple[int, Any]]]
    modules: dict[str, tuple[object, dict[str, Any]]]
    flags: tuple[bool, ...]
    path: str = ""
    text_names: TextNames = field(default_factory=lambda: TextNames(frozenset(), False))
    #: names that lowerings have looked for in vain
    unfound: set[str] = field(default_factory=set)
    #: inline functions, which callers lower as parts of themselves
    inlined: dict[str, syntax.FunctionDef] = field(default_factory=dict)

    @classmethod
    def of(cls, env: ModuleEnvironment, *, flags: tuple[bool, ...]) -> Around:
        found = {name: env.lookup(name) for name in env.raw_values}
        kernels = frozenset(n for n, v in found.items() if isinstance(v, values.KernelRef | values.ProgramRef))
        return cls(
            {name: value for name, value in found.items() if name not in kernels},
            kernels,
            dict(env.history),
            {path: (module.base, dict(module.patches)) for path, module in env.run.loaded.items() if path != env.path},
            (env.unknown_star, *flags),
            env.path,
            env.text_names,
            env.unfound,
            {n: v.node for n, v in found.items() if isinstance(v, values.KernelRef) and v.flavour == "inline"},
        )

    def changed(self, other: Around) -> set[str] | None:
        """The names that have other values in the other state, or a value in one alone, with the functions and classes that mention
        them; None where more than names differs. A lowering that mentions none of these names is as good in the other state."""
        if not self._same_but_names(other):
            return None
        found = set(self.kernels ^ other.kernels) | (self.names.keys() ^ other.names.keys())
        shared = self.names.keys() & other.names.keys()
        found |= {name for name in shared if not same_value(self.names[name], other.names[name])}
        found |= self.text_names.names ^ other.text_names.names
        if self.text_names.broken != other.text_names.broken:
            found |= self.unfound
        texts = {
            name: _words(value.node)
            for name, value in other.names.items()
            if found and isinstance(value, values.FunctionValue | values.ClassValue)
        }
        if found:
            texts.update((name, _words(node)) for name, node in other.inlined.items())
        while more := {name for name, words in texts.items() if name not in found and words & found}:
            found |= more
        return found

    def _same_but_names(self, other: Around) -> bool:
        return (
            self.flags == other.flags
            and self.modules.keys() == other.modules.keys()
            and all(
                base is other.modules[path][0] and patches == other.modules[path][1]
                for path, (base, patches) in self.modules.items()
            )
            and self._same_history(other)
        )

    def _same_history(self, other: Around) -> bool:
        if self.history.keys() != other.history.keys():
            return False
        return all(
            [order for order, _ in changes] == [order for order, _ in other.history[name]]
            and all(a is b or same_value(a, b) for (_, a), (_, b) in zip(changes, other.history[name]))
            for name, changes in self.history.items()
        )


_WORD = re.compile(r"[A-Za-z_]\w*")


def _words(node: syntax.Node) -> frozenset[str]:
    """All names in the text of a definition, its decorators and body included."""
    begin, end = extent(node)
    return frozenset(_WORD.findall(node.anchor.source.text[begin:end]))


def same_value(left: Any, right: Any) -> bool:
    """Whether two static values are equal and come from the same places of the text."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, Extent):
        return left == right and _same_origin(left.origin, right.origin)
    if isinstance(left, values.Sequence):
        return left.kind == right.kind and _all_same(left.items, right.items)
    if isinstance(left, values.Mapping):
        return _all_same([x for pair in left.items for x in pair], [x for pair in right.items for x in pair])
    if isinstance(left, values.Instance):
        return left.cls == right.cls and _all_same([v for _, v in left.fields], [v for _, v in right.fields])
    return bool(left == right)


def _all_same(left: Any, right: Any) -> bool:
    return len(left) == len(right) and all(same_value(a, b) for a, b in zip(left, right))


def _same_origin(left: Origin, right: Origin) -> bool:
    return (
        left.name == right.name
        and left.literal == right.literal
        and left.span.is_at(right.span)
        and len(left.inputs) == len(right.inputs)
        and all(_same_origin(a, b) for a, b in zip(left.inputs, right.inputs))
    )


# --- what is kept --------------------------------------------------------------------------------------------------


class EnvironmentKey:
    """An environment as part of a key: equal for environments of one definition, with equal locals in a factory."""

    __slots__ = ("env",)

    def __init__(self, env: Environment) -> None:
        self.env = env

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EnvironmentKey) and self.env.alike(other.env)

    def __hash__(self) -> int:
        return hash(self.env.module.path)


class Key:
    """A key of many parts, whose hash is computed once."""

    __slots__ = ("_hash", "parts")

    def __init__(self, parts: tuple[Any, ...]) -> None:
        self.parts = parts
        self._hash = hash(parts)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Key) and self._hash == other._hash and self.parts == other.parts)

    def __hash__(self) -> int:
        return self._hash


class Keyed(Protocol):
    """A result with its keys, its own first, which are all asked for where it is used."""

    @property
    def keys(self) -> tuple[Key, ...]: ...


@dataclass(slots=True)
class LoweringMemo:
    """Results by key, from the last lowering of a file. What a lowering does not ask for is dropped at its end."""

    around: Around | None = None
    #: whether bodies are lowered again after edits, so that what becomes of each statement is worth keeping
    traced: bool = True
    _kept: dict[Hashable, Any] = field(default_factory=dict)
    _fresh: dict[Hashable, Any] = field(default_factory=dict)
    _signatures: list[Signature] = field(default_factory=list)

    @property
    def is_new(self) -> bool:
        """Whether nothing was lowered before."""
        return not self._kept

    def begin(self, around: Around) -> None:
        """Start a lowering in a state; forget what that state may change."""
        changed = None if self.around is None else self.around.changed(around)
        if changed is None:
            self._kept = {}
            self._signatures = []
        else:
            assert self.around is not None
            around.unfound |= self.around.unfound
        if changed:
            self._kept = {key: kept for key, kept in self._kept.items() if _stands(key, kept, changed, around.path)}
            for kept in self._kept.values():
                if isinstance(kept, Traces):
                    kept.outdate(changed)
        self.around = around
        self._fresh = {}

    def end(self, *, broken: bool = False) -> None:
        """Finish a lowering: what it did not ask for is dropped. While the text is ``broken``, what became of single statements is kept
        for the time when it is whole again: a function whose head is being typed is not there, nor is what it calls."""
        traces = {key: kept for key, kept in self._kept.items() if isinstance(kept, Traces)} if broken else {}
        self._kept = traces | self._fresh
        self._fresh = {}
        used = {id(getattr(result, "signature", None)) for result in self._kept.values()}
        self._signatures = [signature for signature in self._signatures if id(signature) in used]

    def abandon(self) -> None:
        """End a lowering that was not finished: what it made is kept besides what was there. Annotations that it did not ask for are
        not: their extents may have been made to tell of other places since."""
        self._kept = {key: kept for key, kept in self._kept.items() if _kind(key) not in _ANNOTATIONS} | self._fresh
        self._fresh = {}

    def rest(self) -> None:
        """Forget what became of single statements: there will be no edits for a while. The next one lowers its function anew."""
        self._kept = {key: kept for key, kept in self._kept.items() if not isinstance(kept, Traces)}

    def is_of_this_run(self, key: Hashable) -> bool:
        """Whether this lowering has asked for a key before."""
        return key in self._fresh

    def find(self, key: Hashable, kind: type[_T]) -> _T | None:
        """The result for a key, None when there is none."""
        found = self._fresh.get(key)
        if found is None:
            found = self._kept.get(key)
            if found is not None:
                self._fresh[key] = found
        return found if isinstance(found, kind) else None

    def holds_built(self, result: Keyed, *, shared: bool) -> bool:
        """Whether a result is still the one for its key, and with ``shared`` was already asked for in this lowering; if so, this
        lowering asks for it."""
        if shared and not self.is_of_this_run(result.keys[0]):
            return False
        if self.find(result.keys[0], type(result)) is not result:
            return False
        for key in result.keys[1:]:
            self.find(key, object)
        return True

    def keep(self, key: Hashable, result: _T) -> _T:
        self._fresh[key] = result
        return result

    def signature(self, new: Signature) -> Signature:
        """A known signature that looks the same to callers, else the new one: callers of a kernel whose body alone has
        changed need not be lowered again."""
        for known in self._signatures:
            if _looks_same(known, new):
                known.node, known.ref = new.node, new.ref
                return known
        self._signatures.append(new)
        return new


#: results that hold the types of annotations as they were read
_ANNOTATIONS = frozenset({"jit", "declared"})


def _kind(key: Any) -> str:
    kind: str = (key.parts if isinstance(key, Key) else key)[0]
    return kind


def _stands(key: Any, kept: Any, changed: set[str], path: str) -> bool:
    """Whether a result holds although names of a file have other values: those of other files do, and bodies that mention none
    of the names and in which nothing was found, as a message may propose any name."""
    key = key.parts if isinstance(key, Key) else key
    kind, definition = key[0], key[1]
    if kind in ("traces", "extent"):
        return True
    env = key[2].env
    if env.module.path != path:
        return True
    if kind not in ("built", "followed"):
        return False  # annotations are cheap, and may compute
    node = definition if isinstance(definition, syntax.Node) else definition.node
    return not getattr(kept, "diagnostics", ()) and not _words(node) & changed


def _looks_same(left: Signature, right: Signature) -> bool:
    return (
        left.name == right.name
        and left.flavour == right.flavour
        and (left.func_type, left.level, left.role) == (right.func_type, right.level, right.role)
        and (left.complete, left.later, left.clash) == (right.complete, right.later, right.clash)
        and (left.span is right.span if left.span is None or right.span is None else left.span.is_at(right.span))
        and same_types((left.params, left.returns), (right.params, right.returns))
    )
