"""``pypto-lsp ir``: the IR of a file's kernels as the compiler prints it, with the findings under the lines they belong to."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from pypto_lsp.analysis.files import UnreadableFile, normal_path
from pypto_lsp.cli.inputs import UsageFault, open_workspace
from pypto_lsp.cli.messages import complain, unreadable
from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.frontend.model import LoweredUnit
from pypto_lsp.ir.nodes import Program
from pypto_lsp.ir.printer import Line, program_lines
from pypto_lsp.passes.pipeline.steps import ORDER, program_after
from pypto_lsp.text import Span


def _chosen(units: Sequence[LoweredUnit], kernel: str | None) -> list[tuple[LoweredUnit, str | None]]:
    """The units to print, each with the one function that is wanted, None for all. Raises :class:`UsageFault`."""
    if kernel is None:
        return [(unit, None) for unit in units]
    whole: list[tuple[LoweredUnit, str | None]] = [(unit, None) for unit in units if unit.name == kernel]
    parts: list[tuple[LoweredUnit, str | None]] = [(u, kernel) for u in units if kernel in u.program.functions]
    if not whole and not parts:
        known = sorted({name for unit in units for name in (unit.name, *unit.program.functions)})
        raise UsageFault(f"no kernel {kernel!r}; there are {', '.join(known) or 'none'}")
    return whole or parts[:1]


def _lowered(program: Program, after: str | None, only: str | None, target: str) -> Program:
    if after is not None:
        program = program_after(after, program, open_workspace(target).settings.target)
    if only is None:
        return program
    kept = {name: f for name, f in program.functions.items() if name == only or name.startswith(f"{only}_incore_")}
    return Program(program.name, kept, program.span, program.entry)


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


def run_ir(arguments: argparse.Namespace) -> int:
    try:
        if arguments.after is not None and arguments.after not in ORDER:
            raise UsageFault(f"{arguments.after!r} is no pass that is modelled; these are: {', '.join(ORDER)}")
        path = normal_path(arguments.path)
        report = open_workspace(arguments.target).check(path)
        for unit, only in _chosen(report.units, arguments.kernel):
            program = _lowered(unit.program, arguments.after, only, arguments.target)
            for text in with_findings(list(program_lines(program)), report.diagnostics):
                sys.stdout.write(f"{text}\n")
    except UsageFault as fault:
        complain(str(fault))
        return 2
    except UnreadableFile as fault:
        unreadable(path, fault.reason)
        return 2
    return 0
