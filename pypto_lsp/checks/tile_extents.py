"""Tiles that cannot be given memory: an extent is not constant, or is not positive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.arith import Dim
from pypto_lsp.ir.printer_types import print_dim
from pypto_lsp.ir.types import ScalarType, TileType
from pypto_lsp.ir.visit import bodies, walk
from pypto_lsp.passes.convert_tensor_to_tile_ops import ENTRY
from pypto_lsp.passes.core_affinity import family
from pypto_lsp.passes.memory import SHARING
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.passes.varying import Varying
from pypto_lsp.text import Span
from pypto_lsp.verifiers.kernel_rule import SurroundedKernelRule
from pypto_lsp.verifiers.rule import RuleContext, related

_FRAME = """import pypto.language as pl

M = pl.dynamic("M")


@pl.jit
def kernel(x: pl.Tensor[[M, 128], pl.FP32], o: pl.Out[pl.Tensor[[M, 128], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        {body}
    return o
"""
_LOOP = """for i in pl.range(0, M, 64):
            t = pl.load(x, [i, 0], [64, 128], valid_shape=[pl.min(64, M - i), 128])
            pl.store(pl.mul(t, 2.0), [i, 0], o)"""


@dataclass(frozen=True, slots=True)
class _Around:
    """The scalars that a function is given, and its loops: variable, start, stop and step."""

    given: frozenset[ir.Var]
    loops: tuple[tuple[ir.Var, ir.Expr, ir.Expr, ir.Expr], ...]


class TileExtents(SurroundedKernelRule[_Around]):
    """
    ## What it does
    Finds tiles of which an extent is known only when the kernel runs, and tiles of which an extent is zero or less.

    ## Why is this bad
    A tile lies in memory of a fixed size, which the compiler sets aside. It stops at such a tile.

    ## Fix
    Work on tiles of constant extents in a loop, and say with `valid_shape` how much of the last one counts.
    """

    rule_name = "TileExtents"
    codes = {3053: "an extent of a tile is not constant", 3054: "an extent of a tile is not positive"}
    stage = "InitMemRef"
    VALID = (_FRAME.format(body=_LOOP),)
    INVALID = (
        _FRAME.format(body="o[:] = ⟦pl.mul(x, 2.0)⟧"),
        _FRAME.format(body="t = ⟦pl.load(x, [0, 0], [0, 128])⟧\n        pl.store(pl.mul(t, 2.0), [0, 0], o)"),
    )

    def may_find(self, kernel: TileKernel, context: RuleContext) -> bool:
        return bool(context.pipeline.collected(_suspects, kernel.kernel.body))

    def around(self, function: ir.Function, context: RuleContext) -> _Around:
        loops = [s for s in walk(function.body or ()) if isinstance(s, ir.For)]
        return _Around(frozenset(_given(function)), tuple((s.var, s.start, s.stop, s.step) for s in loops))

    def kernel(self, kernel: TileKernel, around: _Around, context: RuleContext) -> Iterator[Diagnostic]:
        """The tiles that are made from nothing on chip: what is computed from them has their extents."""
        body = kernel.kernel.body
        made = {s.var: s.value for s in walk(body) if isinstance(s, ir.Assign) and isinstance(s.var.type, ScalarType)}
        inside = ((s.var, s.start, s.stop, s.step) for s in walk(body) if isinstance(s, ir.For))
        loops = {var: bounds for var, *bounds in (*around.loops, *inside)}
        varying = Varying(kernel.kernel.ranges, around.given, made, loops)
        reached = {id(stmt) for stmt in _reached(body, varying)}
        for stmt, call, type_ in context.pipeline.collected(_suspects, body):
            fault = next(_faults(type_, varying), None) if id(stmt) in reached else None
            if fault is not None:
                yield from self._finding(*fault, call, stmt.var, kernel)

    def _finding(self, code: int, extent: Dim, call: ir.Call, var: ir.Var, kernel: TileKernel) -> Iterable[Diagnostic]:
        text = print_dim(extent) or "an extent"
        message = (
            f"this makes a tile of which an extent, {text}, is known only at run time; a tile's extents must be constant"
            if code == 3053
            else f"this makes a tile with the extent {text}; a tile's extents must be positive"
        )
        operand = call.attrs.get(ENTRY)
        user = _first_user(kernel.kernel.body, var) if operand is not None else None
        return self.finding(
            code,
            user or operand or call.span,
            message,
            function=kernel.function,
            related=related(operand if user is not None else None, "this operand is loaded whole"),
            subject=call,
            extent=text,
        )


def _given(function: ir.Function) -> Iterator[ir.Var]:
    """The scalars that the function around a kernel is given, the dynamic dimensions of its parameters, and the indices of its
    launches. The scalars of jit kernels may be constants by the time they are compiled."""
    for param in function.params:
        if not function.jit and isinstance(param.type, ScalarType):
            yield param
        for extent in getattr(param.type, "shape", None) or ():
            if isinstance(extent, ir.Var) and extent.symbol:
                yield extent
    for stmt in walk(function.body or ()):
        if isinstance(stmt, ir.SpmdScope) and stmt.index_var is not None:
            yield stmt.index_var


def _reached(body: ir.Body, varying: Varying) -> Iterator[ir.Stmt]:
    """The statements of a body that are not in loops which may not run at all."""
    for stmt in body:
        yield stmt
        if not isinstance(stmt, ir.For) or varying.runs(stmt):
            for nested in bodies(stmt):
                yield from _reached(nested, varying)


def _suspects(stmt: ir.Stmt) -> tuple[tuple[ir.Assign, ir.Call, TileType], ...]:
    """A statement that makes a tile from nothing on chip, unless its extents are positive constants."""
    value = stmt.value if isinstance(stmt, ir.Assign) else None
    if not isinstance(stmt, ir.Assign) or not isinstance(value, ir.Call) or not isinstance(stmt.var.type, TileType):
        return ()
    if all(isinstance(extent, int) and extent > 0 for extent in stmt.var.type.shape or ()) or not _is_first(value):
        return ()
    return ((stmt, value, stmt.var.type),)


def _is_first(call: ir.Call) -> bool:
    """Whether a tile is made from nothing that is on chip already."""
    if not isinstance(call.op, str) or family(call.op)[1] in SHARING:
        return False
    return not any(isinstance(arg.type, TileType) for arg in call.args)


def _faults(type_: TileType, varying: Varying) -> Iterator[tuple[int, Dim]]:
    """What is wrong with the extents of a tile."""
    for extent in type_.shape or ():
        constant = varying.ranges.constant(extent)
        if constant is not None and constant <= 0:
            yield 3054, extent
        elif constant is None and varying.varies(extent):
            yield 3053, extent


def _first_user(body: ir.Body, var: ir.Var) -> Span | None:
    """The first operator that works on a tile."""
    for stmt in walk(body):
        value = stmt.value if isinstance(stmt, ir.Assign) else stmt.expr if isinstance(stmt, ir.Eval) else None
        if isinstance(value, ir.Call) and any(isinstance(arg, ir.Read) and arg.var is var for arg in value.args):
            return value.span
    return None
