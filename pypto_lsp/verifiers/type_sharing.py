"""Which variables may have the very type object of another one.

The compiler gives a name that a loop binds first and that is read after the loop the value of an earlier variable, for the
case that the loop does not run, when both have the same type object: not an equal one, the same. Aliases hand it on, and so do
stores, yields, parts of tuples and the results of one function. What is told here is what may be so, whatever the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import ScalarType
from pypto_lsp.ir.visit import bodies, bound_vars, walk, yielded

#: a variable, or the name of a function whose results share their types
Source = ir.Var | str


class TypeSharing:
    """Where the variables of a function of a program may have their type objects from; found once."""

    def __init__(self, function: ir.Function, program: ir.Program) -> None:
        self._program = program
        self._handed: list[tuple[ir.Var, Source]] = []
        #: loop -> how much was handed on before it, and at its end
        self._extents: dict[int, tuple[int, int]] = {}
        self._body(function.body or ())

    def _body(self, body: ir.Body) -> None:
        for stmt in body:
            before = len(self._handed)
            for nested in bodies(stmt):
                self._body(nested)
            if isinstance(stmt, (ir.For, ir.While)):
                self._extents[id(stmt)] = (before, len(self._handed))
            self._handed.extend(self._handed_on(stmt))

    def may_share(self, var: ir.Var, loop: ir.For | ir.While, before: Set[ir.Var]) -> bool:
        """Whether a name that a loop binds may have a type object that a variable from before the loop has."""
        starts: set[Source] = set()
        for stmt in walk(loop.body):
            if var not in bound_vars(stmt):
                continue
            if not isinstance(stmt, ir.Assign) or isinstance(var.type, ScalarType):
                starts.add(var)  # a scalar keeps the type object that its name got first, wherever that was
            if isinstance(stmt, ir.Assign):
                starts.update(self._sources(stmt.value))
        first, last = self._extents.get(id(loop), (len(self._handed),) * 2)
        held = self._reached(before - {var}, first)
        return not held.isdisjoint(self._reached(starts, last))

    def _reached(self, starts: Iterable[Source], count: int) -> set[Source]:
        """Some variables and whatever may have handed a type object on to them, among the first so many steps."""
        sources: dict[Source, list[Source]] = {}
        for var, source in self._handed[:count]:
            sources.setdefault(var, []).append(source)
        found: set[Source] = set()
        pending = list(starts)
        while pending:
            each = pending.pop()
            if each not in found:
                found.add(each)
                pending.extend(sources.get(each, ()))
        return found

    def _handed_on(self, stmt: ir.Stmt) -> Iterator[tuple[ir.Var, Source]]:
        """The variables that a statement binds, each with what its type object may be that of."""
        values: list[tuple[ir.Var, ir.Expr]] = []
        match stmt:
            case ir.Assign():
                values.append((stmt.var, stmt.value))
            case ir.For() | ir.While():
                values.extend((arg.var, arg.init) for arg in stmt.iter_args)
                values.extend((var, arg.init) for var, arg in zip(stmt.return_vars, stmt.iter_args))
                values.extend(zip(stmt.return_vars, yielded(stmt.body)))
            case ir.If():
                values.extend(zip(stmt.return_vars, yielded(stmt.then)))
                values.extend(zip(stmt.return_vars, yielded(stmt.orelse or ())))
        for var, value in values:
            for source in self._sources(value):
                yield var, source

    def _sources(self, value: ir.Expr) -> Iterator[Source]:
        match value:
            case ir.Read(var=var):
                yield var
            case ir.Call(op="tile.store", args=(_, _, target, *_)):
                yield from self._sources(target)
            case ir.Call(op=ir.FunctionRef(name=name)) | ir.Submit(op=ir.FunctionRef(name=name)):
                yield name
                callee = self._program.functions.get(name)
                if callee is not None and callee.func_type == "Inline":  # it may hand on what it is given
                    for arg in value.args:
                        yield from self._sources(arg)
            case ir.TupleGetItem(tuple=source):
                yield from self._sources(source)
            case ir.MakeTuple(elements=elements):
                for element in elements:
                    yield from self._sources(element)
