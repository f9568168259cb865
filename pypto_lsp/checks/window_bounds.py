"""Windows that leave their tensor or tile: seen when the values of scalars are known, or when a loop comes to its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pypto_lsp.diagnostics import Diagnostic, Severity
from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import Dim, const_value
from pypto_lsp.ir.tile_views import valid_of
from pypto_lsp.ir.types import SHAPED, TENSORS, ScalarType, TileType
from pypto_lsp.ir.visit import bodies, walk
from pypto_lsp.ops.regions import WindowRead, WindowWrite, read_region, valid_region, written_region
from pypto_lsp.ops.registry import OpFault
from pypto_lsp.passes.outline_incore_scopes import Kernel
from pypto_lsp.passes.ranges import Interval, Ranges, trip_count
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.passes.tile_types import Shape, dims_of
from pypto_lsp.verifiers.kernel_rule import SurroundedKernelRule
from pypto_lsp.verifiers.rule import RuleContext

OUTSIDE, LAST_TRIP, NARROW_OFFSET = 3056, 3057, 3058

#: operators that read a window of their first operand -> the parameters of its offsets and extents
_READS = {
    "tensor.slice": ("offset", "shape"),
    "tile.slice": ("offset", "shape"),
    "tile.load": ("offsets", "shapes"),
}
#: operators that write one -> the parameters of the target, the value and the offsets
_WRITES = {
    "tensor.assemble": ("target", "source", "offset"),
    "tile.assemble": ("target", "source", "offset"),
    "tile.store": ("output_tensor", "tile", "offsets"),
}
#: operators on tiles of tensors whose offsets must be wide
_WIDE = frozenset({"tile.slice", "tile.assemble"})
_WIDE_DTYPES = frozenset({"INT64", "UINT64", "INDEX"})
_MAX_DEPTH = 16
_FRAME = """import pypto.language as pl


@pl.jit
def kernel(
    x: pl.Tensor[[100, 128], pl.FP32], i: pl.Tensor[[4], pl.INT32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]
):
    with pl.at(level=pl.Level.CORE_GROUP):
        {body}
    return o
"""


@dataclass(frozen=True, slots=True)
class _Around:
    """The indices of a function's launches with their bounds, and what it is given: parameters of jit kernels may be constants."""

    launched: frozenset[tuple[ir.Var, Interval]]
    given: frozenset[ir.Var]


