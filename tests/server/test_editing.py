"""A person edits kernels, in each of three editors."""

from __future__ import annotations

import asyncio

import pytest
from lsp_editor import Editor
from lsprotocol import types as lsp

UNUSED = "UnusedVariableCheck/1001"

KERNEL = """\
import pypto.language as pl

ROWS = 64


@pl.jit
def scale(x: pl.Tensor[[ROWS, 256], pl.FP32], out: pl.Out[pl.Tensor[[ROWS, 256], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        dead = pl.exp(x)
        out[:] = pl.neg(x)
    return out
"""


async def test_a_finding_appears_with_all_that_belongs_to_it(editor: Editor) -> None:
    editor.open(KERNEL)
    (found,) = await editor.codes(UNUSED)
    assert editor.covered(found.range) == "dead"
    assert found.source == "pypto"
    assert found.severity == lsp.DiagnosticSeverity.Warning
    assert "dead" in found.message
    assert found.tags == (lsp.DiagnosticTag.Unnecessary,)
    assert found.data["rule_name"] == "UnusedVariableCheck"
    assert found.data["error_code"] == 1001
    assert found.data["hint_code"] == ""


async def test_a_quick_fix_cures_it(editor: Editor) -> None:
    editor.open(KERNEL)
    (found,) = await editor.diagnostics(lambda found: bool(found and found[0].data["fixes"]))
    fix = (await editor.actions(found))[0]
    assert fix.kind == lsp.CodeActionKind.QuickFix
    assert fix.diagnostics == (found,)
    editor.apply(fix.edit)
    await editor.codes()
    assert "dead" not in editor.text


async def test_a_suppression_comment_silences_it(editor: Editor) -> None:
    editor.open(KERNEL)
    (found,) = await editor.codes(UNUSED)
    ignore = (await editor.actions(found))[-1]
    assert UNUSED in ignore.title
    editor.apply(ignore.edit)
    assert f"dead = pl.exp(x)  # pypto: ignore[{UNUSED}]\n" in editor.text
    await editor.codes()


async def test_fix_all_is_offered_by_kind_and_resolved(editor: Editor) -> None:
    editor.open(KERNEL)
    (found,) = await editor.diagnostics(lambda found: bool(found and found[0].data["fixes"]))
    safe = any(fix["safe"] for fix in found.data["fixes"])
    actions = await editor.actions(found, only=["source.fixAll"])
    assert [action.kind for action in actions] == ["source.fixAll.pypto"]
    assert await editor.actions(found, only=["refactor"]) == []
    resolved = await editor.client.code_action_resolve_async(actions[0])
    assert (resolved.edit is not None) is safe


async def test_typing_keeps_the_places_right(editor: Editor) -> None:
    editor.open(KERNEL)
    await editor.codes(UNUSED)
    editor.edit("ROWS = 64\n", "ROWS = 64  # 🜁 élan 数\nCOLS = 256\n")
    editor.edit("        dead", "        '🜁数é'; dead")
    editor.edit("dead", "nobody")
    (found,) = await editor.diagnostics(lambda f: [editor.covered(d.range) for d in f] == ["nobody"])
    assert found.code == UNUSED
    editor.edit("nobody", "nobody = out2")
    editor.edit("nobody = out2", "nobody")
    await editor.diagnostics(lambda f: [editor.covered(d.range) for d in f] == ["nobody"])


async def test_a_broken_line_costs_only_itself(editor: Editor) -> None:
    other = KERNEL.replace("import pypto.language as pl\n", "").replace("scale", "second").replace("ROWS = 64\n", "")
    editor.open(KERNEL + other)
    await editor.codes(UNUSED, UNUSED)
    editor.edit("out[:] = pl.neg(x)", "out[:] = pl.neg(x")
    found = await editor.diagnostics(lambda f: any(d.code.startswith("SyntaxError") for d in f))
    assert sum(d.code.startswith("SyntaxError") for d in found) == 1
    await editor.diagnostics(lambda f: any(d.code == UNUSED for d in f))
    editor.edit("pl.neg(x", "pl.neg(x)")
    await editor.codes(UNUSED, UNUSED)


async def test_line_ends_and_odd_characters_do_not_shift_anything(editor: Editor) -> None:
    editor.open(KERNEL.replace("ROWS = 64\n", 'ROWS = 64  # \x0c \x85 \u2028\nTEXT = "\u2029"\n').replace("\n", "\r\n"))
    await editor.codes(UNUSED)
    editor.edit("dead", "unread")
    await editor.diagnostics(lambda f: [editor.covered(d.range) for d in f] == ["unread"])


async def test_an_untitled_document_is_analysed(editor: Editor) -> None:
    editor.open(KERNEL, uri=f"untitled:Untitled-{id(editor)}")
    (found,) = await editor.codes(UNUSED)
    assert (await editor.actions(found))[-1].edit is not None
    editor.close()


@pytest.mark.parametrize("text", ["", "x = 1\n", "import numpy as np\n\ndef f(x):\n    dead = x\n", "def broken(:\n"])
async def test_other_python_is_left_alone(editor: Editor, text: str) -> None:
    editor.open(text)
    await editor.codes()
    assert await editor.client.text_document_completion_async(lsp.CompletionParams(**editor.at(""))) is None


async def test_push_and_pull_are_never_mixed(editor: Editor) -> None:
    editor.open(KERNEL)
    await editor.codes(UNUSED)
    await asyncio.sleep(0.2)
    assert (editor.uri in editor.client.diagnostics) is not editor.pulls


