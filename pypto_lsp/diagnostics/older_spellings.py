"""Older spellings of the language: what each is called now, and since when.

The language changed fast. Each row of the tables below is one change that the public history of the language shows: the old
spelling, the new one, the day of the change, its kind. A retired spelling has no new one but a word on what to do. Dates are
those of the commits, ISO 8601.

A finding about an older spelling carries the day in ``facts["since"]``; whoever pins the language to an earlier day does not
get it (``dslVersion`` among the settings). The analysis goes on as if the new spelling stood there.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pypto_lsp.diagnostics.diagnostic import Diagnostic


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a spelling.

    ``old`` is the spelling as it is written: a dotted path, ``path(keyword=)`` for a keyword. ``new`` is the present one, empty
    where there is none; ``advice`` is what to do then. ``kind`` is ``operator``, ``namespace``, ``keyword``, ``value``, ``name``,
    ``scope``, ``loop``, ``decorator``, ``layout`` or ``printed`` (a spelling of the compiler's own output alone, never accepted).

    An operator whose parameters changed besides has ``parameters``, the old ones in order with what they are called now (None:
    gone), and ``added``, arguments that the new one needs, by keyword. ``flat`` is the parameter that was an offset into the
    flattened value and is one index per dimension now. ``idle`` are the values with which a retired keyword did nothing.
    """

    old: str
    new: str
    since: str
    kind: str
    advice: str = ""
    parameters: tuple[tuple[str, str | None], ...] = ()
    added: tuple[tuple[str, str], ...] = ()
    flat: str = ""
    idle: tuple[str, ...] = ()

    @property
    def same_arguments(self) -> bool:
        """Whether a call keeps its arguments as they are."""
        return not self.parameters and not self.added

    @property
    def told(self) -> str:
        """The words on it in a message."""
        if self.kind == "printed":
            return f"; the compiler prints {self.new} since {spoken(self.since)}"
        if self.new:
            return f"; it is called {self.new} since {spoken(self.since)}"
        return f"; it is gone since {spoken(self.since)}" + (f": {self.advice}" if self.advice else "")


def spoken(day: str) -> str:
    """``2026-03-05`` -> ``5 March 2026``."""
    date = datetime.date.fromisoformat(day)
    return f"{date.day} {date:%B} {date.year}"


# --- operators -----------------------------------------------------------------------------------------------------

_IN_VEC = (("target_memory", "pl.Mem.Vec"),)
_TILE = (("tile", "tile"),)
_ACC_STORE = (("tile", "tile"), ("offsets", "offsets"), ("shapes", None), ("output_tensor", "output_tensor"))
_LAYOUT = (("tensor", "tensor"), ("layout", "layout"))
_NO_AXIS = "reduce along one direction with pl.row_{name} or pl.col_{name}"

#: namespace -> the one of today; an operator's name in it is looked up after that
NAMESPACES = (
    Change("pl.op.block", "pl.tile", "2026-02-10", "namespace"),
    Change("pl.op.tensor", "pl.tensor", "2026-02-10", "namespace"),
    Change("pl.op", "pl", "2026-02-10", "namespace"),
    Change("pl.block", "pl.tile", "2026-03-06", "namespace"),
    Change("pld.memory", "pld.tensor", "2026-05-20", "namespace"),
)


