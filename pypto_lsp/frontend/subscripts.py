"""Subscripts: ``x[i, 0:16]`` in an expression, ``out[0:16, :] = t`` as a statement."""

from __future__ import annotations

from pypto_lsp.diagnostics import Diagnostic, faults_ops
from pypto_lsp.diagnostics import faults_expressions as expression_faults
from pypto_lsp.diagnostics import faults_statements as faults
from pypto_lsp.frontend import binding, values
from pypto_lsp.frontend.closure import Failure
from pypto_lsp.frontend.expressions import extent_expr, shaped_param, undefined
from pypto_lsp.frontend.lowering import Lowering, expression
from pypto_lsp.frontend.surroundings import Hidden
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import SHAPED, TupleType
from pypto_lsp.ops import subscripts as rules
from pypto_lsp.ops.registry import OpFault
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span


def items(low: Lowering, node: syntax.Subscript) -> tuple[rules.Item, ...]:
    """The parts between the brackets."""
    return tuple([_item(low, part) for part in node.index])


def _item(low: Lowering, part: syntax.Expr) -> rules.Item:
    if not isinstance(part, syntax.Slice):
        return low.expr(part)
    return rules.Window(
        None if part.lower is None else low.expr(part.lower),
        None if part.upper is None else low.expr(part.upper),
        has_step=part.step is not None,
    )


def index_span(node: syntax.Subscript) -> Span:
    return node.index[0].span.to(node.index[-1].span)


# --- reading -------------------------------------------------------------------------------------------------------


@expression(syntax.Subscript)
def lower_subscript(low: Lowering, node: syntax.Subscript) -> ir.Expr:
    special = _shape_entry(low, node)
    if special is None and isinstance(node.value, syntax.Name):
        special = _hidden_list(low, node, node.value)
    if special is not None:
        return special
    base = low.expr(node.value)
    if isinstance(base.type, TupleType) and not _constant_index(node):
        for part in node.index:
            _item(low, part)
        place = index_span(node)
        if isinstance(node.index[0], syntax.Constant):
            return low.error(faults_ops.TUPLE_INDEX, node, place, got=f"{node.index[0].text}")
        return low.error(faults_ops.TUPLE_INDEX_DYNAMIC, node, place)
    result = rules.read(base, items(low, node), node.span)
    if isinstance(result, OpFault):
        low.diagnostics.append(_finding(result, node))
        return ir.ErrorExpr(node.span)
    return low.unknown(node.span) if isinstance(result, ir.ErrorExpr) else result


def _constant_index(node: syntax.Subscript) -> bool:
    index = node.index[0]
    return not node.is_tuple and isinstance(index, syntax.Constant) and isinstance(index.value, int)


def _finding(fault: OpFault, node: syntax.Subscript) -> Diagnostic:
    """The fault of a subscript on its part; one about the number of parts on all of them."""
    place = node.span
    if fault.kind in (faults_ops.TOO_MANY_INDICES, faults_ops.ARRAY_INDICES):
        place = index_span(node)
    elif fault.index is not None and fault.index < len(node.index):
        place = node.index[fault.index].span
    return fault.kind.at(place, subject=node, **fault.facts)


def _shape_entry(low: Lowering, node: syntax.Subscript) -> ir.Expr | None:
    """``x.shape[0]``: an extent of a jit parameter, a fault elsewhere."""
    value = node.value
    if not (isinstance(value, syntax.Attribute) and value.attr == "shape"):
        return None
    param = shaped_param(low, value.value)
    if param is not None:
        index = node.index[0]
        if not (_constant_index(node) and isinstance(index, syntax.Constant)):
            return None
        shape = param.type.shape if isinstance(param.type, SHAPED) else None
        axis = index.value + len(shape) if shape is not None and index.value < 0 else index.value
        if shape is not None and not 0 <= axis < len(shape):
            return None
        return extent_expr(low, param, axis, node.span)
    bound = low.names.lookup(value.value.id) if isinstance(value.value, syntax.Name) else None
    if isinstance(bound, ir.Var):
        return low.error(
            expression_faults.ATTRIBUTE_VALUE, node, text=node.text, suggestion=_static_extent(bound, node.index[0])
        )
    return None


