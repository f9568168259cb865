"""Repairing what loops carry and branches give after statements were taken out of a body, and dropping what nothing uses.

The steps and their order are the compiler's: a carry that nothing uses goes, one whose start was taken out gets it back, a
yielded value that was taken out becomes the carry it stood for, and a branch's result that has no value any more goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.mutator import changed, with_bodies, with_results, yielding_only
from pypto_lsp.ir.visit import bodies, dynamic_dimensions, last_yield, walk, yielded
from pypto_lsp.passes.pipeline.pipes import PIPE_OPERATORS
from pypto_lsp.passes.variables import bound_by, defined, reached, read_variables, visit_header_reads, visit_reads

Vars = Iterable[ir.Var]
_EFFECTS = PIPE_OPERATORS | {"tile.store", "tile.assemble"}
_Loop = ir.For | ir.While


def _reads(expr: ir.Expr) -> set[ir.Var]:
    found: set[ir.Var] = set()
    visit_reads(expr, found.add)
    return found


def without_dead_carries(body: ir.Body) -> ir.Body:
    """A body whose loops carry only what is used in them or after them."""
    after: set[ir.Var] = set()
    out: list[ir.Stmt] = []
    for stmt in reversed(body):
        made = with_bodies(stmt, without_dead_carries)
        if isinstance(stmt, _Loop) and isinstance(made, _Loop) and stmt.iter_args:
            inner = made.body[:-1] if last_yield(made.body) is not None else made.body
            used = read_variables(inner)
            kept = [
                place for place, (arg, result) in enumerate(zip(made.iter_args, made.return_vars))
                if arg.var in used or result in after
            ]  # fmt: skip
            made = changed(
                made,
                iter_args=tuple(made.iter_args[place] for place in kept),
                return_vars=tuple(made.return_vars[place] for place in kept),
                body=yielding_only(made.body, kept),
            )
        after.update(read_variables((stmt,)))
        out.append(made)
    return tuple(reversed(out))


def with_starts(body: ir.Body, definitions: Mapping[ir.Var, ir.Assign]) -> ir.Body:
    """A body with the definitions before its loops of what they start with, where those were taken out."""
    known: set[ir.Var] = set()
    out: list[ir.Stmt] = []

    def pull(var: ir.Var) -> None:
        stmt = definitions.get(var)
        if var in known or stmt is None:
            return
        known.add(var)
        for needed in _reads(stmt.value):
            pull(needed)
        out.append(stmt)

    for stmt in body:
        if isinstance(stmt, _Loop):
            for arg in stmt.iter_args:
                for var in _reads(arg.init):
                    pull(var)
        known.update(defined((stmt,)))
        out.append(with_bodies(stmt, lambda inner: with_starts(inner, definitions)))
    return tuple(out)


def with_defined_yields(body: ir.Body, carried: frozenset[ir.Var]) -> ir.Body:
    """A body whose loops yield what they carry in place of what was taken out; ``carried`` are all carries of the kernel."""
    known: set[ir.Var] = set()
    out: list[ir.Stmt] = []
    for stmt in body:
        made = with_bodies(stmt, lambda inner: with_defined_yields(inner, carried))
        if isinstance(stmt, _Loop) and isinstance(made, _Loop) and stmt.iter_args:
            own = [arg.var for arg in stmt.iter_args]
            inside = known | set(defined(stmt.body)) | set(own)
            made = replace(made, body=_yielding(made.body, own, inside, carried))
        known.update(defined((stmt,)))
        out.append(made)
    return tuple(out)


def _yielding(
    body: ir.Body, stand_ins: Sequence[ir.Var | None], known: set[ir.Var], carried: frozenset[ir.Var]
) -> ir.Body:
    out: list[ir.Stmt] = []
    for stmt in body:
        if isinstance(stmt, ir.If):
            own = _branch_carries(stmt, carried)
            out.append(with_bodies(stmt, partial(_yielding, stand_ins=own, known=known, carried=carried)))
        elif isinstance(stmt, ir.Yield):
            values = []
            for place, value in enumerate(stmt.values):
                stand_in = stand_ins[place] if place < len(stand_ins) else None
                lost = not _reads(value) <= known
                values.append(ir.Read(stand_in, value.span) if lost and stand_in is not None else value)
            out.append(replace(stmt, values=tuple(values)))
        else:
            out.append(stmt)
    return tuple(out)


def _branch_carries(stmt: ir.If, carried: frozenset[ir.Var]) -> list[ir.Var | None]:
    """For each result of a branch the one carry that either side yields for it."""
    found: list[set[ir.Var]] = [set() for _ in stmt.return_vars]
    for side in bodies(stmt):
        for own, value in zip(found, yielded(side)):
            if isinstance(value, ir.Read) and value.var in carried:
                own.add(value.var)
    return [next(iter(own)) if len(own) == 1 else None for own in found]


def _visible(body: ir.Body) -> set[ir.Var]:
    """What a body's own statements give, what is inside of loops and branches left out."""
    out: set[ir.Var] = set()
    for stmt in body:
        out.update(stmt.return_vars if isinstance(stmt, (ir.For, ir.While, ir.If)) else bound_by(stmt))
    return out


