"""Fixes for launches whose blocks cannot all meet at a hard barrier."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic, Edit, Fix
from pypto_lsp.fixes.registry import FixContext, provides
from pypto_lsp.fixes.statements import absolute
from pypto_lsp.ir import nodes as ir
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


@provides("HardSyncallOccupancy", 0)
def fill_all_cores(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """Size the launch with the matching query, start the blocks together, name the cores that the kernel runs on."""
    barrier, launch = diagnostic.subject
    facts = diagnostic.facts
    if facts["reason"] == "unsatisfiable":
        edit = _core_type(barrier, facts["wanted_core_type"])
        if edit is not None:
            yield Fix(f'Wait for the cores that run the kernel: core_type="{facts["wanted_core_type"]}"', (edit,))
        return
    together = None if launch.sync_start else _sync_start(launch)
    extra = () if together is None else (together,)
    if facts["reason"] == "sync_start":
        if together is not None:
            yield Fix("Start all blocks together: sync_start=True", (together,), safe=True)
        return
    if launch.width_span is None:
        return
    yield Fix(
        f"Launch pl.system.{facts['query']}() blocks",
        (Edit(launch.width_span, f"pl.system.{facts['query']}()"), *extra),
    )
    if facts["reason"] == "occupancy":
        yield Fix(f"Launch {facts['required']} blocks", (Edit(launch.width_span, str(facts["required"])), *extra))
