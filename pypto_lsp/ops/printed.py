"""Operators that only printed IR has: allocations, the two forms of mrgsort, scale addresses."""

from __future__ import annotations

from dataclasses import replace

from pypto_lsp.diagnostics import faults_ops as faults
from pypto_lsp.ir.enums import Lane
from pypto_lsp.ir.types import UNDETERMINED, HandleType, TileType
from pypto_lsp.ops import operands
from pypto_lsp.ops.declare import flag_param, needed
from pypto_lsp.ops.registry import Arg, OpCall, OpFault, OpResult, Param
from pypto_lsp.ops.tensor_index import COMPARISONS
from pypto_lsp.ops.tile_declarations import SPACES, tile_op, tile_param
from pypto_lsp.ops.tile_matmul import MX_DTYPE, MX_SCALE, check_scale
from pypto_lsp.ops.tile_sort_gather import merge_blocks, merge_lists

_PAIRS = {"LeftScale": ("Left", 1), "RightScale": ("Right", 0)}


def alloc(call: OpCall) -> OpResult:
    return OpResult(HandleType("pl.Ptr"), "tile.alloc")


def mrgsort_lists(call: OpCall) -> OpResult:
    """Two to four sorted lists, then the scratch tile."""
    count = len(call.rest)
    if not 3 <= count <= 5:
        reason = f"it takes 2 to 4 lists and a scratch tile, here are {count} tiles"
        raise OpFault(faults.CONFLICTING_ARGUMENTS, reason=reason)
    sources = tuple(f"src{index}" for index in range(count - 1))
    bound: dict[str, Arg] = dict(zip((*sources, "tmp"), call.rest, strict=True))
    call.args.update(bound)
    operands.flag(call, "exhausted")
    result = merge_lists(call, sources)
    return replace(result, args=tuple((name, arg.expr) for name, arg in bound.items()))


def scale_address(call: OpCall) -> OpResult:
    """The scales of a Left or Right tile lie at an address that follows from the tile's own."""
    scale, data = operands.tile(call, "dst_scale"), operands.tile(call, "src")
    operands.require_dtype("dst_scale", scale.dtype if scale else None, (MX_SCALE,))
    operands.require_dtype("src", data.dtype if data else None, (MX_DTYPE,))
    for name, tile in (("dst_scale", scale), ("src", data)):
        operands.require_rank(name, tile, 2)
    if scale is None or data is None:
        return OpResult(scale or UNDETERMINED, "tile.tget_scale_addr")
    partner, contracted = _PAIRS.get(scale.memory or "", ("", 0))
    if not partner:
        got = scale.memory or "no space"
        raise OpFault(faults.WRONG_MEMORY, "dst_scale", expected=" or ".join(_PAIRS), got=got)
    if data.memory != partner:
        raise OpFault(faults.WRONG_MEMORY, "src", expected=partner, got=data.memory or "no space")
    check_scale("dst_scale", scale, data, contracted)
    result = TileType(scale.dtype, scale.shape, scale.memory, scale.view)
    return OpResult(result, "tile.tget_scale_addr")


def not_callable(call: OpCall) -> OpResult:
    raise OpFault(faults.WRONG_PLACE, reason="is no operator of a kernel")


OPERATORS = (
    tile_op(
        "alloc",
        (
            Param("memory_space", "MemorySpace", kind="positional_only", allowed=SPACES, attribute=True),
            Param("size", "int", kind="positional_only"), flag_param("pinned", keyword_only=True),
        ),
        alloc, "Reserve memory in a space.", memory="", returns="Ptr", lane=Lane.VECTOR, printed_only=True,
    ),
    tile_op(
        "mrgsort_format1", (tile_param("src0"), needed("block_len", "int | Scalar")), merge_blocks,
        "Merge the sorted blocks of a tile.", printed_only=True,
    ),
    tile_op(
        "mrgsort_format2", (Param("args", "Tile", kind="var_positional"), flag_param("exhausted", keyword_only=True)),
        mrgsort_lists, "Merge two to four sorted tiles.", printed_only=True,
    ),
    tile_op(
        "tget_scale_addr", (tile_param("dst_scale"), tile_param("src")), scale_address,
        "Bind a scale tile to the address that follows from its data tile.",
        memory="input", writes=("dst_scale",), printed_only=True,
    ),
    tile_op(
        "resolve_gather_compare_cmp_mode",
        (Param("cmp_mode", "str | int", allowed=tuple(f'"{c}"' for c in COMPARISONS), attribute=True),), not_callable,
        "Number of a comparison, for the compiler's own use.", memory="", returns="int", printed_only=True,
    ),
)  # fmt: skip
