"""Passes, instruments, the context they run in, and pipelines of passes.

A pass is a function from program to program with a name and properties. Called inside a :class:`PassContext`, it calls the
context's instruments before and after it runs. A :class:`PassPipeline` runs passes in order and tells its observers where it
is; verification and diagnostics, which this package knows nothing of, are such observers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar, Token
from enum import Enum
from types import TracebackType

from pypto_lsp.backends import DEFAULT_BACKEND, Backend
from pypto_lsp.ir.nodes import Program
from pypto_lsp.passes.diagnostic_checks import (
    DiagnosticCheck,
    DiagnosticCheckSet,
    DiagnosticPhase,
    get_default_diagnostic_phase,
)
from pypto_lsp.passes.pass_properties import PASS_PROPERTIES, IRPropertySet, PassProperties
from pypto_lsp.passes.verification_level import VerificationLevel, get_default_verification_level


class MemoryPlanner(Enum):
    """Who places on-chip buffers."""

    PYPTO = 0
    PTOAS = 1
    DSA_RP = 2


class RuntimeKind(Enum):
    """The runtime that a compilation is for; the value is its name in files."""

    TENSORMAP_AND_RINGBUFFER = "tensormap_and_ringbuffer"
    HOST_BUILD_GRAPH = "host_build_graph"


class Pass:
    """A named function from program to program. Raises what the function raises."""

    def __init__(
        self, name: str, function: Callable[[Program], Program], properties: PassProperties | None = None
    ) -> None:
        self._name = name
        self._function = function
        self.properties = properties if properties is not None else PASS_PROPERTIES.get(name, PassProperties())

    def get_name(self) -> str:
        return self._name

    def get_required_properties(self) -> IRPropertySet:
        return IRPropertySet(self.properties.required)

    def get_produced_properties(self) -> IRPropertySet:
        return IRPropertySet(self.properties.produced)

    def get_invalidated_properties(self) -> IRPropertySet:
        return IRPropertySet(self.properties.invalidated)

    def __call__(self, program: Program) -> Program:
        context = PassContext.current()
        instruments = context.get_instruments() if context is not None else []
        for instrument in instruments:
            instrument.run_before_pass(self, program)
        result = self._function(program)
        for instrument in instruments:
            instrument.run_after_pass(self, result)
        return result

    def __repr__(self) -> str:
        return f"Pass({self._name})"


class PassInstrument:
    """Looks on while passes run."""

    def get_name(self) -> str:
        return type(self).__name__

    def run_before_pass(self, pass_: Pass, program: Program) -> None:
        """Called with the program that a pass gets."""

    def run_after_pass(self, pass_: Pass, program: Program) -> None:
        """Called with the program that a pass has made."""


class CallbackInstrument(PassInstrument):
    """Calls functions of the user's before and after each pass."""

    def __init__(
        self,
        before_pass: Callable[[Pass, Program], None] | None = None,
        after_pass: Callable[[Pass, Program], None] | None = None,
        name: str = "CallbackInstrument",
    ) -> None:
        self._before, self._after, self._name = before_pass, after_pass, name

    def get_name(self) -> str:
        return self._name

    def run_before_pass(self, pass_: Pass, program: Program) -> None:
        if self._before is not None:
            self._before(pass_, program)

    def run_after_pass(self, pass_: Pass, program: Program) -> None:
        if self._after is not None:
            self._after(pass_, program)


_CURRENT: ContextVar[PassContext | None] = ContextVar("pass_context", default=None)