def without_lost_results(body: ir.Body, outer: Vars) -> ir.Body:
    """A body whose branches give only what both sides have; ``outer`` is what is known before it."""
    known = set(outer)
    out: list[ir.Stmt] = []
    for stmt in body:
        inside = set(known)
        if isinstance(stmt, _Loop):
            inside.update(arg.var for arg in stmt.iter_args)
            inside.update((stmt.var,) if isinstance(stmt, ir.For) else ())
        made = with_bodies(stmt, partial(without_lost_results, outer=inside))
        if isinstance(made, ir.If):
            given = {var for place, var in enumerate(made.return_vars) if _given(made, place, known)}
            made = with_results(made, given)
        known.update(defined((made,)))
        out.append(made)
    return tuple(out)


def _given(stmt: ir.If, place: int, known: set[ir.Var]) -> bool:
    for side in bodies(stmt):
        values = yielded(side)
        if place < len(values) and not _reads(values[place]) <= known | _visible(side):
            return False
    return True


def _removable(stmt: ir.Stmt) -> bool:
    if not isinstance(stmt, ir.Assign) or isinstance(stmt.value, ir.Submit):
        return False
    return not (isinstance(stmt.value, ir.Call) and stmt.value.op in _EFFECTS)


def without_dead_code(body: ir.Body) -> ir.Body:
    """A body without the assignments that nothing reads and that do nothing else."""
    live: set[ir.Var] = set()
    uses: dict[ir.Var, set[ir.Var]] = {}
    for stmt in walk(body):
        if isinstance(stmt, ir.Assign):
            read = _reads(stmt.value) | set(dynamic_dimensions(stmt.var.type))
            uses.setdefault(stmt.var, set()).update(read)
            if not _removable(stmt):
                live |= {stmt.var, *read}
            continue
        visit_header_reads(stmt, live.add)
        for var in bound_by(stmt):
            live.update(dynamic_dimensions(var.type))
    return _live_part(body, reached(live, uses))


def _live_part(body: ir.Body, live: set[ir.Var]) -> ir.Body:
    return tuple(
        with_bodies(stmt, lambda inner: _live_part(inner, live))
        for stmt in body
        if not _removable(stmt) or (isinstance(stmt, ir.Assign) and stmt.var in live)
    )


def repaired(body: ir.Body, definitions: Mapping[ir.Var, ir.Assign], replaced: Vars) -> ir.Body:
    """The body of one core after the other's statements were taken out. ``definitions`` are those of the whole kernel,
    ``replaced`` the variables that another one stands for."""
    carried = frozenset(arg.var for stmt in walk(body) if isinstance(stmt, _Loop) for arg in stmt.iter_args)
    body = with_starts(without_dead_carries(body), definitions)
    body = without_lost_results(with_defined_yields(body, carried), replaced)
    return without_dead_code(without_dead_carries(without_dead_code(body)))


__all__ = ["repaired"]
