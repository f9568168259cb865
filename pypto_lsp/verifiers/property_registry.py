"""Verifying properties of a program: the registry, the verifier pass, the instrument, and what a pipeline verifies by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from pypto_lsp.backends import DEFAULT_BACKEND
from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.diagnostics.errors import VerificationError
from pypto_lsp.ir.nodes import Program
from pypto_lsp.passes.pass_manager import OBSERVERS, Pass, PassContext, PassInstrument, PipelineObserver
from pypto_lsp.passes.pass_properties import (
    IRProperty,
    IRPropertySet,
    get_default_verify_properties,
    get_structural_properties,
    get_verified_properties,
)
from pypto_lsp.passes.verification_level import VerificationLevel, VerificationMode
from pypto_lsp.verifiers.registry import as_errors, verifying_rules
from pypto_lsp.verifiers.round_trip import verify_round_trip
from pypto_lsp.verifiers.rule import Rule, RuleContext

_REPORT_TITLE = "IR Verification Report"
_VERIFICATION_ORDER = 1


class PropertyVerifier(Protocol):
    """Verifies one property. Raises nothing; what it finds goes to the list."""

    def get_name(self) -> str:
        """The verifier's name, which may differ from that of its findings' rule."""

    def verify(self, program: Program, diagnostics: list[Diagnostic]) -> None:
        """Add all findings in a program."""


class RuleVerifier:
    """A rule as verifier of programs as they stand, for the target of the context that is open."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule

    def get_name(self) -> str:
        return self.rule.verifier_name or self.rule.rule_name

    def verify(self, program: Program, diagnostics: list[Diagnostic]) -> None:
        context = PassContext.current()
        backend = context.backend if context is not None else DEFAULT_BACKEND
        diagnostics.extend(as_errors(self.rule, self.rule.verify(program, RuleContext(backend, as_is=True))))


_OWN: dict[IRProperty, Callable[[], PropertyVerifier]] = {}


class PropertyVerifierRegistry:
    """The verifier of each property; the project's rules, and what was registered besides."""

    @staticmethod
    def register(prop: IRProperty, factory: Callable[[], PropertyVerifier]) -> None:
        """Verify a property with a verifier of the caller's from now on."""
        _OWN[prop] = factory

    @staticmethod
    def get(prop: IRProperty) -> PropertyVerifier | None:
        """The verifier of a property, None when it has none."""
        if prop in _OWN:
            return _OWN[prop]()
        rule = verifying_rules().get(prop)
        return None if rule is None else RuleVerifier(rule)

    @staticmethod
    def has(prop: IRProperty) -> bool:
        """Whether a property has a verifier."""
        return prop in _OWN or prop in verifying_rules()

    @staticmethod
    def verify(properties: IRPropertySet, program: Program) -> list[Diagnostic]:
        """All findings for a set of properties, in the properties' order."""
        found: list[Diagnostic] = []
        for prop in properties:
            verifier = PropertyVerifierRegistry.get(prop)
            if verifier is not None:
                verifier.verify(program, found)
        return found

    @staticmethod
    def verify_or_throw(properties: IRPropertySet, program: Program) -> None:
        """Raise :class:`VerificationError` with all findings when one of them is an error."""
        _throw(PropertyVerifierRegistry.verify(properties, program))

    @staticmethod
    def generate_report(diagnostics: Iterable[Diagnostic]) -> str:
        """The findings as text, in the layout of the compiler's report."""
        found = list(diagnostics)
        errors = sum(d.severity is Severity.ERROR for d in found)
        lines = [_REPORT_TITLE, "=" * len(_REPORT_TITLE)]
        lines += [f"Total diagnostics: {len(found)} ({errors} errors, {len(found) - errors} warnings)", ""]
        for number, d in enumerate(found, 1):
            word = "ERROR" if d.severity is Severity.ERROR else "WARNING"
            lines += [
                f"[{number}] {word} - {d.rule_name}",
                f"  Message: {d.message}",
                f"  Location: {d.span.path}:{d.span.line}:{d.span.column}",
                f"  Error Code: {d.error_code}",
                "",
            ]
        lines.append(_status(len(found), errors))
        return "\n".join(lines) + "\n"


def _status(count: int, errors: int) -> str:
    if errors:
        return f"Status: FAILED ({errors} error(s) found)"
    return f"Status: PASSED with {count} warning(s)" if count else "Status: PASSED"


def _throw(found: list[Diagnostic], before: str = "") -> None:
    if any(d.severity is Severity.ERROR for d in found):
        raise VerificationError(before + PropertyVerifierRegistry.generate_report(found), found)


def verify_properties(properties: IRPropertySet, program: Program, pass_name: str) -> None:
    """As :meth:`PropertyVerifierRegistry.verify_or_throw`, with the pass after which it was done in the message."""
    found = PropertyVerifierRegistry.verify(properties, program)
    _throw(found, f"Verification failed after '{pass_name}' for properties {properties}:\n")


def run_verifier(properties: IRPropertySet | None = None) -> Pass:
    """A pass that verifies properties (by default :func:`get_default_verify_properties`) and leaves the program as it is."""
    wanted = get_default_verify_properties() if properties is None else properties

    def run(program: Program) -> Program:
        PropertyVerifierRegistry.verify_or_throw(wanted, program)
        return program

    return Pass("IRVerifier", run)


class VerificationInstrument(PassInstrument):
    """Verifies what each pass requires and makes, and the structural properties besides."""

    def __init__(self, mode: VerificationMode) -> None:
        self.mode = mode

    def run_before_pass(self, pass_: Pass, program: Program) -> None:
        if self.mode in (VerificationMode.BEFORE, VerificationMode.BEFORE_AND_AFTER):
            wanted = pass_.get_required_properties().union_with(get_structural_properties())
            found = PropertyVerifierRegistry.verify(wanted, program)
            _throw(found, f"Verification failed before '{pass_.get_name()}' for properties {wanted}:\n")

    def run_after_pass(self, pass_: Pass, program: Program) -> None:
        if self.mode in (VerificationMode.AFTER, VerificationMode.BEFORE_AND_AFTER):
            wanted = pass_.get_produced_properties().union_with(get_structural_properties())
            verify_properties(wanted, program, pass_.get_name())


class _PipelineVerification(PipelineObserver):
    """Verifies each property that a compile verifies once where it arises, and again after a pass that broke it."""

    def __init__(self) -> None:
        self.known = IRPropertySet()

    def before_pipeline(self, program: Program, context: PassContext) -> None:
        if context.get_verification_level() is not VerificationLevel.NONE:
            wanted = get_structural_properties().intersection(get_verified_properties())
            verify_properties(wanted, program, "pipeline_input")
            self.known = wanted

    def after_pass(self, pass_: Pass, program: Program, context: PassContext) -> None:
        if context.get_verification_level() is VerificationLevel.NONE:
            return
        self.known = self.known.difference(pass_.get_invalidated_properties())
        made = pass_.get_produced_properties().intersection(get_verified_properties()).difference(self.known)
        if made:
            verify_properties(made, program, pass_.get_name())
            self.known = self.known.union_with(made)
        if context.get_verification_level() is VerificationLevel.ROUNDTRIP:
            verify_round_trip(program, pass_.get_name())


OBSERVERS[_VERIFICATION_ORDER] = _PipelineVerification

__all__ = [
    "PropertyVerifier",
    "PropertyVerifierRegistry",
    "RuleVerifier",
    "VerificationInstrument",
    "run_verifier",
    "verify_properties",
]
