"""Memory references, memory spaces and enum members in annotations."""

from __future__ import annotations

from pypto_lsp.diagnostics import faults_annotations as faults
from pypto_lsp.frontend.annotation_scope import Resolution, last_name, name_span, spread
from pypto_lsp.frontend.annotation_shapes import index_extent, plain_int
from pypto_lsp.frontend.closure import Failure
from pypto_lsp.frontend.paths import dotted, meant_value
from pypto_lsp.frontend.values import DslExpression
from pypto_lsp.ir.arith import Dim, const_value
from pypto_lsp.ir.enums import ENUMS, EnumMember
from pypto_lsp.ir.types import MemRef
from pypto_lsp.syntax import nodes as syntax

SPACES = ENUMS["MemorySpace"]


def is_call_of(expr: syntax.Expr, name: str) -> bool:
    """Whether an expression is ``pl.<name>(...)`` or ``<name>(...)``."""
    return isinstance(expr, syntax.Call) and last_name(expr.func) == name


# --- enum members --------------------------------------------------------------------------------------------------


def member(resolution: Resolution, expr: syntax.Expr, enum: str) -> str | None:
    """The name of an enum's member, by the last part of a dotted path; None where it is at fault."""
    if isinstance(expr, syntax.Attribute) and expr.attr in ENUMS[enum]:
        return expr.attr
    if not _python_fault(resolution, expr):
        resolution.report(faults.UNKNOWN_MEMBER, name_span(expr), expr, text=expr.text, enum=f"pl.{enum}")
        resolution.date(dotted(expr))
    return older_member(expr, enum)


def older_member(expr: syntax.Expr, enum: str) -> str | None:
    """The member of an enum that a path in an older spelling stands for."""
    value = meant_value(dotted(expr))[0]
    return value.name if isinstance(value, EnumMember) and value.enum == enum else None


def _python_fault(resolution: Resolution, expr: syntax.Expr) -> bool:
    value = resolution.evaluate(expr) if resolution.scope.evaluated else None
    return isinstance(value, Failure) and resolution.undefined(value)


def is_space(expr: syntax.Expr) -> bool:
    """Whether an expression is ``pl.Mem.X`` or ``pl.MemorySpace.X`` with a space that exists."""
    return (
        isinstance(expr, syntax.Attribute) and last_name(expr.value) in ("MemorySpace", "Mem") and expr.attr in SPACES
    )


def names_no_space(expr: syntax.Expr) -> bool:
    """Whether an expression is ``pl.Mem.X`` with a space that does not exist."""
    return (
        isinstance(expr, syntax.Attribute)
        and last_name(expr.value) in ("MemorySpace", "Mem")
        and expr.attr not in SPACES
    )


# --- memory references ---------------------------------------------------------------------------------------------


def memref(resolution: Resolution, expr: syntax.Expr) -> MemRef | None:
    """A memory reference: ``pl.MemRef(...)``, a slot of one, or the name of one. None where it is at fault."""
    if isinstance(expr, syntax.Subscript):
        return _slot(resolution, expr)
    if isinstance(expr, syntax.Name):
        return _named(resolution, expr)
    if not isinstance(expr, syntax.Call):
        return None
    return _call(resolution, expr)


def is_memref(resolution: Resolution, expr: syntax.Expr) -> bool:
    """Whether an expression of a tile type is meant as a memory reference."""
    if is_call_of(expr, "MemRef"):
        return True
    if isinstance(expr, syntax.Subscript):
        return is_call_of(expr.value, "MemRef") or _declared(resolution, expr.value) is not None
    return _declared(resolution, expr) is not None


def _declared(resolution: Resolution, expr: syntax.Expr) -> syntax.Call | None:
    """The ``pl.MemRef(...)`` that a name of the surroundings is bound to."""
    if not isinstance(expr, syntax.Name):
        return None
    value = resolution.evaluate(expr)
    if isinstance(value, DslExpression) and value.path == "pl.MemRef" and isinstance(value.node, syntax.Call):
        return value.node
    return None


def _named(resolution: Resolution, expr: syntax.Name) -> MemRef | None:
    declared = _declared(resolution, expr)
    if declared is None:
        return None
    if len(declared.args) > 1:
        return _placed(resolution, declared) if len(declared.args) == 3 else None
    name = _allocation_name(resolution, declared, expr)
    return MemRef(base=name, slots=_slots(resolution, declared))