class PassContext:
    """Instruments and settings for the passes that run inside ``with PassContext(...):``. Contexts nest.

    ``backend`` is the target that rules judge by; PyPTO has it in a global of its own.
    """

    def __init__(
        self,
        instruments: Sequence[PassInstrument] = (),
        verification_level: VerificationLevel | None = None,
        diagnostic_phase: DiagnosticPhase | None = None,
        disabled_diagnostics: DiagnosticCheckSet | None = None,
        memory_planner: MemoryPlanner = MemoryPlanner.PYPTO,
        enable_pypto_l0c_double_buffer: bool = False,
        runtime: RuntimeKind = RuntimeKind.TENSORMAP_AND_RINGBUFFER,
        *,
        backend: Backend = DEFAULT_BACKEND,
    ) -> None:
        self._instruments = list(instruments)
        self._level = get_default_verification_level() if verification_level is None else verification_level
        self._phase = get_default_diagnostic_phase() if diagnostic_phase is None else diagnostic_phase
        default = DiagnosticCheckSet([DiagnosticCheck.UnusedControlFlowResult])
        self._disabled = default if disabled_diagnostics is None else disabled_diagnostics
        self._planner = memory_planner
        self._double_buffer = enable_pypto_l0c_double_buffer
        self._runtime = runtime
        self.backend = backend
        self._tokens: list[Token[PassContext | None]] = []

    def with_instruments(self, instruments: Sequence[PassInstrument]) -> PassContext:
        """A context with the same settings and other instruments."""
        return PassContext(
            instruments,
            self._level,
            self._phase,
            self._disabled,
            self._planner,
            self._double_buffer,
            self._runtime,
            backend=self.backend,
        )

    def __enter__(self) -> PassContext:
        self._tokens.append(_CURRENT.set(self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _CURRENT.reset(self._tokens.pop())

    @staticmethod
    def current() -> PassContext | None:
        """The innermost context that is open, None outside of all."""
        return _CURRENT.get()

    def get_verification_level(self) -> VerificationLevel:
        return self._level

    def get_diagnostic_phase(self) -> DiagnosticPhase:
        return self._phase

    def get_disabled_diagnostics(self) -> DiagnosticCheckSet:
        return self._disabled

    def get_memory_planner(self) -> MemoryPlanner:
        return self._planner

    def get_runtime(self) -> RuntimeKind:
        return self._runtime

    def get_enable_pypto_l0c_double_buffer(self) -> bool:
        return self._double_buffer

    def get_instruments(self) -> list[PassInstrument]:
        return list(self._instruments)


class PipelineObserver:
    """What a pipeline calls on its way. One observer serves one run."""

    def before_pipeline(self, program: Program, context: PassContext) -> None:
        """Called with the program that the first pass gets."""

    def after_pass(self, pass_: Pass, program: Program, context: PassContext) -> None:
        """Called with the program that a pass has made."""

    def after_pipeline(self, program: Program, context: PassContext) -> None:
        """Called with the program that the last pass has made."""


#: makers of observers by the order in which they are called: diagnostics come before verification
OBSERVERS: dict[int, Callable[[], PipelineObserver]] = {}


class PassPipeline:
    """Passes that run one after the other."""

    def __init__(self, passes: Iterable[Pass] = ()) -> None:
        self._passes = list(passes)

    def add_pass(self, pass_obj: Pass) -> None:
        self._passes.append(pass_obj)

    def get_passes(self) -> list[Pass]:
        return list(self._passes)

    def get_pass_names(self) -> list[str]:
        return [pass_.get_name() for pass_ in self._passes]

    def run(self, program: Program) -> Program:
        """The program after all passes. Raises :class:`~pypto_lsp.diagnostics.errors.VerificationError` where a property
        does not hold that is verified there."""
        context = PassContext.current() or PassContext()
        observers = [OBSERVERS[key]() for key in sorted(OBSERVERS)]
        for observer in observers:
            observer.before_pipeline(program, context)
        for pass_ in self._passes:
            program = pass_(program)
            for observer in observers:
                observer.after_pass(pass_, program, context)
        for observer in observers:
            observer.after_pipeline(program, context)
        return program


__all__ = [
    "OBSERVERS",
    "CallbackInstrument",
    "MemoryPlanner",
    "Pass",
    "PassContext",
    "PassInstrument",
    "PassPipeline",
    "PipelineObserver",
    "RuntimeKind",
]
