"""What the last conversion of a function to SSA form made, statement by statement.

What a statement becomes depends on the statement, on whether it is outermost, and on what is known of the variables that are looked
up while it is converted. All else that a conversion leaves behind are new values of variables. So where the look-ups would give the
same, the statement becomes the same and the values are put in their places. The variables that a conversion makes are those of the
last one, binding by binding: what changes in one place then leaves the statements that follow the same.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import Type
from pypto_lsp.passes.reuse import Made, Table, Traced, Work, moved, same_type, same_value

#: the statements that a statement became, and how many that are, nested ones included
Converted = tuple[tuple[ir.Stmt, ...], int]


class SsaMemo:
    """What conversions of one function keep from one to the next."""

    def __init__(self) -> None:
        self.statements: Table[Made[Converted]] = Table()
        #: binding of a variable -> a read of what was made for it
        self.bindings: Table[ir.Read] = Table()
        self.constants: Table[ir.ConstInt] = Table()
        #: statement with bodies -> itself and what is assigned in it
        self.assigned: Table[tuple[ir.Stmt, frozenset[ir.Var]]] = Table()

    def follow(self) -> None:
        """Bring the variables that were made to where those of the source are now."""
        for key, read in self.bindings.items():
            moved(read, key[0] if isinstance(key, tuple) else key)

    @property
    def tables(self) -> tuple[Table[Any], ...]:
        return (self.statements, self.bindings, self.constants, self.assigned)


class Tracing:
    """One conversion: the mappings that it works with, and the memo that it uses and fills."""

    def __init__(self, memo: SsaMemo) -> None:
        self._memo = memo
        self.current, self.versions, self.tuples = Traced(), Traced(), Traced()
        self.bounds, self.definitions = Traced(), Traced()
        self._work = Work(self.current, self.versions, self.tuples, self.bounds, self.definitions)

    # --- statements ------------------------------------------------------------------------------------------------

    def known(self, stmt: ir.Stmt, copy: tuple[int, ...], outermost: bool) -> Converted | None:
        """What a statement became the last time, if it would become the same; its effects are there then."""
        return self._work.known(self._memo.statements, (id(stmt), copy, outermost), stmt)

    def begin(self) -> Any:
        """Where a statement begins."""
        return self._work.begin()

    def end(self, point: Any, stmt: ir.Stmt, copy: tuple[int, ...], outermost: bool, converted: Converted) -> None:
        """Keep what a statement became that began at ``point``. One that stayed itself is as good as known."""
        made, _ = converted
        if isinstance(stmt, (ir.Assign, ir.Eval, ir.Return, ir.Yield)) and len(made) == 1 and made[0] is stmt:
            self._work.leave(point)
        else:
            self._work.end(point, self._memo.statements, (id(stmt), copy, outermost), stmt, converted)

    # --- variables -------------------------------------------------------------------------------------------------

    def reading(self, var: ir.Var) -> ir.Read:
        """A read of a variable that is the same as the last time."""
        known = self._memo.bindings.find(var)
        if known is None:
            known = ir.Read(var, var.span)
        self._work.use(self._memo.bindings, var, known)
        return known

    def binding(self, key: Hashable, type_: Type) -> ir.Read | None:
        """A read of the variable that was made for a binding, if it is of the type."""
        known = self._memo.bindings.find(key)
        if known is None or not same_type(known.var.type, type_):
            return None
        self._work.use(self._memo.bindings, key, known)
        return known

    def bound(self, key: Hashable, read: ir.Read) -> None:
        self._work.use(self._memo.bindings, key, read)

    def constant(self, key: Hashable, made: ir.ConstInt) -> ir.ConstInt:
        """A constant, as the same object that it was the last time if it is the same."""
        known = self._memo.constants.find(key)
        same = known is not None and same_value(known.value, made.value)
        if known is None or not same or known.dtype is not made.dtype or known.span is not made.span:
            known = made
        self._work.use(self._memo.constants, key, known)
        return known

    def assigned(self, stmt: ir.Stmt) -> frozenset[ir.Var] | None:
        """What a statement is known to assign."""
        known = self._memo.assigned.find(id(stmt))
        if known is None or known[0] is not stmt:
            return None
        self._work.use(self._memo.assigned, id(stmt), known)
        return known[1]

    def assigns(self, stmt: ir.Stmt, found: frozenset[ir.Var]) -> None:
        self._work.use(self._memo.assigned, id(stmt), (stmt, found))


__all__ = ["Converted", "SsaMemo", "Tracing"]
