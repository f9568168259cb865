"""Types of parameters, results and annotated locals.

:func:`resolve` turns an annotation into a type with a direction and reports every fault of it on the fragment to change.
Nothing follows from a fault: the part at fault is unknown in the type. What Python itself would raise at import carries
Python's name.
Source of the facts: the project's reference docs on types, and the behaviour of the compiler's resolver.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pypto_lsp.diagnostics import Diagnostic, faults_python
from pypto_lsp.diagnostics import faults_annotations as faults
from pypto_lsp.frontend.annotation_memory import is_call_of, is_memref, is_space, memref, names_no_space, older_member
from pypto_lsp.frontend.annotation_scope import (
    AnnotationScope,
    Resolution,
    last_name,
    name_span,
    spread,
)
from pypto_lsp.frontend.annotation_shapes import dtype, plain_int, shape
from pypto_lsp.frontend.annotation_views import TileParts, is_layout, make_tile, tensor_view_slot
from pypto_lsp.frontend.closure import Failure
from pypto_lsp.frontend.paths import dotted
from pypto_lsp.ir.dtypes import BOOL, DTYPES, TASK_ID, DType
from pypto_lsp.ir.enums import Direction
from pypto_lsp.ir.types import (
    UNDETERMINED,
    UNKNOWN,
    ArrayType,
    DistributedTensorType,
    HandleType,
    MemRef,
    ScalarType,
    TensorType,
    TileType,
    TupleType,
    Type,
)
from pypto_lsp.syntax import nodes as syntax

#: handle types that an annotation may name bare, by the last part of the path
HANDLES = {
    "PrefetchAsyncContextType": "pl.PrefetchAsyncContext",
    "PrefetchAsyncContext": "pl.PrefetchAsyncContext",
    "AsyncEventType": "pl.AsyncEvent",
    "AsyncEvent": "pl.AsyncEvent",
    "AsyncSessionType": "pl.AsyncSession",
    "AsyncSession": "pl.AsyncSession",
    "CommCtxType": "pld.CommCtxType",
    "CommCtx": "pld.CommCtxType",
}
#: annotations of a local that the compiler does not compare with the expression
UNCOMPARED = {
    "pl.UnknownType": UNKNOWN,
    "pl.MemRefType": HandleType("pl.MemRefType"),
    "pl.Ptr": HandleType("pl.Ptr"),
    "pld.WindowBufferType": HandleType("pld.WindowBufferType"),
    "pld.CommCtxType": HandleType("pld.CommCtxType"),
}
TENSOR_PARTS = {
    "Tensor": "a shape, an element type, and at most a layout and a memory reference",
    "DistributedTensor": "a shape, an element type, and at most a layout and a memory reference",
    "Tile": "a shape, an element type, and at most a memory space, a view and a memory reference",
}
BARE_PARTS = {
    "Tensor": "its shape and element type",
    "DistributedTensor": "its shape and element type",
    "Tile": "its shape and element type",
    "Scalar": "its element type",
    "Array": "its extent and element type",
    "Tuple": "its element types",
}


@dataclass(slots=True)
class Resolved:
    """What an annotation says.

    ``type`` is a TupleType for a tuple of results. ``uncompared`` is true for annotations of a local that the compiler does
    not compare with the expression (strings and handle types). ``bare`` is true for ``pl.Tensor`` without parts in a jit
    kernel, where specialisation fills them.
    """

    type: Type
    direction: Direction = Direction.IN
    diagnostics: list[Diagnostic] = field(default_factory=list)
    uncompared: bool = False
    bare: bool = False


def resolve(expr: syntax.Expr, scope: AnnotationScope) -> Resolved:
    """The type of an annotation. ``scope.place`` decides what is allowed: a direction on parameters, tuples elsewhere."""
    resolution = Resolution(scope)
    direction = Direction.IN
    inner = expr
    if scope.place == "parameter" and isinstance(expr, syntax.Subscript) and last_name(expr.value) in ("Out", "InOut"):
        direction = Direction.OUT if last_name(expr.value) == "Out" else Direction.INOUT
        inner = _content(expr)
    if scope.place == "local":
        uncompared = _uncompared(inner)
        if uncompared is not None:
            return Resolved(uncompared, uncompared=True)
    type_ = _type(resolution, inner)
    if scope.place == "parameter":
        _check_parameter(resolution, expr, inner, type_, direction)
    return Resolved(type_, direction, resolution.faults, bare=_is_bare(type_))


def _is_bare(type_: Type) -> bool:
    return isinstance(type_, TensorType | DistributedTensorType) and type_.shape is None and type_.dtype is None


def _content(expr: syntax.Subscript) -> syntax.Expr:
    """What stands in the brackets, as one expression."""
    if expr.is_tuple:
        return syntax.Tuple(expr.anchor, expr.index[0].start, expr.index[-1].end, expr.index)
    return expr.index[0]


def _uncompared(expr: syntax.Expr) -> Type | None:
    if isinstance(expr, syntax.Constant) and isinstance(expr.value, str):
        return UNDETERMINED
    if isinstance(expr, syntax.Attribute) and isinstance(expr.value, syntax.Name):
        return UNCOMPARED.get(f"{expr.value.id}.{expr.attr}")
    return None


def _check_parameter(
    resolution: Resolution, whole: syntax.Expr, inner: syntax.Expr, type_: Type, direction: Direction
) -> None:
    if isinstance(type_, TupleType) and _is_python_tuple(inner):
        resolution.report(faults.TUPLE_PARAMETER, inner.span, inner)
    elif isinstance(type_, ScalarType) and direction is Direction.INOUT:
        resolution.report(faults.INOUT_SCALAR, whole.span, whole)


def _is_python_tuple(expr: syntax.Expr) -> bool:
    return isinstance(expr, syntax.Subscript) and isinstance(expr.value, syntax.Name) and expr.value.id == "tuple"


# --- forms of a type -----------------------------------------------------------------------------------------------


def _type(resolution: Resolution, expr: syntax.Expr) -> Type:
    if isinstance(expr, syntax.Subscript):
        return _tuple(resolution, expr) if _is_python_tuple(expr) else _subscript(resolution, expr)
    if isinstance(expr, syntax.Call):
        return _call(resolution, expr)
    name = last_name(expr)
    if name in HANDLES and (isinstance(expr, syntax.Name) or isinstance(getattr(expr, "value", None), syntax.Name)):
        return HandleType(HANDLES[name])
    return _bare(resolution, expr)


def _bare(resolution: Resolution, expr: syntax.Expr) -> Type:
    """An annotation without parts: legal only in a jit kernel's parameters."""
    name = last_name(expr)
    if resolution.scope.jit and resolution.scope.place != "local" and name is not None:
        if name in ("Tensor", "DistributedTensor"):
            return TensorType(None, None) if name == "Tensor" else DistributedTensorType(None, None)
        if name in DTYPES and resolution.scope.place == "parameter":
            return ScalarType(DTYPES[name])
    if resolution.scope.evaluated:
        value = resolution.evaluate(expr)
        if isinstance(value, Failure) and (resolution.undefined(value) or value.unknown):
            return UNDETERMINED
    if isinstance(expr, syntax.Attribute):
        parts = BARE_PARTS.get(expr.attr)
        if parts is not None:
            resolution.report(faults.INCOMPLETE_TYPE, expr.span, expr, type=expr.text, parts=parts)
            return UNDETERMINED
    resolution.report(faults.UNSUPPORTED_TYPE, expr.span, expr, text=expr.text)
    return UNDETERMINED


