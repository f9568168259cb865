"""PH001: widen the rows of a transfer by changing the number that sets them.

A change is offered only when the analysis of the changed text shows that every transfer which that number makes narrow has become
wide enough, and that nothing else went wrong: tiles still fit, windows stay inside of their tensors, shapes still agree.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from pypto_lsp.backends import Backend
from pypto_lsp.diagnostics import Diagnostic, Edit, Fix, Severity
from pypto_lsp.fixes.registry import FixContext, Recheck, Rechecked, provides
from pypto_lsp.ir.nodes import Program
from pypto_lsp.ir.types import Origin, origin_of
from pypto_lsp.passes.transfers import Transfer
from pypto_lsp.text import Span

_RULE = "TileInnermostDimGranularity"
#: numbers of one expression that are tried, and values of each
_MAX_LITERALS = 3
_MAX_VALUES = 4


@provides(_RULE, 1, costly=True)
def widen_rows(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix]:
    """Replace the number by the smallest power of two that cures every hint which stems from it."""
    transfer = diagnostic.subject
    if context.recheck is None or not isinstance(transfer, Transfer) or _faulty(diagnostic, context):
        return
    for literal in _literals(transfer, context.program)[:_MAX_LITERALS]:
        value = _smallest(literal, diagnostic, context, context.recheck)
        if value is not None:
            yield Fix(_title(literal, value, transfer, diagnostic), (Edit(literal.span, str(value)),))
            return


def _faulty(diagnostic: Diagnostic, context: FixContext) -> bool:
    """Whether the file has errors: what lies behind them is not analysed, so that nothing would be proven."""
    return any(d.severity is Severity.ERROR and d.span.path == diagnostic.span.path for d in context.findings)


def _literals(transfer: Transfer, program: Program | None) -> list[Origin]:
    """The numbers that set a transfer's innermost extent, in whatever file: those of its own file first, then those with a name."""
    origin = origin_of(transfer.shape[-1]) if transfer.shape else None
    found = [
        literal
        for literal in (origin.literals() if origin is not None else ())
        if _number(literal) and not _in_signature(literal, program)
    ]
    return sorted(found, key=lambda literal: (literal.span.path != transfer.span.path, literal.name is None))


def _number(literal: Origin) -> int:
    """The positive value of a literal, 0 where it is none."""
    try:
        return max(int(literal.span.text, 0), 0)
    except ValueError:
        return 0


def _in_signature(literal: Origin, program: Program | None) -> bool:
    """Whether a literal stands in a kernel's parameters: the callers' tensors have that extent."""
    place = literal.span
    for function in program.functions.values() if program is not None else ():
        first = next((stmt.span for stmt in function.body or () if stmt.span is not None), None)
        head = function.name_span
        if head is None or first is None or not head.path == place.path == first.path:
            continue
        if head.begin <= place.begin < first.begin:
            return True
    return False


# --- the search --------------------------------------------------------------------------------------------------------


def _smallest(literal: Origin, diagnostic: Diagnostic, context: FixContext, recheck: Recheck) -> int | None:
    """The smallest power of two that cures the hints of a literal; None when none does without harm."""
    narrow = [diagnostic, *_narrow(context.findings, literal)]
    value = _widened(_number(literal), narrow)
    for _ in range(_MAX_VALUES):
        after = recheck(_edited(literal.span, value))
        if _harm(context.findings, after.diagnostics, literal):
            return None
        narrow = _narrow(after.diagnostics, literal)
        if not narrow:
            return value if _wide(diagnostic, after, literal, context.backend) else None
        value = max(_widened(value, narrow), 2 * value)
    return None


def _narrow(findings: Iterable[Diagnostic], literal: Origin) -> list[Diagnostic]:
    """The hints that stem from a literal."""
    return [d for d in findings if d.rule_name == _RULE and _stems_from(d.subject, literal)]


def _edited(place: Span, value: int) -> dict[str, str]:
    text = place.source.text
    return {place.path: text[: place.begin] + str(value) + text[place.end_offset :]}


def _widened(value: int, narrow: Iterable[Diagnostic]) -> int:
    """The power of two that ``value`` must grow to for all rows to be wide enough, if they grow with it."""
    wanted = max(-(-value * d.facts["recommended"] // d.facts["innermost_bytes"]) for d in narrow)
    return 1 << (wanted - 1).bit_length()


def _stems_from(transfer: object, literal: Origin) -> bool:
    """Whether a transfer's innermost extent comes from a literal, which an edit of that literal does not move."""
    origin = origin_of(transfer.shape[-1]) if isinstance(transfer, Transfer) and transfer.shape else None
    return origin is not None and any(_same_place(found, literal) for found in origin.literals())


def _same_place(one: Origin, other: Origin) -> bool:
    return one.span.path == other.span.path and one.span.begin == other.span.begin


def _harm(before: Iterable[Diagnostic], after: Iterable[Diagnostic], literal: Origin) -> bool:
    """Whether there is an error, a warning or a narrow row that was not there before."""
    known = {_identity(diagnostic) for diagnostic in before}
    return any(
        _identity(diagnostic) not in known and not _stems_from(diagnostic.subject, literal)
        for diagnostic in after
        if diagnostic.severity is not Severity.PERF_HINT or diagnostic.rule_name == _RULE
    )


def _identity(diagnostic: Diagnostic) -> tuple[object, ...]:
    """What stays of a finding when text grows in its line."""
    return (diagnostic.span.path, diagnostic.span.line, diagnostic.code, diagnostic.facts.get("op"))


def _wide(diagnostic: Diagnostic, after: Rechecked, literal: Origin, backend: Backend) -> bool:
    """Whether the transfer is still there, and wide: one that is not found any more proves nothing."""
    wanted: Transfer = diagnostic.subject
    for transfer in after.transfers:
        extent = transfer.shape[-1] if transfer.shape else None
        if (
            transfer.op == wanted.op
            and transfer.span.line == wanted.span.line
            and isinstance(extent, int)
            and _stems_from(transfer, literal)
            and extent * transfer.dtype.bits >= 8 * backend.inner_bytes
        ):
            return True
    return False


def _title(literal: Origin, value: int, transfer: Transfer, diagnostic: Diagnostic) -> str:
    """The change and its effect."""
    old, extent = _number(literal), transfer.shape[-1]
    change = f"{literal.name or 'Inner extent'} {old} -> {value}"
    if literal.span.path != transfer.span.path:
        change += f" in {os.path.basename(literal.span.path)}"
    grows_along = isinstance(extent, int) and (extent % old == 0 or old % extent == 0)
    if not grows_along:
        return f"{change}: rows of at least {diagnostic.facts['recommended']} B"
    return f"{change}: rows of {diagnostic.facts['innermost_bytes'] * value // old} B"