def _allocation_name(resolution: Resolution, declared: syntax.Call, expr: syntax.Name) -> str:
    """The name of a declared allocation: its own, else its variable's; one name for one declaration."""
    own = declared.args[0] if declared.args else None
    name = str(own.value) if isinstance(own, syntax.Constant) and isinstance(own.value, str) else expr.id
    allocations = resolution.scope.allocations
    first = allocations.names.setdefault(id(declared), name)
    owner = allocations.owners.setdefault(name, id(declared))
    if first != name:
        resolution.report(faults.ALLOCATION_ALIASED, expr.span, expr, first=first, name=name)
    elif owner != id(declared):
        resolution.report(faults.ALLOCATION_CLASH, expr.span, expr, name=name)
    return name


def _slot(resolution: Resolution, expr: syntax.Subscript) -> MemRef | None:
    whole = memref(resolution, expr.value)
    if whole is None:
        return None
    slots = whole.slots or 1
    name = whole.base or ""
    if slots <= 1:
        if not resolution.faults:
            resolution.report(faults.SLOT_OF_SINGLE, expr.span, expr, name=name)
        return whole
    index = index_extent(resolution, expr.index[0]) if len(expr.index) == 1 else None
    number = const_value(index)
    if number is not None and not 0 <= number < slots:
        resolution.report(faults.SLOT_RANGE, expr.index[0].span, expr, index=number, name=name, slots=slots)
    return MemRef(whole.base, whole.byte_offset, whole.size, slots, index)


def _call(resolution: Resolution, expr: syntax.Call) -> MemRef | None:
    if len(expr.args) <= 1 and all(k.arg == "slots" for k in expr.keywords):
        return _declaration(resolution, expr)
    if len(expr.args) == 3:
        return _placed(resolution, expr)
    if len(expr.args) == 4:
        return MemRef(byte_offset=_number(resolution, expr.args[1], "address"))
    span = spread(expr.args) if expr.args else expr.span
    resolution.report(faults.MEMREF_PARTS, span, expr, count=len(expr.args))
    return None


def _declaration(resolution: Resolution, expr: syntax.Call) -> MemRef | None:
    """``pl.MemRef("name", slots=2)``: an allocation of the author's own."""
    if not expr.args:
        if not resolution.scope.evaluated:
            resolution.report(faults.MEMREF_PARTS, expr.span, expr, count=0)
        return None
    name = expr.args[0]
    if not (isinstance(name, syntax.Constant) and isinstance(name.value, str) and name.value):
        resolution.report(faults.MEMREF_NAME, name.span, expr, text=name.text)
        return None
    return MemRef(base=name.value, slots=_slots(resolution, expr))


def _slots(resolution: Resolution, expr: syntax.Call) -> int | None:
    for keyword in expr.keywords:
        value = keyword.value
        if keyword.arg != "slots":
            continue
        good = isinstance(value, syntax.Constant) and isinstance(value.value, int) and not isinstance(value.value, bool)
        if isinstance(value, syntax.Constant) and good and value.value >= 1:
            return int(value.value)
        resolution.report(faults.SLOTS_COUNT, value.span, keyword, text=value.text)
    return None


def _placed(resolution: Resolution, expr: syntax.Call) -> MemRef | None:
    """``pl.MemRef(base, offset, size)``, the printed form; the base is a name or string, or an address in old prints."""
    first = expr.args[0]
    if isinstance(first, syntax.Constant) and isinstance(first.value, str):
        base = first.value
    elif isinstance(first, syntax.Name):
        base = first.id
    else:
        address = _number(resolution, first, "address")
        return MemRef(byte_offset=address, size=_number(resolution, expr.args[1], "size", sign=True))
    offset = _offset(resolution, expr.args[1])
    size = _number(resolution, expr.args[2], "size", sign=True)
    return MemRef(base, offset, size, _slots(resolution, expr))


def _offset(resolution: Resolution, expr: syntax.Expr) -> Dim | None:
    """A byte offset; the printed form wraps a constant one: ``pl.const(0, pl.INT64)``."""
    if isinstance(expr, syntax.Call) and last_name(expr.func) == "const" and expr.args:
        value = plain_int(resolution, expr.args[0])
        if isinstance(value, int):
            return value
    return index_extent(resolution, expr)


def _number(resolution: Resolution, expr: syntax.Expr, field: str, *, sign: bool = False) -> int | None:
    value = plain_int(resolution, expr)
    if value is None:
        resolution.report(faults.MEMREF_NUMBER, expr.span, expr, field=field, text=expr.text)
    if not isinstance(value, int):
        return None
    if sign and value < 0:
        resolution.report(faults.MEMREF_NEGATIVE, expr.span, expr, field=field, value=value)
    return value
