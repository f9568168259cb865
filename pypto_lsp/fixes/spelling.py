"""\"Did you mean\": misspelt operators, keywords, names, element types and enum members."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Edit, Fix
from pypto_lsp.diagnostics.older_spellings import older_spelling
from pypto_lsp.diagnostics.spelling import closest
from pypto_lsp.fixes.fragments import keyword_name, keyword_value
from pypto_lsp.fixes.registry import FixContext, provides
from pypto_lsp.ir.dtypes import DTYPES
from pypto_lsp.ir.enums import ENUM_ALIASES, ENUMS
from pypto_lsp.syntax import nodes as syntax

#: how other libraries spell the element types
_FOREIGN_DTYPES = {
    "float": "FP32", "float32": "FP32", "f32": "FP32", "single": "FP32", "float16": "FP16", "f16": "FP16", "half": "FP16",
    "bfloat16": "BF16", "bfloat": "BF16", "int": "INT32", "i32": "INT32", "i64": "INT64", "i16": "INT16", "i8": "INT8",
    "u8": "UINT8", "long": "INT64", "byte": "UINT8", "boolean": "BOOL",
}  # fmt: skip
#: how the hardware documents call the memory spaces, and other words for members
_FOREIGN_MEMBERS = {
    "MemorySpace": {"l0a": "Left", "l0b": "Right", "l0c": "Acc", "l1": "Mat", "ub": "Vec", "ubuf": "Vec", "gm": "DDR", "global": "DDR"},
    "PadValue": {"neginf": "min", "inf": "max", "none": "null", "posinf": "max"},
    "SplitMode": {"rows": "UP_DOWN", "cols": "LEFT_RIGHT"},
    "ScopeMode": {"serial": "MANUAL"},
}  # fmt: skip
_MODES = {
    "nearest": "rint",
    "vector": "aiv_only",
    "cube": "aic_only",
    "aiv": "aiv_only",
    "aic": "aic_only",
    "all": "mix",
}


def dtype_named(name: str) -> str | None:
    """The element type that a foreign or misspelt name stands for."""
    plain = name.strip("\"'").rpartition(".")[2]
    if plain.upper() in DTYPES:
        return plain.upper()
    return _FOREIGN_DTYPES.get(plain.lower().replace("_", "")) or closest(plain, DTYPES)


def member_named(enum: str, name: str) -> str | None:
    """The member of an enum that a foreign or misspelt name stands for."""
    enum = ENUM_ALIASES.get(enum, enum)
    members = ENUMS.get(enum)
    if members is None:
        return None
    plain = name.strip("\"'").rpartition(".")[2]
    folded = plain.lower().replace("_", "")
    same = next((m for m in members if m.lower().replace("_", "") == folded), None)
    return same or _FOREIGN_MEMBERS.get(enum, {}).get(folded) or closest(plain, members)


@provides("*")
def write_it_as_now(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A call in an older spelling whose arguments changed besides: ``facts["rewritten"]`` is the call of today."""
    rewritten, call = diagnostic.facts.get("rewritten"), diagnostic.subject
    if isinstance(rewritten, str) and isinstance(call, syntax.Call):
        yield Fix(f"Change to {rewritten.partition('(')[0]}", (Edit(call.span, rewritten),), safe=True)


