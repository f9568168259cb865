"""Lowering of files: the module loader over the texts of the workspace, and what a file's lowering depends on."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Mapping

from pypto_lsp.analysis.sources import Sources
from pypto_lsp.frontend.jit_graph import scan
from pypto_lsp.frontend.lowering_memo import LoweringMemo
from pypto_lsp.frontend.model import ModuleLowering
from pypto_lsp.frontend.static import ModuleEnvironment, ModuleLoader
from pypto_lsp.frontend.static_names import text_names
from pypto_lsp.frontend.units import lowering_steps
from pypto_lsp.syntax import SyntaxTree, parse
from pypto_lsp.text import Source


class _Unparsed(Exception):
    """A file is wanted that nobody has parsed yet."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class FrontEnd:
    """Lowers files. Modules are evaluated once as long as the texts that they depend on stay the same."""

    def __init__(self, sources: Sources, roots: tuple[str, ...]) -> None:
        self._sources = sources
        self._loader = ModuleLoader(self._read, roots)
        self.roots = roots
        #: file -> the files that its last lowering looked at, found or not
        self._looked_at: dict[str, tuple[str, ...]] = {}
        self._looking: set[str] = set()
        #: a file that is not parsed yet is not parsed on the spot
        self._patient = False
        #: what the last lowering of a document made, for the next one
        self._memos: dict[str, LoweringMemo] = {}

    def set_roots(self, roots: tuple[str, ...]) -> None:
        self.roots = roots
        self._loader = ModuleLoader(self._read, roots)
        self._looked_at.clear()
        self._memos.clear()

    def with_texts(self, texts: Mapping[str, str]) -> FrontEnd:
        """A front end that sees other texts in place of some files' own."""
        trees = {path: parse(Source(path, text)) for path, text in texts.items()}
        other = FrontEnd(self._sources, self.roots)
        other._loader = self._loader.overlaid(lambda path: trees.get(path) or self._sources.find(path))
        return other

    def module(self, path: str) -> ModuleEnvironment | None:
        """The names of a file after it has run, None when it cannot be read."""
        return self._loader.load(path)

    def lower(self, path: str) -> Generator[None, None, ModuleLowering]:
        """All units of a file, in steps."""
        looked_at: set[str] = set()
        told = -1
        steps = self._lowered(path)
        while True:
            self._looking = looked_at  # between two steps another file may be lowered
            try:
                next(steps)
            except StopIteration as done:
                self._looked_at[path] = tuple(sorted(looked_at - {path}))
                return done.value
            finally:
                if len(looked_at) != told:
                    told = len(looked_at)
                    # another run over the file may have looked at more, and this one may be given up
                    self._looked_at[path] = tuple(sorted({*self._looked_at.get(path, ()), *looked_at} - {path}))
            yield

    def _lowered(self, path: str) -> Generator[None, None, ModuleLowering]:
        env = yield from self._loaded(path)
        yield
        if env is None:
            return ModuleLowering([], [])
        return (yield from lowering_steps(env, self._memo(path)))

    def _loaded(self, path: str) -> Generator[None, None, ModuleEnvironment | None]:
        """The names of a file after it has run. Each file that is met unparsed is parsed in steps, then the run begins again:
        that costs little, as modules that were finished are not evaluated anew and imports stand at the top of others."""
        while True:
            self._patient = True
            try:
                return self._loader.load(path)
            except _Unparsed as unparsed:
                wanted = unparsed.path
            finally:
                self._patient = False
            yield from self._sources.parsing(wanted)

    def inputs(self, path: str) -> tuple[object, ...]:
        """The contents that a file's lowering depends on: its own and, once it was lowered, those it looked at."""
        token = self._sources.token
        looked_at = self._looked_at.get(path)
        others = None if looked_at is None else tuple((other, token(other)) for other in looked_at)
        return (token(path), others, self.roots)

    def looked_at(self, path: str) -> tuple[str, ...] | None:
        """The other files that a file's lowering looked at, found or not; None when it was not lowered."""
        return self._looked_at.get(path)

    def dependents(self, path: str) -> set[str]:
        """The files whose lowering looked at a file."""
        return {file for file, looked_at in self._looked_at.items() if path in looked_at}

    def assume(self, path: str, looked_at: Iterable[str]) -> None:
        """Take another run's word for what a file's lowering looks at."""
        self._looked_at[path] = tuple(sorted(looked_at))

    def rest(self, path: str) -> None:
        """Drop what a document's next edit alone would need, to save memory."""
        memo = self._memos.get(path)
        if memo is not None:
            memo.rest()

    def drop_memo(self, path: str) -> None:
        """Drop all that the last lowering of a document made; the next one makes it anew."""
        self._memos.pop(path, None)

    def forget(self, paths: Collection[str]) -> None:
        """Drop what is kept of files that are not open, to save memory."""
        self._loader.forget(paths)
        scan.cache_clear()
        text_names.cache_clear()

    def _memo(self, path: str) -> LoweringMemo | None:
        """A memo for a document; a file that is not open is rarely lowered twice."""
        if self._sources.document(path) is None:
            self._memos.pop(path, None)
            return None
        return self._memos.setdefault(path, LoweringMemo())

    def _read(self, path: str) -> SyntaxTree | None:
        self._looking.add(path)
        if self._patient and not self._sources.is_parsed(path):
            raise _Unparsed(path)
        return self._sources.find(path)
