"""The machine that the static evaluator runs on: budgets, speculation, and what both sides of an unknown test agree on.

Evaluation never runs user code; it interprets syntax over static values and stops within fixed limits. Where a test cannot
be told, both branches are tried one after the other, each from the same state, and only what they agree on is kept:
:class:`Machine` writes down every change in a journal so that it can be taken back.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from pypto_lsp.frontend.static_objects import MISSING, Object, changeable_contents, named
from pypto_lsp.frontend.static_operators import UNKNOWN, Raised, equal
from pypto_lsp.frontend.values import OpaqueValue
from pypto_lsp.syntax import nodes as syntax

if TYPE_CHECKING:
    from pypto_lsp.frontend.imports import Run
    from pypto_lsp.frontend.static_scope import Environment, ModuleEnvironment

#: steps (expressions and statements evaluated) for one module, for one statement of it, and once the module's are spent
MODULE_STEPS = 120_000
STATEMENT_STEPS = 24_000
SPENT_STEPS = 300
#: steps for one expression that is evaluated from outside
EXPRESSION_STEPS = 20_000
#: how deep expressions, statements and calls may be nested
DEPTH_LIMIT = 120


class Exhausted(Exception):
    """A budget is spent."""


class Imprecise(Exception):
    """A loop may or may not end here; what follows cannot be told apart."""


class Return:
    """A ``return`` was met."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Jump:
    """A ``break`` or ``continue`` was met."""

    __slots__ = ()


BREAK = Jump()
CONTINUE = Jump()
#: how a statement ended: None for falling through to the next
Completion = Return | Jump | None


class Frame:
    """A call in progress: what it may have returned on the way, and what ``super()`` means in it."""

    __slots__ = ("cls", "journal", "mark", "maybe", "owner", "variables")

    def __init__(self, cls: Any = None, owner: Any = None) -> None:
        self.maybe: list[Any] = []
        #: the table of the local variables
        self.variables: dict[str, Any] | None = None
        #: the journal that the call writes to, and how long it was when the call may have ended for the first time
        self.journal: list[_Entry] = []
        self.mark = -1
        self.cls = cls
        self.owner = owner


class Arguments:
    """The arguments of a call; not ``complete`` when a starred one is not known."""

    __slots__ = ("complete", "keywords", "positional")

    def __init__(self, positional: list[Any], keywords: dict[str, Any] | None = None, complete: bool = True) -> None:
        self.positional = positional
        self.keywords = keywords or {}
        self.complete = complete

    def get(self, index: int, name: str, default: Any = MISSING) -> Any:
        """The argument at a position or under a name."""
        if index < len(self.positional):
            return self.positional[index]
        return self.keywords.get(name, default)


#: an entry of the journal: a dict with the key written and its value before, or an object with its contents before
_Entry = tuple[Any, Any, Any]
#: by place: the container, the key, the value (or contents) before and after
_Changes = dict[Any, tuple[Any, Any, Any, Any]]


