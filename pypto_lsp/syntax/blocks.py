"""Statements from logical lines: headers get the deeper lines that follow as their bodies, clauses join what they continue.

A compound statement is made anew only when its header or a part of it is new; else the statement last made of the same parts
stands. In faulty text every line finds a place: a line between two levels belongs to the deeper block, deeper lines below a
line that opens no block are one :class:`~pypto_lsp.syntax.nodes.Broken`, a header that cannot be parsed is a Broken with
what is below it, a header without a colon or with an open bracket is read as if it had been completed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pypto_lsp.syntax import nodes
from pypto_lsp.syntax.pieces import Form
from pypto_lsp.syntax.scan import COMPOUND, Line
from pypto_lsp.syntax.units import Unit, seemingly_bound
from pypto_lsp.text.nesting import DEEPEST

Stmts = tuple[nodes.Stmt, ...]
Decorators = tuple[nodes.Expr, ...]

#: the tag under which a unit keeps the compound statement that it heads
_STATEMENT = "statement"

#: blocks nested deeper than Python allows (100) are not looked into
_DEEPEST = 100

_OPENERS = COMPOUND - {"elif", "else", "except", "finally"}
_CLAUSES = frozenset({"elif", "else", "except", "finally"})


class Placed:
    """A logical line in its document: its layout relative to the anchor of its unit, so that a move changes the anchor only.

    ``lead``, ``size`` and ``tail`` are the distances from the first character back to the start of the line, to its end and
    to the start of what follows; ``reach`` and ``strict`` as in :class:`~pypto_lsp.syntax.scan.Line`, relative too (0: none).
    """

    __slots__ = ("comments", "indent", "lead", "opens", "reach", "size", "strict", "tail", "unit", "word")

    def __init__(self, line: Line, unit: Unit) -> None:
        first = line.first
        unit.anchor.offset = first
        self.unit = unit
        self.lead = first - line.start
        self.size = line.end - first
        self.tail = line.next - first
        self.reach = line.reach - first if line.reach else 0
        self.strict = line.strict - first if line.strict else 0
        self.indent = line.indent
        self.word = line.word
        self.opens = line.opens
        self.comments = tuple((start - first, end - first) for start, end in line.comments)

    @property
    def first(self) -> int:
        return self.unit.anchor.offset

    @property
    def start(self) -> int:
        return self.unit.anchor.offset - self.lead

    @property
    def end(self) -> int:
        return self.unit.anchor.offset + self.size

    @property
    def next(self) -> int:
        return self.unit.anchor.offset + self.tail


#: takes the block of a function: the lines given, which are deeper than so many columns
Defer = Callable[[nodes.FunctionDef, Sequence[Placed], int], None]


def top_level(lines: Iterable[Placed]) -> Iterator[list[Placed]]:
    """The lines of one top-level statement after the other."""
    group: list[Placed] = []
    for line in lines:
        decorated = bool(group) and group[-1].word == "@" and group[-1].indent <= 0
        if group and line.indent <= 0 and line.word not in _CLAUSES and not decorated:
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def build(lines: Sequence[Placed], text: str, defer: Defer | None = None) -> Stmts:
    """The statements of lines that stand at the top level; ``text`` is the whole text they lie in. With ``defer`` the bodies of
    functions are not looked into."""
    builder = _Builder(lines, text, defer)
    result: list[nodes.Stmt] = []
    while builder.at < len(lines):
        if lines[builder.at].indent > 0:
            result.append(builder.unexpected(0))
        else:
            builder.statement(result)
    return tuple(result)


def build_block(lines: Sequence[Placed], text: str, floor: int, defer: Defer) -> Stmts:
    """The statements of the block that lines deeper than ``floor`` columns make."""
    return _Builder(lines, text, defer).suite(floor)


class _Builder:
    __slots__ = ("at", "defer", "depth", "lines", "text")

    def __init__(self, lines: Sequence[Placed], text: str, defer: Defer | None = None) -> None:
        self.lines = lines
        self.text = text
        self.defer = defer
        self.at = 0
        self.depth = 0

    # lines

    def peek(self) -> Placed | None:
        return self.lines[self.at] if self.at < len(self.lines) else None

    def suite(self, floor: int) -> Stmts:
        """The statements of the lines from here on that are deeper than ``floor`` columns."""
        line = self.peek()
        if line is None or line.indent <= floor:
            return ()
        level = line.indent if self.depth < _DEEPEST else floor
        result: list[nodes.Stmt] = []
        self.depth += 1
        while (line := self.peek()) is not None and line.indent > floor:
            if line.indent > level:
                result.append(self.unexpected(level))
            else:
                self.statement(result)
        self.depth -= 1
        return tuple(result)

    def unexpected(self, level: int) -> nodes.Stmt:
        """One Broken for the lines from here on that are deeper than their block."""
        start = self.at
        while (line := self.peek()) is not None and line.indent > level:
            self.at += 1
        units = [line.unit for line in self.lines[start : self.at]]
        unit, end = units[0], self.lines[self.at - 1].end - units[0].anchor.offset
        names = (name for one in units for name in seemingly_bound(one.text))
        return unit.made(
            "unexpected",
            (end, *units),
            lambda: nodes.Broken(unit.anchor, 0, end, "unexpected indent", tuple(dict.fromkeys(names))),
        )

    # statements

    def statement(self, result: list[nodes.Stmt]) -> None:
        """Adds the statement that starts here, or the statements of its line."""
        line = self.lines[self.at]
        word = line.word
        if word == "@":
            result.extend(self.decorated())
        elif word == "match" and self.is_match(line):
            self.at += 1
            self.skip_deeper(line.indent)
            result.append(self.block(line))
        elif word in _CLAUSES:
            result.append(self.orphan(line))
        elif word in _OPENERS:
            result.append(self.compound(line, ()))
        else:
            self.at += 1
            statements = _simple(line)
            if line.opens and statements and isinstance(statements[0], nodes.Broken):
                # a misspelt keyword, or the end of a header without its beginning
                statements = (line.unit.broken(statements[0].reason, self.suite(line.indent)),)
            result.extend(statements)

    def decorated(self) -> Stmts:
        first = self.lines[self.at]
        decorators: list[Placed] = []
        while (line := self.peek()) is not None and line.word == "@" and line.indent == first.indent:
            decorators.append(line)
            self.at += 1
        if line is not None and line.indent == first.indent and line.word in ("def", "class"):
            return (self.compound(line, tuple(map(_decorator, decorators))),)
        return tuple(one.unit.broken("a decorator without a definition") for one in decorators)

    def compound(self, line: Placed, decorators: tuple[nodes.Expr, ...]) -> nodes.Stmt:
        start = self.at
        self.at += 1
        header = self.header(line)
        if self.defer is not None and isinstance(header, nodes.FunctionDef) and line.opens:
            return self.deferred(line, header, decorators, self.defer)
        body = self.suite(line.indent) if self.has_block(line) else None
        finish = _FINISH.get(type(header))
        if finish is None:
            reason = header.reason if isinstance(header, nodes.Broken) else "this is no header"
            return line.unit.broken(reason, body or ())
        statement = finish(self, line, header, body, decorators)
        if isinstance(statement, nodes.Try) and self.has_star(start):
            return self.block(line)
        return statement

    def deferred(self, line: Placed, header: nodes.FunctionDef, decorators: Decorators, defer: Defer) -> nodes.Stmt:
        """A function without its body, which is passed."""
        start = self.at
        self.skip_deeper(line.indent)
        header.decorators = decorators
        defer(header, self.lines[start : self.at], line.indent)
        return header

    def header(self, line: Placed) -> nodes.Stmt:
        """The header of a compound statement, or the whole of it when it stands on one line."""
        unit = line.unit
        if line.opens and not unit.fault:
            return unit.parsed(Form.HEADER)
        if not line.opens:
            statements = () if unit.fault else unit.parsed(Form.STATEMENT)
            if isinstance(statements, tuple) and len(statements) == 1:
                return statements[0]
        if self.has_block(line):
            completed = _completed(unit.text)
            if completed is not None:
                return unit.parsed(Form.HEADER, completed)
        return unit.broken(unit.fault or "this cannot be parsed")

    def has_block(self, line: Placed) -> bool:
        """Whether a block belongs to the header just passed: it ends with a colon, or deeper lines follow although it is no
        whole statement."""
        if line.opens:
            return True
        following = self.peek()
        if following is None or following.indent <= line.indent:
            return False
        return bool(line.unit.fault) or not isinstance(line.unit.parsed(Form.STATEMENT), tuple)

    # clauses

    def clause(self, line: Placed, *words: str) -> Placed | None:
        """The next line if it is a clause, of one of these words and without a fault, of the statement at a line."""
        following = self.peek()
        if following is None or following.word not in words or following.indent != line.indent:
            return None
        return None if isinstance(_clause_of(following), nodes.Broken) else following

    def clause_body(self, clause: Placed) -> Stmts | None:
        """Passes a clause; its block, or None when its body stands on its line."""
        self.at += 1
        return self.suite(clause.indent) if clause.opens else None

    def orelse(self, line: Placed) -> Stmts:
        """The statements of an ``else`` that follows, if one does."""
        return self.plain_clause(line, "else")

    def plain_clause(self, line: Placed, word: str) -> Stmts:
        clause = self.clause(line, word)
        if clause is None:
            return ()
        block = self.clause_body(clause)
        return _clause_of(clause) if block is None else block

    def alternatives(self, line: Placed) -> Stmts:
        """``elif`` and ``else`` clauses of the ``if`` at a line, nested as in Python's ast."""
        chain: list[tuple[Placed, nodes.If, Stmts]] = []
        while (clause := self.clause(line, "elif")) is not None:
            header = _clause_of(clause)
            block = self.clause_body(clause)
            chain.append((clause, header, header.body if block is None else block))
        rest = self.orelse(line)
        if len(chain) > DEEPEST:
            first, *_ = chain[DEEPEST]
            bodies = (*(stmt for _, _, body in chain[DEEPEST:] for stmt in body), *rest)
            rest = (first.unit.broken("this is nested too deeply", bodies),)
        for clause, header, body in reversed(chain[:DEEPEST]):
            rest = (_made_if(clause.unit, header, body, rest),)
        return rest

    def handlers(self, line: Placed) -> tuple[nodes.ExceptHandler, ...]:
        result: list[nodes.ExceptHandler] = []
        while (clause := self.clause(line, "except")) is not None:
            header = _clause_of(clause)
            block = self.clause_body(clause)
            body = header.body if block is None else block
            result.append(_made_handler(clause.unit, header, body))
        return tuple(result)

    def orphan(self, line: Placed) -> nodes.Stmt:
        """A clause that continues nothing."""
        self.at += 1
        return line.unit.broken("a clause without its statement", self.suite(line.indent))

    # whole blocks

    def is_match(self, line: Placed) -> bool:
        following = self.lines[self.at + 1] if self.at + 1 < len(self.lines) else None
        if not line.opens or following is None or following.indent <= line.indent:
            return False
        return re.match(r"case\b", following.unit.text) is not None

    def skip_deeper(self, level: int) -> None:
        while (line := self.peek()) is not None and line.indent > level:
            self.at += 1

    def has_star(self, start: int) -> bool:
        level = self.lines[start].indent
        return any(
            line.word == "except" and line.indent == level and re.match(r"except\s*\*", line.unit.text)
            for line in self.lines[start : self.at]
        )

    def block(self, line: Placed) -> nodes.Stmt:
        """The statement from a line up to here, parsed as a whole."""
        text = self.text[line.first : self.lines[self.at - 1].end]
        margin = self.text[line.start : line.first]
        indentation = margin[len(margin.rstrip(" \t\f")) :]
        return line.unit.parsed(Form.BLOCK, indentation + text)


