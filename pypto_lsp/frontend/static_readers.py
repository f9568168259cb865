"""Which parts of a file read the name of a function, and so may call it or hand it on, by syntax alone."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pypto_lsp.frontend.static_names import bound_names, declared_global, text_names
from pypto_lsp.syntax import SyntaxTree
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.syntax.names import children
from pypto_lsp.syntax.query import extent


@dataclass(frozen=True, slots=True)
class Word:
    """A name as it is read: by itself or, a method's, as an ``attribute`` of anything."""

    text: str
    attribute: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A top-level statement, or one in the body of the top-level class ``cls``; of such a class itself only the header."""

    node: syntax.Stmt
    cls: syntax.ClassDef | None
    first: int
    last: int

    def words(self) -> Iterator[Word]:
        """By which words others get at what the part reads."""
        if isinstance(self.node, syntax.ClassDef) and self.cls is None:
            yield Word(self.node.name)
            return
        for name, _ in bound_names((self.node,)):
            if self.cls is not None and _is_called_by_python(name):
                yield Word(self.cls.name)
            yield Word(name, self.cls is not None)
        yield from (Word(name) for name in declared_global((self.node,)))


class ReaderIndex:
    """The readers of words in one file."""

    def __init__(self, tree: SyntaxTree) -> None:
        self._text = tree.source.text
        self._body = tree.body
        self._parts: list[Part] = []
        self._places: dict[str, list[int]] = {}

    def of(self, word: Word, but: syntax.Node | None = None) -> list[Part]:
        """The parts that read a word somewhere, not counting what lies in the node ``but``."""
        places = self._places.get(word.text)
        if places is None:
            places = self._places[word.text] = list(_places(self._text, word.text))
        if len(places) < 2:  # only where it is defined
            return []
        self._parts = self._parts or list(_parts(self._body))
        reader = _Reader(word, but, places)
        return [part for part in self._parts if reader.mentioned(part.first, part.last) and reader.reads_part(part)]

    def reaching(self, word: Word, but: syntax.Node) -> list[Part]:
        """The parts that read a word, those that read what these bind, and so on, in source order."""
        found: set[Part] = set()
        words = {word}
        pending = [word]
        while pending:
            for part in self.of(pending.pop(), but):
                if part not in found:
                    found.add(part)
                    more = set(part.words()) - words
                    words |= more
                    pending += more
        return [part for part in self._parts if part in found]


def reads(body: Iterable[syntax.Stmt], name: str, but: syntax.Node) -> bool:
    """Whether statements read a name outside the node ``but``."""
    return any(_Reader(Word(name), but, None).reads(statement) for statement in body)


def word_of(name: str, cls: syntax.ClassDef | None) -> Word:
    """What is read where a function, or a method of a class, is called."""
    if cls is None:
        return Word(name)
    return Word(cls.name) if _is_called_by_python(name) else Word(name, attribute=True)


def _is_called_by_python(name: str) -> bool:
    """Methods such as ``__init__``, for which nobody writes their names."""
    return name.startswith("__") and name.endswith("__")


def _places(text: str, word: str) -> Iterator[int]:
    """Where a word stands in a text."""
    place = text.find(word)
    while place >= 0:
        end = place + len(word)
        if not (place and _in_name(text[place - 1])) and not (end < len(text) and _in_name(text[end])):
            yield place
        place = text.find(word, end)


def _in_name(character: str) -> bool:
    return character.isalnum() or character == "_"


def _parts(body: tuple[syntax.Stmt, ...]) -> Iterator[Part]:
    for statement in body:
        yield Part(statement, None, *extent(statement))
        if isinstance(statement, syntax.ClassDef):
            yield from (Part(inner, statement, *extent(inner)) for inner in statement.body)


class _Reader:
    """Looks for one word; ``places`` are all its places in the text, None where they are not known."""

    def __init__(self, word: Word, but: syntax.Node | None, places: list[int] | None) -> None:
        self.word = word
        self.but = but
        self.places = places

    def mentioned(self, first: int, last: int) -> bool:
        """Whether the word stands in a range of the text, be it in a comment."""
        if self.places is None:
            return True
        index = bisect_left(self.places, first)
        return index < len(self.places) and self.places[index] < last

    def reads_part(self, part: Part) -> bool:
        if part.cls is not None and part.cls is self.but:
            return False
        if isinstance(part.node, syntax.ClassDef) and part.cls is None:
            header = (*part.node.decorators, *part.node.bases, *part.node.keywords)
            return part.node is not self.but and self._any(header)
        return self.reads(part.node)

    def reads(self, node: syntax.Node) -> bool:
        """Whether a node, or anything in it, reads the word; a name of a function's own is another one."""
        word = self.word
        if node is self.but or not self.mentioned(*extent(node)):
            return False
        match node:
            case syntax.Name():
                return node.id == word.text and not word.attribute
            case syntax.Attribute() if word.attribute and node.attr == word.text:
                return True
            case syntax.Opaque():
                return word.text in node.reads or (word.attribute and word.text in node.text)
            case syntax.Broken() if word.text in node.text:
                return True
            case syntax.JoinedStr():  # its text is not everywhere what is read
                return self._any(node.values) if self.places is None else _Reader(word, self.but, None).reads(node)
            case syntax.FunctionDef():
                outside = (*node.decorators, *node.params, *((node.returns,) if node.returns is not None else ()))
                return self._any(outside) or (not self._hidden_in(node) and self._any(node.body))
            case syntax.Lambda():
                return self._any(node.params) or (not self._hidden_in(node) and self.reads(node.body))
        return self._any(_read_parts(node))

    def _any(self, parts: Iterable[syntax.Node]) -> bool:
        return any(self.reads(part) for part in parts)

    def _hidden_in(self, node: syntax.FunctionDef | syntax.Lambda) -> bool:
        """Whether the name means something else in a function: a parameter, or what its body binds."""
        if self.word.attribute:
            return False
        if any(param.name == self.word.text for param in node.params):
            return True
        return isinstance(node, syntax.FunctionDef) and self.word.text in text_names(node.body, module=False).names


def _read_parts(node: syntax.Node) -> Iterator[syntax.Node]:
    """The children of a node but for the names that it binds."""
    targets: set[syntax.Node] = set()
    match node:
        case syntax.Assign() | syntax.Delete():
            targets.update(node.targets)
        case syntax.AnnAssign() | syntax.For() | syntax.Comprehension() | syntax.NamedExpr():
            targets.add(node.target)
        case syntax.WithItem() if node.optional_vars is not None:
            targets.add(node.optional_vars)
    for child in children(node):
        if child in targets:
            yield from _read_in_target(child)
        else:
            yield child


def _read_in_target(target: syntax.Node) -> Iterator[syntax.Node]:
    match target:
        case syntax.Name():
            return
        case syntax.Tuple() | syntax.List() | syntax.Starred():
            for element in children(target):
                yield from _read_in_target(element)
        case _:
            yield target
