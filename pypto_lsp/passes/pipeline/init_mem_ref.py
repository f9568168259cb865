"""InitMemRef and AllocateMemoryAddr: every tensor and tile has its memory, and every buffer on chip its address.

A tile that an operator writes in place has the memory of the tile that it had before; a carried tile that of its first value.
Modelled without views into other tiles: a kernel with some stays as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pypto_lsp.backends import Backend
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import const_value
from pypto_lsp.ir.dtypes import INDEX
from pypto_lsp.ir.enums import KERNEL_TYPES, memory_space
from pypto_lsp.ir.mutator import Mutator, Statements, changed
from pypto_lsp.ir.types import TENSORS, HandleType, MemRef, TileType, TupleType, Type
from pypto_lsp.ir.visit import yielded
from pypto_lsp.passes.memory import tile_bytes
from pypto_lsp.passes.outline_incore_scopes import WRITTEN_OPERAND
from pypto_lsp.passes.pipeline.tile_operators import NotModelled

_POINTER = HandleType("pl.Ptr")
#: operators that give another view of a whole tile, and of a part of it
_VIEWS = frozenset({"tile.reshape", "tile.reinterpret_view", "tile.set_validshape", "tile.transpose_view"})
_WINDOWS = frozenset({"tile.slice", "tile.assemble"})
#: bytes to whose multiples buffers are placed
_ALIGNMENT = 32


class _Placer(Mutator):
    """Gives the variables of one function their memory, numbered in the order in which they are made."""

    def __init__(self, function: ir.Function, backend: Backend) -> None:
        self.source, self.backend = function, backend
        self.count = 0
        self.made: dict[ir.Var, ir.Var] = {}
        self.allocations: list[ir.Assign] = []

    def placed(self) -> ir.Function:
        params = tuple(self._bound(param, self._fresh(param.type)) for param in self.source.params)
        body = self.body(self.source.body or ())
        return replace(self.source, params=params, body=(*self.allocations, *body))

    # --- memory --------------------------------------------------------------------------------------------------------

    def _fresh(self, type_: Type) -> MemRef | None:
        """Memory of its own for a value of a type; None for what has none."""
        if isinstance(type_, TENSORS):
            return self._numbered("ddr", _tensor_bytes(type_))
        if not isinstance(type_, TileType):
            return None
        space = type_.memory or "Vec"
        size = tile_bytes(type_, space, self.backend)
        if size is None:
            raise NotModelled("a tile whose size is not known")
        made = self._numbered(space.lower(), size)
        assert made.base is not None
        pointer = ir.Var(made.base, _POINTER, None)
        operands = (ir.ConstInt(size, INDEX),)
        kwargs = {"memory_space": memory_space(space)}
        self.allocations.append(ir.Assign(pointer, ir.Call("tile.alloc", operands, ("size",), _POINTER, None, kwargs)))
        return made

    def _numbered(self, space: str, size: int) -> MemRef:
        self.count += 1
        return MemRef(f"mem_{space}_{self.count - 1}", 0, size)

    def _bound(self, var: ir.Var, ref: MemRef | None) -> ir.Var:
        if ref is None or not isinstance(var.type, (*TENSORS, TileType)) or var.type.memref is not None:
            return var
        made = ir.Var(var.name, replace(var.type, memref=ref), var.span, symbol=var.symbol)
        self.made[var] = made
        return made

    @staticmethod
    def _of(expr: ir.Expr) -> MemRef | None:
        return getattr(expr.type, "memref", None)

    # --- walking -------------------------------------------------------------------------------------------------------

    def read(self, var: ir.Var) -> ir.Expr | None:
        known = self.made.get(var)
        return None if known is None else ir.Read(known, var.span)

    def assign(self, stmt: ir.Assign) -> Statements:
        value = self.expr(stmt.value)
        ref = self._result(value, stmt.var)
        var = self._bound(stmt.var, ref)
        if isinstance(value, ir.Call) and isinstance(value.type, TENSORS) and value.op in WRITTEN_OPERAND:
            value = replace(value, type=var.type)
        return (changed(stmt, var=var, value=value),)

    def _result(self, value: ir.Expr, var: ir.Var) -> MemRef | None:
        """The memory of what an expression gives."""
        if isinstance(var.type, TupleType):
            return None
        if isinstance(value, ir.Read) and not isinstance(var.type, TENSORS):
            return self._of(value)
        if isinstance(value, ir.Call) and isinstance(value.op, str):
            position = WRITTEN_OPERAND.get(value.op)
            if position is not None and position < len(value.args):
                return self._of(value.args[position])
            if value.op in _VIEWS and value.args:
                return self._of(value.args[0])
            if value.op in _WINDOWS:
                raise NotModelled("a view of a part of another tile")
        return self._fresh(var.type)

    def for_(self, stmt: ir.For) -> Statements:
        return (self._loop(stmt),)

    def while_(self, stmt: ir.While) -> Statements:
        return (self._loop(stmt),)

    def _loop(self, stmt: Any) -> ir.Stmt:
        args = []
        for arg in stmt.iter_args:
            init = self.expr(arg.init)
            args.append(ir.IterArg(self._bound(arg.var, self._of(init)), init))
        body = self.body(stmt.body)
        results = tuple(self._given(var, arg.init) for var, arg in zip(stmt.return_vars, args))
        return changed(stmt, iter_args=tuple(args), body=body, return_vars=results)

    def _given(self, var: ir.Var, value: ir.Expr) -> ir.Var:
        """A result of a loop or branch: a tile lies where the value lies, a tensor has a name of its own."""
        return self._bound(var, self._fresh(var.type) if isinstance(var.type, TENSORS) else self._of(value))

    def if_(self, stmt: ir.If) -> Statements:
        then = self.body(stmt.then)
        orelse = None if stmt.orelse is None else self.body(stmt.orelse)
        values = yielded(then)
        results = tuple(
            self._given(var, values[place]) if place < len(values) else var
            for place, var in enumerate(stmt.return_vars)
        )
        return (changed(stmt, condition=self.expr(stmt.condition), then=then, orelse=orelse, return_vars=results),)


def _tensor_bytes(type_: Any) -> int:
    """The bytes of a tensor; 0 where an extent is not constant."""
    total = 1
    for dim in type_.shape or ():
        total *= const_value(dim) or 0
    bits = 0 if type_.dtype is None else 8 if type_.dtype.bits == 1 else type_.dtype.bits
    return (total * bits + 7) // 8


def init_mem_ref(function: ir.Function, backend: Backend) -> ir.Function:
    """The function with memory for everything in it."""
    if function.body is None:
        return function
    try:
        return _Placer(function, backend).placed()
    except NotModelled:
        return function


class _Addresses(Mutator):
    def __init__(self, offsets: dict[str, int]) -> None:
        self.offsets = offsets
        self.made: dict[ir.Var, ir.Var] = {}

    def read(self, var: ir.Var) -> ir.Expr | None:
        known = self.made.get(var)
        return None if known is None else ir.Read(known, var.span)

    def type(self, type_: Type) -> Type:
        ref = getattr(type_, "memref", None)
        if not isinstance(type_, TileType) or ref is None or not self.offsets.get(ref.base):
            return type_
        return replace(type_, memref=replace(ref, byte_offset=self.offsets[ref.base]))

    def binding(self, var: ir.Var) -> ir.Var:
        type_ = self.type(var.type)
        if type_ is var.type:
            return var
        known = self.made.get(var)
        if known is None:
            known = self.made[var] = ir.Var(var.name, type_, var.span)
        return known


def allocate_memory_addr(function: ir.Function) -> ir.Function:
    """The kernel with its buffers one behind the other in each memory space."""
    if function.func_type not in KERNEL_TYPES or function.body is None:
        return function
    ends: dict[str, int] = {}
    offsets: dict[str, int] = {}
    for stmt in function.body:
        call = stmt.value if isinstance(stmt, ir.Assign) else None
        if not isinstance(call, ir.Call) or call.op != "tile.alloc" or not isinstance(stmt, ir.Assign):
            continue
        size = const_value(call.args[0]) if isinstance(call.args[0], ir.ConstInt) else None
        space = str(call.kwargs.get("memory_space"))
        begin = ends.get(space, 0)
        offsets[stmt.var.name] = begin
        ends[space] = -(-(begin + (size or 0)) // _ALIGNMENT) * _ALIGNMENT
    return _Addresses(offsets).function(function) if offsets else function


__all__ = ["allocate_memory_addr", "init_mem_ref"]
