"""The request behind the editors' IR view."""

from __future__ import annotations

from typing import Any

from lsp_editor import Editor

KERNEL = """\
import pypto.language as pl


@pl.program
class Doubled:
    @pl.function
    def main(self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            dead = pl.exp(x)
            o = pl.assemble(o, pl.add(x, x), [0, 0])
        return o
"""


async def asked(editor: Editor, **parameters: Any) -> dict[str, Any]:
    params = {"textDocument": {"uri": editor.uri}, **parameters}
    answer = await editor.client.protocol.send_request_async("pypto/ir", params)
    return answer if isinstance(answer, dict) else answer._asdict()


async def test_the_ir_after_a_pass(editor: Editor) -> None:
    editor.open(KERNEL)
    plain = await asked(editor)
    assert plain["text"].startswith("# pypto.program: Doubled\n")
    assert "UnusedVariableCheck/1001" in plain["text"]
    tiles = await asked(editor, after="ConvertTensorToTileOps")
    assert "pl.tile.add(x__tile, x__tile)" in tiles["text"]
    assert "def main(" in tiles["text"]


async def test_what_can_be_asked_for(editor: Editor) -> None:
    editor.open(KERNEL)
    answer = await asked(editor)
    assert list(answer["kernels"]) == ["Doubled", "main"]
    assert list(answer["passes"])[:3] == ["frontend", "InlineFunctions", "UnrollLoops"]


async def test_one_kernel_as_it_is_while_typing(editor: Editor) -> None:
    editor.open(KERNEL)
    editor.edit("pl.add(x, x)", "pl.mul(x, x)")
    answer = await asked(editor, kernel="main", after="OutlineIncoreScopes")
    assert "pl.tensor.mul(" in answer["text"]
    assert "main_incore_0(" in answer["text"]


async def test_what_is_not_there_is_said(editor: Editor) -> None:
    editor.open(KERNEL)
    assert "no kernel 'other'" in (await asked(editor, kernel="other"))["error"]
    assert "'MemoryReuse' is no pass" in (await asked(editor, after="MemoryReuse"))["error"]
    editor.uri = "file:///nowhere.py"
    assert (await asked(editor))["error"] == "the document is not open"
