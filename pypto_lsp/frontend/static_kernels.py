"""Finding the kernels and programs that a module defines, also in factories and behind a main guard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pypto_lsp.frontend.static_definitions import hands_on
from pypto_lsp.frontend.static_instances import BREAKS, FunctionTrials, Trial, run_body, run_call, scratch_machine
from pypto_lsp.frontend.static_names import blocks, bound_names, may_mention
from pypto_lsp.frontend.static_objects import MISSING, Descriptor, Object
from pypto_lsp.frontend.static_readers import ReaderIndex, Word, reads, word_of
from pypto_lsp.frontend.static_scope import Environment, ModuleEnvironment
from pypto_lsp.frontend.static_statements import run_statement
from pypto_lsp.frontend.values import ClassValue, KernelRef, ProgramRef
from pypto_lsp.syntax import nodes as syntax

Definition = syntax.FunctionDef | syntax.ClassDef

#: how many calls of one factory are looked at for definitions that the ones before did not make
_CALL_LIMIT = 8


def definitions(env: ModuleEnvironment) -> list[KernelRef | ProgramRef]:
    """The kernels and programs that the text of a module defines, in source order.

    Each definition is given once. One in a factory has the factory's locals in its environment, as the first call in the
    module that makes it leaves them. Without a call they are made with the defaults of the factory's parameters, where it works
    with them: one without a default is not known, nor is a None of which the factory makes nothing else. A factory that is handed
    on, or called where we do not come, has parameters that are not known. What a test that can be told, or an early return, leaves
    undefined is left out. Methods of a program are not listed.
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
    return not isinstance(statement, syntax.FunctionDef) or may_mention(statement, "@")


def _defined(body: tuple[syntax.Stmt, ...]) -> Iterator[Definition]:
    """All definitions in statements, at whatever depth."""
    for statement in body:
        if isinstance(statement, syntax.FunctionDef | syntax.ClassDef):
            yield statement
        for inner in blocks(statement):
            yield from _defined(inner)


class _Finder:
    def __init__(self, env: ModuleEnvironment) -> None:
        self.module = env
        self.made: dict[syntax.Node, list[Any]] = env.kernels
        self.risky: dict[syntax.Node, list[Any]] = {}
        self.given: set[syntax.Node] = set()
        self.callers = _Callers(env)

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
            self._keep(run_body(block, Trial(inner)))
            yield from self.in_body(block, inner)

    def _reached(self, block: tuple[syntax.Stmt, ...], scope: Environment) -> bool:
        """Whether definitions in a block were made when its scope ran: a branch may not have been taken."""
        return any(
            scope.bound_at.get(name) is node or self._made_in(node, scope) is not None
            for name, node in bound_names(block)
        )

    def _of_definition(self, node: Definition, scope: Environment) -> Iterator[KernelRef | ProgramRef]:
        if node in self.given:
            return
        found = self._made_in(node, scope)
        if found is not None:
            self.given.add(node)
            yield found
        elif isinstance(node, syntax.ClassDef) and node.decorators:
            return  # perhaps a program by a decorator that is not known
        elif _may_decorate(node) and _decorated(node.body):
            if isinstance(node, syntax.FunctionDef):
                for inner in self._runs(node, scope):
                    yield from self.in_body(node.body, inner)
            else:
                inner = Environment(scope, "class", node.body)
                self.callers.classes[inner] = node
                self._keep(run_body(node.body, Trial(inner)))
                yield from self.in_body(node.body, inner)

    def _made_in(self, node: syntax.Node, scope: Environment) -> KernelRef | ProgramRef | None:
        """The kernel or program that a definition gave in a scope."""
        return next((made for made in self._all_made(node) if made.env is scope), None)

    def _all_made(self, node: syntax.Node) -> list[Any]:
        """What a definition gave, first where nothing says that it may be refused."""
        return [*self.made.get(node, ()), *self.risky.get(node, ())]

    def _keep(self, trial: Trial) -> None:
        self.made = _joined(self.made, trial.kernels)
        self.risky = _joined(self.risky, trial.risky)

    # --- factories ---------------------------------------------------------------------------------------------------

    def _runs(self, node: syntax.FunctionDef, scope: Environment) -> list[Environment]:
        """The locals of a factory in the calls of the file, or as it would be called."""
        if node.params:
            found = self._called(node, scope)
            if not found and scope.kind != "function":
                for ended in self.callers.run(node, scope):
                    for trial in ended:
                        self._keep(trial)
                    found = self._called(node, scope)
                    if found:
                        break
            if found:
                return found[:_CALL_LIMIT]
        trials = self.callers.trials(node, scope)
        trial = trials.open() if self.callers.reached(node, scope) else trials.usual()
        self._keep(trial)
        return [trial.scope]

    def _called(self, node: syntax.FunctionDef, scope: Environment) -> list[Environment]:
        """The locals of the calls of a factory that made kernels, in a scope where it is a local one."""
        found: dict[Environment, None] = {}
        for inner in _defined(node.body):
            for made in self._all_made(inner):
                call = _call_around(made.env, node)
                if call is not None and _same_place(call.parent, scope):
                    found[call] = None
        return list(found)


def _joined(known: dict[syntax.Node, list[Any]], more: dict[syntax.Node, list[Any]]) -> dict[syntax.Node, list[Any]]:
    return {**known, **{node: [*known.get(node, ()), *made] for node, made in more.items()}} if more else known