def _subscript(resolution: Resolution, expr: syntax.Subscript) -> Type:
    name = last_name(expr.value)
    if name == "Scalar":
        return ScalarType(dtype(resolution, _content(expr)))
    if name == "Array":
        return _array(resolution, expr)
    if name == "Tuple":
        return _tuple(resolution, expr)
    if name in ("Tensor", "DistributedTensor"):
        return _tensor(resolution, expr, name)
    if name == "Tile":
        return _tile(resolution, expr)
    value = resolution.evaluate(expr.value) if resolution.scope.evaluated else None
    if not (isinstance(value, Failure) and (resolution.undefined(value) or value.unknown)):
        resolution.report(faults.UNKNOWN_TYPE, name_span(expr.value), expr, text=expr.value.text)
    return UNDETERMINED


def _tuple(resolution: Resolution, expr: syntax.Subscript) -> Type:
    elements: tuple[syntax.Expr, ...] = expr.index
    if not expr.is_tuple and isinstance(elements[0], syntax.Tuple) and not elements[0].elts:
        elements = ()
    return _tuple_of(resolution, elements)


def _tuple_of(resolution: Resolution, elements: tuple[syntax.Expr, ...]) -> Type:
    types: list[Type] = []
    for element in elements:
        type_ = _type(resolution, element)
        if isinstance(type_, TupleType):
            resolution.report(faults.NESTED_TUPLE, element.span, element)
            type_ = UNDETERMINED
        types.append(type_)
    return TupleType(tuple(types))


