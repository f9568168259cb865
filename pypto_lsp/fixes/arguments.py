"""Fixes for arguments of operators and kernels, and for annotations."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Edit, Fix
from pypto_lsp.fixes.fragments import added_argument, integer, keyword_value, parsed, source, without_argument
from pypto_lsp.fixes.registry import FixContext, provides
from pypto_lsp.fixes.statements import absolute
from pypto_lsp.syntax import nodes as syntax

_COMPARISONS = {
    "eq": 0,
    "ne": 1,
    "lt": 2,
    "le": 3,
    "gt": 4,
    "ge": 5,
    "==": 0,
    "!=": 1,
    "<": 2,
    "<=": 3,
    ">": 4,
    ">=": 5,
}
_DEFAULTS = {"value": "value=0.0", "dtype": "dtype=pl.FP32", "target_memory": "target_memory=pl.MemorySpace.Vec"}


@provides("*", 2302)
def usual_argument(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A missing argument that has a usual value."""
    parameter = str(diagnostic.facts.get("parameter", ""))
    argument = _DEFAULTS.get(parameter)
    if diagnostic.facts.get("operator") == "pl.array.create":  # an array holds integers
        argument = "pl.INT32" if parameter == "dtype" else None
    if parameter == "value" and str(diagnostic.facts.get("operator", "")).endswith("write"):
        return
    edit = added_argument(diagnostic.span, argument) if argument else None
    if edit is not None:
        yield Fix(f"Add {argument}", (edit,))


