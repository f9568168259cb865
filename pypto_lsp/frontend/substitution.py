"""Copies of syntax with a number for a name."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from pypto_lsp.syntax import nodes as syntax


def substituted(node: syntax.Expr, name: str, value: int) -> syntax.Expr:
    """A copy of an expression in which every read of a name is an integer literal at the same place."""
    return _copy(node, name, value)


def _copy(node: Any, name: str, value: int) -> Any:
    if isinstance(node, syntax.Name):
        return syntax.Constant(node.anchor, node.start, node.end, value) if node.id == name else node
    if isinstance(node, tuple):
        copied = tuple(_copy(item, name, value) for item in node)
        return node if all(a is b for a, b in zip(node, copied)) else copied
    if not isinstance(node, syntax.Node):
        return node
    changes = {}
    for field in fields(node):
        old = getattr(node, field.name)
        new = _copy(old, name, value) if isinstance(old, (syntax.Node, tuple)) else old
        if new is not old:
            changes[field.name] = new
    return replace(node, **changes) if changes else node
