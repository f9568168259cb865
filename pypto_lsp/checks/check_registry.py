"""Running warnings and hints: the registry, the instruments, and what a pipeline says by itself.

Warnings go to the log at level WARNING. Hints go to the file ``perf_hints.log`` of the context's :class:`ReportInstrument`, with
one line in the log that says how many; without such an instrument each goes to the log at level INFO.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from pypto_lsp.backends import DEFAULT_BACKEND
from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.ir.nodes import Program
from pypto_lsp.passes.diagnostic_checks import DiagnosticCheck, DiagnosticCheckSet, DiagnosticPhase
from pypto_lsp.passes.pass_manager import OBSERVERS, Pass, PassContext, PassInstrument, PipelineObserver
from pypto_lsp.verifiers.registry import all_rules
from pypto_lsp.verifiers.rule import Rule, RuleContext

_LOG = logging.getLogger("pypto_lsp.diagnostics")
_DIAGNOSTICS_ORDER = 0
PERF_HINTS = "perf_hints.log"


@dataclass(frozen=True, slots=True)
class Registration:
    """A check: the name of its rule, and what every finding of it is stamped with."""

    rule_name: str
    severity: Severity
    phase: DiagnosticPhase
    hint_code: str = ""


_REGISTERED: dict[DiagnosticCheck, Registration] = {
    DiagnosticCheck.UnusedVariable: Registration("UnusedVariableCheck", Severity.WARNING, DiagnosticPhase.PRE_PIPELINE),
    DiagnosticCheck.UnusedControlFlowResult: Registration(
        "UnusedControlFlowResultCheck", Severity.WARNING, DiagnosticPhase.PRE_PIPELINE
    ),
    DiagnosticCheck.TileInnermostDimGranularity: Registration(
        "TileInnermostDimGranularity", Severity.PERF_HINT, DiagnosticPhase.POST_PIPELINE, "PH001"
    ),
    DiagnosticCheck.OutParamWriteDropped: Registration(
        "OutParamWriteDropped", Severity.WARNING, DiagnosticPhase.PRE_PIPELINE
    ),
}


@cache
def _rule(name: str) -> Rule:
    return next(rule for rule in all_rules() if rule.rule_name == name)


class DiagnosticCheckRegistry:
    """The checks with severity, phase and hint code."""

    @staticmethod
    def registration(check: DiagnosticCheck) -> Registration:
        """What a check's findings are stamped with, and when it runs."""
        return _REGISTERED[check]

    @staticmethod
    def get_all_checks() -> DiagnosticCheckSet:
        return DiagnosticCheckSet(_REGISTERED)

    @staticmethod
    def get_warning_checks() -> DiagnosticCheckSet:
        return DiagnosticCheckSet(c for c, r in _REGISTERED.items() if r.severity is Severity.WARNING)

    @staticmethod
    def get_perf_hint_checks() -> DiagnosticCheckSet:
        return DiagnosticCheckSet(c for c, r in _REGISTERED.items() if r.severity is Severity.PERF_HINT)

    @staticmethod
    def run_checks(checks: DiagnosticCheckSet, phase: DiagnosticPhase, program: Program) -> list[Diagnostic]:
        """What those of the checks find that are registered for a phase."""
        context = PassContext.current()
        found: list[Diagnostic] = []
        for check in checks:
            registered = _REGISTERED[check]
            if registered.phase is phase:
                rule = _rule(registered.rule_name)
                backend = context.backend if context is not None else DEFAULT_BACKEND
                for finding in rule.verify(program, RuleContext(backend)):
                    found.append(replace(finding, severity=registered.severity, hint_code=registered.hint_code))
        return found


class ReportInstrument(PassInstrument):
    """Says into which folder reports go."""

    def __init__(self, output_dir: str) -> None:
        self._output_dir = output_dir

    def get_output_dir(self) -> str:
        return self._output_dir


class DiagnosticInstrument(PassInstrument):
    """Runs checks of the phase POST_PASS after each pass."""

    def __init__(self, checks: DiagnosticCheckSet | None = None) -> None:
        self.checks = DiagnosticCheckRegistry.get_all_checks() if checks is None else checks

    def run_after_pass(self, pass_: Pass, program: Program) -> None:
        found = DiagnosticCheckRegistry.run_checks(self.checks, DiagnosticPhase.POST_PASS, program)
        emit_diagnostics(found, pass_.get_name())


def diagnostic_line(finding: Diagnostic, label: str = "") -> str:
    """A warning or hint as one line; ``label`` names the point in the pipeline, which only warnings show."""
    place = f" at {finding.span.path}:{finding.span.line}:{finding.span.column}"
    if finding.severity is Severity.PERF_HINT:
        code = f" {finding.hint_code}" if finding.hint_code else ""
        return f"[perf_hint{code}] {finding.rule_name}: {finding.message}{place}"
    where = f" ({label})" if label else ""
    return f"[warning] [{finding.rule_name}]{where} {finding.message}{place}"


def emit_diagnostics(found: Iterable[Diagnostic], label: str) -> None:
    """Log warnings; write hints to the report folder of the context, or log them when it has none.

    Raises OSError when the folder cannot be written.
    """
    folder = _report_folder()
    written: list[Diagnostic] = []
    for finding in found:
        if finding.severity is not Severity.PERF_HINT:
            _LOG.warning("%s", diagnostic_line(finding, label))
        elif folder is None:
            _LOG.info("%s", diagnostic_line(finding))
        else:
            written.append(finding)
    if folder is not None and written:
        path = folder / PERF_HINTS
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.writelines(diagnostic_line(finding) + "\n" for finding in written)
        sites = {(f.span.path, f.span.line, f.span.column) for f in written}
        _LOG.info("[perf_hint] %d hints across %d sites; see %s", len(written), len(sites), path)


def _report_folder() -> Path | None:
    context = PassContext.current()
    for instrument in context.get_instruments() if context is not None else ():
        if isinstance(instrument, ReportInstrument):
            return Path(instrument.get_output_dir())
    return None


class _PipelineDiagnostics(PipelineObserver):
    """Runs each check that is not disabled in its phase."""

    def before_pipeline(self, program: Program, context: PassContext) -> None:
        _run(DiagnosticPhase.PRE_PIPELINE, program, context, "pipeline_input")

    def after_pass(self, pass_: Pass, program: Program, context: PassContext) -> None:
        _run(DiagnosticPhase.POST_PASS, program, context, pass_.get_name())

    def after_pipeline(self, program: Program, context: PassContext) -> None:
        _run(DiagnosticPhase.POST_PIPELINE, program, context, "pipeline_output")


def _run(phase: DiagnosticPhase, program: Program, context: PassContext, label: str) -> None:
    if context.get_diagnostic_phase() is not DiagnosticPhase.NONE:
        checks = DiagnosticCheckRegistry.get_all_checks().difference(context.get_disabled_diagnostics())
        emit_diagnostics(DiagnosticCheckRegistry.run_checks(checks, phase, program), label)


OBSERVERS[_DIAGNOSTICS_ORDER] = _PipelineDiagnostics

__all__ = [
    "DiagnosticCheckRegistry",
    "DiagnosticInstrument",
    "Registration",
    "ReportInstrument",
    "diagnostic_line",
    "emit_diagnostics",
]