async def test_an_unchanged_answer_says_so(editor: Editor) -> None:
    if not editor.pulls:
        pytest.skip("this editor does not pull")
    editor.open(KERNEL)
    await editor.diagnostics(lambda found: bool(found and found[0].data["fixes"]))
    params = lsp.DocumentDiagnosticParams(editor.identifier)
    first = await editor.client.text_document_diagnostic_async(params)
    params.previous_result_id = first.result_id
    second = await editor.client.text_document_diagnostic_async(params)
    assert second.kind == "unchanged"
    assert second.result_id == first.result_id


async def test_a_published_list_says_which_version_it_is_for(editor: Editor) -> None:
    if editor.pulls:
        pytest.skip("this editor pulls")
    editor.open(KERNEL)
    await editor.codes(UNUSED)
    editor.edit("dead", "unread")
    await editor.diagnostics(lambda f: [editor.covered(d.range) for d in f] == ["unread"])
    assert editor.client.versions[editor.uri] == editor.version


async def test_a_closed_document_shows_nothing(editor: Editor) -> None:
    editor.open(KERNEL)
    await editor.codes(UNUSED)
    editor.close()
    await editor.codes()


async def test_an_imported_constant_decides(editor: Editor) -> None:
    name = f"sizes_{id(editor)}"
    path = editor.write(f"{name}.py", "ROWS = 64\nCOLS = 256\n")
    text = KERNEL.replace("ROWS = 64\n", f"from {name} import COLS, ROWS\n").replace("[ROWS, 256]", "[ROWS, COLS]")
    editor.open(text.replace("        dead = pl.exp(x)\n", ""))
    await editor.codes()
    hover = await editor.client.text_document_hover_async(lsp.HoverParams(**editor.at("x: pl.Tensor")))
    assert "pl.Tensor[[64, 256], pl.FP32]" in hover.contents.value
    path.write_text("ROWS = 32\nCOLS = 512\n", encoding="utf-8")
    event = lsp.FileEvent(path.as_uri(), lsp.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([event]))
    for _ in range(200):
        hover = await editor.client.text_document_hover_async(lsp.HoverParams(**editor.at("x: pl.Tensor")))
        if "pl.Tensor[[32, 512], pl.FP32]" in hover.contents.value:
            break
        await asyncio.sleep(0.05)
    else:
        raise AssertionError(hover.contents.value)


async def test_a_helper_of_another_file_gets_its_own_findings(editor: Editor) -> None:
    name = f"helper_{id(editor)}"
    helper = KERNEL.replace("@pl.jit\n", "@pl.jit.inline\n").replace("def scale", "def helper")
    path = editor.write(f"{name}.py", helper)
    editor.open(
        f"import pypto.language as pl\nfrom {name} import helper\n\n\n"
        "@pl.jit\n"
        "def entry(x: pl.Tensor[[64, 256], pl.FP32], out: pl.Out[pl.Tensor[[64, 256], pl.FP32]]):\n"
        "    out = helper(x, out)\n"
        "    return out\n"
    )
    await editor.codes()
    other = Editor(editor.client)
    other.open(helper, uri=path.as_uri())
    (found,) = await other.codes(UNUSED)
    assert other.covered(found.range) == "dead"
    other.close()


async def test_settings_change_what_is_shown(editor: Editor) -> None:
    editor.open(KERNEL)
    await editor.codes(UNUSED)
    try:
        settings = {"pypto": {"disabledDiagnostics": [UNUSED]}}
        editor.client.set_configuration(settings)
        editor.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings))
        await editor.codes()
    finally:
        editor.client.set_configuration({"pypto": {}})
        editor.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams({"pypto": {}}))
    await editor.codes(UNUSED)


async def test_folders_come_and_go(editor: Editor, tmp_path) -> None:
    name = f"outside_{id(editor)}"
    (tmp_path / f"{name}.py").write_text("ROWS = 8\n", encoding="utf-8")
    editor.open(KERNEL.replace("ROWS = 64\n", f"from {name} import ROWS\n").replace("        dead = pl.exp(x)\n", ""))
    folder = lsp.WorkspaceFolder(tmp_path.as_uri(), "outside")

    async def shown() -> str:
        await editor.codes()
        hover = await editor.client.text_document_hover_async(lsp.HoverParams(**editor.at("x: pl.Tensor")))
        return hover.contents.value if hover is not None else ""

    assert "[8, 256]" not in await shown()
    event = lsp.WorkspaceFoldersChangeEvent(added=[folder], removed=[])
    editor.client.workspace_did_change_workspace_folders(lsp.DidChangeWorkspaceFoldersParams(event))
    for _ in range(200):
        if "[8, 256]" in await shown():
            break
        await asyncio.sleep(0.05)
    else:
        raise AssertionError("the new folder is not searched")
    event = lsp.WorkspaceFoldersChangeEvent(added=[], removed=[folder])
    editor.client.workspace_did_change_workspace_folders(lsp.DidChangeWorkspaceFoldersParams(event))


async def test_an_edit_that_changes_nothing_is_not_published_anew(editor: Editor) -> None:
    if editor.pulls:
        pytest.skip("this editor pulls")
    editor.open(KERNEL)
    (found,) = await editor.diagnostics(lambda found: bool(found and found[0].data["fixes"]))
    await asyncio.sleep(0.3)
    before = editor.client.versions[editor.uri]
    editor.edit("    return out\n", "    return out  # done\n")
    await editor.client.text_document_document_symbol_async(lsp.DocumentSymbolParams(editor.identifier))
    await asyncio.sleep(0.6)
    assert editor.client.versions[editor.uri] == before
    # the finding that the client still holds is of an older version; its fix fits the text as it is now
    editor.apply((await editor.actions(found))[0].edit)
    await editor.codes()
