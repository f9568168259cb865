"""Which warnings and hints there are, and when they run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from enum import Enum


class DiagnosticPhase(Enum):
    """Where in a pipeline a check runs; as a setting of a context, NONE switches warnings and hints off, and any other value
    lets each check run in its own phase."""

    NONE = "none"
    PRE_PIPELINE = "pre_pipeline"
    POST_PASS = "post_pass"
    POST_PIPELINE = "post_pipeline"


class DiagnosticCheck(Enum):
    """The checks; the value is the compiler's number."""

    UnusedVariable = 0
    UnusedControlFlowResult = 1
    TileInnermostDimGranularity = 2
    OutParamWriteDropped = 3


class DiagnosticCheckSet:
    """A set of checks that can be changed; iterates in the order of their numbers."""

    __slots__ = ("_members",)

    def __init__(self, members: Iterable[DiagnosticCheck] = ()) -> None:
        self._members = set(members)

    def insert(self, check: DiagnosticCheck) -> None:
        self._members.add(check)

    def remove(self, check: DiagnosticCheck) -> None:
        """Take a check out; nothing happens when it is not in."""
        self._members.discard(check)

    def contains(self, check: DiagnosticCheck) -> bool:
        return check in self._members

    def empty(self) -> bool:
        return not self._members

    def difference(self, other: DiagnosticCheckSet) -> DiagnosticCheckSet:
        return DiagnosticCheckSet(self._members - other._members)

    def union_with(self, other: DiagnosticCheckSet) -> DiagnosticCheckSet:
        return DiagnosticCheckSet(self._members | other._members)

    def to_list(self) -> list[DiagnosticCheck]:
        return sorted(self._members, key=lambda check: check.value)

    def __contains__(self, check: object) -> bool:
        return check in self._members

    def __iter__(self) -> Iterator[DiagnosticCheck]:
        return iter(self.to_list())

    def __len__(self) -> int:
        return len(self._members)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DiagnosticCheckSet) and self._members == other._members

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return "{" + ", ".join(check.name for check in self) + "}"

    __repr__ = __str__


def get_default_diagnostic_phase() -> DiagnosticPhase:
    """What the environment variable PYPTO_WARNING_LEVEL says; PRE_PIPELINE without it and for any other text."""
    try:
        return DiagnosticPhase(os.environ.get("PYPTO_WARNING_LEVEL", "pre_pipeline"))
    except ValueError:
        return DiagnosticPhase.PRE_PIPELINE


__all__ = ["DiagnosticCheck", "DiagnosticCheckSet", "DiagnosticPhase", "get_default_diagnostic_phase"]
