"""Logical lines of Python text, also of text with faults in it.

A logical line is a statement, or the header of a compound one, with all its physical lines. Scanning looks at strings,
comments, brackets and line ends only. On valid text the result is Python's own. On faulty text a fault stays in its place:

* a closing bracket of another kind closes what stands open inside it; one that fits nothing is passed over;
* a bracket that is never closed (the text ends, or a physical line starts with what cannot stand inside brackets, such as
  ``return``) ends its logical line where a physical line is no deeper than the logical one; so do, up to the place where
  the fault was found, brackets in the lines that follow (the ``strict`` stretch);
* when a triple quote has no partner, the one is taken for it that leaves the least code inside strings and the least prose
  outside (:mod:`~pypto_lsp.syntax.fence`); its string ends with its physical line.

All this depends on the text alone, never on the edits that led to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

TOKEN = re.compile(
    r"""[^"'\#()\[\]{}\\\n\r]*(?:
      ([(\[{])
    | ([)\]}])
    | (\r\n|\r|\n)
    | (\#[^\n\r]*)
    | (\"\"\"[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*\"\"\" | '''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*''')
    | (\"\"\".*|'''.*)
    | ("[^"\\\n\r]*(?:\\(?:\r\n|.)[^"\\\n\r]*)*"|'[^'\\\n\r]*(?:\\(?:\r\n|.)[^'\\\n\r]*)*')
    | (["'][^\n\r]*)
    | \\(?:\r\n|\r|\n)?()
    )""",
    re.VERBOSE | re.DOTALL,
)
_OPEN, _CLOSE, _NEWLINE, _COMMENT, TRIPLE, LONE_TRIPLE, _STRING, _LONE_QUOTE = range(1, 9)

_CLOSER = {"(": ")", "[": "]", "{": "}"}
_LEAD = re.compile(r"(?:[ \t\f]*(?:#[^\n\r]*)?(?:\r\n|\r|\n))*[ \t\f]*")
_COMMENT_TEXT = re.compile(r"#[^\n\r]*")
_LINE_END = re.compile(r"\r\n|\r|\n|\Z")
_TRIPLE_QUOTE = re.compile(r"\"\"\"|'''")
_STATEMENT_START = re.compile(r"[ \t\f]*(?=[^\W\d]|[@\"'])")
#: the start of a physical line that no expression can hold
_NEVER_INSIDE = re.compile(
    r"""[ \t\f]*(?:
      (?:return|while|with|try|raise|assert|pass|break|continue|del|global|nonlocal|import|class|def|elif|except|finally)\b
    | else[ \t]*:
    | async[ \t]+(?:def|with)\b
    | from[ \t]+[\w.]+[ \t]+import\b
    )
    | @[^\W\d][\w.]*(?:\(|[ \t]*[\n\r])
    """,
    re.VERBOSE,
)
_WORD = re.compile(r"(?:async[ \t]+)?(def|for|with)\b|(class|if|while|try|elif|else|except|finally|match)\b|(@)")
_FORMAT_PREFIX = re.compile(r"(?<![\w\"'])(?:[fFtT][rR]?|[rR][fFtT])\Z")

_BYTE_ORDER_MARK = "\ufeff"

#: words that start a compound statement or a clause of one
COMPOUND = frozenset({"def", "for", "with", "class", "if", "while", "try", "elif", "else", "except", "finally"})


class Line:
    """One logical line.

    Absolute offsets: ``start`` (behind the line before, so blank lines and comments above belong to it), ``first`` (its first
    character), ``end`` (behind its last one, a comment left out), ``next`` (the start of what follows). ``indent`` in columns,
    tabs to multiples of 8. ``word`` is the keyword it starts with if that is one of :data:`COMPOUND`, ``match`` or ``@``, else
    empty; ``opens`` whether it ends with a colon. ``fault`` says what is wrong, else empty. ``reach`` is the offset up to which
    text was looked at to find its end (0: nothing behind the line), ``strict`` where the strict stretch that it lies in ends
    (0: in none). ``comments`` are the ranges of comments in and behind it.
    """

    __slots__ = (
        "comments",
        "end",
        "fault",
        "first",
        "indent",
        "next",
        "opens",
        "reach",
        "start",
        "strict",
        "text",
        "word",
    )

    def __init__(self, start: int, first: int, indent: int, word: str) -> None:
        self.start = start
        self.first = first
        self.indent = indent
        self.word = word
        self.end = self.next = first
        self.opens = False
        self.fault = ""
        self.reach = self.strict = 0
        self.comments: tuple[tuple[int, int], ...] = ()
        self.text = ""


class Scanner:
    """Scans one text.

    ``fence`` is the offset of a triple quote without a partner (negative: there is none), or None while that is not known.
    ``lone`` is set when a string without an end shows that it has to be known: then nothing found from there on counts, and
    the text is to be scanned anew with a fence. ``strict`` is the end of the present strict stretch.
    """

    __slots__ = ("fence", "lone", "strict", "text")

    def __init__(self, text: str, fence: int | None = None, strict: int = 0) -> None:
        self.text = text
        self.fence = fence
        self.strict = strict
        self.lone = False

    def lines(self, start: int) -> Iterator[Line]:
        """The logical lines from an offset that starts one, to the end of the text, or until ``lone`` is set."""
        while (line := self.line(start)) is not None and not self.lone:
            yield line
            start = line.next

    def line(self, start: int) -> Line | None:
        """The logical line that starts at an offset, or None when only blank lines and comments follow."""
        text = self.text
        lead = _LEAD.match(text, start)
        assert lead is not None
        first = lead.end()
        if first == len(text) or text[first] == "#":
            return None
        word = _WORD.match(text, first)
        line = Line(start, first, _columns(text, start, first), word[word.lastindex or 0] if word else "")
        line.strict = self.strict if self.strict > first else 0
        _LineScan(self, line).run()
        line.text = text[first : line.end]
        line.opens = line.text.endswith(":")
        return line


class _LineScan:
    """The scan of one logical line: what stands open, and where its physical lines inside brackets start."""

    __slots__ = ("breaks", "comment", "comments", "line", "opened", "scanner", "stack", "text")

    def __init__(self, scanner: Scanner, line: Line) -> None:
        self.scanner = scanner
        self.text = scanner.text
        self.line = line
        self.stack: list[str] = []
        self.opened: list[int] = []
        #: (end of what stands before the line end, start of the physical line behind it)
        self.breaks: list[tuple[int, int]] = []
        self.comment = -1
        self.comments: list[tuple[int, int]] = []

    def run(self) -> None:
        text, match = self.text, TOKEN.match
        where = self.line.first
        while True:
            token = match(text, where)
            if token is None:
                self._at_end()
                return
            kind = token.lastindex
            where = token.end()
            if kind == _OPEN:
                self.stack.append(_CLOSER[text[where - 1]])
                self.opened.append(where - 1)
            elif kind == _CLOSE:
                self._close(text[where - 1])
            elif kind == _NEWLINE:
                if self._newline(token.start(_NEWLINE), where):
                    return
            elif kind == _COMMENT:
                self.comment = token.start(_COMMENT)
                self.comments.append((self.comment, where))
            elif kind in (TRIPLE, LONE_TRIPLE):
                start = token.start(kind)
                if self._fenced(kind, start):
                    return
                where = formatted_end(text, start, where)
            elif kind == _STRING:
                where = formatted_end(text, token.start(kind), where)
            elif kind == _LONE_QUOTE:
                where = self._lone_quote(token.start(kind), where)

    def _close(self, closer: str) -> None:
        stack = self.stack
        if stack and stack[-1] == closer:
            stack.pop()
            self.opened.pop()
            return
        self.line.fault = "brackets do not match"
        while closer in stack:
            self.opened.pop()
            if stack.pop() == closer:
                break

    def _newline(self, start: int, after: int) -> bool:
        """A line end at ``start``; true when it ends the logical line."""
        end = self.comment if self.comment >= 0 else start
        self.comment = -1
        if not self.stack:
            self._finish(end, after)
            return True
        self.breaks.append((end, after))
        if _NEVER_INSIDE.match(self.text, after):
            self._unclosed(after)
            return True
        if self.line.strict and self._may_end_at(end, after):
            self._cut(end, after)
            return True
        return False

    def _at_end(self) -> None:
        if self.stack:
            self._unclosed(len(self.text))
        else:
            self._finish(self.comment if self.comment >= 0 else len(self.text), len(self.text))

    def _unclosed(self, found: int) -> None:
        """A bracket stands open at ``found``, where it can no longer be closed."""
        line, scanner = self.line, self.scanner
        if found > line.strict:
            at_end = found == len(self.text)
            line_end = _LINE_END.search(self.text, found)
            assert line_end is not None
            # an edit behind the last character can close the bracket
            line.reach = len(self.text) + 1 if at_end else line_end.end()
            scanner.strict = found
        outermost = self.opened[0]
        for end, after in self.breaks:
            if after > outermost and (after == found or self._may_end_at(end, after)):
                self._cut(end, after)
                return
        self._cut(self.comment if self.comment >= 0 else len(self.text), len(self.text))

    def _may_end_at(self, end: int, after: int) -> bool:
        """Whether a line with an open bracket may be taken to end at a break: what follows looks like a statement no deeper
        than it, or it is a header that ends with a colon there."""
        text, line = self.text, self.line
        if line.word in COMPOUND and text[line.first : end].rstrip(" \t\f").endswith(":"):
            return True
        start = _STATEMENT_START.match(text, after)
        return start is not None and _columns(text, after, start.end()) <= line.indent

    def _cut(self, end: int, after: int) -> None:
        self.line.fault = self.line.fault or "a bracket is not closed"
        self._finish(end, after)

    def _fenced(self, kind: int, start: int) -> bool:
        """Handles a triple quote without a partner; true when it ends the logical line."""
        scanner = self.scanner
        if kind == LONE_TRIPLE and scanner.fence is None:
            scanner.lone = True
            return False
        if kind == TRIPLE and scanner.fence != start:
            return False
        line_end = _LINE_END.search(self.text, start)
        assert line_end is not None
        self.line.fault = "a string is not closed"
        self._finish(line_end.start(), line_end.end())
        return True

    def _lone_quote(self, start: int, plain_end: int) -> int:
        """Handles a string that its physical line does not end; the place to go on from."""
        end = formatted_end(self.text, start, plain_end)
        if end != plain_end:
            return end
        self.line.fault = "a string is not closed"
        scanner = self.scanner
        if scanner.fence is None and _TRIPLE_QUOTE.search(self.text, start + 1, end):
            # perhaps an apostrophe in prose that should lie in a string
            scanner.lone = True
        return end

    def _finish(self, end: int, after: int) -> None:
        line, text = self.line, self.text
        while end > line.first and text[end - 1] in " \t\f":
            end -= 1
        line.end = end
        line.next = after
        if self.comments:
            line.comments = tuple(comment for comment in self.comments if comment[0] < after)


def _columns(text: str, start: int, first: int) -> int:
    """The indentation, in columns, of the character at ``first``; its physical line starts at or behind ``start``."""
    begin = max(text.rfind("\n", start, first), text.rfind("\r", start, first)) + 1
    blank = text[max(begin, start) : first]
    if "\f" in blank:
        blank = blank[blank.rindex("\f") + 1 :]
    return len(blank.expandtabs(8)) if "\t" in blank else len(blank)


def begin_of(text: str) -> int:
    """The offset behind a byte order mark."""
    return len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0


def comments_in_lead(text: str, start: int, first: int) -> Iterator[tuple[int, int]]:
    """The ranges of the comments among the blank lines and comments before a logical line (or at the text's end)."""
    if text.find("#", start, first) >= 0:
        for comment in _COMMENT_TEXT.finditer(text, start, first):
            yield comment.span()


# --- strings ---------------------------------------------------------------------------------------------------------

_FORMATTED = re.compile(
    r"""[^{}"'\\\n\r]*(?:(\{\{|\}\})|([{}])|\\(?:\r\n|.)()|(\"\"\"|'''|["'])|(\r\n|\r|\n))""", re.VERBOSE | re.DOTALL
)
_DOUBLED, _BRACE, _ESCAPE, _QUOTE, _BREAK = range(1, 6)


def formatted_end(text: str, start: int, plain_end: int) -> int:
    """The end of the string token at ``start``, which would be ``plain_end`` were it not an f-string: inside the braces of
    one, its own quotes may stand (Python 3.12)."""
    if text[start - 1 : start] not in "fFtTrR" or start == 0 or text.find("{", start, plain_end) < 0:
        return plain_end
    if not _FORMAT_PREFIX.search(text, max(start - 3, 0), start):
        return plain_end
    end = _nested_end(text, start)
    return plain_end if end < 0 else end


def _nested_end(text: str, start: int) -> int:
    """The end of the f-string whose quotes are at ``start``; -1 where it is not closed as it should."""
    quote = text[start : start + 3] if text[start : start + 3] in ('"""', "'''") else text[start]
    where, depth = start + len(quote), 0
    while (token := _FORMATTED.match(text, where)) is not None:
        kind, where = token.lastindex, token.end()
        if kind == _DOUBLED:
            if depth:
                depth += 2 if text[where - 1] == "{" else -2
        elif kind == _BRACE:
            depth += 1 if text[where - 1] == "{" else -1
        elif kind == _BREAK and len(quote) == 1:
            return -1
        elif kind == _QUOTE:
            begin = token.start(_QUOTE)
            if depth > 0:
                where = _inner_string_end(text, begin)
                if where < 0:
                    return -1
            elif text.startswith(quote, begin):
                return begin + len(quote)
            else:
                where = begin + 1
        if depth < 0:
            return -1
    return -1


def _inner_string_end(text: str, start: int) -> int:
    if _FORMAT_PREFIX.search(text, max(start - 3, 0), start):
        return _nested_end(text, start)
    token = TOKEN.match(text, start)
    if token is None or token.lastindex not in (TRIPLE, _STRING):
        return -1
    return token.end()
