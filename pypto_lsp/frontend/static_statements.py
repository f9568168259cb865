"""Statements of the static evaluator: one small function per kind of node, in the table :data:`STATEMENTS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from pypto_lsp.frontend.static_attributes import attribute
from pypto_lsp.frontend.static_definitions import define_class, define_function
from pypto_lsp.frontend.static_expr import item, operate, subscript_index, test
from pypto_lsp.frontend.static_iteration import assign_attribute, iterate, unpack
from pypto_lsp.frontend.static_machine import (
    BREAK,
    CONTINUE,
    SPENT_STEPS,
    STATEMENT_STEPS,
    Completion,
    Exhausted,
    Imprecise,
    Machine,
    Return,
)
from pypto_lsp.frontend.static_names import bound_names, declared_global
from pypto_lsp.frontend.static_objects import MISSING, DictObject, External, ListObject, SetObject
from pypto_lsp.frontend.static_operators import UNKNOWN, Raised, is_key, is_opaque
from pypto_lsp.frontend.static_scope import Environment, ModuleEnvironment
from pypto_lsp.frontend.values import ClassValue
from pypto_lsp.syntax import nodes as syntax

# --- a module's statements ---------------------------------------------------------------------------------------


def run_module(m: Machine, env: ModuleEnvironment) -> None:
    """Run all statements of a file. What fails or takes too long leaves the names it binds unknown."""
    left = m.steps
    for order, statement in enumerate(env.tree.body):
        env.order = order
        m.steps = budget = min(STATEMENT_STEPS, left) if left > 0 else SPENT_STEPS
        run_statement(m, statement, env)
        left -= budget - max(m.steps, 0)


@dataclass(frozen=True, slots=True)
class Failure:
    """A statement surely raises; ``stated`` where the text says so, nothing can catch it and it is no mere end of the program."""

    stated: bool


def run_statement(m: Machine, statement: syntax.Stmt, scope: Environment) -> Completion:
    """Run one statement; whatever happens, the evaluation can go on after it."""
    ended = tried_statement(m, statement, scope)
    return None if isinstance(ended, Failure) else ended


def tried_statement(m: Machine, statement: syntax.Stmt, scope: Environment) -> Completion | Failure:
    """:func:`run_statement` that tells when Python would surely raise."""
    m.begin(_label(statement))
    m.journal = []
    m.trail = []
    failure: Failure | None = None
    try:
        return m.step(statement, scope)
    except Raised as fault:
        lost, failure = False, Failure(fault.stated and fault.caught_by("Exception"))
    except (Exhausted, Imprecise, RecursionError):  # the last: how deep the caller's own stack is cannot be known
        lost = True
    if lost:
        m.lose_journal()
        _lose_module(m)
    for name, node in bound_names((statement,)):
        m.bind(scope, name, m.opaque(), node)
    return failure


def _lose_module(m: Machine) -> None:
    """What a statement that was broken off may have changed besides: contents, and names that functions declare global."""
    for name in declared_global(m.module.tree.body):
        if name in m.module.raw_values:
            m.write(m.module.raw_values, name, m.opaque_for(name))
    for value in list(m.module.raw_values.values()):
        m.lose_contents(value)


def _label(statement: syntax.Stmt) -> str:
    return statement.text[:60]


# --- simple statements -------------------------------------------------------------------------------------------


def _expression(m: Machine, s: syntax.ExprStmt, scope: Environment) -> Completion:
    if not isinstance(s.value, syntax.Constant):
        m.eval(s.value, scope)
    return None


def _assign(m: Machine, s: syntax.Assign, scope: Environment) -> Completion:
    value = m.eval(s.value, scope)
    for target in s.targets:
        unpack(m, target, value, scope, s.value)
    return None


def _annotated(m: Machine, s: syntax.AnnAssign, scope: Environment) -> Completion:
    if s.value is not None:
        unpack(m, s.target, m.eval(s.value, scope), scope, s.value)
    return None


def _augmented(m: Machine, s: syntax.AugAssign, scope: Environment) -> Completion:
    right = m.eval(s.value, scope)
    target = s.target
    if isinstance(target, syntax.Name):
        left = m.eval(target, scope)
        if not _extend_in_place(m, s.op, left, right):
            m.bind_named(scope, target.id, _operated(m, s, left, right), target, s.value)
    elif isinstance(target, syntax.Attribute):
        owner = m.eval(target.value, scope)
        left = attribute(m, owner, target.attr)
        if not _extend_in_place(m, s.op, left, right):
            assign_attribute(m, owner, target.attr, _operated(m, s, left, right), target)
    elif isinstance(target, syntax.Subscript):
        left = item(m, m.eval(target.value, scope), subscript_index(m, target, scope))
        if not _extend_in_place(m, s.op, left, right):
            unpack(m, target, _operated(m, s, left, right), scope)
    return None


def _operated(m: Machine, s: syntax.AugAssign, left: Any, right: Any) -> Any:
    value = operate(m, s.op, left, right, s)
    return m.opaque() if value is UNKNOWN else value


def _extend_in_place(m: Machine, operation: str, left: Any, right: Any) -> bool:
    """``+=`` on a list and ``|=`` on a set or dict change the object itself."""
    if is_opaque(left):
        m.opaque_changes()
    if isinstance(left, ListObject) and operation == "+":
        more = iterate(m, right)
        if m.touch(left):
            if more is not None:
                m.charge(len(more))
            left.items = None if left.items is None or more is None else [*left.items, *more]
        return True
    if isinstance(left, SetObject | DictObject) and operation == "|" and type(left) is type(right):
        if m.touch(left):
            left.items = None if left.items is None or right.items is None else {**left.items, **right.items}
        return True
    return False


def _return(m: Machine, s: syntax.Return, scope: Environment) -> Completion:
    return Return(None if s.value is None else m.eval(s.value, scope))


def _pass(m: Machine, s: syntax.Stmt, scope: Environment) -> Completion:
    return None


def _break(m: Machine, s: syntax.Break, scope: Environment) -> Completion:
    return BREAK


def _continue(m: Machine, s: syntax.Continue, scope: Environment) -> Completion:
    return CONTINUE


def _raise(m: Machine, s: syntax.Raise, scope: Environment) -> Completion:
    raise Raised(_exception_name(m, s.exc, scope), stated=True)


def _exception_name(m: Machine, exc: syntax.Expr | None, scope: Environment) -> str:
    node = exc.func if isinstance(exc, syntax.Call) else exc
    value = None if node is None else m.eval(node, scope)
    if isinstance(value, External) and value.path.startswith("builtins."):
        return value.path.removeprefix("builtins.")
    return value.node.name if isinstance(value, ClassValue) else "Exception"


def _assert(m: Machine, s: syntax.Assert, scope: Environment) -> Completion:
    if test(m, s.test, scope) is False:
        raise Raised("AssertionError", stated=True)
    return None


def _delete(m: Machine, s: syntax.Delete, scope: Environment) -> Completion:
    for target in s.targets:
        if isinstance(target, syntax.Name):
            m.write(scope.outer_names.get(target.id, scope).raw_values, target.id, MISSING)
        elif isinstance(target, syntax.Subscript):
            _delete_item(m, m.eval(target.value, scope), subscript_index(m, target, scope))
    return None


def _delete_item(m: Machine, container: Any, index: Any) -> None:
    m.doubts += is_opaque(container) or getattr(container, "items", ()) is None
    if is_opaque(container):
        m.opaque_changes()
    elif isinstance(container, DictObject) and m.touch(container) and container.items is not None:
        if not is_key(index):
            container.items = None
        elif container.items.pop(index, MISSING) is MISSING:
            raise Raised("KeyError")
    elif isinstance(container, ListObject) and m.touch(container) and container.items is not None:
        if not isinstance(index, int | slice):
            container.items = None
            return
        try:
            del container.items[index]
        except IndexError:
            raise Raised("IndexError") from None


def _global(m: Machine, s: syntax.Global, scope: Environment) -> Completion:
    for name in s.names:
        if s.kind == "global":
            scope.outer_names[name] = scope.module
        elif scope.parent is not None and (owner := scope.parent.owner(name)) is not None:
            scope.outer_names[name] = owner
    return None


def _import(m: Machine, s: syntax.Import, scope: Environment) -> Completion:
    for alias in s.names:
        value = m.run.import_module(m, alias.name, scope.module, whole=alias.asname is not None)
        m.bind(scope, alias.asname or alias.name.split(".")[0], value, alias)
    return None


def _import_from(m: Machine, s: syntax.ImportFrom, scope: Environment) -> Completion:
    source = m.run.import_source(m, s.module, s.level, scope.module)
    if s.star:
        m.run.import_star(m, source, scope, s)
    for alias in s.names:
        m.bind(scope, alias.asname or alias.name, m.run.imported_name(m, source, alias.name), alias)
    return None


def _opaque(m: Machine, s: syntax.Opaque, scope: Environment) -> Completion:
    m.doubts += 1
    for name in s.binds:
        m.bind(scope, name, m.opaque(), s)
    return None


# --- compound statements -----------------------------------------------------------------------------------------


def _if(m: Machine, s: syntax.If, scope: Environment) -> Completion:
    outcome = test(m, s.test, scope)
    if outcome is None:
        return m.alternatives((lambda: m.execute(s.body, scope), lambda: m.execute(s.orelse, scope)))
    return m.execute(s.body if outcome else s.orelse, scope)


def _for(m: Machine, s: syntax.For, scope: Environment) -> Completion:
    items = None if s.is_async else iterate(m, m.eval(s.iter, scope))
    if items is None:
        return _unknown_loop(m, s, scope)
    try:
        return m.attempt(lambda: _rounds(m, s, items, scope))
    except Imprecise:
        return _unknown_loop(m, s, scope)


def _rounds(m: Machine, s: syntax.For, items: Any, scope: Environment) -> Completion:
    for each in items:
        m.charge(1)
        unpack(m, s.target, each, scope)
        completion = m.execute(s.body, scope)
        if completion is BREAK:
            return None
        if isinstance(completion, Return):
            return completion
    return _otherwise(m, s, scope)


def _otherwise(m: Machine, s: syntax.For | syntax.While, scope: Environment) -> Completion:
    """The ``else`` of a loop that was gone through; where jumps are only possible ones, it may not run."""
    if m.havoc and s.orelse:
        return m.alternatives((lambda: m.execute(s.orelse, scope), lambda: None))
    return m.execute(s.orelse, scope)


def _while(m: Machine, s: syntax.While, scope: Environment) -> Completion:
    try:
        return m.attempt(lambda: _while_rounds(m, s, scope))
    except Imprecise:
        return _unknown_loop(m, s, scope)


def _while_rounds(m: Machine, s: syntax.While, scope: Environment) -> Completion:
    while (outcome := test(m, s.test, scope)) is not False:
        m.charge(1)
        if outcome is None:
            raise Imprecise
        completion = m.execute(s.body, scope)
        if completion is BREAK:
            return None
        if isinstance(completion, Return):
            return completion
    return _otherwise(m, s, scope)


def _unknown_loop(m: Machine, s: syntax.For | syntax.While, scope: Environment) -> Completion:
    """A loop of which it is not known how often it runs: what it may change is not known afterwards."""
    m.doubts += 1
    names = dict(bound_names((s,)))

    def one_round() -> None:
        if isinstance(s, syntax.For):
            unpack(m, s.target, m.opaque(), scope)
        completion = m.execute(s.body, scope)
        if isinstance(completion, Return):
            m.may_return(completion.value)

    def forget_names() -> None:
        for name, node in names.items():
            m.escape(scope.raw_values.get(name))
            m.bind(scope, name, m.opaque(), node)

    m.forget(one_round)  # the first, with the names as they are
    forget_names()
    m.forget(one_round)  # any later one
    forget_names()
    if s.orelse:
        return m.alternatives((lambda: m.execute(s.orelse, scope), lambda: None))
    return None


def _with(m: Machine, s: syntax.With, scope: Environment) -> Completion:
    for entered in s.items:
        m.eval(entered.context_expr, scope)
        if entered.optional_vars is not None:
            unpack(m, entered.optional_vars, m.opaque(), scope)
    m.sheltered += 1
    try:
        return m.execute(s.body, scope)
    except Raised as fault:
        fault.stated = False  # the context manager may catch it
        raise
    finally:
        m.sheltered -= 1


def _try(m: Machine, s: syntax.Try, scope: Environment) -> Completion:
    completion = _guarded(m, s, scope)
    last = m.execute(s.finalbody, scope)
    return completion if last is None else last


def _guarded(m: Machine, s: syntax.Try, scope: Environment) -> Completion:
    doubts, mark = m.doubts, len(m.trail)
    if not s.handlers:
        return _go_on(m, s, m.execute(s.body, scope), scope)
    m.guards += 1
    m.sheltered += 1
    fault: Raised | None = None
    completion: Completion = None
    try:
        completion = m.execute(s.body, scope)
    except Raised as raised:
        fault = raised
    finally:
        m.guards -= 1
        m.sheltered -= 1

    def ended() -> Completion:
        return _go_on(m, s, completion, scope) if fault is None else _handle(m, s, fault, scope)

    def failed_before(handler: syntax.ExceptHandler) -> Completion:
        m.blur_trail(mark)
        return _catch(m, handler, scope)

    if m.doubts == doubts:
        return ended()
    branches = [ended]
    branches.extend(partial(failed_before, handler) for handler in s.handlers)
    return m.alternatives(branches)


def _go_on(m: Machine, s: syntax.Try, completion: Completion, scope: Environment) -> Completion:
    return m.execute(s.orelse, scope) if completion is None else completion


def _handle(m: Machine, s: syntax.Try, raised: Raised, scope: Environment) -> Completion:
    for handler in s.handlers:
        if handler.type is None or any(raised.caught_by(name) for name in _caught(m, handler.type, scope)):
            return _catch(m, handler, scope)
    m.execute(s.finalbody, scope)
    raise raised


def _catch(m: Machine, handler: syntax.ExceptHandler, scope: Environment) -> Completion:
    if handler.name is not None:
        m.bind(scope, handler.name, m.opaque(), handler)
    return m.execute(handler.body, scope)


def _caught(m: Machine, node: syntax.Expr, scope: Environment) -> list[str]:
    nodes = node.elts if isinstance(node, syntax.Tuple) else (node,)
    return [_exception_name(m, each, scope) for each in nodes]


STATEMENTS: dict[type, Callable[[Machine, Any, Environment], Completion]] = {
    syntax.ExprStmt: _expression,
    syntax.Assign: _assign,
    syntax.AugAssign: _augmented,
    syntax.AnnAssign: _annotated,
    syntax.Return: _return,
    syntax.Pass: _pass,
    syntax.Break: _break,
    syntax.Continue: _continue,
    syntax.Raise: _raise,
    syntax.Assert: _assert,
    syntax.Delete: _delete,
    syntax.Global: _global,
    syntax.Import: _import,
    syntax.ImportFrom: _import_from,
    syntax.If: _if,
    syntax.For: _for,
    syntax.While: _while,
    syntax.With: _with,
    syntax.Try: _try,
    syntax.FunctionDef: define_function,
    syntax.ClassDef: define_class,
    syntax.Opaque: _opaque,
}
