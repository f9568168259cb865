"""``predicate=``: the comparison that decides at run time whether a launch happens."""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_submit as faults
from pypto_lsp.frontend.lowering import Lowering
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import TENSORS, UNDETERMINED, ArrayType, ScalarType
from pypto_lsp.syntax import nodes as syntax

COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
WIDTHS = (8, 16, 32, 64)


def lower_predicate(low: Lowering, node: syntax.Expr) -> ir.Expr | None:
    """The comparison as an expression; None where it is at fault."""
    before = len(low.diagnostics)
    expr = low.expr(node)
    if len(low.diagnostics) > before or isinstance(expr, ir.ErrorExpr):
        return None
    if not (isinstance(expr, ir.Binary) and expr.op in COMPARISONS):
        low.report(faults.PREDICATE_FORM, node.span, subject=node)
        return None
    read = _element(expr)
    if read is None:
        if not _open(expr):
            low.report(faults.PREDICATE_FORM, node.span, subject=node)
        return None
    return expr if _check_element(low, read, node) else None


def _open(expr: ir.Binary) -> bool:
    """Whether an operand may be more than we see of it."""
    return any(
        isinstance(side, (ir.ErrorExpr, ir.OpaqueInt)) or side.type is UNDETERMINED
        for side in map(_uncast, (expr.left, expr.right))
    )


def _uncast(expr: ir.Expr) -> ir.Expr:
    while isinstance(expr, ir.Unary) and expr.op == "cast":
        expr = expr.operand
    return expr


def _element(expr: ir.Binary) -> ir.Call | None:
    """The element that a comparison with an integer constant reads."""
    left, right = _uncast(expr.left), _uncast(expr.right)
    for side, other in ((left, right), (right, left)):
        if isinstance(side, ir.Call) and side.op == "tensor.read" and isinstance(other, ir.ConstInt):
            return side
    return None


def _check_element(low: Lowering, read: ir.Call, node: syntax.Expr) -> bool:
    type_ = read.args[0].type
    if not isinstance(type_, TENSORS) or type_.dtype is None:
        return True
    dtype = type_.dtype
    if dtype.category != "int" or dtype.bits not in WIDTHS:
        low.report(faults.PREDICATE_DTYPE, node.span, subject=node, dtype=dtype.name)
        return False
    index = read.args[1]
    parts = index.elements if isinstance(index, ir.MakeTuple) else (index,)
    for part in parts:
        dtype_ = part.type.dtype if isinstance(part.type, ScalarType) else None
        if isinstance(part, ir.ConstInt) and part.value < 0:
            low.report(faults.PREDICATE_INDEX, part.span or node.span, subject=node, what="an index is negative")
            return False
        if dtype_ is not None and not dtype_.is_int:
            low.report(faults.PREDICATE_INDEX, part.span or node.span, subject=node, what="an index is no integer")
            return False
    return True


def check_dependency(low: Lowering, predicate: ir.Expr, deps: tuple[ir.Expr, ...], node: syntax.Expr) -> None:
    """The task that writes the tensor of a predicate must be among the dependencies."""
    read = _element(predicate) if isinstance(predicate, ir.Binary) else None
    tensor = read.args[0] if read is not None else None
    if not isinstance(tensor, ir.Read) or tensor.var not in low.producers:
        return
    task, generation = low.producers[tensor.var]
    for dep in deps:
        if isinstance(dep, ir.ErrorExpr) or isinstance(dep.type, ArrayType) or not isinstance(dep, ir.Read):
            return
        if dep.var is task and low.generations.get(task) == generation:
            return
    low.report(faults.PREDICATE_DEPENDENCY, node.span, subject=node, tensor=tensor.var.name, task=task.name)
