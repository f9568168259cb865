"""The hints of a build come when the client tells of its log, and go when the text is changed."""

from __future__ import annotations

import os
from pathlib import Path

from lsp_editor import Editor
from lsprotocol import types as lsp

KERNEL = """\
import pypto.language as pl


@pl.jit
def kernel(x: pl.Tensor[[64, 512], pl.FP32], o: pl.Out[pl.Tensor[[64, 512], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        o[:] = pl.neg(x)
    return o
"""


def tell(editor: Editor, path: Path, kind: lsp.FileChangeType) -> None:
    event = lsp.FileEvent(path.as_uri(), kind)
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([event]))


async def test_a_log_comes_and_goes(editor: Editor) -> None:
    name = f"built_{id(editor)}"
    kernel = editor.write(f"{name}.py", KERNEL)
    os.utime(kernel, (1_000_000_000,) * 2)
    editor.open(KERNEL, uri=kernel.as_uri())
    await editor.codes()
    hint = f"[perf_hint PH-MR-001] MemoryReuse: two stages share a buffer at {kernel}:7:16\n"
    log = editor.write(f"build_output/{name}/report/perf_hints.log", hint)
    tell(editor, log, lsp.FileChangeType.Created)
    (found,) = await editor.codes("PH-MR-001")
    assert editor.covered(found.range) == "pl.neg(x)"
    assert "compiler's build" in found.message
    editor.edit("neg", "exp")
    await editor.codes()
    editor.edit("exp", "neg")
    await editor.codes("PH-MR-001")
    log.unlink()
    tell(editor, log, lsp.FileChangeType.Deleted)
    await editor.codes()
