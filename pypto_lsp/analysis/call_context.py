"""Which call the cursor stands in, told from the text alone: while somebody types, the statement rarely parses."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: a callee as it is written: a dotted name directly before the bracket
_CALLEE = re.compile(r"[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*\s*$")
_KEYWORD = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)")
_STRING = re.compile(r"'''|\"\"\"|'|\"")
_CLOSERS = {")": "(", "]": "[", "}": "{"}
#: a call longer than this many lines is not looked into
_MAX_LINES = 80
#: a line that begins like this begins a statement, so no bracket above it is still open
_STATEMENT = re.compile(
    r"[ \t]*(?:@|(?:def|class|if|elif|else|for|while|with|return|import|from|try|except|finally|pass|raise|assert|async)\b"
    r"|[A-Za-z_][\w.]*[ \t]*=[^=])"
)
_TOP_LEVEL = re.compile(r"(?:def|class|import|from|async|@)\b|@")


@dataclass(frozen=True, slots=True)
class CallSite:
    """An open call. ``index`` counts the arguments before the cursor, ``keyword`` is the name when the cursor is behind
    ``name=``; ``given`` are all keyword names before the cursor."""

    callee: str
    index: int
    keyword: str | None
    given: tuple[str, ...]


def call_at(text: str, offset: int) -> CallSite | None:
    """The innermost call whose bracket is open at an offset, None when there is none."""
    start = text.rfind("\n", 0, offset) + 1
    for _ in range(_MAX_LINES):
        opened = _open_brackets(text, start, offset)
        if opened is None:
            return None
        site = _innermost_call(text, opened, offset)
        if site is not None:
            return site
        line_end = text.find("\n", start)
        line = text[start:] if line_end < 0 else text[start:line_end]
        if (
            start == 0
            or (not opened and _STATEMENT.match(line) and not _is_keyword_line(line))
            or _TOP_LEVEL.match(line)
        ):
            return None
        start = text.rfind("\n", 0, start - 1) + 1
    return None


def in_text(text: str, offset: int) -> bool:
    """Whether an offset lies in a comment or string that begins on its line."""
    return _open_brackets(text, text.rfind("\n", 0, offset) + 1, offset) is None


def _is_keyword_line(line: str) -> bool:
    """``name=value,`` on a line of its own is an argument, not an assignment."""
    return line.split("#")[0].rstrip().endswith(",")


def _open_brackets(text: str, start: int, end: int) -> list[int] | None:
    """Offsets of the brackets opened and not closed between two places; None when the end is in a string or comment."""
    opened: list[int] = []
    at = start
    while at < end:
        char = text[at]
        if char == "#":
            line_end = text.find("\n", at)
            if line_end < 0 or line_end >= end:
                return None  # the end is in this comment
            at = line_end
        elif quote := _STRING.match(text, at):
            at = _string_end(text, quote[0], quote.end(), end)
            if at > end:
                return None
            continue
        elif char in "([{":
            opened.append(at)
        elif char in _CLOSERS and opened and text[opened[-1]] == _CLOSERS[char]:
            opened.pop()
        at += 1
    return opened


def _string_end(text: str, quote: str, at: int, end: int) -> int:
    """Offset behind a string's closing quote, or behind the line end that ends it; behind ``end`` when it closes later."""
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text.startswith(quote, at):
            return at + len(quote)
        elif (text[at] == "\n" and len(quote) == 1) or at > end:
            return at + 1
        else:
            at += 1
    return end + 1


def _innermost_call(text: str, opened: list[int], offset: int) -> CallSite | None:
    for bracket in reversed(opened):
        if text[bracket] != "(":
            continue
        callee = _CALLEE.search(text, max(0, bracket - 200), bracket)
        if callee is None:
            continue
        name = re.sub(r"\s", "", callee[0])
        if name.split(".")[0] in ("if", "while", "return", "in", "and", "or", "not", "lambda", "with", "assert", "def"):
            continue
        if re.search(r"\b(?:def|class)\s+$", text[max(0, callee.start() - 20) : callee.start()]):
            return None
        return _site(text, name, bracket, offset)
    return None


def _site(text: str, name: str, bracket: int, offset: int) -> CallSite:
    arguments = _arguments(text, bracket + 1, offset)
    given = []
    for argument in arguments:
        match = _KEYWORD.match(argument)
        if match:
            given.append(match[1])
    last = _KEYWORD.match(arguments[-1])
    return CallSite(name, len(arguments) - 1, last[1] if last else None, tuple(given))


def _arguments(text: str, start: int, end: int) -> list[str]:
    """The arguments before the cursor, split at the commas of the outermost level; the last one is perhaps empty."""
    parts, depth, at, begin = [], 0, start, start
    while at < end:
        char = text[at]
        if char == "#":
            line_end = text.find("\n", at)
            at = end if line_end < 0 else line_end
            continue
        if quote := _STRING.match(text, at):
            at = min(_string_end(text, quote[0], quote.end(), end), end)
            continue
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[begin:at])
            begin = at + 1
        at += 1
    return [*parts, text[begin:end]]