def _array(resolution: Resolution, expr: syntax.Subscript) -> Type:
    if len(expr.index) != 2:
        kind = faults_python.TYPE_PARTS if resolution.scope.evaluated else None
        span = spread(expr.index)
        if kind is not None:
            resolution.report(
                kind, span, expr, type="pl.Array", expected="an extent and an element type", count=len(expr.index)
            )
        else:
            resolution.report(faults.ARRAY_PARTS, span, expr)
        return ArrayType(None, None)
    extent = plain_int(resolution, expr.index[0])
    if extent is None or isinstance(extent, bool):
        value = resolution.evaluate(expr.index[0])
        if not (isinstance(value, Failure) and resolution.undefined(value)):
            resolution.report(faults.ARRAY_EXTENT, expr.index[0].span, expr, text=expr.index[0].text)
    element = dtype(resolution, expr.index[1])
    if element is not None and not (element.is_int or element in (BOOL, TASK_ID)):
        resolution.report(faults.ARRAY_DTYPE, expr.index[1].span, expr, dtype=str(element))
    return ArrayType(element, extent if isinstance(extent, int) else None)


def _call(resolution: Resolution, expr: syntax.Call) -> Type:
    """The older call form, ``pl.Tensor((64, 64), pl.FP32)``."""
    name = last_name(expr.func)
    if name in ("Tensor", "Tile"):
        if len(expr.args) < 2:
            resolution.report(faults.SHAPED_CALL, expr.span, expr, type=expr.func.text)
            return UNDETERMINED
        extents, element = shape(resolution, expr.args[0]), dtype(resolution, expr.args[1])
        return TensorType(element, extents) if name == "Tensor" else TileType(element, extents)
    if name == "Scalar":
        if not expr.args:
            resolution.report(faults.SCALAR_CALL, expr.span, expr)
            return ScalarType(None)
        return ScalarType(dtype(resolution, expr.args[0]))
    if name == "Tuple":
        if len(expr.args) != 1 or not isinstance(expr.args[0], syntax.List):
            resolution.report(faults.TUPLE_CALL, expr.span, expr)
            return UNDETERMINED
        return _tuple_of(resolution, expr.args[0].elts)
    value = resolution.evaluate(expr.func) if resolution.scope.evaluated else None
    if not (isinstance(value, Failure) and (resolution.undefined(value) or value.unknown)):
        resolution.report(faults.UNKNOWN_CONSTRUCTOR, expr.span, expr, text=expr.func.text)
    return UNDETERMINED


# --- tensors and tiles ---------------------------------------------------------------------------------------------


def _right_count(resolution: Resolution, expr: syntax.Subscript, name: str, most: int) -> bool:
    """Whether a tensor or tile type has its parts; reports the ones that are missing or too many."""
    count = len(expr.index)
    if expr.is_tuple and 2 <= count <= most:
        return True
    if resolution.by_python and any(isinstance(part, syntax.Starred | syntax.Tuple) for part in expr.index):
        return False
    span = spread(expr.index) if count < most else expr.index[most - 1].span.to(expr.index[-1].span)
    kind = faults_python.TYPE_PARTS if resolution.scope.evaluated else faults.TYPE_PARTS
    resolution.report(kind, span, expr, type=expr.value.text, expected=TENSOR_PARTS[name], count=count)
    return False


