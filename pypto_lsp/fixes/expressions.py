"""Fixes for expressions: operators on tensors, conditions, Python's own functions, constants, subscripts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Edit, Fix
from pypto_lsp.fixes.fragments import integer, keyword_value, operand, parsed, source
from pypto_lsp.fixes.registry import FixContext, provides
from pypto_lsp.fixes.statements import removal
from pypto_lsp.syntax import nodes as syntax

_TENSOR_OPERATORS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.MatMult: "matmul"}


@provides("*", 2330)
def call_the_operator(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``a + b`` on tensors -> ``pl.add(a, b)``."""
    text = diagnostic.span.text
    node = parsed(text)
    if isinstance(node, ast.BinOp) and type(node.op) in _TENSOR_OPERATORS:
        name = _TENSOR_OPERATORS[type(node.op)]
        yield Fix(
            f"Use pl.{name}",
            (Edit(diagnostic.span, f"pl.{name}({source(text, node.left)}, {source(text, node.right)})"),),
        )
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield Fix("Use pl.neg", (Edit(diagnostic.span, f"pl.neg({source(text, node.operand)})"),))


@provides("*", 2333)
def supported_operator(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``is`` -> ``==``, ``in (a, b)`` -> comparisons, ``@`` -> ``pl.matmul``, ``x ** 2`` -> ``x * x``, ``x & 7`` -> ``x % 8``."""
    text = diagnostic.span.text
    node = parsed(text)
    new = _supported(text, node) if node is not None else None
    if new is not None:
        yield Fix(f"Write {new}", (Edit(diagnostic.span, new),))


def _supported(text: str, node: ast.expr) -> str | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd):
        return source(text, node.operand)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _comparison(text, node)
    if not isinstance(node, ast.BinOp):
        return None
    left, right = operand(text, node.left), operand(text, node.right)
    if isinstance(node.op, ast.MatMult):
        return f"pl.matmul({source(text, node.left)}, {source(text, node.right)})"
    exponent = integer(right)
    if isinstance(node.op, ast.Pow) and exponent == 2:
        return f"{left} * {left}"
    if isinstance(node.op, ast.BitAnd) and exponent is not None and exponent > 0 and exponent & (exponent + 1) == 0:
        return f"{left} % {exponent + 1}"
    return None


def _comparison(text: str, node: ast.Compare) -> str | None:
    left, right = source(text, node.left), node.comparators[0]
    signs: dict[type[ast.cmpop], str] = {ast.Is: "==", ast.IsNot: "!="}
    if type(node.ops[0]) in signs:
        return f"{left} {signs[type(node.ops[0])]} {source(text, right)}"
    if isinstance(node.ops[0], ast.In) and isinstance(right, (ast.Tuple, ast.List, ast.Set)) and right.elts:
        return " or ".join(f"{left} == {source(text, item)}" for item in right.elts)
    return None


@provides("*", 2045)
def split_the_comparison(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``a <= b < c`` -> ``a <= b and b < c``."""
    text = diagnostic.span.text
    node = parsed(text)
    if not isinstance(node, ast.Compare):
        return
    parts = [node.left, *node.comparators]
    signs = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
    if all(type(op) in signs for op in node.ops):
        written = [
            f"{source(text, a)} {signs[type(op)]} {source(text, b)}" for a, op, b in zip(parts, node.ops, parts[1:])
        ]
        yield Fix("Write one comparison for each sign", (Edit(diagnostic.span, " and ".join(written)),))


@provides("*", 2341)
def constant_as_number(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.const(2 * 4, T)`` -> ``pl.const(8, T)``; ``pl.const(n, T)`` of a variable -> ``pl.cast(n, T)``."""
    text = diagnostic.span.text
    match = re.search(r"constant (-?[\d.]+)", str(diagnostic.facts.get("got", "")))
    if match is not None and not text.startswith("pl.const"):
        yield Fix(f"Write {match[1]}", (Edit(diagnostic.span, match[1]),))
    elif text.startswith("pl.const("):
        yield Fix("Use pl.cast", (Edit(diagnostic.span, "pl.cast(" + text.removeprefix("pl.const(")),))


@provides("*", 2350)
def drop_the_subscript(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A scalar has no elements: ``j[0]`` -> ``j``."""
    node = parsed(diagnostic.span.text)
    if isinstance(node, ast.Subscript) and "scalar" in str(diagnostic.facts.get("got", "")):
        yield Fix("Drop the subscript", (Edit(diagnostic.span, source(diagnostic.span.text, node.value)),))


def _index_parts(text: str) -> list[str] | None:
    """The entries of a subscript's index."""
    node = parsed(f"_[{text}]")
    if not isinstance(node, ast.Subscript):
        return None
    whole = f"_[{text}]"
    entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return [source(whole, entry) for entry in entries]


@provides("*", 2351, 2356)
def as_many_indices(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """Leave as many indices as there are dimensions."""
    text = diagnostic.span.text
    rank = diagnostic.facts.get("rank", 1)
    node = parsed(text)
    if isinstance(node, ast.Subscript):
        inner = [source(text, e) for e in node.slice.elts] if isinstance(node.slice, ast.Tuple) else []
        kept = ", ".join(inner[:rank])
        new = f"{source(text, node.value)}[{kept}]" if inner else None
    else:
        parts = _index_parts(text)
        new = ", ".join(parts[:rank]) if parts is not None and len(parts) > rank else None
    if new is not None:
        yield Fix(f"Leave {rank} of the indices", (Edit(diagnostic.span, new),))


@provides("*", 2352)
def drop_the_step(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``a:b:2`` -> ``a:b``."""
    node = parsed(f"_[{diagnostic.span.text}]")
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        whole = f"_[{diagnostic.span.text}]"
        lower, upper = (
            source(whole, part) if part is not None else "" for part in (node.slice.lower, node.slice.upper)
        )
        yield Fix("Drop the step", (Edit(diagnostic.span, f"{lower}:{upper}"),))


@provides("*", 2357)
def shift_the_window(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A constant window beyond the end -> the last window of that size."""
    limit = diagnostic.facts.get("limit")
    match = re.fullmatch(r"(\d+)\s*:\s*(\d+)", diagnostic.span.text)
    if not isinstance(limit, int) or match is None:
        return
    extent = int(match[2]) - int(match[1])
    if 0 < extent <= limit:
        new = f"{limit - extent}:{limit}"
        yield Fix(f"Take the last {extent}: {new}", (Edit(diagnostic.span, new),))


@provides("*", 2360)
def write_the_element(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``t[i, j] = v`` -> ``pl.write(t, [i, j], v)``."""
    text = diagnostic.span.text
    try:
        statement = ast.parse(text.strip()).body[0]
    except (SyntaxError, IndexError):
        return
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
        target = statement.targets[0]
        index = source(text, target.slice)
        index = index[1:-1] if index.startswith("(") and isinstance(target.slice, ast.Tuple) else index
        call = f"pl.write({source(text, target.value)}, [{index}], {source(text, statement.value)})"
        yield Fix("Use pl.write", (Edit(diagnostic.span, call),))


@provides("*", 2001)
def plain_statement(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``x += 1`` -> ``x = x + 1``; ``assert`` -> ``pl.static_assert``; statements without meaning in a kernel are removed."""
    node, text = diagnostic.subject, diagnostic.span.text
    if isinstance(node, syntax.AugAssign):
        value = parsed(node.value.text)
        right = operand(node.value.text, value) if value is not None else f"({node.value.text})"
        if value is not None and node.op in ("+",):
            right = node.value.text
        target = node.target.text
        yield Fix(
            f"Write {target} = {target} {node.op} ...",
            (Edit(diagnostic.span, f"{target} = {target} {node.op} {right}"),),
            safe=True,
        )
    elif isinstance(node, syntax.Assert):
        condition = parsed(node.test.text)
        constant = condition is not None and not any(isinstance(part, ast.Name) for part in ast.walk(condition))
        if constant:
            yield Fix(
                "Use pl.static_assert",
                (Edit(diagnostic.span, f"pl.static_assert({text.removeprefix('assert').strip()})"),),
            )
        else:
            yield Fix("Remove the statement", (removal(diagnostic.span),))
    elif isinstance(node, (syntax.Delete, syntax.Import, syntax.ImportFrom, syntax.Global)):
        yield Fix("Remove the statement", (removal(diagnostic.span),))


@provides("*", 2040)
def unpack_in_place(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``*(a, b)`` -> ``a, b``; ``**{"k": v}`` -> ``k=v``."""
    text = diagnostic.span.text
    if text.startswith("**"):
        node = parsed(text[2:])
        if isinstance(node, ast.Dict) and all(
            isinstance(k, ast.Constant) and isinstance(k.value, str) for k in node.keys
        ):
            inner = text[2:]
            parts = [
                f"{k.value!s}={source(inner, v)}" for k, v in zip(node.keys, node.values) if isinstance(k, ast.Constant)
            ]
            yield Fix("Write the keywords", (Edit(diagnostic.span, ", ".join(parts)),))
    elif text.startswith("*"):
        node = parsed(text[1:])
        if isinstance(node, (ast.Tuple, ast.List)) and node.elts:
            yield Fix(
                "Write the arguments", (Edit(diagnostic.span, ", ".join(source(text[1:], e) for e in node.elts)),)
            )


@provides("*", 2007)
def single_target(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``a, b = e`` for a single result -> ``a = e``."""
    text = diagnostic.span.text
    head, sign, value = text.partition("=")
    first = head.split(",")[0].strip(" (")
    if sign and first.isidentifier():
        yield Fix(f"Bind {first} only", (Edit(diagnostic.span, f"{first} = {value.strip()}"),))


@provides("*", 2171, 2123)
def name_the_argument(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A positional argument that must be named."""
    text = diagnostic.span.text
    name = "deps" if diagnostic.error_code == 2171 else "mode" if "ScopeMode" in text else ""
    if name and keyword_value(text) is None:
        yield Fix(f"Name it: {name}=", (Edit(diagnostic.span, f"{name}={text}"),))


@provides("*", 2184, 2189)
def in_a_list(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A single entry where a list is asked for."""
    text = keyword_value(diagnostic.span.text)
    if text is None and re.fullmatch(r"[A-Za-z_][\w.]*(\[[^\]]*\])?", diagnostic.span.text):
        yield Fix("Put it into a list", (Edit(diagnostic.span, f"[{diagnostic.span.text}]"),))


@provides("*", 2185)
def task_entry(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A quoted task name, or a number for no task."""
    text = diagnostic.span.text
    if text[:1] in "\"'" and text.strip("\"'").isidentifier():
        yield Fix("Drop the quotes", (Edit(diagnostic.span, text.strip("\"'")),))
    elif integer(text) == 0:
        yield Fix("Write None for no task", (Edit(diagnostic.span, "None"),))


@provides("*", 2191)
def one_predicate(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``a and b`` as a predicate -> ``a``."""
    node = parsed(diagnostic.span.text)
    if isinstance(node, ast.BoolOp):
        yield Fix("Keep the first comparison", (Edit(diagnostic.span, source(diagnostic.span.text, node.values[0])),))


@provides("*", 2181, 2136, 2138, 2071)
def fewer_targets(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """Bind as many names as there are values."""
    count = 2 if diagnostic.error_code == 2181 else 1
    text = diagnostic.span.text.strip()
    node = parsed(text)
    if isinstance(node, (ast.Tuple, ast.List)) and len(node.elts) > count:
        kept = ", ".join(source(text, e) for e in node.elts[:count])
        yield Fix(f"Bind {kept} only", (Edit(diagnostic.span, kept),))


@provides("*", 2182)
def kernel_of_self(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.submit(k, ...)`` -> ``pl.submit(self.k, ...)``."""
    if diagnostic.span.text.isidentifier():
        yield Fix(f"Change to self.{diagnostic.span.text}", (Edit(diagnostic.span, f"self.{diagnostic.span.text}"),))


@provides("*", 2183)
def as_many_results(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``(a, b), tid`` for one result -> ``a, tid``."""
    text = diagnostic.span.text
    node = parsed(text.partition("=")[0]) if "=" in text and not text.startswith("(") else parsed(text)
    returned = diagnostic.facts.get("returned")
    if isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.elts[0], ast.Tuple) and returned == 1:
        new = f"{source(text, node.elts[0].elts[0])}, {source(text, node.elts[1])}"
        yield Fix(f"Bind {new}", (Edit(diagnostic.span, new),))
