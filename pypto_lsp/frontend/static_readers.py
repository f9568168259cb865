"""Which statements of a file read the name of a function, and so may call it or hand it on, by syntax alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pypto_lsp.frontend.static_names import bound_names, declared_global, text_names
from pypto_lsp.syntax import SyntaxTree
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.syntax.names import children
from pypto_lsp.syntax.query import extent

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Word:
    """A name as it is read: by itself or, a method's, as an ``attribute`` of anything."""

    text: str
    attribute: bool = False


@dataclass(frozen=True, slots=True)
class Readers:
    """Top-level statements in source order, and all words by which they reach each other."""

    statements: tuple[syntax.Stmt, ...]
    words: frozenset[Word]


class ReaderIndex:
    """The readers of words in one file."""

    def __init__(self, tree: SyntaxTree) -> None:
        self._body = tree.body
        self._text = tree.source.text
        #: the statements that a word stands in anywhere, be it in a comment
        self._mentions: dict[str, list[syntax.Stmt]] = {}

    def of(self, word: Word, but: syntax.Node | None = None) -> list[syntax.Stmt]:
        """The top-level statements that read a word somewhere, not counting what lies in the node ``but``."""
        if not self._mentions:
            for statement in self._body:
                first, last = extent(statement)
                for text in set(_WORD.findall(self._text, first, last)):
                    self._mentions.setdefault(text, []).append(statement)
        return [statement for statement in self._mentions.get(word.text, ()) if reads(statement, word, but)]

    def reaching(self, word: Word, but: syntax.Node) -> Readers:
        """The statements that read a word, those that read what these bind, and so on."""
        found: set[syntax.Stmt] = set()
        words = {word}
        pending = [word]
        while pending:
            for statement in self.of(pending.pop(), but):
                if statement in found:
                    continue
                found.add(statement)
                more = set(_words_bound(statement)) - words
                words |= more
                pending += more
        return Readers(tuple(statement for statement in self._body if statement in found), frozenset(words))


def _words_bound(statement: syntax.Stmt) -> Iterator[Word]:
    yield from (Word(name) for name, _ in bound_names((statement,)))
    yield from (Word(name) for name in declared_global((statement,)))
    if isinstance(statement, syntax.ClassDef):
        yield from (Word(inner.name, True) for inner in statement.body if isinstance(inner, syntax.FunctionDef))


def reads(node: syntax.Node, word: Word, but: syntax.Node | None = None) -> bool:
    """Whether a node, or anything in it, reads a word; a name of a function's own is another one."""
    if node is but:
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
        case syntax.FunctionDef():
            outside = (*node.decorators, *node.params, *((node.returns,) if node.returns is not None else ()))
            return _any(outside, word, but) or (not _hides(node, word) and _any(node.body, word, but))
        case syntax.Lambda():
            return _any(node.params, word, but) or (not _hides(node, word) and reads(node.body, word, but))
    return _any(_read_parts(node), word, but)


def _any(parts: Iterable[syntax.Node], word: Word, but: syntax.Node | None) -> bool:
    return any(reads(part, word, but) for part in parts)


def _hides(node: syntax.FunctionDef | syntax.Lambda, word: Word) -> bool:
    """Whether a name means something else in a function: a parameter, or what its body binds."""
    if word.attribute:
        return False
    if any(param.name == word.text for param in node.params):
        return True
    return isinstance(node, syntax.FunctionDef) and word.text in text_names(node.body, module=False).names


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
