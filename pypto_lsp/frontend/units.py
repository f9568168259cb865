"""What a file would compile to: a unit for each program class, module-level kernel and jit kernel.

:func:`lower_module` is the one way into the front end. Units share what they lower in common: a helper that two entries call
with the same types is lowered once.
"""

from __future__ import annotations

import logging
from collections.abc import Generator

from pypto_lsp.diagnostics import Diagnostic, faults_python
from pypto_lsp.frontend.jit import JitLowering, jit_unit
from pypto_lsp.frontend.lowering_memo import Around, LoweringMemo
from pypto_lsp.frontend.model import LoweredUnit, ModuleLowering
from pypto_lsp.frontend.module_faults import module_findings
from pypto_lsp.frontend.programs import Externals, function_unit, program_unit
from pypto_lsp.frontend.signatures import lazy_annotations
from pypto_lsp.frontend.static import definitions
from pypto_lsp.frontend.static_scope import ModuleEnvironment
from pypto_lsp.frontend.values import ENTRIES, KernelRef, ProgramRef
from pypto_lsp.ir.nodes import Function
from pypto_lsp.syntax import SyntaxTree
from pypto_lsp.text.stepwise import Steps, finished

_LOG = logging.getLogger(__name__)

#: the first line of the compiler's own output
PRINTED = "# pypto.program:"


def is_printed_text(text: str) -> bool:
    """Whether a file with this text is the compiler's own output."""
    return text.lstrip().startswith(PRINTED)


def is_printed(env: ModuleEnvironment) -> bool:
    """Whether a file is the compiler's own output."""
    return is_printed_text(env.source.text)


def lower_module(env: ModuleEnvironment, memo: LoweringMemo | None = None) -> ModuleLowering:
    """Lower everything that a file defines. Never fails; what cannot be told is silent.

    ``memo`` holds what the last lowering of this file made, and then what this one makes; without it nothing is kept.
    """
    return finished(lowering_steps(env, memo))


def lowering_steps(env: ModuleEnvironment, memo: LoweringMemo | None = None) -> Generator[None, None, ModuleLowering]:
    """:func:`lower_module` in steps, one for each unit, for whoever has other things to do in between. A defect of ours in
    one unit is logged and costs that unit only."""
    memo = LoweringMemo(traced=False) if memo is None else memo
    printed = is_printed(env)
    memo.begin(Around.of(env, flags=(printed, lazy_annotations(env))))
    try:
        lowering = yield from _lower(env, memo, printed)
    except GeneratorExit:
        memo.abandon()
        raise
    memo.end(broken=env.tree.broken)
    return lowering


def _lower(env: ModuleEnvironment, memo: LoweringMemo, printed: bool) -> Generator[None, None, ModuleLowering]:
    found = definitions(env)
    externals = Externals(memo)
    units: list[LoweredUnit] = []
    for ref in found:
        if isinstance(ref, ProgramRef):
            units += yield from _guarded(ref.node.name, program_unit(ref, externals, printed=printed))
        elif ref.flavour == "function":
            units += yield from _guarded(ref.node.name, function_unit(ref, externals))
        yield
    units += yield from _jit_units([ref for ref in found if isinstance(ref, KernelRef)], JitLowering(memo))
    units.sort(key=lambda unit: unit.span.begin)
    unproved = memo.traced and not env.tree.broken  # the first report of a text being typed does not wait for it
    diagnostics = [*([] if unproved else syntax_findings(env.tree)), *module_findings(env)]
    return ModuleLowering(units, diagnostics, _functions(units, env), unproved)


def _guarded(name: str, steps: Steps[LoweredUnit | None]) -> Steps[list[LoweredUnit]]:
    """The unit, if one can be made."""
    try:
        unit = yield from steps
    except Exception:  # a defect of ours; the other units of the file can do without this one
        _LOG.exception("internal error while lowering %s", name)
        return []
    return [] if unit is None else [unit]


def _jit_units(kernels: list[KernelRef], jit: JitLowering) -> Steps[list[LoweredUnit]]:
    """The entries with what they reach, then the helpers that none of them reaches."""
    family = [ref for ref in kernels if ref.flavour.startswith("jit")]
    units: list[LoweredUnit] = []
    reached: set[KernelRef] = set()
    for ref in family:
        if ref.flavour in ENTRIES:
            units += yield from _guarded(ref.node.name, jit_unit(ref, jit))
            reached.update(jit.graph(ref).order)
            yield
    for ref in _uncalled_first(family, jit):
        if ref.flavour not in ENTRIES and ref not in reached:
            units += yield from _guarded(ref.node.name, jit_unit(ref, jit, standalone=True))
            reached.update(jit.graph(ref).order)
            yield
    return units


def _uncalled_first(family: list[KernelRef], jit: JitLowering) -> list[KernelRef]:
    """Helpers that no other kernel of the file calls come before those that one does."""
    called = {other for ref in family for other in jit.graph(ref).order}
    return sorted(family, key=lambda ref: ref in called)


def syntax_findings(tree: SyntaxTree) -> list[Diagnostic]:
    """Python's own syntax fault of the file, if it has one."""
    fault = tree.syntax_fault()
    if fault is None:
        return []
    return [faults_python.SYNTAX.at(fault.span, message=fault.message)]


def _functions(units: list[LoweredUnit], env: ModuleEnvironment) -> list[Function]:
    """The functions of the units that are defined in the file, each once."""
    found: dict[tuple[str, int, int], Function] = {}
    for unit in units:
        for function in unit.program.functions.values():
            if function.span is not None and function.span.source is env.source:
                found.setdefault(function.span.key(), function)
    return list(found.values())
