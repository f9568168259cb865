"""Exceptions and checks of the public interface, with the names and the kinship that PyPTO's have in Python.

The hierarchy is flat: :class:`InternalError` is a RuntimeError and no :class:`Error`, so that a defect is never caught as a
fault of the user's. Messages end in ``[file:line:column]`` where a span is known. A backtrace belongs to internal errors
always, to others only when the environment variable ``PTO_BACKTRACE`` is ``1``.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from typing import NoReturn

from pypto_lsp.diagnostics.diagnostic import Diagnostic
from pypto_lsp.text import Span


class Error(Exception):
    """Base of what has no closer relative among Python's own exceptions."""


class InternalError(RuntimeError):
    """A defect of the tool: an invariant does not hold."""


class VerificationError(Error):
    """Properties do not hold; ``diagnostics`` are all findings."""

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


def located(message: str, span: Span | None) -> str:
    """A message with its place at the end: ``[file:line:column]``."""
    return message if span is None else f"{message} [{span.path}:{span.line}:{span.column}]"


def check(condition: object, message: str) -> None:
    """Raise ValueError with a message when a condition that the user has to meet does not hold."""
    if not condition:
        raise ValueError(message)


def check_span(condition: object, message: str, span: Span | None) -> None:
    """As :func:`check`, with the place at the end of the message."""
    check(condition, located(message, span))


def internal_check(condition: object, message: str) -> None:
    """Raise :class:`InternalError` when an invariant does not hold."""
    if not condition:
        raise InternalError(message)


def internal_check_span(condition: object, message: str, span: Span | None) -> None:
    """As :func:`internal_check`, with the place at the end of the message."""
    internal_check(condition, located(message, span))


def raise_internal_error_with_span(message: str, span: Span | None) -> NoReturn:
    """Raise :class:`InternalError` with a place."""
    raise InternalError(located(message, span))


def rethrow_with_message(error: BaseException, message: str) -> NoReturn:
    """Raise an exception again with another message; its type, its attributes and its traceback stay."""
    error.args = (message, *error.args[1:])
    raise error.with_traceback(error.__traceback__)


def wants_backtrace(error: BaseException) -> bool:
    """Whether the text for an error shows its backtrace."""
    return isinstance(error, (InternalError, AssertionError)) or os.environ.get("PTO_BACKTRACE") == "1"


def full_message(error: BaseException) -> str:
    """The text for an error: its message, and its backtrace where :func:`wants_backtrace`."""
    if not wants_backtrace(error) or error.__traceback__ is None:
        return str(error)
    frames = "".join(traceback.format_tb(error.__traceback__))
    return f"{error}\n\nBacktrace:\n{frames}".rstrip()


__all__ = [
    "Error",
    "InternalError",
    "VerificationError",
    "check",
    "check_span",
    "full_message",
    "internal_check",
    "internal_check_span",
    "located",
    "raise_internal_error_with_span",
    "rethrow_with_message",
    "wants_backtrace",
]
