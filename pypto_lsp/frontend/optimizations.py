"""``optimizations=[pl.split(...), pl.cross_core_slot(...)]`` of pl.at and pl.spmd."""

from __future__ import annotations

from dataclasses import dataclass

from pypto_lsp.diagnostics import faults_loops
from pypto_lsp.diagnostics import faults_scopes as faults
from pypto_lsp.diagnostics.older_spellings import Change, form, spoken
from pypto_lsp.frontend.enums import enum_literal
from pypto_lsp.frontend.flags import written_constant
from pypto_lsp.frontend.lowering import Lowering
from pypto_lsp.frontend.operators import surplus_span
from pypto_lsp.frontend.paths import dotted
from pypto_lsp.syntax import nodes as syntax

SPLIT = ("pl.split", "pl.optimizations.split")
#: entries of the chunked loops of older releases
RETIRED = ("pl.auto_chunk", "pl.chunked_loop_optimizer")
SLOT = ("pl.cross_core_slot", "pl.optimizations.cross_core_slot")


@dataclass(slots=True)
class Optimizations:
    """What the list gives: the split mode (None without a ``pl.split``) and the slot count."""

    split: str | None = None
    slots: int | None = None

    @property
    def given(self) -> bool:
        return self.split is not None or self.slots is not None


def read_optimizations(low: Lowering, node: syntax.Expr, callee: str) -> Optimizations:
    """Read the list; each entry at fault is reported and left out."""
    found = Optimizations()
    if not isinstance(node, syntax.List):
        single = isinstance(node, syntax.Call) and dotted(node.func) in SPLIT + SLOT
        suggestion = f"[{node.text}]" if single else None
        low.report(faults.OPTIMIZATIONS_FORM, node.span, subject=node, callee=callee, suggestion=suggestion)
        return found
    seen: set[str] = set()
    for entry in node.elts:
        path = dotted(entry.func) if isinstance(entry, syntax.Call) else ""
        if isinstance(entry, syntax.Call) and path in SPLIT:
            _split(low, entry, found, seen)
        elif isinstance(entry, syntax.Call) and path in SLOT:
            _slot(low, entry, found, seen)
        else:
            if _retired(low, entry):
                continue
            low.report(faults.OPTIMIZATION_ENTRY, entry.span, subject=entry, entry=entry.text, callee=callee)
    return found


def _retired(low: Lowering, entry: syntax.Expr) -> bool:
    """Report an entry of the chunked loops, once in a function; whether it is one."""
    path = dotted(entry.func if isinstance(entry, syntax.Call) else entry).replace("pl.optimizations.", "pl.", 1)
    if path not in RETIRED:
        return False
    if low.first_report("retired", "chunked loops"):
        since = form(path).since
        low.report(
            faults_loops.RETIRED_CHUNKS, entry.span, subject=entry, what=entry.text, since=since, day=spoken(since)
        )
    return True


def older_optimizations(low: Lowering, call: syntax.Call, keyword: syntax.Keyword, change: Change) -> Optimizations:
    """``split=`` and ``optimization=`` of ``pl.at``, from before its list of optimizations."""
    mode: syntax.Expr | None = keyword.value
    if keyword.arg == "optimization":
        given = keyword.value.keywords if isinstance(keyword.value, syntax.Call) else ()
        mode = next((k.value for k in given if k.arg == "split"), None)
    entries = f"[pl.split({mode.text})]" if mode is not None else ""
    alone = not any(k.arg in ("optimizations", "split", "optimization") for k in call.keywords if k is not keyword)
    low.older(
        change, faults.SCOPE_KEYWORD, keyword.span, subject=call, callee="pl.at", keyword=keyword.arg, advice="",
        idle=not entries, suggestion=f"optimizations={entries}" if alone and entries else None,
    )  # fmt: skip
    return Optimizations(split=enum_literal(low, mode, "SplitMode") if mode is not None else None)


def _split(low: Lowering, entry: syntax.Call, found: Optimizations, seen: set[str]) -> None:
    slots: int | None = None
    for keyword in entry.keywords:
        if keyword.arg == "slot_num":
            slots = _number(low, keyword.value, "slot_num of pl.split")
        else:
            place = surplus_span(entry, keyword.span)
            low.report(faults.SPLIT_ARGUMENTS, place, subject=entry, what=f": there is no '{keyword.arg}'")
    if len(entry.args) != 1:
        suggestion = None if entry.args else f"{entry.func.text}(pl.SplitMode.UP_DOWN)"
        low.report(faults.SPLIT_ARGUMENTS, entry.span, subject=entry, what="", suggestion=suggestion)
        return
    mode = enum_literal(low, entry.args[0], "SplitMode")
    if "split" in seen:
        low.report(faults.OPTIMIZATION_TWICE, entry.span, subject=entry, what="pl.split")
        return
    seen.add("split")
    found.split = mode
    if slots is not None:
        _set_slots(low, entry, found, seen, slots)


def _set_slots(low: Lowering, entry: syntax.Call, found: Optimizations, seen: set[str], slots: int) -> None:
    if "slots" in seen:
        low.report(faults.OPTIMIZATION_TWICE, entry.span, subject=entry, what="the slot count")
        return
    seen.add("slots")
    found.slots = slots


def _slot(low: Lowering, entry: syntax.Call, found: Optimizations, seen: set[str]) -> None:
    callee = "pl.cross_core_slot"
    if entry.args:
        place = entry.args[0].span.to(entry.args[-1].span)
        low.report(faults.SLOT_ARGUMENTS, place, subject=entry, what=f"{callee} takes slot_num= by keyword")
        return
    slots: int | None = None
    for keyword in entry.keywords:
        if keyword.arg != "slot_num":
            place = surplus_span(entry, keyword.span)
            low.report(faults.SLOT_ARGUMENTS, place, subject=entry, what=f"{callee} has no '{keyword.arg}'")
            return
        slots = _number(low, keyword.value, f"slot_num of {callee}")
    if not entry.keywords:
        low.report(
            faults.SLOT_ARGUMENTS,
            entry.span,
            subject=entry,
            what=f"{callee} needs slot_num=",
            suggestion=f"{entry.func.text}(slot_num=2)",
        )
    if slots is not None:
        _set_slots(low, entry, found, seen, slots)


def _number(low: Lowering, node: syntax.Expr, what: str) -> int | None:
    value = written_constant(low, node)
    if not isinstance(value, int) or isinstance(value, bool):
        low.report(faults.SLOT_ARGUMENTS, node.span, subject=node, what=f"{what} is an integer literal")
        return None
    if value <= 0:
        low.report(faults.SLOT_ARGUMENTS, node.span, subject=node, what=f"{what} must be positive")
        return None
    return int(value)
