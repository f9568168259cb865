"""Views in annotations: ``pl.TensorView(...)``, ``pl.TileView(...)`` and the layout slot of a tensor type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pypto_lsp.diagnostics import faults_annotations as faults
from pypto_lsp.diagnostics import faults_python
from pypto_lsp.diagnostics.older_spellings import dated, form
from pypto_lsp.frontend.annotation_memory import is_call_of, member
from pypto_lsp.frontend.annotation_scope import Resolution, kind_of, name_span, spread
from pypto_lsp.frontend.annotation_shapes import Dim, index_extent, plain_int, unknown_dim
from pypto_lsp.frontend.closure import Failure
from pypto_lsp.frontend.values import DslExpression, OpaqueValue
from pypto_lsp.ir.enums import ENUMS, EnumMember
from pypto_lsp.ir.tile_views import TileLayout, implicit_layout, tensor_view, tile_type
from pypto_lsp.ir.types import MemRef, TensorView, TileType
from pypto_lsp.syntax import nodes as syntax
from pypto_lsp.text import Span

LAYOUTS = ENUMS["TensorLayout"]
TENSOR_FIELDS = ("valid_shape", "stride", "layout", "pad")
TILE_FIELDS = ("valid_shape", "stride", "start_offset", "blayout", "slayout", "fractal", "pad", "compact")


# --- arguments of a view -------------------------------------------------------------------------------------------


def _fields(resolution: Resolution, call: syntax.Call, view: str, known: tuple[str, ...]) -> dict[str, syntax.Expr]:
    """The keyword arguments of a view by field; positional and unknown ones are reported."""
    if call.args:
        resolution.report(faults.VIEW_POSITIONAL, spread(call.args), call, view=view)
    found: dict[str, syntax.Expr] = {}
    for keyword in call.keywords:
        if keyword.arg in known:
            found[keyword.arg] = keyword.value
        elif keyword.arg is not None:
            span = keyword_span(call, keyword)
            if resolution.scope.evaluated:
                resolution.report(faults_python.CALL_KEYWORD, span, keyword, callee=view, name=keyword.arg)
            else:
                resolution.report(faults.VIEW_KEYWORD, span, keyword, view=view, name=keyword.arg)
    return found


def keyword_span(call: syntax.Call, keyword: syntax.Keyword) -> Span:
    """A keyword with its value, and the comma before it where an argument precedes."""
    before = [node.end for node in (*call.args, *call.keywords) if node.end <= keyword.start]
    return Span(keyword.anchor, max(before, default=keyword.start), keyword.end)


def _extents(resolution: Resolution, expr: syntax.Expr | None, field: str) -> tuple[Dim, ...] | None:
    if expr is None:
        return None
    if not isinstance(expr, syntax.List):
        resolution.report(faults.VIEW_LIST, expr.span, expr, field=field, text=expr.text)
        return None
    found = [index_extent(resolution, element) for element in expr.elts]
    return tuple(unknown_dim(node) if extent is None else extent for node, extent in zip(expr.elts, found))


def _optional(resolution: Resolution, expr: syntax.Expr | None, enum: str, default: str) -> str:
    return default if expr is None else member(resolution, expr, enum) or default


# --- tensors -------------------------------------------------------------------------------------------------------


def tensor_view_slot(
    resolution: Resolution, expr: syntax.Expr, shape: tuple[Dim, ...] | None, type_name: str
) -> TensorView | None:
    """The third part of a tensor type: a view or a layout, written out or by name."""
    if isinstance(expr, syntax.Call) and is_call_of(expr, "TensorView"):
        return _tensor_view(resolution, expr, shape)
    if isinstance(expr, syntax.Name) and expr.id not in LAYOUTS:
        value = resolution.evaluate(expr)
        if isinstance(value, DslExpression) and value.path == "pl.TensorView" and isinstance(value.node, syntax.Call):
            return _tensor_view(resolution, value.node, shape)
    layout = resolve_layout(resolution, expr)
    if layout == "DN":
        resolution.report(faults.LAYOUT_DN, name_span(expr), expr)
        resolution.faults[-1] = dated(resolution.faults[-1], form("pl.DN"))
        return None
    return tensor_view(shape, layout=layout or "ND")


def _tensor_view(resolution: Resolution, call: syntax.Call, shape: tuple[Dim, ...] | None) -> TensorView | None:
    fields = _fields(resolution, call, "pl.TensorView", TENSOR_FIELDS)
    layout = fields.get("layout")
    if layout is None and resolution.scope.evaluated and fields.keys() & {"valid_shape", "stride", "pad"}:
        resolution.report(faults_python.VIEW_LAYOUT, call.span, call)
    return tensor_view(
        shape,
        valid=_extents(resolution, fields.get("valid_shape"), "valid_shape"),
        stride=_extents(resolution, fields.get("stride"), "stride") or (),
        layout=(resolve_layout(resolution, layout) if layout is not None else None) or "ND",
        pad=_optional(resolution, fields.get("pad"), "PadValue", "null"),
    )


def resolve_layout(resolution: Resolution, expr: syntax.Expr) -> str | None:
    """A tensor layout's name; None where it is at fault or not known."""
    if isinstance(expr, syntax.Attribute) and expr.attr in LAYOUTS:
        return expr.attr
    if isinstance(expr, syntax.Name) and expr.id in LAYOUTS:
        return expr.id
    value = resolution.evaluate(expr)
    if isinstance(value, Failure):
        if not resolution.undefined(value) and not value.unknown:
            resolution.report(faults.UNKNOWN_LAYOUT, name_span(expr), expr, name=expr.text)
        return None
    return _layout_of_value(resolution, expr, value)


