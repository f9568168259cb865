"""Fixes for what the compiler takes silently."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Edit, Fix
from pypto_lsp.fixes.fragments import parsed, source
from pypto_lsp.fixes.registry import FixContext, provides
from pypto_lsp.fixes.statements import removal


@provides("LoopBounds", 3033)
def drop_the_surplus(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``pl.range(0, 16, 8, 2)`` -> ``pl.range(0, 16, 8)``."""
    yield Fix("Remove the surplus bound", (Edit(diagnostic.span, ""),))


@provides("LoopBounds", 3031)
def integer_bound(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``4.0`` -> ``4``."""
    node = parsed(diagnostic.span.text)
    if isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value.is_integer():
        yield Fix(f"Write {int(node.value)}", (Edit(diagnostic.span, str(int(node.value))),))


@provides("StatementWithoutEffect", 3021)
def remove_the_statement(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """Remove a statement that does nothing."""
    yield Fix("Remove the statement", (removal(diagnostic.span),))


@provides("OperandsTakenSilently", 3042)
def an_offset_each(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """A zero for each missing offset."""
    rank, text = diagnostic.facts.get("rank"), diagnostic.span.text
    node = parsed(text)
    if isinstance(rank, int) and isinstance(node, (ast.List, ast.Tuple)):
        entries = [source(text, e) for e in node.elts]
        new = f"[{', '.join(entries + ['0'] * (rank - len(entries)))}]"
        yield Fix(f"Write {new}", (Edit(diagnostic.span, new),))


@provides("OperandsTakenSilently", 3043)
def integer_offset(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``0.5`` as an offset -> ``0``."""
    node = parsed(diagnostic.span.text)
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        yield Fix(f"Write {int(node.value)}", (Edit(diagnostic.span, str(int(node.value))),))


@provides("ReturnedValues", 3012)
def declare_the_returned_type(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """Declare the element type that is returned."""
    given = diagnostic.message.partition(" returns ")[2].split(" ")[0]
    text = diagnostic.span.text
    if given.isidentifier() and text.startswith("pl.") and "[" not in text:
        yield Fix(f"Declare pl.{given}", (Edit(diagnostic.span, f"pl.{given}"),))


@provides("IgnoredParameter", 3015)
def plain_parameter(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """``*, n: T = 2`` -> ``n: T``."""
    text = diagnostic.span.text.lstrip("*, ")
    name, colon, annotation = text.partition(":")
    if colon and name.strip().isidentifier() and "," not in annotation.split("=")[0].replace("[[", "").split("]")[0]:
        yield Fix(
            "Make it a plain parameter", (Edit(diagnostic.span, f"{name.strip()}: {annotation.split('=')[0].strip()}"),)
        )
