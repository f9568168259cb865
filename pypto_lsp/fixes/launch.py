"""Fixes for launches whose blocks cannot all meet at a hard barrier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from pypto_lsp.diagnostics import Diagnostic, Edit, Fix
from pypto_lsp.fixes.registry import FixContext, provides
from pypto_lsp.fixes.statements import absolute, removal
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.visit import reads, stmt_reads, walk
from pypto_lsp.passes.launches import Launch
from pypto_lsp.text import Span


def _sync_start(launch: Launch) -> Edit | None:
    """Set ``sync_start=True`` in the launch's call."""
    node = launch.node
    given = node.sync_start_span if isinstance(node, ir.SpmdScope) else None
    if given is not None:
        return Edit(given, "sync_start=True")
    return None if launch.span is None else _added_keyword(launch.span, "sync_start=True")


def _added_keyword(call: Span, keyword: str) -> Edit | None:
    """Add a keyword at the end of a call's arguments (the span ends with the closing bracket)."""
    text = call.text
    if not text.endswith(")"):
        return None
    inner = text[:-1].rstrip()
    comma = "" if inner.endswith(("(", ",")) else ","
    space = " " if comma or inner.endswith(",") else ""
    at = call.begin + len(inner)
    return Edit(absolute(call.source, at, at), f"{comma}{space}{keyword}")


def _core_type(barrier: ir.Call, wanted: str) -> Edit | None:
    if barrier.span is None:
        return None
    text, begin = barrier.span.text, barrier.span.begin
    at = text.find("core_type")
    if at < 0:
        return _added_keyword(barrier.span, f'core_type="{wanted}"')
    quote = next((i for i in range(at, len(text)) if text[i] in "\"'"), None)
    if quote is None:
        return None
    end = text.find(text[quote], quote + 1)
    if end < 0:
        return None
    return Edit(absolute(barrier.span.source, begin + quote, begin + end + 1), f'"{wanted}"')


def _resized(sites: Iterable[Launch], width: str, context: FixContext) -> tuple[Edit, ...]:
    """Launch another number of blocks; a local name that only the old number needed goes. Nothing where a place is not known."""
    edits: dict[tuple[str, int, int], Edit] = {}
    for launch in sites:
        if launch.width_span is None:
            return ()
        for edit in (Edit(launch.width_span, width), *_orphans(launch.width, context)):
            edits.setdefault(edit.span.key(), edit)
    return tuple(edits.values())


def _orphans(expr: ir.Expr, context: FixContext) -> Iterator[Edit]:
    """The removal of local numbers that nothing but an expression reads."""
    read = Counter(var for var, _ in reads(expr))
    statements = [s for f in context.program.functions.values() for s in walk(f.body or ())] if context.program else []
    everywhere = Counter(var for stmt in statements for var, _ in stmt_reads(stmt))
    for stmt in statements:
        if isinstance(stmt, ir.Assign) and stmt.span is not None and 0 < everywhere[stmt.var] <= read[stmt.var]:
            yield removal(stmt.span)


@provides("HardSyncallOccupancy", 0)
def fill_all_cores(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """Size the launch with the matching query, start the blocks together, name the cores that the kernel runs on."""
    barrier, sites = diagnostic.subject
    facts = diagnostic.facts
    together = tuple(edit for launch in sites if not launch.sync_start and (edit := _sync_start(launch)) is not None)
    if facts["reason"] == "sync_start":
        if together:
            yield Fix("Start all blocks together: sync_start=True", together, safe=True)
        return
    query = f"pl.system.{facts['query']}()"
    resized = _resized(sites, query, context)
    if facts["reason"] == "unsatisfiable":
        edit = _core_type(barrier, facts["wanted_core_type"])
        resized = () if facts["fills"] else resized
        if edit is not None and (facts["fills"] or resized):
            title = f'Wait for the cores that run the kernel: core_type="{facts["wanted_core_type"]}"'
            yield Fix(title + (", launch it on all" if resized or together else ""), (edit, *resized, *together))
        return
    if not resized:
        return
    yield Fix(f"Launch {query} blocks", (*resized, *together))
    if facts["reason"] == "occupancy":
        number = str(facts["required"])
        yield Fix(f"Launch {number} blocks", (*_resized(sites, number, context), *together))
