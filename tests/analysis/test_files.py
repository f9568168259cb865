"""Reading files and walking folders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pypto_lsp.analysis import files
from pypto_lsp.analysis.files import UnreadableFile, decode, python_files, read_text


def reason(path: Path) -> str:
    with pytest.raises(UnreadableFile) as caught:
        read_text(str(path))
    return caught.value.reason


def test_what_is_no_text_is_refused_with_one_phrase(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "binary.py").write_bytes(b"\x7fELF\x00\x01")
    (tmp_path / "latin.py").write_bytes(b"# coding: latin-1\nx = '\xe9'\n")
    monkeypatch.setattr(files, "SIZE_LIMIT", 2 * 1024 * 1024)
    (tmp_path / "long.py").write_bytes(b"#" * (2 * 1024 * 1024 + 1))
    assert "binary" in reason(tmp_path / "binary.py")
    assert "not UTF-8" in reason(tmp_path / "latin.py")
    assert "latin-1" in reason(tmp_path / "latin.py")
    assert "2 MB" in reason(tmp_path / "long.py")
    assert "no such file" in reason(tmp_path / "missing.py")
    assert "directory" in reason(tmp_path)


def test_the_text_is_taken_as_it_stands() -> None:
    assert decode("a.py", b"\xef\xbb\xbfx\r\ny\r") == "\ufeffx\r\ny\r"
    assert decode("a.py", b"") == ""


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")


def walked(root: Path) -> list[str]:
    return [os.path.relpath(path, root) for path in python_files(str(root))]


def test_folders_are_walked_in_order_without_what_is_no_source(tmp_path: Path) -> None:
    make(
        tmp_path, "b.py", "a/c.py", "a/d.txt", ".hidden/e.py", "node_modules/f.py", "__pycache__/g.py", "mine/h.py",
        "mine/pyvenv.cfg", "venv/i.py", "build/j.py",
    )  # fmt: skip
    assert walked(tmp_path) == ["a/c.py", "b.py", "build/j.py"]


def test_gitignore_is_honoured_at_every_level(tmp_path: Path) -> None:
    make(tmp_path, "out/a.py", "gen/b.py", "gen/keep.py", "src/gen.py", "src/x_test.py", "src/c.py")
    (tmp_path / ".gitignore").write_text("/out/\ngen/*\n!gen/keep.py\n", encoding="utf-8")
    (tmp_path / "src" / ".gitignore").write_text("*_test.py\n", encoding="utf-8")
    assert walked(tmp_path) == ["gen/keep.py", "src/c.py", "src/gen.py"]


def test_a_link_in_a_circle_ends(tmp_path: Path) -> None:
    make(tmp_path, "a/b.py")
    (tmp_path / "a" / "up").symlink_to(tmp_path, target_is_directory=True)
    assert walked(tmp_path) == ["a/b.py"]
