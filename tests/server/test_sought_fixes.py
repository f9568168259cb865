"""Fixes that take analyses of their own come when they are asked for, in each of three editors."""

from __future__ import annotations

from lsp_editor import Editor

KERNEL = """\
import pypto.language as pl

COLS = 64


@pl.program
class Copy:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[64, 512], pl.FP32], out: pl.Out[pl.Tensor[[64, 512], pl.FP32]]
    ) -> pl.Tensor[[64, 512], pl.FP32]:
        tile = pl.load(x, [0, 0], [64, COLS])
        out = pl.store(tile, [0, 0], out)
        return out
"""


async def test_the_number_that_sets_the_rows_is_changed(editor: Editor) -> None:
    editor.open(KERNEL)
    found = await editor.codes("PH001", "PH001")
    assert all(not diagnostic.data["fixes"] for diagnostic in found)
    fix = (await editor.actions(found[0]))[0]
    assert fix.title == "COLS 64 -> 128: rows of 512 B"
    editor.apply(fix.edit)
    assert "COLS = 128\n" in editor.text
    await editor.codes()


async def test_where_nothing_is_safe_only_the_comment_is_offered(editor: Editor) -> None:
    editor.open(KERNEL.replace("[64, 512]", "[64, 64]"))
    found = await editor.codes("PH001", "PH001")
    titles = [action.title for action in await editor.actions(found[0])]
    assert titles == ["Ignore PH001 on this line"]