@provides("*")
def did_you_mean(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """Put ``facts["suggestion"]`` in the place of what the span marks: a name, a dotted path or a keyword's name."""
    suggestion = diagnostic.facts.get("suggestion")
    if not isinstance(suggestion, str) or not suggestion or diagnostic.facts.get("rewritten"):
        return
    span, new = diagnostic.span, suggestion
    name = keyword_name(span)
    if name is not None and re.fullmatch(r"[A-Za-z_]\w*", suggestion):
        if suggestion == keyword_value(span.text):
            yield Fix(f"Pass {suggestion} by position", (Edit(span, _with_comma(span.text, suggestion)),))
            return
        span = name
    elif "." in suggestion and "." not in span.text and _preceded_by(diagnostic, suggestion):
        new = suggestion.rpartition(".")[2]
    elif suggestion.isidentifier() and re.fullmatch(rf"[\w.]+\.(?!{suggestion}$)\w+", span.text):
        new = f"{span.text.rpartition('.')[0]}.{suggestion}"
    yield Fix(f"Change to {suggestion}", (Edit(span, new),), safe=older_spelling(diagnostic))


def _with_comma(text: str, value: str) -> str:
    match = re.match(r"\s*,\s*", text)
    return (match[0] if match else "") + value


def _preceded_by(diagnostic: Diagnostic, suggestion: str) -> bool:
    """Whether the path before the span is the suggestion's own."""
    head = suggestion.rpartition(".")[0] + "."
    return diagnostic.span.source.text[: diagnostic.span.begin].endswith(head)


def _member_edit(diagnostic: Diagnostic, enum: str | None, wanted: str) -> Edit:
    """Replace a member by its right name, with the path before it where the span has one."""
    text = diagnostic.span.text
    if text[:1] in "\"'":
        return Edit(diagnostic.span, f"pl.{enum}.{wanted}" if enum else f"pl.{wanted}")
    head, dot, _ = text.rpartition(".")
    return Edit(diagnostic.span, f"{head}{dot}{wanted}")


@provides("*", 2043, 2234, 2236, 2503)
def name_the_dtype(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.FLOAT32``, ``"bf16"`` -> the element type."""
    if diagnostic.facts.get("suggestion") or diagnostic.facts.get("enum"):
        return
    text = diagnostic.span.text
    owner = diagnostic.facts.get("owner")
    if isinstance(owner, str) and owner.rpartition(".")[2] in (*ENUMS, *ENUM_ALIASES):
        return
    if text[:1] in "\"'" and re.fullmatch(r"-?\d+(\.\d+)?", text.strip("\"'")):
        yield Fix("Write a number", (Edit(diagnostic.span, text.strip("\"'")),))
        return
    wanted = dtype_named(text)
    if wanted is not None:
        yield Fix(f"Change to pl.{wanted}", (_member_edit(diagnostic, None, wanted),))


@provides("*", 2154, 2256, 2263, 2403, 2503)
def name_the_member(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A wrong enum member, or a string in its place -> the member."""
    if diagnostic.facts.get("suggestion"):
        return
    facts = diagnostic.facts
    path = str(facts.get("enum") or facts.get("owner") or "")
    enum = path.rpartition(".")[2]
    if not enum:
        parts = diagnostic.span.text.split(".")
        enum = "FunctionType" if diagnostic.error_code == 2403 else parts[-2] if len(parts) > 2 else ""
    wanted = member_named(enum, diagnostic.span.text)
    if wanted is not None:
        enum = ENUM_ALIASES.get(enum, enum)
        yield Fix(f"Change to pl.{enum}.{wanted}", (_member_edit(diagnostic, enum, wanted),))


@provides("*", 2312)
def name_the_mode(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A wrong string of a closed set -> the close or usual one."""
    allowed = [word.strip() for word in str(diagnostic.facts.get("expected", "")).split(",")]
    plain = diagnostic.span.text.strip("\"'")
    wanted = _MODES.get(plain) or closest(plain, allowed)
    if wanted in allowed:
        quote = diagnostic.span.text[0] if diagnostic.span.text[:1] in "\"'" else ""
        yield Fix(f"Change to {wanted}", (Edit(diagnostic.span, f"{quote}{wanted}{quote}"),))


@provides("*", 2249, 2506)
def name_the_view_field(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``valid=`` -> ``valid_shape=``."""
    name = keyword_name(diagnostic.span)
    fields = ("valid_shape", "stride", "layout", "pad", "start_offset", "blayout", "slayout", "fractal", "compact")
    given = str(diagnostic.facts.get("name", ""))
    wanted = next((f for f in fields if f.startswith(given)), None) or closest(given, fields)
    if name is not None and wanted is not None and not diagnostic.facts.get("suggestion"):
        yield Fix(f"Change to {wanted}", (Edit(name, wanted),))


@provides("*", 2248)
def name_the_valid_region(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A view's region by position -> ``valid_shape=``."""
    if diagnostic.span.text.startswith("["):
        yield Fix("Name it: valid_shape=", (Edit(diagnostic.span, f"valid_shape={diagnostic.span.text}"),))
