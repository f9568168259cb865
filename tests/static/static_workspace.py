"""A workspace in memory for the tests of static evaluation."""

from __future__ import annotations

import textwrap
from typing import Any

from pypto_lsp.frontend.static import ModuleEnvironment, ModuleLoader, definitions
from pypto_lsp.frontend.values import Mapping, Sequence
from pypto_lsp.syntax import SyntaxTree, parse
from pypto_lsp.text import Source

ROOT = "/w"


class Files:
    """Texts by path below ``/w``; ``reads`` lists every file that was asked for."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.trees: dict[str, SyntaxTree] = {}
        self.reads: list[str] = []
        for name, text in texts.items():
            self.write(name, text)
        self.loader = ModuleLoader(self.read, [ROOT])

    def write(self, name: str, text: str) -> None:
        path = f"{ROOT}/{name}"
        text = textwrap.dedent(text)
        if path in self.trees:
            self.trees[path] = self.trees[path].replaced(text)
        else:
            self.trees[path] = parse(Source(path, text))

    def read(self, path: str) -> SyntaxTree | None:
        self.reads.append(path)
        return self.trees.get(path)

    def load(self, name: str) -> ModuleEnvironment:
        env = self.loader.load(f"{ROOT}/{name}")
        assert env is not None
        return env


def module(text: str, **others: str) -> ModuleEnvironment:
    """The environment of ``main.py``; other files by their module names."""
    return Files({"main.py": text, **{f"{name}.py": other for name, other in others.items()}}).load("main.py")


def plain(value: Any) -> Any:
    """A static value as Python has it, where it is a plain one."""
    if isinstance(value, Sequence):
        kinds: dict[str, Any] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset, "range": list}
        return kinds[value.kind](plain(item) for item in value.items)
    if isinstance(value, Mapping):
        return {plain(key): plain(item) for key, item in value.items}
    return value


def value(text: str, name: str = "X", **others: str) -> Any:
    return plain(module(text, **others).lookup(name))


def names(env: ModuleEnvironment) -> list[str]:
    return [found.node.name for found in definitions(env)]
