"""Modules of the workspace: finding them, running them statically, and sharing the results.

A :class:`Run` stands for one run of a Python program, that of a script: every module is evaluated once in it, in the order
of the imports, and modules may set each other's names (``config.GROUP = 4`` before ``from kernels import f``). A module whose
imports nobody has changed is evaluated once for all runs; an :class:`Outcome` remembers what it read and what it did, so that
it is evaluated again only when that has changed.

The run that is assumed has no command-line options and none but the usual environment variables, so that defaults hold.
"""

from __future__ import annotations

import os.path
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pypto_lsp.frontend.static_attributes import attribute, external_member
from pypto_lsp.frontend.static_machine import MODULE_STEPS, Machine
from pypto_lsp.frontend.static_objects import (
    MISSING,
    DictObject,
    EnvironObject,
    External,
    ListObject,
    Object,
    Package,
    SetObject,
    freeze,
    seal,
)
from pypto_lsp.frontend.static_operators import UNKNOWN
from pypto_lsp.frontend.static_scope import Environment, ModuleEnvironment
from pypto_lsp.frontend.static_statements import run_module
from pypto_lsp.frontend.values import FunctionValue, KernelRef, ModuleRef, Namespace, OpaqueValue, ProgramRef
from pypto_lsp.syntax import nodes as syntax

if TYPE_CHECKING:
    from pypto_lsp.syntax import SyntaxTree

Read = Callable[[str], "SyntaxTree | None"]

#: environment variables that are always set, to values that are not known
USUAL_VARIABLES = ("HOME", "PATH", "USER", "PWD", "SHELL", "LANG", "TMPDIR", "HOSTNAME")
#: how many results are kept per module, and how deep imports are followed
_OUTCOME_LIMIT = 8
_IMPORT_DEPTH = 16
#: how much of the nesting that an evaluation may have one import in progress takes
_IMPORT_COST = 6
#: how deep folders without ``__init__.py`` are followed by attributes
_PACKAGE_DEPTH = 3
_STANDARD = sys.stdlib_module_names


@dataclass(frozen=True, slots=True)
class State:
    """A module in a run: the environment it was evaluated to and the names that others have set in it since."""

    base: ModuleEnvironment
    patches: tuple[tuple[str, Any], ...]

    def same(self, other: State | None) -> bool:
        if other is None or self.base is not other.base or len(self.patches) != len(other.patches):
            return False
        if all(name == theirs and value is its for (name, value), (theirs, its) in zip(self.patches, other.patches)):
            return True
        return _frozen(self.patches) == _frozen(other.patches)