def _same_place(scope: Environment | None, other: Environment) -> bool:
    """Whether what is defined in two scopes is the same; a class may have run more than once."""
    if other.kind == "class" and scope is not None and scope.kind == "class" and other.parent is not None:
        return _same_place(scope.parent, other.parent)
    return scope is other or other.kind == "module"


def _call_around(env: Environment, node: syntax.FunctionDef) -> Environment | None:
    """The locals of a function in which, or in something in which, a kernel was defined."""
    inner: Environment | None = env
    while inner is not None and (inner.kind != "function" or inner.body is not node.body):
        inner = inner.parent
    return inner


class _Callers:
    """Runs what may call a factory: the functions of a file, its methods, and blocks that did not run by themselves.

    ``classes`` are the classes whose bodies are scopes.
    """

    def __init__(self, env: ModuleEnvironment) -> None:
        self.module = env
        self.classes: dict[Environment, syntax.ClassDef] = {}
        self._ran: set[syntax.Stmt] = set()
        self._index = ReaderIndex(env.tree)

    def run(self, node: syntax.FunctionDef, scope: Environment) -> Iterator[list[Trial]]:
        """Run the callers of a factory until the reader has seen enough: first those that nobody else calls, with their
        defaults; then the others, knowing none of their arguments; last what was made to be called later."""
        first: list[Trial] = []
        called: list[tuple[syntax.FunctionDef, Environment]] = []
        for part in self._index.reaching(word_of(node.name, self.classes.get(scope)), node):
            caller = part.node
            if caller in self.module.kernels or (part.cls is not None and part.cls in self.module.kernels):
                continue
            outer = self.module if part.cls is None else self._class_scope(part.cls)
            if isinstance(caller, syntax.FunctionDef) and self.reached(caller, outer):
                called.append((caller, outer))
            elif isinstance(caller, syntax.FunctionDef) or not (part.cls or isinstance(caller, syntax.ClassDef)):
                first += self._run_once(caller, outer)
        yield first
        second = [trial for caller, outer in called for trial in self._run_once(caller, outer)]
        yield second
        yield [run_call(self.module, callee) for trial in (*first, *second) for callee in trial.deferred]

    def _class_scope(self, node: syntax.ClassDef) -> Environment:
        """The scope that the methods of a top-level class were defined in."""
        value = self.module.raw_values.get(node.name)
        methods = value.body.namespace.values() if isinstance(value, ClassValue) and value.node is node else ()
        functions = (each.function if isinstance(each, Descriptor) else each for each in methods)
        scope = next((each.env for each in functions if getattr(each, "node", None) in node.body), None)
        scope = Environment(self.module, "class", node.body) if scope is None else scope
        self.classes[scope] = node
        return scope

    def _run_once(self, caller: syntax.Stmt, scope: Environment) -> list[Trial]:
        """Run a caller, once in all."""
        if caller in self._ran:
            return []
        self._ran.add(caller)
        if isinstance(caller, syntax.FunctionDef):
            trials = self.trials(caller, scope)
            return [trials.open() if self.reached(caller, scope) else trials.usual()]
        bodies = blocks(caller)
        if not bodies:
            return [run_body((caller,), Trial(Environment(scope, "function")))]
        return [run_body(block, Trial(Environment(scope, "function", block))) for block in bodies]

    def trials(self, node: syntax.FunctionDef, scope: Environment) -> FunctionTrials:
        """The runs of a function that nobody calls."""
        return FunctionTrials(node, scope, self._owner(node, scope))

    def _owner(self, node: syntax.FunctionDef, scope: Environment) -> Any:
        """An instance of the class that a method is defined in, for its first parameter; MISSING where it is not known."""
        cls = self.classes.get(scope)
        if cls is None or scope.parent is None or self._index.of(Word(cls.name), cls):
            return MISSING  # a class that is used may be another one's base
        value = scope.parent.raw_values.get(cls.name)
        if not isinstance(value, ClassValue) or value.node is not cls:
            return MISSING
        method = value.body.namespace.get(node.name)
        if isinstance(method, Descriptor) and method.kind != "property":
            return value if method.kind == "classmethod" else MISSING
        return Object(value, None)

    def reached(self, node: syntax.FunctionDef, scope: Environment) -> bool:
        """Whether the file calls a function, or hands it on, so that its defaults say little."""
        if node.decorators and self._hands_on(node, scope):
            return True
        if scope.kind == "function":
            return reads(scope.body, node.name, node)
        return bool(self._index.of(word_of(node.name, self.classes.get(scope)), node))

    def _hands_on(self, node: syntax.FunctionDef, scope: Environment) -> bool:
        machine = scratch_machine(self.module)
        try:
            return hands_on(machine, node, scope)
        except BREAKS:
            return True
        finally:
            machine.take_back()


def _is_main_guard(statement: syntax.Stmt) -> bool:
    return isinstance(statement, syntax.If) and "__name__" in statement.test.text


def class_scope(ref: ProgramRef) -> Environment:
    """The names in the body of a program class, for what its methods' annotations and decorators read."""
    inner = Environment(ref.env, "class", ref.node.body)
    machine = scratch_machine(ref.env.module)
    for statement in ref.node.body:
        if not isinstance(statement, syntax.FunctionDef):
            run_statement(machine, statement, inner)
            machine.take_back(kept=inner)
    return inner
