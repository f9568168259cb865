"""The one way in for command, server and tests: texts, settings, and a report per file."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from pypto_lsp.analysis.build_hints import BuildHint, BuildLogs, with_build_hints
from pypto_lsp.analysis.file_analysis import MARK, FileAnalysis, Late
from pypto_lsp.analysis.files import UnreadableFile
from pypto_lsp.analysis.fixing import Fixer
from pypto_lsp.analysis.front_end import FrontEnd
from pypto_lsp.analysis.importers import Importers
from pypto_lsp.analysis.kept_reports import KeptReports
from pypto_lsp.analysis.report import SYNTAX_STAGE, FileReport
from pypto_lsp.analysis.report_cache import ReportCache
from pypto_lsp.analysis.rule_memo import RuleMemo
from pypto_lsp.analysis.settings import Settings, environment_settings
from pypto_lsp.analysis.sources import Document, Sources
from pypto_lsp.analysis.spare_files import SpareFiles
from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.diagnostics.older_spellings import right_then
from pypto_lsp.diagnostics.suppression import Suppressions, read_suppressions, selected
from pypto_lsp.frontend.static import MISSING, ModuleEnvironment
from pypto_lsp.frontend.units import syntax_findings
from pypto_lsp.ir.types import origin_of
from pypto_lsp.ops import REGISTRY
from pypto_lsp.passes.incremental import Pipeline
from pypto_lsp.syntax import SyntaxTree, warm_up
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.syntax.compiling import compile_text
from pypto_lsp.text import Span
from pypto_lsp.text.nesting import allow_nesting
from pypto_lsp.verifiers.registry import dsl_rules

_LOG = logging.getLogger(__name__)

#: edited texts that are analysed for the fixes of one finding
_ANALYSES_PER_FIX = 18
#: characters of open documents of which all is kept that was made of them: the one in work, and those before it
_AWAKE_CHARACTERS = 250_000
#: characters of files on disk that are kept parsed although no open document needs them
_SPARE_CHARACTERS = 200_000


@dataclass(slots=True)
class _Memo:
    """A finished report with what it was computed from."""

    inputs: tuple[object, ...]
    report: FileReport
    late: tuple[Late, ...] = ()
    seconds: float = 0.0
    #: makes the fixes that need analyses of their own
    fixer: Fixer | None = None
    #: the document was not in work for long: only its findings were kept
    asleep: bool = False


class Workspace:
    """Open documents and files, analysed on demand.

    ``roots`` are the folders from which absolute imports are looked up. A report depends only on the texts that were
    read and on the settings; while those stay, it is not made again. ``patient`` asks for the fixes that need analyses of
    their own in every report; else :meth:`all_fixes` has them. ``cache`` is asked by :meth:`findings` and :meth:`kept` alone.
    """

    def __init__(
        self,
        roots: Iterable[str] = (),
        settings: Settings | None = None,
        *,
        patient: bool = False,
        cache: ReportCache | None = None,
    ) -> None:
        allow_nesting()
        self.sources = Sources()
        self.patient = patient
        self._settings = settings or environment_settings()
        self._front_end = FrontEnd(self.sources, tuple(roots))
        self._build_logs = BuildLogs(self.roots)
        self._importers = Importers(self.sources)
        self.cache = cache
        self._memo: dict[str, _Memo] = {}
        #: of open documents
        self._rule_memos: dict[str, RuleMemo] = {}
        self._pipelines: dict[str, Pipeline] = {}
        #: open documents, the one that was opened, edited or asked about last at the end
        self._in_work: list[str] = []
        #: the document that was edited last
        self._edited: str | None = None
        #: documents that have fallen asleep, until somebody takes note of it
        self._slept: list[FileReport] = []
        self._spare = SpareFiles(self.sources)
        #: with what stood for the text that they were read from
        self._suppressions: dict[str, tuple[object, Suppressions | None]] = {}

    # --- what is analysed --------------------------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        return self._settings

    def configure(self, settings: Settings) -> bool:
        """Take new settings; true when they differ from the old ones."""
        changed = settings != self._settings
        self._settings = settings
        return changed

    @property
    def roots(self) -> tuple[str, ...]:
        return self._front_end.roots

    def set_roots(self, roots: Iterable[str]) -> None:
        self._front_end.set_roots(tuple(roots))
        self._build_logs.set_roots(self.roots)

    def warm_up(self) -> None:
        """Load what the first analysis needs, which importing this package does not."""
        for _ in self.warming_up():
            pass

    def warming_up(self) -> Iterator[None]:
        """:meth:`warm_up` in steps, for whoever has other things to do in between."""
        yield from REGISTRY.loading()
        warm_up()
        yield
        dsl_rules()

    def module_value(self, path: str, name: str) -> Any:
        """The static value of a module-level name of a file, MISSING when it has none or it cannot be told."""
        env = self._module(path)
        return MISSING if env is None else env.lookup(name)

    def module_names(self, path: str) -> list[str]:
        """The module-level names of a file."""
        env = self._module(path)
        return [] if env is None else env.names()

    def module_definition(self, path: str, name: str) -> Span | None:
        """Where a module-level name is bound; for an imported one in the file it comes from, where that can be told."""
        env = self._module(path)
        span = None if env is None else env.definition(name)
        if env is None or span is None:
            return None
        home = _home(env.lookup(name))
        if home is None or home.path == path:
            return span
        alias = next((a for a in _imports(env) if a.asname == name), None)
        other = self._module(home.path)
        found = other.definition(alias.name if alias else name) if other is not None else None
        return found or home

    def _module(self, path: str) -> ModuleEnvironment | None:
        try:
            return self._front_end.module(path)
        except Exception:  # a defect of ours in evaluating the file; hover and completion do without its names
            _LOG.exception("internal error while evaluating %s", path)
            return None

    def open(self, path: str, text: str, version: int = 0) -> Document:
        return self.sources.open(path, text, version)

    def close(self, path: str) -> set[str]:
        """The file on disk counts again. Gives the files of which a report may speak of the text that was edited: the places in it
        moved with the edits, so it is made again."""
        document = self.sources.document(path)
        moved: set[str] = set()
        if document is not None and document.saved_as is None:
            moved = {path, *self.dependents(path)}
        self.sources.close(path)
        for file in moved & self._memo.keys():
            memo = self._memo[file]
            memo.inputs, memo.late = memo.inputs[:1], ()  # its own text is as it was
        self._rule_memos.pop(path, None)
        self._pipelines.pop(path, None)
        if path in self._in_work:
            self._in_work.remove(path)
        if path == self._edited:
            self._edited = None
        return moved

    def text(self, path: str) -> str:
        """The text of a document or file. Raises :class:`~pypto_lsp.analysis.files.UnreadableFile`."""
        return self.sources.text(path)

    def refresh(self, paths: Iterable[str] | None = None) -> bool:
        """Look whether files changed on disk (default: all that were read); true when one did."""
        paths = None if paths is None else list(paths)
        changed = self.sources.refresh(paths)
        return self._build_logs.refresh(paths) or changed

    def build_log_faults(self) -> dict[str, str]:
        """The logs of the compiler's builds that cannot be read, wholly or in part, with the reason."""
        return self._build_logs.faults() if self._settings.warns else {}

    def speaks_pypto(self, path: str) -> bool:
        """Whether a file mentions the language at all. Raises :class:`~pypto_lsp.analysis.files.UnreadableFile`."""
        return MARK in self.text(path)

    @staticmethod
    def is_python(text: str) -> bool:
        """Whether a text compiles."""
        try:
            compile_text(text)
        except (SyntaxError, ValueError):
            return False
        return True

    # --- reports -----------------------------------------------------------------------------------------------

    def check(self, path: str) -> FileReport:
        """The complete report of a file. Raises :class:`~pypto_lsp.analysis.files.UnreadableFile`."""
        *_, report = (step for step in self.steps(path) if step is not None)
        return report

    def front_end(self, path: str) -> FileReport:
        """The first report of a file: syntax, front end, bindings; no rules that need a pass."""
        return next(step for step in self.steps(path) if step is not None)

    def findings(self, path: str) -> Iterator[FileReport | None]:
        """As :meth:`steps`, for whoever wants the findings alone: what an earlier run of the program found, where that still
        holds, else a new analysis, which is kept for later ones. Raises as :meth:`steps` does."""
        kept = self.kept(path)
        if kept is not None:
            yield kept
            return
        yield from self._steps(path)
        self.keep(path)

    def kept(self, path: str) -> FileReport | None:
        """The findings of a file from the cache on disk, None when it has none that hold; no bindings, no units. What builds of the
        compiler have left to say is never kept there.

        Raises :class:`~pypto_lsp.analysis.files.UnreadableFile`.
        """
        if self.cache is None or MARK not in self.sources.text(path) or self._build_logs.has_logs(path):
            return None
        return KeptReports(self.cache, self.sources, self._front_end).find(path, self._question())

    def keep(self, path: str) -> None:
        """Write the last complete report of a file to the cache on disk, if it is one of the texts as they are now."""
        if self.cache is not None and self.is_current(path) and not self._build_logs.has_logs(path):
            kept = KeptReports(self.cache, self.sources, self._front_end)
            kept.keep(self._memo[path].report, self._question())

    def dependents(self, path: str) -> set[str]:
        """The files that looked at another one when they were analysed last."""
        return self._front_end.dependents(path)

    def is_current(self, path: str) -> bool:
        """Whether the last complete report of a file is one of the texts and settings as they are now."""
        memo = self._memo.get(path)
        try:
            return memo is not None and memo.inputs == self.inputs(path)
        except UnreadableFile:
            return False

    def syntax_report(self, path: str) -> FileReport:
        """What can be said of a file at once: the fault of its syntax, if it has one. Raises
        :class:`~pypto_lsp.analysis.files.UnreadableFile`."""
        text = self.sources.text(path)
        if MARK not in text or self.is_python(text):
            return FileReport(path, SYNTAX_STAGE)
        return FileReport(path, SYNTAX_STAGE, tuple(filter(self._shown, syntax_findings(self.sources.tree(path)))))

    def _question(self) -> str:
        return f"{self._settings.key} {self.patient}"

    def latest(self, path: str) -> FileReport | None:
        """The last complete report of a file, perhaps of an older text; its spans move with the text."""
        memo = self._memo.get(path)
        return memo.report if memo else None

    def seconds(self, path: str) -> float:
        """How long the last complete analysis of a file took; 0.0 before the first."""
        memo = self._memo.get(path)
        return memo.seconds if memo else 0.0

    def steps(self, path: str) -> Iterator[FileReport | None]:
        """The analysis of a file in slices: a report where there is one to show, else None; the last is complete.

        The caller may do other things between two steps. It must drop the iterator when a text has changed since.
        Raises :class:`~pypto_lsp.analysis.files.UnreadableFile` at the first step.
        """
        self.sources.subjects.add(path)
        return self._steps(path)

    def _steps(self, path: str) -> Iterator[FileReport | None]:
        text = self.sources.text(path)
        inputs = self.inputs(path)
        memo = self._memo.get(path)
        if memo is not None and memo.inputs == inputs:
            yield memo.report
            return
        if self.sources.document(path) is not None and (memo is None or memo.inputs[:1] != inputs[:1]):
            if memo is not None and memo.inputs:  # not one that was woken
                self._edited = path
            self._take_up(path)
        analysis = FileAnalysis(
            path,
            text,
            self._settings,
            self._front_end,
            self._shown,
            self._rule_memo(path),
            self._pipeline(path),
            memo.late if memo else (),
            patient=self.patient,
            importers=lambda file: self._importers.of(file, self.roots),
        )
        seconds = 0.0
        report = FileReport(path, "complete")
        steps = analysis.steps()
        while True:
            start = perf_counter()
            step = next(steps, report)
            seconds += perf_counter() - start
            if step is report:
                break
            if step is not None and step.complete:
                step = with_build_hints(step, self._build_hints(path), self.sources.find, self._shown)
            report = step or report
            if report.complete and step is not None:
                self._memo[path] = _Memo(self.inputs(path), report, tuple(analysis.late), seconds, analysis.fixer)
                analysis.fixer = None
                if self.sources.document(path) is None:
                    analysis.pipeline.rest()
                else:
                    self._settle()
            yield step

    def seconds_to_fix(self, path: str, finding: Diagnostic) -> float:
        """How long :meth:`all_fixes` takes for each analysis that it makes; 0.0 where it makes none."""
        memo = self._memo.get(path)
        known = memo is not None and memo.fixer is not None and memo.fixer.has_sought(finding)
        return 0.0 if known else self.seconds(path)

    def all_fixes(self, path: str, finding: Diagnostic) -> Generator[None, None, Diagnostic]:
        """A finding in the last report of ``path`` with all its fixes, also those that need analyses of their own, in slices.

        The caller must drop the iterator when a text has changed since.
        """
        memo = self._memo.get(path)
        if memo is None or memo.fixer is None or memo.inputs != self.inputs(path):
            return finding
        memo.fixer.budget = _ANALYSES_PER_FIX
        memo.fixer.checks_importers = True
        # the one at hand may be from before the document fell asleep
        finding = next((each for each in memo.report.diagnostics if each.key() == finding.key()), finding)
        unit = next((u for u in memo.report.units if finding.kernel in u.program.functions), None)
        return (yield from memo.fixer.steps(finding, unit))

    # --- what is kept ------------------------------------------------------------------------------------------

    def wake(self, path: str) -> bool:
        """Somebody wants more of a document than its findings; true when it has to be analysed for that."""
        memo = self._memo.get(path)
        if self.sources.document(path) is None or memo is None:
            return False
        self._take_up(path)
        if not memo.asleep:
            return False
        memo.inputs, memo.asleep = (), False
        return True

    def rests(self, path: str) -> bool:
        """Whether only the findings of a document were kept when it was analysed last."""
        memo = self._memo.get(path)
        return memo is not None and memo.asleep

    def slept(self) -> list[FileReport]:
        """The reports of documents of which only findings were kept since the last question."""
        slept, self._slept = self._slept, []
        return slept

    def _take_up(self, path: str) -> None:
        """A document is in work."""
        if self._in_work[-1:] != [path]:
            if path in self._in_work:
                self._in_work.remove(path)
            self._in_work.append(path)
            self._settle()

    def _settle(self) -> None:
        """Documents that are no longer in work do not keep what makes their next edit quick, which takes much memory; those that
        were not for long keep their findings alone. Who looks at others between two edits finds the edited one as it was."""
        documents = (self.sources.document(path) for path in reversed(self._in_work))
        lengths = {document.path: len(document.text) for document in documents if document is not None}
        # where not all can be awake, what passes made of a document is kept only once it is edited: then the last findings of its
        # first edit come later
        crowded = sum(lengths.values()) > _AWAKE_CHARACTERS
        room = _AWAKE_CHARACTERS
        for number, (path, length) in enumerate(lengths.items()):
            room -= length
            if path == self._edited:
                continue
            if number:
                self._front_end.rest(path)
            if path in self._pipelines and (number or crowded):
                self._pipelines[path].rest()
            if number and room < 0 and self._sleep(path):
                self._spare.used(self._front_end.looked_at(path) or ())
                self._trim()

    def _sleep(self, path: str) -> bool:
        memo = self._memo.get(path)
        if memo is None or memo.asleep or not self.is_current(path):
            return False
        memo.report, memo.late, memo.fixer, memo.asleep = memo.report.without_units(), (), None, True
        self._slept.append(memo.report)
        self._rule_memos.pop(path, None)
        self._pipelines.pop(path, None)
        self._front_end.drop_memo(path)
        if path not in self._needed(self._awake()):
            self._forget({path})
        return True

    def _awake(self) -> list[str]:
        """The open documents of which more than the findings is known, or is about to be."""
        return [path for path in self._in_work if not (path in self._memo and self._memo[path].asleep)]

    def _needed(self, paths: Iterable[str]) -> set[str]:
        """The files that others looked at."""
        return {other for path in paths for other in self._front_end.looked_at(path) or ()}

    def _forget(self, paths: set[str]) -> None:
        """Drop the trees of files, and what they were evaluated to."""
        for path in paths:
            self._suppressions.pop(path, None)
            self.sources.forget(path)
        self._front_end.forget(paths)

    def _rule_memo(self, path: str) -> RuleMemo:
        """What rules found in an open document before; a file that is not open is rarely looked at twice."""
        return self._rule_memos.setdefault(path, RuleMemo()) if self.sources.document(path) else RuleMemo()

    def _pipeline(self, path: str) -> Pipeline:
        """What passes made of an open document before."""
        if self.sources.document(path) is None:
            return Pipeline()
        return self._pipelines.setdefault(path, Pipeline(continued=True))

    def drop_report(self, path: str) -> None:
        """Forget the report of a file, which holds all that it was lowered to; the texts stay."""
        self._memo.pop(path, None)

    def release(self, path: str) -> int:
        """Forget the report of a file that is not open, to save memory, and where too much is kept of files on disk, those that
        neither this one nor an open document needed, and that others have not needed for long; gives their length in characters."""
        self._memo.pop(path, None)
        self._spare.used({path, *(self._front_end.looked_at(path) or ())})
        return self._trim()

    def _trim(self) -> int:
        """Forget the files on disk that are not needed, and have not been for long; gives their length in characters."""
        stale = self._spare.stale(self._needed(self._awake()), _SPARE_CHARACTERS)
        if stale:
            self._forget(set(stale))
        return sum(stale.values())

    def inputs(self, path: str) -> tuple[object, ...]:
        """What a file's report depends on: equal inputs mean an equal report.

        Raises :class:`~pypto_lsp.analysis.files.UnreadableFile`.
        """
        self.sources.text(path)
        return (*self._front_end.inputs(path), self._settings, self._build_hints(path))

    def _build_hints(self, path: str) -> tuple[BuildHint, ...]:
        """What the compiler said in builds of the texts as they are now, of a file and those it imports."""
        if not self._settings.warns:
            return ()
        imported = self._front_end.looked_at(path) or ()
        return self._build_logs.hints(path, imported, self._settings.target.alias, self.sources.is_saved)

    # --- what is left out --------------------------------------------------------------------------------------

    def _shown(self, diagnostic: Diagnostic) -> bool:
        settings = self._settings
        if diagnostic.severity is not Severity.ERROR and not settings.warns:
            return False
        if settings.disabled and selected(settings.disabled, diagnostic):
            return False
        if settings.dsl_version and right_then(diagnostic, settings.dsl_version):
            return False
        suppressions = self._suppressions_of(diagnostic.span.path)
        return suppressions is None or not suppressions.cover(diagnostic)

    def _suppressions_of(self, path: str) -> Suppressions | None:
        token, known = self.sources.token(path), self._suppressions.get(path)
        if known is None or known[0] != token:
            known = self._suppressions[path] = (token, self._read_suppressions(path))
        return known[1]

    def _read_suppressions(self, path: str) -> Suppressions | None:
        tree = self.sources.find(path)
        if tree is None or "pypto:" not in tree.source.text:
            return None
        return read_suppressions(tree.comments(), _first_statement(tree))


def _home(value: Any) -> Span | None:
    """Where a value was made: its literal, or the name of its definition."""
    origin = origin_of(value)
    if origin is not None:
        return origin.span
    node = getattr(value, "node", None)
    return node.name_span if isinstance(node, (syntax.FunctionDef, syntax.ClassDef)) else None


def _imports(env: ModuleEnvironment) -> Iterator[syntax.Alias]:
    for stmt in env.tree.body:
        if isinstance(stmt, syntax.ImportFrom):
            yield from stmt.names


def _first_statement(tree: SyntaxTree) -> int:
    """Offset of the first statement that is no docstring; the text's end when there is none."""
    for stmt in tree.body:
        if not (isinstance(stmt, syntax.ExprStmt) and isinstance(stmt.value, syntax.Constant)):
            return stmt.span.begin
    return len(tree.source.text)
