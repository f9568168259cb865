"""PH001: widen the rows of a transfer by changing the number that sets them.

A change is offered only when the analysis of the changed text shows that every transfer which that number makes narrow has become
wide enough, and that nothing else went wrong: tiles still fit, windows stay inside of their tensors, shapes still agree. The same
must hold in the other files that import the number's file; where these are not analysed, the title says so. Where nothing can be
offered, the reason is told.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from pypto_lsp.backends import Backend
from pypto_lsp.diagnostics import Diagnostic, Edit, Fix, Severity
from pypto_lsp.fixes.registry import FixContext, NoFix, Recheck, Rechecked, provides
from pypto_lsp.ir.places import in_parameters
from pypto_lsp.ir.types import Origin, origin_of
from pypto_lsp.passes.transfers import Transfer
from pypto_lsp.text import Span

_RULE = "TileInnermostDimGranularity"
#: numbers of one expression that are tried, and values of each
_MAX_LITERALS = 3
_MAX_VALUES = 4
#: other files that are analysed with the changed number
_MAX_IMPORTERS = 3


@provides(_RULE, 1, costly=True)
def widen_rows(diagnostic: Diagnostic, context: FixContext) -> Iterator[Fix | NoFix]:
    """Replace the number by the smallest power of two that cures every hint which stems from it."""
    transfer = diagnostic.subject
    if context.recheck is None or not isinstance(transfer, Transfer):
        return
    if _faulty(diagnostic, context):
        yield NoFix("the file has errors, and what lies behind them cannot be checked")
        return
    literals = _literals(transfer)
    free = [place for place in literals if context.program is None or not in_parameters(place.span, context.program)]
    if not free:
        where = (
            "stands in the kernel's parameters, so the callers' tensors set it"
            if literals
            else "is not set by one number"
        )
        yield NoFix(f"the innermost extent {where}")
    reasons: list[str] = []
    for literal in free[:_MAX_LITERALS]:
        value = _smallest(literal, diagnostic, context, context.recheck)
        made = _in_importers(literal, value, transfer, diagnostic, context) if isinstance(value, int) else value
        if isinstance(made, Fix):
            yield made
            return
        reasons.append(made)
    yield from map(NoFix, reasons[:1])


def _faulty(diagnostic: Diagnostic, context: FixContext) -> bool:
    """Whether the file has errors: what lies behind them is not analysed, so that nothing would be proven."""
    return any(d.severity is Severity.ERROR and d.span.path == diagnostic.span.path for d in context.findings)


def _literals(transfer: Transfer) -> list[Origin]:
    """The numbers that set a transfer's innermost extent, in whatever file: those of its own file first, then those with a name."""
    origin = origin_of(transfer.shape[-1]) if transfer.shape else None
    found = [literal for literal in (origin.literals() if origin is not None else ()) if _number(literal)]
    return sorted(found, key=lambda literal: (literal.span.path != transfer.span.path, literal.name is None))


def _number(literal: Origin) -> int:
    """The positive value of a literal, 0 where it is none."""
    try:
        return max(int(literal.span.text, 0), 0)
    except ValueError:
        return 0


# --- the search --------------------------------------------------------------------------------------------------------


def _smallest(literal: Origin, diagnostic: Diagnostic, context: FixContext, recheck: Recheck) -> int | str:
    """The smallest power of two that cures the hints of a literal; the reason when none does without harm."""
    narrow = [diagnostic, *_narrow(context.findings, literal)]
    value = _widened(_number(literal), narrow)
    for _ in range(_MAX_VALUES):
        after = recheck(_edited(literal.span, value))
        harm = _harm(context.findings, after.diagnostics, literal)
        if harm is not None:
            return f"with {_name(literal)} = {value}, {_where(harm, diagnostic)}{harm.message}"
        narrow = _narrow(after.diagnostics, literal)
        if not narrow:
            if _wide(diagnostic, after, literal, context.backend):
                return value
            return f"with {_name(literal)} = {value} the transfer is another one"
        value = max(_widened(value, narrow), 2 * value)
    return f"no value of {_name(literal)} that was tried makes all rows wide enough"


def _in_importers(
    literal: Origin, value: int, transfer: Transfer, diagnostic: Diagnostic, context: FixContext
) -> Fix | str:
    """The fix, when no other file that imports the number's is harmed; else the reason. Files that are not analysed are counted in
    the title."""
    assert context.recheck is not None
    importers = context.importers(literal.span.path)
    checked = importers[:_MAX_IMPORTERS] if context.checks_importers else []
    for path in checked:
        before = context.recheck({}, path)
        after = context.recheck(_edited(literal.span, value), path)
        harm = _harm(before.diagnostics, after.diagnostics, literal)
        if harm is not None:
            return f"with {_name(literal)} = {value}, {_where(harm, diagnostic)}{harm.message}"
    title = _title(literal, value, transfer, diagnostic)
    rest = len(importers) - len(checked)
    if rest:
        title += f" ({rest} other {'file' if rest == 1 else 'files'} may read it)"
    return Fix(title, (Edit(literal.span, str(value)),))


def _name(literal: Origin) -> str:
    return literal.name or "the innermost extent"


def _where(harm: Diagnostic, diagnostic: Diagnostic) -> str:
    """The place of what would go wrong, when it is another than the hint's."""
    if harm.span.path != diagnostic.span.path:
        return f"{os.path.basename(harm.span.path)}:{harm.span.line}: "
    return f"line {harm.span.line}: "


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


def _harm(before: Iterable[Diagnostic], after: Iterable[Diagnostic], literal: Origin) -> Diagnostic | None:
    """An error, a warning or a narrow row that was not there before."""
    known = {_identity(diagnostic) for diagnostic in before}
    return next(
        (
            diagnostic
            for diagnostic in after
            if (diagnostic.severity is not Severity.PERF_HINT or diagnostic.rule_name == _RULE)
            and _identity(diagnostic) not in known
            and not _stems_from(diagnostic.subject, literal)
        ),
        None,
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
