"""Reading source files: what is taken for a Python text and what is refused, and which files a folder holds."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from pathspec import GitIgnoreSpec

#: larger files are refused (bytes): the largest kernel files known have a tenth of that, and more would take minutes
SIZE_LIMIT = 2 * 1024 * 1024

#: folders that hold nothing an author writes
SKIPPED_FOLDERS = frozenset(
    {"venv", "node_modules", "__pycache__", "__pypackages__", "site-packages", "_build", "dist"}
)
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


class UnreadableFile(Exception):
    """A file that cannot be taken for a Python text. ``reason`` is a phrase without path."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def normal_path(path: str) -> str:
    """The absolute, normalised form under which the project knows a file; symbolic links are left as they are."""
    return os.path.normpath(os.path.abspath(path))


def decode(path: str, data: bytes) -> str:
    """The text of a file's bytes. Raises :class:`UnreadableFile` for a binary, an over-long or a non-UTF-8 file.

    A byte order mark is kept as a character, so that offsets stay those of the editor's text.
    """
    if len(data) > SIZE_LIMIT:
        raise UnreadableFile(path, f"larger than {SIZE_LIMIT // (1024 * 1024)} MB")
    if b"\0" in data:
        raise UnreadableFile(path, "a binary file, not text")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        declared = next((m[1].decode() for line in data.splitlines()[:2] if (m := _CODING.match(line))), None)
        hint = f" (it declares {declared})" if declared else ""
        raise UnreadableFile(path, f"not UTF-8 text: bad byte at offset {fault.start}{hint}") from None


def read_text(path: str) -> str:
    """The text of a file on disk. Raises :class:`UnreadableFile`, also when the file does not open."""
    try:
        with open(path, "rb") as file:
            data = file.read(SIZE_LIMIT + 1)
    except OSError as fault:
        raise UnreadableFile(path, (fault.strerror or str(fault)).lower()) from None
    return decode(path, data)


def python_files(folder: str) -> Iterator[str]:
    """All Python files below a folder, sorted, as absolute paths.

    Hidden folders, virtual environments, ``node_modules`` and build output are skipped, and whatever the ``.gitignore``
    files between the folder and its files leave out. Folders reached twice through links are walked once.
    """
    yield from _walk(normal_path(folder), [], set())


def _walk(folder: str, ignores: list[tuple[str, GitIgnoreSpec]], seen: set[tuple[int, int]]) -> Iterator[str]:
    try:
        status = os.stat(folder)
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:  # a folder that vanished or may not be read holds nothing for us
        return
    if (status.st_dev, status.st_ino) in seen:
        return
    seen.add((status.st_dev, status.st_ino))
    ignores = ignores + _gitignore(folder, entries)
    for entry in entries:
        is_folder = _is_folder(entry)
        if is_folder is None or entry.name.startswith(".") or _ignored(entry.path, is_folder, ignores):
            continue
        if is_folder:
            if entry.name not in SKIPPED_FOLDERS and not os.path.exists(os.path.join(entry.path, "pyvenv.cfg")):
                yield from _walk(entry.path, ignores, seen)
        elif entry.name.endswith(".py"):
            yield entry.path


def _is_folder(entry: os.DirEntry[str]) -> bool | None:
    """None for what is neither folder nor regular file: a pipe, a device, a link in a circle or to nowhere."""
    try:
        return True if entry.is_dir() else False if entry.is_file() else None
    except OSError:  # links in a circle
        return None


def _gitignore(folder: str, entries: Iterable[os.DirEntry[str]]) -> list[tuple[str, GitIgnoreSpec]]:
    if not any(entry.name == ".gitignore" for entry in entries):
        return []
    try:
        with open(os.path.join(folder, ".gitignore"), encoding="utf-8", errors="replace") as file:
            return [(folder, GitIgnoreSpec.from_lines(file))]
    except (OSError, ValueError):  # an unreadable or malformed .gitignore ignores nothing
        return []


def _ignored(path: str, is_folder: bool, ignores: list[tuple[str, GitIgnoreSpec]]) -> bool:
    """The innermost ``.gitignore`` that says anything about the path decides."""
    for base, spec in reversed(ignores):
        relative = os.path.relpath(path, base).replace(os.sep, "/") + ("/" if is_folder else "")
        verdict = spec.check_file(relative).include
        if verdict is not None:
            return verdict
    return False