def _layout_of_value(resolution: Resolution, expr: syntax.Expr, value: Any) -> str | None:
    if isinstance(value, EnumMember) and value.enum == "TensorLayout":
        return value.name
    if isinstance(value, OpaqueValue):
        return None
    if isinstance(expr, syntax.Attribute):
        resolution.report(faults.UNKNOWN_LAYOUT, name_span(expr), expr, name=expr.attr)
    elif isinstance(expr, syntax.Name):
        resolution.report(faults.LAYOUT_VALUE, expr.span, expr, text=expr.text, kind=kind_of(value))
    else:
        resolution.report(faults.LAYOUT_FORM, expr.span, expr, text=expr.text)
    return None


def is_layout(resolution: Resolution, expr: syntax.Expr) -> bool:
    """Whether an expression names a tensor layout."""
    if isinstance(expr, syntax.Attribute | syntax.Name):
        probe = Resolution(resolution.scope)
        return resolve_layout(probe, expr) is not None
    return False


# --- tiles ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class TileParts:
    """What a tile type's trailing parts say."""

    memory: str | None = None
    memref: MemRef | None = None
    view: syntax.Call | None = None


def make_tile(resolution: Resolution, dtype: Any, shape: tuple[Dim, ...] | None, parts: TileParts) -> TileType:
    """The tile type of its parts; what an explicit view leaves out is the implicit layout of the memory space."""
    if parts.view is None:
        return tile_type(dtype, shape, parts.memory, memref=parts.memref)
    fields = _fields(resolution, parts.view, "pl.TileView", TILE_FIELDS)
    implicit = implicit_layout(shape, parts.memory)
    offset = fields.get("start_offset")
    return tile_type(
        dtype,
        shape,
        parts.memory,
        valid=_extents(resolution, fields.get("valid_shape"), "valid_shape"),
        layout=TileLayout(
            _optional(resolution, fields.get("blayout"), "TileLayout", implicit.blayout),
            _optional(resolution, fields.get("slayout"), "TileLayout", implicit.slayout),
            _fractal(resolution, fields.get("fractal"), implicit.fractal),
        ),
        stride=_extents(resolution, fields.get("stride"), "stride") or (),
        start_offset=None if offset is None else index_extent(resolution, offset),
        pad=_optional(resolution, fields.get("pad"), "PadValue", "null"),
        compact=_optional(resolution, fields.get("compact"), "CompactMode", "null"),
        memref=parts.memref,
    )


def _fractal(resolution: Resolution, expr: syntax.Expr | None, default: int) -> int:
    if expr is None:
        return default
    value = plain_int(resolution, expr)
    if value is None:
        resolution.report(faults.VIEW_FRACTAL, expr.span, expr, text=expr.text)
    return value if isinstance(value, int) else default