@provides("*", 2303, 2157)
def remove_the_argument(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """An argument too many is removed."""
    if diagnostic.facts.get("suggestion") or diagnostic.facts.get("missing") or diagnostic.span.text.endswith(")"):
        return
    yield Fix("Remove the argument", (without_argument(diagnostic.span),))


def _cast(text: str, dtype: str) -> str:
    return f"pl.cast({text}, {dtype})"


@provides("*", 2308, 2320)
def element_type_of_argument(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A scalar of another element type: a literal is written as that type, another value cast."""
    wanted = str(diagnostic.facts.get("wanted", "")).removeprefix("pl.")
    text = diagnostic.span.text
    if not re.fullmatch(r"[A-Z]+\d*[A-Z0-9]*", wanted) or "Tensor" in str(diagnostic.facts.get("got", "")):
        return
    got = str(diagnostic.facts.get("got", ""))
    if "[" in got:
        return
    number = re.fullmatch(r"-?\d+(\.\d*)?", text)
    if number and wanted == "FP32":
        yield Fix(f"Write {float(text)}", (Edit(diagnostic.span, str(float(text))),))
    elif number:
        value = text if wanted.startswith(("FP", "BF")) else str(int(float(text)))
        yield Fix(f"Write it as {wanted}", (Edit(diagnostic.span, f"pl.const({value}, pl.{wanted})"),))
    elif text.isidentifier() and diagnostic.facts.get("operator") in (
        "pl.write",
        "pl.tensor.write",
        "pl.tile.write",
        "pl.mul",
        "pl.add",
        "pl.sub",
    ):
        yield Fix(f"Cast it to {wanted}", (Edit(diagnostic.span, _cast(text, f"pl.{wanted}")),))


@provides("*", 2321)
def integer_argument(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``0.0`` where an integer is asked for -> ``0``; another scalar is cast to INDEX."""
    text = diagnostic.span.text
    number = re.fullmatch(r"(-?\d+)\.0*", text)
    if number:
        yield Fix(f"Write {number[1]}", (Edit(diagnostic.span, number[1]),))
    elif text.isidentifier():
        yield Fix("Cast it to INDEX", (Edit(diagnostic.span, _cast(text, "pl.INDEX")),))


@provides("*", 2307)
def index_type(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """Indices of another element type are cast to INT32."""
    if str(diagnostic.facts.get("expected", "")).startswith("INT32") and diagnostic.span.text.isidentifier():
        yield Fix("Cast it to INT32", (Edit(diagnostic.span, _cast(diagnostic.span.text, "pl.INT32")),))


@provides("*", 2309)
def as_many_entries(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A list with an entry for each dimension: zeros are added to offsets, ones before extents, surplus entries removed."""
    match = re.match(r"(\d+) entr", str(diagnostic.facts.get("expected", ""))) or re.search(
        r"as many entries as offsets \((\d+)\)", str(diagnostic.facts.get("expected", ""))
    )
    text = diagnostic.span.text
    node = parsed(text)
    if match is None or not isinstance(node, (ast.List, ast.Tuple)):
        return
    count, entries = int(match[1]), [source(text, e) for e in node.elts]
    parameter = str(diagnostic.facts.get("parameter", ""))
    if len(entries) > count:
        new = entries[:count]
    elif parameter.startswith("offset"):
        new = entries + ["0"] * (count - len(entries))
    elif parameter.startswith("shape"):
        new = ["1"] * (count - len(entries)) + entries
    else:
        return
    yield Fix(f"Give {count} entries", (Edit(diagnostic.span, f"[{', '.join(new)}]"),))


@provides("*", 2311, 2314)
def within_bounds(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A constant offset or extent that reaches beyond the end -> the last that fits."""
    value = integer(diagnostic.span.text)
    reason = str(diagnostic.facts.get("reason", ""))
    new = None
    if value is None:
        return
    if match := re.search(r"offset (\d+) plus extent (\d+) is beyond the \w+'s (\d+)", reason):
        offset, extent, limit = map(int, match.groups())
        parameter = str(diagnostic.facts.get("parameter", ""))
        new = (
            limit - extent
            if parameter.startswith("offset")
            else limit - offset
            if parameter.startswith("shape")
            else None
        )
    elif match := re.search(r"valid extent (\d+) exceeds the window's (\d+)", reason):
        new = int(match[2])
    elif match := re.search(r"must lie in (\d+)\.\.(\d+)", reason):
        new = max(min(value, int(match[2])), max(int(match[1]), 1))
    if new is not None and new >= 0 and new != value:
        yield Fix(f"Change to {new}", (Edit(diagnostic.span, str(new)),))


@provides("*", 2317)
def as_many_elements(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """The one extent of a reshape that makes the element counts equal."""
    value = integer(diagnostic.span.text)
    count, other = diagnostic.facts.get("count"), diagnostic.facts.get("other_count")
    if value and isinstance(count, int) and isinstance(other, int) and other and value * count % other == 0:
        new = value * count // other
        yield Fix(f"Change to {new}", (Edit(diagnostic.span, str(new)),))


@provides("*", 2318)
def drop_the_cast(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A cast to the type that the value has already."""
    node = parsed(diagnostic.span.text)
    if isinstance(node, ast.Call) and node.args:
        yield Fix("Drop the cast", (Edit(diagnostic.span, source(diagnostic.span.text, node.args[0])),))


@provides("*", 2306)
def other_operator(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.min`` of tensors -> ``pl.minimum``; a comparison by its name -> its number; the scalar goes second."""
    facts, text = diagnostic.facts, diagnostic.span.text
    plain = text.strip("\"'")
    if facts.get("parameter") == "cmp_type" and plain in _COMPARISONS:
        yield Fix(f"Write {_COMPARISONS[plain]}", (Edit(diagnostic.span, str(_COMPARISONS[plain])),))
        return
    match = re.search(r"\((pl\.\w+) takes", str(facts.get("expected", "")))
    operator = str(facts.get("operator", ""))
    if match is not None:
        before = diagnostic.span.source.text[: diagnostic.span.begin]
        at = (
            before.rfind(operator)
            if text != operator.rpartition(".")[2]
            else diagnostic.span.begin - len(operator.rpartition(".")[0]) - 1
        )
        if at >= 0:
            yield Fix(f"Use {match[1]}", (Edit(absolute(diagnostic.span.source, at, at + len(operator)), match[1]),))


@provides("*", 2310)
def broadcasting_operator(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """Tiles do not broadcast: ``pl.div(a, column)`` -> ``pl.row_expand_div(a, column)``."""
    operator, right = str(diagnostic.facts.get("operator", "")), str(diagnostic.facts.get("right", ""))
    name = operator.rpartition(".")[2]
    column = diagnostic.facts.get("parameter") == "()" and right.endswith(", 1]")
    if column and name in ("add", "sub", "mul", "div") and diagnostic.span.text == name:
        yield Fix(f"Use row_expand_{name}", (Edit(diagnostic.span, f"row_expand_{name}"),))


@provides("*", 2324)
def without_that_argument(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """An argument that this kind of operand does not take."""
    if diagnostic.facts.get("parameter") == "mode" and keyword_value(diagnostic.span.text):
        yield Fix('Use mode="round"', (Edit(diagnostic.span, 'mode="round"'),))
    elif re.match(r"\s*,?\s*\w+\s*=", diagnostic.span.text):
        yield Fix("Remove the argument", (without_argument(diagnostic.span),))


@provides("*", 2323)
def by_keyword(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """Attributes given by position are named."""
    text = diagnostic.span.text
    parts = parsed(f"[{text}]")
    if (
        isinstance(parts, ast.List)
        and len(parts.elts) == 2
        and diagnostic.facts.get("operator") in ("pl.full", "pl.tensor.full")
    ):
        dtype, value = (source(f"[{text}]", e) for e in parts.elts)
        yield Fix("Name the arguments", (Edit(diagnostic.span, f"dtype={dtype}, value={value}"),))
    elif isinstance(parts, ast.List) and len(parts.elts) == 1 and diagnostic.facts.get("parameter"):
        yield Fix("Name the argument", (Edit(diagnostic.span, f"{diagnostic.facts['parameter']}={text}"),))


# --- annotations ----------------------------------------------------------------------------------------------------


@provides("*", 2202)
def plain_scalar(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.InOut[pl.Scalar[T]]`` -> ``pl.Scalar[T]``."""
    node = parsed(diagnostic.span.text)
    if isinstance(node, ast.Subscript):
        yield Fix("Pass the scalar by value", (Edit(diagnostic.span, source(diagnostic.span.text, node.slice)),))


@provides("*", 2204)
def scalar_annotation(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``int`` -> ``pl.Scalar[pl.INDEX]``."""
    wanted = {"int": "INDEX", "float": "FP32", "bool": "BOOL"}.get(diagnostic.span.text)
    if wanted:
        yield Fix(f"Use pl.Scalar[pl.{wanted}]", (Edit(diagnostic.span, f"pl.Scalar[pl.{wanted}]"),))


@provides("*", 2231)
def integer_extent(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``K / 2`` -> ``K // 2``."""
    node = parsed(diagnostic.span.text)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        text = diagnostic.span.text
        yield Fix("Use //", (Edit(diagnostic.span, f"{source(text, node.left)} // {source(text, node.right)}"),))


@provides("*", 2238)
def plain_layout(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``DN`` cannot be declared -> ``ND``."""
    text = diagnostic.span.text
    if text.endswith("DN"):
        yield Fix("Use ND", (Edit(diagnostic.span, text[:-2] + "ND"),))


@provides("*", 2217)
def single_slot(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A memory reference of one slot is not indexed."""
    node = parsed(diagnostic.span.text)
    if isinstance(node, ast.Subscript):
        yield Fix("Drop the index", (Edit(diagnostic.span, source(diagnostic.span.text, node.value)),))


@provides("*", 2213, 2215)
def surplus_part(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A part of an annotation that is given twice, or none of its parts."""
    yield Fix("Remove it", (without_argument(diagnostic.span),))


@provides("*", 2243)
def other_kind(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.Tensor[...]`` on a tile -> ``pl.Tile[...]``."""
    words = {"a Tensor": "pl.Tensor", "a Tile": "pl.Tile", "a DistributedTensor": "pld.DistributedTensor"}
    old, new = (words.get(str(diagnostic.facts.get(key))) for key in ("annotated", "inferred"))
    if old and new and diagnostic.span.text.startswith(old):
        yield Fix(f"Change to {new}", (Edit(diagnostic.span, new + diagnostic.span.text.removeprefix(old)),))


@provides("*", 2245)
def other_extent(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """The extents that the expression has."""
    node, extents = diagnostic.subject, diagnostic.facts.get("extents")
    if not isinstance(node, syntax.Subscript) or not isinstance(extents, dict):
        return
    shape = node.index[0]
    if list(extents) == [0] and not isinstance(shape, (syntax.List, syntax.Tuple)):  # an array
        yield Fix(f"Change to {extents[0]}", (Edit(shape.span, str(extents[0])),))
    elif isinstance(shape, (syntax.List, syntax.Tuple)) and max(extents) < len(shape.elts):
        edits = tuple(Edit(shape.elts[index].span, str(extent)) for index, extent in extents.items())
        yield Fix(f"Change to {', '.join(edit.new_text for edit in edits)}", edits)


@provides("*", 2244)
def other_shape(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """The shape that the expression has."""
    node, shape = diagnostic.subject, diagnostic.facts.get("shape")
    if isinstance(node, syntax.Subscript) and isinstance(shape, str):
        yield Fix(f"Change to {shape}", (Edit(node.index[0].span, shape),))


@provides("*", 2246)
def other_element_type(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """The element type that the expression has."""
    inferred = str(diagnostic.facts.get("inferred", ""))
    if diagnostic.span.text.startswith("pl.") and "[" not in diagnostic.span.text and inferred.startswith("pl."):
        yield Fix(f"Change to {inferred}", (Edit(diagnostic.span, inferred),))


@provides("*", 2401)
def drop_self(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A worker on the host declares no ``self``."""
    if diagnostic.span.text.startswith("self"):
        rest = diagnostic.span.text.removeprefix("self").lstrip(" ,")
        yield Fix("Remove self", (Edit(diagnostic.span, rest) if rest else without_argument(diagnostic.span),))


@provides("*", 2412)
def vector_function(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """External kernels are AIC or AIV."""
    text = diagnostic.span.text
    if text.rpartition(".")[2] == "InCore":
        yield Fix("Use AIV", (Edit(diagnostic.span, text[: -len("InCore")] + "AIV"),))
