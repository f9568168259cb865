"""Findings of whole files on disk, so that a second start need not find them again.

An entry is named by a digest of the question: the file's path and text, the roots, the settings, and this program itself
(version, its own sources, Python, LibCST). It holds the answer with the digests of all other files that were read for it, or
looked for in vain; it counts only while every one of them is as it was then.

Entries are JSON behind a checksum: nothing in them is run, names a class or is trusted to be well formed. What is damaged, of
another form or out of date is a miss and is removed. Writers take no locks: an entry appears whole, by a rename, and two
writers of the same entry write the same.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import logging
import os
import stat
import sys
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pypto_lsp import __version__
from pypto_lsp.analysis.digests import SIZE, digest
from pypto_lsp.analysis.portable import BadForm, Portable, from_plain, to_plain

_LOG = logging.getLogger(__name__)

#: the environment variable that names the folder, or is ``off``
VARIABLE = "PYPTO_LSP_CACHE"
#: what all entries together may take, and what is left of them when they took more (bytes)
SIZE_LIMIT, SIZE_AFTER = 128 * 1024 * 1024, 96 * 1024 * 1024
#: an entry that unpacks to more is none of ours (bytes)
_ENTRY_LIMIT = 32 * 1024 * 1024
_MAGIC = b"pypto-lsp report 1\n"


@cache
def _program() -> str:
    """Stands for everything that an answer depends on besides texts and settings: the code that finds it."""
    whole = hashlib.blake2b()
    whole.update(repr((__version__, sys.version_info[:3], importlib.metadata.version("libcst"))).encode())
    package = Path(__file__).parents[1]
    for path in sorted(package.rglob("*.py")):
        whole.update(f"\0{path.relative_to(package).as_posix()}\0".encode())
        whole.update(path.read_bytes())
    return whole.hexdigest()


@dataclass(frozen=True, slots=True)
class Entry:
    """The findings of a file with what was read for them: path -> digest of its text, None where there was no file."""

    read: dict[str, str | None]
    findings: tuple[Portable, ...]


class ReportCache:
    """Entries in a folder. No method raises; what cannot be read or written is not there."""

    def __init__(self, folder: Path, limit: int = SIZE_LIMIT) -> None:
        self.folder = folder
        self._limit = limit
        self._written = 0

    @staticmethod
    def key(path: str, text: str, roots: Sequence[str], settings: str) -> str:
        """The name of the entry for a file with this text."""
        question = [_program(), path, text, list(roots), settings]
        return digest(json.dumps(question, ensure_ascii=True).encode())

    # --- entries -----------------------------------------------------------------------------------------------------

    def get(self, key: str) -> Entry | None:
        """The entry of this name, if it is whole. Whether it is up to date is the caller's question."""
        path = self._path(key)
        try:
            with open(path, "rb") as file:
                data = file.read(_ENTRY_LIMIT)
        except OSError:
            return None
        try:
            return _decoded(key, data)
        except BadForm as fault:
            _LOG.info("the cache entry %s is damaged (%s) and was removed", path, fault)
            self.drop(key)
            return None

    def put(self, key: str, read: Mapping[str, str | None], findings: Sequence[Portable]) -> None:
        """Write an entry, in place of one of that name."""
        path = self._path(key)
        data = _encoded(key, Entry(dict(read), tuple(findings)))
        try:
            self._prepare(path.parent)
            handle, temporary = tempfile.mkstemp(prefix="new-", dir=path.parent)
            try:
                with open(handle, "wb") as file:
                    file.write(data)
                os.replace(temporary, path)
            except BaseException:
                _remove(Path(temporary))
                raise
        except OSError as fault:
            _LOG.info("nothing is kept in the cache: %s", fault)
            return
        if self._written <= 0:
            self._written = self._limit // 16
            self.trim()
        self._written -= len(data)

    def drop(self, key: str) -> None:
        """Remove an entry that is damaged or out of date."""
        _remove(self._path(key))

    def touch(self, key: str) -> None:
        """An entry was of use: it goes later than others when there are too many."""
        try:
            os.utime(self._path(key))
        except OSError:  # it is gone, or not ours to change; it was of use all the same
            return

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key[2:]

    def _prepare(self, folder: Path) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)

    # --- all of them -------------------------------------------------------------------------------------------------

    def entries(self) -> list[tuple[float, int, Path]]:
        """All files with the time of their last use and their size, the oldest first."""
        found = []
        for path in self.folder.glob("??/*"):
            try:
                status = path.lstat()
            except OSError:  # another process removed it
                continue
            if stat.S_ISREG(status.st_mode):
                found.append((status.st_mtime, status.st_size, path))
        return sorted(found)

    def trim(self) -> None:
        """Remove the entries that were of no use for longest, where there are too many."""
        entries = self.entries()
        size = sum(entry[1] for entry in entries)
        if size <= self._limit:
            return
        wanted = self._limit * SIZE_AFTER // SIZE_LIMIT
        for _, own, path in entries:
            if size <= wanted:
                return
            _remove(path)
            size -= own

    def clear(self) -> int:
        """Remove all entries; gives their number."""
        entries = self.entries()
        for _, _, path in entries:
            _remove(path)
        return len(entries)


def default_cache() -> ReportCache | None:
    """The user's cache: in the folder that the environment variable names, else where the platform keeps such things; None
    where it is switched off, or where others may write to it."""
    named = os.environ.get(VARIABLE, "").strip()
    if named.lower() in ("off", "0", "false", "no"):
        return None
    from platformdirs import user_cache_path

    folder = Path(named) if named else user_cache_path("pypto-lsp", appauthor=False)
    cache = ReportCache(folder / "reports")
    return cache if _is_private(cache.folder) else None


def _is_private(folder: Path) -> bool:
    """Whether nobody else can write to a folder, or it is not there yet."""
    if not hasattr(os, "getuid"):
        return True  # folders below a user's profile are his own
    try:
        status = folder.stat()
    except OSError:
        return True
    if status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return True
    _LOG.warning("the cache is not used: others may write to %s", folder)
    return False


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError:  # gone already, or not ours to remove; either way there is nothing to do
        return


# --- the form of an entry --------------------------------------------------------------------------------------------


def _encoded(key: str, entry: Entry) -> bytes:
    content = {"key": key, "read": entry.read, "findings": [to_plain(finding) for finding in entry.findings]}
    packed = zlib.compress(json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode(), 1)
    return _MAGIC + digest(packed).encode() + b"\n" + packed


def _decoded(key: str, data: bytes) -> Entry:
    """The entry of its bytes. Raises :class:`~pypto_lsp.analysis.portable.BadForm`."""
    head = len(_MAGIC) + 2 * SIZE + 1
    packed = data[head:]
    if data[:head] != _MAGIC + digest(packed).encode() + b"\n":
        raise BadForm("checksum")
    try:
        inflater = zlib.decompressobj()
        content = json.loads(inflater.decompress(packed, _ENTRY_LIMIT))
        if inflater.unconsumed_tail:
            raise BadForm("size")
    except (zlib.error, ValueError, RecursionError):
        raise BadForm("encoding") from None
    if not isinstance(content, dict) or content.get("key") != key:
        raise BadForm("key")
    read, findings = content.get("read"), content.get("findings")
    if not isinstance(read, dict) or not isinstance(findings, list):
        raise BadForm("fields")
    if not all(value is None or isinstance(value, str) for value in read.values()):
        raise BadForm("digests")
    return Entry(read, tuple(from_plain(finding) for finding in findings))
