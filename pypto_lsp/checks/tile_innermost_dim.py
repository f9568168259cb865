"""PH001: the rows of a transfer are shorter than the bus wants them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pypto_lsp.diagnostics import Diagnostic, Related, Severity
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import origin_of
from pypto_lsp.passes.inline_functions import inline_functions
from pypto_lsp.passes.transfers import Transfer, program_transfers
from pypto_lsp.verifiers.rule import Rule, RuleContext

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(
        self, x: pl.Tensor[[64, 512], pl.FP32], o: pl.Out[pl.Tensor[[64, 512], pl.FP32]]
    ) -> pl.Tensor[[64, 512], pl.FP32]:
"""


@dataclass
class _Group:
    function: ir.Function
    transfer: Transfer
    facts: dict[str, Any]
    count: int = 0


class TileInnermostDimGranularity(Rule):
    """
    ## What it does
    Looks at every transfer between global memory and the cores: loads and stores as written, slices, whole tensors that a
    region uses, stored results. It reports a transfer whose innermost extent is below 512 bytes on Ascend910B or below 128
    bytes on Ascend950.

    ## Why is this bad
    Memory is moved in lines of 512 bytes. A shorter row leaves a part of each line unused and costs a request of its own.

    ## Fix
    Enlarge the innermost extent of the tile: double the constant that sets it and halve the rows, so that the tile keeps
    its size.
    """

    rule_name = "TileInnermostDimGranularity"
    codes = {1: "rows of a transfer are short"}
    severity = Severity.PERF_HINT
    hint_code = "PH001"
    stage = "pipeline_output"
    VALID = (
        _FRAME + "        t = pl.load(x, [0, 0], [64, 128])\n        o = pl.store(t, [0, 0], o)\n        return o\n",
    )
    INVALID = (
        _FRAME + "        t = ⟦pl.load(x, [0, 0], [64, 64])⟧\n        o = ⟦pl.store(t, [0, 0], o)⟧\n        return o\n",
    )

    def verify(self, program: ir.Program, context: RuleContext) -> list[Diagnostic]:
        groups: dict[tuple[object, ...], _Group] = {}
        for function, transfer in program_transfers(inline_functions(program), context.backend):
            facts = transfer_facts(transfer, context)
            if facts is None:
                continue
            key = (*transfer.statement.key()[:2], transfer.span.key(), *sorted(facts.items(), key=lambda item: item[0]))
            group = groups.setdefault(key, _Group(function, transfer, facts))
            group.count += transfer.count
        found = [self._hint(group, context) for group in groups.values()]
        return sorted((h for h in found if h is not None), key=lambda h: -h.facts.get("transfer_bytes", 0))

    def _hint(self, group: _Group, context: RuleContext) -> Diagnostic | None:
        facts = dict(group.facts)
        facts["line"] = group.transfer.statement.line
        if group.count > 1:
            facts["occurrences"] = group.count
        return next(
            iter(
                self.finding(
                    1,
                    group.transfer.span,
                    _message(facts, context),
                    function=group.function,
                    related=_origin(group.transfer),
                    subject=group.transfer,
                    **facts,
                )
            ),
            None,
        )


def transfer_facts(transfer: Transfer, context: RuleContext) -> dict[str, Any] | None:
    """The figures of a transfer whose rows are too short; None when they are not, or not known."""
    extent = transfer.shape[-1] if transfer.shape else None
    if not isinstance(extent, int) or extent <= 0:
        return None
    bits = transfer.dtype.bits
    innermost = -(-int(extent) * bits // 8)
    if innermost >= context.backend.inner_bytes:
        return None
    facts: dict[str, Any] = {
        "op": transfer.op,
        "dtype": transfer.dtype.text,
        "innermost_bytes": innermost,
        "innermost_elems": int(extent),
        "memory": transfer.memory,
        "recommended": context.backend.inner_bytes,
        "arch": context.backend.alias,
    }
    valid = transfer.valid or transfer.shape
    if all(isinstance(e, int) and e > 0 for e in valid):
        rows = 1
        for e in valid[:-1]:
            rows *= int(e)  # type: ignore[call-overload]
        row_bytes = -(-int(valid[-1]) * bits // 8)  # type: ignore[call-overload]
        facts |= {"rows": rows, "row_bytes": row_bytes, "transfer_bytes": rows * row_bytes}
    return facts


def _message(facts: dict[str, Any], context: RuleContext) -> str:
    word = "load" if facts["op"] == "tile.load" else "store"
    text = (
        f"this {word} moves rows of {facts['innermost_bytes']} bytes ({facts['innermost_elems']} x {facts['dtype']}); "
        f"{context.backend.title} wants at least {facts['recommended']}"
    )
    if "rows" in facts:
        text += f" ({facts['rows']} rows of {facts['row_bytes']} bytes, {facts['transfer_bytes']} bytes in all)"
    if facts.get("occurrences", 1) > 1:
        text += f"; {facts['occurrences']} copies of it"
    return text


def _origin(transfer: Transfer) -> Iterable[Related]:
    origin = origin_of(transfer.shape[-1])
    if origin is None:
        return ()
    literals = origin.literals()
    place = literals[0] if literals else origin
    name = f"'{place.name}'" if place.name else "this value"
    return (Related(place.span, f"{name} sets the innermost extent"),)
