"""Suppression comments, and the selectors with which a person names findings.

``# pypto: ignore`` silences its line, ``# pypto: ignore[PH001, TypeCheck/104]`` only what is listed; it may follow another
comment. ``# pypto: ignore-file``, with or without a list, silences the whole file when it stands above the first statement.
Text may follow the closing bracket, so that a reason can be given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pypto_lsp.diagnostics.diagnostic import Diagnostic
from pypto_lsp.text import Span

_DIRECTIVE = re.compile(r"#\s*pypto:\s*(?P<verb>ignore-file|ignore)(?![\w-])\s*(?:\[(?P<codes>[^\]]*)\])?")

_SEPARATORS = ("-", "/")


def selects(selector: str, rule_name: str, error_code: int, hint_code: str) -> bool:
    """Whether a selector names a code.

    A selector is a full code (``PH001``, ``TypeCheck/104``), a rule's name (``TypeCheck``), or the family of a hint code:
    its letters (``PH``) or the part up to a hyphen (``PH-AT``). Case does not matter.
    """
    wanted = selector.strip().lower()
    if not wanted:
        return False
    if wanted in (rule_name.lower(), f"{rule_name}/{error_code}".lower(), hint_code.lower()):
        return True
    if not hint_code:
        return False
    rest = hint_code.lower().removeprefix(wanted)
    return rest != hint_code.lower() and (rest[:1] in _SEPARATORS or (wanted.isalpha() and rest[:1].isdigit()))


def selected(selectors: Iterable[str], diagnostic: Diagnostic) -> bool:
    """Whether any of the selectors names this finding."""
    return any(selects(s, diagnostic.rule_name, diagnostic.error_code, diagnostic.hint_code) for s in selectors)


@dataclass(frozen=True, slots=True)
class Directive:
    """One suppression comment. ``selectors`` is empty when it silences everything."""

    span: Span
    whole_file: bool
    selectors: tuple[str, ...] = ()

    def covers(self, diagnostic: Diagnostic) -> bool:
        return not self.selectors or selected(self.selectors, diagnostic)


def parse_directive(span: Span, comment: str) -> Directive | None:
    """The directive in a comment (its text with the hash), None when it holds none.

    An empty list (``ignore[]``) is no directive: it names nothing, so it silences nothing.
    """
    match = _DIRECTIVE.search(comment)
    if match is None:
        return None
    codes = match["codes"]
    selectors = tuple(code.strip() for code in (codes or "").split(",") if code.strip())
    if codes is not None and not selectors:
        return None
    return Directive(span, match["verb"] == "ignore-file", selectors)


@dataclass(slots=True)
class Suppressions:
    """The directives of one file: ``by_line`` (lines from 1) and those for the whole file."""

    by_line: dict[int, list[Directive]] = field(default_factory=dict)
    whole_file: list[Directive] = field(default_factory=list)

    def cover(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding is silenced: by the file, or on the first or the last line of its span."""
        if any(directive.covers(diagnostic) for directive in self.whole_file):
            return True
        if not self.by_line:
            return False
        line, _, end_line, _ = diagnostic.span.position()
        lines = (line,) if line == end_line else (line, end_line)
        return any(directive.covers(diagnostic) for at in lines for directive in self.by_line.get(at, ()))


def read_suppressions(comments: Sequence[tuple[Span, str]], first_statement: int) -> Suppressions:
    """The suppressions among a file's comments.

    ``first_statement`` is the character offset from which ``ignore-file`` no longer counts (the module's docstring is
    no statement in this sense).
    """
    found = Suppressions()
    for span, text in comments:
        directive = parse_directive(span, text) if "pypto:" in text else None
        if directive is None:
            continue
        if not directive.whole_file:
            found.by_line.setdefault(span.line, []).append(directive)
        elif span.begin < first_statement:
            found.whole_file.append(directive)
    return found
