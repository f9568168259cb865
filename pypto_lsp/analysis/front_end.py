"""Lowering of files: the module loader over the texts of the workspace, and what a file's lowering depends on."""

from __future__ import annotations

from collections.abc import Mapping

from pypto_lsp.analysis.sources import Sources
from pypto_lsp.frontend.model import ModuleLowering
from pypto_lsp.frontend.static import ModuleLoader
from pypto_lsp.frontend.static_scope import ModuleEnvironment
from pypto_lsp.frontend.units import lower_module
from pypto_lsp.syntax import SyntaxTree, parse
from pypto_lsp.text import Source


class FrontEnd:
    """Lowers files; modules are evaluated once as long as no text changes."""

    def __init__(self, sources: Sources, roots: tuple[str, ...]) -> None:
        self._sources = sources
        self.roots = roots
        self._loader: ModuleLoader | None = None
        self._revision = -1

    def set_roots(self, roots: tuple[str, ...]) -> None:
        self.roots = roots
        self._loader = None

    def loader(self) -> ModuleLoader:
        """The loader for the texts as they are now."""
        if self._loader is None or self._revision != self._sources.revision:
            self._loader = ModuleLoader(self._sources.find, self.roots)
            self._revision = self._sources.revision
        return self._loader

    def with_texts(self, texts: Mapping[str, str]) -> FrontEnd:
        """A front end that sees other texts in place of some files' own."""
        trees = {path: parse(Source(path, text)) for path, text in texts.items()}
        other = FrontEnd(self._sources, self.roots)
        other._loader = ModuleLoader(lambda path: trees.get(path) or self._sources.find(path), self.roots)
        other._revision = self._sources.revision
        return other

    def lower(self, path: str) -> ModuleLowering:
        env = self.loader().load(path)
        return lower_module(env) if env is not None else ModuleLowering([], [])

    def module(self, path: str) -> ModuleEnvironment | None:
        """The names of a file after it has run, None when it cannot be read."""
        return self.loader().load(path)

    def inputs(self, path: str, tree: SyntaxTree) -> tuple[object, ...]:
        return (tree, self._sources.revision, self.roots)
