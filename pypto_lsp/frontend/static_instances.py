"""What a function that nobody calls would do: its run with the defaults of its parameters, or without knowing them.

A default says what a kernel looks like only where the function works with it. Where it surely raises, nobody can call it so.
A None may stand for an argument that everybody gives; it counts where the function makes something else of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from pypto_lsp.frontend.static_machine import EXPRESSION_STEPS, Arguments, Exhausted, Imprecise, Machine, Return
from pypto_lsp.frontend.static_objects import (
    MISSING,
    BoundMethod,
    DictObject,
    ListObject,
    Object,
    Partial,
)
from pypto_lsp.frontend.static_operators import Raised, equal, is_opaque
from pypto_lsp.frontend.static_scope import Environment, ModuleEnvironment
from pypto_lsp.frontend.static_statements import Failure, tried_statement
from pypto_lsp.frontend.values import ClassValue, DslExpression, FunctionValue, KernelRef, OpaqueValue, ProgramRef
from pypto_lsp.syntax import nodes as syntax

#: how an evaluation may break off
BREAKS = (Raised, Exhausted, Imprecise, RecursionError)
#: steps that each further statement has when the budget is spent
_LAST_STEPS = 100
#: how deep values are compared
_DEPTH_LIMIT = 4


class Trial:
    """Statements that were run for what they define; nothing of it happened.

    ``risky`` are the kernels that may be meant to be refused (see :class:`Machine`), ``failed`` is the first statement that
    surely raises. ``unknown`` are the parameters that were not given their default.
    """

    __slots__ = ("deferred", "failed", "kernels", "risky", "scope", "unknown")

    def __init__(self, scope: Environment, unknown: frozenset[str] = frozenset()) -> None:
        self.scope = scope
        self.unknown = unknown
        self.failed: syntax.Stmt | None = None
        self.kernels: dict[syntax.Node, list[Any]] = {}
        self.risky: dict[syntax.Node, list[Any]] = {}
        self.deferred: list[Any] = []

    def made(self) -> list[Any]:
        """All kernels and programs, by definition."""
        return [each for table in (self.kernels, self.risky) for made in table.values() for each in made]


def scratch_machine(module: ModuleEnvironment) -> Machine:
    """A machine for runs that do not happen."""
    machine = Machine(module.run, module, EXPRESSION_STEPS)
    machine.speculation = 1  # no history is kept
    return machine


def run_body(body: tuple[syntax.Stmt, ...], trial: Trial) -> Trial:
    """Run statements in the scope of a trial; a faulty one does not keep the next from running, but for a ``raise``."""
    machine = scratch_machine(trial.scope.module)
    for statement in body:
        if machine.steps <= 0:
            machine.steps = _LAST_STEPS
        ended = tried_statement(machine, statement, trial.scope)
        machine.take_back(kept=trial.scope)
        if isinstance(ended, Failure):
            trial.failed = trial.failed or statement
        if isinstance(ended, Return) or (isinstance(ended, Failure) and ended.stated):
            break
    trial.kernels, trial.risky, trial.deferred = machine.kernels, machine.risky_kernels, machine.deferred
    return trial


def run_call(module: ModuleEnvironment, callee: Any) -> Trial:
    """A call with arguments that are not known."""
    machine = scratch_machine(module)
    machine.begin("call")
    trial = Trial(module)
    with suppress(*BREAKS):  # what it made before stands
        machine.call(callee, Arguments([], complete=False))
    machine.take_back(kept=module)
    trial.kernels, trial.risky = machine.kernels, machine.risky_kernels
    return trial


class FunctionTrials:
    """Runs of one function: ``owner`` is the value of a method's first parameter, MISSING for a plain function."""

    def __init__(self, node: syntax.FunctionDef, scope: Environment, owner: Any = MISSING) -> None:
        self._node = node
        self._scope = scope
        self._defaults = dict(self._defaults_of(node.params))
        if owner is not MISSING and node.params:
            self._defaults[node.params[0].name] = owner

    def _defaults_of(self, params: Iterable[syntax.Param]) -> Iterator[tuple[str, Any]]:
        machine = scratch_machine(self._scope.module)
        machine.begin(self._node.name)
        for param in params:
            if param.default is None:
                continue
            with suppress(*BREAKS):  # the definition itself would fail: not known, like a parameter without default
                yield param.name, machine.eval(param.default, self._scope)

    def run(self, unknown: Iterable[str] = ()) -> Trial:
        """The function's run with its defaults, but for parameters of which nothing is to be known."""
        node = self._node
        inner = Environment(self._scope, "function", node.body)
        trial = Trial(inner, frozenset(unknown))
        for param in node.params:
            known = param.name in self._defaults and param.name not in trial.unknown
            blank = OpaqueValue(f"{inner.module.path}:{node.name}.{param.name}")
            inner.raw_values[param.name] = self._defaults[param.name] if known else blank
            inner.bound_at[param.name] = param
        return run_body(node.body, trial)

    def open(self) -> Trial:
        """The run of which no argument is known."""
        return self.run(param.name for param in self._node.params if param.default is not None)

    def usual(self) -> Trial:
        """The run with all defaults that can be meant."""
        nones = [name for name, value in self._defaults.items() if value is None]
        trial = self.run()
        while trial.failed is not None:
            further = self._further(trial, nones)
            if further is None:
                blank = self.open()
                # with any arguments: a function in the making
                return trial if blank.failed is trial.failed else blank
            trial = further
        loose = [name for name in nones if name not in trial.unknown and not self._decides(trial, name)]
        return self.run(trial.unknown.union(loose)) if loose else trial

    def _further(self, trial: Trial, nones: list[str]) -> Trial | None:
        """A run that does not fail where another did, for not knowing one more of the parameters that are None."""
        for name in nones:
            if name not in trial.unknown:
                other = self.run({*trial.unknown, name})
                if other.failed is not trial.failed:
                    return other
        return None

    def _decides(self, trial: Trial, name: str) -> bool:
        """Whether it matters to a function that a parameter is None: otherwise it only hands it on, or shows it."""
        other = self.run({*trial.unknown, name})
        mine, its = trial.made(), other.made()
        if [made.node for made in mine] != [made.node for made in its]:
            return True
        scopes = [(trial.scope, other.scope)]
        scopes += [(made.env, like.env) for made, like in zip(mine, its)]
        return any(_scopes_differ(here, there) for here, there in scopes)


