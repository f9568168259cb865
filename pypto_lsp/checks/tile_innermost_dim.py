"""PH001: the rows of a transfer are shorter than the bus wants them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pypto_lsp.diagnostics import Diagnostic, Related, Severity
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import origin_of
from pypto_lsp.ir.visit import calls, walk
from pypto_lsp.passes.incremental import Pipeline
from pypto_lsp.passes.transfers import Transfer, kernel_transfers, program_transfers
from pypto_lsp.text import Span
from pypto_lsp.verifiers.rule import Rule, RuleContext

_FRAME = """import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(
        self, x: pl.Tensor[[64, 512], pl.FP32], o: pl.Out[pl.Tensor[[64, 512], pl.FP32]]
    ) -> pl.Tensor[[64, 512], pl.FP32]:
"""

#: places where a helper is expanded that are named under one hint
_MAX_SITES = 3


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

    def steps(self, program: ir.Program, context: RuleContext) -> Iterator[None]:
        for kernel in context.kernels(program):
            kernel_transfers(kernel, context.backend)
            yield

    def verify(self, program: ir.Program, context: RuleContext) -> list[Diagnostic]:
        groups: dict[tuple[object, ...], _Group] = {}
        for function, transfer in program_transfers(context.kernels(program), context.backend):
            facts = transfer_facts(transfer, context)
            if facts is None:
                continue
            key = (*transfer.place.key()[:2], *facts.values())
            group = groups.setdefault(key, _Group(function, transfer, facts))
            group.count += transfer.count
        helpers = _Helpers(program, context.pipeline)
        found = [hint for group in groups.values() for hint in self._hint(group, helpers, context)]
        return sorted(found, key=lambda h: -h.facts.get("transfer_bytes", 0))

    def _hint(self, group: _Group, helpers: _Helpers, context: RuleContext) -> Iterable[Diagnostic]:
        transfer = group.transfer
        facts = group.facts | {"line": transfer.place}
        if group.count > 1:
            facts["occurrences"] = group.count
        return self.finding(
            1,
            transfer.span,
            _message(transfer, facts, context),
            function=group.function,
            related=(*_origin(transfer), *helpers.around(transfer)),
            subject=transfer,
            **facts,
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
    if transfer.valid and all(extent is not None and extent > 0 for extent in transfer.valid):
        *outer, last = (extent or 0 for extent in transfer.valid)
        rows, row_bytes = math.prod(outer), -(-last * bits // 8)
        facts |= {"rows": rows, "row_bytes": row_bytes, "transfer_bytes": rows * row_bytes}
    return facts


_WHAT = {
    "entry": "the tensor is loaded whole when the kernel starts, in",
    "exit": "the value is stored when the kernel ends, in",
    "load": "this load moves",
    "store": "this store moves",
}


def _message(transfer: Transfer, facts: dict[str, Any], context: RuleContext) -> str:
    text = (
        f"{_WHAT[transfer.kind]} rows of {facts['innermost_bytes']} bytes ({facts['innermost_elems']} x "
        f"{facts['dtype']}); {context.backend.title} wants at least {facts['recommended']}"
    )
    if "rows" in facts:
        text += f" ({facts['rows']} rows of {facts['row_bytes']} bytes, {facts['transfer_bytes']} bytes in all)"
    return text


def _origin(transfer: Transfer) -> Iterable[Related]:
    """The constant that sets the innermost extent."""
    origin = origin_of(transfer.shape[-1])
    if origin is None:
        return ()
    literals = origin.literals()
    place = literals[0] if literals else origin
    name = f"'{place.name}'" if place.name else "this value"
    return (Related(place.span, f"{name} sets the innermost extent"),)


class _Helpers:
    """The inline functions of a program: where each lies, and the calls at which it is expanded."""

    def __init__(self, program: ir.Program, pipeline: Pipeline) -> None:
        self._program = program
        self._pipeline = pipeline
        self._ranges = [
            (*place, f.name)
            for f in program.functions.values()
            if f.func_type == "Inline" and (place := _range(f, pipeline))
        ]
        self._sites: dict[str, tuple[Related, ...]] = {}

    def around(self, transfer: Transfer) -> tuple[Related, ...]:
        """The calls that expand the helper in which a transfer stands."""
        path, offset = transfer.span.path, transfer.span.begin
        name = next((n for p, begin, end, n in self._ranges if p == path and begin <= offset < end), None)
        if name is None:
            return ()
        if name not in self._sites:
            self._sites[name] = tuple(Related(span, f"'{name}' is expanded here") for span in self._calls(name))
        return self._sites[name]

    def _calls(self, name: str) -> list[Span]:
        functions = self._program.functions.values()
        sites = [
            span for function in functions for span in self._pipeline.of_function(_call_sites, function).get(name, ())
        ]
        return sites[:_MAX_SITES]


def _call_sites(function: ir.Function) -> dict[str, list[Span]]:
    """Where a function calls others, by their names."""
    found: dict[str, list[Span]] = {}
    for node, _, _ in calls(function.body or ()):
        if isinstance(node.op, ir.FunctionRef) and node.span is not None:
            found.setdefault(node.op.name, []).append(node.span)
    return found


def _range(function: ir.Function, pipeline: Pipeline) -> tuple[str, int, int] | None:
    """The file, begin and end of a function."""
    if function.span is None:
        return None
    last = pipeline.of_function(_last, function) or function.span
    return function.span.path, function.span.begin, last.end_offset


def _last(function: ir.Function) -> Span | None:
    """The span of a function's statements that ends last."""
    spans = (stmt.span for stmt in walk(function.body or ()) if stmt.span is not None)
    return max(spans, key=lambda span: span.end_offset, default=None)