class Machine:
    """Evaluates syntax in environments of one program run.

    ``steps`` is what is left of the budget. ``doubts`` counts operations met that Python might have failed at.
    """

    __slots__ = (
        "_as_kernel",
        "_counter",
        "_label",
        "begun",
        "callables",
        "deferred",
        "depth",
        "doubts",
        "escaped",
        "expressions",
        "frame",
        "guards",
        "havoc",
        "journal",
        "kernels",
        "module",
        "risky_kernels",
        "run",
        "sheltered",
        "speculation",
        "statements",
        "steps",
        "trail",
    )

    def __init__(self, run: Run, module: ModuleEnvironment, steps: int) -> None:
        # the tables live with the functions in them; they are looked up late because those modules need this one
        from pypto_lsp.frontend.static_calls import CALLABLES
        from pypto_lsp.frontend.static_definitions import as_kernel
        from pypto_lsp.frontend.static_expr import EXPRESSIONS
        from pypto_lsp.frontend.static_statements import STATEMENTS

        self.callables: dict[type, Callable[[Machine, Any, Arguments], Any]] = CALLABLES
        self.expressions: dict[type, Callable[[Machine, Any, Environment], Any]] = EXPRESSIONS
        self.statements: dict[type, Callable[[Machine, Any, Environment], Completion]] = STATEMENTS
        self._as_kernel = as_kernel
        self.run = run
        self.module = module
        self.steps = steps
        self.depth = 0
        self.doubts = 0
        self.havoc = 0
        #: how many try statements with handlers are open
        self.guards = 0
        #: everything written in them, also what was taken back
        self.trail: list[_Entry] = []
        #: objects that a value which is not known may be
        self.escaped: list[Any] = []
        self.speculation = 0
        self.journal: list[_Entry] = []
        self.frame = Frame()
        #: kernels and programs that definitions gave, by definition, in the order in which they were met
        self.kernels: dict[syntax.Node, list[Any]] = {}
        #: those that came of what stands in a ``with``, or in a ``try`` with handlers: a test may expect that they are refused
        self.risky_kernels: dict[syntax.Node, list[Any]] = {}
        #: how many of such statements are open
        self.sheltered = 0
        #: the tables of the local variables of calls that were begun in branches
        self.begun: list[dict[str, Any]] = []
        #: lambdas and ``functools.partial``, which somebody who is not known may call later
        self.deferred: list[Any] = []
        self._label = ""
        self._counter = 0

    # --- evaluation ------------------------------------------------------------------------------------------------

    def eval(self, expr: syntax.Expr, scope: Environment) -> Any:
        """The value of an expression. Raises :class:`Raised` and :class:`Exhausted`."""
        self.steps -= 1
        if self.steps < 0 or self.depth > DEPTH_LIMIT:
            raise Exhausted
        handler = self.expressions.get(type(expr))
        if handler is None:
            return self.opaque()
        self.depth += 1
        try:
            value = handler(self, expr, scope)
        finally:
            self.depth -= 1
        return self.opaque() if value is UNKNOWN else value

    def execute(self, body: Iterable[syntax.Stmt], scope: Environment) -> Completion:
        """Run statements. Raises :class:`Raised`, :class:`Exhausted` and :class:`Imprecise`."""
        for statement in body:
            completion = self.step(statement, scope)
            if completion is not None:
                return completion
        return None

    def step(self, statement: syntax.Stmt, scope: Environment) -> Completion:
        self.steps -= 1
        if self.steps < 0 or self.depth > DEPTH_LIMIT:
            raise Exhausted
        handler = self.statements.get(type(statement))
        if handler is None:
            return None
        self.depth += 1
        try:
            return handler(self, statement, scope)
        finally:
            self.depth -= 1

    def call(self, callee: Any, arguments: Arguments) -> Any:
        """The value of a call. Raises as :meth:`eval`."""
        handler = self.callables.get(type(callee))
        value = UNKNOWN if handler is None else handler(self, callee, arguments)
        if value is not UNKNOWN:
            return value
        self.doubts += 1
        if type(callee) is OpaqueValue:
            self.opaque_changes()  # it may be a method of any object that is not known by name any more
        for argument in (*arguments.positional, *arguments.keywords.values()):
            self.escape(argument)
        return self.opaque()

    def as_kernel(self, path: str, function: Any, carrier: syntax.Expr) -> Any:
        """The kernel that a decorator of the DSL makes of a function, None when it makes none."""
        return self._as_kernel(self, path, function, carrier)

    def doubtful(self, action: Callable[[], Any]) -> Any:
        """The value of something that Python may or may not evaluate here; UNKNOWN where it would raise."""
        found: list[Any] = []
        self.alternatives((lambda: found.append(action()), lambda: None))
        return found[0] if found else UNKNOWN

    def charge(self, steps: int) -> None:
        """Pay for work that is done in one go."""
        self.steps -= steps
        if self.steps < 0:
            raise Exhausted

    def found_kernel(self, node: syntax.Node, kernel: Any) -> None:
        """A definition gave a kernel or program. One that is compiled where it stands has the values that names have now; one made
        where its refusal would be caught may be made of other arguments after."""
        scope = kernel.env
        while scope.kind != "module":
            if scope.kind == "function" and (self.guards or not getattr(kernel, "flavour", "").startswith("jit")):
                for bound in (scope, *scope.outer_names.values()):
                    bound.unsettled = bound.unsettled or set()
                if self.guards:
                    scope.unsettled.update(scope.raw_values)
            scope = scope.parent
        (self.risky_kernels if self.sheltered else self.kernels).setdefault(node, []).append(kernel)

    def discard_kernels(self, scope: Environment) -> None:
        """Forget the kernels that were defined in a call, or in calls of what it defines: it raises, nobody gets them."""
        for table in (self.kernels, self.risky_kernels):
            for node, made in list(table.items()):
                table[node] = [kernel for kernel in made if not kernel.env.lies_in(scope)]
                if not table[node]:
                    del table[node]

    # --- values that are not known ---------------------------------------------------------------------------------

    def begin(self, label: str) -> None:
        """A new statement (or expression from outside): opaque values in it are numbered from one and named after it."""
        self._label = label
        self._counter = 0

    def opaque(self) -> OpaqueValue:
        """A new value that is not known; until a name is bound to it, its name has a ``#``."""
        self._counter += 1
        return OpaqueValue(f"{self.module.path}:{self._label}#{self._counter}")

    def opaque_for(self, name: str) -> OpaqueValue:
        return OpaqueValue(f"{self.module.path}:{name}")

    # --- writing ---------------------------------------------------------------------------------------------------

    def bind(self, scope: Environment, name: str, value: Any, node: syntax.Node) -> None:
        """Bind a name in a scope, or in the one it was declared ``global`` or ``nonlocal`` for."""
        scope = scope.outer_names.get(name, scope)
        if scope.kind == "module" and type(value) is OpaqueValue and "#" in value.name:
            value = self.opaque_for(name)
            if scope.raw_values.get(name) == value:  # another value under the same name
                value = OpaqueValue(f"{value.name}'")
        scope.bound_at[name] = node
        if scope.unsettled is not None and name in scope.raw_values and scope.raw_values[name] is not value:
            scope.unsettled.add(name)
        self.write(scope.raw_values, name, value)

    def bind_named(self, scope: Environment, name: str, value: Any, node: syntax.Node, source: syntax.Expr) -> None:
        """Bind a name by an assignment, which gives an int its name."""
        self.bind(scope, name, named(value, name, source.span), node)

    def write(self, container: dict[Any, Any], key: Any, value: Any) -> None:
        """Set (or with :data:`MISSING` delete) an entry of a scope or of another table."""
        before = container.get(key, MISSING)
        self.journal.append((container, key, before))
        if self.guards:
            self.trail.append((container, key, before))
        if self.speculation == 0 and before is not MISSING and container is self.module.raw_values:
            self.module.history.setdefault(key, []).append((self.module.order, before))
        _put(container, key, value)

    def touch(self, target: Any) -> bool:
        """Announce that the contents of a list, set, dict or object are about to change; false when they must not.

        What a module that has run holds may be shared between program runs; a change to it makes it unknown in this one.
        """
        if target.sealed:
            self.run.spoil(self, target)
            return False
        contents = _contents(target)
        self.journal.append((target, None, contents))
        if self.guards:
            self.trail.append((target, None, contents))
        return True

    def escape(self, value: Any) -> None:
        """A value that is not known may be this object."""
        if changeable_contents(value) is not None and not any(value is other for other in self.escaped):
            self.escaped.append(value)

    def opaque_changes(self) -> None:
        """An object that is not known is changed in place."""
        for value in self.escaped:
            self.lose_contents(value)

    # --- speculation -----------------------------------------------------------------------------------------------

    def alternatives(self, branches: Iterable[Callable[[], Completion]]) -> Completion:
        """Try each branch from the present state and keep what they agree on.

        A branch in which Python would raise is left out; if that are all, the exception goes on.
        """
        before = self.journal
        outcomes: list[tuple[Completion, _Changes]] = []
        dead: list[_Changes] = []
        failure: Raised | None = None
        for branch in branches:
            self.journal = []
            self.speculation += 1
            mark = len(self.begun)
            completion: Completion = None
            raised: Raised | None = None
            try:
                completion = branch()
            except Raised as fault:
                raised = failure = fault
                self.doubts += 1
            except BaseException:
                self.speculation -= 1
                self._drop(before, mark)
                raise
            self.speculation -= 1
            ended, self.journal = self.journal, before
            changes = self._undone(ended, mark)
            if raised is None:
                outcomes.append((completion, changes))
            else:
                dead.append(changes)
        if not outcomes:
            assert failure is not None
            self._merge(dead)
            raise failure
        completion = self._join(outcomes)
        if self.guards:
            for changes in dead:  # the exception may be caught, and what was done before it stands
                self._blur(changes)
        return completion

    def _join(self, outcomes: list[tuple[Completion, _Changes]]) -> Completion:
        returned = [(completion, changes) for completion, changes in outcomes if isinstance(completion, Return)]
        going_on = [outcome for outcome in outcomes if not isinstance(outcome[0], Return)]
        if not going_on:
            self._merge([changes for _, changes in outcomes])
            return Return(self.agreed([completion.value for completion, _ in returned]))
        kinds = {completion for completion, _ in going_on}
        if len(kinds) > 1 and not self.havoc:
            raise Imprecise
        self._merge([changes for _, changes in going_on])
        for completion, changes in returned:
            self.may_return(completion.value)
            self._blur({slot: each for slot, each in changes.items() if each[0] is not self.frame.variables})
        return kinds.pop() if len(kinds) == 1 else None

    def may_return(self, value: Any) -> None:
        """The present call may end here; what follows may not be done."""
        if self.frame.mark < 0:
            self.frame.mark = len(self.frame.journal)
        self.frame.maybe.append(value)

    def blur_call(self) -> None:
        """At the end of a call that may have ended before: what it did to its surroundings since may not be done."""
        frame = self.frame
        self.blur([entry for entry in frame.journal[frame.mark :] if entry[0] is not frame.variables])

    def agreed(self, candidates: list[Any]) -> Any:
        """The one value that all candidates are, else an opaque one."""
        first = candidates[0]
        if all(candidate is first or equal(candidate, first) is True for candidate in candidates[1:]):
            return first
        for candidate in candidates:
            self.escape(candidate)
        return self.opaque()

    def _merge(self, all_changes: list[_Changes]) -> None:
        slots: _Changes = {}
        for changes in all_changes:
            slots.update(changes)
        for slot, (target, key, original, _) in slots.items():
            ends = [changes[slot][3] if slot in changes else original for changes in all_changes]
            if key is None:
                self.journal.append((target, None, _contents(target)))
                same = all(_same_contents(end, ends[0]) for end in ends[1:])
                _restore(target, ends[0] if same else None)
            else:
                self.write(target, key, self._joined(target, key, ends))

    def _joined(self, target: dict[Any, Any], key: Any, ends: list[Any]) -> Any:
        if target is self.module.raw_values and not hasattr(builtins, str(key)):
            # where the name is not bound, reading it fails: a program that works has it from one of the others
            ends = [end for end in ends if end is not MISSING] or ends
        first = ends[0]
        if all(end is first or (end is not MISSING and equal(end, first) is True) for end in ends[1:]):
            return first
        for end in ends:
            self.escape(end)
        return self._lost(target, key)

    def _lost(self, target: dict[Any, Any], key: Any) -> OpaqueValue:
        return self.opaque_for(str(key)) if target is self.module.raw_values else self.opaque()

    def forget(self, action: Callable[[], Any]) -> None:
        """Run something an unknown number of times: all that it changes is not known afterwards."""
        before, self.journal = self.journal, []
        mark = len(self.begun)
        self.speculation += 1
        self.havoc += 1
        try:
            action()
        except Raised:  # in some round; the rounds before it may have been there all the same
            self.doubts += 1
        finally:
            self.speculation -= 1
            self.havoc -= 1
            self._drop(before, mark)

    def _drop(self, outer: list[_Entry], mark: int) -> None:
        """Go back to an outer journal; what the present one changed is not known afterwards."""
        changes = self._undone(self.journal, mark)
        self.journal = outer
        self._lose(changes)

    def _undone(self, journal: list[_Entry], mark: int) -> _Changes:
        """Undo what a branch did, since ``mark`` calls were begun; all that it changed but for locals of its own calls, which
        stay what they were for the kernels defined in them."""
        changes = _changes(journal)
        _undo(journal)
        own = {id(table) for table in self.begun[mark:]}
        for target, key, _, end in [change for slot, change in changes.items() if slot[0] in own]:
            _put(target, key, end)
        return {slot: change for slot, change in changes.items() if slot[0] not in own}

    def _lose(self, changes: _Changes) -> None:
        """Nothing that was changed is known: neither what was there before nor what is there now."""
        for target, key, original, end in changes.values():
            if key is None:
                self.journal.append((target, None, _contents(target)))
                _restore(target, None)
            else:
                self.escape(original)
                self.escape(end)
                self.write(target, key, self._lost(target, key))

    def _blur(self, changes: _Changes) -> None:
        """Changes of a branch that was not followed may have been made, or not."""
        now: _Changes = {}
        then: _Changes = {}
        for slot, (target, key, _, end) in changes.items():
            current = _contents(target) if key is None else target.get(key, MISSING)
            now[slot] = (target, key, current, current)
            then[slot] = (target, key, current, end)
        self._merge([now, then])

    def blur_trail(self, mark: int) -> None:
        """What was written since the trail had ``mark`` entries may have any value that it had on the way."""
        first = {(id(entry[0]), entry[1]): entry for entry in reversed(self.trail[mark:])}
        for target, key, before in first.values():
            if key is None:
                self.journal.append((target, None, _contents(target)))
                _restore(target, None)
            elif before is not MISSING or target is not self.module.raw_values:
                self.escape(before)
                self.escape(target.get(key))
                self.write(target, key, self._lost(target, key))

    def blur(self, journal: list[_Entry]) -> None:
        """What is written in a part of the journal may have been done, or not."""
        changes = _changes(journal)
        self._merge([{slot: (target, key, old, old) for slot, (target, key, old, _) in changes.items()}, changes])

    def attempt(self, action: Callable[[], Completion]) -> Completion:
        """Run something whose changes are taken back when it turns out :class:`Imprecise`."""
        before, self.journal = self.journal, []
        try:
            completion = action()
        except Imprecise:
            _undo(self.journal)
            self.journal = before
            raise
        except BaseException:
            before.extend(self.journal)
            self.journal = before
            raise
        before.extend(self.journal)
        self.journal = before
        return completion

    def take_back(self, kept: Environment | None = None) -> None:
        """Undo what a statement or expression did to the modules of the run and to the process; all, without ``kept``."""
        journal, self.journal = self.journal, []
        if kept is not None:
            shared = self.run.shared_containers()
            journal = [entry for entry in journal if id(entry[0]) in shared]
        _undo(journal)

    def lose_contents(self, value: Any, depth: int = 0) -> None:
        """What a list, set, dict or changeable object holds, and what hangs on it, is not known any more."""
        contents = changeable_contents(value)
        if contents is None or depth > 3:
            return
        for inner in contents:
            self.lose_contents(inner, depth + 1)
        if not isinstance(value, tuple):
            self.journal.append((value, None, _contents(value)))
            _restore(value, None)

    def lose_journal(self) -> None:
        """Nothing that was changed since the journal began is known."""
        self._lose(_changes(self.journal))


