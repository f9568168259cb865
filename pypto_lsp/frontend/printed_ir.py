"""Reading printed IR back into a program, without a file: what the verification level "roundtrip" and tools need."""

from __future__ import annotations

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.frontend.static import ModuleLoader
from pypto_lsp.frontend.units import lower_module
from pypto_lsp.ir.nodes import Program
from pypto_lsp.syntax import SyntaxTree, parse
from pypto_lsp.text import Source


class UnreadableIR(Exception):
    """A text that is no printed program; ``fault`` is the front end's finding where it has one."""

    def __init__(self, message: str, fault: Diagnostic | None = None) -> None:
        super().__init__(message)
        self.fault = fault


def read_program(text: str, filename: str = "<printed>") -> Program:
    """The program that a printed text holds. Raises :class:`UnreadableIR`."""
    tree = parse(Source(filename, text))

    def find(path: str) -> SyntaxTree | None:
        return tree if path == filename else None

    env = ModuleLoader(find, ()).load(filename)
    units = [] if env is None else lower_module(env).units
    if len(units) != 1:
        raise UnreadableIR(f"the text holds {len(units)} programs")
    unit = units[0]
    fault = next((d for d in unit.diagnostics if d.severity is Severity.ERROR), None)
    if fault is not None:
        raise UnreadableIR(f"line {fault.span.line}: {fault.message}", fault)
    return unit.program


__all__ = ["UnreadableIR", "read_program"]
