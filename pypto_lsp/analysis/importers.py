"""Which files of the workspace import a file, as far as their import statements tell without being evaluated."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from pypto_lsp.analysis.files import UnreadableFile, python_files, read_text
from pypto_lsp.analysis.sources import Signature, Sources, signature

#: files of the workspace that are looked at; those of a larger workspace are looked at in part
_MAX_FILES = 500
_IMPORT = re.compile(r"^[ \t]*(?:from|import)\b[^\n(]*(?:\([^)]*\))?", re.MULTILINE)
_WORD = re.compile(r"\w+")


class Importers:
    """Looks into the files below some folders, each once as long as it stays the same."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        #: file on disk -> how it looked, and the words of its import statements
        self._known: dict[str, tuple[Signature, frozenset[str]]] = {}

    def of(self, path: str, roots: Iterable[str]) -> list[str]:
        """The files that import a file, or one of its name, in the order of their paths."""
        stem = os.path.splitext(os.path.basename(path))[0]
        name = os.path.basename(os.path.dirname(path)) if stem == "__init__" else stem
        return sorted(file for file in set(self._files(roots)) if file != path and name in self._imported(file))

    def _files(self, roots: Iterable[str]) -> Iterator[str]:
        yield from (document.path for document in self._sources.documents())
        yield from islice((file for root in roots for file in python_files(root)), _MAX_FILES)

    def _imported(self, file: str) -> frozenset[str]:
        document = self._sources.document(file)
        if document is not None:
            return _words(document.text)
        seen, known = signature(file), self._known.get(file)
        if known is None or known[0] != seen:
            try:
                words = _words(read_text(file))
            except UnreadableFile:  # it imports nothing that could be told
                words = frozenset()
            known = self._known[file] = (seen, words)
        return known[1]


def _words(text: str) -> frozenset[str]:
    return frozenset(word for statement in _IMPORT.findall(text) for word in _WORD.findall(statement))
