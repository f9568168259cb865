"""Which parsed files on disk may be dropped when memory is to be saved."""

from __future__ import annotations

from collections.abc import Iterable

from pypto_lsp.analysis.sources import Sources


class SpareFiles:
    """Knows when the files on disk were needed last. Of the files that one analysis needed, none is dropped before those that
    were needed by an earlier one only: what a file was evaluated to refers to the trees of all that it imports."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._count = 0
        #: file -> the number of the last analysis that needed it
        self._last_use: dict[str, int] = {}

    def used(self, paths: Iterable[str]) -> None:
        """An analysis needed these files."""
        self._count += 1
        self._last_use.update(dict.fromkeys(paths, self._count))

    def stale(self, needed: set[str], limit: int) -> dict[str, int]:
        """The files to drop, with their lengths, so that those parsed that are not ``needed`` have at most ``limit`` characters;
        those of the last analysis stay in any case."""
        sizes = {path: size for path, size in self._sources.parsed_files() if path not in needed}
        total, found = sum(sizes.values()), dict[str, int]()
        by_age: dict[int, list[str]] = {}
        for path in sizes:
            by_age.setdefault(self._last_use.get(path, 0), []).append(path)
        for age in sorted(by_age):
            if total <= limit or age == self._count:
                break
            found.update((path, sizes[path]) for path in by_age[age])
            total -= sum(sizes[path] for path in by_age[age])
        for path in found:
            self._last_use.pop(path, None)
        return found
