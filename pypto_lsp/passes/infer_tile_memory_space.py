"""InferTileMemorySpace: where every tile of a kernel lies.

The operator decides: matrix products compute into Acc, views and assembles lie where their tile lies, a load or move says where
it goes, everything else computes in Vec. A tile that a loop carries lies where the loop's body leaves it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.dtypes import BF16, FP16, FP32
from pypto_lsp.ir.enums import EnumMember
from pypto_lsp.ir.types import TileType, Type
from pypto_lsp.ir.visit import bodies, header_exprs, walk, walk_expr, yielded
from pypto_lsp.passes.core_affinity import family
from pypto_lsp.passes.tile_types import INHERITING, RETARGETABLE, is_matrix_product

#: spaces from which a tile can be stored; one that lies elsewhere is moved to Vec first
STORABLE = ("Vec", "Acc")


def infer_tile_memory_space(body: ir.Body, folded: frozenset[ir.Var] | None = None) -> dict[ir.Var, str]:
    """The memory space of each tile variable of a kernel on tiles; ``folded`` are conversions into Mat, by default those of
    :func:`folded_casts`."""
    inference = _Inference(folded_casts(body) if folded is None else folded)
    inference.body(body)
    return inference.memory


def folded_casts(body: ir.Body) -> frozenset[ir.Var]:
    """Conversions of matrix products that the cube core does on the way into Mat: FP32 to a 16-bit float, rounded to the nearest,
    ties to even, where only further products use the result."""
    casts: set[ir.Var] = set()
    others: set[ir.Var] = set()
    for stmt in walk(body):
        value = stmt.value if isinstance(stmt, ir.Assign) else None
        factors: tuple[ir.Expr, ...] = ()
        if isinstance(stmt, ir.Assign) and isinstance(value, ir.Call) and isinstance(value.op, str):
            name = family(value.op)[1]
            if is_matrix_product(name):
                factors = value.args[1:3] if name.endswith("_acc") else value.args[:2]
            elif value.op == "tile.cast" and _narrows_to_nearest(value):
                source = value.args[0] if value.args else None
                if source is not None and is_product_type(source.type):
                    casts.add(stmt.var)
        kept = {id(factor) for factor in factors}
        for expr in header_exprs(stmt):
            others.update(_read_besides(expr, kept))
    return frozenset(casts - others)


def is_product_type(type_: Type) -> bool:
    """Whether a tile is known to lie in Acc before memory spaces are inferred: a product itself, not one that a loop carries."""
    return isinstance(type_, TileType) and type_.memory == "Acc"


def _narrows_to_nearest(cast: ir.Call) -> bool:
    source = cast.args[0].type if cast.args else None
    if not isinstance(source, TileType) or not isinstance(cast.type, TileType):
        return False
    narrow = cast.type.dtype in (BF16, FP16)
    return source.dtype is FP32 and narrow and cast.kwargs.get("mode", "round") in ("rint", 1)


def _read_besides(expr: ir.Expr, kept: set[int]) -> set[ir.Var]:
    """Variables that an expression reads, without the operands named."""
    return {node.var for node in walk_expr(expr, attrs=False) if isinstance(node, ir.Read) and id(node) not in kept}


def space_of(expr: ir.Expr, memory: Mapping[ir.Var, str]) -> str | None:
    """The memory space of a tile operand; None when it is no tile."""
    if isinstance(expr, ir.Read) and (known := memory.get(expr.var)) is not None:
        return known
    return expr.type.memory or "Vec" if isinstance(expr.type, TileType) else None


def stored_from(expr: ir.Expr, memory: Mapping[ir.Var, str]) -> str:
    """The memory space out of which a tile is stored."""
    space = space_of(expr, memory) or "Vec"
    return space if space in STORABLE else "Vec"


@dataclass
class _Inference:
    folded: frozenset[ir.Var]
    memory: dict[ir.Var, str] = field(default_factory=dict)

    def body(self, body: ir.Body) -> None:
        for stmt in body:
            match stmt:
                case ir.Assign() if isinstance(stmt.var.type, TileType):
                    self.memory[stmt.var] = "Mat" if stmt.var in self.folded else self._produced(stmt.value)
                case ir.For() | ir.While():
                    self._loop(stmt)
                case ir.If():
                    self._branches(stmt)
                case _:
                    for nested in bodies(stmt):
                        self.body(nested)

    def _produced(self, value: ir.Expr) -> str:
        if not isinstance(value, ir.Call) or not isinstance(value.op, str):
            return space_of(value, self.memory) or "Vec"
        head, name = family(value.op)
        if head != "tile":
            return value.type.memory or "Vec" if isinstance(value.type, TileType) else "Vec"
        if is_matrix_product(name):
            return "Acc"
        if name in RETARGETABLE:
            target = value.kwargs.get("target_memory")
            return target.name if isinstance(target, EnumMember) else "Vec"
        if name in INHERITING:
            spaces = (space_of(arg, self.memory) for arg in value.args)
            return next((space for space in spaces if space is not None), "Vec")
        own = value.type.memory if isinstance(value.type, TileType) else None
        return own or "Vec"

    def _loop(self, stmt: ir.For | ir.While) -> None:
        for arg in stmt.iter_args:
            if isinstance(arg.var.type, TileType):
                self.memory[arg.var] = space_of(arg.init, self.memory) or "Vec"
        self.body(stmt.body)
        for var, arg, value in zip(stmt.return_vars, stmt.iter_args, yielded(stmt.body)):
            if not isinstance(var.type, TileType):
                continue
            space = space_of(value, self.memory) or "Vec"
            self.memory[var] = self.memory[arg.var] = space
            if isinstance(arg.init, ir.Read) and isinstance(arg.init.type, TileType):
                self.memory[arg.init.var] = space

    def _branches(self, stmt: ir.If) -> None:
        self.body(stmt.then)
        self.body(stmt.orelse or ())
        for var, value in zip(stmt.return_vars, yielded(stmt.then)):
            if isinstance(var.type, TileType):
                self.memory[var] = space_of(value, self.memory) or "Vec"
