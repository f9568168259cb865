"""The texts that are analysed: documents open in an editor over files on disk, as syntax trees."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from weakref import WeakValueDictionary

from pypto_lsp.analysis.digests import digest
from pypto_lsp.analysis.files import SIZE_LIMIT, UnreadableFile, read_text
from pypto_lsp.syntax import SyntaxTree, parse, parse_stepwise
from pypto_lsp.text import Change, Edit, LineIndex, PositionEncoding, Source
from pypto_lsp.text.edits import apply_all

#: what a file on disk looks like from outside: modification time (ns), size, inode; None when there is none
Signature = tuple[int, int, int] | None


def signature(path: str) -> Signature:
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # ValueError: a name with a NUL character, which no file has
        return None
    return (status.st_mtime_ns, status.st_size, status.st_ino)


def _signature_of(path: str, text: str) -> Signature:
    """How a file looks, if it has a text."""
    seen = signature(path)
    try:
        return seen if seen is not None and read_text(path) == text else None
    except UnreadableFile:
        return None


class Document:
    """A text open in an editor. ``version`` is the client's number for it.

    Edits are taken at once; the tree follows when it is asked for, so that several edits in a row are parsed as one.
    """

    __slots__ = ("_edits", "_tree", "lines", "path", "saved_as", "version")

    def __init__(self, path: str, version: int, text: str, tree: SyntaxTree | None = None) -> None:
        self.path = path
        self.version = version
        #: the line index of the text as it is now
        self.lines = tree.source.lines if tree is not None else LineIndex(text)
        #: how the file looked that has the same text, as long as nothing was edited
        self.saved_as: Signature = None
        self._tree = tree
        self._edits: list[Edit] = []

    @property
    def text(self) -> str:
        return self.lines.text

    @property
    def too_long(self) -> bool:
        """Whether the text is longer than what is analysed."""
        return len(self.text) > SIZE_LIMIT

    @property
    def tree(self) -> SyntaxTree:
        """The syntax tree of the text as it is now."""
        edits, self._edits = self._edits, []
        if self._tree is None:
            self._tree = parse(Source(self.path, self.text))
        elif edits:
            edit = edits[0]
            if len(edits) == 1 and edit.old_end - edit.start < len(self._tree.source.text):
                self._tree = self._tree.edited(edit.text, edit.start, edit.old_end, edit.new_end)
            elif self._tree.source.text != self.text:
                self._tree = self._tree.replaced(self.text)
        return self._tree

    @property
    def is_parsed(self) -> bool:
        """Whether :attr:`tree` is at hand, but for what edits changed."""
        return self._tree is not None

    def speaks_of(self, source: Source) -> bool:
        """Whether places in a source are places in this document: it is the tree's own, or has the same text."""
        return (self._tree is not None and self._tree.source is source) or source.text == self.text

    def rest(self) -> None:
        """Drop the tree, to save memory."""
        self._tree = None
        self._edits.clear()

    def parsing(self) -> Generator[None, None, None]:
        """Make the first tree in steps; edits that come meanwhile follow when it is asked for."""
        if self._tree is not None:
            return
        self._edits.clear()
        tree = yield from parse_stepwise(Source(self.path, self.text))
        if self._tree is None:
            self._tree = tree

    def change(self, changes: Iterable[Change], encoding: PositionEncoding) -> None:
        """Apply changes in order; each speaks of the text that the one before it left."""
        for edit in apply_all(self.lines, changes, encoding):
            self.lines, self.saved_as = edit.lines, None
            self._edits.append(edit)


@dataclass(slots=True)
class _DiskFile:
    """A file as it was read: its text and, once somebody asked for it, its tree."""

    signature: Signature
    source: Source | UnreadableFile
    tree: SyntaxTree | None = None