def _static_extent(var: ir.Var, index: syntax.Expr) -> str | None:
    """The constant extent that ``x.shape[index]`` asks for."""
    shape = var.type.shape if isinstance(var.type, SHAPED) else None
    if shape is None or not isinstance(index, syntax.Constant) or type(index.value) is not int:
        return None
    extent = shape[index.value] if -len(shape) <= index.value < len(shape) else None
    return str(int(extent)) if isinstance(extent, int) else None


def _hidden_list(low: Lowering, node: syntax.Subscript, name: syntax.Name) -> ir.Expr | None:
    """An element of a module's list in a jit body, which does not see lists."""
    if not low.jit or low.names.lookup(name.id) is not None:
        return None
    value = low.around.value(name.id)
    if not (isinstance(value, Hidden) and isinstance(value.value, (values.Sequence, values.Mapping))):
        return None
    element = low.evaluate(node)
    if isinstance(element, (int, float)) and not isinstance(element, Failure):
        return undefined(low, name, Hidden(element, value.why), node.span)
    return undefined(low, name, value, node.span)


# --- storing -------------------------------------------------------------------------------------------------------


def store(low: Lowering, node: syntax.Assign, target: syntax.Subscript) -> None:
    """``dst[...] = src`` binds ``dst`` to an assemble, or to an array with one element changed."""
    base_node = target.value
    if not isinstance(base_node, syntax.Name):
        low.report(faults.STORE_BASE, target.span, subject=target)
        _look_at(low, target, node.value)
        return
    if low.context.strict_ssa:
        low.report(faults.STORE_UNDER_SSA, node.span, subject=node, name=base_node.id)
        _look_at(low, target, node.value)
        return
    base = low.expr(base_node)
    parts = items(low, target)
    value = low.expr(node.value)
    result = rules.store(base, parts, value, target.span)
    if isinstance(result, OpFault):
        low.diagnostics.append(_store_finding(result, node, target))
        low.out.append(ir.ErrorStmt((), low.read_vars(node), node.span))
        if isinstance(base, ir.Read):
            low.out[-1] = ir.ErrorStmt((base.var,), low.read_vars(node), node.span)
            low.bind(base_node.id, base.type, base_node.span)
        return
    internal = base_node.id
    if low.names.renamer is not None:
        internal = low.names.renamer.current.get(internal, internal)
    if isinstance(base, ir.ErrorExpr) or isinstance(result.value, ir.ErrorExpr):
        low.complete = False
    if isinstance(base, ir.ErrorExpr):
        low.out.append(ir.ErrorStmt((), low.read_vars(node), node.span))
        return
    binding.write(low, base_node.id, internal, base_node.span, result.value, node.span)


def _look_at(low: Lowering, target: syntax.Subscript, value: syntax.Expr) -> None:
    """Lower the parts of a store at fault for the faults in them."""
    low.expr(target.value)
    items(low, target)
    low.expr(value)
    low.out.append(ir.ErrorStmt((), low.read_vars(target, value), target.span))


_WHOLE_STATEMENT = (faults_ops.STORE_SCALAR,)
_VALUE = (faults_ops.STORE_KIND, faults_ops.STORE_ELEMENT)


def _store_finding(fault: OpFault, node: syntax.Assign, target: syntax.Subscript) -> Diagnostic:
    place = target.span
    if fault.kind in _WHOLE_STATEMENT:
        place = node.span
    elif fault.kind in _VALUE:
        place = node.value.span
    elif fault.kind is faults_ops.TOO_MANY_INDICES:
        place = index_span(target)
    elif fault.kind is faults_ops.STORE_EXTENT:
        place = _extent_place(target, fault.facts.get("dimension"))
    elif fault.index is not None and fault.index < len(target.index):
        place = target.index[fault.index].span
    facts = dict(fault.facts)
    if fault.kind is faults_ops.STORE_SCALAR:
        indices = index_span(target).text
        facts["suggestion"] = f"pl.write({target.value.text}, [{indices}], {node.value.text})"
    return fault.kind.at(place, subject=node, **facts)


def _extent_place(target: syntax.Subscript, dimension: object) -> Span:
    """The slice of the window's dimension, counted over the dimensions that the subscript keeps."""
    kept = [part for part in target.index if isinstance(part, syntax.Slice)]
    if isinstance(dimension, int) and dimension < len(kept) and kept[dimension].end > kept[dimension].start:
        return kept[dimension].span
    return target.span
