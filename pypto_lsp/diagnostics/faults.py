"""The registry of front-end faults.

A kind of fault is declared once: a stable code from 2001 on that is never reused, the compiler's exception class as rule
name, a title, the message template with named facts, and an explanation with an example. The declarations live beside
the code that reports them, in modules named ``faults_*.py`` of this package; importing one registers its kinds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pypto_lsp.diagnostics.diagnostic import Diagnostic, Fix, Related, Severity
from pypto_lsp.text.span import Span


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A kind of front-end fault.

    ``template`` is formatted with the facts of an occurrence. ``example`` is wrong code, ``instead`` the right form.
    """

    code: int
    rule_name: str
    title: str
    template: str
    explanation: str
    example: str = ""
    instead: str = ""
    severity: Severity = Severity.ERROR

    def at(
        self,
        span: Span,
        *,
        fixes: tuple[Fix, ...] = (),
        related: tuple[Related, ...] = (),
        subject: Any = None,
        **facts: Any,
    ) -> Diagnostic:
        """A diagnostic of this kind at a place. Raises KeyError when a fact of the template is missing."""
        return Diagnostic(
            severity=self.severity,
            rule_name=self.rule_name,
            error_code=self.code,
            message=self.template.format(**facts),
            span=span,
            fixes=fixes,
            related=related,
            facts=facts,
            subject=subject,
        )


FAULTS: dict[int, FaultKind] = {}


def fault(
    code: int,
    rule_name: str,
    title: str,
    template: str,
    explanation: str,
    *,
    example: str = "",
    instead: str = "",
    severity: Severity = Severity.ERROR,
) -> FaultKind:
    """Declare a kind of fault. Raises ValueError when the code is taken."""
    if code in FAULTS:
        raise ValueError(f"fault code {code} is declared twice")
    kind = FaultKind(code, rule_name, title, template, explanation, example, instead, severity)
    FAULTS[code] = kind
    return kind
