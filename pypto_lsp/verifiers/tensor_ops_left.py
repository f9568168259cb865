"""Tensor operators in kernels, after the pass that makes tile operators of them."""

from __future__ import annotations

from collections.abc import Iterator

from pypto_lsp.diagnostics import Diagnostic
from pypto_lsp.ir import nodes as ir
from pypto_lsp.ir.types import TENSORS
from pypto_lsp.ir.visit import value_of, walk
from pypto_lsp.verifiers.printed_examples import SHAPE, printed
from pypto_lsp.verifiers.rule import Rule, RuleContext

#: tensor operators that become tile operators (reference: the operator conversion registry)
_NAMES = (
    "abs add adds aic_gather aiv_shard and ands assemble cast ci cmp col_argmax col_argmin col_expand col_expand_add "
    "col_expand_div col_expand_expdif col_expand_max col_expand_min col_expand_mul col_expand_sub col_max col_min col_prod "
    "col_sum concat cos create create_l1 div divs exp expand_clone expands fillpad fillpad_expand fmod fmods full gather "
    "gather_compare gather_mask gather_row get_block_idx get_block_num get_subblock_idx log matmul matmul_acc maximum "
    "minimum mrgsort_format1 mrgsort_format2 mul muls neg not or ors paged_gather part_add part_max part_min part_mul "
    "random read recip reinterpret_view reshape row_argmax row_argmin row_expand row_expand_add row_expand_div "
    "row_expand_expdif row_expand_max row_expand_min row_expand_mul row_expand_sub row_max row_min row_prod row_sum rsqrt "
    "scatter scatter_mask scatter_update set_validshape shl shls shr shrs sin slice sort32 sqrt sub subs transpose write "
    "xor xors"
)
CONVERTED = frozenset(f"tensor.{name}" for name in _NAMES.split())


class IncoreTileOps(Rule):
    """
    ## What it does
    Finds a tensor operator in an InCore function that has a tile operator to become. Reading and writing elements of a
    tensor stay as they are.

    ## Why is this bad
    ConvertTensorToTileOps has converted all of them; no later pass does.

    ## Fix
    In a dump: restore the tile operator. In a source this is the compiler's work.
    """

    rule_name = "IncoreTileOps"
    ir_property = "IncoreTileOps"
    codes = {0: "a tensor operator is left in a kernel"}
    stage = "ConvertTensorToTileOps"
    on_dsl = False
    VALID = (printed("return o"),)
    INVALID = (printed(f"⟦t: pl.Tensor[{SHAPE}] = pl.tensor.exp(x)⟧", "return o"),)

    def verify_function(self, function: ir.Function, program: ir.Program, context: RuleContext) -> Iterator[Diagnostic]:
        if function.func_type != "InCore":
            return
        for stmt in walk(function.body or ()):
            call = value_of(stmt)
            if not isinstance(call, ir.Call) or call.op not in CONVERTED:
                continue
            on_memory = bool(call.args) and isinstance(call.args[0].type, TENSORS)
            if not (call.op in ("tensor.read", "tensor.write") and on_memory):
                yield from self.finding(
                    0, stmt.span, f"'{call.op}' should be a tile operator at this stage", function=function, subject=stmt,
                    op=call.op,
                )  # fmt: skip