def _undo(journal: list[_Entry]) -> None:
    for target, key, before in reversed(journal):
        if key is None:
            _restore(target, before)
        else:
            _put(target, key, before)


def _put(container: dict[Any, Any], key: Any, value: Any) -> None:
    if value is MISSING:
        container.pop(key, None)
    else:
        container[key] = value


def _contents(target: Any) -> Any:
    if isinstance(target, Object):
        return None if target.fields is None else dict(target.fields)
    return None if target.items is None else target.items.copy()


def _restore(target: Any, contents: Any) -> None:
    if isinstance(target, Object):
        target.fields = contents
    else:
        target.items = contents


def _same_contents(left: Any, right: Any) -> bool:
    if left is None or right is None:
        return left is right
    if isinstance(left, list):
        return len(left) == len(right) and all(a is b or equal(a, b) is True for a, b in zip(left, right))
    return left.keys() == right.keys() and all(
        item is right[key] or equal(item, right[key]) is True for key, item in left.items()
    )


def _changes(journal: list[_Entry]) -> _Changes:
    """What a journal changed, from before the first change to now."""
    changes: _Changes = {}
    for target, key, before in journal:
        slot = (id(target), key)
        if slot not in changes:
            now = _contents(target) if key is None else target.get(key, MISSING)
            changes[slot] = (target, key, before, now)
    return changes
