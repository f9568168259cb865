"""What a scope takes from the code around it, what it defines, and how it uses what it takes: the basis of outlining."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import Direction, EnumMember
from pypto_lsp.ir.visit import attribute_exprs, bodies, calls, header_exprs, own_exprs, scope_attrs, walk
from pypto_lsp.passes.variables import bound_by, visit_header_reads, visit_reads

#: operators that write a part of one operand in place -> the operand's position
WRITTEN = {"tensor.assemble": 0, "tile.store": 2}
#: attributes that name a tensor without reading it
_BOOKKEEPING = frozenset({"dump_vars", "dumps", "arg_direction_overrides_vars", "no_dep_args"})


def references(body: Iterable[ir.Stmt]) -> set[ir.Var]:
    """All variables that statements bind or read."""
    found: set[ir.Var] = set()
    for stmt in walk(body):
        found.update(bound_by(stmt))
        visit_header_reads(stmt, found.add)
    return found


def definitions(body: Iterable[ir.Stmt]) -> list[ir.Var]:
    """The variables that statements bind, in order: of a loop its variable, its results, then what it carries."""
    found: dict[ir.Var, None] = {}
    for stmt in walk(body):
        if isinstance(stmt, (ir.For, ir.While)):
            own = (stmt.var,) if isinstance(stmt, ir.For) else ()
            found.update(dict.fromkeys((*own, *stmt.return_vars, *(arg.var for arg in stmt.iter_args))))
        else:
            found.update(dict.fromkeys(bound_by(stmt)))
    return list(found)


@dataclass
class Captured:
    """The variables that statements read before they define them, in the order of the first read."""

    found: dict[ir.Var, None] = field(default_factory=dict)
    _defined: set[ir.Var] = field(default_factory=set)

    def _read(self, expr: ir.Expr) -> None:
        visit_reads(expr, self._note)

    def _note(self, var: ir.Var) -> None:
        if var not in self._defined:
            self.found.setdefault(var)

    def visit(self, body: Iterable[ir.Stmt]) -> Captured:
        for stmt in body:
            self._statement(stmt)
        return self

    def _statement(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, (ir.For, ir.While)):
            self._loop(stmt)
        elif isinstance(stmt, ir.If):
            self._branches(stmt)
        else:
            for expr in (*header_exprs(stmt), *attribute_exprs(scope_attrs(stmt))):
                self._read(expr)
            self._defined.update(bound_by(stmt))
            for nested in bodies(stmt):
                self.visit(nested)

    def _loop(self, stmt: ir.For | ir.While) -> None:
        for arg in stmt.iter_args:
            self._read(arg.init)
        self._defined.update(bound_by(stmt))
        headers = (stmt.start, stmt.stop, stmt.step) if isinstance(stmt, ir.For) else (stmt.condition,)
        for expr in headers:
            self._read(expr)
        self.visit(stmt.body)

    def _branches(self, stmt: ir.If) -> None:
        self._read(stmt.condition)
        before = self._defined | set(stmt.return_vars)
        made = []
        for branch in bodies(stmt):
            self._defined = set(before)
            self.visit(branch)
            made.append(self._defined)
        self._defined = made[0] & made[1] if len(made) == 2 else before


def carried(body: Iterable[ir.Stmt]) -> frozenset[ir.Var]:
    """The variables that loops carry: outlining takes no writes into them for writes of the tensor that they began as."""
    loops = (stmt for stmt in walk(body) if isinstance(stmt, (ir.For, ir.While)))
    return frozenset(arg.var for loop in loops for arg in loop.iter_args)


def stored_tensors(body: Iterable[ir.Stmt]) -> list[ir.Var]:
    """The tensors that ``tile.store`` writes, in order."""
    targets = (store_target(node) for stmt in walk(body) for node in own_exprs(stmt))
    return list(dict.fromkeys(target for target in targets if target is not None))


def store_target(expr: ir.Expr) -> ir.Var | None:
    """The tensor that a call of ``tile.store`` writes."""
    if isinstance(expr, ir.Call) and expr.op == "tile.store" and len(expr.args) >= 3:
        target = expr.args[2]
        return target.var if isinstance(target, ir.Read) else None
    return None


def written_position(call: ir.Call) -> int | None:
    """The position of the operand that a call overwrites without reading it; an atomic write reads it too."""
    atomic = call.kwargs.get("atomic")
    if atomic and not (isinstance(atomic, EnumMember) and atomic.name == "None"):
        return None
    position = WRITTEN.get(str(call.op))
    return position if position is not None and position < len(call.args) else None


class _Reads:
    """Which of some variables statements read; another name for a written tensor counts as the tensor."""

    def __init__(self, variables: Iterable[ir.Var]) -> None:
        self.names = {var: var for var in variables}
        self.found: set[ir.Var] = set()

    def body(self, body: Iterable[ir.Stmt]) -> None:
        for stmt in walk(body):
            if isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call):
                position = written_position(stmt.value)
                target = None if position is None else stmt.value.args[position]
                if isinstance(target, ir.Read) and target.var in self.names:
                    self.names.setdefault(stmt.var, self.names[target.var])
            for expr in header_exprs(stmt):
                self.expr(expr)
            self._attributes(scope_attrs(stmt))

    def _attributes(self, attrs: Mapping[str, object]) -> None:
        kept = {key: value for key, value in attrs.items() if key not in _BOOKKEEPING}
        for expr in attribute_exprs(kept):
            visit_reads(expr, self._note)

    def _note(self, var: ir.Var) -> None:
        if var in self.names:
            self.found.add(self.names[var])

    def expr(self, expr: ir.Expr) -> None:
        if not isinstance(expr, ir.Call):
            visit_reads(expr, self._note)
            return
        skipped = written_position(expr)
        for place, arg in enumerate(expr.args):
            if place != skipped:
                self.expr(arg)
        self._attributes(expr.attrs)


def _stronger(left: Direction, right: Direction) -> Direction:
    order = (Direction.IN, Direction.OUT, Direction.INOUT)
    return max(left, right, key=order.index)


def directions(
    variables: tuple[ir.Var, ...],
    body: ir.Body,
    stored: set[ir.Var],
    loops: frozenset[ir.Var],
    program: ir.Program | None,
) -> tuple[Direction, ...]:
    """The directions of parameters that stand for ``variables``: a written one is Out, InOut where it is read as well.

    ``stored`` are those that ``tile.store`` writes, ``loops`` variables that loops around carry; callees count where a
    ``program`` to look them up in is given.
    """
    reads = _Reads(variables)
    reads.body(body)
    found = {var: Direction.IN for var in variables if var not in loops}
    for call, _, _ in calls(body):
        if isinstance(call, ir.Call):
            _note_writes(call, found, reads.found, program)
    for var in stored & found.keys():
        found[var] = _stronger(found[var], _written(var, reads.found))
    return tuple(found.get(var, Direction.IN) for var in variables)


def _written(var: ir.Var, read: set[ir.Var]) -> Direction:
    return Direction.INOUT if var in read else Direction.OUT


def _note_writes(call: ir.Call, found: dict[ir.Var, Direction], read: set[ir.Var], program: ir.Program | None) -> None:
    if call.op == "tensor.assemble" and call.args:
        target = call.args[0]
        if isinstance(target, ir.Read) and found.get(target.var) is Direction.IN:
            found[target.var] = _written(target.var, read)
    if program is None or not isinstance(call.op, ir.FunctionRef) or call.op.name not in program.functions:
        return
    for arg, direction in zip(call.args, program.functions[call.op.name].directions):
        if isinstance(arg, ir.Read) and arg.var in found:
            found[arg.var] = _stronger(found[arg.var], direction)


__all__ = [
    "Captured",
    "carried",
    "definitions",
    "directions",
    "references",
    "store_target",
    "stored_tensors",
]