def _operators() -> Iterator[Change]:
    yield Change("pl.yeild", "pl.yield_", "2026-01-21", "operator")
    yield Change("pl.create", "pl.create_tensor", "2026-02-12", "operator")
    for space in ("pl", "pl.tile"):
        yield Change(f"{space}.ub_copy", f"{space}.move", "2026-02-26", "operator", parameters=_TILE, added=_IN_VEC)
        yield Change(f"{space}.vec_move", f"{space}.move", "2026-03-05", "operator", parameters=_TILE, added=_IN_VEC)
        yield Change(f"{space}.l0c_store", f"{space}.store", "2026-03-05", "operator", parameters=_ACC_STORE)
        yield Change(f"{space}.view", f"{space}.slice", "2026-03-06", "operator")
        yield Change(f"{space}.maxs", f"{space}.maximums", "2026-05-08", "operator")
        yield Change(f"{space}.mins", f"{space}.minimums", "2026-05-08", "operator")
        yield Change(f"{space}.sum", "", "2026-07-16", "operator", advice=_NO_AXIS.format(name="sum"))
    for space, read, write in (("tile", "getval", "setval"), ("tensor", "load_scalar", "store_scalar")):
        place = ((space, space), ("offset", "indices"))
        value = (*place, ("value", "value"))
        day, kind = "2026-03-10", "operator"
        yield Change(f"pl.{space}.{read}", f"pl.{space}.read", day, kind, parameters=place, flat="offset")
        yield Change(f"pl.{space}.{write}", f"pl.{space}.write", day, kind, parameters=value, flat="offset")
    for name in ("add", "sub", "mul", "div"):
        yield Change(f"pl.tensor.{name}_scalar", f"pl.tensor.{name}s", "2026-03-10", "operator")
    yield Change("pl.tensor.as_layout", "pl.tensor.view", "2026-07-13", "operator", parameters=_LAYOUT)


OPERATORS: Mapping[str, Change] = {change.old: change for change in _operators()}


@dataclass(frozen=True, slots=True)
class Renamed:
    """An operator's old path resolved: the path of today (empty for a retired one) and the change that counts, which is the
    earliest of those on the way."""

    path: str
    change: Change


def renamed_operator(path: str) -> Renamed | None:
    """What an operator of an older release is called now; None for a path that no table names."""
    steps: list[Change] = []
    while path and (step := _step(path)) is not None:
        change, path = step
        steps.append(change)
    if not steps:
        return None
    since = min(change.since for change in steps)
    detailed = next((c for c in steps if not c.same_arguments or c.advice), steps[-1])
    return Renamed(path, replace(detailed, new=path, since=since))


def _step(path: str) -> tuple[Change, str] | None:
    change = OPERATORS.get(path)
    if change is not None:
        return change, change.new
    space, _, name = path.rpartition(".")
    found = next((c for c in NAMESPACES if c.old == space), None)
    return None if found is None else (found, f"{found.new}.{name}")


# --- keywords of operators -----------------------------------------------------------------------------------------