# --- lines to parts --------------------------------------------------------------------------------------------------


def _simple(line: Placed) -> Stmts:
    unit = line.unit
    if unit.fault:
        return (unit.broken(unit.fault),)
    statements = unit.parsed(Form.STATEMENT)
    return statements if isinstance(statements, tuple) else (statements,)


def _decorator(line: Placed) -> nodes.Expr:
    """A decorator's expression; one that cannot be parsed is opaque, so that nothing is concluded from its absence."""
    unit = line.unit
    expression = unit.parsed(Form.DECORATOR) if not unit.fault else None
    if isinstance(expression, nodes.Expr):
        return expression
    return unit.made("decorator", (), lambda: nodes.OpaqueExpr(unit.anchor, 1, len(unit.text), "Broken"))


def _clause_of(line: Placed) -> Any:
    unit = line.unit
    if unit.fault:
        return unit.broken(unit.fault)
    return unit.parsed(Form.CLAUSE if line.opens else Form.INLINE_CLAUSE)


_PAIRS = {"(": ")", "[": "]", "{": "}"}
_SKIPPED = re.compile(
    r"""(\"\"\".*?\"\"\"|'''.*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\#[^\n\r]*)|([(\[{])|([)\]}])""", re.DOTALL
)


def _completed(text: str) -> str | None:
    """A header with the brackets closed that it left open, before its colon, which it gets if it has none; None when other
    brackets do not match."""
    stack: list[str] = []
    for token in _SKIPPED.finditer(text):
        if token[2]:
            stack.append(_PAIRS[token[2]])
        elif token[3] and (not stack or stack.pop() != token[3]):
            return None
    return text.removesuffix(":").rstrip() + "".join(reversed(stack)) + ":"


