"""The IR of a file's kernels after a pass, as text: what the command and the editors' IR view show."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from pypto_lsp.analysis.report import FileReport
from pypto_lsp.backends import Backend
from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.frontend.model import LoweredUnit
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.printer import Line, program_lines
from pypto_lsp.ir.visit import calls
from pypto_lsp.passes.pass_properties import FRONTEND
from pypto_lsp.passes.pipeline.steps import ORDER, stages
from pypto_lsp.text import Span

#: what an IR can be asked for after, in order: the front end, then the modelled passes
STAGES: tuple[str, ...] = (FRONTEND.name, *ORDER)


class NoSuchIR(Exception):
    """A kernel or pass that there is none of; the message says what there is."""


def kernels(report: FileReport) -> list[str]:
    """The names that an IR can be asked for: programs, kernels and their functions."""
    return sorted({name for unit in report.units for name in (unit.name, *unit.program.functions)})


def ir_text(
    report: FileReport, backend: Backend, *, after: str | None = None, kernel: str | None = None
) -> Generator[None, None, str]:
    """The IR as text, in steps. ``after`` None is the IR as the rules see it. Raises :class:`NoSuchIR`."""
    if after is not None and after not in STAGES:
        raise NoSuchIR(f"{after!r} is no pass that is modelled; these are: {', '.join(STAGES)}")
    out: list[str] = []
    for unit, only in _chosen(report, kernel):
        program = unit.program
        if after is not None:
            for stage, made in stages(unit.program, backend):
                yield
                if stage == after:
                    program = made
                    break
        if only is not None:
            program = _part(program, unit.program, only)
        out += with_findings(list(program_lines(program)), report.diagnostics)
    return "".join(f"{line}\n" for line in out)


def _chosen(report: FileReport, kernel: str | None) -> list[tuple[LoweredUnit, str | None]]:
    """The units to print, each with the one function that is wanted, None for all."""
    if kernel is None:
        return [(unit, None) for unit in report.units]
    whole: list[tuple[LoweredUnit, str | None]] = [(unit, None) for unit in report.units if unit.name == kernel]
    parts: list[tuple[LoweredUnit, str | None]] = [(u, kernel) for u in report.units if kernel in u.program.functions]
    if not whole and not parts:
        raise NoSuchIR(f"no kernel {kernel!r}; there are {', '.join(kernels(report)) or 'none'}")
    return whole or parts[:1]


def _part(program: ir.Program, source: ir.Program, only: str) -> ir.Program:
    """A function with those that passes have made out of it."""
    kept, pending = {only}, [only]
    while pending:
        function = program.functions.get(pending.pop())
        for name in _called(function) if function is not None else ():
            if name not in kept and name not in source.functions:
                kept.add(name)
                pending.append(name)
    return replace(program, functions={name: f for name, f in program.functions.items() if name in kept})


def _called(function: ir.Function) -> Iterator[str]:
    for call, _, _ in calls(function.body or ()):
        if isinstance(call.op, ir.FunctionRef):
            yield call.op.name


def with_findings(lines: Sequence[Line], diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """The text of lines; each finding stands as a comment under the smallest statement that holds its place."""
    under: dict[int, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        holding = [(i, line.span) for i, line in enumerate(lines) if line.span and _holds(line.span, diagnostic.span)]
        if holding:
            index = min(holding, key=lambda item: item[1].end_offset - item[1].begin)[0]
            under.setdefault(index, []).append(diagnostic)
    for index, line in enumerate(lines):
        yield line.text
        indent = line.text[: len(line.text) - len(line.text.lstrip())]
        for diagnostic in under.get(index, ()):
            yield f"{indent}# ^ {diagnostic.severity.value} {diagnostic.code}: {diagnostic.message}"


def _holds(outer: Span, inner: Span) -> bool:
    return outer.path == inner.path and outer.begin <= inner.begin < max(outer.end_offset, outer.begin + 1)


__all__ = ["STAGES", "NoSuchIR", "ir_text", "kernels", "with_findings"]
