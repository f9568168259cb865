"""What a rule is: one class with its codes, severity, texts and examples.

Verifiers and diagnostic checks share this base. A rule looks at a whole program and returns findings; it raises nothing
and prints nothing. Its docstring has the sections *What it does*, *Why is this bad*, *Fix*; from it, ``codes`` and the
examples come its tests, its page under ``docs/rules`` and what ``pypto-lsp explain`` says.

In ``INVALID`` the marks ``⟦`` and ``⟧`` stand around each range that is reported; ``VALID`` examples give nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pypto_lsp.backends import DEFAULT_BACKEND, Backend
from pypto_lsp.diagnostics import Diagnostic, Related, Severity
from pypto_lsp.ir.nodes import Function, Program
from pypto_lsp.passes.incremental import Pipeline
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.text import Span


@dataclass(frozen=True, slots=True)
class RuleContext:
    """What a rule may know besides the program: the target, and where helpers are called from."""

    backend: Backend = DEFAULT_BACKEND
    #: function name -> calls that led to it, outermost first
    call_chain: dict[str, tuple[Span, ...]] = field(default_factory=dict)
    #: the program is the compiler's IR, to be verified as it stands; otherwise a source that its passes have yet to lower
    as_is: bool = False
    #: lowers programs for the rules that need passes
    pipeline: Pipeline = field(default_factory=Pipeline, compare=False, repr=False)

    def kernels(self, program: Program) -> tuple[TileKernel, ...]:
        """The kernels of a program on tiles."""
        return self.pipeline.kernels(program, self.backend)


class Rule:
    """Base of all verifiers and checks."""

    #: the name its findings carry
    rule_name: ClassVar[str] = ""
    #: the IRProperty it verifies, empty for checks
    ir_property: ClassVar[str] = ""
    #: the verifier's own name where its findings carry another
    verifier_name: ClassVar[str] = ""
    #: code -> what it says, in a few words
    codes: ClassVar[dict[int, str]] = {}
    severity: ClassVar[Severity] = Severity.ERROR
    hint_code: ClassVar[str] = ""
    #: where the compiler runs it: a pass name, ``pipeline_input``, ``pipeline_output`` or ``on demand``
    stage: ClassVar[str] = "pipeline_input"
    #: shown on DSL files
    on_dsl: ClassVar[bool] = True
    #: shown unless switched off
    default_on: ClassVar[bool] = True
    VALID: ClassVar[tuple[str, ...]] = ()
    INVALID: ClassVar[tuple[str, ...]] = ()

    def verify(self, program: Program, context: RuleContext) -> list[Diagnostic]:
        """All findings in a program."""
        found: list[Diagnostic] = []
        for function in program.functions.values():
            if function.body is not None:
                found.extend(self.verify_function(function, program, context))
        return found

    def steps(self, program: Program, context: RuleContext) -> Iterator[None]:
        """What of the work on a program can be done in small steps beforehand."""
        yield from ()

    def verify_function(self, function: Function, program: Program, context: RuleContext) -> Iterable[Diagnostic]:
        """The findings in one function; what most rules override."""
        raise NotImplementedError(type(self).__name__)

    def finding(
        self,
        code: int,
        span: Span | None,
        message: str,
        *,
        function: Function | None = None,
        related: Iterable[Related] = (),
        subject: Any = None,
        severity: Severity | None = None,
        **facts: Any,
    ) -> Iterable[Diagnostic]:
        """A finding at a place; none when there is no place to show it at."""
        if span is None:
            return ()
        return (
            Diagnostic(
                severity=severity or self.severity,
                rule_name=self.rule_name,
                error_code=code,
                hint_code=self.hint_code,
                message=message,
                span=span,
                related=tuple(related),
                facts=facts,
                kernel=function.name if function is not None else "",
                subject=subject,
            ),
        )


def related(span: Span | None, message: str) -> tuple[Related, ...]:
    """One related place, or none when there is no span."""
    return () if span is None else (Related(span, message),)