class WindowBounds(SurroundedKernelRule[_Around]):
    """
    ## What it does
    Finds windows that begin before a tensor or tile, or reach past its end, where that shows only after loops are unrolled and
    scalars have their values; the same in a loop that is not unrolled (a warning); and offsets of windows of a computed tensor
    that are 32-bit integers.

    ## Why is this bad
    The compiler refuses the first and the last, late and often without a place. In a loop it does not notice: the kernel reads or
    overwrites what lies behind the tensor.

    ## Fix
    Say with `valid_shape` how much of the window there is, or `clamp=True`, or work on tiles that divide the tensor. Cast the offset to
    `pl.INDEX`.
    """

    rule_name = "WindowBounds"
    codes = {
        OUTSIDE: "a window leaves its tensor or tile",
        LAST_TRIP: "a window leaves its tensor in some trip of a loop",
        NARROW_OFFSET: "an offset in a computed tensor is a 32-bit integer",
    }
    stage = "ConvertTensorToTileOps"
    VALID = (
        _FRAME.format(body="k = 36\n        o[:] = pl.exp(x[k : k + 64, :])"),
        _FRAME.format(
            body="for k in pl.range(2):\n            t = pl.slice(x, [64, 128], [k * 64, 0], valid_shape=[36, 128])\n"
            "            o[:] = pl.exp(t)"
        ),
        _FRAME.format(
            body="k = pl.cast(pl.read(i, [0]), pl.INDEX)\n        y = pl.exp(x)\n        o[:] = pl.neg(y[k : k + 64, :])"
        ),
    )
    INVALID = (
        _FRAME.format(body="k = 64\n        o[:] = pl.exp(⟦x[k : k + 64, :]⟧)"),
        _FRAME.format(body="for k in pl.range(2):\n            o[:] = pl.exp(⟦x[k * 64 : k * 64 + 64, :]⟧)"),
        _FRAME.format(body="k = pl.read(i, [0])\n        y = pl.exp(x)\n        o[:] = pl.neg(⟦y[k : k + 64, :]⟧)"),
    )

    def around(self, function: ir.Function, context: RuleContext) -> _Around:
        launched = context.pipeline.collected(_launched, function.body or ())
        return _Around(frozenset(launched), frozenset(() if function.jit else function.params))

    def kernel(self, kernel: TileKernel, around: _Around, context: RuleContext) -> Iterator[Diagnostic]:
        """The findings in a kernel, one for each place: a loop that is unrolled has many copies."""
        shown: set[object] = set()
        trips = _Trips(kernel.source, dict(around.launched))
        #: what is made from windows that are shown: as large as those, it is no fault of its own
        made: set[ir.Var] = set()
        for var, call, window, reason in context.pipeline.collected(_windowed, kernel.source.body):
            follows = any(isinstance(arg, ir.Read) and arg.var in made for arg in call.args)
            if var is not None and (follows or (call.span is not None and call.span.key() in shown)):
                made.add(var)
            if call.span is None or call.span.key() in shown or follows:
                continue
            fault = None if window is None else _fault(window, reason, trips)
            if fault is not None:
                shown.add(call.span.key())
                made.update(() if var is None else (var,))
                yield from self._finding(*fault, call, kernel)
        for call in context.pipeline.collected(_wide_calls, kernel.kernel.body):
            if call.span is not None and call.span.key() not in shown:
                name = _narrow_offset(call, kernel.source, around.given)
                if name is not None:
                    shown.add(call.span.key())
                    text = f"the offset '{name}' of this window must be an INDEX: what is cut is computed on chip"
                    yield from self._finding(NARROW_OFFSET, text, call, kernel)

    def _finding(self, code: int, message: str, call: ir.Call, kernel: TileKernel) -> Iterable[Diagnostic]:
        severity = Severity.WARNING if code == LAST_TRIP else None
        return self.finding(
            code, call.span, message, function=kernel.function, subject=call, severity=severity, op=str(call.op)
        )


# --- windows ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Window:
    """A window of constant or other extents in something that is wholly valid or not."""

    call: ir.Call
    whole: Shape
    offsets: Shape
    extents: Shape
    #: what of it is asked for
    requested: Shape = ()
    clamp: bool = False
    written: bool = False
    #: what is written or read is no part of a larger tile or tensor
    plain: bool = True

    def fault(self) -> str | None:
        """Why it surely leaves what it lies in."""
        open_axes = [axis for axis in range(len(self.whole)) if self.requested or not self._lies_within(axis)]
        if not open_axes:
            return None
        whole, offsets, extents, requested = (
            tuple(dims[axis] for axis in open_axes) if dims else ()
            for dims in (self.whole, self.offsets, self.extents, self.requested)
        )
        try:
            if self.written:
                written_region(WindowWrite(whole, whole, extents, extents, offsets))
            else:
                read_region(WindowRead(whole, whole, offsets, extents, requested, clamp=self.clamp))
        except OpFault as fault:
            return str(fault.facts.get("reason")) if fault.kind is faults.OUT_OF_BOUNDS else None
        return None

    def _lies_within(self, axis: int) -> bool:
        """Whether constants show that there is room in one dimension; it is so in most, and quickly seen."""
        size, start, reach = (const_value(dims[axis]) for dims in (self.whole, self.offsets, self.extents))
        return size is not None and start is not None and reach is not None and 0 <= start <= size - reach