def _keywords() -> Iterator[Change]:
    def renamed(day: str, old: str, new: str, *callees: str) -> Iterator[Change]:
        return (Change(f"{callee}({old}=)", new, day, "keyword") for callee in callees)

    def retired(day: str, old: str, advice: str, *callees: str, idle: tuple[str, ...] = ()) -> Iterator[Change]:
        return (Change(f"{callee}({old}=)", "", day, "keyword", advice=advice, idle=idle) for callee in callees)

    yield from renamed("2026-08-03", "valid_shapes", "valid_shape", "pl.load", "pl.tile.load")
    transposed = "load as it is and take pl.tile.transpose_view"
    yield from retired("2026-06-30", "transpose", transposed, "pl.load", "pl.tile.load", idle=("False",))
    yield from retired(
        "2026-03-10", "transpose", "take pl.tile.transpose_view", "pl.move", "pl.tile.move", idle=("False",)
    )
    yield from renamed("2026-03-10", "tile", "input", "pl.sqrt")
    yield from renamed("2026-03-11", "tile", "input", "pl.neg", "pl.rsqrt", "pl.recip", "pl.row_min")
    yield from renamed("2026-04-24", "tile", "input", "pl.abs")
    yield from renamed("2026-07-28", "tile", "input", "pl.log")
    yield from renamed("2026-07-31", "tile", "input", "pl.not_")
    yield from renamed("2026-03-19", "tile", "value", "pl.fillpad")
    early, late = ("mul",), ("div", "add", "sub")
    for day, names in (("2026-03-10", early), ("2026-03-11", late)):
        rows = [f"pl.row_expand_{name}" for name in names]
        columns = [f"pl.col_expand_{name}" for name in names if name != "add"]
        yield from renamed(day, "tile", "lhs", *rows, *columns)
        yield from renamed(day, "row_vec", "rhs", *rows)
        yield from renamed(day, "col_vec", "rhs", *columns)
    yield from renamed("2026-03-11", "target", "lhs", "pl.col_expand")
    yield from renamed("2026-03-11", "col_vec", "rhs", "pl.col_expand")
    halves = ("pl.aiv_shard", "pl.aic_gather", "pl.tile.aiv_shard", "pl.tile.aic_gather")
    yield from renamed("2026-07-02", "tile", "x", *halves)
    yield from renamed("2026-08-20", "acc", "dst", "pl.gather_row")
    pipes = [f"{space}.{name}" for space in ("pl", "pl.system") for name in _PIPES]
    yield from renamed("2026-03-23", "aiv_idx", "split", *pipes)
    reductions = ("pl.row_max", "pl.row_sum", "pl.tensor.row_max", "pl.tensor.row_sum")
    for name, idle in (("axis", ("-1", "1")), ("keep_dim", ("True", "1"))):
        yield from retired("2026-02-09", name, "a row reduction keeps the dimension", *reductions, idle=idle)
    for name in ("max", "min"):
        for old in ("tile", "axis", "keepdim"):
            yield from retired("2026-07-16", old, _NO_AXIS.format(name=name), f"pl.{name}", f"pl.tile.{name}")
    for name in ("scratch", "scratch_l1"):
        yield from retired("2026-08-18", name, "soft barriers take gm_workspace alone", "pl.system.syncall")
    yield from retired("2026-05-20", "executed", "", "pl.tile.mrgsort")
    yield from retired(
        "2026-08-04", "select_mode", "the operands are mask, src, tmp and scalar", "pl.sels", "pl.tile.sels"
    )


_PIPES = ("tpush_to_aic", "tpush_to_aiv", "tpop_from_aic", "tpop_from_aiv")
KEYWORDS: Mapping[str, Change] = {change.old: change for change in _keywords()}


def renamed_keyword(callee: str, keyword: str) -> Change | None:
    """The change of a keyword of an operator, scope, loop or decorator; None when there was none."""
    found = KEYWORDS.get(f"{callee}({keyword}=)")
    return found or next((c for c in FORMS if c.old == f"{callee}({keyword}=)"), None)


# --- scopes, loops, decorators, layouts ----------------------------------------------------------------------------

_BLOCKS = "write the loop over blocks yourself, or let pl.spmd start them"

#: what belongs to no operator
FORMS = (
    Change("pl.incore", "pl.at(level=pl.Level.CORE_GROUP)", "2026-06-20", "scope"),
    Change("pl.auto_incore", "pl.at(level=pl.Level.CORE_GROUP)", "2026-06-20", "scope"),
    Change("pl.auto_scope", "pl.scope", "2026-05-29", "scope"),
    Change("pl.at(split=)", "optimizations", "2026-06-20", "scope"),
    Change("pl.at(optimization=)", "optimizations", "2026-06-20", "scope"),
    Change("pl.chunked_loop_optimizer", "", "2026-06-20", "scope", advice=_BLOCKS),
    Change("pl.auto_chunk", "", "2026-06-30", "scope", advice=_BLOCKS),
    *(
        Change(f"pl.{loop}({keyword}=)", "", "2026-06-30", "loop", advice=_BLOCKS)
        for loop in ("range", "parallel", "unroll")
        for keyword in ("chunk", "chunk_policy")
    ),
    Change("pl.range(unroll=)", "pl.pipeline", "2026-04-20", "loop"),
    Change("pl.function(split=)", "attrs", "2026-04-01", "decorator"),
    Change("pl.DN", "", "2026-08-03", "layout", advice="write the shape as it lies in memory, or pl.TensorView"),
)


