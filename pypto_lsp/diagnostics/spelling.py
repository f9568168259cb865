"""The name that was probably meant."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """The one candidate that a misspelt name is close to; None when there is none or several are as close.

    Close are names within a third of their length in typing errors (a character too many, too few, wrong, or two swapped),
    case and underscores left aside, and names that the given one abbreviates (``wts`` for ``weights``).
    """
    wanted = _plain(name)
    if len(wanted) < 2:
        return None
    constant = name.isupper()
    scored = sorted(
        {
            (score, candidate)
            for candidate in candidates
            if (score := _distance(wanted, _plain(candidate))) is not None
            and (score <= 0 or constant == candidate.isupper())
        }
    )
    if not scored or scored[0][1] == name or (len(scored) > 1 and scored[1][0] == scored[0][0]):
        return None
    return scored[0][1]


_DTYPE = re.compile(r"(bfloat|bf|float|fp|f|uint|u|int|i|half|bool)(\d*)")
_FAMILIES = {"bfloat": "BF", "bf": "BF", "float": "FP", "fp": "FP", "f": "FP", "uint": "UINT", "u": "UINT", "int": "INT",
             "i": "INT"}  # fmt: skip
_WORDS = {"half": "FP16", "bool": "BOOL", "float": "FP32", "int": "INT32"}


def meant_dtype(name: str, known: Iterable[str]) -> str | None:
    """The element type that a name of another library means (``float32`` for FP32, ``bf61`` for BF16)."""
    names = list(known)
    return foreign_dtype(name, names) or closest(name.upper(), names)


def foreign_dtype(name: str, known: Container[str]) -> str | None:
    """The element type whose name in another library this is (``bfloat16`` for BF16); nothing is guessed."""
    word = _plain(name)
    found = _DTYPE.fullmatch(word)
    if found is None:
        return None
    family, bits = found.groups()
    spelt = f"{_FAMILIES[family]}{bits}" if bits and family in _FAMILIES else _WORDS.get(word)
    return spelt if spelt in known else None


def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def _distance(wanted: str, candidate: str) -> float | None:
    """How far a candidate is, None when it is out of the question."""
    if not candidate:
        return None
    if abs(len(wanted) - len(candidate)) <= 2:
        allowed = max(1, max(len(wanted), len(candidate)) // 3)
        errors = typing_errors(wanted, candidate, allowed)
        if errors is not None and errors < min(len(wanted), len(candidate)):
            return errors - _common_start(wanted, candidate) / 100
    if len(wanted) >= 3 and _abbreviates(wanted, candidate):
        return 3.0 + (len(candidate) - len(wanted)) / 100
    return None


def _common_start(left: str, right: str) -> int:
    return next((i for i, (a, b) in enumerate(zip(left, right)) if a != b), min(len(left), len(right)))


def _abbreviates(short: str, long: str) -> bool:
    """Whether ``short`` is ``long`` with letters left out, the first one kept."""
    if len(short) >= len(long) or short[0] != long[0]:
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)


def typing_errors(left: str, right: str, limit: int) -> int | None:
    """The number of single typing errors between two words, None when above a limit."""
    if abs(len(left) - len(right)) > limit:
        return None
    before: list[int] = []
    above = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        row = [i]
        for j, b in enumerate(right, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return None
        before, above = above, row
    return above[-1] if above[-1] <= limit else None