def _frozen(patches: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    return {name: freeze(value, name) for name, value in patches}


def _state(env: ModuleEnvironment | None) -> State | None:
    return None if env is None else State(env.base, tuple(env.patches.items()))


@dataclass(slots=True)
class Outcome:
    """What evaluating a module gave, and all that it depended on.

    ``trees`` are the files looked at (None where there was none), ``before`` the modules among them that the run had already,
    ``after`` those at the end; ``variables`` the environment variables read, ``exported`` those set.
    """

    env: ModuleEnvironment
    script_folder: str
    trees: dict[str, SyntaxTree | None]
    before: dict[str, State]
    after: dict[str, State]
    variables: dict[str, Any]
    exported: dict[str, Any]
    shallow: bool


class _Recorder:
    """What the evaluation of one module looks at."""

    __slots__ = ("cyclic", "exported", "shallow", "trees", "variables")

    def __init__(self) -> None:
        self.trees: dict[str, SyntaxTree | None] = {}
        self.variables: dict[str, Any] = {}
        self.exported: dict[str, Any] = {}
        #: a module was seen unfinished
        self.cyclic = False
        #: a module was left out because too many imports were in progress
        self.shallow = False

    def include(self, inner: _Recorder | Outcome) -> None:
        self.trees.update(inner.trees)
        self.shallow = self.shallow or inner.shallow
        for name, value in inner.variables.items():
            if name not in self.exported:
                self.variables.setdefault(name, value)
        self.exported.update(inner.exported)


class ModuleLoader:
    """Evaluates modules of the workspace and keeps the results as long as the texts stay the same.

    ``read`` gives the syntax tree of a file, None where there is none; ``roots`` are the folders of the workspace, which are
    searched for imports after the folder of the importing file and its parents. One loader serves for good: each call looks
    whether the trees it depends on are still the same objects. ``bare_command_line`` says that scripts run without options;
    otherwise nothing is known of ``sys.argv``.
    """

    def __init__(self, read: Read, roots: Sequence[str] = (), *, bare_command_line: bool = True) -> None:
        self._read = read
        self.roots = tuple(os.path.normpath(root) for root in roots)
        self.bare_command_line = bare_command_line
        self._outcomes: dict[str, list[Outcome]] = {}
        self._deepened: set[str] = set()
        #: the scripts that are running, each one started by an import of the one before
        self.running: list[str] = []

    def overlaid(self, read: Read) -> ModuleLoader:
        """A loader over other texts that begins with the results known here; they count where the trees are the same."""
        other = ModuleLoader(read, self.roots, bare_command_line=self.bare_command_line)
        other._outcomes = {path: list(kept) for path, kept in self._outcomes.items()}
        return other

    def forget(self, paths: Collection[str]) -> None:
        """Drop the results for files, to save memory. What others need of them stays."""
        for path in paths:
            self._outcomes.pop(path, None)
        needed: dict[Run, set[str]] = {}
        for kept in self._outcomes.values():
            kept[:] = [outcome for outcome in kept if outcome.trees.keys().isdisjoint(paths)]
            for outcome in kept:
                needed.setdefault(outcome.env.run, set()).update(outcome.trees)
        for run, files in needed.items():
            run.forget(paths, files)

    def load(self, path: str) -> ModuleEnvironment | None:
        """The environment of a file that is run as a script; None when there is no such file."""
        outermost = not self._deepened
        self._deepened.add(path)
        try:
            outcome = self._settled(path)
        finally:
            if outermost:
                self._deepened.clear()
        if outermost and outcome is not None and outcome.shallow:  # as deep as it gets: a cycle of very many modules
            self.keep(path, outcome)
        return None if outcome is None else outcome.env

    def _settled(self, path: str) -> Outcome | None:
        """The outcome of a file when all that it imports has been evaluated as far as possible."""
        while True:
            session = _Session(self._read)
            outcome = self.standalone(path, session)
            # a chain of imports that is too deep to follow is evaluated from its far end
            deeper = [each for each in dict.fromkeys(session.too_deep) if each not in self._deepened]
            if not deeper:
                return outcome
            for each in deeper:
                self.load(each)

    def standalone(self, path: str, session: _Session, *, new: bool = True) -> Outcome | None:
        """The outcome of running a file by itself; without ``new`` only one that is known already."""
        for outcome in self._outcomes.get(path, ()):
            if outcome.env.run.script == path and session.holds(outcome):
                outcome.env.run.session = session
                return outcome
        if path in self.running or not new:
            return None
        self.running.append(path)
        try:
            return Run(self, path, session).execute_script()
        finally:
            self.running.pop()

    def known(self, path: str, run: Run) -> Outcome | None:
        """An outcome that holds for a module imported in a run."""
        for outcome in self._outcomes.get(path, ()):
            if outcome.script_folder == run.folder and run.session.holds(outcome) and run.agrees(outcome):
                return outcome
        return None

    def keep(self, path: str, outcome: Outcome) -> None:
        """Keep an outcome for others; those of texts that are no longer the same are of no use any more."""
        trees = outcome.trees
        known = self._outcomes.get(path, ())
        alike = [each for each in known if all(trees.get(file, tree) is tree for file, tree in each.trees.items())]
        self._outcomes[path] = [outcome, *alike][:_OUTCOME_LIMIT]


class _Session:
    """The texts as they are at one time."""

    __slots__ = ("_checked", "_read", "_trees", "too_deep")

    def __init__(self, read: Read) -> None:
        self._read = read
        #: modules that were not evaluated because too many imports were in progress
        self.too_deep: list[str] = []
        self._trees: dict[str, SyntaxTree | None] = {}
        #: outcomes that hold, by identity
        self._checked: dict[int, Outcome] = {}

    def without(self, paths: Collection[str]) -> _Session:
        """This one, or if it knows any of these files one that knows none."""
        return self if self._trees.keys().isdisjoint(paths) else _Session(self._read)

    def tree(self, path: str) -> SyntaxTree | None:
        if path not in self._trees:
            self._trees[path] = self._read(path)
        return self._trees[path]

    def holds(self, outcome: Outcome) -> bool:
        """Whether all files an outcome depends on are unchanged."""
        if id(outcome) in self._checked:
            return True
        holds = all(self.tree(path) is tree for path, tree in outcome.trees.items())
        if holds:  # another one is not kept alive: its run would hold the one of before, and so on
            self._checked[id(outcome)] = outcome
        return holds


class Run:
    """One program run: the modules loaded so far, the command line and the environment variables."""

    def __init__(self, loader: ModuleLoader, script: str, session: _Session) -> None:
        self.loader = loader
        self.session = session
        self.script = script
        self.folder = os.path.dirname(script)
        self.loaded: dict[str, ModuleEnvironment] = {}
        self.argv = ListObject([script] if loader.bare_command_line else None)
        self._outcome_trees: dict[str, SyntaxTree | None] = {}
        self.environ = EnvironObject({name: OpaqueValue(f"environ:{name}") for name in USUAL_VARIABLES})
        self._recorders: list[_Recorder] = []
        #: only what others took from this run is of use
        self._over = False

    def forget(self, paths: Collection[str], needed: Collection[str]) -> None:
        """Drop what this holds of files. When the script is one of them, only the modules ``needed`` still count."""
        self.session = self.session.without(paths)
        self._over = self._over or self.script in paths
        if self._over:
            self.loaded = {path: env for path, env in self.loaded.items() if path in needed}
            self._outcome_trees = {}

    # --- loading -----------------------------------------------------------------------------------------------------

    def execute_script(self) -> Outcome | None:
        tree = self.session.tree(self.script)
        if tree is None:
            return None
        outcome = self._execute(self.script, tree)
        self._outcome_trees = outcome.trees
        return outcome

    def load(self, path: str) -> ModuleEnvironment | None:
        """The environment of an imported file; of one that is still running, what it has so far."""
        tree = self._look_at(path)
        if tree is None:
            return None
        env = self.loaded.get(path)
        if env is not None:
            if not env.finished:
                self._note_cycle(path)
            return env
        outcome = self._shared(path)
        if outcome is None:
            if self.depth() > _IMPORT_DEPTH:
                self._note_too_deep(path)
                return None
            outcome = self._execute(path, tree)
        if self._recorders:
            self._recorders[-1].include(outcome)
        else:
            self._outcome_trees.update(outcome.trees)
        return self.loaded[path]

    def depth(self) -> int:
        """How many imports are in progress."""
        return len(self.loader.running) + len(self._recorders)

    def _shared(self, path: str) -> Outcome | None:
        """A result from another run, if nothing that it depends on is different here."""
        outcome = self.loader.known(path, self)
        if outcome is None and os.path.dirname(path) == self.folder:
            alone = self.loader.standalone(path, self.session, new=self.depth() <= _IMPORT_DEPTH)
            outcome = alone if alone is not None and self.agrees(alone) else None
        if outcome is not None:
            self._adopt(outcome)
        return outcome

    def agrees(self, outcome: Outcome) -> bool:
        """Whether the run is, for all that an outcome depends on, as it was when that came about."""
        if any(
            self.environ.items is None or self.environ.items.get(name, MISSING) != value
            for name, value in outcome.variables.items()
        ):
            return False
        for path in outcome.trees:
            mine, theirs = _state(self.loaded.get(path)), outcome.before.get(path)
            if mine is None and theirs is None:
                continue
            if mine is None or not mine.same(theirs or _untouched(outcome.after.get(path))):
                return False
        return True

    def _adopt(self, outcome: Outcome) -> None:
        for path, state in outcome.after.items():
            if not state.same(_state(self.loaded.get(path))):
                self.loaded[path] = _patched(state)
        if self.environ.items is not None:
            self.environ.items.update(outcome.exported)

    def _execute(self, path: str, tree: SyntaxTree) -> Outcome:
        recorder = _Recorder()
        recorder.trees[path] = tree
        before = {known: state for known, env in self.loaded.items() if (state := _state(env)) is not None}
        self._recorders.append(recorder)
        env = ModuleEnvironment(path, self._module_name(path), tree)
        env.run = self
        self.loaded[path] = env
        try:
            machine = Machine(self, env, MODULE_STEPS)
            machine.depth = _IMPORT_COST * self.depth()
            run_module(machine, env)
        finally:
            self._recorders.pop()
        env.finished = True
        env.kernels = machine.kernels
        for node, made in machine.risky_kernels.items():
            env.kernels.setdefault(node, []).extend(made)
        for value in env.raw_values.values():
            seal(value)
        outcome = self._outcome(self.loaded[path], recorder, before)
        if not recorder.cyclic and not recorder.shallow:
            self.loader.keep(path, outcome)
        return outcome

    def _outcome(self, env: ModuleEnvironment, recorder: _Recorder, before: dict[str, State]) -> Outcome:
        after = {known: state for known in recorder.trees if (state := _state(self.loaded.get(known))) is not None}
        return Outcome(
            env.base,
            self.folder,
            recorder.trees,
            {known: state for known, state in before.items() if known in recorder.trees},
            after,
            recorder.variables,
            recorder.exported,
            recorder.shallow,
        )

    def _module_name(self, path: str) -> str:
        name = os.path.basename(path).removesuffix(".py")
        return os.path.basename(os.path.dirname(path)) if name == "__init__" else name

    def _look_at(self, path: str) -> SyntaxTree | None:
        tree = self.session.tree(path)
        # a look after the run (an import in a function that is evaluated later) counts for the script
        trees = self._recorders[-1].trees if self._recorders else self._outcome_trees
        trees[path] = tree
        return tree

    def _note_too_deep(self, path: str) -> None:
        self.session.too_deep.append(path)
        for recorder in self._recorders:
            recorder.shallow = True

    def _note_cycle(self, path: str) -> None:
        """All that runs since the module in question began saw it unfinished: good for this run only."""
        for recorder in reversed(self._recorders):
            if recorder.trees and next(iter(recorder.trees)) == path:
                break
            recorder.cyclic = True

    # --- finding -----------------------------------------------------------------------------------------------------

    def _find(self, dotted: str, importer: ModuleEnvironment) -> str | None:
        """The file of an absolute import, None when it is none of the workspace."""
        top = dotted.split(".")[0]
        if top in ("pypto", "sys", "builtins"):
            return None
        folder = os.path.dirname(importer.path)
        places = [folder] if top in _STANDARD else self._search_path(folder)
        for place in places:
            found = self._file(os.path.join(place, *dotted.split(".")))
            if found is not None:
                return found
        return None

    def _search_path(self, folder: str) -> list[str]:
        places = [folder, self.folder]
        for root in self.loader.roots:
            if folder == root or folder.startswith(root.rstrip("/") + "/"):
                parent = folder
                while parent != root and len(parent) > len(root):
                    parent = os.path.dirname(parent)
                    places.append(parent)
        places.extend(self.loader.roots)
        return list(dict.fromkeys(places))

    def _file(self, stem: str) -> str | None:
        for candidate in (f"{stem}.py", os.path.join(stem, "__init__.py")):
            if self._look_at(candidate) is not None:
                return candidate
        return None

    # --- import statements -------------------------------------------------------------------------------------------

    def import_module(self, m: Machine, dotted: str, importer: ModuleEnvironment, whole: bool) -> Any:
        """The value that ``import a.b.c`` binds: the module itself with ``as`` (``whole``), else its topmost package."""
        found = self._find(dotted, importer)
        top = dotted.split(".")[0]
        if found is None:
            if top not in _STANDARD and top != "pypto":
                m.doubts += 1
            return external_member(m, dotted if whole else top)
        self._load_with_packages(dotted, found)
        if whole or "." not in dotted:
            return ModuleRef(dotted, found)
        return self._topmost(dotted, found)

    def _topmost(self, dotted: str, found: str) -> Any:
        stem = _stem(found)
        for _ in range(dotted.count(".")):
            stem = os.path.dirname(stem)
        top = dotted.split(".")[0]
        package = os.path.join(stem, "__init__.py")
        return Package(top, (stem,)) if self._look_at(package) is None else ModuleRef(top, package)

    def _load_with_packages(self, dotted: str, found: str) -> None:
        """Run a module, and the packages around it first."""
        stem = _stem(found)
        packages = []
        for _ in range(dotted.count(".")):
            stem = os.path.dirname(stem)
            packages.append(os.path.join(stem, "__init__.py"))
        for package in reversed(packages):
            self.load(package)
        self.load(found)

    def import_source(self, m: Machine, dotted: str, level: int, importer: ModuleEnvironment) -> Any:
        """The module that a ``from`` import takes names from: a ModuleRef, a Package, an External or a Namespace."""
        folder = os.path.dirname(importer.path)
        if level == 0:
            found = self._find(dotted, importer)
            if found is None:
                return self._elsewhere(m, dotted, folder)
            self._load_with_packages(dotted, found)
            return ModuleRef(dotted, found)
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        stem = os.path.join(folder, *dotted.split(".")) if dotted else folder
        name = dotted or os.path.basename(folder)
        found = self._file(stem)
        if found is None:
            return Package(name, (stem,))
        self.load(found)
        return ModuleRef(name, found)

    def _elsewhere(self, m: Machine, dotted: str, folder: str) -> Any:
        """A module outside the workspace, or a folder without ``__init__.py`` in it."""
        known = external_member(m, dotted)
        if isinstance(known, Namespace) or dotted.split(".")[0] in (*_STANDARD, "pypto"):
            return known
        return Package(dotted, tuple(os.path.join(place, *dotted.split(".")) for place in self._search_path(folder)))

    def imported_name(self, m: Machine, source: Any, name: str) -> Any:
        """``from source import name``."""
        value = attribute(m, source, name)
        return m.opaque() if value is UNKNOWN else value

    def import_star(self, m: Machine, source: Any, scope: Environment, node: syntax.ImportFrom) -> None:
        env = self.loaded.get(source.path) if isinstance(source, ModuleRef) else None
        if env is None or env.foreign_names:
            scope.module.foreign_names = True
        if env is None or env.unknown_star:
            scope.module.unknown_star = True
        if env is None:
            return
        listed = env.raw_values.get("__all__")
        if isinstance(listed, ListObject | tuple):
            wanted = listed.items if isinstance(listed, ListObject) else listed
            names = [name for name in wanted or () if isinstance(name, str)]
        else:
            names = [name for name in env.raw_values if not name.startswith("_")]
        for name in names:
            m.bind(scope, name, self.module_member(m, source, name), node)

    def module_member(self, m: Machine, source: ModuleRef, name: str) -> Any:
        """``module.name``: a name of the module, else a module in the package."""
        env = self.loaded.get(source.path)
        value = MISSING if env is None else env.raw_values.get(name, MISSING)
        if value is not MISSING:
            return value
        if os.path.basename(source.path) == "__init__.py":
            inner = self._inner_module(source.name, os.path.dirname(source.path), name)
            if inner is not None:
                return inner
        m.doubts += 1
        return OpaqueValue(f"{source.path}:{name}")

    def package_member(self, m: Machine, source: Package, name: str) -> Any:
        """A module in a folder without ``__init__.py``, or again such a folder, or something outside the workspace."""
        for stem in source.stems:
            inner = self._inner_module(source.name, stem, name)
            if inner is not None:
                return inner
        m.doubts += 1
        if source.name.count(".") >= _PACKAGE_DEPTH:
            return External(f"{source.name}.{name}")
        return Package(f"{source.name}.{name}", tuple(os.path.join(stem, name) for stem in source.stems))

    def _inner_module(self, package: str, folder: str, name: str) -> ModuleRef | None:
        found = self._file(os.path.join(folder, name))
        if found is None:
            return None
        self.load(found)
        return ModuleRef(f"{package}.{name}", found)

    # --- what modules do to each other and to the process ------------------------------------------------------------

    def patch(self, m: Machine, target: ModuleRef, name: str, value: Any, node: syntax.Node) -> None:
        """``module.name = value`` by another module."""
        env = self.loaded.get(target.path)
        if env is None:
            return
        if env.finished and env.base is env:
            env = self.loaded[target.path] = _patched(State(env, ()))
        if env.finished:
            m.write(env.patches, name, value)
        env.bound_at[name] = node
        m.write(env.raw_values, name, value)

    def spoil(self, m: Machine, target: Any) -> None:
        """Something that a finished module holds is changed in place: what holds it is not known any more in this run."""
        for path, env in list(self.loaded.items()):
            for name, value in list(env.raw_values.items()):
                if _holds(value, target, 0):
                    node = env.bound_at.get(name)
                    lost = OpaqueValue(f"{path}:{name}")
                    if env.finished and node is not None:
                        self.patch(m, ModuleRef("", path), name, lost, node)
                    else:
                        m.write(env.raw_values, name, lost)

    def shared_containers(self) -> set[int]:
        """The tables that outlive an evaluation, by identity: names of modules, environment variables, the command line."""
        tables: list[Any] = [self.environ, self.argv]
        for env in self.loaded.values():
            tables += (env.raw_values, env.patches)
        return {id(table) for table in tables}

    def note_environ(self, key: Any) -> None:
        """An environment variable is read."""
        if self._recorders and isinstance(key, str) and self.environ.items is not None:
            recorder = self._recorders[-1]
            if key not in recorder.exported:
                recorder.variables.setdefault(key, self.environ.items.get(key, MISSING))

    def note_export(self, key: Any, value: Any) -> None:
        """An environment variable is set."""
        if self._recorders and isinstance(key, str):
            self._recorders[-1].exported[key] = value


def _stem(path: str) -> str:
    """The path of a module without its ending, that of a package without ``__init__.py``."""
    folder, name = os.path.split(path)
    return folder if name == "__init__.py" else path.removesuffix(".py")


def _holds(value: Any, target: Any, depth: int) -> bool:
    if value is target:
        return True
    if depth > 4:
        return False
    if isinstance(value, tuple):
        return any(_holds(item, target, depth + 1) for item in value)
    if isinstance(value, ListObject | SetObject):
        return any(_holds(item, target, depth + 1) for item in value.items or ())
    if isinstance(value, DictObject):
        return any(_holds(item, target, depth + 1) for item in (value.items or {}).values())
    if isinstance(value, Object):
        return any(_holds(item, target, depth + 1) for item in (value.fields or {}).values())
    return False


def _untouched(state: State | None) -> State | None:
    return None if state is None else State(state.base, ())


def _patched(state: State) -> ModuleEnvironment:
    """An environment for a run in which other modules have set names of this one."""
    base = state.base
    if not state.patches and base.finished is False:
        return base
    env = ModuleEnvironment(base.path, base.name, base.tree)
    env.run, env.base, env.finished = base.run, base, base.finished
    env.history, env.kernels = base.history, base.kernels
    env.unknown_star, env.foreign_names = base.unknown_star, base.foreign_names
    env.raw_values = {name: _moved(value, base, env) for name, value in base.raw_values.items()}
    env.bound_at = dict(base.bound_at)
    env.patches = dict(state.patches)
    env.raw_values.update(env.patches)
    return env


def _moved(value: Any, base: ModuleEnvironment, env: ModuleEnvironment) -> Any:
    """A definition of a module, for the module as it is in another run."""
    if isinstance(value, FunctionValue) and value.env is base:
        return FunctionValue(value.node, env, value.defaults)
    if isinstance(value, KernelRef) and value.env is base:
        return KernelRef(value.node, value.flavour, value.decorator, env)
    if isinstance(value, ProgramRef) and value.env is base:
        return ProgramRef(value.node, value.decorator, env)
    return value
