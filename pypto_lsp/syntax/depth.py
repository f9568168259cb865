"""Which texts are nested too deeply to be looked into: the walks over their trees call themselves for every level."""

from __future__ import annotations

import ast
import re

from pypto_lsp.text.nesting import DEEPEST

#: what opens a level; a keyword argument is a second level in its call, a comparison in brackets one as well
_OPERATOR = re.compile(r"[-+*/%@&|^<>~.(\[{]|\b(?:and|or|not|if|in|is|lambda|await)\b")
_LEVELS_EACH = 3
_BRACKET = re.compile(r"[(\[{)\]}]")
_DEEPEST_BRACKETS = 200


def operators(text: str) -> int:
    """How many operators and brackets a text seems to have."""
    return len(_OPERATOR.findall(text))


def has_deep_brackets(text: str) -> bool:
    """Whether brackets are nested more deeply than CPython's tokenizer reads."""
    depth = 0
    for bracket in _BRACKET.findall(text):
        depth += 1 if bracket in "([{" else -1
        if depth > _DEEPEST_BRACKETS:
            return True
    return False


def may_be_deep(text: str) -> bool:
    """Whether a text could be nested too deeply; false for nearly all."""
    return len(text) > DEEPEST and operators(text) * _LEVELS_EACH > DEEPEST


def is_deep(tree: ast.AST) -> bool:
    """Whether a tree is nested too deeply. A chain of ``and`` or ``or`` counts as nested, as LibCST has it."""
    pending: list[tuple[ast.AST, int]] = [(tree, 1)]
    while pending:
        node, depth = pending.pop()
        if isinstance(node, ast.BoolOp):
            depth += len(node.values) - 2
        if depth > DEEPEST:
            return True
        pending += [(child, depth + 1) for child in ast.iter_child_nodes(node)]
    return False


__all__ = ["has_deep_brackets", "is_deep", "may_be_deep", "operators"]
