"""What may be written at a place: operators and names of the language behind a dot, keywords and values of a call, names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pypto_lsp.analysis.call_context import CallSite, call_at, in_text
from pypto_lsp.analysis.queries import Queries
from pypto_lsp.analysis.report import FileReport
from pypto_lsp.ir.dtypes import DTYPES
from pypto_lsp.ir.enums import ENUM_ALIASES, ENUMS
from pypto_lsp.ir.printer_types import print_type
from pypto_lsp.ops import REGISTRY
from pypto_lsp.ops.registry import Operator, Param

_DOTTED = re.compile(r"(?:([A-Za-z_][\w.]*)\s*\.\s*)?([A-Za-z_]\w*)?$")
#: names of the language that are neither operators nor types, with a word on each
_SCOPES = {
    "range": "sequential loop", "parallel": "parallel loop", "unroll": "unrolled loop", "pipeline": "pipelined loop",
    "while_": "loop with carried values", "at": "region on a core group or level", "spmd": "launch over cores",
    "cluster": "cluster region", "split_aiv": "region split over the two vector cores", "manual_scope": "manual scope",
    "scope": "automatic scope", "submit": "task submission", "spmd_submit": "task submission over cores",
    "yield_": "carried values of an iteration", "cond": "condition of a loop", "const": "typed constant",
    "dynamic": "dynamic dimension", "func_attr": "function attributes", "static_assert": "check at compile time",
    "static_print": "print at compile time", "jit": "kernel decorator", "function": "kernel decorator",
    "program": "program decorator", "inline": "inlined function", "Tensor": "tensor in global memory",
    "Tile": "tile on the chip", "Scalar": "scalar", "Out": "output parameter", "InOut": "parameter read and written",
    "TensorView": "view of a tensor", "TileView": "view of a tile", "MemRef": "memory reference",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One completion. kind: ``operator``, ``module``, ``dtype``, ``enum``, ``member``, ``keyword``, ``name``,
    ``function``, ``value``. ``rank`` orders: smaller first."""

    name: str
    kind: str
    detail: str = ""
    rank: int = 0
    operator: Operator | None = None
    path: str = ""
    param: Param | None = None


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Completions for the text from ``start`` (offset) to the cursor."""

    start: int
    items: tuple[Suggestion, ...]


def suggest(queries: Queries, path: str, text: str, offset: int, report: FileReport | None) -> Suggestions:
    """What may be written at an offset; nothing inside strings and comments."""
    line_start = text.rfind("\n", 0, offset) + 1
    match = _DOTTED.search(text, line_start, offset)
    prefix, begun = (match[1], match[2] or "") if match else (None, "")
    start = offset - len(begun)
    if in_text(text, offset) or (prefix is None and text[start - 1 : start].isalnum()):
        return Suggestions(start, ())
    if prefix is not None:
        return Suggestions(start, tuple(_behind_dot(queries.canonical(path, prefix.replace(" ", "")))))
    items: list[Suggestion] = []
    site = call_at(text, offset)
    if site is not None:
        items += _in_call(queries, path, site)
        if site.keyword is not None and items:
            return Suggestions(start, tuple(items))
    if match is not None:
        items += _names(queries, path, offset, report)
    return Suggestions(start, tuple(items))


def _behind_dot(base: str | None) -> Iterator[Suggestion]:
    """The names of a module, enum or operator namespace of the language."""
    if base is None:
        return
    head, _, last = base.rpartition(".")
    enum = ENUM_ALIASES.get(last, last)
    if head in ("pl", "pld") and enum in ENUMS:
        yield from (Suggestion(name, "member", f"{base}.{name}", number) for number, name in enumerate(ENUMS[enum]))
        return
    if base == "pl.DataType":
        yield from _dtypes()
        return
    prefix = base + "."
    modules: dict[str, None] = {}
    for spelling in REGISTRY.paths():
        if not spelling.startswith(prefix):
            continue
        name, _, deeper = spelling[len(prefix) :].partition(".")
        operator = REGISTRY.get(spelling)
        if deeper:
            modules[name] = None
        elif operator is not None and not operator.printed_only:
            yield Suggestion(name, "operator", operator.signature(spelling), -operator.usage, operator, spelling)
    yield from (Suggestion(name, "module", f"{base}.{name}") for name in modules)
    if base == "pl":
        yield from _dtypes()
        yield from (Suggestion(name, "enum", f"pl.{name}") for name in (*ENUMS, *ENUM_ALIASES))
        yield from (Suggestion(name, "function", detail) for name, detail in _SCOPES.items())


def _dtypes() -> Iterator[Suggestion]:
    return (Suggestion(name, "dtype", f"{dtype.bits} bits", dtype.bits) for name, dtype in DTYPES.items())


def _in_call(queries: Queries, path: str, site: CallSite) -> Iterator[Suggestion]:
    """Keywords of the operator that are not given yet, or the values that the keyword at hand takes."""
    found = queries.operator(path, site.callee)
    if found is None:
        return
    spelling, operator = found
    if site.keyword is not None:
        param = operator.param(site.keyword)
        if param is not None:
            yield from _values(spelling, param)
        return
    taken = {p.name for p in operator.params[: site.index] if p.kind != "keyword_only"}
    for number, param in enumerate(operator.params):
        if param.kind in ("positional_only", "var_positional") or param.name in taken or param.name in site.given:
            continue
        yield Suggestion(f"{param.name}=", "keyword", param.type, number - 1000, operator, spelling, param)


def _values(spelling: str, param: Param) -> Iterator[Suggestion]:
    for number, value in enumerate(param.allowed):
        yield Suggestion(value, "value", f"{param.name} of {spelling}", number)
    if param.allowed:
        return
    for enum, members in ENUMS.items():
        if enum in param.type:
            module = spelling.split(".")[0]
            yield from (Suggestion(f"{module}.{enum}.{m}", "member", enum, n) for n, m in enumerate(members))
    if "DataType" in param.type or "dtype" in param.name:
        yield from (Suggestion(f"pl.{name}", "dtype", f"{dtype.bits} bits") for name, dtype in DTYPES.items())
    if param.type == "bool":
        yield from (Suggestion(word, "value") for word in ("True", "False"))


def _names(queries: Queries, path: str, offset: int, report: FileReport | None) -> Iterator[Suggestion]:
    """Names in scope: what the kernel has bound so far, then the file's own names."""
    seen: set[str] = set()
    function = queries.place(path, offset).function
    if report is not None and function is not None:
        for binding in reversed(queries.bindings(report, function)):
            if binding.span.begin < offset and binding.name not in seen:
                seen.add(binding.name)
                yield Suggestion(binding.name, "name", print_type(binding.type) or "", 0)
    for name in queries.module_names(path):
        if name not in seen:
            yield Suggestion(name, "name", queries.constant(path, name) or "", 1000)