def _scopes_differ(mine: Environment, its: Environment) -> bool:
    """Whether the locals of one run, and of what lies around it, say more than the same ones of a run that knows less."""
    here: Environment | None = mine
    there: Environment | None = its
    while here is not None and there is not None and here is not there:
        values = there.raw_values
        if any(_differs(value, values.get(name, MISSING)) for name, value in here.raw_values.items()):
            return True
        here, there = here.parent, there.parent
    return False


def _differs(value: Any, other: Any, depth: int = 0) -> bool:
    """Whether a value comes of a None, and not by copying or showing it: ``other`` is it where the None is not known."""
    if value is None or value is other or depth > _DEPTH_LIMIT or isinstance(value, OpaqueValue):
        return False
    if isinstance(value, str) and "none" in value.lower() and is_opaque(other):
        return False
    if type(value) is not type(other):
        return equal(value, other) is not True
    parts = _parts(value), _parts(other)
    if parts[0] is None or parts[1] is None:
        return equal(value, other) is False
    return len(parts[0]) != len(parts[1]) or any(
        _differs(mine, its, depth + 1) for mine, its in zip(parts[0], parts[1])
    )


def _parts(value: Any) -> list[Any] | None:
    """What a value is made of, where that can be compared piece by piece."""
    match value:
        case tuple():
            return list(value)
        case ListObject() | DictObject():
            items = value.items
            return items if items is None or isinstance(items, list) else [*items, *items.values()]
        case Object():
            return None if value.fields is None else [id(value.cls), *value.fields, *value.fields.values()]
        case FunctionValue() | KernelRef() | ProgramRef() | ClassValue() | DslExpression():
            return [id(value.node)]
        case BoundMethod():
            return [value.function, value.owner]
        case Partial():
            return [value.function, *value.args, *(part for pair in value.keywords for part in pair)]
    return None