def _window(call: ir.Call) -> _Window | None:
    """The window that an operator reads or writes; None where it is not known."""
    op = str(call.op)
    if op in _READS:
        names = _READS[op]
        whole = call.args[0] if call.args else None
        offsets, extents = dims_of(call.get(names[0])), dims_of(call.get(names[1]))
        requested = dims_of(call.get("valid_shape"))
        if call.get("valid_shape") is not None and requested is None:
            return None
        made = _shape(whole), offsets, extents
        clamp = call.kwargs.get("clamp", False) is not False
        plain = whole is not None and _wholly_valid(whole)
    elif op in _WRITES and call.get("shapes") is None:
        whole, value, requested, clamp = call.get(_WRITES[op][0]), call.get(_WRITES[op][1]), None, False
        plain = whole is not None and value is not None and _wholly_valid(value)
        made = _shape(whole), dims_of(call.get(_WRITES[op][2])), _valid(value)
    else:
        return None
    if made[0] is None or made[1] is None or made[2] is None or not len(made[0]) == len(made[1]) == len(made[2]):
        return None
    return _Window(call, made[0], made[1], made[2], requested or (), clamp, op in _WRITES, plain)


def _windowed(stmt: ir.Stmt) -> tuple[tuple[ir.Var | None, ir.Call, _Window | None, str | None], ...]:
    """The operator call of a statement with the variable that is bound to it, its window, and why that surely leaves what it lies in."""
    found = []
    for call in _call(stmt):
        window = _window(call)
        reason = None if window is None else window.fault()
        found.append((stmt.var if isinstance(stmt, ir.Assign) else None, call, window, reason))
    return tuple(found)


def _fault(window: _Window, reason: str | None, trips: _Trips) -> tuple[int, str] | None:
    """What is wrong with a window, with its code."""
    if reason is not None:
        return OUTSIDE, f"this window leaves what it lies in: {reason}"
    if (reason := trips.fault(window)) is not None and id(window.call) in trips.sure():
        return LAST_TRIP, f"in some trip of the loop this window leaves what it lies in: {reason}"
    return None


def _shape(expr: ir.Expr | None) -> Shape | None:
    return expr.type.shape if expr is not None and isinstance(expr.type, SHAPED) else None


def _valid(expr: ir.Expr | None) -> Shape | None:
    """The extents of what is valid of a value."""
    if expr is None:
        return None
    if isinstance(expr.type, TileType):
        return valid_of(expr.type)
    return valid_region(expr.type) if isinstance(expr.type, TENSORS) else None


def _wholly_valid(expr: ir.Expr) -> bool:
    valid, shape = _valid(expr), _shape(expr)
    return valid is not None and valid == shape


def _wide_calls(stmt: ir.Stmt) -> tuple[ir.Call, ...]:
    return tuple(call for call in _call(stmt) if call.op in _WIDE)


def _call(stmt: ir.Stmt) -> Iterator[ir.Call]:
    """The operator call that is the whole value of a statement."""
    value = stmt.value if isinstance(stmt, ir.Assign) else stmt.expr if isinstance(stmt, ir.Eval) else None
    if isinstance(value, ir.Call) and isinstance(value.op, str):
        yield value


