"""Memory spaces from which tile operators read their operands (reference: the operators' declarations).

The spaces that the operands may lie in, in order; an empty entry is an operand without a constraint.
"""

from __future__ import annotations

_GROUPS: tuple[tuple[str, str], ...] = (
    ("Vec/Acc", "pld.tile.remote_store tile.store"),
    ("Left Right", "tile.batch_matmul tile.gemv tile.matmul"),
    ("Left Right Bias", "tile.gemv_bias tile.matmul_bias"),
    ("Acc Left Right", "tile.batch_matmul_acc tile.gemv_acc tile.matmul_acc"),
    ("Left LeftScale Right RightScale", "tile.matmul_mx"),
    ("Left LeftScale Right RightScale Bias", "tile.matmul_mx_bias"),
    ("Acc Left LeftScale Right RightScale", "tile.matmul_mx_acc"),
    (
        "Vec",
        "tile.abs tile.adds tile.ands tile.cast tile.cmps tile.col_max tile.col_min tile.col_prod tile.cos tile.divs tile.exp "
        "tile.expands tile.fillpad tile.fillpad_expand tile.fillpad_inplace tile.fmods tile.gather_mask tile.log tile.lrelu "
        "tile.maximums tile.minimums tile.mrgsort_format1 tile.muls tile.neg tile.not tile.ors tile.read tile.recip tile.relu "
        "tile.shls tile.shrs tile.sin tile.sqrt tile.subs tile.write",
    ),
    ("Vec - Vec", "tile.addsc tile.gather_compare tile.rems tile.subsc tile.xors"),
    (
        "Vec Vec",
        "tile.add tile.and tile.cmp tile.col_argmax tile.col_argmin tile.col_expand tile.col_expand_add tile.col_expand_div "
        "tile.col_expand_expdif tile.col_expand_max tile.col_expand_min tile.col_expand_mul tile.col_expand_sub tile.col_sum "
        "tile.concat tile.div tile.fmod tile.gatherb tile.maximum tile.minimum tile.mscatter tile.mul tile.or tile.part_add "
        "tile.part_max tile.part_min tile.part_mul tile.row_argmax tile.row_argmin tile.row_expand tile.row_expand_div "
        "tile.row_expand_expdif tile.row_expand_max tile.row_expand_min tile.row_expand_mul tile.row_expand_sub tile.row_max "
        "tile.row_min tile.row_prod tile.row_sum tile.rsqrt tile.scatter_mask tile.shl tile.shr tile.sort32 tile.sub",
    ),
    (
        "Vec Vec Vec",
        "tile.addc tile.gather tile.prelu tile.rem tile.row_expand_add tile.scatter tile.scatter_update tile.sels tile.subc "
        "tile.xor",
    ),
    ("Vec Vec Vec Vec", "tile.sel"),
    ("Vec Vec Vec Vec Vec", "tile.mrgsort_format2"),
)


def _spaces(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(() if part == "-" else tuple(part.split("/")) for part in text.split())


#: operator -> for each operand the spaces that it may lie in
INPUT_MEMORY: dict[str, tuple[tuple[str, ...], ...]] = {
    name: _spaces(spaces) for spaces, names in _GROUPS for name in names.split()
}

__all__ = ["INPUT_MEMORY"]
