"""What stands at a place of a file: syntax nodes around an offset, the enclosing function, dotted names."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from pypto_lsp.syntax import SyntaxTree
from pypto_lsp.syntax import nodes as syntax


def children(node: syntax.Node) -> Iterator[syntax.Node]:
    """The direct sub-nodes of a node, in the order of its fields."""
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        if isinstance(value, syntax.Node):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, syntax.Node))


def extent(node: syntax.Node) -> tuple[int, int]:
    """Start and end offset of everything that a node holds; a compound statement's own span is only its header."""
    start = node.anchor.offset + node.start
    end = node.anchor.offset + node.end
    for body in _bodies(node):
        if body:
            end = max(end, extent(body[-1])[1])
    for decorator in getattr(node, "decorators", ()):
        start = min(start, decorator.anchor.offset + decorator.start)
    return start, end


def _bodies(node: syntax.Node) -> Iterator[tuple[syntax.Node, ...]]:
    for name in ("body", "handlers", "orelse", "finalbody"):
        value = getattr(node, name, None)
        if isinstance(value, tuple):
            yield value


def nodes_at(tree: SyntaxTree, offset: int) -> list[syntax.Node]:
    """The nodes around an offset from the outermost to the innermost; the end of a node belongs to it."""
    chain: list[syntax.Node] = []
    candidates: Iterator[syntax.Node] | tuple[syntax.Stmt, ...] = tree.body
    while True:
        found = None
        for node in candidates:
            start, end = extent(node)
            if start <= offset <= end and (found is None or offset < end):
                found = node
                if offset < end:
                    break
        if found is None:
            return chain
        chain.append(found)
        candidates = children(found)


def enclosing_function(chain: list[syntax.Node]) -> syntax.FunctionDef | None:
    """The innermost function among nodes around a place."""
    return next((node for node in reversed(chain) if isinstance(node, syntax.FunctionDef)), None)


def dotted(node: syntax.Node) -> str | None:
    """The text of a name or of an attribute chain on one (``pl.tile.add``), None for anything else."""
    if isinstance(node, syntax.Name):
        return node.id
    if isinstance(node, syntax.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base is not None else None
    return None
