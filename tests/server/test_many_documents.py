"""A document whose findings alone are kept answers like any other, in each of three editors."""

from __future__ import annotations

from lsp_editor import Editor
from lsprotocol import types as lsp
from test_sought_fixes import KERNEL

#: as long as what is kept of all open documents together
PADDING = "# " + "-" * 97 + "\n"
LONG = KERNEL.replace("class Copy", "class Long") + PADDING * 2600


async def test_it_answers_all_questions(editor: Editor) -> None:
    editor.open(KERNEL)
    first, text = editor.uri, editor.text
    found = await editor.codes("PH001", "PH001")
    editor.open(LONG)
    await editor.codes("PH001", "PH001")

    editor.uri, editor.text, editor.version = first, text, 1
    assert [(d.range, d.message) for d in await editor.codes("PH001", "PH001")] == [(d.range, d.message) for d in found]
    hover = await editor.client.text_document_hover_async(lsp.HoverParams(**editor.at("tile = pl.load")))
    assert "Tile[[64, 64]" in hover.contents.value
    editor.uri, editor.text = next_to(editor, LONG)
    await editor.codes("PH001", "PH001")
    editor.uri, editor.text = first, text
    fix = (await editor.actions((await editor.codes("PH001", "PH001"))[0]))[0]
    assert fix.title == "COLS 64 -> 128: rows of 512 B"
    editor.apply(fix.edit)
    await editor.codes()


def next_to(editor: Editor, text: str) -> tuple[str, str]:
    """Open another document, so that the one in focus rests."""
    before = editor.version
    editor.open(text)
    opened = editor.uri, editor.text
    editor.version = before
    return opened
