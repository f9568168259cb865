"""Values of number and string literals, from their source text."""

from __future__ import annotations

import ast
import warnings


def number(text: str) -> int | float | complex:
    """The value of a number literal. Raises ValueError for one that Python cannot make."""
    digits = text.replace("_", "")
    if digits[-1] in "jJ":
        return complex(0.0, float(digits[:-1]))
    if digits.isdecimal() or digits[:2].lower() in ("0x", "0o", "0b"):
        return int(digits, 0)
    return float(digits)


def string(text: str) -> str | bytes:
    """The value of a string or bytes literal (prefix and quotes included). Raises ValueError or SyntaxError for one with
    an escape that Python rejects."""
    if "\\" in text or text[0] not in "\"'":
        return _evaluated(text)
    quotes = 3 if text[:3] in ('"""', "'''") and len(text) >= 6 else 1
    return _newlines(text[quotes:-quotes])


def fragment(text: str, raw: bool) -> str:
    """The value of the literal part of an f-string: doubled braces are single ones."""
    text = text.replace("{{", "{").replace("}}", "}")
    if raw or "\\" not in text:
        return _newlines(text)
    value = _evaluated('"""' + _without_quotes(text) + '"""')
    assert isinstance(value, str)
    return value


def _without_quotes(text: str) -> str:
    """The text with its bare double quotes escaped, so that triple quotes can be put around it."""
    parts = text.split("\\\\")
    return "\\\\".join(part.replace('\\"', '"').replace('"', '\\"') for part in parts)


def _evaluated(text: str) -> str | bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = ast.literal_eval(_newlines(text))
    assert isinstance(value, str | bytes)
    return value


def _newlines(text: str) -> str:
    if "\r" not in text:
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n")
