"""Fixes that take analyses of their own come when they are asked for, in each of three editors."""

from __future__ import annotations

from lsp_editor import Editor
from lsprotocol import types as lsp

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
    *disabled, ignore = await editor.actions(found[0])
    assert ignore.title == "Ignore PH001 on this line"
    reason = "with COLS = 128, line 12: "
    if editor.client.editor_name == "vscode":  # the one that shows actions which cannot be chosen
        (action,) = disabled
        assert (action.title, action.edit) == ("No safe fix for PH001", None)
        assert action.disabled.reason.startswith(reason)
    else:
        assert disabled == []
    hover = await editor.client.text_document_hover_async(lsp.HoverParams(**editor.at("pl.load")))
    assert f"No safe fix: {reason}" in hover.contents.value


async def test_the_hover_tells_the_fix(editor: Editor) -> None:
    editor.open(KERNEL)
    found = await editor.codes("PH001", "PH001")
    await editor.actions(found[0])  # a hover does not wait for a slow analysis, so it has to be there
    hover = await editor.client.text_document_hover_async(lsp.HoverParams(**editor.at("pl.load")))
    assert "Fix: COLS 64 -> 128: rows of 512 B" in hover.contents.value
