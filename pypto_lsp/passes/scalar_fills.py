"""The beginning of ConvertTensorToTileOps: a loop that writes one constant into consecutive elements becomes one store."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import const_value, same_dims
from pypto_lsp.ir.dtypes import INDEX
from pypto_lsp.ir.enums import ForKind
from pypto_lsp.ir.types import TensorType
from pypto_lsp.passes.variables import visit_reads

#: a fill is as many bits as this, or a multiple
_UNIT_BITS = 256


def fills_as_stores(body: ir.Body) -> ir.Body:
    """A kernel's body with its loops of constant writes as tensors that are assembled."""
    out: list[ir.Stmt] = []
    for stmt in body:
        out += _filled(stmt) if isinstance(stmt, ir.For) else (_inside(stmt),)
    same = len(out) == len(body) and all(new is old for new, old in zip(out, body))
    return body if same else tuple(out)


def _inside(stmt: ir.Stmt) -> ir.Stmt:
    outer: Any = stmt
    if isinstance(stmt, ir.If):
        then, orelse = fills_as_stores(stmt.then), None if stmt.orelse is None else fills_as_stores(stmt.orelse)
        return stmt if then is stmt.then and orelse is stmt.orelse else replace(stmt, then=then, orelse=orelse)
    nested = getattr(outer, "body", None)
    if not isinstance(nested, tuple):
        return stmt
    made = fills_as_stores(nested)
    return stmt if made is nested else replace(outer, body=made)


def _filled(loop: ir.For) -> tuple[ir.Stmt, ...]:
    inner = _inside(loop)
    assert isinstance(inner, ir.For)
    trips = const_value(inner.stop)
    plain = inner.kind is ForKind.SEQUENTIAL and not (inner.attrs or inner.iter_args or inner.return_vars)
    if not plain or trips is None or trips <= 0 or const_value(inner.start) != 0 or const_value(inner.step) != 1:
        return (inner,)
    stores: list[ir.Stmt] = []
    first: ir.Call | None = None
    for stmt in inner.body:
        write = _written(stmt)
        made = None if write is None else _fill(stmt, write, inner.var, trips)
        if write is None or made is None or (first is not None and not _alike(first, write)):
            return (inner,)
        first = first or write
        stores += made
    return tuple(stores) or (inner,)


def _written(stmt: ir.Stmt) -> ir.Call | None:
    """The write that a statement is."""
    call = stmt.expr if isinstance(stmt, ir.Eval) else None
    return call if isinstance(call, ir.Call) and call.op == "tensor.write" and len(call.args) == 3 else None


def _alike(one: ir.Call, other: ir.Call) -> bool:
    """Whether two writes go to the same elements of tensors of one type."""
    first, second = one.args[1], other.args[1]
    if not isinstance(first, ir.MakeTuple) or not isinstance(second, ir.MakeTuple):
        return False
    return one.args[0].type == other.args[0].type and same_dims(first.elements, second.elements)


def _fill(stmt: ir.Stmt, write: ir.Call, index: ir.Var, trips: int) -> list[ir.Stmt] | None:
    """What one write of the loop becomes, None where it is no fill."""
    target, indices, value = write.args
    type_ = target.type
    if not isinstance(type_, TensorType) or type_.shape is None or type_.dtype is None or not _constant(value):
        return None
    if not isinstance(indices, ir.MakeTuple) or len(indices.elements) != len(type_.shape):
        return None
    moving = [axis for axis, element in enumerate(indices.elements) if _uses(element, index)]
    if len(moving) != 1 or trips * type_.dtype.bits % _UNIT_BITS:
        return None
    axis = moving[0]
    start = _start(indices.elements[axis], index)
    after = range(axis + 1, len(type_.shape))
    if start is None or any(const_value(type_.shape[a]) != 1 or const_value(indices.elements[a]) != 0 for a in after):
        return None
    made = TensorType(type_.dtype, tuple(trips if a == axis else 1 for a in range(len(type_.shape))))
    offsets = ir.MakeTuple(
        tuple(start if a == axis else e for a, e in enumerate(indices.elements)), indices.type, indices.span
    )
    full = ir.Var("fill", made, write.span)
    stored = ir.Call(
        "tensor.assemble",
        (target, ir.Read(full, write.span), offsets),
        ("target", "source", "offset"),
        type_,
        write.span,
    )
    return [
        ir.Assign(full, ir.Call("tensor.full", (), (), made, write.span), stmt.span, write.span),
        ir.Eval(stored, stmt.span),
    ]


def _constant(value: ir.Expr) -> bool:
    if isinstance(value, ir.Unary) and value.op == "-":
        value = value.operand
    return isinstance(value, (ir.ConstInt, ir.ConstFloat))


def _uses(expr: ir.Expr, var: ir.Var) -> bool:
    found: list[ir.Var] = []
    visit_reads(expr, found.append)
    return any(read is var for read in found)


def _is(expr: ir.Expr, var: ir.Var) -> bool:
    return expr is var or (isinstance(expr, ir.Read) and expr.var is var)


def _start(element: ir.Expr, index: ir.Var) -> ir.Expr | None:
    """The index at the first trip, for one that grows by 1; None for another."""
    if _is(element, index):
        return ir.ConstInt(0, INDEX, element.span)
    if isinstance(element, ir.Binary) and element.op == "+":
        for one, other in ((element.left, element.right), (element.right, element.left)):
            if _is(one, index) and not _uses(other, index):
                return other
    return None