def form(old: str) -> Change:
    """The change of a form of the language. Raises StopIteration for one that is not in the table."""
    return next(change for change in FORMS if change.old == old)


# --- values --------------------------------------------------------------------------------------------------------

#: element types, enums and their members, other names of the modules
VALUES = (
    Change("pl.FP8", "pl.FP8E4M3FN", "2026-02-02", "value"),
    Change("pl.BFLOAT16", "pl.BF16", "2026-03-05", "printed"),
    *(
        Change(f"pl.MemorySpace.{old}", f"pl.MemorySpace.{new}", "2026-02-26", "value")
        for old, new in (("UB", "Vec"), ("L1", "Mat"), ("L0A", "Left"), ("L0B", "Right"), ("L0C", "Acc"))
    ),
    *(Change(f"pl.TilePad.{m}", f"pl.PadValue.{m}", "2026-03-19", "value") for m in ("null", "zero", "max", "min")),
    Change("pl.TilePad", "pl.PadValue", "2026-03-19", "name"),
    Change("pl.Role.Worker", "pl.Role.SubWorker", "2026-04-29", "value"),
    Change("pl.load_program", "pl.loads_program", "2026-02-10", "name"),
    Change("pl.ChunkPolicy", "", "2026-06-30", "name", advice=_BLOCKS),
    Change("pl.ChunkConfig", "", "2026-06-30", "name", advice=_BLOCKS),
    Change("pl.LoopOrigin", "", "2026-06-30", "name"),
    Change("pl.ReservedBuffer", "", "2026-04-01", "name", advice="pl.reserve_buffer gives the buffer"),
    Change("pl.ImportedBuffer", "", "2026-04-01", "name", advice="pl.import_peer_buffer gives the buffer"),
)
_BY_PATH = {change.old: change for change in VALUES}


def renamed_value(path: str) -> Change | None:
    """The change of an element type, an enum or member of one, or another name of the modules."""
    plain = path.replace("pl.DataType.", "pl.", 1).replace("pl.Mem.", "pl.MemorySpace.", 1)
    found = _BY_PATH.get(plain)
    if found is None or not found.new or plain == path:
        return found
    written = path.rpartition(".")[0] + "." + found.new.rpartition(".")[2]
    return replace(found, old=path, new=written)


ALL = (*NAMESPACES, *OPERATORS.values(), *KEYWORDS.values(), *FORMS, *VALUES)


# --- findings ------------------------------------------------------------------------------------------------------


#: the guess at the end of a message, which is none any more
_GUESS = re.compile(r"[;:,]? did you mean [^?]*\?$")


def dated(finding: Diagnostic, change: Change, **facts: Any) -> Diagnostic:
    """A finding about an older spelling, with the day and the new name in its message and facts."""
    told: dict[str, Any] = {"old": change.old, "new": change.new}
    if change.kind != "printed":
        told["since"] = change.since
    if change.new and change.kind in ("value", "name", "printed"):
        told["suggestion"] = change.new
    message = _GUESS.sub("", finding.message) + change.told
    return replace(finding, message=message, facts={**finding.facts, **told, **facts})


def older_spelling(finding: Diagnostic) -> bool:
    """Whether a finding is about an older spelling of which the analysis knows what it is now."""
    return bool(finding.facts.get("new"))


def right_then(finding: Diagnostic, version: str) -> bool:
    """Whether what a finding is about was right in the language of a day (ISO 8601; empty: the newest)."""
    since = finding.facts.get("since")
    return bool(version) and isinstance(since, str) and version < since


__all__ = [
    "ALL",
    "FORMS",
    "KEYWORDS",
    "NAMESPACES",
    "OPERATORS",
    "VALUES",
    "Change",
    "Renamed",
    "dated",
    "form",
    "older_spelling",
    "renamed_keyword",
    "renamed_operator",
    "renamed_value",
    "right_then",
    "spoken",
]
