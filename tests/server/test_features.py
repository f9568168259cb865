"""Hover, completion, signatures, inlay hints, outline, definitions."""

from __future__ import annotations

import pytest
from lsp_editor import Editor
from lsprotocol import types as lsp

KERNEL = """\
import pypto.language as pl

ROWS = 64
COLS = 4 * ROWS


@pl.jit
def scale(x: pl.Tensor[[ROWS, COLS], pl.FP32], out: pl.Out[pl.Tensor[[ROWS, COLS], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        half = pl.mul(x, 0.5)
        low = pl.cast(half, target_type=pl.BF16)
        out[:] = pl.exp(half)
    return out


def plain(value):
    return value
"""

PROGRAM = """\
import pypto.language as pl


@pl.program
class Twice:
    @pl.function(type=pl.FunctionType.InCore)
    def double(
        self, x: pl.Tensor[[16, 64], pl.FP32], o: pl.Out[pl.Tensor[[16, 64], pl.FP32]]
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        t = pl.load(x, [0, 0], [16, 64])
        o = pl.store(pl.add(t, t), [0, 0], o)
        return o

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self, x: pl.Tensor[[16, 64], pl.FP32], o: pl.Out[pl.Tensor[[16, 64], pl.FP32]]
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        o = self.double(x, o)
        return o
"""


@pytest.fixture
async def kernel(editor: Editor) -> Editor:
    editor.open(KERNEL)
    await editor.codes("UnusedVariableCheck/1001")
    return editor


async def hover(editor: Editor, text: str, into: int = 0) -> str:
    found = await editor.client.text_document_hover_async(lsp.HoverParams(**editor.at(text, into)))
    return found.contents.value if found is not None else ""


async def test_hover_on_an_operator_shows_its_signature(kernel: Editor) -> None:
    text = await hover(kernel, "pl.mul", 4)
    assert "pl.mul(" in text
    assert "rhs" in text


async def test_hover_on_names_shows_types_and_values(kernel: Editor) -> None:
    assert "half: pl.Tensor[[64, 256], pl.FP32]" in await hover(kernel, "half = pl.mul")
    assert "half: pl.Tensor[[64, 256], pl.FP32]" in await hover(kernel, "half, target_type", 1)
    assert "x: pl.Tensor[[64, 256], pl.FP32]" in await hover(kernel, "x, 0.5")
    assert "COLS = 256" in await hover(kernel, "COLS = 4", 1)


async def test_hover_on_a_keyword_shows_the_parameter(kernel: Editor) -> None:
    text = await hover(kernel, "target_type", 3)
    assert "target_type" in text
    assert "pl.cast" in text


async def test_hover_on_a_finding_explains_its_rule(kernel: Editor) -> None:
    text = await hover(kernel, "low", 1)
    assert "UnusedVariableCheck/1001" in text
    assert "What it does" in text
    assert "low: pl.Tensor[[64, 256], pl.BF16]" in text


async def test_hover_elsewhere_says_nothing(kernel: Editor) -> None:
    for text in ("return value", "def plain", '\n\n\n@pl.jit"'[:1]):
        assert await hover(kernel, text) == ""


async def complete(editor: Editor, text: str, into: int) -> dict[str, lsp.CompletionItem]:
    found = await editor.client.text_document_completion_async(lsp.CompletionParams(**editor.at(text, into)))
    return {item.label: item for item in found.items}


async def test_completion_behind_the_language(kernel: Editor) -> None:
    items = await complete(kernel, "pl.mul", 3)
    assert {"add", "mul", "load", "tile", "FP32", "MemorySpace", "range"} <= set(items)
    assert items["mul"].kind == lsp.CompletionItemKind.Function
    resolved = await kernel.client.completion_item_resolve_async(items["mul"])
    assert "pl.mul(" in resolved.documentation.value
    for broken in ("pl.tile.", "pl.MemorySpace.", "pl."):
        kernel.edit("low = pl.cast(half, target_type=pl.BF16)", f"low = {broken}")
        items = await complete(kernel, f"low = {broken}", len(f"low = {broken}"))
        expected = {"pl.tile.": "load", "pl.MemorySpace.": "Vec", "pl.": "tile"}[broken]
        assert expected in items
        kernel.edit(f"low = {broken}", "low = pl.cast(half, target_type=pl.BF16)")


async def test_completion_inside_a_call(kernel: Editor) -> None:
    kernel.edit("pl.cast(half, target_type=pl.BF16)", "pl.cast(half, )")
    items = await complete(kernel, "pl.cast(half, )", len("pl.cast(half, "))
    assert "target_type=" in items
    assert {"half", "x", "ROWS"} <= set(items)
    kernel.edit("pl.cast(half, )", "pl.cast(half, target_type=)")
    items = await complete(kernel, "target_type=)", len("target_type="))
    assert "pl.BF16" in items
    assert "half" not in items


