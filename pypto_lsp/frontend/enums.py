"""Enum members that must be spelled out: ``pl.Level.CORE_GROUP``, ``pl.SplitMode.UP_DOWN``."""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_scopes as faults
from pypto_lsp.diagnostics.spelling import closest
from pypto_lsp.frontend.lowering import Lowering
from pypto_lsp.frontend.paths import attr_span, dotted
from pypto_lsp.ir.enums import ENUMS, LEVEL_ALIASES
from pypto_lsp.syntax import nodes as syntax


def enum_literal(low: Lowering, node: syntax.Expr, enum: str) -> str | None:
    """The member of an enum that an expression spells (aliases of levels resolved); reports anything else."""
    members = ENUMS[enum]
    if isinstance(node, syntax.Attribute):
        owner, _, member = dotted(node).rpartition(".")
        if owner in (enum, f"pl.{enum}"):
            if member in members:
                return LEVEL_ALIASES.get(member, member) if enum == "Level" else member
            suggestion = closest(member, members)
            low.report(
                faults.ENUM_MEMBER,
                attr_span(node),
                subject=node,
                text=member,
                enum=enum,
                members=", ".join(members),
                suggestion=suggestion,
            )
            return None
    word = node.value if isinstance(node, syntax.Constant) and isinstance(node.value, str) else ""
    named = next((member for member in members if member.lower() == word.lower()), None)
    low.report(
        faults.ENUM_MEMBER,
        node.span,
        subject=node,
        text=node.text,
        enum=enum,
        members=", ".join(members),
        suggestion=f"pl.{enum}.{named}" if named else None,
    )
    return None