class Sources:
    """All texts by path. A path is absolute and normalised, or the URI of a document that has no file."""

    def __init__(self) -> None:
        self._open: dict[str, Document] = {}
        self._disk: dict[str, _DiskFile] = {}
        self._read_before: WeakValueDictionary[str, Source] = WeakValueDictionary()
        #: files that are analysed themselves, not only read because others import them
        self.subjects: set[str] = set()
        self._digests: dict[str, tuple[Signature, str]] = {}

    # --- documents ---------------------------------------------------------------------------------------------

    def open(self, path: str, text: str, version: int) -> Document:
        """Take a text from the editor; from now on the file on disk does not matter."""
        known = self._disk.pop(path, None)
        if known is not None and known.tree is not None and not known.tree.plain and known.tree.source.text == text:
            document = Document(path, version, text, known.tree)
        else:
            document = Document(path, version, text)
        document.saved_as = _signature_of(path, text)
        self._open[path] = document
        return document

    def close(self, path: str) -> None:
        """The file on disk counts again."""
        document = self._open.pop(path, None)
        if document is None:
            return
        self._disk.pop(path, None)
        file = self._file(path)
        if document.is_parsed and isinstance(file.source, Source) and file.source.text == document.text:
            file.tree = document.tree
            file.source = file.tree.source

    def document(self, path: str) -> Document | None:
        return self._open.get(path)

    def documents(self) -> list[Document]:
        return list(self._open.values())

    def is_saved(self, path: str) -> bool:
        """Whether the text that is analysed is the one on disk; a byte order mark does not matter."""
        document = self._open.get(path)
        if document is None:
            return True
        try:
            return read_text(path).lstrip("\ufeff") == document.text.lstrip("\ufeff")
        except UnreadableFile:
            return False

    # --- texts -------------------------------------------------------------------------------------------------

    def text(self, path: str) -> str:
        """The text of a document or file. Raises :class:`UnreadableFile`."""
        document = self._open.get(path)
        if document is None:
            return self._source(path).text
        if document.too_long:
            raise UnreadableFile(path, f"larger than {SIZE_LIMIT // (1024 * 1024)} MB")
        return document.text

    def tree(self, path: str) -> SyntaxTree:
        """The syntax tree of a document or file. Raises :class:`UnreadableFile`."""
        self.text(path)
        document = self._open.get(path)
        if document is not None:
            return document.tree
        file = self._file(path)
        if file.tree is None:
            file.tree = parse(self._source(path), plain=path not in self.subjects)
        return file.tree

    def is_parsed(self, path: str) -> bool:
        """Whether :meth:`find` answers at once: there is a tree, or nothing to parse."""
        document = self._open.get(path)
        if document is not None:
            return document.is_parsed or document.too_long
        file = self._file(path)
        return file.tree is not None or isinstance(file.source, UnreadableFile)

    def parsing(self, path: str) -> Generator[None, None, None]:
        """Make the tree of a document or file in steps; the caller may do other things between two of them."""
        if self.is_parsed(path):
            return
        document = self._open.get(path)
        if document is not None:
            yield from document.parsing()
            return
        file = self._file(path)
        tree = yield from parse_stepwise(self._source(path), plain=path not in self.subjects)
        if file.tree is None:
            file.tree = tree

    def find(self, path: str) -> SyntaxTree | None:
        """The syntax tree of a document or file, None when there is none that can be read."""
        try:
            return self.tree(path)
        except UnreadableFile:
            return None

    def token(self, path: str) -> object:
        """Stands for the content of a document or file: equal tokens, equal content. None where there is no file."""
        document = self._open.get(path)
        if document is not None:
            return document.saved_as or document.lines
        known = self._disk.get(path)
        return known.signature if known is not None else signature(path)

    def digest(self, path: str) -> str | None:
        """Stands for the text of a document or file over all runs of the program; None where there is none to be read."""
        document = self._open.get(path)
        if document is not None:
            return digest(document.text.encode("utf-8", "surrogatepass"))
        file = self._file(path)
        if isinstance(file.source, UnreadableFile):
            return None
        known = self._digests.get(path)
        if known is None or known[0] != file.signature:
            known = (file.signature, digest(file.source.text.encode("utf-8", "surrogatepass")))
            self._digests[path] = known
        return known[1]

    def refresh(self, paths: Iterable[str] | None = None) -> bool:
        """Look whether files changed on disk (default: all that were read); true when one did."""
        changed = False
        for path in list(self._disk) if paths is None else paths:
            known = self._disk.get(path)
            if path not in self._open and (known is None or known.signature != signature(path)):
                self._disk.pop(path, None)
                changed = True
        return changed

    def parsed_files(self) -> Iterator[tuple[str, int]]:
        """The files on disk of which a tree is kept, with their lengths in characters."""
        return ((path, len(file.tree.source.text)) for path, file in self._disk.items() if file.tree is not None)

    def forget(self, path: str) -> None:
        """Drop what is known of a file on disk, and the tree of a document, to save memory; they are made again when wanted."""
        file = self._disk.pop(path, None)
        if file is not None and isinstance(file.source, Source):
            file.source.rest()
        if path in self._open:
            self._open[path].rest()

    def _source(self, path: str) -> Source:
        source = self._file(path).source
        if isinstance(source, UnreadableFile):
            # a new one each time: what was raised holds the frames that it passed
            raise UnreadableFile(source.path, source.reason)
        return source

    def _read(self, path: str) -> Source:
        """A file's text; the same source as before if it still has that text, and something still refers to it."""
        text, known = read_text(path), self._read_before.get(path)
        if known is None or known.text != text:
            known = self._read_before[path] = Source(path, text)
        return known

    def _file(self, path: str) -> _DiskFile:
        known = self._disk.get(path)
        if known is None:
            seen = signature(path)
            try:
                source: Source | UnreadableFile = self._read(path)
            except UnreadableFile as fault:
                source = UnreadableFile(fault.path, fault.reason)
            known = self._disk[path] = _DiskFile(seen, source)
        return known