def _without_marker(expr: syntax.Subscript) -> syntax.Subscript:
    """A distributed tensor type without the note on its window buffer that the most explicit dumps append."""
    last = expr.index[-1]
    if isinstance(last, syntax.Constant) and isinstance(last.value, str) and last.value.startswith("window_buffer="):
        return syntax.Subscript(expr.anchor, expr.start, expr.end, expr.value, expr.index[:-1], expr.is_tuple)
    return expr


def _tensor(resolution: Resolution, expr: syntax.Subscript, name: str) -> Type:
    kind = TensorType if name == "Tensor" else DistributedTensorType
    if kind is DistributedTensorType:
        expr = _without_marker(expr)
    if not _right_count(resolution, expr, name, 4):
        known = shape(resolution, expr.index[0]) if expr.is_tuple else None
        return kind(dtype(resolution, expr.index[1]) if len(expr.index) > 1 else None, known)
    extents = shape(resolution, expr.index[0])
    element = dtype(resolution, expr.index[1])
    view, reference = None, None
    if len(expr.index) >= 3:
        third = expr.index[2]
        if len(expr.index) == 3 and is_call_of(third, "MemRef"):
            reference = memref(resolution, third)
        else:
            view = tensor_view_slot(resolution, third, extents, name)
    if len(expr.index) == 4:
        reference = _fourth(resolution, expr.index[3])
    return kind(element, extents, view, reference)


def _fourth(resolution: Resolution, expr: syntax.Expr) -> MemRef | None:
    if is_call_of(expr, "MemRef"):
        return memref(resolution, expr)
    resolution.report(faults.FOURTH_PART, expr.span, expr)
    return None


def _tile(resolution: Resolution, expr: syntax.Subscript) -> Type:
    if not _right_count(resolution, expr, "Tile", 5):
        return TileType(None, None)
    extents = shape(resolution, expr.index[0])
    element: DType | None = dtype(resolution, expr.index[1])
    parts = TileParts()
    seen: dict[str, syntax.Expr] = {}
    for node in expr.index[2:]:
        _tile_part(resolution, node, parts, seen)
    if "memref" in seen and "space" not in seen and not resolution.faults:
        kind = faults_python.TILE_MEMREF if resolution.scope.evaluated else faults.MEMREF_WITHOUT_SPACE
        resolution.report(kind, seen["memref"].span, seen["memref"])
    return make_tile(resolution, element, extents, parts)


SECOND = {"memref": faults.TILE_TWO_MEMREFS, "view": faults.TILE_TWO_VIEWS, "space": faults.TILE_TWO_SPACES}


def _part_kind(resolution: Resolution, node: syntax.Expr) -> str | None:
    if is_memref(resolution, node):
        return "memref"
    if is_call_of(node, "TileView"):
        return "view"
    return "space" if is_space(node) else None


def _tile_part(resolution: Resolution, node: syntax.Expr, parts: TileParts, seen: dict[str, syntax.Expr]) -> None:
    kind = _part_kind(resolution, node)
    if kind is None:
        _not_a_part(resolution, node)
        parts.memory = parts.memory or older_member(node, "MemorySpace")
        return
    if kind in seen:
        if resolution.scope.evaluated:
            resolution.report(faults_python.TILE_PART, node.span, node, text=node.text)
        else:
            resolution.report(SECOND[kind], node.span, node)
        return
    seen[kind] = node
    if kind == "memref":
        parts.memref = memref(resolution, node)
    elif kind == "view":
        parts.view = node if isinstance(node, syntax.Call) else None
    elif isinstance(node, syntax.Attribute):
        parts.memory = node.attr


def _not_a_part(resolution: Resolution, node: syntax.Expr) -> None:
    """Report a trailing part of a tile type that is neither memory space, view nor memory reference."""
    value = resolution.evaluate(node)
    if isinstance(value, Failure) and (resolution.undefined(value) or value.unknown):
        return
    if resolution.scope.evaluated:
        resolution.report(faults_python.TILE_PART, node.span, node, text=node.text)
    elif names_no_space(node):
        resolution.report(faults.UNKNOWN_SPACE, name_span(node), node, text=node.text, enum="pl.MemorySpace")
        resolution.date(dotted(node))
    elif is_layout(resolution, node):
        resolution.report(faults.TILE_LAYOUT, node.span, node)
    else:
        resolution.report(faults.TILE_PART, node.span, node, text=node.text)
