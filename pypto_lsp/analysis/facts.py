"""The facts of a finding in a form that JSON can say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pypto_lsp.text import Span


def plain(value: Any) -> Any:
    """A fact or value as JSON can say it: numbers, texts, lists and objects; a place by its line, which moves with the text;
    everything else by its text."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, Span):
        return value.line
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    return str(value)
