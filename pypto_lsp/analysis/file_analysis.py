"""The analysis of one file, in slices."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from pypto_lsp.analysis.dsl_version import too_new
from pypto_lsp.analysis.fixing import Fixer
from pypto_lsp.analysis.front_end import FrontEnd
from pypto_lsp.analysis.report import FileReport, Found, merged, with_calls
from pypto_lsp.analysis.rule_memo import RuleMemo
from pypto_lsp.analysis.settings import Settings
from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.fixes.registry import Rechecked
from pypto_lsp.frontend.model import LoweredUnit, ModuleLowering
from pypto_lsp.frontend.units import is_printed_text, syntax_findings
from pypto_lsp.ir.nodes import Function
from pypto_lsp.ir.visit import walk
from pypto_lsp.passes.incremental import Pipeline
from pypto_lsp.passes.pass_properties import get_structural_properties, stage_of_file
from pypto_lsp.passes.transfers import Transfer, program_transfers
from pypto_lsp.verifiers.registry import as_errors, dsl_rules, rules_for, without_consequences
from pypto_lsp.verifiers.rule import Rule, RuleContext

_LOG = logging.getLogger(__name__)

#: a file whose text does not hold this word imports nothing of PyPTO's
MARK = "pypto"
_IMPORTS_LANGUAGE = re.compile(r"\b(?:import|from)\s+pypto\b")
#: statements that are analysed again, all together, to find the fixes that need it
_PATIENCE = 600
#: stages of rules that look at the program as it was written, before any pass
_EARLY = frozenset({"pipeline_input", "ConvertToSSA", "on demand"})


@dataclass(frozen=True, slots=True)
class Late:
    """A finding of a rule that needs passes, with the texts that it and its edits covered when it was made."""

    diagnostic: Diagnostic
    texts: tuple[str, ...]

    @classmethod
    def of(cls, diagnostic: Diagnostic) -> Late:
        return cls(diagnostic, _covered(diagnostic))

    @property
    def still_holds(self) -> bool:
        """Whether it and its edits cover the same texts as then, as far as one can tell without looking into it again."""
        return _covered(self.diagnostic) == self.texts


def _covered(diagnostic: Diagnostic) -> tuple[str, ...]:
    edits = (edit.span.text for fix in diagnostic.fixes for edit in fix.edits)
    return (diagnostic.span.text, *edits)


@dataclass(slots=True)
class FileAnalysis:
    """One run over one file. ``shown`` says whether a finding is to be shown at all.

    ``earlier`` are late findings of the run before. Until this one's are there, those that still cover the same text
    stand in for them, so that hints do not vanish and come back with every key. ``rule_memo`` holds what
    rules found in the run before, ``pipeline`` what passes made in it. ``patient`` asks for the fixes that need analyses of their own.
    """

    path: str
    text: str
    settings: Settings
    front_end: FrontEnd
    shown: Callable[[Diagnostic], bool]
    rule_memo: RuleMemo
    pipeline: Pipeline
    earlier: tuple[Late, ...] = ()
    late: list[Late] = field(default_factory=list)
    patient: bool = False
    #: the files that may import one
    importers: Callable[[str], list[str]] = lambda path: []
    #: makes the fixes; there with the complete report, for whoever takes it: it holds this analysis
    fixer: Fixer | None = None

    def steps(self) -> Iterator[FileReport | None]:
        """Reports as they come, with None between them where the caller may do something else; the last is complete."""
        if MARK not in self.text:
            yield FileReport(self.path, "complete")
            return
        lowering = yield from self._lower(self.front_end)
        found = self._front_end_findings(self.front_end, lowering)
        if not lowering.units and not _IMPORTS_LANGUAGE.search(self.text):
            yield FileReport(self.path, "complete")
            return
        self.pipeline.begin_run()
        self.rule_memo.begin_run()
        fixer = Fixer(self.settings.target, self.recheck, self._other_importers)
        early, late = self._rules()
        yield from self._run(early, lowering.units, found)
        yield self._report("front_end", lowering, without_followers(found), fixer, self._standing_in())
        count = len(found)
        if lowering.unproved:
            yield None
            found += self._syntax_findings(self.front_end)
        for unit in lowering.units if late else ():
            yield from self._lowered_to_tiles(unit)
        yield from self._run(late, lowering.units, found)
        late_findings = {id(diagnostic) for diagnostic, _ in found[count:]}
        found = without_followers(found)
        fixer.findings = tuple(diagnostic for diagnostic, _ in found)
        fixer.budget = _affordable(lowering.units) if self.patient else 0
        for diagnostic, where in found:
            fixed = diagnostic if self.printed else (yield from fixer.steps(diagnostic, where))
            if id(diagnostic) in late_findings:
                self.late.append(Late.of(fixed))
            yield None
        self.rule_memo.end_run()
        self.pipeline.end_run()
        self.fixer = fixer
        yield self._report("complete", lowering, found, fixer)

    @property
    def printed(self) -> bool:
        """Whether the file is the compiler's own output."""
        return is_printed_text(self.text)

    def _other_importers(self, path: str) -> list[str]:
        return [file for file in self.importers(path) if file != self.path]

    def recheck(self, texts: Mapping[str, str], path: str = "") -> Generator[None, None, Rechecked]:
        """All findings of a file (default: this one) as they would be with other texts in place of some files' own."""
        other = replace(
            self, rule_memo=RuleMemo(), pipeline=Pipeline(), path=path or self.path, text="" if path else self.text
        )
        edited = self.front_end.with_texts(texts)
        lowering = yield from other._lower(edited)
        found = other._front_end_findings(edited, lowering)
        if lowering.unproved:
            found += other._syntax_findings(edited)
        early, late = self._rules()
        for unit in lowering.units if late else ():
            yield from other._lowered_to_tiles(unit)
        yield from other._run([*early, *late], lowering.units, found)
        diagnostics = merged(diagnostic for diagnostic, _ in without_followers(found))
        transfers = list(other._transfers(lowering.units if late else ()))
        other.pipeline.rest()
        return Rechecked(diagnostics, transfers)

    def _syntax_findings(self, front_end: FrontEnd) -> list[Found]:
        """The fault of the whole text, where the pieces alone have none."""
        module = front_end.module(self.path)
        return [] if module is None else [(diagnostic, None) for diagnostic in syntax_findings(module.tree)]

    def _lower(self, front_end: FrontEnd) -> Generator[None, None, ModuleLowering]:
        try:
            return (yield from front_end.lower(self.path))
        except Exception:  # a defect of ours must neither end the server nor show as a finding
            _LOG.exception("internal error while reading the kernels of %s", self.path)
            return ModuleLowering([], [])

    def _front_end_findings(self, front_end: FrontEnd, lowering: ModuleLowering) -> list[Found]:
        """What the front end found, with names that are newer than the language the settings ask for."""
        found, version = front_end_findings(lowering), self.settings.dsl_version
        env = front_end.module(self.path) if version else None
        return found if env is None else [*found, *((diagnostic, None) for diagnostic in too_new(env, version))]

    # --- rules -------------------------------------------------------------------------------------------------

    def _rules(self) -> tuple[list[Rule], list[Rule]]:
        """The rules that the settings ask for: those on the program as written, and those that need passes.

        The compiler's own IR is verified as it stands, for the properties that hold at the stage its file name tells;
        where it tells none, for those that always hold.
        """
        if self.printed:
            stage = stage_of_file(self.path)
            holding = get_structural_properties() if stage is None else stage.properties()
            return (list(rules_for(holding)) if self.settings.verifies else []), []
        wanted = [r for r in dsl_rules() if (self.settings.verifies if r.ir_property else self.settings.warns)]
        return [r for r in wanted if r.stage in _EARLY], [r for r in wanted if r.stage not in _EARLY]

    def _run(self, rules: Iterable[Rule], units: Iterable[LoweredUnit], found: list[Found]) -> Iterator[None]:
        """Add the findings of rules, a step for each rule and function where the rule looks at functions alone."""
        rules = list(rules)
        for unit in units:
            if self.printed and any(d.severity is Severity.ERROR for d in unit.diagnostics):
                continue  # the compiler cannot read it back, so there is no IR to verify
            context = RuleContext(self.settings.target, unit.call_chain, self.printed, self.pipeline)
            for rule in rules:
                yield from self._prepared(rule, unit, context)
                for function in _looked_at(rule, unit):
                    found += self._verified(rule, unit, function, context)
                    yield None

    def _lowered_to_tiles(self, unit: LoweredUnit) -> Iterator[None]:
        """Do what most late rules begin with, in small steps."""
        try:
            yield from self.pipeline.steps(unit.program, self.settings.target)
        except Exception:  # the rules that need it meet the same defect and report it
            return

    def _transfers(self, units: Iterable[LoweredUnit]) -> Iterator[Transfer]:
        """The transfers of all kernels."""
        target = self.settings.target
        try:
            for unit in units:
                for _, transfer in program_transfers(self.pipeline.kernels(unit.program, target), target):
                    yield transfer
        except Exception:  # a fix that finds nothing of them is not offered
            _LOG.exception("internal error in the transfers of %s", self.path)

    def _prepared(self, rule: Rule, unit: LoweredUnit, context: RuleContext) -> Iterator[None]:
        try:
            yield from rule.steps(unit.program, context)
        except Exception:  # the rule meets the same defect when it verifies, and that is reported
            return

    def _verified(self, rule: Rule, unit: LoweredUnit, function: Function | None, context: RuleContext) -> list[Found]:
        """What a rule finds; a defect of ours in it costs its own findings only."""
        try:
            found = self.rule_memo.verify(rule, function, unit.program, context)
        except Exception:
            _LOG.exception("internal error of rule %s in %s", rule.rule_name, unit.name)
            return []
        if context.as_is:
            found = as_errors(rule, found)
        return [(with_calls(diagnostic, unit, self.rule_memo.reported), unit) for diagnostic in found]

    def _standing_in(self) -> list[Diagnostic]:
        return [late.diagnostic for late in self.earlier if late.still_holds]

    # --- reports -----------------------------------------------------------------------------------------------

    def _report(
        self,
        stage: str,
        lowering: ModuleLowering,
        found: list[Found],
        fixer: Fixer,
        standing_in: Iterable[Diagnostic] = (),
    ) -> FileReport:
        shown = [(diagnostic, unit) for diagnostic, unit in found if self.shown(diagnostic)]
        # printed IR is made anew by the next compilation, so there is nothing to fix in it
        diagnostics = [d if self.printed else fixer.fix(d, unit) for d, unit in shown]
        diagnostics += [d for d in standing_in if self.shown(d)]
        return FileReport(
            self.path,
            stage,
            diagnostics=tuple(merged(diagnostics, self.rule_memo.reported)),
            units=tuple(lowering.units),
            functions=tuple(lowering.functions),
        )


def _affordable(units: Iterable[LoweredUnit]) -> int:
    """How many edited texts a patient analysis may analyse: the fewer, the more a file holds."""
    statements = sum(
        1 for unit in units for function in unit.program.functions.values() for _ in walk(function.body or ())
    )
    return _PATIENCE // max(statements, 1)


def _looked_at(rule: Rule, unit: LoweredUnit) -> Iterable[Function | None]:
    """The functions that a rule looks at one by one; None for the program as a whole."""
    if type(rule).verify is not Rule.verify:
        return (None,)
    return (function for function in unit.program.functions.values() if function.body is not None)


def front_end_findings(lowering: ModuleLowering) -> list[Found]:
    """What the front end itself found, with the unit it lies in."""
    found: list[Found] = [(diagnostic, None) for diagnostic in lowering.diagnostics]
    for unit in lowering.units:
        found += [(with_calls(diagnostic, unit), unit) for diagnostic in unit.diagnostics]
    return found


def without_followers(found: list[Found]) -> list[Found]:
    """The findings without those that only follow from another."""
    kept = {id(diagnostic) for diagnostic in without_consequences([diagnostic for diagnostic, _ in found])}
    return [(diagnostic, unit) for diagnostic, unit in found if id(diagnostic) in kept]
