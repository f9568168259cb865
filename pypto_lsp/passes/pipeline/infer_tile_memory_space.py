"""InferTileMemorySpace: every tile of a kernel has a memory space, and a tile that an operator wants elsewhere is moved there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.enums import EnumMember, memory_space
from pypto_lsp.ir.mutator import Emitter, Mutator, Statements, changed, mapped
from pypto_lsp.ir.tile_views import tile_type, valid_of
from pypto_lsp.ir.types import TileType, Type
from pypto_lsp.ir.visit import walk
from pypto_lsp.ops.input_memory import INPUT_MEMORY
from pypto_lsp.passes.infer_tile_memory_space import infer_tile_memory_space as inferred_spaces
from pypto_lsp.passes.pipeline.tile_operators import BRIDGE, NotModelled, call_of
from pypto_lsp.passes.tile_types import RETARGETABLE
from pypto_lsp.text import Span

_ROW_MAJOR = {"blayout": EnumMember("TileLayout", "row_major"), "slayout": EnumMember("TileLayout", "none_box")}


class _Placer(Emitter):
    def __init__(self, memory: Mapping[ir.Var, str]) -> None:
        super().__init__()
        self.memory = memory
        self.made: dict[ir.Var, ir.Var] = {}
        #: tiles that were moved to a space, by the body in work
        self.moved: dict[tuple[ir.Var, str], ir.Var] = {}

    # --- variables -----------------------------------------------------------------------------------------------------

    def read(self, var: ir.Var) -> ir.Expr | None:
        known = self.made.get(var)
        return None if known is None else ir.Read(known, var.span)

    def binding(self, var: ir.Var) -> ir.Var:
        space, type_ = self.memory.get(var), var.type
        if space is None or not isinstance(type_, TileType) or type_.memory == space:
            return var
        known = self.made.get(var)
        if known is None:
            known = self.made[var] = ir.Var(var.name, _placed(type_, space), var.span)
        return known

    # --- statements ----------------------------------------------------------------------------------------------------

    def body(self, body: ir.Body) -> ir.Body:
        moved = dict(self.moved)
        made = super().body(body)
        self.moved = moved
        return made

    def assign(self, stmt: ir.Assign) -> Statements:
        value = self._operator(stmt.value, stmt.span)
        var = self.binding(stmt.var)
        if isinstance(value, ir.Call) and isinstance(var.type, TileType) and isinstance(value.type, TileType):
            value = self._retargeted(value, var.type)
            made = value.type
            if isinstance(made, TileType) and made != var.type:
                type_ = replace(made, memory=var.type.memory, memref=made.memref or var.type.memref)
                value = changed(value, type=type_)
                var = self.made[stmt.var] = ir.Var(var.name, type_, var.span)
        return (changed(stmt, var=var, value=value),)

    def eval(self, stmt: ir.Eval) -> Statements:
        return (changed(stmt, expr=self._operator(stmt.expr, stmt.span)),)

    @staticmethod
    def _retargeted(call: ir.Call, type_: TileType) -> ir.Call:
        """A load or move that says where its result goes, to the space that it has."""
        name = str(call.op).rpartition(".")[2]
        target = call.kwargs.get("target_memory")
        own = target.name if isinstance(target, EnumMember) else None
        if name not in RETARGETABLE or type_.memory is None or own == type_.memory:
            return call
        result = call.type
        assert isinstance(result, TileType)
        retyped = tile_type(result.dtype, result.shape, type_.memory, memref=result.memref)
        return replace(call, kwargs={**call.kwargs, "target_memory": memory_space(type_.memory)}, type=retyped)

    def _operator(self, value: ir.Expr, span: Span | None) -> ir.Expr:
        if not isinstance(value, ir.Call) or not isinstance(value.op, str):
            return self.expr(value)
        wanted = INPUT_MEMORY.get(value.op, ())
        args = list(value.args)
        for place, allowed in enumerate(wanted[: len(args)]):
            arg = args[place]
            if not allowed or not isinstance(arg, ir.Read):
                continue
            space = self.memory.get(arg.var)
            if space is not None and space not in allowed:
                args[place] = ir.Read(self._moved(arg.var, space, allowed[0], span), arg.span)
        found = mapped(tuple(args), self.expr)
        if all(a is b for a, b in zip(found, value.args)):
            return value
        return _rebuilt(value, found)

    def _moved(self, var: ir.Var, source: str, target: str, span: Span | None) -> ir.Var:
        """The variable that holds a tile in another space."""
        known = self.moved.get((var, target))
        if known is not None:
            return known
        kwargs: dict[str, Any] = {"target_memory": memory_space(target)}
        if (source, target) == ("Acc", "Vec"):
            kwargs |= _ROW_MAJOR
        call = call_of("tile.move", (self.expr(ir.Read(var, span)),), kwargs, span)
        made = ir.Var(f"{var.name}_{target}", call.type, span)
        self.before.append(ir.Assign(made, call, span, span))
        self.moved[var, target] = made
        return made


def _placed(type_: TileType, space: str) -> TileType:
    """A tile in another space, in that space's own layout."""
    pad = type_.view.pad if type_.view is not None else "null"
    return tile_type(type_.dtype, type_.shape, space, valid=valid_of(type_), pad=pad, memref=type_.memref)


def _rebuilt(call: ir.Call, args: tuple[ir.Expr, ...]) -> ir.Call:
    """A call with other operands, its type deduced anew."""
    made = call_of(str(call.op), args, call.kwargs, call.span)
    return replace(call, args=args, type=_type(call.type, made.type))


def _type(before: Type, after: Type) -> Type:
    if isinstance(before, TileType) and isinstance(after, TileType) and after.memory is None:
        return replace(after, memory=before.memory)
    return after


class _WithoutBridges(Mutator):
    """Drops the marks of loads that ConvertTensorToTileOps added."""

    def call(self, expr: ir.Call) -> ir.Expr:
        if BRIDGE not in expr.attrs:
            return expr
        return replace(expr, attrs={key: value for key, value in expr.attrs.items() if key != BRIDGE})


def infer_tile_memory_space(function: ir.Function) -> ir.Function:
    """A kernel with its tiles in their spaces; other functions, and kernels with an operator that is not modelled, stay."""
    if function.func_type != "InCore" or function.body is None:
        return function
    function = _WithoutBridges().function(function)
    memory = inferred_spaces(function.body or (), frozenset())
    if not memory and not any(isinstance(stmt.var.type, TileType) for stmt in walk(function.body or ())
                              if isinstance(stmt, ir.Assign)):  # fmt: skip
        return function
    try:
        return _Placer(memory).function(function)
    except NotModelled:
        return function


__all__ = ["infer_tile_memory_space"]
