"""A tensor that one kernel writes both by element and by tile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import TENSORS, Type
from pypto_lsp.ir.visit import bodies, yielded
from pypto_lsp.passes.tile_kernels import TileKernel
from pypto_lsp.passes.tile_types import static_shape
from pypto_lsp.text import Span
from pypto_lsp.verifiers.kernel_rule import KernelRule
from pypto_lsp.verifiers.rule import RuleContext, related

_FRAME = """import pypto.language as pl


@pl.jit
def kernel(x: pl.Tensor[[64, 64], pl.FP32], o: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        o[:] = pl.neg(x)
{write}
    return o
"""


class MixedStores(KernelRule):
    """
    ## What it does
    Finds a tensor into which one kernel both stores tiles and writes single elements.

    ## Why is this bad
    The two take different paths to memory, which nothing orders. The compiler refuses it.

    ## Fix
    Write the elements into a tile and store that, or write every element by itself, or put the two into kernels of their own.
    """

    rule_name = "MixedStores"
    codes = {3052: "a tensor is written by element and by tile"}
    stage = "ConvertTensorToTileOps"
    VALID = (
        _FRAME.format(
            write="    with pl.at(level=pl.Level.CORE_GROUP):\\n        pl.write(o, [0, 0], pl.read(x, [0, 0]))"
        ),
    )
    INVALID = (_FRAME.format(write="        ⟦pl.write(o, [0, 0], pl.read(x, [0, 0]))⟧"),)

    def kernel(self, kernel: TileKernel, context: RuleContext) -> Iterable[Diagnostic]:
        if kernel.kernel.func_type != "InCore":
            return
        written = _Written({param: param for param in kernel.kernel.params if isinstance(param.type, TENSORS)})
        written.body(kernel.kernel.body)
        for param, write in written.elements.items():
            store = written.tiles.get(param)
            if store is not None:
                yield from self.finding(
                    3052,
                    write,
                    f"'{param.name}' is written here by element, and by tile elsewhere in the same kernel",
                    function=kernel.function,
                    related=related(store, "here by tile"),
                    tensor=param.name,
                )


@dataclass
class _Written:
    """Follows the tensors that a kernel gets: which are written, how, and where first."""

    #: variable -> the parameter that it is, or a later state of
    roots: dict[ir.Var, ir.Var]
    tiles: dict[ir.Var, Span | None] = field(default_factory=dict)
    elements: dict[ir.Var, Span | None] = field(default_factory=dict)
    #: tiles of one constant
    constant: set[ir.Var] = field(default_factory=set)

    def body(self, body: ir.Body) -> None:
        for stmt in body:
            for target, source in _carried(stmt):
                self._same(target, source)
            value = stmt.value if isinstance(stmt, ir.Assign) else stmt.expr if isinstance(stmt, ir.Eval) else None
            if isinstance(value, ir.Call):
                self._call(value, stmt)
            elif isinstance(stmt, ir.Assign) and value is not None:
                self._same(stmt.var, value)
            for nested in bodies(stmt):
                self.body(nested)
            for result, value in _results(stmt):
                self._same(result, value)

    def _same(self, var: ir.Var, value: ir.Expr) -> None:
        root = self.roots.get(value.var) if isinstance(value, ir.Read) else None
        if root is not None:
            self.roots.setdefault(var, root)

    def _call(self, call: ir.Call, stmt: ir.Stmt) -> None:
        if call.op == "tile.full" and isinstance(stmt, ir.Assign):
            self.constant.add(stmt.var)
        by_tile = call.op == "tile.store"
        if not by_tile and call.op != "tensor.write":
            return
        tile = call.args[0]
        target = call.get("output_tensor") if by_tile else tile
        constant = by_tile and isinstance(tile, ir.Read) and tile.var in self.constant
        if constant and (target is None or _may_cover(tile.type, target.type)):
            return  # writes after it may go into the same tile
        root = self.roots.get(target.var) if isinstance(target, ir.Read) else None
        if root is None:
            return
        (self.tiles if by_tile else self.elements).setdefault(root, call.span)
        if isinstance(stmt, ir.Assign):
            self.roots.setdefault(stmt.var, root)


def _may_cover(tile: Type, tensor: Type) -> bool:
    """Whether a tile may have the extents of a tensor."""
    one, other = static_shape(tile), static_shape(tensor)
    return one is None or other is None or one == other


def _carried(stmt: ir.Stmt) -> Iterator[tuple[ir.Var, ir.Expr]]:
    """What a loop's variables hold at first."""
    if isinstance(stmt, (ir.For, ir.While)):
        for arg in stmt.iter_args:
            yield arg.var, arg.init


def _results(stmt: ir.Stmt) -> Iterator[tuple[ir.Var, ir.Expr]]:
    """What the results of a loop or branch hold."""
    if isinstance(stmt, (ir.For, ir.While)):
        yield from zip(stmt.return_vars, (ir.Read(arg.var) for arg in stmt.iter_args))
    elif isinstance(stmt, ir.If):
        yield from zip(stmt.return_vars, yielded(stmt.then))
