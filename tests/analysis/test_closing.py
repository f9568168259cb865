"""A document that is closed without being saved leaves nothing of its text behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_workspace import KERNELS, edit, told

from pypto_lsp.analysis.settings import Settings
from pypto_lsp.analysis.workspace import Workspace

USER = KERNELS.replace("from sizes import COLS\n", "from sizes import COLS\nfrom kernels import soften\n").replace(
    "            out[i * 16", "            u = soften(x)\n            out[i * 16"
)


@pytest.mark.parametrize("analysed", [False, True])
def test_places_are_those_of_the_file(tmp_path: Path, analysed: bool) -> None:
    (tmp_path / "sizes.py").write_text("COLS = 128\n", encoding="utf-8")
    paths = [str(tmp_path / "kernels.py"), str(tmp_path / "user.py")]
    for path, text in zip(paths, (KERNELS, USER)):
        Path(path).write_text(text, encoding="utf-8")
    workspace = Workspace((str(tmp_path),), Settings())
    workspace.open(paths[0], KERNELS)
    for path in paths:
        assert workspace.check(path).diagnostics
    edit(workspace, paths[0], 0, 0, "# a\n\n")
    if analysed:
        workspace.front_end(paths[0])
    assert workspace.close(paths[0]) == set(paths)
    fresh = Workspace((str(tmp_path),), Settings())
    for path in paths:
        assert told(workspace.check(path)) == told(fresh.check(path))


def test_one_that_was_not_edited_leaves_all_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "sizes.py").write_text("COLS = 128\n", encoding="utf-8")
    path = str(tmp_path / "kernels.py")
    Path(path).write_text(KERNELS, encoding="utf-8")
    workspace = Workspace((str(tmp_path),), Settings())
    workspace.open(path, KERNELS)
    before = workspace.check(path)
    assert workspace.close(path) == set()
    assert workspace.check(path) is before
