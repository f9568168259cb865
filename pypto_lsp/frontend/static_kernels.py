"""Finding the kernels and programs that a module defines, also in factories and behind a main guard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pypto_lsp.frontend.static_machine import EXPRESSION_STEPS, Exhausted, Imprecise, Machine, Return
from pypto_lsp.frontend.static_names import blocks, bound_names
from pypto_lsp.frontend.static_operators import Raised
from pypto_lsp.frontend.static_scope import Environment, ModuleEnvironment
from pypto_lsp.frontend.static_statements import run_statement
from pypto_lsp.frontend.values import KernelRef, ProgramRef
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.syntax.names import walk

Definition = syntax.FunctionDef | syntax.ClassDef


def definitions(env: ModuleEnvironment) -> list[KernelRef | ProgramRef]:
    """The kernels and programs that the text of a module defines, in source order.

    Each definition is given once. One in a factory has the factory's locals in its environment, as the first call in the
    module makes them; without a call they are made with the defaults of the factory's parameters. One without a default is not
    known, nor is one whose None nobody in the factory looks at. What a test that can be told, or an early return, leaves undefined
    is left out. Methods of a program are not listed.
    """
    if env.definitions is None:
        env.definitions = tuple(_Finder(env).in_body(env.tree.body, env))
    return list(env.definitions)


def _decorated(body: tuple[syntax.Stmt, ...]) -> bool:
    """Whether there is any decorated definition in statements, at whatever depth."""
    return any(
        (isinstance(statement, syntax.FunctionDef | syntax.ClassDef) and bool(statement.decorators))
        or (_may_decorate(statement) and any(_decorated(inner) for inner in blocks(statement)))
        for statement in body
    )


def _may_decorate(statement: syntax.Stmt) -> bool:
    return not isinstance(statement, syntax.FunctionDef) or statement.may_mention("@")


class _Finder:
    def __init__(self, env: ModuleEnvironment) -> None:
        self.module = env
        self.made: dict[syntax.Node, list[Any]] = env.kernels
        self.ran: set[syntax.Stmt] = set()

    def in_body(self, body: tuple[syntax.Stmt, ...], scope: Environment) -> Iterator[KernelRef | ProgramRef]:
        for statement in body:
            if isinstance(statement, syntax.FunctionDef | syntax.ClassDef):
                yield from self._of_definition(statement, scope)
            else:
                for block in blocks(statement):
                    yield from self._in_block(statement, block, scope)

    def _in_block(
        self, statement: syntax.Stmt, block: tuple[syntax.Stmt, ...], scope: Environment
    ) -> Iterator[KernelRef | ProgramRef]:
        if not _decorated(block):
            return
        if self._reached(block, scope):
            yield from self.in_body(block, scope)
        elif _is_main_guard(statement):
            inner = Environment(scope, "function", block)
            self._run(block, inner)
            yield from self.in_body(block, inner)

    def _reached(self, block: tuple[syntax.Stmt, ...], scope: Environment) -> bool:
        """Whether definitions in a block were made when its scope ran: a branch may not have been taken."""
        return any(
            scope.bound_at.get(name) is node or self._made_in(node, scope) is not None
            for name, node in bound_names(block)
        )

    def _of_definition(self, node: Definition, scope: Environment) -> Iterator[KernelRef | ProgramRef]:
        found = self._made_in(node, scope)
        if found is not None:
            yield found
        elif isinstance(node, syntax.ClassDef) and node.decorators:
            return  # perhaps a program by a decorator that is not known
        elif _may_decorate(node) and _decorated(node.body):
            inner = Environment(scope, "class", node.body)
            if isinstance(node, syntax.FunctionDef):
                inner = self._called_scope(node, scope) or self._factory_scope(node, scope)
            else:
                self._run(node.body, inner)
            yield from self.in_body(node.body, inner)

    def _made_in(self, node: syntax.Node, scope: Environment) -> KernelRef | ProgramRef | None:
        """The kernel or program that a definition gave in a scope."""
        return next((made for made in self.made.get(node, ()) if made.env is scope), None)

    def _called_scope(self, node: syntax.FunctionDef, scope: Environment) -> Environment | None:
        """The locals of the first call in the file, for a factory with parameters."""
        if scope is not self.module or not node.params:
            return None
        inner = [each for _, each in bound_names(node.body)]
        found = self._made_env(inner)
        if found is None:
            for caller in _callers(self.module.tree.body, node.name):
                self._run_caller(caller)
                found = found or self._made_env(inner)
        return found

    def _made_env(self, nodes: list[syntax.Node]) -> Environment | None:
        return next((made.env for node in nodes for made in self.made.get(node, ())), None)

    def _run_caller(self, caller: syntax.Stmt) -> None:
        """Run a function, or a block that did not run by itself, for the factories called in it."""
        if caller in self.ran:
            return
        self.ran.add(caller)
        if isinstance(caller, syntax.FunctionDef):
            self._factory_scope(caller, self.module)
        else:
            for block in blocks(caller):
                self._run(block, Environment(self.module, "function", block))

    def _factory_scope(self, node: syntax.FunctionDef, scope: Environment) -> Environment:
        inner = Environment(scope, "function", node.body)
        machine = self._machine()
        machine.begin(node.name)
        for param in node.params:
            inner.raw_values[param.name] = _default(machine, param, scope, node)
            inner.bound_at[param.name] = param
        self._run(node.body, inner)
        return inner

    def _run(self, body: tuple[syntax.Stmt, ...], scope: Environment) -> None:
        machine = self._machine()
        machine.speculation = 1  # no history is kept, nothing here happened
        for statement in body:
            if machine.steps <= 0:
                machine.steps = 100
            completion = run_statement(machine, statement, scope)
            machine.take_back(kept=scope)
            if isinstance(completion, Return):
                break
        for node, made in machine.kernels.items():
            self.made = {**self.made, node: [*self.made.get(node, ()), *made]}

    def _machine(self) -> Machine:
        return Machine(self.module.run, self.module, EXPRESSION_STEPS)


def _is_main_guard(statement: syntax.Stmt) -> bool:
    return isinstance(statement, syntax.If) and "__name__" in statement.test.text


def _default(m: Machine, param: syntax.Param, scope: Environment, node: syntax.FunctionDef) -> Any:
    if param.default is not None:
        try:
            value = m.eval(param.default, scope)
            if value is not None or _looked_at(param.name, node):
                return value
        except (Raised, Exhausted, Imprecise, RecursionError):
            pass  # the definition itself would fail: not known, like a parameter without default
    return m.opaque_for(f"{node.name}.{param.name}")


def _looked_at(name: str, node: syntax.FunctionDef) -> bool:
    """Whether a function itself reads a name, not only what is defined in it."""
    own = (stmt for stmt in node.body if not isinstance(stmt, syntax.FunctionDef | syntax.ClassDef))
    return any(isinstance(part, syntax.Name) and part.id == name for stmt in own for part in walk(stmt))


def _callers(body: tuple[syntax.Stmt, ...], name: str) -> Iterator[syntax.Stmt]:
    """Top-level functions and compound statements in which a function is called by its name, in source order."""
    for statement in body:
        inner = blocks(statement)
        if inner and not isinstance(statement, syntax.ClassDef) and any(_calls(block, name) for block in inner):
            yield statement


def _calls(body: tuple[syntax.Stmt, ...], name: str) -> bool:
    return any(
        f"{name}(" in statement.text or any(_calls(block, name) for block in blocks(statement)) for statement in body
    )


def class_scope(ref: ProgramRef) -> Environment:
    """The names in the body of a program class, for what its methods' annotations and decorators read."""
    inner = Environment(ref.env, "class", ref.node.body)
    machine = Machine(ref.env.module.run, ref.env.module, EXPRESSION_STEPS)
    machine.speculation = 1
    for statement in ref.node.body:
        if not isinstance(statement, syntax.FunctionDef):
            run_statement(machine, statement, inner)
            machine.take_back(kept=inner)
    return inner
