"""Finding nodes of a tree by place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pypto_lsp.syntax import nodes
from pypto_lsp.syntax.names import bound_names, children, names_read, target_names, walk

__all__ = ["bound_names", "children", "names_read", "path_at", "statement_at", "target_names", "walk"]


def path_at(body: Iterable[nodes.Stmt], offset: int) -> list[nodes.Node]:
    """The nodes that a character offset lies in, from a statement of ``body`` down to the innermost; a node's end counts as
    inside it where nothing else is there. A compound statement is in the path also when the offset is in its body only."""
    path: list[nodes.Node] = []
    candidates: Iterator[nodes.Node] = iter(body)
    while True:
        found = _closest(candidates, offset)
        if found is None:
            return path
        path.append(found)
        candidates = children(found)


def _closest(candidates: Iterable[nodes.Node], offset: int) -> nodes.Node | None:
    touching = None
    for node in candidates:
        first, last = extent(node)
        if first <= offset < last:
            return node
        if offset == last and touching is None:
            touching = node
    return touching


def extent(node: nodes.Node) -> tuple[int, int]:
    """The absolute range of a node with all that belongs to it: decorators and, unlike ``node.span``, its body."""
    first = last = node.anchor.offset
    first += node.start
    last += node.end
    if isinstance(node, nodes.FunctionDef | nodes.ClassDef) and node.decorators:
        first = min(first, node.decorators[0].span.begin)
    unparsed = node.unparsed_end() if isinstance(node, nodes.FunctionDef) else None
    if unparsed is not None:
        return first, unparsed
    for part in _last_parts(node):
        last = max(last, extent(part)[1])
    return first, last


def _last_parts(node: nodes.Node) -> Iterator[nodes.Node]:
    """The last statement of each suite of a compound statement."""
    for name in ("body", "handlers", "orelse", "finalbody"):
        suite = getattr(node, name, None)
        if isinstance(suite, tuple) and suite:
            yield suite[-1]


def statement_at(body: Iterable[nodes.Stmt], offset: int) -> nodes.Stmt | None:
    """The innermost statement that an offset lies in, or None."""
    statements = [node for node in path_at(body, offset) if isinstance(node, nodes.Stmt)]
    return statements[-1] if statements else None
