"""Which triple quote has no partner, in a text that ends inside a triple-quoted string.

All quotes before the lone one are paired as they stand; behind it, each closes what the scanner took for code and opens what
it took for a string. So the lone one is found by what lies between the quotes: lines that look like code do not belong into
strings, nor prose outside.
"""

from __future__ import annotations

import re
from itertools import accumulate

from pypto_lsp.syntax.scan import LONE_TRIPLE, TOKEN, TRIPLE

_CODE_LINE = re.compile(
    r"""^[ \t]*(?:
      (?:def|class)[ ]\w+[ ]?[(:] | @\w | else: | from[ ]\S+[ ]import\b | import[ ]\w+(?:[ ]as[ ]\w+)?$
    | return\b(?![ ][a-z]+[ ][a-z]) | (?:for|while|with|if|elif)\b.*:[ \t]*(?:\#.*)?$
    | [\w.\[\], ]+(?::[^=\n]*)?[ ]?[-+*/@|&]?=[ ]?\S | \w+:[ ]\w+(?:\.\w+)*\[
    | [\w.]+\([^ ].*[),(]$ | [)\]}]+[,)\]:]*$ | [\w.\[\]()"' ]+,$
    )""",
    re.VERBOSE | re.MULTILINE,
)

#: how many characters behind a quote are looked at; they tell enough
_LOOKED_AT = 1000

_WORD = (
    r"(?!(?:for|in|if|else|not|and|or|is|import|from|as|return|with|assert|lambda|yield|del|class|def|while|raise|await|async)\b)"
    r"[A-Za-z]+"
)
_PROSE_LINE = re.compile(rf"^[^\"'#\n]*\b{_WORD} {_WORD} {_WORD}\b", re.MULTILINE)


#: the fence of a text in which no triple quote can be told to be without a partner
NO_FENCE = -1


def find_fence(text: str) -> int:
    """The offset of the triple quote without a partner, or NO_FENCE."""
    quotes = _delimiters(text)
    if len(quotes) % 2 == 0:
        return NO_FENCE
    ends = [*quotes[1:], len(text)]
    pieces = [text[begin + 3 : min(end, begin + _LOOKED_AT)] for begin, end in zip(quotes, ends)]
    inside, outside = pieces[::2], [*pieces[1::2], ""]
    kept = [_code(a) + _prose(b) for a, b in zip(inside, outside)]
    turned = [_prose(a) + _code(b) for a, b in zip(inside, outside)]
    before = list(accumulate(kept, initial=0))
    behind = list(accumulate(reversed(turned), initial=0))[::-1]
    costs = [before[number] + behind[number] for number in range(len(inside))]
    return quotes[2 * costs.index(min(costs))]


def _code(piece: str) -> int:
    return len(_CODE_LINE.findall(piece))


def _prose(piece: str) -> int:
    return len(_PROSE_LINE.findall(piece))


def _delimiters(text: str) -> list[int]:
    """The offsets of all triple quotes of the kind that is not closed.

    They are taken as they stand in the text, for behind the lone quote the scanner takes apostrophes in prose for strings;
    where some stand in comments or other strings so that their number is even, it is the scanner's that count.
    """
    for quote in ('"""', "'''"):
        written = [match.start() for match in re.finditer(quote, text)]
        if len(written) % 2:
            return written
    return _scanned(text)


def _scanned(text: str) -> list[int]:
    result: list[int] = []
    where = 0
    while (token := TOKEN.match(text, where)) is not None:
        kind, where = token.lastindex, token.end()
        if kind == TRIPLE:
            result += (token.start(kind), where - 3)
        elif kind == LONE_TRIPLE:
            result.append(token.start(kind))
    return result