# --- statements from parts -------------------------------------------------------------------------------------------


def _made_if(unit: Unit, t: nodes.If, body: Stmts, orelse: Stmts) -> nodes.If:
    return unit.made(_STATEMENT, (t, body, orelse), lambda: nodes.If(t.anchor, t.start, t.end, t.test, body, orelse))


def _made_handler(unit: Unit, t: nodes.ExceptHandler, body: Stmts) -> nodes.ExceptHandler:
    return unit.made(_STATEMENT, (t, body), lambda: nodes.ExceptHandler(t.anchor, t.start, t.end, t.type, t.name, body))


def _finish_if(b: _Builder, line: Placed, t: nodes.If, block: Stmts | None, _: Decorators) -> nodes.Stmt:
    body = t.body if block is None else block
    return _made_if(line.unit, t, body, b.alternatives(line))


def _finish_for(b: _Builder, line: Placed, t: nodes.For, block: Stmts | None, _: Decorators) -> nodes.Stmt:
    body, orelse = (t.body if block is None else block), b.orelse(line)

    def make() -> nodes.For:
        return nodes.For(t.anchor, t.start, t.end, t.target, t.iter, body, orelse, t.is_async)

    return line.unit.made(_STATEMENT, (t, body, orelse), make)


def _finish_while(b: _Builder, line: Placed, t: nodes.While, block: Stmts | None, _: Decorators) -> nodes.Stmt:
    body, orelse = (t.body if block is None else block), b.orelse(line)
    return line.unit.made(
        _STATEMENT, (t, body, orelse), lambda: nodes.While(t.anchor, t.start, t.end, t.test, body, orelse)
    )


