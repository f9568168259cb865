"""Names that are newer than the language that a workspace is pinned to."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, faults_ops
from pypto_lsp.diagnostics.introductions import introduced
from pypto_lsp.diagnostics.older_spellings import renamed_operator, spoken
from pypto_lsp.frontend.names import walk
from pypto_lsp.frontend.paths import dotted
from pypto_lsp.frontend.static import ModuleEnvironment
from pypto_lsp.frontend.values import Namespace
from pypto_lsp.syntax import nodes as syntax


def too_new(env: ModuleEnvironment, version: str) -> Iterator[Diagnostic]:
    """A finding for each call of something that came to be after a day (ISO 8601)."""
    roots = {name for name in ("pl", "pld") if env.lookup(name) == Namespace(name)}
    for stmt in env.tree.body:
        for node in walk(stmt):
            if not isinstance(node, syntax.Call) or renamed_operator(path := dotted(node.func)) is not None:
                continue
            day = introduced(path) if path.partition(".")[0] in roots else None
            if day is not None and day > version:
                yield faults_ops.NOT_YET.at(
                    node.func.span, subject=node, path=path, day=spoken(day), version=version, introduced=day
                )