# --- trips of loops --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Trips:
    """The values that offsets have in the trips of loops with constant bounds, and in the blocks of launches (``launched``)."""

    kernel: Kernel
    launched: Mapping[ir.Var, Interval]
    #: scalars of which an expression was made
    met: set[ir.Var] = field(default_factory=set)
    _sure: set[int] = field(default_factory=set)

    def sure(self) -> set[int]:
        """The calls that are met in every trip of the loops around them, by identity."""
        if not self._sure:
            self._sure.update(map(id, _always(self.kernel.body, self.kernel.ranges)))
        return self._sure

    def fault(self, window: _Window) -> str | None:
        """Why a window surely leaves what it lies in, in some trip."""
        if window.requested or window.clamp or not window.plain:
            return None
        for axis, (whole, offset, extent) in enumerate(zip(window.whole, window.offsets, window.extents)):
            if const_value(offset) is not None:
                continue
            size, reach = const_value(whole), const_value(extent)
            self.met.clear()
            ends = None if size is None or reach is None else self._ends(offset, 0)
            if size is None or reach is None or ends is None:
                continue
            if ends[0] < 0:
                return f"the offset in dimension {axis} is {ends[0]}"
            if ends[1] + reach > size:
                return f"offset {ends[1]} plus extent {reach} is beyond {size} in dimension {axis}"
        return None

    def _ends(self, expr: Dim, depth: int) -> tuple[int, int] | None:
        """The lowest and highest value that an offset surely has; None where that is open."""
        constant = const_value(expr)
        if constant is not None:
            return constant, constant
        if depth > _MAX_DEPTH:
            return None
        match expr:
            case ir.Binary(op="+" | "-" | "*"):
                left, right = self._ends(expr.left, depth + 1), self._ends(expr.right, depth + 1)
                return None if left is None or right is None else _combined(expr.op, left, right)
            case ir.Read() | ir.Var():
                return self._scalar(expr.var if isinstance(expr, ir.Read) else expr, depth)
            case _:
                return None

    def _scalar(self, var: ir.Var, depth: int) -> tuple[int, int] | None:
        if (made := self.kernel.ranges.definitions.get(var)) is not None:
            return self._ends(made, depth + 1)
        low, high = self.launched.get(var) or self.kernel.ranges.bounds.get(var) or (None, None)
        if low is None or high is None or var in self.met:
            return None
        self.met.add(var)
        return low, high


def _combined(op: str, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int] | None:
    if op == "+":
        return left[0] + right[0], left[1] + right[1]
    if op == "-":
        return left[0] - right[1], left[1] - right[0]
    if left[0] != left[1] and right[0] != right[1]:
        return None
    products = sorted(one * other for one in left for other in right)
    return products[0], products[-1]


def _launched(stmt: ir.Stmt) -> tuple[tuple[ir.Var, Interval], ...]:
    """The index of a launch of constant width."""
    if not isinstance(stmt, ir.SpmdScope) or stmt.index_var is None:
        return ()
    width = const_value(stmt.core_num)
    return ((stmt.index_var, (0, width - 1)),) if width is not None and width > 0 else ()


def _always(body: ir.Body, ranges: Ranges) -> Iterator[ir.Call]:
    """The calls of a kernel that are surely made in every trip of the loops around them."""
    for stmt in body:
        yield from _call(stmt)
        runs = not isinstance(stmt, (ir.If, ir.While))
        if isinstance(stmt, ir.For):
            runs = bool(trip_count(stmt, ranges)) and not _leaves(stmt.body)
        if runs:
            for nested in bodies(stmt):
                yield from _always(nested, ranges)


def _leaves(body: ir.Body) -> bool:
    return any(isinstance(stmt, (ir.Break, ir.Continue)) for stmt in walk(body))


# --- offsets in computed tensors -------------------------------------------------------------------------------------


def _narrow_offset(call: ir.Call, kernel: Kernel, given: frozenset[ir.Var]) -> str | None:
    """The name of an offset that is too narrow: one that is read or computed, or ``given`` to the function."""
    offsets = call.get("offset")
    for offset in offsets.elements if isinstance(offsets, ir.MakeTuple) else ():
        var, type_ = offset.var if isinstance(offset, ir.Read) else offset, offset.type
        if not isinstance(var, ir.Var) or not isinstance(type_, ScalarType) or type_.dtype is None:
            continue
        known = isinstance(kernel.ranges.definitions.get(var), ir.Call) or var in given
        if known and type_.dtype.name not in _WIDE_DTYPES:
            return var.name
    return None
