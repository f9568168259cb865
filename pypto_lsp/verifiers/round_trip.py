"""The verification level "roundtrip": a program, printed and read back, has to be the program that it was."""

from __future__ import annotations

from pypto_lsp.diagnostics.errors import Error
from pypto_lsp.frontend.printed_ir import UnreadableIR, read_program
from pypto_lsp.ir.nodes import Program
from pypto_lsp.ir.printer import print_program
from pypto_lsp.ir.structural import Difference, difference


class RoundTripError(Error):
    """A program that is not what its print reads back as; ``difference`` is the first place, None where it reads not at all."""

    def __init__(self, message: str, difference: Difference | None = None) -> None:
        super().__init__(message)
        self.difference = difference


def verify_round_trip(program: Program, pass_name: str) -> None:
    """Print a program and read it back. Raises :class:`RoundTripError` where it comes back different."""
    where = f"the program after '{pass_name}'"
    try:
        back = read_program(print_program(program))
    except UnreadableIR as fault:
        raise RoundTripError(f"The print of {where} cannot be read: {fault}") from fault
    for name, function in program.functions.items():
        if name not in back.functions:
            raise RoundTripError(f"The print of {where} has no function '{name}'")
        found = difference(function, back.functions[name])
        if found is not None:
            text = f"{where} reads back different: {name}{found.where} is {found.left!s}, read back {found.right!s}"
            raise RoundTripError(text[0].upper() + text[1:], found)


__all__ = ["RoundTripError", "verify_round_trip"]