async def test_completion_of_names_replaces_what_was_begun(kernel: Editor) -> None:
    kernel.edit("out[:] = pl.exp(half)", "out[:] = ha")
    items = await complete(kernel, "out[:] = ha", len("out[:] = ha"))
    edit = items["half"].text_edit
    assert kernel.covered(edit.range) == "ha"
    assert edit.new_text == "half"
    assert items["half"].detail == "pl.Tensor[[64, 256], pl.FP32]"


async def test_no_completion_in_comments_strings_and_numbers(kernel: Editor) -> None:
    for inside in ("# pl.add(", "'pl.add(", "7"):
        kernel.edit("pl.exp(half)", inside)
        place = f"out[:] = {inside}"
        found = await kernel.client.text_document_completion_async(lsp.CompletionParams(**kernel.at(place, len(place))))
        assert list(found.items) == []
        kernel.edit(inside, "pl.exp(half)")


async def signature(editor: Editor, text: str, into: int) -> lsp.SignatureHelp | None:
    return await editor.client.text_document_signature_help_async(lsp.SignatureHelpParams(**editor.at(text, into)))


async def test_signature_help_follows_the_arguments(kernel: Editor) -> None:
    found = await signature(kernel, "pl.mul(x, ", len("pl.mul("))
    (shown,) = found.signatures
    assert shown.label.startswith("pl.mul(")
    assert shown.active_parameter == 0
    found = await signature(kernel, "pl.mul(x, ", len("pl.mul(x, "))
    assert found.signatures[0].active_parameter == 1
    label = found.signatures[0].parameters[1].label
    assert label == "rhs" or found.signatures[0].label[label[0] : label[1]] == "rhs"
    found = await signature(kernel, "target_type=", len("target_type="))
    assert found.signatures[0].parameters[found.signatures[0].active_parameter]
    assert await signature(kernel, "return out", 3) is None


async def test_inlay_hints_show_the_types_of_locals(kernel: Editor) -> None:
    whole = lsp.Range(lsp.Position(0, 0), kernel.position(len(KERNEL)))
    params = lsp.InlayHintParams(kernel.identifier, whole)
    hints = await kernel.client.text_document_inlay_hint_async(params)
    shown = {kernel.text[: kernel.offset(hint.position)].split()[-1]: hint.label for hint in hints}
    assert shown["half"] == ": pl.Tensor[[64, 256], pl.FP32]"
    assert shown["low"] == ": pl.Tensor[[64, 256], pl.BF16]"
    assert "x" not in shown
    params.range = lsp.Range(lsp.Position(0, 0), lsp.Position(5, 0))
    assert list(await kernel.client.text_document_inlay_hint_async(params)) == []


async def test_the_outline_shows_kernels_and_constants(editor: Editor) -> None:
    editor.open(KERNEL + PROGRAM)
    params = lsp.DocumentSymbolParams(editor.identifier)
    symbols = await editor.client.text_document_document_symbol_async(params)
    shown = {symbol.name: symbol for symbol in symbols}
    assert {"ROWS", "COLS", "scale", "plain", "Twice"} <= set(shown)
    assert shown["scale"].detail == "@pl.jit"
    assert [child.name for child in shown["Twice"].children] == ["double", "main"]
    assert editor.covered(shown["scale"].selection_range) == "scale"
    assert editor.covered(shown["Twice"].range).endswith("return o")


async def definition(editor: Editor, text: str, into: int = 0) -> lsp.Location | None:
    return await editor.client.text_document_definition_async(lsp.DefinitionParams(**editor.at(text, into)))


async def test_definitions_in_the_file(kernel: Editor) -> None:
    found = await definition(kernel, "half, target_type")
    assert kernel.offset(found.range.start) == KERNEL.index("half = pl.mul")
    found = await definition(kernel, "ROWS, COLS", 1)
    assert kernel.offset(found.range.start) == KERNEL.index("ROWS = 64")
    assert await definition(kernel, "0.5") is None


async def test_the_definition_of_a_method(editor: Editor) -> None:
    editor.open(PROGRAM)
    found = await definition(editor, "self.double", 7)
    assert editor.offset(found.range.start) == PROGRAM.index("double(")


async def test_definitions_in_other_files(editor: Editor) -> None:
    name = f"library_{id(editor)}"
    path = editor.write(f"{name}.py", "import pypto.language as pl\n\nROWS = 64\n")
    editor.open(KERNEL.replace("ROWS = 64\n", f"from {name} import ROWS\n"))
    found = await definition(editor, "[ROWS", 1)
    assert found.uri == path.as_uri()
    assert (found.range.start.line, found.range.start.character) == (2, 0)
