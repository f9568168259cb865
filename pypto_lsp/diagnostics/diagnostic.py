"""A finding about a program, as every layer of the project passes it on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from pypto_lsp.text.span import Span


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    PERF_HINT = "hint"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of a span."""

    span: Span
    new_text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A quick fix: its title and all its edits. ``safe`` means that applying it without asking keeps the meaning or
    does what the author certainly wanted."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding, with a word on it."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    ``rule_name`` and ``error_code`` are the compiler's (a front-end fault: the exception class and a stable code from
    2001 on); ``hint_code`` is such as ``PH001`` for hints, else empty. ``facts`` holds the values in the message.
    ``kernel`` names the function it lies in.
    """

    severity: Severity
    rule_name: str
    error_code: int
    message: str
    span: Span
    hint_code: str = ""
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    kernel: str = ""
    #: the syntax or IR node at fault, for whoever builds a fix; no part of the finding's identity
    subject: Any = field(default=None, compare=False)

    @property
    def code(self) -> str:
        """``PH001`` for a hint, else ``RuleName/code``."""
        return self.hint_code or f"{self.rule_name}/{self.error_code}"

    def key(self) -> tuple[object, ...]:
        """Equal for findings that say the same of the same place."""
        return (*self.span.key(), self.rule_name, self.error_code, self.hint_code, self.message)