def _finish_with(b: _Builder, line: Placed, t: nodes.With, block: Stmts | None, _: Decorators) -> nodes.Stmt:
    body = t.body if block is None else block
    return line.unit.made(
        _STATEMENT, (t, body), lambda: nodes.With(t.anchor, t.start, t.end, t.items, body, t.is_async)
    )


def _finish_try(b: _Builder, line: Placed, t: nodes.Try, block: Stmts | None, _: Decorators) -> nodes.Stmt:
    body = t.body if block is None else block
    handlers = b.handlers(line)
    orelse, final = b.orelse(line), b.plain_clause(line, "finally")

    def make() -> nodes.Try:
        return nodes.Try(t.anchor, t.start, t.end, body, handlers, orelse, final)

    return line.unit.made(_STATEMENT, (t, body, handlers, orelse, final), make)


def _finish_function(
    b: _Builder, line: Placed, t: nodes.FunctionDef, block: Stmts | None, decorators: Decorators
) -> nodes.Stmt:
    body = t.body if block is None else block

    def make() -> nodes.FunctionDef:
        names = (t.name, t.name_start, t.name_end)
        return nodes.FunctionDef(t.anchor, t.start, t.end, *names, t.params, t.returns, decorators, body, t.is_async)

    return line.unit.made(_STATEMENT, (t, body, decorators), make)


def _finish_class(
    b: _Builder, line: Placed, t: nodes.ClassDef, block: Stmts | None, decorators: Decorators
) -> nodes.Stmt:
    body = t.body if block is None else block

    def make() -> nodes.ClassDef:
        names = (t.name, t.name_start, t.name_end)
        return nodes.ClassDef(t.anchor, t.start, t.end, *names, t.bases, t.keywords, decorators, body)

    return line.unit.made(_STATEMENT, (t, body, decorators), make)


_FINISH: dict[type, Callable[[_Builder, Placed, Any, Stmts | None, Decorators], nodes.Stmt]] = {
    nodes.If: _finish_if,
    nodes.For: _finish_for,
    nodes.While: _finish_while,
    nodes.With: _finish_with,
    nodes.Try: _finish_try,
    nodes.FunctionDef: _finish_function,
    nodes.ClassDef: _finish_class,
}


# --- ahead of building -----------------------------------------------------------------------------------------------


def prepare(line: Placed) -> None:
    """Parses the unit of a line as building will in all likelihood ask for."""
    unit, word = line.unit, line.word
    if unit.fault or word == "match" or unit.text.startswith("case "):
        return
    if word == "@":
        unit.parsed(Form.DECORATOR)
    elif word in _CLAUSES:
        unit.parsed(Form.CLAUSE if line.opens else Form.INLINE_CLAUSE)
    elif word in _OPENERS and line.opens:
        unit.parsed(Form.HEADER)
    else:
        unit.parsed(Form.STATEMENT)
